"""Faults of requests, as status and one shape of answer: `{"error": {"code", "message", ...}}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trajekt.game import Refused
from trajekt.i18n.sentences import refusal_line
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.denials import DeniedError
from trajekt.server.presenters.game_log import since
from trajekt.server.services.table_service import NothingToUndoError, TableService, UnreadableError
from trajekt.server.storage.game_cache import StaleSubmissionError, UnknownTableError


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


TOLD = 30
"""The number of newest entries that an answer of 409 tells; `entries.json` has all."""
EXPECTED = (UnreadableError, StaleSubmissionError, Refused, UnknownTableError, NothingToUndoError, DeniedError)


def fault_of(error: Exception, table: TableService, viewer: Viewer, id_: str = "") -> ErrorAnswer:
    """The answer to one of `EXPECTED`: unreadable 400, no such table 404, stale 409, refused 422."""
    say = viewer.catalogue()
    if isinstance(error, UnreadableError):
        key = say.first(f"page.fault.{error.code}", "page.fault.unreadable")
        detail = str(error) if error.record is None else error.record.sentence(say.language)
        return ErrorAnswer(400, "unreadable", say.text(key, detail=detail), {"path": error.path, "detail": str(error)})
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
