"""Whole games: a step that carries a right is really entered where a legal action exists (COMMON-OR-04, DO-ORDER-05)."""

from __future__ import annotations

import random

import pytest

from tests.judges.passed_steps import passed_steps
from trajekt import new_game
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import BuyTrain, OfferEnd, RunTrains
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, legal, refusal
from trajekt.games.do.actions import OwnCertificate
from trajekt.rules.operating_round import CompanyTurn

GAMES = (
    ("18do", {"game": "full"}),
    ("18do", {"game": "expert"}),
    ("18do", {"game": "railway"}),
    ("18do", {"game": "introduction"}),
)


def answers(ruleset, state):
    """The legal actions of those who decide in a position, but for the own deal, which other questions of the turn offer.

    Without an income nothing is to be paid or kept, where nothing can run nothing is brought along, and a corporation that went
    bankrupt in its turn does nothing more.
    """
    turn = state.top
    if isinstance(turn, CompanyTurn) and state.companies[turn.company].director is None:
        return []
    found: list[object] = [choice.action for choice in legal(ruleset, state, awaited(ruleset, state))]
    new = (BuyTrain("display", kind, train.price) for kind, train in state.sheet.trains.items())
    found += [
        a for a in new if a not in found for seat in awaited(ruleset, state) if refusal(ruleset, state, seat, a) is None
    ]
    if (turn.step == "pay" and not turn.revenue) or RunTrains(()) in found:
        return []
    return [action for action in found if type(action) not in (OfferEnd, OwnCertificate)]


@pytest.mark.rule("DO-FLOAT-05", "DO-ORDER-05", "DO-BREW-02", "COMMON-OR-04")
@pytest.mark.parametrize("who", ["random", "steady"])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_no_right_is_passed_over(name, options, who):
    game = new_game(name, ("Ada", "Bert", "Cleo"), options, seed=3)
    ruleset, state = game.ruleset, game.state
    rng = random.Random(3)
    players = [make_bot(who, random.Random(seat)) for seat in range(3)]
    seen = 0
    for _ in range(700):
        found = next_move(ruleset, state, players, rng)
        if found is None:
            break
        seat, move = found
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision)
        for whose, step, there in passed_steps(ruleset, state, answer.events):
            seen += 1
            assert len(answers(ruleset, there)) <= 1, (whose, step)
        state = answer.state
    assert seen
