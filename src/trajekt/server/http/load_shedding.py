"""A gate for work that many ask for: some do it, some wait, and whoever comes then is sent away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from trajekt.server.refusals import DeniedError

TURN_AGAIN = 3  # seconds after which one who was sent away may come again


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
            raise DeniedError(429, "too_many", {"seconds": str(TURN_AGAIN)}, retry_after=TURN_AGAIN)
        self.inside += 1
        try:
            async with self.gate:
                yield
        finally:
            self.inside -= 1
