"""Stations: step 2 of a company's turn, and the homes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from trajekt.engine.actions import PlaceStation
from trajekt.engine.board.board import Board, Station
from trajekt.engine.board.reachability import reach_of
from trajekt.engine.board.track_graph import ENDS
from trajekt.engine.board.upgrades import stop_mapping
from trajekt.engine.components.schema import FIRST_STOP, CompanyId, HexId, Home
from trajekt.engine.events import StationPlaced, StationsSet, StatusSet
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, View, check, refuse
from trajekt.engine.state import BANK, State
from trajekt.rules.construction_costs import CostTerm, affordable, total, waived
from trajekt.rules.operating_round import operating, set_turn, turn_of
from trajekt.rules.private_companies import Power, PowersPolicy
from trajekt.rules.tile_laying import reach_now, stations_aside


def as_printed(_view: View, _at: HexId, terms: tuple[CostTerm, ...]) -> tuple[CostTerm, ...]:
    """Leave the cost of a station as it is."""
    return terms


@dataclass(frozen=True, slots=True)
class StationPolicy:
    """`reservation_rule` keeps a place for a home which is not on the map yet or lies there face down.

    `apart` are kinds of token that lie on places of their own. `relief` changes the terms of what a token costs on a hex.
    """

    reservation_rule: str
    apart: frozenset[str] = frozenset()
    relief: Callable[[View, HexId, tuple[CostTerm, ...]], tuple[CostTerm, ...]] = as_printed


def index_of(stop: str) -> int:
    """The index of a stop by its letter; -1 where it is none."""
    return ENDS.find(stop, FIRST_STOP) - FIRST_STOP if len(stop) == 1 and stop in ENDS[FIRST_STOP:] else -1


def letter_of(index: int) -> str:
    """The letter of a stop."""
    return ENDS[FIRST_STOP + index]


# Checks -----------------------------------------------------------------------------------------------------------------


@check("COMMON-TOK-01", general=True)
def one_a_turn(view: View, _action: PlaceStation) -> Refusal | None:
    """Refuse a second station in a turn, however it is built."""
    turn = turn_of(view.state)
    return refuse(Code.ONE_STATION, company=turn.company, hex=turn.station) if turn.station else None


@check("COMMON-TOK-03")
def token_left(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a kind of token of which none lies on the charter."""
    if action.token != "normal":
        return refuse(Code.NOT_IN_RULESET, token=action.token)
    company = operating(view)
    return None if company.stations else refuse(Code.NO_TOKEN, company=company.id)


@check("COMMON-TOK-02")
def a_city(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a stop that does not exist or has no places for stations."""
    if action.hex in view.sheet.hexes:
        stops, index = view.state.board.face(action.hex).stops, index_of(action.stop)
        if 0 <= index < len(stops) and stops[index].slots:
            return None
        return refuse(Code.NO_PLACE, hex=action.hex)
    return refuse(Code.NO_SUCH_HEX, hex=action.hex)


@check("COMMON-TOK-02")
def one_a_hex(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a second station of a company on a hex, whatever the number of its cities."""
    company = turn_of(view.state).company
    built = any(station.company == company for station in view.state.board.contents(action.hex).stations)
    return refuse(Code.STATION_HERE, company=company, hex=action.hex) if built else None


@check("COMMON-TOK-02", "COMMON-TOK-05", "RHL-TOK-06")
def a_free_place(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a stop without an empty place, beside those reserved for homes."""
    company, index = turn_of(view.state).company, index_of(action.stop)
    contents, stop = view.state.board.contents(action.hex), view.state.board.face(action.hex).stops[index]
    policy = view.ruleset.policy(StationPolicy)
    built = [station for station in contents.stations if station.stop == index and station.kind not in policy.apart]
    reserved = sum(1 for r in contents.reservations if r.stop == index and r.company != company)
    if len(built) + reserved < stop.slots:
        return None
    if reserved or any(station.asleep for station in built):
        return refuse(Code.RESERVED, policy.reservation_rule, hex=action.hex)
    return refuse(Code.NO_PLACE, hex=action.hex)


@check("COMMON-PRV-04")
def granted_place_only(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse any other place after a power that allows only the place it gives."""
    turn = turn_of(view.state)
    if not turn.exclusive or any(grant.hex == action.hex for grant in turn.grants):
        return None
    return refuse(Code.GRANTED_PLACE_ONLY, hexes=", ".join(grant.hex for grant in turn.grants))


def granted_by(state: State, at: HexId) -> int:
    """The private company whose power allows a station on a hex without a route now; 0 where none does."""
    return next((grant.private for grant in turn_of(state).grants if grant.hex == at), 0)


def grant_at(view: View, at: HexId) -> Power | None:
    """The power that allows a station on a hex without a route now."""
    private = granted_by(view.state, at)
    return view.ruleset.policy(PowersPolicy).powers[private] if private else None


@check("COMMON-TOK-02")
def station_connected(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a city on no available route, unless a power gave the place."""
    index = index_of(action.stop)
    if grant_at(view, action.hex) is not None or reach_now(view).stop(action.hex, index):
        return None
    company = turn_of(view.state).company
    free = reach_of(view.state.board, company, stations_aside)
    code = Code.BLOCKED if free.stop(action.hex, index) else Code.NOT_CONNECTED
    return refuse(code, company=company, hex=action.hex)


def station_terms(view: View, at: HexId) -> tuple[CostTerm, ...]:
    """The cost of the cheapest unused token on a hex (COMMON-TOK-03)."""
    unused = operating(view).stations
    terms: tuple[CostTerm, ...] = (CostTerm("COMMON-TOK-03", "token", unused[0]),) if unused else ()
    power = grant_at(view, at)
    terms = waived(terms, power.free_station, "power") if power else terms
    return view.ruleset.policy(StationPolicy).relief(view, at, terms)


@check("COMMON-TOK-03")
def station_cost(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a station that the treasury cannot pay before it is placed."""
    return affordable(operating(view), total(station_terms(view, action.hex)))


# Options and effect -----------------------------------------------------------------------------------------------------


def station_options(view: View) -> Iterator[PlaceStation]:
    """Every stop with places for stations, in the station step."""
    return places_on(view, view.sheet.hexes)


def likely_stations(view: View) -> Iterator[PlaceStation]:
    """List stations on the hexes that the company's paths come to, and those that a power gave."""
    near = reach_now(view).close.union(grant.hex for grant in turn_of(view.state).grants)
    return places_on(view, (at for at in view.sheet.hexes if at in near))


def places_on(view: View, hexes: Iterable[HexId]) -> Iterator[PlaceStation]:
    """Every stop with places for stations on these hexes, in the station step."""
    if turn_of(view.state).step != "station":
        return
    board = view.state.board
    for at in hexes:
        for index, stop in enumerate(board.face(at).stops):
            if stop.slots:
                yield PlaceStation(at, letter_of(index))


def place_station(draft: Draft, action: PlaceStation) -> None:
    """Pay and place the cheapest token (COMMON-TOK-03)."""
    turn, view = turn_of(draft.state), draft.view
    draft.pay(turn.company, BANK, total(station_terms(view, action.hex)), "station")
    why = "power" if granted_by(draft.state, action.hex) else "station"
    draft.emit(StationPlaced(action.hex, Station(turn.company, index_of(action.stop)), 0, why))
    set_turn(draft, station=action.hex)


def can_place(view: View) -> bool:
    """Tell whether the company may build a station anywhere; stops at the first."""
    turn = turn_of(view.state)
    if turn.station or not operating(view).stations:
        return False
    here = reach_now(view)
    rules = view.ruleset.actions.get(PlaceStation, ())
    board = view.state.board
    for at in dict.fromkeys((*(grant.hex for grant in turn.grants), *here.near)):
        for index, stop in enumerate(board.face(at).stops):
            if stop.slots:
                action = PlaceStation(at, letter_of(index))
                if any(rule.first_refusal(view, action) is None for rule in rules):
                    return True
    return False


# Homes ------------------------------------------------------------------------------------------------------------------


def home_stop(board: Board, company: CompanyId, home: Home) -> int:
    """The stop of a home on the face in force: where its place is kept, or that which keeps the track of its printed place."""
    reserved = next((r.stop for r in board.contents(home.hex).reservations if r.company == company), None)
    if reserved is not None:
        return reserved
    stops = stop_mapping(board.sheet.hexes[home.hex].face, board.face(home.hex))
    return home.stop if stops is None else stops[home.stop]


def homes_due(state: State, company: CompanyId) -> list[Home]:
    """The homes of a company that are not on the map yet."""
    homes = state.sheet.companies[company].homes
    return [h for h in homes if all(s.company != company for s in state.board.contents(h.hex).stations)]


def place_homes(draft: Draft) -> None:
    """In its first turn a company's homes come to the map, free, before track (RHL-OR-05, RHL-COR-16)."""
    company = turn_of(draft.state).company
    if draft.state.companies[company].operated:
        return
    for home in homes_due(draft.state, company):
        stop = home_stop(draft.state.board, company, home)
        draft.emit(StationPlaced(home.hex, Station(company, stop), 0, "home"))


def turn_up_homes(draft: Draft, event: StatusSet) -> None:
    """Make the homes of a company stations, now that it floats (COMMON-OR-06)."""
    if event.status != "floated" or not event.value:
        return
    for at, contents in draft.state.board.contents_by_hex.items():
        if any(s.company == event.company and s.asleep for s in contents.stations):
            awake = tuple(
                Station(s.company, s.stop, s.kind) if s.company == event.company else s for s in contents.stations
            )
            draft.emit(StationsSet(at, awake, contents.reservations))


TURN_UP_HOMES = Reaction(StatusSet, ("COMMON-OR-06",), turn_up_homes)
