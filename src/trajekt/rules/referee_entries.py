"""Entries of a table with real cardboard at any time: tiles and stations as they lie there, and what is mirrored at all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace as with_values

from trajekt.engine.actions import Action
from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import CompanyId, HexId, TileId
from trajekt.engine.events import FlagSet, StationsSet, TileLaid
from trajekt.engine.ruleset import (
    Code,
    Draft,
    Reaction,
    Refusal,
    Rule,
    View,
    check,
    refuse,
)
from trajekt.engine.state import BANK, Frame, Seat, State
from trajekt.rules import placement_by_hand
from trajekt.rules.construction_costs import affordable
from trajekt.rules.operating_round import (
    CompanyTurn,
    turn_of,
)
from trajekt.rules.placement_by_hand import StationPut, TilePut, against, arrange
from trajekt.rules.referee_declarations import MOST, UNIT, count_on_table
from trajekt.rules.referee_marks import (
    MIRROR,
    MODES,
    LiesAgainst,
    mirrored,
    stations_on_table,
)


class SetMirror(Action, frozen=True, tag="set_mirror"):
    """Keep only the `books` from now on, or mirror the `map` too."""

    mode: str


class EnterTile(Action, frozen=True, tag="enter_tile"):
    """Enter a tile as it lies on the real board, whatever the rules say; `cost` is paid by the company in turn, in Mark."""

    hex: HexId
    tile: TileId
    rotation: int = msgspec.field(name="turn")
    cost: int = 0


class EnterStation(Action, frozen=True, tag="enter_station"):
    """Enter a station of a company as it stands on a stop of the real board (`a`, `b`, ...)."""

    hex: HexId
    company: CompanyId
    stop: str = "a"


def everybody(state: State, _frame: Frame) -> Sequence[Seat]:
    """Everybody still in the game: the table has one mirror."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.bankrupt)


@check("COMMON-OR-04")
def mode_changes(view: View, action: SetMirror) -> Refusal | None:
    """Refuse a mode that there is not, and the one that is on."""
    if action.mode not in MODES:
        return refuse(Code.NOT_IN_RULESET)
    return refuse(Code.MIRRORED_SO) if mirrored(view.state) == action.mode else None


def set_mirror(draft: Draft, action: SetMirror) -> None:
    """Change what is mirrored."""
    draft.emit(FlagSet(MIRROR, action.mode))


def put_of(action: EnterTile | EnterStation) -> TilePut | StationPut:
    """The placement by hand that an entry is."""
    if isinstance(action, EnterTile):
        return TilePut(action.hex, action.tile, action.rotation)
    return StationPut(action.hex, action.company, action.stop)


@check("COMMON-TRK-04", "COMMON-TOK-02")
def box_holds(view: View, action: EnterTile | EnterStation) -> Refusal | None:
    """Refuse what the box does not hold, and where there is no such place."""
    if isinstance(action, EnterTile) and action.rotation not in range(6):
        return refuse(Code.ORIENTATION, "COMMON-TRK-05", turn=action.rotation)
    found = arrange(view.ruleset, _with_token(view.state, action), put_of(action))
    if isinstance(found, Refusal):
        return found
    if isinstance(action, EnterStation):
        stations = view.state.board.contents(action.hex).stations
        if any(each.company == action.company for each in stations):
            return refuse(Code.STATION_HERE, "COMMON-TOK-02", company=action.company, hex=action.hex)
    return None


def _with_token(state: State, action: Action) -> State:
    """The position in which a station on the real board has its token at hand."""
    if not isinstance(action, EnterStation) or not stations_on_table(state, action.company):
        return state
    company = state.companies[action.company]
    token = with_values(company, stations=(*company.stations, 0))
    return with_values(state, companies={**state.companies, company.id: token})


@check("COMMON-TRK-14")
def entry_paid(view: View, action: EnterTile) -> Refusal | None:
    """Refuse a cost that no company in turn can pay."""
    if not action.cost:
        return None
    turn = view.frame
    if not isinstance(turn, CompanyTurn):
        return refuse(Code.WRONG_STEP, step="track")
    if action.cost < 0 or action.cost % UNIT:
        return refuse(Code.TYPED_SUM, unit=UNIT, most=MOST)
    return affordable(view.state.companies[turn.company], action.cost)


def note_against(draft: Draft, put: TilePut | StationPut) -> None:
    """Mark the hex of a thing that the sheet refuses with the rule's id."""
    found = against(draft.state, put)
    if found:
        draft.emit(FlagSet(str(LiesAgainst(put.hex)), found[0].rule))


def enter_tile(draft: Draft, action: EnterTile) -> None:
    """Lay the tile, paid for by the company in turn."""
    if action.cost:
        draft.pay(turn_of(draft.state).company, BANK, action.cost, "tile")
    put = put_of(action)
    note_against(draft, put)
    _emit_all(draft, arrange(draft.ruleset, draft.state, put))


def enter_station(draft: Draft, action: EnterStation) -> None:
    """Put the station on the map: one that stands on the real board, else the cheapest token."""
    put = put_of(action)
    note_against(draft, put)
    if not stations_on_table(draft.state, action.company):
        _emit_all(draft, arrange(draft.ruleset, draft.state, put))
        return
    count_on_table(draft, action.company, -1)
    here = draft.state.board.contents(action.hex)
    stop = placement_by_hand.stop_number(draft.state, action.hex, action.stop)
    assert stop is not None
    kept = tuple(place for place in here.reservations if place.company != action.company)
    draft.emit(StationsSet(action.hex, (*here.stations, Station(action.company, stop)), kept))


def _emit_all(draft: Draft, found: Draft | Refusal) -> None:
    assert isinstance(found, Draft), found
    for event in found.events:
        draft.emit(event)


def no_candidates(_view: View) -> tuple[()]:
    """None: only the table knows its real board."""
    return ()


SET_MIRROR = Rule(SetMirror, lambda _view: map(SetMirror, MODES), set_mirror, needs=(mode_changes,), actors=everybody)
ENTER_TILE = Rule(EnterTile, no_candidates, enter_tile, needs=(box_holds,), checks=(entry_paid,), actors=everybody)
ENTER_STATION = Rule(EnterStation, no_candidates, enter_station, needs=(box_holds,), actors=everybody)
ANYTIME = (SET_MIRROR, ENTER_TILE, ENTER_STATION)


def mark_ends(draft: Draft, event: TileLaid) -> None:
    """A tile laid by the rules lies against nothing."""
    mark = str(LiesAgainst(event.hex))
    if event.cause != placement_by_hand.CAUSE and mark in draft.state.marks:
        draft.emit(FlagSet(mark, ""))


MARK_ENDS = Reaction(TileLaid, ("COMMON-TRK-04",), mark_ends)
