"""Steps that a turn went through without asking anybody, each as it stood when it was left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trajekt.engine.decisions import fold
from trajekt.engine.events import Event
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State


def named(state: State) -> tuple[str, str] | None:
    """Whose turn lies on top and in which step; None where no turn does."""
    top = state.agenda[-1] if state.agenda else None
    whose = getattr(top, "company", "") or getattr(top, "brewery", "") or getattr(top, "works", "")
    step = getattr(top, "step", "")
    return (whose, step) if whose and step else None


def passed_steps(ruleset: Ruleset, before: State, events: Iterable[Event]) -> Iterator[tuple[str, str, State]]:
    """Whose step, which, and the last position in it, of each step that began and was left within one decision."""
    state, found = before, None
    started: set[tuple[str, str]] = set()
    begun_with = named(before)
    for event in events:
        after = fold(ruleset, state, (event,))
        now = named(after)
        if now is not None and now != begun_with:
            started.add(now)
        found = named(state)
        if found is not None and found != now and found in started:
            yield (*found, state)
        state = after
