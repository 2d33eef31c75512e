"""Seats for lettering in a hex: names, values and marks find the clearest place near the one they wish for.

Everything is a rounded box around a middle. What must not be covered (stops, other lettering) is *firm*, what had better
not be (track, the river) is *soft*. The cost of a place grows as it comes near either, and with its distance from the
wish; places are tried from the wish outward, so that the search ends as soon as no better one can follow.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from trajekt.rendering.hex_geometry import towards
from trajekt.rendering.track_curves import APOTHEM, Point

STEP = 4
SLIGHT = 1e-6  # within which of the edge of its room a place is looked at exactly
EASY = 6.0  # a clear distance that no longer costs anything
SMALL = frozenset({"coord", "coord num"})  # lettering that is left out where it would be too small
INK = frozenset({"track", "arrow"})  # what lettering does not grow over
FORGIVEN = 4.5  # by which lettering may reach into the room that track keeps: half of it is free of ink
GROWN = 34  # points up to which a name grows on a small map
LEADING = 0.95  # from line to line, in sizes
ENDINGS = (
    "dorstfeld", "dortmund", "gladbach", "kirchen", "viertel", "hausen", "hellen", "scheid", "schede", "broich", "stein",
    "hofen", "stadt", "linde", "stuhl", "filde", "derne", "horst", "hörde", "dreer", "laken", "dicke", "markt", "hütte",
    "mund", "feld", "berg", "burg", "dorf", "mark", "bank", "baum", "kamp", "wald", "donk", "beck",
)  # fmt: skip
NARROW = dict.fromkeys("ijlI.,'|:", 0.29) | dict.fromkeys("frt-()1", 0.4) | dict.fromkeys("mwMW", 0.92)


@dataclass(frozen=True, slots=True)
class Box:
    """A box of half width and half height around a middle, rounded outward by `round`; a disc where both are 0.

    `lines` are its lettering, `size` points high.
    """

    x: float
    y: float
    half_width: float = 0.0
    half_height: float = 0.0
    round: float = 0.0
    what: str = ""
    lines: tuple[str, ...] = ()
    size: float = 0.0


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
    """The box of one line of lettering."""
    return Box(*at, width(text, size) / 2, size * 0.37, 1.0, what, (text,), size)


def block_box(lines: tuple[str, ...], size: float, what: str) -> Box:
    """The box of lines that stand below each other."""
    high = size * 0.37 + (len(lines) - 1) * size * LEADING / 2
    return Box(0, 0, max(width(line, size) for line in lines) / 2, high, 1.0, what, lines, size)


def name_shapes(name: str, sizes: Iterable[float]) -> list[Box]:
    """The boxes that a name may take, best first: in one line, smaller, then broken into two or three."""
    return [block_box(lines, size, name) for size, lines in itertools.product(sizes, line_breaks(name))]


@lru_cache(maxsize=4096)
def line_breaks(name: str) -> tuple[tuple[str, ...], ...]:
    """The ways to write a name: whole; broken at blanks, strokes and dashes as evenly as can be; before a usual ending."""
    parts = [part for part in re.split(r" |(?<=[–/-])", name) if part]
    ways: list[tuple[str, ...]] = [(name,)]
    for count in range(2, min(len(parts), 3) + 1):
        cuts = itertools.combinations(range(1, len(parts)), count - 1)
        found = (tuple(" ".join(parts[a:b]) for a, b in itertools.pairwise((0, *cut, len(parts)))) for cut in cuts)
        ways.append(min(found, key=lambda lines: max(width(line, 1) for line in lines)))
    ending = next((each for each in ENDINGS if name.endswith(each) and len(name) > len(each) + 3), "")
    if len(parts) == 1 and len(name) > 7 and ending:
        ways.append((f"{name.removesuffix(ending)}-", ending))
    return tuple(ways)


@lru_cache(maxsize=4096)
def free_places(layout: str, half_width: float, half_height: float, margin: float) -> tuple[Point, ...]:
    """The places of the search where a box of this size lies in the hex."""
    sides = [towards(layout, edge, 1 / APOTHEM) for edge in range(6)]
    limits = [(u, v, APOTHEM - margin - half_width * abs(u) - half_height * abs(v)) for u, v in sides]
    reach = range(-84, 85, STEP)
    found: list[Point] = []
    for y in reach:
        low, high = -math.inf, math.inf
        for u, v, limit in limits:
            if abs(u) > SLIGHT:
                end = (limit - y * v) / u
                low, high = (low, min(high, end)) if u > 0 else (max(low, end), high)
            elif y * v > limit:
                high = -math.inf
        for x in reach:
            sure = low + SLIGHT < x < high - SLIGHT
            near = low - SLIGHT <= x <= high + SLIGHT
            if sure or (near and all(x * u + y * v <= limit for u, v, limit in limits)):
                found.append((float(x), float(y)))
    return tuple(found)


@dataclass(slots=True)
class Room:
    """The contents of a hex so far, the sum of the costs of its lettering, and how far that keeps from the edge."""

    layout: str
    firm: list[Box] = field(default_factory=list)
    soft: list[Box] = field(default_factory=list)
    cost: float = 0.0
    margin: float = 3.0

    def copy(self) -> Room:
        return Room(self.layout, list(self.firm), list(self.soft), self.cost, self.margin)


def price(room: Room, box: Box) -> float:
    """Rate a box: the cost of putting it there."""
    return at_price(prepared(room, box), box.x, box.y, math.inf)


Obstacle: TypeAlias = tuple[float, float, float, float, float]
Prepared: TypeAlias = tuple[list[Obstacle], list[Obstacle]]


def prepared(room: Room, box: Box) -> Prepared:
    """The room as a point sees it that stands for the middle of the box: every obstacle grown by the box."""
    grown = [
        [
            (o.x, o.y, o.half_width + box.half_width, o.half_height + box.half_height, o.round + box.round)
            for o in obstacles
        ]
        for obstacles in (room.firm, room.soft)
    ]
    return grown[0], grown[1]


def at_price(grown: Prepared, x: float, y: float, limit: float) -> float:
    """The price of a place, or anything above `limit` once that is passed.

    The obstacle that makes a place too dear comes first from then on: it most likely speaks against the next one too.
    """
    near, cost = EASY, 0.0
    obstacles = grown[0]
    for ox, oy, width_, height, round_ in obstacles:
        dx, dy = abs(ox - x) - width_, abs(oy - y) - height
        clear = (math.sqrt(dx * dx + dy * dy) if dx > 0 and dy > 0 else max(dx, dy)) - round_
        if clear < near:
            near = clear
            cost = 0.7 * (EASY - near) + (14 * (2 - near) if near < 2 else 0)
            if cost > limit:
                to_front(obstacles, (ox, oy, width_, height, round_))
                return cost
    near, firm = EASY, cost
    obstacles = grown[1]
    for ox, oy, width_, height, round_ in obstacles:
        dx, dy = abs(ox - x) - width_, abs(oy - y) - height
        clear = (math.sqrt(dx * dx + dy * dy) if dx > 0 and dy > 0 else max(dx, dy)) - round_
        if clear < near:
            near = clear
            cost = firm + 0.3 * (EASY - near) + (5 * (1 - near) if near < 1 else 0)
            if cost > limit:
                to_front(obstacles, (ox, oy, width_, height, round_))
                return cost
    return cost


def to_front(obstacles: list[Obstacle], found: Obstacle) -> None:
    """Let an obstacle stand first; who looks through them has come to an end."""
    if obstacles[0] != found:
        obstacles.remove(found)
        obstacles.insert(0, found)


def seat(
    room: Room, box: Box, wish: Point, weight: float = 0.15, side: Point | None = None, limit: float = math.inf
) -> tuple[float, Box]:
    """The best place for a box and its cost; nothing is put there yet. `side` is the bank that it has to lie on; a place
    that costs `limit` or more is none, and its cost infinite.
    """
    places = free_places(room.layout, round(box.half_width), round(box.half_height), round(box.round) + room.margin)
    if side is not None:
        sx, sy = side
        off = min(26.0, box.half_width + box.round) + 10
        places = tuple(at for at in places if at[0] * sx + at[1] * sy >= off) or places
    if not places:
        return 1000.0, replace(box, x=wish[0], y=wish[1])
    u, v = wish
    ordered = sorted(((x - u) ** 2 + (y - v) ** 2, x, y) for x, y in places)
    grown = prepared(room, box)
    found = False
    best, where = limit, (ordered[0][1], ordered[0][2])
    for square, x, y in ordered:
        start = weight * math.sqrt(square)
        if start >= best:
            break
        cost = start + at_price(grown, x, y, best - start)
        if cost < best:
            best, where = cost, (x, y)
            found = True
    return best if found else math.inf, replace(box, x=where[0], y=where[1])


def covers_track(room: Room, box: Box) -> bool:
    """Tell lettering that lies on track, by more than the eye forgives."""
    return any(gap(box, each) < -FORGIVEN for each in room.soft if each.what == "track")


def largest_size(room: Room, box: Box, most: float) -> float:
    """The largest size up to `most` at which lettering stays clear in its place: inside the hex, off all that is firm and
    off the track. Coordinates and tile numbers give way, since they are left out where lettering has to grow.
    """
    limits = [most / box.size]
    for edge in range(6):
        u, v = towards(room.layout, edge, 1 / APOTHEM)
        reach = box.half_width * abs(u) + box.half_height * abs(v)
        limits.append((APOTHEM - room.margin - box.round - box.x * u - box.y * v) / reach)
    obstacles = [each for each in room.firm if each is not box and each.what not in SMALL]
    for each in itertools.chain(obstacles, (each for each in room.soft if each.what in INK)):
        off = each.round + box.round
        limits.append(
            max(
                (abs(each.x - box.x) - each.half_width - off) / box.half_width,
                (abs(each.y - box.y) - each.half_height - off) / box.half_height,
            )
        )
    return max(1.0, min(limits)) * box.size


def put(room: Room, box: Box, cost: float = 0.0) -> Box:
    """Take a place: nothing else may cover it from now on."""
    room.firm.append(box)
    room.cost += cost
    return box
