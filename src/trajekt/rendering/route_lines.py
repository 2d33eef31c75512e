"""Route lines: casing, colour and dash for each train, and a ring round every stop that pays.

A route is a sequence of references as in `engine.board.track_graph`: pieces of track (`"K6:4a"`, a ferry `"F9:ab"`) and,
where not every stop on the way pays, the stops that do (`"K6:a"`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trajekt.engine.board.track_graph import ends_of, hex_of
from trajekt.engine.components.schema import FIRST_STOP, Sheet
from trajekt.rendering.hex_drawing import Cell, is_area, stop_shape
from trajekt.rendering.hex_geometry import centre, towards
from trajekt.rendering.station_overlay import STEP_WIDTH, value_frame
from trajekt.rendering.tile_layout import Leg, is_city, leg
from trajekt.rendering.track_curves import Line, number, path

KINDS = 6  # lines that can be told apart; a seventh train starts again


def split(reference: str) -> tuple[str, tuple[int, ...]]:
    """The hex and the ends of a reference: edges 0 to 5, stops from 6. ValueError where it is none."""
    ends = ends_of(reference)
    if not 1 <= len(ends) <= 2 or min(ends) < 0:
        message = f"{reference!r} is no reference of a stop or a piece of track"
        raise ValueError(message)
    return hex_of(reference), ends


def paying(route: Sequence[str]) -> list[tuple[str, int]]:
    """The stops to be ringed: those named, else every stop on the way, each once and in order."""
    parts = [split(reference) for reference in route]
    named = [(name, ends[0] - FIRST_STOP) for name, ends in parts if len(ends) == 1]
    passed = [(name, end - FIRST_STOP) for name, ends in parts if len(ends) == 2 for end in ends if end >= FIRST_STOP]
    return list(dict.fromkeys(named or passed))


def draw_routes(
    sheet: Sheet, cell_of: Callable[[str], Cell], routes: Sequence[Sequence[str]], colour: str
) -> tuple[str, str]:
    """The lines and the rings under the stops, as two layers."""
    lines = ""
    rings: list[str] = []
    worn: dict[tuple[str, int], int] = {}
    for n, route in enumerate(routes):
        kind = n % KINDS + 1
        d = ""
        for reference in route:
            name, ends = split(reference)
            if len(ends) == 2:
                x, y = centre(sheet.layout, name)
                part = stretch(cell_of(name), *ends)
                d += f'<path d="{path(part.curve, part.begin, part.end)}" transform="translate({number(x)} {number(y)})"/>'
        lines += f'<g class="rt-case">{d}</g><g class="rt r{kind}">{d}</g>'
        for name, stop in paying(route):
            again = worn.get((name, stop), 0)
            worn[name, stop] = again + 1
            wide = f" wide{min(again, 3)}" if again else ""
            ring = draw_ring(sheet, cell_of(name), stop, f"ring q{kind}{wide}", colour, again)
            x, y = centre(sheet.layout, name)
            drawn = f'<g transform="translate({number(x)} {number(y)})">{ring}</g>'
            rings.insert(0 if again else len(rings), drawn)
    return lines, "".join(rings)


def stretch(cell: Cell, a: int, b: int) -> Leg:
    """The track of a piece; on an off-board hex the way in."""
    if is_area(cell.printed.face):
        edge = min(a, b)
        return Leg(Line(towards(cell.plan.layout, edge), towards(cell.plan.layout, edge, 0.5)))
    return leg(cell.plan, a, b)


def draw_ring(sheet: Sheet, cell: Cell, stop: int, kind: str, colour: str, again: int) -> str:
    """The ring of one stop, wider for each line that it wears already; ValueError where there is no such stop."""
    face = cell.printed.face
    if stop >= len(face.stops):
        message = f"{cell.printed.name} has no stop {stop}"
        raise ValueError(message)
    if is_city(face.stops[stop]) or face.stops[stop].kind == "town":
        return stop_shape(cell.plan, stop, kind)
    box = shown_value(sheet, cell, colour)
    if box is None:
        return stop_shape(cell.plan, stop, kind)
    left, top, width, height = box
    grow = 4 + 5 * again
    return (
        f'<rect class="{kind} v" x="{number(left - grow)}" y="{number(top - grow)}" '
        f'width="{number(width + 2 * grow)}" height="{number(height + 2 * grow)}" rx="7"/>'
    )


def shown_value(sheet: Sheet, cell: Cell, colour: str) -> tuple[float, float, float, float] | None:
    """The frame of the value that an off-board stop shows."""
    for at, _, revenue in cell.values:
        return value_frame(sheet, at, revenue, colour)
    for (x, y), group in cell.areas:
        table: Mapping[int, int] = sheet.areas[group].value_by_links
        half = STEP_WIDTH * len(table) / 2
        return x - half, y - 17, 2 * half, 34
    return None
