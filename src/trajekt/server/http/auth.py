"""Who is admitted to a table: whoever has its address where everybody plays at one screen, else who holds a seat or watches.

Every route below `/t/{id}` goes through here once, so that no view and no deed can forget to ask.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trajekt.server.accounts.accounts import COOKIE
from trajekt.server.accounts.denials import DeniedError
from trajekt.server.accounts.seats import WATCHING, sitting_of
from trajekt.server.accounts.viewer import Reader
from trajekt.server.http.requests import READER, plain_reader, server_of, threaded
from trajekt.server.storage.secret_tokens import LONGEST

OPEN = frozenset({"/t/{id}/sit", "/t/{id}/watch"})
"""Where one comes in."""
BEARER = "bearer "


def bearer(request: Request) -> str:
    """The token that a program sends along, empty without one."""
    sent = request.headers.get("authorization", "")
    return sent[len(BEARER) :].strip()[:LONGEST] if sent.lower().startswith(BEARER) else ""


def admitted(request: Request) -> Reader:
    """The reader of a request with the seats held. Raises `DeniedError` 401 for a wrong token, 403 for a stranger."""
    server, reader = server_of(request), plain_reader(request)
    hot = server.table.live.table(request.path_params["id"])
    sitting = sitting_of(server.table.store, hot)
    if not sitting.friends:
        return reader
    token = bearer(request)
    if token:
        seat = sitting.opens(token)
        if seat is None:
            raise DeniedError(401, "wrong_token")
        held: tuple[int, ...] = (seat,)
        person = ""
    else:
        known = server.accounts.person(request.cookies.get(COOKIE, ""))
        person = known.id if known is not None else ""
        held = sitting.holders.get(person, ())
    if not held:
        raise DeniedError(403, "not_at_table")
    return Reader(reader.language, reader.theme, person, tuple(seat for seat in held if seat != WATCHING))


def at_hand(request: Request) -> bool:
    """Whether all that admission asks for is in memory, so that no thread has to wait for the database."""
    hot = server_of(request).table.live.at_hand(request.path_params["id"])
    if hot is None or not hot.known("sitting"):
        return False
    return bool(bearer(request)) or not sitting_of(server_of(request).table.store, hot).friends


def at_table(route: Route) -> Route:
    """The same route for those alone who are admitted; somebody else who opens the page is asked who they are."""
    if not route.path.startswith("/t/{id}") or route.path in OPEN:
        return route
    endpoint: Callable[[Request], Awaitable[Response]] = route.endpoint

    async def seated(request: Request) -> Response:
        try:
            request.scope[READER] = admitted(request) if at_hand(request) else await threaded(admitted, request)
        except DeniedError as fault:
            page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            if page and fault.code == "not_at_table":
                return RedirectResponse(f"/t/{request.path_params['id']}/sit", 303)
            raise
        return await endpoint(request)

    return Route(route.path, seated, methods=sorted(route.methods or ()), name=route.name)
