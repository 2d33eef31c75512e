"""Playing on: what a position promises when quick bots take all seats for some operating rounds, drawn several times.

A draw is a set of opinions that the bots have of companies and deeds, and a number of rounds. Positions that are compared are
played on by equal draws, so that what they differ by is due to the position and not to chance. Bots that lay no track would
tell little about rounds far away: what has not ended by then is valued as bots value it, in Mark at the end of the game.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import partial
from statistics import fmean, stdev

import msgspec

from trajekt.bots.evaluation import prospects
from trajekt.bots.search import Opinion, brisk, moment, played_on
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Seat, State
from trajekt.registry import title

SPREAD = 0.2
"""Opinions of what something promises differ by a fifth, in the logarithm."""
ROUNDS = (1, 2, 3)
"""Operating rounds that are played on, by draw in turn."""
VALUATION = 40.0
"""Mark by which two positions may differ otherwise than bots value them, however alike the draws are."""
STEPS = 600
"""Actions after which a position is valued as it stands."""


class PromiseDifference(msgspec.Struct, frozen=True):
    """A mean difference in Mark over `draws` games played on, with its error: that of the mean and that of the valuation."""

    mean: float
    error: float
    draws: int

    @property
    def surely_more(self) -> bool:
        """Tell whether the second position stands out: by more than twice the error."""
        return self.mean > 2 * self.error


def opinions(draw: int) -> Opinion:
    """The opinions of all seats in a draw; equal draws, equal opinions.

    >>> opinions(3)(0, "RhE") == opinions(3)(0, "RhE") != opinions(4)(0, "RhE")
    True
    """
    known: dict[tuple[Seat, str], float] = {}

    def opinion(seat: Seat, about: str) -> float:
        if (seat, about) not in known:
            known[seat, about] = math.exp(random.Random(f"{draw}/{seat}/{about}").gauss(0.0, SPREAD))
        return known[seat, about]

    return opinion


def promise(ruleset: Ruleset, before: State, state: State, seat: Seat, draw: int) -> float:
    """The worth in Mark that a seat may expect at the end, in a position that came of `before`, as a draw goes on.

    Not a number where the bots did not come so far: what they leave unfinished cannot be compared.
    """
    until = moment(before, ROUNDS[draw % len(ROUNDS)])
    end = played_on(ruleset, state, until, STEPS, partial(brisk, opinion=opinions(draw)))
    if end.outcome:
        return float(next(each.total for each in title(end.sheet.game).standings(end) if each.seat == seat))
    return prospects(end, seat) if moment(end) >= until else math.nan


def difference(ones: Sequence[float], others: Sequence[float]) -> PromiseDifference:
    """Compare two positions by their promises, draw by draw: the second beyond the first.

    >>> difference([100, 110], [150, 140])
    PromiseDifference(mean=40.0, error=41.2, draws=2)
    """
    steps = [other - one for one, other in zip(ones, others, strict=True)]
    error = math.hypot(VALUATION, stdev(steps) / math.sqrt(len(steps)))
    return PromiseDifference(fmean(steps), round(error, 1), len(steps))
