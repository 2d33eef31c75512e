"""Moves of value tokens: on rows, one for railways and one for brewery corporations, left of the lowest value "bankrupt".

A token that arrives on a space, or stays after a dividend, goes beneath the others there (DO-REV-07, DO-SR-31). The Railway
Game has a field in two dimensions instead (DO-TRG-03).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trajekt.engine.components.schema import CompanyId, Sheet, Space
from trajekt.engine.events import ParSet, PriceMoved
from trajekt.engine.ruleset import Draft
from trajekt.games.do.components import do_components, is_railway
from trajekt.games.do.events import ValueLost
from trajekt.games.do.options import DoOptions
from trajekt.rules import stock_market

RIGHT_TWICE = 3  # times the value


@dataclass(frozen=True, slots=True)
class ValuePolicy:
    """Places of value tokens: `space` of a corporation's value, None where there is none; one space `left`, one `right`."""

    space: Callable[[Sheet, CompanyId, int], Space | None]
    left: Callable[[Draft, CompanyId, str], None]
    right: Callable[[Draft, CompanyId, str], None]


def row_of(sheet: Sheet, company: CompanyId) -> int:
    """The row of a corporation."""
    return 1 if is_railway(sheet, company) else 2


def space_of(sheet: Sheet, company: CompanyId, value: int) -> Space | None:
    """The space of a value in a corporation's row, None where there is none."""
    row = row_of(sheet, company)
    cells = sheet.market.rows[row - 1]
    return next(((row, at) for at, cell in enumerate(cells, 1) if cell is not None and cell.price == value), None)


def start_values(sheet: Sheet, company: CompanyId, colour: str) -> tuple[int, ...]:
    """The coloured values of the present or an earlier phase at which a corporation may be founded (DO-SR-30)."""
    kind = str(sheet.companies[company].own["kind"])
    found = do_components(sheet).start_values[kind]
    known = {v for of, values in found.items() if sheet.rank(of) <= sheet.rank(colour) for v in values}
    return tuple(sorted(known.intersection(sheet.market.par)))


def begin(draft: Draft, company: CompanyId, value: int) -> None:
    """Put the token of a new corporation beneath those on its start value (DO-SR-31)."""
    space = draft.ruleset.policy(ValuePolicy).space(draft.sheet, company, value)
    assert space is not None, (company, value)
    draft.emit(ParSet(company, value))
    draft.emit(PriceMoved(company, space, "par"))


def left(draft: Draft, company: CompanyId, cause: str) -> None:
    """One space left, as the game has it."""
    draft.ruleset.policy(ValuePolicy).left(draft, company, cause)


def right(draft: Draft, company: CompanyId, cause: str) -> None:
    """One space right, as the game has it."""
    draft.ruleset.policy(ValuePolicy).right(draft, company, cause)


def left_in_row(draft: Draft, company: CompanyId, cause: str) -> None:
    """One space left; from the lowest value into "bankrupt" (DO-BANKR-01). Nothing once it is there."""
    space = draft.state.markers.spaces.get(company)
    if space is None:
        return
    if space[1] == 1:
        draft.emit(ValueLost(company, cause))
    else:
        draft.emit(PriceMoved(company, (space[0], space[1] - 1), cause))


def right_in_row(draft: Draft, company: CompanyId, cause: str) -> None:
    """One space right; on the last space it stays, beneath the others (DO-REV-06)."""
    row, column = draft.state.markers.spaces[company]
    last = len(draft.sheet.market.rows[row - 1])
    draft.emit(PriceMoved(company, (row, min(column + 1, last)), cause))


def after_income(draft: Draft, company: CompanyId, amount: int, *, paid_out: bool) -> None:
    """Withheld or no income one left; paid less than the value none; three times the value two right, else one (DO-REV-05)."""
    value = draft.state.price(company)
    compared = amount if draft.ruleset.policy(DoOptions).dividend_compared == "total" else amount // 10
    if not paid_out or not amount:
        left(draft, company, "withhold" if amount else "no_revenue")
    elif compared < value:
        draft.emit(PriceMoved(company, draft.state.markers.spaces[company], "below_price"))
    else:
        right(draft, company, "dividend")
        if compared >= RIGHT_TWICE * value:
            right(draft, company, "dividend")


ROWS = ValuePolicy(space_of, left_in_row, right_in_row)
FIELD = ValuePolicy(
    lambda sheet, _company, value: stock_market.par_space(sheet.market, value), stock_market.left, stock_market.right
)
"""The field of the Railway Game: at the left edge a token goes down, at the right edge up (DO-TRG-03)."""
