"""What ends the game: the bank that cannot pay in full."""

from __future__ import annotations

from trajekt.engine.agenda import Draft
from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.ruleset import Reaction
from trajekt.engine.state import BANK
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.stock_round import StockRound


def bank_then(draft: Draft, payment: Paid) -> int:
    """The bank's balance right after a payment of this decision, in Mark."""
    balance = draft.state.bank
    for event in reversed(draft.events):
        if event is payment:
            break
        if isinstance(event, Paid):
            balance += (event.source == BANK) * event.amount - (event.target == BANK) * event.amount
    return balance


def break_bank(draft: Draft, payment: Paid) -> None:
    """A payment that the bank could not make in full decides when the game ends; it pays on (COMMON-END-01, -02, -03)."""
    state = draft.state
    if payment.source != BANK or state.ending or not state.agenda or bank_then(draft, payment) >= 0:
        return
    kinds = {type(frame) for frame in state.agenda}
    draft.emit(EndTriggered("sr" if StockRound in kinds and OperatingRound not in kinds else "or"))


BANK_BREAKS = Reaction(Paid, ("COMMON-END-01", "COMMON-END-02", "COMMON-END-03"), break_bank)
