"""The caretaker: stands in for an absent player and risks nothing. It passes, runs, pays out, and keeps companies in trains."""

from __future__ import annotations

import random

from trajekt.bots.bot import BotMove, MoveReason
from trajekt.bots.candidate_moves import Idea, ideas
from trajekt.engine.actions import (
    Action,
    BuyTrain,
    Decline,
    DeclineEnd,
    DeclineOffer,
    EndTurn,
    Pass,
    PayOut,
    RunTrains,
)
from trajekt.engine.ruleset import View
from trajekt.rules.operating_round import current_turn
from trajekt.rules.trains import of_the_bank

IDLE = (DeclineEnd, DeclineOffer, Decline, Pass, EndTurn)
"""Actions that change nothing of the seat's, the first that is legal is taken."""


def keeps_alive(view: View, action: Action) -> bool:
    """Tell whether an action gives a company without a train one of the bank's, out of its own treasury."""
    turn = current_turn(view.state)
    return (
        isinstance(action, BuyTrain)
        and turn is not None
        and not view.state.companies[turn.company].trains
        and (action.source, action.train) in of_the_bank(view.state)
    )


class CaretakerBot:
    """Does what harms the owner of a seat least: nothing is bid, bought or sold that the rules do not force.

    Where the rules leave no way to do nothing (a forced purchase, a duty to discard), it does as `steady` would.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        found = ideas(view)
        trains = [idea for idea in found if keeps_alive(view, idea.action)]
        if trains:
            cheapest = min(trains, key=_price)
            return BotMove(cheapest.action, cheapest.reason)
        for kind in (RunTrains, PayOut, *IDLE):
            for idea in found:
                if isinstance(idea.action, kind):
                    return BotMove(idea.action, idea.reason if kind is RunTrains else MoveReason("bot.caretaker"))
        return BotMove(found[0].action, found[0].reason) if found else None


def _price(idea: Idea) -> int:
    return idea.action.price if isinstance(idea.action, BuyTrain) else 0
