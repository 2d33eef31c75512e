"""The marks of a table with real cardboard: whether the map is mirrored, and what lies only on the real board.

`State.marks` holds it: `mirror` is `books` while only the books are kept, `map` while tiles and stations are entered too;
a game without that mark is played here.
"""

from __future__ import annotations

from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.state import State
from trajekt.rules.turn_notes import NoteKind

MIRROR = "mirror"
BOOKS, MAP = "books", "map"
MODES = (BOOKS, MAP)
ON_TABLE, AGAINST = NoteKind("on_table"), NoteKind("lies")
"""Names of marks: the stations of a company that stand on the real board alone, and a hex on which something lies against the
sheet."""
NO_ROUTE = NoteKind("no_route")
"""The note of a turn in which the table says that the company has no route."""


def mirrored(state: State) -> str:
    """The part of a real table that is mirrored, `books` or `map`; empty for a game that is played here."""
    return state.marks.get(MIRROR, "")


def books_only(state: State) -> bool:
    """Tell whether the map lies on the real table alone."""
    return state.marks.get(MIRROR) == BOOKS


def stations_on_table(state: State, company: CompanyId) -> int:
    """The number of a company's stations that stand on the real board and are not entered here."""
    return int(state.marks.get(ON_TABLE.write(company), "0"))


def lies_against(state: State) -> dict[HexId, str]:
    """The hexes on which something lies that the sheet refuses, with the id of the rule."""
    return {found[0]: state.marks[mark] for mark in state.marks for found in AGAINST.read((mark,))}


def faults_of(chosen: str) -> list[str]:
    """The fault of an option `referee` in plain words; none where it is empty or a mode."""
    return [] if chosen in ("", *MODES) else [f"referee: {' or '.join(MODES)}, or empty"]
