"""State of the server: `/health` for whoever starts it again, `/metrics` for whoever draws curves.

Figures are counted within one process, in the text form of Prometheus. They name no table and no player.
"""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import Server, place, server_of
from trajekt.server.http.request_log import log_once
from trajekt.server.http.responses import answer
from trajekt.server.storage.admin_overview import jobs_due
from trajekt.server.storage.database import DatabaseError, newest_revision, revision_of
from trajekt.server.storage.store import Store

NEWEST = newest_revision()


def state_of(store: Store) -> str:
    """The revision of the schema, once a row was written and read back. Raises an error of SQLAlchemy or `DatabaseError`."""
    store.prove_writable()
    return revision_of(store.engine)


async def health(request: Request) -> Response:
    """Tell whether the server can play: 200 with the schema's revision, 503 where nothing is stored or the program is too old.

    The answer tells strangers no more; the reason is in the log.
    """
    try:
        revision = await threaded(state_of, server_of(request).table.store)
    except (sa.exc.SQLAlchemyError, DatabaseError) as fault:
        log_once("database", "the database cannot store: %s", str(getattr(fault, "orig", fault)).splitlines()[0])
        return answer({"status": "no database"}, 503)
    if revision > NEWEST:
        log_once("schema", "the schema %s is newer than this program, which knows %s: start it anew", revision, NEWEST)
        return answer({"status": "old", "schema": revision}, 503)
    return answer({"status": "ok", "schema": revision})


async def how_it_arrived(request: Request) -> Response:
    """Tell a client how its request arrives here: host, scheme and address, so that `trajekt doctor` can look at the proxy."""
    return answer({"host": request.headers.get("host", ""), "scheme": request.url.scheme, "address": place(request)})


async def metrics(request: Request) -> Response:
    """The figures, where the host has asked for them (`serve --metrics`)."""
    server: Server = server_of(request)
    if server.meter is None:
        raise HTTPException(404, "unknown")
    store, cache, pages = server.table.store, server.table.cache, server.subscriptions
    server.meter.gauge("open_pages", "Pages that follow a table.", lambda: sum(map(pages.watching, pages.games())))
    server.meter.gauge("cached_games", "Games in memory.", lambda: cache.count)
    server.meter.gauge("cached_bytes", "Memory of these games, estimated.", lambda: cache.size)
    server.meter.gauge("due_jobs", "Work that is due: notices, instructions, bots.", lambda: jobs_due(store))
    sendings = server.worker.work.sendings
    for way, called in (("mail", "letters"), ("hook", "webhooks"), ("push", "push_messages")):
        for outcome in ("sent", "failed"):
            read = partial(sendings.__getitem__, (way, outcome))
            server.meter.gauge(
                f"{called}_{outcome}", f"{called.replace('_', ' ').capitalize()} {outcome} since the start.", read
            )
    text = await threaded(server.meter.text)
    return Response(text, media_type="text/plain; version=0.0.4")


ROUTES = [Route("/health", health), Route("/health/request", how_it_arrived), Route("/metrics", metrics)]
