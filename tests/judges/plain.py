"""The bridge between the product and the judges: positions, sheets, events and actions as plain values, and random games.

Only this file and the tests beside it import the product; a judge (`board`, `ledger`, `<game>_*`) never does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import Action
from trajekt.engine.board.board import Board
from trajekt.engine.codec import to_plain
from trajekt.engine.components.schema import Sheet
from trajekt.engine.decisions import Decision, carry_out, decide, judge, legal, refusal, start
from trajekt.engine.ruleset import Choice, Refusal, Rule, Ruleset
from trajekt.engine.state import State

_SHEETS: dict[int, tuple[Sheet, Any]] = {}
_TABLES: dict[int, tuple[Ruleset, Any]] = {}


def sheet_of(sheet: Sheet) -> Any:
    """A component sheet as plain values."""
    if id(sheet) not in _SHEETS:
        _SHEETS[id(sheet)] = (sheet, msgspec.to_builtins(sheet))
    return _SHEETS[id(sheet)][1]


def table_of(ruleset: Ruleset) -> Any:
    """The sheet of a table as plain values, and under `options` what it has chosen."""
    if id(ruleset) not in _TABLES:
        _TABLES[id(ruleset)] = (ruleset, {**sheet_of(ruleset.sheet), "options": dict(ruleset.options)})
    return _TABLES[id(ruleset)][1]


def position_of(state: State) -> Any:
    """A position as plain values; `board` holds what lies on the hexes, without the sheet."""
    contents_by_hex = msgspec.to_builtins(dict(state.board.contents_by_hex))
    nothing: Any = None
    return {**to_plain(replace(state, board=Board(nothing, {}))), "board": contents_by_hex}


def event_of(event: Any) -> Any:
    """An event as plain values, its tag under `event`."""
    return to_plain(event)


def action_of(action: Action) -> Any:
    """An action as plain values, its tag under `kind`."""
    return msgspec.to_builtins(action)


def said(ruleset: Ruleset, state: State, seat: int, action: Any) -> str:
    """The engine's word on an action, empty where it is legal."""
    answer = refusal(ruleset, state, seat, action)
    return "" if answer is None else f"{answer.code} ({answer.rule})"


def fits(choice: Choice, action: Any) -> bool:
    """Whether an action is a choice, or one of the numbers that it leaves open."""
    if type(choice.action) is not type(action):
        return False
    wanted = replace(choice.action, **{name: getattr(action, name) for name in choice.spans})
    return bool(wanted == action) and all(getattr(action, name) in span for name, span in choice.spans.items())


@dataclass(frozen=True, slots=True)
class Move:
    """One decision of a game: the position before it, who did what, what followed, the position after it."""

    before: State
    seat: int
    action: Action
    decision: Decision


def filled(choice: Choice, rng: random.Random) -> Action:
    """A choice with a number taken for every span that it leaves open."""
    values = {name: rng.randrange(span.low, span.high + 1, span.step) for name, span in choice.spans.items()}
    return replace(choice.action, **values) if values else choice.action


def moves(
    ruleset: Ruleset, players: int, seed: int, *, most: int = 3_000, pick: Any = None, begin: State | None = None
) -> Iterator[Move]:
    """A whole game of random choices, or from a position on. `pick(rng, choices)` may prefer some; a seed plays one game."""
    rng = random.Random(seed)
    names = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")[:players]
    state = begin or start(ruleset, names, seed).state
    for _ in range(most):
        if not state.agenda:
            return
        choices = legal(ruleset, state)
        assert choices, f"nobody can act: {state.top}"
        choice = (pick or _any)(rng, choices)
        action = filled(choice, rng)
        found = judge(ruleset, state, choice.seat, action)
        if isinstance(found, Refusal):
            action = choice.action
            found = judge(ruleset, state, choice.seat, action)
        assert isinstance(found, Rule), found
        decision = carry_out(ruleset, state, choice.seat, found, action)
        yield Move(state, choice.seat, action, decision)
        state = decision.state


def bot_moves(ruleset: Ruleset, players: int, seed: int, bot: str, *, most: int = 3_000) -> Iterator[Move]:
    """A whole game between bots of a kind, which build and earn as people do."""
    rng = random.Random(seed)
    names = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")[:players]
    state = start(ruleset, names, seed).state
    seats = [make_bot(bot, random.Random(seed * 10 + seat)) for seat in range(players)]
    for _ in range(most):
        found = next_move(ruleset, state, seats, rng)
        if found is None:
            return
        seat, move = found
        decision = decide(ruleset, state, seat, move.action)
        assert isinstance(decision, Decision), decision
        yield Move(state, seat, move.action, decision)
        state = decision.state


def _any(rng: random.Random, choices: list[Choice]) -> Choice:
    """A kind of action first, then one of that kind, so that rare kinds are not drowned by many tiles."""
    kinds = sorted({type(choice.action).__name__ for choice in choices})
    kind = rng.choice(kinds)
    return rng.choice([choice for choice in choices if type(choice.action).__name__ == kind])
