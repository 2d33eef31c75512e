"""The score: certificates at their values, owned pMCs at their prices, less levies that are owed (RUHR-END-05)."""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.state import Seat, State
from trajekt.engine.title import Standing
from trajekt.games.ruhr.montan_charters import mines_of
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules.stock_round import worth


def worth_of(state: State, seat: Seat) -> int:
    """Certificates at their values, and each pMC still owned at its price (RUHR-END-05, Q55)."""
    shares = sum(worth(state, c.id, c.percent(seat)) for c in state.companies.values() if c.percent(seat))
    return shares + sum(ruhr_state(state).worth[mine] for mine in mines_of(state, seat))


def standings(state: State) -> tuple[Standing, ...]:
    """All players, the highest score first; equal scores share a place (Q56), a bankrupt player comes last."""
    rows = []
    for seat, player in enumerate(state.players):
        shares, owed = worth_of(state, seat), ruhr_state(state).owed.get(seat, 0)
        total = 0 if player.bankrupt else player.cash + shares - owed
        rows.append(Standing(seat, state.names[seat], player.cash, shares, owed, total, 0))

    def key(row: Standing) -> tuple[bool, int]:
        return state.players[row.seat].bankrupt, -row.total

    rows.sort(key=lambda row: (*key(row), row.seat))
    return tuple(replace(row, rank=1 + sum(key(other) < key(row) for other in rows)) for row in rows)
