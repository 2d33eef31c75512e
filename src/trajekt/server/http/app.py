"""The application: all routes on one store, what they share, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

import jinja2
import sqlalchemy as sa
from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount

from trajekt.engine.components.provenance import SheetError
from trajekt.registry import names
from trajekt.rendering.token_symbols import draw_token
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.http import openapi
from trajekt.server.http.auth import at_table
from trajekt.server.http.errors import EXPECTED, bug, components_fault, expected_fault, http_fault, storage_fault
from trajekt.server.http.host_pages import page_names
from trajekt.server.http.metrics import Metrics, MetricsMiddleware
from trajekt.server.http.rate_limit import Limits
from trajekt.server.http.request_context import Server
from trajekt.server.http.request_guard import RequestGuard
from trajekt.server.http.request_log import RequestLog
from trajekt.server.http.routes import OF_A_TABLE, OTHERS
from trajekt.server.http.static_files import PackedFiles
from trajekt.server.notifications.delivery import NotificationConfig
from trajekt.server.notifications.job_worker import OPEN_DAYS, JobRunner, JobWorker
from trajekt.server.presenters.choice_groups import spans_json
from trajekt.server.presenters.glossary_words import dotted
from trajekt.server.presenters.icons import ICONS, LOGO, icon
from trajekt.server.presenters.since_marks import marks_json
from trajekt.server.presenters.start_page import draw_thumbnail
from trajekt.server.services.bot_runner import BotRunner
from trajekt.server.services.preload import warm
from trajekt.server.services.ratings import Ratings
from trajekt.server.services.review_runner import REVIEW_MINUTES, ReviewRunner
from trajekt.server.services.table_service import TableService
from trajekt.server.storage.game_cache import CAPACITY, GameCache
from trajekt.server.storage.pg_listener import Listener
from trajekt.server.storage.pubsub import Subscriptions
from trajekt.server.storage.store import Store

STORAGE_FAULTS = (sa.exc.OperationalError, sa.exc.InternalError, sa.exc.InterfaceError, sa.exc.TimeoutError)
FIRST_PAGES = 3.0  # seconds after the start, and between two drawings, in which pages that were open before come back
HERE = Path(str(resources.files("trajekt.server")))


async def draw_ahead() -> None:
    """Draw the thumbnails of the start page one after the other, when the pages that were open before have come back."""
    for name in names():
        await asyncio.sleep(FIRST_PAGES)
        await to_thread.run_sync(draw_thumbnail, name)


def create_app(
    store: Store,
    components: str | None = None,
    limits: Limits | None = None,
    sending: NotificationConfig | None = None,
    meter: Metrics | None = None,
    reached: str = "",
    hosts: Collection[str] = (),
    keep_days: int = 0,
    open_days: int = OPEN_DAYS,
    cache_bytes: int = CAPACITY,
    listed: bool = True,
    host_pages: Path | None = None,
    ratings: bool = False,
    review_minutes: float = REVIEW_MINUTES,
) -> Starlette:
    """The application on a store whose schema is up to date; an owner's `components` are laid over ours.

    With a `meter` it counts what it does, and `/metrics` tells. `reached` is where other devices reach it, for links that are
    handed out on a page of this computer. `hosts` are the public names under which the server is reached; names and addresses
    of the own network are always known. Tables of nobody that were not used for `keep_days` are deleted; 0 keeps them.
    Open tables of the lobby end after `open_days` days in which nobody sat down; 0 keeps them.
    `cache_bytes` is the memory for live games. `listed`: the start page lists tables at one screen. `host_pages` is the folder
    of the host's own pages. `ratings`: people are rated by their finished games. The review of a finished game may take
    `review_minutes`; 0 makes none.
    """
    warm()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(reached=reached, about=page_names(host_pages))
    environment.filters["dotted"] = dotted
    environment.globals.update(icon=icon, icons=ICONS, logo=LOGO)
    environment.globals.update(token=draw_token, spans_json=spans_json, marks_json=marks_json)
    table, subscriptions = TableService(GameCache(store, components=components, capacity=cache_bytes)), Subscriptions()
    bots, accounts = BotRunner(table, subscriptions), Accounts(table.cache)
    worker = JobWorker(
        JobRunner(table, accounts, sending or NotificationConfig(), keep_days=keep_days, open_days=open_days),
        subscriptions,
        bots.wake,
    )
    reviews = ReviewRunner(store, review_minutes, components)
    server = Server(
        table,
        subscriptions,
        environment,
        bots,
        accounts,
        worker,
        reviews,
        meter,
        listed,
        host_pages,
        Ratings(store) if ratings else None,
    )

    table.cache.pinned = lambda id_: id_ in bots.running or subscriptions.watching(id_) > 0

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        listener = Listener(table.cache, server.subscriptions, asyncio.get_running_loop()) if store.shared else None
        subscriptions.on_entry = worker.wake
        working = asyncio.create_task(worker.run())
        drawing = asyncio.create_task(draw_ahead())
        yield
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        await worker.stop(working)
        await reviews.stop()
        await bots.stop()
        server.telling.shutdown(cancel_futures=True)
        if listener is not None:
            await to_thread.run_sync(listener.close)
        await to_thread.run_sync(store.close)

    app = Starlette(
        routes=[
            *map(at_table, OF_A_TABLE),
            *OTHERS,
            *openapi.OPEN_ROUTES,
            Mount("/static", PackedFiles(HERE / "static"), name="static"),
        ],
        middleware=[
            Middleware(RequestLog),
            *([Middleware(MetricsMiddleware, meter=meter)] if meter is not None else []),
            Middleware(RequestGuard, limits=limits, hosts=tuple(hosts)),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            **dict.fromkeys(STORAGE_FAULTS, storage_fault),
            Exception: bug,
            HTTPException: http_fault,
            SheetError: components_fault,
            **dict.fromkeys(EXPECTED, expected_fault),
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # Starlette redirects to the name that the request says
    app.state.server = server
    return app
