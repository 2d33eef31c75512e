"""Games, their entries and their bots in the database, SQLite or PostgreSQL.

An entry is inserted in one transaction that first raises the game's number, and only if the game still stands where the
writer saw it. So nobody needs to own a game: who loses reads what is new and decides again or answers "stale".
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from trajekt.server.refusals import DeniedError
from trajekt.server.storage import job_queue
from trajekt.server.storage.database import DatabaseError, connect, owner_of, upgrade, writer
from trajekt.server.storage.pubsub import CHANGED
from trajekt.server.storage.result_rows import ResultRow, write
from trajekt.server.storage.schema import BOTS, ENTRIES, GAMES, SETTINGS

PROBE = "probe"  # a setting that is written and removed to see whether the database takes rows
CHANNEL = "trajekt"  # on which the processes of one PostgreSQL tell each other: the game, its number


class StaleError(Exception):
    """Conflict with a game that has moved on; nothing was stored. `number` is where it stands."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the game stands at {number}")
        self.number = number


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A stored game without its entries. `options`, `names` and `set_up` are JSON; times are seconds since 1970."""

    id: str
    title: str
    options: str
    names: str
    seed: int
    ruleset: str
    components: str
    set_up: str
    number: int = 0
    moment: str = ""
    finished: bool = False
    created: float = 0.0
    changed: float = 0.0
    watch_hash: str | None = None
    host: str | None = None
    revision: int = 0
    awaited: str | None = None
    host_seat: int | None = None
    hidden: bool = False
    ended: bool = False
    talk_kept: bool = False
    component_set: str | None = None

    @property
    def seats_awaited(self) -> tuple[int, ...] | None:
        """The seats whose decision is awaited; None where an earlier version has stored the row."""
        return None if self.awaited is None else tuple(int(seat) for seat in self.awaited.split(",") if seat)


def seat_list(seats: Iterable[int]) -> str:
    """Seats as the text of a column, in which one can be searched for as `,SEAT,`."""
    joined = ",".join(map(str, seats))
    return f",{joined}," if joined else ""


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    """A stored entry; `action` and `events` are JSON, `action` empty for an undo or redo."""

    number: int
    parent: int
    seat: int
    kind: str
    action: str
    events: str
    version: int
    time: float = 0.0
    by: str | None = None
    why: str | None = None


class BotsRow(msgspec.Struct, frozen=True, kw_only=True):
    """The bots of a table: `seats` is JSON, the kind of player by seat; `pause` in seconds between two moves."""

    seats: str
    pause: float
    guided: bool = False


LEAST_FREE = 200 * 2**20
"""Bytes of disk below which no new table is made, so that games under way can go on."""


class Store:
    """The database of one server process. Every method is synchronous: call them in a thread."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = connect(url)
        self.writer = writer(self.engine)
        self.shared = self.engine.dialect.name != "sqlite"
        """True where other processes may write to the database; an SQLite file belongs to one."""

    def has_room(self) -> bool:
        """Tell whether the disk of an SQLite file has room for new tables; what is there goes on in what is left."""
        file = self.engine.url.database
        if self.shared or not file or file == ":memory:":
            return True
        return shutil.disk_usage(Path(file).expanduser().parent).free >= LEAST_FREE

    def migrate(self) -> None:
        """Bring the schema to the present version; an empty database gets all of it."""
        upgrade(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    def prove_writable(self) -> None:
        """Write a row and take it back. Raises `DatabaseError` or an error of SQLAlchemy where nothing can be stored."""
        database = self.engine.url.database
        if not self.shared and database and database != ":memory:" and not os.access(database, os.W_OK):
            message = f"{database} cannot be written by this user (it belongs to {owner_of(Path(database))})"
            raise DatabaseError(message)
        with self.begin() as connection:
            connection.execute(SETTINGS.delete().where(SETTINGS.c.name == PROBE))
            connection.execute(SETTINGS.insert().values(name=PROBE, value=str(time.time())))
            connection.execute(SETTINGS.delete().where(SETTINGS.c.name == PROBE))

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """A transaction: all of it is stored when the block ends, nothing if it fails."""
        with self.writer.begin() as connection:
            yield connection

    def bump_revision(self, connection: sa.Connection, game: str, kind: str = CHANGED) -> None:
        """Something changes at a table besides its entries: its revision is raised, other processes are told.

        `kind` is that of `pubsub.py`. Called first in a transaction, it keeps other writers out until its end.
        """
        raised = GAMES.update().where(GAMES.c.id == game).values(revision=GAMES.c.revision + 1)
        connection.execute(raised)
        if self.shared:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{game} {kind}")))

    def create(self, game: GameRow, entries: tuple[EntryRow, ...] = (), results: Sequence[ResultRow] = ()) -> None:
        """Store a new game with the entries that it brings along, all or nothing; a finished one with its results."""
        now = time.time()
        row = msgspec.structs.asdict(game) | {"created": now, "changed": now, "number": len(entries)}
        with self.begin() as connection:
            connection.execute(GAMES.insert().values(row))
            if entries:
                connection.execute(ENTRIES.insert(), [_entry_values(game.id, entry, now) for entry in entries])
            if results:
                write(connection, game.id, results)

    def append(
        self,
        game: str,
        entry: EntryRow,
        *,
        moment: str,
        finished: bool,
        awaited: str | None = None,
        results: Sequence[ResultRow] | None = None,
    ) -> float:
        """Store entry n+1 if the game still stands at n; answers the time that it bears.

        `results` replace those of the game; None leaves them. Raises `StaleError`, KeyError for no such game, `DeniedError` 409
        `ended` where the host of the server has ended it.
        """
        now = time.time()
        raise_number = (
            GAMES.update()
            .where(GAMES.c.id == game, GAMES.c.number == entry.number - 1, GAMES.c.ended.is_(False))
            .values(number=entry.number, changed=now, moment=moment, finished=finished, awaited=awaited)
        )
        with self.begin() as connection:
            if connection.execute(raise_number).rowcount != 1:
                row = connection.execute(sa.select(GAMES.c.number, GAMES.c.ended).where(GAMES.c.id == game)).first()
                if row is None:
                    raise KeyError(game)
                if row[1]:
                    raise DeniedError(409, "ended")
                raise StaleError(int(row[0]))
            connection.execute(ENTRIES.insert().values(_entry_values(game, entry, now)))
            if results is not None:
                write(connection, game, results)
            job_queue.after_entry(connection, game, entry.number, now)
            if self.shared:
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{game} {entry.number}")))
        return entry.time or now

    def number_and_revision(self, game: str) -> tuple[int, int]:
        """The number of the newest entry of a game and its revision; zeros where there is no such game."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(GAMES.c.number, GAMES.c.revision).where(GAMES.c.id == game)).first()
        return (0, 0) if row is None else (int(row[0]), int(row[1]))

    def number(self, game: str) -> int:
        """The number of the newest entry of a game, 0 where there is no such game."""
        with self.engine.connect() as connection:
            return int(connection.execute(sa.select(GAMES.c.number).where(GAMES.c.id == game)).scalar() or 0)

    def game(self, id_: str) -> GameRow | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(GAMES).where(GAMES.c.id == id_)).mappings().first()
        return None if row is None else GameRow(**row)

    def games(self, limit: int = 50, without: str = "") -> list[GameRow]:
        """The games at one screen that moved last, without their larger texts; names that begin like `without` are left out."""
        unlisted = [GAMES.c.watch_hash.is_(None), GAMES.c.hidden.is_(False)] + (
            [GAMES.c.id.not_like(f"{without}%")] if without else []
        )
        heavy = {"set_up", "component_set"}
        columns = [sa.literal("").label(c.name) if c.name in heavy else c for c in GAMES.c]
        with self.engine.connect() as connection:
            rows = (
                connection.execute(sa.select(*columns).where(*unlisted).order_by(GAMES.c.changed.desc()).limit(limit))
                .mappings()
                .all()
            )
        return [GameRow(**row) for row in rows]

    def bots(self, game: str) -> BotsRow | None:
        """The bots of a table; None where only people play."""
        query = sa.select(BOTS.c.seats, BOTS.c.pause, BOTS.c.guided).where(BOTS.c.game == game)
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else BotsRow(**row)

    def assign_bots(self, game: str, bots: BotsRow) -> None:
        """Say which seats of a table bots play, in place of what held so far."""
        with self.begin() as connection:
            self.bump_revision(connection, game)
            connection.execute(BOTS.delete().where(BOTS.c.game == game))
            connection.execute(BOTS.insert().values(msgspec.structs.asdict(bots) | {"game": game}))

    def entries(self, game: str, after: int = 0) -> list[EntryRow]:
        """The entries of a game behind number `after`, in order."""
        columns = [c for c in ENTRIES.c if c.name != "game"]
        query = sa.select(*columns).where(ENTRIES.c.game == game, ENTRIES.c.number > after).order_by(ENTRIES.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return [EntryRow(**row) for row in rows]


def _entry_values(game: str, entry: EntryRow, now: float) -> dict[str, Any]:
    return msgspec.structs.asdict(entry) | {"game": game, "time": entry.time or now}
