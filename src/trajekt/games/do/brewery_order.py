"""The brewery order: made anew after the last brewery's turn (DO-ORDER-10 to -13)."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.do.events import OrderSet
from trajekt.games.do.state import Slot, breweries, charter

DEPTH = 2
"""The number of pieces of equipment compared (DO-ORDER-11)."""


def strength(state: State, brewery: str) -> tuple[int, ...]:
    """The highest and the second highest type, turned ones too; what is not there counts 0 (DO-ORDER-11, DO-ORDER-12)."""
    kinds = sorted((int(bec.kind) for bec in charter(state, brewery).becs), reverse=True)
    return tuple((*kinds, *(0,) * DEPTH)[:DEPTH])


def sorted_order(state: State) -> tuple[str, ...]:
    """The breweries as the new order will have them; equals keep their sequence (DO-ORDER-10)."""
    return tuple(sorted(breweries(state), key=lambda name: strength(state, name), reverse=True))


def make_order(draft: Draft) -> None:
    """Make the new order; reserved places lapse (DO-FLOAT-03)."""
    draft.emit(OrderSet(tuple(Slot(name) for name in sorted_order(draft.state)), "equipment"))


def one_forward(draft: Draft, brewery: str) -> None:
    """Move a brewery one place forward (DO-X-27)."""
    order = list(breweries(draft.state))
    at = order.index(brewery)
    if at:
        order[at - 1], order[at] = order[at], order[at - 1]
        draft.emit(OrderSet(tuple(Slot(name) for name in order), "marketing"))
