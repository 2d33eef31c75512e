"""The routes of the sidebar: talk, instructions in advance, notes, notices, the clock.

All of it belongs to a seat; somebody who watches reads the talk and the clock and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.denials import DeniedError
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.context import server_of, viewer
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.responses import answer, html
from trajekt.server.notifications import notification_settings
from trajekt.server.presenters import sidebar as presenter
from trajekt.server.services import standing_orders, studies, talk
from trajekt.server.services.membership import may_set_clock, needed_seat
from trajekt.server.services.table_service import EmptyBody, TableService, read
from trajekt.server.storage import chat, clock_settings, contacts, notes
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.clock_settings import ClockSettings
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.seats import assignments_of
from trajekt.server.storage.standing_orders import AnyOrder


class TextBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notes."""

    text: str


class Utterance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something said; `players_only` keeps it from whoever watches."""

    text: str
    players_only: bool = False


class NewOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction that is given."""

    order: AnyOrder


class OrderRemoval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction to be put away."""

    id: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish about the clock."""

    wish: Literal["pause", "on"]


class MailConsent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a reader: whether letters may come to an address."""

    yes: bool


class ClockChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock for the table, or none."""

    clock: ClockSettings | None = None


async def sidebar(request: Request) -> Response:
    """The sidebar, to be morphed in."""
    server, who = server_of(request), viewer(request)
    mails = server.worker.work.sending.post is not None

    def made() -> presenter.Sidebar:
        return presenter.sidebar(server.table, server.table.cache.get(request.path_params["id"]), who, mails=mails)

    return html(request, await threaded(made))


async def change_sidebar(
    request: Request, work: Callable[[TableService, CachedGame, Viewer, bytes], None], *, wakes: bool = False
) -> Response:
    """Change something beside the board, tell the pages that have the table open."""
    data, id_, who, server = await body(request), request.path_params["id"], viewer(request), server_of(request)

    def done() -> None:
        work(server.table, server.table.cache.get(id_), who, data)
        server.table.cache.invalidate(id_)

    await threaded(done)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    if wakes:
        server.worker.wake()
    return answer({"done": True})


def _give(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    order = read(data, NewOrder).order
    with cached.lock:
        game = cached.game.at(cached.game.number)
    standing_order_store.keep(
        table.store, cached.id, standing_orders.give(game, needed_seat(table, cached, who), order)
    )


async def give_order(request: Request) -> Response:
    """Leave an instruction."""
    return await change_sidebar(request, _give, wakes=True)


def _put_away(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    standing_order_store.put_away(table.store, cached.id, needed_seat(table, cached, who), read(data, OrderRemoval).id)


async def put_order_away(request: Request) -> Response:
    """Withdraw an instruction, or take an ended one out of sight."""
    return await change_sidebar(request, _put_away)


async def say(request: Request) -> Response:
    """Say something to all at the table, or to its players; whoever is named by `@` and away is told."""
    work = server_of(request).worker.work
    at = work.clock() + work.sending.grace

    def speak(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
        sent, seat = read(data, Utterance), needed_seat(table, cached, who)
        talk.say(table, cached, seat, sent.text, players_only=sent.players_only, at=at)

    return await change_sidebar(request, speak, wakes=True)


def _keep_talk_private(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    read(data, EmptyBody)
    needed_seat(table, cached, who)
    chat.keep_in_record(table.store, cached.id, kept=False)


async def keep_talk_private(request: Request) -> Response:
    """Take the talk out of the record again: each player may, since all must agree to it."""
    return await change_sidebar(request, _keep_talk_private)


async def comment(request: Request) -> Response:
    """Write a comment on a moment, for all who look at the table."""
    return await change_sidebar(request, studies.comment)


async def write_notes(request: Request) -> Response:
    """Keep a player's own notes; nobody else's page is touched."""
    data, id_, who, table = await body(request), request.path_params["id"], viewer(request), server_of(request).table

    def done() -> None:
        notes.write(table.store, id_, needed_seat(table, table.cache.get(id_), who), read(data, TextBody).text)

    await threaded(done)
    return answer({"done": True})


async def leave_contact(request: Request) -> Response:
    """Show how a player wants to be told when he is away."""
    now = server_of(request).worker.work.clock()

    def leave(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
        seat = needed_seat(table, cached, who)
        if not assignments_of(table.store, cached).friends:
            raise DeniedError(409, "one_screen")
        contacts.leave(
            table.store,
            cached.id,
            seat,
            notification_settings.checked(read(data, contacts.Contact)),
            now,
        )

    return await change_sidebar(request, leave, wakes=True)


def _set_clock(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    if not may_set_clock(table, cached, who):
        raise DeniedError(403, "only_host")
    clock_settings.set_clock(table.store, cached.id, read(data, ClockChoice).clock)


async def set_clock(request: Request) -> Response:
    """Give the table a clock, change it, take it away."""
    return await change_sidebar(request, _set_clock)


def _wish(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    mine = table.seats(cached, who)
    if not mine:
        raise DeniedError(403, "only_players")
    if clock_settings.clock_of(table.store, cached) is None:
        raise DeniedError(409, "no_clock")
    clock_settings.wish(table.store, cached.id, mine, read(data, ClockWish).wish)


async def wish_clock(request: Request) -> Response:
    """Vote for the clock to pause, or to go on."""
    return await change_sidebar(request, _wish)


def letter_page(request: Request, model: presenter.MutePage | presenter.MailPage) -> Response:
    """A page to which a letter leads; its address holds a token, and is told to nobody as `Referer`."""
    page = html(request, model)
    page.headers["referrer-policy"] = "origin"
    return page


async def quiet(request: Request) -> Response:
    """The page that ends letters: it asks first, since mail viewers open every address."""
    server, id_, token = server_of(request), request.path_params["id"], request.path_params["token"]
    seat = await threaded(notification_settings.quiet_seat, server.accounts, id_, token)
    cached = await threaded(server.table.cache.get, id_)
    return letter_page(request, presenter.MutePage(id_, token, cached.game.title, cached.game.state.names[seat]))


async def silence(request: Request) -> Response:
    """Send no more letters about a seat."""
    await no_body(request)
    server, id_ = server_of(request), request.path_params["id"]
    seat = await threaded(notification_settings.quiet_seat, server.accounts, id_, request.path_params["token"])
    await threaded(contacts.silence, server.table.store, id_, seat)
    await threaded(server.table.cache.invalidate, id_)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    return answer({"done": True})


async def mail_page(request: Request) -> Response:
    """The page to which the first letter leads: it asks, since mail viewers open every address."""
    server, id_, token = server_of(request), request.path_params["id"], request.path_params["token"]
    _, address = await threaded(notification_settings.mail_asked, server.accounts, id_, token)
    cached = await threaded(server.table.cache.get, id_)
    return letter_page(request, presenter.MailPage(id_, token, cached.game.title, address))


async def mail_answer(request: Request) -> Response:
    """Allow letters to an address, or refuse them for good."""
    sent = read(await body(request), MailConsent)
    server, id_ = server_of(request), request.path_params["id"]
    seat, address = await threaded(notification_settings.mail_asked, server.accounts, id_, request.path_params["token"])
    work = contacts.agree if sent.yes else contacts.refuse
    await threaded(work, server.table.store, id_, seat, address)
    await threaded(server.table.cache.invalidate, id_)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    return answer({"done": True})


ROUTES = [
    Route("/t/{id}/beside", sidebar),
    Route("/t/{id}/orders", give_order, methods=["POST"]),
    Route("/t/{id}/orders/away", put_order_away, methods=["POST"]),
    Route("/t/{id}/talk", say, methods=["POST"]),
    Route("/t/{id}/talk/private", keep_talk_private, methods=["POST"]),
    Route("/t/{id}/notes", write_notes, methods=["POST"]),
    Route("/t/{id}/comments", comment, methods=["POST"]),
    Route("/t/{id}/contact", leave_contact, methods=["POST"]),
    Route("/t/{id}/clock", set_clock, methods=["POST"]),
    Route("/t/{id}/clock/wish", wish_clock, methods=["POST"]),
]
"""For those who are admitted to the table."""

OPEN_ROUTES = [
    Route("/quiet/{id}/{token}", quiet),
    Route("/quiet/{id}/{token}", silence, methods=["POST"]),
    Route("/mail/{id}/{token}", mail_page),
    Route("/mail/{id}/{token}", mail_answer, methods=["POST"]),
]
"""For whoever has got a letter."""
