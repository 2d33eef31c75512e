"""Context of a request: the parts of the server that all routes share, the viewer, and the game and moment in its address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import jinja2
from starlette.exceptions import HTTPException
from starlette.requests import Request

from trajekt.engine.title import Title
from trajekt.registry import UnknownGameError
from trajekt.registry import title as find_title
from trajekt.server.accounts.accounts import Accounts, Person
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import (
    DRAWING,
    LARGE_AT_ONCE,
    SEARCH_QUEUE,
    SEARCHES,
    TELLING,
    ActionsFirst,
    threaded,
)
from trajekt.server.http.cookies import DEVICE_COOKIE
from trajekt.server.http.cpu_quota import in_turn
from trajekt.server.http.language import viewer_of
from trajekt.server.http.load_shedding import Turnstile
from trajekt.server.http.metrics import Metrics
from trajekt.server.http.shared_drawing import Broadcast
from trajekt.server.notifications.job_worker import JobWorker
from trajekt.server.services.bot_runner import BotRunner
from trajekt.server.services.ratings import Ratings
from trajekt.server.services.review_runner import ReviewRunner
from trajekt.server.services.table_service import TableService, UnreadableError
from trajekt.server.storage.pubsub import Subscriptions

VIEWER = "trajekt.reader"
"""Under which a request carries its viewer once it is admitted to a table."""
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Server:
    """All that the routes share."""

    table: TableService
    subscriptions: Subscriptions
    templates: jinja2.Environment
    bots: BotRunner
    accounts: Accounts
    worker: JobWorker
    reviews: ReviewRunner
    meter: Metrics | None = None
    listed: bool = True
    """Tables at one screen stand on the start page."""
    host_pages: Path | None = None
    """The folder of the host's own pages."""
    ratings: Ratings | None = None
    """Ratings of people; None where the host has not turned them on."""
    broadcasts: dict[str, Broadcast] = field(default_factory=dict)
    """Drawings under way for the open pages, by table."""
    actions: ActionsFirst = field(default_factory=ActionsFirst)
    telling: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(TELLING, "telling"))
    """Draws for the open pages of the tables that have moved; nobody who asks for something stands in its way."""
    drawing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(DRAWING))
    large_bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LARGE_AT_ONCE))
    searching: Turnstile = field(default_factory=lambda: Turnstile(SEARCHES, SEARCH_QUEUE))
    importing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """One file at a time is decided by the rules: it takes memory, and the processor from players."""


def server_of(request: Request) -> Server:
    """Return what the routes share."""
    found: Server = request.app.state.server
    return found


def viewer(request: Request) -> Viewer:
    """Return who sent a request; with the seats held, where it is about a table (`auth.py`)."""
    known = request.scope.get(VIEWER)
    return known if isinstance(known, Viewer) else anonymous_viewer(request)


def anonymous_viewer(request: Request) -> Viewer:
    """Return who sent a request, by what the browser says alone."""
    return viewer_of(request.cookies, request.headers.get("accept-language", ""))


async def person(request: Request) -> Person | None:
    """The person whose device sent a request; None for somebody unknown."""
    cookie = request.cookies.get(DEVICE_COOKIE, "")
    return await threaded(server_of(request).accounts.person, cookie) if cookie else None


def place(request: Request) -> str:
    """The address from which a request comes, as far as the server knows."""
    return request.client.host if request.client is not None else ""


def game_of(request: Request) -> Title:
    """The game that an address names."""
    try:
        return find_title(request.path_params["game"])
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault


def moment(request: Request, name: str = "at") -> int | None:
    """The entry whose position is asked for; None is the newest."""
    wanted = request.query_params.get(name, "")
    if not wanted:
        return None
    if not wanted.isdecimal() or len(wanted) > 9:
        raise UnreadableError("a moment is the number of an entry", f"$.{name}")
    return int(wanted)


async def drawn_beside(request: Request, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run a drawing of a table in a thread, few of them at once: actions go before."""
    return await in_turn(partial(work, *args, **named), server_of(request).drawing)


async def searched(request: Request, work: Callable[[], T]) -> T:
    """Run a search of routes in a thread, one at a time. Raises `DeniedError` 429 where too many wait."""
    return await in_turn(work, server_of(request).searching.turn(), searching=True)
