"""Capital in the first edition: corporations float at once and are paid at the end of the stock round."""

from __future__ import annotations

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import StatusSet
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, POOL
from trajekt.games.rhl.rhe_founding import RHE, OpeningPolicy
from trajekt.rules import stock_market
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.floating import SHARE, FloatPolicy, late, shares, unsold_to


def mark_due(draft: Draft, company_id: CompanyId) -> None:
    """Count it as floated now; its capital waits for the end of the round (RHL-FLT-03)."""
    draft.emit(StatusSet(company_id, "due"))


def pay_due(draft: Draft, company_id: CompanyId) -> None:
    """Par for the shares sold up to floating, then one space up (RHL-FLT-03).

    For the RhE those are the two of its director's certificate, unless its treasury has the price paid for it (RHL-AUC-14).

    In the brown or grey phase ten times the price less what buyers have paid in since floating, the rest to the pool,
    and the marker stays (RHL-FLT-05). The treasury of a corporation that has not operated holds just those payments.
    """
    company = draft.state.companies[company_id]
    if company_id == RHE:
        if not draft.ruleset.policy(OpeningPolicy).price_paid:
            size = company.certificates[directors_certificate(company)].percent
            draft.pay(BANK, company_id, shares(size) * company.par, "capital")
        stock_market.up(draft, company_id, "floated")
    elif late(draft.state):
        unsold_to(draft, company_id, POOL)
        draft.pay(BANK, company_id, 100 // SHARE * draft.state.price(company_id) - company.treasury, "capital")
    else:
        draft.pay(BANK, company_id, sold_at_floating(draft, company_id) * company.par, "capital")
        stock_market.up(draft, company_id, "floated")


def sold_at_floating(draft: Draft, company_id: CompanyId) -> int:
    """The shares sold when it floated: certificates come in steps that meet the mark exactly (COMMON-FLT-01)."""
    return shares(draft.sheet.companies[company_id].float_percent)


AT_END = FloatPolicy(mark_due, pay_due)
