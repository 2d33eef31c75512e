"""Invariants of every position of 18Ruhr (section 23 of the rule sheet), as far as one position shows them.

Each function answers the violations it finds, in plain words behind the number of the sheet's list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trajekt.engine.state import GONE, IPO, POOL, State
from trajekt.games.ruhr.city_blocking import in_circle
from trajekt.games.ruhr.components import MINES, STAGES, is_montan, ruhr_components
from trajekt.games.ruhr.directorship import BME, private_bme_open
from trajekt.games.ruhr.montan_charters import engine_room, in_order, inactive, linked, on_boxes, room, supply, waiting
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.state import ACTIVE, FOUNDED, MERGED, assets_of, location, ruhr_state, value_at
from trajekt.rules.invariants import stations, tiles, trains

LINKED, MONTAN_VALUES = 10, (20, 30)


def money(state: State) -> Iterator[str]:
    """1: nothing is lost or made; only the bank goes below zero."""
    held = [player.cash for player in state.players]
    treasuries = [company.treasury for company in state.companies.values()]
    total = state.bank + sum(held) + sum(treasuries) + sum(state.aside.values())
    initial = state.sheet.limits.bank[len(state.players)]
    if total != initial:
        yield f"invariant 1: {total} Mark in all, {initial} at the start"
    if min((*held, *treasuries, *state.aside.values())) < 0:
        yield f"invariant 1: somebody owns less than nothing: {held}, {treasuries}, {dict(state.aside)}"


def papers(state: State) -> Iterator[str]:
    """2: every certificate is at one place that exists; those of a closed corporation are gone, all of them."""
    seats = range(len(state.players))
    for company in state.companies.values():
        places = [c.holder for c in company.certificates]
        found = ruhr_state(state).montan.get(company.id)
        closed = found is not None and found.closed
        if closed != (GONE in places) or (closed and set(places) != {GONE}):
            yield f"invariant 2: certificates of {company.id} lie at {places}"
        if not closed and any(place not in (IPO, POOL) and place not in seats for place in places):
            yield f"invariant 2: a certificate of {company.id} lies at {places}"


def directors(state: State) -> Iterator[str]:
    """3: one director for each started corporation, or the bank; nobody holds more, but under Private BME."""
    for company in state.companies.values():
        certificate = next(c for c in company.certificates if c.director)
        if company.director is None:
            if company.floated and not company.receivership:
                yield f"invariant 3: nobody directs {company.id}"
            if company.receivership and certificate.holder != POOL:
                yield f"invariant 3: the bank runs {company.id}, its director certificate lies at {certificate.holder}"
            continue
        if certificate.holder != company.director or state.players[company.director].bankrupt:
            yield f"invariant 3: {company.director} directs {company.id} without the certificate"
        most = max(company.shareholders.values())
        if company.percent(company.director) < most and not (company.id == BME and private_bme_open(state)):
            yield f"invariant 3: somebody holds more of {company.id} than its director"


def developed(state: State) -> Iterator[str]:
    """6 and 7: markers as printed, in order, on boxes; what waits, and what a pMC without a link may have."""
    known = ruhr_components(state.sheet)
    for industry in ("coal", "steel"):
        if min(supply(state, industry)) < 0:
            yield f"invariant 6: supply of {industry}: {supply(state, industry)}"
    for works, held in ruhr_state(state).works.items():
        printed = known.charters[works]
        # a table may loosen the last step of the order, so X is left out here (Q16)
        if min(held.markers) < 0 or not in_order(held.markers, known.most_of_first, x_after_e=False):
            yield f"invariant 6: {works} has {held.markers}"
        if printed.mine is None and any(waiting(state, works)):
            yield f"invariant 6: {works} keeps markers in its treasury: {held.markers}"
        if printed.mine is not None and any(held.markers[3:]):
            yield f"invariant 6: pMC {works} has {held.markers}"
        if not linked(state, works) and held.engines:
            yield f"invariant 7: pMC {works} has an engine without a link"
        for n, count in enumerate(waiting(state, works)):
            if count and on_boxes(state, works)[n] < room(state, works)[n]:
                yield f"invariant 7: a marker {STAGES[n]} of {works} waits beside a free box"


def turned(state: State) -> Iterator[str]:
    """8: A is inactive from the first type 4, B from type 5, C from type 8."""
    wanted = {n for n, kind in enumerate("458") if kind in state.depot.sold}
    if set(inactive(state)) != wanted:
        yield f"invariant 8: {sorted(inactive(state))} are inactive, not {sorted(wanted)}"


def engines(state: State) -> Iterator[str]:
    """9: no more engines than printed or than boxes; none that a phase has scrapped."""
    known, count = ruhr_components(state.sheet), Counter(ruhr_state(state).scrapped)
    for works, held in ruhr_state(state).works.items():
        count.update(held.engines)
        asked = any(type(frame).__name__ == "TooManyEngines" for frame in state.agenda)
        if len(held.engines) > engine_room(state, works) and not asked:
            yield f"invariant 9: {works} has {held.engines}"
        for engine, kind in (("W1", "6"), ("W2", "8")):
            if engine in held.engines and kind in state.depot.sold:
                yield f"invariant 9: {works} still has a {engine}"
    for engine, number in known.engines.items():
        if count[engine] > number:
            yield f"invariant 9: {count[engine]} engines {engine}"


def cards(state: State) -> Iterator[str]:
    """10: the phase is the highest type ever bought, and types are sold in order."""
    kinds = list(state.sheet.trains)
    sold = [kind for kind in kinds if kind in state.depot.sold]
    if sold and state.phase != sold[-1]:
        yield f"invariant 10: phase {state.phase}, sold {sold}"
    for kind in sold:
        before = kinds[: kinds.index(kind)]
        if any(state.depot.display[each] for each in before if not (kind == "8" and each == "6")):
            yield f"invariant 10: a {kind} was sold before all lower ones"


def colours(state: State) -> Iterator[str]:
    """12 and 13: no tile of a colour to come; Montan tiles exactly where a location marker is or was."""
    known = ruhr_components(state.sheet)
    for at, contents in state.board.contents_by_hex.items():
        if not contents.tile:
            continue
        face = state.sheet.tiles[contents.tile].face
        if face.colour not in state.current_phase.tiles:
            yield f"invariant 12: {contents.tile} on {at} in phase {state.phase}"
        marked = at in known.mine_at and value_at(contents.icons) >= 0  # a closed corporation's hex may bear either
        if marked != bool(set(face.labels) - {"Steele"}) and (marked or at not in known.mine_at):
            yield f"invariant 13: {contents.tile} on {at}"


def circles(state: State) -> Iterator[str]:
    """14: stations, homes still to come and the location marker fit into the circles."""
    for at, contents in state.board.contents_by_hex.items():
        for index, stop in enumerate(state.board.face(at).stops):
            here = sum(s.stop == index for s in contents.stations) + sum(k.stop == index for k in contents.reservations)
            if here + (stop.kind == "city" and in_circle(state.board, at, on_716=False)) > max(stop.slots, here == 0):
                yield f"invariant 14: {here} places taken on {at}, {stop.slots} are there"


def locations(state: State) -> Iterator[str]:
    """13 and 15: a marker for each pMC, its value by what the company is."""
    gone = sum(found.closed for found in ruhr_state(state).montan.values())
    if sum(location(state, mine) < 0 for mine in MINES) != gone:
        yield "invariant 13: location markers are missing"
    founding = {f.mines[0]: c for c, f in ruhr_state(state).montan.items() if not f.closed}
    for mine in MINES:
        value = location(state, mine)
        if (value in MONTAN_VALUES) != (mine in founding):
            yield f"invariant 15: location {mine} shows {value}"
        elif mine in founding:
            late = any(assets_of(state, founding[mine]).markers[4:])
            if (value == MONTAN_VALUES[1]) != late:
                yield f"invariant 15: location {mine} of {founding[mine]} shows {value}"
        if ruhr_state(state).mines[mine] == FOUNDED and 0 <= value <= LINKED:
            yield f"invariant 15: founded location {mine} shows {value}"
        if ruhr_state(state).mines[mine] == MERGED and not any(
            mine in f.mines[1:] for f in ruhr_state(state).montan.values()
        ):
            yield f"invariant 15: merged pMC {mine} has no corporation"


def prices(state: State) -> Iterator[str]:
    """18: every started corporation that has not closed has one marker on a box."""
    for company in state.companies.values():
        found = ruhr_state(state).montan.get(company.id)
        wanted = company.founded and not (found is not None and found.closed)
        if (company.id in state.markers.spaces) != wanted:
            yield f"invariant 18: {company.id} has no marker, or one too many"
    if sorted(state.markers.arrivals) != sorted(state.markers.spaces):
        yield "invariant 18: the stacks and the spaces name different corporations"


def turns(state: State) -> Iterator[str]:
    """16: at most one card and one activity in the turn of a Montan company."""
    for frame in state.agenda:
        if isinstance(frame, MontanTurn) and len(set(frame.used)) != len(frame.used):
            yield f"invariant 16: {frame.works} did {frame.used}"


def charters(state: State) -> Iterator[str]:
    """An active pMC that is sold has an open charter, no other has."""
    for mine in MINES:
        private = state.privates[mine]
        if private.owner is not None and private.open != (ruhr_state(state).mines[mine] == ACTIVE):
            yield f"invariant 7: pMC {mine} is {ruhr_state(state).mines[mine]}"
    for company in state.companies:
        if is_montan(state.sheet, company) and state.companies[company].trains:
            yield f"invariant 10: {company} owns trains"


ALL = (
    money, papers, directors, developed, turned, engines, cards, trains, tiles, colours, stations, circles, locations, prices,
    turns, charters,
)  # fmt: skip
