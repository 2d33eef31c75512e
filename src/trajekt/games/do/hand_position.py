"""The part of a position that only 18DO has, in the file and in the form of a position set up by hand.

What has several values is written as a person would: equipment `2`, `3 idle`, with its number in the game where that is known
(`2#5`), a place kept for a corporation `B4:DAB`, a loaded train `3:2`, a bottling line aligned to an equipment `L@5`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.do.components import SEGMENTS, DoComponents, do_components, is_railway, railways
from trajekt.games.do.events import BreweriesLaid, CorporationClosed, TokenLaid
from trajekt.games.do.state import (
    NOTHING,
    REMOVED,
    Bec,
    BreweryCharter,
    DoState,
    Load,
    Marker,
    MarketSegment,
    Slot,
    do_state,
    token_at,
)
from trajekt.rules.placement_by_hand import CAUSE, OwnFault, OwnField, OwnPosition

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=999)]
Words: TypeAlias = Annotated[tuple[Annotated[str, msgspec.Meta(max_length=40)], ...], msgspec.Meta(max_length=40)]
BEC = re.compile(r"(\w+)(?:#(\d{1,3}))?(\s+idle)?")


class FieldCubes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A segment of the beer market: cubes of regular and new customers, in demand and in supply."""

    demand: tuple[Count, Count] = (0, 0)
    supply: tuple[Count, Count] = (0, 0)
    closed: bool = False


class DoThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of this game alone. `market` by segment, `order` of the breweries, what lies on charters by brewery or railway.

    `handed_out` pieces of equipment have been numbered. `again` is the stock round from which on a bankrupt corporation may be
    founded again, `dropped` are its certificates that have left the game, in per cent. `markers_left` and `events_left` lie in
    the display of the Expert Game, `tokens` are location tokens by hex.
    """

    market: dict[int, FieldCubes] = {}
    stock: Count = 0
    price_box: Count = 0
    order: Words = ()
    becs: dict[str, Words] = {}
    markers: dict[str, Words] = {}
    event: dict[str, str] = {}
    loads: dict[str, Words] = {}
    handed_out: Count = 0
    again: dict[str, Count] = {}
    dropped: dict[str, tuple[Count, ...]] = {}
    free_token: Words = ()
    pooled: Words = ()
    markers_left: dict[str, Count] = {}
    events_left: Words = ()
    tokens: dict[str, Count] = {}


def of(state: State) -> dict[str, Any]:
    """The part of a position that only 18DO has, in plain values."""
    extra, known = do_state(state), do_components(state.sheet)
    charters = extra.charters.items()
    dropped = {
        each.id: tuple(c.percent for c in each.certificates if c.holder == REMOVED) for each in state.companies.values()
    }
    things = DoThings(
        market={n: FieldCubes(each.demand, each.supply, each.closed) for n, each in sorted(extra.segments.items())},
        stock=extra.stock,
        price_box=extra.price_box,
        order=tuple(f"{slot.brewery}:{slot.reserved_for}".strip(":") for slot in extra.order),
        becs={name: tuple(map(_bec_text, each.becs)) for name, each in charters if each.becs},
        markers={name: tuple(map(_marker_text, each.markers)) for name, each in charters if each.markers},
        event={name: each.event for name, each in charters if each.event},
        loads={name: tuple(f"{each.train}:{each.cubes}" for each in loads) for name, loads in extra.loads.items()},
        handed_out=extra.handed_out,
        again=dict(extra.bankrupt),
        dropped={name: each for name, each in dropped.items() if each},
        free_token=extra.free_token,
        pooled=tuple(f"{train}:{company}" for train, company in extra.pooled),
        markers_left=dict(extra.markers),
        events_left=extra.events,
        tokens={at: token_at(state, at) for at in sorted(known.mines | known.mills) if token_at(state, at)},
    )
    plain: dict[str, Any] = msgspec.to_builtins(things, str_keys=True)
    return plain


def _bec_text(bec: Bec) -> str:
    return f"{bec.kind}#{bec.number}" + " idle" * bec.idle


def _marker_text(marker: Marker) -> str:
    return f"{marker.code}@{marker.bec}" if marker.bec else marker.code


# And back ---------------------------------------------------------------------------------------------------------------


def lay(draft: Draft, own: Mapping[str, Any]) -> None:
    """Lay these things on the table. `OwnFault` for what names things that this game does not have."""
    things = msgspec.convert(dict(own), DoThings, strict=False)
    for place in faulty(draft.state, things):
        raise OwnFault(place)
    for name, again in things.again.items():
        draft.emit(CorporationClosed(name, again, _dropped(draft.state, name, things.dropped.get(name, ()))))
    laid = state_of(things)
    if laid != NOTHING or do_state(draft.state) != NOTHING:
        draft.emit(BreweriesLaid(laid))
    for at, value in things.tokens.items():
        draft.emit(TokenLaid(at, value, "", CAUSE))


def faulty(state: State, things: DoThings) -> Iterator[str]:
    """The places of things that the box does not hold, or of texts that say none."""
    sheet, known = state.sheet, do_components(state.sheet)
    companies, expert = set(sheet.companies), bool(do_state(state).markers)
    marked = things.markers or things.event or things.markers_left or things.events_left
    sound = {
        "market": set(things.market) == (set(SEGMENTS) if do_state(state).segments else set()),
        "order": _all_pairs(things.order, {*known.minors, *companies}, {"", *companies}),
        "pooled": _all_pairs(things.pooled, sheet.trains, companies),
        "free_token": set(things.free_token) <= companies,
        "again": set(things.again) <= companies and set(things.dropped) <= set(things.again),
        "markers_left": set(things.markers_left) <= set(known.markers) and (expert or not marked),
        "events_left": set(things.events_left) <= set(known.events),
        "tokens": set(things.tokens) <= known.mines | known.mills,
    }
    yield from (place for place, well in sound.items() if not well)
    yield from _faulty_becs(state, things)
    yield from _faulty_charters(sheet, known, things)


def _faulty_charters(sheet: Sheet, known: DoComponents, things: DoThings) -> Iterator[str]:
    """Markers, events and loads of nobody, or that are none."""
    holders = {*known.minors, *sheet.companies}
    for name, markers in things.markers.items():
        if name not in holders or not {each.split("@")[0] for each in markers} <= set(known.markers):
            yield f"markers.{name}"
    for name, letter in things.event.items():
        if name not in holders or letter not in known.events:
            yield f"event.{name}"
    for name, loads in things.loads.items():
        if name not in sheet.companies or not _all_pairs(loads, known.cards, map(str, range(1, 100))):
            yield f"loads.{name}"


def _faulty_becs(state: State, things: DoThings) -> Iterator[str]:
    """Equipment of no brewery, of no type, twice the same, or more than the display holds; of type 2 some is of the start."""
    known = do_components(state.sheet)
    kinds, numbers = Counter[str](), Counter[str]()
    for name, becs in things.becs.items():
        found = [match for match in map(BEC.fullmatch, becs) if match is not None]
        kinds.update(match[1] for match in found)
        numbers.update(match[2] for match in found if match[2])
        holds = name in known.minors or (name in state.sheet.companies and not is_railway(state.sheet, name))
        if not holds or len(found) < len(becs):
            yield f"becs.{name}"
    display = state.depot.display
    short = any(kind not in known.green and count > display.get(kind, 0) for kind, count in kinds.items())
    if short or max(numbers.values(), default=0) > 1:
        yield "becs"


def _all_pairs(texts: Iterable[str], first: Iterable[str], second: Iterable[str]) -> bool:
    pairs = [each.partition(":") for each in texts]
    firsts, seconds = set(first), set(second)
    return all(one in firsts and two in seconds for one, _, two in pairs)


def state_of(things: DoThings) -> DoState:
    """The extra state; equipment whose number is not told comes behind that of which it is."""
    numbers = [
        int(match[2]) for each in things.becs.values() for bec in each if (match := BEC.fullmatch(bec)) and match[2]
    ]
    last = max(numbers, default=0)
    charters: dict[str, BreweryCharter] = {}
    for name in dict.fromkeys([*things.becs, *things.markers, *things.event]):
        becs = []
        for text in things.becs.get(name, ()):
            match = BEC.fullmatch(text)
            assert match is not None
            last += not match[2]
            becs.append(Bec(int(match[2] or last), match[1], bool(match[3])))
        markers = (each.partition("@") for each in things.markers.get(name, ()))
        charters[name] = BreweryCharter(
            tuple(sorted(becs, key=lambda bec: bec.number)),
            tuple(Marker(code, int(bec) if bec.isdecimal() else 0) for code, _, bec in markers),
            things.event.get(name, ""),
        )
    pairs = {name: [each.partition(":") for each in loads] for name, loads in things.loads.items()}
    order = [each.partition(":") for each in things.order]
    return DoState(
        segments={n: MarketSegment(each.demand, each.supply, each.closed) for n, each in things.market.items()},
        stock=things.stock,
        price_box=things.price_box,
        order=tuple(Slot(brewery, kept) for brewery, _, kept in order),
        charters=charters,
        loads={name: tuple(Load(train, int(cubes)) for train, _, cubes in loads) for name, loads in pairs.items()},
        handed_out=max(last, things.handed_out),
        bankrupt=dict(things.again),
        free_token=things.free_token,
        pooled=tuple((train, company) for train, _, company in (each.partition(":") for each in things.pooled)),
        markers=dict(things.markers_left),
        events=things.events_left,
    )


def _dropped(state: State, name: str, percents: Iterable[int]) -> tuple[int, ...]:
    """The certificates of these sizes that lie deepest in the stack (DO-BANKR-05). `OwnFault` where there are none."""
    found: list[int] = []
    certificates = state.companies[name].certificates
    for percent in percents:
        fitting = [n for n, c in enumerate(certificates) if c.percent == percent and not c.director and n not in found]
        if not fitting:
            raise OwnFault(f"dropped.{name}")
        found.append(fitting[-1])
    return tuple(sorted(found))


# The form ---------------------------------------------------------------------------------------------------------------


def fields(state: State) -> Iterator[OwnField]:
    """The fields of the form: the market, breweries, railways, what is left, what is over."""
    sheet, known = state.sheet, do_components(state.sheet)
    if do_state(state).segments:
        yield from _of_breweries(sheet, known)
    for name in railways(sheet):
        yield OwnField(("loads", name), "words", "loads", "railways", name)
        if known.markers and do_state(state).markers:
            yield OwnField(("markers", name), "words", "markers", "railways", name)
    yield OwnField(("free_token",), "words", "free_token", "railways")
    yield OwnField(("pooled",), "words", "pooled", "railways")
    yield OwnField(("tokens",), "pairs", "tokens", "railways")
    yield OwnField(("again",), "pairs", "again", "over")
    for name in sheet.companies:
        if not is_railway(sheet, name):
            yield OwnField(("dropped", name), "numbers", "dropped", "over", name)
    if do_state(state).markers:
        yield OwnField(("markers_left",), "pairs", "markers_left", "expert")
        yield OwnField(("events_left",), "words", "events_left", "expert")


def _of_breweries(sheet: Sheet, known: DoComponents) -> Iterator[OwnField]:
    for number in SEGMENTS:
        for key, kind in (("demand", "numbers"), ("supply", "numbers"), ("closed", "tick")):
            yield OwnField(("market", str(number), key), kind, key, "market", str(number))
    for key in ("stock", "price_box"):
        yield OwnField((key,), "number", key, "market")
    yield OwnField(("order",), "words", "order", "breweries")
    names = {
        **{name: str(minor.number) for name, minor in known.minors.items()},
        **{name: name for name in sheet.companies},
    }
    for name, about in names.items():
        if not is_railway(sheet, name):
            yield OwnField(("becs", name), "words", "becs", "breweries", about)
            if known.markers:
                yield OwnField(("markers", name), "words", "markers", "breweries", about)
                yield OwnField(("event", name), "text", "event", "breweries", about, ("", *known.events))
    yield OwnField(("handed_out",), "number", "handed_out", "breweries")


OWN_POSITION = OwnPosition(of, lay, (BreweriesLaid, CorporationClosed, TokenLaid), fields)
