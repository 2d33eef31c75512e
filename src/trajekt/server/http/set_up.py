"""The routes of a position set up by hand: its page, the form checked while one types, a hex, and a file brought to it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.hand_position_file import read_position
from trajekt.records import RecordError
from trajekt.server.http.request_bodies import SMALL, body
from trajekt.server.http.request_context import drawn_beside, game_of, server_of, viewer
from trajekt.server.http.responses import answer, fill, html
from trajekt.server.presenters.position_form import texts_of
from trajekt.server.presenters.set_up_page import GameSetUp, checked_form, hex_panel, set_up_page
from trajekt.server.services.table_service import UnreadableError, not_a_record, read

FieldText = Annotated[str, msgspec.Meta(max_length=6_000)]
MOST_OPTIONS = 2_000
"""Letters of the options in an address."""


class FormBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A form as it is typed: `texts` by the name of the field, `drawn` the mark of the map that the page has.

    `hex` is the one to look at, where one is asked for.
    """

    options: dict[str, Any] = {}
    texts: Annotated[dict[str, FieldText], msgspec.Meta(max_length=2_000)] = {}
    drawn: str = ""
    hex: str = ""


class BroughtForm(msgspec.Struct, frozen=True):
    """The form of a file: options of the game, and the texts of the fields."""

    options: dict[str, Any]
    texts: dict[str, str]


def wanted_of(request: Request, plain: dict[str, Any]) -> GameSetUp:
    """The game of an address with its options. Raises `UnreadableError` for those that it does not have."""
    title = game_of(request)
    try:
        return GameSetUp(title, title.options(plain), server_of(request).table.cache.components)
    except (ValueError, TypeError, msgspec.ValidationError) as fault:
        raise UnreadableError(str(fault), "$.options", "set_up") from fault


async def show_set_up(request: Request) -> Response:
    """The form of a position set up by hand; `?options=` are those of the game as JSON."""
    who, text = viewer(request), request.query_params.get("options", "")
    try:
        plain = msgspec.json.decode(text[:MOST_OPTIONS], type=dict[str, Any]) if text else {}
    except (msgspec.DecodeError, RecursionError) as fault:
        raise UnreadableError(str(fault), "$.options") from fault
    return html(request, await drawn_beside(request, set_up_page, wanted_of(request, plain), who))


async def check_form(request: Request) -> Response:
    """Check a form as it is typed; nothing is stored."""
    who, sent = viewer(request), read(await body(request, SMALL), FormBody)
    show = partial(fill, server_of(request), who)
    checked = partial(checked_form, wanted_of(request, sent.options), sent.texts, sent.drawn, who, show)
    return answer(await drawn_beside(request, checked))


async def show_hex(request: Request) -> Response:
    """The tiles and stations that a hex may bear."""
    who, sent = viewer(request), read(await body(request, SMALL), FormBody)
    wanted = wanted_of(request, sent.options)
    if sent.hex not in wanted.sheet.hexes:
        raise HTTPException(404, "unknown")
    return html(request, await drawn_beside(request, hex_panel, wanted, sent.texts, sent.hex, who))


async def bring_position(request: Request) -> Response:
    """The texts of the form for a file of a position."""
    data = await body(request, SMALL)
    try:
        found = read_position(data)
    except RecordError as fault:
        raise not_a_record(fault) from fault
    title = game_of(request)
    if found.game != title.id:
        message = f"is a position of {found.game}, not of {title.id}"
        raise UnreadableError(message, "$.game", "position_of_other_game", game=found.game, wanted=title.id)
    wanted = wanted_of(request, dict(found.options))
    return answer(BroughtForm(wanted.title.plain(wanted.options), dict(texts_of(found, wanted.own_fields()))))


ROUTES = [
    Route("/set-up/{game}", show_set_up),
    Route("/set-up/{game}", check_form, methods=["POST"]),
    Route("/set-up/{game}/hex", show_hex, methods=["POST"]),
    Route("/set-up/{game}/file", bring_position, methods=["POST"]),
]
