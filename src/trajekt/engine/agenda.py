"""The agenda: what is still to be done is state too. A `Draft` carries a position through one decision.

`emit` evolves at once. Reactions to the events of an effect run when the effect has returned, and each is settled with all
its consequences before the next, so the order of the ruleset is the order of effects. Then frames run by themselves until
one waits for somebody. An effect never waits: what must follow another's choice is pushed as a frame below it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trajekt.engine.components.schema import Sheet
from trajekt.engine.events import Event, FramePopped, FramePushed, FrameRemoved, GameEnded, Paid, TopReplaced
from trajekt.engine.evolve import evolve
from trajekt.engine.ruleset import Duty, Ruleset, View
from trajekt.engine.state import Account, Frame, Seat, State

LIMIT = 10_000  # events that one decision may cause; more means that two frames push each other for ever


class Draft:
    """A position under change and the events that changed it. `seat` is the actor, `-1` where nobody acted."""

    __slots__ = ("events", "ruleset", "seat", "state")

    def __init__(self, ruleset: Ruleset, state: State, seat: Seat = -1) -> None:
        self.ruleset = ruleset
        self.state = state
        self.seat = seat
        self.events: list[Event] = []

    @property
    def sheet(self) -> Sheet:
        return self.state.board.sheet

    @property
    def view(self) -> View:
        """The position as a check sees it: the actor and the frame on top."""
        return View(self.ruleset, self.state, self.seat, self.state.agenda[-1])

    def emit(self, event: Event) -> None:
        self.state = evolve(self.state, event, self.ruleset.own)
        self.events.append(event)

    def pay(self, source: Account, target: Account, amount: int, cause: str) -> None:
        """Move money; nothing is emitted for 0 Mark."""
        assert amount >= 0, (source, target, amount, cause)
        if amount:
            self.emit(Paid(source, target, amount, cause))

    def push(self, frame: Frame) -> None:
        self.emit(FramePushed(frame))

    def pop(self) -> None:
        self.emit(FramePopped())

    def replace_top(self, frame: Frame, skipped: tuple[str, ...] = ()) -> None:
        """Give the frame on top other values."""
        self.emit(TopReplaced(frame, skipped))

    def purge(self, unwanted: Callable[[Frame], bool]) -> None:
        """Take away every frame that is unwanted, wherever it lies."""
        for at in range(len(self.state.agenda) - 1, -1, -1):
            if unwanted(self.state.agenda[at]):
                self.emit(FrameRemoved(at))

    def end(self, reason: str) -> None:
        self.emit(GameEnded(reason))


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
