"""Whole games of 18Rhl and 18LRA: no step is passed over while anything may be done in it (COMMON-OR-04)."""

from __future__ import annotations

import random

import pytest

from tests.judges.passed_steps import passed_steps
from trajekt import new_game
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import OfferEnd, Pass, PayOut, RunTrains, Withhold
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, legal
from trajekt.engine.events import Paid
from trajekt.rules.operating_round import CompanyTurn

TABLES = (
    ("18rhl", {"edition": 1}, 3),
    ("18rhl", {"edition": 2}, 3),
    ("18rhl", {"edition": 2}, 5),
    ("18lra", {}, 3),
    ("18lra", {"investor": True}, 2),
    ("18lra", {"short_game": True}, 4),
)


def rights(ruleset, state):
    """What could be done in a step that was left, but for leaving it; a company that the bank runs only runs its trains."""
    turn = state.top
    if not isinstance(turn, CompanyTurn) or state.companies[turn.company].director is None:
        return []
    found = [choice.action for choice in legal(ruleset, state, awaited(ruleset, state))]
    idle = {PayOut, Withhold} if not turn.revenue else set()  # without a revenue nothing is to be disposed of
    return [a for a in found if type(a) not in {OfferEnd, Pass} | idle and a != RunTrains(())]


@pytest.mark.rule("COMMON-OR-04", "COMMON-OR-07")
@pytest.mark.parametrize("who", ("random", "steady"))
@pytest.mark.parametrize(("name", "options", "players"), TABLES, ids=str)
def test_no_right_is_passed_over(name, options, players, who):
    game = new_game(name, ("Ada", "Bert", "Cleo", "Dora", "Emil")[:players], options, seed=11)
    ruleset, state = game.ruleset, game.state
    rng = random.Random(11)
    bots = [make_bot(who, random.Random(seat)) for seat in range(players)]
    seen = 0
    for _ in range(900 if who == "random" else 260):
        found = next_move(ruleset, state, bots, rng)
        if found is None:
            break
        seat, move = found
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        for whose, step, there in passed_steps(ruleset, state, answer.events):
            seen += 1
            left = rights(ruleset, there)
            if left == [PayOut()]:  # owed without a choice (the Investor's corporations): then it must have been paid
                assert any(isinstance(event, Paid) and event.cause == "dividend" for event in answer.events), (
                    whose,
                    step,
                )
                continue
            assert left == [], (whose, step)
        state = answer.state
    assert seen or "short_game" in options
