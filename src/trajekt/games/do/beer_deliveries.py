"""Deliveries to the Dortmund market: what each equipment of a brewery sells, and what it earns (DO-BREW-10, DO-BREW-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from trajekt.engine.components.schema import Sheet, TrainKind
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import State
from trajekt.games.do.beer_cubes import move
from trajekt.games.do.beer_places import DEMAND, SUPPLY, BeerBox, MarketField
from trajekt.games.do.beer_prices import CUSTOMERS, bottling, price
from trajekt.games.do.components import card_of
from trajekt.games.do.events import BeerMoved
from trajekt.games.do.frames import BreweryTurn, Delivered, SetAside, Used
from trajekt.games.do.state import Bec, charter, do_state, segment_of

TOP = 6
"""The highest segment: equipment of type 8 delivers to it first."""


def first_segment(sheet: Sheet, kind: TrainKind) -> int:
    """The segment with which equipment of a type begins: that of its number, type 8 in segment 6 (DO-BREW-10)."""
    return min(int(kind), TOP)


def strongest_first(becs: Iterable[Bec]) -> list[Bec]:
    """The highest type first, among equals the one held longest (DO-BREW-11)."""
    return sorted(becs, key=lambda bec: (-int(bec.kind), bec.number))


def used_of(turn: BreweryTurn, number: int) -> Used:
    """The squares of an equipment used in this turn."""
    return next((used for used in turn.used if used.bec == number), Used(number))


def with_use(turn: BreweryTurn, number: int, *, dortmund: int = 0, export: int = 0) -> BreweryTurn:
    """The turn with more squares of an equipment used."""
    before = used_of(turn, number)
    after = replace(before, dortmund=before.dortmund + dortmund, export=before.export + export)
    others = (used for used in turn.used if used.bec != number)
    return replace(turn, used=tuple(sorted((*others, after), key=lambda used: used.bec)))


def free_squares(state: State, turn: BreweryTurn, bec: Bec) -> int:
    """The squares of an equipment that are not used yet; one holds the cube of Advertising (DO-X-23)."""
    used = used_of(turn, bec.number)
    kept = do_state(state).advertised
    held = 1 if kept is not None and kept.bec == bec.number else 0
    return card_of(state.sheet, bec.kind).capacity - used.dortmund - used.export - held


def fields_below(state: State, kind: TrainKind) -> Iterator[tuple[int, int]]:
    """The demand fields that equipment of a type delivers to, in order: regular, new, the next lower segment."""
    for segment in range(first_segment(state.sheet, kind), 0, -1):
        for customers in CUSTOMERS:
            yield segment, customers


def deliver_all(draft: Draft, turn: BreweryTurn) -> BreweryTurn:
    """Deliver all that every equipment can (DO-BREW-10). The cube of Advertising first."""
    turn = deliver_advertised(draft, turn)
    for bec in strongest_first(charter(draft.state, turn.brewery).becs):
        turn = deliver(draft, turn, bec)
    return turn


def deliver(draft: Draft, turn: BreweryTurn, bec: Bec) -> BreweryTurn:
    """Deliver with one equipment from its segment downwards until its squares are used or nothing is left.

    Equipment set aside to be handed in delivers nothing (DO-X-24).
    """
    if SetAside(bec.number) in turn.done:
        return turn
    left = free_squares(draft.state, turn, bec)
    for segment, customers in fields_below(draft.state, bec.kind):
        count = min(left, segment_of(draft.state, segment).demand[customers])
        if count:
            move(
                draft,
                MarketField(DEMAND, segment, customers),
                MarketField(SUPPLY, segment, customers),
                count,
                "delivered",
            )
            turn = sold(draft.state, turn, bec, segment, customers, count)
            left -= count
    return turn


def sold(state: State, turn: BreweryTurn, bec: Bec, segment: int, customers: int, count: int) -> BreweryTurn:
    """The turn after an equipment has sold cubes in a field."""
    earned = count * (price(state, segment, customers) + bottling(state, turn.brewery, bec.number))
    turn = with_use(turn, bec.number, dortmund=count)
    delivered = (*turn.delivered, *(Delivered(segment, customers),) * count)
    return replace(turn, income=turn.income + earned, delivered=delivered)


def deliver_advertised(draft: Draft, turn: BreweryTurn) -> BreweryTurn:
    """Move the cube set aside to the supply field beside its demand, paid; without its equipment or segment to Stock."""
    kept = do_state(draft.state).advertised
    if kept is None or kept.brewery != turn.brewery:
        return turn
    bec = next((each for each in charter(draft.state, turn.brewery).becs if each.number == kept.bec), None)
    if bec is None or segment_of(draft.state, kept.segment).closed:
        drop_advertised(draft)
        return turn
    draft.emit(BeerMoved(BeerBox.ASIDE, MarketField(SUPPLY, kept.segment, kept.customers), 1, "advertised"))
    return sold(draft.state, turn, bec, kept.segment, kept.customers, 1)


def drop_advertised(draft: Draft) -> None:
    """The cube of Advertising goes to Stock, unpaid (`advertised_cube`)."""
    draft.emit(BeerMoved(BeerBox.ASIDE, BeerBox.STOCK, 1, "advertised"))


def forecast(state: State, turn: BreweryTurn) -> int:
    """The income of `deliver` now in Dortmund, in Mark, for the page: nothing moves."""
    left = {n: list(segment_of(state, n).demand) for n in range(1, TOP + 1)}
    earned = 0
    for bec in strongest_first(charter(state, turn.brewery).becs):
        squares = 0 if SetAside(bec.number) in turn.done else free_squares(state, turn, bec)
        extra = bottling(state, turn.brewery, bec.number)
        for segment, customers in fields_below(state, bec.kind):
            count = min(squares, left[segment][customers])
            left[segment][customers] -= count
            squares -= count
            earned += count * (price(state, segment, customers) + extra)
    kept = do_state(state).advertised
    if kept is not None and kept.brewery == turn.brewery:
        earned += price(state, kept.segment, kept.customers) + bottling(state, turn.brewery, kept.bec)
    return earned
