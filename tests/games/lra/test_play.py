"""Whole games of 18LRA at random, every number of players, scenario and variant; and actions changed in one field."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.builders.lra_positions import NAMES, folded, ruleset, sound
from trajekt.bots.bot import RandomBot, next_action
from trajekt.bots.simulation import GamePlan, play_out, tables
from trajekt.engine.actions import PlaceStation
from trajekt.engine.decisions import awaited, decide, judge, legal, start
from trajekt.engine.ruleset import Refusal
from trajekt.games.lra.title import TITLE

TABLES = tables(TITLE)


@pytest.mark.rule("COMMON-SET-01", "LRA-SET-09", "COMMON-VAR-01", "COMMON-VAR-02", "COMMON-VAR-04")
def test_all_tables_are_played():
    assert {count for options, count in TABLES if not options.get("investor") and not options.get("short_game")} == {
        3,
        4,
    }
    assert {options["scenario"] for options, _ in TABLES if "scenario" in options} == {1, 2, 3, 4}
    assert {count for options, count in TABLES if options.get("investor")} == {2}
    assert {count for options, count in TABLES if options.get("short_game")} == {2, 3, 4}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(TABLES)))
def test_random_game_keeps_books(number):
    options, players = TABLES[number]
    outcome = play_out(GamePlan("18lra", number, 100 + number, players, options))
    assert outcome.violations == ()
    assert outcome.finished
    assert outcome.reason in ("bank", "cycles", "bankrupt")


def changed(action, rng: random.Random):
    """The action with one field changed to something else of its kind."""
    fields = [name for name in action.__struct_fields__ if isinstance(getattr(action, name), str | int)]
    if not fields:
        return None
    name = rng.choice(fields)
    old = getattr(action, name)
    if isinstance(old, bool):
        return None
    if isinstance(old, int):
        new = old + rng.choice((-10, -5, -1, 1, 5, 10))
    else:
        kind = {
            "hex": ("B12", "H14", "A1", "K3"),
            "company": ("GVE", "KEG", "RhE"),
            "token": ("harbour", "turned", "normal"),
        }
        kind |= {
            "tile": ("8", "L28", "57"),
            "allowance": ("normal", "yellow", "gkb"),
            "stop": ("a", "b"),
            "train": ("2+4", "5"),
        }
        new = rng.choice(kind.get(name, ("pool", "io", "charter")))
    return msgspec.structs.replace(action, **{name: new})


@pytest.mark.slow
@pytest.mark.parametrize("seed, options, players", [(1, {}, 4), (2, {"scenario": 3}, 3), (3, {"investor": True}, 2)])
def test_listed_alone_is_accepted(seed, options, players):
    rules = ruleset(**options)
    rng = random.Random(seed)
    state = start(rules, NAMES[:players], seed).state
    tried = 0
    for _ in range(700):
        if state.outcome:
            break
        if rng.random() < 0.25:
            (seat, *_) = awaited(rules, state)
            choices = legal(rules, state, (seat,))
            choice = rng.choice(choices)
            other = changed(choice.action, rng)
            if other is not None:
                tried += 1
                verdict = judge(rules, state, seat, other)
                known = any(fits(each, other) for each in choices)
                assert isinstance(verdict, Refusal) != known, (other, verdict)
        seat, action = next_action(rules, state, [RandomBot(rng)] * len(state.players), rng)
        decision = decide(rules, state, seat, action)
        assert not isinstance(decision, Refusal)
        assert folded(rules, state, decision)
        assert sound(rules, decision.state) == []
        state = decision.state
    assert tried > 50


def fits(choice, action) -> bool:
    """Whether an action is one of a listed choice's family."""
    if type(choice.action) is not type(action) or choice.free:
        return type(choice.action) is type(action)
    for name in action.__struct_fields__:
        value, span = getattr(action, name), choice.spans.get(name)
        if span is not None:
            if value not in span:
                return False
        elif value != getattr(choice.action, name):
            return False
    return True


@pytest.mark.rule("LRA-TOK-10", "LRA-TOK-14")
def test_random_games_use_all_tokens():
    rng = random.Random(7)
    rules = ruleset()
    kinds = set()
    for seed in range(4):
        state = start(rules, NAMES, seed).state
        while not state.outcome and kinds != {"normal", "harbour", "turned"}:
            seat, action = next_action(rules, state, [RandomBot(rng)] * 4, rng)
            if isinstance(action, PlaceStation):
                kinds.add(action.token)
            state = decide(rules, state, seat, action).state
    assert kinds == {"normal", "harbour", "turned"}
