"""Component sets in the store: of whom they are, and their files. A set is written and read by its owner alone."""

from __future__ import annotations

import secrets
import time

import msgspec
import sqlalchemy as sa

from trajekt.server.refusals import DeniedError
from trajekt.server.storage.schema import COMPONENT_SETS
from trajekt.server.storage.store import Store

MOST = 40
"""The sets that a person may keep."""
NAMES = "abcdefghijkmnpqrstuvwxyz23456789"


class StoredSet(msgspec.Struct, frozen=True, kw_only=True):
    """A set of a person: `title` is the id of its game, `text` the file, `changed` in seconds since 1970."""

    id: str
    person: str
    title: str
    text: str
    changed: float


def prove_room(store: Store) -> None:
    """Raise `DeniedError` 503 `disk_low` where only games under way have room."""
    if not store.has_room():
        raise DeniedError(503, "disk_low", retry_after=600)


def add(store: Store, person: str, title: str, text: str) -> str:
    """Store a new set; answers its id. Raises `DeniedError` 409 `too_many_sets`."""
    id_ = "".join(secrets.choice(NAMES) for _ in range(12))
    mine = sa.select(sa.func.count()).where(COMPONENT_SETS.c.person == person)
    with store.begin() as connection:
        if connection.execute(mine).scalar_one() >= MOST:
            raise DeniedError(409, "too_many_sets", {"most": str(MOST)})
        connection.execute(
            COMPONENT_SETS.insert().values(id=id_, person=person, title=title, text=text, changed=time.time())
        )
    return id_


def change(store: Store, person: str, id_: str, before: str, text: str) -> None:
    """Put a file in the place of the one that was read. Raises `DeniedError` 409 `set_moved` where it is not that any more."""
    here = COMPONENT_SETS.c.id == id_, COMPONENT_SETS.c.person == person, COMPONENT_SETS.c.text == before
    with store.begin() as connection:
        done = connection.execute(COMPONENT_SETS.update().where(*here).values(text=text, changed=time.time()))
        if done.rowcount != 1:
            raise DeniedError(409, "set_moved")


def find(store: Store, person: str, id_: str) -> StoredSet | None:
    """A set of a person; None where there is none of this id, or it is another's."""
    query = sa.select(COMPONENT_SETS).where(COMPONENT_SETS.c.id == id_, COMPONENT_SETS.c.person == person)
    with store.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return None if row is None else StoredSet(**row)


def of_person(store: Store, person: str, title: str = "") -> list[StoredSet]:
    """The sets of a person, of one game or of all; the newest first."""
    wanted = [COMPONENT_SETS.c.person == person] + ([COMPONENT_SETS.c.title == title] if title else [])
    query = sa.select(COMPONENT_SETS).where(*wanted).order_by(COMPONENT_SETS.c.changed.desc(), COMPONENT_SETS.c.id)
    with store.engine.connect() as connection:
        return [StoredSet(**row) for row in connection.execute(query).mappings()]


def delete(store: Store, person: str, id_: str) -> bool:
    """Delete a set of a person; tables that were made with it keep their copy. False where there is none."""
    here = COMPONENT_SETS.c.id == id_, COMPONENT_SETS.c.person == person
    with store.begin() as connection:
        return connection.execute(COMPONENT_SETS.delete().where(*here)).rowcount == 1
