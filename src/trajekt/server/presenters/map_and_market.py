"""The map and the market of a position for the page; the drawing itself is done by `show`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, HexId, Sheet, Space
from trajekt.engine.state import State
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Catalogue
from trajekt.i18n.spoken import spoken_hex, spoken_space
from trajekt.rendering.hex_cache import plates
from trajekt.rendering.hex_geometry import outline
from trajekt.rendering.map import map_pieces, opening
from trajekt.rendering.map_legend import legend
from trajekt.rendering.route_lines import draw_routes
from trajekt.rendering.station_overlay import draw_stations, draw_values
from trajekt.rendering.stock_market import Ghost, draw_market
from trajekt.rendering.theme import PLAIN, Look
from trajekt.server.presenters.page_model import PageModel

WIDE, TALL = (42.0, 30.0), (42.0, 46.0)


def look_of(title: Title) -> Look:
    """The look of a game; plain where it brings none."""
    face = title.face()
    return face if isinstance(face, Look) else PLAIN


def links_of(board: Board) -> Mapping[str, int]:
    """Return how many entrances of each area of growing value are linked by track."""
    return {
        name: sum(
            1 for e in area.entrances if e.from_hex in board.sheet.hexes and e.from_edge in board.face(e.from_hex).edges
        )
        for name, area in board.sheet.areas.items()
    }


def map_drawn(
    state: State,
    title: Title,
    *,
    lit: Collection[HexId],
    routes: Sequence[Sequence[str]],
    marked: Collection[HexId],
    say: Catalogue,
) -> list[str]:
    """The map of a position in pieces, with the hexes that can be chosen, each described in the viewer's language."""
    kept, board, colour = plates(state.sheet, look_of(title)), state.board, state.current_phase.values

    def said(name: HexId) -> str:
        about = say.language, name, board.contents(name), colour
        return kept.words.of(about, lambda: spoken_hex(say, board, name, colour))

    pieces = map_pieces(
        kept,
        board,
        routes=routes,
        lit=lit,
        marked=marked,
        compact=False,
        colour=colour,
        tiles=state.current_phase.colour,
        links=links_of(board),
        said=said,
    )
    return [opening(state.sheet, compact=False, label=say.text("page.map_label", game=title.name)), *pieces, "</svg>"]


def route_layers(state: State, title: Title, routes: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Lines and rings of routes, to be put into a map that is drawn already."""
    kept = plates(state.sheet, look_of(title))
    return draw_routes(
        state.sheet, lambda name: kept.cell(name, state.board.contents(name)), routes, state.current_phase.values
    )


def hex_svg(state: State, title: Title, name: HexId) -> str:
    """One hex as it lies, around the origin: laid over the map to show a tile in place before it is confirmed."""
    sheet: Sheet = state.sheet
    contents = state.board.contents(name)
    cell = plates(sheet, look_of(title)).cell(name, contents)
    values = "".join(draw_values(sheet, at, revenue, state.current_phase.values) for at, _, revenue in cell.values)
    land = f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout)}"/>'
    return land + cell.track + cell.stops + draw_stations(cell, contents, sheet) + values + cell.marks


def market_drawn(
    state: State,
    title: Title,
    operated: Collection[CompanyId],
    ghosts: Sequence[Ghost],
    say: Catalogue,
    *,
    tall: bool = False,
) -> list[str]:
    """The market in pieces; `tall` for a phone."""
    spaces: set[Space] = set(state.markers.spaces.values())
    look = look_of(title).market
    stacks = {space: state.markers.stack(space) for space in spaces}
    return draw_market(
        state.sheet,
        stacks,
        look=look,
        ghosts=ghosts,
        operated=operated,
        cell=TALL if tall else WIDE,
        label=say.text("page.market"),
        said=lambda price, stack, texts: spoken_space(say, state.sheet, price, stack, texts, operated),
        rows=[say.text(f"market.row.{kind}") for kind in look.rows] if look is not None else (),
    )


@dataclass(frozen=True, slots=True)
class LegendPart(PageModel):
    """The key to the map: pictures with their words."""

    template: ClassVar[str] = "map_legend.html"
    rows: Sequence[tuple[str, str]]
    say: Catalogue


def legend_part(state: State, title: Title, say: Catalogue) -> LegendPart:
    """The key to the map of a game in a phase."""
    return LegendPart(legend(state.sheet, look_of(title), say, state.current_phase.values), say)
