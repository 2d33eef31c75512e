"""Routes drawn by hand: a train and the stops tapped in order become track, which the rules then judge.

This finds the shortest free track from stop to stop and knows nothing of what is legal: the judge says that, with its rule.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import msgspec

from trajekt.engine.model import State
from trajekt.engine.network import Network, NodeId, PieceId, PieceRef, StopRef
from trajekt.engine.runs import Run
from trajekt.engine.sheet import TrainKind

DETOUR = 6  # pieces of track that a way round a city is worth: people tap the cities they want


class Sketch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A route as drawn: the stops in the order tapped, or the track itself where it came from the offer."""

    train: TrainKind
    stops: tuple[StopRef, ...] = ()
    track: tuple[PieceRef, ...] = ()
    pays: tuple[StopRef, ...] = ()


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The routes of a turn as drawn for position `number`; `active` is the one under the hand."""

    number: int
    runs: tuple[Sketch, ...]
    active: int = 0


class NoTrackError(Exception):
    """No free track leads from one stop to the next."""

    def __init__(self, start: StopRef, end: StopRef) -> None:
        super().__init__(f"{start} {end}")
        self.start = start
        self.end = end


class Drawn(msgspec.Struct, frozen=True):
    """A sketch with its track: `stops` as they were joined, `track` empty where there is none yet."""

    sketch: Sketch
    stops: tuple[StopRef, ...]
    track: tuple[PieceRef, ...]
    missing: tuple[StopRef, StopRef] | None = None

    @property
    def run(self) -> Run:
        return Run(self.sketch.train, self.track, self.sketch.pays)


def joined(state: State, sketches: Sequence[Sketch]) -> list[Drawn]:
    """Each sketch with the track through its stops; `missing` are two stops that no free track joins."""
    network = state.board.network
    used: set[PieceId] = {network.piece[ref] for sketch in sketches for ref in sketch.track if ref in network.piece}
    out = []
    for sketch in sketches:
        if sketch.track or len(sketch.stops) < 2:
            out.append(Drawn(sketch, sketch.stops, sketch.track))
            continue
        try:
            stops, track = track_through(network, sketch.stops, used)
        except NoTrackError as fault:
            out.append(Drawn(sketch, sketch.stops, (), (fault.start, fault.end)))
        else:
            out.append(Drawn(sketch, stops, track))
    return out


def runs_of(drawn: Sequence[Drawn]) -> list[Run]:
    """The runs that have track, in the order in which an action carries them."""
    return sorted((each.run for each in drawn if each.track), key=lambda run: (run.train, run.track))


def track_through(
    network: Network, stops: Sequence[StopRef], used: set[PieceId]
) -> tuple[tuple[StopRef, ...], tuple[PieceRef, ...]]:
    """Stops and track through them in order; what it uses is added to `used`. `NoTrackError` where two are not joined.

    Where a tapped stop cannot be joined and another on its hex can, that one is taken.
    """
    path: list[PieceId] = []
    chosen = [stops[0]]
    for number, end in enumerate(stops[1:], 1):
        starts = on_hex(network, chosen[0]) if number == 1 else [chosen[-1]]
        part = None
        for start, goal in ((a, b) for b in on_hex(network, end) for a in starts):
            avoid = {network.stop[ref] for ref in (*chosen[:-1], *stops[number + 1 :]) if ref in network.stop}
            ends = (network.stop[start], network.stop[goal])
            part = shortest(network, ends, path[-1] if path else None, (used, avoid - set(ends)))
            if part is not None:
                chosen = [*chosen[:-1], start, goal]
                break
        if part is None:
            raise NoTrackError(chosen[-1], end)
        path += part
        used.update(part)
    return tuple(chosen), tuple(network.tracks[piece].ref for piece in path)


def on_hex(network: Network, ref: StopRef) -> list[StopRef]:
    """A stop, then the others of its hex; nothing where there is no such stop."""
    if ref not in network.stop:
        return []
    at = network.stops[network.stop[ref]].hex
    return [ref, *(stop.ref for stop in network.stops_in_hex[at] if stop.ref != ref)]


def shortest(
    network: Network, ends: tuple[NodeId, NodeId], before: PieceId | None, barred: tuple[set[PieceId], set[NodeId]]
) -> list[PieceId] | None:
    """The cheapest pieces between two stops; passing another stop costs a detour, the stops drawn are not passed twice."""
    start, end = ends
    used, avoid = barred
    first = network.at[start] if before is None else _after(network, before, start)
    queue: list[tuple[int, PieceId, NodeId, tuple[PieceId, ...]]] = [
        (1, piece, network.other_end(piece, start), (piece,)) for piece in first if piece not in used
    ]
    heapq.heapify(queue)
    seen: set[tuple[PieceId, NodeId]] = set()
    while queue:
        cost, piece, node, path = heapq.heappop(queue)
        if node == end:
            return list(path)
        if (piece, node) in seen or node in avoid:
            continue
        seen.add((piece, node))
        price = 1 + (DETOUR if network.is_stop(node) and network.stops[node].stop.slots else 0)
        for onward in _after(network, piece, node):
            if onward not in used and onward not in path:
                heapq.heappush(queue, (cost + price, onward, network.other_end(onward, node), (*path, onward)))
    return None


def _after(network: Network, piece: PieceId, node: NodeId) -> tuple[PieceId, ...]:
    """The pieces that may follow a piece at one of its ends."""
    move = 2 * piece + (network.tracks[piece].ends[0] == node)
    return tuple(onward >> 1 for onward in network.onward[move])
