"""The caretaker: an absent player's money and shares are left alone, and no game stops at it."""

from __future__ import annotations

import random

import pytest

from trajekt.bots.bot import make_bot, names, next_move, opponents
from trajekt.bots.simulation import tables
from trajekt.engine import actions as a
from trajekt.engine.decisions import Decision, decide, start
from trajekt.engine.events import CertificateMoved, Paid, TrainMoved
from trajekt.engine.ruleset import Refusal
from trajekt.registry import title
from trajekt.rules.forced_purchase import ForcedPurchase

ABSENT = 0
ACTIONS = 700


def played(game, seed, count=3):
    """Yield (ruleset, state before, seat, action, decision) of a game between a caretaker and steady bots."""
    found = title(game)
    options, seats = next(table for table in tables(found) if table[1] == count)
    chosen = found.seated(found.options(options), seats)
    ruleset = found.build(found.sheet(chosen, None), chosen)
    rng = random.Random(seed)
    bots = [make_bot("caretaker" if seat == ABSENT else "steady", rng) for seat in range(seats)]
    state = start(ruleset, [f"P{n}" for n in range(seats)], seed, shuffle=False).state
    for _ in range(ACTIONS):
        if state.outcome:
            return
        seat, move = next_move(ruleset, state, bots, rng)
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        yield ruleset, state, seat, move.action, answer
        state = answer.state


@pytest.mark.parametrize("game", ["18rhl", "18lra", "18ruhr", "18do"])
def test_absent_player_spends_nothing_unforced(game):
    seen = set()
    for ruleset, state, seat, action, decision in played(game, 5):
        if seat != ABSENT:
            continue
        seen.add(type(action))
        forced = any(isinstance(frame, ForcedPurchase) for frame in state.agenda)
        idle_is_legal = isinstance(action, a.Pass | a.EndTurn | a.Decline | a.DeclineOffer)
        if idle_is_legal or forced:
            continue
        spent = [event for event in decision.events if isinstance(event, Paid) and event.source == ABSENT]
        sold = [event for event in decision.events if isinstance(event, CertificateMoved) and event.source == ABSENT]
        if isinstance(action, a.RunTrains | a.PayOut | a.BuyTrain):
            assert not spent
            assert not sold
        else:
            for idle in (a.Pass(), a.EndTurn(), a.Decline(), a.DeclineOffer()):
                assert isinstance(decide(ruleset, state, seat, idle), Refusal), (game, action, idle)
    assert a.Pass in seen


def test_company_without_train_gets_one():
    """A director who is away: the company that has the money and no train buys one of the bank's, and only one."""
    found = title("18rhl")
    chosen = found.seated(found.options({"edition": 2}), 3)
    ruleset = found.build(found.sheet(chosen, None), chosen)
    rng = random.Random(3)
    steady = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ["Ada", "Bert", "Cleo"], 3, shuffle=False).state
    while True:
        seat, move = next_move(ruleset, state, steady, rng)
        if isinstance(move.action, a.BuyTrain):
            break
        answer = decide(ruleset, state, seat, move.action)
        state = answer.state
    caretakers = [make_bot("caretaker", rng) for _ in range(3)]
    bought = []
    for _ in range(3):
        seat, move = next_move(ruleset, state, caretakers, rng)
        answer = decide(ruleset, state, seat, move.action)
        bought += [event for event in answer.events if isinstance(event, TrainMoved)]
        state = answer.state
    assert [event.cause for event in bought][:1] != []
    assert len(bought) == len({event.target for event in bought})


def test_caretaker_is_no_opponent():
    assert "caretaker" in names()
    assert "caretaker" not in opponents()
    assert "steady" in opponents()
