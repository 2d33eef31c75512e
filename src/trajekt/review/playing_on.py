"""Playing on: what a position promises when bots take all seats, drawn several times.

Quick bots go on for some operating rounds. A draw is a set of opinions that they have of companies and deeds, and a number of
rounds. Bots that lay no track would tell little about rounds far away: what has not ended by then is valued as bots value it,
in Mark at the end of the game. Club players go on to the end of the game, which takes longer and needs no valuation.
Positions that are compared are played on by equal draws, so that what they differ by is due to the position and not to chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import partial
from statistics import fmean, stdev

import msgspec

from trajekt.bots.bot import Bot, BotMove, make_bot, next_move
from trajekt.bots.evaluation import prospects, rounds_left
from trajekt.bots.search import Opinion, brisk, moment, played_on
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, Ruleset, View
from trajekt.engine.state import Seat, State
from trajekt.registry import title
from trajekt.rules.operating_round import company_in_turn

SPREAD = 0.2
"""Opinions of what something promises differ by a fifth, in the logarithm."""
ROUNDS = (1, 2, 3)
"""Operating rounds that are played on, by draw in turn."""
QUICK = 2_000.0
"""Mark by which whole games differ otherwise than quick bots say, however alike the draws are."""
WHOLE = 10.0
"""Mark by which games that are played to their end may differ otherwise: the step of all revenues."""
LAST = 2
"""Operating rounds that may be left when whole games are played on: with more of them a review would take too long."""
TRYING, CONFIRMING = 2, 6
"""Whole games that choose among alternatives, and those that say what the chosen one brings."""
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
        return worth_of(end, seat)
    return prospects(end, seat) if moment(end) >= until else math.nan


class EvenBot:
    """A bot whose chances hang on a draw and the moment alone, so that games that differ go on alike where they can.

    A bot that draws one number after another draws others from the first difference on, and what two games then differ by
    is mostly chance.
    """

    def __init__(self, kind: str, draw: str) -> None:
        self.rng, self.draw = random.Random(draw), draw
        self.bot = make_bot(kind, self.rng)
        self.at: object = None
        self.count = 0

    def choose(self, view: View) -> BotMove | None:
        at = moment(view.state), company_in_turn(view.state)
        self.at, self.count = at, self.count + 1 if at == self.at else 0
        self.rng.seed(f"{self.draw}/{at}/{self.count}")
        return self.bot.choose(view)


def even_bots(kind: str, state: State, draw: str) -> list[Bot]:
    """A bot of a kind for every seat, all by the chances of a draw."""
    return [EvenBot(kind, f"{draw}/{seat}") for seat in range(len(state.players))]


def played_out(ruleset: Ruleset, state: State, bots: Sequence[Bot], rng: random.Random) -> State:
    """The position when bots have played a game to its end; that in which they get stuck, where they come to none."""
    for _ in range(PATIENCE):
        found = None if state.outcome else next_move(ruleset, state, bots, rng)
        answer = None if found is None else decide(ruleset, state, found[0], found[1].action)
        if answer is None or isinstance(answer, Refusal):
            break
        state = answer.state
    return state


def final_worth(ruleset: Ruleset, state: State, seat: Seat, draw: int) -> float:
    """The worth in Mark of a seat when club players have played a position to its end, all seats by the chances of a draw.

    Not a number where they did not come so far.
    """
    end = played_out(ruleset, state, even_bots("steady", state, str(draw)), random.Random(draw))
    return worth_of(end, seat) if end.outcome else math.nan


def worth_of(state: State, seat: Seat) -> float:
    """The score of a seat in Mark, as the game would be scored in a position."""
    return float(next(each.total for each in title(state.sheet.game).standings(state) if each.seat == seat))


def near_the_end(state: State) -> bool:
    """Tell whether whole games are played on from a position."""
    return rounds_left(state) <= LAST


def by_whole_games(
    ruleset: Ruleset, seat: Seat, one: State, others: Sequence[State]
) -> tuple[int, PromiseDifference] | None:
    """The best of other positions for a seat, by its number, and its difference to the first in whole games.

    A few games choose it; where it stands out, more of them say by how much, and only those count. None where a game comes to
    no end.
    """

    def played(state: State, draws: range) -> list[float]:
        return [final_worth(ruleset, state, seat, draw) for draw in draws]

    trying, confirming = range(TRYING), range(TRYING, TRYING + CONFIRMING)
    ones, first = played(one, trying), [played(other, trying[:1])[0] for other in others]
    ended = [number for number, worth in enumerate(first) if math.isfinite(worth)]
    # those that fall short in the first game are played on no further, but for the best one
    hopeful = [number for number in ended if first[number] > ones[0]] or sorted(ended, key=first.__getitem__)[-1:]
    again = {number: [first[number], *played(others[number], trying[1:])] for number in hopeful}
    tried = {number: difference(ones, worths, WHOLE) for number, worths in again.items() if math.isfinite(sum(worths))}
    if not tried:
        return None
    best = max(tried, key=lambda number: tried[number].mean)
    found = tried[best]
    # where it differs much from game to game a few more will not make it stand out
    if found.mean > found.spread:
        found = difference(played(one, confirming), played(others[best], confirming), WHOLE)
    return (best, found) if math.isfinite(found.mean) else None


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
