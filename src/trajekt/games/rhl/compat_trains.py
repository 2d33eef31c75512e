"""Trains, forced purchases and bankruptcy in games recorded at the public site (CMP-33 to CMP-36)."""

from __future__ import annotations

from trajekt.engine.actions import DeclareBankruptcy, SellShares
from trajekt.engine.agenda import Draft
from trajekt.engine.decisions import candidates
from trajekt.engine.ruleset import Code, Refusal, Ruleset, View, check, refuse
from trajekt.engine.state import Seat, State
from trajekt.rules.bankruptcy import DECLARE_BANKRUPTCY, BankruptcyPolicy, bank_completes
from trajekt.rules.forced_purchase import ForcedPolicy, ForcedPurchase, cheapest_of_all, missing, operating_only
from trajekt.rules.stock_round import sell
from trajekt.rules.trains import TrainPolicy

TRAINS_COMPAT = TrainPolicy()  # CMP-33

FORCED_COMPAT = ForcedPolicy(  # CMP-34
    rule="RHL-FOR-01",
    sale_rule="RHL-FOR-01",
    trains=cheapest_of_all,
    rungs=("treasury", "cash", "own"),
    keeps=operating_only,
    bank=bank_completes,
)


def largest_sale(ruleset: Ruleset, state: State, seat: Seat) -> SellShares | None:
    """The largest block that a director may still sell, None where there is none."""
    blocks = [
        choice.action
        for rule, view, choice in candidates(ruleset, state, seat)
        if isinstance(choice.action, SellShares) and rule.first_refusal(view, choice.action) is None
    ]
    return max(blocks, key=lambda action: action.percent, default=None)


def sell_all(draft: Draft) -> None:
    """Make every sale that is legal, each moving its price."""
    while (action := largest_sale(draft.ruleset, draft.state, draft.seat)) is not None:
        sell(draft, draft.seat, action.company, action.percent)


@check("RHL-BKR-01")
def sales_do_not_suffice(view: View, _action: DeclareBankruptcy) -> Refusal | None:
    """All that may be sold would not cover the price (CMP-35)."""
    trial = Draft(view.ruleset, view.state, view.seat)
    sell_all(trial)
    frame = trial.state.agenda[-1]
    assert isinstance(frame, ForcedPurchase)
    return None if missing(trial.state, frame) else refuse(Code.CAN_STILL_PAY)


DECLARE_COMPAT = DECLARE_BANKRUPTCY.but(without=("nothing_to_sell",), also=(sales_do_not_suffice,))
BANKRUPTCY_COMPAT = BankruptcyPolicy(carries=False, lends=False, first=sell_all)
