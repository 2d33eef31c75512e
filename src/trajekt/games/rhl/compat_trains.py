"""Trains in games recorded at the public site (CMP-33, CMP-36)."""

from __future__ import annotations

from dataclasses import replace

from trajekt.engine.actions import BuyTrain, Pass
from trajekt.engine.ruleset import Code, Refusal, View, check, refuse
from trajekt.engine.state import DISPLAY, POOL
from trajekt.rules.operating_round import operating
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


@check("CMP-36")
def of_the_bank_only(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse a company in receivership the trains of other companies."""
    company = operating(view)
    if company.director is not None or action.source in (DISPLAY, POOL):
        return None
    return refuse(Code.NOBODY_SELLS, company=company.id)


def trains_wait_for_all(view: View) -> bool:
    """Tell whether the train step waits: in receivership a player decides, with the company's own money (CMP-36)."""
    company = operating(view)
    if company.director is not None:
        return trains_wait(view)
    room = len(company.trains) < phase_limit(view.state, company.id)
    return room and can_pay_bank(view.state, company.id)


@check("COMMON-TRN-11", "CMP-36")
def owns_train_if_directed(view: View, action: Pass) -> Refusal | None:
    """Refuse to leave a company with a director without a train that it must own."""
    return None if operating(view).director is None else owns_train(view, action)


BUY_TRAIN_COMPAT = BUY_TRAIN.derive(added=(of_the_bank_only,))
TRAINS_OF_ALL = replace(TRAINS, waits=trains_wait_for_all, leave=owns_train_if_directed, unattended=True)
