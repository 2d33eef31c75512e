"""The part of a position that only 18Ruhr has, in the file of a position set up by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.ruhr.components import MINES, STAGES, StageCounts, ruhr_components
from trajekt.games.ruhr.events import LocationSet, ThingsSet
from trajekt.games.ruhr.state import ACTIVE, FOUNDED, MERGED, PASSIVE, RuhrState, location, ruhr_state
from trajekt.rules.placement_by_hand import CAUSE, OwnFault, OwnField, OwnPosition

STATUSES = (ACTIVE, PASSIVE, MERGED, FOUNDED)
LOCATIONS = ("0", "10", "20", "30", "-1")


class RuhrThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of this game alone: `things` are mines, mills, MONTAN corporations and cards, `locations` the values on the map."""

    things: RuhrState
    locations: dict[int, Annotated[int, msgspec.Meta(ge=-1, le=30)]] = {}


def of(state: State) -> dict[str, Any]:
    """The part of a position that only 18Ruhr has, in plain values."""
    values = {mine: location(state, mine) for mine in MINES}
    plain: dict[str, Any] = msgspec.to_builtins(RuhrThings(ruhr_state(state), values), str_keys=True)
    return plain


def lay(draft: Draft, own: Mapping[str, Any]) -> None:
    """Lay these things on the table. `OwnFault` for what this game does not have."""
    found = msgspec.convert(dict(own), RuhrThings, strict=False)
    things = found.things
    for place in _faulty(draft.state, found):
        raise OwnFault(place)
    draft.emit(ThingsSet(things))
    for mine in MINES:
        draft.emit(LocationSet(mine, found.locations.get(mine, 0), CAUSE))


def _faulty(state: State, found: RuhrThings) -> Iterator[str]:
    """The places of what this game does not have."""
    known, things, seats = ruhr_components(state.sheet), found.things, range(len(state.players))
    if things.scenario not in known.scenarios:
        yield "things.scenario"
    if set(things.mines) != set(MINES) or not set(things.mines.values()) <= set(STATUSES):
        yield "things.mines"
    if not {str(value) for value in found.locations.values()} <= set(LOCATIONS):
        yield "locations"
    if not set(found.locations) <= set(MINES) or not set(things.worth) <= set(MINES):
        yield "locations"
    if not {number for column in things.columns for number in column} <= set(state.sheet.privates):
        yield "things.columns"
    for name, held in things.works.items():
        if name not in known.charters or not _is_row(held.markers) or not set(held.engines) <= set(known.engines):
            yield f"things.works.{name}"
    for name, corporation in things.montan.items():
        at = set(corporation.mines)
        if (
            name not in known.charters
            or not at
            or not at <= set(MINES)
            or corporation.phase not in state.sheet.phase_by_name
        ):
            yield f"things.montan.{name}"
    if not {*things.cards, *things.lost, *things.owed} <= set(seats):
        yield "things.cards"
    if not all(map(_is_row, things.removed.values())) or not set(things.scrapped) <= set(known.engines):
        yield "things.removed"


def _is_row(counts: StageCounts) -> bool:
    """Tell whether these are counts of markers, one for each stage, no more than there may ever be."""
    return len(counts) == len(STAGES) and all(0 <= count < 100 for count in counts)


# The form ---------------------------------------------------------------------------------------------------------------


def fields(state: State) -> Iterator[OwnField]:
    """The fields of the form: the package as dealt, mines, MONTAN corporations, cards and what is out of the game."""
    known = ruhr_components(state.sheet)
    yield OwnField(("things", "scenario"), "text", "scenario", "package", choices=tuple(known.scenarios))
    yield OwnField(("things", "columns"), "rows", "columns", "package")
    for mine in MINES:
        number = str(mine)
        yield OwnField(("locations", number), "number", "location", "mines", number, LOCATIONS)
        yield OwnField(("things", "mines", number), "text", "mine", "mines", number, STATUSES)
        yield from _charter(number, "mines")
        yield OwnField(("things", "worth", number), "number", "worth", "mines", number)
    phases = tuple(phase.name for phase in state.sheet.phases)
    for name in (each for each in known.charters if not each.isdecimal()):
        yield OwnField(("things", "montan", name, "mines"), "numbers", "mines", "montan", name)
        yield OwnField(("things", "montan", name, "phase"), "text", "phase", "montan", name, ("", *phases))
        for key in ("settled", "closed"):
            yield OwnField(("things", "montan", name, key), "tick", key, "montan", name)
        yield from _charter(name, "montan")
    for key, kind in (("cards", "seats"), ("lost", "seats"), ("owed", "seat_pairs"), ("refilled", "number")):
        yield OwnField(("things", key), kind, key, "cards")
    for industry in sorted({each.industry for each in known.charters.values()}):
        yield OwnField(("things", "removed", industry), "numbers", f"removed.{industry}", "cards")
    yield OwnField(("things", "scrapped"), "words", "scrapped", "cards")


def _charter(name: str, group: str) -> Iterator[OwnField]:
    yield OwnField(("things", "works", name, "markers"), "numbers", "markers", group, name)
    yield OwnField(("things", "works", name, "engines"), "words", "engines", group, name)


OWN_POSITION = OwnPosition(of, lay, (ThingsSet, LocationSet), fields)
