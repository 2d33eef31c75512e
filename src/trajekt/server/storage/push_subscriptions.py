"""Devices that are called by Web Push, as rows: where the maker of a browser takes messages for it, and its keys."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.server.storage.schema import DEVICES, HOLDERS, PEOPLE, PUSH_SUBSCRIPTIONS
from trajekt.server.storage.store import Store

MOST = 8
"""Devices of a person that are called; the newest are."""
FAILURES = 5
"""Messages in a row that could not be handed over, after which a device is forgotten."""


class PushSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """A device that is called. `public_key` and `auth_secret` are the browser's, base64url; `failures` in a row."""

    device: str
    endpoint: str
    public_key: str
    auth_secret: str
    language: str
    failures: int = 0
    created: float = 0.0


class QuietHours(msgspec.Struct, frozen=True):
    """Hours in which nobody is called, in minutes after midnight of a zone such as `Europe/Berlin`; equal are none."""

    start: int
    end: int
    zone: str


def subscribe(store: Store, subscription: PushSubscription) -> None:
    """Keep the subscription of a device in place of its last one, and of any that leads to the same browser."""
    rows = PUSH_SUBSCRIPTIONS
    same = sa.or_(rows.c.device == subscription.device, rows.c.endpoint == subscription.endpoint)
    with store.begin() as connection:
        connection.execute(rows.delete().where(same))
        connection.execute(rows.insert().values(msgspec.structs.asdict(subscription) | {"created": time.time()}))


def unsubscribe(store: Store, device: str) -> bool:
    """Forget the subscription of a device; false where there is none."""
    with store.begin() as connection:
        found = connection.execute(PUSH_SUBSCRIPTIONS.delete().where(PUSH_SUBSCRIPTIONS.c.device == device))
        return found.rowcount == 1


def subscription_of(store: Store, device: str) -> PushSubscription | None:
    """The subscription of a device; None where it is not called any more."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(PUSH_SUBSCRIPTIONS).where(PUSH_SUBSCRIPTIONS.c.device == device)).mappings()
        found = row.first()
    return None if found is None else PushSubscription(**found)


def devices_of_seat(connection: sa.Connection, game: str, seat: Seat) -> list[str]:
    """The devices that are called for a seat: of those who hold it, the newest of each."""
    held = (HOLDERS.c.person, DEVICES.c.key_hash, PUSH_SUBSCRIPTIONS.c.created)
    query = (
        sa.select(*held)
        .join(DEVICES, DEVICES.c.person == HOLDERS.c.person)
        .join(PUSH_SUBSCRIPTIONS, PUSH_SUBSCRIPTIONS.c.device == DEVICES.c.key_hash)
        .where(HOLDERS.c.game == game, HOLDERS.c.seat == seat)
        .order_by(PUSH_SUBSCRIPTIONS.c.created.desc())
    )
    found: dict[str, list[str]] = {}
    for person, device, _ in connection.execute(query):
        found.setdefault(person, []).append(device)
    return [device for devices in found.values() for device in devices[:MOST]]


def note_result(store: Store, device: str, *, taken: bool, gone: bool = False) -> bool:
    """Count what became of a message; false where the device is forgotten by now."""
    row = PUSH_SUBSCRIPTIONS.c.device == device
    with store.begin() as connection:
        if taken:
            connection.execute(PUSH_SUBSCRIPTIONS.update().where(row).values(failures=0))
            return True
        counted = PUSH_SUBSCRIPTIONS.update().where(row).values(failures=PUSH_SUBSCRIPTIONS.c.failures + 1)
        connection.execute(counted)
        worn = row if gone else sa.and_(row, PUSH_SUBSCRIPTIONS.c.failures >= FAILURES)
        return connection.execute(PUSH_SUBSCRIPTIONS.delete().where(worn)).rowcount == 0


def _quiet(row: Any) -> QuietHours | None:
    if row is None or row.quiet_from is None or row.quiet_until is None or not row.zone:
        return None
    return QuietHours(row.quiet_from, row.quiet_until, row.zone)


QUIET = (PEOPLE.c.quiet_from, PEOPLE.c.quiet_until, PEOPLE.c.zone)


def quiet_hours(store: Store, person: str) -> QuietHours | None:
    """The hours in which a person is not called; None where there are none."""
    with store.engine.connect() as connection:
        return _quiet(connection.execute(sa.select(*QUIET).where(PEOPLE.c.id == person)).first())


def keep_quiet(store: Store, person: str, hours: QuietHours | None) -> None:
    """Keep the hours in which a person is not called, or that there are none."""
    values = (hours.start, hours.end, hours.zone) if hours is not None else (None, None, None)
    with store.begin() as connection:
        kept = PEOPLE.update().where(PEOPLE.c.id == person)
        connection.execute(kept.values(dict(zip(("quiet_from", "quiet_until", "zone"), values, strict=True))))


def quiet_hours_at(store: Store, game: str, seat: Seat, device: str = "") -> list[QuietHours | None]:
    """The quiet hours of those who hold a seat, or of the one whose device it is."""
    query = sa.select(*QUIET).join(HOLDERS, HOLDERS.c.person == PEOPLE.c.id)
    query = query.where(HOLDERS.c.game == game, HOLDERS.c.seat == seat)
    if device:
        query = query.join(DEVICES, DEVICES.c.person == PEOPLE.c.id).where(DEVICES.c.key_hash == device)
    with store.engine.connect() as connection:
        return [_quiet(row) for row in connection.execute(query)]
