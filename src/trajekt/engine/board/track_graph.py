"""The track network: the pieces of track that lie on the map, where they end, and which may follow one another.

A network is built from the face in force on each hex and from nothing else; stations, companies and rules of passage are
no part of it. It never changes: a new tile makes a new network (some tenths of a millisecond), a new station none.

Words: a *node* is a stop or a side between two hexes. A *piece* runs between two nodes. A *move* is a piece run in one
direction: twice the piece's number, plus 1 when it is run from its second end. Nodes and pieces are numbered densely from 0
(stops before sides), so that sets of them can be bit masks; the numbers hold for one network only. What leaves the engine
are *references*: `"K6:a"` for a stop, `"K6:4"` for a side, `"K6:4a"` for a piece: hex, colon, its ends in order, edges 0 to 5
and stops a, b, c ... (`"G8:13"`, a ferry `"F9:ab"`).

A board is looked at anew after every lay. So what a face says by itself (`PlacedFace`) is made once, a network is those put one
after another with numbers for the names; whatever not everybody asks for is made when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias

import msgspec

from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.components.schema import FIRST_STOP, Face, HexId, Piece, Stop
from trajekt.engine.memo import memo

StopRef: TypeAlias = str
PieceRef: TypeAlias = str
NodeId: TypeAlias = int
PieceId: TypeAlias = int
Move: TypeAlias = int
TrackPoint: TypeAlias = tuple[HexId, int]  # a hex and an edge of it, or a hex and -1 less the index of a stop
Side: TypeAlias = str  # the reference of a side between two hexes, by the hex whose name sorts first

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


def ends_of(reference: str) -> tuple[int, ...]:
    """The ends that a stop or piece reference names: edges 0 to 5, stops from 6; -1 for a letter that is none.

    >>> hex_of("K6:0a"), ends_of("K6:0a"), ends_of("K6:b"), ends_of("K6")
    ('K6', (0, 6), (7,), ())
    """
    return tuple([ENDS.find(end) for end in reference.partition(":")[2]])


class StopAt(msgspec.Struct, frozen=True, gc=False):
    """A stop where it lies: its node number, reference, hex, index on the face, and what is printed."""

    node: NodeId
    ref: StopRef
    hex: HexId
    index: int
    stop: Stop


class PieceAt(msgspec.Struct, frozen=True, gc=False):
    """A piece of track where it lies, before anything is numbered; `kind` as on the sheet."""

    ref: PieceRef
    hex: HexId
    kind: str


class Track(msgspec.Struct, frozen=True, gc=False):
    """A piece of track in a network. `ends` are its two nodes in the order of its reference; `kind` as on the sheet."""

    id: PieceId
    ref: PieceRef
    hex: HexId
    kind: str
    ends: tuple[NodeId, NodeId]


class Network(msgspec.Struct, frozen=True, dict=True):
    """All track on the map. `pieces`, `stops` and `away` are indexed by piece and node number, `goals` and `points` by move.

    `sides` names the nodes from `len(stops)` up. `away[node]` lists the moves that begin in a node. `goals` are the nodes to
    which moves lead, `points` the same by place: a stop of its hex, or an edge of the hex beyond. `inner` are the pieces
    between two stops.
    """

    stops: tuple[StopAt, ...]
    sides: tuple[Side, ...]
    pieces: tuple[PieceAt, ...]
    away: Sequence[Sequence[Move]]
    goals: Sequence[NodeId]
    points: tuple[TrackPoint, ...]
    inner: tuple[PieceId, ...]

    @memo
    def tracks(self) -> tuple[Track, ...]:
        """The pieces with their numbers and ends."""
        goals = self.goals
        return tuple(
            [Track(n, p.ref, p.hex, p.kind, (goals[2 * n + 1], goals[2 * n])) for n, p in enumerate(self.pieces)]
        )

    def track(self, piece: PieceId) -> Track:
        """One of them, for whoever asks for few."""
        found, (b, a) = self.pieces[piece], self.goals[2 * piece : 2 * piece + 2]
        return Track(piece, found.ref, found.hex, found.kind, (a, b))

    @memo
    def at(self) -> tuple[tuple[PieceId, ...], ...]:
        """The pieces that end in each node."""
        return tuple([tuple([move >> 1 for move in leaving]) for leaving in self.away])

    @memo
    def piece(self) -> Mapping[PieceRef, PieceId]:
        return {piece.ref: number for number, piece in enumerate(self.pieces)}

    @memo
    def stop(self) -> Mapping[StopRef, NodeId]:
        return {ref: node for node, ref in enumerate(self.refs)}

    @memo
    def side(self) -> Mapping[Side, NodeId]:
        """Node numbers of sides; their references come from `side_of`."""
        first = len(self.stops)
        return {side: first + number for number, side in enumerate(self.sides)}

    @memo
    def in_hex(self) -> Mapping[HexId, tuple[PieceId, ...]]:
        """The pieces of every hex that has track."""
        found: dict[HexId, list[PieceId]] = {}
        for number, piece in enumerate(self.pieces):
            found.setdefault(piece.hex, []).append(number)
        return {at: tuple(ids) for at, ids in found.items()}

    @memo
    def stops_in_hex(self) -> Mapping[HexId, tuple[StopAt, ...]]:
        found: dict[HexId, list[StopAt]] = {}
        for stop in self.stops:
            found.setdefault(stop.hex, []).append(stop)
        return {at: tuple(here) for at, here in found.items()}

    @memo
    def crossings(self) -> frozenset[PieceId]:
        """Ferries between two stops of a hex. A ferry that ends at a side is track like other track, but for its value."""
        return frozenset([number for number in self.inner if self.pieces[number].kind == "ferry"])

    @memo
    def onward(self) -> tuple[tuple[Move, ...], ...]:
        """The moves that may follow each move where nothing is blocked, never back over the same piece (COMMON-RTE-02).

        At a side: those of the other hex, so that nothing reverses at a junction. At a stop: all others of the stop.
        """
        pieces, stops = self.pieces, len(self.stops)
        found: list[tuple[Move, ...]] = [()] * len(self.goals)
        for node, moves in enumerate(self.away):
            if len(moves) == 1:
                continue  # a loose end
            leaving = tuple(moves)
            if node < stops:
                for place, move in enumerate(leaving):
                    found[move ^ 1] = leaving[:place] + leaving[place + 1 :]
                continue
            # moves come in the order of hexes, so those of the one hex stand before those of the other
            at, count = pieces[leaving[0] >> 1].hex, 1
            while count < len(leaving) and pieces[leaving[count] >> 1].hex == at:
                count += 1
            here, there = leaving[:count], leaving[count:]
            for move in here:
                found[move ^ 1] = there
            for move in there:
                found[move ^ 1] = here
        return tuple(found)

    @memo
    def refs(self) -> tuple[StopRef, ...]:
        """The references of the stops."""
        return tuple([stop.ref for stop in self.stops])

    @memo
    def offboards(self) -> frozenset[StopRef]:
        """The off-board areas: a route ends there."""
        return frozenset([stop.ref for stop in self.stops if stop.stop.kind == "offboard"])

    @memo
    def towns(self) -> tuple[bool, ...]:
        """For each stop whether it is a town."""
        return tuple([stop.stop.kind == "town" for stop in self.stops])

    @memo
    def uses(self) -> tuple[int, ...]:
        """For each piece between two stops a bit of its own, above those of the nodes; 0 for pieces that meet a side."""
        found = [0] * len(self.pieces)
        for bit, piece in enumerate(self.inner, len(self.away)):
            found[piece] = 1 << bit
        return tuple(found)

    @memo
    def spent(self) -> tuple[int, ...]:
        """For each move what it uses up, as a bit: the side to which it leads, or the piece where it runs between two stops.

        Pieces of a hex that meet at a side share its last bit of track, however short (COMMON-RTE-02). A move to a stop
        uses nothing: the side that it came over is used already.
        """
        stops, uses = len(self.stops), self.uses
        return tuple([1 << goal if goal >= stops else uses[move >> 1] for move, goal in enumerate(self.goals)])

    @memo
    def ferries(self) -> Mapping[NodeId, tuple[tuple[PieceId, NodeId], ...]]:
        """By stop the crossings that begin there, each with the stop beyond."""
        found: dict[NodeId, list[tuple[PieceId, NodeId]]] = {}
        for piece in sorted(self.crossings):
            b, a = self.goals[2 * piece : 2 * piece + 2]
            found.setdefault(a, []).append((piece, b))
            found.setdefault(b, []).append((piece, a))
        return {node: tuple(pairs) for node, pairs in found.items()}

    def other_end(self, piece: PieceId, node: NodeId) -> NodeId:
        b, a = self.goals[2 * piece : 2 * piece + 2]
        return b if node == a else a

    def is_stop(self, node: NodeId) -> bool:
        return node < len(self.stops)


def leads_away(network: Network, stops: Iterable[StopRef]) -> bool:
    """Tell whether track leads from one of these stops to a stop other than itself, whoever may pass there."""
    goals, onward, first_side = network.goals, network.onward, len(network.stops)
    for start in [network.stop[ref] for ref in stops if ref in network.stop]:
        todo = list(network.away[start])
        known = set(todo)
        while todo:
            move = todo.pop()
            if goals[move] < first_side:
                if goals[move] != start:
                    return True
                continue
            for following in onward[move]:
                if following not in known:
                    known.add(following)
                    todo.append(following)
    return False


@cache
def side_of(at: HexId, edge: int, layout: str) -> Side:
    """The one reference of a side, whichever of its two hexes it is asked from."""
    other = beyond(at, edge, layout)
    return f"{at}:{edge}" if at < other else f"{other}:{opposite(edge)}"


class PlacedFace(msgspec.Struct, frozen=True, gc=False):
    """A face where it lies, before anything is numbered.

    Of each stop its reference, hex, index and what is printed; the pieces; the references of their ends, two for each
    piece; by move the points to which they lead; and which pieces run between two stops.
    """

    hex: HexId
    stops: tuple[tuple[StopRef, HexId, int, Stop], ...]
    pieces: tuple[PieceAt, ...]
    ends: tuple[StopRef | Side, ...]
    points: tuple[TrackPoint, ...]
    inner: tuple[int, ...]


def placed_face(at: HexId, face: Face, layout: str) -> PlacedFace:
    """A face on a hex."""

    def end(number: int) -> StopRef | Side:
        return stop_ref(at, number - FIRST_STOP) if number >= FIRST_STOP else side_of(at, number, layout)

    def point(number: int) -> TrackPoint:
        if number >= FIRST_STOP:
            return at, FIRST_STOP - 1 - number
        return beyond(at, number, layout), opposite(number)

    return PlacedFace(
        at,
        tuple((stop_ref(at, index), at, index, stop) for index, stop in enumerate(face.stops)),
        tuple(PieceAt(piece_ref(at, piece), at, piece.kind) for piece in face.track),
        tuple(end(number) for piece in face.track for number in (piece.a, piece.b)),
        tuple(point(number) for piece in face.track for number in (piece.b, piece.a)),
        tuple(n for n, piece in enumerate(face.track) if piece.a >= FIRST_STOP and piece.b >= FIRST_STOP),
    )


def build(faces: Mapping[HexId, Face] | Iterable[tuple[HexId, Face]], layout: str) -> Network:
    """The network of these faces. Numbers follow the order of the hexes given, then the order on the faces."""
    listed = faces.items() if isinstance(faces, Mapping) else faces
    return joined([placed_face(at, face, layout) for at, face in listed])


def joined(parts: Iterable[PlacedFace]) -> Network:
    """The network of faces as they lie."""
    parts = [part for part in parts if part.stops or part.pieces]
    stops = [StopAt(n, *each) for n, each in enumerate(chain.from_iterable([part.stops for part in parts]))]
    pieces: list[PieceAt] = []
    inner: list[PieceId] = []
    for part in parts:
        if part.inner:
            inner += [len(pieces) + number for number in part.inner]
        pieces += part.pieces
    ends = list(chain.from_iterable([part.ends for part in parts]))
    names = dict.fromkeys([*[stop.ref for stop in stops], *ends])
    numbers = dict(zip(names, range(len(names)), strict=True))
    nodes = [numbers[end] for end in ends]
    away: list[list[Move]] = [[] for _ in names]
    for move, node in enumerate(nodes):
        away[node].append(move)
    goals = list(nodes)
    goals[::2], goals[1::2] = nodes[1::2], nodes[::2]
    return Network(
        tuple(stops),
        tuple(names)[len(stops) :],
        tuple(pieces),
        away,
        goals,
        tuple(chain.from_iterable([part.points for part in parts])),
        tuple(inner),
    )
