"""The steady player: does what promises most by plain judgement, and says why. It keeps its companies alive."""

from __future__ import annotations

import random

from trajekt.bots.bot import Move
from trajekt.bots.candidate_moves import Idea, ideas
from trajekt.engine.ruleset import View

BLUR = 2.0
"""Gains that differ by less, in Mark, are alike: lots decide, so that not every game is the same."""


def blurred(found: list[Idea], lots: random.Random) -> list[Idea]:
    """Ideas in the order of their gains as a human sees them, some per cent off."""
    return sorted(
        found, key=lambda idea: -(idea.gain + lots.uniform(-1, 1) * (BLUR + 0.04 * min(abs(idea.gain), 200.0)))
    )


class SteadyPlayer:
    """Takes the best of its ideas; among ideas that are about as good, lots decide."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots

    def choose(self, view: View) -> Move | None:
        found = ideas(view)
        if len(found) > 1 and found[0].gain > 0:
            found = blurred([idea for idea in found if idea.gain > 0], self.lots)
        return Move(found[0].action, found[0].reason) if found else None
