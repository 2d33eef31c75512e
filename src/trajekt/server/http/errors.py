"""Faults of requests: the one shape of answer, `{"error": {"code", "message", ...}}`, the page of a fault, and the handlers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from trajekt.engine.components.provenance import SheetError
from trajekt.game import Refused
from trajekt.i18n.filled_sentences import fault_line
from trajekt.i18n.sentences import refusal_line
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import anonymous_viewer, server_of, viewer
from trajekt.server.http.request_log import log_once, shown_path
from trajekt.server.http.responses import answer, html
from trajekt.server.presenters.game_log import since
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import NothingToUndoError, TableService, UnreadableError
from trajekt.server.storage.game_cache import StaleSubmissionError, UnknownTableError

LOG = logging.getLogger("trajekt.server")


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An answer that says no. `more` are the fields that only this kind has."""

    status: int
    code: str
    message: str
    more: Mapping[str, object] = field(default_factory=dict)

    def body(self) -> Mapping[str, object]:
        """The answer as JSON: `Failed` in the description of the interface."""
        return {"error": {"code": self.code, "message": self.message, **self.more}}


FAULTS_TOLD = 8
"""The number of faults of components that an answer names."""
TOLD = 30
"""The number of newest entries that an answer of 409 tells; `entries.json` has all."""
EXPECTED = (UnreadableError, StaleSubmissionError, Refused, UnknownTableError, NothingToUndoError, DeniedError)


def fault_of(error: Exception, table: TableService, viewer: Viewer, id_: str = "") -> ErrorAnswer:
    """The answer to one of `EXPECTED`: unreadable 400, no such table 404, stale 409, refused 422."""
    say = viewer.catalogue()
    if isinstance(error, UnreadableError):
        key = say.first(f"page.fault.{error.code}", "page.fault.unreadable")
        detail = str(error) if error.told is None else error.told(say.language)
        message = say.text(key, detail=detail, **error.values)
        return ErrorAnswer(400, "unreadable", message, {"path": error.path, "detail": str(error)})
    if isinstance(error, StaleSubmissionError):
        cached = table.cache.get(id_)
        told = since(cached.game, error.entries[-TOLD:], viewer.speaker(cached.game.title, cached.game.state))
        return ErrorAnswer(409, "stale", say.text("page.fault.stale"), {"number": error.number, "since": told})
    if isinstance(error, Refused):
        cached = table.cache.get(id_)
        refusal = error.refusal
        sentence = refusal_line(viewer.speaker(cached.game.title, cached.game.state), refusal)
        return ErrorAnswer(422, refusal.code, sentence, {"rule": refusal.rule, "args": dict(refusal.args)})
    if isinstance(error, NothingToUndoError):
        return ErrorAnswer(422, error.code, say.text(f"page.fault.{error.code}"), {"rule": ""})
    if isinstance(error, DeniedError):
        return ErrorAnswer(error.status, error.code, say.text(f"page.fault.{error.code}", **error.words), error.more)
    return ErrorAnswer(404, "unknown", say.text("page.fault.unknown"))


@dataclass(frozen=True, slots=True)
class ErrorPage(PageModel):
    """The page of a fault."""

    template: ClassVar[str] = "error.html"
    fault: ErrorAnswer


def fault_answer(request: Request, fault: ErrorAnswer) -> Response:
    """JSON for clients and our modules, a page for somebody who typed an address."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return html(request, ErrorPage(fault), fault.status)
    return answer(fault.body(), fault.status)


async def expected_fault(request: Request, error: Exception) -> Response:
    """The answer to what goes wrong in the course of play."""
    id_ = str(request.path_params.get("id", ""))
    fault = await threaded(fault_of, error, server_of(request).table, viewer(request), id_)
    said = fault_answer(request, fault)
    if "retry_after" in fault.more:
        said.headers["retry-after"] = str(fault.more["retry_after"])
    return said


async def http_fault(request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes, in the usual shape."""
    assert isinstance(error, HTTPException)
    codes = {404: "unknown", 405: "method", 408: "too_slow", 413: "too_large", 415: "json_only", 403: "other_site"}
    code = codes.get(error.status_code, "unreadable")
    fault = ErrorAnswer(error.status_code, code, viewer(request).catalogue().text(f"page.fault.{code}"))
    return fault_answer(request, fault)


async def bug(request: Request, error: Exception) -> Response:
    """An error of the server: the log tells which table, the answer has the usual shape."""
    LOG.error("%s %s", request.method, shown_path(request.url.path), exc_info=error)
    try:
        message = viewer(request).catalogue().text("page.fault.bug")
    except Exception:  # noqa: BLE001  even the catalogue may be what is broken
        message = "An error of the server."
    return answer(ErrorAnswer(500, "bug", message).body(), 500)


async def components_fault(request: Request, error: Exception) -> Response:
    """The answer where what a table lays over our components does not fit them any more: each entry is named."""
    assert isinstance(error, SheetError)
    log_once("components", "components of %s do not fit: %s", shown_path(request.url.path), error.faults[0])
    who = viewer(request)
    lines = [fault_line(fault, who.language) for fault in error.faults[:FAULTS_TOLD]]
    message = who.catalogue().text("page.fault.components", detail="; ".join(lines))
    return fault_answer(request, ErrorAnswer(409, "components", message))


async def storage_fault(request: Request, error: Exception) -> Response:
    """The answer while the database stores nothing: full, read-only or away. Nothing of the request is stored."""
    log_once("storage", "the database cannot be used: %s", str(getattr(error, "orig", None) or error).splitlines()[0])
    message = anonymous_viewer(request).catalogue().text("page.fault.not_stored", seconds="10")
    denied = fault_answer(request, ErrorAnswer(503, "not_stored", message, {"retry_after": 10}))
    denied.headers["retry-after"] = "10"
    return denied
