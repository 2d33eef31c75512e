"""Deeds whose worth is certain because all that can follow is tried: sales under duty, and what ends the game.

A search goes through every sequence of choices that is left until the matter is settled. It is given up where somebody else has
a choice, where a number is open, or where it grows too large: what is answered is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TypeAlias

import msgspec

from trajekt.engine.actions import Action, OfferEnd
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import encode
from trajekt.engine.decisions import decide, legal
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import Seat, State
from trajekt.registry import title
from trajekt.rules.forced_purchase import ForcedPurchase

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
    return _best_of(ruleset, state, seat, purchase_settled, lambda deeds: tuple(sorted(map(encode, deeds))))


def settled_ends(ruleset: Ruleset, state: State, seat: Seat) -> list[SettledDeed]:
    """The deeds open to a seat near the end, each with the best end that it leaves; empty where they cannot all be tried."""
    found = _best_of(ruleset, state, seat, game_settled, lambda deeds: encode(deeds[0]))
    return [SettledDeed(each.actions[:1], each.worth) for each in found]


def purchase_settled(state: State) -> bool:
    """Tell whether no purchase is forced any more."""
    return not any(isinstance(frame, ForcedPurchase) for frame in state.agenda)


def game_settled(state: State) -> bool:
    """Tell whether the game has ended."""
    return bool(state.outcome)


def _best_of(
    ruleset: Ruleset, state: State, seat: Seat, settled: Settled, alike: Callable[[Deeds], Hashable]
) -> list[SettledDeed]:
    """Of each kind of way the best, the kind with the most first."""
    best: dict[Hashable, SettledDeed] = {}
    try:
        for deeds, worth in _Search(ruleset, seat, settled).ways(state, ()):
            kind = alike(deeds)
            if kind not in best or worth > best[kind].worth:
                best[kind] = SettledDeed(deeds, worth)
    except _TooFarError:
        return []
    return sorted(best.values(), key=lambda each: -each.worth)


class _Search:
    """A search through all choices of one seat."""

    def __init__(self, ruleset: Ruleset, seat: Seat, settled: Settled) -> None:
        self.ruleset, self.seat, self.settled = ruleset, seat, settled
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
            if choice.spans or choice.free:
                raise _TooFarError
            answer = decide(self.ruleset, state, choice.seat, choice.action)
            if not isinstance(answer, Refusal):
                found.append((choice.seat, choice.action, answer.state))
        self.count += len(found)
        if not found or self.count > MOST or (len(found) > 1 and any(seat != self.seat for seat, _, _ in found)):
            raise _TooFarError
        return [(action, after) for _, action, after in found]
