"""The routes of a table's review: the page, how far it is, and the press that begins it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.game import Game
from trajekt.review.game_review import GameReview
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_bodies import no_body
from trajekt.server.http.request_context import server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters.position_view import speaker_of
from trajekt.server.presenters.review_page import review_page
from trajekt.server.refusals import DeniedError
from trajekt.server.services.review_runner import DONE
from trajekt.server.storage.cached_game import CachedGame


def read(request: Request) -> tuple[CachedGame, Game, GameReview | None]:
    """The table of an address, its game, and the review where it is made. To be called in a thread."""
    server = server_of(request)
    cached = server.table.cache.get(request.path_params["id"])
    game = cached.snapshot()
    return cached, game, server.reviews.found(cached.id, game) if game.finished else None


async def show_review(request: Request) -> Response:
    """The review of a finished game, or the way to have it made."""
    server = server_of(request)
    cached, game, found = await threaded(read, request)
    progress = DONE if found is not None else server.reviews.progress(cached.id)
    offered = bool(server.reviews.minutes)
    speaker = speaker_of(cached, viewer(request))
    return html(request, await threaded(review_page, cached.id, game, found, progress, speaker, offered=offered))


async def review_json(request: Request) -> Response:
    """The review of a finished game for clients; 404 until it is made."""
    _, _, found = await threaded(read, request)
    if found is None:
        raise HTTPException(404, "unknown")
    return answer(found)


async def review_progress(request: Request) -> Response:
    """The progress of a review: `none`, `waiting`, `running` with the turns done of all, `done`, `failed`."""
    cached, _, found = await threaded(read, request)
    return answer(DONE if found is not None else server_of(request).reviews.progress(cached.id))


async def make_review(request: Request) -> Response:
    """Begin the review of a finished game; it is made once, and found at the same address."""
    await no_body(request)
    server = server_of(request)
    cached, game, found = await threaded(read, request)
    if found is not None:
        return answer(DONE)
    if not game.finished:
        raise DeniedError(409, "not_finished")
    if not server.reviews.start(cached.id, game, await threaded(server.table.record, cached.id)):
        raise DeniedError(429, "too_many", {"seconds": "60"}, retry_after=60)
    return answer(server.reviews.progress(cached.id), 202)


ROUTES = [
    Route("/t/{id}/review", show_review),
    Route("/t/{id}/review", make_review, methods=["POST"]),
    Route("/t/{id}/review.json", review_json),
    Route("/t/{id}/review/progress", review_progress),
]
