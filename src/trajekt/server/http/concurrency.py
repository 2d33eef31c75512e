"""Work beside the event loop: threads, and how many drawings, searches and large files are taken at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from trajekt.server.http.cpu_quota import in_turn

DRAWING = 2  # pages drawn at once for those that ask: more would only take the processor from actions
TELLING = 1  # tables drawn at once for the pages that are told what is new
LARGE_AT_ONCE = 4  # large bodies that are read at a time
SEARCHES, SEARCH_QUEUE = 1, 8  # searches of routes at a time, and that wait
IMPORT_WAIT = 20.0  # seconds for which an import waits for the one before
T = TypeVar("T")
P = ParamSpec("P")


async def threaded(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run blocking work beside the event loop, in its turn; it is finished even if the client has gone."""
    return await in_turn(partial(work, *args, **named))
