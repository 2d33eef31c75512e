"""The judge of beer against the engine, in random games of the full game and the Expert Game."""

from __future__ import annotations

import pytest

from tests.builders.do_positions import NAMES, SHEET, rules, tiles
from tests.judges.do_beer import Beer
from tests.judges.plain import event_of, moves, position_of, sheet_of
from trajekt.engine.actions import Accept, BuyTrain, Decline
from trajekt.engine.components.loader import load
from trajekt.engine.decisions import start
from trajekt.games.do.actions import BuyBec, DisposeBec, LoadTrain, TakeEvent, UseEvent
from trajekt.games.do.options import DoOptions
from trajekt.games.do.ruleset import build


def judged(players, seed, game, most=3000, ruleset=None, **more):
    """What the judge found and how often it looked at what, over one game."""
    ruleset = ruleset or rules(players, game=game)
    judge, seen = None, set()
    for move in moves(ruleset, players, seed, most=most, **more):
        if judge is None:
            judge = Beer(sheet_of(ruleset.sheet), position_of(move.before))
        for event in move.decision.events:
            judge.book(event_of(event))
        judge.compare(position_of(move.decision.state))
        seen.add(type(move.action).__name__)
        if judge.faults:
            break
    return judge, seen


@pytest.mark.rule(
    "DO-BREW-10", "DO-BREW-11", "DO-BREW-30", "DO-MARKET-01", "DO-ORDER-10", "DO-BEC-03", "DO-BEC-04", "DO-BEC-05"
)
@pytest.mark.parametrize("game", ["full", "expert"])
@pytest.mark.parametrize("players", [3, 5])
def test_beer_moves_by_the_book(players, game):
    judge, _ = judged(players, players, game)
    assert judge.faults == []
    assert judge.seen["clearing"] > 5
    assert judge.seen["delivery"] > 10


SHORT = """
[trains]
2 = {count = 4}
3 = {count = 3}
4 = {count = 2}
5 = {count = 3}
6 = {count = 6}
[totals]
trains = 30
[limits]
capital = {3 = 1500, 4 = 1500, 5 = 1500}
"""
"""Few cards and much money: random players reach the late phases, in which beer travels."""


def eager(lots, choices):
    """Buying, loading and consenting before all else, so that cards leave and trains carry beer."""
    wanted = [c for c in choices if isinstance(c.action, LoadTrain | Accept | BuyTrain | BuyBec | UseEvent | TakeEvent)]
    calm = [c for c in choices if not isinstance(c.action, DisposeBec | Decline)]
    return lots.choice(wanted or calm or choices)


@pytest.mark.rule("DO-BREW-20", "DO-BREW-24", "DO-BREW-30", "DO-LINK-09", "DO-MARKET-12", "DO-BEERTRANSPORT-05")
@pytest.mark.parametrize("game", ["full", "expert"])
def test_beer_on_the_rails_moves_by_the_book(game, tmp_path):
    short = tmp_path / "short.toml"
    short.write_text(SHORT, encoding="utf-8")
    options = DoOptions(players=5, fixed_seats=True, game=game)
    ruleset = build(load(SHEET, "1", options.variants, short), options)
    state = start(ruleset, NAMES, 2).state
    state = tiles(state, E19="4K 1", E17="8 2", D14="8 4", F14="9 2", G15="8 0", H14="8 1", H12="58K 4")
    judge, _ = judged(5, 2, game, ruleset=ruleset, begin=state, pick=eager)
    assert judge.faults == []
    assert judge.seen["earned by export"] > 0
    assert judge.seen["loaded"] > 0
