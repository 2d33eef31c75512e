"""Passcodes: kept as argon2 hashes, and guessed at ever more slowly."""

from __future__ import annotations

import threading
import time

import argon2
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.server.denials import DeniedError
from trajekt.server.storage.schema import PASSCODE_ATTEMPTS
from trajekt.server.storage.store import Store

SHORTEST, LONGEST = 4, 128  # characters of a passcode
FREE = 5  # wrong guesses in a row that cost nothing
FROM_ONE_PLACE = 50  # wrong guesses in a row from one address that cost nothing, whoever they are about
SLOWEST = 15 * 60.0  # seconds: the longest wait for the next guess

# the parameters that OWASP names for 19 MiB: about 20 ms here, and a handful at once do not fill the memory
HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
AT_ONCE = threading.BoundedSemaphore(4)
NOBODY = HASHER.hash("nobody has this passcode")
"""Compared with where there is nothing to compare with, so that the answer takes as long."""


def hashed(passcode: str) -> str:
    """What is kept of a passcode. Raises `DeniedError` where it is too short or too long."""
    if not SHORTEST <= len(passcode) <= LONGEST:
        raise DeniedError(400, "passcode", {"low": str(SHORTEST), "high": str(LONGEST)})
    with AT_ONCE:
        return HASHER.hash(passcode)


def wait_for(wrong: int, free: int) -> float:
    """Seconds between a wrong guess and the next one."""
    return 0.0 if wrong < free else min(2.0 ** min(wrong - free + 1, 20), SLOWEST)


def check(store: Store, about: str, address: str, kept: str | None, passcode: str) -> None:
    """Compare a passcode. `about` is what it opens, `address` where the guess comes from.

    A guess is counted before it is looked at, so many at once are no more than one after the other. Raises `DeniedError`
    with 403 `wrong_passcode`, or 429 `too_many_guesses` and the seconds to wait.
    """
    now = time.time()
    keys = {about[:200]: FREE, f"from {address}"[:200]: FROM_ONE_PLACE}
    with store.begin() as connection:
        for key, free in keys.items():
            one_more(connection, key, free, now)
    with AT_ONCE:
        try:
            HASHER.verify(kept or NOBODY, passcode[: LONGEST + 1])
            right = kept is not None
        except argon2.exceptions.VerificationError:
            right = False
    if not right:
        raise DeniedError(403, "wrong_passcode")
    with store.begin() as connection:
        connection.execute(PASSCODE_ATTEMPTS.delete().where(PASSCODE_ATTEMPTS.c.about.in_(keys)))


def one_more(connection: sa.Connection, about: str, free: int, now: float) -> None:
    """Count a guess, or refuse it where it comes too early."""
    counted = (
        PASSCODE_ATTEMPTS.update().where(PASSCODE_ATTEMPTS.c.about == about).values(wrong=PASSCODE_ATTEMPTS.c.wrong + 1)
    )
    if connection.execute(counted).rowcount == 0:
        try:
            with connection.begin_nested():
                connection.execute(PASSCODE_ATTEMPTS.insert().values(about=about, wrong=1, last=now))
            return
        except IntegrityError:  # another one is the first
            connection.execute(counted)
    wrong, last = connection.execute(
        sa.select(PASSCODE_ATTEMPTS.c.wrong, PASSCODE_ATTEMPTS.c.last).where(PASSCODE_ATTEMPTS.c.about == about)
    ).one()
    left = last + wait_for(wrong - 1, free) - now
    if left > 0:
        seconds = max(1, round(left))
        raise DeniedError(429, "too_many_guesses", {"seconds": str(seconds)}, retry_after=seconds)
    connection.execute(PASSCODE_ATTEMPTS.update().where(PASSCODE_ATTEMPTS.c.about == about).values(last=now))
