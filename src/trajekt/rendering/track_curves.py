"""Curves of track in the plane of one hex: straight lines, arcs of a circle, and bends into a stop.

Units: a hex reaches 100 from its middle to a corner; x runs eastward, y southward, angles clockwise in radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

RADIUS = 100.0  # middle to corner
APOTHEM = RADIUS * math.sqrt(3) / 2  # middle to the middle of a side
TRACK_WIDTH = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stretch."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Arc:
    """Part of a circle, from the angle `first` to the angle `last` (less than a half turn apart)."""

    middle: Point
    radius: float
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class Bend:
    """A quadratic: leaves a side at a right angle and turns to a stop beside the middle."""

    start: Point
    pull: Point
    end: Point


Curve: TypeAlias = Line | Arc | Bend


def number(value: float) -> str:
    """A coordinate as short as one decimal allows."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if abs(value) > 0.04 else "0"


def arc(middle: Point, radius: float, start: Point, end: Point) -> Arc:
    """The shorter arc from one point to another."""
    first = math.atan2(start[1] - middle[1], start[0] - middle[0])
    last = math.atan2(end[1] - middle[1], end[0] - middle[0])
    turn = (last - first + math.pi) % (2 * math.pi) - math.pi
    return Arc(middle, radius, first, first + turn)


def at(curve: Curve, share: float) -> Point:
    """The point after a share of the curve, 0 to 1."""
    match curve:
        case Line((x0, y0), (x1, y1)):
            return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        case Arc((x, y), radius, first, last):
            angle = first + (last - first) * share
            return x + radius * math.cos(angle), y + radius * math.sin(angle)
        case Bend((x0, y0), (xc, yc), (x1, y1)):
            rest = 1 - share
            a, b, c = rest * rest, 2 * rest * share, share * share
            return a * x0 + b * xc + c * x1, a * y0 + b * yc + c * y1


def heading(curve: Curve, share: float) -> float:
    """The angle in which the curve runs there."""
    (x0, y0), (x1, y1) = at(curve, max(0.0, share - 0.02)), at(curve, min(1.0, share + 0.02))
    return math.atan2(y1 - y0, x1 - x0)


def path(curve: Curve, begin: float = 0.0, end: float = 1.0) -> str:
    """The SVG path from one share of the curve to another; a bend is always drawn whole."""
    (x0, y0), (x1, y1) = at(curve, begin), at(curve, end)
    start = f"M{number(x0)} {number(y0)}"
    match curve:
        case Line():
            return f"{start}L{number(x1)} {number(y1)}"
        case Arc(_, radius, first, last):
            sweep = 1 if (last > first) == (end > begin) else 0
            return f"{start}A{number(radius)} {number(radius)} 0 0 {sweep} {number(x1)} {number(y1)}"
        case Bend(_, (xc, yc), _):
            return f"{start}Q{number(xc)} {number(yc)} {number(x1)} {number(y1)}"


def samples(curve: Curve, begin: float = 0.0, end: float = 1.0, count: int = 12) -> list[Point]:
    """Points along a stretch of the curve, both ends among them."""
    return [at(curve, begin + (end - begin) * step / count) for step in range(count + 1)]
