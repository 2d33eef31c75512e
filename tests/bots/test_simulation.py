"""Bots that play: reproducible, legal, and everything that goes wrong is reported with its game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.builders.toy_game import DUTIES, Floor, toy
from tests.builders.toy_title import title as toy_title
from trajekt.bots import simulation as sim
from trajekt.bots.bot import RandomBot, drawn, next_action
from trajekt.bots.executors import LocalExecutor
from trajekt.engine.actions import BuyTrain
from trajekt.engine.decisions import Decision, decide, start
from trajekt.engine.ruleset import Code, Option, Span, check, refuse

NAMES = ("Ada", "Bert", "Cleo")


@pytest.fixture
def toy_game(monkeypatch):
    """A function that installs a ruleset of the made-up game as the only game."""

    def install(ruleset=None):
        found = toy_title(ruleset or toy())
        monkeypatch.setattr(sim, "title", lambda _name: found)
        sim._ruleset.cache_clear()
        return found

    yield install
    sim._ruleset.cache_clear()


def test_open_numbers_drawn_from_their_span():
    option = Option(BuyTrain("X", "2", 1), {"price": Span(10, 30, 10)})
    rng = random.Random(1)
    assert {drawn(option, rng).price for _ in range(50)} == {10, 20, 30}


def test_random_player_takes_legal_actions_only():
    ruleset = toy()
    played = 0
    for seed in range(20):
        state = start(ruleset, NAMES, seed).state
        rng = random.Random(seed)
        players = [RandomBot(rng) for _ in NAMES]
        while played < 200 and (found := next_action(ruleset, state, players, rng)):
            answer = decide(ruleset, state, *found)
            assert isinstance(answer, Decision), answer
            state, played = answer.state, played + 1
    assert played > 20


def test_plans_go_through_every_table():
    from trajekt.registry import title

    found = title("18rhl")
    tables = sim.tables(found)
    assert {(options["edition"], count) for options, count in tables} == {
        (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (2, 5),
    }  # fmt: skip
    used = {name for options, _ in tables for name in options}
    assert used == {"edition", *(v.option for v in found.variants)}
    first = sim.plans(found, 7, seed=5)
    assert {(p.options["edition"], p.players) for p in first} == {(o["edition"], c) for o, c in tables}
    assert [p.seed for p in first] == list(range(5, 12))
    with pytest.raises(ValueError, match="for 9 players"):
        sim.plans(found, 1, 0, players=9)


def test_broken_book_reported_with_its_game(toy_game):
    broken = replace(toy(), invariants=(lambda _state: ["INV-01: money"],))
    toy_game(broken)
    outcome = sim.play_out(sim.GamePlan("toy", 4, 9, 3, {}))
    assert not outcome.finished
    assert outcome.violations[0].message == "INV-01: money"
    assert (outcome.violations[0].game, outcome.violations[0].seed) == (4, 9)


def test_a_fault_of_rule_is_finding(toy_game):
    def explode(_draft, _action):
        raise AssertionError("no such card")

    duties = {f: replace(d, menu=tuple(replace(r, effect=explode) for r in d.menu)) for f, d in DUTIES.items()}
    toy_game(replace(toy(), duties=duties))
    outcome = sim.play_out(sim.GamePlan("toy", 0, 1, 3, {}))
    assert "AssertionError: no such card" in outcome.violations[0].message


@pytest.mark.case("B99")
def test_a_stuck_position_is_a_finding(toy_game):
    @check("COMMON-OR-04")
    def never(_view, _action):
        return refuse(Code.WRONG_STEP)

    floor = DUTIES[Floor]
    stuck = replace(floor, menu=tuple(replace(r, needs=(never,)) for r in floor.menu))
    toy_game(replace(toy(), duties={**DUTIES, Floor: stuck}))
    outcome = sim.play_out(sim.GamePlan("toy", 0, 1, 3, {}))
    assert outcome.violations[0].message.startswith("INV-23: nobody can act")


@pytest.mark.case("B99")
@pytest.mark.parametrize(("options", "players"), [({"edition": 1}, 4), ({"edition": 2}, 3)])
def test_whole_games_end_without_violation(options, players):
    outcome = sim.play_out(sim.GamePlan("18rhl", 0, 11, players, options))
    assert outcome.violations == ()
    assert outcome.finished
    assert len(outcome.totals) == players
    assert outcome.actions > 200


@pytest.mark.slow
def test_equal_seeds_play_equal_games():
    plan = sim.GamePlan("18rhl", 0, 21, 3, {"edition": 2})
    one, two = sim.play_out(plan), sim.play_out(plan)
    assert (one.actions, one.reason, one.totals) == (two.actions, two.reason, two.totals)


@pytest.mark.slow
def test_games_are_spread_over_processes():
    todo = [sim.GamePlan("18rhl", n, n, 3, {"edition": 2}, checked=False) for n in (1, 2)]
    alone, spread = list(sim.simulate(todo)), list(sim.simulate(todo, LocalExecutor(2)))
    assert [(o.plan.number, o.actions, o.totals) for o in alone] == [
        (o.plan.number, o.actions, o.totals) for o in spread
    ]
