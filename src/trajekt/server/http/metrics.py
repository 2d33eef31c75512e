"""Metrics of one server process: answers by status, actions by outcome and time, games in memory, work that is due."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of times, in seconds."""
ACTION = re.compile(r"/t/[^/]+/(actions|undo|redo)")
OUTCOMES = {200: "done", 400: "unreadable", 403: "not_yours", 409: "stale", 422: "refused", 429: "too_many"}


class Metrics:
    """The figures of a process since it began, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.answers = Counter("trajekt_answers", "Answers by status.", ["status"], registry=self.registry)
        self.actions = Counter(
            "trajekt_actions", "Actions, undos and redos by outcome.", ["outcome"], registry=self.registry
        )
        self.seconds = Histogram(
            "trajekt_action_seconds", "Time from a request to its answer.", buckets=BUCKETS, registry=self.registry
        )
        self._gauges: set[str] = set()

    def gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Show a figure that is read when it is asked for."""
        if name not in self._gauges:
            self._gauges.add(name)
            Gauge(f"trajekt_{name}", meaning, registry=self.registry).set_function(read)

    def count(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answer; an action with its outcome and time."""
        self.answers.labels(str(status)).inc()
        if method == "POST" and ACTION.fullmatch(path):
            self.actions.labels(OUTCOMES.get(status, "failed")).inc()
            self.seconds.observe(seconds)

    def text(self) -> bytes:
        """All figures in the text form of Prometheus."""
        return generate_latest(self.registry)


class MetricsMiddleware:
    """The middleware that counts."""

    def __init__(self, app: ASGIApp, meter: Metrics) -> None:
        self.app = app
        self.meter = meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.meter.count(scope["method"], scope["path"], message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, sent)
