"""The guard around all routes: host names, writes from our own pages or clients only, rates, and strict headers.

Rates are token buckets in the memory of each process: one for each viewer (cookie or token) and one for each address, far above
what playing needs; making tables has buckets of its own. The machine's own address is not counted: it is the host at the table,
or a proxy that hides who asks.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trajekt.server.accounts.accounts import COOKIE
from trajekt.server.http.errors import ErrorAnswer
from trajekt.server.http.requests import anonymous_viewer, bearer_token, fault_answer

LOG = logging.getLogger("trajekt.server")
MAKES_TABLE = re.compile(r"/tables(/import(/preview)?|/guided/[^/]+)?|/t/[^/]+/try|/lobby")
"""The addresses at which a POST stores a new table."""
SITS_DOWN = re.compile(r"/lobby/[^/]+/sit")
"""The addresses at which a POST takes a seat of strangers."""
LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
"""Names that no public registry hands out, so that no foreign page can lead them here."""
MAX_BUCKETS = 20_000  # buckets in memory; the ones unused for longest are forgotten, which is in favour of who asks
LATER = 10  # seconds after which a page may ask for a stream again
WRITE, PAGE = 4, 5  # what a write costs, and a page drawn as a whole; another read costs 1
WHOLE_PAGE = re.compile(
    r"/|/t/[^/]+(/print|/charts|/statistics\.(json|csv)|/tiles|/hex/[^/]+/others)?|/rules/[^/]+|/box/[^/]+|/openapi.json|/me"
    r"|/lobby(\.json|/list|/new)?|/(games|ratings)(\.json)?"
)
"""Reads that are drawn as a whole for whoever asks."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """Costs that may be spent at once, and that come back a second."""

    burst: float
    again: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one viewer and one address; `exempt` are addresses that are not counted."""

    viewer: Rate = Rate(400, 40)
    address: Rate = Rate(1200, 150)
    streams: int = 300  # requests of one address that are open at once: each page holds a stream
    new_tables: Rate = Rate(30, 1 / 120)  # tables, copies and imports of one address
    new_seats: Rate = Rate(20, 1 / 60)  # at open tables, of one address
    all_new_tables: Rate = Rate(600, 0.5)  # and of the whole server
    requests: int = 3000  # requests of all addresses that are open at once
    exempt: frozenset[str] = frozenset({"127.0.0.1", "::1"})


@dataclass(eq=False)
class TokenBuckets:
    """Buckets by key: costs, and when that was so."""

    rate: Rate
    left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, key: str, cost: float, now: float) -> float:
        """Spend a cost; answers 0, or the seconds to wait where too little is left."""
        before, at = self.left.pop(key, (self.rate.burst, now))
        has = min(self.rate.burst, before + (now - at) * self.rate.again)
        self.left[key] = (has - cost if has >= cost else has, now)
        while len(self.left) > MAX_BUCKETS:
            self.left.popitem(last=False)
        return 0.0 if has >= cost else (cost - has) / self.rate.again


class RequestGuard:
    """The middleware around all routes. `hosts` are the names under which the server is reached besides its own network."""

    def __init__(self, app: ASGIApp, limits: Limits | None = None, hosts: Collection[str] = ()) -> None:
        self.app = app
        self.limits = limits or Limits()
        self.hosts = frozenset(host.lower() for host in hosts)
        self.open: Counter[str] = Counter()
        self.makers, self.server = TokenBuckets(self.limits.new_tables), TokenBuckets(self.limits.all_new_tables)
        self.sitters = TokenBuckets(self.limits.new_seats)
        self.viewers, self.addresses = TokenBuckets(self.limits.viewer), TokenBuckets(self.limits.address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answered.setdefault(name, value)
            await send(message)

        denied = self.denied(scope)
        if denied is not None:
            await denied(scope, receive, sent)
            return
        address = network_of(address_of(scope))
        self.open[address] += 1
        try:
            await self.app(scope, receive, sent)
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]

    def denied(self, scope: Scope) -> Response | None:
        """The refusal of a request that nobody has looked at yet; None where it may pass."""
        headers = Headers(scope=scope)
        writes = scope["method"] not in SAFE
        if "\0" in scope["path"]:
            return refusal(scope, 404, "unknown")
        if not self.knows(headers.get("host", "")):
            return refusal(scope, 421, "other_host")
        if writes and from_elsewhere(headers):
            LOG.info("refused a write from %r to %r", headers.get("origin"), headers.get("host"))
            return refusal(scope, 403, "other_site")
        wait = self.wait(scope, headers, cost_of(scope["path"], writes))
        if wait:
            return refusal(scope, 429, "too_many", wait)
        address = address_of(scope)
        if address in self.limits.exempt:
            return None
        if self.open[network_of(address)] >= self.limits.streams or self.open.total() >= self.limits.requests:
            return refusal(scope, 429, "too_many", LATER)
        if scope["method"] == "POST" and MAKES_TABLE.fullmatch(scope["path"]):
            wait = self.wait_to_make(network_of(address))
            if wait:
                return refusal(scope, 429, "too_many_tables", wait)
        if scope["method"] == "POST" and SITS_DOWN.fullmatch(scope["path"]):
            wait = whole_seconds(self.sitters.take(network_of(address), 1, time.monotonic()))
            if wait:
                return refusal(scope, 429, "too_many", wait)
        return None

    def knows(self, host: str) -> bool:
        """Tell whether a name is ours: one that was given, an address, or one that only the own network knows."""
        name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
        name = name.strip("[]").rstrip(".").lower()
        if name in self.hosts or host.lower() in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return "." not in name or name.endswith(LOCAL_SUFFIXES)
        return True

    def wait(self, scope: Scope, headers: Headers, cost: float) -> int:
        """Seconds until a request may come again, 0 where it may pass."""
        now = time.monotonic()
        wait = 0.0
        key = client_key(headers)
        if key:
            wait = self.viewers.take(key, cost, now)
        address = address_of(scope)
        if not wait and address not in self.limits.exempt:
            wait = self.addresses.take(network_of(address), cost, now)
        return whole_seconds(wait)

    def wait_to_make(self, network: str) -> int:
        """Seconds until one network may make another table, 0 where it may now."""
        now = time.monotonic()
        return whole_seconds(self.makers.take(network, 1, now) or self.server.take("", 1, now))


def cost_of(path: str, writes: bool) -> float:
    """Return what a request takes from the buckets."""
    return WRITE if writes else PAGE if WHOLE_PAGE.fullmatch(path) else 1


def whole_seconds(wait: float) -> int:
    """A wait as `Retry-After` says it."""
    return 0 if not wait else max(1, round(wait + 0.5))


def address_of(scope: Scope) -> str:
    """The address from which a request comes, as far as the server knows."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def network_of(address: str) -> str:
    """The key by which an address is counted: a customer has 2^64 addresses of IPv6, and is one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address


def from_elsewhere(headers: Headers) -> bool:
    """Tell whether a browser says that a page of another site sends this. Other clients send neither header."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != headers.get("host")
    except ValueError:
        return True


def client_key(headers: Headers) -> str:
    """The key of the bucket on which a request draws, empty where nobody says who they are."""
    sent = bearer_token(headers.get("authorization", ""))
    if not sent and COOKIE in headers.get("cookie", ""):
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            found = None
        sent = found.value if found is not None else ""
    return hashlib.sha256(sent.encode()).hexdigest() if sent else ""


def refusal(scope: Scope, status: int, code: str, wait: int = 0) -> Response:
    """The usual shape of fault, before anybody has looked at the request."""
    request = Request(scope)
    message = anonymous_viewer(request).catalogue().text(f"page.fault.{code}", seconds=str(wait))
    said = fault_answer(request, ErrorAnswer(status, code, message, {"retry_after": wait} if wait else {}))
    if wait:
        said.headers["retry-after"] = str(wait)
    return said
