"""Turns in steps that a game has besides those of companies in operating rounds: whose they are, and what may be passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from trajekt.engine.state import Frame, Seat, State


@dataclass(frozen=True, slots=True)
class OwnTurns:
    """A policy: the turns of such a kind are `frame`s; `whose` and at which `step` one is, is read off it.

    `works` are all who have such turns, by their short names, `decides` answers who decides for one of them, `passable` are
    the steps in which a pass may be legal.
    """

    frame: type[Frame]
    works: Callable[[State], Iterable[str]]
    whose: Callable[[Any], str]
    step: Callable[[Any], str]
    decides: Callable[[State, str], Seat | None]
    passable: tuple[str, ...]
