"""Prices of beer: what a cube earns in a field of the market, by bottling lines on top, and for export (DO-BREW-30)."""

from __future__ import annotations

from trajekt.engine.components.schema import Sheet
from trajekt.engine.state import State
from trajekt.games.do.components import NEW, REGULAR, SEGMENTS, do_components
from trajekt.games.do.state import charter

CUSTOMERS = (REGULAR, NEW)


def by_income(sheet: Sheet) -> list[tuple[int, int]]:
    """All fields from the lowest income up, on a tie the lower segment first (DO-LINK-09)."""
    income = do_components(sheet).income
    fields = [(segment, customers) for segment in SEGMENTS for customers in CUSTOMERS]
    return sorted(fields, key=lambda each: (income[each[0]][each[1]], each[0]))


def price(state: State, segment: int, customers: int) -> int:
    """The price of a cube in a field, in Mark (DO-BREW-30)."""
    return do_components(state.sheet).income[segment][customers]


def bottling(state: State, brewery: str, number: int) -> int:
    """The bonus of an equipment's bottling lines on each cube delivered to Dortmund, in Mark (DO-X-09)."""
    known = do_components(state.sheet).markers
    return sum(known[m.code].revenue for m in charter(state, brewery).markers if m.bec == number and number)


def export_price(sheet: Sheet) -> int:
    """The price of a cube that goes onto a train, in Mark (DO-BREW-30)."""
    return do_components(sheet).export
