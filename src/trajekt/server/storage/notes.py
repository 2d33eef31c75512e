"""Private notes of a player; nobody else is shown it."""

from __future__ import annotations

import time

import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.chat import plain
from trajekt.server.storage.schema import NOTES
from trajekt.server.storage.store import Store

LONGEST = 20_000  # characters


def write(store: Store, game: str, seat: Seat, text: str) -> None:
    """Keep a player's notes in place of what he had. Raises `DeniedError` where they are too long."""
    seen = plain(text, LONGEST)
    with store.begin() as connection:
        connection.execute(NOTES.delete().where(NOTES.c.game == game, NOTES.c.seat == seat))
        connection.execute(NOTES.insert().values(game=game, seat=seat, text=seen, changed=time.time()))


def read(store: Store, game: str, seat: Seat) -> str:
    """A player's notes."""
    query = sa.select(NOTES.c.text).where(NOTES.c.game == game, NOTES.c.seat == seat)
    with store.engine.connect() as connection:
        return str(connection.execute(query).scalar() or "")
