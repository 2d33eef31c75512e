"""The routes of notices to the absent: devices that are called, quiet hours, mail and webhook, the answers to letters."""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from functools import partial
from typing import Literal

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.accounts import Person
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cookies import DEVICE_COOKIE
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.request_context import person, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.http.sidebar import change_sidebar
from trajekt.server.notifications import notification_settings, quiet_hours, web_push
from trajekt.server.presenters.notification_settings import MailPage, MutePage
from trajekt.server.refusals import DeniedError
from trajekt.server.services.seats import needed_seat
from trajekt.server.services.table_service import TableService, read
from trajekt.server.storage import contacts, push_subscriptions
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.contacts import NoticeJob
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.push_subscriptions import PushSubscription, QuietHours
from trajekt.server.storage.seats import assignments_of


class NewSubscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subscription of a browser: an address of its maker, its public key and a secret."""

    endpoint: str
    public_key: str
    auth_secret: str


class QuietChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hours in which one is not called, or none."""

    hours: QuietHours | None = None


class NoticeTrial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way by which a notice is to come that only shows that notices come."""

    way: Literal["mail", "hook"]


async def device_of(request: Request) -> tuple[Person, str]:
    """The person who asks, and their device. Raises `DeniedError` 403 for somebody unknown."""
    known = await person(request)
    device = server_of(request).accounts.device(request.cookies.get(DEVICE_COOKIE, ""))
    if known is None or device is None:
        raise DeniedError(403, "not_signed_in")
    return known, device


async def push_key(request: Request) -> Response:
    """The public key with which a browser subscribes, and the quiet hours of the person who asks."""
    known, _ = await device_of(request)
    server = server_of(request)
    key = await threaded(lambda: server.worker.work.delivery.keys.public)
    hours = await threaded(push_subscriptions.quiet_hours, server.table.store, known.id)
    return answer({"key": key, "quiet": None if hours is None else msgspec.to_builtins(hours)})


async def subscribe(request: Request) -> Response:
    """Call this device when it is one's turn, at all tables."""
    sent = read(await body(request), NewSubscription)
    _, device = await device_of(request)
    server, language = server_of(request), viewer(request).language
    delivery = server.worker.work.delivery

    def keep() -> None:
        private = delivery.sending.private_hooks
        web_push.checked(sent.endpoint, sent.public_key, sent.auth_secret, private=private)
        kept = PushSubscription(device=device, language=language, **msgspec.structs.asdict(sent))
        push_subscriptions.subscribe(server.table.store, kept)

    await threaded(keep)
    return answer({"done": True})


async def unsubscribe(request: Request) -> Response:
    """Call this device no more."""
    await no_body(request)
    _, device = await device_of(request)
    await threaded(push_subscriptions.unsubscribe, server_of(request).table.store, device)
    return answer({"done": True})


async def try_device(request: Request) -> Response:
    """Send this device a message that only shows that messages come."""
    await no_body(request)
    _, device = await device_of(request)
    server = server_of(request)
    known = await threaded(push_subscriptions.subscription_of, server.table.store, device)
    if known is None:
        raise DeniedError(409, "not_called")
    await tried(partial(server.worker.work.delivery.try_device, known), server.worker.pushers)
    return answer({"done": True})


async def tried(send: Callable[[], object], limiter: CapacityLimiter) -> None:
    """Send something now, in the threads of notices. Raises `DeniedError` 422 where it is not taken."""
    try:
        await to_thread.run_sync(send, limiter=limiter)
    except (OSError, smtplib.SMTPException, ValueError) as fault:
        raise DeniedError(422, "not_taken") from fault


async def try_contact(request: Request) -> Response:
    """Send oneself a notice by mail or webhook that only shows that notices come."""
    way = read(await body(request), NoticeTrial).way
    server, who, id_ = server_of(request), viewer(request), request.path_params["id"]

    def found() -> Callable[[], bool]:
        cached = server.table.cache.get(id_)
        seat = needed_seat(server.table, cached, who)
        info = contacts.contact_info(server.table.store, id_, seat)
        if info is None or not (info.contact.hook if way == "hook" else info.contact.mail and info.confirmed):
            raise DeniedError(409, "not_called")
        job = NoticeJob(seat, 0, way, contacts.TRIED)
        return partial(server.worker.work.delivery.deliver, id_, cached.snapshot(), job, info)

    await tried(await threaded(found), server.worker.senders)
    return answer({"done": True})


async def keep_quiet(request: Request) -> Response:
    """Keep the hours in which one is not called, at all tables; what would come then comes as they end."""
    hours = read(await body(request), QuietChoice).hours
    known, _ = await device_of(request)
    checked = None if hours is None else quiet_hours.checked(hours)
    await threaded(push_subscriptions.keep_quiet, server_of(request).table.store, known.id, checked)
    return answer({"done": True})


class MailConsent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a reader: whether letters may come to an address."""

    yes: bool


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


def letter_page(request: Request, model: MutePage | MailPage) -> Response:
    """A page to which a letter leads; its address holds a token, and is told to nobody as `Referer`."""
    page = html(request, model)
    page.headers["referrer-policy"] = "origin"
    return page


async def quiet(request: Request) -> Response:
    """The page that ends letters: it asks first, since mail viewers open every address."""
    server, id_, token = server_of(request), request.path_params["id"], request.path_params["token"]
    seat = await threaded(notification_settings.quiet_seat, server.accounts, id_, token)
    cached = await threaded(server.table.cache.get, id_)
    return letter_page(request, MutePage(id_, token, cached.game.title, cached.game.state.names[seat]))


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
    return letter_page(request, MailPage(id_, token, cached.game.title, address))


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
    Route("/t/{id}/contact", leave_contact, methods=["POST"]),
    Route("/t/{id}/contact/try", try_contact, methods=["POST"]),
]
"""For those who are admitted to the table."""

OPEN_ROUTES = [
    Route("/me/push", push_key),
    Route("/me/push", subscribe, methods=["POST"]),
    Route("/me/push/away", unsubscribe, methods=["POST"]),
    Route("/me/push/try", try_device, methods=["POST"]),
    Route("/me/quiet", keep_quiet, methods=["POST"]),
    Route("/quiet/{id}/{token}", quiet),
    Route("/quiet/{id}/{token}", silence, methods=["POST"]),
    Route("/mail/{id}/{token}", mail_page),
    Route("/mail/{id}/{token}", mail_answer, methods=["POST"]),
]
"""For whoever has this server's page, or has got a letter."""
