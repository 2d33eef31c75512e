"""Telling the watchers of a game, within one process, that it has moved: who watches gets the newest number."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager


class Watchers:
    """The open pages by game. A page that is slow gets the newest number once, not every number."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Queue[int]]] = {}

    def tell(self, game: str, number: int) -> None:
        """Wake everybody who watches a game. Called on the event loop, after the entry is stored."""
        for queue in self._waiting.get(game, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(number)

    def games(self) -> tuple[str, ...]:
        """The games that somebody watches."""
        return tuple(self._waiting)

    def watching(self, game: str) -> int:
        return len(self._waiting.get(game, ()))

    @contextmanager
    def _joined(self, game: str) -> Iterator[asyncio.Queue[int]]:
        queue: asyncio.Queue[int] = asyncio.Queue(maxsize=1)
        self._waiting.setdefault(game, set()).add(queue)
        try:
            yield queue
        finally:
            self._waiting[game].discard(queue)
            if not self._waiting[game]:
                del self._waiting[game]

    async def numbers(self, game: str, first: int) -> AsyncIterator[int]:
        """The number where a game stands: `first` at once, then whenever it has moved."""
        with self._joined(game) as queue:
            yield first
            while True:
                yield await queue.get()
