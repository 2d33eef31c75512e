"""The track network: the pieces of track that lie on the map, where they end, and which may follow one another.

A network is built from the face in force on each hex and from nothing else; stations, companies and rules of passage are
no part of it. It never changes: a new tile makes a new network (some tenths of a millisecond), a new station none.

Words: a *node* is a stop or a side between two hexes. A *piece* runs between two nodes. A *move* is a piece run in one
direction: twice the piece's number, plus 1 when it is run from its second end. Nodes and pieces are numbered densely from 0
(stops before sides), so that sets of them can be bit masks; the numbers hold for one network only. What leaves the engine
are *references*: `"K6:a"` for a stop, `"K6:4a"` for a piece: hex, colon, its ends in order, edges 0 to 5 and stops a, b, c
... (`"G8:13"`, a ferry `"F9:ab"`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias

import msgspec

from trajekt.engine.hexes import beyond, opposite
from trajekt.engine.sheet import FIRST_STOP, Face, HexId, Piece, Stop

StopRef: TypeAlias = str
PieceRef: TypeAlias = str
NodeId: TypeAlias = int
PieceId: TypeAlias = int
Move: TypeAlias = int
Point: TypeAlias = tuple[HexId, int]  # a hex and an edge of it, or a hex and -1 less the index of a stop
Side: TypeAlias = tuple[HexId, int]  # a side between two hexes, named from the hex whose name sorts first

ENDS = "012345abcdefghijklmnopqrstuvwxyz"


def stop_ref(at: HexId, index: int) -> StopRef:
    """The reference of the stop with this index (from 0) on a hex."""
    return f"{at}:{ENDS[FIRST_STOP + index]}"


def piece_ref(at: HexId, piece: Piece) -> PieceRef:
    """The reference of a piece of a hex's face."""
    return f"{at}:{ENDS[piece.a]}{ENDS[piece.b]}"


def hex_of(reference: str) -> HexId:
    """The hex of a stop or piece reference; the whole text where it has no colon."""
    return reference.partition(":")[0]


class StopAt(msgspec.Struct, frozen=True, gc=False):
    """A stop where it lies: its node number, reference, hex, index on the face, and what is printed."""

    node: NodeId
    ref: StopRef
    hex: HexId
    index: int
    stop: Stop


class Track(msgspec.Struct, frozen=True, gc=False):
    """A piece of track where it lies. `ends` are its two nodes in the order of its reference; `kind` as on the sheet."""

    id: PieceId
    ref: PieceRef
    hex: HexId
    kind: str
    ends: tuple[NodeId, NodeId]


class Network(msgspec.Struct, frozen=True, dict=True):
    """All track on the map. `tracks`, `stops` and `away` are indexed by piece and node number, `goals` and `points` by move.

    `sides` names the nodes from `len(stops)` up. `away[node]` lists the moves that begin in a node. `goals` are the nodes to
    which moves lead, `points` the same by place: a stop of its hex, or an edge of the hex beyond.
    """

    stops: tuple[StopAt, ...]
    sides: tuple[Side, ...]
    tracks: tuple[Track, ...]
    away: tuple[tuple[Move, ...], ...]
    goals: tuple[NodeId, ...]
    points: tuple[Point, ...]

    @cached_property
    def at(self) -> tuple[tuple[PieceId, ...], ...]:
        """The pieces that end in each node."""
        return tuple([tuple([move >> 1 for move in leaving]) for leaving in self.away])

    @cached_property
    def piece(self) -> Mapping[PieceRef, PieceId]:
        return {track.ref: track.id for track in self.tracks}

    @cached_property
    def stop(self) -> Mapping[StopRef, NodeId]:
        return {stop.ref: stop.node for stop in self.stops}

    @cached_property
    def side(self) -> Mapping[Side, NodeId]:
        """Node numbers of sides; look up with `side_of`."""
        first = len(self.stops)
        return {side: first + number for number, side in enumerate(self.sides)}

    @cached_property
    def in_hex(self) -> Mapping[HexId, tuple[PieceId, ...]]:
        """The pieces of every hex that has track."""
        found: dict[HexId, list[PieceId]] = {}
        for track in self.tracks:
            found.setdefault(track.hex, []).append(track.id)
        return {at: tuple(ids) for at, ids in found.items()}

    @cached_property
    def stops_in_hex(self) -> Mapping[HexId, tuple[StopAt, ...]]:
        found: dict[HexId, list[StopAt]] = {}
        for stop in self.stops:
            found.setdefault(stop.hex, []).append(stop)
        return {at: tuple(here) for at, here in found.items()}

    @cached_property
    def crossings(self) -> frozenset[PieceId]:
        """Ferries between two stops of a hex. A ferry that ends at a side is track like other track, but for its value."""
        return frozenset(t.id for t in self.tracks if t.kind == "ferry" and all(self.is_stop(end) for end in t.ends))

    @cached_property
    def onward(self) -> tuple[tuple[Move, ...], ...]:
        """The moves that may follow each move where nothing is blocked, never back over the same piece (COMMON-RTE-02).

        At a side: those of the other hex, so that nothing reverses at a junction. At a stop: all others of the stop.
        """
        tracks, stops = self.tracks, len(self.stops)
        found: list[tuple[Move, ...]] = [()] * (2 * len(tracks))
        for node, leaving in enumerate(self.away):
            if len(leaving) == 1:
                continue  # a loose end
            if node < stops:
                for move in leaving:
                    found[move ^ 1] = tuple([other for other in leaving if other != move])
                continue
            at = tracks[leaving[0] >> 1].hex
            here = tuple([move for move in leaving if tracks[move >> 1].hex == at])
            there = tuple([move for move in leaving if tracks[move >> 1].hex != at])
            for move in here:
                found[move ^ 1] = there
            for move in there:
                found[move ^ 1] = here
        return tuple(found)

    @cached_property
    def towns(self) -> tuple[bool, ...]:
        """For each stop whether it is a town."""
        return tuple([stop.stop.kind == "town" for stop in self.stops])

    @cached_property
    def uses(self) -> tuple[int, ...]:
        """For each piece between two stops a bit of its own, above those of the nodes; 0 for pieces that meet a side."""
        stops, bit = len(self.stops), len(self.away)
        found = []
        for track in self.tracks:
            alone = track.ends[0] < stops and track.ends[1] < stops
            found.append(1 << bit if alone else 0)
            bit += alone
        return tuple(found)

    @cached_property
    def ferries(self) -> Mapping[NodeId, tuple[tuple[PieceId, NodeId], ...]]:
        """By stop the crossings that begin there, each with the stop beyond."""
        found: dict[NodeId, list[tuple[PieceId, NodeId]]] = {}
        for piece in sorted(self.crossings):
            a, b = self.tracks[piece].ends
            found.setdefault(a, []).append((piece, b))
            found.setdefault(b, []).append((piece, a))
        return {node: tuple(pairs) for node, pairs in found.items()}

    def other_end(self, piece: PieceId, node: NodeId) -> NodeId:
        a, b = self.tracks[piece].ends
        return b if node == a else a

    def is_stop(self, node: NodeId) -> bool:
        return node < len(self.stops)


@cache
def side_of(at: HexId, edge: int, layout: str) -> Side:
    """The one name of a side, whichever of its two hexes it is asked from."""
    other = beyond(at, edge, layout)
    return (at, edge) if at < other else (other, opposite(edge))


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A face where it lies, before anything is numbered.

    Of each stop its reference and what is printed; of each piece reference, kind, ends (a stop by its index, a side by its
    name) and the points to which they lead.
    """

    hex: HexId
    stops: tuple[tuple[StopRef, Stop], ...]
    track: tuple[tuple[PieceRef, str, tuple[int | Side, int | Side], tuple[Point, Point]], ...]


def laid(at: HexId, face: Face, layout: str) -> Laid:
    """A face on a hex."""

    def end(number: int) -> int | Side:
        return number - FIRST_STOP if number >= FIRST_STOP else side_of(at, number, layout)

    def point(number: int) -> Point:
        if number >= FIRST_STOP:
            return at, FIRST_STOP - 1 - number
        return beyond(at, number, layout), opposite(number)

    return Laid(
        at,
        tuple((stop_ref(at, index), stop) for index, stop in enumerate(face.stops)),
        tuple(
            (piece_ref(at, piece), piece.kind, (end(piece.a), end(piece.b)), (point(piece.a), point(piece.b)))
            for piece in face.track
        ),
    )


def build(faces: Mapping[HexId, Face] | Iterable[tuple[HexId, Face]], layout: str) -> Network:
    """The network of these faces. Numbers follow the order of the hexes given, then the order on the faces."""
    listed = faces.items() if isinstance(faces, Mapping) else faces
    return joined([laid(at, face, layout) for at, face in listed])


def joined(parts: Sequence[Laid]) -> Network:
    """The network of faces as they lie."""
    stops: list[StopAt] = []
    firsts: list[NodeId] = []
    for part in parts:
        firsts.append(len(stops))
        for index, (ref, stop) in enumerate(part.stops):
            stops.append(StopAt(len(stops), ref, part.hex, index, stop))
    sides: dict[Side, NodeId] = {}
    tracks: list[Track] = []
    goals: list[NodeId] = []
    points: list[Point] = []
    away: list[list[Move]] = [[] for _ in stops]
    for part, first in zip(parts, firsts, strict=True):
        for ref, kind, ends, leads in part.track:
            piece = len(tracks)
            nodes: list[NodeId] = []
            for end in ends:
                if isinstance(end, int):
                    node = first + end
                else:
                    node = sides.setdefault(end, len(away))
                    if node == len(away):
                        away.append([])
                away[node].append(2 * piece + len(nodes))
                nodes.append(node)
            tracks.append(Track(piece, ref, part.hex, kind, (nodes[0], nodes[1])))
            goals += (nodes[1], nodes[0])
            points += (leads[1], leads[0])
    return Network(tuple(stops), tuple(sides), tuple(tracks), tuple(map(tuple, away)), tuple(goals), tuple(points))
