"""The link from Cologne through Düren to Aachen, which pays the RhE the money that waits beside Aachen (RHL-FLT-07)."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.agenda import Draft
from trajekt.engine.board import Board
from trajekt.engine.events import Marked, TileLaid
from trajekt.engine.model import BANK, aside
from trajekt.engine.network import Network, NodeId, PieceId
from trajekt.engine.rule import Reaction
from trajekt.engine.sheet import HexId
from trajekt.games.rhl.opening import RHE, OpeningPolicy
from trajekt.rules.companies import shares

LINKED = "linked"
"""The mark of the position that the money was paid."""

STEPS = 50_000
"""So many tracks are tried before a link counts as missing; equal on all machines."""

Path = frozenset[PieceId]


def paths(network: Network, start: NodeId, target: HexId, used: Path, budget: list[int]) -> Iterator[Path]:
    """The pieces of each path from a stop to any stop of a hex, none of them used already, shortest first."""
    front: list[tuple[PieceId, NodeId, Path]] = [
        (piece, network.other_end(piece, start), frozenset((piece,))) for piece in network.at[start] if piece not in used
    ]
    while front:
        following: list[tuple[PieceId, NodeId, Path]] = []
        for piece, node, taken in front:
            if network.is_stop(node) and network.stops[node].hex == target:
                yield taken
                continue
            end = network.tracks[piece].ends.index(node)
            for other in network.joins[piece][end]:
                budget[0] -= 1
                if budget[0] < 0:
                    return
                if other not in taken and other not in used:
                    following.append((other, network.other_end(other, node), taken | {other}))
        front = following


def linked(board: Board) -> bool:
    """Whether a path links the two ends through the middle; stations and blocked cities play no part (RHL-FLT-07)."""
    begin, middle, end = board.sheet.companies[RHE].waits_for
    network = board.network
    budget = [STEPS]
    for stop in network.stops_in_hex.get(middle, ()):
        for taken in paths(network, stop.node, end, frozenset(), budget):
            if next(paths(network, stop.node, begin, taken, budget), None) is not None:
                return True
    return False


def pay_link(draft: Draft, _event: TileLaid) -> None:
    """Once, at the moment when the link exists, the money goes into RhE's treasury (RHL-FLT-07)."""
    state = draft.state
    company = state.companies[RHE]
    if not company.founded or LINKED in state.marks or not linked(state.board):
        return
    amount = shares(draft.sheet.companies[RHE].pool_percent) * company.par
    source = aside(RHE) if draft.ruleset.policy(OpeningPolicy).lays_aside else BANK
    draft.emit(Marked(LINKED, RHE))
    draft.pay(source, RHE, amount, "link")


LINK_PAYS = Reaction(TileLaid, ("RHL-FLT-07",), pay_link)
