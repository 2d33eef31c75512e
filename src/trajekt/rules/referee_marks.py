"""The marks of a table with real cardboard: whether the map is mirrored, and what lies only on the real board.

`State.marks` holds it: `mirror` is `books` while only the books are kept, `map` while tiles and stations are entered too;
a game without that mark is played here.
"""

from __future__ import annotations

from enum import StrEnum

from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.frame_notes import Detail, Note
from trajekt.engine.state import State

MIRROR = "mirror"
BOOKS, MAP = "books", "map"
MODES = (BOOKS, MAP)


class OnTable(Detail, word="on_table"):
    """The name of a mark: the stations of a company that stand on the real board alone."""

    company: str


class LiesAgainst(Detail, word="lies"):
    """The name of a mark: a hex on which something lies against the sheet."""

    hex: str


class Told(Note, StrEnum):
    """Notes of a turn of which the table has told: the company has no route, it has built a station."""

    NO_ROUTE = "no_route"
    STATION_BUILT = "station_built"


def mirrored(state: State) -> str:
    """The part of a real table that is mirrored, `books` or `map`; empty for a game that is played here."""
    return state.marks.get(MIRROR, "")


def books_only(state: State) -> bool:
    """Tell whether the map lies on the real table alone."""
    return state.marks.get(MIRROR) == BOOKS


def stations_on_table(state: State, company: CompanyId) -> int:
    """The number of a company's stations that stand on the real board and are not entered here."""
    return int(state.marks.get(str(OnTable(company)), "0"))


def lies_against(state: State) -> dict[HexId, str]:
    """The hexes on which something lies that the sheet refuses, with the id of the rule."""
    return {
        mark.removeprefix(f"{LiesAgainst.word}:"): rule
        for mark, rule in state.marks.items()
        if mark.startswith(f"{LiesAgainst.word}:")
    }


def faults_of(chosen: str) -> list[str]:
    """The fault of an option `referee` in plain words; none where it is empty or a mode."""
    return [] if chosen in ("", *MODES) else [f"referee: {' or '.join(MODES)}, or empty"]
