"""What every request passes first: writes from our own pages or programs only, so many at a time, and strict headers.

Rates are token buckets in the memory of each process: one for each viewer (cookie or token) and one for each address, far above
what playing needs. The machine's own address is not counted: it is the host at the table, or a proxy that hides who asks.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trajekt.server.accounts.accounts import COOKIE
from trajekt.server.http.errors import Fault
from trajekt.server.http.requests import anonymous_viewer, fault_answer

KEPT = 20_000  # buckets in memory; the ones unused for longest are forgotten, which is in favour of who asks
LATER = 10  # seconds after which a page may ask for a stream again
WRITE = 4  # what a write costs; a read costs 1
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
    """How much one viewer and one address may ask; `exempt` are addresses that are not counted."""

    viewer: Rate = Rate(400, 40)
    address: Rate = Rate(1200, 150)
    streams: int = 300  # requests of one address that are open at once: each page holds a stream
    exempt: frozenset[str] = frozenset({"127.0.0.1", "::1"})


@dataclass(eq=False)
class TokenBuckets:
    """What everybody has left, by key: costs, and when that was so."""

    rate: Rate
    left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, key: str, cost: float, now: float) -> float:
        """Spend a cost; answers 0, or the seconds to wait where too little is left."""
        before, at = self.left.pop(key, (self.rate.burst, now))
        has = min(self.rate.burst, before + (now - at) * self.rate.again)
        self.left[key] = (has - cost if has >= cost else has, now)
        while len(self.left) > KEPT:
            self.left.popitem(last=False)
        return 0.0 if has >= cost else (cost - has) / self.rate.again


class RequestGuard:
    """The middleware around all routes."""

    def __init__(self, app: ASGIApp, limits: Limits | None = None) -> None:
        self.app = app
        self.limits = limits or Limits()
        self.open: Counter[str] = Counter()
        self.viewers, self.addresses = TokenBuckets(self.limits.viewer), TokenBuckets(self.limits.address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        writes = scope["method"] not in SAFE

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answered.setdefault(name, value)
            await send(message)

        if writes and from_elsewhere(headers):
            await refusal(scope, 403, "other_site")(scope, receive, sent)
            return
        wait = self.wait(scope, headers, WRITE if writes else 1)
        if wait:
            await refusal(scope, 429, "too_many", wait)(scope, receive, sent)
            return
        address = address_of(scope)
        if address in self.limits.exempt:
            await self.app(scope, receive, sent)
            return
        if self.open[address] >= self.limits.streams:
            await refusal(scope, 429, "too_many", LATER)(scope, receive, sent)
            return
        self.open[address] += 1
        try:
            await self.app(scope, receive, sent)
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]

    def wait(self, scope: Scope, headers: Headers, cost: float) -> int:
        """Seconds until a request may come again, 0 where it may pass."""
        now = time.monotonic()
        wait = 0.0
        key = client_key(headers)
        if key:
            wait = self.viewers.take(key, cost, now)
        address = address_of(scope)
        if not wait and address not in self.limits.exempt:
            wait = self.addresses.take(address, cost, now)
        return 0 if not wait else max(1, round(wait + 0.5))


def address_of(scope: Scope) -> str:
    """Where a request comes from, as far as the server knows."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that a page of another site sends this. BotRunner send neither header."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


def client_key(headers: Headers) -> str:
    """Whose bucket a request draws on, empty where nobody says who they are."""
    sent = headers.get("authorization", "")
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
    said = fault_answer(request, Fault(status, code, message, {"retry_after": wait} if wait else {}))
    if wait:
        said.headers["retry-after"] = str(wait)
    return said
