"""The page of rulings names every question and every decision of the rule sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "rulings.md").read_text(encoding="utf-8")
SECTIONS = {
    name: text for name, _, text in (part.partition("\n") for part in re.split(r"^## ", PAGE, flags=re.MULTILINE))
}
RHL = PAGE.partition("\n## ")[0]


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
