"""A lock on an SQLite file: one server process at a time, and the second is told where the first is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from trajekt.server.storage.database import DatabaseError, give_to_owner_of_folder


class FileLock:
    """The lock of a database file, held until `release` or the end of the process."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._held: IO[str] | None = None

    def take(self, told: str) -> None:
        """Take the lock; `told` is what the next one reads. Raises `DatabaseError` where a server has it."""
        fresh = not self.file.exists()
        held = os.fdopen(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600), "r+")
        if fresh:
            give_to_owner_of_folder(self.file)
        try:
            _lock(held)
        except OSError as taken:
            where = held.read(200).strip()
            held.close()
            message = (
                f"a server runs on this database already ({where}); stop it first"
                if where
                else "a server runs on this database already; stop it first"
            )
            raise DatabaseError(message) from taken
        held.seek(0)
        held.truncate()
        held.write(told)
        held.flush()
        self._held = held

    def release(self) -> None:
        """Give the lock back."""
        if self._held is not None:
            self._held.close()
            self._held = None


def _lock(held: IO[str]) -> None:
    """Lock an open file without waiting. Raises OSError where another process has it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # there only
    else:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_of(engine: sa.Engine) -> FileLock | None:
    """The lock that belongs to a database; None for one that several processes may serve."""
    database = engine.url.database
    if engine.dialect.name != "sqlite" or not database or database == ":memory:":
        return None
    return FileLock(Path(database).expanduser().with_name(Path(database).name + ".lock"))
