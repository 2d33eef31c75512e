"""The glossary: every word that a newcomer stumbles over is explained, in both languages, and found where it stands."""

from __future__ import annotations

import re

import pytest

from trajekt.bots.reasons import PACKAGE
from trajekt.i18n.glossary import glossary_of
from trajekt.i18n.sentences import catalogue
from trajekt.registry import names, title

STUMBLED_OVER = frozenset(
    {
        "operating_round", "stock_round", "mark", "treasury", "par", "found", "float", "charter", "pool", "offering",
        "certificate", "director", "directors_certificate", "priority", "promised", "phase", "limit", "values", "train",
        "station", "withhold", "proven", "private", "obsolete", "dividend", "route", "revenue", "share", "bankruptcy",
    }
)  # fmt: skip
DRAWN = frozenset({"mark", "train", "offboard", "upgrade"})
"""Words of the map and of amounts: explained in the list of all words, seen rather than read."""
PAGE = "trajekt.server"


def glossary(language, *packages):
    return glossary_of(catalogue(language, PAGE, PACKAGE, *packages))


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_newcomers_word_is_missing(language):
    assert set(glossary(language).words) >= STUMBLED_OVER


@pytest.mark.parametrize("name", names())
def test_both_languages_explain_alike(name):
    german, english = (glossary(language, title(name).package) for language in ("de", "en"))
    assert list(german.words) == list(english.words)
    for words in (german.words, english.words):
        assert all(8 <= len(word.told.split()) <= 32 for word in words.values())


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", names())
def test_no_form_has_two_meanings(name, language):
    words = glossary(language, title(name).package).words
    forms = [form for word in words.values() for form in word.forms]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", names())
def test_each_word_stands_in_some_text(name, language):
    say = catalogue(language, PAGE, PACKAGE, title(name).package)
    found = glossary_of(say)
    texts = [text for key, text in say.entries.items() if not re.fullmatch(r"glossary\.\w+", key)]
    used = {key for text in texts for _, key in found.parts(text)}
    assert set(found.words) - used <= DRAWN


@pytest.mark.parametrize(
    ("language", "text", "marked"),
    [
        ("en", "A new 3-train makes old ones obsolete.", {"3-train": "train", "obsolete": "obsolete"}),
        ("en", "Treasury 100 M; the treasury pays", {"Treasury": "treasury"}),
        ("en", "A charterhouse in Parma", {}),
        ("de", "GVE kauft einen 2+4er-Zug aus dem Bankpool", {"2+4er-Zug": "train", "Bankpool": "pool"}),
        ("de", "Kapitalist in der Altstadt", {}),
    ],
)
def test_words_are_marked_where_they_stand(language, text, marked):
    parts = list(glossary(language).parts(text))
    assert "".join(part for part, _ in parts) == text
    assert {part: key for part, key in parts if key} == marked
