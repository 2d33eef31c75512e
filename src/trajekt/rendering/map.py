"""The map as SVG: land, river, track, routes, and a group for each hex with its stops, tokens and lettering.

Colours come from `style`; the symbols from `tokens.page_symbols`. Nothing here reads a clock, a file or a setting: the
same board gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.board.board import Board, HexContents
from trajekt.engine.board.hexgrid import beyond, join, split
from trajekt.engine.components.schema import HexId, Sheet
from trajekt.engine.memo import MemoTable, memo_function
from trajekt.rendering.hex_cache import Layers, Plates, plates
from trajekt.rendering.hex_drawing import Cell, is_blank
from trajekt.rendering.hex_geometry import centre, corner, outline
from trajekt.rendering.landmarks import draw_landmark, landmarks
from trajekt.rendering.route_lines import draw_routes
from trajekt.rendering.station_overlay import draw_links, draw_stations, draw_values
from trajekt.rendering.theme import Look
from trajekt.rendering.token_symbols import letters_of
from trajekt.rendering.track_curves import number

MARGIN = 12.0
RIM = 34.0  # room for the letters and numbers at the rim
_BOUNDS: MemoTable[Sheet, bool, tuple[float, float, float, float]] = MemoTable("bounds of the map")


def draw_map(
    board: Board,
    look: Look,
    *,
    routes: Sequence[Sequence[str]] = (),
    lit: Collection[HexId] = (),
    marked: Collection[HexId] = (),
    compact: bool = False,
    value: str = "",
    tiles: str = "",
    links: Mapping[str, int] | None = None,
    label: str = "",
    said: Callable[[HexId], str] | None = None,
) -> str:
    """The map with all that lies on it.

    `routes` are lines of references, see `lines`; `lit` hexes can be chosen now, `marked` ones have been. `value` is the
    colour whose off-board values are in force, `tiles` the newest colour of tiles (default: the first phase's), `links` the
    links made to each area.
    `compact` leaves out lettering and rim, for thumbnails. `label` names the picture for screen readers,
    `said` each hex; without it a hex is described without words of any language.
    """
    kept, sheet = plates(board.sheet, look), board.sheet
    colour = value or (sheet.phases[0].values if sheet.phases else "")
    words = said or (lambda name: describe(sheet, name, board.contents(name)))
    pieces = map_pieces(
        kept,
        board,
        routes=routes,
        lit=lit,
        marked=marked,
        compact=compact,
        colour=colour,
        tiles=tiles or (sheet.phases[0].colour if sheet.phases else ""),
        links=links or {},
        said=words,
    )
    return f"{opening(sheet, compact, label)}{''.join(pieces)}</svg>"


def opening(sheet: Sheet, compact: bool, label: str) -> str:
    """The tag with which the drawing of a map begins."""
    left, top, width, height = (number(each) for each in bounds(sheet, compact))
    named = f" aria-label={quoteattr(label)}" if label else ""
    kind, role = ("map compact", "img") if compact else ("map", "group")
    box = f'viewBox="{left} {top} {width} {height}" role="{role}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" {box}{named}>'


def map_pieces(
    kept: Plates,
    board: Board,
    *,
    routes: Sequence[Sequence[str]],
    lit: Collection[HexId],
    marked: Collection[HexId],
    compact: bool,
    colour: str,
    tiles: str,
    links: Mapping[str, int],
    said: Callable[[HexId], str],
) -> list[str]:
    """Draw the map in pieces of which few change from one position to the next. `said` describes a hex in words."""
    sheet = board.sheet
    land, relief, track, groups, names = [], [], [], [], []
    known = {} if compact else landmarks(sheet, bounds(sheet))
    first = True
    for name in kept.order:
        contents, chosen = board.contents(name), name in lit
        if not contents.tile and is_blank(sheet.hexes[name].face):
            groups.append(f'<g class="hex blank" data-hex="{name}"></g>')
            continue
        cell = kept.cell(name, contents)
        made = tuple(links.get(area, 0) for _, area in cell.areas)
        closed = closing_colour(sheet, name) if closed_before(sheet, name, contents, tiles) else ""
        drawn = kept.hexes.of(
            (name, contents, colour, made, compact, closed),
            partial(draw_hex, sheet, cell, contents, colour, made, compact, closed),
        )
        land.append(drawn.land)
        relief.append(drawn.relief)
        track.append(drawn.track)
        state = ("hex lit" if chosen else "hex") + (" marked" if name in marked else "")
        group = f'<g class="{state}" data-hex="{name}"'
        if not compact:
            reach = 0 if chosen or (first and not lit) else -1
            first = False
            group += f' role="{"button" if chosen else "img"}" tabindex="{reach}" aria-label={quoteattr(said(name))}'
        groups += f"{group} {moved_to(sheet, name)}>", drawn.inner
        if name in known:
            names.append(draw_landmark(known[name], cell.marks))

    lines, rings = (
        draw_routes(sheet, lambda at: kept.cell(at, board.contents(at)), routes, colour) if routes else ("", "")
    )
    return _grouped(
        ("lands", [*land, *seams(sheet)]), ("reliefs", relief), ("rivers", [river_of(kept, compact)]), ("tracks", track),
        ("routes", [lines]), ("rings", [rings]), ("hexes", groups),
        ("rim", [] if compact else [rim(sheet)]),
        ("lit-edges", [edges_once(sheet, lit)] if lit else []),
        ("landmarks", names),
    )  # fmt: skip


def edges_once(sheet: Sheet, names: Collection[HexId]) -> str:
    """Draw the sides of hexes, dashed on a ground of their own; one that two of them share is drawn once."""
    sides: dict[frozenset[tuple[int, int]], str] = {}
    for name in names:
        x, y = centre(sheet.layout, name)
        ring = [(x + u, y + v) for u, v in (corner(sheet.layout, edge) for edge in range(6))]
        for (x1, y1), (x2, y2) in zip(ring, (*ring[1:], ring[0]), strict=True):
            ends = frozenset({(round(x1), round(y1)), (round(x2), round(y2))})
            sides.setdefault(ends, f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
    path = "".join(sides.values())
    return f'<path class="ground" d="{path}"/><path d="{path}"/>'


def _grouped(*layers: tuple[str, Sequence[str]]) -> list[str]:
    """The pieces of the layers that have any, each layer in a group of its own."""
    out = []
    for kind, drawings in layers:
        if any(drawings):
            out += [f'<g class="{kind}">', *filter(None, drawings), "</g>"]
    return out


def draw_hex(
    sheet: Sheet, cell: Cell, contents: HexContents, colour: str, made: Sequence[int], compact: bool, closed: str = ""
) -> Layers:
    """Draw one hex in its layers on the map.

    `made` are the links to the areas that it shows, in their order; `closed` is the colour with which it is opened.
    """
    x, y = centre(sheet.layout, cell.printed.name)
    shift = moved_to(sheet, cell.printed.name)
    inner = cell.stops + draw_stations(cell, contents, sheet)
    if not compact:
        inner += "".join(draw_values(sheet, at, revenue, colour) for at, _, revenue in cell.values)
        for (at, area), links in zip(cell.areas, made, strict=True):
            inner += draw_links(sheet.areas[area].value_by_links, at, links)
        inner += cell.marks
    if closed:
        inner += draw_closed(closed)
    inner += f'<polygon class="hit" points="{outline(sheet.layout, size=97)}"/>'
    return Layers(
        land=f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout, (x, y))}"/>',
        relief=f"<g {shift}>{cell.relief}</g>" if cell.relief and not compact else "",
        track=f'<g data-at="{cell.printed.name}" {shift}>{cell.track}</g>' if cell.track else "",
        inner=f"{inner}</g>",
    )


def moved_to(sheet: Sheet, name: HexId) -> str:
    """The attribute that brings what is drawn around a hex's own centre to its place."""
    x, y = centre(sheet.layout, name)
    return f'transform="translate({number(x)} {number(y)})"'


def closing_colour(sheet: Sheet, name: HexId) -> str:
    """The colour with which a hex is opened, empty where it is open from the beginning."""
    until = sheet.hexes[name].blocked_until
    return sheet.phase_by_name[until].colour if until in sheet.phase_by_name else until


def closed_before(sheet: Sheet, name: HexId, contents: HexContents, tiles: str) -> bool:
    """Tell a hex on which no tile may be laid yet: neither lies one, nor has the colour come."""
    until = closing_colour(sheet, name)
    return until in sheet.colours and not contents.tile and sheet.rank(tiles) < sheet.rank(until)


def draw_closed(colour: str) -> str:
    """Draw the sign of a closed hex: a bar through a small hexagon in the colour that opens it."""
    return (
        f'<g class="closed"><path class="t-{colour}" d="M0-24L20.8-12V12L0 24L-20.8 12V-12Z"/>'
        '<path class="bar" d="M-12 0H12"/></g>'
    )


@memo_function
def seams(sheet: Sheet) -> list[str]:
    """Cover the sides between hexes that are printed as one field; found once for a sheet."""
    drawn: list[str] = []
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


def describe(sheet: Sheet, name: HexId, contents: HexContents) -> str:
    """A hex in a line without words of any language: coordinate, names, tile, stations."""
    parts = [name, *sheet.hexes[name].names]
    if contents.tile:
        parts.append(f"#{contents.tile}")
    parts += [letters_of(sheet, station.company) for station in contents.stations if not station.asleep]
    parts += [f"({letters_of(sheet, station.company)})" for station in contents.stations if station.asleep]
    parts += [f"({letters_of(sheet, keeper.company)})" for keeper in contents.reservations]
    return ", ".join(parts)


def river_of(kept: Plates, compact: bool) -> str:
    """The river, in a thumbnail without its name."""
    return kept.course.svg.split('<path id="river-course"')[0] if compact else kept.course.svg


def bounds(sheet: Sheet, compact: bool = False) -> tuple[float, float, float, float]:
    """Left, top, width and height of the drawing, without the blank hexes of the rim; worked out once for a sheet."""
    return _BOUNDS.get(sheet, compact, lambda: _bounds(sheet, RIM * (not compact)))


def _bounds(sheet: Sheet, rim_width: float) -> tuple[float, float, float, float]:
    shown = [name for name, printed in sheet.hexes.items() if not is_blank(printed.face)]
    corners = [corner(sheet.layout, edge) for edge in range(6)]
    xs = [x + u for x, _ in (centre(sheet.layout, name) for name in shown) for u, _ in corners]
    ys = [y + v for _, y in (centre(sheet.layout, name) for name in shown) for _, v in corners]
    left, top = min(xs) - MARGIN - rim_width, min(ys) - MARGIN - rim_width
    return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top


@memo_function
def rim(sheet: Sheet) -> str:
    """Letters down the left side, numbers along the top; drawn once for a sheet."""
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
