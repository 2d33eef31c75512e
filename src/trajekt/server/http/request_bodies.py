"""Bodies of requests: JSON alone, up to a size, within a time."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from trajekt.server.services.game_import import MAX_BYTES
from trajekt.server.services.table_service import EmptyBody, read

SMALL, LARGE = 64 * 1024, MAX_BYTES  # bytes: an action; a record
BODY_SECONDS = 30.0  # for a whole body to come


async def body(request: Request, limit: int = SMALL) -> bytes:
    """The JSON body of a request from our own page or a client; never a form's."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "json_only")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > limit:
        raise HTTPException(413, "too_large")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > limit:
                    raise HTTPException(413, "too_large")
    except ClientDisconnect as gone:
        raise HTTPException(400, "unreadable") from gone
    except TimeoutError as late:
        raise HTTPException(408, "too_slow") from late
    return bytes(data)


async def no_body(request: Request) -> None:
    """The body of an action that needs no words; anything but `{}` cannot be read."""
    read(await body(request), EmptyBody)
