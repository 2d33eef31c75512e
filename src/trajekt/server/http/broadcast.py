"""Open pages of a table, and those that wait for one drawing together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.requests import Request

from trajekt.server.accounts.viewer import Viewer


@dataclass(eq=False)
class OpenPage:
    """A page that is drawn for: who reads it, as was found at this revision of the table, and what it is told next."""

    request: Request
    viewer: Viewer | None = None
    revision: int = -1
    asked: float = 0.0
    told: bytes = b""


@dataclass(eq=False)
class Broadcast:
    """The pages of a table that wait for one drawing."""

    pages: list[OpenPage]
    done: asyncio.Task[None]
