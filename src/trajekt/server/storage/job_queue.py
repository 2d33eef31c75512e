"""Work that is due: a row for each thing that one process must do, stored together with what sets it off.

A job is taken for a while (`LEASE`); who dies over it leaves it to the next, so everything is done at least once. On PostgreSQL
several processes take jobs side by side without waiting for each other.
"""

from __future__ import annotations

import logging

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.database import writer
from trajekt.server.storage.schema import BOTS, DEVICES, DUE, GAMES, HOLDERS, ORDERS, PUSH_SUBSCRIPTIONS, SEATS

LOG = logging.getLogger("trajekt.server")
TURN, NOTICE, PLAY = "turn", "notice", "play"
STALLED = 100  # tables that are noted down in one transaction
APART = 0.2  # seconds between two of them, so that a server that starts has time for its viewers
LEASE = 90.0  # seconds until another may take what was not done; longer than any sending may last
TRIES = 8
FIRST_PAUSE, LONGEST_PAUSE = 15.0, 3600.0  # seconds before a second try, and at most before any


class Job(msgspec.Struct, frozen=True):
    """A piece of work: `payload` is JSON, `tries` counts this one."""

    id: int
    game: str
    kind: str
    payload: str
    tries: int


def is_called(game: str | sa.ColumnElement[str], seat: Seat | None = None) -> sa.ColumnElement[bool]:
    """Return the condition that a device is called for a table, or for one seat of it."""
    held = HOLDERS.c.seat >= 0 if seat is None else HOLDERS.c.seat == seat
    joined = sa.join(HOLDERS, DEVICES, DEVICES.c.person == HOLDERS.c.person).join(
        PUSH_SUBSCRIPTIONS, PUSH_SUBSCRIPTIONS.c.device == DEVICES.c.key_hash
    )
    return sa.exists(sa.select(1).select_from(joined).where(HOLDERS.c.game == game, held))


def _waits() -> sa.ColumnElement[bool]:
    """Return the condition that somebody has left word at a table: an instruction, an address, a device that is called."""
    game = sa.bindparam("table", type_=sa.String)
    reached = sa.or_(SEATS.c.mail.is_not(None), SEATS.c.hook.is_not(None))
    return sa.or_(
        sa.exists().where(ORDERS.c.game == game),  # one that has ended may hold again after an undo
        sa.exists().where(SEATS.c.game == game, reached),
        is_called(game),
    )


AFTER_ENTRY = DUE.insert().from_select(
    ["game", "kind", "payload", "at", "tries"],
    sa.select(
        sa.bindparam("table", type_=sa.String),
        sa.literal(TURN),
        sa.bindparam("word", type_=sa.Text),
        sa.bindparam("now", type_=sa.Float),
        sa.literal(0),
    ).where(_waits()),
)
"""Statement that every entry runs, so it is made once."""


def after_entry(connection: sa.Connection, game: str, number: int, now: float) -> None:
    """Note down what an entry sets off, in the transaction that stores it: nothing where nobody has left word."""
    word = msgspec.json.encode({"number": number}).decode()
    connection.execute(AFTER_ENTRY, {"table": game, "word": word, "now": now})


def ask(connection: sa.Connection, game: str, kind: str, payload: object, at: float) -> None:
    """Note down a job that may be taken from `at` on."""
    text = msgspec.json.encode(payload).decode()
    connection.execute(DUE.insert().values(game=game, kind=kind, payload=text, at=at, tries=0))


def stalled(engine: sa.Engine, now: float, since: float, until: float, wait: float) -> int:
    """Note down all tables that moved last between `since` and `until` and wait for a bot or a stand-in, the newest first.

    Each is a job to let its bots go on, which nobody does while it is noted down already. The first may be taken after `wait`
    seconds. Answers how many were noted down.
    """
    stand_ins = sa.exists().where(SEATS.c.game == GAMES.c.id, SEATS.c.stand_in.is_not(None))
    noted = sa.exists().where(DUE.c.game == GAMES.c.id, DUE.c.kind == PLAY)
    found = (
        sa.select(GAMES.c.id, GAMES.c.number, GAMES.c.awaited, BOTS.c.seats)
        .join(BOTS, BOTS.c.game == GAMES.c.id, isouter=True)
        .where(
            GAMES.c.finished.is_(False),
            GAMES.c.changed.between(since, until),
            sa.or_(BOTS.c.seats.is_not(None), stand_ins),
            ~noted,
        )
        .order_by(GAMES.c.changed.desc())
    )
    stand_in_seats = sa.select(SEATS.c.game, SEATS.c.seat).where(SEATS.c.stand_in.is_not(None))
    with engine.connect() as connection:
        rows = connection.execute(found).all()
        playing: dict[str, set[int]] = {}
        for game, seat in connection.execute(stand_in_seats):
            playing.setdefault(game, set()).add(seat)
    waiting = [
        (game, number)
        for game, number, awaited, seats in rows
        if _waits_for(awaited, playing.get(game, set()) | {int(seat) for seat in msgspec.json.decode(seats or "{}")})
    ]
    for start in range(0, len(waiting), STALLED):
        with writer(engine).begin() as connection:
            for n, (game, number) in enumerate(waiting[start : start + STALLED], start):
                ask(connection, game, PLAY, {"number": number}, now + wait + n * APART)
    return len(waiting)


def _waits_for(awaited: str | None, seats: set[int]) -> bool:
    """Tell whether a table that awaits these seats may wait for a bot; rows of earlier versions do not say whom they await."""
    return awaited is None or any(f",{seat}," in awaited for seat in seats)


def forget(engine: sa.Engine, kind: str) -> None:
    """Drop all jobs of a kind."""
    with writer(engine).begin() as connection:
        connection.execute(DUE.delete().where(DUE.c.kind == kind))


def take(engine: sa.Engine, now: float, limit: int = 20) -> list[Job]:
    """Take jobs whose time has come, the oldest first; nobody else gets them before `LEASE` is over."""
    ripe = (
        sa.select(DUE.c.id).where(DUE.c.at <= now).order_by(DUE.c.at).limit(limit).with_for_update(skip_locked=True)
    ).scalar_subquery()
    taken = (
        DUE.update()
        .where(DUE.c.id.in_(ripe))
        .values(at=now + LEASE, tries=DUE.c.tries + 1)
        .returning(DUE.c.id, DUE.c.game, DUE.c.kind, DUE.c.payload, DUE.c.tries)
    )
    with writer(engine).begin() as connection:
        rows = connection.execute(taken).mappings().all()
        jobs = sorted((Job(**row) for row in rows), key=lambda job: job.id)
        for job in jobs:
            if job.tries > TRIES:  # whoever took it each time has died over it, or hangs
                connection.execute(DUE.delete().where(DUE.c.id == job.id))
                LOG.warning("table %s: %s is given up after %d tries", job.game, job.kind, TRIES)
    return [job for job in jobs if job.tries <= TRIES]


def done(engine: sa.Engine, job: Job) -> None:
    """Take a job that is done out of the queue."""
    with writer(engine).begin() as connection:
        connection.execute(DUE.delete().where(DUE.c.id == job.id))


def postpone(engine: sa.Engine, job: Job, at: float) -> None:
    """Do a job at a later time; this was no try."""
    with writer(engine).begin() as connection:
        connection.execute(DUE.update().where(DUE.c.id == job.id).values(at=at, tries=job.tries - 1))


def failed(engine: sa.Engine, job: Job, now: float) -> bool:
    """Try a job again later, each time after a longer pause; false where it has been given up."""
    if job.tries >= TRIES:
        done(engine, job)
        return False
    pause = min(FIRST_PAUSE * 4 ** (job.tries - 1), LONGEST_PAUSE)
    with writer(engine).begin() as connection:
        connection.execute(DUE.update().where(DUE.c.id == job.id).values(at=now + pause))
    return True


def next_at(engine: sa.Engine) -> float | None:
    """Return when the next job may be taken, in seconds since 1970; None where there is none."""
    with engine.connect() as connection:
        found = connection.execute(sa.select(sa.func.min(DUE.c.at))).scalar()
    return None if found is None else float(found)
