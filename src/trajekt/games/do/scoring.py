"""The score: cash, certificates at their value, the printed price of a minor, less twice the credits (DO-END-02, -04)."""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.model import State
from trajekt.engine.title import Standing
from trajekt.games.do.parts import parts
from trajekt.games.do.record import minor_of
from trajekt.rules.scoring import share_value


def standings(state: State) -> tuple[Standing, ...]:
    """All players, the highest score first; equal scores share their rank (DO-END-03). A minor counts among the shares."""
    rows = []
    for seat, player in enumerate(state.players):
        minor = minor_of(state, seat)
        shares = share_value(state, seat) + (parts(state.sheet).minors[minor].price if minor else 0)
        owed = 2 * player.loans
        rows.append(Standing(seat, state.names[seat], player.cash, shares, owed, player.cash + shares - owed, 0))
    rows.sort(key=lambda row: (-row.total, row.seat))
    return tuple(replace(row, rank=1 + sum(other.total > row.total for other in rows)) for row in rows)
