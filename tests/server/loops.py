"""An event loop of its own for a test: in a thread, since a browser driven by the same process keeps one in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def run(work: Coroutine[None, None, T]) -> T:
    """What a coroutine comes to."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
