"""The routes of accounts: one page with all my tables, signing in and out, a link for another device."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.accounts import COOKIE, LINK_AGE, Person
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.denials import DeniedError
from trajekt.server.http.requests import (
    Server,
    answer,
    body,
    html,
    no_body,
    person,
    place,
    remember,
    server_of,
    threaded,
    viewer,
)
from trajekt.server.presenters.game_log import round_name
from trajekt.server.presenters.start_page import game_name
from trajekt.server.services.table_service import read
from trajekt.server.storage.seats import WATCHING

FRESH = 12  # tables of which the page says whose turn it is: that takes reading the game


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and passcode, or the token of a link to sign in with."""

    name: str = ""
    passcode: str = ""
    token: str = ""


def mine(server: Server, who: Viewer, known: Person | None) -> dict[str, Any]:
    """What the page shows."""
    tables = []
    for n, (row, seats) in enumerate(server.accounts.tables(known) if known is not None else ()):
        names = msgspec.json.decode(row.names, type=list[str])
        held: list[str] = []
        turn = False
        if n < FRESH:
            game = server.table.cache.get(row.id).game
            names = list(game.state.names)
            turn = any(seat in seats for seat in game.to_act)
            held = [names[seat] for seat in seats if seat != WATCHING]
        moment = round_name(row.moment, who.catalogue())
        tables.append(
            {"row": row, "game": game_name(row.title), "names": names, "held": held, "turn": turn, "moment": moment}
        )
    return {"person": known, "tables": tables}


async def me(request: Request) -> Response:
    """All my tables, and the account."""
    known = await person(request)
    return html(request, "account.html", await threaded(mine, server_of(request), viewer(request), known))


async def register(request: Request) -> Response:
    """A name and passcode for somebody who has sat down somewhere, or is new."""
    sent: Credentials = read(await body(request), Credentials)
    cookie = await threaded(server_of(request).accounts.register, await person(request), sent.name, sent.passcode)
    response = answer({"address": "/me"}, 201)
    return remember(request, response, cookie) if cookie else response


async def sign_in(request: Request) -> Response:
    """Sign a device in."""
    sent: Credentials = read(await body(request), Credentials)
    accounts, before = server_of(request).accounts, request.cookies.get(COOKIE, "")
    if sent.token:
        cookie = await threaded(accounts.follow, sent.token, before)
    else:
        cookie = await threaded(accounts.sign_in, sent.name, sent.passcode, place(request), before)
    return remember(request, answer({"address": "/me"}), cookie)


async def door(request: Request) -> Response:
    """Where a link to sign in with leads: a script sends the token that stands behind the address."""
    return html(request, "sign_in.html", {})


async def link(request: Request) -> Response:
    """A link that signs another device in, once and soon."""
    await no_body(request)
    known = await person(request)
    if known is None:
        raise DeniedError(403, "not_signed_in")
    token = await threaded(server_of(request).accounts.link, known)
    return answer({"address": f"/me/in#{token}", "seconds": LINK_AGE})


async def sign_out(request: Request) -> Response:
    """Forget this device. Without an account the seats would be lost, so that is refused."""
    await no_body(request)
    known = await person(request)
    if known is not None and not known.open:
        raise DeniedError(409, "no_account")
    await threaded(server_of(request).accounts.sign_out, request.cookies.get(COOKIE, ""))
    response = answer({"address": "/"})
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response


ROUTES = [
    Route("/me", me),
    Route("/me", register, methods=["POST"]),
    Route("/me/in", door),
    Route("/me/in", sign_in, methods=["POST"]),
    Route("/me/link", link, methods=["POST"]),
    Route("/me/out", sign_out, methods=["POST"]),
]
