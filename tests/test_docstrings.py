"""First lines of docstrings: an imperative or a noun phrase, never a sentence that leaves open what the function does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "trajekt"

RELATIVE = re.compile(r"(What|That|Who|Whose|Whom|Whether|How|When|Where|Why|It|They|He|There|The same)\b")
SENTENCE = re.compile(
    r"(The|An?|Any|Each|Every|No|All|Only|Its|One|Nothing|Nobody|Whoever)"
    # a noun of up to four words before its verb; from a word that opens a clause of its own on, any verb belongs to that
    r"( (?!(that|which|who|whose|whom|what|where|when|while|if|as|than|after|before|of|in|for|from|to|by)\b)[\w'’-]+){0,4}?"
    r" (is|are|has|have|may|must|can|cannot|does|was|were)\b",
    re.IGNORECASE,
)

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def first_lines(source: str) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | Definition) and (text := ast.get_docstring(node)):
            yield node, text.partition("\n")[0]


def is_check(node: ast.AST) -> bool:
    """A check of a rule: decorated with `@check(...)`."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "check"
        for each in node.decorator_list
    )


def states(line: str) -> bool:
    return bool(RELATIVE.match(line) or SENTENCE.match(line))


def sources(*folders: str) -> Iterator[tuple[str, str]]:
    for folder in folders:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            yield path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")


def test_first_lines_state_no_sentence():
    assert [(path, line) for path, text in sources(".") for _, line in first_lines(text) if states(line)] == []


NAMED = re.compile(r"`((?:[A-Z]\w*\.)?(?:[a-z]+_\w+|[A-Z][a-z]+[A-Z]\w*)|[A-Z]\w*\.\w+)(?:\(\))?`")
"""A name of several words in backticks, or one of a class's own: the kinds that are names of the code alone."""


def names_of(tree: ast.AST) -> Iterator[str]:
    """Every name that code defines or uses, and every short text in it, since some names are those of stored words."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg"):
            if isinstance(value := getattr(node, field, None), str):
                yield value
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 60:
            yield node.value


def test_names_in_docstrings_are_there():
    known = {Path(path).stem for path, _ in sources(".")}
    known |= {name for _, text in sources(".") for name in names_of(ast.parse(text))}
    gone = [
        (path, name)
        for path, text in sources(".")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | Definition)
        for name in NAMED.findall(ast.get_docstring(node) or "")
        if not (name in known or known.issuperset(name.split(".")))
    ]
    assert gone == []


def test_checks_say_what_they_refuse():
    lines = [
        (path, line) for path, text in sources("rules", "games") for node, line in first_lines(text) if is_check(node)
    ]
    assert len(lines) > 200
    assert [(path, line) for path, line in lines if not line.startswith("Refuse ")] == []


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("The certificate lies there and is unsold.", True),
        ("A bid of the game is covered by cash.", False),  # not seen: the rule of checks above has it
        ("An offer that was declined in this turn.", False),
        ("What the treasury holds.", True),
        ("Refuse a bid above the cash that is free.", False),
    ],
)
def test_what_counts_as_a_sentence(line, stated):
    assert states(line) is stated
