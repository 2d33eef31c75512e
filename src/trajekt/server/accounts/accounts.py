"""People and their devices. Whoever takes a seat is a person; a name and a passcode make the person an account.

The cookie of a device is a random key, signed, so that a forged one costs no question to the database; of the key only a
digest is stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from functools import cached_property

import itsdangerous
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trajekt.engine.player_names import likeness
from trajekt.server.accounts import passcodes
from trajekt.server.denials import DeniedError
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.schema import DEVICES, GAMES, HOLDERS, PEOPLE, SETTINGS
from trajekt.server.storage.secret_tokens import digest, new_token
from trajekt.server.storage.store import GameRow, Store
from trajekt.server.text import TextError, checked_name, cleaned

COOKIE = "reader"
COOKIE_AGE = 400 * 24 * 3600  # seconds: as long as browsers keep any cookie
LINK_AGE = 15 * 60  # seconds that a link to sign in with is good for
SECRET = "signing"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who sits at tables; `name` is empty without an account, `open` says whether one can sign in with it."""

    id: str
    name: str = ""
    open: bool = False


def account_name(name: str) -> str:
    """A name that an account may have. Raises `DeniedError`."""
    try:
        return checked_name(name)
    except TextError as fault:
        raise DeniedError(400, fault.code, {"detail": str(fault)}) from fault


class Accounts:
    """The people of one store."""

    def __init__(self, cache: GameCache) -> None:
        self.cache = cache

    @property
    def store(self) -> Store:
        return self.cache.store

    @cached_property
    def secret(self) -> str:
        """What cookies and links are signed with: made once, the same for all processes on the database."""
        kept = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == SECRET)
        with self.store.engine.connect() as connection:
            found = connection.execute(kept).scalar()
        if found is not None:
            return str(found)
        try:
            with self.store.begin() as connection:
                connection.execute(SETTINGS.insert().values(name=SECRET, value=secrets.token_hex(32)))
        except IntegrityError:
            pass  # another process was quicker
        with self.store.engine.connect() as connection:
            return str(connection.execute(kept).scalar_one())

    @cached_property
    def signer(self) -> itsdangerous.Signer:
        return itsdangerous.Signer(self.secret, salt="device", digest_method=hashlib.sha256)

    @cached_property
    def links(self) -> itsdangerous.URLSafeTimedSerializer:
        return itsdangerous.URLSafeTimedSerializer(
            self.secret, salt="sign-in", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def person(self, cookie: str) -> Person | None:
        """Whose device a cookie comes from; None for a forged or forgotten one."""
        key = self._key(cookie)
        if key is None:
            return None
        query = (
            sa.select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.passcode_hash)
            .join(DEVICES, DEVICES.c.person == PEOPLE.c.id)
            .where(DEVICES.c.key_hash == digest(key))
        )
        with self.store.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else Person(row[0], row[1] or "", row[2] is not None)

    def _key(self, cookie: str) -> str | None:
        try:
            return self.signer.unsign(cookie).decode()
        except (itsdangerous.BadData, UnicodeError):
            return None

    def welcome(self, **values: str) -> tuple[Person, str]:
        """Somebody new, with the cookie of their device; `values` are columns of the person."""
        person, key, now = Person(secrets.token_hex(12)), new_token(), time.time()
        with self.store.begin() as connection:
            connection.execute(PEOPLE.insert().values(id=person.id, links=0, created=now, **values))
            connection.execute(DEVICES.insert().values(key_hash=digest(key), person=person.id, created=now))
        return person, self.signer.sign(key).decode()

    def register(self, person: Person | None, name: str, passcode: str) -> str:
        """A name and passcode, by which one signs in elsewhere; answers the cookie of somebody new, else nothing.

        Raises `DeniedError`, and nothing is kept, where the name is no name or taken, or the person has one.
        """
        name = account_name(name)
        if person is not None and person.open:
            raise DeniedError(409, "has_account")
        values = {"name": name, "folded": likeness(name), "passcode_hash": passcodes.hashed(passcode)}
        try:
            if person is None:
                return self.welcome(**values)[1]
            with self.store.begin() as connection:
                connection.execute(PEOPLE.update().where(PEOPLE.c.id == person.id).values(values))
        except IntegrityError as fault:
            raise DeniedError(409, "name_taken") from fault
        return ""

    def sign_in(self, name: str, passcode: str, address: str, cookie: str = "") -> str:
        """Sign a device in by name and passcode; answers its new cookie. What its person held so far comes along."""
        folded = likeness(cleaned(name))
        query = sa.select(PEOPLE.c.id, PEOPLE.c.passcode_hash).where(PEOPLE.c.folded == folded)
        with self.store.engine.connect() as connection:
            row = connection.execute(query).first()
        about = f"account {hashlib.sha256(folded.encode()).hexdigest()}"
        passcodes.check(self.store, about, address, None if row is None else row[1], passcode)
        assert row is not None
        return self._entered(row[0], cookie)

    def link(self, person: Person) -> str:
        """A token that signs another device in, once, within `LINK_AGE` seconds."""
        with self.store.engine.connect() as connection:
            used = connection.execute(sa.select(PEOPLE.c.links).where(PEOPLE.c.id == person.id)).scalar_one()
        return str(self.links.dumps([person.id, used]))

    def follow(self, token: str, cookie: str = "") -> str:
        """Sign a device in by such a link; answers its new cookie. Raises `DeniedError` where it is used up or too old."""
        try:
            person, used = self.links.loads(token, max_age=LINK_AGE)
        except (itsdangerous.BadData, ValueError, TypeError) as fault:
            raise DeniedError(403, "wrong_link") from fault
        use = PEOPLE.update().where(PEOPLE.c.id == person, PEOPLE.c.links == used).values(links=used + 1)
        with self.store.begin() as connection:
            if connection.execute(use).rowcount != 1:
                raise DeniedError(403, "wrong_link")
        return self._entered(person, cookie)

    def _entered(self, person: str, cookie: str) -> str:
        """A device of this person with a key of its own; what a nameless person held on it becomes this person's."""
        before, key = self.person(cookie) if cookie else None, new_token()
        old = self._key(cookie) if cookie else None
        games: list[str] = []
        with self.store.begin() as connection:
            connection.execute(DEVICES.insert().values(key_hash=digest(key), person=person, created=time.time()))
            if before is not None and before.id != person and not before.open:
                games = self._merge(connection, before.id, person)
            if old is not None:
                connection.execute(DEVICES.delete().where(DEVICES.c.key_hash == digest(old)))
        for game in games:
            self.cache.invalidate(game)
        return self.signer.sign(key).decode()

    def _merge(self, connection: sa.Connection, before: str, after: str) -> list[str]:
        query = sa.select(HOLDERS).where(HOLDERS.c.person == before).order_by(HOLDERS.c.game)
        held = connection.execute(query).mappings().all()
        for row in held:
            place = {"game": row["game"], "seat": row["seat"]}
            taken = sa.select(HOLDERS.c.since).where(
                HOLDERS.c.person == after, HOLDERS.c.game == row["game"], HOLDERS.c.seat == row["seat"]
            )
            if connection.execute(taken).first() is None:
                connection.execute(HOLDERS.insert().values(person=after, since=row["since"], **place))
            self.store.bump_revision(connection, str(row["game"]))
        connection.execute(HOLDERS.delete().where(HOLDERS.c.person == before))
        connection.execute(GAMES.update().where(GAMES.c.host == before).values(host=after))
        connection.execute(DEVICES.update().where(DEVICES.c.person == before).values(person=after))
        connection.execute(PEOPLE.delete().where(PEOPLE.c.id == before))
        return [str(row["game"]) for row in held]

    def sign_out(self, cookie: str) -> None:
        """Forget a device; the seats stay with the account."""
        key = self._key(cookie)
        if key is not None:
            with self.store.begin() as connection:
                connection.execute(DEVICES.delete().where(DEVICES.c.key_hash == digest(key)))

    def tables(self, person: Person, limit: int = 100) -> list[tuple[GameRow, tuple[int, ...]]]:
        """The tables at which a person sits or watches, those that moved last first, each with the seats."""
        columns = [sa.literal("").label("set_up") if c.name == "set_up" else c for c in GAMES.c]
        query = (
            sa.select(*columns, HOLDERS.c.seat)
            .join(HOLDERS, HOLDERS.c.game == GAMES.c.id)
            .where(HOLDERS.c.person == person.id)
            .order_by(GAMES.c.changed.desc(), GAMES.c.id, HOLDERS.c.seat)
            .limit(limit)
        )
        found: dict[str, tuple[GameRow, tuple[int, ...]]] = {}
        with self.store.engine.connect() as connection:
            for row in connection.execute(query).mappings():
                values = dict(row)
                seat = values.pop("seat")
                game = GameRow(**values)
                found[game.id] = (game, (*found.get(game.id, (game, ()))[1], seat))
        return list(found.values())
