"""Starting the table: where the games are kept, which port is free, the browser."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajekt.server.notifications.mail import MailServer

SELDOM = (10_000, 500, 100)
"""When Python looks for garbage: for some 10 ms at a time through what is new, and seldom through all. Positions hold no
circles, only templates leave some behind, and a look through 200 games holds everybody up for a second or more.
"""
TURN = 0.001  # seconds that a thread computes while others wait: requests are taken and answered between two drawings
TRIES = 20  # ports tried one after the other when the wanted one is taken


class ServeError(Exception):
    """The table cannot be started; the message says why and what to do."""


def data_folder() -> Path:
    """Where a user's games are kept: `TRAJEKT_DATA`, else the place that the system has for such things."""
    named = os.environ.get("TRAJEKT_DATA")
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "trajekt"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "trajekt"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "trajekt"


def default_url() -> str:
    """The database of a user who names none."""
    return f"sqlite:///{(data_folder() / 'tables.db').as_posix()}"


def free_socket(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next free one. Raises `ServeError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [port] if port == 0 else range(port, min(port + TRIES, 65536)):
        # named as TCP, or asyncio leaves out TCP_NODELAY and every answer in two writes waits 40 ms for the other side
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen(128)
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
    message = f"ports {port} to {port + TRIES - 1} on {host} are taken; name another one"
    raise ServeError(message)


def in_network(host: str, port: int) -> str:
    """Where other devices reach a server that listens on all addresses; empty where it does not, or there is no network."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104  compared, not listened on
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))  # nothing is sent: the system says by which of its addresses it would
        except OSError:
            return ""
        own = str(way.getsockname()[0])
    return "" if own.startswith("127.") else f"http://{own}:{port}/"


def mail_server_option(smtp: str | None, mail_from: str | None) -> MailServer | None:
    """The mail server that the options name, None where they name none. Raises `ServeError` where they make no sense."""
    from trajekt.server.notifications.mail import MailError, mail_server_of

    if not smtp:
        return None
    if not mail_from:
        message = "letters need a sender: name one with --mail-from"
        raise ServeError(message)
    try:
        return mail_server_of(smtp, mail_from)
    except MailError as fault:
        message = f"letters cannot be sent: {fault}"
        raise ServeError(message) from fault


def serve(
    host: str = "127.0.0.1",
    port: int = 8018,
    db: str | None = None,
    browser: bool = True,
    *,
    components: Path | None = None,
    smtp: str | None = None,
    mail_from: str | None = None,
    address: str = "",
    private_hooks: bool = False,
    metrics: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Start the table and serve it until it is stopped. Raises `ServeError` where that is not possible.

    `smtp` and `mail_from` say how letters to absent players go out, `address` is what stands in them; with `metrics` the
    page `/metrics` is there.
    """
    import sqlalchemy.exc
    import uvicorn

    from trajekt.server.http.app import create_app
    from trajekt.server.http.metrics import Metrics
    from trajekt.server.notifications.job_worker import NotificationConfig
    from trajekt.server.storage.store import Store

    sending = NotificationConfig(mail_server_option(smtp, mail_from), address, private_hooks=private_hooks)
    url = db or default_url()
    listening = free_socket(host, port)
    try:
        try:
            store = Store(url)
            store.migrate()
        except (sqlalchemy.exc.SQLAlchemyError, OSError, ImportError) as fault:
            reason = str(getattr(fault, "orig", None) or fault).splitlines()[0]
            message = f"cannot open the database {url}: {reason}"
            raise ServeError(message) from fault
        bound = listening.getsockname()[1]
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104  compared only
        here = f"http://{shown}:{bound}/"
        say(f"The table is at {here}  (games in {url}; Ctrl+C stops it)")
        reached = address or in_network(host, bound)
        if reached:
            say(f"Other devices reach it at {reached}")
        if browser:
            threading.Timer(0.6, webbrowser.open, (here,)).start()
        gc.set_threshold(*SELDOM)
        sys.setswitchinterval(TURN)
        config = uvicorn.Config(
            create_app(
                store,
                None if components is None else str(components),
                sending=sending,
                meter=Metrics() if metrics else None,
                reached=reached,
            ),
            log_level="warning",
            timeout_graceful_shutdown=3,
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()
