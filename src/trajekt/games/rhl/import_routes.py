"""Routes of 18xx.games as track: the site records chains of hexes from stop to stop, the rules here judge pieces of track."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond
from trajekt.engine.board.track_graph import Network, Track, ends_of, hex_of
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.import_protocol import Untranslatable
from trajekt.engine.routing.runs import Run, Walk
from trajekt.rules.route_validation import walk


def edge_to(board: Board, at: str, other: str) -> int:
    """The edge of a hex towards its neighbour."""
    for edge in range(6):
        if beyond(at, edge, board.sheet.layout) == other:
            return edge
    raise Untranslatable("not_neighbours", at=at, other=other)


def pieces_of(board: Board, chain: Sequence[str]) -> list[Track]:
    """The pieces of track along a chain of hexes from one stop to the next; a chain of one hex is the ferry in it."""
    network = board.network
    if len(chain) == 1:
        inner = [
            network.tracks[n]
            for n in network.in_hex.get(chain[0], ())
            if all(map(network.is_stop, network.tracks[n].ends))
        ]
        return one(inner, chain)
    out = []
    for n, at in enumerate(chain):
        sides = {edge_to(board, at, chain[n + k]) for k in (-1, 1) if 0 <= n + k < len(chain)}
        found = [t for t in (network.tracks[p] for p in network.in_hex.get(at, ())) if _joins(t, sides)]
        out += one(found, chain)
    return out


def _joins(track: Track, sides: set[int]) -> bool:
    """Tell whether a piece leads to exactly these sides of its hex."""
    return {end for end in ends_of(track.ref) if end < FIRST_STOP} == sides


def one(found: Sequence[Track], chain: Sequence[str]) -> list[Track]:
    """The only piece that leads along a chain."""
    if len(found) != 1:
        raise Untranslatable("track_unclear" if found else "no_track", chain="-".join(chain))
    return list(found)


def path(board: Board, chains: Sequence[Sequence[str]], *, town_ends: bool = True) -> tuple[str, ...]:
    """The track along chains that join at stops, in the order of the route; without `town_ends` no further than its cities."""
    network = board.network
    legs = [pieces_of(board, chain) for chain in chains]
    ends = [_stops(network, leg) for leg in legs]
    out: list[list[str]] = []
    at = _start(ends)
    nodes = [at]
    for leg, (first, last) in zip(legs, ends, strict=True):
        if at not in (first, last):
            raise Untranslatable("legs_apart")
        refs = [track.ref for track in leg]
        out.append(refs if at == first else refs[::-1])
        at = last if at == first else first
        nodes.append(at)
    towns = [not town_ends and network.stop_at[node].stop.kind == "town" for node in nodes]
    begin = next((n for n, town in enumerate(towns) if not town), 0)
    end = len(out) - next((n for n, town in enumerate(reversed(towns)) if not town), 0)
    return tuple(ref for refs in out[begin:end] for ref in refs)


def _stops(network: Network, leg: Sequence[Track]) -> tuple[int, int]:
    """The stops at which the first and the last piece of a leg end."""
    if len(leg) == 1:
        return leg[0].ends
    first = next(node for node in leg[0].ends if network.is_stop(node))
    last = next(node for node in leg[-1].ends if network.is_stop(node))
    return first, last


def _start(ends: Sequence[tuple[int, int]]) -> int:
    """The end of the first leg at which the route begins."""
    first, last = ends[0]
    return last if len(ends) > 1 and first in ends[1] and last not in ends[1] else first


NAMED = re.compile(r"[A-Z]\d+")


def paying(board: Board, run: Run, reach: int, text: str) -> tuple[str, ...]:
    """Return the stops that pay, where a train passes more cities than it counts (CMP-30): those that `text` names."""
    network = board.network
    read = walk(network, run)
    if not isinstance(read, Walk):
        return ()
    towns = {stop.ref for stop in network.stops if stop.stop.kind == "town"}
    cities = [step.stops[0] for step in read.steps if step.stops[0] not in towns]
    if len(cities) <= reach:
        return ()
    named = NAMED.findall(text)
    return tuple(sorted(stop for stop in cities if hex_of(stop) in named))
