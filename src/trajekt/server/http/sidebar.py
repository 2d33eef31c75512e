"""The routes of the sidebar as a whole and of private notes; what else stands in it has routes of its own that change it here.

All of it belongs to a seat; somebody who watches reads the talk and the clock and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_bodies import body
from trajekt.server.http.request_context import server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters import sidebar as presenter
from trajekt.server.services.seats import needed_seat
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import notes
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED


class TextBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notes."""

    text: str


async def sidebar(request: Request) -> Response:
    """The sidebar, to be morphed in."""
    server, who = server_of(request), viewer(request)
    mails = server.worker.work.sending.post is not None

    def made() -> presenter.Sidebar:
        return presenter.sidebar(server.table, server.table.cache.get(request.path_params["id"]), who, mails=mails)

    return html(request, await threaded(made))


async def change_sidebar(
    request: Request, work: Callable[[TableService, CachedGame, Viewer, bytes], None], *, wakes: bool = False
) -> Response:
    """Change something beside the board, tell the pages that have the table open."""
    data, id_, who, server = await body(request), request.path_params["id"], viewer(request), server_of(request)

    def done() -> None:
        work(server.table, server.table.cache.get(id_), who, data)
        server.table.cache.invalidate(id_)

    await threaded(done)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    if wakes:
        server.worker.wake()
    return answer({"done": True})


async def write_notes(request: Request) -> Response:
    """Keep a player's own notes; nobody else's page is touched."""
    data, id_, who, table = await body(request), request.path_params["id"], viewer(request), server_of(request).table

    def done() -> None:
        notes.write(table.store, id_, needed_seat(table, table.cache.get(id_), who), read(data, TextBody).text)

    await threaded(done)
    return answer({"done": True})


ROUTES = [
    Route("/t/{id}/beside", sidebar),
    Route("/t/{id}/notes", write_notes, methods=["POST"]),
]
"""For those who are admitted to the table."""
