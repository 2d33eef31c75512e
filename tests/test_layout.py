"""The project about itself: sizes of files, ids that exist, dependencies, what an import pulls in."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "trajekt"

LIMIT = 600
LONG_WITH_REASON: dict[str, str] = {}
"""Files of more than 600 lines, each with the reason why it is one thing."""

RULE_ID = re.compile(r"\b(?:COMMON|RHL|LRA|RUHR|DO)(?:-[A-Z]+)+-\d+\b")
DEFINED_RULE = re.compile(r"^(?:[-*#]+\s+)?\*{0,2}(" + RULE_ID.pattern + r")\*{0,2}(?=\s)", re.MULTILINE)
CASE_MARK = re.compile(r"mark\.case\(([^)]*)\)")
CITING = {".py", ".toml", ".md", ".js", ".html"}

STANDARD_LIBRARY_AND_MSGSPEC = sys.stdlib_module_names | {"msgspec"}


def source_files(*folders: str, suffixes: set[str]) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted((PROJECT / folder).rglob("*"))
        if path.suffix in suffixes and "vendor" not in path.parts and "__pycache__" not in path.parts
    ]


def test_files_stay_under_600_lines():
    lengths = {
        path.relative_to(PROJECT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in source_files("src", "tests", "tools", suffixes={".py", ".js", ".css", ".html", ".sh"})
    }
    too_long = {name: lines for name, lines in lengths.items() if lines > LIMIT}
    assert too_long.keys() == LONG_WITH_REASON.keys(), too_long


def test_no_file_is_named_for_nothing():
    empty_names = {"utils", "util", "helpers", "helper", "base", "manager", "misc", "common"}
    assert not [path for path in source_files("src", "tests", suffixes={".py", ".js"}) if path.stem in empty_names]


def test_every_rule_id_that_is_cited_exists(shared):
    defined: set[str] = set()
    for sheet in shared("rules").glob("*.md"):
        defined |= set(DEFINED_RULE.findall(sheet.read_text(encoding="utf-8")))
    assert len(defined) > 600
    unknown = {
        f"{path.relative_to(PROJECT)}: {found}"
        for path in source_files("src", "tests", "docs", suffixes=CITING)
        for found in set(RULE_ID.findall(path.read_text(encoding="utf-8"))) - defined
    }
    assert not unknown


def test_every_case_that_is_cited_exists(shared):
    text = shared("cases/cases.md").read_text(encoding="utf-8")
    defined = set(re.findall(r"^### (\w+)", text, re.MULTILINE))
    assert "B12" in defined
    unknown = {
        f"{path.relative_to(PROJECT)}: {found}"
        for path in source_files("tests", suffixes={".py"})
        for mark in CASE_MARK.findall(path.read_text(encoding="utf-8"))
        for found in set(re.findall(r"\"(\w+)\"", mark)) - defined
    }
    assert not unknown


def names_of(requirements: list[str]) -> list[str]:
    return [re.split(r"[<>=\[;~! ]", requirement)[0] for requirement in requirements]


@pytest.fixture(scope="module")
def metadata() -> dict:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def documented_packages() -> dict[str, list[str]]:
    """The indented lists of docs/dependencies.md, by the heading word that starts each."""
    lists: dict[str, list[str]] = {}
    for line in (PROJECT / "docs" / "dependencies.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r" {4}(trajekt|postgres|rl|dev): +(.+)", line):
            lists.setdefault(match[1], []).extend(match[2].split())
    return lists


def test_dependencies_are_the_documented_ones(metadata):
    documented, extras = documented_packages(), metadata["project"]["optional-dependencies"]
    assert sorted(names_of(metadata["project"]["dependencies"])) == sorted(documented["trajekt"])
    assert sorted(extras) == ["dev", "postgres", "rl"]
    for extra, requirements in extras.items():
        assert sorted(names_of(requirements)) == sorted(documented[extra]), extra


def test_the_dev_extra_and_the_dev_group_are_one_list(metadata):
    assert metadata["project"]["optional-dependencies"]["dev"] == metadata["dependency-groups"]["dev"]


def test_documented_packages_are_those_of_the_design(metadata, shared):
    design = shared("design/dependencies.md").read_text(encoding="utf-8")
    match = re.search(r"pip install trajekt .*\n +(.+)\n", design)
    assert match is not None
    assert sorted(names_of(metadata["project"]["dependencies"])) == sorted(match[1].split())


def imported_by(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("folder", ["engine", "rules", "games", "show"])
def test_the_lower_layers_import_the_standard_library_and_msgspec_only(folder):
    allowed = STANDARD_LIBRARY_AND_MSGSPEC | {"trajekt"}
    foreign = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in (PACKAGE / folder).rglob("*.py")
        for name in imported_by(path) - allowed
    }
    assert not foreign


@pytest.mark.parametrize("folder", ["engine", "rules"])
def test_the_shared_layers_name_no_game(folder):
    """Ids in comments and docstrings are fine; a string "18rhl" or a comparison with a game's name is not."""
    named = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for path in (PACKAGE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in {"18rhl", "18lra", "18ruhr", "18do", "rhl", "lra", "ruhr"}
    }
    assert not named


def run_python(code: str) -> str:
    """What a fresh interpreter prints that finds the package of this checkout and no start-up files."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PROJECT / 'src')!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        env={key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV"))},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_library_pulls_in_the_standard_library_and_msgspec_only():
    loaded = run_python(
        "before = set(sys.modules)\nfrom trajekt import new_game, load\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    ).split()
    assert "trajekt" in loaded
    by_msgspec = {"typing_extensions"}  # msgspec takes it where something else has installed it
    assert not set(loaded) - STANDARD_LIBRARY_AND_MSGSPEC - by_msgspec - {"trajekt"}


def test_the_library_takes_no_notice_of_the_clock_or_of_chance():
    """`engine`, `rules` and `games` get time and randomness as arguments.

    The search of best runs looks at a stopwatch: a limit in seconds ends a proposal, on which no rule depends.
    """
    stopwatch = {"engine/finders.py: time"}
    forbidden = {"time", "datetime", "secrets", "uuid", "socket", "asyncio", "threading", "subprocess"}
    guilty = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for folder in ("engine", "rules", "games")
        for path in (PACKAGE / folder).rglob("*.py")
        for name in imported_by(path) & forbidden
    }
    assert not guilty - stopwatch
