"""The link from Cologne through Düren to Aachen, which pays the RhE the money that waits beside Aachen (RHL-FLT-07)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.actions import Action
from trajekt.engine.board import reachability
from trajekt.engine.board.board import Board
from trajekt.engine.events import FlagSet, TileLaid
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, Frame, Seat, State, set_aside_account
from trajekt.games.rhl.rhe_founding import RHE, OpeningPolicy
from trajekt.rules.floating import shares
from trajekt.rules.referee import Referee
from trajekt.rules.referee_declarations import Fact
from trajekt.rules.tile_laying import stations_aside

LINKED = "linked"
"""The mark of the position that the money was paid."""


def linked(board: Board) -> bool:
    """Tell whether a path links the two ends through the middle; stations and blocked cities play no part (RHL-FLT-07)."""
    network = board.network
    places = [[stop.node for stop in network.stops_in_hex.get(at, ())] for at in board.sheet.companies[RHE].waits_for]
    if any(not any(network.away[node] for node in nodes) for nodes in places):
        return False  # one of them has no track yet
    return reachability.linked(reachability.TrackWalks(network, stations_aside(board, RHE)), *places)


def unpaid(state: State) -> bool:
    """Tell whether the RhE still waits for the money of its link."""
    return state.companies[RHE].founded and LINKED not in state.marks


def pay(draft: Draft) -> None:
    """Pay the value of the pool shares at par into RhE's treasury, once (RHL-FLT-07)."""
    amount = shares(draft.sheet.companies[RHE].pool_percent) * draft.state.companies[RHE].par
    source = set_aside_account(RHE) if draft.ruleset.policy(OpeningPolicy).lays_aside else BANK
    draft.emit(FlagSet(LINKED, RHE))
    draft.pay(source, RHE, amount, "link")


def pay_link(draft: Draft, _event: TileLaid) -> None:
    """Pay at the moment when the link exists (RHL-FLT-07), unless the director claims it as the record has it (CMP-03)."""
    claimed = draft.ruleset.policy(OpeningPolicy).link_claimed
    if not claimed and unpaid(draft.state) and linked(draft.state.board):
        pay(draft)


LINK_PAYS = Reaction(TileLaid, ("RHL-FLT-07",), pay_link)


class ClaimLink(Action, frozen=True, tag="claim_link"):
    """Claim the money for the link of the RhE: in a game whose record pays it at another time than the rules (CMP-03)."""


@check("CMP-03")
def link_unpaid(view: View, _action: ClaimLink) -> Refusal | None:
    """Refuse to be paid a second time."""
    return None if unpaid(view.state) else refuse(Code.PAID_ALREADY, company=RHE)


def director_of_rhe(state: State, _frame: Frame) -> Sequence[Seat]:
    """Return who claims: the director of the RhE, anybody while nobody directs it."""
    director = state.companies[RHE].director
    return (-1,) if director is None else (director,)


def claim_options(view: View) -> Iterable[ClaimLink]:
    """List the claim."""
    yield ClaimLink()


def claim_link(draft: Draft, _action: ClaimLink) -> None:
    """Pay what is claimed."""
    pay(draft)


CLAIM_LINK = Rule(ClaimLink, claim_options, claim_link, checks=(link_unpaid,), actors=director_of_rhe)


# The referee of a real table --------------------------------------------------------------------------------------------


def told_of(view: View) -> Iterable[str]:
    """The RhE, while it waits for the money of its link."""
    return (RHE,) if unpaid(view.state) else ()


REFEREE = Referee((Fact("link", ("RHL-FLT-07",), told_of, lambda draft, _target, _income: pay(draft)),))
"""The link on the real map, of which the table tells while only the books are kept."""
