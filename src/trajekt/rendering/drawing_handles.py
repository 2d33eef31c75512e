"""Handles over the picture of a tile or hex by which its track and stops are drawn: its edges, its stops, places for stops."""

from __future__ import annotations

from trajekt.engine.components.schema import Face
from trajekt.rendering.hex_geometry import outline, towards
from trajekt.rendering.tile_drawing import view_box
from trajekt.rendering.tile_layout import plan
from trajekt.rendering.track_curves import Point, number

EDGE, LEAN = 0.84, 0.42
"""Distances from the middle of a handle of an edge and of a place that leans to it, as parts of the way to the edge."""
SIZE = 17


def draw_handles(layout: str, face: Face | None, size: float) -> str:
    """The handles `size` px high; of a face that cannot be drawn the edges alone, on a blank hex.

    An edge has its number as `data-end`, a stop its letter; a place has `data-place`, the edge it leans to or `centre`.
    """
    ends = [(str(edge), towards(layout, edge, EDGE)) for edge in range(6)]
    if face is not None:
        ends += [(chr(ord("a") + n), spot.point) for n, spot in enumerate(plan(layout, face).spots)]
    places = [("centre", (0.0, 0.0)), *((str(edge), towards(layout, edge, LEAN)) for edge in range(6))]
    box, wide, high = view_box(layout, size)
    blank = f'<polygon class="blank" points="{outline(layout)}"/>' if face is None else ""
    drawn = [_handle("place", "pick-place", "data-place", name, at, "") for name, at in places]
    kinds = {name: "end" if name.isdecimal() else "end stop" for name, _ in ends}
    drawn += [_handle(kinds[name], "pick-end", "data-end", name, at, name) for name, at in ends]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="handles" viewBox="{box}" width="{wide}" height="{high}" '
        f'aria-hidden="true">{blank}{"".join(drawn)}</svg>'
    )


def _handle(kind: str, action: str, key: str, name: str, at: Point, text: str) -> str:
    x, y = map(number, at)
    words = f'<text x="{x}" y="{number(at[1] + 6)}">{text}</text>' if text else ""
    return f'<g class="{kind}" data-action="{action}" {key}="{name}"><circle cx="{x}" cy="{y}" r="{SIZE}"/>{words}</g>'
