"""Deeds whose worth is certain because all that can follow is tried: a train that must be had, forced sales, the last deeds.

A search goes through every sequence of choices that is left until the matter is settled. It is given up where somebody else has
a choice, where a number is open, or where it grows too large: what is answered is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import Action, BuyTrain, OfferEnd
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import encode
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import decide, legal
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.registry import title
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import current_turn, turn_of
from trajekt.rules.trains import TrainOffer, needs_train

MOST = 1_500
"""Positions that a search may come to."""

Settled: TypeAlias = Callable[[State], bool]
Deeds: TypeAlias = tuple[Action, ...]


class SettledDeed(msgspec.Struct, frozen=True):
    """Deeds with the most that their seat can have in Mark when the matter is settled, as the game would be scored then."""

    actions: Deeds
    worth: int


class _TooFarError(Exception):
    """Not all that can follow can be tried."""


def settled_sales(ruleset: Ruleset, state: State, seat: Seat) -> list[SettledDeed]:
    """The ways to pay a forced purchase, in whatever order they are gone; empty where they cannot all be tried."""
    return _best_of(_Search(ruleset, seat, purchase_settled), state, lambda deeds: tuple(sorted(map(encode, deeds))))


def settled_trains(ruleset: Ruleset, state: State, seat: Seat) -> list[SettledDeed]:
    """The ways to come to a train that must be had, without the consent of others; empty where they cannot all be tried.

    Trains of companies of the same director are bought at the lowest price: a higher one never leaves him more.
    """
    company = turn_of(state).company
    search = _Search(ruleset, seat, lambda after: train_settled(ruleset, after, company), alone=True)
    return _best_of(search, state, lambda deeds: tuple(sorted(map(encode, deeds))))


def settled_ends(ruleset: Ruleset, state: State, seat: Seat) -> list[SettledDeed]:
    """The deeds open to a seat near the end, each with the best end that it leaves; empty where they cannot all be tried."""
    found = _best_of(_Search(ruleset, seat, game_settled), state, lambda deeds: encode(deeds[0]))
    return [SettledDeed(each.actions[:1], each.worth) for each in found]


def purchase_settled(state: State) -> bool:
    """Tell whether no purchase is forced any more."""
    return not any(isinstance(frame, ForcedPurchase) for frame in state.agenda)


def train_settled(ruleset: Ruleset, state: State, company: CompanyId) -> bool:
    """Tell whether a company has the train that it must have, and all of it is paid."""
    turn = current_turn(state)
    if turn is None or turn.company != company:
        return True
    return state.top is turn and not needs_train(ruleset, state, company)


def game_settled(state: State) -> bool:
    """Tell whether the game has ended."""
    return bool(state.outcome)


def _best_of(search: _Search, state: State, alike: Callable[[Deeds], Hashable]) -> list[SettledDeed]:
    """Of each kind of way the best, the kind with the most first."""
    best: dict[Hashable, SettledDeed] = {}
    try:
        for deeds, worth in search.ways(state, ()):
            kind = alike(deeds)
            if kind not in best or worth > best[kind].worth:
                best[kind] = SettledDeed(deeds, worth)
    except _TooFarError:
        return []
    return sorted(best.values(), key=lambda each: -each.worth)


class _Search:
    """A search through all choices of one seat; `alone` leaves out those that need the consent of another."""

    def __init__(self, ruleset: Ruleset, seat: Seat, settled: Settled, *, alone: bool = False) -> None:
        self.ruleset, self.seat, self.settled, self.alone = ruleset, seat, settled, alone
        self.count = 0

    def ways(self, state: State, done: Deeds) -> Iterator[tuple[Deeds, int]]:
        """All ways to settle the matter, each with the worth of the seat then."""
        if done and self.settled(state):
            yield done, next((s.total for s in title(state.sheet.game).standings(state) if s.seat == self.seat), 0)
            return
        for action, after in self._moves(state):
            yield from self.ways(after, (*done, action))

    def _moves(self, state: State) -> list[tuple[Action, State]]:
        """The choices that are open with the positions after them. _TooFarError where they are another's, or too many."""
        found = []
        for choice in legal(self.ruleset, state, awaited(self.ruleset, state), beside=False):
            if isinstance(choice.action, OfferEnd):
                continue
            action = choice.action
            if self.alone and isinstance(action, BuyTrain) and set(choice.spans) == {"price"}:
                action = replace(action, price=choice.spans["price"].low)
            elif choice.spans or choice.free:
                raise _TooFarError
            answer = decide(self.ruleset, state, choice.seat, action)
            if isinstance(answer, Refusal) or (self.alone and self._asks_another(answer.state)):
                continue
            found.append((choice.seat, action, answer.state))
        self.count += len(found)
        if not found or self.count > MOST or (len(found) > 1 and any(seat != self.seat for seat, _, _ in found)):
            raise _TooFarError
        return [(action, after) for _, action, after in found]

    def _asks_another(self, state: State) -> bool:
        """Tell whether a train was asked of another director, who may decline."""
        return isinstance(state.top, TrainOffer) and self.seat not in awaited(self.ruleset, state)
