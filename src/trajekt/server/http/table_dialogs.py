"""Routes of what opens on a table's page on demand: a hex, a card, the tiles, the key, charts, a hint, older log."""

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
from trajekt.server.http.request_context import moment, server_of, viewer
from trajekt.server.http.responses import html
from trajekt.server.http.table_page import table_of
from trajekt.server.presenters import cards, charts, coach, game_log
from trajekt.server.presenters.fragments import fragments_of
from trajekt.server.presenters.hex_info import hex_info
from trajekt.server.presenters.hex_info import other_tiles as tiles_elsewhere
from trajekt.server.presenters.info_panels import TilesPart, tiles_left
from trajekt.server.presenters.map_and_market import LegendPart, legend_part
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import choices_at, position, speaker_of
from trajekt.server.presenters.rotations import RotationPictures, rotation_pictures
from trajekt.server.storage.cached_game import CachedGame


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


async def rotations_fragment(request: Request) -> Response:
    """Picture the rotations of a tile (`?tile=`) on a hex, whatever the rules say."""
    tile = request.query_params.get("tile", "")

    def pictured(cached: CachedGame, who: Viewer, at: HexId) -> RotationPictures:
        game = position(cached)
        return rotation_pictures(game, at, tile, who.catalogue(game.title))

    return await on_hex(request, pictured)


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


async def charts_fragment(request: Request) -> Response:
    """Worth and income over the rounds."""
    server, who, at = server_of(request), viewer(request), moment(request)

    def made() -> charts.ChartsPart:
        cached = table_of(server, request.path_params["id"], at)
        return charts.charts_part(cached, at, speaker_of(cached, who))

    return html(request, await threaded(made))


ROUTES = [
    Route("/t/{id}/hex/{hex}", hex_fragment),
    Route("/t/{id}/hex/{hex}/others", other_tiles),
    Route("/t/{id}/hex/{hex}/rotations", rotations_fragment),
    Route("/t/{id}/card/{kind}/{key}", card_fragment),
    Route("/t/{id}/hint", hint_fragment),
    Route("/t/{id}/log/{batch}", log_fragment),
    Route("/t/{id}/tiles", tiles),
    Route("/t/{id}/charts", charts_fragment),
    Route("/t/{id}/key", key_fragment),
]
