"""Notices by webhook: a POST to an address that a player names, in the form that Discord, Slack or a program wants.

The server asks on a player's behalf, so it must not be led to what only it can reach: the name is looked up once, every
address found must be public (unless the host allows others), and the connection goes to the address that was checked.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from urllib.parse import SplitResult, urlsplit

import msgspec

TIMEOUT = 10.0  # seconds
LONGEST = 1000  # characters of an address
FORMS = ("json", "discord", "slack")
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
    """What a webhook is told. `text` is one line for people; the rest is for programs."""

    text: str
    kind: str
    table: str
    game: str
    player: str
    deed: str
    address: str
    number: int


def checked(url: str) -> SplitResult:
    """An address as it may be kept: http or https, a host, no name and password in it. Raises `HookError`."""
    if len(url) > LONGEST or not url.isprintable() or not url.isascii() or " " in url:
        raise HookError("hook_unreadable")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise HookError("hook_unreadable")
    try:
        _port = parts.port
    except ValueError as fault:
        raise HookError("hook_unreadable") from fault
    return parts


def target(parts: SplitResult, *, private: bool) -> str:
    """The address on the network to which a notice goes. Raises `HookError` where one that the name leads to is not public."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise HookFailure(f"no address for {parts.hostname}") from fault
    addresses = [str(entry[4][0]) for entry in found]
    if not private and not all(is_public(address) for address in addresses):
        raise HookError("hook_private")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address belongs to the open network; addresses that carry another are judged by it."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
        if found in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
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
    address = target(parts, private=private)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"content-type": "application/json", "user-agent": "trajekt"}
    try:
        with closing(connected(parts, address)) as connection:
            connection.request("POST", path, msgspec.json.encode(body(form, notice)), headers)
            status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise HookFailure(str(fault)) from fault
    if not 200 <= status < 300:  # a redirection is no answer: it could lead anywhere
        raise HookFailure(f"answered {status}", again=status >= 500 or status == 429)


def connected(parts: SplitResult, address: str) -> http.client.HTTPConnection:
    """A connection to the address that was checked, under the name by which it was asked for."""
    host, secure = parts.hostname or "", parts.scheme == "https"
    made = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(host, parts.port, timeout=TIMEOUT)
    made.sock = socket.create_connection((address, made.port), TIMEOUT)
    if secure:
        made.sock = ssl.create_default_context().wrap_socket(made.sock, server_hostname=host)
    return made
