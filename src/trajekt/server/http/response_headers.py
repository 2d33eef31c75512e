"""Headers of every answer that bind the browser: what a page may load, and who may frame or read it."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""Header of every page; `responses.document` sets it."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def with_headers(send: Send) -> Send:
    """A `send` that gives each answer the headers that it has not set itself."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            answered = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                answered.setdefault(name, value)
        await send(message)

    return sent
