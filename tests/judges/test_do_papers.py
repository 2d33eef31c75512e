"""The judge of money and certificates against the engine, in random games of the full game and the Expert Game."""

from __future__ import annotations

import pytest

from tests.builders.do_positions import rules
from tests.judges.do_papers import Papers
from tests.judges.plain import action_of, event_of, moves, position_of, sheet_of


@pytest.mark.rule(
    "DO-REV-04", "DO-REV-05", "DO-BREW-31", "DO-BREW-32", "DO-BREW-34", "DO-SR-12", "DO-SR-16", "DO-SR-21"
)
@pytest.mark.rule("DO-FORCED-01", "DO-FORCED-02", "DO-FORCED-04", "DO-FORCED-05")
@pytest.mark.parametrize("game", ["full", "expert"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_money_and_papers_move_by_the_book(players, game):
    ruleset = rules(players, game=game)
    judge = None
    for move in moves(ruleset, players, 20 + players):
        if judge is None:
            judge = Papers(sheet_of(ruleset.sheet), position_of(move.before))
        judge.decided(move.seat, action_of(move.action), position_of(move.before))
        for event in move.decision.events:
            judge.book(event_of(event))
        judge.settled(position_of(move.decision.state))
        assert judge.faults == [], move.action
    assert {"price of a certificate", "proceeds", "own deal", "share limit"} <= set(judge.seen)
