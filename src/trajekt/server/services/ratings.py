"""Ratings of people by their finished games, bots beside them: Weng-Lin (Plackett-Luce) by the library openskill.

All games are rated again, oldest first, whenever the list is older than `STALE`: so an undo, a deletion or a ban leaves nothing
behind, and nothing is stored.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from trajekt.server.storage import results
from trajekt.server.storage.results import RatedSeat
from trajekt.server.storage.store import Store

STALE = 600.0
"""Seconds after which ratings are reckoned anew."""
BOT = "bot:"
"""Beginning of the key of a kind of bot."""


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's rating: `mean` and `deviation` of the estimated strength (25 and 25/3 before the first game).

    `value` is what the list is ordered by: the mean less three deviations. `bot`: the name is that of a kind of bot.
    """

    name: str
    bot: bool
    games: int
    mean: float
    deviation: float
    value: float


def rated(games: Iterable[tuple[RatedSeat, ...]]) -> tuple[PlayerRating, ...]:
    """Ratings after games, oldest first; the best first.

    A game counts for those who are known: people with an account and bots, two at least, one of them a person, none of
    them at two seats. Anonymous players are left out of the order.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    strength: dict[str, Any] = {}
    played: dict[str, int] = {}
    names: dict[str, str] = {}
    for seats in games:
        known = [seat for seat in seats if seat.key]
        people = [seat.key for seat in known if not seat.key.startswith(BOT)]
        if len(known) < 2 or not people or len(set(people)) < len(people):
            continue
        before = [[strength.get(seat.key) or model.rating()] for seat in known]
        after = model.rate(before, ranks=[float(seat.rank) for seat in known])
        for seat, (new,) in zip(known, after, strict=True):
            if seat.key.startswith(BOT) and [each.key for each in known].count(seat.key) > 1:
                continue  # a kind that played several seats has no one place
            strength[seat.key], names[seat.key] = new, seat.name
            played[seat.key] = played.get(seat.key, 0) + 1
    found = (
        PlayerRating(names[key], key.startswith(BOT), played[key], each.mu, each.sigma, each.ordinal())
        for key, each in strength.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.value, each.name)))


@dataclass(eq=False, slots=True)
class Ratings:
    """The ratings of a server."""

    store: Store
    known: tuple[PlayerRating, ...] = ()
    reckoned: float = field(default=-STALE)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> tuple[PlayerRating, ...]:
        """The ratings, at most `STALE` seconds old."""
        with self.lock:
            if time.monotonic() - self.reckoned >= STALE:
                self.known = rated(results.rated_games(self.store))
                self.reckoned = time.monotonic()
            return self.known
