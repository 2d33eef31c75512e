"""Reviews of finished games: stored once made, of no use any more once the game has gone on or the rules are newer."""

from __future__ import annotations

import sqlalchemy as sa

from trajekt.server.storage.schema import GAMES, REVIEWS
from trajekt.server.storage.store import Store


def stored(store: Store, game: str, number: int, version: str) -> bytes | None:
    """The review of a game that ended at entry `number`, as JSON; None where none of this version is there."""
    found = sa.select(REVIEWS.c.document).where(
        REVIEWS.c.game == game, REVIEWS.c.number == number, REVIEWS.c.version == version
    )
    with store.engine.connect() as connection:
        document = connection.execute(found).scalar()
    return None if document is None else str(document).encode()


def keep(store: Store, game: str, number: int, version: str, document: bytes) -> None:
    """Store the review of a game in place of an earlier one, unless the game is gone."""
    row = {"game": game, "number": number, "version": version, "document": document.decode()}
    with store.begin() as connection:
        connection.execute(REVIEWS.delete().where(REVIEWS.c.game == game))
        if connection.execute(sa.select(GAMES.c.id).where(GAMES.c.id == game)).first() is not None:
            connection.execute(REVIEWS.insert().values(row))
