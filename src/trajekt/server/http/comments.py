"""The route by which a comment on a moment of a game is written."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.sidebar import change_sidebar
from trajekt.server.services import comments as comment_service


async def comment(request: Request) -> Response:
    """Write a comment on a moment, for all who look at the table."""
    return await change_sidebar(request, comment_service.comment)


ROUTES = [Route("/t/{id}/comments", comment, methods=["POST"])]
"""For those who are admitted to the table."""
