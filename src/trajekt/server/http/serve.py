"""Starting the table: where the games are kept, which port is free, the browser."""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import platform
import re
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from trajekt.server.notifications.mail import MailServer
    from trajekt.server.storage.store import Store

SELDOM = (2_000, 2_500, 100)
"""Thresholds at which Python looks for garbage: some milliseconds at a time through what is new, seldom through all.
Positions hold no circles, only templates leave some behind; a look through 200 games holds everybody up for a second or more.
"""
M_ARENA_MAX, ARENAS = -8, 1
"""The option of the C library, and the number of heaps that all threads share: with one each, some of the memory lies idle."""
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 128 * 1024
"""The option, and the bytes from which on a block is given back as soon as it is free: else the library puts the next one
into a heap, where whole pages and files that came in leave holes.
"""
TURN = 0.001  # seconds that a thread computes while others wait: requests are taken and answered between two drawings
DATABASE_WAIT = 60.0  # seconds for which a database in the network is waited for
DENIED = re.compile(r"password|authentication|does not exist|no pg_hba")
"""Answers of a database that no waiting mends."""
BACKLOG = 4096
"""Connections that may wait for a server that starts (the system may allow less). After a restart all open pages come at
once: who finds no room is not refused, and its system tries again after 1, 3, 7 and up to 63 seconds.
"""
TRIES = 20  # ports tried one after the other when the wanted one is taken


class ServeError(Exception):
    """Error that keeps the table from starting; the message says why and what to do."""


def data_folder() -> Path:
    """Return where a user's games are kept: `TRAJEKT_DATA`, else the place that the system has for such things."""
    named = os.environ.get("TRAJEKT_DATA")
    if named:
        return Path(named).expanduser()
    try:
        home = Path.home()
    except RuntimeError as fault:
        message = "this user has no home: name a database with --db, or a folder with TRAJEKT_DATA"
        raise ServeError(message) from fault
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "trajekt"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "trajekt"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "trajekt"


def default_url() -> str:
    """The database of a user who names none."""
    return f"sqlite:///{(data_folder() / 'tables.db').as_posix()}"


def share_heaps() -> None:
    """Bound the heaps of the C library and what lies in them, where it is one that has such options (glibc)."""
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, ARENAS)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)


def free_socket(host: str, port: int, tries: int = TRIES) -> socket.socket:
    """A listening socket on the port, or on the next free one of `tries`. Raises `ServeError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [port] if port == 0 else range(port, min(port + tries, 65536)):
        # named as TCP, or asyncio leaves out TCP_NODELAY and every answer in two writes waits 40 ms for the other side
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen(BACKLOG)
        except OSError as fault:
            found.close()
            if fault.errno not in (errno.EADDRINUSE, errno.EACCES):
                message = f"cannot listen on {host}: {fault.strerror or fault}"
                raise ServeError(message) from fault
        except OverflowError as fault:
            found.close()
            message = f"{wanted} is no port: 0 to 65535"
            raise ServeError(message) from fault
        else:
            return found
    message = (
        f"port {port} on {host} is taken; name another one with --port"
        if tries == 1
        else f"ports {port} to {port + tries - 1} on {host} are taken; name another one with --port"
    )
    raise ServeError(message)


def in_network(host: str, port: int) -> str:
    """Return where other devices reach a server that listens on all addresses; empty for any other, or without a network."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104  compared, not listened on
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))  # nothing is sent: the system says by which of its addresses it would
        except OSError:
            return ""
        own = str(way.getsockname()[0])
    return "" if own.startswith("127.") else f"http://{own}:{port}/"


def mail_server_option(smtp: str | None, mail_from: str | None, address: str) -> MailServer | None:
    """The mail server that the options name, None where they name none. Raises `ServeError` where they make no sense."""
    from trajekt.server.notifications.mail import MailError, mail_server_of

    if not smtp:
        if mail_from:
            message = "--mail-from without --smtp: name the mail server, or leave the sender out"
            raise ServeError(message)
        return None
    if not mail_from:
        message = "letters need a sender: name one with --mail-from"
        raise ServeError(message)
    if not address:
        message = "letters need the public address of the server for their links: name it with --address"
        raise ServeError(message)
    try:
        return mail_server_of(smtp, mail_from)
    except MailError as fault:
        message = f"letters cannot be sent: {fault}"
        raise ServeError(message) from fault


def checked_address(address: str) -> str:
    """A public address without a slash at its end. Raises `ServeError` for what makes no link."""
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", address)
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment:
        message = f"{address} is no address that a letter can lead to: write it as https://play.example"
        raise ServeError(message)
    return address.rstrip("/")


def open_store(url: str, say: Callable[[str], None], wait: float = DATABASE_WAIT) -> Store:
    """The store of a database, migrated and proved to be writable; one in the network is waited for.

    Raises `ServeError`, whose message has no password.
    """
    import sqlalchemy as sa

    from trajekt.server.storage.database import DatabaseError, shown
    from trajekt.server.storage.store import Store

    try:
        named = shown(url)
    except sa.exc.ArgumentError as fault:
        message = (
            "cannot open the database: its address is none that is known (sqlite:///FILE, postgresql://..., or a path)"
        )
        raise ServeError(message) from fault
    until = time.monotonic() + wait
    while True:
        store = None
        try:
            store = Store(url)
            store.migrate()
            store.prove_writable()
        except (sa.exc.SQLAlchemyError, OSError, ImportError, DatabaseError) as fault:
            if store is not None:
                store.close()
            reason = str(getattr(fault, "orig", None) or fault).splitlines()[0]
            if isinstance(fault, ImportError):
                reason = f"its driver is not installed ({fault}); PostgreSQL needs the extra [postgres]"
            away = (
                isinstance(fault, sa.exc.OperationalError)
                and named.startswith("postgresql")
                and not DENIED.search(reason)
            )
            if not away or time.monotonic() > until:
                message = f"cannot open the database {named}: {reason}"
                raise ServeError(message) from fault
            say(f"waiting for the database {named}: {reason}")
            time.sleep(min(10.0, max(until - time.monotonic(), 0.1)))
        else:
            return store


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The options of `trajekt serve` beside host, port and database."""

    components: Path | None = None
    smtp: str | None = None
    mail_from: str | None = None
    address: str = ""
    private_hooks: bool = False
    metrics: bool = False
    hosts: tuple[str, ...] = ()
    """More public names under which the server is reached."""
    keep_days: int | None = None
    """Days after which unused tables of nobody are deleted; None: 90 with a public address, else never. 0: never."""
    open_days: int | None = None
    """Days after which open tables end where nobody sat down; None: `OPEN_DAYS`. 0: never."""
    ratings: bool = False
    """People with an account are rated by their finished games, for everybody to read."""
    review_minutes: float | None = None
    """Minutes that the review of a finished game may take; None: `REVIEW_MINUTES`. 0: no reviews are made."""
    cache_mb: int | None = None
    """Memory for live games, in MB."""
    list_tables: bool | None = None
    """Tables at one screen stand on the start page; None: not with a public address."""
    pages: Path | None = None
    """The folder of the host's imprint, privacy and house rules."""
    log: str = "text"
    """The form of the log: "text" or "json"."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8018,
    db: str | None = None,
    browser: bool = True,
    *,
    options: ServeOptions | None = None,
    strict_port: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Start the table and serve it until it is stopped. Raises `ServeError` where that is not possible.

    With `strict_port` a port that is taken ends the start; else the next free one is used.
    """
    gc.set_threshold(*SELDOM)  # before the modules are loaded: what they make stays
    chosen = options or ServeOptions()
    address = checked_address(chosen.address)
    if chosen.ratings and find_spec("openskill") is None:
        message = "ratings need the library openskill; it comes with trajekt[ratings]"
        raise ServeError(message)
    mail_server = mail_server_option(chosen.smtp, chosen.mail_from, address)
    url = db or default_url()
    listening = free_socket(host, port, 1 if strict_port else TRIES)
    # from here on whoever comes waits to be answered: a start takes about a second, most of it to load what follows
    lock = None
    try:
        import uvicorn

        from trajekt.server.http.app import create_app
        from trajekt.server.http.connections import (
            SPARE_DESCRIPTORS,
            BoundedProtocol,
            TellingServer,
            raised_descriptor_limit,
        )
        from trajekt.server.http.metrics import Metrics
        from trajekt.server.http.request_log import configure
        from trajekt.server.notifications.delivery import NotificationConfig
        from trajekt.server.notifications.job_worker import OPEN_DAYS
        from trajekt.server.notifications.web_push import VapidKeys
        from trajekt.server.services.review_runner import REVIEW_MINUTES
        from trajekt.server.storage.database import DatabaseError, newest_revision, shown
        from trajekt.server.storage.file_lock import lock_of
        from trajekt.server.storage.game_cache import CAPACITY

        store = open_store(url, say)
        bound = listening.getsockname()[1]
        shown_host = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104  compared only
        here = f"http://{shown_host}:{bound}/"
        lock = lock_of(store.engine)
        if lock is not None:
            try:
                lock.take(here)
            except DatabaseError as fault:
                raise ServeError(str(fault)) from fault
        VapidKeys(store).pem()  # made at the first start, so that it is saved along with the database
        say(f"The table is at {here}  (games in {shown(url)}; Ctrl+C stops it)")
        reached = address or in_network(host, bound)
        if reached:
            say(f"Other devices reach it at {reached}")
        letters = f"through {mail_server.host} as {mail_server.sender}" if mail_server is not None else "off"
        say(
            f"trajekt {version('trajekt')}, Python {platform.python_version()}, schema {newest_revision()}, letters: {letters}"
        )
        if browser:
            threading.Timer(0.6, webbrowser.open, (here,)).start()
        configure(chosen.log)
        share_heaps()
        sys.setswitchinterval(TURN)
        BoundedProtocol.in_all = max(100, raised_descriptor_limit() - SPARE_DESCRIPTORS)
        names = {*chosen.hosts, *([urlsplit(address).netloc, urlsplit(address).hostname or ""] if address else [])}
        keep_days = (90 if address else 0) if chosen.keep_days is None else chosen.keep_days
        config = uvicorn.Config(
            create_app(
                store,
                None if chosen.components is None else str(chosen.components),
                sending=NotificationConfig(mail_server, address or reached, private_hooks=chosen.private_hooks),
                meter=Metrics() if chosen.metrics else None,
                reached=reached,
                hosts=names - {""},
                keep_days=keep_days,
                open_days=OPEN_DAYS if chosen.open_days is None else chosen.open_days,
                cache_bytes=CAPACITY if chosen.cache_mb is None else chosen.cache_mb * 2**20,
                listed=not address if chosen.list_tables is None else chosen.list_tables,
                host_pages=chosen.pages,
                ratings=chosen.ratings,
                review_minutes=REVIEW_MINUTES if chosen.review_minutes is None else chosen.review_minutes,
            ),
            http=BoundedProtocol,
            log_level="warning",
            log_config=None,
            timeout_graceful_shutdown=3,
            timeout_keep_alive=15,
            h11_max_incomplete_event_size=32 * 1024,
            server_header=False,
        )
        TellingServer(config, say, BACKLOG).run(sockets=[listening])
    finally:
        listening.close()
        if lock is not None:
            lock.release()
