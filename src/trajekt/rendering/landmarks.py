"""Landmarks: few names, large, for a map that is seen whole on a small screen, where those within their hexes are too small.

A landmark is shown only while the name of its hex is too small; the places for them are found once for a sheet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.sax.saxutils import escape

from trajekt.engine.components.schema import Hex, HexId, Sheet
from trajekt.engine.memo import MemoTable
from trajekt.rendering.hex_drawing import is_blank
from trajekt.rendering.hex_geometry import centre
from trajekt.rendering.label_placement import width
from trajekt.rendering.track_curves import number

SCREEN = (390, 250)
"""Width and height of the map on a phone, in px, where a long decision stands under it."""
POINTS = 8.75
"""Size of a landmark on the screen, in px."""
BELOW = 68
"""Units of the drawing from the middle of a hex to that of its landmark, so that its stations stay in sight."""
ROOM = 1.25
"""Height that a landmark takes, in its size."""
OWN = re.compile(r'class="name [^"]*\bg(\d+)')
"""Size up to which the name of a hex grows within it."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """A name that stands for a part of the map, with its middle in units of the drawing."""

    name: str
    x: float
    y: float


LANDMARKS: MemoTable[Sheet, tuple[float, float, float, float], dict[HexId, Landmark]] = MemoTable("landmarks")


def landmarks(sheet: Sheet, bounds: tuple[float, float, float, float]) -> dict[HexId, Landmark]:
    """The hexes whose names stand for the map seen whole, found once for a sheet; `bounds` are those of the drawing."""
    return LANDMARKS.get(sheet, bounds, lambda: _seated(sheet, bounds))


def _seated(sheet: Sheet, bounds: tuple[float, float, float, float]) -> dict[HexId, Landmark]:
    left, top, across, high = bounds
    size = POINTS * max(across / SCREEN[0], high / SCREEN[1])
    homes = {home.hex for company in sheet.companies.values() for home in company.homes}
    named = [name for name, printed in sheet.hexes.items() if printed.names and not is_blank(printed.face)]
    found: dict[HexId, Landmark] = {}
    taken: list[tuple[float, float, float]] = []
    for name in sorted(named, key=lambda name: (_rank(sheet.hexes[name], name in homes), name)):
        if _rank(sheet.hexes[name], name in homes) == TOWN:
            break
        text = sheet.hexes[name].names[0]
        if any(text == mark.name for mark in found.values()):
            continue
        half = width(text, size) / 2
        x, y = centre(sheet.layout, name)
        x = min(max(x, left + half), left + across - half)
        y = min(y + BELOW, top + high - size / 2)
        if all(abs(x - u) > half + wide + size / 4 or abs(y - v) > size * ROOM for u, v, wide in taken):
            taken.append((x, y, half))
            found[name] = Landmark(text, x, y)
    return found


TOWN = 3
"""The rank of places that are no landmark."""


def _rank(printed: Hex, home: bool) -> int:
    """Tell which names come first: off-board places, homes, other cities; the rest not at all."""
    if printed.face.colour == "red":
        return 0
    if not any(stop.slots for stop in printed.face.stops):
        return TOWN
    return 1 if home or printed.face.labels else 2


def draw_landmark(mark: Landmark, marks: str) -> str:
    """Draw a landmark; `marks` is the lettering of its hex, by which it is known from when on it is needed."""
    least = max((int(size) for size in OWN.findall(marks)), default=0)
    return f'<text class="landmark m{least}" x="{number(mark.x)}" y="{number(mark.y)}">{escape(mark.name)}</text>'
