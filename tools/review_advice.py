"""Measure the advice of reviews: in how many games of bots the seat that heeds it ends better than without it.

    python tools/review_advice.py 18rhl --games 100 --jobs 0
    python tools/review_advice.py 18lra --bot beginner --games 100 --since 0.3 --until 0.3 --advice lays

A line of JSON for each game, at the end how many ended better, and by how much in the mean. A game in which there was no advice
is none of those that are counted. `--advice` names the kinds that are heeded, to see which of them helps.
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import fmean, stdev

import msgspec

from trajekt.bots.executors import executor
from trajekt.review.advice import KINDS, Trial, tried


def main() -> None:
    """Play the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="steady")
    parser.add_argument("--since", type=float, default=0.0, help="earliest moment to take advice from, as a part of 1")
    parser.add_argument("--until", type=float, default=0.5, help="latest moment")
    parser.add_argument("--advice", nargs="+", choices=KINDS, default=KINDS, help="kinds that are heeded")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    told = parser.parse_args()
    span = told.since, told.until, tuple(told.advice)
    todo = [Trial(told.game, told.seed + n, told.players, {}, told.bot, *span) for n in range(told.games)]
    steps, idle = [], 0
    for result in executor(told.jobs, told.cluster).run(tried, todo):
        print(msgspec.json.encode(result).decode(), flush=True)
        if result.heeded:
            steps.append(result.advised - result.without)
        else:
            idle += 1
    better, worse = (sum(step * sign > 0 for step in steps) for sign in (1, -1))
    error = stdev(steps) / math.sqrt(len(steps)) if len(steps) > 1 else 0.0
    mean = fmean(steps) if steps else 0.0
    print(
        f"{better} of {len(steps)} better, {worse} worse; {mean:+.0f} ± {error:.0f} M; {idle} without advice",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
