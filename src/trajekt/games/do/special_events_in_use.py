"""Special events in use: away from the turn of the brewery that uses them until its end (DO-X-21)."""

from __future__ import annotations

from typing import NamedTuple

from trajekt.engine.ruleset import Draft, Refusal
from trajekt.engine.state import State
from trajekt.games.do.events import EventMoved, EventsUsed
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import REMOVED, SHOWN, charter, do_state


class EventInUse(NamedTuple):
    """An event by its letter, and the brewery that uses it; a position holds it as `B7:C`."""

    brewery: str
    letter: str

    @classmethod
    def read(cls, text: str) -> EventInUse:
        """The event in use that a position names."""
        brewery, letter = text.split(":")
        return cls(brewery, letter)

    @property
    def text(self) -> str:
        """The name in a position."""
        return f"{self.brewery}:{self.letter}"


def event_not_held(state: State, brewery: str, letter: str, rule: str = "") -> Refusal:
    """Refusal of an event that a brewery does not hold; it names the one that it holds."""
    return because(WhyNot.EVENT_NOT_HELD, rule, company=brewery, letter=letter, name=charter(state, brewery).event)


def use_event(draft: Draft, brewery: str, letter: str) -> None:
    """Use an event: it is away until the end of the brewery's turn (DO-X-21)."""
    draft.emit(EventMoved(letter, brewery, REMOVED, "used"))
    _set_used(draft, [*used_events(draft.state), EventInUse(brewery, letter)])


def used_events(state: State) -> list[EventInUse]:
    """The events in use."""
    return [EventInUse.read(text) for text in do_state(state).used]


def events_back(draft: Draft, of: str = "") -> None:
    """Lay used events into the display again: those of a brewery whose turn ends, after a round all that are left."""
    used = used_events(draft.state)
    back = [each for each in used if not of or each.brewery == of]
    for each in back:
        draft.emit(EventMoved(each.letter, REMOVED, SHOWN, "back"))
    if back:
        _set_used(draft, [each for each in used if each not in back])


def _set_used(draft: Draft, used: list[EventInUse]) -> None:
    draft.emit(EventsUsed(tuple(each.text for each in used)))
