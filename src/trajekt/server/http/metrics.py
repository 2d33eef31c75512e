"""MetricsMiddleware what a server process does: answers by status, deeds by outcome, how long deeds take."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of times, in seconds."""
ACTION = re.compile(r"/t/[^/]+/(actions|undo|redo)")
OUTCOMES = {200: "done", 400: "unreadable", 403: "not_yours", 409: "stale", 422: "refused", 429: "too_many"}


@dataclass
class Metrics:
    """What one process has counted since it began: answers by status, deeds by outcome, and how long deeds took."""

    answers: Counter[int] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)
    classes: Counter[float] = field(default_factory=Counter)
    seconds: float = 0.0

    def count(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answer; a deed with its outcome and time."""
        self.answers[status] += 1
        if method == "POST" and ACTION.fullmatch(path):
            self.deeds[OUTCOMES.get(status, "failed")] += 1
            self.seconds += seconds
            for bound in BOUNDS:
                if seconds <= bound:
                    self.classes[bound] += 1

    def lines(self) -> list[str]:
        """All of it as text."""
        out = ["# TYPE trajekt_answers_total counter"]
        out += [f'trajekt_answers_total{{status="{status}"}} {n}' for status, n in sorted(self.answers.items())]
        out += ["# HELP trajekt_deeds_total Actions, undos and redos by outcome.", "# TYPE trajekt_deeds_total counter"]
        out += [f'trajekt_deeds_total{{outcome="{outcome}"}} {n}' for outcome, n in sorted(self.deeds.items())]
        total = self.deeds.total()
        out += ["# TYPE trajekt_deed_seconds histogram"]
        out += [f'trajekt_deed_seconds_bucket{{le="{bound:g}"}} {self.classes[bound]}' for bound in BOUNDS]
        out += [f'trajekt_deed_seconds_bucket{{le="+Inf"}} {total}']
        return [*out, f"trajekt_deed_seconds_sum {self.seconds:.6f}", f"trajekt_deed_seconds_count {total}"]


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
