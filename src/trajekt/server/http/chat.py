"""The routes of the chat of a table: something is said, and the talk is kept out of the record."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.request_context import server_of
from trajekt.server.http.sidebar import change_sidebar
from trajekt.server.services import chat as chat_service
from trajekt.server.services.seats import needed_seat
from trajekt.server.services.table_service import EmptyBody, TableService, read
from trajekt.server.storage import chat
from trajekt.server.storage.cached_game import CachedGame


class Utterance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something said; `players_only` keeps it from whoever watches."""

    text: str
    players_only: bool = False


async def say(request: Request) -> Response:
    """Say something to all at the table, or to its players; whoever is named by `@` and away is told."""
    work = server_of(request).worker.work
    at = work.clock() + work.sending.grace

    def speak(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
        sent, seat = read(data, Utterance), needed_seat(table, cached, who)
        chat_service.say(table, cached, seat, sent.text, players_only=sent.players_only, at=at)

    return await change_sidebar(request, speak, wakes=True)


def _keep_talk_private(table: TableService, cached: CachedGame, who: Viewer, data: bytes) -> None:
    read(data, EmptyBody)
    needed_seat(table, cached, who)
    chat.keep_in_record(table.store, cached.id, kept=False)


async def keep_talk_private(request: Request) -> Response:
    """Take the talk out of the record again: each player may, since all must agree to it."""
    return await change_sidebar(request, _keep_talk_private)


ROUTES = [
    Route("/t/{id}/talk", say, methods=["POST"]),
    Route("/t/{id}/talk/private", keep_talk_private, methods=["POST"]),
]
"""For those who are admitted to the table."""
