"""The river: one smooth course along the closed sides and through the hexes with two banks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

from trajekt.engine.components.schema import Sheet
from trajekt.rendering.hex_geometry import centre, corner
from trajekt.rendering.theme import River
from trajekt.rendering.track_curves import RADIUS, Point, number

LONG = 8  # a course of more bends than this runs off the map at both ends
RUN_OFF = 150.0


@dataclass(frozen=True, slots=True)
class Course:
    """The river drawn: SVG of the water with its name, and points along it for the lettering to avoid."""

    svg: str = ""
    points: tuple[Point, ...] = ()


def course(sheet: Sheet, river: River | None) -> Course:
    """Trace the river of a map. Without a river in the look there is none, whatever sides are closed."""
    if river is None:
        return Course()
    svg: list[str] = []
    points: list[Point] = []
    for chain in chains(sheet):
        bends = chain
        if len(chain) > LONG:
            bends = [(chain[0][0], chain[0][1] + RUN_OFF), *chain, (chain[-1][0], chain[-1][1] - RUN_OFF)]
        drawn = smooth(bends)
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in drawn)
        svg += [f'<path class="bank" d="{path}"/>', f'<path class="water" d="{path}"/>']
        points += drawn
        if len(chain) > LONG:
            back = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in reversed(drawn))  # the name reads downward
            svg.append(f'<path id="river-course" d="{back}" fill="none"/>')
            for share in river.at:
                name = f'<textPath href="#river-course" startOffset="{100 * (1 - share):g}%">{escape(river.name)}</textPath>'
                svg.append(f'<text class="river-name">{name}</text>')
    return Course("".join(svg), tuple(points))


def chains(sheet: Sheet) -> list[list[Point]]:
    """The courses from corner to corner, from the south upward; corners of neighbouring hexes are one."""
    near: dict[tuple[int, int], list[tuple[int, int]]] = {}
    spots: dict[tuple[int, int], Point] = {}
    layout = sheet.layout

    def corner_id(point: Point) -> tuple[int, int]:
        return round(point[0] / (RADIUS / 8)), round(point[1] / (RADIUS / 8))

    def add(one: Point, two: Point) -> None:
        for a, b in ((one, two), (two, one)):
            spots.setdefault(corner_id(a), a)
            steps = near.setdefault(corner_id(a), [])
            if corner_id(b) not in steps:
                steps.append(corner_id(b))

    for name, printed in sheet.hexes.items():
        x, y = centre(layout, name)
        for edge in sorted({*printed.closed_edges, *printed.face.river_edges}):
            (u, v), (s, t) = corner(layout, edge), corner(layout, edge + 1)
            add((x + u, y + v), (x + s, y + t))
        if len(printed.face.banks) == 2:
            (u, v), (s, t) = corner(layout, printed.face.banks[0][0]), corner(layout, printed.face.banks[1][0])
            add((x + u, y + v), (x, y))
            add((x, y), (x + s, y + t))

    found: list[list[Point]] = []
    seen: set[tuple[int, int]] = set()
    ends = [spot for spot, steps in near.items() if len(steps) == 1]
    for start in sorted(ends, key=lambda spot: (-spots[spot][1], spots[spot][0])):
        if start in seen:
            continue
        way = [start]
        while onward := [spot for spot in near[way[-1]] if spot not in way]:
            way.append(onward[0])
        seen.update(way)
        found.append([spots[spot] for spot in way])
    return found


def smooth(bends: list[Point]) -> list[Point]:
    """Points of the course: quadratic pieces between the middles of the sides."""
    drawn = [bends[0]]
    for n in range(1, len(bends) - 1):
        before, here, after = bends[n - 1], bends[n], bends[n + 1]
        start = drawn[-1] if n == 1 else middle(before, here)
        end = after if n == len(bends) - 2 else middle(here, after)
        for step in range(1, 9):
            t = step / 8
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            drawn.append((a * start[0] + b * here[0] + c * end[0], a * start[1] + b * here[1] + c * end[1]))
    return drawn


def middle(one: Point, two: Point) -> Point:
    """Half way between two points."""
    return (one[0] + two[0]) / 2, (one[1] + two[1]) / 2


def near_to(points: tuple[Point, ...], at: Point, within: float = 125.0) -> list[Point]:
    """The points of the course near a hex, seen from its middle."""
    return [(x - at[0], y - at[1]) for x, y in points if math.dist((x, y), at) < within]
