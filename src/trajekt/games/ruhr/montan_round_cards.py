"""Montan Round Cards: who founds first, and merges last (RUHR-SR-08, RUHR-MR-11)."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import Seat, State
from trajekt.games.ruhr.events import CardsDealt, LastMineLost
from trajekt.games.ruhr.montan_charters import active_mines
from trajekt.games.ruhr.state import ruhr_state


def by_mines(state: State) -> list[Seat]:
    """The owners of active pMCs, each by his lowest number."""
    owners = (state.privates[mine].owner for mine in active_mines(state))
    return list(dict.fromkeys(seat for seat in owners if seat is not None))


def deal_first(draft: Draft) -> None:
    """After the First Stock Round: owners by number, the others clockwise from the Priority Deal (RUHR-SR-08, Q06)."""
    state = draft.state
    deal(draft, (*by_mines(state), state.priority, *state.clockwise(state.priority)))


def deal_again(draft: Draft) -> None:
    """After a Montan Round: owners by number, then those who had no pMC before, then as they lost their last (RUHR-MR-11).

    Several who never had one keep the order of their old cards (Q53).
    """
    state = draft.state
    lost = ruhr_state(state).lost
    never = (seat for seat in ruhr_state(state).cards if seat not in lost)
    deal(draft, (*by_mines(state), *never, *lost))


def deal(draft: Draft, seats: Iterable[Seat]) -> None:
    """Card 1 to the first, and so on; each player once, nobody who has left the game (RUHR-BANKR-06)."""
    chosen = tuple(seat for seat in dict.fromkeys(seats) if not draft.state.players[seat].bankrupt)
    if chosen != ruhr_state(draft.state).cards:
        draft.emit(CardsDealt(chosen))


def note_last(draft: Draft, seat: Seat) -> None:
    """Remember when a player loses his last pMC."""
    if not any(draft.state.privates[mine].owner == seat for mine in active_mines(draft.state)):
        draft.emit(LastMineLost(seat))


def more_montan_rounds(state: State) -> bool:
    """Tell whether another Montan Round will follow: not once the end is announced (RUHR-MR-01, RUHR-MR-11)."""
    return not state.ending
