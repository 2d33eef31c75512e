"""Events of 18DO alone, and what each of them changes in a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId, HexId, TrainKind
from trajekt.engine.events import Event
from trajekt.engine.evolve import company_set
from trajekt.engine.frozen import FrozenDict, put, without
from trajekt.engine.state import IPO, Bid, Markers, Seat, State
from trajekt.games.do.beer_places import DEMAND, BeerBox, LoadedTrain, MarketField, Place
from trajekt.games.do.components import NEW, REGULAR, SEGMENTS, do_components
from trajekt.games.do.state import (
    COAL,
    REMOVED,
    SHOWN,
    STEEL,
    Advertised,
    Bec,
    BreweryCharter,
    DoState,
    EventInUse,
    Load,
    Marker,
    MarketSegment,
    Slot,
    charter,
    do_state,
    is_minor,
    value_of,
)


class MarketLaid(Event, frozen=True, tag="market_laid"):
    """The beer market at set-up: demand of segments 1 and 2, price box, Stock; the others begin closed."""

    demand: tuple[tuple[int, int], tuple[int, int]]
    price_box: int
    stock: int


class MinorsLaid(Event, frozen=True, tag="minors_laid"):
    """These minors are in play with their equipment; the others have left the game."""

    minors: tuple[str, ...]


class DisplayLaid(Event, frozen=True, tag="display_laid"):
    """The markers by code and special events of the Expert Game lie in the display."""

    markers: Mapping[str, int]
    events: tuple[str, ...]


class TokenMoved(Event, frozen=True, tag="bid_token"):
    """A player's bid token came to lie on a box of a minor (DO-START-03)."""

    seat: Seat
    private: int
    amount: int


class BeerMoved(Event, frozen=True, tag="beer"):
    """Cubes went from one place to another (see `beer_places`)."""

    source: Place
    target: Place
    count: int
    cause: str


class Advertising(Event, frozen=True, tag="advertised"):
    """A cube set aside on an equipment; it comes from the demand named."""

    cube: Advertised


class SegmentSet(Event, frozen=True, tag="segment"):
    """A segment opened or closed."""

    segment: int
    closed: bool
    cause: str


class OrderSet(Event, frozen=True, tag="brewery_order"):
    """The brewery order."""

    order: tuple[Slot, ...]
    cause: str


class CardTaken(Event, frozen=True, tag="equipment_taken"):
    """A Capex card went from the display to a brewery as equipment."""

    brewery: str
    kind: TrainKind
    cause: str = "equipment"


class BecsMoved(Event, frozen=True, tag="becs_moved"):
    """Equipment by number went from a brewery to another, or to `removed`."""

    source: str
    target: str
    numbers: tuple[int, ...]
    cause: str


class BecTurned(Event, frozen=True, tag="bec_turned"):
    """An equipment turned idle, or upright again."""

    brewery: str
    number: int
    idle: bool


class BreweryEarned(Event, frozen=True, tag="brewery_earned"):
    """The income of a brewery's turn, in Mark."""

    company: str
    revenue: int


class TokenLaid(Event, frozen=True, tag="location_token"):
    """A location token of a value lies on a hex, in place of the one that lay there."""

    hex: HexId
    value: int
    company: CompanyId
    cause: str


class FreeTokenOver(Event, frozen=True, tag="free_token_over"):
    """A railway's right to a free location token is used or lost."""

    company: CompanyId


class ValueLost(Event, frozen=True, tag="value_lost"):
    """A value token entered the space "bankrupt" and left the row."""

    company: CompanyId
    cause: str


class CorporationClosed(Event, frozen=True, tag="corporation_closed"):
    """A bankrupt corporation as before its founding; from stock round `again` on it may be founded again.

    `dropped` certificates by number leave the game (DO-BANKR-05).
    """

    company: CompanyId
    again: int
    dropped: tuple[int, ...] = ()


class PoolTrain(Event, frozen=True, tag="pool_train"):
    """A railway put a train into the pool (`inside`), or its train left the pool."""

    train: TrainKind
    company: CompanyId
    inside: bool


class MarkerMoved(Event, frozen=True, tag="mcm"):
    """A marker went between the display, `removed` and charters; `bec` is the equipment of the bottling line that goes."""

    code: str
    source: str
    target: str
    cause: str
    bec: int = 0


class MarkerAligned(Event, frozen=True, tag="mcm_aligned"):
    """A bottling line of a brewery, that of equipment `source`, belongs to equipment `target` (0: to none)."""

    brewery: str
    code: str
    source: int
    target: int


class EventMoved(Event, frozen=True, tag="sem"):
    """A special event marker went between the display and charters."""

    letter: str
    source: str
    target: str
    cause: str


class EventsUsed(Event, frozen=True, tag="sem_used"):
    """The special events used in the present brewery turns."""

    letters: tuple[EventInUse, ...]


class BreweriesLaid(Event, frozen=True, tag="breweries_laid"):
    """All that only 18DO has, where a position is set up by hand; every minor is in play until it is closed."""

    things: DoState


def _extra(state: State, **values: Any) -> State:
    return replace(state, extra=replace(do_state(state), **values))


def _market(state: State, event: MarketLaid) -> State:
    segments = {n: MarketSegment(closed=n > 2) for n in SEGMENTS}
    segments |= {n: MarketSegment(demand) for n, demand in enumerate(event.demand, 1)}
    return _extra(state, segments=segments, price_box=event.price_box, stock=event.stock)


def _minors(state: State, event: MinorsLaid) -> State:
    known = do_components(state.sheet).minors
    inside = {known[minor].number for minor in event.minors}
    privates = {number: replace(private, open=number in inside) for number, private in state.privates.items()}
    state = replace(state, privates=FrozenDict(privates))
    for minor in event.minors:
        state = _hand_out(state, minor, tuple(sorted(known[minor].equipment, reverse=True)))
    return state


def _hand_out(state: State, brewery: str, kinds: tuple[TrainKind, ...]) -> State:
    extra = do_state(state)
    first = extra.handed_out + 1
    held = charter(state, brewery)
    becs = (*held.becs, *(Bec(first + n, kind) for n, kind in enumerate(kinds)))
    state = _extra(state, handed_out=extra.handed_out + len(kinds))
    return _with_charter(state, brewery, becs=becs)


def _with_charter(state: State, company: str, **values: Any) -> State:
    changed = replace(charter(state, company), **values)
    known = do_state(state).charters
    return _extra(
        state, charters=without(known, company) if changed == BreweryCharter() else put(known, company, changed)
    )


def _token_moved(state: State, event: TokenMoved) -> State:
    others = tuple(bid for bid in state.bids if bid.seat != event.seat)
    return replace(state, bids=(*others, Bid(event.private, event.seat, event.amount)))


def _beer(state: State, event: BeerMoved) -> State:
    return _cubes(_cubes(state, event.source, -event.count), event.target, event.count)


def _cubes(state: State, place: Place, count: int) -> State:
    extra = do_state(state)
    if place == BeerBox.STOCK:
        assert extra.stock + count >= 0, place
        return _extra(state, stock=extra.stock + count)
    if place == BeerBox.PRICE:
        assert extra.price_box + count >= 0, place
        return _extra(state, price_box=extra.price_box + count)
    if place == BeerBox.ASIDE:
        assert count == -1, "Advertising sets cubes aside by an event of its own"
        return _extra(state, advertised=None)
    if place == BeerBox.CELLAR:
        return state
    if isinstance(place, LoadedTrain):
        return _loaded(state, place, count)
    assert isinstance(place, MarketField), place
    known = extra.segments[place.segment]
    pair = list(known.demand if place.kind == DEMAND else known.supply)
    pair[place.customers] += count
    assert pair[place.customers] >= 0, place
    fields = {place.kind: (pair[REGULAR], pair[NEW])}
    return _extra(state, segments=put(extra.segments, place.segment, replace(known, **fields)))


def _loaded(state: State, at: LoadedTrain, count: int) -> State:
    loads = list(do_state(state).loads.get(at.company, ()))
    if at.cubes:
        loads.remove(Load(at.train, at.cubes))
    after = at.cubes + count
    assert after >= 0, (at, count)
    if after:
        loads.append(Load(at.train, after))
    known, sorted_ = do_state(state).loads, tuple(sorted(loads, key=lambda load: (load.train, load.cubes)))
    return _extra(state, loads=put(known, at.company, sorted_) if loads else without(known, at.company))


def _advertising(state: State, event: Advertising) -> State:
    cube = event.cube
    state = _cubes(state, MarketField(DEMAND, cube.segment, cube.customers), -1)
    return _extra(state, advertised=cube)


def _segment(state: State, event: SegmentSet) -> State:
    segments = do_state(state).segments
    changed = replace(segments[event.segment], closed=event.closed)
    return _extra(state, segments=put(segments, event.segment, changed))


def _card_taken(state: State, event: CardTaken) -> State:
    depot = state.depot
    assert depot.display[event.kind] > 0, event
    sold = depot.sold if event.kind in depot.sold else (*depot.sold, event.kind)
    left = put(depot.display, event.kind, depot.display[event.kind] - 1)
    state = replace(state, depot=replace(depot, display=left, sold=sold))
    return _hand_out(state, event.brewery, (event.kind,))


def _becs_moved(state: State, event: BecsMoved) -> State:
    held = charter(state, event.source).becs
    moved = tuple(bec for bec in held if bec.number in event.numbers)
    assert len(moved) == len(event.numbers), event
    state = _with_charter(state, event.source, becs=tuple(bec for bec in held if bec not in moved))
    if event.target != REMOVED:
        becs = tuple(sorted((*charter(state, event.target).becs, *moved), key=lambda bec: bec.number))
        state = _with_charter(state, event.target, becs=becs)
    return state


def _bec_turned(state: State, event: BecTurned) -> State:
    becs = tuple(
        replace(bec, idle=event.idle) if bec.number == event.number else bec
        for bec in charter(state, event.brewery).becs
    )
    return _with_charter(state, event.brewery, becs=becs)


def _earned(state: State, event: BreweryEarned) -> State:
    if is_minor(state, event.company):
        return state
    return company_set(state, event.company, revenue=event.revenue)


def _token_laid(state: State, event: TokenLaid) -> State:
    contents = state.board.contents(event.hex)
    letter = COAL if event.hex in do_components(state.sheet).mines else STEEL
    others = tuple(icon for icon in contents.icons if not value_of((icon,)))
    changed = replace(contents, icons=(*others, f"{letter}{event.value}"))
    return replace(state, board=state.board.with_contents(event.hex, changed))


def _value_lost(state: State, event: ValueLost) -> State:
    spaces = {c: space for c, space in state.markers.spaces.items() if c != event.company}
    arrivals = tuple(c for c in state.markers.arrivals if c != event.company)
    return replace(state, markers=Markers(spaces, arrivals))


def _closed(state: State, event: CorporationClosed) -> State:
    held = state.companies[event.company].certificates
    certificates = tuple(
        replace(c, holder=REMOVED if n in event.dropped or c.holder == REMOVED else IPO) for n, c in enumerate(held)
    )
    state = company_set(
        state,
        event.company,
        certificates=certificates,
        par=0,
        director=None,
        founded=False,
        floated=False,
        operated=False,
        revenue=None,
    )
    return _extra(state, bankrupt=put(do_state(state).bankrupt, event.company, event.again))


def _pool_train(state: State, event: PoolTrain) -> State:
    pooled = list(do_state(state).pooled)
    entry = (event.train, event.company)
    if event.inside:
        pooled.append(entry)
    else:
        pooled.remove(entry)
    return _extra(state, pooled=tuple(sorted(pooled)))


def _marker(state: State, event: MarkerMoved) -> State:
    for place, count in ((event.source, -1), (event.target, 1)):
        if place == SHOWN:
            shown = do_state(state).markers
            state = _extra(state, markers=put(shown, event.code, shown.get(event.code, 0) + count))
        elif place != REMOVED:
            markers = list(charter(state, place).markers)
            if count < 0:
                markers.remove(Marker(event.code, event.bec))
            else:
                markers.append(Marker(event.code))
            markers.sort(key=lambda marker: (marker.code, marker.bec))
            state = _with_charter(state, place, markers=tuple(markers))
    return state


def _aligned(state: State, event: MarkerAligned) -> State:
    markers = list(charter(state, event.brewery).markers)
    markers[markers.index(Marker(event.code, event.source))] = Marker(event.code, event.target)
    markers.sort(key=lambda marker: (marker.code, marker.bec))
    return _with_charter(state, event.brewery, markers=tuple(markers))


def _event(state: State, event: EventMoved) -> State:
    for place, there in ((event.source, False), (event.target, True)):
        if place == SHOWN:
            shown = set(do_state(state).events)
            shown = shown | {event.letter} if there else shown - {event.letter}
            state = _extra(state, events=tuple(sorted(shown)))
        elif place != REMOVED:  # a used event is away until the end of the turn
            state = _with_charter(state, place, event=event.letter if there else "")
    return state


def _breweries(state: State, event: BreweriesLaid) -> State:
    """Cards that are equipment leave the display; equipment of type 2 may be that of the start."""
    privates = {number: replace(private, open=True) for number, private in state.privates.items()}
    state = replace(state, extra=event.things, privates=FrozenDict(privates))
    green, depot = do_components(state.sheet).green, state.depot
    for bec in (bec for held in event.things.charters.values() for bec in held.becs):
        if bec.kind not in green:
            assert depot.display[bec.kind] > 0, event
            sold = depot.sold if bec.kind in depot.sold else (*depot.sold, bec.kind)
            depot = replace(depot, display=put(depot.display, bec.kind, depot.display[bec.kind] - 1), sold=sold)
    return replace(state, depot=depot)


OWN: Mapping[type[Event], Callable[[State, Any], State]] = {
    MarketLaid: _market,
    MinorsLaid: _minors,
    DisplayLaid: lambda s, v: _extra(s, markers=v.markers, events=v.events),
    TokenMoved: _token_moved,
    BeerMoved: _beer,
    Advertising: _advertising,
    SegmentSet: _segment,
    OrderSet: lambda s, v: _extra(s, order=v.order),
    CardTaken: _card_taken,
    BecsMoved: _becs_moved,
    BecTurned: _bec_turned,
    BreweryEarned: _earned,
    TokenLaid: _token_laid,
    FreeTokenOver: lambda s, v: _extra(s, free_token=(*do_state(s).free_token, v.company)),
    ValueLost: _value_lost,
    CorporationClosed: _closed,
    PoolTrain: _pool_train,
    MarkerMoved: _marker,
    MarkerAligned: _aligned,
    EventMoved: _event,
    BreweriesLaid: _breweries,
    EventsUsed: lambda s, v: _extra(s, used=v.letters),
}
