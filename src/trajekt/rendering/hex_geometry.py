"""The outline of a hex: directions of its edges, corners, and the track that joins two edges."""

from __future__ import annotations

import math
from functools import lru_cache

from trajekt.engine.board import hexgrid
from trajekt.rendering.track_curves import APOTHEM, RADIUS, Arc, Bend, Curve, Line, Point, arc

FIRST_EDGE = {"pointy": 120, "flat": 90}  # direction of edge 0 in degrees, clockwise from east


def direction(layout: str, edge: float) -> float:
    """The angle from the middle to an edge; halves are corners."""
    return math.radians(FIRST_EDGE[layout] + 60 * edge)


@lru_cache(maxsize=512)
def towards(layout: str, edge: float, share: float = 1.0) -> Point:
    """The point on the way from the middle to an edge; 1 is the middle of the side."""
    angle = direction(layout, edge)
    return APOTHEM * share * math.cos(angle), APOTHEM * share * math.sin(angle)


@lru_cache(maxsize=64)
def corner(layout: str, edge: int, size: float = RADIUS) -> Point:
    """The corner before an edge, clockwise."""
    angle = direction(layout, edge) - math.pi / 6
    return size * math.cos(angle), size * math.sin(angle)


def centre(layout: str, name: str) -> Point:
    """Return the middle of a hex on the map."""
    return hexgrid.centre(name, layout, RADIUS)


def outline(layout: str, middle: Point = (0.0, 0.0), size: float = RADIUS) -> str:
    """The six corners for `<polygon points>`."""
    corners = (corner(layout, edge, size) for edge in range(6))
    return " ".join(f"{middle[0] + x:.1f},{middle[1] + y:.1f}" for x, y in corners)


def through(layout: str, a: int, b: int) -> Line | Arc:
    """Track from edge to edge, leaving both at a right angle."""
    start, end = towards(layout, a), towards(layout, b)
    gap = (b - a) % 6
    if gap == 3:
        return Line(start, end)
    if gap in (1, 5):
        return arc(corner(layout, b if gap == 1 else a), RADIUS / 2, start, end)
    between = direction(layout, a + 1 if gap == 2 else a - 1)
    far = math.sqrt(3) * RADIUS
    return arc((far * math.cos(between), far * math.sin(between)), 1.5 * RADIUS, start, end)


def into(layout: str, edge: int, spot: Point) -> Curve:
    """Track from an edge, at a right angle, to a stop somewhere in the hex."""
    start = towards(layout, edge)
    if abs(start[0] * spot[1] - start[1] * spot[0]) < 20:
        return Line(start, spot)
    bend = max(0.0, 1 - math.dist(start, spot) * 0.55 / APOTHEM)
    return Bend(start, (start[0] * bend, start[1] * bend), spot)
