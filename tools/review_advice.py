"""Measure the advice of reviews: in how many games of bots the seat that heeds it ends better than without it.

    python tools/review_advice.py 18rhl --games 100 --jobs 0

A line of JSON for each game, at the end how many ended better, and by how much in the mean.
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import fmean, stdev

import msgspec

from trajekt.bots.executors import executor
from trajekt.review.advice import Trial, tried


def main() -> None:
    """Play the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="steady")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    told = parser.parse_args()
    todo = [Trial(told.game, told.seed + n, told.players, {}, told.bot) for n in range(told.games)]
    steps = []
    for result in executor(told.jobs, told.cluster).run(tried, todo):
        steps.append(result.advised - result.without)
        print(msgspec.json.encode(result).decode(), flush=True)
    better = sum(step > 0 for step in steps)
    error = stdev(steps) / math.sqrt(len(steps)) if len(steps) > 1 else 0.0
    print(f"{better} of {len(steps)} better; {fmean(steps):+.0f} ± {error:.0f} M", file=sys.stderr)


if __name__ == "__main__":
    main()
