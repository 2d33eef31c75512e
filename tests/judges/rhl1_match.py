"""18Rhl, first edition: the judges of its book against the engine over a whole game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.judges import rhine_games
from tests.judges.tally import Tally


def match(seed: int, chosen: Mapping[str, Any] | None = None) -> Tally:
    """One whole game by its seed, with some options."""
    return rhine_games.match("first", seed, chosen=chosen)
