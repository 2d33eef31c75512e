"""Notices by webhook: a POST to an address that a player names, in the form that Discord, Slack or a plain client wants.

The server asks on a player's behalf, so it must not be led to what only it can reach: the name is looked up once, every
address found must be public (unless the host allows others), and the connection goes to the address that was checked.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from urllib.parse import SplitResult, urlsplit

import msgspec

TIMEOUT = 10.0  # seconds for the whole of a notice: look-up, connection and answer
RESOLVERS = ThreadPoolExecutor(4, "resolver")
"""Threads that look names up: the system's look-up has no deadline, and must not hold the thread that waits for it."""
BUSY: set[str] = set()
"""The hosts that are being told something: one notice at a time."""
BUSY_LOCK = threading.Lock()
PORTS = frozenset({80, 443})
"""Ports below 1024 to which notices may go."""
CARRIERS = tuple(
    ipaddress.ip_network(each)
    for each in (
        "::/96", "::ffff:0:0:0/96", "64:ff9b::/32", "fec0::/10", "5f00::/16", "3fff::/20", "192.88.99.0/24", "2001:db8::/32",
        "100::/64", "2002::/16", "2001::/32", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""Prefixes that carry another address, or that no public host has."""
LONGEST = 1000  # characters of an address
DISCORD_LIMIT = 2000  # characters of a message


class HookError(ValueError):
    """An address that is not asked; `code` names the sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class HookFailure(OSError):
    """The other side did not take a notice; `again` tells whether it makes sense to try once more."""

    def __init__(self, message: str, *, again: bool = True) -> None:
        super().__init__(message)
        self.again = again


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice as a webhook is told it. `text` is one line for people; the rest is for clients."""

    text: str
    kind: str
    table: str
    game: str
    player: str
    decision: str
    address: str
    number: int


def checked(url: str) -> SplitResult:
    """An address as it may be kept: http or https, a host, no name and password in it. Raises `HookError`."""
    if len(url) > LONGEST or not url.isprintable() or not url.isascii() or " " in url:
        raise HookError("hook_unreadable")
    try:
        parts = urlsplit(url)
        port = parts.port
        if parts.hostname and "[" in parts.netloc:
            ipaddress.IPv6Address(parts.hostname.partition("%")[0])
    except ValueError as fault:
        raise HookError("hook_unreadable") from fault
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise HookError("hook_unreadable")
    if port is not None and port not in PORTS and port < 1024:
        raise HookError("hook_port")
    return parts


def target(parts: SplitResult, *, private: bool, timeout: float = TIMEOUT) -> str:
    """The address on the network to which a notice goes. Raises `HookError` where one that the name leads to is not public."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        look_up = RESOLVERS.submit(socket.getaddrinfo, parts.hostname, port, type=socket.SOCK_STREAM)
        found = look_up.result(timeout)
    except (OSError, UnicodeError, TimeoutError) as fault:
        raise HookFailure(f"no address for {parts.hostname}") from fault
    addresses = [str(entry[4][0]) for entry in found]
    if not private and not all(is_public(address) for address in addresses):
        raise HookError("hook_private")
    return addresses[0]


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the open network; one that carries another, by a translator or tunnel, does not."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return is_public(str(found.ipv4_mapped))
    if any(found.version == network.version and found in network for network in CARRIERS):
        return False
    return found.is_global and not found.is_multicast


def body(form: str, notice: Notice) -> Mapping[str, object]:
    """A notice in the form that the other side wants; names of players set nothing off there."""
    if form == "discord":
        return {"content": f"{notice.text}\n<{notice.address}>"[:DISCORD_LIMIT], "allowed_mentions": {"parse": []}}
    if form == "slack":
        plain = notice.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return {"text": f"{plain} <{notice.address}>"}
    return asdict(notice)


def send(url: str, form: str, notice: Notice, *, private: bool = False) -> None:
    """Tell a webhook; blocks. Raises `HookError` where it may not be asked, `HookFailure` where it did not take the notice."""
    parts = checked(url)
    with BUSY_LOCK:
        if parts.netloc in BUSY:
            raise HookFailure(f"{parts.hostname} is being told something else")
        BUSY.add(parts.netloc)
    try:
        _send(parts, form, notice, private=private)
    finally:
        with BUSY_LOCK:
            BUSY.discard(parts.netloc)


def _send(parts: SplitResult, form: str, notice: Notice, *, private: bool) -> None:
    status = post(parts, msgspec.json.encode(body(form, notice)), {"content-type": "application/json"}, private=private)
    if not 200 <= status < 300:  # a redirection is no answer: it could lead anywhere
        raise HookFailure(f"answered {status}", again=status >= 500 or status == 429)


def post(parts: SplitResult, data: bytes, headers: Mapping[str, str], *, private: bool) -> int:
    """Send a body to a checked address within `TIMEOUT`; answers the status. Raises `HookError` and `HookFailure`."""
    until = time.monotonic() + TIMEOUT
    address = target(parts, private=private, timeout=TIMEOUT)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with closing(connected(parts, address, until)) as connection, cut_off(connection.sock, until):
            connection.request("POST", path, data, {"user-agent": "trajekt", **headers})
            return connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise HookFailure(str(fault)) from fault


@contextmanager
def cut_off(connection: socket.socket, until: float) -> Iterator[None]:
    """Close a connection at a time, whatever it waits for: the time-out of a socket holds for each read alone."""

    def close() -> None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(until - time.monotonic(), 0.01), close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def connected(parts: SplitResult, address: str, until: float) -> http.client.HTTPConnection:
    """A connection to the address that was checked, under the name by which it was asked for."""
    host, secure = parts.hostname or "", parts.scheme == "https"
    left = max(until - time.monotonic(), 0.01)
    made = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(host, parts.port, timeout=left)
    made.sock = plain = socket.create_connection((address, made.port), left)
    if secure:
        with cut_off(plain, until):
            made.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return made
