"""Reviews of finished games: made one at a time by a process of its own, told how far it is, stored once.

The process runs at the lowest priority and ends with the server. The part made so far is stored every few seconds: a review
that was cut off goes on behind it when somebody asks.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
from anyio import to_thread

from trajekt.game import Game
from trajekt.review.game_review import REVIEW_FORMAT, GameReview, read_review
from trajekt.review.worker import ReviewLine
from trajekt.server.storage import reviews
from trajekt.server.storage.store import Store

LOG = logging.getLogger("trajekt.server")
LONGEST_LINE = 32 * 2**20
"""Bytes that a review may have."""
REVIEW_MINUTES = 10.0
"""Minutes that the making of a review may take."""
PART = "/part"
"""Behind the version of a review that is not made to its end."""
WAITING = 20
"""Games that may wait for their review."""


class ReviewProgress(msgspec.Struct, frozen=True):
    """Progress of the review of a game: `none`, `waiting`, `running` with steps done of all, `done`, or `failed`."""

    state: str
    done: int = 0
    of: int = 0


NONE, WAITS, DONE, FAILED = (ReviewProgress(state) for state in ("none", "waiting", "done", "failed"))


def version_of(game: Game) -> str:
    """The version under which a review of a game is stored."""
    return f"{REVIEW_FORMAT}/{game.ruleset.version}"


@dataclass(eq=False)
class ReviewRunner:
    """The reviews of a server. `minutes` bounds the making of one; 0 makes none. Called on the event loop."""

    store: Store
    minutes: float
    components: str | None = None
    under_way: dict[str, ReviewProgress] = field(default_factory=dict)
    """Progress by table."""
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    def found(self, id_: str, game: Game) -> GameReview | None:
        """The stored review of a table; None where there is none. To be called in a thread."""
        document = reviews.stored(self.store, id_, game.number, version_of(game))
        return None if document is None else read_review(document, game)

    def progress(self, id_: str) -> ReviewProgress:
        """The progress of the review of a table that is being made."""
        return self.under_way.get(id_, NONE)

    def start(self, id_: str, game: Game, record: bytes) -> bool:
        """Begin the review of a table unless it is under way; false where too many wait or the host wants none."""
        if self.progress(id_).state in ("waiting", "running"):
            return True
        if not self.minutes or len(self.tasks) > WAITING:
            return False
        self.under_way[id_] = WAITS
        task = asyncio.create_task(self._make(id_, game.number, version_of(game), record))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return True

    async def stop(self) -> None:
        """End what is under way."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _make(self, id_: str, number: int, version: str, record: bytes) -> None:
        try:
            async with self.turn:
                async with asyncio.timeout(60 * self.minutes):
                    document = await self._reviewed(id_, number, version, record)
            await to_thread.run_sync(reviews.keep, self.store, id_, number, version, document)
            del self.under_way[id_]
        except TimeoutError:
            LOG.warning("table %s: its review was not made within %g minutes", id_, self.minutes)
            self.under_way[id_] = FAILED
        except Exception:
            LOG.exception("table %s: its review could not be made", id_)
            self.under_way[id_] = FAILED

    async def _reviewed(self, id_: str, number: int, version: str, record: bytes) -> bytes:
        """The review of a record as JSON, made by a process that ends with this call; parts of it are stored on the way."""
        begun = await to_thread.run_sync(reviews.stored, self.store, id_, number, version + PART)
        words = [sys.executable, "-m", "trajekt.review.worker", *([self.components] if self.components else [])]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=LONGEST_LINE)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write((begun or b"") + b"\n" + record)
            process.stdin.close()
            async for text in process.stdout:
                line = msgspec.json.decode(text, type=ReviewLine)
                if line.review is not None:
                    return msgspec.json.encode(line.review)
                if line.fault:
                    raise ValueError(line.fault)
                self.under_way[id_] = ReviewProgress("running", line.done, line.of)
                if line.part is not None:
                    part = msgspec.json.encode(line.part)
                    await to_thread.run_sync(reviews.keep, self.store, id_, number, version + PART, part)
            message = f"the process ended with {await process.wait()}"
            raise RuntimeError(message)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
