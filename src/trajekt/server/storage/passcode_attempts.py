"""Wrong passcodes by what was guessed at and from where, and how long the next guess has to wait."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.server.refusals import DeniedError
from trajekt.server.storage.schema import PASSCODE_ATTEMPTS
from trajekt.server.storage.store import Store

SLOWEST = 15 * 60.0
"""Seconds: the longest wait for the next guess."""
FORGOTTEN = 24 * 3600.0
"""Seconds without a guess after which the count begins anew."""


def wait_for(wrong: int, free: int, slowest: float = SLOWEST) -> float:
    """Seconds between a wrong guess and the next one."""
    return 0.0 if wrong < free else min(2.0 ** min(wrong - free + 1, 20), slowest)


def count(store: Store, bounds: Mapping[str, tuple[int, float]], now: float) -> None:
    """Count a guess under several keys, each with the guesses that cost nothing and its longest wait.

    Raises `DeniedError` 429 where it comes too early by one of them; it is counted nevertheless where it may pass.
    """
    with store.begin() as connection:
        for key, (free, slowest) in bounds.items():
            _count_one(connection, key, free, slowest, now)


def _count_one(connection: sa.Connection, key: str, free: int, slowest: float, now: float) -> None:
    here = PASSCODE_ATTEMPTS.c.about == key
    counted = PASSCODE_ATTEMPTS.update().where(here).values(wrong=PASSCODE_ATTEMPTS.c.wrong + 1)
    if connection.execute(counted).rowcount == 0:
        try:
            with connection.begin_nested():
                connection.execute(PASSCODE_ATTEMPTS.insert().values(about=key, wrong=1, last=now))
            return
        except IntegrityError:  # another one is the first
            connection.execute(counted)
    wrong, last = connection.execute(sa.select(PASSCODE_ATTEMPTS.c.wrong, PASSCODE_ATTEMPTS.c.last).where(here)).one()
    if now - last > FORGOTTEN:
        wrong = 1
        connection.execute(PASSCODE_ATTEMPTS.update().where(here).values(wrong=1))
    wait = wait_for(wrong - 1, free, slowest)
    left = min(last + wait - now, wait)  # a clock that was set back makes nobody wait longer
    if left > 0:
        seconds = max(1, round(left))
        raise DeniedError(429, "too_many_guesses", {"seconds": str(seconds)}, retry_after=seconds)
    connection.execute(PASSCODE_ATTEMPTS.update().where(here).values(last=now))


def forget(store: Store, key: str) -> None:
    """Begin the count of a key anew."""
    with store.begin() as connection:
        connection.execute(PASSCODE_ATTEMPTS.delete().where(PASSCODE_ATTEMPTS.c.about == key))
