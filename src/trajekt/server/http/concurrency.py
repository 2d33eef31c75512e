"""Work beside the event loop: threads, and how many drawings, searches and large files are taken at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import to_thread

from trajekt.server.denials import DeniedError

DRAWING = 2  # tables drawn at once: more would only take the processor from actions
LARGE_AT_ONCE = 4  # large bodies that are read at a time
SEARCHES, SEARCH_QUEUE = 1, 8  # searches of routes at a time, and that wait
SEARCH_AGAIN = 3  # seconds after which one may ask for a search again
IMPORT_WAIT = 20.0  # seconds for which an import waits for the one before
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(eq=False, slots=True)
class Turnstile:
    """A gate for work that takes the processor: so many at once, so many that wait, and whoever comes then is sent away."""

    at_once: int
    queue: int
    inside: int = 0
    gate: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.gate = asyncio.Semaphore(self.at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn. Raises `DeniedError` 429 where too many wait."""
        if self.inside >= self.at_once + self.queue:
            raise DeniedError(429, "too_many", {"seconds": str(SEARCH_AGAIN)}, retry_after=SEARCH_AGAIN)
        self.inside += 1
        try:
            async with self.gate:
                yield
        finally:
            self.inside -= 1


async def threaded(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run blocking work beside the event loop; it is finished even if the client has gone."""
    return await to_thread.run_sync(partial(work, *args, **named))
