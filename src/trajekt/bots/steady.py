"""The steady player: does what promises most by plain judgement, and says why. It keeps its companies alive."""

from __future__ import annotations

import random

from trajekt.bots.ideas import ideas
from trajekt.bots.player import Move
from trajekt.engine.rule import View


class SteadyPlayer:
    """Takes the best of its ideas. Equal positions, equal moves: it draws no lots."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots

    def choose(self, view: View) -> Move | None:
        best = next(iter(ideas(view)), None)
        return None if best is None else Move(best.action, best.reason)
