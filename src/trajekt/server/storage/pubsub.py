"""Telling the watchers of a game, within one process, that it has moved or that something else changed at the table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MOVED, CHANGED, STIRRED = "moved", "changed", "stirred"
"""An entry was made; who sits where or what was asked has changed; something was said, instructed or timed."""


@dataclass(eq=False)
class Watcher:
    """An open page: what it has not been told yet, by kind. Of each kind only the newest matters."""

    news: dict[str, int] = field(default_factory=dict)
    awake: asyncio.Event = field(default_factory=asyncio.Event)


def _nobody() -> None:
    """Nobody wants to hear of every entry."""


class Watchers:
    """The open pages by game. A page that is slow gets the newest number once, not every number."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[Watcher]] = {}
        self.heard: Callable[[], None] = _nobody
        """Called whenever an entry was made at any table."""

    def tell(self, game: str, number: int, kind: str = MOVED) -> None:
        """Wake everybody who watches a game. Called on the event loop, after what is new is stored."""
        for watcher in self._waiting.get(game, ()):
            watcher.news[kind] = number
            watcher.awake.set()
        if kind == MOVED:
            self.heard()

    def games(self) -> tuple[str, ...]:
        """The games that somebody watches."""
        return tuple(self._waiting)

    def watching(self, game: str) -> int:
        return len(self._waiting.get(game, ()))

    @contextmanager
    def _joined(self, game: str) -> Iterator[Watcher]:
        watcher = Watcher()
        self._waiting.setdefault(game, set()).add(watcher)
        try:
            yield watcher
        finally:
            self._waiting[game].discard(watcher)
            if not self._waiting[game]:
                del self._waiting[game]

    async def news(self, game: str, first: int) -> AsyncIterator[tuple[str, int]]:
        """What is new at a table by kind: that it stands at `first` at once, then whatever happens.

        `moved` comes with the number of the newest entry, `changed` with a number that says nothing.
        """
        with self._joined(game) as watcher:
            yield MOVED, first
            while True:
                await watcher.awake.wait()
                watcher.awake.clear()
                news, watcher.news = watcher.news, {}
                for kind, number in news.items():
                    yield kind, number
