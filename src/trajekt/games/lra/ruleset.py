"""The ruleset of 18LRA, listed in full: the rules of 18Rhl's second edition where they are common, its own beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Duty, Rule, Ruleset
from trajekt.engine.state import Frame
from trajekt.games.lra import (
    emigrant_camp,
    investor,
    kreisbahn,
    setup,
    short_game,
    station_rules,
    track_rules,
    venlo_link,
)
from trajekt.games.lra.forced_purchase import FORCED
from trajekt.games.lra.kreisbahn import NOTES
from trajekt.games.lra.options import LraOptions
from trajekt.games.lra.referee import REFEREE
from trajekt.games.lra.route_rules import ONE_STOP_A_HEX, ROUTES
from trajekt.rules import (
    auction,
    forced_purchase,
    founding,
    invariants,
    phases,
    running_and_dividends,
    share_sales,
    stock_round,
)
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.ending_by_agreement import DECLINE_END, OFFER_END
from trajekt.rules.floating import AT_ONCE, FLOATS, lift_sold_out
from trajekt.rules.game_end import BANK_BREAKS
from trajekt.rules.operating_round import OPERATING_ROUND, PASS_STEP, TurnPolicy, company_turn, open_round
from trajekt.rules.referee import Referee, refereed
from trajekt.rules.round_sequence import ROUNDS, RoundsPolicy
from trajekt.rules.running_and_dividends import PAY, PAY_OUT, RUN, WITHHOLD, PayPolicy, by_routes
from trajekt.rules.stations import TURN_UP_HOMES
from trajekt.rules.trains import BUY_TRAIN, TOO_MANY_TRAINS, TRAIN_OFFER, TRAINS, TrainPolicy

VERSION = 3

FOUND = Rule(
    founding.FOUND.action,
    founding.found_options,
    founding.found_company,
    needs=(stock_round.known_company, setup.in_scenario, founding.not_founded, founding.par_on_market),
    checks=founding.FOUND.checks,
    likely=founding.likely_founds,
)

PACKAGE = auction.AuctionPolicy(
    step=5,
    bought=auction.buy_of_bank,
    raises_next=auction.clockwise_bidder,
    all_passed=auction.incomes_then_offer,
    finish=auction.finish_left_of_buyer,
    on_sale=auction.lowest,
    price=auction.printed_less_discount,
    offer_goes_on=True,
)
SHARES = stock_round.SharesPolicy(
    stock_round.treasury_once_floated,
    stock_round.one_space,
    stock_round.richest_after_holder,
    (stock_round.move_priority, lift_sold_out),
)


def package_of(options: LraOptions) -> auction.AuctionPolicy:
    """The sale of the package at a table."""
    return replace(PACKAGE, offer_goes_on=not options.offer_once)


def build(sheet: Sheet, options: LraOptions) -> Ruleset:
    """The ruleset that a table has chosen; `sheet` is that of its variants.

    Raises ValueError where options exclude each other.
    """
    faults = options.faults()
    if faults:
        raise ValueError("; ".join(faults))
    if options.short_game:
        return refereed(short_game.build(sheet, options), Referee(), options.referee)
    game = two_players if options.investor else whole_game
    return refereed(game(sheet, options), REFEREE, options.referee)


def whole_game(sheet: Sheet, options: LraOptions) -> Ruleset:
    """The game of the rulebook, for three or four players."""
    routes = ONE_STOP_A_HEX if options.one_stop_a_hex else ROUTES
    turn: tuple[Rule[Any], ...] = (
        track_rules.LAY_TILE,
        track_rules.USE_PRIVATE,
        station_rules.PLACE_STATION,
        running_and_dividends.RUN_TRAINS,
        PAY_OUT,
        WITHHOLD,
        kreisbahn.PAY_OUT_KEEP_GKB,
        BUY_TRAIN,
        forced_purchase.CHOOSE_FORCED_TRAIN,
        PASS_STEP,
    )
    last_resort = forced_purchase.END_BANKRUPT if options.optional_end else forced_purchase.TAKE_LOAN  # COMMON-VAR-04
    return Ruleset(
        name="18lra",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=NOTES,
        set_up=setup.set_up(options),
        duties=listed(
            ROUNDS,
            stock_round.stock_round_duty(
                share_sales.SELL_SHARES, FOUND, stock_round.BUY_SHARE, stock_round.PASS, stock_round.END_TURN
            ),
            auction.AUCTION,
            auction.CONTEST,
            auction.OFFER,
            OPERATING_ROUND,
            company_turn(*turn),
            TRAIN_OFFER,
            TOO_MANY_TRAINS,
            forced_purchase.forced_purchase(
                forced_purchase.SELL_CHARTER_SHARES, forced_purchase.FORCED_SALE, last_resort
            ),
            emigrant_camp.MARKER_CHOICE,
        ),
        reactions=REACTIONS,
        anytime=(OFFER_END, DECLINE_END),
        invariants=invariants.SHARED,
        policies=(
            RoundsPolicy(auction.open_with_package, open_round),
            package_of(options),
            SHARES,
            DirectorsPolicy(fewest_first),
            AT_ONCE,
            setup.USED,
            TurnPolicy((track_rules.TRACK, station_rules.STATION, RUN, PAY, TRAINS)),
            track_rules.LAYING,
            track_rules.POWERS,
            station_rules.STATIONS,
            routes,
            by_routes(routes),
            PayPolicy(goes_under=True),
            TrainPolicy(),
            FORCED,
        ),
    )


def two_players(sheet: Sheet, options: LraOptions) -> Ruleset:
    """Two players and the Investor, as the rule sheet reconstructs them (section 18.2)."""
    routes = ONE_STOP_A_HEX if options.one_stop_a_hex else ROUTES
    turn: tuple[Rule[Any], ...] = (
        track_rules.LAY_TILE,
        track_rules.USE_PRIVATE,
        station_rules.PLACE_STATION,
        running_and_dividends.RUN_TRAINS.derive(added=(investor.best_for_investor,)),
        PAY_OUT,
        WITHHOLD.derive(added=(investor.must_pay_out,)),
        kreisbahn.PAY_OUT_KEEP_GKB.derive(added=(investor.must_pay_out,)),
        BUY_TRAIN,
        forced_purchase.CHOOSE_FORCED_TRAIN,
        PASS_STEP,
    )
    last_resort = forced_purchase.END_BANKRUPT if options.optional_end else forced_purchase.TAKE_LOAN
    trading = stock_round.stock_round_duty(
        share_sales.SELL_SHARES, FOUND, stock_round.BUY_SHARE, stock_round.PASS, stock_round.END_TURN
    )
    paying = forced_purchase.forced_purchase(
        forced_purchase.SELL_CHARTER_SHARES, forced_purchase.FORCED_SALE, last_resort
    )
    return Ruleset(
        name="18lra/two",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=NOTES,
        set_up=investor.set_up(options),
        duties=listed(
            ROUNDS,
            replace(trading, run=investor.run_stock_round),
            replace(auction.AUCTION, run=investor.run_auction),
            auction.CONTEST,
            replace(auction.OFFER, run=investor.run_offer),
            OPERATING_ROUND,
            investor.managed(company_turn(*turn)),
            investor.managed(TRAIN_OFFER),
            investor.managed(TOO_MANY_TRAINS),
            investor.managed(replace(paying, run=investor.run_forced)),
            emigrant_camp.MARKER_CHOICE,
        ),
        reactions=REACTIONS,
        anytime=(OFFER_END, DECLINE_END),
        invariants=invariants.SHARED,
        own=investor.OWN,
        policies=(
            RoundsPolicy(investor.open_round, open_round),
            replace(package_of(options), finish=investor.finish_package),
            replace(SHARES, priority=investor.players_only),
            DirectorsPolicy(fewest_first),
            AT_ONCE,
            setup.USED,
            TurnPolicy((track_rules.TRACK, station_rules.STATION, RUN, investor.PAY, TRAINS)),
            track_rules.LAYING,
            track_rules.POWERS,
            station_rules.STATIONS,
            routes,
            by_routes(routes),
            PayPolicy(goes_under=True),
            TrainPolicy(),
            investor.FORCED_TWO,
        ),
    )


REACTIONS = (
    phases.PHASE_BEGINS,
    phases.OBSOLETE,
    phases.PRIVATES_CLOSE,
    # what the choices of a phase leave to the limit lies below them (COMMON-PHS-07)
    kreisbahn.LIMIT_LATER,
    kreisbahn.STATION_OPENS,
    emigrant_camp.CAMP_OPENS,
    emigrant_camp.KREISBAHN_OPENS,
    DIRECTOR_FOLLOWS,
    FLOATS,
    TURN_UP_HOMES,
    venlo_link.LINK_PAYS,
    venlo_link.LINK_WAITED,
    emigrant_camp.CAMP_LINKED,
    emigrant_camp.NEW_DIRECTOR,
    emigrant_camp.NEWLY_FLOATED,
    kreisbahn.INCOME_NOTED,
    BANK_BREAKS,
)


def listed(*duties: Duty) -> dict[type[Frame], Duty]:
    """Duties by their frame."""
    return {duty.frame: duty for duty in duties}
