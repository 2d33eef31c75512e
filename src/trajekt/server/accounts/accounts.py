"""People and their devices. Whoever takes a seat is a person; a name and a passcode make the person an account.

The cookie of a device is a random key, signed, so that a forged one costs no question to the database; of the key only a
digest is stored.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cached_property
from typing import Any

import itsdangerous

from trajekt.engine.player_names import likeness
from trajekt.server.accounts import passcodes, signing
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import accounts as account_rows
from trajekt.server.storage.accounts import Device, NameTakenError, Person
from trajekt.server.storage.deletion import delete_person
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.secret_tokens import digest, new_token
from trajekt.server.storage.store import Store
from trajekt.server.user_text import TextError, checked_name, cleaned

__all__ = ["Accounts", "Person"]

LINK_AGE = 15 * 60  # seconds that a link to sign in with is good for


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
        """The secret that signs cookies and links: made once, the same for all processes on the database."""
        return signing.secret_of(self.store)

    @cached_property
    def signer(self) -> itsdangerous.Signer:
        return signing.device_signer(self.secret)

    @cached_property
    def links(self) -> itsdangerous.URLSafeTimedSerializer:
        return signing.sign_in_links(self.secret)

    def person(self, cookie: str) -> Person | None:
        """The person whose device a cookie comes from; None for a forged or forgotten one."""
        key = self._key(cookie)
        return None if key is None else account_rows.person_of_device(self.store, digest(key))

    def device(self, cookie: str) -> str | None:
        """The device that a cookie comes from, by the key under which it is stored; None for a forged one."""
        key = self._key(cookie)
        return None if key is None else digest(key)

    def _key(self, cookie: str) -> str | None:
        try:
            return self.signer.unsign(cookie).decode()
        except (itsdangerous.BadData, UnicodeError):
            return None

    def welcome(self, **values: str) -> tuple[Person, str]:
        """Somebody new, with the cookie of their device; `values` are columns of the person."""
        person, key = Person(secrets.token_hex(12)), new_token()
        account_rows.add_person(self.store, person.id, digest(key), values)
        return person, self.signer.sign(key).decode()

    def register(self, person: Person | None, name: str, passcode: str) -> str:
        """Give a person a name and a passcode to sign in with; answers the cookie of somebody new, else nothing.

        Raises `DeniedError`, and nothing is stored, where the name is no name or taken, or the person has one.
        """
        name = account_name(name)
        if person is not None and person.open:
            raise DeniedError(409, "has_account")
        values = {"name": name, "folded": likeness(name), "passcode_hash": passcodes.hashed(passcode)}
        try:
            if person is None:
                return self.welcome(**values)[1]
            account_rows.change_person(self.store, person.id, "account_made", values)
        except NameTakenError as fault:
            raise DeniedError(409, "name_taken") from fault
        return ""

    def sign_in(self, name: str, passcode: str, address: str, cookie: str = "") -> str:
        """Sign a device in by name and passcode; answers its new cookie. What its person held so far comes along."""
        folded = likeness(cleaned(name))
        found = account_rows.person_by_name(self.store, folded)
        before = self.person(cookie) if cookie else None
        about = f"account {hashlib.sha256(folded.encode()).hexdigest()}"
        known = found is not None and before is not None and before.id == found[0].id
        stored = None if found is None else found[1]
        passcodes.check(self.store, about, address, stored, passcode, known_device=known)
        assert found is not None
        return self._entered(found[0], cookie, merge=before is not None and not before.open)

    def link(self, person: Person) -> str:
        """A token that signs another device in, once, within `LINK_AGE` seconds."""
        return str(self.links.dumps([person.id, account_rows.links_used(self.store, person.id)]))

    def follow(self, token: str, cookie: str = "", *, leave: bool = False) -> str:
        """Sign a device in by such a link; answers its new cookie.

        A link may be a stranger's, so nothing that the device holds goes along: where it holds seats without an account, it
        must be said that these are to be left. Raises `DeniedError` 403 where the link is used up or too old, 409
        `leaves_seats` with the account's `name`.
        """
        try:
            person, used = signing.read_link(self.links, token, LINK_AGE)
            stands = account_rows.links_used(self.store, person)
        except (itsdangerous.BadData, ValueError, TypeError, KeyError) as fault:
            raise DeniedError(403, "wrong_link") from fault
        if stands != used:
            raise DeniedError(403, "wrong_link")
        before = self.person(cookie) if cookie else None
        if before is not None and not before.open and before.id != person and not leave and self._holds(before):
            name = account_rows.name_of(self.store, person)
            raise DeniedError(409, "leaves_seats", {"name": name}, name=name)
        if not account_rows.use_link(self.store, person, used):
            raise DeniedError(403, "wrong_link")
        return self._entered(Person(person), cookie, merge=False)

    def _holds(self, person: Person) -> bool:
        return any(account_rows.tables_of(self.store, person.id, finished=each, limit=1) for each in (False, True))

    def _entered(self, person: Person, cookie: str, *, merge: bool) -> str:
        """Give a device of this person a key of its own; with `merge` what a nameless person held on it comes along."""
        if person.banned:
            raise DeniedError(403, "banned")
        before, key = self.person(cookie) if cookie else None, new_token()
        old = self._key(cookie) if cookie else None
        merged = before.id if merge and before is not None and before.id != person.id else None
        games = account_rows.enter(self.store, person.id, digest(key), None if old is None else digest(old), merged)
        for game in games:
            self.cache.invalidate(game)
        return self.signer.sign(key).decode()

    def sign_out(self, cookie: str) -> None:
        """Forget a device; the seats stay with the account."""
        key = self._key(cookie)
        if key is not None:
            account_rows.remove_device(self.store, digest(key))

    # What one changes of one's own account ---------------------------------------------------------------------------

    def prove(self, person: Person, passcode: str, address: str) -> None:
        """Ask for the passcode before something that cannot be taken back. Raises `DeniedError` 403 or 429."""
        stored = account_rows.passcode_hash(self.store, person.id)
        passcodes.check(self.store, f"account {person.id}", address, stored, passcode, known_device=True)

    def change_passcode(self, person: Person, cookie: str, old: str, new: str, address: str) -> None:
        """Change the passcode; all other devices are signed out."""
        fresh = passcodes.hashed(new)
        self.prove(person, old, address)
        key = self._key(cookie) or ""
        account_rows.change_person(self.store, person.id, "passcode_changed", {"passcode_hash": fresh}, digest(key))
        self.sign_out_elsewhere(person, cookie)

    def change_name(self, person: Person, name: str) -> None:
        """Change the name by which one signs in; at tables one keeps the name with which one sat down."""
        fit = account_name(name)
        try:
            account_rows.change_person(self.store, person.id, "name_changed", {"name": fit, "folded": likeness(fit)})
        except NameTakenError as fault:
            raise DeniedError(409, "name_taken") from fault

    def sign_out_elsewhere(self, person: Person, cookie: str) -> int:
        """Sign out all other devices; answers how many there were."""
        return account_rows.end_other_devices(self.store, person.id, digest(self._key(cookie) or ""))

    def devices(self, person: Person, cookie: str) -> list[Device]:
        """The devices of a person."""
        return account_rows.devices(self.store, person.id, digest(self._key(cookie) or ""))

    def delete(self, person: Person) -> None:
        """Delete a person with all that belongs to them; seats stay with their links."""
        for game in delete_person(self.store, person.id):
            self.cache.forget(game)

    def data_of(self, person: Person) -> dict[str, Any]:
        """All that is stored about a person."""
        return account_rows.data_of(self.store, person.id)
