"""Admission to a table: whoever has its address where everybody plays at one screen, else who holds a seat or watches.

Every route below `/t/{id}` goes through here once, so that no view and no action can forget to ask.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.cookies import DEVICE_COOKIE
from trajekt.server.http.request_context import VIEWER, anonymous_viewer, server_of
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.seats import ASSIGNMENTS, WATCHING, assignments_of
from trajekt.server.storage.secret_tokens import LONGEST

OPEN = frozenset({"/t/{id}/sit", "/t/{id}/watch"})
"""Addresses at which one comes in."""
BEARER = "bearer "


def bearer_token(header: str) -> str:
    """The token of an `Authorization` header, empty where it carries none."""
    return header[len(BEARER) :].strip()[:LONGEST] if header.lower().startswith(BEARER) else ""


def bearer(request: Request) -> str:
    """The token that a client sends along, empty without one."""
    return bearer_token(request.headers.get("authorization", ""))


def admitted(request: Request) -> Viewer:
    """The viewer of a request with the seats held. Raises `DeniedError` 401 for a wrong token, 403 for a stranger."""
    server, viewer = server_of(request), anonymous_viewer(request)
    cached = server.table.cache.get(request.path_params["id"])
    assignments = assignments_of(server.table.store, cached)
    if not assignments.friends:
        return viewer
    token = bearer(request)
    if token:
        seat = assignments.opens(token)
        if seat is None:
            raise DeniedError(401, "wrong_token")
        held: tuple[int, ...] = (seat,)
        person = ""
    else:
        known = server.accounts.person(request.cookies.get(DEVICE_COOKIE, ""))
        person = known.id if known is not None else ""
        held = assignments.holders.get(person, ())
    if not held:
        raise DeniedError(403, "not_at_table")
    return Viewer(viewer.language, viewer.theme, person, tuple(seat for seat in held if seat != WATCHING))


def admitted_anew(request: Request) -> Viewer:
    """Admit once more with what the database has now: the host may have made a new link beside the server."""
    server_of(request).table.cache.invalidate(request.path_params["id"])
    return admitted(request)


def in_memory(request: Request) -> bool:
    """Tell whether all that admission asks for is in memory, so that no thread has to wait for the database."""
    cached = server_of(request).table.cache.in_memory(request.path_params["id"])
    if cached is None or not ASSIGNMENTS.known(cached):
        return False
    return bool(bearer(request)) or not assignments_of(server_of(request).table.store, cached).friends


def at_table(route: Route) -> Route:
    """Guard a route, for those alone who are admitted; somebody else who opens the page is asked who they are."""
    if not route.path.startswith("/t/{id}") or route.path in OPEN:
        return route
    endpoint: Callable[[Request], Awaitable[Response]] = route.endpoint

    async def seated(request: Request) -> Response:
        try:
            request.scope[VIEWER] = admitted(request) if in_memory(request) else await threaded(admitted, request)
        except DeniedError as fault:
            if fault.code == "wrong_token":
                request.scope[VIEWER] = await threaded(admitted_anew, request)
                return await endpoint(request)
            page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            if page and fault.code == "not_at_table":
                return RedirectResponse(f"/t/{request.path_params['id']}/sit", 303)
            raise
        return await endpoint(request)

    return Route(route.path, seated, methods=sorted(route.methods or ()), name=route.name)
