"""The routes of the lobby: open tables listed, offered, joined, left and begun, and the streams of their pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TypeVar
from urllib.parse import urlencode

import msgspec
from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.components.component_sets import LARGEST_SET
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cookies import remember
from trajekt.server.http.json_answers import Joined, Opened
from trajekt.server.http.request_bodies import SMALL, body, no_body
from trajekt.server.http.request_context import person, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters import lobby_page
from trajekt.server.presenters.lobby_page import MOST_FREE, MOST_PAGES, PAGE_SIZE
from trajekt.server.presenters.start_page import Arrival
from trajekt.server.services.lobby import Dismissal, Found, Lobby, NewOpenTable, SeatWish
from trajekt.server.services.table_service import read
from trajekt.server.storage import open_tables
from trajekt.server.storage.accounts import Person
from trajekt.server.storage.open_tables import LOBBY, LobbyFilter
from trajekt.server.storage.pubsub import CHANGED

T = TypeVar("T")


def lobby_of(request: Request) -> Lobby:
    """The use cases of open tables; whoever waits for a game that begins is told."""
    worker = server_of(request).worker
    return Lobby(server_of(request).table, worker.work.begun)


def number_in(request: Request, name: str, most: int) -> int:
    """A whole number of the address, 0 where it names none that fits."""
    named = request.query_params.get(name, "")
    return min(int(named), most) if named.isascii() and named.isdigit() and len(named) < 6 else 0


def wanted_of(request: Request) -> tuple[LobbyFilter, int, str]:
    """The filter of an address, its page, and the filter as it is written there."""
    asked = request.query_params
    pace, language = asked.get("pace", ""), asked.get("language", "")
    wanted = LobbyFilter(
        game=asked.get("game", "")[:32].replace("\0", ""),
        pace=pace if pace in ("live", "week") else "",
        language=language if language in ("de", "en") else "",
        seats=number_in(request, "seats", MOST_FREE),
    )
    pairs = (("game", wanted.game), ("pace", wanted.pace), ("language", wanted.language), ("seats", wanted.seats))
    return wanted, number_in(request, "page", MOST_PAGES), urlencode([pair for pair in pairs if pair[1]])


def found_by(request: Request, wanted: LobbyFilter, page: int) -> list[Found]:
    """The open tables of a page, and one more where there are."""
    return open_tables.listed(server_of(request).table.store, wanted, PAGE_SIZE + 1, page * PAGE_SIZE)


async def listed(request: Request, part: type[lobby_page.LobbyPage]) -> Response:
    """The tables that fit, as a page or a part of one."""
    wanted, page, query = wanted_of(request)

    def made() -> lobby_page.LobbyModel:
        return lobby_page.lobby_model(found_by(request, wanted, page), wanted, page, viewer(request), query)

    return html(request, part(await threaded(made)))


async def show_lobby(request: Request) -> Response:
    """The lobby: open tables, filtered by `game`, `pace` (`live`, `week`), `language` and `seats` (free ones)."""
    return await listed(request, lobby_page.LobbyPage)


async def lobby_list(request: Request) -> Response:
    """The list of the lobby alone, for a page that is open."""
    return await listed(request, lobby_page.LobbyList)


async def lobby_json(request: Request) -> Response:
    """The open tables for clients, filtered as the page is; `?page=N` has the next fifty."""
    wanted, page, _ = wanted_of(request)
    known = await person(request)
    who = known.id if known is not None else ""
    return answer(await threaded(lambda: lobby_page.lobby_file(found_by(request, wanted, page), page, who)))


async def show_offer(request: Request) -> Response:
    """The form by which a table is offered."""
    known, chosen = await person(request), request.query_params.get("game", "")
    name = known.name if known is not None and known.open else ""
    wanted = Arrival(known.id if known is not None else "", chosen[:32], request.query_params.get("set", "")[:32])
    offer = await threaded(lobby_page.offer_model, server_of(request).table, viewer(request), wanted, name)
    return html(request, lobby_page.OfferPage(offer))


async def shown(request: Request, part: type[lobby_page.OpenTablePage]) -> Response:
    """An open table, as a page or a part of one."""
    known = await person(request)
    found = await threaded(lobby_of(request).find, request.path_params["id"])
    who, name = (known.id, known.name if known.open else "") if known is not None else ("", "")
    model = await threaded(lobby_page.open_table_model, found, viewer(request), who, name)
    if model is None:
        raise HTTPException(404, "unknown")
    return html(request, part(model))


async def show_open_table(request: Request) -> Response:
    """An open table: who sits there, and what one may do."""
    return await shown(request, lobby_page.OpenTablePage)


async def open_table_fragment(request: Request) -> Response:
    """The part of that page which changes."""
    return await shown(request, lobby_page.OpenTableSeats)


async def open_table_json(request: Request) -> Response:
    """An open table for clients."""
    known = await person(request)
    found = await threaded(lobby_of(request).find, request.path_params["id"])
    return answer(lobby_page.file_of(found, known.id if known is not None else ""))


def tell(request: Request, id_: str) -> None:
    """Tell the open pages of a table and of the lobby that something is new."""
    for name in (LOBBY, id_):
        server_of(request).subscriptions.publish(name, 0, CHANGED)


async def as_person(request: Request, work: Callable[[Person | None, Callable[[], Person]], T]) -> tuple[T, str]:
    """Do something as the person of a device; answers the cookie of somebody who is new, else nothing."""
    known, cookie = await person(request), ""

    def someone() -> Person:
        nonlocal cookie
        if known is not None:
            return known
        made, cookie = server_of(request).accounts.welcome()
        return made

    return await threaded(work, known, someone), cookie


def told(request: Request, value: msgspec.Struct, cookie: str, status: int = 200) -> Response:
    """An answer, with the cookie of somebody who is new."""
    response = answer(value, status)
    return remember(request, response, cookie) if cookie else response


async def offer(request: Request) -> Response:
    """Offer a table with open seats, in the lobby or by its address alone."""
    wanted = read(await body(request, SMALL + LARGEST_SET), NewOpenTable)
    language = viewer(request).language
    row, cookie = await as_person(
        request, lambda known, someone: lobby_of(request).offer(wanted, known, someone, language)
    )
    tell(request, row.id)
    return told(request, Opened(row.id, f"/lobby/{row.id}"), cookie, 201)


async def sit(request: Request) -> Response:
    """Sit down at an open table; with the last seat the game begins."""
    wish = read(await body(request), SeatWish)
    id_, language = request.path_params["id"], viewer(request).language
    row, cookie = await as_person(
        request, lambda known, someone: lobby_of(request).sit(id_, wish, known, someone, language)
    )
    tell(request, id_)
    if row.game:
        server_of(request).worker.wake()
    address = f"/t/{row.game}" if row.game else f"/lobby/{id_}"
    return told(request, Joined(address, bool(row.game)), cookie)


async def changed(request: Request, work: Callable[[str, Person | None], T]) -> T:
    """Do something at an open table and tell its pages."""
    id_, known = request.path_params["id"], await person(request)
    done = await threaded(work, id_, known)
    tell(request, id_)
    return done


async def leave(request: Request) -> Response:
    """Leave an open table; where the host leaves, it ends."""
    await no_body(request)
    await changed(request, lobby_of(request).leave)
    return answer({"address": "/lobby"})


async def dismiss(request: Request) -> Response:
    """Let a player go whom the host does not want at the table."""
    sent = read(await body(request), Dismissal)
    await changed(request, partial(lobby_of(request).dismiss, name=sent.name))
    return answer({"address": f"/lobby/{request.path_params['id']}"})


async def start(request: Request) -> Response:
    """Begin the game, as the host says."""
    await no_body(request)
    game = await changed(request, lobby_of(request).start)
    server_of(request).worker.wake()
    return answer(Opened(game, f"/t/{game}"), 201)


def stream(request: Request, name: str) -> Response:
    """A stream that says `changed` whenever there is something new."""

    async def lines() -> AsyncIterator[bytes]:
        async for _ in server_of(request).subscriptions.subscribe(name, 0):
            yield b"event: changed\r\ndata: 0\r\n\r\n"

    return EventSourceResponse(lines(), ping=20)


async def lobby_events(request: Request) -> Response:
    """Say `changed` whenever the lobby is to be read again."""
    return stream(request, LOBBY)


async def open_table_events(request: Request) -> Response:
    """Say `changed` whenever an open table is to be read again."""
    await threaded(lobby_of(request).find, request.path_params["id"])
    return stream(request, request.path_params["id"])


ROUTES = [
    Route("/lobby", show_lobby),
    Route("/lobby", offer, methods=["POST"]),
    Route("/lobby.json", lobby_json),
    Route("/lobby/list", lobby_list),
    Route("/lobby/new", show_offer),
    Route("/lobby/events", lobby_events),
    Route("/lobby/{id}", show_open_table),
    Route("/lobby/{id}/table.json", open_table_json),
    Route("/lobby/{id}/seats", open_table_fragment),
    Route("/lobby/{id}/events", open_table_events),
    Route("/lobby/{id}/sit", sit, methods=["POST"]),
    Route("/lobby/{id}/leave", leave, methods=["POST"]),
    Route("/lobby/{id}/dismiss", dismiss, methods=["POST"]),
    Route("/lobby/{id}/start", start, methods=["POST"]),
]
