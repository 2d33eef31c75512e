"""18LRA: the judges of its book against the engine over a whole game."""

from __future__ import annotations

from tests.judges import rhine_games
from tests.judges.tally import Tally


def match(seed: int) -> Tally:
    """One whole game by its seed."""
    return rhine_games.match("lra", seed)
