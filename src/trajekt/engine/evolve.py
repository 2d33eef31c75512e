"""`evolve(state, event)`: the only function that makes a state. It trusts events and checks nothing but their arithmetic.

One function per kind of event; a game adds functions for events of its own through its ruleset (`own`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from trajekt.engine import events as e
from trajekt.engine.board.board import HexContents
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.frozen import put, without
from trajekt.engine.state import BANK, DISPLAY, GONE, POOL, Account, Bid, Markers, State, drawn_mark, set_aside_name

Evolver: TypeAlias = Callable[[State, Any], State]


def evolve(state: State, event: e.Event, own: Mapping[type[e.Event], Evolver] | None = None) -> State:
    """The position after an event."""
    kind = type(event)
    evolver = EVOLVERS.get(kind)
    if evolver is None:
        assert own is not None, f"no evolver for {kind.__name__}"
        evolver = own[kind]
    return evolver(state, event)


def company_set(state: State, company: CompanyId, **values: object) -> State:
    """The state with other values of one company."""
    return replace(state, companies=put(state.companies, company, replace(state.companies[company], **values)))


def _credit(state: State, account: Account, amount: int) -> State:
    if isinstance(account, int):
        player = state.players[account]
        changed = replace(player, cash=player.cash + amount)
        return replace(state, players=(*state.players[:account], changed, *state.players[account + 1 :]))
    if account == BANK:
        return replace(state, bank=state.bank + amount)
    if name := set_aside_name(account):
        return replace(state, aside=put(state.aside, name, state.aside.get(name, 0) + amount))
    return company_set(state, account, treasury=state.companies[account].treasury + amount)


def _paid(state: State, event: e.Paid) -> State:
    return _credit(_credit(state, event.source, -event.amount), event.target, event.amount)


def _certificate(state: State, event: e.CertificateMoved) -> State:
    held = state.companies[event.company].certificates
    certificate = held[event.number]
    assert certificate.holder == event.source, event
    moved = replace(certificate, holder=event.target)
    return company_set(state, event.company, certificates=(*held[: event.number], moved, *held[event.number + 1 :]))


def _price(state: State, event: e.PriceMoved) -> State:
    markers = state.markers
    arrivals = (*(c for c in markers.arrivals if c != event.company), event.company)
    return replace(state, markers=Markers(put(markers.spaces, event.company, event.space), arrivals))


def _without(trains: tuple[str, ...], train: str) -> tuple[str, ...]:
    at = trains.index(train)
    return trains[:at] + trains[at + 1 :]


def _train(state: State, event: e.TrainMoved) -> State:
    depot, train = state.depot, event.train
    if event.source == DISPLAY:
        assert depot.display[train] > 0, event
        sold = depot.sold if train in depot.sold else (*depot.sold, train)
        depot = replace(depot, display=put(depot.display, train, depot.display[train] - 1), sold=sold)
    elif event.source == POOL:
        depot = replace(depot, pool=_without(depot.pool, train))
    else:
        state = company_set(state, event.source, trains=_without(state.companies[event.source].trains, train))
    if event.target == POOL:
        depot = replace(depot, pool=tuple(sorted((*depot.pool, train))))
    elif event.target == GONE:
        depot = replace(depot, gone=(*depot.gone, train))
    else:
        owned = tuple(sorted((*state.companies[event.target].trains, train)))
        state = company_set(state, event.target, trains=owned)
    return state if depot is state.depot else replace(state, depot=depot)


def _ground(state: State, at: HexId, contents: HexContents) -> State:
    return replace(state, board=state.board.with_contents(at, contents))


def _tile(state: State, event: e.TileLaid) -> State:
    old = state.board.contents(event.hex)
    supply = put(state.supply, event.tile, state.supply[event.tile] - 1)
    if old.tile:
        supply = put(supply, old.tile, supply[old.tile] + 1)
    contents = HexContents(event.tile, event.rotation, event.stations, event.reservations, old.icons)
    return _ground(replace(state, supply=supply), event.hex, contents)


def _station(state: State, event: e.StationPlaced) -> State:
    company = state.companies[event.station.company]
    unused = company.stations[: event.token] + company.stations[event.token + 1 :]
    old = state.board.contents(event.hex)
    reservations = tuple(k for k in old.reservations if k.company != company.id)
    state = company_set(state, company.id, stations=unused)
    return _ground(state, event.hex, replace(old, stations=(*old.stations, event.station), reservations=reservations))


def _stations(state: State, event: e.StationsSet) -> State:
    old = state.board.contents(event.hex)
    return _ground(state, event.hex, replace(old, stations=event.stations, reservations=event.reservations))


def _icon(state: State, event: e.IconPlaced) -> State:
    old = state.board.contents(event.hex)
    return _ground(state, event.hex, replace(old, icons=(*old.icons, event.icon)))


def _private(state: State, number: int, **values: object) -> State:
    return replace(state, privates=put(state.privates, number, replace(state.privates[number], **values)))


def _bid(state: State, event: e.BidPlaced) -> State:
    others = tuple(b for b in state.bids if (b.private, b.seat) != (event.private, event.seat))
    return replace(state, bids=(*others, Bid(event.private, event.seat, event.amount)))


def _player(state: State, seat: int, **values: object) -> State:
    changed = replace(state.players[seat], **values)
    return replace(state, players=(*state.players[:seat], changed, *state.players[seat + 1 :]))


def _mark(state: State, event: e.FlagSet) -> State:
    others = without(state.marks, event.name)
    return replace(state, marks=put(others, event.name, event.value) if event.value else others)


def _turned(state: State, event: e.TopReplaced[Any]) -> State:
    return replace(state, agenda=(*state.agenda[:-1], event.frame))


EVOLVERS: Mapping[type[e.Event], Evolver] = {
    e.Seated: lambda s, v: replace(s, names=v.names),
    e.NumberDrawn: lambda s, v: replace(s, marks=put(s.marks, drawn_mark(v.table), str(v.number))),
    e.Paid: _paid,
    e.CertificateMoved: _certificate,
    e.DirectorChanged: lambda s, v: company_set(s, v.company, director=v.seat),
    e.ParSet: lambda s, v: company_set(s, v.company, par=v.par),
    e.PriceMoved: _price,
    e.StatusSet: lambda s, v: company_set(s, v.company, **{v.status: v.value}),
    e.TrainMoved: _train,
    e.PhaseBegan: lambda s, v: replace(s, phase=v.phase),
    e.TileLaid: _tile,
    e.StationPlaced: _station,
    e.StationsSet: _stations,
    e.TokensSet: lambda s, v: company_set(s, v.company, stations=v.stations),
    e.IconPlaced: _icon,
    e.PrivateMoved: lambda s, v: _private(s, v.private, owner=v.seat),
    e.PrivateUsed: lambda s, v: _private(s, v.private, used=True),
    e.PrivateClosed: lambda s, v: _private(s, v.private, open=False),
    e.BidPlaced: _bid,
    e.BidsEnded: lambda s, v: replace(s, bids=tuple(b for b in s.bids if b.private != v.private)),
    e.PriorityMoved: lambda s, v: replace(s, priority=v.seat),
    e.TrainsRan: lambda s, v: company_set(s, v.company, revenue=v.revenue),
    e.LoanTaken: lambda s, v: _player(s, v.seat, loans=s.players[v.seat].loans + v.amount),
    e.DebtSet: lambda s, v: company_set(s, v.company, debt=v.amount),
    e.Bankrupted: lambda s, v: _player(s, v.seat, bankrupt=True),
    e.FlagSet: _mark,
    e.EndingAgreed: lambda s, v: replace(s, peace=v.seats),
    e.EndTriggered: lambda s, v: replace(s, ending=v.when),
    e.GameEnded: lambda s, v: replace(s, outcome=v.reason, agenda=()),
    e.FramePushed: lambda s, v: replace(s, agenda=(*s.agenda, v.frame)),
    e.FramePopped: lambda s, _: replace(s, agenda=s.agenda[:-1]),
    e.TopReplaced: _turned,
    e.FrameRemoved: lambda s, v: replace(s, agenda=s.agenda[: v.at] + s.agenda[v.at + 1 :]),
}
