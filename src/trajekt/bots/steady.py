"""The steady player: does what promises most by plain judgement, and says why. It keeps its companies alive.

A beginner judges alike, but sees gains dimly and overlooks some of them.
"""

from __future__ import annotations

import random

from msgspec.structs import replace

from trajekt.bots.bot import BotMove
from trajekt.bots.candidate_moves import Idea, after, ideas
from trajekt.bots.evaluation import hints_of
from trajekt.engine.actions import BuyShare, FoundCompany
from trajekt.engine.ruleset import View

BLUR = 2.0
"""Gains that differ by less, in Mark, are alike: chance decides, so that not every game is the same."""


DIM = 60.0
"""By how many Mark a beginner may misjudge a gain."""

OVERLOOKED = 0.25
"""The part of good ideas that a beginner does not see."""

STAKE = 60.0
"""Mark for which purchases of shares are compared in a game where cash is short."""


def compared(view: View) -> list[Idea]:
    """The ideas of a seat, the best first; purchases of shares by what they bring for a stake where the game says so."""
    found = ideas(view)
    if not hints_of(view.sheet.game).by_return:
        return found
    return sorted((_for_a_stake(view, idea) for idea in found), key=lambda idea: -idea.gain)


def _for_a_stake(view: View, idea: Idea) -> Idea:
    if idea.gain <= 0 or not isinstance(idea.action, (BuyShare, FoundCompany)):
        return idea
    state = after(view, idea.action)
    spent = view.player.cash - state.players[view.seat].cash if state is not None else 0
    return replace(idea, gain=STAKE * idea.gain / spent) if spent > 0 else idea


def blurred(found: list[Idea], rng: random.Random, blur: float = BLUR) -> list[Idea]:
    """Ideas in the order of their gains as a human sees them, some Mark and some per cent off."""
    return sorted(
        found, key=lambda idea: -(idea.gain + rng.uniform(-1, 1) * (blur + 0.04 * min(abs(idea.gain), 200.0)))
    )


class SteadyBot:
    """Takes the best of its ideas; among ideas that are about as good, chance decides."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        found = compared(view)
        if len(found) > 1 and found[0].gain > 0:
            found = blurred([idea for idea in found if idea.gain > 0], self.rng)
        return BotMove(found[0].action, found[0].reason) if found else None


class BeginnerBot:
    """Takes an idea that seems good, and overlooks others: a player of the first games."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        found = compared(view)
        good = [idea for idea in found if idea.gain > 0]
        seen = [idea for idea in good if self.rng.random() > OVERLOOKED] or good[:1]
        best = next(iter(blurred(seen, self.rng, DIM)), None) or next(iter(found), None)
        return BotMove(best.action, best.reason) if best is not None else None
