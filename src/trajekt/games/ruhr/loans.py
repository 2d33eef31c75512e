"""Loans of the bank to corporations that it runs, and their repayment (RUHR-BANKR-04, -07)."""

from __future__ import annotations

from trajekt.engine.agenda import Draft
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import DebtSet
from trajekt.engine.state import BANK


def lend(draft: Draft, company: CompanyId, amount: int) -> None:
    """The bank puts `amount` Mark into a treasury; it becomes debt."""
    if amount > 0:
        draft.pay(BANK, company, amount, "receivership")
        draft.emit(DebtSet(company, draft.state.companies[company].debt + amount))


def repay(draft: Draft, company_id: CompanyId) -> None:
    """As much debt as the treasury can pay, as soon as possible."""
    company = draft.state.companies[company_id]
    amount = min(company.debt, company.treasury)
    if amount > 0:
        draft.pay(company_id, BANK, amount, "debt")
        draft.emit(DebtSet(company_id, company.debt - amount))
