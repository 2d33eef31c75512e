"""Links: whether track alone joins two places. Stations, blocked cities and trains play no part; off-board areas end a link."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.reachability import TrackWalks, flood, search, shortest
from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.components.schema import HexId


def linked(board: Board, first: Iterable[HexId], last: Iterable[HexId]) -> bool:
    """Tell whether a path without repetition joins a stop of one of the first hexes with a stop of one of the last."""
    network = board.network
    walks = TrackWalks(network, Passage(terminal=network.offboards))
    goals = _nodes(board, last)
    starts = [move for node in sorted(_nodes(board, first)) for move in walks.away(node)]
    reached = {move for move in flood(walks, starts) if walks.goal(move) in goals}
    if not reached:
        return False
    sure = shortest(walks, starts)
    return any(move in sure for move in reached) or any(search(walks, starts, move) for move in sorted(reached))


def _nodes(board: Board, hexes: Iterable[HexId]) -> set[NodeId]:
    return {stop.node for at in hexes for stop in board.network.stops_in_hex.get(at, ())}
