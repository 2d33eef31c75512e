"""The link from Barmen to Hagen, which pays the BME the money that its investors set aside (RUHR-REV-07)."""

from __future__ import annotations

from trajekt.engine.board.reachability import reach
from trajekt.engine.events import Paid, StatusSet, TileLaid
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.ruleset import Draft, Reaction
from trajekt.engine.state import set_aside_account
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.rules.tile_laying import stations_aside


def free_investors_money(draft: Draft, event: TileLaid | StatusSet) -> None:
    """Barmen and Hagen are joined by track: the money set aside is the BME's, once it floats (RUHR-REV-07, Q35, Q36)."""
    if isinstance(event, StatusSet) and event.status != "floated":
        return
    state = draft.state
    for company in state.sheet.companies.values():
        name = str(company.own.get("aside", ""))
        amount = state.aside.get(name, 0) if name else 0
        if amount and state.companies[company.id].floated and ends_joined(draft, company.id):
            draft.emit(Paid(set_aside_account(name), company.id, amount, "link"))


def ends_joined(draft: Draft, company: str) -> bool:
    """Tell whether track runs from the first place of `waits_for` to the last, blocked cities or not (Q35)."""
    board, ends = draft.state.board, draft.sheet.companies[company].waits_for
    blocked = draft.ruleset.policy(RuhrOptions).bme_link_blocked
    passing = draft.ruleset.policy(RouteRules).passage if blocked else stations_aside
    own = [stop.node for stop in board.network.stops_in_hex.get(ends[0], ())]
    return reach(board.network, own, passing(board, company)).hex(ends[-1])


MONEY_BY_TILE = Reaction(TileLaid, ("RUHR-REV-07",), free_investors_money)
MONEY_BY_FLOAT = Reaction(StatusSet, ("RUHR-REV-07",), free_investors_money)
