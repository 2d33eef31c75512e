"""Bot hints: a game's own estimates for bots, where prices, trains and the bank do not tell them enough.

Bots know no game by name. They guess what a position promises from what every game of the family has; a game whose
companies live by something else says so here, in its own folder, and hands it to the world with its title. Everything is
an estimate: nothing here decides what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trajekt.engine.actions import Action
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, Seat, State


@dataclass(frozen=True, slots=True)
class Appraisal:
    """The gain of an action for its seat in Mark at the end of the game, and the reason: a sentence of the game's catalogue.

    A gain of None leaves the judgement to the position after the action.
    """

    gain: float | None
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


def _unknown(*_: Any) -> None:
    """A hint of a game that has nothing to say: the guess that holds for the whole family stands."""


@dataclass(frozen=True, slots=True)
class BotHints:
    """Estimates of one game; each may answer None, and then the guess for the family stands.

    `rounds`: operating rounds still to come, the present one with them. `earnings`: what a company will earn in each of
    them, in Mark. `duty`: the price in Mark of what a company is bound to buy next, 0 for nothing. `holding`: what a private
    company will still have brought its owner at the end, in Mark. `belongs`: to whom all that a company owns belongs at the
    end, where a game has no shares. `appraise`: own kinds of action, and shared ones where
    they mean something else here; what has no entry is judged by the position after it. `weighed`: own kinds of action
    that others answer to, so that looking ahead pays. `rough`: by how many Mark a position imagined an operating round
    ahead may be off; so much better must another action end than the one that judgement prefers. `judged`: what part of the
    gain that judgement expects counts beside that position. `ahead`: over how many operating rounds it is worth looking,
    never beyond the stock round to come; the position at the end of each counts alike. `wide`: how many ideas it is worth
    playing out. `sure`: by how many Mark judgement must prefer one for the others not to be looked at. `by_trains`: companies
    live by trains alone, so that their rounds to come can be played through; where not, today's revenue is held for those.
    `by_return`: cash is short for most of a game, so that who does not look ahead compares shares by what they bring for each
    Mark.
    """

    rounds: Callable[[State], int | None] = _unknown
    earnings: Callable[[State, Company], float | None] = _unknown
    duty: Callable[[State, Company], int | None] = _unknown
    holding: Callable[[State, int], float | None] = _unknown
    belongs: Callable[[State, Company], Seat | None] = _unknown
    appraise: Mapping[type[Action], Callable[[View, Any], Appraisal | None]] = field(default_factory=dict)
    weighed: frozenset[type[Action]] = frozenset()
    rough: float = 0.0
    judged: float = 1.0
    ahead: int = 1
    wide: int = 4
    sure: float = 150.0
    by_trains: bool = True
    by_return: bool = False


NO_HINTS = BotHints()
"""The hints of a game that gives none."""
