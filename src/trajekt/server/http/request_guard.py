"""The guard around all routes: host names, writes from our own pages or clients only, rates, and strict headers."""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trajekt.server.http.cpu_quota import ON_THE_LOOP, SHARE, ProcessorShares
from trajekt.server.http.errors import ErrorAnswer, fault_answer
from trajekt.server.http.origin_check import from_elsewhere, known_host
from trajekt.server.http.rate_limit import (
    Limits,
    TokenBuckets,
    address_of,
    client_key,
    cost_of,
    network_of,
    whole_seconds,
)
from trajekt.server.http.request_context import anonymous_viewer
from trajekt.server.http.request_log import log_once
from trajekt.server.http.response_headers import with_headers

LOG = logging.getLogger("trajekt.server")
MAKES_TABLE = re.compile(r"/tables(/import(/preview)?|/guided/[^/]+)?|/t/[^/]+/try|/lobby|/workshop/[^/]+")
"""The addresses at which a POST stores a new table, or a new component set."""
SITS_DOWN = re.compile(r"/lobby/[^/]+/sit")
"""The addresses at which a POST takes a seat of strangers."""
SENDS_NOW = re.compile(r"/me/push/try|/t/[^/]+/contact/try")
"""The addresses at which a POST sends something to another server at once."""
LATER = 10  # seconds after which a page may ask for a stream again
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class RequestGuard:
    """The middleware around all routes. `hosts` are the names under which the server is reached besides its own network."""

    def __init__(self, app: ASGIApp, limits: Limits | None = None, hosts: Collection[str] = ()) -> None:
        self.app = app
        self.limits = limits or Limits()
        self.hosts = frozenset(host.lower() for host in hosts)
        self.open: Counter[str] = Counter()
        self.makers, self.server = TokenBuckets(self.limits.new_tables), TokenBuckets(self.limits.all_new_tables)
        self.sitters, self.triers = TokenBuckets(self.limits.new_seats), TokenBuckets(self.limits.trials)
        self.shares = ProcessorShares(self.limits.processor.burst, self.limits.processor.again)
        self.viewers, self.addresses = TokenBuckets(self.limits.viewer), TokenBuckets(self.limits.address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        sent = with_headers(send)
        denied = self.denied(scope)
        if denied is not None:
            await denied(scope, receive, sent)
            return
        network = network_of(address_of(scope))
        share = None if address_of(scope) in self.limits.exempt else self.shares.get(network)
        if share is not None:
            share.spend(ON_THE_LOOP)
        held = SHARE.set(share)
        self.open[network] += 1
        try:
            await self.app(scope, receive, sent)
        finally:
            SHARE.reset(held)
            self.open[network] -= 1
            if not self.open[network]:
                del self.open[network]

    def denied(self, scope: Scope) -> Response | None:
        """The refusal of a request that nobody has looked at yet; None where it may pass."""
        headers = Headers(scope=scope)
        writes = scope["method"] not in SAFE
        if "\0" in scope["path"]:
            return refusal(scope, 404, "unknown")
        if not known_host(headers.get("host", ""), self.hosts):
            return refusal(scope, 421, "other_host")
        if writes and from_elsewhere(headers):
            LOG.info("refused a write from %r to %r", headers.get("origin"), headers.get("host"))
            return refusal(scope, 403, "other_site")
        wait = self.wait(scope, headers, cost_of(scope["path"], writes))
        if wait:
            return refusal(scope, 429, "too_many", wait)
        address = address_of(scope)
        if address in self.limits.exempt:
            self.tell_hidden_client(headers)
            return None
        if self.open[network_of(address)] >= self.limits.streams or self.open.total() >= self.limits.requests:
            return refusal(scope, 429, "too_many", LATER)
        if scope["method"] == "POST" and MAKES_TABLE.fullmatch(scope["path"]):
            wait = self.wait_to_make(network_of(address))
            if wait:
                return refusal(scope, 429, "too_many_tables", wait)
        for pattern, buckets in ((SITS_DOWN, self.sitters), (SENDS_NOW, self.triers)):
            if scope["method"] == "POST" and pattern.fullmatch(scope["path"]):
                wait = whole_seconds(buckets.take(network_of(address), 1, time.monotonic()))
                if wait:
                    return refusal(scope, 429, "too_many", wait)
        return None

    def tell_hidden_client(self, headers: Headers) -> None:
        """Log that a proxy hands on requests for a public name, but not from where they come: then no address has a bound."""
        if headers.get("host", "").lower() in self.hosts and "x-forwarded-for" not in headers:
            log_once(
                "proxy",
                "requests for %s come from this machine without X-Forwarded-For: no limits by address hold "
                "(trajekt doctor looks at the proxy)",
                headers["host"],
                every=3600.0,
            )

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


def refusal(scope: Scope, status: int, code: str, wait: int = 0) -> Response:
    """The usual shape of fault, before anybody has looked at the request."""
    request = Request(scope)
    message = anonymous_viewer(request).catalogue().text(f"page.fault.{code}", seconds=str(wait))
    said = fault_answer(request, ErrorAnswer(status, code, message, {"retry_after": wait} if wait else {}))
    if wait:
        said.headers["retry-after"] = str(wait)
    return said
