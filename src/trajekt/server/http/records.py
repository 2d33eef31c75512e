"""Routes of the files of a game: its record, and its form for 18xx.games."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import moment, server_of
from trajekt.server.http.responses import download
from trajekt.server.http.table_page import table_of


async def record(request: Request) -> Response:
    """The record, with all that was undone; `?at=N`: as it stood after entry N."""
    server, id_, at = server_of(request), request.path_params["id"], moment(request)

    def made() -> bytes:
        table_of(server, id_, at)
        return server.table.record(id_, at)

    return download(await threaded(made), f"trajekt-{id_}.json")


async def record_18xx(request: Request) -> Response:
    """The game in the form of 18xx.games, where the site plays such games."""
    id_ = request.path_params["id"]
    return download(await threaded(server_of(request).table.export_18xx, id_), f"18xx-{id_}.json")


ROUTES = [
    Route("/t/{id}/record.json", record),
    Route("/t/{id}/18xx.json", record_18xx),
]
