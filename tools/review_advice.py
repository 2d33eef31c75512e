"""Measure the advice of reviews: in how many games of bots the seat that heeds it ends better than without it.

    python tools/review_advice.py 18rhl --games 100 --jobs 0
    python tools/review_advice.py 18lra --bot beginner --games 100 --since 0.75 --until 0.75 --advice lays --into tries.jsonl

A line of JSON for each game, at the end how many ended better, and by how much in the mean. A game in which there was no advice
is none of those that are counted. `--advice` names the kinds that are heeded, to see which of them helps. `--into` adds the
lines to a file, whose games are not played again: a measurement that was broken off goes on.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean, stdev

import msgspec

from trajekt.bots.executors import executor
from trajekt.review.advice import KINDS, Trial, TrialResult, tried


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
    parser.add_argument("--into", type=Path, help="file for the lines, to go on with it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    told = parser.parse_args()
    span = told.since, told.until, tuple(told.advice)
    wanted = [Trial(told.game, told.seed + n, told.players, {}, told.bot, *span) for n in range(told.games)]
    known = told.into.read_bytes().splitlines() if told.into and told.into.exists() else []
    found = [each for line in known if (each := msgspec.json.decode(line, type=TrialResult)).trial in wanted]
    done = {each.trial.seed for each in found}
    todo = [each for each in wanted if each.seed not in done]
    with told.into.open("a", encoding="utf-8") if told.into else nullcontext(sys.stdout) as target:
        for result in executor(told.jobs, told.cluster).run(tried, todo):
            print(msgspec.json.encode(result).decode(), file=target, flush=True)
            found.append(result)
    print(summary(found), file=sys.stderr)


def summary(found: Sequence[TrialResult]) -> str:
    """How many of the games with advice ended better and worse, and by how much in the mean."""
    steps = [each.advised - each.without for each in found if each.heeded]
    better, worse = (sum(step * sign > 0 for step in steps) for sign in (1, -1))
    error = stdev(steps) / math.sqrt(len(steps)) if len(steps) > 1 else 0.0
    mean = fmean(steps) if steps else 0.0
    idle = len(found) - len(steps)
    return f"{better} of {len(steps)} better, {worse} worse; {mean:+.0f} ± {error:.0f} M; {idle} without advice"


if __name__ == "__main__":
    main()
