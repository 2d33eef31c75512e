"""Stand-alone pictures of a game's components: map, tiles and market, each an SVG that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, Sheet, Space, TileId
from trajekt.rendering.map import bounds, draw_map
from trajekt.rendering.stock_market import draw_edge, market_group
from trajekt.rendering.styles import stylesheet
from trajekt.rendering.theme import Look
from trajekt.rendering.tile_drawing import tile_group
from trajekt.rendering.token_symbols import symbols
from trajekt.rendering.track_curves import APOTHEM, RADIUS, number

ACROSS = 14  # tiles in a row of the sheet


def stand_alone(
    sheet: Sheet, look: Look, drawing: str, ground: tuple[float, float, float, float], scale: float = 1.0
) -> str:
    """An SVG file of its own: styles and symbols within, the desk behind it."""
    left, top, width, height = ground
    box = f'x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}"'
    style = escape(stylesheet(look))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{number(left)} {number(top)} {number(width)} {number(height)}" '
        f'width="{number(width * scale)}" height="{number(height * scale)}"><style>{style}</style>'
        f'<defs>{symbols(sheet, look)}</defs><rect {box} style="fill:var(--desk)"/>{drawing}</svg>\n'
    )


def draw_map_file(
    board: Board,
    look: Look,
    *,
    routes: Sequence[Sequence[str]] = (),
    value: str = "",
    links: Mapping[str, int] | None = None,
) -> str:
    """The map with what lies on it, as a file of its own."""
    drawn = draw_map(board, look, routes=routes, value=value, links=links, label=board.sheet.title)
    left, top, width, height = bounds(board.sheet)
    place = f'x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}"'
    placed = drawn.replace("<svg ", f"<svg {place} ", 1)
    return stand_alone(board.sheet, look, placed, (left, top, width, height))


def draw_tiles_file(sheet: Sheet, look: Look) -> str:
    """All tiles in the order of their colours, with how many there are of each."""
    wide, high = 2 * APOTHEM + 26, 2 * RADIUS + 44
    svg = ""
    for n, tile in enumerate(tiles_in_order(sheet)):
        row, column = divmod(n, ACROSS)
        x, y = (column + 0.5) * wide, row * high + RADIUS
        svg += f'<g class="tile" transform="translate({number(x)} {number(y)})">{tile_group(sheet, look, tile)}'
        svg += f'<text class="sheet-count" y="{number(RADIUS + 22)}">#{escape(tile)} · {sheet.tiles[tile].count}</text></g>'
    rows = -(-len(sheet.tiles) // ACROSS)
    return stand_alone(sheet, look, svg, (-20, -20, ACROSS * wide + 40, rows * high + 40), 0.6)


def tiles_in_order(sheet: Sheet) -> list[TileId]:
    """By colour, a colour outside the order after the first; then by number."""
    order = {colour: 2.0 * n for n, colour in enumerate(sheet.colours)}
    return sorted(sheet.tiles, key=lambda tile: (order.get(sheet.tiles[tile].face.colour, 1.0), len(tile), tile))


def draw_market_file(sheet: Sheet, look: Look, stacks: Mapping[Space, Sequence[CompanyId]] | None = None) -> str:
    """The stock market with its markers."""
    cell = (42.0, 30.0)
    spaces, width, height = market_group(sheet, stacks or {}, (), (), cell, look=look.market)
    edge = draw_edge(look.market, cell) if look.market is not None else []
    left = cell[0] + 2 if edge else 0
    ground = (-12 - left, -12, width + left + 24, height + 24)
    return stand_alone(sheet, look, f'<g class="market">{"".join((*spaces, *edge))}</g>', ground, 2)


def draw_sheet_svg(
    board: Board,
    look: Look,
    *,
    routes: Sequence[Sequence[str]] = (),
    value: str = "",
    links: Mapping[str, int] | None = None,
    stacks: Mapping[Space, Sequence[CompanyId]] | None = None,
) -> dict[str, str]:
    """The components of a game as SVG files: `map`, `tiles` and `market`."""
    return {
        "map": draw_map_file(board, look, routes=routes, value=value, links=links),
        "tiles": draw_tiles_file(board.sheet, look),
        "market": draw_market_file(board.sheet, look, stacks),
    }
