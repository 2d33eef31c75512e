"""Notices by e-mail: the host's SMTP server, named by an address such as `smtps://name:password@mail.example:465`."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

TIMEOUT = 20.0  # seconds for one step of the conversation
PORTS = {"smtp": 25, "smtps": 465, "submission": 587}
LONGEST = 254  # characters of an address


class MailError(ValueError):
    """Settings or an address that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The host's mail server. `submission` turns to TLS before anything is said, `smtps` begins with it."""

    scheme: str
    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""


def mail_server_of(url: str, sender: str) -> MailServer:
    """The server of an address. Raises `MailError`."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise MailError(f"the mail server is smtp://, submission:// or smtps:// and a host, not {parts.scheme}://")
    try:
        port = parts.port or PORTS[parts.scheme]
    except ValueError as fault:
        raise MailError("the port of the mail server is a number") from fault
    name = unquote(parts.username or "")
    return MailServer(parts.scheme, parts.hostname, port, checked(sender), name, unquote(parts.password or ""))


def checked(address: str) -> str:
    """An e-mail address that can stand in a header. Raises `MailError`."""
    stripped = address.strip()
    _, found = parseaddr(stripped)
    local, _, domain = found.rpartition("@")
    plain = found == stripped or stripped.endswith(f"<{found}>")
    if not local or not domain or len(found) > LONGEST or not found.isprintable() or not found.isascii() or not plain:
        raise MailError(f"{address[:LONGEST]!r} is no e-mail address")
    if any(character in found for character in ' ,;<>()[]\\"'):
        raise MailError(f"{address[:LONGEST]!r} is no e-mail address")
    return stripped


def letter(sender: str, to: str, subject: str, text: str, quiet: str = "") -> EmailMessage:
    """A plain letter; `quiet` is the address where the viewer ends such letters."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, to, " ".join(subject.split())
    made["Date"], made["Message-ID"] = formatdate(), make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    made["Auto-Submitted"] = "auto-generated"
    if quiet:
        made["List-Unsubscribe"] = f"<{quiet}>"
    made.set_content(text)
    return made


def send(post: MailServer, message: EmailMessage) -> None:
    """Hand a letter to the server; blocks. Raises `OSError` or `smtplib.SMTPException`."""
    context = ssl.create_default_context()
    if post.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(post.host, post.port, timeout=TIMEOUT, context=context)
    else:
        server = smtplib.SMTP(post.host, post.port, timeout=TIMEOUT)
    with server:
        if post.scheme == "submission":
            server.starttls(context=context)
        if post.user:
            server.login(post.user, post.password)
        server.send_message(message)
