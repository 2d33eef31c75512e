"""Forced purchases in games recorded at the public site (CMP-34, CMP-49)."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.actions import SellShares
from trajekt.engine.ruleset import Code, Draft, Refusal, View, check, refuse
from trajekt.engine.state import DISPLAY
from trajekt.games.rhl.compat_stock import DIRECTORS
from trajekt.rules.bankruptcy import bank_completes
from trajekt.rules.directorship import directors_certificate, plan_sale
from trajekt.rules.forced_purchase import (
    FORCED_SALE_OPERATED,
    ForcedPolicy,
    ForcedPurchase,
    cheapest_of_all,
    forced,
    missing,
    operating_only,
)
from trajekt.rules.trains import on_display


def bank_completes_new(draft: Draft, frame: ForcedPurchase) -> None:
    """The bank completes the purchase; of trains of one kind it gives that of the display (CMP-35).

    The site has no entry for the train of a bankrupt, so it does not follow what he had chosen.
    """
    if frame.train in on_display(draft.state):
        frame = replace(frame, source=DISPLAY)
    bank_completes(draft, frame)


FORCED_COMPAT = ForcedPolicy(  # CMP-34
    rule="RHL-FOR-01",
    sale_rule="RHL-FOR-01",
    trains=cheapest_of_all,
    rungs=("treasury", "cash", "own"),
    keeps=operating_only,
    bank=bank_completes_new,
)


@check("RHL-FOR-01", "CMP-49")
def no_certificate_than_needed(view: View, action: SellShares) -> Refusal | None:
    """Refuse more certificates than needed; a director's certificate that goes whole is one of them (CMP-49)."""
    company = view.company(action.company)
    sale = plan_sale(view.state, DIRECTORS, view.seat, company, action.percent)
    if isinstance(sale, Refusal):
        return sale
    directors = company.certificates[directors_certificate(company)].percent
    whole = sale.successor is not None and action.percent >= directors
    least = directors if whole else min(company.certificates[number].percent for number in sale.sold)
    frame = forced(view)
    if view.state.price(action.company) * (action.percent - least) // 10 >= missing(view.state, frame):
        return refuse(Code.MORE_THAN_NEEDED)
    return None


FORCED_SALE_COMPAT = FORCED_SALE_OPERATED.derive(replaced={"no_more_than_needed": no_certificate_than_needed})
