"""Trains, forced purchases and bankruptcy in games recorded at the public site (CMP-33 to CMP-36)."""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.actions import BuyTrain, DeclareBankruptcy, Pass, SellShares
from trajekt.engine.agenda import Draft
from trajekt.engine.decisions import candidates
from trajekt.engine.ruleset import Code, Refusal, Ruleset, View, check, refuse
from trajekt.engine.state import DISPLAY, POOL, Seat, State
from trajekt.games.rhl.compat_stock import DIRECTORS
from trajekt.rules.bankruptcy import DECLARE_BANKRUPTCY, BankruptcyPolicy, bank_completes
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
from trajekt.rules.game_end import BankPolicy
from trajekt.rules.operating_round import operating
from trajekt.rules.stock_round import sell
from trajekt.rules.trains import (
    BUY_TRAIN,
    TRAINS,
    TrainPolicy,
    can_pay_bank,
    owns_train,
    phase_limit,
    trains_wait,
)

TRAINS_COMPAT = TrainPolicy(bank_discards=False)  # CMP-33, CMP-36

FORCED_COMPAT = ForcedPolicy(  # CMP-34
    rule="RHL-FOR-01",
    sale_rule="RHL-FOR-01",
    trains=cheapest_of_all,
    rungs=("treasury", "cash", "own"),
    keeps=operating_only,
    bank=bank_completes,
)


@check("CMP-36")
def of_the_bank_only(view: View, action: BuyTrain) -> Refusal | None:
    """A company in receivership buys trains of the display and the pool only."""
    company = operating(view)
    if company.director is not None or action.source in (DISPLAY, POOL):
        return None
    return refuse(Code.NOT_AVAILABLE, train=action.train)


def trains_wait_for_all(view: View) -> bool:
    """Tell whether the train step waits: in receivership a player decides, with the company's own money (CMP-36)."""
    company = operating(view)
    if company.director is not None:
        return trains_wait(view)
    room = len(company.trains) < phase_limit(view.state, company.id)
    return room and can_pay_bank(view.state, company.id)


@check("COMMON-TRN-11", "CMP-36")
def owns_train_if_directed(view: View, action: Pass) -> Refusal | None:
    """The duty to own a train holds for companies with a director."""
    return None if operating(view).director is None else owns_train(view, action)


BUY_TRAIN_COMPAT = BUY_TRAIN.derive(added=(of_the_bank_only,))
TRAINS_OF_ALL = replace(TRAINS, waits=trains_wait_for_all, leave=owns_train_if_directed, unattended=True)


@check("RHL-FOR-01", "CMP-49")
def no_certificate_than_needed(view: View, action: SellShares) -> Refusal | None:
    """No more certificates than needed, a director's certificate that goes whole being one of them (CMP-49)."""
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


def debts(state: State) -> int:
    """Return what companies owe the bank, in Mark: at the site a negative treasury, so the bank's own (CMP-47)."""
    return sum(company.debt for company in state.companies.values())


BANK_COMPAT = BankPolicy(debts)


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


DECLARE_COMPAT = DECLARE_BANKRUPTCY.derive(removed=("nothing_to_sell",), added=(sales_do_not_suffice,))
BANKRUPTCY_COMPAT = BankruptcyPolicy(carries=False, lends=False, first=sell_all)
