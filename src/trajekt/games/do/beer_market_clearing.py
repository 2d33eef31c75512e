"""The clearing of the beer market after every brewery round, in its five steps (DO-MARKET-01). It takes no choice."""

from __future__ import annotations

from trajekt.engine.ruleset import Draft, Ruleset
from trajekt.engine.state import State
from trajekt.games.do.beer_cubes import close_segment, move
from trajekt.games.do.beer_places import DEMAND, SUPPLY, BeerBox, MarketField, Place
from trajekt.games.do.beer_prices import CUSTOMERS
from trajekt.games.do.components import NEW, REGULAR, SEGMENTS, do_components
from trajekt.games.do.events import OWN
from trajekt.games.do.state import do_state, segment_of


def clear(draft: Draft) -> None:
    """All five steps."""
    empty_demand(draft)
    turn_supply(draft)
    close_below(draft)
    fill_new_customers(draft)


def cleared(state: State) -> State:
    """The position as a clearing now would leave it, for a look ahead: the position itself stays."""
    draft = Draft(Ruleset("clearing", 0, state.sheet, {}, lambda _draft, _draw: None, {}, own=OWN), state)
    clear(draft)
    return draft.state


def empty_demand(draft: Draft) -> None:
    """Step 1: what is left of the demand goes to Stock (DO-MARKET-01)."""
    for segment in SEGMENTS:
        for customers in CUSTOMERS:
            left = segment_of(draft.state, segment).demand[customers]
            move(draft, MarketField(DEMAND, segment, customers), BeerBox.STOCK, left, "clearing")


def turn_supply(draft: Draft) -> None:
    """Steps 2 and 3: what was delivered is the regular demand from now on; new customers have become regular (DO-BREW-12)."""
    for segment in SEGMENTS:
        for customers in CUSTOMERS:
            delivered = segment_of(draft.state, segment).supply[customers]
            move(
                draft,
                MarketField(SUPPLY, segment, customers),
                MarketField(DEMAND, segment, REGULAR),
                delivered,
                "clearing",
            )


def close_below(draft: Draft) -> None:
    """Step 4: below the lowest segment with regular demand all are closed (DO-MARKET-01, DO-MARKET-07).

    Where nobody delivered nothing closes (DO-MARKET-06).
    """
    lowest = lowest_with_demand(draft.state)
    for segment in range(1, lowest or 1):
        close_segment(draft, segment, "clearing")


def lowest_with_demand(state: State) -> int:
    """The lowest segment with regular demand, 0 where none has any."""
    return next((n for n in SEGMENTS if segment_of(state, n).demand[REGULAR]), 0)


def lowest_with_cubes(state: State) -> int:
    """The lowest segment with a cube in its demand, 0 where none has any."""
    return next((n for n in SEGMENTS if sum(segment_of(state, n).demand)), 0)


def fill_new_customers(draft: Draft) -> None:
    """Step 5: fields of new customers up to their printed number, the highest first (DO-MARKET-02 to -05, DO-MARKET-08).

    From Stock; then from the lowest segment that has any, as long as it lies below the one that is filled.
    """
    printed = do_components(draft.sheet).printed
    for segment in reversed(SEGMENTS):
        known = segment_of(draft.state, segment)
        if known.closed:
            continue
        wanted = printed[segment] - known.demand[NEW]
        target = MarketField(DEMAND, segment, NEW)
        while wanted > 0:
            stock = do_state(draft.state).stock
            source: Place = BeerBox.STOCK
            there = stock
            if not stock:
                lowest = lowest_with_cubes(draft.state)
                if not lowest or lowest >= segment:
                    break
                # lower segments hold only regular demand while this works its way down (DO-MARKET-08)
                source, there = MarketField(DEMAND, lowest, REGULAR), segment_of(draft.state, lowest).demand[REGULAR]
            count = min(wanted, there)
            move(draft, source, target, count, "clearing")
            wanted -= count
