"""The routes of finished games: searched by player, game, date and number of players, with a player's results.

Nobody finds a game there that they may not look at: those of their seats, and on a server that lists them those at one screen.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.lobby import number_in
from trajekt.server.http.request_context import person, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters import finished_games_page
from trajekt.server.presenters.finished_games_page import MOST_PLAYERS, PAGE_SIZE
from trajekt.server.presenters.lobby_page import MOST_PAGES
from trajekt.server.services.ratings import PlayerRating
from trajekt.server.storage import results
from trajekt.server.storage.results import FinishedGame, GameFilter, ResultSum
from trajekt.server.user_text import NAME_LENGTH, cleaned


def day_in(request: Request, name: str) -> date | None:
    """A date of the address, `2026-11-29`; None where it names none."""
    try:
        return date.fromisoformat(request.query_params.get(name, ""))
    except ValueError:
        return None


def start_of(day: date | None, days: int = 0) -> float:
    """The beginning of a day in UTC, so many days later, in seconds since 1970; 0 for no day."""
    try:
        moment = None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days)
    except OverflowError:
        return 0.0
    return 0.0 if moment is None else max(moment.timestamp(), 0.0)


def wanted_of(request: Request) -> GameFilter:
    """The filter of an address."""
    asked = request.query_params
    return GameFilter(
        player=cleaned(asked.get("player", "").replace("\0", ""))[:NAME_LENGTH],
        game=asked.get("game", "")[:32].replace("\0", ""),
        players=number_in(request, "players", MOST_PLAYERS),
        since=start_of(day_in(request, "since")),
        until=start_of(day_in(request, "until"), 1),
    )


async def found_by(request: Request, wanted: GameFilter, page: int) -> tuple[list[FinishedGame], list[ResultSum]]:
    """The games of a page and one more where there are, and the sums of the player who is sought, else of who asks."""
    server, known = server_of(request), await person(request)
    store, who, listed = server.table.store, known.id if known is not None else "", server.listed

    def read() -> tuple[list[FinishedGame], list[ResultSum]]:
        found = results.search(store, wanted, who, listed=listed, limit=PAGE_SIZE + 1, offset=page * PAGE_SIZE)
        if wanted.player:
            return found, results.summed_by_name(store, wanted.player, who, listed=listed)
        return found, results.summed(store, who) if who else []

    return await threaded(read)


async def show_games(request: Request) -> Response:
    """Finished games, by `player`, `game`, `players` (how many), `since` and `until` (dates), with the player's results."""
    wanted, page = wanted_of(request), number_in(request, "page", MOST_PAGES)
    found, sums = await found_by(request, wanted, page)
    since, until = day_in(request, "since"), day_in(request, "until")
    days = {"since": since.isoformat() if since else "", "until": until.isoformat() if until else ""}
    pairs = {"player": wanted.player, "game": wanted.game, "players": wanted.players, **days}
    query = urlencode({name: value for name, value in pairs.items() if value})
    rated = server_of(request).ratings is not None
    model = finished_games_page.games_model(
        found, sums, wanted, page, viewer(request), query=query, rated=rated, **days
    )
    return html(request, finished_games_page.GamesPage(model))


async def games_json(request: Request) -> Response:
    """Finished games for clients, filtered as the page is; `?page=N` has the next fifty."""
    page = number_in(request, "page", MOST_PAGES)
    found, sums = await found_by(request, wanted_of(request), page)
    return answer(finished_games_page.games_file(found, sums, page))


async def ratings_of(request: Request) -> tuple[PlayerRating, ...]:
    """The ratings. Raises `HTTPException` 404 where the host of the server has not turned them on."""
    kept = server_of(request).ratings
    if kept is None:
        raise HTTPException(404, "unknown")
    return await threaded(kept.now)


async def show_ratings(request: Request) -> Response:
    """The ratings of people with an account, and of bots, where the host of the server has turned them on."""
    return html(request, finished_games_page.ratings_page(await ratings_of(request), viewer(request)))


async def ratings_json(request: Request) -> Response:
    """The ratings for clients."""
    return answer(finished_games_page.RatingsFile(await ratings_of(request)))


ROUTES = [
    Route("/games", show_games),
    Route("/games.json", games_json),
    Route("/ratings", show_ratings),
    Route("/ratings.json", ratings_json),
]
