"""Routes of the page of a table: the whole, its regions as they change, and on paper."""

from __future__ import annotations

import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.request_context import Server, drawn_beside, moment, server_of, viewer
from trajekt.server.http.responses import document, html, json_document
from trajekt.server.presenters.fragments import (
    LAGGING,
    Version,
    as_json,
    fragments_of,
    marked,
    news,
    printed,
    seen_by,
    tagged,
    whole,
)
from trajekt.server.presenters.table_page import PaperPage, TableDocument, TablePage, table_page
from trajekt.server.storage.cached_game import CachedGame


def drawn(
    server: Server, cached: CachedGame, who: Viewer, at: int | None, kind: type[TablePage] = TablePage
) -> tuple[TablePage, Version]:
    """Return what a page shows of a table, or of its past: the model, and the text in pieces. Who asks holds the press."""
    model = table_page(server.table, cached, who, at, kind)
    filled = {**model.context(), "viewer": who}
    return model, printed(fragments_of(cached), server.templates.get_template(model.template), filled, who.language)


def recall(server: Server, cached: CachedGame, who: Viewer, number: int) -> None:
    """Draw what a viewer was shown when entry `number` was the newest, before this process was started, so that his pages
    are sent only what is new since. Nothing is done where that is long ago. Who asks holds the press.
    """
    press = fragments_of(cached)
    if 0 < cached.game.number - number <= LAGGING:
        model, version = drawn(server, cached.as_of(number), who, None)
        press.latest[seen_by(who)] = tagged(press, version), model.position.number


def table_of(server: Server, id_: str, at: int | None) -> CachedGame:
    """A table that has come as far as entry `at`. Raises `HTTPException` 404 for a moment to come."""
    cached = server.table.cache.get(id_)
    if at is not None and at > cached.game.number:
        raise HTTPException(404, "unknown")
    return cached


async def show_table(request: Request) -> Response:
    """The page of a table."""
    server, id_, who, at = server_of(request), request.path_params["id"], viewer(request), moment(request)

    def made() -> TableDocument:
        cached = table_of(server, id_, at)
        press = fragments_of(cached)
        with press.lock:
            model, version = drawn(server, cached, who, at)
            tag = tagged(press, version) if at is None else ""
            if at is None:
                press.latest[seen_by(who)] = tag, model.position.number
        seen, (regions, pieces) = model.position, marked(version)
        about = seen.facts, seen.symbols, model.table.title, model.say, model.decision.mirror
        return TableDocument(time.time(), *about, regions, pieces, tag)

    model = await drawn_beside(request, made)
    server.bots.wake(id_)
    return html(request, model)


async def regions(request: Request) -> Response:
    """All regions of the page; as JSON, for a page that `has` a version of them and `shows` an entry, what is new to it."""
    server, who, at, has = server_of(request), viewer(request), moment(request), request.query_params.get("has")
    shows = moment(request, "shows")

    def made() -> Response:
        cached = table_of(server, request.path_params["id"], at)
        press = fragments_of(cached)
        with press.lock:
            if has and at is None and shows is not None and press.versions.get(has) is None:
                recall(server, cached, who, shows)
            model, version = drawn(server, cached, who, at)
            if has is None:
                return document(whole(version))
            tag, changes = news(press, has, version)
            if at is None:
                press.latest[seen_by(who)] = tag, model.position.number
        return json_document(as_json({"number": model.position.number, "tag": tag, "pieces": changes}))

    return await drawn_beside(request, made)


async def print_page(request: Request) -> Response:
    """Map, market, charters and holdings for paper."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> Version:
        cached = table_of(server, request.path_params["id"], at)
        with fragments_of(cached).lock:
            return drawn(server, cached, who, at, PaperPage)[1]

    return document(whole(await drawn_beside(request, made)))


ROUTES = [
    Route("/t/{id}", show_table),
    Route("/t/{id}/regions", regions),
    Route("/t/{id}/print", print_page),
]
