"""A table as JSON for clients: what they may do now, and what was done since they looked."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.ruleset import Choice
from trajekt.engine.state import Seat
from trajekt.game_statistics import GameStatistics, statistics_csv, statistics_of
from trajekt.positions import PositionFile, position_of
from trajekt.records import EntryFile, entry_file
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import drawn_beside, moment, server_of, viewer
from trajekt.server.http.responses import answer, download
from trajekt.server.http.table_page import table_of
from trajekt.server.presenters import position_view
from trajekt.server.presenters.cards import last_income
from trajekt.server.presenters.decision import tracks
from trajekt.server.presenters.map_and_market import route_layers
from trajekt.server.services.bot_runner import set_aside
from trajekt.server.services.table_service import UnreadableError


class Result(msgspec.Struct, frozen=True):
    """The result of a player, in Mark."""

    player: str
    cash: int
    shares: int
    total: int


class TableState(msgspec.Struct, frozen=True):
    """A table for a client: `seats` are the viewer's, `choices` all by which these may answer what the game awaits.

    `anytime` is what they may do besides, whoever is on turn: offer to end the game, agree, decline.
    """

    number: int
    game: str
    names: tuple[str, ...]
    to_act: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    finished: bool
    choices: tuple[Choice, ...]
    anytime: tuple[Choice, ...]
    standings: tuple[Result, ...]
    set_aside: dict[str, str] = {}
    """The seats whose bots do not move any more, each with the reason; `POST /t/{id}/bots` lets another bot play."""


class News(msgspec.Struct, frozen=True):
    """The entries after one that is known, as they stand in a record, and the number of the newest."""

    number: int
    entries: tuple[EntryFile, ...]


async def state(request: Request) -> Response:
    """The table for clients: number, who is awaited, the seats of the viewer and all that these may do."""
    server, who = server_of(request), viewer(request)

    def made() -> TableState:
        cached = server.table.cache.get(request.path_params["id"])
        with cached.lock:
            game = cached.game.at(cached.game.number)
        mine = server.table.seats(cached, who)
        return TableState(
            number=game.number,
            game=game.title.id,
            names=game.state.names,
            to_act=tuple(game.to_act),
            seats=mine,
            finished=game.finished,
            set_aside={str(seat): reason for seat, reason in set_aside(cached).items()},
            choices=tuple(choice for seat in mine if seat in game.to_act for choice in game.choices(seat)),
            anytime=tuple(choice for seat in mine for choice in game.anytime_choices(seat)),
            standings=tuple(Result(each.name, each.cash, each.shares, each.total) for each in game.standings()),
        )

    return answer(await threaded(made))


class LastRun(msgspec.Struct, frozen=True):
    """The newest run of a company: its revenue in Mark, 0 where it has not run, and its routes as layers of the map."""

    company: str
    revenue: int
    lines: str
    rings: str


async def entries(request: Request) -> Response:
    """Show what was done since, for clients that keep the game themselves: the entries after number `?after=N`."""
    server, after = server_of(request), request.query_params.get("after", "0")

    def made() -> News:
        cached = server.table.cache.get(request.path_params["id"])
        with cached.lock:
            found = cached.game.entries
        if not after.isascii() or not after.isdigit() or len(after) > len(str(len(found))) or int(after) > len(found):
            raise UnreadableError(f"there is no entry {after}", "$.after")
        return News(len(found), tuple(map(entry_file, found[int(after) :])))

    return answer(await threaded(made))


async def position(request: Request) -> Response:
    """Show the newest position, or the one after entry `?at=N`, as a small JSON for other programs."""
    server, at = server_of(request), moment(request)

    def made() -> PositionFile:
        return position_of(position_view.position(table_of(server, request.path_params["id"], at), at))

    return answer(await threaded(made))


async def last_run(request: Request) -> Response:
    """The newest run of a company as layers of the map, also at an earlier moment, `?at=N`."""
    server, at, company = server_of(request), moment(request), request.path_params["company"]

    def made() -> LastRun:
        game = position_view.position(table_of(server, request.path_params["id"], at), at)
        if company not in game.state.companies:
            raise HTTPException(404, "unknown")
        ran = last_income(game, company)
        lines, rings = route_layers(game.state, game.title, tracks(ran)) if ran is not None and ran.runs else ("", "")
        return LastRun(company, ran.revenue if ran is not None else 0, lines, rings)

    return answer(await drawn_beside(request, made))


def statistics_at(request: Request) -> GameStatistics:
    """The figures by round up to the newest entry, or to entry `?at=N`."""
    at = moment(request)
    return statistics_of(position_view.position(table_of(server_of(request), request.path_params["id"], at), at))


async def statistics(request: Request) -> Response:
    """Show worth, holdings, incomes, prices, revenues and trains by round, as JSON."""
    return answer(await threaded(statistics_at, request))


async def statistics_table(request: Request) -> Response:
    """Show the figures by round as comma-separated values, one figure a row."""
    data = statistics_csv(await threaded(statistics_at, request))
    return download(data, f"statistics-{request.path_params['id']}.csv", "text/csv; charset=utf-8")


ROUTES = [
    Route("/t/{id}/state.json", state),
    Route("/t/{id}/entries.json", entries),
    Route("/t/{id}/position.json", position),
    Route("/t/{id}/last-runs/{company}", last_run),
    Route("/t/{id}/statistics.json", statistics),
    Route("/t/{id}/statistics.csv", statistics_table),
]
