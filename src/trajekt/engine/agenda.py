"""The agenda: what is still to be done is state too, a stack of frames.

Reactions to the events of an effect run when the effect has returned, and each is settled with all
its consequences before the next, so the order of the ruleset is the order of effects. Then frames run by themselves until
one waits for somebody. An effect never waits: what must follow another's choice is pushed as a frame below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.engine.ruleset import Draft, Duty, Ruleset
from trajekt.engine.state import Seat, State

LIMIT = 10_000  # events that one decision may cause; more means that two frames push each other for ever


def settle(draft: Draft, start: int) -> None:
    """Run the reactions to the events since `start`, each with all its consequences before the next."""
    table = draft.ruleset.table
    for event in draft.events[start:]:
        for reaction in table.get(type(event), ()):
            mark = len(draft.events)
            reaction.run(draft, event)
            if len(draft.events) > mark:
                settle(draft, mark)


def run(draft: Draft) -> None:
    """Let frames run by themselves until one waits for somebody, or the game has ended."""
    while draft.state.agenda:
        frame = draft.state.agenda[-1]
        duty = draft.ruleset.duties[type(frame)]
        if duty.run is None:
            return
        mark = len(draft.events)
        duty.run(draft, frame)
        if len(draft.events) == mark:
            return
        settle(draft, mark)
        assert len(draft.events) < LIMIT, [type(f).__name__ for f in draft.state.agenda]


def duty_of(ruleset: Ruleset, state: State) -> Duty | None:
    """The duty of the frame on top, None once the game has ended."""
    return ruleset.duties[type(state.agenda[-1])] if state.agenda else None


def awaited(ruleset: Ruleset, state: State) -> Sequence[Seat]:
    """The seats whose decision is awaited, empty once the game has ended."""
    duty = duty_of(ruleset, state)
    return tuple(duty.who(state, state.agenda[-1])) if duty is not None else ()
