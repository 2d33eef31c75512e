"""Loans of the bank to corporations that it runs, and their repayment (RUHR-BANKR-04, -07)."""

from __future__ import annotations

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import DebtSet, Paid
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import BANK
from trajekt.games.ruhr.forced_purchase_funds import Shortage


def lend(draft: Draft, company: CompanyId, amount: int) -> None:
    """The bank puts `amount` Mark into a treasury; it becomes debt."""
    if amount > 0:
        draft.pay(BANK, company, amount, "receivership")
        draft.emit(DebtSet(company, draft.state.companies[company].debt + amount))


def repay(draft: Draft, payment: Paid) -> None:
    """As much debt as the treasury can pay, as soon as money moves; not before a purchase under way is made."""
    if any(isinstance(frame, Shortage) for frame in draft.state.agenda):
        return
    for account in (payment.source, payment.target):
        company = draft.state.companies.get(str(account))
        amount = min(company.debt, company.treasury) if company is not None else 0
        if company is not None and amount > 0:
            draft.pay(company.id, BANK, amount, "debt")
            draft.emit(DebtSet(company.id, company.debt - amount))


LOANS_REPAID = Reaction(Paid, ("RUHR-BANKR-04", "RUHR-BANKR-07"), repay)
