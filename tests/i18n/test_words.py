"""The style guide of the catalogues (`docs/reference/words.md`): one word for one thing, the same gaps in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import trajekt
from trajekt.i18n.rule_texts import rule_texts
from trajekt.registry import names, title

FOLDERS = sorted(path.parent for path in Path(trajekt.__file__).parent.rglob("en.toml"))
FORBIDDEN = {
    "de": (
        "Betriebsrunde", "Gleisteil", "Vorhand", "Startspieler", "Vorkaufskarte", "Ausgabekurs", "Nennwert", "Fahrstrecke",
        "Firmenblatt", "Kurstafel", "Außenfeld", "Außenziel", "Briefe", " ehe ", "Satz von Runden", "Buße",
        "Ein Programm", "ein Programm", "Programm:", "{deed}",
    ),
    "en": (
        " an own ", "sends letters", "no letters", "May letters", "Kept.", "who is outbid", "the the ", "(s)",
        "deed", "a program ", "Programs",
    ),
}  # fmt: skip
IN_RULES = {
    "de": ("Strecke ", "Station", "umsonst", "Direktorat ", "Direktorats", "besteht fort", "fortbest", "Direktorenzertifikat"),
    "en": ("IPO", "; data", "(data)", "->", "as the sheet has", "`"),
}  # fmt: skip
"""Words that the rules do not use either: of other games, of the trade, of the code."""
CODED = re.compile(r"\bQ\d+|\bedges? \d")
WRONG_PERSON = re.compile(r"\b[Yy]ou (is|has|was|\w*[^s\W]s)\b|\b[Dd]u (\w+[^s]t|ist|hat|wird)\b")
RIGHT_PERSON = re.compile(
    r"[Yy]ou (always|perhaps|pass|pass steps)|[Dd]u (\w*[szß]t|nicht|jetzt|dort|fast|selbst|erst)\b"
)


def texts(folder, language):
    return tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))


def told(entries, prefix=""):
    """All texts by key, nested tables included."""
    for key, value in entries.items():
        if isinstance(value, dict):
            yield from told(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_one_word_for_one_thing(folder, language):
    found = [(key, word) for key, text in told(texts(folder, language)) for word in FORBIDDEN[language] if word in text]
    assert found == []


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game", names())
def test_rules_use_the_same_words(game, language):
    words = (*(word for word in FORBIDDEN[language] if word.strip().isalpha()), *IN_RULES[language])
    texts = rule_texts(title(game).package, language)
    assert [(id_, word) for id_, text in texts.items() for word in words if word in text] == []
    assert [id_ for id_, text in texts.items() if CODED.search(text)] == []


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_third_person_for_the_reader(folder, language):
    found = [
        (key, match[0])
        for key, text in told(texts(folder, language))
        for match in WRONG_PERSON.finditer(text)
        if not RIGHT_PERSON.match(match[0])
    ]
    assert found == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_both_languages_have_the_same_keys(folder):
    assert dict(told(texts(folder, "de"))).keys() == dict(told(texts(folder, "en"))).keys()


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_doubled_blanks_or_unclosed_brackets(folder, language):
    wrong = [
        key
        for key, text in told(texts(folder, language))
        if "  " in text or text.count("[") != text.count("]") or text != text.strip()
    ]
    assert wrong == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_seat_is_called_you(language):
    server = next(folder for folder in FOLDERS if folder.name == "server")
    assert texts(server, language)["page.start.you"] not in {"You", "Du", "Me", "Ich"}
