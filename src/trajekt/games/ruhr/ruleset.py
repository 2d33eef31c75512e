"""The ruleset of 18Ruhr, listed in full: rules 2.1 of 2014, with the rulings that a table has chosen."""

from __future__ import annotations

from typing import Any

import msgspec

from trajekt.engine.agenda import Draft
from trajekt.engine.model import Frame
from trajekt.engine.rule import Draw, Duty, Rule, Ruleset
from trajekt.engine.sheet import Sheet
from trajekt.games.ruhr import (
    activities,
    directors,
    ending,
    engines,
    forced,
    invariants,
    links,
    montan_round,
    montan_turn,
    package,
    phases,
    railway,
    rounds,
    stock,
)
from trajekt.games.ruhr.bankruptcy import BANKRUPTCY
from trajekt.games.ruhr.cites import cited
from trajekt.games.ruhr.deals import SHARE_DEAL
from trajekt.games.ruhr.options import Options
from trajekt.games.ruhr.record import OWN
from trajekt.games.ruhr.route_rules import route_rules
from trajekt.rules.closing import RECEIVERSHIP_ENDS
from trajekt.rules.directors import DirectorsPolicy, fewest_first
from trajekt.rules.operating import PASS_STEP, company_turn
from trajekt.rules.phases import LIMIT_FALLS, OBSOLETE, PHASE_BEGINS
from trajekt.rules.running import by_routes
from trajekt.rules.stations import StationPolicy
from trajekt.rules.trains import BUY_TRAIN, TOO_MANY_TRAINS, TRAIN_OFFER, TrainPolicy

VERSION = 1

IN_TURN: tuple[Rule[Any], ...] = (
    railway.LAY_TILE,
    railway.PLACE_STATION,
    links.LINK_BY_RAILWAY,
    railway.RUN_TRAINS,
    railway.PAY_OUT,
    railway.WITHHOLD,
    BUY_TRAIN,
    forced.FORCE_TRAIN,
    SHARE_DEAL,
    links.USE_PFERDEBAHN,
    PASS_STEP,
)
RAILWAY_TURN = company_turn(*IN_TURN)

DUTIES = (
    rounds.ROUNDS,
    package.PACKAGE,
    stock.STOCK_ROUND,
    rounds.OPERATING_ROUND,
    activities.MONTAN_TURN,
    engines.ENGINE_OFFER,
    RAILWAY_TURN,
    TRAIN_OFFER,
    forced.TRAIN_ASK,
    TOO_MANY_TRAINS,
    forced.SHORTAGE,
    montan_round.FOUNDATION,
    montan_round.MERGING,
    montan_round.TOO_MANY_ENGINES,
)

REACTIONS = (
    PHASE_BEGINS,
    OBSOLETE,
    engines.ENGINES_SCRAPPED,
    phases.PRIVATES_CLOSE,
    phases.END_ANNOUNCED,
    LIMIT_FALLS,
    directors.PRIVATE_ENDS,
    directors.DIRECTOR_FOLLOWS,
    directors.DIRECTOR_AFTER_PRIVATE,
    RECEIVERSHIP_ENDS,
    links.LINK_BY_TILE,
    railway.MONEY_BY_TILE,
    railway.MONEY_BY_FLOAT,
    ending.BANK_WATCHED,
)


def build(sheet: Sheet, options: Options) -> Ruleset:
    """The ruleset that a table has chosen. Raises ValueError where an option has no such value."""
    faults = options.faults()
    if faults:
        raise ValueError("; ".join(faults))
    routes = route_rules(on_716=options.tile_716_marker == "in_circle")

    def set_up(draft: Draft, draw: Draw) -> None:
        package.set_up(draft, draw, options)

    return Ruleset(
        name="18ruhr/2",
        version=VERSION,
        sheet=sheet,
        options=msgspec.to_builtins(options),
        set_up=set_up,
        duties=listed(*DUTIES),
        reactions=REACTIONS,
        policies=(
            options,
            stock.SHARES,
            DirectorsPolicy(fewest_first),
            railway.TURN,
            railway.LAYING,
            StationPolicy(kept="COMMON-TOK-05"),
            routes,
            by_routes(routes),
            railway.PAY,
            TrainPolicy(),
            BANKRUPTCY,
            montan_turn.MONTAN_TURNS,
        ),
        own=OWN,
        invariants=invariants.ALL,
    )


def listed(*duties: Duty) -> dict[type[Frame], Duty]:
    """The duties by their frame, citing the rule sheet of this game."""
    return {duty.frame: cited(duty) for duty in duties}
