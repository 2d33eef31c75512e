"""Notices by e-mail: the host's SMTP server, named by an address such as `smtps://name:password@mail.example:465`."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import ssl
import threading
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

TIMEOUT = 20.0  # seconds for one step of the conversation
PORTS = {"smtp": 25, "smtps": 465, "submission": 587}
WHOLE = 60.0  # seconds for the whole conversation, below the lease of a job
ADDRESS = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}(?<!\.)@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)
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
    return MailServer(parts.scheme, parts.hostname, port, checked_sender(sender), name, unquote(parts.password or ""))


def checked(address: str) -> str:
    """An e-mail address of plain characters, as it is sent to. Raises `MailError`.

    Anything that a mail server could read in another way (encoded words, comments, quotes, routes, names) is refused: an
    address is compared in the form in which it is used.
    """
    found = address.strip()
    if len(found) > LONGEST or not ADDRESS.fullmatch(found) or ".." in found:
        raise MailError(f"{address[:LONGEST]!r} is no e-mail address")
    local, _, domain = found.rpartition("@")
    return f"{local}@{domain.lower()}"


def checked_sender(sender: str) -> str:
    """The host's own sender, with or without a name before it. Raises `MailError`."""
    name, found = parseaddr(sender.strip())
    checked(found)
    if not sender.strip().isprintable() or "=?" in sender:
        raise MailError(f"{sender[:LONGEST]!r} is no sender")
    return sender.strip() if name else found


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


def send(post: MailServer, message: EmailMessage, to: str) -> None:
    """Hand a letter to the server for one checked address; blocks. Raises `OSError` or `smtplib.SMTPException`."""
    context = ssl.create_default_context()
    server = (
        smtplib.SMTP_SSL(timeout=TIMEOUT, context=context) if post.scheme == "smtps" else smtplib.SMTP(timeout=TIMEOUT)
    )
    setattr(server, "_host", post.host)  # noqa: B010  the certificate is checked against it, and `connect` leaves it out

    def cut_off() -> None:
        if server.sock is not None:
            with contextlib.suppress(OSError):
                server.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(WHOLE, cut_off)
    timer.daemon = True
    timer.start()
    try:
        server.connect(post.host, post.port)
        with server:
            if post.scheme == "submission":
                server.starttls(context=context)
            if post.user:
                server.login(post.user, post.password)
            server.send_message(message, from_addr=parseaddr(post.sender)[1], to_addrs=[to])
    finally:
        timer.cancel()
