"""The HTTP interface as an OpenAPI document, made of the routes and the types that are there: nothing is told twice.

What an address does is the first line of the handler's docstring; what it reads is the type with which it reads. The actions
of a game are its codec's; without a game those that all games share.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Union

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.game import codec_of
from trajekt.table import account_pages, beside, contacts, deeds, library, pages, sitting, watch
from trajekt.table.http import answer, reader, server_of, threaded
from trajekt.table.service import Pace, Step, Submission, Wanted
from trajekt.table.sketch import Drawing, Looked
from trajekt.table.together import Asked, Said
from trajekt.titles import UnknownGameError, names, title

EMPTY, RECORD = "empty", "record"
BODIES: Mapping[str, Any] = {
    "/tables": Wanted,
    "/tables/import": RECORD,
    "/tables/guided/{game}": EMPTY,
    "/t/{id}/actions": Submission,
    "/t/{id}/preview": Submission,
    "/t/{id}/undo": Step,
    "/t/{id}/redo": Step,
    "/t/{id}/routes": Drawing,
    "/t/{id}/better": Looked,
    "/t/{id}/pace": Pace,
    "/t/{id}/try": EMPTY,
    "/t/{id}/sit": sitting.Comes,
    "/t/{id}/watch/link": EMPTY,
    "/t/{id}/seats/{seat}/link": EMPTY,
    "/t/{id}/seats/{seat}/passcode": sitting.Passcode,
    "/t/{id}/seats/{seat}/stand-in": sitting.StandIn,
    "/t/{id}/petitions": Asked,
    "/t/{id}/petitions/{number}": Said,
    "/t/{id}/looking": sitting.Looking,
    "/t/{id}/orders": beside.Left,
    "/t/{id}/orders/away": beside.Gone,
    "/t/{id}/talk": beside.Said,
    "/t/{id}/notes": beside.Said,
    "/t/{id}/contact": contacts.Contact,
    "/t/{id}/clock": beside.Chosen,
    "/t/{id}/clock/wish": beside.Wish,
    "/me": account_pages.Named,
    "/me/in": account_pages.Named,
    "/me/link": EMPTY,
    "/me/out": EMPTY,
    "/quiet/{id}/{token}": EMPTY,
}
"""What is read by POST, by address."""
FAULTS = {
    400: "cannot be read; `path` is the place of the fault",
    401: "a token that opens nothing",
    403: "not your seat, not at this table, or sent by another site",
    404: "there is no such thing",
    405: "not by this method",
    409: "made for an earlier position; `since` tells what happened",
    413: "too large",
    415: "only JSON is read",
    422: "refused; `code` says why and `rule` is the id of the rule, empty where no rule speaks",
    429: "too many requests; wait as `Retry-After` says",
}
PARAMETER = re.compile(r"\{(\w+)\}")


class Document(msgspec.Struct, frozen=True):
    """A fault as every answer of 400 and more has it; some have more fields."""

    code: str
    message: str


def all_routes() -> Sequence[Route]:
    """The routes whose handlers say themselves what they do."""
    return (
        *pages.ROUTES, *deeds.ROUTES, *sitting.ROUTES, *beside.ROUTES, *account_pages.ROUTES, *beside.OPEN_ROUTES,
        *library.ROUTES, *watch.ROUTES, *ROUTES,
    )  # fmt: skip


@cache
def document(game: str = "") -> bytes:
    """The document, with the actions of one game or those that all share; UnknownGameError for no game."""
    kinds = actions_of(game)
    types = {kind for kind in BODIES.values() if not isinstance(kind, str)}
    ordered = sorted(types, key=lambda kind: (kind.__module__, kind.__name__))
    shapes, components = msgspec.json.schema_components(
        [*ordered, kinds, Document], ref_template="#/components/schemas/{name}"
    )
    shape = dict(zip([*ordered, Document], [*shapes[: len(ordered)], shapes[-1]], strict=True))
    paths: dict[str, Any] = {}
    for route in all_routes():
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            paths.setdefault(route.path, {})[method.lower()] = operation(route, method, shape, shapes[len(ordered)])
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "trajekt",
                "version": "0.1.0",
                "description": "The table, as its page and programs use it.",
            },
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {
                    "seat": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "The token of a seat's or the watching link.",
                    },
                    "reader": {
                        "type": "apiKey",
                        "in": "cookie",
                        "name": "reader",
                        "description": "The cookie of a browser.",
                    },
                },
            },
        }
    )


def actions_of(game: str) -> Any:
    """The union of the actions that a game knows, or that all games know."""
    unions = []
    for name in [game] if game else names():
        found = title(name)
        options = found.options({"edition": max(found.editions)})
        unions.append(set(codec_of(found.build(found.sheet(options, None), options)).actions.__args__))
    shared = set.intersection(*unions)
    kinds = tuple(sorted(shared, key=lambda kind: str(kind.__struct_config__.tag)))
    return Union[kinds]  # noqa: UP007  built at run time


def operation(route: Route, method: str, shape: Mapping[Any, Any], actions: Any) -> dict[str, Any]:
    """One address by one method."""
    said = (route.endpoint.__doc__ or "").strip().splitlines()
    told: dict[str, Any] = {
        "summary": said[0] if said else "",
        "operationId": f"{route.endpoint.__name__}",
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in PARAMETER.findall(route.path)
        ],
        "responses": {"200": {"description": "done"}, "201": {"description": "made"}}
        if method == "POST"
        else {"200": {"description": "found"}},
    }
    fault = {"type": "object", "required": ["error"], "properties": {"error": shape[Document]}}
    for status, words in FAULTS.items():
        told["responses"][str(status)] = {"description": words, "content": {"application/json": {"schema": fault}}}
    if route.path.startswith("/t/"):
        told["security"] = [{"seat": []}, {"reader": []}, {}]
    if method == "POST":
        kind = BODIES[route.path]
        body = {"type": "object"} if isinstance(kind, str) else shape[kind]
        if kind is Submission:
            body = {"allOf": [body, {"properties": {"action": actions}}]}
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return told


async def openapi(request: Request) -> Response:
    """This interface, described; `?game=18rhl` with all actions of a game."""
    try:
        made = await threaded(document, request.query_params.get("game", "").lower())
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault
    return Response(made, media_type="application/json", headers={"cache-control": "no-cache"})


async def state(request: Request) -> Response:
    """The table for programs: number, who is awaited, the seats of the reader and all that these may do."""
    server, who = server_of(request), reader(request)

    def made() -> dict[str, Any]:
        hot = server.table.live.table(request.path_params["id"])
        with hot.lock:
            game = hot.game.at(hot.game.number)
        mine = server.table.seats(hot, who)
        return {
            "number": game.number,
            "game": game.title.id,
            "names": game.state.names,
            "to_act": game.to_act,
            "seats": mine,
            "finished": game.finished,
            "choices": [choice for seat in mine if seat in game.to_act for choice in game.choices(seat)],
            "standings": [
                {"player": standing.name, "cash": standing.cash, "shares": standing.shares, "total": standing.total}
                for standing in game.standings()
            ],
        }

    return answer(await threaded(made))


TABLE_ROUTES = [Route("/t/{id}/state.json", state)]
OPEN_ROUTES = [Route("/openapi.json", openapi)]
ROUTES = [*TABLE_ROUTES, *OPEN_ROUTES]
