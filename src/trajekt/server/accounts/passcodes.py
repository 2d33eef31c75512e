"""Passcodes: kept as argon2 hashes, and guessed at ever more slowly."""

from __future__ import annotations

import threading
import time
from functools import cache

import argon2

from trajekt.server.refusals import DeniedError
from trajekt.server.storage.passcode_attempts import SLOWEST, count, forget
from trajekt.server.storage.store import Store

SHORTEST, LONGEST = 4, 128  # characters of a passcode
FREE = 5  # wrong guesses in a row that cost nothing
FROM_ONE_PLACE = 50  # guesses a day from one network that cost nothing, whoever they are about
FROM_ALL_PLACES = 200  # guesses a day about one account or seat that cost nothing, wherever they come from
SLOWEST_ELSEWHERE = 60.0  # seconds: the longest wait that guesses of others can cost

# the parameters that OWASP names for 19 MiB: about 20 ms here, and a handful at once do not fill the memory
HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
AT_ONCE = threading.BoundedSemaphore(4)


@cache
def nobody() -> str:
    """A hash to compare with where there is nothing to compare with, so that the answer takes as long."""
    return HASHER.hash("nobody has this passcode")


def hashed(passcode: str) -> str:
    """Return what is kept of a passcode. Raises `DeniedError` where it is too short or too long."""
    if not SHORTEST <= len(passcode) <= LONGEST:
        raise DeniedError(400, "passcode", {"low": str(SHORTEST), "high": str(LONGEST)})
    with AT_ONCE:
        return HASHER.hash(passcode)


def check(
    store: Store, about: str, address: str, stored: str | None, passcode: str, *, known_device: bool = False
) -> None:
    """Compare a passcode. `about` is what it opens, `address` the network from which the guess comes.

    A guess is counted before it is looked at, so many at once are no more than one after the other. Guesses from elsewhere slow
    the owner down by `SLOWEST_ELSEWHERE` at most, and a `known_device` not at all. Raises `DeniedError` with 403
    `wrong_passcode`, or 429 `too_many_guesses` and the seconds to wait.
    """
    now = time.time()
    here = f"{about} {address}"[:200]
    bounds = {here: (FREE, SLOWEST), f"from {address}"[:200]: (FROM_ONE_PLACE, SLOWEST)}
    if not known_device:
        bounds[about[:200]] = (FROM_ALL_PLACES, SLOWEST_ELSEWHERE)
    count(store, bounds, now)
    with AT_ONCE:
        try:
            HASHER.verify(stored or nobody(), passcode[: LONGEST + 1])
            right = stored is not None
        except argon2.exceptions.VerificationError:
            right = False
    if not right:
        raise DeniedError(403, "wrong_passcode")
    forget(store, here)  # the count of the network stays: one's own success buys no guesses at others
