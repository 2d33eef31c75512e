"""The track network: the pieces of track that lie on the map, where they end, and which may follow one another.

A network is built from the face in force on each hex and from nothing else; stations, companies and rules of passage are
no part of it. It never changes: a new tile makes a new network (some tenths of a millisecond), a new station none.

Words: a *node* is a stop or a side between two hexes. A *piece* runs between two nodes. Nodes and pieces are numbered
densely from 0 (stops before sides), so that sets of them can be bit masks; the numbers hold for one network only. What
leaves the engine are *references*: `"K6:a"` for a stop, `"K6:4a"` for a piece: hex, colon, its ends in order, edges 0
to 5 and stops a, b, c ... (`"G8:13"`, a ferry `"F9:ab"`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TypeAlias

import msgspec

from trajekt.engine.hexes import beyond, opposite
from trajekt.engine.sheet import FIRST_STOP, Face, HexId, Piece, Stop

StopRef: TypeAlias = str
PieceRef: TypeAlias = str
NodeId: TypeAlias = int
PieceId: TypeAlias = int
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


class StopAt(msgspec.Struct, frozen=True):
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
    """All track on the map. `tracks`, `stops` and `at` are indexed by piece and node number.

    `at[node]` lists the pieces that end in a node. `sides` names the nodes from `len(stops)` up.
    """

    stops: tuple[StopAt, ...]
    sides: tuple[Side, ...]
    tracks: tuple[Track, ...]
    at: tuple[tuple[PieceId, ...], ...]

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
    def joins(self) -> tuple[tuple[tuple[PieceId, ...], tuple[PieceId, ...]], ...]:
        """For each piece the pieces that may follow at either end (COMMON-RTE-02).

        At a side: those of the other hex, so that nothing reverses at a junction. At a stop: all others of the stop.
        """
        return tuple(
            (self._following(track, track.ends[0]), self._following(track, track.ends[1])) for track in self.tracks
        )

    def _following(self, track: Track, node: NodeId) -> tuple[PieceId, ...]:
        here = self.at[node]
        if len(here) == 1:
            return ()  # a loose end
        if node < len(self.stops):
            return tuple([other for other in here if other != track.id])
        tracks, at = self.tracks, track.hex
        return tuple([other for other in here if tracks[other].hex != at])

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


def build(faces: Mapping[HexId, Face] | Iterable[tuple[HexId, Face]], layout: str) -> Network:
    """The network of these faces. Numbers follow the order of the hexes given, then the order on the faces."""
    listed = list(faces.items() if isinstance(faces, Mapping) else faces)
    stops: list[StopAt] = []
    first_stop: dict[HexId, NodeId] = {}
    for at, face in listed:
        first_stop[at] = len(stops)
        for index, stop in enumerate(face.stops):
            stops.append(StopAt(len(stops), stop_ref(at, index), at, index, stop))
    sides: dict[Side, NodeId] = {}
    tracks: list[Track] = []
    at_node: list[list[PieceId]] = [[] for _ in stops]
    for at, face in listed:
        for piece in face.track:
            ends = []
            for end in (piece.a, piece.b):
                if end >= FIRST_STOP:
                    node = first_stop[at] + end - FIRST_STOP
                else:
                    side = side_of(at, end, layout)
                    node = sides.setdefault(side, len(at_node))
                    if node == len(at_node):
                        at_node.append([])
                at_node[node].append(len(tracks))
                ends.append(node)
            tracks.append(Track(len(tracks), piece_ref(at, piece), at, piece.kind, (ends[0], ends[1])))
    return Network(tuple(stops), tuple(sides), tuple(tracks), tuple(map(tuple, at_node)))
