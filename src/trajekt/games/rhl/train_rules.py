"""Trains in the editions of 18Rhl (section 13)."""

from __future__ import annotations

from trajekt.engine.actions import BuyTrain
from trajekt.engine.ruleset import Code, Refusal, View, check, refuse
from trajekt.rules.trains import BUY_TRAIN, TrainPolicy, after_first


@check("RHL-BKR-03")
def seller_owes_nothing(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse the train of a corporation that owes the bank, also under a director (v1 13.3)."""
    seller = view.state.companies.get(action.source)
    return refuse(Code.SELLER_OWES, company=seller.id, debt=seller.debt) if seller is not None and seller.debt else None


TRAINS_1 = TrainPolicy(after_first("3"), "RHL-TRN-03", "3")
BUY_TRAIN_1 = BUY_TRAIN.derive(added=(seller_owes_nothing,))
TRAINS_2 = TrainPolicy()
