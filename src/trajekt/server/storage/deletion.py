"""Deletion: tables, persons and what has lapsed, each with all that belongs to it."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import sqlalchemy as sa

from trajekt.engine.player_names import likeness
from trajekt.server.storage import open_tables
from trajekt.server.storage.audit import audit
from trajekt.server.storage.cached_game import TRIAL
from trajekt.server.storage.schema import (
    AUDIT,
    COMMENTS,
    COMPONENT_SETS,
    DEVICES,
    GAMES,
    HOLDERS,
    MAILS,
    META,
    PASSCODE_ATTEMPTS,
    PEOPLE,
    RESULTS,
    SEATS,
)
from trajekt.server.storage.store import Store

DAY = 24 * 3600.0
TRIAL_AGE = DAY
"""Seconds for which a board to plan on stays after its last entry."""
STUDY_AGE = 90 * DAY
"""Seconds for which it stays after the last comment that somebody wrote there."""
ATTEMPT_AGE, MAIL_AGE, AUDIT_AGE = 30 * DAY, 30 * DAY, 365 * DAY
"""Seconds for which wrong passcodes, addresses that were asked, and the audit trail are kept; a "never" is kept for good."""
DEVICE_AGE = 400 * DAY
"""Seconds after which the cookie of a device is not valid any more."""
IN_ONE_GO = 100
"""Tables that are deleted in one transaction, so that nobody's action waits for long."""
KEPT_AT_HAND_OVER = frozenset(
    (
        "games",
        "entries",
        "programs",
        "petitions",
        "consents",
        "talk",
        "comments",
        "clocks",
        "clock_words",
        "mails",
        "due",
        "audit",
        "open_tables",
        "results",
        "reviews",
    )
)
"""Tables with a game, or a game and a seat, that stay as they are when a seat gets a new player."""
ENDED_AT_HAND_OVER = frozenset({"seats", "holders", "notes", "orders"})
"""Tables of which the rows of a seat end or are made anew then."""


def delete_tables(connection: sa.Connection, games: list[str]) -> int:
    """Delete tables with everything that belongs to them; answers how many there were."""
    for table in reversed(META.sorted_tables):
        if "game" in table.c and table is not AUDIT:
            connection.execute(table.delete().where(table.c.game.in_(games)))
    return connection.execute(GAMES.delete().where(GAMES.c.id.in_(games))).rowcount


def delete_table(store: Store, game: str) -> bool:
    """Delete a table; false where there is none of this name."""
    with store.begin() as connection:
        store.bump_revision(connection, game)
        found = delete_tables(connection, [game]) == 1
        if found:
            audit(connection, "table_deleted", game)
    return found


def delete_person(store: Store, person: str) -> list[str]:
    """Delete a person with devices, name and passcode; answers the tables at which they sat.

    Seats stay with their links, so nobody's game ends. What was written for oneself at a seat that nobody else holds goes
    along, as do its addresses; the name in the records of others becomes that of an anonymous player.
    """
    with store.begin() as connection:
        held = connection.execute(sa.select(HOLDERS.c.game, HOLDERS.c.seat).where(HOLDERS.c.person == person)).all()
        connection.execute(HOLDERS.delete().where(HOLDERS.c.person == person))
        for game, seat in held:
            store.bump_revision(connection, game)
            others = sa.select(HOLDERS.c.person).where(HOLDERS.c.game == game, HOLDERS.c.seat == seat)
            if seat < 0 or connection.execute(others).first() is not None:
                continue
            connection.execute(
                SEATS.update()
                .where(SEATS.c.game == game, SEATS.c.seat == seat)
                .values(passcode_hash=None, mail=None, confirmed=False, hook=None, hook_form=None, language=None)
            )
            for table in (META.tables["notes"], META.tables["orders"], META.tables["talk"], COMMENTS):
                connection.execute(table.delete().where(table.c.game == game, table.c.seat == seat))
            _anonymise(connection, game, seat)
        open_tables.withdraw(connection, person)
        connection.execute(GAMES.update().where(GAMES.c.host == person).values(host=None))
        connection.execute(COMPONENT_SETS.delete().where(COMPONENT_SETS.c.person == person))
        connection.execute(DEVICES.delete().where(DEVICES.c.person == person))
        connection.execute(AUDIT.update().where(AUDIT.c.person == person).values(person=None))
        connection.execute(PEOPLE.delete().where(PEOPLE.c.id == person))
    return sorted({game for game, _ in held})


def _anonymise(connection: sa.Connection, game: str, seat: int) -> None:
    """Put "Anonym 1" in the place of the name of a seat's player, in the list of names and in the seating of the set-up."""
    kept = connection.execute(sa.select(GAMES.c.names, GAMES.c.set_up).where(GAMES.c.id == game)).one()
    names = msgspec.json.decode(kept[0], type=list[str])
    set_up = msgspec.json.decode(kept[1], type=list[dict[str, Any]])
    seated = next((event["names"] for event in set_up if event.get("event") == "seated"), names)
    if not 0 <= seat < len(seated):
        return
    name = seated[seat]
    anonymous = next(f"Anonym {n}" for n in range(1, 99) if f"Anonym {n}" not in names)
    for event in set_up:
        if event.get("event") == "seated":
            event["names"] = [anonymous if each == name else each for each in event["names"]]
    values = {
        "names": msgspec.json.encode([anonymous if each == name else each for each in names]).decode(),
        "set_up": msgspec.json.encode(set_up).decode(),
    }
    connection.execute(GAMES.update().where(GAMES.c.id == game).values(values))
    mine = RESULTS.c.game == game, RESULTS.c.name == name
    connection.execute(RESULTS.update().where(*mine).values(name=anonymous, folded=likeness(anonymous)))


def expire(store: Store, now: float | None = None, keep_days: int = 0) -> list[str]:
    """Delete what has lapsed; answers the names of the tables that went.

    Boards to plan on go a day after their last entry, or ninety after their last comment; tables at one screen after
    `keep_days` days without an entry (0: never). Tables of friends stay until somebody deletes them.
    """
    at = time.time() if now is None else now
    studied = sa.exists().where(COMMENTS.c.game == GAMES.c.id, COMMENTS.c.changed >= at - STUDY_AGE)
    lapsed = sa.and_(GAMES.c.id.like(f"{TRIAL}%"), GAMES.c.changed < at - TRIAL_AGE, ~studied)
    if keep_days:
        idle = sa.and_(GAMES.c.watch_hash.is_(None), GAMES.c.changed < at - keep_days * DAY)
        lapsed = sa.or_(lapsed, idle)
    gone: list[str] = []
    while True:
        with store.begin() as connection:
            found = list(connection.execute(sa.select(GAMES.c.id).where(lapsed).limit(IN_ONE_GO)).scalars())
            if found:
                delete_tables(connection, found)
        gone += found
        if len(found) < IN_ONE_GO:
            break
    with store.begin() as connection:
        connection.execute(PASSCODE_ATTEMPTS.delete().where(PASSCODE_ATTEMPTS.c.last < at - ATTEMPT_AGE))
        connection.execute(MAILS.delete().where(MAILS.c.asked < at - MAIL_AGE, MAILS.c.refused.is_(False)))
        connection.execute(DEVICES.delete().where(DEVICES.c.created < at - DEVICE_AGE))
        connection.execute(AUDIT.delete().where(AUDIT.c.time < at - AUDIT_AGE))
    return gone
