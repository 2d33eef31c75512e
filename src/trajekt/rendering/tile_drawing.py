"""Tiles by themselves: for choosing one, and for the sheet of all tiles."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from trajekt.engine.components.schema import Face, Hex, Sheet, TileId, rotate_face
from trajekt.rendering.hex_cache import draw_cell
from trajekt.rendering.hex_drawing import Cell, Printed
from trajekt.rendering.hex_geometry import corner, outline
from trajekt.rendering.theme import Look
from trajekt.rendering.track_curves import RADIUS, Point, number

CHANNEL = '<path class="bank" d="{d}"/><path class="water" d="{d}"/>'


def draw_tile(
    sheet: Sheet, look: Look, number_: TileId, *, rotation: int = 0, size: float = 64, label: str = ""
) -> str:
    """One tile as a picture `size` px high, turned clockwise; `label` names it (default: its number)."""
    shown = tile_group(sheet, look, number_, rotation)
    box, wide, high = view_box(sheet.layout, size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tile" data-tile="{number_}" data-turn="{rotation}" viewBox="{box}" '
        f'width="{wide}" height="{high}" role="img" '
        f"aria-label={quoteattr(label or f'#{number_}')}>{shown}</svg>"
    )


def view_box(layout: str, size: float) -> tuple[str, str, str]:
    """The box of a picture of one hex around the origin, and its width and height where it is `size` px high."""
    half_width, half_height = (
        (RADIUS * 0.866 + 3, RADIUS + 3) if layout == "pointy" else (RADIUS + 3, RADIUS * 0.866 + 3)
    )
    box = f"{number(-half_width)} {number(-half_height)} {number(2 * half_width)} {number(2 * half_height)}"
    return box, number(size * half_width / half_height), number(size)


def tile_group(sheet: Sheet, look: Look, number_: TileId, rotation: int = 0) -> str:
    """The drawing of a tile around the origin."""
    cell = tile_cell(sheet, look, number_, rotation)
    land = f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout)}"/>'
    return land + channel(sheet.layout, cell.printed.face) + cell.track + cell.stops + cell.marks


def tile_cell(sheet: Sheet, look: Look, number_: TileId, rotation: int = 0) -> Cell:
    """A tile as a cell of its own, without a hex beneath."""
    tile = sheet.tiles[number_]
    face = rotate_face(tile.face, rotation)
    return draw_cell(sheet, look, Printed("", face, Hex(face=face), number_), channel_points(sheet.layout, face))


def channel(layout: str, face: Face) -> str:
    """The river on a tile with two banks."""
    points = channel_points(layout, face)
    if not points:
        return ""
    # A hair of a bend, so that the box of the path has a width and its gradient is drawn.
    (x0, y0), (x1, y1) = points[0], points[-1]
    d = f"M{number(x0)} {number(y0)}L{number(x0 + 0.1)} 0L{number(x1)} {number(y1)}"
    return f'<g class="channel">{CHANNEL.format(d=d)}</g>'


def channel_points(layout: str, face: Face) -> list[Point]:
    """The course of the river across a tile; empty where it has no banks."""
    if len(face.banks) != 2:
        return []
    start, end = (corner(layout, first_after(bank)) for bank in face.banks)
    return [(start[0] + (end[0] - start[0]) * k / 16, start[1] + (end[1] - start[1]) * k / 16) for k in range(17)]


def first_after(bank: tuple[int, ...]) -> int:
    """The first edge of a bank, clockwise; the river passes the corner before it."""
    return next(edge for edge in bank if (edge - 1) % 6 not in bank)
