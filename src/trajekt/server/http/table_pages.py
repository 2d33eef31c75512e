"""Routes to look at: the start page, a table and its regions, the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.components.schema import HexId
from trajekt.rendering.map_legend import legend
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.requests import (
    Server,
    document,
    drawn_beside,
    html,
    json_document,
    moment,
    server_of,
    threaded,
    viewer,
)
from trajekt.server.presenters import cards, charts, coach, start_page, table_page
from trajekt.server.presenters.fragments import Version, as_json, fragments_of, news, printed, seen_by, whole
from trajekt.server.presenters.info_panels import tiles_left
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.storage.cached_game import CachedGame


async def show_start(request: Request) -> Response:
    """The doors to a game, and the tables that are listed."""
    server = server_of(request)
    model = await threaded(start_page.start_model, server.table, viewer(request), server.listed)
    return html(request, "start.html", model)


def drawn(
    server: Server, cached: CachedGame, who: Viewer, at: int | None, template: str
) -> tuple[dict[str, Any], Version]:
    """Return what a template shows of a table, or of its past: the model, and the text in pieces. Who asks holds the press."""
    model = table_page.table_page(server.table, cached, who, at).context() | {"viewer": who}
    return model, printed(fragments_of(cached), server.templates.get_template(template), model, who.language)


def table_of(server: Server, id_: str, at: int | None) -> CachedGame:
    """A table that has come as far as entry `at`. Raises `HTTPException` 404 for a moment to come."""
    cached = server.table.cache.get(id_)
    if at is not None and at > cached.game.number:
        raise HTTPException(404, "unknown")
    return cached


async def show_table(request: Request) -> Response:
    """The page of a table."""
    server, id_, who, at = server_of(request), request.path_params["id"], viewer(request), moment(request)

    def made() -> dict[str, Any]:
        cached = table_of(server, id_, at)
        with fragments_of(cached).lock:
            model, version = drawn(server, cached, who, at, "regions.html")
        return model | {"regions": whole(version)}

    model = await drawn_beside(request, made)
    server.bots.wake(id_)
    return html(request, "table.html", model)


async def regions(request: Request) -> Response:
    """All regions of the page; as JSON, for a page that has a version of them, what is new to it."""
    server, who, at, has = server_of(request), viewer(request), moment(request), request.query_params.get("has")

    def made() -> Response:
        cached = table_of(server, request.path_params["id"], at)
        press = fragments_of(cached)
        with press.lock:
            model, version = drawn(server, cached, who, at, "regions.html")
            if has is None:
                return document(whole(version))
            tag, changes = news(press, has, version)
            if at is None:
                press.latest[seen_by(who)] = tag, model["number"]
        return json_document(as_json({"number": model["number"], "tag": tag, "pieces": changes}))

    return await drawn_beside(request, made)


async def on_hex(
    request: Request, template: str, model: Callable[[CachedGame, Viewer, HexId], dict[str, Any]]
) -> Response:
    """A fragment about a hex; 404 where the map has none of this name."""
    server, who = server_of(request), viewer(request)

    def made() -> dict[str, Any]:
        cached = server.table.cache.get(request.path_params["id"])
        try:
            return model(cached, who, request.path_params["hex"])
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault

    return html(request, template, await threaded(made))


async def hex_fragment(request: Request) -> Response:
    """Show what may be done on a hex, or why nothing."""
    table = server_of(request).table
    return await on_hex(request, "hex_info.html", lambda cached, who, at: table_page.hex_page(table, cached, who, at))


async def hint_fragment(request: Request) -> Response:
    """Return the move that a bot would make for the viewer who is asked, and why."""
    server, who = server_of(request), viewer(request)

    def made() -> dict[str, Any]:
        cached = server.table.cache.get(request.path_params["id"])
        game, speaker = table_page.position(cached), table_page.speaker_of(cached, who)
        seat = next((each for each in game.to_act if each in server.table.seats(cached, who)), None)
        return {"hint": None if seat is None else coach.hint(cached, game, seat, speaker), "say": speaker.catalogue}

    return html(request, "hint.html", await threaded(made))


async def card_fragment(request: Request) -> Response:
    """The card of a company, a private company, a kind of train or a player; 404 where the game has none of this name."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> dict[str, Any]:
        cached = table_of(server, request.path_params["id"], at)
        game = table_page.position(cached, at)
        speaker = who.speaker(game.title, game.state)
        seats = server.table.seats(cached, who) if at is None else ()
        own = [choice for choice in table_page.choices_at(cached, game) if choice.seat in seats] if seats else []
        try:
            found = cards.card(game, own, request.path_params["kind"], request.path_params["key"], speaker)
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault
        return {"card": found, "say": speaker.catalogue}

    return html(request, "card.html", await threaded(made))


async def other_tiles(request: Request) -> Response:
    """Show why other tiles may not lie on a hex."""
    return await on_hex(request, "other_tiles.html", table_page.other_tiles)


async def tiles(request: Request) -> Response:
    """All tiles of the game, with how many are left."""
    server, who = server_of(request), viewer(request)

    def made() -> dict[str, Any]:
        cached = server.table.cache.get(request.path_params["id"])
        game = cached.game
        return {"tiles": tiles_left(game.state, game.title), "say": who.catalogue(game.title)}

    return html(request, "tiles.html", await threaded(made))


async def key_fragment(request: Request) -> Response:
    """The key to the map."""
    server, who = server_of(request), viewer(request)

    def made() -> dict[str, Any]:
        game = server.table.cache.get(request.path_params["id"]).game
        say = who.catalogue(game.title)
        state = game.state
        return {"rows": legend(state.sheet, look_of(game.title), say, state.current_phase.values), "say": say}

    return html(request, "map_legend.html", await threaded(made))


async def print_page(request: Request) -> Response:
    """Map, market, charters and holdings for paper."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> Version:
        cached = table_of(server, request.path_params["id"], at)
        with fragments_of(cached).lock:
            return drawn(server, cached, who, at, "print.html")[1]

    return document(whole(await drawn_beside(request, made)))


async def charts_fragment(request: Request) -> Response:
    """Worth and income over the rounds."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> dict[str, Any]:
        cached = table_of(server, request.path_params["id"], at)
        speaker = table_page.speaker_of(cached, who)
        model = charts.charts_model(cached, at, speaker)
        return model | {"say": speaker.catalogue, "id": request.path_params["id"], "at": at}

    return html(request, "charts.html", await threaded(made))


async def record(request: Request) -> Response:
    """The record, with all that was undone; `?at=N`: as it stood after entry N."""
    server, id_, at = server_of(request), request.path_params["id"], moment(request)

    def made() -> bytes:
        table_of(server, id_, at)
        return server.table.record(id_, at)

    data = await threaded(made)
    headers = {"content-disposition": f'attachment; filename="trajekt-{id_}.json"'}
    return Response(data, media_type="application/json", headers=headers)


async def record_18xx(request: Request) -> Response:
    """The game in the form of 18xx.games, where the site plays such games."""
    id_ = request.path_params["id"]
    data = await threaded(server_of(request).table.export_18xx, id_)
    headers = {"content-disposition": f'attachment; filename="18xx-{id_}.json"'}
    return Response(data, media_type="application/json", headers=headers)


ROUTES = [
    Route("/", show_start),
    Route("/t/{id}", show_table),
    Route("/t/{id}/regions", regions),
    Route("/t/{id}/hex/{hex}", hex_fragment),
    Route("/t/{id}/hex/{hex}/others", other_tiles),
    Route("/t/{id}/card/{kind}/{key}", card_fragment),
    Route("/t/{id}/hint", hint_fragment),
    Route("/t/{id}/record.json", record),
    Route("/t/{id}/18xx.json", record_18xx),
    Route("/t/{id}/tiles", tiles),
    Route("/t/{id}/charts", charts_fragment),
    Route("/t/{id}/key", key_fragment),
    Route("/t/{id}/print", print_page),
]
