"""The HTTP interface as an OpenAPI document, made of the routes and the types that are there: nothing is told twice.

What an address does is the first line of the handler's docstring; what it reads is the type with which it reads. The actions
of a game are those of any of its editions and variants; without a game, those of all games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt import __version__
from trajekt.game_statistics import GameStatistics
from trajekt.json_schema import actions_of, one_of, schemas
from trajekt.positions import PositionFile
from trajekt.registry import UnknownGameError
from trajekt.review.game_review import GameReview
from trajekt.server.http import (
    account_pages,
    chat,
    clock,
    notification_settings,
    seats,
    set_up,
    sidebar,
    standing_orders,
    table_json,
    workshop,
)
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.json_answers import Done, Failed, Joined, Opened, Sat
from trajekt.server.http.routes import OF_A_TABLE, OTHERS
from trajekt.server.presenters.finished_games_page import GamesFile, RatingsFile
from trajekt.server.presenters.lobby_page import LobbyFile, OpenTableFile
from trajekt.server.presenters.set_up_page import CheckedForm
from trajekt.server.services.comments import CommentBody
from trajekt.server.services.hand_drawn_routes import Drawing, Looked
from trajekt.server.services.lobby import Dismissal, NewOpenTable, SeatWish
from trajekt.server.services.plans import PlacementBody, PlanBody
from trajekt.server.services.review_runner import ReviewProgress
from trajekt.server.services.seats import ConsentAnswer, ConsentRequestBody
from trajekt.server.services.table_service import BotChoice, BotPause, EmptyBody, NewTable, Submission, UndoOrRedo
from trajekt.server.storage import contacts

RECORD = dict[str, Any]
"""The file of a game, described in `docs/reference/records.md`."""
BODIES: Mapping[str, Any] = {
    "/tables": NewTable,
    "/tables/import": RECORD,
    "/tables/import/preview": RECORD,
    "/tables/guided/{game}": EmptyBody,
    "/t/{id}/actions": Submission,
    "/t/{id}/preview": Submission,
    "/t/{id}/undo": UndoOrRedo,
    "/t/{id}/redo": UndoOrRedo,
    "/t/{id}/routes": Drawing,
    "/t/{id}/better": Looked,
    "/t/{id}/pace": BotPause,
    "/t/{id}/bots": BotChoice,
    "/t/{id}/try": EmptyBody,
    "/t/{id}/sit": seats.SeatClaim,
    "/t/{id}/watch/link": EmptyBody,
    "/t/{id}/seats/{seat}/link": EmptyBody,
    "/t/{id}/seats/{seat}/passcode": seats.Passcode,
    "/t/{id}/seats/{seat}/stand-in": seats.StandIn,
    "/t/{id}/seats/{seat}/give-back": EmptyBody,
    "/t/{id}/consent-requests": ConsentRequestBody,
    "/t/{id}/consent-requests/{number}": ConsentAnswer,
    "/t/{id}/review": EmptyBody,
    "/t/{id}/plan/place": PlacementBody,
    "/t/{id}/plan/show": EmptyBody,
    "/t/{id}/orders/plan": PlanBody,
    "/t/{id}/looking": seats.Presence,
    "/t/{id}/orders": standing_orders.NewOrder,
    "/t/{id}/orders/away": standing_orders.OrderRemoval,
    "/t/{id}/contact/try": notification_settings.NoticeTrial,
    "/t/{id}/talk": chat.Utterance,
    "/t/{id}/comments": CommentBody,
    "/t/{id}/talk/private": EmptyBody,
    "/t/{id}/notes": sidebar.TextBody,
    "/t/{id}/contact": contacts.Contact,
    "/t/{id}/clock": clock.ClockChoice,
    "/t/{id}/clock/wish": clock.ClockWish,
    "/lobby": NewOpenTable,
    "/lobby/{id}/sit": SeatWish,
    "/lobby/{id}/leave": EmptyBody,
    "/lobby/{id}/dismiss": Dismissal,
    "/lobby/{id}/start": EmptyBody,
    "/me": account_pages.Credentials,
    "/me/in": account_pages.Credentials,
    "/me/link": EmptyBody,
    "/me/out": EmptyBody,
    "/me/passcode": account_pages.NewPasscode,
    "/me/name": account_pages.NewName,
    "/me/out/others": EmptyBody,
    "/me/delete": account_pages.Farewell,
    "/me/push": notification_settings.NewSubscription,
    "/me/push/away": EmptyBody,
    "/me/push/try": EmptyBody,
    "/me/quiet": notification_settings.QuietChoice,
    "/workshop/{game}": workshop.NewSet,
    "/workshop/{game}/{set}/entry": workshop.EntryBody,
    "/workshop/{game}/{set}/name": workshop.SetName,
    "/workshop/{game}/{set}/delete": EmptyBody,
    "/set-up/{game}": set_up.FormBody,
    "/set-up/{game}/hex": set_up.FormBody,
    "/set-up/{game}/file": RECORD,
    "/quiet/{id}/{token}": EmptyBody,
    "/mail/{id}/{token}": notification_settings.MailConsent,
}
"""Bodies read by POST, by address."""
MOMENTS = frozenset(
    f"/t/{{id}}{what}"
    for what in (
        "",
        "/regions",
        "/charts",
        "/print",
        "/try",
        "/record.json",
        "/position.json",
        "/last-runs/{company}",
        "/statistics.json",
        "/statistics.csv",
    )
)
"""Addresses where `?at=N` asks for the position after entry N."""
FAULTS = {
    400: "cannot be read; `path` is the place of the fault",
    401: "a token that opens nothing",
    403: "not your seat, not at this table, not signed in, or sent by another site",
    404: "there is no such thing",
    405: "a name with a slash in it leads to another address, where this cannot be done",
    409: "made for an earlier position (`number` is where the table stands, `since` what happened), or not possible now",
    413: "too large",
    415: "only JSON is read",
    422: "refused: `code` says why and `rule` is the id of the rule, empty where no rule speaks",
    429: "too many requests; wait as `Retry-After` says",
    500: "an error of the server; nothing was stored",
}
OF_READING = (404, 405, 429, 500)
"""The faults of what only looks; below `/t/` those of who may look come on top."""
LOBBY_QUERY: tuple[dict[str, Any], ...] = (
    {"name": "game", "in": "query", "schema": {"type": "string"}},
    {"name": "pace", "in": "query", "schema": {"type": "string", "enum": ["live", "week"]}},
    {"name": "language", "in": "query", "schema": {"type": "string", "enum": ["de", "en"]}},
    {"name": "seats", "in": "query", "schema": {"type": "integer", "minimum": 1}},
    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 0}},
)
"""Filter of the lobby."""
GAMES_QUERY: tuple[dict[str, Any], ...] = (
    {"name": "player", "in": "query", "schema": {"type": "string"}},
    {"name": "game", "in": "query", "schema": {"type": "string"}},
    {"name": "players", "in": "query", "schema": {"type": "integer", "minimum": 2}},
    {"name": "since", "in": "query", "schema": {"type": "string", "format": "date"}},
    {"name": "until", "in": "query", "schema": {"type": "string", "format": "date"}},
    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 0}},
)
"""Filter of finished games."""
PARAMETER = re.compile(r"\{(\w+)\}")


ANSWERS: Mapping[tuple[str, str], tuple[int, Any]] = {
    ("/tables", "POST"): (201, Opened),
    ("/tables/import", "POST"): (201, Opened),
    ("/tables/guided/{game}", "POST"): (201, Opened),
    ("/t/{id}/try", "POST"): (201, Opened),
    ("/t/{id}/consent-requests", "POST"): (201, None),
    ("/me", "POST"): (201, None),
    ("/lobby", "POST"): (201, Opened),
    ("/lobby/{id}/sit", "POST"): (200, Joined),
    ("/lobby/{id}/start", "POST"): (201, Opened),
    ("/workshop/{game}", "POST"): (201, workshop.MadeSet),
    ("/workshop/{game}/{set}/entry", "POST"): (200, workshop.EntryAnswer),
    ("/set-up/{game}", "POST"): (200, CheckedForm),
    ("/set-up/{game}/file", "POST"): (200, set_up.BroughtForm),
    ("/games.json", "GET"): (200, GamesFile),
    ("/ratings.json", "GET"): (200, RatingsFile),
    ("/lobby.json", "GET"): (200, LobbyFile),
    ("/lobby/{id}/table.json", "GET"): (200, OpenTableFile),
    ("/t/{id}/actions", "POST"): (200, Done),
    ("/t/{id}/undo", "POST"): (200, Done),
    ("/t/{id}/redo", "POST"): (200, Done),
    ("/t/{id}/sit", "POST"): (200, Sat),
    ("/t/{id}/state.json", "GET"): (200, table_json.TableState),
    ("/t/{id}/entries.json", "GET"): (200, table_json.News),
    ("/t/{id}/record.json", "GET"): (200, RECORD),
    ("/t/{id}/position.json", "GET"): (200, PositionFile),
    ("/t/{id}/last-runs/{company}", "GET"): (200, table_json.LastRun),
    ("/t/{id}/statistics.json", "GET"): (200, GameStatistics),
    ("/t/{id}/review", "POST"): (202, ReviewProgress),
    ("/t/{id}/review/progress", "GET"): (200, ReviewProgress),
    ("/t/{id}/review.json", "GET"): (200, GameReview),
}
"""Status and type of the answers that a client lives by; the others are pages, fragments, or say that it is done."""


def all_routes() -> Sequence[Route]:
    """The routes whose handlers say themselves what they do."""
    return *OF_A_TABLE, *OTHERS, *OPEN_ROUTES


@cache
def document(game: str = "") -> bytes:
    """The document, with the actions of one game or of all; `UnknownGameError` for no game."""
    kinds = actions_of(game)
    types = {*BODIES.values(), *(kind for _, kind in ANSWERS.values())} - {None}
    ordered = sorted(types, key=lambda kind: (kind.__module__, str(kind)))
    place = "#/components/schemas/{name}"
    shape, components = schemas([*kinds, Failed, *ordered], place)
    components["Action"] = {"title": "Action", **one_of(kinds, shape, "kind")}
    components["Submission"]["properties"]["action"] = {"$ref": place.format(name="Action")}
    paths: dict[str, Any] = {}
    for route in all_routes():
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            paths.setdefault(route.path, {})[method.lower()] = operation(route, method, shape)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "trajekt",
                "version": __version__,
                "description": "The table, as its page and clients use it.",
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


def operation(route: Route, method: str, shape: Mapping[Any, Any]) -> dict[str, Any]:
    """One address by one method."""
    writes, at_table = method == "POST", route.path.startswith("/t/")
    status, kind = ANSWERS.get((route.path, method), (200, None))
    done: dict[str, Any] = {"description": "done" if writes else "found"}
    if kind is not None:
        done["content"] = {"application/json": {"schema": shape[kind]}}
    fault = {"application/json": {"schema": shape[Failed]}}
    wrong = FAULTS if writes else [*OF_READING, *((400, 401, 403, 409) if at_table else ())]
    if route.path.startswith("/me/") and not writes:
        wrong = [*wrong, 403]
    words = re.sub(r"\W+", "_", PARAMETER.sub(r"\1", route.path)).strip("_") or "start"
    told: dict[str, Any] = {
        "summary": (route.endpoint.__doc__ or "").strip().partition("\n")[0],
        "operationId": f"{method.lower()}_{words}",
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in PARAMETER.findall(route.path)
        ],
        "responses": {str(status): done}
        | {str(each): {"description": FAULTS[each], "content": fault} for each in sorted(wrong)},
    }
    if route.path in MOMENTS:
        told["parameters"].append({"name": "at", "in": "query", "schema": {"type": "integer", "minimum": 0}})
    if route.path == "/t/{id}/entries.json":
        told["parameters"].append({"name": "after", "in": "query", "schema": {"type": "integer", "minimum": 0}})
    if route.path == "/t/{id}/regions":  # with it the answer is JSON: what is new to the version that has this tag
        told["parameters"].append({"name": "has", "in": "query", "schema": {"type": "string"}})
        told["parameters"].append({"name": "shows", "in": "query", "schema": {"type": "integer", "minimum": 0}})
    if route.path == "/t/{id}/events":  # with it `drawn` comes in place of `moved`
        told["parameters"].append({"name": "draw", "in": "query", "schema": {"type": "string", "enum": ["yes"]}})
    if route.path in ("/lobby", "/lobby.json", "/lobby/list") and not writes:
        told["parameters"] += LOBBY_QUERY
    if route.path in ("/games", "/games.json"):
        told["parameters"] += GAMES_QUERY
    if at_table:
        told["security"] = [{"seat": []}, {"reader": []}, {}]
    if writes:
        body = {"application/json": {"schema": shape[BODIES[route.path]]}}
        told["requestBody"] = {"required": True, "content": body}
    return told


async def openapi(request: Request) -> Response:
    """This interface, described; `?game=18rhl` with all actions of a game."""
    try:
        made = await threaded(document, request.query_params.get("game", "").lower())
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault
    return Response(made, media_type="application/json", headers={"cache-control": "no-cache"})


OPEN_ROUTES = [Route("/openapi.json", openapi)]
