"""Routes of boards to plan on: the panel, things put there, proved runs, ghosts for the live map, a copy to show."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.game import Refused
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.json_answers import Done
from trajekt.server.http.request_bodies import body, no_body
from trajekt.server.http.request_context import searched, server_of, viewer
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters import plan_panel
from trajekt.server.presenters.position_view import speaker_of
from trajekt.server.services import plans, standing_orders
from trajekt.server.services.seats import needed_seat
from trajekt.server.services.table_service import read
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED

SEARCH = 3.0
"""Seconds for the best run of a company on a plan."""


async def panel(request: Request) -> Response:
    """The panel of a board to plan on."""
    server, who = server_of(request), viewer(request)

    def made() -> plan_panel.PlanPanel:
        cached = plans.needed_plan(server.table, server.table.cache.get(request.path_params["id"]))
        return plan_panel.plan_panel(cached.snapshot(), speaker_of(cached, who))

    return html(request, await threaded(made))


async def place(request: Request) -> Response:
    """Put something on a board to plan on, without the rules."""
    data, id_, server = await body(request), request.path_params["id"], server_of(request)
    done = await threaded(plans.place, server.table, id_, data)
    server.subscriptions.publish(id_, done.number)
    return answer(Done(done.number, done.seat, done.kind))


async def proved_run(request: Request) -> Response:
    """The best run of a company (`?company=ID`) on a board to plan on, proved where the search ends in time."""
    server, who, company = server_of(request), viewer(request), request.query_params.get("company", "")

    def made() -> plan_panel.ProvedRun:
        cached = plans.needed_plan(server.table, server.table.cache.get(request.path_params["id"]))
        game = cached.snapshot()
        try:
            found = game.best_runs(company, SEARCH)
        except (ValueError, Refused) as fault:
            raise HTTPException(404, "unknown") from fault
        return plan_panel.proved_run(game, company, found, speaker_of(cached, who))

    return answer(await searched(request, made))


async def show(request: Request) -> Response:
    """A link to a copy of the plan as it stands, at which nobody can change anything."""
    await no_body(request)
    server = server_of(request)

    def made() -> str:
        opened = plans.show(server.table, server.table.cache.get(request.path_params["id"]))
        return f"/t/{opened.id}/watch#{opened.watch}"

    return answer({"address": await threaded(made)}, 201)


async def ghosts(request: Request) -> Response:
    """Drawings of a plan (`?plan=NAME`) to lie over the map of the live table."""
    server, name = server_of(request), request.query_params.get("plan", "")

    def made() -> plan_panel.Ghosts:
        cached = server.table.cache.get(request.path_params["id"])
        return plan_panel.ghosts_of(cached.snapshot(), plans.plan_of(server.table, cached, name))

    return answer(await threaded(made))


async def order_from_plan(request: Request) -> Response:
    """Hand a plan over as an instruction: the player's own actions on it, one after the other."""
    data, server, who = await body(request), server_of(request), viewer(request)
    id_ = request.path_params["id"]

    def done() -> None:
        table = server.table
        cached = table.cache.get(id_)
        seat, game = needed_seat(table, cached, who), cached.snapshot()
        tasks = plans.tasks_of(game, plans.plan_of(table, cached, read(data, plans.PlanBody).plan), seat)
        standing_order_store.keep(table.store, id_, standing_orders.give(game, seat, tasks))
        table.cache.invalidate(id_)

    await threaded(done)
    server.subscriptions.publish(id_, 0, SIDEBAR_CHANGED)
    server.worker.wake()
    return answer({"done": True})


ROUTES = [
    Route("/t/{id}/plan", panel),
    Route("/t/{id}/plan/place", place, methods=["POST"]),
    Route("/t/{id}/plan/run", proved_run),
    Route("/t/{id}/plan/show", show, methods=["POST"]),
    Route("/t/{id}/ghosts", ghosts),
    Route("/t/{id}/orders/plan", order_from_plan, methods=["POST"]),
]
