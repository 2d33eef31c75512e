"""Routes to look at: the start page, a table and its regions, the record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.components.schema import HexId
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import Server, drawn_beside, moment, person, server_of, viewer
from trajekt.server.http.responses import document, download, html, json_document
from trajekt.server.presenters import cards, charts, coach, game_log, start_page
from trajekt.server.presenters.fragments import (
    LAGGING,
    Version,
    as_json,
    fragments_of,
    news,
    printed,
    seen_by,
    tagged,
    whole,
)
from trajekt.server.presenters.hex_info import hex_info
from trajekt.server.presenters.hex_info import other_tiles as tiles_elsewhere
from trajekt.server.presenters.info_panels import TilesPart, tiles_left
from trajekt.server.presenters.map_and_market import LegendPart, legend_part
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import choices_at, position, speaker_of
from trajekt.server.presenters.table_page import TableDocument, TablePage, table_page
from trajekt.server.storage.cached_game import CachedGame


async def show_start(request: Request) -> Response:
    """The doors to a game, and the tables that are listed; `?game=` opens a game, `?set=` chooses one's component set."""
    server, known, asked = server_of(request), await person(request), request.query_params
    wanted = start_page.Arrival(
        known.id if known is not None else "", asked.get("game", "")[:32], asked.get("set", "")[:32]
    )
    return html(request, await threaded(start_page.start_page, server.table, viewer(request), server.listed, wanted))


def drawn(server: Server, cached: CachedGame, who: Viewer, at: int | None, template: str) -> tuple[TablePage, Version]:
    """Return what a template shows of a table, or of its past: the model, and the text in pieces. Who asks holds the press."""
    model = table_page(server.table, cached, who, at)
    filled = {**model.context(), "viewer": who}
    return model, printed(fragments_of(cached), server.templates.get_template(template), filled, who.language)


def recall(server: Server, cached: CachedGame, who: Viewer, number: int) -> None:
    """Draw what a viewer was shown when entry `number` was the newest, before this process was started, so that his pages
    are sent only what is new since. Nothing is done where that is long ago. Who asks holds the press.
    """
    press = fragments_of(cached)
    if 0 < cached.game.number - number <= LAGGING:
        model, version = drawn(server, cached.as_of(number), who, None, "regions.html")
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
        with fragments_of(cached).lock:
            model, version = drawn(server, cached, who, at, "regions.html")
        return TableDocument(
            model.position.facts, model.position.symbols, model.table.title, model.table.say, whole(version)
        )

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
            model, version = drawn(server, cached, who, at, "regions.html")
            if has is None:
                return document(whole(version))
            tag, changes = news(press, has, version)
            if at is None:
                press.latest[seen_by(who)] = tag, model.position.number
        return json_document(as_json({"number": model.position.number, "tag": tag, "pieces": changes}))

    return await drawn_beside(request, made)


async def on_hex(request: Request, model: Callable[[CachedGame, Viewer, HexId], PageModel]) -> Response:
    """A fragment about a hex; 404 where the map has none of this name."""
    server, who = server_of(request), viewer(request)

    def made() -> PageModel:
        cached = server.table.cache.get(request.path_params["id"])
        try:
            return model(cached, who, request.path_params["hex"])
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault

    return html(request, await threaded(made))


async def hex_fragment(request: Request) -> Response:
    """Show what may be done on a hex, or why nothing."""
    table = server_of(request).table
    return await on_hex(request, partial(hex_info, table))


async def hint_fragment(request: Request) -> Response:
    """Return the move that a bot would make for the viewer who is asked, and why."""
    server, who = server_of(request), viewer(request)

    def made() -> coach.HintPart:
        cached = server.table.cache.get(request.path_params["id"])
        game, speaker = position(cached), speaker_of(cached, who)
        seat = next((each for each in game.to_act if each in server.table.seats(cached, who)), None)
        hint = None if seat is None else coach.hint(cached, game, seat, speaker)
        return coach.HintPart(hint, speaker.catalogue)

    return html(request, await threaded(made))


async def card_fragment(request: Request) -> Response:
    """The card of a company, a private company, a kind of train or a player; 404 where the game has none of this name."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> cards.CardPart:
        cached = table_of(server, request.path_params["id"], at)
        game = position(cached, at)
        speaker = who.speaker(game.title, game.state)
        seats = server.table.seats(cached, who) if at is None else ()
        own = [choice for choice in choices_at(cached, game) if choice.seat in seats] if seats else []
        try:
            found = cards.card(game, own, request.path_params["kind"], request.path_params["key"], speaker)
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault
        return cards.CardPart(found, speaker.catalogue)

    return html(request, await threaded(made))


async def log_fragment(request: Request) -> Response:
    """A batch of lines of the log; 404 where the log has not so many."""
    server, who, at, batch = server_of(request), viewer(request), moment(request), str(request.path_params["batch"])
    if not (batch.isascii() and batch.isdigit()) or len(batch) > 6:
        raise HTTPException(404, "unknown")

    def made() -> game_log.LogPart:
        cached = table_of(server, request.path_params["id"], at)
        with fragments_of(cached).lock:
            number = cached.game.number if at is None else at
            lines = game_log.log(cached, number, speaker_of(cached, who))
        found = game_log.batches(lines)
        if int(batch) >= len(found):
            raise HTTPException(404, "unknown")
        return game_log.LogPart(found[int(batch)], cached.id, who.catalogue(cached.game.title))

    return html(request, await threaded(made))


async def other_tiles(request: Request) -> Response:
    """Show why other tiles may not lie on a hex."""
    return await on_hex(request, tiles_elsewhere)


async def tiles(request: Request) -> Response:
    """All tiles of the game, with how many are left."""
    server, who = server_of(request), viewer(request)

    def made() -> TilesPart:
        game = server.table.cache.get(request.path_params["id"]).game
        return TilesPart(tiles_left(game.state, game.title), who.catalogue(game.title))

    return html(request, await threaded(made))


async def key_fragment(request: Request) -> Response:
    """The key to the map."""
    server, who = server_of(request), viewer(request)

    def made() -> LegendPart:
        game = server.table.cache.get(request.path_params["id"]).game
        return legend_part(game.state, game.title, who.catalogue(game.title))

    return html(request, await threaded(made))


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

    def made() -> charts.ChartsPart:
        cached = table_of(server, request.path_params["id"], at)
        return charts.charts_part(cached, at, speaker_of(cached, who))

    return html(request, await threaded(made))


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
    Route("/", show_start),
    Route("/t/{id}", show_table),
    Route("/t/{id}/regions", regions),
    Route("/t/{id}/hex/{hex}", hex_fragment),
    Route("/t/{id}/hex/{hex}/others", other_tiles),
    Route("/t/{id}/card/{kind}/{key}", card_fragment),
    Route("/t/{id}/hint", hint_fragment),
    Route("/t/{id}/log/{batch}", log_fragment),
    Route("/t/{id}/record.json", record),
    Route("/t/{id}/18xx.json", record_18xx),
    Route("/t/{id}/tiles", tiles),
    Route("/t/{id}/charts", charts_fragment),
    Route("/t/{id}/key", key_fragment),
    Route("/t/{id}/print", print_page),
]
