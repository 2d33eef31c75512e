"""The routes of instructions in advance: given, withdrawn, put out of sight."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.sidebar import change_sidebar
from trajekt.server.services import standing_orders
from trajekt.server.services.seats import needed_seat
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.standing_orders import AnyOrder


class NewOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction that is given."""

    order: AnyOrder


class OrderRemoval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction to be put away."""

    id: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


def _give(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    order = read(data, NewOrder).order
    with cached.lock:
        game = cached.game.at(cached.game.number)
    standing_order_store.keep(
        table.store, cached.id, standing_orders.give(game, needed_seat(table, cached, who), order)
    )


async def give_order(request: Request) -> Response:
    """Leave an instruction."""
    return await change_sidebar(request, _give, wakes=True)


def _put_away(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    standing_order_store.put_away(table.store, cached.id, needed_seat(table, cached, who), read(data, OrderRemoval).id)


async def put_order_away(request: Request) -> Response:
    """Withdraw an instruction, or take an ended one out of sight."""
    return await change_sidebar(request, _put_away)


ROUTES = [
    Route("/t/{id}/orders", give_order, methods=["POST"]),
    Route("/t/{id}/orders/away", put_order_away, methods=["POST"]),
]
"""For those who are admitted to the table."""
