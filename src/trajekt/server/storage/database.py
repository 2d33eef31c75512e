"""Connections to the database: SQLite or PostgreSQL, with the settings that the store relies on, and its migrations."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

MIGRATIONS = Path(__file__).parent / "migrations"
WRITING = "trajekt_writing"
"""The execution option of a connection whose transactions may write."""


class DatabaseError(Exception):
    """A database that cannot be used; the message says why and what to do."""


def url_of(named: str) -> URL:
    """The address of a database: a URL, or the plain path of an SQLite file. `postgres://` means `postgresql://`."""
    if "://" not in named:
        return URL.create("sqlite", database=str(Path(named).expanduser()))
    parsed = make_url(named)
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed


def shown(named: str) -> str:
    """The address of a database without its password, to be printed or logged."""
    return url_of(named).render_as_string(hide_password=True).replace("postgresql+psycopg://", "postgresql://")


def connect(url: str) -> sa.Engine:
    """An engine; makes the folder of an SQLite file, and the file itself readable by its owner alone.

    Raises `DatabaseError` where the file is closed to this user.
    """
    parsed = url_of(url)
    if parsed.get_backend_name() != "sqlite":
        return sa.create_engine(parsed, pool_size=10, pool_recycle=1800)
    if parsed.database and parsed.database != ":memory:":
        file = Path(parsed.database).expanduser()
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True, mode=0o700)
        if not file.exists():
            file.touch(mode=0o600)
            give_to_owner_of_folder(file)
        elif not os.access(file, os.R_OK):
            message = f"{file} cannot be read by this user (it belongs to {owner_of(file)})"
            raise DatabaseError(message)
    engine = sa.create_engine(parsed, connect_args={"timeout": 10, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _settings(raw: Any, record: Any) -> None:
        record.info["pool"] = engine.pool
        raw.isolation_level = None  # transactions begin where SQLAlchemy says so, schema changes included
        cursor = raw.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine, "checkin")
    def _closed_late(_raw: Any, record: Any) -> None:
        # who was at work while the database was closed hands a connection back to a pool that nobody will ever close
        if record.info.get("pool") is not engine.pool:
            record.close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # who reads first and writes later must hold the lock from the start, or fails where another has written meanwhile
        writing = connection.get_execution_options().get(WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def owner_of(file: Path) -> str:
    """The user to whom a file belongs, by number where the system has no name."""
    try:
        return file.owner()
    except (KeyError, NotImplementedError):
        return str(file.stat().st_uid)


def give_to_owner_of_folder(file: Path) -> None:
    """Let a file that root has made belong to the user of its folder, who must write it as the server."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


def writer(engine: sa.Engine) -> sa.Engine:
    """Return the database for transactions that may write."""
    return engine.execution_options(**{WRITING: True})


def revision_of(engine: sa.Engine) -> str:
    """The revision of a database's schema, empty where it has none yet."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return ""
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return str(found or "")


def known_revisions() -> list[str]:
    """The revisions of the schema that this version of the program knows, oldest first, by the names of their files."""
    return sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))


def newest_revision() -> str:
    """The revision of the schema that this version of the program knows."""
    return known_revisions()[-1]


def upgrade(engine: sa.Engine, revision: str = "head") -> None:
    """Migrate a database to a revision, one process after the other.

    Alembic is loaded only where there is something to do: it takes as long as the rest of a start.

    Raises `DatabaseError` where a later version has written the database.
    """
    known = known_revisions()
    wanted = known[-1] if revision == "head" else revision
    if revision_of(engine) == wanted:
        return
    with writer(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(8018)"))
        if sa.inspect(connection).has_table("alembic_version"):
            stands = str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or "")
            if stands and stands not in known:
                message = (
                    f"the database was written by a later version of trajekt (schema {stands}, this one knows "
                    f"{known[-1]}): install that version, or restore the backup made before"
                )
                raise DatabaseError(message)
        _migrate(connection, wanted)


def _migrate(connection: sa.Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
