"""The audit trail: who changed what of seats and accounts, without names and addresses."""

from __future__ import annotations

import time

import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.schema import AUDIT
from trajekt.server.storage.store import Store


def audit(
    connection: sa.Connection, what: str, game: str | None = None, seat: Seat | None = None, person: str | None = None
) -> None:
    """Note down a change of a seat or an account."""
    connection.execute(AUDIT.insert().values(time=time.time(), what=what, game=game, seat=seat, person=person))


def trail(store: Store, game: str = "", person: str = "", limit: int = 200) -> list[dict[str, object]]:
    """The newest lines about a table or a person, or of all, oldest first."""
    query = sa.select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
    if game:
        query = query.where(AUDIT.c.game == game)
    if person:
        query = query.where(AUDIT.c.person == person)
    with store.engine.connect() as connection:
        return [dict(row) for row in reversed(connection.execute(query).mappings().all())]
