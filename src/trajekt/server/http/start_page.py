"""The route of the start page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import person, server_of, viewer
from trajekt.server.http.responses import html
from trajekt.server.presenters import start_page


async def show_start(request: Request) -> Response:
    """The doors to a game, and the tables that are listed; `?game=` opens a game, `?set=` chooses one's component set."""
    server, known, asked = server_of(request), await person(request), request.query_params
    wanted = start_page.Arrival(
        known.id if known is not None else "", asked.get("game", "")[:32], asked.get("set", "")[:32]
    )
    return html(request, await threaded(start_page.start_page, server.table, viewer(request), server.listed, wanted))


ROUTES = [Route("/", show_start)]
