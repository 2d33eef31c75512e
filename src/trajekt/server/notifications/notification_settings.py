"""Settings of notices as players leave them: what can be kept, and the tokens of the links in letters."""

from __future__ import annotations

from typing import Any

import itsdangerous
import msgspec

from trajekt.engine.state import Seat
from trajekt.i18n.sentences import LANGUAGES
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.accounts.signing import letter_links, read_link
from trajekt.server.notifications import mail, webhook
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.contacts import FORMS, Contact

TOKEN_AGE = 7 * 24 * 3600
"""Seconds for which the link of a letter that asks is good."""
QUIET_AGE = 400 * 24 * 3600
"""Seconds for which the link that ends letters is good."""


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
    if contact.form not in FORMS or contact.language not in LANGUAGES:
        raise DeniedError(400, "unreadable", {"detail": ""})
    return msgspec.structs.replace(contact, mail=address, hook=contact.hook.strip())


# The address in every letter that ends them, without a login ---------------------------------------------------------


def quiet_token(accounts: Accounts, game: str, seat: Seat) -> str:
    """Return what proves that a viewer got a letter about a seat."""
    return str(letter_links(accounts.secret, "quiet").dumps([game, seat]))


def quiet_seat(accounts: Accounts, game: str, token: str) -> Seat:
    """The seat of such a token. Raises `DeniedError` for one that was not made here."""
    seat: Seat = _signed(accounts, "quiet", game, token, QUIET_AGE, (int,))[0]
    return seat


def mail_token(accounts: Accounts, game: str, seat: Seat, address: str) -> str:
    """Return what proves that a viewer got the letter that asks."""
    return str(letter_links(accounts.secret, "mail").dumps([game, seat, address]))


def mail_asked(accounts: Accounts, game: str, token: str) -> tuple[Seat, str]:
    """The seat and the address of such a token. Raises `DeniedError` for one that was not made here."""
    seat, address = _signed(accounts, "mail", game, token, TOKEN_AGE, (int, str))
    return seat, address


def _signed(accounts: Accounts, salt: str, game: str, token: str, age: int, kinds: tuple[type, ...]) -> list[Any]:
    """Return what a token says behind the game that it is for."""
    try:
        signed: list[Any] = read_link(letter_links(accounts.secret, salt), token, age)
        found, *said = signed
    except (itsdangerous.BadData, ValueError, TypeError) as fault:
        raise DeniedError(404, "unknown") from fault
    if found != game or len(said) != len(kinds) or not all(map(isinstance, said, kinds)):
        raise DeniedError(404, "unknown")
    return said
