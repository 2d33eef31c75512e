"""The routes of puzzles: their list, the one of the day, and each by its number."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import drawn_beside, game_of, viewer
from trajekt.server.http.responses import html
from trajekt.server.presenters.puzzle_page import PuzzleDocument, of_day, puzzle_list, puzzle_page


async def show_puzzles(request: Request) -> Response:
    """All puzzles by game and level, and the one of the day."""
    return html(request, await threaded(puzzle_list, viewer(request), datetime.now(UTC).date()))


async def show_today(_request: Request) -> Response:
    """Lead to the puzzle of the day."""
    address = await threaded(of_day, datetime.now(UTC).date())
    if not address:
        raise HTTPException(404, "unknown")
    return RedirectResponse(address, 303, {"cache-control": "no-store"})


async def show_puzzle(request: Request) -> Response:
    """A puzzle of a game: its position, its question, and the answer to be uncovered; 404 where there is none."""
    title, number = game_of(request), str(request.path_params["number"])
    if not (number.isascii() and number.isdigit()) or len(number) > 5:
        raise HTTPException(404, "unknown")

    def made() -> PuzzleDocument:
        try:
            return puzzle_page(title, int(number), viewer(request))
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault

    return html(request, await drawn_beside(request, made))


ROUTES = [
    Route("/puzzles", show_puzzles),
    Route("/puzzles/today", show_today),
    Route("/puzzles/{game}/{number}", show_puzzle),
]
