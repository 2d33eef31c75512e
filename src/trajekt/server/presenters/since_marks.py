"""Marks of what others did since a player's own move: hexes of the map, spaces of the market, companies of the sheet."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId, Space
from trajekt.engine.events import (
    CertificateMoved,
    DirectorChanged,
    Event,
    IconPlaced,
    ParSet,
    PriceMoved,
    StationPlaced,
    TileLaid,
    TrainMoved,
    TrainsRan,
)
from trajekt.engine.state import State
from trajekt.game import Entry


class SinceMarks(msgspec.Struct, frozen=True):
    """Places that are marked, each with the newest entry that changed it. A space of the market is `row,column`."""

    hexes: dict[HexId, int]
    spaces: dict[str, int]
    companies: dict[CompanyId, int]


def since_marks(entries: Iterable[Entry], state: State) -> SinceMarks:
    """Return what some entries, oldest first, have changed in a position after them."""
    marks = SinceMarks({}, {}, {})
    for entry in entries:
        for event in entry.events:
            _mark(marks, entry.number, event, state)
    return marks


def marks_json(marks: SinceMarks) -> str:
    """Marks as the page reads them."""
    return msgspec.json.encode(marks).decode()


def _mark(marks: SinceMarks, number: int, event: Event, state: State) -> None:
    match event:
        case TileLaid() | StationPlaced() | IconPlaced():
            marks.hexes[event.hex] = number
        case PriceMoved() | ParSet():
            space = state.markers.spaces.get(event.company)
            if space is not None:
                marks.spaces[space_name(space)] = number
            marks.companies[event.company] = number
        case CertificateMoved() | DirectorChanged() | TrainsRan():
            marks.companies[event.company] = number
        case TrainMoved():
            for company in sorted({event.source, event.target} & set(state.companies)):
                marks.companies[company] = number
        case _:
            pass


def space_name(space: Space) -> str:
    """A space of the market as the drawing names it."""
    row, column = space
    return f"{row},{column}"
