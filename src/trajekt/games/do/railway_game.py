"""The Railway Game, listed in full: a reconstruction, since the rulebook names it and prints no rules (DO-TRG).

Railways alone on the map of Dortmund: private breweries by auction, a value field in two dimensions, stations in the City, and
trains that carry beer without a market. What it shares with the full game are the full game's own rules.
"""

from __future__ import annotations

from typing import Any

from trajekt.engine.agenda import Draft
from trajekt.engine.events import EndTriggered, Paid
from trajekt.engine.model import BANK, CHARTER, Seat, State
from trajekt.engine.rule import Draw, Reaction, Rule, Ruleset
from trajekt.engine.sheet import Sheet
from trajekt.games.do import (
    deals,
    floating,
    forced,
    founding,
    invariants,
    links,
    phases,
    privates,
    railway_beer,
    running,
    sales,
    stock,
    track_rules,
    train_rules,
    values,
)
from trajekt.games.do.beer import unload
from trajekt.games.do.changes import OWN
from trajekt.games.do.options import Options
from trajekt.games.do.parts import railways
from trajekt.games.do.record import CELLAR
from trajekt.games.do.setup import lay_homes
from trajekt.rules.companies import FLOATS, lift_sold_out
from trajekt.rules.directors import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.ending import bank_then
from trajekt.rules.operating import OPERATING_ROUND, OperatingRound, Step, TurnPolicy, company_turn, turn_of
from trajekt.rules.rounds import ROUNDS, Rounds, RoundsPolicy
from trajekt.rules.running import RUN_TRAINS, pay_waits
from trajekt.rules.setting_up import pay_capital
from trajekt.rules.shares import SharesPolicy, StockRound, move_priority, stock_round_duty
from trajekt.rules.stations import TURN_UP_HOMES, StationPolicy
from trajekt.rules.trains import TOO_MANY_TRAINS, TRAIN_OFFER

VERSION = 1


def set_up(draft: Draft, _draw: Draw) -> None:
    """Capital and homes; there is no brewery and no market (DO-TRG-01)."""
    pay_capital(draft)
    lay_homes(draft, railways(draft.sheet))
    draft.push(Rounds())


# Rounds --------------------------------------------------------------------------------------------------------------


def open_stock(draft: Draft, number: int) -> None:
    """The first stock round follows the auction; later ones begin with the Priority Deal (DO-TRG-02, DO-TRG-03)."""
    if number == 1:
        privates.open_auction(draft)
    else:
        draft.push(StockRound(number, draft.state.priority))


def open_railway_round(draft: Draft, set_number: int, number: int, of: int) -> None:
    """An operating round is a Railway Round, its order fixed when it begins (DO-TRG-01, DO-ORDER-03)."""
    order = tuple(c for c in draft.state.order if draft.state.companies[c].floated)
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
    """The runs are over: cubes are gone, trains on their last run leave; without income the value falls (DO-REV-05)."""
    turn = turn_of(draft.state)
    unload(draft, turn.company, CELLAR)
    running.last_runs_over(draft, turn.company)
    if not turn.revenue:
        values.after_income(draft, turn.company, 0, paid_out=False)


PAY = Step("pay", pay_waits, enter_pay)
STATIONS = StationPolicy(kept="DO-TOK-10", relief=privates.half_in_city)
PLACE_STATION = track_rules.PLACE_STATION.but(also=(privates.place_kept_in_city,))
STOCK_ROUND = stock_round_duty(
    sales.SELL_CERTIFICATES, founding.FOUND, stock.BUY_CERTIFICATE, stock.PASS, stock.END_TURN
)
TURN: tuple[Rule[Any], ...] = (
    links.PLACE_FREE_TOKEN,
    track_rules.LAY_TILE,
    PLACE_STATION,
    links.BUILD_LINK_ALONE,
    privates.BREW,
    RUN_TRAINS,
    running.PAY_OUT,
    running.WITHHOLD,
    train_rules.BUY_TRAIN,
    forced.FORCE_PURCHASE,
    deals.OWN_CERTIFICATE,
    train_rules.PASS_STEP,
)
STEPS = (
    train_rules.FIRST_STEP,
    track_rules.TRACK,
    track_rules.STATION,
    links.LINK_STEP,
    running.RUN,
    PAY,
    train_rules.TRAINS,
)
DUTIES = (
    ROUNDS,
    privates.PRIVATE_LOT,
    STOCK_ROUND,
    floating.FLOAT_SALE,
    OPERATING_ROUND,
    company_turn(*TURN),
    TRAIN_OFFER,
    TOO_MANY_TRAINS,
    forced.FORCED,
)


def build(sheet: Sheet, chosen: Options) -> Ruleset:
    """The ruleset that a table has chosen."""
    return Ruleset(
        name=f"18do/{chosen.game}",
        version=VERSION,
        sheet=sheet,
        options={},
        set_up=set_up,
        duties={duty.frame: duty for duty in DUTIES},
        reactions=(
            *phases.OF_RAILWAYS,
            privates.PRIVATES_CLOSE,
            phases.LIMIT_FALLS,
            train_rules.POOL_NOTED,
            privates.HALF_USED,
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
                falls=sales.falls,
                priority=priority,
                closing=(lift_sold_out, move_priority),
                drop=values.left,
                acts=stock.ACTS,
            ),
            DirectorsPolicy(fewest_first),
            floating.FLOATING,
            values.FIELD,
            TurnPolicy(STEPS),
            track_rules.LAYING,
            STATIONS,
            railway_beer.ROUTES,
            running.policy(railway_beer.ROUTES, chosen),
            running.PAYS,
            train_rules.limit(chosen),
        ),
        own=OWN,
        invariants=(*invariants.OF_RAILWAYS, invariants.trains(train_rules.limit(chosen))),
    )
