"""Open pages of a table, and those that wait for one drawing together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from threading import Lock

from starlette.requests import Request

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.cpu_quota import ProcessorShare


@dataclass(eq=False)
class OpenPage:
    """A page that is drawn for: who reads it, as was found at this revision of the table, and what it is told next."""

    request: Request
    viewer: Viewer | None = None
    revision: int = -1
    asked: float = 0.0
    shows: int | None = None
    """The entry at which the table stood when the page came, which it then shows."""
    told: bytes = b""
    share: ProcessorShare | None = None
    """The share from which its part of a drawing is taken."""


class Broadcast:
    """The pages of a table that wait for one drawing: pages come in on the event loop, a thread draws for all who have come."""

    def __init__(self) -> None:
        self.pages: list[OpenPage] = []
        self.closed = False
        self.lock = Lock()
        self.done: asyncio.Future[None] | None = None

    def joined(self, page: OpenPage) -> bool:
        """Let a page in; False where the drawing has begun."""
        with self.lock:
            if not self.closed:
                self.pages.append(page)
            return not self.closed

    def close(self) -> list[OpenPage]:
        """Let nobody in any more; answers who has come."""
        with self.lock:
            self.closed = True
            return self.pages
