"""The rulesets of 18DO by game: the full game and the Expert Game are listed here, each other game in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Draft, DrawNumber, Duty, Rule, Ruleset
from trajekt.engine.state import CHARTER, Frame, State
from trajekt.games.do import (
    bankruptcy,
    brewery_round,
    capital_expenditure_markers,
    floating,
    forced_purchase,
    founding,
    introduction_game,
    invariants,
    minor_trade_in,
    phases,
    railway_game,
    railway_links,
    route_rules,
    running_and_dividends,
    share_sales,
    special_event_markers,
    starting_round,
    station_rules,
    stock_market,
    stock_round,
    track_rules,
    train_rules,
    treasury_shares,
)
from trajekt.games.do.beer_loading import LOAD_OFFER
from trajekt.games.do.brewery_equipment import TOO_MANY_BECS
from trajekt.games.do.components import do_components, is_railway
from trajekt.games.do.events import OWN
from trajekt.games.do.frames import NOTES, BreweryRound
from trajekt.games.do.hand_position import OWN_POSITION
from trajekt.games.do.options import EXPERT, FULL, INTRODUCTION, RAILWAY, DoOptions
from trajekt.games.do.referee import REFEREES
from trajekt.games.do.setup import set_up
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.floating import FLOATS
from trajekt.rules.operating_round import OPERATING_ROUND, OperatingRound, TurnPolicy, company_turn
from trajekt.rules.referee import refereed
from trajekt.rules.round_sequence import ROUNDS, RoundsPolicy
from trajekt.rules.running_and_dividends import RUN_TRAINS
from trajekt.rules.stations import TURN_UP_HOMES
from trajekt.rules.stock_round import SharesPolicy, move_priority, stock_round_duty
from trajekt.rules.trains import TOO_MANY_TRAINS, TRAIN_OFFER

VERSION = 3


def open_rounds(draft: Draft, set_number: int, number: int, of: int) -> None:
    """An operating round: the Railway Round, its order fixed when it begins, then the Brewery Round (DO-ORDER-01, -03)."""
    order = tuple(
        c for c in draft.state.operating_order if is_railway(draft.sheet, c) and draft.state.companies[c].floated
    )
    draft.push(BreweryRound(set_number, number, of))
    draft.push(OperatingRound(set_number, number, of, order=order))


def planned(chosen: DoOptions) -> Callable[[State, int], int]:
    """The number of operating rounds of a set (DO-ORDER-02)."""
    published = {"2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "8": 3}

    def of(state: State, number: int) -> int:
        if chosen.or_per_set == "published":
            return published[state.phase]
        if chosen.or_per_set == "from_set_4":
            return 3 if number >= 4 else 2
        return state.current_phase.operating_rounds

    return of


def with_breweries(sheet: Sheet, chosen: DoOptions) -> Ruleset:
    """The full game and the Expert Game, listed in full."""
    turn: tuple[Rule[Any], ...] = (
        railway_links.PLACE_FREE_TOKEN,
        track_rules.LAY_TILE,
        station_rules.PLACE_STATION,
        railway_links.BUILD_LINK,
        RUN_TRAINS,
        running_and_dividends.PAY_OUT,
        running_and_dividends.WITHHOLD,
        train_rules.BUY_TRAIN,
        forced_purchase.FORCE_PURCHASE,
        capital_expenditure_markers.BUY_MARKER,
        treasury_shares.OWN_CERTIFICATE,
        train_rules.PASS_STEP,
    )

    def begin(draft: Draft, draw: DrawNumber) -> None:
        set_up(draft, draw, chosen)

    return Ruleset(
        name=f"18do/{chosen.game}",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(chosen),
        notes=NOTES,
        set_up=begin,
        duties=listed(
            ROUNDS,
            starting_round.STARTING_ROUND,
            stock_round_duty(
                share_sales.SELL_CERTIFICATES,
                founding.FOUND,
                founding.FOUND_BY_TRADE,
                minor_trade_in.TRADE_IN,
                stock_round.BUY_CERTIFICATE,
                stock_round.PASS,
                stock_round.END_TURN,
            ),
            floating.FLOAT_SALE,
            floating.PLACE_CHOICE,
            OPERATING_ROUND,
            company_turn(*turn),
            railway_links.LINK_DEMAND,
            TRAIN_OFFER,
            TOO_MANY_TRAINS,
            TOO_MANY_BECS,
            forced_purchase.FORCED,
            brewery_round.BREWERY_ROUND,
            brewery_round.BREWERY_TURN,
            LOAD_OFFER,
            capital_expenditure_markers.MARKER_OFFER,
            capital_expenditure_markers.FIRST_MARKERS,
            capital_expenditure_markers.TOO_MANY_MARKERS,
            special_event_markers.ADVERTISE,
            special_event_markers.MARKETING_DUTY,
        ),
        reactions=(bankruptcy.BANKRUPT, *phases.REACTIONS, DIRECTOR_FOLLOWS, TURN_UP_HOMES, FLOATS),
        policies=(
            chosen,
            RoundsPolicy(stock_round.open_round, open_rounds, planned(chosen), do_components(sheet).sets),
            SharesPolicy(
                payee=lambda _state, company, source: company if source == CHARTER else "bank",
                falls=share_sales.falls,
                priority=stock_round.priority(chosen),
                closing=(move_priority,),
                drop=stock_market.left,
                acts=stock_round.ACTS,
            ),
            DirectorsPolicy(fewest_first),
            floating.FLOATING,
            stock_market.ROWS,
            brewery_round.BREWERY_TURNS,
            TurnPolicy(
                (
                    train_rules.FIRST_STEP,
                    track_rules.TRACK,
                    station_rules.STATION,
                    railway_links.LINK_STEP,
                    running_and_dividends.RUN,
                    running_and_dividends.PAY,
                    train_rules.TRAINS,
                )
            ),
            track_rules.LAYING,
            station_rules.STATIONS,
            route_rules.ROUTES,
            running_and_dividends.policy(route_rules.ROUTES, chosen),
            running_and_dividends.PAYS,
            train_rules.limit(chosen),
            OWN_POSITION,
        ),
        own=OWN,
        invariants=(*invariants.ALL, invariants.trains(train_rules.limit(chosen))),
    )


GAMES: dict[str, Callable[[Sheet, DoOptions], Ruleset]] = {
    FULL: with_breweries,
    EXPERT: with_breweries,
    RAILWAY: railway_game.build,
    INTRODUCTION: introduction_game.build,
}


def build(sheet: Sheet, chosen: DoOptions) -> Ruleset:
    """The ruleset that a table has chosen; `sheet` is that of its game and number of players.

    Raises ValueError where options exclude each other.
    """
    faults = chosen.faults()
    if faults:
        raise ValueError("; ".join(faults))
    return refereed(GAMES[chosen.game](sheet, chosen), REFEREES[chosen.game], chosen.referee)


def listed(*duties: Duty) -> dict[type[Frame], Duty]:
    """Duties by their frame."""
    return {duty.frame: duty for duty in duties}
