"""Talk at a table. Plain text, bounded in length and in number; pages never take it for markup."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.denials import DeniedError
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import CHAT
from trajekt.server.storage.store import Store
from trajekt.server.user_text import visible

LONGEST = 500  # characters
SHOWN = 200  # lines
MINUTE, A_MINUTE = 60.0, 12  # so many lines of a seat in so many seconds
MOST = 20_000  # lines of a table


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something said: by whom, when, in seconds since 1970."""

    id: int
    seat: Seat
    text: str
    time: float


def plain(text: str, longest: int) -> str:
    """Text without what must not be stored, lines kept. Raises `DeniedError` where it is too long."""
    seen = visible(text)
    if len(seen) > longest:
        raise DeniedError(422, "text_long", {"most": str(longest)})
    return seen


def say(store: Store, game: str, seat: Seat, text: str) -> None:
    """Say something. Raises `DeniedError` where it is empty, too long, or too much."""
    seen = " ".join(plain(text, LONGEST).split())
    if not seen:
        raise DeniedError(422, "text_empty")
    now = time.time()
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        here = CHAT.c.game == game
        recent = sa.select(sa.func.count()).where(here, CHAT.c.seat == seat, CHAT.c.time > now - MINUTE)
        if connection.execute(recent).scalar_one() >= A_MINUTE:
            raise DeniedError(429, "text_often")
        if connection.execute(sa.select(sa.func.count()).select_from(CHAT).where(here)).scalar_one() >= MOST:
            raise DeniedError(422, "text_full")
        connection.execute(CHAT.insert().values(game=game, seat=seat, text=seen, time=now))


def lines(store: Store, game: str) -> list[ChatLine]:
    """The newest things said at a table, oldest first."""
    query = sa.select(CHAT.c.id, CHAT.c.seat, CHAT.c.text, CHAT.c.time).where(CHAT.c.game == game)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(CHAT.c.id.desc()).limit(SHOWN)).all()
    return [ChatLine(*row) for row in reversed(rows)]
