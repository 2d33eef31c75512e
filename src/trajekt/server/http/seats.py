"""The routes of seats: sitting down by a link or a passcode, who is here, hand-over, stand-ins, petitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.bots.bot import names as players
from trajekt.server.accounts import consent_requests
from trajekt.server.accounts.seats import WATCHING, sitting_of
from trajekt.server.http.requests import (
    answer,
    body,
    html,
    no_body,
    person,
    place,
    reader,
    remember,
    server_of,
    threaded,
)
from trajekt.server.services import membership
from trajekt.server.services.membership import Asked, Said
from trajekt.server.services.table_service import Opened, Table, Wanted, read
from trajekt.server.storage.game_cache import Hot
from trajekt.server.storage.pubsub import CHANGED

T = TypeVar("T")


class Comes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who sits down: by the token of a link, or by name and passcode."""

    token: str = ""
    name: str = ""
    passcode: str = ""


class Passcode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passcode for a seat, empty for none."""

    passcode: str


class StandIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of program that plays for oneself, null to be back."""

    kind: str | None


class Looking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the page is open before somebody's eyes."""

    here: bool = True


async def gather(request: Request, wanted: Wanted) -> Response:
    """A table of friends: the links of its seats are in the answer and nowhere else."""
    server = server_of(request)
    known, who = await person(request), reader(request)
    cookie = ""

    def host() -> str:
        nonlocal known, cookie
        if known is None:
            known, cookie = server.accounts.welcome()
        return known.id

    def opened() -> Opened:
        made = server.table.open(wanted, host)
        hot = server.table.live.table(made.id)
        if made.yours is not None:
            membership.sit_by_token(server.table, hot, made.seats[made.yours][1], host(), who.language)
        else:
            membership.sit_by_token(server.table, hot, made.watch, host(), who.language)
        return made

    made = await threaded(opened)
    links = [
        {"seat": seat, "name": name, "address": f"/t/{made.id}/sit#{token}", "yours": seat == made.yours}
        for seat, (name, token) in made.seats.items()
    ]
    told = {"id": made.id, "address": f"/t/{made.id}", "seats": links, "watch": f"/t/{made.id}/watch#{made.watch}"}
    response = answer(told, 201)
    return remember(request, response, cookie) if cookie else response


async def door(request: Request) -> Response:
    """Where one comes in: a script sends the token that stands behind the address, or one says name and passcode."""
    server, id_ = server_of(request), request.path_params["id"]
    hot = await threaded(server.table.live.table, id_)
    await threaded(membership.seated_at, server.table, hot)
    return html(request, "seat_entry.html", {"id": id_, "game": hot.game.title.name})


async def sit(request: Request) -> Response:
    """Sit down."""
    sent: Comes = read(await body(request), Comes)
    server, id_, who = server_of(request), request.path_params["id"], reader(request)
    known, cookie = await person(request), ""
    hot = await threaded(server.table.live.table, id_)

    def seat() -> tuple[int, str]:
        table = server.table
        if not sent.token:
            found = membership.seat_by_name(table, hot, sent.name, sent.passcode, place(request))
        elif membership.seated_at(table, hot).opens(sent.token) is None:
            return membership.sit_by_token(table, hot, sent.token, "", ""), ""
        someone, made = (known, "") if known is not None else server.accounts.welcome()
        if sent.token:
            return membership.sit_by_token(table, hot, sent.token, someone.id, who.language), made
        membership.sit_by_name(table, hot, found, someone.id, who.language)
        return found, made

    before = () if known is None else sitting_of(server.table.store, hot).holders.get(known.id, ())
    taken, cookie = await threaded(seat)
    server.watchers.tell(id_, 0, CHANGED)
    told: dict[str, Any] = {"seat": None if taken == WATCHING else taken, "address": f"/t/{id_}"}
    others = [each for each in before if each != WATCHING]
    if others and taken not in before:  # one device, two seats: meant so, or another's link by mistake
        names = hot.game.state.names
        told |= {"name": names[taken], "also": [names[each] for each in others]}
    response = answer(told)
    return remember(request, response, cookie) if cookie else response


async def seats_fragment(request: Request) -> Response:
    """Who sits where and who is here, with what is asked of whom."""
    return await fragment(request, "seats.html")


async def manage(request: Request) -> Response:
    """What may be done with the seats: links, passcode, stand-in."""
    return await fragment(request, "seat_menu.html")


async def fragment(request: Request, template: str) -> Response:
    """A part of the page that is about the seats."""
    server, who = server_of(request), reader(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        say = who.catalogue(hot.game.title)
        circle = membership.model(server.table, hot, who)
        return {"circle": circle, "say": say, "id": hot.id, "kinds": players(), "usual": membership.USUAL}

    return html(request, template, await threaded(made))


async def changed(request: Request, work: Callable[[Table, Hot], T]) -> T:
    """Do something with the seats and tell everybody at the table."""
    server, id_ = server_of(request), request.path_params["id"]
    hot = await threaded(server.table.live.table, id_)
    done = await threaded(work, server.table, hot)
    server.watchers.tell(id_, 0, CHANGED)
    server.programs.wake(id_)
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
    who, seat = reader(request), seat_of(request)
    token = await changed(request, lambda table, hot: membership.hand_over(table, hot, who, seat))
    return answer({"address": f"/t/{request.path_params['id']}/sit#{token}"})


async def give_back(request: Request) -> Response:
    """The seat is another's, whose link was opened by mistake."""
    await no_body(request)
    who, seat = reader(request), seat_of(request)
    await changed(request, lambda table, hot: membership.give_back(table, hot, who, seat))
    return answer({"address": f"/t/{request.path_params['id']}"})


async def watching_link(request: Request) -> Response:
    """A new link to watch."""
    await no_body(request)
    who = reader(request)
    token = await changed(request, lambda table, hot: membership.watching_link(table, hot, who))
    return answer({"address": f"/t/{request.path_params['id']}/watch#{token}"})


async def passcode(request: Request) -> Response:
    """A passcode for a seat of one's own."""
    sent: Passcode = read(await body(request), Passcode)
    who, seat = reader(request), seat_of(request)
    await changed(request, lambda table, hot: membership.keep_passcode(table, hot, who, seat, sent.passcode))
    return answer({"passcode": bool(sent.passcode)})


async def stand_in(request: Request) -> Response:
    """A program plays for oneself, or not any more."""
    sent: StandIn = read(await body(request), StandIn)
    who, seat = reader(request), seat_of(request)
    await changed(request, lambda table, hot: membership.lend(table, hot, who, seat, sent.kind))
    return answer({"kind": sent.kind})


async def petition(request: Request) -> Response:
    """Ask the others."""
    sent: Asked = read(await body(request), Asked)
    who = reader(request)
    made = await changed(request, lambda table, hot: membership.ask(table, hot, who, sent))
    if made.outcome == consent_requests.OPEN:
        server = server_of(request)
        await threaded(server.worker.work.consult, made)
        server.worker.wake()
    return answer({"petition": made.number, "outcome": made.outcome, "needs": made.needs, "lapses": made.lapses}, 201)


async def reply(request: Request) -> Response:
    """Answer a petition."""
    sent: Said = read(await body(request), Said)
    named = str(request.path_params["number"])
    if not named.isdecimal() or len(named) > 6:
        raise HTTPException(404, "unknown")
    who = reader(request)
    made, entry = await changed(request, lambda table, hot: membership.reply(table, hot, who, int(named), sent))
    if entry is not None:
        server_of(request).watchers.tell(request.path_params["id"], entry.number)
    number = None if entry is None else entry.number
    return answer({"outcome": made.outcome, "missing": made.missing, "number": number})


async def looking(request: Request) -> Response:
    """A page says that it is open before somebody's eyes; the answer says who else is here."""
    sent: Looking = read(await body(request), Looking)
    server, id_, who = server_of(request), request.path_params["id"], reader(request)

    def seen() -> tuple[bool, list[int]]:
        hot = server.table.live.table(id_)
        membership.seated_at(server.table, hot)
        return membership.look(server.table, hot, who, sent.here)

    news, here = await threaded(seen)
    if news:
        server.watchers.tell(id_, 0, CHANGED)
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
    Route("/t/{id}/petitions", petition, methods=["POST"]),
    Route("/t/{id}/petitions/{number}", reply, methods=["POST"]),
    Route("/t/{id}/looking", looking, methods=["POST"]),
]
