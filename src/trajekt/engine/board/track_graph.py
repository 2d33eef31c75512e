"""The track network: the pieces of track that lie on the map, where they end, and which may follow one another.

A network is built from the face in force on each hex and from nothing else; stations, companies and rules of passage are
no part of it. It never changes: a new tile makes a new network out of the one before, a new station none.

Words: a *node* is a stop or a side between two hexes. A *piece* runs between two nodes. A *move* is a piece run in one
direction: twice the piece's number, plus 1 when it is run from its second end. All that may ever lie on a map is numbered
once (`Numbering`; stops before sides), so that numbers hold for all its networks, and what a tile does not touch stays as it
is. What leaves the engine are *references*: `"K6:a"` for a stop, `"K6:4"` for a side, `"K6:4a"` for a piece: hex, colon, its
ends in order, edges 0 to 5 and stops a, b, c ... (`"G8:13"`, a ferry `"F9:ab"`).

A board is looked at anew after every lay. So what a face says by itself (`PlacedFace`) is made once, what hangs on the stops
alone (`StopsOnMap`) stays while no stop comes or goes, and whatever not everybody asks for is made when first asked for.
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
    """A piece of track where it may lie."""

    ref: PieceRef
    hex: HexId


class Track(msgspec.Struct, frozen=True, gc=False):
    """A piece of track in a network. `ends` are its two nodes in the order of its reference; `kind` as on the sheet."""

    id: PieceId
    ref: PieceRef
    hex: HexId
    kind: str
    ends: tuple[NodeId, NodeId]


class Numbering(msgspec.Struct, frozen=True, dict=True, eq=False):
    """The numbers of all that may lie on a map: the same for each of its networks.

    Every hex has as many stops as the richest face, and a piece for each of the `pairs` of ends that any face joins. `refs`
    and `pieces` are indexed by stop and piece; `goals`, `points` and `spent` by move: the node to which it leads, the same by
    place (a stop of its hex, or an edge of the hex beyond), and what it uses up as a bit. `meeting` is indexed by node: the hex
    of a stop, the hexes on both sides of a side as far as they are on the map. Sides are numbered from `first_side` up.
    """

    layout: str
    places: Mapping[HexId, int]
    pairs: Mapping[tuple[int, int], int]
    stops_each: int
    side: Mapping[Side, NodeId]
    meeting: Sequence[tuple[HexId, ...]]
    refs: tuple[StopRef, ...]
    pieces: tuple[PieceAt, ...]
    goals: Sequence[NodeId]
    points: Sequence[TrackPoint]
    spent: Sequence[int]

    @property
    def first_side(self) -> NodeId:
        return len(self.refs)

    def piece(self, at: HexId, piece: Piece) -> PieceId:
        """The number of a piece on a hex."""
        return self.places[at] * len(self.pairs) + self.pairs[piece.a, piece.b]

    @memo
    def sides(self) -> tuple[Side, ...]:
        """The references of the sides, in order."""
        return tuple(self.side)

    @memo
    def by_ref(self) -> Mapping[PieceRef, PieceId]:
        """By reference the number of a piece."""
        return {piece.ref: number for number, piece in enumerate(self.pieces)}


def numbering(hexes: Iterable[HexId], faces: Iterable[Face], layout: str) -> Numbering:
    """Number what may lie on these hexes, in their order, if these are all faces there are.

    Pieces between two stops use up themselves, others the side to which they are run: pieces of a hex that meet at a side
    share its last bit of track, however short (COMMON-RTE-02). A move to a stop uses nothing: the side that it came over is
    used already.
    """
    faces = list(faces)
    places = {at: number for number, at in enumerate(hexes)}
    ends = sorted({(piece.a, piece.b) for face in faces for piece in face.track})
    each = max((len(face.stops) for face in faces), default=0)
    meeting: list[tuple[HexId, ...]] = [(at,) for at in places for _ in range(each)]
    side: dict[Side, NodeId] = {}
    for at in places:
        for edge in range(FIRST_STOP):
            node = side.setdefault(side_of(at, edge, layout), len(meeting))
            if node == len(meeting):
                meeting.append(())
            meeting[node] += (at,)
    pieces: list[PieceAt] = []
    goals: list[NodeId] = []
    points: list[TrackPoint] = []
    spent: list[int] = []
    last = len(side)  # bits of pieces between two stops lie above those of the sides
    for at, place in places.items():
        nodes = [side[side_of(at, edge, layout)] for edge in range(FIRST_STOP)]
        nodes += range(each * place, each * (place + 1))
        met = [(beyond(at, edge, layout), opposite(edge)) for edge in range(FIRST_STOP)]
        met += [(at, -1 - index) for index in range(each)]
        bits = [1 << node - each * len(places) for node in nodes[:FIRST_STOP]] + [0] * each
        for a, b in ends:
            pieces.append(PieceAt(f"{at}:{ENDS[a]}{ENDS[b]}", at))
            goals += nodes[b], nodes[a]
            points += met[b], met[a]
            if a >= FIRST_STOP:
                spent += [1 << last] * 2
                last += 1
            else:
                spent += bits[b], bits[a]
    refs = tuple(stop_ref(at, index) for at in places for index in range(each))
    pairs = {pair: number for number, pair in enumerate(ends)}
    return Numbering(layout, places, pairs, each, side, meeting, refs, tuple(pieces), goals, points, spent)


class PlacedFace(msgspec.Struct, frozen=True):
    """A face where it lies: its stops, its pieces in the order of the face, what kind they are of where they are of any.

    `leaving` are the moves that begin in each of its nodes, `inner` the pieces between two stops.
    """

    hex: HexId
    stops: tuple[StopAt, ...]
    pieces: tuple[PieceId, ...]
    kinds: Mapping[PieceId, str]
    leaving: Mapping[NodeId, tuple[Move, ...]]
    inner: tuple[PieceId, ...]


def placed_face(numbers: Numbering, at: HexId, face: Face) -> PlacedFace:
    """A face on a hex."""
    first, goals = numbers.stops_each * numbers.places[at], numbers.goals
    stops = tuple(StopAt(first + n, numbers.refs[first + n], at, n, stop) for n, stop in enumerate(face.stops))
    leaving: dict[NodeId, tuple[Move, ...]] = {stop.node: () for stop in stops}
    pieces = tuple(numbers.piece(at, piece) for piece in face.track)
    for move in [move for piece in pieces for move in (2 * piece, 2 * piece + 1)]:
        begins = goals[move ^ 1]
        leaving[begins] = (*leaving.get(begins, ()), move)
    kinds = {number: piece.kind for number, piece in zip(pieces, face.track, strict=True) if piece.kind}
    inner = tuple(n for n, piece in zip(pieces, face.track, strict=True) if piece.a >= FIRST_STOP)
    return PlacedFace(at, stops, pieces, kinds, leaving, inner)


class StopsOnMap(msgspec.Struct, frozen=True, dict=True):
    """The faces with stops. The same object while none of them changes, so that what follows from it is kept on it."""

    parts: tuple[PlacedFace, ...]

    @memo
    def all(self) -> tuple[StopAt, ...]:
        return tuple(chain.from_iterable([part.stops for part in self.parts]))

    @memo
    def by_node(self) -> Mapping[NodeId, StopAt]:
        return {stop.node: stop for stop in self.all}

    @memo
    def by_ref(self) -> Mapping[StopRef, NodeId]:
        return {stop.ref: stop.node for stop in self.all}

    @memo
    def by_hex(self) -> Mapping[HexId, tuple[StopAt, ...]]:
        return {part.hex: part.stops for part in self.parts}

    @memo
    def offboards(self) -> frozenset[StopRef]:
        return frozenset([stop.ref for stop in self.all if stop.stop.kind == "offboard"])

    @memo
    def towns(self) -> Mapping[NodeId, bool]:
        return {stop.node: stop.stop.kind == "town" for stop in self.all}

    @memo
    def crossings(self) -> frozenset[PieceId]:
        return frozenset([n for part in self.parts for n in part.inner if part.kinds.get(n) == "ferry"])


class Network(msgspec.Struct, frozen=True, dict=True):
    """All track on the map, with the numbers of everything on it. `parts` are the faces in the order of the hexes.

    `away[node]` lists the moves that begin in a node, `onward[move]` those that may follow where nothing is blocked, never
    back over the same piece (COMMON-RTE-02). At a side: those of the other hex, so that nothing reverses at a junction. At a
    stop: all others of the stop. Each in the order of the hexes, then of the faces.
    """

    numbers: Numbering
    parts: Mapping[HexId, PlacedFace]
    on_map: StopsOnMap
    away: Sequence[tuple[Move, ...]]
    onward: Mapping[Move, tuple[Move, ...]]

    # What holds for every network of the map

    @property
    def goals(self) -> Sequence[NodeId]:
        """By move the node to which it leads."""
        return self.numbers.goals

    @property
    def points(self) -> Sequence[TrackPoint]:
        """By move the place to which it leads."""
        return self.numbers.points

    @property
    def spent(self) -> Sequence[int]:
        """By move what it uses up, as a bit."""
        return self.numbers.spent

    @property
    def pieces(self) -> Sequence[PieceAt]:
        """By piece its reference and hex."""
        return self.numbers.pieces

    @property
    def refs(self) -> Sequence[StopRef]:
        """By stop its reference."""
        return self.numbers.refs

    @property
    def side(self) -> Mapping[Side, NodeId]:
        """Node numbers of sides; their references come from `side_of`."""
        return self.numbers.side

    @property
    def first_side(self) -> NodeId:
        """The number of the first side: all nodes below are stops."""
        return len(self.numbers.refs)

    def is_stop(self, node: NodeId) -> bool:
        return node < len(self.numbers.refs)

    def side_name(self, node: NodeId) -> Side:
        """The reference of a side."""
        return self.numbers.sides[node - self.first_side]

    def other_end(self, piece: PieceId, node: NodeId) -> NodeId:
        b, a = self.goals[2 * piece : 2 * piece + 2]
        return b if node == a else a

    # What hangs on its stops

    @property
    def stops(self) -> tuple[StopAt, ...]:
        """The stops, in order."""
        return self.on_map.all

    @property
    def stop_at(self) -> Mapping[NodeId, StopAt]:
        """By node its stop."""
        return self.on_map.by_node

    @property
    def stop(self) -> Mapping[StopRef, NodeId]:
        """By reference the node of a stop."""
        return self.on_map.by_ref

    @property
    def stops_in_hex(self) -> Mapping[HexId, tuple[StopAt, ...]]:
        """The stops of every hex that has any."""
        return self.on_map.by_hex

    @property
    def offboards(self) -> frozenset[StopRef]:
        """The off-board areas: a route ends there."""
        return self.on_map.offboards

    @property
    def towns(self) -> Mapping[NodeId, bool]:
        """For each stop whether it is a town."""
        return self.on_map.towns

    @property
    def crossings(self) -> frozenset[PieceId]:
        """Ferries between two stops of a hex. A ferry that ends at a side is track like other track, but for its value."""
        return self.on_map.crossings

    # What hangs on its track

    @memo
    def tracks(self) -> Mapping[PieceId, Track]:
        """The pieces with their ends."""
        return {piece: self.track(piece) for part in self.parts.values() for piece in part.pieces}

    def track(self, piece: PieceId) -> Track:
        """One of them, for whoever asks for few."""
        found, (b, a) = self.pieces[piece], self.goals[2 * piece : 2 * piece + 2]
        return Track(piece, found.ref, found.hex, self.parts[found.hex].kinds.get(piece, ""), (a, b))

    @memo
    def at(self) -> Sequence[tuple[PieceId, ...]]:
        """By node the pieces that end there."""
        return tuple([tuple([move >> 1 for move in leaving]) for leaving in self.away])

    def piece_of(self, ref: PieceRef) -> PieceId | None:
        """The number of a piece by its reference, None where no such track lies."""
        number = self.numbers.by_ref.get(ref)
        return number if number is not None and 2 * number in self.onward else None

    @memo
    def piece(self) -> Mapping[PieceRef, PieceId]:
        """By reference the numbers of all pieces that lie there, for whoever asks for many."""
        pieces = self.pieces
        return {pieces[number].ref: number for part in self.parts.values() for number in part.pieces}

    @memo
    def in_hex(self) -> Mapping[HexId, tuple[PieceId, ...]]:
        """The pieces of every hex that has track."""
        return {at: part.pieces for at, part in self.parts.items() if part.pieces}

    @memo
    def ferries(self) -> Mapping[NodeId, tuple[tuple[PieceId, NodeId], ...]]:
        """By stop the crossings that begin there, each with the stop beyond."""
        found: dict[NodeId, list[tuple[PieceId, NodeId]]] = {}
        for piece in sorted(self.crossings):
            b, a = self.goals[2 * piece : 2 * piece + 2]
            found.setdefault(a, []).append((piece, b))
            found.setdefault(b, []).append((piece, a))
        return {node: tuple(pairs) for node, pairs in found.items()}

    def with_face(self, part: PlacedFace) -> Network:
        """The network with another face on one hex."""
        before, parts = self.parts[part.hex], {**self.parts, part.hex: part}
        away, onward = list(self.away), dict(self.onward)
        for piece in before.pieces:
            del onward[2 * piece], onward[2 * piece + 1]
        for node in {**before.leaving, **part.leaving}:
            _join(self.numbers, parts, node, away, onward)
        on_map = _stops_of(parts) if before.stops or part.stops else self.on_map
        return Network(self.numbers, parts, on_map, away, onward)


def joined(numbers: Numbering, parts: Iterable[PlacedFace]) -> Network:
    """The network of the faces that lie on all hexes, in their order."""
    found = {part.hex: part for part in parts}
    away: list[tuple[Move, ...]] = [()] * len(numbers.meeting)
    onward: dict[Move, tuple[Move, ...]] = {}
    for part in found.values():
        for node in part.leaving:
            _join(numbers, found, node, away, onward)
    return Network(numbers, found, _stops_of(found), away, onward)


def _stops_of(parts: Mapping[HexId, PlacedFace]) -> StopsOnMap:
    return StopsOnMap(tuple([part for part in parts.values() if part.stops]))


def _join(
    numbers: Numbering,
    parts: Mapping[HexId, PlacedFace],
    node: NodeId,
    away: list[tuple[Move, ...]],
    onward: dict[Move, tuple[Move, ...]],
) -> None:
    """Say anew which moves begin in a node, and which may follow there upon which."""
    leaving = [parts[at].leaving.get(node, ()) for at in numbers.meeting[node]]
    away[node] = tuple(chain.from_iterable(leaving))
    if node < numbers.first_side:
        here = leaving[0]
        for place, move in enumerate(here):
            onward[move ^ 1] = here[:place] + here[place + 1 :]
        return
    here, there = leaving if len(leaving) > 1 else (leaving[0], ())
    for move in here:
        onward[move ^ 1] = there
    for move in there:
        onward[move ^ 1] = here


def leads_away(network: Network, stops: Iterable[StopRef]) -> bool:
    """Tell whether track leads from one of these stops to a stop other than itself, whoever may pass there."""
    goals, onward, first_side = network.goals, network.onward, network.first_side
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


def build(faces: Mapping[HexId, Face] | Iterable[tuple[HexId, Face]], layout: str) -> Network:
    """The network of these faces. Numbers follow the order of the hexes given."""
    listed = dict(faces)
    numbers = numbering(listed, listed.values(), layout)
    return joined(numbers, [placed_face(numbers, at, face) for at, face in listed.items()])
