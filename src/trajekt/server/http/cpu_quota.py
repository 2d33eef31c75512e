"""The share of each address in the processor: few threads at once, and not more seconds than come back to it.

Buckets count requests, but some cost a hundred times what others do, and whatever computes in a thread takes turns with the
drawings of all players. So the processor time of an address is measured. Who has used up its share is not refused: its work
waits, and nobody else's does. Addresses that are not counted (the machine's own) have no share, and no bound.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from anyio import to_thread

from trajekt.server.http.load_shedding import Turnstile

THREADS = 1
"""Threads that compute for one address at once: they take turns with the one that draws for all players."""
OWN_SEARCHES = 3  # searches of one address that wait for the one under way
ON_THE_LOOP = 0.002
"""Seconds of processor time that a request takes besides its threads: read, routed, answered."""
MAX_SHARES = 20_000  # addresses in memory; those unused for longest are forgotten, which is in favour of who asks
T = TypeVar("T")


@dataclass(eq=False)
class ProcessorShare:
    """The seconds of processor time that one address has left, less than none where it must wait.

    It begins with `burst` seconds and never has more; `again` come back each second.
    """

    burst: float
    again: float
    left: float = field(init=False)
    at: float = field(init=False)
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(THREADS))
    searching: Turnstile = field(default_factory=lambda: Turnstile(THREADS, OWN_SEARCHES))
    """A long search must not keep the address from its pages."""
    files: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """One large file of the address at a time is read and decided."""

    def __post_init__(self) -> None:
        self.left, self.at = self.burst, time.monotonic()

    def wait(self) -> float:
        """Seconds until the address may compute again."""
        now = time.monotonic()
        self.left, self.at = min(self.burst, self.left + (now - self.at) * self.again), now
        return max(0.0, -self.left / self.again)

    def spend(self, seconds: float) -> None:
        """Take note of processor time that was used for the address."""
        self.left -= seconds

    async def ready(self) -> None:
        """Wait until the address has something left."""
        wait = self.wait()
        if wait:
            await asyncio.sleep(wait)

    def measured(self, work: Callable[[], T]) -> T:
        """Do work in the thread that calls, and take its processor time from the share."""
        began = time.thread_time()
        try:
            return work()
        finally:
            self.spend(time.thread_time() - began)


SHARE: ContextVar[ProcessorShare | None] = ContextVar("share", default=None)
"""The share of the address whose request is being answered; None where it has no bound."""


async def in_turn(
    work: Callable[[], T], gate: AbstractAsyncContextManager[object] | None = None, *, searching: bool = False
) -> T:
    """Do work in a thread: in its turn among the work of the address that asks, then through a gate that all share.

    It is finished even if the client has gone. Raises `DeniedError` 429 where too many searches wait.
    """
    share, gate = SHARE.get(), gate or nullcontext()
    if share is None:
        async with gate:
            return await to_thread.run_sync(work)
    async with share.searching.turn() if searching else share.gate:
        await share.ready()
        async with gate:
            return await to_thread.run_sync(share.measured, work)


@dataclass(eq=False)
class ProcessorShares:
    """The shares by address."""

    burst: float
    again: float
    of_address: OrderedDict[str, ProcessorShare] = field(default_factory=OrderedDict)

    def get(self, address: str) -> ProcessorShare:
        """The share of an address, a full one where it has none yet."""
        found = self.of_address.setdefault(address, ProcessorShare(self.burst, self.again))
        self.of_address.move_to_end(address)
        while len(self.of_address) > MAX_SHARES:
            self.of_address.popitem(last=False)
        return found
