"""18DO, the Introduction Game: the judge of the map and the account of money and turns beside random games."""

from __future__ import annotations

from tests.judges.do_match import Chosen, booked_match, other_match
from tests.judges.tally import Tally


def match(seed: int, chosen: Chosen = None) -> Tally:
    """One whole random game, followed by both."""
    tally = other_match("introduction", seed, chosen)
    tally.add(booked_match("introduction", seed, chosen))
    return tally
