"""The end of the game by its bank, which cannot pay in full.

Money that the bank gets back in the same action does not break it: it lends for a train, or buys the certificate that covers
the price, and is paid that price at once (INV-01).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import BANK, State
from trajekt.rules.forced_purchase import price_to_come
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.stock_round import StockRound

LENT = frozenset({"loan", "receivership", "forced"})
"""Causes of payments by the bank towards a train that is paid to the bank in the same action."""


@dataclass(frozen=True, slots=True)
class BankPolicy:
    """A policy: what counts as money of the bank, in Mark, besides its own; without it nothing does.

    `sales_break`: a forced sale may break the bank although the price of the train that it covers comes back at once.
    """

    besides: Callable[[State], int]
    sales_break: bool = False


def bank_then(draft: Draft, payment: Paid) -> int:
    """The bank's balance right after a payment of this decision, in Mark."""
    policy = draft.ruleset.by_type.get(BankPolicy)
    balance = draft.state.bank + (policy.besides(draft.state) if isinstance(policy, BankPolicy) else 0)
    for event in reversed(draft.events):
        if event is payment:
            break
        if isinstance(event, Paid):
            balance += (event.source == BANK) * event.amount - (event.target == BANK) * event.amount
    return balance


def paid_for_sale(draft: Draft, payment: Paid) -> int:
    """The price of a train that comes back with the certificates of a forced sale which cover it, in Mark (COMMON-FOR-04)."""
    policy = draft.ruleset.by_type.get(BankPolicy)
    if payment.cause != "sale" or (isinstance(policy, BankPolicy) and policy.sales_break):
        return 0
    return price_to_come(draft.ruleset, draft.state)


def repaid_at_once(draft: Draft, payment: Paid) -> int:
    """The debt that a company repays out of its income in the same action, in Mark: done by now, or to be done (RHL-BKR-03)."""
    company = draft.state.companies.get(payment.target) if isinstance(payment.target, str) else None
    if company is None or payment.cause not in ("withhold", "dividend"):
        return 0
    later = takewhile(lambda event: event is not payment, reversed(draft.events))
    repaid = sum(e.amount for e in later if isinstance(e, Paid) and e.source == company.id and e.cause == "debt")
    return repaid + min(company.debt, company.treasury)


def break_bank(draft: Draft, payment: Paid) -> None:
    """A payment that the bank could not make in full decides when the game ends; it pays on (COMMON-END-01, -02, -03)."""
    state = draft.state
    if payment.source != BANK or payment.cause in LENT or state.ending or not state.agenda:
        return
    if bank_then(draft, payment) + repaid_at_once(draft, payment) + paid_for_sale(draft, payment) >= 0:
        return
    kinds = {type(frame) for frame in state.agenda}
    draft.emit(EndTriggered("sr" if StockRound in kinds and OperatingRound not in kinds else "or"))


BANK_BREAKS = Reaction(Paid, ("COMMON-END-01", "COMMON-END-02", "COMMON-END-03"), break_bank)
