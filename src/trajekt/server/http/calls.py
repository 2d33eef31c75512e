"""The routes of the call to one's turn: devices that are called, quiet hours, notices to try, what an installed page needs."""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.accounts import Person
from trajekt.server.denials import DeniedError
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.context import person, server_of, viewer
from trajekt.server.http.cookies import DEVICE_COOKIE
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.response_headers import CONTENT_SECURITY_POLICY
from trajekt.server.http.responses import answer, html
from trajekt.server.notifications import quiet_hours, web_push
from trajekt.server.presenters.offline_page import OfflinePage
from trajekt.server.services.membership import needed_seat
from trajekt.server.services.table_service import read
from trajekt.server.storage import contacts, push_subscriptions
from trajekt.server.storage.contacts import NoticeJob
from trajekt.server.storage.push_subscriptions import PushSubscription, QuietHours

STATIC = Path(__file__).parents[1] / "static"


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


async def service_worker(_request: Request) -> Response:
    """The script that receives messages while no page is open; it stands at the root, so that it may serve all pages."""
    text = await threaded((STATIC / "service_worker.js").read_bytes)
    headers = {"cache-control": "no-cache", "content-security-policy": CONTENT_SECURITY_POLICY}
    return Response(text, media_type="text/javascript", headers=headers)


async def manifest(request: Request) -> Response:
    """Name and pictures under which the page is installed."""
    say = viewer(request).catalogue()
    icons = [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    value = {
        "id": "/",
        "name": "trajekt",
        "short_name": "trajekt",
        "description": say.text("page.manifest.description"),
        "lang": viewer(request).language,
        "start_url": "/me",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#f4f1ea",
        "icons": icons,
    }
    headers = {"cache-control": "no-cache", "vary": "Cookie, Accept-Language"}
    return Response(msgspec.json.encode(value), media_type="application/manifest+json", headers=headers)


async def offline(request: Request) -> Response:
    """The page that an installed page shows while the server cannot be reached."""
    return html(request, OfflinePage())


ROUTES = [Route("/t/{id}/contact/try", try_contact, methods=["POST"])]
"""For those who are admitted to the table."""

OPEN_ROUTES = [
    Route("/me/push", push_key),
    Route("/me/push", subscribe, methods=["POST"]),
    Route("/me/push/away", unsubscribe, methods=["POST"]),
    Route("/me/push/try", try_device, methods=["POST"]),
    Route("/me/quiet", keep_quiet, methods=["POST"]),
    Route("/service_worker.js", service_worker),
    Route("/manifest.webmanifest", manifest),
    Route("/offline", offline),
]
"""For whoever has this server's page."""
