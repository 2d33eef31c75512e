"""What a game must know so that its exports from 18xx.games can be read: the reader asks, the game translates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trajekt.engine.actions import Action
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Seat, State


class Untranslatable(Exception):
    """Something in an export that this game cannot read; the message says what."""


@dataclass(frozen=True, slots=True)
class ExportItem:
    """Something to be carried out: the number of its entry in the file from 1, the entry's own id, and its plain values."""

    entry: int
    id: int
    raw: Mapping[str, Any]


class Translator(Protocol):
    """Turns the items of one export into actions."""

    complaint: str

    def steps(self, state: Callable[[], State], at: int) -> Iterator[tuple[Seat, Action]]:
        """The actions of item `at`; each is carried out before the next is asked for, and `state` is the position then."""
        ...

    def fitting(self, state: Callable[[], State], at: int, candidates: tuple[int, ...]) -> tuple[int, ...]:
        """Those of the draws that agree with what the file says of item `at`, which was just carried out."""
        ...


@dataclass(frozen=True, slots=True)
class Exports:
    """How a game reads exports: the draws that are possible, the options by export and draw, and a translator.

    `companies` are names that the site has for companies, besides ours.
    """

    draws: Callable[[Mapping[str, Any]], tuple[int, ...]]
    options: Callable[[Mapping[str, Any], int], dict[str, Any]]
    translator: Callable[[Ruleset, Sequence[Any], Sequence[ExportItem]], Translator]
    companies: Mapping[str, str] = field(default_factory=dict)
