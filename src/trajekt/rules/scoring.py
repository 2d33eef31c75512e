"""The score: cash and shares at their prices, less twice each loan (COMMON-END-04)."""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.engine.title import Standing


def share_value(state: State, seat: int) -> int:
    """The value of a player's shares at the present prices, in Mark."""
    return sum(state.price(c.id) * c.percent(seat) // 10 for c in state.companies.values())


def standings(state: State, _ruleset: Ruleset | None = None) -> tuple[Standing, ...]:
    """All players, the highest score first; a bankrupt player comes after all others (RHL-BKR-04).

    Treasuries, trains, stations, charter shares and privates count nothing.
    """
    rows = []
    for seat, player in enumerate(state.players):
        if player.outside:
            continue
        shares, loans = share_value(state, seat), 2 * player.loans
        rows.append(Standing(seat, state.names[seat], player.cash, shares, loans, player.cash + shares - loans, 0))

    def key(row: Standing) -> tuple[bool, int]:
        return state.players[row.seat].bankrupt, -row.total

    rows.sort(key=lambda row: (*key(row), row.seat))
    return tuple(replace(row, rank=1 + sum(key(other) < key(row) for other in rows)) for row in rows)
