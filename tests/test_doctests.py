"""The examples in docstrings and in docs/ run as they are shown."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PROMPT = ">" * 3
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.MULTILINE)

SOURCE = PROJECT / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in (SOURCE / "trajekt").rglob("*.py")
    if PROMPT in path.read_text(encoding="utf-8")
)
PAGES = sorted(
    path.relative_to(PROJECT).as_posix()
    for path in [*(PROJECT / "docs").rglob("*.md"), PROJECT / "README.md"]
    if BLOCK.search(path.read_text(encoding="utf-8"))
)


def run(test: doctest.DocTest) -> tuple[int, str]:
    """The number of examples that do not show what they say, and what they show."""
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=said.append)
    return runner.failures, "".join(said)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_show_what_happens(name):
    module = importlib.import_module(name)
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests
    for test in tests:
        failures, said = run(test)
        assert not failures, said


@pytest.mark.parametrize("name", PAGES)
def test_pages_show_what_happens(name):
    text = (PROJECT / name).read_text(encoding="utf-8")
    session = "\n".join(block[1] for block in BLOCK.finditer(text))
    failures, said = run(doctest.DocTestParser().get_doctest(session, {}, name, name, 0))
    assert not failures, said


def test_public_names_have_an_example():
    import trajekt

    page = (PROJECT / "docs" / "reference" / "library.md").read_text(encoding="utf-8")
    shown = "\n".join(block[1] for block in BLOCK.finditer(page))
    unshown = [name for name in trajekt.__all__ if not re.search(rf"\btrajekt\.([\w.]+\.)?{name}\b", shown)]
    assert unshown == ["__version__"]
    methods = [name for name, value in vars(trajekt.Game).items() if not name.startswith("_")]
    internal = {"read", "seat_for", "append", "codec", "opening", "played_with", "propose_arranged"}
    assert not [name for name in methods if not re.search(rf"\b{name}\b", page) and name not in internal]


def test_a_wrong_example_is_noticed():
    test = doctest.DocTestParser().get_doctest(f"{PROMPT} 1 + 1\n3\n", {}, "wrong", "wrong", 0)
    assert run(test)[0] == 1
