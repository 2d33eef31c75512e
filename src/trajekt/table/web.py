"""The routes of the table: pages, regions, submissions, the event stream. Bodies are JSON and decoded by the service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import jinja2
import msgspec
from anyio import to_thread
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from trajekt.engine.title import Title
from trajekt.show.look import PLAIN
from trajekt.show.style import stylesheet
from trajekt.table import charts, entry, guide, reading, views
from trajekt.table.between import Listener
from trajekt.table.board_view import look_of
from trajekt.table.faults import EXPECTED, Fault, fault_of
from trajekt.table.icons import ICONS, LOGO, icon
from trajekt.table.live import Live
from trajekt.table.panels import tiles_left
from trajekt.table.programs import Programs
from trajekt.table.push import Watchers
from trajekt.table.reader import Reader, reader_of
from trajekt.table.service import Submission, Table, UnreadableError, Wanted, read
from trajekt.table.sketch import Drawing
from trajekt.table.store import Store
from trajekt.titles import UnknownGameError
from trajekt.titles import title as find_title

HERE = Path(str(resources.files("trajekt.table")))
LOG = logging.getLogger("trajekt.table")
SMALL, LARGE = 64 * 1024, 32 * 1024 * 1024  # bytes: an action; a record
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """What the routes share."""

    table: Table
    watchers: Watchers
    templates: jinja2.Environment
    programs: Programs


def create_app(store: Store, components: str | None = None) -> Starlette:
    """The application on a store whose schema is up to date; an owner's `components` are laid over ours."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.update(icon=icon, icons=ICONS, logo=LOGO, spans_json=views.spans_json)
    table, watchers = Table(Live(store, components=components)), Watchers()
    server = Server(table, watchers, environment, Programs(table, watchers))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        listener = Listener(store, server.watchers, asyncio.get_running_loop()) if store.shared else None
        yield
        if listener is not None:
            await to_thread.run_sync(listener.close)
        await to_thread.run_sync(store.close)

    app = Starlette(
        routes=[
            Route("/", start_page),
            Route("/tables", create_table, methods=["POST"]),
            Route("/tables/import", import_table, methods=["POST"]),
            Route("/t/{id}", table_page),
            Route("/t/{id}/regions", regions),
            Route("/t/{id}/hex/{hex}", hex_fragment),
            Route("/t/{id}/preview", preview, methods=["POST"]),
            Route("/t/{id}/routes", draw_routes, methods=["POST"]),
            Route("/t/{id}/actions", act, methods=["POST"]),
            Route("/t/{id}/undo", undo, methods=["POST"]),
            Route("/t/{id}/redo", redo, methods=["POST"]),
            Route("/t/{id}/events", events),
            Route("/t/{id}/record.json", record),
            Route("/t/{id}/tiles", tiles),
            Route("/tables/guided/{game}", guided_table, methods=["POST"]),
            Route("/t/{id}/pace", pace, methods=["POST"]),
            Route("/t/{id}/try", try_out, methods=["POST"]),
            Route("/t/{id}/charts", charts_fragment),
            Route("/rules/{game}", rules_page),
            Route("/rules/{game}/{rule}", rule_fragment),
            Route("/box/{game}", box_page),
            Route("/look/{game}.css", look),
            Mount("/page", StaticFiles(directory=HERE / "page"), name="page"),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
        exception_handlers={Exception: bug, HTTPException: http_fault, **dict.fromkeys(EXPECTED, expected_fault)},
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def server_of(request: Request) -> Server:
    found: Server = request.app.state.server
    return found


def reader(request: Request) -> Reader:
    return reader_of(request.cookies, request.headers.get("accept-language", ""))


async def threaded(work: Callable[..., T], *args: Any) -> T:
    """Run blocking work beside the event loop; it is finished even if the client has gone."""
    return await to_thread.run_sync(work, *args)


def answer(value: Mapping[str, Any], status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, {"cache-control": "no-store"}, "application/json")


def html(request: Request, template: str, model: Mapping[str, Any], status: int = 200) -> Response:
    """A template in the reader's language. `say` is the catalogue of texts."""
    who = reader(request)
    filled = (
        server_of(request).templates.get_template(template).render({"say": who.catalogue(), "reader": who, **model})
    )
    return HTMLResponse(filled, status, {"content-security-policy": POLICY, "cache-control": "no-store"})


async def body(request: Request, limit: int = SMALL) -> bytes:
    """The JSON body of a request from our own page or a program; a form of another site is refused."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "json_only")
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc != request.headers.get("host"):
        raise HTTPException(403, "other_site")
    data = bytearray()
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > limit:
                raise HTTPException(413, "too_large")
    except ClientDisconnect as gone:
        raise HTTPException(400, "unreadable") from gone
    return bytes(data)


# Faults --------------------------------------------------------------------------------------------------------------


async def expected_fault(request: Request, error: Exception) -> Response:
    id_ = str(request.path_params.get("id", ""))
    fault = await threaded(fault_of, error, server_of(request).table, reader(request), id_)
    return fault_answer(request, fault)


async def http_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {404: "unknown", 405: "method", 413: "too_large", 415: "json_only", 403: "other_site"}
    code = codes.get(error.status_code, "unreadable")
    fault = Fault(error.status_code, code, reader(request).catalogue().text(f"page.fault.{code}"))
    return fault_answer(request, fault)


async def bug(request: Request, error: Exception) -> Response:
    """A fault of the program: the log tells which table, the answer has the usual shape."""
    LOG.error("%s %s", request.method, request.url.path, exc_info=error)
    try:
        message = reader(request).catalogue().text("page.fault.bug")
    except Exception:  # noqa: BLE001  even the catalogue may be what is broken
        message = "A fault of the program."
    return answer(Fault(500, "bug", message).body(), 500)


def fault_answer(request: Request, fault: Fault) -> Response:
    """JSON for programs and our modules, a page for somebody who typed an address."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return html(request, "fault.html", {"fault": fault}, fault.status)
    return answer(fault.body(), fault.status)


# Pages ---------------------------------------------------------------------------------------------------------------


async def start_page(request: Request) -> Response:
    model = await threaded(entry.start_model, server_of(request).table, reader(request))
    return html(request, "start.html", model)


def moment(request: Request) -> int | None:
    """The entry whose position is asked for; None is the newest."""
    wanted = request.query_params.get("at", "")
    if not wanted:
        return None
    if not wanted.isdecimal() or len(wanted) > 9:
        raise UnreadableError("a moment is the number of an entry", "$.at")
    return int(wanted)


async def page_model(request: Request) -> dict[str, Any]:
    server, who, at = server_of(request), reader(request), moment(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        if at is not None and at > hot.game.number:
            raise HTTPException(404, "unknown")
        model = views.table_page(server.table, hot, who, at)
        say = who.catalogue(hot.game.title)
        model |= {"say": say, "title": hot.game.title, "symbols": views.symbols_of(hot.game.title, hot.game.state)}
        return model

    return await threaded(made)


async def table_page(request: Request) -> Response:
    model = await page_model(request)
    server_of(request).programs.wake(request.path_params["id"])
    return html(request, "table.html", model)


async def regions(request: Request) -> Response:
    """All regions of the page, to be morphed into the one that is open."""
    return html(request, "regions.html", await page_model(request))


async def hex_fragment(request: Request) -> Response:
    server, who = server_of(request), reader(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        try:
            return views.hex_page(server.table, hot, who, request.path_params["hex"])
        except KeyError as fault:
            raise HTTPException(404, "unknown") from fault

    return html(request, "hex.html", await threaded(made))


async def tiles(request: Request) -> Response:
    server, who = server_of(request), reader(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        game = hot.game
        return {"tiles": tiles_left(game.state, game.title), "say": who.catalogue(game.title)}

    return html(request, "tiles.html", await threaded(made))


async def charts_fragment(request: Request) -> Response:
    """Worth and income over the rounds."""
    server, who, at = server_of(request), reader(request), moment(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        if at is not None and at > hot.game.number:
            raise HTTPException(404, "unknown")
        speaker = views.speaker_of(hot, who)
        return charts.charts_model(hot, at, speaker) | {"say": speaker.catalogue}

    return html(request, "charts.html", await threaded(made))


async def look(request: Request) -> Response:
    """The styles and colours of a game's drawings."""
    try:
        game = request.path_params["game"]
        css = stylesheet(PLAIN if game == "plain" else look_of(find_title(game)))
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault
    return Response(css, media_type="text/css", headers={"cache-control": "no-cache"})


# Reading --------------------------------------------------------------------------------------------------------------


def game_of(request: Request) -> Title:
    """The game that an address names."""
    try:
        return find_title(request.path_params["game"])
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault


async def rules_page(request: Request) -> Response:
    """All rules of a game in our own words."""
    return html(request, "rules.html", await threaded(reading.rules_model, game_of(request), reader(request)))


async def rule_fragment(request: Request) -> Response:
    """One rule, to be read beside the game."""
    title, who = game_of(request), reader(request)
    rule = reading.one_rule(title, who, request.path_params["rule"])
    return html(request, "rule.html", {"rule": rule, "title": title, "say": who.catalogue(title)})


async def box_page(request: Request) -> Response:
    """How this table differs from the box."""
    return html(request, "box.html", await threaded(reading.box_model, game_of(request), reader(request)))


# Deeds ---------------------------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    data = await body(request)
    id_ = await threaded(lambda: server_of(request).table.create(read(data, Wanted)))
    return answer({"id": id_, "address": f"/t/{id_}"}, 201)


async def guided_table(request: Request) -> Response:
    """A table in mid-game with a guide beside it."""
    await body(request)
    title = game_of(request)
    if guide.guided_of(title.package) is None:
        raise HTTPException(404, "unknown")
    id_ = await threaded(guide.open_guided, server_of(request).table, title)
    return answer({"id": id_, "address": f"/t/{id_}"}, 201)


async def try_out(request: Request) -> Response:
    """A copy of the position looked at, as a table of its own that only its address leads to."""
    await body(request)
    at, table = moment(request), server_of(request).table

    def made() -> str:
        hot = table.live.table(request.path_params["id"])
        if at is not None and at > hot.game.number:
            raise HTTPException(404, "unknown")
        return table.try_out(views.seen(hot, at))

    id_ = await threaded(made)
    return answer({"id": id_, "address": f"/t/{id_}"}, 201)


async def pace(request: Request) -> Response:
    """How long programs wait between two moves."""
    data, id_ = await body(request), request.path_params["id"]
    seating = await threaded(server_of(request).table.pace, id_, data)
    server_of(request).programs.wake(id_)
    return answer({"pause": seating.pause})


async def import_table(request: Request) -> Response:
    data = await body(request, LARGE)
    id_ = await threaded(server_of(request).table.bring, data)
    return answer({"id": id_, "address": f"/t/{id_}"}, 201)


async def preview(request: Request) -> Response:
    """What an action would change, as a fragment with the ghosts on the market and the hex as it would lie."""
    server, who, data = server_of(request), reader(request), await body(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        model = views.preview(server.table, hot, who, read(data, Submission))
        template = server.templates.get_template("outcome.html")
        say = who.catalogue(hot.game.title)
        fragment = template.module.outcome(model["outcome"], say)  # type: ignore[attr-defined]
        return model | {"outcome": str(fragment)}

    return answer(await threaded(made))


async def draw_routes(request: Request) -> Response:
    """Routes drawn by hand: their track and sums, or why they cannot be run."""
    server, who, data = server_of(request), reader(request), await body(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        model = views.drawn(server.table, hot, who, read(data, Drawing))
        fragment = server.templates.get_template("sketch.html").render({"say": who.catalogue(hot.game.title), **model})
        return {k: v for k, v in model.items() if k not in ("terms", "runs")} | {"html": fragment}

    return answer(await threaded(made))


async def moved(request: Request, work: Callable[[str, bytes], Any]) -> Response:
    """Do a deed, tell the watchers, answer with its number."""
    data, id_ = await body(request), request.path_params["id"]
    done = await threaded(work, id_, data)
    server_of(request).watchers.tell(id_, done.number)
    server_of(request).programs.wake(id_)
    return answer({"number": done.number, "seat": done.seat, "kind": done.kind})


async def act(request: Request) -> Response:
    return await moved(request, server_of(request).table.act)


async def undo(request: Request) -> Response:
    return await moved(request, server_of(request).table.undo)


async def redo(request: Request) -> Response:
    return await moved(request, server_of(request).table.redo)


async def record(request: Request) -> Response:
    id_ = request.path_params["id"]
    data = await threaded(server_of(request).table.record, id_)
    headers = {"content-disposition": f'attachment; filename="trajekt-{id_}.json"'}
    return Response(data, media_type="application/json", headers=headers)


async def events(request: Request) -> Response:
    """The numbers of a table as it moves; `id` is the number, so a browser that slept sees at once what it missed."""
    server, id_ = server_of(request), request.path_params["id"]
    hot = await threaded(server.table.live.table, id_)

    async def stream() -> AsyncIterator[ServerSentEvent]:
        async for number in server.watchers.numbers(id_, hot.game.number):
            yield ServerSentEvent(str(number), event="moved", id=str(number))

    return EventSourceResponse(stream(), ping=20)


Handler = Callable[[Request], Awaitable[Response]]
__all__ = ["Handler", "RedirectResponse", "create_app"]
