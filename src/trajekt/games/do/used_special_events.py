"""A special event that is used (DO-X-21)."""

from __future__ import annotations

from trajekt.engine.agenda import Draft
from trajekt.games.do.events import EventMoved, EventsUsed
from trajekt.games.do.state import REMOVED, do_state


def spend_event(draft: Draft, brewery: str, letter: str) -> None:
    """An event is used: it is away until the end of the brewery's turn (DO-X-21)."""
    draft.emit(EventMoved(letter, brewery, REMOVED, "used"))
    draft.emit(EventsUsed((*do_state(draft.state).used, f"{brewery}:{letter}")))
