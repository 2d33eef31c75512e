"""Work beside the event loop: threads, and how many drawings, searches and large files are taken at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock
from typing import ParamSpec, TypeVar

from trajekt.server.http.cpu_quota import in_turn

DRAWING = 2  # pages drawn at once for those that ask: more would only take the processor from actions
TELLING = 1  # tables drawn at once for the pages that are told what is new
LARGE_AT_ONCE = 4  # large bodies that are read at a time
SEARCHES, SEARCH_QUEUE = 1, 8  # searches of routes at a time, and that wait
IMPORT_WAIT = 20.0  # seconds for which an import waits for the one before
GIVE_WAY = 0.02  # seconds for which a drawing waits for actions at most: it is late then, but never left out
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(eq=False)
class ActionsFirst:
    """The precedence of actions: while a thread carries one out, what is drawn for open pages waits a little.

    Python runs one thread at a time and lets all take turns, so beside a long queue of drawings, as after a restart, each step
    of an action would wait for its turn.
    """

    under_way: int = 0
    lock: Lock = field(default_factory=Lock)
    none: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.none.set()

    def carry_out(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Do the work of an action, in its thread."""
        with self.lock:
            self.under_way += 1
            self.none.clear()
        try:
            return work(*args, **named)
        finally:
            with self.lock:
                self.under_way -= 1
                if not self.under_way:
                    self.none.set()

    def give_way(self) -> None:
        """Wait until no action is under way, but not for long."""
        self.none.wait(GIVE_WAY)


async def threaded(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run blocking work beside the event loop, in its turn; it is finished even if the client has gone."""
    return await in_turn(partial(work, *args, **named))
