"""Playing on: what a position promises when bots take all seats, drawn several times.

Quick bots go on for some operating rounds. A draw is a set of opinions that they have of companies and deeds, and a number of
rounds. Bots that lay no track would tell little about rounds far away: what has not ended by then is valued as bots value it,
in Mark at the end of the game. Club players go on to the end of the game, which takes a hundred times longer and needs no
valuation. Positions that are compared are played on by equal draws, so that what they differ by is due to the position and
not to chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import partial
from statistics import fmean, stdev

import msgspec

from trajekt.bots.bot import next_move
from trajekt.bots.evaluation import prospects, rounds_left
from trajekt.bots.search import Opinion, brisk, moment, played_on
from trajekt.bots.steady import SteadyBot
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.registry import title

SPREAD = 0.2
"""Opinions of what something promises differ by a fifth, in the logarithm."""
ROUNDS = (1, 2, 3)
"""Operating rounds that are played on, by draw in turn."""
NEAR = 6
"""Operating rounds before the end from which on quick bots see far enough for the smaller error."""
VALUATION, FAR_VALUATION = 130.0, 250.0
"""Mark by which whole games differ otherwise than quick bots say, however alike the draws are: near the end and before."""
WHOLE = 10.0
"""Mark by which games that are played to their end may differ otherwise: the step of all revenues."""
STEPS = 600
"""Actions after which a position is valued as it stands."""
FEW = {2: 6.4, 3: 2.2}
"""By how much an error grows with two draws and with three: half of Student's quantile for 95 of 100."""
PATIENCE = 5_000
"""Actions after which a game that has not ended is given up."""


class PromiseDifference(msgspec.Struct, frozen=True):
    """A mean difference in Mark over `draws` games played on, with its error: that of the mean and that of the valuation.

    `spread` is the standard deviation of one game in Mark.
    """

    mean: float
    error: float
    draws: int
    spread: float = 0.0

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
        return _score(end, seat)
    return prospects(end, seat) if moment(end) >= until else math.nan


def final_worth(ruleset: Ruleset, state: State, seat: Seat, draw: int) -> float:
    """The worth in Mark of a seat when club players have played a position to its end, all seats by the chances of a draw.

    Not a number where they did not come so far.
    """
    bots = [SteadyBot(random.Random(f"{draw}/{each}")) for each in range(len(state.players))]
    rng = random.Random(draw)
    for _ in range(PATIENCE):
        found = None if state.outcome else next_move(ruleset, state, bots, rng)
        answer = None if found is None else decide(ruleset, state, found[0], found[1].action)
        if answer is None or isinstance(answer, Refusal):
            break
        state = answer.state
    return _score(state, seat) if state.outcome else math.nan


def _score(state: State, seat: Seat) -> float:
    return float(next(each.total for each in title(state.sheet.game).standings(state) if each.seat == seat))


def valuation_error(state: State) -> float:
    """The error of quick bots in Mark in a position, beside that of the draws."""
    return VALUATION if rounds_left(state) <= NEAR else FAR_VALUATION


def difference(ones: Sequence[float], others: Sequence[float], valuation: float) -> PromiseDifference:
    """Compare two positions by their promises, draw by draw: the second beyond the first.

    The error is that of the valuation and that of the mean, by Student's distribution, so that twice the error holds in 95 of
    100 cases however few the draws are.

    >>> difference([100, 110, 120, 130], [150, 140, 170, 160], valuation=0)
    PromiseDifference(mean=40.0, error=10.0, draws=4, spread=11.547005383792515)
    """
    steps = [other - one for one, other in zip(ones, others, strict=True)]
    count = len(steps)
    few = FEW[count] if count in FEW else math.sqrt((count - 1) / (count - 3))
    spread = stdev(steps)
    error = math.hypot(valuation, few * spread / math.sqrt(count))
    return PromiseDifference(fmean(steps), round(error, 1), count, spread)
