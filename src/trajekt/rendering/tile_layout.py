"""The plan of a tile or a printed hex: where its stops lie and how its track runs to them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from trajekt.engine.components.schema import FIRST_STOP, Face, Piece, Stop
from trajekt.rendering.hex_geometry import direction, into, through, towards
from trajekt.rendering.track_curves import Curve, Line, Point, at, samples

PLACE = 25.0  # radius of a place for a station
ALONG = (0.5, 0.42, 0.58, 0.36, 0.64, 0.3, 0.7, 0.26, 0.74, 0.22, 0.78)  # places tried along a track


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of one stop; `curve` and `share` where it sits on a track of its own."""

    point: Point
    curve: Curve | None = None
    share: float = 0.0
    exits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of track as it is drawn: from one share of a curve to another."""

    curve: Curve
    begin: float = 0.0
    end: float = 1.0

    def points(self, count: int = 12) -> list[Point]:
        return samples(self.curve, self.begin, self.end, count)


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """A face with the places of its stops, in the order of the stops."""

    layout: str
    face: Face
    spots: tuple[Spot, ...]


def is_city(stop: Stop) -> bool:
    """Tell a stop that is drawn with places for stations."""
    return stop.kind == "city"


def places(stop: Stop) -> int:
    """Count the places for stations that are drawn; an unbuilt city shows one."""
    return max(1 if is_city(stop) else 0, stop.slots + stop.harbour_slots)


def plan(layout: str, face: Face) -> LayoutPlan:
    """Choose the places of the stops so that none touches another or another's track."""
    exits = [
        tuple(piece.a for piece in face.track if piece.b == FIRST_STOP + n and piece.a < FIRST_STOP)
        for n in range(len(face.stops))
    ]
    choices = [list(options(layout, face, n, exits[n])) for n in range(len(face.stops))]
    if len(choices) <= 3:
        tracks = {
            curve: samples(curve, count=20)
            for spots in choices
            for _, spot in spots
            if (curve := spot.curve) is not None
        }
        best = min(itertools.product(*choices), key=lambda chosen: crowding(face, tracks, chosen))
    else:
        best = tuple(spots[0] for spots in choices)
    return LayoutPlan(layout, face, tuple(spot for _, spot in best))


def options(layout: str, face: Face, n: int, exits: tuple[int, ...]) -> Iterator[tuple[float, Spot]]:
    """Places a stop may take, each with what speaks against it."""
    stop, many = face.stops[n], len(face.stops) > 1
    if isinstance(stop.at, int | float):
        yield 0, Spot(towards(layout, stop.at, 0.56 if stop.slots < 2 else 0.53), exits=exits)
    elif stop.at != "centre" and len(exits) == 2 and (many or stop.kind == "town"):
        curve = through(layout, *exits)
        for share in ALONG:
            yield abs(share - 0.5) * 30, Spot(at(curve, share), curve, share, exits)
    elif stop.at == "centre" or not many:
        yield 0, Spot((0, 0), exits=exits)
    elif len(exits) == 1:
        yield from _at_edge(layout, face, stop, exits[0])
    else:
        yield 0, Spot(_among(layout, exits) if exits else _unbuilt(stop, n), exits=exits)


def _at_edge(layout: str, face: Face, stop: Stop, edge: int) -> Iterator[tuple[float, Spot]]:
    """Places of a stop with track to one edge: towards it, on a river beside it."""
    if stop.bank and len(face.banks) == 2:
        side = bank_side(layout, face, edge)
        x, y = towards(layout, edge, 0.54)
        yield 0, Spot((x + side[0] * 16, y + side[1] * 16), exits=(edge,))
    else:
        for share in (0.5, 0.42, 0.56, 0.6):
            yield abs(share - 0.5) * 20, Spot(towards(layout, edge, share), exits=(edge,))


def _among(layout: str, exits: tuple[int, ...]) -> Point:
    """The place of a stop among its edges; the middle where these lie opposite to each other."""
    x = sum(math.cos(direction(layout, edge)) for edge in exits)
    y = sum(math.sin(direction(layout, edge)) for edge in exits)
    size = math.hypot(x, y)
    return (x / size * 30, y / size * 30) if size > 0.1 else (0, 0)


def _unbuilt(stop: Stop, n: int) -> Point:
    """The place of a stop without track: two cities lie side by side, two towns on a slope."""
    angle = math.radians((0 if n else 180) if is_city(stop) else (-28 if n else 152))
    far = 42 if is_city(stop) else 30
    return math.cos(angle) * far, math.sin(angle) * far


def bank_side(layout: str, face: Face, edge: int) -> Point:
    """The direction, of length 1, from the river to the bank with this edge."""
    bank = face.banks[0] if edge in face.banks[0] else face.banks[1]
    x = sum(math.cos(direction(layout, e)) for e in bank)
    y = sum(math.sin(direction(layout, e)) for e in bank)
    size = math.hypot(x, y) or 1.0
    return x / size, y / size


def crowding(face: Face, tracks: dict[Curve, list[Point]], chosen: tuple[tuple[float, Spot], ...]) -> float:
    """Rate how a choice of places crowds: penalties, stops too near, stops on the track of others."""
    cost = sum(penalty for penalty, _ in chosen)
    needs = [PLACE + 4 if is_city(stop) else 17 for stop in face.stops]
    for i, (_, one) in enumerate(chosen):
        for j, (_, two) in enumerate(chosen):
            if j > i:
                cost += 4 * max(0.0, needs[i] + needs[j] - math.dist(one.point, two.point))
            if j != i and two.curve is not None:
                cost += 2 * max(0.0, needs[i] - min(math.dist(one.point, p) for p in tracks[two.curve]))
    return cost


def leg(drawn: LayoutPlan, a: int, b: int) -> Leg:
    """The track from one end to another; ends as in `Piece`."""
    if a >= FIRST_STOP and b < FIRST_STOP:
        turned = leg(drawn, b, a)
        return Leg(turned.curve, turned.end, turned.begin)
    if b < FIRST_STOP:
        return Leg(through(drawn.layout, a, b))
    spot = drawn.spots[b - FIRST_STOP]
    if a >= FIRST_STOP:
        return Leg(Line(drawn.spots[a - FIRST_STOP].point, spot.point))
    if spot.curve is None:
        return Leg(into(drawn.layout, a, spot.point))
    near = math.dist(at(spot.curve, 0), towards(drawn.layout, a)) < 1
    return Leg(spot.curve, 0.0 if near else 1.0, spot.share)


def joined(face: Face) -> list[list[Piece]]:
    """Pieces of track in groups that touch, so that a group can pass over another."""
    groups: list[tuple[set[int], list[Piece]]] = []
    for piece in face.track:
        if piece.kind:
            continue
        ends = {piece.a, piece.b}
        hit = [group for group in groups if group[0] & ends]
        groups = [group for group in groups if not group[0] & ends]
        groups.append((ends.union(*(group[0] for group in hit)), [p for group in hit for p in group[1]] + [piece]))
    return [group[1] for group in groups]


def station_points(drawn: LayoutPlan, n: int) -> list[Point]:
    """The middle of every place for a station of a stop, in the order in which they are taken."""
    stop, (x, y) = drawn.face.stops[n], drawn.spots[n].point
    count = places(stop)
    if count == 2 and isinstance(stop.at, int | float):
        return [(x, y - PLACE), (x, y + PLACE)]
    if count == 4:
        return [(x + dx * PLACE, y + dy * PLACE) for dy in (-1, 1) for dx in (-1, 1)]
    return [(x + (k - (count - 1) / 2) * 2 * PLACE, y) for k in range(count)]
