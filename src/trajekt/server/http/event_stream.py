"""The event stream of a table: that it has moved, and for a page that shows the newest position at once what is new in it.

All pages of a table are drawn for together, in one thread, once for all that are shown the same: so a move costs one drawing
and no questions. After a restart what the pages showed before is drawn once more, and they are sent what is new since. A page
that has another version, one that has slept, and one whose viewer is not admitted any more, asks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Iterable, Sequence

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.auth import admitted
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cpu_quota import SHARE
from trajekt.server.http.request_context import Server, server_of
from trajekt.server.http.shared_drawing import Broadcast, OpenPage
from trajekt.server.http.table_page import drawn, recall
from trajekt.server.presenters.fragments import as_json, fragments_of, news, seen_by
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.pubsub import MOVED

LOG = logging.getLogger("trajekt.server")
RETRY = (500, 3000)
"""Milliseconds after which a page whose stream broke comes again, drawn for each page: after a restart all pages come back,
and not all at once.
"""
DRAWN = "drawn"
"""The event that says what is new to a page; `MOVED` says only that something is."""
SURE = 60.0
"""Seconds for which a page is sent what its viewer sees without asking again whether he is still admitted."""


def admit(page: OpenPage, cached: CachedGame) -> Viewer | None:
    """Return who reads a page; None for somebody who may not look at the table any more."""
    now = time.monotonic()
    if page.revision != cached.revision or now - page.asked > SURE:
        page.revision, page.asked = cached.revision, now
        try:
            page.viewer = seen_by(admitted(page.request))
        except DeniedError:
            page.viewer = None
    return page.viewer


def event(kind: str, number: int, data: bytes = b"") -> bytes:
    """A line of the stream. A move has its number as id, so a browser that slept sees at once what it missed."""
    moved = b"id: %d\r\n" % number if kind in (MOVED, DRAWN) else b""
    return b"%sevent: %s\r\ndata: %s\r\n\r\n" % (moved, kind.encode(), data or b"%d" % number)


async def drawn_for(server: Server, id_: str, page: OpenPage) -> bytes:
    """Show what a page is told of the newest position, drawn together with what the other pages of the table are."""
    if page.share is not None:
        await page.share.ready()
    broadcast = server.broadcasts.get(id_)
    if broadcast is None or not broadcast.joined(page):
        broadcast = server.broadcasts[id_] = Broadcast()
        broadcast.joined(page)
        broadcast.done = asyncio.get_running_loop().run_in_executor(server.telling, draw, server, id_, broadcast)
    assert broadcast.done is not None
    await asyncio.shield(broadcast.done)
    if server.broadcasts.get(id_) is broadcast:
        del server.broadcasts[id_]
    return page.told


def draw(server: Server, id_: str, broadcast: Broadcast) -> None:
    """Draw for all pages that have come by then: whoever comes later belongs to the next broadcast."""
    pages, began = broadcast.close(), time.thread_time()
    try:
        tell(server, id_, pages)
    finally:
        each = (time.thread_time() - began) / len(pages)
        for page in pages:
            if page.share is not None:
                page.share.spend(each)


def tell(server: Server, id_: str, pages: Sequence[OpenPage]) -> None:
    """Find what each page is told of the newest position."""
    cached = server.table.cache.get(id_)
    readers = [admit(page, cached) for page in pages]
    recall_shown(server, cached, zip(pages, readers, strict=True))
    told: dict[Viewer | None, bytes] = {}
    for who in dict.fromkeys(readers):
        server.actions.give_way()
        told[who] = line(server, cached, who)
    for page, who in zip(pages, readers, strict=True):
        page.told = told[who]


def recall_shown(server: Server, cached: CachedGame, pages: Iterable[tuple[OpenPage, Viewer | None]]) -> None:
    """Draw what pages show whose viewers were drawn for by a process that has ended."""
    press = fragments_of(cached)
    with press.lock:
        for page, who in pages:
            if who is not None and page.shows is not None and not press.sent(who):
                server.actions.give_way()
                try:
                    recall(server, cached, who, page.shows)
                except Exception:
                    LOG.exception("drawing %s", cached.id)


def line(server: Server, cached: CachedGame, who: Viewer | None) -> bytes:
    """Return what a viewer's pages are told; the number alone where nothing was drawn for him before, or drawing fails."""
    press, number = fragments_of(cached), cached.game.number
    with press.lock:
        before = "" if who is None else press.sent(who)
        if who is None or press.versions.get(before) is None:
            return event(MOVED, number)
        try:
            model, version = drawn(server, cached, who, None)
        except Exception:
            LOG.exception("drawing %s", cached.id)
            return event(MOVED, number)
        tag, changes = news(press, before, version)
        shown = model.position.number
        press.latest[who] = tag, shown
    return event(DRAWN, shown, as_json({"number": shown, "from": before, "tag": tag, "pieces": changes}))


async def events(request: Request) -> Response:
    """Show what is new at a table: `moved` with its number; to `?draw=yes` instead `drawn`, with what is new in the regions."""
    server, id_ = server_of(request), request.path_params["id"]
    cached = await threaded(server.table.cache.get, id_)
    page = OpenPage(request, share=SHARE.get()) if request.query_params.get("draw") else None

    async def stream() -> AsyncIterator[bytes]:
        first = True
        yield b"retry: %d\r\n" % random.randint(*RETRY)  # noqa: S311  no secret
        async for kind, number in server.subscriptions.subscribe(id_, cached.number):
            wanted = None if first or kind != MOVED else page
            yield event(kind, number) if wanted is None else await drawn_for(server, id_, wanted)
            if first and page is not None:
                page.shows = number
            first = False

    return EventSourceResponse(stream(), ping=20)


ROUTES = [Route("/t/{id}/events", events)]
