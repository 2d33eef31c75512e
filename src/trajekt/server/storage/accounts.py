"""People, their devices and the settings of the server: the rows behind the accounts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.server.storage import open_tables
from trajekt.server.storage.audit import audit
from trajekt.server.storage.schema import (
    AUDIT,
    CHAT,
    CLOCK_WORDS,
    COMMENTS,
    COMPONENT_SETS,
    CONSENT_REQUESTS,
    CONSENTS,
    DEVICES,
    GAMES,
    HOLDERS,
    MAILS,
    NOTES,
    OPEN_SEATS,
    OPEN_TABLES,
    ORDERS,
    PEOPLE,
    PUSH_SUBSCRIPTIONS,
    SEATS,
    SETTINGS,
)
from trajekt.server.storage.store import GameRow, Store


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who sits at tables; `name` is empty without an account, `open` says whether one can sign in with it."""

    id: str
    name: str = ""
    open: bool = False
    banned: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """A browser of a person: since when, in seconds since 1970, and whether it is the one that asks."""

    created: float
    this: bool


class NameTakenError(Exception):
    """A name that somebody has already."""


def setting(store: Store, name: str, value: str) -> str:
    """A setting of the server, stored with `value` where there is none: the same for all processes on the database."""
    kept = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name)
    with store.engine.connect() as connection:
        found = connection.execute(kept).scalar()
    if found is not None:
        return str(found)
    try:
        with store.begin() as connection:
            connection.execute(SETTINGS.insert().values(name=name, value=value))
    except IntegrityError:
        pass  # another process was quicker
    with store.engine.connect() as connection:
        return str(connection.execute(kept).scalar_one())


def _person(row: Any) -> Person | None:
    return None if row is None else Person(row.id, row.name or "", row.passcode_hash is not None, row.banned)


COLUMNS = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.passcode_hash, PEOPLE.c.banned)


def person_of_device(store: Store, key_hash: str) -> Person | None:
    """The person whose device has a key."""
    query = sa.select(*COLUMNS).join(DEVICES, DEVICES.c.person == PEOPLE.c.id).where(DEVICES.c.key_hash == key_hash)
    with store.engine.connect() as connection:
        return _person(connection.execute(query).first())


def person_by_name(store: Store, folded: str) -> tuple[Person, str | None] | None:
    """The person with an account of this name, and the hash of the passcode."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(*COLUMNS).where(PEOPLE.c.folded == folded)).first()
    found = _person(row)
    return None if row is None or found is None else (found, row.passcode_hash)


def name_of(store: Store, person: str) -> str:
    """The name of a person's account, empty without one."""
    with store.engine.connect() as connection:
        return str(connection.execute(sa.select(PEOPLE.c.name).where(PEOPLE.c.id == person)).scalar() or "")


def passcode_hash(store: Store, person: str) -> str | None:
    """The hash of a person's passcode."""
    with store.engine.connect() as connection:
        found = connection.execute(sa.select(PEOPLE.c.passcode_hash).where(PEOPLE.c.id == person)).scalar()
    return None if found is None else str(found)


def add_person(store: Store, person: str, key_hash: str, values: Mapping[str, str]) -> None:
    """Store a new person with a device. Raises `NameTakenError`."""
    now = time.time()
    try:
        with store.begin() as connection:
            connection.execute(PEOPLE.insert().values(id=person, links=0, created=now, **values))
            connection.execute(DEVICES.insert().values(key_hash=key_hash, person=person, created=now))
            if values:
                audit(connection, "account_made", person=person)
    except IntegrityError as fault:
        raise NameTakenError from fault


def change_person(store: Store, person: str, what: str, values: Mapping[str, str], keep_device: str = "") -> None:
    """Change columns of a person; with `keep_device` all other devices are signed out. Raises `NameTakenError`."""
    try:
        with store.begin() as connection:
            connection.execute(PEOPLE.update().where(PEOPLE.c.id == person).values(dict(values)))
            if keep_device:
                others = DEVICES.c.person == person, DEVICES.c.key_hash != keep_device
                connection.execute(DEVICES.delete().where(*others))
            audit(connection, what, person=person)
    except IntegrityError as fault:
        raise NameTakenError from fault


def end_other_devices(store: Store, person: str, key_hash: str) -> int:
    """Sign out all devices of a person but one, and let links that sign in lapse; answers how many there were."""
    with store.begin() as connection:
        others = DEVICES.c.person == person, DEVICES.c.key_hash != key_hash
        ended = connection.execute(DEVICES.delete().where(*others)).rowcount
        connection.execute(PEOPLE.update().where(PEOPLE.c.id == person).values(links=PEOPLE.c.links + 1))
        audit(connection, "signed_out_elsewhere", person=person)
    return ended


def devices(store: Store, person: str, key_hash: str) -> list[Device]:
    """The devices of a person, the newest first."""
    query = sa.select(DEVICES.c.created, DEVICES.c.key_hash).where(DEVICES.c.person == person)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(DEVICES.c.created.desc())).all()
    return [Device(created, each == key_hash) for created, each in rows]


def links_used(store: Store, person: str) -> int:
    """Return how many links to sign in a person has used; KeyError where there is no such person."""
    with store.engine.connect() as connection:
        found = connection.execute(sa.select(PEOPLE.c.links).where(PEOPLE.c.id == person)).scalar()
    if found is None:
        raise KeyError(person)
    return int(found)


def use_link(store: Store, person: str, used: int) -> bool:
    """Use a link to sign in; false where another was used since it was made."""
    use = PEOPLE.update().where(PEOPLE.c.id == person, PEOPLE.c.links == used).values(links=used + 1)
    with store.begin() as connection:
        return connection.execute(use).rowcount == 1


def enter(store: Store, person: str, key_hash: str, old_key_hash: str | None, merged: str | None) -> list[str]:
    """Add a device to a person in place of an old one; what `merged` holds becomes the person's. Answers those tables."""
    games: list[str] = []
    with store.begin() as connection:
        connection.execute(DEVICES.insert().values(key_hash=key_hash, person=person, created=time.time()))
        if merged is not None:
            games = _merge(store, connection, merged, person)
        if old_key_hash is not None:
            called = PUSH_SUBSCRIPTIONS.update().where(PUSH_SUBSCRIPTIONS.c.device == old_key_hash)
            connection.execute(called.values(device=key_hash))
            connection.execute(DEVICES.delete().where(DEVICES.c.key_hash == old_key_hash))
        audit(connection, "signed_in", person=person)
    return games


def _merge(store: Store, connection: sa.Connection, before: str, after: str) -> list[str]:
    held = (
        connection.execute(sa.select(HOLDERS).where(HOLDERS.c.person == before).order_by(HOLDERS.c.game))
        .mappings()
        .all()
    )
    for row in held:
        place = HOLDERS.c.game == row["game"], HOLDERS.c.seat == row["seat"]
        if connection.execute(sa.select(HOLDERS.c.since).where(HOLDERS.c.person == after, *place)).first() is None:
            connection.execute(HOLDERS.insert().values(dict(row) | {"person": after}))
        audit(connection, "seat_moved", row["game"], row["seat"], after)
        store.bump_revision(connection, str(row["game"]))
    connection.execute(HOLDERS.delete().where(HOLDERS.c.person == before))
    open_tables.move(connection, before, after)
    connection.execute(GAMES.update().where(GAMES.c.host == before).values(host=after))
    connection.execute(COMPONENT_SETS.update().where(COMPONENT_SETS.c.person == before).values(person=after))
    connection.execute(DEVICES.update().where(DEVICES.c.person == before).values(person=after))
    connection.execute(PEOPLE.delete().where(PEOPLE.c.id == before))
    return [str(row["game"]) for row in held]


def remove_device(store: Store, key_hash: str) -> None:
    """Forget a device."""
    with store.begin() as connection:
        connection.execute(DEVICES.delete().where(DEVICES.c.key_hash == key_hash))


def tables_of(store: Store, person: str, *, finished: bool, limit: int = 1000) -> list[tuple[GameRow, tuple[int, ...]]]:
    """The running or the finished tables of a person, each with the seats; those that moved last first."""
    columns = [sa.literal("").label("set_up") if c.name == "set_up" else c for c in GAMES.c]
    mine = sa.select(HOLDERS.c.game).where(HOLDERS.c.person == person)
    newest = (
        sa.select(GAMES.c.id)
        .where(GAMES.c.id.in_(mine), GAMES.c.finished.is_(finished))
        .order_by(GAMES.c.changed.desc())
        .limit(limit)
    )
    query = (
        sa.select(*columns, HOLDERS.c.seat)
        .join(HOLDERS, HOLDERS.c.game == GAMES.c.id)
        .where(HOLDERS.c.person == person, GAMES.c.id.in_(newest.scalar_subquery()))
        .order_by(GAMES.c.changed.desc(), GAMES.c.id, HOLDERS.c.seat)
    )
    found: dict[str, tuple[GameRow, tuple[int, ...]]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(query).mappings():
            values = dict(row)
            seat = values.pop("seat")
            game = GameRow(**values)
            found[game.id] = (game, (*found.get(game.id, (game, ()))[1], seat))
    return list(found.values())


BELONGING = (
    ("seat_row", SEATS),
    ("notes", NOTES),
    ("talk", CHAT),
    ("comments", COMMENTS),
    ("instructions", ORDERS),
    ("requests", CONSENT_REQUESTS),
    ("consents", CONSENTS),
    ("clock_wishes", CLOCK_WORDS),
)
"""Tables with what a seat's player has written, asked or agreed to."""


def data_of(store: Store, person: str) -> dict[str, Any]:
    """All that is stored about a person, as plain values: account, devices, each seat with what belongs to it, audit."""
    hidden = {"key_hash", "passcode_hash", "token_hash", "device", "auth_secret"}

    def rows(connection: sa.Connection, table: sa.Table, *where: sa.ColumnElement[bool]) -> list[dict[str, Any]]:
        found = connection.execute(sa.select(table).where(*where)).mappings()
        return [{str(name): value for name, value in row.items() if name not in hidden} for row in found]

    own_devices = sa.select(DEVICES.c.key_hash).where(DEVICES.c.person == person)
    with store.engine.connect() as connection:
        held = rows(connection, HOLDERS, HOLDERS.c.person == person)
        seats = []
        for each in held:
            here = each["game"], each["seat"]
            about: dict[str, Any] = {"table": each["game"], "seat": each["seat"], "since": each["since"]}
            for name, table in BELONGING:
                about[name] = rows(connection, table, table.c.game == here[0], table.c.seat == here[1])
            since = MAILS.c.asked >= each["since"]  # before, the seat may have been another's
            about["letters"] = rows(connection, MAILS, MAILS.c.game == here[0], MAILS.c.seat == here[1], since)
            seats.append(about)
        return {
            "person": rows(connection, PEOPLE, PEOPLE.c.id == person),
            "devices": rows(connection, DEVICES, DEVICES.c.person == person),
            "push_subscriptions": rows(connection, PUSH_SUBSCRIPTIONS, PUSH_SUBSCRIPTIONS.c.device.in_(own_devices)),
            "seats": seats,
            "open_seats": rows(connection, OPEN_SEATS, OPEN_SEATS.c.person == person),
            "open_tables": rows(connection, OPEN_TABLES, OPEN_TABLES.c.host == person),
            "component_sets": rows(connection, COMPONENT_SETS, COMPONENT_SETS.c.person == person),
            "audit": rows(connection, AUDIT, AUDIT.c.person == person),
        }


def accounts(store: Store, limit: int = 1000) -> list[tuple[Person, float, int]]:
    """The people with a name, each with when it was made and the number of tables; the newest first."""
    held = (
        sa.select(sa.func.count(sa.distinct(HOLDERS.c.game))).where(HOLDERS.c.person == PEOPLE.c.id).scalar_subquery()
    )
    query = sa.select(*COLUMNS, PEOPLE.c.created, held.label("tables")).where(PEOPLE.c.name.is_not(None))
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(PEOPLE.c.created.desc()).limit(limit)).all()
    return [(found, row.created, row.tables) for row in rows if (found := _person(row)) is not None]


def ban(store: Store, person: str, *, banned: bool) -> None:
    """Close an account, or open it again; a closed one is signed out everywhere, and its open tables and seats go."""
    with store.begin() as connection:
        connection.execute(PEOPLE.update().where(PEOPLE.c.id == person).values(banned=banned))
        if banned:
            connection.execute(DEVICES.delete().where(DEVICES.c.person == person))
            open_tables.withdraw(connection, person)
        audit(connection, "banned" if banned else "unbanned", person=person)
