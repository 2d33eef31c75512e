"""The log: lines with time, level and the id of the request, as text or as JSON.

Each request gets an id, which stands in its lines and in the header `x-request-id` of its answer, so that a player who reports
a fault can be found in the log. Tokens never stand in a line.
"""

from __future__ import annotations

import contextvars
import json
import logging
import re
import secrets
import sys
import time
from typing import IO, Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = logging.getLogger("trajekt.requests")
"""A line for each request that writes or fails: told as JSON alone, for people it would be noise."""
REQUEST_ID: contextvars.ContextVar[str] = contextvars.ContextVar("trajekt.request_id", default="")
"""The id of the request under way, empty outside of one; threads that work for a request have it too."""
LOG = logging.getLogger("trajekt.server")
LOGGED: dict[str, float] = {}
"""Times at which a kind of fault was last logged."""
TOKEN_PATH = re.compile(r"^(/(?:mail|quiet)/[^/]+/).+")
READING = frozenset({"GET", "HEAD", "OPTIONS"})
TEXT, JSON = "text", "json"


def shown_path(path: str) -> str:
    """A path as it may stand in the log: without the token of a letter's link."""
    return TOKEN_PATH.sub(r"\1-", path)[:200]


class TextLines(logging.Formatter):
    """Lines for people and the journal: time, level, request, message."""

    def format(self, record: logging.LogRecord) -> str:
        request = REQUEST_ID.get() or "-"
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(record.created))
        lines = f"{at} {record.levelname} {request} {record.getMessage()}"
        return f"{lines}\n{self.formatException(record.exc_info)}" if record.exc_info else lines


class JsonLines(logging.Formatter):
    """A JSON object a line: `time` in seconds, `level`, `message`; `request` and `exception` where there are such."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if request := REQUEST_ID.get():
            line["request"] = request
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure(form: str, to: IO[str] | None = None) -> None:
    """Send the log to a stream, standard error if none is named, in one of the two forms; requests are told as JSON alone."""
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(JsonLines() if form == JSON else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("trajekt.server").setLevel(logging.INFO)
    REQUESTS.setLevel(logging.INFO if form == JSON else logging.WARNING)


class RequestLog:
    """The outermost middleware: it names each request, and logs what writes and what fails with status and duration."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name, began = secrets.token_hex(6), time.monotonic()
        before = REQUEST_ID.set(name)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-request-id"] = name
                status = int(message["status"])
                if scope["method"] not in READING or status >= 500:
                    tell(scope["method"], shown_path(scope["path"]), status, time.monotonic() - began)
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            REQUEST_ID.reset(before)


def tell(method: str, path: str, status: int, seconds: float) -> None:
    """Log an answer."""
    fields = {"method": method, "path": path, "status": status, "seconds": round(seconds, 4)}
    REQUESTS.info("%s %s: %d in %.0f ms", method, path, status, 1000 * seconds, extra={"fields": fields})


def log_once(kind: str, message: str, *values: object, every: float = 60.0) -> None:
    """Log a fault that comes with every request, once a minute for each kind."""
    now = time.monotonic()
    if now - LOGGED.get(kind, -every) >= every:
        LOGGED[kind] = now
        LOG.warning(message, *values)
