"""Reading exports of 18xx.games: the questions of the reader that a game answers with its translator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from trajekt.engine.actions import Action
from trajekt.engine.events import Event
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Seat, State


class ExportFault(Exception):
    """Something of an export that does not come over: `code` names its sentence in the catalogues, `values` fill the gaps."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code, values)
        self.code = code
        self.values: Mapping[str, Any] = values


class Untranslatable(ExportFault):
    """Something in an export that this game cannot read."""


@dataclass(frozen=True, slots=True)
class ExportItem:
    """Something to be carried out: the number of its entry in the file from 1, the entry's own id, and its plain values."""

    entry: int
    id: int
    raw: Mapping[str, Any]


class Parted(ExportFault):
    """Record and rules part at an entry: the sentence tells what either says. `order`: somebody else is to act."""

    def __init__(self, code: str, *, order: bool = False, **values: Any) -> None:
        super().__init__(code, **values)
        self.order = order


class OtherOptions(Exception):
    """Record and rules part where the game was set up otherwise: `options` are those that fit the record."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(str(options))
        self.options = options


class KnownDifference(NamedTuple):
    """A difference between record and rules that is known by name.

    `entry` is the number of the entry in the file, 0 the file's end; `rule` the CMP id; `code` and `values` its sentence.
    """

    entry: int
    rule: str
    code: str
    values: Mapping[str, Any]


class Translator(Protocol):
    """Turns the items of one export into actions; `notes` are the known differences met."""

    notes: list[KnownDifference]

    def steps(self, state: Callable[[], State], at: int) -> Iterator[tuple[Seat, Action]]:
        """Yield the actions of item `at`, each carried out before the next is asked for; `state` is the position then."""
        ...

    def check(self, state: State, at: int) -> None:
        """Raise `Parted` where the file says otherwise of item `at`, which was just carried out."""
        ...


class PlayedAction(NamedTuple):
    """An action that stands in the log of a game, with the positions before and after it and the events that it caused."""

    before: State
    after: State
    seat: Seat
    action: Action
    events: tuple[Event, ...]


class PlayedGame(NamedTuple):
    """A game as its writer sees it: `opening` is the position after set-up, `totals` are worths by seat, in Mark."""

    ruleset: Ruleset
    options: Any
    seed: int
    opening: State
    actions: Sequence[PlayedAction]
    awaited: Sequence[Seat]
    totals: Sequence[int]

    @property
    def state(self) -> State:
        """The newest position."""
        return self.actions[-1].after if self.actions else self.opening


@dataclass(frozen=True, slots=True)
class Exports:
    """A game's reader of exports: the options by export and draw (None: by the export), and a translator.

    `companies` are names that the site has for companies, besides ours; `known` tells of options whether the site plays such
    games; `write` puts one into the site's form and raises `Untranslatable` where it cannot; `round_of` tells the site's
    name of a round and its number, None for rounds that it names in no known way.
    """

    options: Callable[[Mapping[str, Any], int | None], dict[str, Any]]
    translator: Callable[[Ruleset, Sequence[Any], Sequence[ExportItem]], Translator]
    known: Callable[[Any], bool]
    write: Callable[[PlayedGame], dict[str, Any]]
    round_of: Callable[[State], tuple[str, int] | None]
    companies: Mapping[str, str] = field(default_factory=dict)
