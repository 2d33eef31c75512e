"""Setting 18Rhl up: capital, mine and mill, the certificates of the package, homes, and what the second edition lays out.

Certificates, trains and phase are as the box holds them (`blank`: COMMON-SET-12, COMMON-SET-13), the package as the component
sheet has it (RHL-AUC-03); the number of players is judged at the start (COMMON-SET-01).
"""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.events import IconPlaced, NumberDrawn
from trajekt.engine.ruleset import Draft, DrawNumber
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.rhe_founding import RHE, lay_out_pool
from trajekt.rules.floating import set_par
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.setup import lay_homes, lay_package, pay_capital, reserve_homes

LOCATION = "location"
"""The table of the rows by which the mine and the mill are drawn (RHL-SET-04)."""

_SetUp = Callable[[Draft, DrawNumber], None]


def first_edition(options: RhlOptions) -> _SetUp:
    """The set-up of the first edition: homes are reserved places only (RHL-SET-07, RHL-SET-11)."""

    def set_up(draft: Draft, draw: DrawNumber) -> None:
        _shared(draft, draw, options)
        reserve_homes(draft)
        draft.push(Rounds())

    return set_up


def second_edition(options: RhlOptions) -> _SetUp:
    """The set-up of the second edition: homes lie face down, and the RhE is laid out (RHL-SET-06, COMMON-SET-10)."""

    def set_up(draft: Draft, draw: DrawNumber) -> None:
        _shared(draft, draw, options)
        lay_homes(draft)
        set_par(draft, RHE, draft.sheet.companies[RHE].start_value, "set_up")
        lay_out_pool(draft, "set_up")
        draft.push(Rounds())

    return set_up


def _shared(draft: Draft, draw: DrawNumber, options: RhlOptions) -> None:
    pay_capital(draft)
    place_industries(draft, options.location or draw("location", len(draft.sheet.draws)) + 1)
    lay_package(draft)


def place_industries(draft: Draft, number: int) -> None:
    """Lay one coal mine and one steel mill where the drawn row of the table says (RHL-SET-04)."""
    row = next(row for row in draft.sheet.draws if row.number == number)
    draft.emit(NumberDrawn(LOCATION, number))
    for icon, at in row.icons.items():
        draft.emit(IconPlaced(at, icon))
