"""Judgement beside the truth: what all seats of a finished game are thought to be worth at parts of its actions.

    python tools/judgement.py game.json

The file is a record, or with --export an export of the other site. A line for each part: entry, rounds to come as guessed, the
prospects of all seats in Mark, and their part of what all seats had at the end; then the same of what was learned from games,
where something was.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from trajekt.bots.evaluation import prospects, rounds_left
from trajekt.bots.seat_facts import total
from trajekt.import_18xx import read_export
from trajekt.records import from_json

PARTS = (30, 40, 50, 60, 70, 80, 90)


def main() -> None:
    """Print the line of each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--export", action="store_true", help="the file is an export of the other site")
    asked = parser.parse_args()
    data = asked.file.read_bytes()
    game = read_export(data) if asked.export else from_json(data)
    truth = sum(standing.total for standing in game.title.standings(game.state))
    for part in PARTS:
        number = game.number * part // 100
        state = game.state_at(number)
        thought = sum(prospects(state, seat) for seat in range(len(state.players)))
        learned = sum(total(game.ruleset, state, seat) for seat in range(len(state.players)))
        print(
            f"{part} %  entry {number}  {rounds_left(state)} rounds  {thought:,.0f} M  {thought / truth:.0%}"
            f"  learned {learned:,.0f} M  {learned / truth:.0%}"
        )


if __name__ == "__main__":
    main()
