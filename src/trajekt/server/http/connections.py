"""Connections of clients: how many, and how long one may take over the headers of a request.

uvicorn has no deadline for headers and no bound of connections for an address, so a stranger with half requests could hold
every file descriptor. Its protocol is extended by both; what stands in the proxy is a second line, not the only one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from socket import socket
from typing import ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from trajekt.server.http.rate_limit import network_of

LOG = logging.getLogger("trajekt.server")
HEADER_SECONDS = 10.0
PER_ADDRESS = 400
"""Connections of one address; the own machine is not counted, since a proxy stands there."""
SPARE_DESCRIPTORS = 200
"""File descriptors that are left for the database, the log and outgoing calls."""
AT_ONCE = 8
"""Connections that are taken in one turn of the event loop. asyncio takes as many as may wait, so that hundreds opened at
once by one stranger would keep everybody else's requests waiting until all of them are set up.
"""
LOCAL = frozenset({"127.0.0.1", "::1", ""})


def raised_descriptor_limit() -> int:
    """Raise the soft limit of file descriptors to the hard one, up to 65,536; answers the limit that now holds."""
    try:
        import resource
    except ImportError:
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return wanted if soft == resource.RLIM_INFINITY else soft


class BoundedProtocol(H11Protocol):
    """A connection that is closed where its headers take too long, and refused where there are too many."""

    in_all: ClassVar[int] = 800
    """Connections of this process; `serve` sets it by the limit of descriptors."""
    by_address: ClassVar[Counter[str]] = Counter()
    header_seconds: ClassVar[float] = HEADER_SECONDS

    _counted_as: str | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        key = network_of(address)
        full = self.by_address.total() >= self.in_all
        if full or (address not in LOCAL and self.by_address[key] >= PER_ADDRESS):
            transport.abort()
            return
        self.by_address[key] += 1
        self._counted_as = key
        super().connection_made(transport)
        self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._counted_as is None:
            return
        self.by_address[self._counted_as] -= 1
        if self.by_address[self._counted_as] <= 0:
            del self.by_address[self._counted_as]
        self._counted_as = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._counted_as is None:
            return
        super().data_received(data)
        if self._answering():
            self._stop_waiting()
        elif self._deadline is None:
            self._await_headers()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._answering() and self._deadline is None and self.conn.trailing_data[0]:
            self._await_headers()

    def _answering(self) -> bool:
        cycle = getattr(self, "cycle", None)  # None before the first request, which uvicorn's annotations leave out
        return cycle is not None and not cycle.response_complete

    def _await_headers(self) -> None:
        self._deadline = self.loop.call_later(self.header_seconds, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if not self._answering() and self.transport is not None:
            self.transport.abort()


def _is_no_open_stream(record: logging.LogRecord) -> bool:
    """Tell what is worth a line while the server stops: not the event streams of open pages, which end in their midst."""
    return "without completing response" not in record.getMessage()


class TellingServer(uvicorn.Server):
    """A server that says when it has stopped: after a signal uvicorn ends the process, and nothing behind `run` is reached.

    It takes connections few at a time, while as many as `waiting` may queue up.
    """

    def __init__(self, config: uvicorn.Config, say: Callable[[str], None], waiting: int) -> None:
        super().__init__(config)
        self.say, self.waiting = say, waiting
        config.backlog = AT_ONCE

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(self.waiting)  # asyncio has just made the queue as short as what it takes at once

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").addFilter(_is_no_open_stream)
        await super().shutdown(sockets)
        self.say("stopped")
