"""Actions as rows of whole numbers with a stable meaning: the kind, then what it names, -1 where it names nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from trajekt.engine.actions import Action, RunTrains
from trajekt.engine.routing.runs import RunResult
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.learning.name_codes import NONE, Vocabulary, text_code, value_code
from trajekt.learning.observation_layout import Column
from trajekt.rules.operating_round import current_turn
from trajekt.rules.running_and_dividends import RunningPolicy

SHARED = (
    Column("kind", "number of the kind of action in `kinds`"),
    Column("company", "number of the company, in the sheet's order; a code for what is none (a minor, a mine)"),
    Column("hex", "number of the hex, in the sheet's order"),
    Column("tile", "number of the tile, in the sheet's order"),
    Column("rotation", "edges by which the tile is turned clockwise, 0 to 5"),
    Column("stop", "stop of the hex, from 0"),
    Column("private", "number of the private company"),
    Column("train", "number of the kind of train, in the sheet's order; a code for another card"),
    Column("source", "place or company that it comes from, in `sources`; a code for another"),
    Column("percent", "of the company, per cent"),
    Column("amount", "price, par, bid or value, Mark"),
    Column("allowance", "code of the right that is used"),
    Column("token", "code of the kind of station token"),
    Column("runs", "how many trains run"),
    Column("revenue", "what the runs earn, Mark"),
)
"""The columns of every game, in order; a game's own fields follow under their names."""

COLUMN_OF = {
    "brewery": "company",
    "minor": "company",
    "par": "amount",
    "price": "amount",
    "value": "amount",
    "card": "train",
}
"""The shared columns of fields that have another name in the action."""

SOURCES = ("io", "charter", "pool", "display")


class ActionFeatures:
    """The columns for one ruleset, and the rows of actions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, sheet = ruleset, ruleset.sheet
        kinds = [*ruleset.actions]
        self.kinds = tuple(str(kind.__struct_config__.tag) for kind in kinds)
        fields = [
            name for kind in kinds if kind is not RunTrains for name in kind.__struct_fields__ if not self._shared(name)
        ]
        own = [Column(name, "as in the action; a text as a code") for name in dict.fromkeys(fields)]
        self.columns = (*SHARED, *own)
        self.sources = (*SOURCES, *sheet.companies)
        companies, hexes, tiles, trains, sources = map(
            Vocabulary, (sheet.companies, sheet.hexes, sheet.tiles, sheet.trains, self.sources)
        )
        self._coders: dict[str, Callable[[Any], int]] = {
            "company": companies.number,
            "hex": hexes.number,
            "tile": tiles.number,
            "train": trains.number,
            "source": _either(sources),
            "stop": lambda stop: ord(stop[0]) - ord("a") if stop else NONE,
            "allowance": text_code,
            "token": text_code,
        }
        places = {column.name: place for place, column in enumerate(self.columns)}
        self._runs, self._revenue = places["runs"], places["revenue"]
        self._read: dict[type[Action], tuple[int, tuple[tuple[int, str, Callable[[Any], int]], ...]]] = {}
        for number, kind in enumerate(kinds):
            named = [] if kind is RunTrains else [(COLUMN_OF.get(name, name), name) for name in kind.__struct_fields__]
            reads = tuple((places[column], name, self._coders.get(column, value_code)) for column, name in named)
            assert len({place for place, _, _ in reads}) == len(reads), kind
            self._read[kind] = number, reads

    @staticmethod
    def _shared(name: str) -> bool:
        return any(COLUMN_OF.get(name, name) == column.name for column in SHARED)

    def row(self, state: State, action: Action) -> list[int]:
        """Return one action as numbers, in the order of `columns`."""
        number, reads = self._read[type(action)]
        row = [NONE] * len(self.columns)
        row[0] = number
        for place, name, code in reads:
            row[place] = code(getattr(action, name))
        if isinstance(action, RunTrains):
            row[self._runs] = len(action.runs)
            row[self._revenue] = self._earned(state, action)
        return row

    def rows(self, state: State, actions: Sequence[Action]) -> Any:
        """Return actions as an array, a row each."""
        if not actions:
            return np.zeros((0, len(self.columns)), np.int32)
        return np.array([self.row(state, action) for action in actions], np.int32)

    def _earned(self, state: State, action: RunTrains) -> int:
        turn = current_turn(state)
        if turn is None:
            return NONE
        answer = self.ruleset.policy(RunningPolicy).judge(state, turn.company, action.runs)
        return answer.revenue if isinstance(answer, RunResult) else NONE

    def described(self) -> str:
        """Return the columns as text, one a line."""
        return "\n".join(f"{place} {column.name}: {column.meaning}" for place, column in enumerate(self.columns))


def _either(names: Vocabulary) -> Callable[[Any], int]:
    """A coder for a field that is a text in one kind of action and a number in another."""
    return lambda value: names.number(value) if isinstance(value, str) else value_code(value)


def plain(action: Action) -> dict[str, Any]:
    """Return an action as its JSON has it."""
    found: dict[str, Any] = msgspec.to_builtins(action)
    return found
