"""A recorded game played on by bots from parts of its actions: what all seats have at the end, in the mean of some tries.

    python tools/play_on.py game.json steady steady steady --export --tries 10

The file is a record, or with --export an export of the other site. A line for each part: the entry, the mean of all seats
together in Mark with its standard error, and those totals. Equal seeds play equal games. Players that draw nothing, such as
masters, play the same game in every try from the same entry: with --apart 1 each try begins an entry after the one before.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from pathlib import Path
from statistics import fmean, stdev

import msgspec

from trajekt.bots.bot import make_bot, next_action
from trajekt.bots.executors import executor
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal
from trajekt.game import Game
from trajekt.import_18xx import read_export
from trajekt.records import from_json

PARTS = (0, 10, 25, 50, 75)
MOST = 3_000  # actions


class PlayedOn(msgspec.Struct, frozen=True):
    """A game to be played on: the file, whether it is an export, after which entry, players and seed."""

    file: Path
    export: bool
    entry: int
    kinds: tuple[str, ...]
    seed: int


@cache
def game_of(file: Path, export: bool) -> Game:
    """Return the game of a file."""
    data = file.read_bytes()
    return read_export(data) if export else from_json(data)


def ended(asked: PlayedOn) -> int:
    """Play on, and return what all seats have at the end in Mark. AssertionError where it comes to no end."""
    game, rng = game_of(asked.file, asked.export), random.Random(asked.seed)
    state = game.state_at(asked.entry)
    players = [make_bot(kind, rng) for kind in asked.kinds]
    for _ in range(MOST):
        found = next_action(game.ruleset, state, players, rng)
        if found is None:
            break
        answer = decide(game.ruleset, state, *found)
        assert not isinstance(answer, Refusal), answer
        state = answer.state
    assert state.outcome, f"no end after {MOST} actions"
    return sum(standing.total for standing in game.title.standings(state))


def main() -> None:
    """Print the line of each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("kinds", nargs="+", metavar="KIND", help="one for each seat")
    parser.add_argument("--export", action="store_true", help="the file is an export of the other site")
    parser.add_argument("--parts", type=int, nargs="+", default=PARTS)
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--apart", type=int, default=0, help="entries from where one try begins to where the next does")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    asked = parser.parse_args()
    for part in asked.parts:
        number = game_of(asked.file, asked.export).number * part // 100
        todo = [
            PlayedOn(asked.file, asked.export, number + n * asked.apart, tuple(asked.kinds), asked.seed + n)
            for n in range(asked.tries)
        ]
        totals = list(executor(asked.jobs, asked.cluster).run(ended, todo))
        error = stdev(totals) / len(totals) ** 0.5 if len(totals) > 1 else 0.0
        told = " ".join(f"{total:,}" for total in totals)
        print(f"{part} %  entry {number}  {fmean(totals):,.0f} ± {error:,.0f} M  {told}", flush=True)


if __name__ == "__main__":
    main()
