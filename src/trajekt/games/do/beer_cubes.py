"""Beer: where cubes come from and where they go. All that moves cubes of the market stands on these few functions.

A field of the market is a segment, 1 to 6, and a kind of customers, 0 regular and 1 new.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import State
from trajekt.games.do.beer_places import DEMAND, SUPPLY, BeerBox, LoadedTrain, MarketField, Place
from trajekt.games.do.beer_prices import CUSTOMERS, by_income
from trajekt.games.do.components import SEGMENTS, do_components, limits_of
from trajekt.games.do.events import BeerMoved, SegmentSet
from trajekt.games.do.options import DoOptions
from trajekt.games.do.state import do_state, segment_of


def demand(state: State, segment: int) -> int:
    """The cubes in both demand fields of a segment."""
    return sum(segment_of(state, segment).demand)


def cheapest(state: State, *, but: int = 0) -> tuple[int, int] | None:
    """The demand field with the lowest income that holds a cube, not in segment `but`; None where there is none."""
    for segment, customers in by_income(state.sheet):
        if segment != but and segment_of(state, segment).demand[customers]:
            return segment, customers
    return None


def available(state: State, *, but: int = 0) -> int:
    """The number of cubes that Stock and demand could give (DO-BREW-24); not those of the price box (DO-BREW-25)."""
    return do_state(state).stock + sum(demand(state, segment) for segment in SEGMENTS if segment != but)


def move(draft: Draft, source: Place, target: Place, count: int, cause: str) -> None:
    """Move cubes; nothing is emitted for none."""
    if count:
        draft.emit(BeerMoved(source, target, count, cause))


def draw(draft: Draft, target: Place, count: int, cause: str, *, but: int = 0) -> int:
    """Take cubes from Stock, then from the demand field with the lowest income; fewer where there are none left.

    Nothing is taken from segment `but`. Answers how many came (DO-LINK-08, DO-LINK-09, DO-BREW-24).
    """
    taken = min(count, do_state(draft.state).stock)
    move(draft, BeerBox.STOCK, target, taken, cause)
    while taken < count:
        place = cheapest(draft.state, but=but)
        if place is None:
            return taken
        number = min(count - taken, segment_of(draft.state, place[0]).demand[place[1]])
        if MarketField(DEMAND, *place) != target:
            move(draft, MarketField(DEMAND, *place), target, number, cause)
        taken += number
    return taken


def add_demand(draft: Draft, kind: TrainKind, odd: bool) -> None:
    """The cubes that a card prints go to the demand of its segment (DO-LINK-08, DO-LINK-09, DO-LINK-11).

    Where Stock is short the cheapest field gives them, that of the card's own segment too (`link_shortfall_same_segment`).
    """
    card = do_components(draft.sheet).cards[kind]
    but = card.segment if draft.ruleset.policy(DoOptions).link_shortfall_same_segment == "never" else 0
    for customers, count in zip(CUSTOMERS, card.demand[0 if odd else 1], strict=True):
        draw(draft, MarketField(DEMAND, card.segment, customers), count, "link", but=but)


def to_stock(draft: Draft, segment: int, cause: str) -> None:
    """All cubes of a segment go to Stock."""
    for kind in (DEMAND, SUPPLY):
        for customers in CUSTOMERS:
            known = segment_of(draft.state, segment)
            pair = known.demand if kind == DEMAND else known.supply
            move(draft, MarketField(kind, segment, customers), BeerBox.STOCK, pair[customers], cause)


def close_segment(draft: Draft, segment: int, cause: str) -> None:
    """A No Demand marker for good; what lies there goes to Stock (DO-MARKET-09, DO-MARKET-12)."""
    to_stock(draft, segment, cause)
    if not segment_of(draft.state, segment).closed:
        draft.emit(SegmentSet(segment, True, cause))


# Trains --------------------------------------------------------------------------------------------------------------


def loads(state: State, company: CompanyId) -> Iterator[tuple[TrainKind, int]]:
    """The loaded trains of a railway with their cubes."""
    for load in do_state(state).loads.get(company, ()):
        yield load.train, load.cubes


def unload(draft: Draft, company: CompanyId, target: Place = BeerBox.STOCK) -> None:
    """All cubes on a railway's trains go to Stock after its run (DO-BEERTRANSPORT-05, -06)."""
    for train, count in tuple(loads(draft.state, company)):
        move(draft, LoadedTrain(company, train, count), target, count, "unloaded")


def lost_train(draft: Draft, event: TrainMoved) -> None:
    """A loaded train that leaves its railway leaves its cubes to Stock; of equal trains the emptiest is the one that goes."""
    if event.source not in draft.state.companies:
        return
    left = draft.state.companies[event.source].trains.count(event.train)
    loaded = sorted(count for train, count in loads(draft.state, event.source) if train == event.train)
    for count in loaded[: max(0, len(loaded) - left)]:
        move(draft, LoadedTrain(event.source, event.train, count), BeerBox.STOCK, count, "unloaded")


TRAIN_LOST = Reaction(TrainMoved, ("DO-BANKR-02",), lost_train)


# Phases --------------------------------------------------------------------------------------------------------------


def market_by_phase(draft: Draft, event: PhaseBegan) -> None:
    """A segment opens, one closes (DO-MARKET-11, DO-MARKET-12, DO-PHASE-02 first step)."""
    limits = limits_of(draft.sheet, event.phase)
    if limits.opens and do_state(draft.state).segments[limits.opens].closed:
        draft.emit(SegmentSet(limits.opens, False, "phase"))
    if limits.closes:
        close_segment(draft, limits.closes, "phase")


MARKET_BY_PHASE = Reaction(PhaseBegan, ("DO-PHASE-02", "DO-MARKET-11", "DO-MARKET-12"), market_by_phase)
