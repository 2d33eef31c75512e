"""The link from Cologne through Düren to Aachen, which pays the RhE the money that waits beside Aachen (RHL-FLT-07)."""

from __future__ import annotations

from trajekt.engine.agenda import Draft
from trajekt.engine.board import reachability
from trajekt.engine.board.board import Board
from trajekt.engine.events import FlagSet, TileLaid
from trajekt.engine.ruleset import Reaction
from trajekt.engine.state import BANK, set_aside_account
from trajekt.games.rhl.rhe_opening import RHE, OpeningPolicy
from trajekt.rules.floating import shares
from trajekt.rules.tile_laying import stations_aside

LINKED = "linked"
"""The mark of the position that the money was paid."""


def linked(board: Board) -> bool:
    """Whether a path links the two ends through the middle; stations and blocked cities play no part (RHL-FLT-07)."""
    network = board.network
    places = ([stop.node for stop in network.stops_in_hex.get(at, ())] for at in board.sheet.companies[RHE].waits_for)
    return reachability.linked(reachability.TrackWalks(network, stations_aside(board, RHE)), *places)


def pay_link(draft: Draft, _event: TileLaid) -> None:
    """Once, at the moment when the link exists, the money goes into RhE's treasury (RHL-FLT-07)."""
    state = draft.state
    company = state.companies[RHE]
    if not company.founded or LINKED in state.marks or not linked(state.board):
        return
    amount = shares(draft.sheet.companies[RHE].pool_percent) * company.par
    source = set_aside_account(RHE) if draft.ruleset.policy(OpeningPolicy).lays_aside else BANK
    draft.emit(FlagSet(LINKED, RHE))
    draft.pay(source, RHE, amount, "link")


LINK_PAYS = Reaction(TileLaid, ("RHL-FLT-07",), pay_link)
