"""The clock of a table in the store: its settings, and who wished it to pause or to go on."""

from __future__ import annotations

import time
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.services.clock import Reading, Settings, Word, pauses, readings
from trajekt.server.storage.game_cache import Hot
from trajekt.server.storage.pubsub import STIRRED
from trajekt.server.storage.schema import CLOCK_WORDS, CLOCKS, ENTRIES
from trajekt.server.storage.store import Store


@dataclass(frozen=True, slots=True)
class Clock:
    """A table's clock: `since` is when it was set, `words` are in the order in which they were said."""

    settings: Settings
    since: float
    words: tuple[Word, ...]


def clock_of(store: Store, hot: Hot) -> Clock | None:
    """The clock of a table, None where there is none."""
    return hot.read("clock", lambda: _read(store, hot.id))


def _read(store: Store, game: str) -> Clock | None:
    said = sa.select(CLOCK_WORDS).where(CLOCK_WORDS.c.game == game).order_by(CLOCK_WORDS.c.id)
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(CLOCKS).where(CLOCKS.c.game == game)).mappings().first()
        if row is None:
            return None
        words = tuple(Word(w["seat"], w["wish"], w["time"]) for w in connection.execute(said).mappings())
    return Clock(msgspec.json.decode(row["value"], type=Settings), row["since"], words)


def set_clock(store: Store, game: str, settings: Settings | None) -> None:
    """Give a table a clock that counts from now on, change the budgets of the one that it has, or take it away."""
    with store.begin() as connection:
        store.touched(connection, game, STIRRED)
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
        store.touched(connection, game, STIRRED)


def times_of(store: Store, hot: Hot, number: int) -> list[float]:
    """When the entries up to `number` were made, in seconds since 1970."""
    with hot.lock:
        known = len(hot.times)
        if known < number:
            query = sa.select(ENTRIES.c.time).where(ENTRIES.c.game == hot.id, ENTRIES.c.number > known)
            with store.engine.connect() as connection:
                hot.times.extend(float(t) for t in connection.execute(query.order_by(ENTRIES.c.number)).scalars())
        return hot.times[:number]


@dataclass(frozen=True, slots=True)
class Face:
    """What a clock shows: every seat's reading, whether it is stopped, who wishes it to stop."""

    settings: Settings
    readings: tuple[Reading, ...]
    stopped: bool
    wishing: frozenset[Seat]


def face_of(store: Store, hot: Hot, people: frozenset[Seat], now: float) -> Face | None:
    """A table's clock as it stands; `people` are the seats whose consent a pause needs."""
    clock = clock_of(store, hot)
    if clock is None:
        return None
    with hot.lock:
        game = hot.game.at(hot.game.number)
    stops, wishing = pauses(clock.words, people)
    times = times_of(store, hot, game.number)
    found = readings(game, times, clock.settings, clock.since, stops, now)
    return Face(clock.settings, tuple(found), bool(stops) and stops[-1].end is None, wishing)
