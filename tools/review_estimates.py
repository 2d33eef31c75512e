"""Hold the estimates of reviews against whole games: is the error that they state right?

    python tools/review_estimates.py 18lra --games 4 --each 8 --draws 8 --since 0.5

From games of bots, decisions behind the moment `--since` are drawn and reviewed as a review does it. Then club players play on
from the decision and from its alternative to the end of the game, `--draws` times from each, by chances that the review has not
seen. A line of JSON for each decision; at the end the share of decisions whose true difference lies within one and two stated
errors of what was said (the error of the truth itself, of so few games, is added to the stated one: 68 and 95 of 100 are
right), and by which factor the stated errors would have to be larger. Decisions for which a better way is claimed stand apart.
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import fmean

import msgspec

from trajekt.bots.bot import view_of
from trajekt.bots.candidate_moves import after
from trajekt.bots.executors import executor
from trajekt.review.advice import Trial, played_game
from trajekt.review.deed_review import compared, deeds_of
from trajekt.review.playing_on import difference, final_worth

UNSEEN = 1_000
"""The first draw of the truth: reviews use draws below it."""


class Comparison(msgspec.Struct, frozen=True):
    """What a review says of a decision, and what whole games say; all in Mark but `at`, a part of the game."""

    seed: int
    at: float
    deed: str
    other: str
    said: float
    error: float
    true: float
    true_error: float

    @property
    def off(self) -> float:
        """By how many errors of both what was said is off."""
        return abs(self.said - self.true) / math.hypot(self.error, self.true_error)


class Sample(msgspec.Struct, frozen=True):
    """Decisions of one game to be compared."""

    trial: Trial
    each: int
    draws: int


def comparisons(sample: Sample) -> list[Comparison]:
    """Review decisions of a game and play each on to the end."""
    game, rng = played_game(sample.trial)
    late = [entry for entry in deeds_of(game) if entry.number > sample.trial.since * game.number]
    found: list[Comparison] = []
    for entry in rng.sample(late, len(late)):
        if len(found) == sample.each:
            break
        view = view_of(game.ruleset, game.state_at(entry.parent), entry.seat)
        assert view is not None
        assert entry.action is not None
        said = compared(view, entry.action)
        if said is None:
            continue
        draws = range(UNSEEN, UNSEEN + sample.draws)
        ends = []
        for action in (entry.action, said[0]):
            state = after(view, action)
            assert state is not None
            ends.append([final_worth(game.ruleset, state, entry.seat, draw) for draw in draws])
        true = difference(*ends, valuation=0.0)
        at = round(entry.number / game.number, 2)
        names = type(entry.action).__name__, type(said[0]).__name__
        found.append(Comparison(sample.trial.seed, at, *names, said[1].mean, said[1].error, true.mean, true.error))
    return found


def summary(found: list[Comparison]) -> str:
    """The shares within one and two errors, and the factor by which errors are too small."""
    if not found:
        return "none"
    within = [round(100 * sum(each.off <= errors for each in found) / len(found)) for errors in (1, 2)]
    factor = math.sqrt(fmean(min(each.off, 5.0) ** 2 for each in found))
    bias = fmean(each.said - each.true for each in found)
    return (f"{len(found)} decisions: {within[0]} % within one error, {within[1]} % within two; "
            f"errors would have to be {factor:.2f} times as large; what is said is {bias:+.0f} M off in the mean")  # fmt: skip


def main() -> None:
    """Compare the decisions that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--each", type=int, default=8, help="decisions of a game")
    parser.add_argument("--draws", type=int, default=8, help="whole games from each position")
    parser.add_argument("--since", type=float, default=0.0, help="earliest moment, as a part of 1")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    told = parser.parse_args()
    todo = [
        Sample(Trial(told.game, told.seed + n, told.players, since=told.since), told.each, told.draws)
        for n in range(told.games)
    ]
    found: list[Comparison] = []
    for some in executor(told.jobs, "").run(comparisons, todo):
        found += some
        for each in some:
            print(msgspec.json.encode(each).decode(), flush=True)
    better = [each for each in found if each.said > 2 * each.error]
    print(f"all: {summary(found)}", file=sys.stderr)
    print(f"a better way claimed: {summary(better)}", file=sys.stderr)


if __name__ == "__main__":
    main()
