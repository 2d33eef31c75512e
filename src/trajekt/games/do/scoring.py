"""The score: cash, certificates at their value, the printed price of a minor, less twice the credits (DO-END-02, -04).

In the Introduction Game, which has no shares, a player's score is the money of his railway (DO-INTRO-04).
"""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.state import Seat, State
from trajekt.engine.title import Standing
from trajekt.rules.scoring import share_value


def breweries_at_print(state: State, seat: Seat) -> int:
    """The printed prices of a player's minor, or private breweries, still in play, in Mark."""
    owned = (number for number, private in state.privates.items() if private.owner == seat and private.open)
    return sum(state.sheet.privates[number].price for number in owned)


def own_railway(state: State, seat: Seat) -> int:
    """The money of a player's railway where that counts (DO-INTRO-04), in Mark; its trains count nothing."""
    if "introduction" not in state.sheet.own:
        return 0
    return sum(company.treasury for company in state.companies.values() if company.director == seat)


def standings(state: State) -> tuple[Standing, ...]:
    """All players, the highest score first; equal scores share their rank (DO-END-03). A minor counts among the shares."""
    rows = []
    for seat, player in enumerate(state.players):
        cash = player.cash + own_railway(state, seat)
        shares = share_value(state, seat) + breweries_at_print(state, seat)
        owed = 2 * player.loans
        rows.append(Standing(seat, state.names[seat], cash, shares, owed, cash + shares - owed, 0))
    rows.sort(key=lambda row: (-row.total, row.seat))
    return tuple(replace(row, rank=1 + sum(other.total > row.total for other in rows)) for row in rows)
