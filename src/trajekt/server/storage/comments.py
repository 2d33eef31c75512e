"""Comments on moments of a game: a text for an entry, of the board itself or of a seat."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.chat import plain
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import COMMENTS
from trajekt.server.storage.store import Store

LONGEST = 2_000  # characters
MOST = 300  # comments of a table
NOBODY = -1
"""The seat of a comment where everybody sits at one board."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A text on the position after entry `number`, by the player of a seat or by `NOBODY` in particular."""

    number: int
    seat: Seat
    text: str


def write(store: Store, game: str, comment: Comment) -> None:
    """Keep a comment in place of the one that its writer had there; an empty text takes it away.

    Raises `DeniedError` 422 where it is too long or the table has too many.
    """
    seen = plain(comment.text, LONGEST).strip()
    here = COMMENTS.c.game == game
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        mine = here, COMMENTS.c.number == comment.number, COMMENTS.c.seat == comment.seat
        connection.execute(COMMENTS.delete().where(*mine))
        if not seen:
            return
        if connection.execute(sa.select(sa.func.count()).select_from(COMMENTS).where(here)).scalar_one() >= MOST:
            raise DeniedError(422, "comments_full")
        _insert(connection, game, [Comment(comment.number, comment.seat, seen)])


def of_game(store: Store, game: str, to: int | None = None) -> list[Comment]:
    """The comments of a table in the order of the moments; `to`: of those up to that entry."""
    query = sa.select(COMMENTS.c.number, COMMENTS.c.seat, COMMENTS.c.text).where(COMMENTS.c.game == game)
    if to is not None:
        query = query.where(COMMENTS.c.number <= to)
    with store.engine.connect() as connection:
        return [Comment(*row) for row in connection.execute(query.order_by(COMMENTS.c.number, COMMENTS.c.seat))]


def take_over(store: Store, game: str, comments: Iterable[Comment]) -> None:
    """Keep the comments of another table or of a record at a new one."""
    if taken := list(comments):
        with store.begin() as connection:
            _insert(connection, game, taken)


def _insert(connection: sa.Connection, game: str, comments: list[Comment]) -> None:
    now = time.time()
    rows = [{"game": game, "number": c.number, "seat": c.seat, "text": c.text, "changed": now} for c in comments]
    connection.execute(COMMENTS.insert(), rows)
