"""Players that are programs: a choice of a legal action from a position, by the engine's own options and checks."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited, duty_of
from trajekt.engine.model import Seat, State
from trajekt.engine.play import actors
from trajekt.engine.rule import Option, Rule, Ruleset, View


class Player(Protocol):
    """A program that plays: for a seat that is awaited, a legal action."""

    def choose(self, ruleset: Ruleset, state: State, seat: Seat) -> Action | None:
        """The action that the seat takes, None where it has none."""
        ...


def drawn(option: Any, lots: random.Random) -> Action:
    """An action from an option: each open number is drawn from its span."""
    if not isinstance(option, Option):
        action: Action = option
        return action
    values = {
        name: lots.randrange(span.low, span.high + 1, span.step)
        for name, span in option.spans.items()
        if span.low <= span.high
    }
    plain: Action = msgspec.structs.replace(option.action, **values) if values else option.action
    return plain


class RandomPlayer:
    """Draws a kind of action, then one of its legal choices, each with equal chance; never proposes to end the game early."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots

    def choose(self, ruleset: Ruleset, state: State, seat: Seat) -> Action | None:
        duty = duty_of(ruleset, state)
        if duty is None:
            return None
        view = View(ruleset, state, seat, state.agenda[-1])
        rules = [rule for rule in duty.menu if seat in actors(ruleset, state, rule)]
        self.lots.shuffle(rules)
        for rule in rules:
            action = self._legal(rule, view)
            if action is not None:
                return action
        return None

    def _legal(self, rule: Rule[Any], view: View) -> Action | None:
        """One of the legal choices of a kind: the first that is legal in a random order of all."""
        options = list(rule.options(view))
        self.lots.shuffle(options)
        for option in options:
            action = drawn(option, self.lots)
            if rule.first_refusal(view, action) is None:
                return action
        return None


PLAYERS: Mapping[str, Callable[[random.Random], Player]] = {"random": RandomPlayer}
"""The kinds of players by name, made with the lots that they may draw."""


def next_action(
    ruleset: Ruleset, state: State, players: Sequence[Player], lots: random.Random
) -> tuple[Seat, Action] | None:
    """Who of those awaited acts, and how; None where nobody of them can."""
    seats = list(awaited(ruleset, state))
    lots.shuffle(seats)
    for seat in seats:
        action = players[seat].choose(ruleset, state, seat)
        if action is not None:
            return seat, action
    return None
