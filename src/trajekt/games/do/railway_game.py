"""The Railway Game, listed in full: a reconstruction, since the rulebook names it and prints no rules (DO-TRG).

Railways alone on the map of Dortmund: private breweries by auction, a value field in two dimensions, stations in the City, and
trains that carry beer without a market. What it shares with the full game are the full game's own rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.ruleset import Draft, DrawNumber, Reaction, Rule, Ruleset
from trajekt.engine.state import BANK, CHARTER, Seat, State
from trajekt.games.do import (
    floating,
    forced_purchase,
    founding,
    invariants,
    phases,
    private_breweries,
    railway_game_beer,
    railway_links,
    running_and_dividends,
    share_sales,
    station_rules,
    stock_market,
    stock_round,
    track_rules,
    train_rules,
    treasury_shares,
)
from trajekt.games.do.beer_cubes import unload
from trajekt.games.do.beer_places import BeerBox
from trajekt.games.do.components import railways
from trajekt.games.do.events import OWN
from trajekt.games.do.frames import NOTES
from trajekt.games.do.hand_position import OWN_POSITION
from trajekt.games.do.options import DoOptions
from trajekt.games.do.setup import lay_homes
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.floating import FLOATS, lift_sold_out
from trajekt.rules.game_end import bank_then
from trajekt.rules.operating_round import OPERATING_ROUND, OperatingRound, TurnPolicy, TurnStep, company_turn, turn_of
from trajekt.rules.round_sequence import ROUNDS, Rounds, RoundsPolicy
from trajekt.rules.running_and_dividends import RUN_TRAINS, pay_waits
from trajekt.rules.setup import pay_capital
from trajekt.rules.stations import TURN_UP_HOMES, StationPolicy
from trajekt.rules.stock_round import SharesPolicy, StockRound, move_priority, stock_round_duty
from trajekt.rules.trains import TOO_MANY_TRAINS, TRAIN_OFFER

VERSION = 2


def set_up(draft: Draft, _draw: DrawNumber) -> None:
    """Capital and homes; there is no brewery and no market (DO-TRG-01)."""
    pay_capital(draft)
    lay_homes(draft, railways(draft.sheet))
    draft.push(Rounds())


# Rounds --------------------------------------------------------------------------------------------------------------


def open_stock(draft: Draft, number: int) -> None:
    """Open the first stock round after the auction; later ones begin with the Priority Deal (DO-TRG-02, DO-TRG-03)."""
    if number == 1:
        private_breweries.open_auction(draft)
    else:
        draft.push(StockRound(number, draft.state.priority))


def open_railway_round(draft: Draft, set_number: int, number: int, of: int) -> None:
    """Begin an operating round as a Railway Round, its order fixed (DO-TRG-01, DO-ORDER-03)."""
    order = tuple(c for c in draft.state.operating_order if draft.state.companies[c].floated)
    draft.push(OperatingRound(set_number, number, of, order=order))


def priority(state: State, current: StockRound) -> Seat:
    """Left of the last player who did something else than pass; it stays where nobody did (DO-SR-03, DO-SR-06)."""
    return state.priority if current.actor is None else state.clockwise(current.actor)[0]


def empty_bank(draft: Draft, payment: Paid) -> None:
    """The payment that empties the bank makes this set of rounds the last (DO-TRG-08)."""
    if payment.source == BANK and not draft.state.ending and bank_then(draft, payment) <= 0:
        draft.emit(EndTriggered("or"))


BANK_EMPTY = Reaction(Paid, ("DO-TRG-08",), empty_bank)


# Turns ---------------------------------------------------------------------------------------------------------------


def enter_pay(draft: Draft) -> None:
    """End the runs: cubes are gone, trains on their last run leave; without income the value falls (DO-REV-05)."""
    turn = turn_of(draft.state)
    unload(draft, turn.company, BeerBox.CELLAR)
    running_and_dividends.last_runs_over(draft, turn.company)
    if not turn.revenue:
        stock_market.after_income(draft, turn.company, 0, paid_out=False)


PAY = TurnStep("pay", pay_waits, enter_pay)
STATIONS = StationPolicy(reservation_rule="DO-TOK-10", relief=private_breweries.half_in_city)
PLACE_STATION = station_rules.PLACE_STATION.derive(added=(private_breweries.place_kept_in_city,))
STOCK_ROUND = stock_round_duty(
    share_sales.SELL_CERTIFICATES, founding.FOUND, stock_round.BUY_CERTIFICATE, stock_round.PASS, stock_round.END_TURN
)
TURN: tuple[Rule[Any], ...] = (
    railway_links.PLACE_FREE_TOKEN,
    track_rules.LAY_TILE,
    PLACE_STATION,
    railway_links.BUILD_LINK_ALONE,
    private_breweries.BREW,
    RUN_TRAINS,
    running_and_dividends.PAY_OUT,
    running_and_dividends.WITHHOLD,
    train_rules.BUY_TRAIN,
    forced_purchase.FORCE_PURCHASE,
    treasury_shares.OWN_CERTIFICATE,
    train_rules.PASS_STEP,
)
STEPS = (
    train_rules.FIRST_STEP,
    track_rules.TRACK,
    station_rules.STATION,
    railway_links.LINK_STEP,
    running_and_dividends.RUN,
    PAY,
    train_rules.TRAINS,
)
DUTIES = (
    ROUNDS,
    private_breweries.PRIVATE_LOT,
    STOCK_ROUND,
    floating.FLOAT_SALE,
    OPERATING_ROUND,
    company_turn(*TURN),
    TRAIN_OFFER,
    TOO_MANY_TRAINS,
    forced_purchase.FORCED,
)


def build(sheet: Sheet, chosen: DoOptions) -> Ruleset:
    """The ruleset that a table has chosen."""
    return Ruleset(
        name=f"18do/{chosen.game}",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(chosen),
        notes=NOTES,
        set_up=set_up,
        duties={duty.frame: duty for duty in DUTIES},
        reactions=(
            *phases.OF_RAILWAYS,
            private_breweries.PRIVATES_CLOSE,
            phases.LIMIT_FALLS,
            train_rules.POOL_NOTED,
            private_breweries.HALF_USED,
            DIRECTOR_FOLLOWS,
            TURN_UP_HOMES,
            FLOATS,
            BANK_EMPTY,
        ),
        policies=(
            chosen,
            RoundsPolicy(open_stock, open_railway_round),
            SharesPolicy(
                payee=lambda _state, company, source: company if source == CHARTER else BANK,
                falls=share_sales.falls,
                priority=priority,
                closing=(lift_sold_out, move_priority),
                drop=stock_market.left,
                acts=stock_round.ACTS,
            ),
            DirectorsPolicy(fewest_first),
            floating.FLOATING,
            stock_market.FIELD,
            TurnPolicy(STEPS),
            track_rules.LAYING,
            STATIONS,
            railway_game_beer.ROUTES,
            running_and_dividends.policy(railway_game_beer.ROUTES, chosen),
            running_and_dividends.PAYS,
            train_rules.limit(chosen),
            OWN_POSITION,
        ),
        own=OWN,
        invariants=(*invariants.OF_RAILWAYS, invariants.trains(train_rules.limit(chosen))),
    )
