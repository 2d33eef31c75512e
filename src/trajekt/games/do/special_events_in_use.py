"""Special events in use: away from the turn of the brewery that uses them until its end (DO-X-21)."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.do.events import EventMoved, EventsUsed
from trajekt.games.do.state import REMOVED, SHOWN, do_state


def use_event(draft: Draft, brewery: str, letter: str) -> None:
    """Use an event: it is away until the end of the brewery's turn (DO-X-21)."""
    draft.emit(EventMoved(letter, brewery, REMOVED, "used"))
    draft.emit(EventsUsed((*do_state(draft.state).used, f"{brewery}:{letter}")))


def used_events(state: State) -> list[tuple[str, str]]:
    """The events in use, as brewery and letter."""
    return [(brewery, letter) for brewery, _, letter in (name.partition(":") for name in do_state(state).used)]


def events_back(draft: Draft, of: str = "") -> None:
    """Lay used events into the display again: those of a brewery whose turn ends, after a round all that are left."""
    used = used_events(draft.state)
    back = [(brewery, letter) for brewery, letter in used if not of or brewery == of]
    for _brewery, letter in back:
        draft.emit(EventMoved(letter, REMOVED, SHOWN, "back"))
    if back:
        draft.emit(
            EventsUsed(tuple(f"{brewery}:{letter}" for brewery, letter in used if (brewery, letter) not in back))
        )
