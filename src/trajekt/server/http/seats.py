"""The routes of seats: sit down by a link or a passcode, who is here, hand-over, stand-ins, consent requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cookies import remember
from trajekt.server.http.json_answers import Opened, Sat, SeatLink
from trajekt.server.http.rate_limit import network_of
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.request_context import person, place, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters.seats_panel import SeatEntryPage, SeatMenu, SeatsPart, seats_panel
from trajekt.server.services import presence
from trajekt.server.services import seats as seat_service
from trajekt.server.services.seats import ConsentAnswer, ConsentRequestBody
from trajekt.server.services.table_service import NewTable, OpenedTable, TableService, read
from trajekt.server.storage import consent_requests
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.pubsub import CHANGED
from trajekt.server.storage.seats import WATCHING, assignments_of

T = TypeVar("T")


class SeatClaim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who sits down: by the token of a link, or by name and passcode."""

    token: str = ""
    name: str = ""
    passcode: str = ""


class Passcode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passcode for a seat, empty for none."""

    passcode: str


class StandIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of bot that plays for oneself, null to be back."""

    kind: str | None


class Presence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a page: whether it is open before somebody's eyes."""

    here: bool = True


async def create_friends_table(request: Request, wanted: NewTable) -> Response:
    """Make a new table of friends."""
    known = await person(request)
    who = known.id if known is not None else ""
    return await open_friends_table(request, lambda table, host: table.open(wanted, host, who))


async def open_friends_table(
    request: Request, make: Callable[[TableService, Callable[[], str]], OpenedTable]
) -> Response:
    """Make a table of friends: the links of its seats are in the answer and nowhere else."""
    server = server_of(request)
    known, who = await person(request), viewer(request)
    cookie = ""

    def host() -> str:
        nonlocal known, cookie
        if known is None:
            known, cookie = server.accounts.welcome()
        return known.id

    def opened() -> OpenedTable:
        made = make(server.table, host)
        cached = server.table.cache.get(made.id)
        if made.yours is not None:
            seat_service.sit_by_token(server.table, cached, made.seats[made.yours][1], host(), who.language)
        else:
            seat_service.sit_by_token(server.table, cached, made.watch, host(), who.language)
        return made

    made = await threaded(opened)
    links = tuple(
        SeatLink(seat, name, f"/t/{made.id}/sit#{token}", seat == made.yours)
        for seat, (name, token) in made.seats.items()
    )
    response = answer(Opened(made.id, f"/t/{made.id}", links, f"/t/{made.id}/watch#{made.watch}"), 201)
    return remember(request, response, cookie) if cookie else response


async def door(request: Request) -> Response:
    """Show where one comes in: a script sends the token that stands behind the address, or one says name and passcode."""
    server, id_ = server_of(request), request.path_params["id"]
    cached = await threaded(server.table.cache.get, id_)
    await threaded(seat_service.seated_at, server.table, cached)
    return html(request, SeatEntryPage(id_, cached.game.title.name))


async def sit(request: Request) -> Response:
    """Sit down."""
    sent = read(await body(request), SeatClaim)
    server, id_, who = server_of(request), request.path_params["id"], viewer(request)
    known, cookie = await person(request), ""
    cached = await threaded(server.table.cache.get, id_)

    def seat() -> tuple[int, str]:
        table = server.table
        if sent.token and seat_service.seated_at(table, cached).opens(sent.token) is None:
            table.cache.invalidate(id_)  # the host may have made a new link beside the server
        if not sent.token:
            found = seat_service.seat_by_name(table, cached, sent.name, sent.passcode, network_of(place(request)))
        elif seat_service.seated_at(table, cached).opens(sent.token) is None:
            return seat_service.sit_by_token(table, cached, sent.token, "", ""), ""
        someone, made = (known, "") if known is not None else server.accounts.welcome()
        if sent.token:
            return seat_service.sit_by_token(table, cached, sent.token, someone.id, who.language), made
        seat_service.sit_by_name(table, cached, found, someone.id, who.language)
        return found, made

    before = () if known is None else assignments_of(server.table.store, cached).holders.get(known.id, ())
    taken, cookie = await threaded(seat)
    server.subscriptions.publish(id_, 0, CHANGED)
    told = Sat(None if taken == WATCHING else taken, f"/t/{id_}")
    others = [each for each in before if each != WATCHING]
    if others and taken not in before:  # one device, two seats: meant so, or another's link by mistake
        names = cached.game.state.names
        told = Sat(taken, told.address, names[taken], tuple(names[each] for each in others))
    response = answer(told)
    return remember(request, response, cookie) if cookie else response


async def seats_fragment(request: Request) -> Response:
    """Show who sits where and who is here, with what is asked of whom."""
    return await fragment(request, SeatsPart)


async def manage(request: Request) -> Response:
    """Show what may be done with the seats: links, passcode, stand-in."""
    return await fragment(request, SeatMenu)


async def fragment(request: Request, part: type[SeatsPart]) -> Response:
    """A part of the page that is about the seats."""
    server, who = server_of(request), viewer(request)

    def made() -> SeatsPart:
        cached = server.table.cache.get(request.path_params["id"])
        say = who.catalogue(cached.game.title)
        return part(seats_panel(server.table, cached, who), say, cached.id)

    return html(request, await threaded(made))


async def changed(request: Request, work: Callable[[TableService, CachedGame], T]) -> T:
    """Do something with the seats and tell everybody at the table."""
    server, id_ = server_of(request), request.path_params["id"]
    cached = await threaded(server.table.cache.get, id_)
    done = await threaded(work, server.table, cached)
    server.subscriptions.publish(id_, 0, CHANGED)
    server.bots.wake(id_)
    return done


def seat_of(request: Request) -> int:
    """The seat that an address names."""
    named = str(request.path_params["seat"])
    if not named.isdecimal() or len(named) > 3:
        raise HTTPException(404, "unknown")
    return int(named)


async def link(request: Request) -> Response:
    """A new link to a seat: the hand-over."""
    await no_body(request)
    who, seat = viewer(request), seat_of(request)
    token = await changed(request, lambda table, cached: seat_service.hand_over(table, cached, who, seat))
    return answer({"address": f"/t/{request.path_params['id']}/sit#{token}"})


async def give_back(request: Request) -> Response:
    """Error of a link opened by mistake, whose seat is another's."""
    await no_body(request)
    who, seat = viewer(request), seat_of(request)
    await changed(request, lambda table, cached: seat_service.give_back(table, cached, who, seat))
    return answer({"address": f"/t/{request.path_params['id']}"})


async def watching_link(request: Request) -> Response:
    """A new link to watch."""
    await no_body(request)
    who = viewer(request)
    token = await changed(request, lambda table, cached: seat_service.watching_link(table, cached, who))
    return answer({"address": f"/t/{request.path_params['id']}/watch#{token}"})


async def passcode(request: Request) -> Response:
    """A passcode for a seat of one's own."""
    sent = read(await body(request), Passcode)
    who, seat = viewer(request), seat_of(request)
    await changed(request, lambda table, cached: seat_service.keep_passcode(table, cached, who, seat, sent.passcode))
    return answer({"passcode": bool(sent.passcode)})


async def stand_in(request: Request) -> Response:
    """Let a bot play for oneself, or no more."""
    sent = read(await body(request), StandIn)
    who, seat = viewer(request), seat_of(request)
    await changed(request, lambda table, cached: seat_service.lend(table, cached, who, seat, sent.kind))
    return answer({"kind": sent.kind})


async def consent_request(request: Request) -> Response:
    """Ask the others."""
    sent = read(await body(request), ConsentRequestBody)
    who = viewer(request)
    made = await changed(request, lambda table, cached: seat_service.ask(table, cached, who, sent))
    if made.outcome == consent_requests.OPEN:
        server = server_of(request)
        await threaded(server.worker.work.consult, made)
        server.worker.wake()
    return answer(
        {"consent_request": made.number, "outcome": made.outcome, "needs": made.needs, "lapses": made.lapses}, 201
    )


async def reply(request: Request) -> Response:
    """Answer a request."""
    sent = read(await body(request), ConsentAnswer)
    named = str(request.path_params["number"])
    if not named.isdecimal() or len(named) > 6:
        raise HTTPException(404, "unknown")
    who = viewer(request)
    made, entry = await changed(request, lambda table, cached: seat_service.reply(table, cached, who, int(named), sent))
    if entry is not None:
        server_of(request).subscriptions.publish(request.path_params["id"], entry.number)
    number = None if entry is None else entry.number
    return answer({"outcome": made.outcome, "missing": made.missing, "number": number})


async def looking(request: Request) -> Response:
    """Take note that a page is open before somebody's eyes; the answer says who else is here."""
    sent = read(await body(request), Presence)
    server, id_, who = server_of(request), request.path_params["id"], viewer(request)

    def seen() -> tuple[bool, list[int]]:
        cached = server.table.cache.get(id_)
        seat_service.seated_at(server.table, cached)
        return presence.look(server.table, cached, who, sent.here)

    news, here = await threaded(seen)
    if news:
        server.subscriptions.publish(id_, 0, CHANGED)
    return answer({"here": here})


ROUTES = [
    Route("/t/{id}/sit", door),
    Route("/t/{id}/watch", door),
    Route("/t/{id}/sit", sit, methods=["POST"]),
    Route("/t/{id}/seats", seats_fragment),
    Route("/t/{id}/seats/menu", manage),
    Route("/t/{id}/watch/link", watching_link, methods=["POST"]),
    Route("/t/{id}/seats/{seat}/link", link, methods=["POST"]),
    Route("/t/{id}/seats/{seat}/give-back", give_back, methods=["POST"]),
    Route("/t/{id}/seats/{seat}/passcode", passcode, methods=["POST"]),
    Route("/t/{id}/seats/{seat}/stand-in", stand_in, methods=["POST"]),
    Route("/t/{id}/consent-requests", consent_request, methods=["POST"]),
    Route("/t/{id}/consent-requests/{number}", reply, methods=["POST"]),
    Route("/t/{id}/looking", looking, methods=["POST"]),
]
