"""A ruleset as text: everything that holds is named, in order, and equal lists give equal text."""

from __future__ import annotations

import re

import pytest

from tests.builders.toy_game import toy
from trajekt.engine.ruleset_report import effective, shown
from trajekt.registry import title

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def report(game, **options):
    found = title(game)
    chosen = found.options(options)
    rules = found.build(found.sheet(chosen, None), chosen)
    return rules, list(effective(rules))


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_holds_is_named(game):
    rules, lines = report(game)
    text = "\n".join(lines)
    assert lines[0] == f"{rules.name} version {rules.version}"
    for duty in rules.duties.values():
        for rule in duty.menu:
            for check in (*rule.needs, *rule.checks):
                assert f" {check.name} ({', '.join(check.rules)})" in text
    for policy in rules.policies:
        assert f"  {type(policy).__name__}" in lines
    for heading in ("at any time", "reactions", "policies", "invariants"):
        assert heading in lines


@pytest.mark.parametrize("game", GAMES)
def test_no_line_depends_on_the_run(game):
    first, second = (report(game)[1] for _ in range(2))
    assert first == second
    assert not [line for line in first if re.search(r"0x[0-9a-f]{6}", line)], "an address is another one each time"


def test_edition_and_option_show_in_report():
    plain, optional = report("18rhl", edition=2)[1], report("18rhl", edition=2, optional_end=True)[1]
    assert plain != optional
    assert "optional_end=True" in optional[1]
    assert report("18rhl", edition=1)[1] != plain


def test_toy_game_in_full():
    lines = list(effective(toy()))
    assert lines[0].startswith("toy")
    assert lines[-1] == "invariants"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, "a"), "(1, 'a')"),
        ({"a": (1,)}, "{'a': (1)}"),
        (frozenset({"b", "a"}), "{'a', 'b'}"),
        (len, "len"),
        (None, "None"),
    ],
)
def test_values_in_one_line(value, text):
    assert shown(value) == text
