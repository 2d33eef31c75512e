"""The end of the game: a bank that runs out is refilled, or announces the end (section 20 of the rule sheet)."""

from __future__ import annotations

from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import BANK
from trajekt.games.ruhr.events import BankRefilled
from trajekt.games.ruhr.forced_purchase_funds import price_to_come
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules.operating_round import OperatingRound

REFILL = 600


def watch_bank(draft: Draft, payment: Paid) -> None:
    """In an OR of brown an empty bank announces the end, elsewhere it is refilled (RUHR-END-01, -04, -06).

    One balance decides both: that after all payments of the action, so that what the bank pays to itself breaks nothing, nor
    what it pays for a certificate that covers a forced purchase.
    """
    state = draft.state
    if payment.source != BANK or state.extra is None or state.ending == "bank":
        return
    if state.bank + price_to_come(state) + ruhr_state(state).refilled > 0:
        return
    operating = any(isinstance(frame, OperatingRound) for frame in state.agenda)
    if operating and state.current_phase.colour == "brown" and not state.ending:
        draft.emit(EndTriggered("bank"))
        return
    while draft.state.bank + price_to_come(draft.state) + ruhr_state(draft.state).refilled <= 0:
        refill(draft)


def refill(draft: Draft) -> None:
    """A refill of 600 is counted; as a levy each player pays his part, and what he cannot pay is counted (Q54, Q63)."""
    state = draft.state
    if draft.ruleset.policy(RuhrOptions).bank_refill != "levy":
        draft.emit(BankRefilled(REFILL))
        return
    seats = [seat for seat, player in enumerate(state.players) if not player.bankrupt]
    part = REFILL // len(seats)
    owed = {seat: part - state.players[seat].cash for seat in seats if state.players[seat].cash < part}
    for seat in seats:
        draft.pay(seat, BANK, min(part, state.players[seat].cash), "levy")
    draft.emit(BankRefilled(sum(owed.values()), owed))


BANK_WATCHED = Reaction(Paid, ("RUHR-END-01", "RUHR-END-04", "RUHR-END-06"), watch_bank)
