"""The turn of a railway of 18Ruhr: its steps in order, and what waits for the deal in own certificates (section 5)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from trajekt.engine.decisions import can
from trajekt.engine.ruleset import View
from trajekt.games.ruhr.actions import BuildPmcLink, ShareDeal, UsePferdebahn
from trajekt.games.ruhr.forced_purchase_funds import deal_sizes
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.running_and_dividends import DIVIDEND, RUN, run_attended
from trajekt.games.ruhr.train_rules import TRAINS
from trajekt.rules.operating_round import (
    TurnPolicy,
    TurnStep,
    turn_of,
)
from trajekt.rules.stations import (
    can_place,
    place_homes,
)
from trajekt.rules.stock_round import worth
from trajekt.rules.tile_laying import can_lay
from trajekt.rules.turn_notes import Once


def link_waits(view: View) -> bool:
    """Tell whether a link can be built before running."""
    return Once.LINK not in turn_of(view.state).used and can(
        view.ruleset, view.state, view.seat, (BuildPmcLink, UsePferdebahn)
    )


def or_after_deal(waits: Callable[[View], bool]) -> Callable[[View], bool]:
    """A question that is also answered yes where only the money of the own deal is wanting (RUHR-OR-11).

    The deal may be made at any time of the turn: what it could pay leaves no step out.
    """

    def waiting(view: View) -> bool:
        if waits(view):
            return True
        richer = after_deal(view)
        return richer is not None and waits(richer)

    return waiting


def after_deal(view: View) -> View | None:
    """The moment with the money of the dearest deal in the treasury, None where none can be made."""
    turn = turn_of(view.state)
    sizes = deal_sizes(view.ruleset.policy(RuhrOptions), view.state, turn.company)
    if Once.DEAL in turn.used or not sizes:
        return None
    company = view.company(turn.company)
    richer = replace(company, treasury=company.treasury + worth(view.state, company.id, max(sizes)))
    return replace(view, state=replace(view.state, companies={**view.state.companies, company.id: richer}))


def deal_waits(view: View) -> bool:
    """A marker that will fall for want of trains or routes does not fall before the deal could be made."""
    return not run_attended(view) and can(view.ruleset, view.state, view.seat, (ShareDeal,))


# The home comes to the map first (RUHR-TOK-01); what is bought last runs in the next round (RUHR-ROUTE-10, RUHR-TRAIN-09).
TRACK = TurnStep("track", or_after_deal(can_lay), place_homes, passable=True)
STATION = TurnStep("station", or_after_deal(can_place), passable=True)
LINK = TurnStep("link", or_after_deal(link_waits), passable=True)
DEAL = TurnStep("deal", deal_waits, passable=True)


TURN = TurnPolicy((TRACK, STATION, LINK, DEAL, RUN, DIVIDEND, TRAINS))
