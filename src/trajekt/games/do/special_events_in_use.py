"""Special events in use: away from the turn of the brewery that uses them until its end (DO-X-21)."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft, Refusal
from trajekt.engine.state import State
from trajekt.games.do.events import EventMoved, EventsUsed
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import REMOVED, SHOWN, EventInUse, charter, do_state


def event_not_held(state: State, brewery: str, letter: str, rule: str = "") -> Refusal:
    """Refusal of an event that a brewery does not hold; it names the one that it holds."""
    return because(WhyNot.EVENT_NOT_HELD, rule, company=brewery, letter=letter, name=charter(state, brewery).event)


def use_event(draft: Draft, brewery: str, letter: str) -> None:
    """Use an event: it is away until the end of the brewery's turn (DO-X-21)."""
    draft.emit(EventMoved(letter, brewery, REMOVED, "used"))
    draft.emit(EventsUsed((*do_state(draft.state).used, EventInUse(brewery, letter))))


def events_back(draft: Draft, of: str = "") -> None:
    """Lay used events into the display again: those of a brewery whose turn ends, after a round all that are left."""
    used = do_state(draft.state).used
    back = [each for each in used if not of or each.brewery == of]
    for each in back:
        draft.emit(EventMoved(each.letter, REMOVED, SHOWN, "back"))
    if back:
        draft.emit(EventsUsed(tuple(each for each in used if each not in back)))
