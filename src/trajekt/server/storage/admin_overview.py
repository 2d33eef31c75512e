"""An overview of the database for its host: tables, counts, and which tables are listed."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from trajekt.server.storage.audit import audit
from trajekt.server.storage.schema import BOTS, DEVICES, DUE, ENTRIES, GAMES, HOLDERS, META, PEOPLE, SEATS
from trajekt.server.storage.store import Store


def all_tables(store: Store, limit: int) -> list[dict[str, Any]]:
    """The tables that moved last, as plain values."""
    names = ("id", "title", "number", "moment", "finished", "created", "changed", "hidden")
    columns = [GAMES.c[name] for name in names]
    query = sa.select(*columns, GAMES.c.watch_hash.is_not(None).label("friends"))
    with store.engine.connect() as connection:
        found = connection.execute(query.order_by(GAMES.c.changed.desc()).limit(limit)).mappings()
        return [{str(name): value for name, value in row.items()} for row in found]


def one_table(store: Store, game: str, newest: int = 10) -> dict[str, Any] | None:
    """A table with its seats and its newest entries, as plain values without tokens and addresses; None where there is none."""
    told = [c for c in GAMES.c if c.name not in ("set_up", "component_set", "watch_hash", "host")]
    with store.engine.connect() as connection:

        def rows(query: sa.Select[Any]) -> list[dict[str, Any]]:
            return [{str(name): value for name, value in row.items()} for row in connection.execute(query).mappings()]

        found = rows(sa.select(*told, GAMES.c.watch_hash.is_not(None).label("friends")).where(GAMES.c.id == game))
        if not found:
            return None
        holders = sa.select(sa.func.count()).where(HOLDERS.c.game == game, HOLDERS.c.seat == SEATS.c.seat)
        about = (
            SEATS.c.seat, SEATS.c.stand_in, SEATS.c.looking, SEATS.c.passcode_hash.is_not(None).label("passcode"),
            SEATS.c.mail.is_not(None).label("mail"), SEATS.c.hook.is_not(None).label("webhook"),
            holders.scalar_subquery().label("holders"),
        )  # fmt: skip
        entry = [ENTRIES.c[name] for name in ("number", "parent", "seat", "kind", "action", "time", "by")]
        last = sa.select(*entry).where(ENTRIES.c.game == game).order_by(ENTRIES.c.number.desc()).limit(newest)
        return found[0] | {
            "seats": rows(sa.select(*about).where(SEATS.c.game == game).order_by(SEATS.c.seat)),
            "bots": rows(sa.select(BOTS.c.seats, BOTS.c.pause).where(BOTS.c.game == game)),
            "newest": rows(last)[::-1],
        }


def counts(store: Store) -> dict[str, int]:
    """Return how many tables, entries, accounts, devices and pieces of work there are."""
    queries = {
        "tables": sa.select(sa.func.count()).select_from(GAMES),
        "running tables": sa.select(sa.func.count()).where(GAMES.c.finished.is_(False)),
        "entries": sa.select(sa.func.count()).select_from(ENTRIES),
        "seats with links": sa.select(sa.func.count()).select_from(SEATS),
        "accounts": sa.select(sa.func.count()).where(PEOPLE.c.name.is_not(None)),
        "people without a name": sa.select(sa.func.count()).where(PEOPLE.c.name.is_(None)),
        "devices": sa.select(sa.func.count()).select_from(DEVICES),
        "work that is due": sa.select(sa.func.count()).select_from(DUE),
    }
    with store.engine.connect() as connection:
        return {name: int(connection.execute(query).scalar_one()) for name, query in queries.items()}


def newest_change(store: Store) -> float:
    """The time of the newest entry of any table, 0 where there is none."""
    with store.engine.connect() as connection:
        return float(connection.execute(sa.select(sa.func.max(GAMES.c.changed))).scalar() or 0.0)


def database_time(store: Store) -> float:
    """The time by the clock of the database; PostgreSQL alone has one of its own."""
    with store.engine.connect() as connection:
        return float(connection.execute(sa.select(sa.func.extract("epoch", sa.func.now()))).scalar_one())


def hide(store: Store, game: str, *, hidden: bool) -> bool:
    """Take a table off the start page, or list it again; false where there is none of this name."""
    with store.begin() as connection:
        return connection.execute(GAMES.update().where(GAMES.c.id == game).values(hidden=hidden)).rowcount == 1


def end_game(store: Store, game: str) -> bool:
    """End a table as it stands: nobody can move or is waited for any more; false where there is none of this name."""
    with store.begin() as connection:
        store.bump_revision(connection, game)
        found = (
            connection.execute(GAMES.update().where(GAMES.c.id == game).values(ended=True, awaited="")).rowcount == 1
        )
        if found:
            connection.execute(DUE.delete().where(DUE.c.game == game))
            audit(connection, "table_ended", game)
    return found


def jobs_due(store: Store) -> int:
    """Return how much work is due."""
    with store.engine.connect() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(DUE)).scalar_one())


def columns_of_seats() -> set[str]:
    """The names of all tables that say something about a game and a seat."""
    return {str(table.name) for table in META.sorted_tables if "game" in table.c}
