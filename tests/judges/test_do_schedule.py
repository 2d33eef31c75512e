"""The scheduler against the engine: who acts when, in random games of the full game and the Expert Game."""

from __future__ import annotations

import pytest

from tests.builders.do_positions import rules
from tests.judges.do_schedule import Schedule
from tests.judges.plain import action_of, event_of, moves, position_of, sheet_of


@pytest.mark.rule(
    "DO-ORDER-01", "DO-ORDER-02", "DO-ORDER-03", "DO-SR-02", "DO-SR-03", "DO-SR-06", "DO-START-03", "DO-BREW-01"
)
@pytest.mark.parametrize("game", ["full", "expert"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_acts_when_it_is_his_turn(players, game):
    ruleset = rules(players, game=game)
    judge = None
    for move in moves(ruleset, players, 10 + players):
        if judge is None:
            judge = Schedule(sheet_of(ruleset.sheet), position_of(move.before))
        judge.decided(move.seat, action_of(move.action), position_of(move.before))
        for event in move.decision.events:
            judge.book(event_of(event))
        assert judge.faults == [], move.action
    assert {"railway in turn", "brewery in turn", "seat in the stock round", "priority deal", "bidder"} <= set(
        judge.seen
    )
    assert judge.seen["sets played"] == 1
