"""The pages of the audits name tests that are there, and every entry of the sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
RESEARCH = PROJECT / "docs" / "research"


@pytest.mark.parametrize("name", ["rules-audit.md", "server-audit.md", "page-audit.md"])
def test_audit_names_tests_that_exist(name):
    page = (RESEARCH / name).read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", page))
    assert len(named) > 40
    assert {name for name in named if f"def {name}(" not in code} == set()
    files = set(re.findall(r"`(tests/[\w/]+\.py)`", page))
    assert {file for file in files if not (PROJECT / file).exists()} == set()


@pytest.mark.parametrize("file", ["rules.md", "rules-money.md", "rules-timing.md"])
def test_audit_answers_each_entry(shared, file):
    page = (PROJECT / "docs" / "research" / "rules-audit.md").read_text(encoding="utf-8")
    entries = re.findall(
        r"^### (F-[A-Z]+-\d+) ", shared(f"faults/{file}").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert len(entries) > 4
    rows = {
        id_
        for row in re.findall(r"^\| (F-[^|]+)\|", page, flags=re.MULTILINE)
        for id_ in re.findall(r"F-[A-Z]+-\d+", row)
    }
    assert set(entries) - rows == set()
    assert {"F-CPT-11", "F-CPT-16"} <= rows


def test_server_audit_has_every_entry():
    rows = re.findall(r"^\| (F-\w+-\d+) \|[^|]+\| (.+) \|$", (RESEARCH / "server-audit.md").read_text(), re.MULTILINE)
    wanted = [f"F-{sheet}-{n}" for sheet, last in (("SRV", 27), ("SCL", 12), ("HOST", 19)) for n in range(1, last + 1)]
    assert [entry for entry, _ in rows] == wanted
    assert [entry for entry, held in rows if "`test_" not in held] == []


def test_page_audit_has_every_entry():
    rows = re.findall(r"^\| ([\w-]+-\d+) \|[^|]+\| (.+) \|$", (RESEARCH / "page-audit.md").read_text(), re.MULTILINE)
    wanted = [f"F-{sheet}-{n}" for sheet, last in (("PAGE", 27), ("NEW", 23), ("CPT", 16)) for n in range(1, last + 1)]
    found = [entry for entry, _ in rows]
    assert [entry for entry in found if entry in wanted] == wanted
    assert [entry for entry, held in rows if "`test_" not in held and "see the audit" not in held] == ["TEXT-10"]
