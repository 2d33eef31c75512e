"""Seats for lettering in a hex: names, values and marks find the clearest place near the one they wish for.

Everything is a rounded box around a middle. What must not be covered (stops, other lettering) is *firm*, what had better
not be (track, the river) is *soft*. The cost of a place grows as it comes near either, and with its distance from the
wish; places are tried from the wish outward, so that the search ends as soon as no better one can follow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache

from trajekt.show.curves import Point
from trajekt.show.hexagons import within

STEP = 4
NARROW = dict.fromkeys("ijlI.,'|:", 0.29) | dict.fromkeys("frt-()1", 0.4) | dict.fromkeys("mwMW", 0.92)


@dataclass(frozen=True, slots=True)
class Box:
    """A box of half width and half height around a middle, rounded outward by `round`; a disc where both are 0."""

    x: float
    y: float
    half_width: float = 0.0
    half_height: float = 0.0
    round: float = 0.0
    what: str = ""


def gap(one: Box, two: Box) -> float:
    """The clear distance between two boxes; negative where they overlap."""
    dx = abs(one.x - two.x) - one.half_width - two.half_width
    dy = abs(one.y - two.y) - one.half_height - two.half_height
    between = math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)
    return between - one.round - two.round


def width(text: str, size: float) -> float:
    """About how wide a text runs in the half-bold type of the map."""
    return size * sum(NARROW.get(char, 0.7 if char.isupper() else 0.585) for char in text)


def text_box(text: str, size: float, at: Point = (0.0, 0.0), what: str = "") -> Box:
    return Box(*at, width(text, size) / 2, size * 0.37, 1.0, what)


@lru_cache(maxsize=4096)
def free_places(layout: str, half_width: float, half_height: float, margin: float) -> tuple[Point, ...]:
    """The places of the search where a box of this size lies in the hex."""
    reach = range(-84, 85, STEP)
    return tuple(
        (float(x), float(y))
        for y in reach
        for x in reach
        if all(within(layout, (x + u * half_width, y + v * half_height), margin) for u in (-1, 1) for v in (-1, 1))
    )


@dataclass(slots=True)
class Room:
    """What is already in a hex, and the sum of what the lettering seated in it costs."""

    layout: str
    firm: list[Box] = field(default_factory=list)
    soft: list[Box] = field(default_factory=list)
    cost: float = 0.0

    def copy(self) -> Room:
        return Room(self.layout, list(self.firm), list(self.soft), self.cost)


def price(room: Room, box: Box, limit: float = math.inf) -> float:
    """What it costs to put a box there, or anything above `limit`."""
    cost = 0.0
    nearest = 6.0
    for other in room.firm:
        clear = gap(box, other)
        if clear < nearest:
            nearest = clear
            cost = 0.7 * (6 - nearest) + (14 * (2 - nearest) if nearest < 2 else 0)
            if cost > limit:
                return cost
    firm_cost = cost
    nearest = 5.0
    for other in room.soft:
        clear = gap(box, other)
        if clear < nearest:
            nearest = clear
            cost = firm_cost + 0.3 * (5 - nearest) + (5 * (1 - nearest) if nearest < 1 else 0)
            if cost > limit:
                return cost
    return cost


def seat(room: Room, box: Box, wish: Point, weight: float = 0.15) -> tuple[float, Box]:
    """The best place for a box and its cost; nothing is put there yet."""
    places = free_places(room.layout, round(box.half_width), round(box.half_height), round(box.round) + 3)
    if not places:
        return 1000.0, replace(box, x=wish[0], y=wish[1])
    ordered = sorted((math.dist(place, wish), place) for place in places)
    best, where = math.inf, ordered[0][1]
    for far, (x, y) in ordered:
        start = weight * far
        if start >= best:
            break
        cost = start + price(room, replace(box, x=x, y=y), best - start)
        if cost < best:
            best, where = cost, (x, y)
    return best, replace(box, x=where[0], y=where[1])


def put(room: Room, box: Box, cost: float = 0.0) -> Box:
    room.firm.append(box)
    room.cost += cost
    return box
