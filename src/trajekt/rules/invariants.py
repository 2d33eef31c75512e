"""Invariants of every position (section 22 of the rule sheets), as far as one position shows them.

Each answers the violations it finds, in plain words behind the id. A simulation asks all of them after every action; those
that say what they look at are passed over while that is the same. What only the events show is in `history_invariants`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import is_
from typing import TypeAlias

from trajekt.engine.state import CHARTER, IPO, PACKAGE, POOL, Company, Holder, Seat, State
from trajekt.rules.directorship import exact_sets, ordinary
from trajekt.rules.referee_marks import stations_on_table
from trajekt.rules.trains import TooManyTrains

PLACES = (IPO, POOL, CHARTER, PACKAGE)
Looks: TypeAlias = Callable[[State], Sequence[object]]


@dataclass(frozen=True, slots=True)
class Invariant:
    """An invariant, and the columns that it looks at: as long as these are the same objects, nothing new can be found."""

    test: Callable[[State], Iterable[str]]
    looks: Looks

    @property
    def __name__(self) -> str:
        return self.test.__name__

    def __call__(self, state: State) -> Iterable[str]:
        return self.test(state)


def looking(looks: Looks) -> Callable[[Callable[[State], Iterable[str]]], Invariant]:
    """Make an invariant of a function that looks at these."""
    return lambda test: Invariant(test, looks)


class Watch:
    """Asks invariants one position after another."""

    def __init__(self, invariants: Sequence[Callable[[State], Iterable[str]]]) -> None:
        self.invariants = invariants
        self.seen: dict[int, Sequence[object]] = {}

    def faults(self, state: State) -> Iterator[str]:
        """The violations in a position, but for what cannot have changed since the last."""
        for number, invariant in enumerate(self.invariants):
            if isinstance(invariant, Invariant):
                now, before = invariant.looks(state), self.seen.get(number, ())
                if len(now) == len(before) and all(map(is_, now, before)):
                    continue
                self.seen[number] = now
            yield from invariant(state)


def _papers(state: State) -> Sequence[object]:
    """Certificates and who directs; bankrupt players with them."""
    companies = state.companies.values()
    seen: list[object] = [c.certificates for c in companies]
    seen += [c.director for c in companies]
    seen += [c.founded for c in companies]
    seen += [c.floated for c in companies]
    seen += [c.receivership for c in companies]
    seen += [p.bankrupt for p in state.players]
    return seen


def money(state: State) -> Iterator[str]:
    """INV-01, INV-02: no money is lost or made; only the bank goes below zero, and only once the end is due."""
    held = [player.cash for player in state.players]
    treasuries = [company.treasury for company in state.companies.values()]
    total = state.bank + sum(held) + sum(treasuries) + sum(state.aside.values())
    initial = state.sheet.limits.bank[len(state.players)]
    if total != initial:
        yield f"INV-01: {total} Mark in all, {initial} at the start"
    if min(held) < 0 or min(treasuries) < 0 or min(state.aside.values(), default=0) < 0:
        yield f"INV-02: somebody owns less than nothing: {held}, {treasuries}"
    if state.bank < 0 and not state.ending:
        yield f"INV-02: the bank is at {state.bank} and the end is not due"


@looking(_papers)
def certificates(state: State) -> Iterator[str]:
    """INV-03: each corporation has its printed certificates, each at one place that exists."""
    seats = range(len(state.players))
    for company in state.companies.values():
        printed = state.sheet.companies[company.id].certificates
        if tuple(c.percent for c in company.certificates) != printed or sum(printed) != 100:
            yield f"INV-03: {company.id} has other certificates than printed"
        for certificate in company.certificates:
            if certificate.holder not in PLACES and certificate.holder not in seats:
                yield f"INV-03: a certificate of {company.id} lies at {certificate.holder}"


@looking(_papers)
def directors(state: State) -> Iterator[str]:
    """INV-04: the director holds the director's certificate and nobody holds more, if an exchange is possible."""
    for company in state.companies.values():
        certificate = next(c for c in company.certificates if c.director)
        if company.receivership:
            if company.director is not None or certificate.holder != POOL or not company.floated:
                yield f"INV-04: {company.id} is in receivership, director {company.director}"
        elif company.founded and company.director is None and not _waits(state, company, certificate.holder):
            yield f"INV-04: {company.id} is founded and nobody directs it"
        elif company.director is not None:
            if certificate.holder != company.director or state.players[company.director].bankrupt:
                yield f"INV-04: {company.id} is directed by {company.director} without the certificate"
            yield from _others_with_more(company, company.director, certificate.percent)


def _others_with_more(company: Company, director: Seat, size: int) -> Iterator[str]:
    own = company.percent(director)
    for seat, percent in company.shareholders.items():
        if percent > own and exact_sets(company, ordinary(company, seat), size):
            yield f"INV-04: {seat} holds {percent} % of {company.id}, its director {own} %"


def _waits(state: State, company: Company, lies: Holder) -> bool:
    """Tell whether nobody directs a founded corporation yet, or after a bankruptcy before it has floated (RHL-BKR-02)."""
    bankrupt = any(player.bankrupt for player in state.players)
    return lies == PACKAGE or (lies == POOL and bankrupt and not company.floated)


def agreement(state: State) -> Iterator[str]:
    """Only who is still in the game has a word in ending it (COMMON-END-06)."""
    for seat in state.peace:
        if state.players[seat].bankrupt or state.players[seat].outside:
            yield f"INV-04: {seat} has left the game and still agrees to end it"


@looking(_papers)
def pool_limit(state: State) -> Iterator[str]:
    """INV-05: the pool holds at most half of a corporation, unless somebody went bankrupt."""
    if any(player.bankrupt for player in state.players):
        return
    for company in state.companies.values():
        if company.percent(POOL) > state.sheet.limits.pool_percent:
            yield f"INV-05: {company.percent(POOL)} % of {company.id} in the pool"


@looking(_papers)
def charters(state: State) -> Iterator[str]:
    """INV-06: only a floated corporation has certificates on its charter."""
    for company in state.companies.values():
        if not company.floated and company.percent(CHARTER):
            yield f"INV-06: {company.id} has not floated and holds its own certificates"


@looking(_papers)
def offering_empty_once_floated(state: State) -> Iterator[str]:
    """INV-06 of the second edition: a floated corporation has nothing left in the initial offering."""
    for company in state.companies.values():
        if company.floated and company.percent(IPO):
            yield f"INV-06: {company.id} has floated and {company.percent(IPO)} % lie in the offering"


@looking(lambda state: [state.markers, *[c.par for c in state.companies.values()]])
def markers(state: State) -> Iterator[str]:
    """INV-08: a corporation with a par has one marker on a space of the market, others none."""
    spaces = state.markers.spaces
    if sorted(state.markers.arrivals) != sorted(spaces):
        yield "INV-08: the stacks and the spaces name different corporations"
    for company in state.companies.values():
        if (company.id in spaces) != bool(company.par):
            yield f"INV-08: {company.id} with par {company.par} on {spaces.get(company.id)}"
    for company_id, space in spaces.items():
        if state.sheet.market.cell(space) is None:
            yield f"INV-08: {company_id} lies on {space}, which is no space"


@looking(lambda state: [state.board.contents_by_hex, state.supply])
def tiles(state: State) -> Iterator[str]:
    """INV-10: tiles on the map and in the supply are those printed; no track meets a closed side."""
    laid = Counter(contents.tile for contents in state.board.contents_by_hex.values() if contents.tile)
    for number, tile in state.sheet.tiles.items():
        left = state.supply[number]
        if left < 0 or left + laid[number] != tile.count:
            yield f"INV-10: tile {number}: {laid[number]} on the map, {left} in the supply, {tile.count} printed"
    for at, contents in state.board.contents_by_hex.items():
        closed = state.sheet.hexes[at].closed_edges
        if (
            contents.tile
            and closed
            and not state.sheet.rotated[contents.tile, contents.rotation].edges.isdisjoint(closed)
        ):
            yield f"INV-10: {contents.tile} on {at} has track to a closed side"


@looking(lambda state: [state.board.contents_by_hex, *[c.stations for c in state.companies.values()]])
def stations(state: State) -> Iterator[str]:
    """INV-12: tokens are those printed, one of a corporation on a hex, no more on a stop than it has places."""
    placed: Counter[str] = Counter()
    for at, contents in state.board.contents_by_hex.items():
        if not contents.stations:
            continue
        names = [station.company for station in contents.stations]
        placed.update(names)
        if len(set(names)) != len(names):
            yield f"INV-12: {names} on {at}"
        stops = state.board.face(at).stops
        for stop, count in Counter(station.stop for station in contents.stations).items():
            if count > max(1, stops[stop].slots + stops[stop].harbour_slots):
                yield f"INV-12: {count} stations on stop {stop} of {at}"
    for company in state.companies.values():
        printed = len(state.sheet.companies[company.id].station_costs)
        aside = stations_on_table(state, company.id)
        if placed[company.id] + aside + len(company.stations) != printed:
            yield f"INV-12: {company.id} has {placed[company.id]} stations and {len(company.stations)} left of {printed}"


@looking(lambda state: [state.depot, state.phase, state.agenda, *[c.trains for c in state.companies.values()]])
def trains(state: State) -> Iterator[str]:
    """INV-14: trains are those printed; nothing obsolete is owned; the limit holds when no discard is asked for."""
    depot = state.depot
    seen = Counter(depot.pool)
    for company in state.companies.values():
        seen.update(company.trains)
    if seen or depot.gone:
        reached = state.sheet.phases[: state.sheet.phases.index(state.current_phase) + 1]
        obsolete = {kind for phase in reached for kind in phase.obsolete}
        if not obsolete.isdisjoint(seen):
            yield f"INV-14: obsolete trains are still there: {sorted(seen)}"
    seen.update(depot.gone)
    for kind, train in state.sheet.trains.items():
        if depot.display[kind] + seen[kind] != train.count:
            yield f"INV-14: {depot.display[kind] + seen[kind]} trains of kind {kind}, {train.count} printed"
    if not any(isinstance(frame, TooManyTrains) for frame in state.agenda):
        for company in state.companies.values():
            if len(company.trains) > state.current_phase.train_limit:
                yield f"INV-14: {company.id} owns {company.trains}"


@looking(lambda state: [state.depot, state.phase, state.privates])
def phase(state: State) -> Iterator[str]:
    """INV-15, INV-26: the phase is that of the newest kind sold; when privates close, all are closed."""
    phases = state.sheet.phases
    newest = max((n for n, each in enumerate(phases) if each.started_by in state.depot.sold), default=0)
    now = phases.index(state.current_phase)
    if now != newest:
        yield f"INV-15: phase {state.phase}, sold {state.depot.sold}"
    if any(each.privates_close for each in phases[: now + 1]) and any(p.open for p in state.privates.values()):
        yield "INV-26: a private company is still open"


def eliminated(state: State) -> Iterator[str]:
    """RHL-BKR-01: a bankrupt player owns nothing."""
    for seat, player in enumerate(state.players):
        if player.bankrupt and (player.cash or any(c.percent(seat) for c in state.companies.values())):
            yield f"INV-03: the bankrupt seat {seat} still owns something"


SHARED = (
    money, certificates, directors, agreement, pool_limit, charters, markers, tiles, stations, trains, phase, eliminated,
)  # fmt: skip
"""The invariants of every edition."""
