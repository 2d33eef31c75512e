"""The stock market: where a price marker goes from a space, and the moves.

A move that is impossible leaves the marker where it lies, in its place of the stack: no event, no new arrival.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from trajekt.engine.components.schema import CompanyId, Space, StockMarket
from trajekt.engine.events import PriceMoved
from trajekt.engine.ruleset import Draft

MarkerMove: TypeAlias = Callable[[StockMarket, Space], Space]


def _first(market: StockMarket, space: Space, *targets: Space) -> Space:
    return next((target for target in targets if market.cell(target) is not None), space)


def right_of(market: StockMarket, space: Space) -> Space:
    """One column right; at the right end of a row one row up (COMMON-MKT-02)."""
    row, column = space
    return _first(market, space, (row, column + 1), (row - 1, column))


def left_of(market: StockMarket, space: Space) -> Space:
    """One column left; at the left end of a row one row down (COMMON-MKT-02)."""
    row, column = space
    return _first(market, space, (row, column - 1), (row + 1, column))


def above(market: StockMarket, space: Space) -> Space:
    """One row up in the same column (COMMON-MKT-03)."""
    row, column = space
    return _first(market, space, (row - 1, column))


def below(market: StockMarket, space: Space) -> Space:
    """One row down in the same column (COMMON-MKT-03)."""
    row, column = space
    return _first(market, space, (row + 1, column))


def move(draft: Draft, company: CompanyId, step: MarkerMove, cause: str) -> None:
    """Move a corporation's marker; it comes to lie under those on the new space (COMMON-MKT-01)."""
    start = draft.state.markers.spaces[company]
    space = step(draft.sheet.market, start)
    if space != start:
        draft.emit(PriceMoved(company, space, cause))


def right(draft: Draft, company: CompanyId, cause: str) -> None:
    """Move a marker right."""
    move(draft, company, right_of, cause)


def left(draft: Draft, company: CompanyId, cause: str) -> None:
    """Move a marker left."""
    move(draft, company, left_of, cause)


def up(draft: Draft, company: CompanyId, cause: str) -> None:
    """Move a marker up."""
    move(draft, company, above, cause)


def down(draft: Draft, company: CompanyId, cause: str) -> None:
    """Move a marker down."""
    move(draft, company, below, cause)


def par_space(market: StockMarket, par: int) -> Space | None:
    """The par space of a price in Mark, None where there is none."""
    return next((space for space in market.par_spaces if market.price(space) == par), None)
