"""The routes of the clock of a table: set by its host, paused where all wish it."""

from __future__ import annotations

from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.sidebar import change_sidebar
from trajekt.server.refusals import DeniedError
from trajekt.server.services.seats import may_set_clock
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import clock_settings
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.clock_settings import ClockSettings


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish about the clock."""

    wish: Literal["pause", "on"]


class ClockChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock for the table, or none."""

    clock: ClockSettings | None = None


def _set_clock(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    if not may_set_clock(table, cached, who):
        raise DeniedError(403, "only_host")
    clock_settings.set_clock(table.store, cached.id, read(data, ClockChoice).clock)


async def set_clock(request: Request) -> Response:
    """Give the table a clock, change it, take it away."""
    return await change_sidebar(request, _set_clock)


def _wish(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    mine = table.seats(cached, who)
    if not mine:
        raise DeniedError(403, "only_players")
    if clock_settings.clock_of(table.store, cached) is None:
        raise DeniedError(409, "no_clock")
    clock_settings.wish(table.store, cached.id, mine, read(data, ClockWish).wish)


async def wish_clock(request: Request) -> Response:
    """Vote for the clock to pause, or to go on."""
    return await change_sidebar(request, _wish)


ROUTES = [
    Route("/t/{id}/clock", set_clock, methods=["POST"]),
    Route("/t/{id}/clock/wish", wish_clock, methods=["POST"]),
]
"""For those who are admitted to the table."""
