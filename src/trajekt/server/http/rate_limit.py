"""Bounds of what a viewer and an address may ask for in a time.

Rates are token buckets in the memory of each process: one for each viewer (cookie or token) and one for each address, far above
what playing needs; making tables has buckets of its own. The machine's own address is not counted: it is the host at the table,
or a proxy that hides who asks.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import Scope

from trajekt.server.http.auth import bearer_token
from trajekt.server.http.cookies import DEVICE_COOKIE

MAX_BUCKETS = 20_000  # buckets in memory; the ones unused for longest are forgotten, which is in favour of who asks
WRITE, PAGE = 4, 5  # what a write costs, and a page drawn as a whole; another read costs 1
WHOLE_PAGE = re.compile(
    r"/|/t/[^/]+(/print|/charts|/statistics\.(json|csv)|/tiles|/hex/[^/]+/others)?|/rules/[^/]+|/box/[^/]+|/openapi.json|/me"
    r"|/lobby(\.json|/list|/new)?|/(games|ratings)(\.json)?|/workshop/[^/]+(/[^/]+(/compare|/entry)?)?|/set-up/[^/]+"
)
"""Reads that are drawn as a whole for whoever asks."""


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
    trials: Rate = Rate(6, 1 / 30)  # of notices that are sent at once, of one address
    all_new_tables: Rate = Rate(600, 0.5)  # and of the whole server
    processor: Rate = Rate(0.5, 0.1)  # seconds of processor time of one address
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


def client_key(headers: Headers) -> str:
    """The key of the bucket on which a request draws, empty where nobody says who they are."""
    sent = bearer_token(headers.get("authorization", ""))
    if not sent and DEVICE_COOKIE in headers.get("cookie", ""):
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(DEVICE_COOKIE)
        except CookieError:
            found = None
        sent = found.value if found is not None else ""
    return hashlib.sha256(sent.encode()).hexdigest() if sent else ""
