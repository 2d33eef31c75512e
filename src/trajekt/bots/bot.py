"""Bots: for a seat that is awaited, a legal action and the reason for it.

A player is a small class with `choose`. It is found by name through the entry-point group `trajekt.bots`, so that a
stranger's player needs no change here. It stands on the library alone: the ruleset's own options and checks say what is
legal, and a position is a value, so that trying an action out costs nothing but `decide`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

import msgspec

from trajekt.engine.actions import Accept, AcceptOffer, Action, PlaceBid, RunTrains
from trajekt.engine.agenda import awaited, duty_of
from trajekt.engine.ruleset import Option, Rule, Ruleset, Span, View
from trajekt.engine.state import Seat, State
from trajekt.registry import FAILURES, is_foreign
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.running_and_dividends import RunningPolicy

GROUP = "trajekt.bots"
LEVELS = ("beginner", "steady", "master")
"""The levels of strength that the quick start offers, the weakest first: beginner, club player and master."""

STAND_INS = frozenset({"caretaker"})
"""Bots that mind the seat of somebody who is away and are no opponents."""


class MoveReason(msgspec.Struct, frozen=True):
    """The reason for a bot's move: the key of a sentence in `bots/en.toml` and `bots/de.toml`, and what fills its gaps."""

    key: str
    values: Mapping[str, Any] = {}


class BotMove(msgspec.Struct, frozen=True):
    """A bot's action and its reason. `accepted`: the rule that has found it legal in this position; None: nobody has asked."""

    action: Action
    reason: MoveReason = MoveReason("bot.move")
    accepted: Rule[Any] | None = None


class Bot(Protocol):
    """A bot: whatever chooses a move for a seat."""

    def choose(self, view: View) -> BotMove | None:
        """The move of the seat that the view names, for the frame on top; None where it has no legal action."""
        ...


class UnknownBotError(ValueError):
    """Name of no installed bot, or of one that cannot be made."""


@cache
def names() -> tuple[str, ...]:
    """The names of all installed players, sorted."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


def opponents() -> tuple[str, ...]:
    """The names of the installed bots that play to win: the levels, the weakest first, then all others, sorted."""
    playing = [name for name in names() if name not in STAND_INS]
    return tuple(sorted(playing, key=lambda name: LEVELS.index(name) if name in LEVELS else len(LEVELS)))


@cache
def _made_by(name: str) -> Callable[..., Bot]:
    """The maker of the bots of a name; of two packages with one name our own, else the first that is found."""
    points = sorted(entry_points(group=GROUP, name=name), key=is_foreign)
    if not points:
        message = f"no bot {name!r}; installed are {', '.join(names()) or 'none'}"
        raise UnknownBotError(message)
    make: Callable[..., Bot] = points[0].load()
    return make


def make_bot(kind: str, rng: random.Random) -> Bot:
    """Make the bot of a name, with the generator that it may draw from. `name:value` hands the bot one number besides.

    Raises `UnknownBotError` where nothing of that name is installed or it cannot be made, ValueError where the value is no
    number.
    """
    name, _, value = kind.partition(":")
    values = (float(value),) if value else ()
    try:
        return _made_by(name)(rng, *values)
    except UnknownBotError:
        raise
    except FAILURES as fault:
        message = f"the bot {name!r} cannot be made: {type(fault).__name__}: {fault}"
        raise UnknownBotError(message) from fault


# What a seat may do -----------------------------------------------------------------------------------------------------


def open_to(view: View) -> list[Rule[Any]]:
    """The rules of the frame on top that the seat may use; those open at any time are left to people."""
    duty = duty_of(view.ruleset, view.state)
    if duty is None:
        return []
    asked = view.seat in duty.who(view.state, view.frame)
    return [
        rule
        for rule in duty.menu
        if (asked if rule.actors is None else view.seat in rule.actors(view.state, view.frame))
    ]


def asks_another(view: View, state: State) -> bool:
    """Tell whether a move that leads to `state` is an offer, which another seat is to accept or to decline now."""
    duty = duty_of(view.ruleset, state)
    offered = duty is not None and any(rule.action in (Accept, AcceptOffer) for rule in duty.menu)
    return offered and state.agenda[-1] != view.frame and view.seat not in awaited(view.ruleset, state)


def view_of(ruleset: Ruleset, state: State, seat: Seat) -> View | None:
    """The position as a bot sees it; None once the game has ended."""
    return View(ruleset, state, seat, state.agenda[-1]) if state.agenda else None


def numbered(option: Any, number: Any) -> Action:
    """An action from an option: `number` answers the value of each open span."""
    if not isinstance(option, Option):
        action: Action = option
        return action
    values = {name: number(span) for name, span in option.spans.items() if span.low <= span.high}
    plain: Action = msgspec.structs.replace(option.action, **values) if values else option.action
    return plain


def legal_of(rule: Rule[Any], view: View) -> Iterator[Any]:
    """The legal options of one kind of action, spans still open; an open number is judged at its least."""
    for option in rule.plausible_options(view):
        action = option.action if isinstance(option, Option) else option
        if rule.first_refusal(view, action) is None:
            yield option


# The simplest player ----------------------------------------------------------------------------------------------------


def drawn(option: Any, rng: random.Random) -> Action:
    """An action from an option: each open number is drawn from its span, bids mostly near its lower end.

    Whoever bids all he has on one certificate can buy no other, and where everybody does so no game begins.
    """
    bid = isinstance(option, Option) and isinstance(option.action, PlaceBid)

    def number(span: Span) -> int:
        high = min(span.high, span.low + span.step * int(rng.expovariate(0.3))) if bid else span.high
        return rng.randrange(span.low, high + 1, span.step)

    return numbered(option, number)


RANDOM = MoveReason("bot.random")


class RandomBot:
    """Draws a kind of action, then one of its legal choices, each with equal chance; never proposes to end the game early.

    Of runs it takes those that are soon found: an exact search for each would take most of a game's time.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> BotMove | None:
        rules = open_to(view)
        while rules:
            rule = self._drawn(rules)
            action = self._legal(rule, view)
            if action is not None:
                return BotMove(action, RANDOM, rule)
        return None

    def _drawn(self, among: list[Any]) -> Any:
        """One of these, taken out. Drawn one by one: most often one of the first is legal, and the rest need no order."""
        at = int(self.rng.random() * len(among))
        among[at], among[-1] = among[-1], among[at]
        return among.pop()

    def _legal(self, rule: Rule[Any], view: View) -> Action | None:
        """One of the legal choices of a kind: the first that is legal in a random order of all."""
        turn = view.frame
        if rule.action is RunTrains and isinstance(turn, CompanyTurn) and turn.step == "run":  # any legal runs will do
            runs = RunTrains(view.ruleset.policy(RunningPolicy).soon(view.state, turn.company))
            if rule.first_refusal(view, runs) is None:
                return runs
        options = list(rule.plausible_options(view))
        while options:
            action = drawn(self._drawn(options), self.rng)
            if rule.first_refusal(view, action) is None:
                return action
        return None


def next_move(
    ruleset: Ruleset, state: State, players: Sequence[Bot], rng: random.Random
) -> tuple[Seat, BotMove] | None:
    """The move of a seat that is awaited, and the seat; None where nobody of them can."""
    seats = list(awaited(ruleset, state))
    if len(seats) > 1:
        rng.shuffle(seats)
    for seat in seats:
        move = players[seat].choose(View(ruleset, state, seat, state.agenda[-1]))
        if move is not None:
            return seat, move
    return None


def next_action(
    ruleset: Ruleset, state: State, players: Sequence[Bot], rng: random.Random
) -> tuple[Seat, Action] | None:
    """The action of a seat that is awaited, without the reason."""
    found = next_move(ruleset, state, players, rng)
    return None if found is None else (found[0], found[1].action)
