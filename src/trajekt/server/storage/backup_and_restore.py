"""Whole tables as a file: entries, seats, people, talk, everything; to keep them, or to carry them to another database.

The file is gzipped JSON lines: a head with the revision of the schema, then a row a line, parents before children. It is read
into a database of its own, which the migrations bring up to date; so a file of any earlier version can be taken in.
"""

from __future__ import annotations

import contextlib
import gzip
import shutil
import zlib
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import sqlalchemy as sa

from trajekt.records import UNREADABLE
from trajekt.server.storage.database import connect, newest_revision, revision_of, upgrade, writer
from trajekt.server.storage.file_lock import lock_of
from trajekt.server.storage.schema import GAMES, HOLDERS, META, PEOPLE

FORMAT = "trajekt-tables"
VERSION = 1
BLOCK = 2_000  # rows that are read or inserted at a time
WHOLE = frozenset({"settings", "open_tables", "open_seats", "push_subscriptions"})
"""Tables that are kept only with all others."""
PASSING = frozenset({"guesses", "reviews"})
"""Tables that are not worth keeping: their rows lapse, or are made again."""


class ArchiveError(ValueError):
    """A file that cannot be written or taken in; the message says why. Nothing has been changed."""


class Head(msgspec.Struct, frozen=True):
    """The first line of a file: `revision` is that of the schema of the rows."""

    format: str
    version: int
    revision: str
    games: int


class BackupLine(msgspec.Struct, frozen=True):
    """A row of a table."""

    table: str
    row: dict[str, Any]


def written(engine: sa.Engine, file: Path, games: Collection[str] | None = None) -> int:
    """Write all tables, or those named, while others go on playing: one transaction sees one moment. Answers how many.

    Raises `ArchiveError` where a table is not there, before anything is written.
    """
    options: dict[str, Any] = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    revision = revision_of(engine)
    if revision > newest_revision():
        message = f"the database was written by a later version of trajekt (schema {revision}); use that version"
        raise ArchiveError(message)
    with engine.connect().execution_options(**options) as connection, connection.begin():
        here = set(connection.execute(sa.select(GAMES.c.id)).scalars())
        wanted = here if games is None else set(games)
        if missing := sorted(wanted - here):
            message = f"there is no table {missing[0]}"
            raise ArchiveError(message)
        rough = file.with_name(file.name + ".part")
        try:
            rough.unlink(missing_ok=True)
            rough.touch(mode=0o600)  # it holds the signing secret and the addresses of people
            with gzip.open(rough, "wb", compresslevel=6) as out:
                out.write(msgspec.json.encode(Head(FORMAT, VERSION, revision, len(wanted))) + b"\n")
                for line in lines(connection, None if games is None else wanted):
                    out.write(msgspec.json.encode(line) + b"\n")
            replace_with(file, rough)  # never half a file under the name
        except OSError as fault:
            with contextlib.suppress(OSError):
                rough.unlink(missing_ok=True)
            message = f"{file} cannot be written: {fault.strerror or fault}"
            raise ArchiveError(message) from fault
    return len(wanted)


def replace_with(file: Path, rough: Path) -> None:
    """Move a finished file to its place; into a device or a pipe it is written, which nothing replaces."""
    if file.exists() and not file.is_file():
        with rough.open("rb") as source, file.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        rough.unlink()
    else:
        rough.replace(file)


def lines(connection: sa.Connection, games: Collection[str] | None) -> Iterator[BackupLine]:
    """The rows in an order in which they can be inserted: of all tables, or of some games and who plays them."""
    people: set[str] | None = None
    if games is not None:
        held = sa.select(HOLDERS.c.person).where(HOLDERS.c.game.in_(games))
        hosts = sa.select(GAMES.c.host).where(GAMES.c.id.in_(games), GAMES.c.host.is_not(None))
        people = {*connection.execute(held).scalars(), *connection.execute(hosts).scalars()}
    for table in META.sorted_tables:
        if table.name in PASSING or (games is not None and table.name in WHOLE):
            continue
        query = sa.select(table).order_by(*table.primary_key.columns)
        if games is not None and "game" in table.c:
            query = query.where(table.c.game.in_(games))
        elif games is not None and table is GAMES:
            query = query.where(table.c.id.in_(games))
        elif people is not None:
            query = query.where(table.c["id" if table.name == "people" else "person"].in_(people))
        streamed = connection.execution_options(yield_per=BLOCK).execute(query)
        for row in streamed.mappings():
            yield BackupLine(str(table.name), {str(name): value for name, value in row.items()})


def read(file: Path) -> Iterator[Head | BackupLine]:
    """The head and the rows of a file. Raises `ArchiveError` with the number of the line that is torn."""
    number = 0
    try:
        with gzip.open(file, "rb") as source:
            for number, text in enumerate(source, 1):
                yield (
                    msgspec.json.decode(text, type=Head) if number == 1 else msgspec.json.decode(text, type=BackupLine)
                )
    except gzip.BadGzipFile as fault:
        message = f"{file.name} is no file of tables that this version knows"
        raise ArchiveError(message) from fault
    except (*UNREADABLE, EOFError, zlib.error) as fault:
        message = f"{file.name}, line {number + (not isinstance(fault, UNREADABLE))}: {fault}"
        raise ArchiveError(message) from fault
    if not number:
        message = f"{file.name} is empty"
        raise ArchiveError(message)


def taken_in(engine: sa.Engine, file: Path) -> int:
    """Take the tables of a file into a database, all or none; answers how many. The database is migrated first.

    Raises `ArchiveError` where the file is torn, from a later version, or brings a table that is there already, and
    `DatabaseError` while a server runs on the SQLite file.
    """
    lock = lock_of(engine)
    if lock is not None:
        lock.take("restore")
    try:
        return _taken_in(engine, file)
    finally:
        if lock is not None:
            lock.release()


def _taken_in(engine: sa.Engine, file: Path) -> int:
    with TemporaryDirectory() as folder:
        own = connect(f"sqlite:///{Path(folder) / 'file.db'}")
        try:
            unpack(own, file)
            upgrade(own)
            upgrade(engine)
            with own.connect() as source, writer(engine).begin() as target:
                return copied(source, target)
        finally:
            own.dispose()


def unpack(own: sa.Engine, file: Path) -> None:
    """The rows of a file in a database of their own, at the revision of the file."""
    found = read(file)
    head = head_of(found, file.name)
    try:
        upgrade(own, head.revision)
    except Exception as fault:
        message = f"{file.name} was written by a later version (schema {head.revision})"
        raise ArchiveError(message) from fault
    known = sa.MetaData()
    known.reflect(own)
    try:
        with writer(own).begin() as connection:
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            for table, rows in blocks(found, file.name, set(known.tables)):
                connection.execute(known.tables[table].insert(), rows)
    except (sa.exc.SQLAlchemyError, OverflowError) as fault:
        message = f"{file.name}: rows that do not fit ({getattr(fault, 'orig', fault)})"
        raise ArchiveError(message) from fault


def head_of(found: Iterator[Head | BackupLine], name: str) -> Head:
    """The head of a file, taken off its rows. Raises `ArchiveError` where the file is no backup that this version knows."""
    head = next(found)
    if not isinstance(head, Head) or head.format != FORMAT or head.version > VERSION:
        message = f"{name} is no file of tables that this version knows"
        raise ArchiveError(message)
    return head


def blocks(
    found: Iterator[Head | BackupLine], name: str, known: Collection[str]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of a file in blocks of one table and the same columns. Raises `ArchiveError` for a row of no known table."""
    table, rows = "", list[dict[str, Any]]()
    for line in found:
        if not isinstance(line, BackupLine) or line.table not in known or line.table == "alembic_version":
            message = f"{name}: a row of no table of this version"
            raise ArchiveError(message)
        if rows and (line.table != table or len(rows) >= BLOCK or line.row.keys() != rows[0].keys()):
            yield table, rows
            rows = []
        table = line.table
        rows.append(line.row)
    if rows:
        yield table, rows


def copied(source: sa.Connection, target: sa.Connection) -> int:
    """All rows of one database in another of the same schema; people and settings that are there already stay.

    A person whose name is taken there comes in without a name and passcode and keeps the seats, by their links and devices.
    """
    games = set(source.execute(sa.select(GAMES.c.id)).scalars())
    here = set(target.execute(sa.select(GAMES.c.id)).scalars()) & games
    if here:
        message = f"the table {min(here)} is there already"
        raise ArchiveError(message)
    for table in META.sorted_tables:
        if table.name not in PASSING:
            rows = rows_to_copy(source, target, table)
            while block := list(islice(rows, BLOCK)):
                target.execute(table.insert(), block)
    return len(games)


def rows_to_copy(source: sa.Connection, target: sa.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table as they come into another database, without those of people and settings that are there."""
    numbered = [c.name for c in table.primary_key.columns if c.name == "id" and isinstance(c.type, sa.Integer)]
    shared = table.name in WHOLE or ("game" not in table.c and table is not GAMES)
    taken = set(target.execute(sa.select(PEOPLE.c.folded)).scalars()) if table is PEOPLE else set()
    for row in source.execute(sa.select(table).order_by(*table.primary_key.columns)).mappings():
        values = {str(name): value for name, value in row.items() if name not in numbered}
        if shared and not numbered and there(target, table, row):
            continue
        if values.get("folded") in taken and table is PEOPLE:
            values |= {"name": None, "folded": None, "passcode_hash": None}
        yield values


def there(target: sa.Connection, table: sa.Table, row: Mapping[Any, Any]) -> bool:
    """Tell whether a database has a row with this key."""
    same = [column == row[column.name] for column in table.primary_key.columns]
    return target.execute(sa.select(sa.literal(1)).select_from(table).where(*same)).first() is not None
