"""The rulesets of 18Rhl: first edition (R1), second edition (R2), and `compat`, each listed in full.

Nothing is inherited: what two of them share stands in both lists. A line that differs is a rule of the rulebooks, or of the
public site's recorded games (section 19 of the rule sheet).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Duty, Reaction, Rule, Ruleset
from trajekt.engine.state import Frame
from trajekt.games.rhl import (
    compat_bankruptcy,
    compat_forced_purchase,
    compat_stock,
    compat_track,
    compat_trains,
    rhe_founding,
    route_editions,
    setup,
    station_rules,
    track_rules,
    train_rules,
)
from trajekt.games.rhl.aachen_link import CLAIM_LINK, LINK_PAYS, REFEREE
from trajekt.games.rhl.bankruptcy import BANKRUPTCY_1
from trajekt.games.rhl.floating import AT_END
from trajekt.games.rhl.forced_purchase import FORCED_1, FORCED_2
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.route_rules import route_rules
from trajekt.games.rhl.running_and_dividends import PAY_1, PAY_2, RUN_TRAINS_1
from trajekt.rules import (
    auction,
    bankruptcy,
    forced_purchase,
    founding,
    invariants,
    phases,
    running_and_dividends,
    share_sales,
    stock_round,
    turn_notes,
)
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.ending_by_agreement import DECLINE_END, OFFER_END, WORD_LAPSES
from trajekt.rules.floating import AT_ONCE, FLOATS, lift_sold_out, settle_due
from trajekt.rules.game_end import BANK_BREAKS
from trajekt.rules.operating_round import OPERATING_ROUND, PASS_STEP, TurnPolicy, company_turn, open_round
from trajekt.rules.referee import refereed
from trajekt.rules.round_sequence import ROUNDS, RoundsPolicy
from trajekt.rules.running_and_dividends import PAY, PAY_OUT, RUN, WITHHOLD, by_routes
from trajekt.rules.stations import TURN_UP_HOMES
from trajekt.rules.trains import BUY_TRAIN, TOO_MANY_TRAINS, TRAIN_OFFER, TRAINS

VERSION = 4

ROUTES_COMPAT = route_rules(route_editions.COMPAT)
DUTY_COMPAT = route_rules(msgspec.structs.replace(route_editions.COMPAT, town_ends=True))
"""Routes for the question whether a train must be owned: at the site a town is a second stop (CMP-44)."""

BUY_SHARE_1 = stock_round.BUY_SHARE.derive(replaced={"on_offer": stock_round.on_offer("RHL-SR-05")})
SELL_SHARES_1 = share_sales.SELL_SHARES.derive(replaced={"floated": share_sales.operated})


def build(sheet: Sheet, options: RhlOptions) -> Ruleset:
    """The ruleset that a table has chosen; `sheet` is that of its edition and variants.

    Raises ValueError where options exclude each other.
    """
    faults = options.faults()
    if faults:
        raise ValueError("; ".join(faults))
    edition = compat if options.compat else first_edition if options.edition == 1 else second_edition
    return refereed(edition(sheet, options), REFEREE, options.referee)


def first_edition(sheet: Sheet, options: RhlOptions) -> Ruleset:
    """R1: the rules 3.0 of 2006."""
    routes = route_rules(route_editions.chosen(options))
    powers, laying, lay, use = (
        (
            track_rules.POWERS_POLICY_RATINGEN,
            track_rules.LAYING_RATINGEN,
            track_rules.LAY_TILE_RATINGEN,
            track_rules.USE_PRIVATE_RATINGEN,
        )
        if options.ratingen
        else (track_rules.POWERS_POLICY_R1, track_rules.LAYING_R1, track_rules.LAY_TILE, track_rules.USE_PRIVATE)
    )
    turn: tuple[Rule[Any], ...] = (
        lay,
        use,
        station_rules.PLACE_STATION,
        RUN_TRAINS_1,
        PAY_OUT,
        WITHHOLD,
        train_rules.BUY_TRAIN_1,
        forced_purchase.CHOOSE_FORCED_TRAIN,
        PASS_STEP,
    )
    return Ruleset(
        name="18rhl/1",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=turn_notes.SHARED,
        set_up=setup.first_edition(options),
        duties=listed(
            ROUNDS,
            stock_round.stock_round_duty(
                SELL_SHARES_1, founding.FOUND, BUY_SHARE_1, stock_round.PASS, stock_round.END_TURN
            ),
            auction.AUCTION,
            auction.CONTEST,
            rhe_founding.PAR_CHOICE,
            OPERATING_ROUND,
            company_turn(*turn),
            TRAIN_OFFER,
            TOO_MANY_TRAINS,
            forced_purchase.forced_purchase(
                forced_purchase.FORCED_SALE_OPERATED, bankruptcy.DECLARE_BANKRUPTCY, rule="RHL-FOR-01"
            ),
        ),
        reactions=(
            bankruptcy.DIRECTOR_FOUND,
            *REACTIONS_BEFORE_LIMIT,
            bankruptcy.RECEIVERSHIP_BEGINS,
            WORD_LAPSES,
            *REACTIONS_AFTER,
        ),
        anytime=(OFFER_END, DECLINE_END),
        invariants=invariants.SHARED,
        policies=(
            RoundsPolicy(rhe_founding.open_round, open_round),
            rhe_founding.FIRST_EDITION,
            rhe_founding.OpeningPolicy(lays_aside=True, price_paid=options.rhe_price_paid),
            stock_round.SharesPolicy(
                stock_round.treasury_once_floated,
                stock_round.one_space,
                stock_round.richest_after_buyer,
                (stock_round.move_priority, settle_due, lift_sold_out),
            ),
            DirectorsPolicy(fewest_first),
            AT_END,
            TurnPolicy(
                (
                    station_rules.HOME,
                    track_rules.TRACK,
                    station_rules.STATION,
                    RUN,
                    PAY,
                    bankruptcy.DEBT,
                    bankruptcy.TRAINS_OR_BANK,
                )
            ),
            laying,
            powers,
            station_rules.STATIONS_R1,
            routes,
            by_routes(routes),
            PAY_1,
            train_rules.TRAINS_1,
            FORCED_1,
            BANKRUPTCY_1,
        ),
    )


def second_edition(sheet: Sheet, options: RhlOptions) -> Ruleset:
    """R2: the German rules, then the English ones of 2022."""
    routes = route_rules(route_editions.chosen(options))
    turn: tuple[Rule[Any], ...] = (
        track_rules.LAY_TILE,
        track_rules.USE_PRIVATE,
        station_rules.PLACE_STATION,
        running_and_dividends.RUN_TRAINS,
        PAY_OUT,
        WITHHOLD,
        BUY_TRAIN,
        forced_purchase.CHOOSE_FORCED_TRAIN,
        PASS_STEP,
    )
    last_resort = forced_purchase.END_BANKRUPT if options.optional_end else forced_purchase.TAKE_LOAN  # COMMON-VAR-04
    return Ruleset(
        name="18rhl/2",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=turn_notes.SHARED,
        set_up=setup.second_edition(options),
        duties=listed(
            ROUNDS,
            stock_round.stock_round_duty(
                share_sales.SELL_SHARES,
                founding.FOUND,
                stock_round.BUY_SHARE,
                stock_round.PASS,
                stock_round.END_TURN,
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
        ),
        reactions=(*REACTIONS_BEFORE_LIMIT, TURN_UP_HOMES, *REACTIONS_AFTER),
        anytime=(OFFER_END, DECLINE_END),
        invariants=(*invariants.SHARED, invariants.offering_empty_once_floated),
        policies=(
            RoundsPolicy(rhe_founding.open_round, open_round),
            rhe_founding.OFFER_ONCE if options.offer_once else rhe_founding.SECOND_EDITION,
            rhe_founding.OpeningPolicy(lays_aside=True),
            stock_round.SharesPolicy(
                stock_round.treasury_once_floated,
                stock_round.one_space,
                stock_round.richest_after_holder,
                (stock_round.move_priority, lift_sold_out),
            ),
            DirectorsPolicy(fewest_first),
            AT_ONCE,
            TurnPolicy((track_rules.TRACK, station_rules.STATION, RUN, PAY, TRAINS)),
            track_rules.LAYING_R2,
            track_rules.POWERS_POLICY_R2,
            station_rules.STATIONS_R2,
            routes,
            by_routes(routes),
            PAY_2,
            train_rules.TRAINS_2,
            FORCED_2,
        ),
    )


def compat(sheet: Sheet, options: RhlOptions) -> Ruleset:
    """The rules by which the public site played the first edition in 2026 (CMP-10 to CMP-42)."""
    powers, laying, lay, use = (
        (
            compat_track.POWERS_COMPAT_RATINGEN,
            compat_track.LAYING_COMPAT_RATINGEN,
            compat_track.LAY_TILE_COMPAT_RATINGEN,
            compat_track.USE_PRIVATE_COMPAT_RATINGEN,
        )
        if options.ratingen
        else (
            compat_track.POWERS_COMPAT,
            compat_track.LAYING_COMPAT,
            compat_track.LAY_TILE_COMPAT,
            compat_track.USE_PRIVATE_COMPAT,
        )
    )
    turn: tuple[Rule[Any], ...] = (
        lay,
        use,
        compat_track.PLACE_STATION_COMPAT,
        running_and_dividends.RUN_TRAINS,
        PAY_OUT,
        WITHHOLD,
        compat_trains.BUY_TRAIN_COMPAT,
        forced_purchase.CHOOSE_FORCED_TRAIN,
        PASS_STEP,
    )
    return Ruleset(
        name="18rhl/compat",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=turn_notes.SHARED,
        set_up=setup.first_edition(options),
        duties=listed(
            ROUNDS,
            stock_round.stock_round_duty(
                compat_stock.SELL, founding.FOUND, BUY_SHARE_1, stock_round.PASS, stock_round.END_TURN
            ),
            auction.AUCTION,
            auction.CONTEST,
            rhe_founding.PAR_CHOICE,
            OPERATING_ROUND,
            company_turn(*turn),
            TRAIN_OFFER,
            TOO_MANY_TRAINS,
            forced_purchase.forced_purchase(
                compat_forced_purchase.FORCED_SALE_COMPAT, compat_bankruptcy.DECLARE_COMPAT, rule="RHL-FOR-01"
            ),
        ),
        reactions=(
            bankruptcy.DIRECTOR_FOUND,
            *REACTIONS_BEFORE_LIMIT,
            bankruptcy.RECEIVERSHIP_BEGINS,
            WORD_LAPSES,
            *REACTIONS_AFTER,
        ),
        anytime=(OFFER_END, DECLINE_END, *((CLAIM_LINK,) if options.link == "record" else ())),
        invariants=invariants.SHARED,
        policies=(
            RoundsPolicy(rhe_founding.open_round, open_round),
            compat_stock.AUCTION,
            rhe_founding.OpeningPolicy(lays_aside=False, price_paid=True, link_claimed=options.link == "record"),
            stock_round.SharesPolicy(
                stock_round.treasury_once_floated,
                stock_round.one_space,
                compat_stock.priority,
                (stock_round.move_priority, compat_stock.settle_floated, lift_sold_out),
            ),
            compat_stock.DIRECTORS,
            compat_stock.FLOATING,
            TurnPolicy(
                (
                    station_rules.HOME,
                    compat_track.TRACK_COMPAT,
                    station_rules.STATION,
                    RUN,
                    PAY,
                    bankruptcy.DEBT,
                    compat_trains.TRAINS_OF_ALL,
                )
            ),
            laying,
            powers,
            station_rules.STATIONS_R1,
            ROUTES_COMPAT,
            replace(by_routes(ROUTES_COMPAT), could_run=by_routes(DUTY_COMPAT).could_run),
            PAY_1,
            compat_trains.TRAINS_COMPAT,
            compat_forced_purchase.FORCED_COMPAT,
            compat_bankruptcy.BANKRUPTCY_COMPAT,
            compat_bankruptcy.BANK_COMPAT,
        ),
    )


REACTIONS_BEFORE_LIMIT: tuple[Reaction, ...] = (
    phases.PHASE_BEGINS,
    phases.OBSOLETE,
    phases.PRIVATES_CLOSE,
    phases.LIMIT_FALLS,
    DIRECTOR_FOLLOWS,
    FLOATS,
)
REACTIONS_AFTER: tuple[Reaction, ...] = (LINK_PAYS, BANK_BREAKS)


def listed(*duties: Duty) -> dict[type[Frame], Duty]:
    """Duties by their frame."""
    return {duty.frame: duty for duty in duties}
