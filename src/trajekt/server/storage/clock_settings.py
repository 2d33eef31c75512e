"""The clock of a table in the store: its settings, and who wished it to pause or to go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.cached_game import CachedGame, PerRevision
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import CLOCK_WORDS, CLOCKS
from trajekt.server.storage.store import Store

Seconds = Annotated[int, msgspec.Meta(ge=0, le=366 * 24 * 3600)]
PenaltyRate = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class ClockSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock. `game`, `stock` and `operating` in seconds; `rate` in Mark for each minute begun over the budget.

    `cash` takes the penalty from the cash that a player has at the end, and no more than that; `score` from his total.
    """

    game: Seconds
    stock: Seconds = 0
    operating: Seconds = 0
    penalty: Literal["none", "cash", "score"] = "none"
    rate: PenaltyRate = 0


@dataclass(frozen=True, slots=True)
class ClockVote:
    """A vote about the clock, with its time: a seat wants to `pause`, or to go `on`."""

    seat: Seat
    wish: str
    time: float


@dataclass(frozen=True, slots=True)
class Clock:
    """A table's clock: `since` is when it was set, `votes` in the order in which they were cast."""

    settings: ClockSettings
    since: float
    votes: tuple[ClockVote, ...]


CLOCK = PerRevision[Clock | None]()


def clock_of(store: Store, cached: CachedGame) -> Clock | None:
    """The clock of a table, None where there is none."""
    return CLOCK.get(cached, lambda: _read(store, cached.id))


def _read(store: Store, game: str) -> Clock | None:
    votes_cast = sa.select(CLOCK_WORDS).where(CLOCK_WORDS.c.game == game).order_by(CLOCK_WORDS.c.id)
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(CLOCKS).where(CLOCKS.c.game == game)).mappings().first()
        if row is None:
            return None
        votes = tuple(ClockVote(w["seat"], w["wish"], w["time"]) for w in connection.execute(votes_cast).mappings())
    return Clock(msgspec.json.decode(row["value"], type=ClockSettings), row["since"], votes)


def set_clock(store: Store, game: str, settings: ClockSettings | None) -> None:
    """Give a table a clock that counts from now on, change the budgets of the one that it has, or take it away."""
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        found = connection.execute(sa.select(CLOCKS.c.since).where(CLOCKS.c.game == game)).scalar()
        connection.execute(CLOCKS.delete().where(CLOCKS.c.game == game))
        if settings is None:
            connection.execute(CLOCK_WORDS.delete().where(CLOCK_WORDS.c.game == game))
        else:
            value = msgspec.json.encode(settings).decode()
            since = time.time() if found is None else found
            connection.execute(CLOCKS.insert().values(game=game, value=value, since=since))


def wish(store: Store, game: str, seats: tuple[Seat, ...], what: str) -> None:
    """Seats wish the clock to `pause`, or to go `on`."""
    now = time.time()
    with store.begin() as connection:
        for seat in seats:
            connection.execute(CLOCK_WORDS.insert().values(game=game, seat=seat, wish=what, time=now))
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
