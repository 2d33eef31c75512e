"""Off-board hexes: name, values, marks at the entrances, a tapering arrow at each, and the place for a token."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from trajekt.engine.components.schema import FIRST_STOP, Sheet
from trajekt.rendering.hex_drawing import Cell, draw_mark, draw_name
from trajekt.rendering.hex_geometry import direction, towards
from trajekt.rendering.label_placement import Box, block_box, put, seat
from trajekt.rendering.theme import Look, Mark
from trajekt.rendering.track_curves import APOTHEM, Point, number

LONG = 12  # letters that fit beside each other


def letter_area(cell: Cell, sheet: Sheet, look: Look) -> None:
    """Draw and letter an off-board hex; its values and tokens follow with each drawing of the map."""
    face, layout = cell.printed.face, cell.plan.layout
    edges = sorted(face.edges)
    crowded = len(face.track) > 1 or face.stops[0].slots > 0
    for edge in edges:
        cell.track += arrow(layout, edge, 0.72 if crowded else 0.56)
        cell.room.soft += [Box(*towards(layout, edge, 1 - k * 0.088), round=9, what="arrow") for k in range(6)]
    away = opposite_side(layout, edges)
    push = 20 if crowded else 10
    x, y = cell.placed.get("shift", (away[0] * push, away[1] * push * 0.9))[:2]
    name = _name(cell, (x, y))
    _values(cell, sheet, look, (x, name.y + 18.5 + 9.5 * len(name.lines)))
    _entrance_marks(cell, look)
    cell.stations += [[] for _ in face.stops]
    if face.stops[0].slots:
        _port(cell, towards(layout, edges[0], 0.5))
    _marks(cell, look, (x, y - 60))
    if cell.printed.hex.names:
        cell.marks += draw_name(cell, name)


def _name(cell: Cell, middle: Point) -> Box:
    """Seat the name in rows around a point, with room for the values below."""
    names, first = cell.printed.hex.names, cell.printed.face.stops[0]
    rows = tuple(re.split(r" |(?<=–)", names[0])) if len(names) == 1 and len(names[0]) > LONG else names or ("",)
    size = 18.0 if any(len(row) > 9 or (first.slots and len(row) > 7) for row in rows) else 20.0
    return put(cell.room, replace(block_box(rows, size, " ".join(names)), x=middle[0], y=middle[1] - 15.5))


def _values(cell: Cell, sheet: Sheet, look: Look, at: Point) -> None:
    """Make room for the values: by links, for each of what is counted, or by phases."""
    (x, top), first = at, cell.printed.face.stops[0]
    table = sheet.areas[first.group].value_by_links if first.group in sheet.areas else {}
    if table:
        cell.areas.append(((x, top + 4), first.group))
        put(cell.room, Box(x, top + 6, 14.5 * len(table), 13, 1, "values"))
    elif rate := cell.printed.hex.own.get("pays_for_links"):
        assert isinstance(rate, Mapping)
        icons = look.counted.get(str(rate.get("industry", "")), ())
        cell.marks += draw_rate(int(rate["amount"]), [look.marks[icon] for icon in icons], x, top)
        put(cell.room, Box(x, top, 22 + 14 * len(icons), 14, 1, "values"))
    elif len(first.revenue) > 1 or first.revenue.get("", 0):
        cell.values.append(((x, top), 0, first.revenue))
        put(cell.room, Box(x, top, 16.5 * len(first.revenue), 12, 1, "values"))


def _entrance_marks(cell: Cell, look: Look) -> None:
    """Draw the marks of the stops at their entrances."""
    face = cell.printed.face
    for n, stop in enumerate(face.stops):
        exits = [piece.a for piece in face.track if piece.b == FIRST_STOP + n]
        for icon in stop.icons if exits else ():
            u, v = cell.placed.get(f"icon{n}", towards(cell.plan.layout, exits[0], 0.62))[:2]
            cell.marks += draw_mark(look.marks.get(icon, Mark("pill", icon)), u, v)
            put(cell.room, Box(u, v, round=14, what=icon))


def _port(cell: Cell, wish: Point) -> None:
    """Draw the place for a token, as near as may be to where it is wished."""
    _, port = seat(cell.room, Box(0, 0, round=21, what="port"), wish, 0.1)
    u, v = cell.placed.get("slot", (port.x, port.y))[:2]
    cell.stops += f'<circle class="port" cx="{number(u)}" cy="{number(v)}" r="{20}"/>'
    cell.stations[0].append((u, v))
    put(cell.room, Box(u, v, round=21, what="port"))


def _marks(cell: Cell, look: Look, wish: Point) -> None:
    """Draw the marks that are printed or lie here, as near as may be to where they are wished."""
    for icon in (*cell.printed.face.icons, *cell.printed.icons):
        mark = look.marks.get(icon, Mark("pill", icon))
        box = Box(0, 0, 12, 0, 11, icon) if mark.shape == "pill" else Box(0, 0, round=14, what=icon)
        if icon in cell.placed:
            u, v = cell.placed[icon][:2]
            box = Box(u, v, box.half_width, box.half_height, box.round, icon)
        else:
            cost, box = seat(cell.room, box, wish)
            if cost > 40:  # no room: the area's name says as much
                continue
        put(cell.room, box)
        cell.marks += draw_mark(mark, box.x, box.y)


def draw_rate(amount: int, marks: Sequence[Mark], x: float, y: float) -> str:
    """Mark that an area pays for each of what is counted: the amount, a sign of times, the marks."""
    left = x - 14 * len(marks)
    drawn = f'<text class="times" x="{number(left)}" y="{number(y + 8)}">{amount} ×</text>'
    return drawn + "".join(draw_mark(mark, left + 44 + 29 * n, y) for n, mark in enumerate(marks))


def arrow(layout: str, edge: int, tip: float) -> str:
    """A tapering arrow from an entrance inward; `tip` is the share of the way at which it ends."""
    x, y = towards(layout, edge)
    u, v = towards(layout, edge, tip)
    across, down = -y / APOTHEM * 9, x / APOTHEM * 9
    points = ((x + across, y + down), (u, v), (x - across, y - down))
    return '<path class="arrow" d="M' + "L".join(f"{number(px)} {number(py)}" for px, py in points) + 'Z"/>'


def opposite_side(layout: str, edges: list[int]) -> Point:
    """A direction of length 1 away from the entrances."""
    x = -sum(math.cos(direction(layout, edge)) for edge in edges)
    y = -sum(math.sin(direction(layout, edge)) for edge in edges)
    size = math.hypot(x, y) or 1
    return x / size, y / size
