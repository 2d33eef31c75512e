"""Stations in 18LRA: normal tokens, harbour tokens on harbour places, and harbour tokens turned (LRA-TOK-09 to -16)."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.actions import PlaceStation
from trajekt.engine.board.board import Station
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import PrivateUsed, StationPlaced
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, State
from trajekt.games.lra.components import (
    HARBOUR,
    TURNED,
    Harbour,
    full_cost,
    harbour_tokens,
    harbours,
    reserved_cost,
    station_without_route,
)
from trajekt.rules import stations
from trajekt.rules.construction_costs import CostTerm, affordable, total
from trajekt.rules.operating_round import TurnStep, in_step, operating, set_turn, turn_of
from trajekt.rules.stations import StationPolicy, grant_at, index_of, letter_of
from trajekt.rules.tile_laying import phase_of, reach_now

NORMAL = "normal"
TOKENS = (NORMAL, HARBOUR, TURNED)
"""The kinds of token that a `PlaceStation` names."""

STATIONS = StationPolicy(reservation_rule="COMMON-TOK-05", apart=frozenset((HARBOUR,)))


def unused_harbour_tokens(state: State, company: CompanyId) -> int:
    """Harbour tokens still on the charter: those neither on a harbour place nor turned."""
    used = sum(
        station.company == company and station.kind in (HARBOUR, TURNED)
        for contents in state.board.contents_by_hex.values()
        for station in contents.stations
    )
    return harbour_tokens(state.sheet, company) - used


def unused_normal_tokens(state: State, company: CompanyId) -> int:
    """Tokens on the charter that go on normal places."""
    return len(state.companies[company].stations) - unused_harbour_tokens(state, company)


def brown(state: State) -> bool:
    """Tell whether the brown phase has begun."""
    return state.sheet.rank(state.current_phase.colour) >= state.sheet.rank("brown")


def harbour_at(view: View, at: HexId) -> Harbour | None:
    """The harbour of a hex."""
    return harbours(view.sheet).get(at)


def reserving(view: View, at: HexId) -> int:
    """The open private company that keeps the harbour place of a hex, 0 where none does (LRA-TOK-11, LRA-TOK-12)."""
    harbour = harbour_at(view, at)
    if harbour is None or not harbour.private or not view.state.privates[harbour.private].open:
        return 0
    return harbour.private


# Checks --------------------------------------------------------------------------------------------------------------


@check("COMMON-TOK-03")
def known_token(_view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a token that is of no kind of this game."""
    return None if action.token in TOKENS else refuse(Code.NOT_IN_RULESET, token=action.token)


@check("COMMON-TOK-03", "LRA-TOK-10")
def token_left(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a kind of which no token lies on the charter; the GVE has no harbour token."""
    state, company = view.state, operating(view)
    if action.token == NORMAL:
        return None if unused_normal_tokens(state, company.id) > 0 else refuse(Code.NO_TOKEN, company=company.id)
    left = unused_harbour_tokens(state, company.id)
    return None if left > 0 else refuse(Code.NO_TOKEN, "LRA-TOK-10", company=company.id, token=HARBOUR)


@check("LRA-TOK-14")
def turned_last(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse to turn a harbour token before the brown phase, or before it is the last token."""
    if action.token != TURNED:
        return None
    if not brown(view.state):
        return refuse(Code.NOT_IN_PHASE, **phase_of(view.sheet, "brown"))
    left = unused_normal_tokens(view.state, operating(view).id)
    return refuse(Code.TURNED_LAST, company=operating(view).id, count=left) if left else None


@check("LRA-TOK-10")
def harbour_place(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse harbour tokens off harbour places, which only green and brown tiles have, and others on them."""
    at, index = action.hex, index_of(action.stop)
    stop = view.state.board.face(at).stops[index]
    built = view.state.board.contents(at).stations
    taken = sum(station.stop == index and station.kind == HARBOUR for station in built)
    if action.token == HARBOUR:
        return None if taken < stop.harbour_slots else refuse(Code.NO_PLACE, hex=at)
    normal = sum(station.stop == index and station.kind != HARBOUR for station in built)
    if normal >= stop.slots and taken < stop.harbour_slots:
        return refuse(Code.HARBOUR_PLACE_ONLY, hex=at)
    return None


@check("COMMON-TOK-02", "COMMON-TOK-05")
def a_free_place(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a stop without an empty normal place, beside those reserved for homes; harbour places count apart."""
    return None if action.token == HARBOUR else stations.a_free_place(view, action)


@check("LRA-TOK-11")
def not_reserved(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a harbour before brown to all but the owner of its private company, once (LRA-PRV-19)."""
    if action.token != HARBOUR:
        return None
    number = reserving(view, action.hex)
    if not number:
        return None
    private = view.state.privates[number]
    if private.owner != operating(view).director or private.used:
        return refuse(Code.RESERVED, hex=action.hex, private=number)
    return None


@check("COMMON-TOK-02", "LRA-TOK-16")
def connected(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a place on no available route; the CCE needs none to Krefeld for a token on a normal place."""
    if action.token in (NORMAL, TURNED) and station_without_route(view.sheet, operating(view).id) == action.hex:
        return None
    refusal = stations.station_connected(view, action)
    if refusal is not None and action.token == HARBOUR:
        return Refusal(refusal.code, "LRA-TOK-11" if reserving(view, action.hex) else "LRA-TOK-12", refusal.args)
    return refusal


def terms(view: View, action: PlaceStation) -> tuple[CostTerm, ...]:
    """The cost of a token on a hex (COMMON-TOK-03, LRA-TOK-11 to -14)."""
    company = operating(view)
    if action.token == NORMAL:
        return stations.station_terms(view, action.hex)
    if action.token == TURNED:
        return (CostTerm("LRA-TOK-14", "turned", view.sheet.companies[company.id].station_costs[-1]),)
    if reserving(view, action.hex):
        return (CostTerm("LRA-TOK-11", "harbour", reserved_cost(view.sheet, company.id)),)
    rule = "LRA-TOK-12" if harbours(view.sheet)[action.hex].private else "LRA-TOK-13"
    return (CostTerm(rule, "harbour", full_cost(view.sheet, company.id, action.hex)),)


@check("COMMON-TOK-03")
def cost(view: View, action: PlaceStation) -> Refusal | None:
    """Refuse a token that the treasury cannot pay before it is placed."""
    return affordable(operating(view), total(terms(view, action)))


# Options and effect --------------------------------------------------------------------------------------------------


def at_hex(view: View, at: HexId) -> Iterator[PlaceStation]:
    """Every token on every city of a hex."""
    for index, stop in enumerate(view.state.board.face(at).stops):
        if stop.slots:
            yield PlaceStation(at, letter_of(index))
            yield PlaceStation(at, letter_of(index), TURNED)
        if stop.harbour_slots:
            yield PlaceStation(at, letter_of(index), HARBOUR)


def options(view: View) -> Iterator[PlaceStation]:
    """Every token on every city of the map."""
    for at in view.sheet.hexes:
        yield from at_hex(view, at)


def place(draft: Draft, action: PlaceStation) -> None:
    """Pay and place the token; a reserved harbour place uses its private company up (LRA-TOK-11)."""
    view, turn = draft.view, turn_of(draft.state)
    draft.pay(turn.company, BANK, total(terms(view, action)), "station")
    company = draft.state.companies[turn.company]
    token = 0 if action.token == NORMAL else len(company.stations) - 1
    kind = "" if action.token == NORMAL else action.token
    private = reserving(view, action.hex) if action.token == HARBOUR else 0
    why = "power" if private or grant_at(view, action.hex) else "station"
    draft.emit(StationPlaced(action.hex, Station(company.id, index_of(action.stop), kind), token, why))
    if private:
        draft.emit(PrivateUsed(private))
    set_turn(draft, station=action.hex)


PLACE_STATION = Rule(
    PlaceStation,
    options,
    place,
    needs=(in_step("station"), stations.one_a_turn, known_token, stations.a_city, token_left, turned_last),
    checks=(
        stations.one_a_hex,
        harbour_place,
        a_free_place,
        not_reserved,
        stations.granted_place_only,
        connected,
        cost,
    ),
)


def station_waits(view: View) -> bool:
    """Tell whether the company can build a station anywhere; stops at the first."""
    turn = turn_of(view.state)
    if turn.station or not operating(view).stations:
        return False
    free = station_without_route(view.sheet, turn.company)
    hexes = dict.fromkeys((*(grant.hex for grant in turn.grants), *((free,) if free else ()), *reach_now(view).near))
    rules = view.ruleset.actions.get(PlaceStation, ())
    return any(
        rule.first_refusal(view, action) is None for at in hexes for action in at_hex(view, at) for rule in rules
    )


STATION = TurnStep("station", waits=station_waits, passable=True)
