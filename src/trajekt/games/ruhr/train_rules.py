"""Trains of a railway of 18Ruhr: the last step of its turn, and the train that the bank buys for it (section 13)."""

from __future__ import annotations

from trajekt.engine.decisions import can
from trajekt.engine.ruleset import Draft, View
from trajekt.engine.state import BANK, POOL
from trajekt.games.ruhr.actions import ShareDeal, UsePferdebahn
from trajekt.games.ruhr.loans import lend
from trajekt.rules.operating_round import (
    TurnStep,
    turn_of,
)
from trajekt.rules.trains import needs_train, of_the_bank, owns_train, price_of, take_train, trains_wait


def last_step_waits(view: View) -> bool:
    """Tell whether a train can or must be bought, a deal be made, or a Pferdebahn be used."""
    return trains_wait(view) or can(view.ruleset, view.state, view.seat, (ShareDeal, UsePferdebahn))


def buy_train_for_bank(draft: Draft) -> None:
    """A railway that must own a train takes the cheapest of the bank, on loan if need be."""
    company = draft.state.companies[turn_of(draft.state).company]
    if company.director is not None or not needs_train(draft.ruleset, draft.state, company.id):
        return
    source, kind = min(of_the_bank(draft.state), key=lambda lot: (price_of(draft.state, lot[1]), lot[0] != POOL))
    lend(draft, company.id, price_of(draft.state, kind) - company.treasury)
    draft.pay(company.id, BANK, price_of(draft.state, kind), "train")
    take_train(draft, company.id, source, kind, "train")


TRAINS = TurnStep("trains", last_step_waits, buy_train_for_bank, passable=True, leave=owns_train)
