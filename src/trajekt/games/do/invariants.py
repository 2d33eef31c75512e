"""Invariants of every position of 18DO (the rule sheet's list, by its numbers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from trajekt.engine.state import CHARTER, IPO, POOL, Company, State
from trajekt.games.do.components import do_components, limits_of
from trajekt.games.do.frames import TooManyBecs
from trajekt.games.do.state import REMOVED, breweries, charter, cubes, do_state, is_minor
from trajekt.rules.directorship import exact_sets, ordinary
from trajekt.rules.stock_round import StockRound
from trajekt.rules.trains import TooManyTrains, TrainPolicy

_Invariant: TypeAlias = Callable[[State], Iterable[str]]
PLACES = (IPO, CHARTER, POOL, REMOVED)


def money(state: State) -> Iterator[str]:
    """1 and 2: no money is lost or made; nobody but the bank owns less than nothing."""
    held = [player.cash for player in state.players]
    treasuries = [*(company.treasury for company in state.companies.values()), *state.aside.values()]
    total, first = state.bank + sum(held) + sum(treasuries), state.sheet.limits.bank[len(state.players)]
    if total != first:
        yield f"1: {total} Mark in all, {first} at the start"
    if min([*held, *treasuries]) < 0:
        yield f"2: somebody owns less than nothing: {held}, {treasuries}"


def beer(state: State) -> Iterator[str]:
    """3 and 4: cubes are neither lost nor made, closed segments hold none."""
    total = do_components(state.sheet).cubes[len(state.players)]["total"]
    if cubes(state) != total:
        yield f"3: {cubes(state)} cubes, {total} at the start"
    for number, segment in do_state(state).segments.items():
        if segment.closed and (any(segment.demand) or any(segment.supply)):
            yield f"4: closed segment {number} holds {segment}"


def cards(state: State) -> Iterator[str]:
    """7: every Capex card is in the display, a train, in the pool, equipment, or out of the game."""
    depot = state.depot
    known: Counter[str] = Counter(depot.display)
    known.update(depot.pool)
    known.update(depot.gone)
    for company in state.companies.values():
        known.update(company.trains)
    for kind, train in state.sheet.trains.items():
        if kind == "2":
            continue  # equipment of type 2 is counted together with green-bordered cards
        held = sum(bec.kind == kind for one in do_state(state).charters.values() for bec in one.becs)
        if known[kind] + held > train.count:
            yield f"7: {known[kind]} and {held} cards of type {kind}, {train.count} printed"


def shares(state: State) -> Iterator[str]:
    """8 to 10: certificates as printed, each at a place; limits of pool and players; the director holds most."""
    most = do_components(state.sheet).share_limit[len(state.players)]
    for company in state.companies.values():
        printed = state.sheet.companies[company.id].certificates
        if tuple(c.percent for c in company.certificates) != printed:
            yield f"8: {company.id} has other certificates than printed"
        for certificate in company.certificates:
            if certificate.holder not in PLACES and certificate.holder not in range(len(state.players)):
                yield f"8: a certificate of {company.id} lies at {certificate.holder}"
        if company.founded and company.percent(IPO):
            yield f"8: {company.id} is founded and has certificates in the offering"
        for seat, percent in company.shareholders.items():
            if percent > most:
                yield f"8: {seat} holds {percent} % of {company.id}"
        yield from _directed(company)


def _directed(company: Company) -> Iterator[str]:
    """9: the director holds the certificate, and nobody more who could take it over."""
    certificate = next(c for c in company.certificates if c.director)
    if company.director is None:
        return
    if certificate.holder != company.director:
        yield f"9: {company.id} is directed by {company.director} without the certificate"
    for seat, percent in company.shareholders.items():
        enough = exact_sets(company, ordinary(company, seat), certificate.percent)
        if percent > company.percent(company.director) and enough:
            yield f"9: {seat} holds {percent} % of {company.id}, more than its director"


def tokens(state: State) -> Iterator[str]:
    """11 and 12: never two stations of a railway on a hex, no more than spaces, none in the City; tokens where they belong."""
    known = do_components(state.sheet)
    for at, contents in state.board.contents_by_hex.items():
        names = [station.company for station in contents.stations]
        slots = sum(stop.slots for stop in state.board.face(at).stops)
        if len(set(names)) != len(names) or len(names) > slots:
            yield f"11: stations {names} on {at} with {slots} spaces"
        laid = [icon for icon in contents.icons if icon[1:].isdecimal()]
        if len(laid) > 1 or (laid and at not in known.mines | known.mills):
            yield f"12: tokens {laid} on {at}"


def city(state: State) -> Iterator[str]:
    """11: no station in the City."""
    stations = state.board.contents(do_components(state.sheet).city).stations
    if stations:
        yield f"11: stations {stations} in the City"


def trains(policy: TrainPolicy) -> _Invariant:
    """13: trains within the table's limit once discards are asked."""

    def within(state: State) -> Iterator[str]:
        frames = {type(frame) for frame in state.agenda}
        for company in state.companies.values():
            if TooManyTrains not in frames and len(company.trains) > policy.limit(state, company.id):
                yield f"13: {company.id} owns {company.trains}"

    return within


def limits(state: State) -> Iterator[str]:
    """13 and 16: equipment within limits once discards are asked; loads within squares."""
    frames = {type(frame) for frame in state.agenda}
    known, limit = do_components(state.sheet), limits_of(state.sheet, state.phase)
    for brewery in breweries(state):
        becs = charter(state, brewery).becs
        most = limit.minor if is_minor(state, brewery) else limit.corporation
        if TooManyBecs not in frames and len(becs) > most:
            yield f"13: {brewery} owns {[bec.kind for bec in becs]}"
        if is_minor(state, brewery) and any(known.cards[b.kind].not_for_minors for b in becs if b.kind in known.cards):
            yield f"13: {brewery} owns {[bec.kind for bec in becs]}"
    for name, loads in do_state(state).loads.items():
        wagons = sum(marker.code == "C" for marker in charter(state, name).markers)
        over = sum(max(0, load.cubes - known.cards[load.train].wagons) for load in loads)
        if over > wagons:
            yield f"16: {name} carries {loads}"


def tiles(state: State) -> Iterator[str]:
    """14: tiles on the map and in the supply are those printed."""
    laid = Counter(contents.tile for contents in state.board.contents_by_hex.values() if contents.tile)
    for number, tile in state.sheet.tiles.items():
        if state.supply[number] < 0 or state.supply[number] + laid[number] != tile.count:
            yield f"14: tile {number}: {laid[number]} on the map, {state.supply[number]} in the supply"


def value(state: State) -> Iterator[str]:
    """15: founded corporations have a token."""
    for company in state.companies.values():
        if company.founded != (company.id in state.markers.spaces):
            yield f"15: {company.id} on {state.markers.spaces.get(company.id)}"


def order(state: State) -> Iterator[str]:
    """17: the brewery order holds each brewery once."""
    if any(isinstance(frame, StockRound) for frame in state.agenda) and state.agenda:
        minors = [
            m.id for m in do_components(state.sheet).minors.values() if state.privates[m.number].owner is not None
        ]
        open_minors = [m for m in minors if state.privates[do_components(state.sheet).minors[m].number].open]
        corporations = [c.id for c in state.companies.values() if c.floated and state.markers.spaces[c.id][0] == 2]
        if sorted(breweries(state)) != sorted([*open_minors, *corporations]):
            yield f"17: order {breweries(state)}"


OF_INTRODUCTION: tuple[_Invariant, ...] = (money, cards, tokens, tiles)
OF_RAILWAYS: tuple[_Invariant, ...] = (*OF_INTRODUCTION, shares, value)
ALL: tuple[_Invariant, ...] = (*OF_RAILWAYS, beer, city, limits, order)
"""The invariants of every table; `trains` comes beside them."""
