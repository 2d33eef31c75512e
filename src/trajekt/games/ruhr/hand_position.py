"""The part of a position that only 18Ruhr has, in the file of a position set up by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.ruhr.components import MINES, ruhr_components
from trajekt.games.ruhr.events import LocationSet, ThingsSet
from trajekt.games.ruhr.state import RuhrState, location, ruhr_state
from trajekt.rules.placement_by_hand import CAUSE, OwnPosition


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
    """Lay these things on the table. ValueError for what cannot be read, or names what this game does not have."""
    found = msgspec.convert(dict(own), RuhrThings, strict=False)
    known = ruhr_components(draft.sheet)
    things = found.things
    if (
        things.scenario not in known.scenarios
        or set(things.mines) != set(MINES)
        or not set(found.locations) <= set(MINES)
    ):
        raise ValueError(things.scenario)
    if not set(things.works) <= set(known.charters) or not set(things.montan) <= set(draft.sheet.companies):
        raise ValueError(", ".join(things.works))
    draft.emit(ThingsSet(things))
    for mine in MINES:
        draft.emit(LocationSet(mine, found.locations.get(mine, 0), CAUSE))


OWN_POSITION = OwnPosition(of, lay, (ThingsSet, LocationSet))
