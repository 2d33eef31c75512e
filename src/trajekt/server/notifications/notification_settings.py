"""How the players of a table want to be told when they are away: addresses by seat, a mute, a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import itsdangerous
import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.i18n.sentences import LANGUAGES
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.denials import DeniedError
from trajekt.server.notifications import mail, webhook
from trajekt.server.notifications.messages import CONFIRM, NoticeJob
from trajekt.server.storage import job_queue
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import MAILS, SEATS
from trajekt.server.storage.store import Store

A_DAY = 24 * 3600.0  # seconds
TO_ONE, FROM_ONE, TO_DOMAIN, IN_ALL = 3, 5, 60, 300
"""Letters a day that ask: to one mailbox, for one seat, to all mailboxes of a domain, and of the whole server."""
TOKEN_AGE = 7 * 24 * 3600
"""Seconds for which the link of a letter that asks is good."""
QUIET_AGE = 400 * 24 * 3600
"""Seconds for which the link that ends letters is good."""


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player leaves: a mail address, a webhook and its form, whether to be silent, the language of notices."""

    mail: str = ""
    hook: str = ""
    form: str = "json"
    muted: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class ContactInfo:
    """A contact as it is stored, and when its player was last seen at the table.

    `confirmed`: whether the viewer of the mail address has agreed to letters.
    """

    contact: Contact
    looking: float
    confirmed: bool = False


def checked(contact: Contact) -> Contact:
    """A contact that can be kept, the mail address without the name before it. Raises `DeniedError` for what is none."""
    try:
        address = mail.checked(contact.mail) if contact.mail.strip() else ""
        if contact.hook.strip():
            webhook.checked(contact.hook.strip())
    except mail.MailError as fault:
        raise DeniedError(422, "mail_unreadable") from fault
    except webhook.HookError as fault:
        raise DeniedError(422, fault.code) from fault
    if contact.form not in webhook.FORMS or contact.language not in LANGUAGES:
        raise DeniedError(400, "unreadable", {"detail": ""})
    return msgspec.structs.replace(contact, mail=address, hook=contact.hook.strip())


def leave(store: Store, game: str, seat: Seat, contact: Contact, now: float) -> bool:
    """Keep a contact.

    A mail address that is new here is asked first: answers whether a letter goes there. Raises `DeniedError` 429
    `mail_often` and 422 `mail_refused`.
    """
    values = {
        "mail": contact.mail or None,
        "hook": contact.hook or None,
        "hook_form": contact.form if contact.hook else None,
        "muted": contact.muted,
        "language": contact.language,
    }
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        mine = SEATS.c.game == game, SEATS.c.seat == seat
        before = connection.execute(sa.select(SEATS.c.mail, SEATS.c.confirmed).where(*mine)).one_or_none()
        values["confirmed"] = before is not None and bool(before[1]) and before[0] == contact.mail
        asks = bool(contact.mail) and not values["confirmed"] and invited(connection, game, seat, contact.mail, now)
        connection.execute(SEATS.update().where(*mine).values(values))
    return asks


# Whether letters may come --------------------------------------------------------------------------------------------


def invited(connection: sa.Connection, game: str, seat: Seat, address: str, now: float) -> bool:
    """Note down that an address is to be asked; false where it was today. Raises `DeniedError` as `leave`."""
    mailbox = mail.mailbox_of(address)
    domain = mailbox.rpartition("@")[2]
    there = MAILS.c.address.in_({mailbox, address.casefold()})  # earlier versions stored the address with its plus
    here = sa.and_(MAILS.c.game == game, MAILS.c.seat == seat)

    def asked(*where: sa.ColumnElement[bool]) -> int:
        query = sa.select(sa.func.count()).select_from(MAILS).where(*where)
        return int(connection.execute(query).scalar_one())

    if asked(there, MAILS.c.refused):
        raise DeniedError(422, "mail_refused")
    today = MAILS.c.asked > now - A_DAY
    if asked(there, here, today):
        return False
    spent = asked(there, today) >= TO_ONE or asked(here, today) >= FROM_ONE
    if spent or asked(MAILS.c.domain == domain, today) >= TO_DOMAIN or asked(today) >= IN_ALL:
        raise DeniedError(429, "mail_often")
    row = (
        MAILS.insert()
        .values(address=mailbox, domain=domain, game=game, seat=seat, asked=now, refused=False)
        .returning(MAILS.c.id)
    )
    number = int(connection.execute(row).scalar_one())
    job_queue.ask(connection, game, job_queue.NOTICE, NoticeJob(seat, number, "mail", CONFIRM), now)
    return True


def asked_at(store: Store, number: int) -> str:
    """The mailbox that was asked at a time; empty where there is no such row."""
    with store.engine.connect() as connection:
        return str(connection.execute(sa.select(MAILS.c.address).where(MAILS.c.id == number)).scalar() or "")


def agree(store: Store, game: str, seat: Seat, address: str) -> None:
    """Letters may come. Raises `DeniedError` 409 `mail_gone` where the seat has another address by now."""
    mine = SEATS.c.game == game, SEATS.c.seat == seat, SEATS.c.mail == address
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        if connection.execute(SEATS.update().where(*mine).values(confirmed=True)).rowcount != 1:
            raise DeniedError(409, "mail_gone")


def refuse(store: Store, game: str, seat: Seat, address: str) -> None:
    """No letters to an address, from no table of this server."""
    mine = SEATS.c.game == game, SEATS.c.seat == seat, SEATS.c.mail == address
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        connection.execute(SEATS.update().where(*mine).values(mail=None, confirmed=False))
        connection.execute(
            MAILS.update()
            .where(MAILS.c.address.in_({mail.mailbox_of(address), address.casefold()}))
            .values(refused=True)
        )


def reach(store: Store, game: str, seat: Seat) -> ContactInfo | None:
    """How a player is to be reached; None where he has no seat of his own."""
    query = sa.select(SEATS).where(SEATS.c.game == game, SEATS.c.seat == seat)
    with store.engine.connect() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        return None
    contact = Contact(row.mail or "", row.hook or "", row.hook_form or "json", row.muted, row.language or LANGUAGES[0])
    return ContactInfo(contact, row.looking, row.confirmed)


def silence(store: Store, game: str, seat: Seat) -> None:
    """No more notices for a seat."""
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        connection.execute(SEATS.update().where(SEATS.c.game == game, SEATS.c.seat == seat).values(muted=True))


# The address in every letter that ends them, without a login ---------------------------------------------------------


def _signer(accounts: Accounts, salt: str) -> itsdangerous.URLSafeTimedSerializer:
    return itsdangerous.URLSafeTimedSerializer(accounts.secret, salt=salt)


def quiet_token(accounts: Accounts, game: str, seat: Seat) -> str:
    """What proves that a viewer got a letter about a seat."""
    return str(_signer(accounts, "quiet").dumps([game, seat]))


def quiet_seat(accounts: Accounts, game: str, token: str) -> Seat:
    """The seat of such a token. Raises `DeniedError` for one that was not made here."""
    seat: Seat = _signed(accounts, "quiet", game, token, QUIET_AGE, (int,))[0]
    return seat


def mail_token(accounts: Accounts, game: str, seat: Seat, address: str) -> str:
    """What proves that a viewer got the letter that asks."""
    return str(_signer(accounts, "mail").dumps([game, seat, address]))


def mail_asked(accounts: Accounts, game: str, token: str) -> tuple[Seat, str]:
    """The seat and the address of such a token. Raises `DeniedError` for one that was not made here."""
    seat, address = _signed(accounts, "mail", game, token, TOKEN_AGE, (int, str))
    return seat, address


def _signed(accounts: Accounts, salt: str, game: str, token: str, age: int, kinds: tuple[type, ...]) -> list[Any]:
    """What a token says behind the game that it is for."""
    try:
        signed: list[Any] = _signer(accounts, salt).loads(token, max_age=age)
        found, *said = signed
    except (itsdangerous.BadData, ValueError, TypeError) as fault:
        raise DeniedError(404, "unknown") from fault
    if found != game or len(said) != len(kinds) or not all(map(isinstance, said, kinds)):
        raise DeniedError(404, "unknown")
    return said
