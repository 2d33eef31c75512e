"""The map as SVG: land, river, track, routes, and a group for each hex with its stops, tokens and lettering.

Colours come from `style`; the symbols from `tokens.page_symbols`. Nothing here reads a clock, a file or a setting: the
same board gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.board import Board, Ground
from trajekt.engine.hexes import beyond, by_place, join, split
from trajekt.engine.sheet import HexId, Sheet
from trajekt.show.cells import Cell, is_blank
from trajekt.show.curves import number
from trajekt.show.hexagons import centre, corner, outline
from trajekt.show.lines import draw_routes
from trajekt.show.look import Look
from trajekt.show.plates import Plates, plates
from trajekt.show.stations import draw_links, draw_stations, draw_values
from trajekt.show.tokens import letters_of

MARGIN = 12.0
RIM = 34.0  # room for the letters and numbers at the rim


def draw_map(
    board: Board,
    look: Look,
    *,
    routes: Sequence[Sequence[str]] = (),
    lit: Collection[HexId] = (),
    marked: Collection[HexId] = (),
    compact: bool = False,
    value: str = "",
    links: Mapping[str, int] | None = None,
    label: str = "",
    said: Callable[[HexId], str] | None = None,
) -> str:
    """The map with all that lies on it.

    `routes` are lines of references, see `lines`; `lit` hexes can be chosen now, `marked` ones have been. `value` is the
    colour whose off-board values are in force (default: the first phase's), `links` the links made to each area.
    `compact` leaves out lettering and rim, for thumbnails. `label` names the picture for screen readers,
    `said` each hex; without it a hex is described without words of any language.
    """
    kept = plates(board.sheet, look)
    sheet = board.sheet
    colour = value or (sheet.phases[0].values if sheet.phases else "")
    made = links or {}

    def cell_of(name: HexId) -> Cell:
        return kept.cell(name, board.ground(name))

    land, relief, track, groups = [], [], [], []
    first = True
    for name in by_place(sheet.hexes):
        ground = board.ground(name)
        face = board.face(name)
        x, y = centre(sheet.layout, name)
        if not ground.tile and is_blank(face):
            groups.append(f'<g class="hex blank" data-hex="{name}"></g>')
            continue
        cell = cell_of(name)
        shift = f'transform="translate({number(x)} {number(y)})"'
        land.append(f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout, (x, y))}"/>')
        if cell.relief and not compact:
            relief.append(f"<g {shift}>{cell.relief}</g>")
        if cell.track:
            track.append(f'<g data-at="{name}" {shift}>{cell.track}</g>')
        inner = cell.stops + draw_stations(cell, ground, sheet)
        if not compact:
            inner += "".join(draw_values(sheet, at, revenue, colour) for at, _, revenue in cell.values)
            inner += "".join(draw_links(sheet.areas[a].value_by_links, at, made.get(a, 0)) for at, a in cell.areas)
            inner += cell.marks
        chosen = name in lit
        state = ("hex lit" if chosen else "hex") + (" marked" if name in marked else "")
        inner += f'<polygon class="hit" points="{outline(sheet.layout, size=97)}"/>'
        if compact:
            groups.append(f'<g class="{state}" data-hex="{name}" {shift}>{inner}</g>')
            continue
        reach = 0 if chosen or (first and not lit) else -1
        first = False
        role = f'role="{"button" if chosen else "img"}" tabindex="{reach}"'
        words = quoteattr(said(name) if said else describe(sheet, name, ground))
        groups.append(f'<g class="{state}" data-hex="{name}" {role} aria-label={words} {shift}>{inner}</g>')

    land += seams(sheet)
    lines, rings = draw_routes(sheet, cell_of, routes, colour) if routes else ("", "")
    left, top, width, height = bounds(sheet, compact)
    layers = (
        ("lands", "".join(land)), ("reliefs", "".join(relief)), ("rivers", river_of(kept, compact)), ("tracks", "".join(track)),
        ("routes", lines), ("rings", rings), ("hexes", "".join(groups)), ("rim", "" if compact else rim(sheet)),
    )  # fmt: skip
    body = "".join(f'<g class="{kind}">{drawn}</g>' for kind, drawn in layers if drawn)
    named = f" aria-label={quoteattr(label)}" if label else ""
    kind = "map compact" if compact else "map"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="{number(left)} {number(top)} {number(width)} '
        f'{number(height)}" role="{"img" if compact else "group"}"{named}>{body}</svg>'
    )


def seams(sheet: Sheet) -> list[str]:
    """What covers the side between hexes that are printed as one field."""
    drawn = []
    for name, printed in sheet.hexes.items():
        for edge in range(6):
            if name < (other := beyond(name, edge, sheet.layout)) and other in printed.joined:
                x, y = centre(sheet.layout, name)
                (u, v), (s, t) = corner(sheet.layout, edge), corner(sheet.layout, edge + 1)
                along = (s - u) * 0.02, (t - v) * 0.02  # short of the corners, where other hexes begin
                start = f"{number(x + u + along[0])} {number(y + v + along[1])}"
                drawn.append(
                    f'<path class="seam on-{printed.face.colour}" '
                    f'd="M{start}L{number(x + s - along[0])} {number(y + t - along[1])}"/>'
                )
    return drawn


def describe(sheet: Sheet, name: HexId, ground: Ground) -> str:
    """A hex in a line without words of any language: coordinate, names, tile, stations."""
    parts = [name, *sheet.hexes[name].names]
    if ground.tile:
        parts.append(f"#{ground.tile}")
    parts += [letters_of(sheet, station.company) for station in ground.stations if not station.asleep]
    parts += [f"({letters_of(sheet, station.company)})" for station in ground.stations if station.asleep]
    parts += [f"({letters_of(sheet, keeper.company)})" for keeper in ground.kept]
    return ", ".join(parts)


def river_of(kept: Plates, compact: bool) -> str:
    """The river, in a thumbnail without its name."""
    return kept.course.svg.split('<path id="river-course"')[0] if compact else kept.course.svg


def bounds(sheet: Sheet, compact: bool = False) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing, without the blank hexes of the rim; worked out once for a sheet."""
    known: dict[bool, tuple[float, float, float, float]] = sheet.__dict__.setdefault("bounds", {})
    if compact in known:
        return known[compact]
    shown = [name for name, printed in sheet.hexes.items() if not is_blank(printed.face)]
    corners = [corner(sheet.layout, edge) for edge in range(6)]
    xs = [x + u for x, _ in (centre(sheet.layout, name) for name in shown) for u, _ in corners]
    ys = [y + v for _, y in (centre(sheet.layout, name) for name in shown) for _, v in corners]
    rim_width = 0.0 if compact else RIM
    left, top = min(xs) - MARGIN - rim_width, min(ys) - MARGIN - rim_width
    known[compact] = left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top
    return known[compact]


def rim(sheet: Sheet) -> str:
    """Letters down the left side, numbers along the top."""
    shown = [name for name, printed in sheet.hexes.items() if not is_blank(printed.face)]
    left, top, _, _ = bounds(sheet)
    svg = ""
    for letter in sorted({split(name)[0] for name in shown}):
        _, y = centre(sheet.layout, join(letter, 0))
        svg += f'<text class="axis" x="{number(left + 22)}" y="{number(y + 7)}">{escape(join(letter, 0)[:-1])}</text>'
    for column in sorted({split(name)[1] for name in shown}):
        x, _ = centre(sheet.layout, join(1, column))
        svg += f'<text class="axis" x="{number(x)}" y="{number(top + 26)}">{column}</text>'
    return svg
