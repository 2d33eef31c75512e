"""Tables with open seats in the store: who offers them, who has sat down, which the lobby lists.

A row stays for a day after the game has begun, so that whoever waits at its page is led on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from trajekt.server.storage.audit import audit
from trajekt.server.storage.pubsub import CHANGED
from trajekt.server.storage.schema import OPEN_SEATS, OPEN_TABLES
from trajekt.server.storage.store import CHANNEL, Store

LOBBY = "lobby"
"""The name under which open pages of the lobby are told that something is new."""
DAY = 24 * 3600.0
LIVE_AGE = 6 * 3600.0
"""Seconds without anybody sitting down after which a table for a live game ends."""
STARTED_AGE = DAY
"""Seconds for which a row stays after the game has begun."""


class SeatTakenError(Exception):
    """A seat that cannot be taken, or left: `code` says why ("open_gone", "open_started", "open_full", "open_moved")."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class OpenSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A person at an open table; `since` in seconds since 1970."""

    open_table: str
    person: str
    name: str
    language: str = ""
    since: float = 0.0


class OpenTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table with open seats. `options` is JSON; `pace` in moves a week, 0 for live; times in seconds since 1970.

    `component_set` is the file of the set with which it will be played, empty in a list; `set_name` its name and version.
    """

    id: str
    title: str
    options: str
    least: int
    most: int
    pace: int
    language: str
    sentence: str
    listed: bool
    accounts: bool
    host: str
    taken: int = 0
    revision: int = 0
    created: float = 0.0
    changed: float = 0.0
    game: str | None = None
    component_set: str = ""
    set_name: str = ""


LISTED = [column for column in OPEN_TABLES.c if column.name != "component_set"]
"""The columns of a list, without the file of a set, which may be long."""


class LobbyFilter(msgspec.Struct, frozen=True):
    """Filter of the lobby: each field leaves out what does not fit, empty or 0 leaves nothing out.

    `pace` is "live" or "week", `seats` how many must be free.
    """

    game: str = ""
    pace: str = ""
    language: str = ""
    seats: int = 0


def add(store: Store, row: OpenTable, seat: OpenSeat) -> None:
    """Store an open table at which its host sits."""
    now = time.time()
    made = msgspec.structs.asdict(row) | {"taken": 1, "created": now, "changed": now}
    with store.begin() as connection:
        connection.execute(OPEN_TABLES.insert().values(made))
        connection.execute(OPEN_SEATS.insert().values(msgspec.structs.asdict(seat) | {"since": now}))
        audit(connection, "open_table_made", person=row.host)
        _tell(store, connection, row.id)


def _tell(store: Store, connection: sa.Connection, table: str) -> None:
    """Tell other processes that something has changed at an open table."""
    if store.shared:
        for name in (LOBBY, table):
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{name} {CHANGED}")))


def _seats(connection: sa.Connection, tables: Sequence[str]) -> dict[str, tuple[OpenSeat, ...]]:
    query = sa.select(OPEN_SEATS).where(OPEN_SEATS.c.open_table.in_(tables))
    found: dict[str, tuple[OpenSeat, ...]] = {}
    for row in connection.execute(query.order_by(OPEN_SEATS.c.since, OPEN_SEATS.c.name)).mappings():
        seat = OpenSeat(**row)
        found[seat.open_table] = (*found.get(seat.open_table, ()), seat)
    return found


def find(store: Store, table: str) -> tuple[OpenTable, tuple[OpenSeat, ...]] | None:
    """An open table and who sits there, in the order in which they sat down; None where there is none."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(OPEN_TABLES).where(OPEN_TABLES.c.id == table)).mappings().first()
        return None if row is None else (OpenTable(**row), _seats(connection, [table]).get(table, ()))


def listed(
    store: Store, wanted: LobbyFilter, limit: int, offset: int = 0
) -> list[tuple[OpenTable, tuple[OpenSeat, ...]]]:
    """The open tables that a lobby shows, the newest first, each with who sits there."""
    columns = OPEN_TABLES.c
    where = [columns.listed.is_(True), columns.game.is_(None), columns.taken < columns.most]
    if wanted.game:
        where.append(columns.title == wanted.game)
    if wanted.pace:
        where.append(columns.pace == 0 if wanted.pace == "live" else columns.pace > 0)
    if wanted.language:
        where.append(columns.language.in_(("", wanted.language)))
    if wanted.seats:
        where.append(columns.most - columns.taken >= wanted.seats)
    query = sa.select(*LISTED).where(*where).order_by(columns.created.desc(), columns.id)
    return _with_seats(store, query.limit(limit).offset(offset))


def _with_seats(store: Store, query: sa.Select[tuple[object, ...]]) -> list[tuple[OpenTable, tuple[OpenSeat, ...]]]:
    with store.engine.connect() as connection:
        rows = [OpenTable(**row) for row in connection.execute(query).mappings()]
        seats = _seats(connection, [row.id for row in rows]) if rows else {}
    return [(row, seats.get(row.id, ())) for row in rows]


def of_person(store: Store, person: str, limit: int = 50) -> list[tuple[OpenTable, tuple[OpenSeat, ...]]]:
    """The open tables at which a person waits, the newest first."""
    mine = sa.select(OPEN_SEATS.c.open_table).where(OPEN_SEATS.c.person == person)
    query = sa.select(*LISTED).where(OPEN_TABLES.c.id.in_(mine), OPEN_TABLES.c.game.is_(None))
    return _with_seats(store, query.order_by(OPEN_TABLES.c.created.desc()).limit(limit))


def all_open(store: Store, limit: int) -> list[tuple[OpenTable, tuple[OpenSeat, ...]]]:
    """All open tables, those by link alone too, the newest first: for the host of the server."""
    query = sa.select(*LISTED).where(OPEN_TABLES.c.game.is_(None))
    return _with_seats(store, query.order_by(OPEN_TABLES.c.created.desc()).limit(limit))


def counts(store: Store, person: str) -> tuple[int, int, int]:
    """The numbers of open tables: those that a person offers, those where they wait, and all."""
    waiting = OPEN_TABLES.c.game.is_(None)
    count = sa.select(sa.func.count())
    mine = sa.select(OPEN_SEATS.c.open_table).where(OPEN_SEATS.c.person == person)
    with store.engine.connect() as connection:
        return (
            int(connection.execute(count.where(waiting, OPEN_TABLES.c.host == person)).scalar_one()),
            int(connection.execute(count.where(waiting, OPEN_TABLES.c.id.in_(mine))).scalar_one()),
            int(connection.execute(count.where(waiting)).scalar_one()),
        )


def _still_open(connection: sa.Connection, table: str, change: int) -> OpenTable:
    """Lock an open table and raise its revision; `change` is how many more sit there. Raises `SeatTakenError`."""
    columns = OPEN_TABLES.c
    raised = OPEN_TABLES.update().where(
        columns.id == table, columns.game.is_(None), columns.taken + change <= columns.most
    )
    values = {"taken": columns.taken + change, "revision": columns.revision + 1, "changed": time.time()}
    done = connection.execute(raised.values(values)).rowcount
    row = connection.execute(sa.select(OPEN_TABLES).where(columns.id == table)).mappings().first()
    if row is None:
        raise SeatTakenError("open_gone")
    found = OpenTable(**row)
    if not done:
        raise SeatTakenError("open_full" if found.game is None else "open_started")
    return found


def sit(store: Store, seat: OpenSeat, revision: int) -> None:
    """Let a person sit down at a table whose seats were looked at when it stood at `revision`.

    Raises `SeatTakenError`, and nothing is changed; "open_moved" where somebody sat down or left meanwhile.
    """
    with store.begin() as connection:
        if _still_open(connection, seat.open_table, 1).revision != revision + 1:
            raise SeatTakenError("open_moved")
        connection.execute(OPEN_SEATS.insert().values(msgspec.structs.asdict(seat) | {"since": time.time()}))
        audit(connection, "open_seat_taken", person=seat.person)
        _tell(store, connection, seat.open_table)


def leave(store: Store, table: str, person: str) -> None:
    """Let a person go. Raises `SeatTakenError` where the game has begun; who does not sit there changes nothing."""
    with store.begin() as connection:
        _leave(connection, table, person)
        _tell(store, connection, table)


def _leave(connection: sa.Connection, table: str, person: str) -> None:
    mine = OPEN_SEATS.c.open_table == table, OPEN_SEATS.c.person == person
    if connection.execute(sa.select(OPEN_SEATS.c.name).where(*mine)).first() is None:
        return
    _still_open(connection, table, -1)
    connection.execute(OPEN_SEATS.delete().where(*mine))
    audit(connection, "open_seat_left", person=person)


def end(store: Store, table: str) -> bool:
    """Take an open table away before its game has begun; false where there is none."""
    with store.begin() as connection:
        gone = OPEN_TABLES.delete().where(OPEN_TABLES.c.id == table, OPEN_TABLES.c.game.is_(None))
        done = connection.execute(gone).rowcount == 1
        _tell(store, connection, table)
    return done


def begin(store: Store, row: OpenTable, game: str) -> bool:
    """Note down which game an open table has become; false where somebody sat down, left or began it meanwhile."""
    same = OPEN_TABLES.c.id == row.id, OPEN_TABLES.c.game.is_(None), OPEN_TABLES.c.revision == row.revision
    with store.begin() as connection:
        values = {"game": game, "listed": False, "changed": time.time()}
        done = connection.execute(OPEN_TABLES.update().where(*same).values(values)).rowcount == 1
        _tell(store, connection, row.id)
    return done


def withdraw(connection: sa.Connection, person: str) -> None:
    """Take away the open tables of a person, and let them leave those of others."""
    connection.execute(OPEN_TABLES.delete().where(OPEN_TABLES.c.host == person))
    for table in list(
        connection.execute(sa.select(OPEN_SEATS.c.open_table).where(OPEN_SEATS.c.person == person)).scalars()
    ):
        seated = OPEN_TABLES.update().where(OPEN_TABLES.c.id == table)
        connection.execute(seated.values(taken=OPEN_TABLES.c.taken - 1, revision=OPEN_TABLES.c.revision + 1))
    connection.execute(OPEN_SEATS.delete().where(OPEN_SEATS.c.person == person))


def move(connection: sa.Connection, before: str, after: str) -> None:
    """Give the open tables and seats of a person to another; where both sit, one seat becomes free."""
    both = set(connection.execute(sa.select(OPEN_SEATS.c.open_table).where(OPEN_SEATS.c.person == after)).scalars())
    connection.execute(OPEN_TABLES.update().where(OPEN_TABLES.c.host == before).values(host=after))
    for table in both:
        mine = OPEN_SEATS.c.open_table == table, OPEN_SEATS.c.person == before
        if connection.execute(OPEN_SEATS.delete().where(*mine)).rowcount:
            seated = OPEN_TABLES.update().where(OPEN_TABLES.c.id == table)
            connection.execute(seated.values(taken=OPEN_TABLES.c.taken - 1, revision=OPEN_TABLES.c.revision + 1))
    connection.execute(OPEN_SEATS.update().where(OPEN_SEATS.c.person == before).values(person=after))


def expire(store: Store, now: float, days: int) -> list[str]:
    """End open tables where nobody has sat down for long: live ones after `LIVE_AGE`, others after `days` days (0: never).

    Answers their names; rows of games that have begun go as well.
    """
    columns = OPEN_TABLES.c
    begun = sa.and_(columns.game.is_not(None), columns.changed < now - STARTED_AGE)
    idle = sa.and_(columns.pace > 0, columns.changed < now - days * DAY)
    live = sa.and_(columns.pace == 0, columns.changed < now - min(LIVE_AGE, days * DAY))
    lapsed = sa.or_(begun, sa.and_(columns.game.is_(None), sa.or_(idle, live))) if days else begun
    with store.begin() as connection:
        gone = list(connection.execute(sa.select(columns.id).where(lapsed)).scalars())
        for table in gone:
            connection.execute(OPEN_TABLES.delete().where(columns.id == table))
            _tell(store, connection, table)
    return gone
