"""Waiting in tests: for what a server does by itself, and for what several do at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

from trajekt.server.refusals import DeniedError

T = TypeVar("T")
SECONDS = 15


def until(wanted: Callable[[], T], seconds: float = SECONDS) -> T:
    """Wait for something that the server does by itself; what `wanted` gives as soon as that is true."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        found = wanted()
        if found:
            return found
        time.sleep(0.02)
    pytest.fail("it did not come")


def told(lines: Iterable[str], number: int) -> None:
    """Read a stream until it says that the table stands at a number; its time-out is that of the client."""
    for line in lines:
        if line == f"data: {number}":
            return
    raise AssertionError("the stream has ended")


def at_once(*works: Callable[[], object]) -> list[object]:
    """What each of several answers that start in the same moment; the code of a denial is an answer too."""
    gate = threading.Barrier(len(works))

    def answer(work: Callable[[], object]) -> object:
        gate.wait()
        try:
            return work()
        except DeniedError as fault:
            return fault.code

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(answer, works))
