"""A player that runs breweries with care: `steady` with a judgement of its own for what only 18DO has.

`steady` knows no game by name and judges equipment by the position after it, which says nothing of beer to come; so it gives
equipment away. This one keeps it, buys more while it can pay for itself, and loads every train that it may.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from trajekt.bots.ideas import JUDGES, Idea, Judge, ideas, least
from trajekt.bots.player import Move, Player, Reason, player
from trajekt.bots.steady import blurred
from trajekt.engine.actions import Accept, Action
from trajekt.engine.model import State
from trajekt.engine.rule import View
from trajekt.games.do.actions import BuyBec, Deliver, DisposeBec, LoadTrain
from trajekt.games.do.frames import BreweryTurn, LoadOffer
from trajekt.games.do.parts import card_of, parts
from trajekt.games.do.record import is_minor, purse
from trajekt.rules.rounds import Rounds
from trajekt.rules.trains import price_of

WHY = Reason("bot.move")
HALF = 0.5  # of a minor's income is its owner's; of a card's squares so many are used


def rounds_to_come(state: State) -> int:
    """How many brewery rounds are still to come after this one, with two in a set."""
    rounds = state.agenda[0]
    assert isinstance(rounds, Rounds)
    return 2 * (parts(state.sheet).sets - rounds.number) + max(0, rounds.planned - rounds.done)


def gain_of(view: View, turn: BreweryTurn, action: BuyBec) -> float:
    """What a piece of equipment may bring the seat, less what it costs him."""
    state = view.state
    card = card_of(state.sheet, action.card)
    income = HALF * card.capacity * parts(state.sheet).income[card.segment][0] * rounds_to_come(state)
    price = price_of(state, action.card)
    if is_minor(state, turn.brewery):  # its treasury counts nothing at the end
        return HALF * income - max(0, price - purse(state, turn.brewery))
    part = state.companies[turn.brewery].percent(view.seat) / 100
    return part * income - 0.15 * price


def buy(view: View, options: list[Any]) -> Iterator[Idea]:
    """Equipment by what it may bring."""
    turn = view.frame
    assert isinstance(turn, BreweryTurn)
    for option in options:
        yield Idea(gain_of(view, turn, option), option, WHY)


def always(gain: float) -> Judge:
    """Every choice of a kind is as good as the other."""

    def judge(_view: View, options: list[Any]) -> Iterator[Idea]:
        return (Idea(gain, least(option), WHY) for option in options)

    return judge


def accept(view: View, options: list[Any]) -> Iterator[Idea]:
    """Beer is welcome on every train; the rest as `steady` has it."""
    if isinstance(view.frame, LoadOffer):
        yield Idea(20.0, options[0], WHY)
    else:
        yield from JUDGES[Accept](view, options)


OWN: Mapping[type[Action], Judge] = {
    **JUDGES,
    Accept: accept,
    BuyBec: buy,
    Deliver: always(5.0),
    DisposeBec: always(-5.0),
    LoadTrain: always(30.0),
}


class Brewer:
    """Takes the best of its ideas; among ideas that are about as good, lots decide."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots

    def choose(self, view: View) -> Move | None:
        """The best idea."""
        found = ideas(view, OWN)
        if len(found) > 1 and found[0].gain > 0:
            found = blurred([idea for idea in found if idea.gain > 0], self.lots)
        return Move(found[0].action, found[0].reason) if found else None


def known(kind: str, lots: random.Random) -> Player:
    """A player by name: `brewer`, or one that is installed."""
    return Brewer(lots) if kind == "brewer" else player(kind, lots)
