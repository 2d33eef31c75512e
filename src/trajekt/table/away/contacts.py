"""How the players of a table want to be told when they are away: addresses by seat, a mute, a language."""

from __future__ import annotations

from dataclasses import dataclass

import itsdangerous
import msgspec
import sqlalchemy as sa

from trajekt.engine.model import Seat
from trajekt.show.sentences import LANGUAGES
from trajekt.table.away import hook, mail
from trajekt.table.kept.push import STIRRED
from trajekt.table.kept.schema import SEATS, SETTINGS
from trajekt.table.kept.store import Store
from trajekt.table.people.accounts import Accounts
from trajekt.table.people.denied import DeniedError


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player leaves: a mail address, a webhook and its form, whether to be silent, the language of notices."""

    mail: str = ""
    hook: str = ""
    form: str = "json"
    muted: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Reach:
    """A contact as it is stored, when its player was last seen at the table, and the table's address as he reached it."""

    contact: Contact
    looking: float
    address: str


def checked(contact: Contact) -> Contact:
    """A contact that can be kept. Raises `DeniedError` for an address that cannot be one."""
    try:
        address = mail.checked(contact.mail) if contact.mail.strip() else ""
        if contact.hook.strip():
            hook.checked(contact.hook.strip())
    except mail.MailError as fault:
        raise DeniedError(422, "mail_unreadable") from fault
    except hook.HookError as fault:
        raise DeniedError(422, fault.code) from fault
    if contact.form not in hook.FORMS or contact.language not in LANGUAGES:
        raise DeniedError(400, "unreadable", {"detail": ""})
    return msgspec.structs.replace(contact, mail=address, hook=contact.hook.strip())


def leave(store: Store, game: str, seat: Seat, contact: Contact, address: str) -> None:
    """Keep a contact; `address` is where its player reached the server, as `https://play.example`."""
    values = {
        "mail": contact.mail or None,
        "hook": contact.hook or None,
        "hook_form": contact.form if contact.hook else None,
        "muted": contact.muted,
        "language": contact.language,
    }
    name = _name(game, seat)
    with store.begin() as connection:
        store.touched(connection, game, STIRRED)
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(values))
        connection.execute(SETTINGS.delete().where(SETTINGS.c.name == name))
        connection.execute(SETTINGS.insert().values(name=name, value=address))


def _name(game: str, seat: Seat) -> str:
    return f"address {game} {seat}"


def reach(store: Store, game: str, seat: Seat) -> Reach | None:
    """How a player is to be reached; None where he has no seat of his own."""
    columns = (SEATS.c.mail, SEATS.c.hook, SEATS.c.hook_form, SEATS.c.muted, SEATS.c.language, SEATS.c.looking)
    query = sa.select(*columns).where(SEATS.c.game == game, SEATS.c.seat == seat)
    kept = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == _name(game, seat))
    with store.engine.connect() as connection:
        row = connection.execute(query).first()
        address = connection.execute(kept).scalar() or ""
    if row is None:
        return None
    contact = Contact(row[0] or "", row[1] or "", row[2] or "json", bool(row[3]), row[4] or LANGUAGES[0])
    return Reach(contact, float(row[5]), str(address))


def silence(store: Store, game: str, seat: Seat) -> None:
    """No more notices for a seat."""
    with store.begin() as connection:
        store.touched(connection, game, STIRRED)
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(muted=True))


# The address in every letter that ends them, without a login ---------------------------------------------------------


def _signer(accounts: Accounts) -> itsdangerous.URLSafeSerializer:
    return itsdangerous.URLSafeSerializer(accounts.secret, salt="quiet")


def quiet_token(accounts: Accounts, game: str, seat: Seat) -> str:
    """What proves that a reader got a letter about a seat."""
    return str(_signer(accounts).dumps([game, seat]))


def quiet_seat(accounts: Accounts, game: str, token: str) -> Seat:
    """The seat of such a token. Raises `DeniedError` for one that was not made here."""
    try:
        found, seat = _signer(accounts).loads(token)
    except (itsdangerous.BadData, ValueError, TypeError) as fault:
        raise DeniedError(404, "unknown") from fault
    if found != game or not isinstance(seat, int):
        raise DeniedError(404, "unknown")
    return seat
