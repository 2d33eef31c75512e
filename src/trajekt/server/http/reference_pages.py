"""Routes to read beside the game: rules, what differs from the box, a game's own colours."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.registry import UnknownGameError
from trajekt.registry import title as find_title
from trajekt.rendering.styles import stylesheet
from trajekt.rendering.theme import PLAIN
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import game_of, viewer
from trajekt.server.http.responses import html
from trajekt.server.presenters import rules_pages, start_page
from trajekt.server.presenters.map_and_market import look_of


async def rules_page(request: Request) -> Response:
    """All rules of a game in our own words."""
    return html(request, await threaded(rules_pages.rules_page, game_of(request), viewer(request)))


async def rule_fragment(request: Request) -> Response:
    """One rule, to be read beside the game."""
    return html(request, rules_pages.rule_part(game_of(request), viewer(request), request.path_params["rule"]))


async def box_page(request: Request) -> Response:
    """Show how this table differs from the box."""
    return html(request, await threaded(rules_pages.differences_page, game_of(request), viewer(request)))


async def look(request: Request) -> Response:
    """The styles and colours of a game's drawings; of `all` games, for the start page, and `plain` for what is of none."""
    try:
        game = request.path_params["game"]
        if game == "all":
            css = "".join(stylesheet(look_of(each)) for each in start_page.installed())
        else:
            css = stylesheet(PLAIN if game == "plain" else look_of(find_title(game)))
    except UnknownGameError as fault:
        raise HTTPException(404, "unknown") from fault
    return Response(css, media_type="text/css", headers={"cache-control": "no-cache"})


ROUTES = [
    Route("/rules/{game}", rules_page),
    Route("/rules/{game}/{rule}", rule_fragment),
    Route("/box/{game}", box_page),
    Route("/look/{game}.css", look),
]
