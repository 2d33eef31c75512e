"""The review of one game in a process of its own: a record comes in, lines of progress and the review go out.

`python -m trajekt.review.worker` reads from standard input a line with the part of the review that is made already (an empty
line for none) and the record. It writes JSON lines: `{"done": 3, "of": 96}` after each step, now and then with the `part` made
so far, at the end `{"review": {...}}`, or `{"fault": "..."}` where the record cannot be read. It runs at the lowest priority,
so that whoever plays beside it waits for nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

import msgspec

from trajekt.records import RecordError, from_json
from trajekt.review.game_review import NOTHING, GameReview, ReviewPart, review_of

SECONDS = 10.0
"""For the search of one turn's best runs."""
NICE = 19
OFTEN = 10.0
"""Seconds after which the part made so far is told, so that little is lost with the process."""


class ReviewLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the process: how many steps of how many are done and the part made so far, or the end of it."""

    done: int = 0
    of: int = 0
    part: ReviewPart | None = None
    review: GameReview | None = None
    fault: str = ""


def work(
    source: BinaryIO, target: BinaryIO, components: str | None = None, clock: Callable[[], float] = time.monotonic
) -> None:
    """Review the record that a stream has behind the part that is made, and write the lines to another stream."""
    begun = source.readline().strip()
    told = clock()

    def put(line: ReviewLine) -> None:
        target.write(msgspec.json.encode(line) + b"\n")
        target.flush()

    try:
        game = from_json(source.read(), components)
    except RecordError as fault:
        put(ReviewLine(fault=str(fault)))
        return

    def progress(part: ReviewPart, of: int) -> None:
        nonlocal told
        often = clock() - told >= OFTEN
        put(ReviewLine(part.done, of, part if often else None))
        told = clock() if often else told

    known = msgspec.json.decode(begun, type=ReviewPart) if begun else NOTHING
    put(ReviewLine(review=review_of(game, seconds=SECONDS, begun=known, progress=progress)))


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(NICE)
    work(sys.stdin.buffer, sys.stdout.buffer, sys.argv[1] if len(sys.argv) > 1 else None)
