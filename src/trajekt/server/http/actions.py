"""Routes that change something: tables opened, actions, previews, undo and redo. Bodies are JSON and decoded by the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.components.component_sets import LARGEST_SET
from trajekt.game import Entry
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import IMPORT_WAIT, threaded
from trajekt.server.http.cpu_quota import SHARE
from trajekt.server.http.json_answers import Done, Opened
from trajekt.server.http.request_bodies import LARGE, SMALL, body, no_body
from trajekt.server.http.request_context import game_of, moment, person, searched, server_of, viewer
from trajekt.server.http.responses import answer, fill, html
from trajekt.server.http.seats import create_friends_table, open_friends_table
from trajekt.server.presenters import guided_turn, run_step
from trajekt.server.presenters.action_preview import ActionPreview, action_preview
from trajekt.server.presenters.import_preview import preview_of
from trajekt.server.presenters.position_view import position, speaker_of
from trajekt.server.refusals import DeniedError
from trajekt.server.services.hand_drawn_routes import Drawing, Looked
from trajekt.server.services.table_service import NewTable, OpenedTable, Submission, TableService, UnreadableError, read
from trajekt.server.storage.pubsub import CHANGED


async def create_table(request: Request) -> Response:
    """A new table."""
    wanted = read(await body(request, SMALL + LARGEST_SET), NewTable)
    if wanted.friends:
        return await create_friends_table(request, wanted)
    known = await person(request) if wanted.component_set else None
    id_ = await threaded(server_of(request).table.create, wanted, known.id if known is not None else "")
    server_of(request).bots.wake(id_)
    return answer(Opened(id_, f"/t/{id_}"), 201)


async def guided_table(request: Request) -> Response:
    """A table in mid-game with a guide beside it; with `?exercise=NAME` one decision to practise."""
    await no_body(request)
    title, exercise = game_of(request), request.query_params.get("exercise", "")
    try:
        id_ = await threaded(guided_turn.open_guided, server_of(request).table, title, exercise)
    except KeyError as fault:
        raise HTTPException(404, "unknown") from fault
    return answer(Opened(id_, f"/t/{id_}"), 201)


async def try_out(request: Request) -> Response:
    """A copy of the position looked at, as a table of its own that only its address leads to."""
    await no_body(request)
    at, table = moment(request), server_of(request).table

    def made() -> str:
        cached = table.cache.get(request.path_params["id"])
        if at is not None and at > cached.game.number:
            raise HTTPException(404, "unknown")
        return table.try_out(position(cached, at), cached)

    id_ = await threaded(made)
    return answer(Opened(id_, f"/t/{id_}"), 201)


async def pace(request: Request) -> Response:
    """Show how long bots wait between two moves."""
    data, id_ = await body(request), request.path_params["id"]
    seating = await threaded(server_of(request).table.pace, id_, data, viewer(request))
    server_of(request).bots.wake(id_)
    return answer({"pause": seating.pause})


async def replace_bot(request: Request) -> Response:
    """Let another bot play the seat of a bot."""
    data, id_ = await body(request), request.path_params["id"]
    await threaded(server_of(request).table.replace_bot, id_, data, viewer(request))
    server_of(request).subscriptions.publish(id_, 0, CHANGED)
    server_of(request).bots.wake(id_)
    return answer({"done": True})


@asynccontextmanager
async def large_file(request: Request) -> AsyncIterator[bytes]:
    """Read a file and wait for one's turn at it: one at a time, and not for long. `DeniedError` 503 `busy`, else."""
    server = server_of(request)
    async with AsyncExitStack() as held:
        share = SHARE.get()
        if share is not None:  # the next file of an address waits here, unread, and takes no place from others
            await held.enter_async_context(share.files)
            await share.ready()
        if server.large_bodies.locked():
            raise busy()
        await held.enter_async_context(server.large_bodies)
        data = await body(request, LARGE)
        try:
            async with asyncio.timeout(IMPORT_WAIT):
                await server.importing.acquire()
        except TimeoutError as late:
            raise busy() from late
        try:
            yield data
        finally:
            server.importing.release()


async def preview_import(request: Request) -> Response:
    """Show what a record, or an export of 18xx.games, would bring; nothing is stored."""
    async with large_file(request) as data:
        brought = await threaded(server_of(request).table.look_at, data)
    return html(request, preview_of(brought, viewer(request).catalogue(brought.game.title)))


async def import_table(request: Request) -> Response:
    """Make a table of a record, or of an export of 18xx.games.

    `?so_far=1`: as far as file and rules agree. `?friends=SEAT`: with links for the seats, that seat being the host's.
    """
    asked = request.query_params
    so_far, friends = asked.get("so_far") == "1", asked.get("friends")
    async with large_file(request) as data:
        if friends is not None:
            seat = int(friends) if friends.isdecimal() and len(friends) < 3 else None

            def opened(table: TableService, host: Callable[[], str]) -> OpenedTable:
                return table.bring_for_friends(data, seat, host, so_far=so_far)

            return await open_friends_table(request, opened)
        id_ = await threaded(lambda: server_of(request).table.import_record(data, so_far=so_far))
    return answer(Opened(id_, f"/t/{id_}"), 201)


def busy() -> DeniedError:
    """The answer to a file that comes while others are still decided."""
    return DeniedError(503, "busy", {"seconds": "30"}, retry_after=30)


async def preview(request: Request) -> Response:
    """Show what an action would change, as a fragment with the ghosts on the market and the hex as it would lie."""
    server, who, data = server_of(request), viewer(request), await body(request)

    def made() -> ActionPreview:
        server.table.cache.get(request.path_params["id"])
        sent = read(data, Submission)
        cached = server.table.cache.current(request.path_params["id"], sent.number)
        return action_preview(server.table, cached, who, sent, partial(fill, server, who))

    return answer(await threaded(made))


async def draw_routes(request: Request) -> Response:
    """Routes drawn by hand: their track and sums, or why they cannot be run."""
    server, who, data = server_of(request), viewer(request), await body(request)

    def made() -> run_step.DrawnRoutes:
        cached = server.table.cache.get(request.path_params["id"])
        drawing = read(data, Drawing)
        try:
            return run_step.drawn(position(cached), speaker_of(cached, who), drawing, partial(fill, server, who))
        except (LookupError, ValueError) as fault:
            raise UnreadableError("a route through places that this map does not have", "$.runs") from fault

    return answer(await searched(request, made))


async def better_runs(request: Request) -> Response:
    """Better runs than those offered, after one more search; the page asks again while there may be more."""
    server, who, looked = server_of(request), viewer(request), read(await body(request), Looked)

    def made() -> run_step.BetterRuns | run_step.NoBetterRuns:
        cached = server.table.cache.get(request.path_params["id"])
        game = position(cached)
        choice = run_step.offered_run(server.table, cached, who)
        if choice is None or looked.number != game.number:
            return run_step.NoBetterRuns(game.number)
        return run_step.better(cached, game, choice.seat, speaker_of(cached, who), partial(fill, server, who))

    return answer(await searched(request, made))


async def moved(request: Request, work: Callable[[str, bytes, Viewer], Entry]) -> Response:
    """Carry out an action, tell the subscriptions, answer with its number."""
    data, id_ = await body(request), request.path_params["id"]
    server = server_of(request)
    done = await threaded(server.actions.carry_out, work, id_, data, viewer(request))
    server.subscriptions.publish(id_, done.number)
    server.bots.wake(id_)
    return answer(Done(done.number, done.seat, done.kind))


async def act(request: Request) -> Response:
    """An action for a seat."""
    return await moved(request, server_of(request).table.act)


async def undo(request: Request) -> Response:
    """Take back the newest action, or all behind an entry."""
    return await moved(request, server_of(request).table.undo)


async def redo(request: Request) -> Response:
    """Do again what was taken back."""
    return await moved(request, server_of(request).table.redo)


ROUTES = [
    Route("/tables", create_table, methods=["POST"]),
    Route("/tables/import", import_table, methods=["POST"]),
    Route("/tables/import/preview", preview_import, methods=["POST"]),
    Route("/tables/guided/{game}", guided_table, methods=["POST"]),
    Route("/t/{id}/actions", act, methods=["POST"]),
    Route("/t/{id}/undo", undo, methods=["POST"]),
    Route("/t/{id}/redo", redo, methods=["POST"]),
    Route("/t/{id}/preview", preview, methods=["POST"]),
    Route("/t/{id}/routes", draw_routes, methods=["POST"]),
    Route("/t/{id}/better", better_runs, methods=["POST"]),
    Route("/t/{id}/pace", pace, methods=["POST"]),
    Route("/t/{id}/bots", replace_bot, methods=["POST"]),
    Route("/t/{id}/try", try_out, methods=["POST"]),
]
