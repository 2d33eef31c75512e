"""The routes of accounts: one page with all my tables, signing in and out, a link for another device."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.accounts import LINK_AGE, Person
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cookies import DEVICE_COOKIE, remember
from trajekt.server.http.rate_limit import network_of
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.request_context import person, place, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters.account_page import SignInPage, account_page
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import read


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and passcode, or the token of a link to sign in with.

    `leave` says that the seats which this device holds without an account may be left.
    """

    name: str = ""
    passcode: str = ""
    token: str = ""
    leave: bool = False


class NewPasscode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the passcode: the old one and the new one."""

    old: str
    new: str


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the name of an account."""

    name: str


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The passcode that confirms the deletion of an account; empty for somebody without one."""

    passcode: str = ""


async def me(request: Request) -> Response:
    """All my tables, and the account."""
    known = await person(request)
    cookie = request.cookies.get(DEVICE_COOKIE, "")
    server = server_of(request)
    return html(request, await threaded(account_page, server.table, server.accounts, viewer(request), known, cookie))


async def register(request: Request) -> Response:
    """A name and passcode for somebody who has sat down somewhere, or is new."""
    sent = read(await body(request), Credentials)
    cookie = await threaded(server_of(request).accounts.register, await person(request), sent.name, sent.passcode)
    response = answer({"address": "/me"}, 201)
    return remember(request, response, cookie) if cookie else response


async def sign_in(request: Request) -> Response:
    """Sign a device in."""
    sent = read(await body(request), Credentials)
    accounts, before = server_of(request).accounts, request.cookies.get(DEVICE_COOKIE, "")
    if sent.token:
        cookie = await threaded(partial(accounts.follow, sent.token, before, leave=sent.leave))
    else:
        cookie = await threaded(accounts.sign_in, sent.name, sent.passcode, network_of(place(request)), before)
    return remember(request, answer({"address": "/me"}), cookie)


async def door(request: Request) -> Response:
    """Show where a link to sign in with leads: a script sends the token that stands behind the address."""
    return html(request, SignInPage())


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
    await threaded(server_of(request).accounts.sign_out, request.cookies.get(DEVICE_COOKIE, ""))
    response = answer({"address": "/"})
    response.delete_cookie(DEVICE_COOKIE, path="/", httponly=True, samesite="lax")
    return response


async def account(request: Request) -> Person:
    """The account of a request. Raises `DeniedError` 403 `not_signed_in`."""
    known = await person(request)
    if known is None or not known.open:
        raise DeniedError(403, "not_signed_in")
    return known


async def change_passcode(request: Request) -> Response:
    """Change the passcode of one's account; other devices are signed out."""
    sent = read(await body(request), NewPasscode)
    known, where = await account(request), network_of(place(request))
    cookie = request.cookies.get(DEVICE_COOKIE, "")
    await threaded(server_of(request).accounts.change_passcode, known, cookie, sent.old, sent.new, where)
    return answer({"done": True})


async def change_name(request: Request) -> Response:
    """Change the name of one's account."""
    sent = read(await body(request), NewName)
    await threaded(server_of(request).accounts.change_name, await account(request), sent.name)
    return answer({"done": True})


async def sign_out_elsewhere(request: Request) -> Response:
    """Sign out all other devices."""
    await no_body(request)
    known, cookie = await account(request), request.cookies.get(DEVICE_COOKIE, "")
    return answer({"ended": await threaded(server_of(request).accounts.sign_out_elsewhere, known, cookie)})


async def my_data(request: Request) -> Response:
    """All that is stored about the person who asks, as JSON."""
    known = await person(request)
    if known is None:
        raise DeniedError(403, "not_signed_in")
    data = await threaded(server_of(request).accounts.data_of, known)
    response = answer(data)
    response.headers["content-disposition"] = 'attachment; filename="trajekt-my-data.json"'
    return response


async def delete_account(request: Request) -> Response:
    """Delete the person who asks, with all that belongs to them; seats stay with their links."""
    sent = read(await body(request), Farewell)
    known = await person(request)
    if known is None:
        raise DeniedError(403, "not_signed_in")
    accounts = server_of(request).accounts
    if known.open:
        await threaded(accounts.prove, known, sent.passcode, network_of(place(request)))
    await threaded(accounts.delete, known)
    response = answer({"address": "/"})
    response.delete_cookie(DEVICE_COOKIE, path="/", httponly=True, samesite="lax")
    return response


ROUTES = [
    Route("/me", me),
    Route("/me", register, methods=["POST"]),
    Route("/me/in", door),
    Route("/me/in", sign_in, methods=["POST"]),
    Route("/me/link", link, methods=["POST"]),
    Route("/me/out", sign_out, methods=["POST"]),
    Route("/me/passcode", change_passcode, methods=["POST"]),
    Route("/me/name", change_name, methods=["POST"]),
    Route("/me/out/others", sign_out_elsewhere, methods=["POST"]),
    Route("/me/data.json", my_data),
    Route("/me/delete", delete_account, methods=["POST"]),
]
