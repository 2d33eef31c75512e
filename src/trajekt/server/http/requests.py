"""Foundation of every route: the viewer of a request, bodies that are read with care, answers, and the one shape of fault."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar, ParamSpec, TypeVar

import jinja2
import msgspec
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from trajekt.engine.title import Title
from trajekt.registry import UnknownGameError
from trajekt.registry import title as find_title
from trajekt.server.accounts.accounts import COOKIE, COOKIE_AGE, Accounts, Person
from trajekt.server.accounts.viewer import Viewer, viewer_of
from trajekt.server.denials import DeniedError
from trajekt.server.http.broadcast import Broadcast
from trajekt.server.http.errors import ErrorAnswer, fault_of
from trajekt.server.http.metrics import Metrics
from trajekt.server.http.request_log import shown_path
from trajekt.server.notifications.job_worker import JobWorker
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.bot_runner import BotRunner
from trajekt.server.services.game_import import MAX_BYTES
from trajekt.server.services.ratings import Ratings
from trajekt.server.services.table_service import EmptyBody, TableService, UnreadableError, read
from trajekt.server.storage.pubsub import Subscriptions
from trajekt.server.storage.secret_tokens import LONGEST

LOG = logging.getLogger("trajekt.server")
VIEWER = "trajekt.reader"
"""Under which a request carries its viewer once it is admitted to a table."""
SMALL, LARGE = 64 * 1024, MAX_BYTES  # bytes: an action; a record
DRAWING = 2  # tables drawn at once: more would only take the processor from actions
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
BEARER = "bearer "
BODY_SECONDS = 30.0  # for a whole body to come
LARGE_AT_ONCE = 4  # large bodies that are read at a time
SEARCHES, SEARCH_QUEUE = 1, 8  # searches of routes at a time, and that wait
SEARCH_AGAIN = 3  # seconds after which one may ask for a search again
IMPORT_WAIT = 20.0  # seconds for which an import waits for the one before
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(eq=False, slots=True)
class Turnstile:
    """A gate for work that takes the processor: so many at once, so many that wait, and whoever comes then is sent away."""

    at_once: int
    queue: int
    inside: int = 0
    gate: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.gate = asyncio.Semaphore(self.at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn. Raises `DeniedError` 429 where too many wait."""
        if self.inside >= self.at_once + self.queue:
            raise DeniedError(429, "too_many", {"seconds": str(SEARCH_AGAIN)}, retry_after=SEARCH_AGAIN)
        self.inside += 1
        try:
            async with self.gate:
                yield
        finally:
            self.inside -= 1


@dataclass(frozen=True, slots=True)
class Server:
    """All that the routes share."""

    table: TableService
    subscriptions: Subscriptions
    templates: jinja2.Environment
    bots: BotRunner
    accounts: Accounts
    worker: JobWorker
    meter: Metrics | None = None
    listed: bool = True
    """Tables at one screen stand on the start page."""
    host_pages: Path | None = None
    """The folder of the host's own pages."""
    ratings: Ratings | None = None
    """Ratings of people; None where the host has not turned them on."""
    broadcasts: dict[str, Broadcast] = field(default_factory=dict)
    """Drawings under way for the open pages, by table."""
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
    cookie = request.cookies.get(COOKIE, "")
    return await threaded(server_of(request).accounts.person, cookie) if cookie else None


def remember(request: Request, response: Response, cookie: str) -> Response:
    """Give a device its cookie: no script reads it, no other site sends it along with an action."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def place(request: Request) -> str:
    """The address from which a request comes, as far as the server knows."""
    return request.client.host if request.client is not None else ""


async def threaded(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run blocking work beside the event loop; it is finished even if the client has gone."""
    return await to_thread.run_sync(partial(work, *args, **named))


async def drawn_beside(request: Request, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run a drawing of a table in a thread, few of them at once: actions go before."""
    async with server_of(request).drawing:
        return await threaded(work, *args, **named)


async def searched(request: Request, work: Callable[[], T]) -> T:
    """Run a search of routes in a thread, one at a time. Raises `DeniedError` 429 where too many wait."""
    async with server_of(request).searching.turn():
        return await threaded(work)


LOGGED: dict[str, float] = {}
"""Times at which a kind of fault was last logged."""


def log_once(kind: str, message: str, *values: object, every: float = 60.0) -> None:
    """Log a fault that comes with every request, once a minute for each kind."""
    now = time.monotonic()
    if now - LOGGED.get(kind, -every) >= every:
        LOGGED[kind] = now
        LOG.warning(message, *values)


def bearer_token(header: str) -> str:
    """The token of an `Authorization` header, empty where it carries none."""
    return header[len(BEARER) :].strip()[:LONGEST] if header.lower().startswith(BEARER) else ""


def answer(value: Mapping[str, object] | msgspec.Struct, status: int = 200) -> Response:
    """A JSON answer that no cache keeps."""
    return json_document(msgspec.json.encode(value), status)


def json_document(data: bytes, status: int = 200) -> Response:
    """JSON that is encoded already, which no cache keeps."""
    return Response(data, status, {"cache-control": "no-store"}, "application/json")


def download(data: bytes | str, name: str, media_type: str = "application/json") -> Response:
    """A file that a browser keeps under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media_type, headers=headers)


def fill(server: Server, who: Viewer, model: PageModel) -> str:
    """The text of a model in the viewer's language; `say` is the catalogue of the page where the model brings none."""
    template = server.templates.get_template(model.template)
    return template.render({"say": who.catalogue(), "viewer": who, **model.context()})


def html(request: Request, model: PageModel, status: int = 200) -> Response:
    """A page, or a part of one, for the viewer of a request."""
    return document(fill(server_of(request), viewer(request), model), status)


def document(text: str, status: int = 200) -> Response:
    """A page, or a part of one, that no cache keeps."""
    return HTMLResponse(text, status, {"content-security-policy": POLICY, "cache-control": "no-store"})


async def body(request: Request, limit: int = SMALL) -> bytes:
    """The JSON body of a request from our own page or a client; never a form's."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "json_only")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > limit:
        raise HTTPException(413, "too_large")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > limit:
                    raise HTTPException(413, "too_large")
    except ClientDisconnect as gone:
        raise HTTPException(400, "unreadable") from gone
    except TimeoutError as late:
        raise HTTPException(408, "too_slow") from late
    return bytes(data)


async def no_body(request: Request) -> None:
    """The body of an action that needs no words; anything but `{}` cannot be read."""
    read(await body(request), EmptyBody)


def game_of(request: Request) -> Title:
    """The game that an address names."""
    try:
        return find_title(request.path_params["game"])
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault


def moment(request: Request) -> int | None:
    """The entry whose position is asked for; None is the newest."""
    wanted = request.query_params.get("at", "")
    if not wanted:
        return None
    if not wanted.isdecimal() or len(wanted) > 9:
        raise UnreadableError("a moment is the number of an entry", "$.at")
    return int(wanted)


async def expected_fault(request: Request, error: Exception) -> Response:
    """The answer to what goes wrong in the course of play."""
    id_ = str(request.path_params.get("id", ""))
    fault = await threaded(fault_of, error, server_of(request).table, viewer(request), id_)
    said = fault_answer(request, fault)
    if "retry_after" in fault.more:
        said.headers["retry-after"] = str(fault.more["retry_after"])
    return said


async def http_fault(request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes, in the usual shape."""
    assert isinstance(error, HTTPException)
    codes = {404: "unknown", 405: "method", 408: "too_slow", 413: "too_large", 415: "json_only", 403: "other_site"}
    code = codes.get(error.status_code, "unreadable")
    fault = ErrorAnswer(error.status_code, code, viewer(request).catalogue().text(f"page.fault.{code}"))
    return fault_answer(request, fault)


async def bug(request: Request, error: Exception) -> Response:
    """An error of the server: the log tells which table, the answer has the usual shape."""
    LOG.error("%s %s", request.method, shown_path(request.url.path), exc_info=error)
    try:
        message = viewer(request).catalogue().text("page.fault.bug")
    except Exception:  # noqa: BLE001  even the catalogue may be what is broken
        message = "An error of the server."
    return answer(ErrorAnswer(500, "bug", message).body(), 500)


async def storage_fault(request: Request, error: Exception) -> Response:
    """The answer while the database stores nothing: full, read-only or away. Nothing of the request is stored."""
    log_once("storage", "the database cannot be used: %s", str(getattr(error, "orig", None) or error).splitlines()[0])
    message = anonymous_viewer(request).catalogue().text("page.fault.not_stored", seconds="10")
    denied = fault_answer(request, ErrorAnswer(503, "not_stored", message, {"retry_after": 10}))
    denied.headers["retry-after"] = "10"
    return denied


@dataclass(frozen=True, slots=True)
class ErrorPage(PageModel):
    """The page of a fault."""

    template: ClassVar[str] = "error.html"
    fault: ErrorAnswer


def fault_answer(request: Request, fault: ErrorAnswer) -> Response:
    """JSON for clients and our modules, a page for somebody who typed an address."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return html(request, ErrorPage(fault), fault.status)
    return answer(fault.body(), fault.status)
