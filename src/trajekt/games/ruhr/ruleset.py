"""The ruleset of 18Ruhr, listed in full: rules 2.1 of 2014, with the rulings that a table has chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from trajekt.engine.components.schema import Sheet
from trajekt.engine.ruleset import Draft, DrawNumber, Duty, Rule, Ruleset
from trajekt.engine.state import Frame
from trajekt.games.ruhr import (
    bme_link,
    directorship,
    forced_purchase,
    game_end,
    invariants,
    loans,
    montan_round,
    montan_turn,
    montan_turn_steps,
    operating_turn,
    phases,
    railway_links,
    round_sequence,
    running_and_dividends,
    starting_package,
    station_rules,
    stock_round,
    switch_engines,
    track_rules,
)
from trajekt.games.ruhr.bankruptcy import BANKRUPTCY
from trajekt.games.ruhr.events import OWN
from trajekt.games.ruhr.hand_position import OWN_POSITION
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.referee import REFEREE
from trajekt.games.ruhr.route_rules import route_rules
from trajekt.games.ruhr.rule_citations import cited
from trajekt.games.ruhr.track_rules import NOTES
from trajekt.games.ruhr.treasury_shares import SHARE_DEAL
from trajekt.rules.bankruptcy import DIRECTOR_FOUND, RECEIVERSHIP_BEGINS
from trajekt.rules.directorship import DirectorsPolicy, fewest_first
from trajekt.rules.operating_round import PASS_STEP, company_turn
from trajekt.rules.phases import LIMIT_FALLS, OBSOLETE, PHASE_BEGINS
from trajekt.rules.referee import refereed
from trajekt.rules.running_and_dividends import by_routes
from trajekt.rules.stations import StationPolicy
from trajekt.rules.trains import BUY_TRAIN, TOO_MANY_TRAINS, TRAIN_OFFER, TrainPolicy

VERSION = 4

IN_TURN: tuple[Rule[Any], ...] = (
    track_rules.LAY_TILE,
    station_rules.PLACE_STATION,
    railway_links.LINK_BY_RAILWAY,
    running_and_dividends.RUN_TRAINS,
    running_and_dividends.PAY_OUT,
    running_and_dividends.WITHHOLD,
    BUY_TRAIN,
    forced_purchase.FORCE_TRAIN,
    SHARE_DEAL,
    railway_links.USE_PFERDEBAHN,
    PASS_STEP,
)
RAILWAY_TURN = company_turn(*IN_TURN)

DUTIES = (
    round_sequence.ROUNDS,
    starting_package.PACKAGE,
    stock_round.STOCK_ROUND,
    round_sequence.OPERATING_ROUND,
    montan_turn_steps.MONTAN_TURN,
    switch_engines.ENGINE_OFFER,
    RAILWAY_TURN,
    TRAIN_OFFER,
    forced_purchase.TRAIN_ASK,
    TOO_MANY_TRAINS,
    forced_purchase.SHORTAGE,
    montan_round.FOUNDATION,
    montan_round.MERGING,
    montan_round.TOO_MANY_ENGINES,
    montan_round.MERGED_CERTIFICATE,
)

REACTIONS = (
    PHASE_BEGINS,
    OBSOLETE,
    switch_engines.ENGINES_SCRAPPED,
    phases.PRIVATES_CLOSE,
    phases.END_ANNOUNCED,
    LIMIT_FALLS,
    directorship.PRIVATE_ENDS,
    directorship.DIRECTOR_FOLLOWS,
    directorship.DIRECTOR_AFTER_PRIVATE,
    DIRECTOR_FOUND,
    RECEIVERSHIP_BEGINS,
    railway_links.LINK_BY_TILE,
    bme_link.MONEY_BY_TILE,
    bme_link.MONEY_BY_FLOAT,
    loans.LOANS_REPAID,
    game_end.BANK_WATCHED,
)


def build(sheet: Sheet, options: RuhrOptions) -> Ruleset:
    """The ruleset that a table has chosen. Raises ValueError where an option has no such value."""
    faults = options.faults()
    if faults:
        raise ValueError("; ".join(faults))
    routes = route_rules(on_716=options.tile_716_marker == "in_circle")

    def set_up(draft: Draft, draw: DrawNumber) -> None:
        starting_package.set_up(draft, draw, options)

    found = Ruleset(
        name="18ruhr/2",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        notes=NOTES,
        set_up=set_up,
        duties=listed(*DUTIES),
        reactions=REACTIONS,
        policies=(
            OWN_POSITION,
            options,
            stock_round.SHARES,
            DirectorsPolicy(fewest_first),
            operating_turn.TURN,
            track_rules.LAYING,
            StationPolicy(reservation_rule="COMMON-TOK-05"),
            routes,
            by_routes(routes),
            running_and_dividends.PAY,
            TrainPolicy(),
            BANKRUPTCY,
            montan_turn.MONTAN_TURNS,
        ),
        own=OWN,
        invariants=invariants.ALL,
    )
    mirror = refereed(found, REFEREE, options.referee)
    return found if mirror is found else replace(mirror, duties=listed(*mirror.duties.values()))


def listed(*duties: Duty) -> dict[type[Frame], Duty]:
    """The duties by their frame, citing the rule sheet of this game."""
    return {duty.frame: cited(duty) for duty in duties}
