"""Talk at a table. Plain text, bounded in length and in number; pages never take it for markup."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import CHAT, GAMES
from trajekt.server.storage.store import Store
from trajekt.server.user_text import visible

LONGEST = 500  # characters
SHOWN = 200  # lines
MINUTE, A_MINUTE = 60.0, 12  # so many lines of a seat in so many seconds
MOST = 20_000  # lines of a table
COLUMNS = (CHAT.c.id, CHAT.c.seat, CHAT.c.text, CHAT.c.time, CHAT.c.number, CHAT.c.players_only)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something said: by whom, when, in seconds since 1970, and the entry at which the table stood (None before it was kept).

    `players_only`: whoever watches does not read it.
    """

    id: int
    seat: Seat
    text: str
    time: float
    number: int | None
    players_only: bool


def plain(text: str, longest: int) -> str:
    """Text without what must not be stored, lines kept. Raises `DeniedError` where it is too long."""
    seen = visible(text)
    if len(seen) > longest:
        raise DeniedError(422, "text_long", {"most": str(longest)})
    return seen


def say(store: Store, game: str, seat: Seat, text: str, number: int, *, players_only: bool) -> ChatLine:
    """Say something while the table stands at entry `number`. Raises `DeniedError` where it is empty, too long, or too much."""
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
        values = {"seat": seat, "text": seen, "time": now, "number": number, "players_only": players_only}
        made = connection.execute(CHAT.insert().values(game=game, **values).returning(CHAT.c.id)).scalar_one()
        return ChatLine(int(made), seat, seen, now, number, players_only)


def lines(store: Store, game: str, *, players: bool, since: float = 0.0, limit: int = SHOWN) -> list[ChatLine]:
    """The newest things said at a table since a time, oldest first: all for its players, else what is for all."""
    where = [CHAT.c.game == game, CHAT.c.time >= since]
    if not players:
        where.append(CHAT.c.players_only.is_(False))
    query = sa.select(*COLUMNS).where(*where).order_by(CHAT.c.id.desc()).limit(limit)
    with store.engine.connect() as connection:
        return [ChatLine(*row) for row in reversed(connection.execute(query).all())]


def speakers(store: Store, game: str) -> set[Seat]:
    """The seats whose players have said something."""
    with store.engine.connect() as connection:
        return set(connection.execute(sa.select(CHAT.c.seat).where(CHAT.c.game == game).distinct()).scalars())


def keep_in_record(store: Store, game: str, *, kept: bool) -> None:
    """Put the talk of a table into its record from now on, or keep it out."""
    with store.begin() as connection:
        store.bump_revision(connection, game)
        connection.execute(GAMES.update().where(GAMES.c.id == game).values(talk_kept=kept))


def kept_in_record(store: Store, game: str) -> list[ChatLine]:
    """All that was said to all at a table, where that stands in its record; what is for the players alone never does."""
    query = sa.select(*COLUMNS).join(GAMES, GAMES.c.id == CHAT.c.game)
    where = CHAT.c.game == game, GAMES.c.talk_kept.is_(True), CHAT.c.players_only.is_(False)
    with store.engine.connect() as connection:
        return [ChatLine(*row) for row in connection.execute(query.where(*where).order_by(CHAT.c.id))]


def quoted(store: Store, game: str, id_: int) -> tuple[Seat, str] | None:
    """The speaker and the text of a line; None where it is gone."""
    with store.engine.connect() as connection:
        row = connection.execute(
            sa.select(CHAT.c.seat, CHAT.c.text).where(CHAT.c.game == game, CHAT.c.id == id_)
        ).first()
    return None if row is None else (int(row[0]), str(row[1]))
