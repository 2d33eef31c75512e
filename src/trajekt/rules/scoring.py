"""The score: cash and shares at their prices, less twice each loan (COMMON-END-04)."""

from __future__ import annotations

import msgspec

from trajekt.engine.model import State
from trajekt.engine.rule import Ruleset


class Standing(msgspec.Struct, frozen=True):
    """A player's score in Mark, `loans` being what is deducted, and his place; equal scores share one."""

    seat: int
    cash: int
    shares: int
    loans: int
    total: int
    rank: int = 0


def share_value(state: State, seat: int) -> int:
    """What a player's shares are worth at the present prices, in Mark."""
    return sum(state.price(c.id) * c.percent(seat) // 10 for c in state.companies.values())


def standings(state: State, _ruleset: Ruleset | None = None) -> tuple[Standing, ...]:
    """All players, the highest score first; a bankrupt player comes after all others (RHL-BKR-04).

    Treasuries, trains, stations, charter shares and privates count nothing.
    """
    rows = []
    for seat, player in enumerate(state.players):
        shares, loans = share_value(state, seat), 2 * player.loans
        rows.append(Standing(seat, player.cash, shares, loans, player.cash + shares - loans))

    def key(row: Standing) -> tuple[bool, int]:
        return state.players[row.seat].bankrupt, -row.total

    rows.sort(key=lambda row: (*key(row), row.seat))
    return tuple(
        msgspec.structs.replace(row, rank=1 + sum(key(other) < key(row) for other in rows)) for row in rows
    )
