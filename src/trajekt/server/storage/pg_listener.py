"""Between server processes on one PostgreSQL: what one has stored, the subscriptions of the others are told.

`NOTIFY` is sent by the transaction that stores (`store.py`), so it is heard only if stored. A connection of its own listens;
if it breaks, what was missed meanwhile is asked for.
"""

from __future__ import annotations

import asyncio
import logging
import threading

from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.pubsub import CHANGED, MOVED, SIDEBAR_CHANGED, Subscriptions
from trajekt.server.storage.store import CHANNEL

LOG = logging.getLogger("trajekt.server")
PAUSE = 1.0  # seconds between two tries to connect, and at most until `close` is noticed


class Listener:
    """A thread that listens until it is closed."""

    def __init__(self, cache: GameCache, subscriptions: Subscriptions, loop: asyncio.AbstractEventLoop) -> None:
        self.cache = cache
        self.store = cache.store
        self.subscriptions = subscriptions
        self.loop = loop
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.cache.listening = False
        self._closed.set()
        self._thread.join(5 * PAUSE)

    def _run(self) -> None:
        import psycopg

        url = self.store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closed.is_set():
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.cache.begin_listening()
                    for game in self.subscriptions.games():
                        self._tell(game, self.store.number(game))
                        self._tell(game, 0, CHANGED)
                        self._tell(game, 0, SIDEBAR_CHANGED)
                    while not self._closed.is_set():
                        for heard in connection.notifies(timeout=PAUSE, stop_after=1):
                            game, _, news = heard.payload.partition(" ")
                            if news in (CHANGED, SIDEBAR_CHANGED):
                                self._tell(game, 0, news)
                            else:
                                self._tell(game, int(news))
            except psycopg.Error:
                self.cache.listening = False
                LOG.warning("the database cannot be listened to; trying again", exc_info=True)
                self._closed.wait(PAUSE)

    def _tell(self, game: str, number: int, kind: str = MOVED) -> None:
        self.cache.heard(game, number)
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.subscriptions.publish, game, number, kind)
