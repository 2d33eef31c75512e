"""Moves that no player would make are counted over whole games between `steady` players: none, or as few as said here."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from trajekt.bots import simulation
from trajekt.bots.bot import BotMove
from trajekt.bots.evaluation import cheapest
from trajekt.bots.simulation import GamePlan, play_out
from trajekt.bots.steady import SteadyBot
from trajekt.engine.actions import BuyTrain, FoundCompany, Pass
from trajekt.engine.ruleset import View
from trajekt.rules.operating_round import current_turn
from trajekt.rules.round_sequence import Rounds


class Watched(SteadyBot):
    """A `steady` player whose moves are counted: what is absurd, and how much there was to choose at all."""

    def __init__(self, rng: random.Random, seen: Counter[str], moved: dict[object, str]) -> None:
        super().__init__(rng)
        self.seen, self.moved = seen, moved

    def choose(self, view: View) -> BotMove | None:
        move = super().choose(view)
        if move is not None:
            self.count(view, move)
        return move

    def count(self, view: View, move: BotMove) -> None:
        state, action = view.state, move.action
        turn = current_turn(state)
        if isinstance(action, FoundCompany):
            self.seen["foundings"] += 1
            printed = state.sheet.companies[action.company]
            held = sum(state.companies[action.company].shareholders.values())
            cost = (printed.float_percent - held) // printed.share * action.par
            alone = [player.cash for player in state.players if player.cash >= cost]
            self.seen["foundings that cannot float"] += view.player.cash < cost and bool(alone)
        if turn is None:
            return
        company = state.companies[turn.company]
        if isinstance(action, Pass) and turn.step == "trains" and not company.trains:
            self.seen["trainless passes"] += 1
            self.seen["trainless passes with money"] += 0 < cheapest(state) <= company.treasury
        if isinstance(action, BuyTrain):
            self.seen["purchases"] += 1
            rounds = next((f for f in state.agenda if isinstance(f, Rounds)), None)
            at = (rounds.number, rounds.done) if rounds is not None else None
            if action.source in state.companies:
                self.seen["trains moved back"] += self.moved.get((at, action.train)) == (turn.company, action.source)
                self.moved[at, action.train] = (action.source, turn.company)


def counted(monkeypatch, game, edition, seeds):
    """The moves of whole games for three, counted."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        moved: dict[object, str] = {}
        monkeypatch.setattr(simulation, "make_bot", lambda _kind, rng, moved=moved: Watched(rng, seen, moved))
        plan = GamePlan(game, 0, seed, 3, {"edition": edition}, ("steady",), checked=False)
        assert play_out(plan).finished
    return seen


def judge(seen):
    """No absurd move, and enough of those that might have been."""
    assert seen["foundings"] > 3
    assert seen["purchases"] > 15
    absurd = {
        name: seen[name] for name in ("foundings that cannot float", "trainless passes with money", "trains moved back")
    }
    assert not any(absurd.values()), absurd


@pytest.mark.parametrize("edition", [1, 2])
def test_no_absurd_move_in_a_game(monkeypatch, edition):
    judge(counted(monkeypatch, "18rhl", edition, [100_000]))


@pytest.mark.slow
@pytest.mark.parametrize("edition", [1, 2])
def test_no_absurd_move_in_four_games(monkeypatch, edition):
    judge(counted(monkeypatch, "18rhl", edition, range(100_000, 100_004)))
