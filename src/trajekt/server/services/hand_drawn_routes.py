"""Routes drawn by hand: a train and the stops tapped in order become track, which the rules then judge.

This finds the shortest free track from stop to stop and knows nothing of what is legal: the judge says that, with its rule.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import msgspec

from trajekt.engine.board.track_graph import Network, NodeId, PieceId, PieceRef, StopRef
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.runs import Run, Walk
from trajekt.engine.state import State
from trajekt.rules.route_validation import walk

DETOUR = 6  # pieces of track that a way round a city is worth: people tap the cities they want


class Sketch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A route as drawn: the stops in the order tapped, or the track itself where it result from the offer.

    `added` is a stop that was tapped last and comes to the end that it is nearer to. `pays` names the stops that pay where
    some are left out.
    """

    train: TrainKind
    stops: tuple[StopRef, ...] = ()
    track: tuple[PieceRef, ...] = ()
    pays: tuple[StopRef, ...] = ()
    added: StopRef = ""


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The routes of a turn as drawn for position `number`; `active` is the one under the hand, `best` what the offer earns.

    With `rest` the trains without a route take the best that the others leave them.
    """

    number: int
    runs: tuple[Sketch, ...]
    active: int = 0
    best: int = 0
    rest: bool = False


class Looked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position that somebody looks at."""

    number: int


class NoTrackError(Exception):
    """A gap in a route: from one stop no free track leads to the next."""

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
        try:
            stops, track = _through(network, sketch, used)
        except NoTrackError as fault:
            out.append(Drawn(sketch, sketch.stops, sketch.track if sketch.added else (), (fault.start, fault.end)))
        else:
            out.append(Drawn(sketch, stops, track))
    return out


def _through(network: Network, sketch: Sketch, used: set[PieceId]) -> tuple[tuple[StopRef, ...], tuple[PieceRef, ...]]:
    stops, track = sketch.stops, sketch.track
    if not track and len(stops) > 1:
        stops, track = track_through(network, stops, used)
    if not sketch.added:
        return stops, track
    if len(stops) + 1 < 3 and not track:
        stops = (*stops, sketch.added)
        return track_through(network, stops, used) if len(stops) > 1 else (stops, ())
    return grown(network, stops, track, sketch.added, used)


def grown(
    network: Network, stops: Sequence[StopRef], track: Sequence[PieceRef], added: StopRef, used: set[PieceId]
) -> tuple[tuple[StopRef, ...], tuple[PieceRef, ...]]:
    """A route longer by a stop, at the end with less track to it; the rest stays. `NoTrackError` where neither has any."""
    ways: list[tuple[int, int, StopRef, list[PieceId]]] = []
    for place, (end, piece) in enumerate(((stops[-1], track[-1]), (stops[0], track[0]))):
        for goal in on_hex(network, added):
            ends = (network.stop[end], network.stop[goal])
            avoid = {network.stop[ref] for ref in stops if ref in network.stop} - set(ends)
            part = shortest(network, ends, network.piece[piece], (used, avoid))
            if part is not None:
                ways.append((len(part), place, goal, part))
                break
    if not ways:
        raise NoTrackError(stops[-1], added)
    _, place, goal, part = min(ways)
    used.update(part)
    more = [network.tracks[piece].ref for piece in part]
    if place == 0:
        return (*stops, goal), (*track, *more)
    return (goal, *stops), (*reversed(more), *track)


def filled(drawn: Sequence[Drawn], runs: Sequence[Run], network: Network) -> list[Drawn]:
    """The sketches, those without track with one of these runs by a train of their kind."""
    left, out = list(runs), []
    for each in drawn:
        run = None if each.track else next((run for run in left if run.train == each.sketch.train), None)
        if run is not None:
            left.remove(run)
            read = walk(network, run)
            assert isinstance(read, Walk), read
            out.append(Drawn(Sketch(run.train, read.stops, run.track, run.pays), read.stops, run.track))
        else:
            out.append(each)
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
    at = network.stop_at[network.stop[ref]].hex
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
        price = 1 + (DETOUR if network.is_stop(node) and network.stop_at[node].stop.slots else 0)
        for onward in _after(network, piece, node):
            if onward not in used and onward not in path:
                heapq.heappush(queue, (cost + price, onward, network.other_end(onward, node), (*path, onward)))
    return None


def _after(network: Network, piece: PieceId, node: NodeId) -> tuple[PieceId, ...]:
    """The pieces that may follow a piece at one of its ends."""
    move = 2 * piece + (network.tracks[piece].ends[0] == node)
    return tuple(onward >> 1 for onward in network.onward[move])
