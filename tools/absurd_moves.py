"""Counts of moves that no player would make, over whole games of bots; prints what docs/research/arena.md shows.

python tools/absurd_moves.py 18rhl steady steady steady --games 40 --seed 100000
"""

from __future__ import annotations

import argparse

from trajekt.bots.absurd_moves import report, table
from trajekt.bots.arena import schedule
from trajekt.bots.executors import executor


def main() -> None:
    """Play the games and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("kinds", nargs="+", metavar="KIND", help="one for each seat")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    plans = schedule(asked.game, asked.kinds, asked.games, asked.seed)
    print(report(table(plans, executor(asked.jobs, ""))))


if __name__ == "__main__":
    main()
