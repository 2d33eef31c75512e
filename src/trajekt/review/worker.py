"""The review of one game in a process of its own: a record comes in, lines of progress and the review go out.

`python -m trajekt.review.worker` reads a record from standard input and writes JSON lines: `{"done": 3, "of": 96}` after each
turn, at the end `{"review": {...}}`, or `{"fault": "..."}` where the record cannot be read. It runs at the lowest priority,
so that whoever plays beside it waits for nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import BinaryIO

import msgspec

from trajekt.records import RecordError, from_json
from trajekt.review.game_review import GameReview, review_of

SECONDS = 10.0
"""For the search of one turn's best runs."""
NICE = 19


class ReviewLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the process: how many turns of how many are done, or the end of it."""

    done: int = 0
    of: int = 0
    review: GameReview | None = None
    fault: str = ""


def work(source: BinaryIO, target: BinaryIO, components: str | None = None) -> None:
    """Review the record that a stream has, and write the lines to another."""

    def put(line: ReviewLine) -> None:
        target.write(msgspec.json.encode(line) + b"\n")
        target.flush()

    try:
        game = from_json(source.read(), components)
    except RecordError as fault:
        put(ReviewLine(fault=str(fault)))
        return
    put(ReviewLine(review=review_of(game, seconds=SECONDS, progress=lambda done, of: put(ReviewLine(done, of)))))


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(NICE)
    work(sys.stdin.buffer, sys.stdout.buffer, sys.argv[1] if len(sys.argv) > 1 else None)
