"""Bankruptcy and the bank in games recorded at the public site (CMP-35, CMP-47)."""

from __future__ import annotations

from trajekt.engine.actions import DeclareBankruptcy, SellShares
from trajekt.engine.decisions import candidates
from trajekt.engine.ruleset import Code, Draft, Refusal, Ruleset, View, check, refuse
from trajekt.engine.state import Seat, State
from trajekt.rules.bankruptcy import DECLARE_BANKRUPTCY, BankruptcyPolicy
from trajekt.rules.forced_purchase import (
    ForcedPurchase,
    missing,
)
from trajekt.rules.game_end import BankPolicy
from trajekt.rules.share_sales import sell


def debts(state: State) -> int:
    """Return what companies owe the bank, in Mark: at the site a negative treasury, so the bank's own (CMP-47)."""
    return sum(company.debt for company in state.companies.values())


BANK_COMPAT = BankPolicy(debts, sales_break=True)


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
    """Refuse it while all that may be sold would cover the price (CMP-35)."""
    trial = Draft(view.ruleset, view.state, view.seat)
    sell_all(trial)
    frame = trial.state.agenda[-1]
    assert isinstance(frame, ForcedPurchase)
    return None if missing(trial.state, frame) else refuse(Code.CAN_STILL_PAY)


DECLARE_COMPAT = DECLARE_BANKRUPTCY.derive(removed=("nothing_to_sell",), added=(sales_do_not_suffice,))
BANKRUPTCY_COMPAT = BankruptcyPolicy(carries=False, first=sell_all)
