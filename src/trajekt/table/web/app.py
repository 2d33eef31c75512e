"""The application: all routes on one store, what they share, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

import jinja2
from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from trajekt.table.away.work import Sending, Work, Worker
from trajekt.table.kept.between import Listener
from trajekt.table.kept.live import Live
from trajekt.table.kept.push import Watchers
from trajekt.table.kept.store import Store
from trajekt.table.people.accounts import Accounts
from trajekt.table.play.programs import Programs
from trajekt.table.play.service import Table
from trajekt.table.play.warm import warm
from trajekt.table.view import views
from trajekt.table.view.icons import ICONS, LOGO, icon
from trajekt.table.web import account_pages, beside, deeds, library, openapi, pages, sitting, telling, watch
from trajekt.table.web.admission import at_table
from trajekt.table.web.faults import EXPECTED
from trajekt.table.web.http import Server, bug, expected_fault, http_fault
from trajekt.table.web.limits import Guard, Limits
from trajekt.table.web.meter import Counting, Meter

HERE = Path(str(resources.files("trajekt.table")))


def create_app(
    store: Store,
    components: str | None = None,
    limits: Limits | None = None,
    sending: Sending | None = None,
    meter: Meter | None = None,
    reached: str = "",
) -> Starlette:
    """The application on a store whose schema is up to date; an owner's `components` are laid over ours.

    With a `meter` it counts what it does, and `/metrics` tells. `reached` is where other devices reach it, for links that are
    handed out on a page of this computer.
    """
    warm()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(reached=reached)
    environment.globals.update(icon=icon, icons=ICONS, logo=LOGO, spans_json=views.spans_json)
    table, watchers = Table(Live(store, components=components)), Watchers()
    programs, accounts = Programs(table, watchers), Accounts(table.live)
    worker = Worker(Work(table, accounts, sending or Sending()), watchers, programs.wake)
    server = Server(table, watchers, environment, programs, accounts, worker, meter)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        listener = Listener(store, server.watchers, asyncio.get_running_loop()) if store.shared else None
        watchers.heard = worker.wake
        working = asyncio.create_task(worker.run())
        yield
        working.cancel()
        await asyncio.gather(working, *worker.sendings, return_exceptions=True)
        if listener is not None:
            await to_thread.run_sync(listener.close)
        await to_thread.run_sync(store.close)

    app = Starlette(
        routes=[
            *map(
                at_table,
                (*pages.ROUTES, *telling.ROUTES, *deeds.ROUTES, *sitting.ROUTES, *beside.ROUTES, *openapi.TABLE_ROUTES),
            ),
            *account_pages.ROUTES,
            *beside.OPEN_ROUTES,
            *library.ROUTES,
            *watch.ROUTES,
            *openapi.OPEN_ROUTES,
            Mount("/page", StaticFiles(directory=HERE / "page"), name="page"),
        ],
        middleware=[
            *([Middleware(Counting, meter=meter)] if meter is not None else []),
            Middleware(Guard, limits=limits),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=2),
        ],
        exception_handlers={Exception: bug, HTTPException: http_fault, **dict.fromkeys(EXPECTED, expected_fault)},
        lifespan=lifespan,
    )
    app.state.server = server
    return app
