"""Rows of results: written with the entry that ends a game, away with the undo that takes it up again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from trajekt.engine.player_names import likeness
from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.server.storage.schema import BOTS, RESULTS


class ResultRow(msgspec.Struct, frozen=True):
    """The result of a seat as it is stored: `players` is how many played, `total` in Mark."""

    seat: Seat
    title: str
    players: int
    name: str
    folded: str
    total: int
    rank: int


def results_of(title: str, standings: Sequence[Standing]) -> tuple[ResultRow, ...]:
    """The results of a game as they are stored."""
    return tuple(
        ResultRow(each.seat, title, len(standings), each.name, likeness(each.name)[:128], each.total, each.rank)
        for each in standings
    )


def write(connection: sa.Connection, game: str, results: Sequence[ResultRow]) -> None:
    """Put results in place of those that a game has; seats that bots play are marked."""
    connection.execute(RESULTS.delete().where(RESULTS.c.game == game))
    if not results:
        return
    stored = connection.execute(sa.select(BOTS.c.seats).where(BOTS.c.game == game)).scalar()
    bots = msgspec.json.decode(stored or "{}", type=dict[str, str])
    rows = [msgspec.structs.asdict(each) | {"game": game, "bot": bots.get(str(each.seat))} for each in results]
    connection.execute(RESULTS.insert(), rows)
