"""The page of rulings names every question and every decision of the rule sheets, and every switch of the games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trajekt.games.do.options import SETTLED
from trajekt.games.do.options import VALUES as DO_VALUES
from trajekt.games.lra.title import TITLE as LRA
from trajekt.games.rhl.title import TITLE as RHL_TITLE
from trajekt.games.ruhr.options import VALUES as RUHR_VALUES
from trajekt.games.ruhr.title import TITLE as RUHR

PAGE = (Path(__file__).parents[1] / "docs" / "rulings.md").read_text(encoding="utf-8")
SECTIONS = {
    name: text for name, _, text in (part.partition("\n") for part in re.split(r"^## ", PAGE, flags=re.MULTILINE))
}
RHL = PAGE.partition("\n## ")[0]

PRINTED = {"optional_2_train", "lower_capital", "promotion_tiles", "ratingen", "optional_end", "compat", "scenario"}
"""Variants of the rulebooks and of the public site: chosen, not decided."""

SET_UP = {"edition", "game", "beginners"}
"""Options that say which game is set up."""


def named(section: str) -> set[str]:
    """The options that a section names in its tables or sentences: words in code style, in small letters."""
    return set(re.findall(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+|pferdebahn|scenario)`", section))


def values_of(section: str) -> dict[str, str]:
    """The rows of a section whose first cell is an option: what the second cell says of its values."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section, flags=re.MULTILINE)
    return dict(rows)


def spelled(value: object) -> str:
    """A value as the page writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def mentioned(text: str) -> set[str]:
    """The ids of requirements in a text; `RHL-RTE-16, -17` and `LRA-TWO-01 to LRA-TWO-06` name all of them."""
    found: set[str] = set()
    for stem, first, more in re.findall(r"([A-Z]+-[A-Z]+-)(\d\d)((?:, -\d\d)*)", text):
        found |= {stem + number for number in (first, *re.findall(r"\d\d", more))}
    for stem, low, high in re.findall(r"([A-Z]+-[A-Z]+-)(\d\d) to \1(\d\d)", text):
        found |= {f"{stem}{number:02}" for number in range(int(low), int(high) + 1)}
    return found


def decided_here(sheet: str) -> set[str]:
    """The requirements that no source states, in whole or in part: the sheet marks them with an X."""
    parts = re.split(r"^#### ", sheet, flags=re.MULTILINE)[1:]
    heads = {part.split(" ", 1)[0]: part for part in parts if re.match(r"[A-Z]+-[A-Z]+-\d\d ", part)}
    marked = {id_ for id_, part in heads.items() if re.search(r"\bX\b", part.partition("\n")[0])}
    return marked | {id_ for id_, part in heads.items() if "(X)" in part.partition("\n## ")[0]}


def test_page_answers_rhl_and_lra_questions(shared):
    sheet = shared("rules/18rhl-18lra.md").read_text(encoding="utf-8")
    text = RHL + SECTIONS["18LRA"]
    numbers = {n for row in re.findall(r"^\| ([\d, ]+)", text, flags=re.MULTILINE) for n in re.findall(r"\d\d", row)}
    assert set(re.findall(r"OQ-(\d\d)", sheet)) - numbers == set()


def test_page_names_what_was_decided_here(shared):
    sheet = shared("rules/18rhl-18lra.md").read_text(encoding="utf-8")
    decided = decided_here(sheet)
    assert len(decided) > 20
    assert decided - mentioned(RHL + SECTIONS["18LRA"]) == set()


def test_page_answers_each_question_of_ruhr(shared):
    sheet = shared("rules/18ruhr.md").read_text(encoding="utf-8")
    asked = set(re.findall(r"Open question (Q\d\d)", sheet))
    assert len(asked) == 63
    assert asked - set(re.findall(r"Q\d\d", SECTIONS["18Ruhr"])) == set()


def test_page_has_each_key_of_dortmund(shared):
    table = shared("rules/18do.md").read_text(encoding="utf-8").partition("# Rulings at a glance")[2]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    keys = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert len(keys) > 40
    assert {key for key in keys if f"`{key}`" not in SECTIONS["18DO"]} == set()


@pytest.mark.parametrize("name", ["18rhl-18lra", "18ruhr", "18do"])
def test_page_names_each_decision_of_november(shared, name):
    top = shared(f"rules/{name}.md").read_text(encoding="utf-8").partition("## Decisions of November 2026")[2]
    ids = mentioned(top.partition("\n## ")[0])
    assert ids - mentioned(PAGE) == set()


@pytest.mark.rule("DO-TRG-01", "DO-INTRO-01")
def test_page_answers_reconstructions_of_dortmund(shared):
    sheet = shared("rules/18do.md").read_text(encoding="utf-8")
    marked = {id_ for id_, sources in re.findall(r"\*\*(DO-[A-Z]+-\d\d)\*\* \[([^]]*)\]", sheet) if sources == "X"}
    assert len(marked) > 10
    assert marked - mentioned(SECTIONS["18DO"]) == set()


def test_page_answers_each_reading_of_audit(shared):
    """The decisions that an audit asked for, by the ids that its table names."""
    asked = shared("faults/rules.md").read_text(encoding="utf-8").partition("## Readings to decide")[2]
    assert len(re.findall(r"^\| \d+ \|", asked, flags=re.MULTILINE)) == 24
    assert mentioned(asked) - mentioned(PAGE) == set()


@pytest.mark.parametrize(("title", "section"), [(RHL_TITLE, RHL), (LRA, SECTIONS["18LRA"])], ids=["18rhl", "18lra"])
def test_page_has_each_switch_of_books(title, section):
    switches = {variant.option for variant in title.variants} - PRINTED
    assert {option for option in switches if f"`{option}`" not in section} == set()
    known = {variant.option for variant in title.variants}
    assert named(section) - known - {"fixed_seats"} == set()


@pytest.mark.parametrize(
    ("values", "section"), [(RUHR_VALUES, SECTIONS["18Ruhr"]), (DO_VALUES, SECTIONS["18DO"])], ids=["18ruhr", "18do"]
)
def test_page_has_each_value_of_switch(values, section):
    rows = values_of(section)
    for option, known in values.items():
        if option not in SET_UP and option != "scenario":
            assert [value for value in known if spelled(value) not in rows[option]] == [], option
            places = [rows[option].index(spelled(value)) for value in known]
            assert places[0] == min(places), option  # the default stands first


def test_page_names_only_known_switches():
    ruhr = {variant.option for variant in RUHR.variants}
    assert set(values_of(SECTIONS["18Ruhr"])) == ruhr
    assert set(values_of(SECTIONS["18DO"])) == set(DO_VALUES) - SET_UP
    assert {ruling for ruling in SETTLED if f"`{ruling}`" not in SECTIONS["18DO"]} == set()
