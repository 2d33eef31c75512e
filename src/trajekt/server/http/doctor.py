"""Diagnosis of a set-up, for `trajekt doctor`: database, disk, limits, clock, mail server, and the way through the proxy."""

from __future__ import annotations

import json
import os
import platform
import shutil
import smtplib
import sqlite3
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from trajekt.server.http.connections import SPARE_DESCRIPTORS, raised_descriptor_limit
from trajekt.server.http.serve import ServeError, checked_address, mail_server_option
from trajekt.server.notifications import mail
from trajekt.server.storage.admin_overview import database_time, newest_change
from trajekt.server.storage.database import DatabaseError, newest_revision, revision_of, shown
from trajekt.server.storage.file_lock import lock_of
from trajekt.server.storage.store import Store

GOOD, WARNING, FAULT = "good", "warning", "fault"
ENOUGH_DISK, LITTLE_DISK = 2**30, 100 * 2**20
"""Bytes that should be free, and fewer than which are a fault."""
ENOUGH_DESCRIPTORS = 4096
CLOCK_SKEW = 60.0  # seconds by which two clocks may differ
SECONDS = 10.0  # for a request
FOREIGN = "203.0.113.9"
"""An address of documentation, which a proxy must not believe that a client has."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: what was looked at, and what mends it where something is wrong."""

    subject: str
    state: str
    text: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """The set-up that is looked at, as `serve` is given it. `letter_to` is sent a letter."""

    db: str
    address: str = ""
    smtp: str | None = None
    mail_from: str | None = None
    letter_to: str = ""


def diagnosis(setup: Setup) -> Iterator[Finding]:
    """All findings about a set-up, one after the other as they are found."""
    yield Finding("program", GOOD, f"trajekt {version('trajekt')}, Python {platform.python_version()}")
    yield from of_database(setup.db)
    yield of_descriptors()
    yield from of_address(setup.address)
    yield from of_mail(setup)


def of_database(url: str) -> Iterator[Finding]:
    """Findings about the database: whether it is there, can be written, its schema, size, rights, clock and disk."""
    try:
        store = Store(url)
    except (sa.exc.SQLAlchemyError, DatabaseError, OSError, ImportError) as fault:
        yield Finding("database", FAULT, _reason(fault), "name a file, or postgresql://NAME@HOST/DATABASE, with --db")
        return
    try:
        stands, newest = revision_of(store.engine), newest_revision()
        if not stands:
            yield Finding("database", WARNING, f"{shown(url)} is empty", "the first `trajekt serve` makes the schema")
        elif stands > newest:
            text = f"{shown(url)} has schema {stands}, this version knows {newest}"
            yield Finding("database", FAULT, text, "install the version that wrote it, or restore a backup")
        else:
            text = (
                f"{shown(url)}, schema {stands}; the next start brings it to {newest}"
                if stands < newest
                else f"{shown(url)}, schema {stands}"
            )
            yield Finding("database", GOOD, text)
            store.prove_writable()
            yield Finding("writing", GOOD, "a row was written and taken back")
            yield of_clock(store)
        if not store.shared:
            yield from of_file(store)
    except (sa.exc.SQLAlchemyError, DatabaseError, OSError) as fault:
        mend = "is the server up, is the name right, may this user write there?"
        yield Finding("database", FAULT, f"{shown(url)}: {_reason(fault)}", mend)
    finally:
        store.close()


def of_clock(store: Store) -> Finding:
    """Compare this machine's clock with the newest entry and, on PostgreSQL, with that of the database."""
    now = time.time()
    newest, theirs = newest_change(store), database_time(store) if store.shared else now
    if newest > now + CLOCK_SKEW:
        text = f"a table moved {newest - now:.0f} seconds after now: this clock was set back"
        return Finding("clock", FAULT, text, "set the clock by NTP (timedatectl set-ntp true)")
    if abs(theirs - now) > CLOCK_SKEW:
        text = f"the clock of the database differs by {theirs - now:.0f} seconds"
        return Finding("clock", WARNING, text, "set both clocks by NTP")
    return Finding("clock", GOOD, time.strftime("%Y-%m-%d %H:%M:%S %Z"))


def bytes_stored(file: Path) -> int:
    """Bytes of an SQLite file together with those that its log has not written back yet."""
    return sum(each.stat().st_size for each in (file, file.with_name(f"{file.name}-wal")) if each.exists())


def of_file(store: Store) -> Iterator[Finding]:
    """Findings about an SQLite file: its rights, its size, the disk, and whether a server runs on it."""
    file = Path(store.engine.url.database or "").expanduser()
    others = file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    if others:
        yield Finding("rights", WARNING, f"others on this machine can read {file}", f"chmod 600 {file}")
    free = shutil.disk_usage(file.parent).free
    text = f"{bytes_stored(file) / 2**20:.1f} MB, {free / 2**30:.1f} GB free; SQLite {sqlite3.sqlite_version}"
    state = GOOD if free >= ENOUGH_DISK else WARNING if free >= LITTLE_DISK else FAULT
    yield Finding("disk", state, text, "" if state == GOOD else "make room: a full disk stores nothing")
    lock = lock_of(store.engine)
    if lock is not None:
        try:
            lock.take("trajekt doctor")
        except DatabaseError as held:
            yield Finding("server", GOOD, str(held).partition(";")[0])
        else:
            lock.release()
            yield Finding("server", WARNING, "no server runs on this database", "start it with `trajekt serve`")


def of_descriptors() -> Finding:
    """A finding about file descriptors: each open page takes one."""
    limit = raised_descriptor_limit()
    text = f"{limit} file descriptors, room for {max(limit - SPARE_DESCRIPTORS, 0)} open pages"
    if limit < ENOUGH_DESCRIPTORS:
        return Finding("limits", WARNING, text, "LimitNOFILE=65536 in the unit, or ulimit -n")
    return Finding("limits", GOOD, text)


def of_address(address: str) -> Iterator[Finding]:
    """Findings about the public address: whether it leads here, and what the proxy hands on of a request."""
    if not address:
        yield Finding(
            "address", WARNING, "none is named", "--address https://play.example, where strangers are to play"
        )
        return
    try:
        base = checked_address(address)
        seen, headers = _asked(f"{base}/health/request", {"X-Forwarded-For": FOREIGN})
    except ServeError as fault:
        yield Finding("address", FAULT, str(fault))
        return
    except (OSError, ValueError) as fault:
        text = f"{address} does not answer as trajekt: {_reason(fault)}"
        yield Finding(
            "address", FAULT, text, "does the name lead here, is the proxy up, does --address of the server match?"
        )
        return
    yield Finding("address", GOOD, f"{base} answers")
    parts = urlsplit(base)
    if seen.get("host") != parts.netloc:
        text = f"the server sees Host {seen.get('host')!r} in place of {parts.netloc!r}: no page can write"
        yield Finding(
            "proxy: Host", FAULT, text, "hand Host on with its port (nginx: proxy_set_header Host $http_host)"
        )
    if parts.scheme == "https" and seen.get("scheme") != "https":
        text = "the server takes requests for plain http: cookies are not Secure"
        yield Finding("proxy: scheme", FAULT, text, "hand X-Forwarded-Proto on")
    if parts.scheme == "http":
        yield Finding(
            "proxy: scheme", WARNING, "without https everything is read on the way", "put a proxy with TLS in front"
        )
    if parts.hostname in ("localhost", "127.0.0.1", "::1"):
        yield Finding("proxy: client", WARNING, "asked on this machine, past the proxy", "name the public --address")
    elif seen.get("address") == FOREIGN:
        text = "a client can say whatever address it likes, so limits hold nobody"
        yield Finding(
            "proxy: client", FAULT, text, "set X-Forwarded-For anew (nginx: $remote_addr), do not append to it"
        )
    elif seen.get("address") in ("127.0.0.1", "::1"):
        text = "the server sees its own machine as the client: no limits by address hold"
        mend = "hand X-Forwarded-For on; right where the name leads here by the hosts file"
        yield Finding("proxy: client", WARNING, text, mend)
    else:
        yield Finding("proxy: client", GOOD, f"this machine is seen as {seen.get('address')}")
    date = headers.get("date", "")
    if date and abs(parsedate_to_datetime(date).timestamp() - time.time()) > CLOCK_SKEW:
        yield Finding("clock", WARNING, f"at {base} it is {date}", "set both clocks by NTP")


def _asked(url: str, headers: dict[str, str]) -> tuple[dict[str, Any], Any]:
    """The JSON that an address answers, and the headers. Raises OSError, or ValueError for an answer of another kind."""
    asked = urllib.request.Request(url, headers=headers)  # noqa: S310  http and https alone, by `checked_address`
    with urllib.request.urlopen(asked, timeout=SECONDS) as answered:  # noqa: S310  as above
        return dict(json.loads(answered.read(10_000))), answered.headers


def of_mail(setup: Setup, send: Callable[..., None] = mail.send) -> Iterator[Finding]:
    """Findings about letters: the settings, and a letter to the host where one is wished."""
    try:
        server = mail_server_option(setup.smtp, setup.mail_from, setup.address)
        to = mail.checked(setup.letter_to) if setup.letter_to else ""
    except (ServeError, mail.MailError) as fault:
        yield Finding("letters", FAULT, str(fault))
        return
    if server is None:
        yield Finding("letters", WARNING, "off", "--smtp and --mail-from, for notices to absent players")
        return
    through = f"through {server.host}:{server.port} as {server.sender}"
    if not to:
        yield Finding("letters", GOOD, f"{through}; `--letter ADDRESS` sends one")
        return
    text = f"This is the letter that `trajekt doctor` sends. Players are told by such letters.\n\n{setup.address}\n"
    try:
        send(server, mail.letter(server.sender, to, "trajekt: a letter to try", text), to)
    except (OSError, smtplib.SMTPException) as fault:
        yield Finding(
            "letters", FAULT, f"{through}: {_reason(fault)}", "name, password, port and sender of the mail server"
        )
    else:
        yield Finding("letters", GOOD, f"a letter went to {to} {through}")


def _reason(fault: BaseException) -> str:
    """The first line of a fault's own words, which hold no password."""
    said = str(getattr(fault, "orig", None) or fault).strip() or type(fault).__name__
    return said.splitlines()[0][:300]


def is_root() -> bool:
    """Tell whether the command runs as root, whose rights are not those of the service."""
    return getattr(os, "geteuid", lambda: 1)() == 0
