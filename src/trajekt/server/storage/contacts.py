"""Contacts of players who are away: addresses by seat, whether letters may come there, and the notices that are to be sent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import sqlalchemy as sa

from trajekt.engine.state import Seat
from trajekt.i18n.sentences import LANGUAGES
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import job_queue, push_subscriptions
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import MAILS, SEATS
from trajekt.server.storage.store import Store

TURN, OVER, CONSENT, CONFIRM, NAMED, BEGUN, TRIED = "turn", "over", "consent", "confirm", "named", "begun", "tried"
"""Kinds of notices: a turn, the end of a game, a request for consent, the letter that asks whether letters may come, somebody
named in the talk, the beginning of a game for which one waited, and one that only shows that notices come.
"""
A_DAY = 24 * 3600.0  # seconds
TO_ONE, FROM_ONE, TO_DOMAIN, IN_ALL = 3, 5, 60, 300
"""Letters a day that ask: to one mailbox, for one seat, to all mailboxes of a domain, and of the whole server."""


class NoticeJob(msgspec.Struct, frozen=True):
    """A job: tell a seat by `mail`, `hook` or `push` what `number` is about; for the kinds see `TURN`.

    It is an entry, a request for consent, a line of the talk or a row of `MAILS`. By `push` one `device` is told.
    """

    seat: Seat
    number: int
    way: str
    kind: str
    device: str = ""


FORMS = ("json", "discord", "slack")
"""Forms of the message that a webhook is sent."""


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contact as a player leaves it: mail address, webhook and its form, whether to be silent, language of notices."""

    mail: str = ""
    hook: str = ""
    form: str = "json"
    muted: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class ContactInfo:
    """A contact as it is stored, and when its player was last seen at the table.

    `confirmed`: whether the reader of the mail address has agreed to letters.
    """

    contact: Contact
    looking: float
    confirmed: bool = False


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


def mailbox_of(address: str) -> str:
    """The mailbox to which an address leads, to count letters by: without case and without a plus and what follows it."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def invited(connection: sa.Connection, game: str, seat: Seat, address: str, now: float) -> bool:
    """Note down that an address is to be asked; false where it was today. Raises `DeniedError` as `leave`."""
    mailbox = mailbox_of(address)
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


def asked_mailbox(store: Store, number: int) -> str:
    """The mailbox that was asked at a time; empty where there is no such row."""
    with store.engine.connect() as connection:
        return str(connection.execute(sa.select(MAILS.c.address).where(MAILS.c.id == number)).scalar() or "")


def agree(store: Store, game: str, seat: Seat, address: str) -> None:
    """Allow letters. Raises `DeniedError` 409 `mail_gone` where the seat has another address by now."""
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
            MAILS.update().where(MAILS.c.address.in_({mailbox_of(address), address.casefold()})).values(refused=True)
        )


def contact_info(store: Store, game: str, seat: Seat) -> ContactInfo | None:
    """Read the contact of a player; None where he has no seat of his own."""
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


def queue_notice(store: Store, game: str, seat: Seat, number: int, kind: str, at: float) -> None:
    """Note down a notice of entry `number` for each way by which a seat wants to be told, unless it was told of it."""
    mine = SEATS.c.game == game, SEATS.c.seat == seat
    pushed = job_queue.is_called(game, seat)
    wanted = sa.or_(SEATS.c.mail.is_not(None), SEATS.c.hook.is_not(None), pushed)
    first = SEATS.update().where(*mine, SEATS.c.told < number, SEATS.c.muted.is_(False), wanted)
    with store.begin() as connection:
        if connection.execute(first.values(told=number)).rowcount == 1:
            _queue_ways(connection, game, seat, number, kind, at)


def queue_notices(store: Store, game: str, seats: tuple[Seat, ...], number: int, kind: str, at: float) -> None:
    """Note down notices of a kind for seats, by all their ways: of request, line of the talk or entry `number`."""
    with store.begin() as connection:
        for seat in seats:
            _queue_ways(connection, game, seat, number, kind, at)


def _queue_ways(connection: sa.Connection, game: str, seat: Seat, number: int, kind: str, at: float) -> None:
    ways = sa.select(SEATS.c.mail, SEATS.c.hook).where(SEATS.c.game == game, SEATS.c.seat == seat)
    row = connection.execute(ways).one_or_none()
    for way, address in (("mail", row[0]), ("hook", row[1])) if row is not None else ():
        if address:
            job_queue.ask(connection, game, job_queue.NOTICE, NoticeJob(seat, number, way, kind), at)
    for device in push_subscriptions.devices_of_seat(connection, game, seat):
        job_queue.ask(connection, game, job_queue.NOTICE, NoticeJob(seat, number, "push", kind, device), at)
