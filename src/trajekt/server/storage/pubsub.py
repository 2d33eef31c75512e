"""Publication to the open pages of one process: a game has moved, or something else changed at its table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MOVED, CHANGED, SIDEBAR_CHANGED = "moved", "changed", "stirred"
"""An entry was made; who sits where or what was asked has changed; something was said, instructed or timed."""


@dataclass(eq=False)
class Subscriber:
    """An open page: what it has not been told yet, by kind. Of each kind only the newest matters.

    `newest` is the number up to which it knows that the table has moved: on a database with several servers each move is heard
    twice, from who made it here and from the database.
    """

    newest: int = 0
    pending: dict[str, int] = field(default_factory=dict)
    awake: asyncio.Event = field(default_factory=asyncio.Event)


def _nobody() -> None:
    """Do nothing, where nobody wants to hear of every entry."""


class Subscriptions:
    """The open pages by game. A page that is slow gets the newest number once, not every number."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[Subscriber]] = {}
        self.on_entry: Callable[[], None] = _nobody
        """Called whenever an entry was made at any table."""

    def publish(self, game: str, number: int, kind: str = MOVED) -> None:
        """Wake everybody who watches a game. Called on the event loop, after what is new is stored."""
        for subscriber in self._waiting.get(game, ()):
            if kind == MOVED:
                if number <= subscriber.newest:
                    continue
                subscriber.newest = number
            subscriber.pending[kind] = number
            subscriber.awake.set()
        if kind == MOVED:
            self.on_entry()

    def games(self) -> tuple[str, ...]:
        """The games that somebody watches."""
        return tuple(self._waiting)

    def watching(self, game: str) -> int:
        return len(self._waiting.get(game, ()))

    @contextmanager
    def _subscribed(self, game: str, first: int) -> Iterator[Subscriber]:
        subscriber = Subscriber(first)
        self._waiting.setdefault(game, set()).add(subscriber)
        try:
            yield subscriber
        finally:
            self._waiting[game].discard(subscriber)
            if not self._waiting[game]:
                del self._waiting[game]

    async def subscribe(self, game: str, first: int) -> AsyncIterator[tuple[str, int]]:
        """Yield what is new at a table by kind: that it stands at `first` at once, then whatever happens.

        `moved` comes with the number of the newest entry, `changed` with a number that says nothing.
        """
        with self._subscribed(game, first) as subscriber:
            yield MOVED, first
            while True:
                await subscriber.awake.wait()
                subscriber.awake.clear()
                pending, subscriber.pending = subscriber.pending, {}
                for kind, number in pending.items():
                    yield kind, number
