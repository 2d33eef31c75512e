"""Tiles, tokens, market, style and the stand-alone pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tests.builders.random_positions import sheet
from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import opposite
from trajekt.games.rhl.theme import LOOK
from trajekt.rendering.colours import MAP_DARK, MAP_LIGHT, PAGE_DARK, PAGE_LIGHT, ROUTES
from trajekt.rendering.component_sheets import draw_sheet_svg, tiles_in_order
from trajekt.rendering.hex_geometry import towards
from trajekt.rendering.stock_market import Ghost, draw_market
from trajekt.rendering.styles import stylesheet
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.rendering.tile_layout import leg, plan
from trajekt.rendering.token_symbols import PARTITIONS, page_symbols
from trajekt.rendering.track_curves import at

SVG = "{http://www.w3.org/2000/svg}"
TILES = sorted(sheet(1).tiles)


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("turn", range(6))
def test_tiles_draw_inside_in_each_rotation(tile: str, turn: int) -> None:
    root = ET.fromstring(draw_tile(sheet(1), LOOK, tile, rotation=turn))
    assert (root.get("data-tile"), root.get("data-turn"), root.get("aria-label")) == (tile, str(turn), f"#{tile}")
    for text in root.iter(f"{SVG}text"):
        assert abs(float(text.get("x", 0))) < 87
        assert abs(float(text.get("y", 0))) < 101


@pytest.mark.parametrize("tile", TILES)
def test_amount_and_place_of_tile_drawn(tile: str) -> None:
    face = sheet(1).tiles[tile].face
    svg = draw_tile(sheet(1), LOOK, tile)
    ferry = any(piece.kind for piece in face.track)
    assert svg.count('class="slot"') == sum(stop.slots for stop in face.stops)
    by_ferry = face.ferry_revenue is not None
    assert svg.count('class="rev"') == (1 if ferry else len(face.stops)) + by_ferry
    assert svg.count('class="ferry"') == ferry
    if len(face.labels) == 1:
        assert f">{face.labels[0]}</text>" in svg


@pytest.mark.parametrize("tile", TILES)
def test_track_leaves_through_middle_of_side(tile: str) -> None:
    face = sheet(1).tiles[tile].face
    drawn = plan("pointy", face)
    for piece in face.track:
        part = leg(drawn, piece.a, piece.b)
        for end, share in ((piece.a, part.begin), (piece.b, part.end)):
            if end < 6:
                x, y = at(part.curve, share)
                u, v = towards("pointy", end)
                assert abs(x - u) + abs(y - v) < 0.01
                assert towards("pointy", opposite(end)) == pytest.approx((-u, -v))


def test_sheet_lists_tiles_once_yellow_first() -> None:
    order = tiles_in_order(sheet(1))
    assert sorted(order) == TILES
    assert sheet(1).tiles[order[0]].face.colour == "yellow"
    assert sheet(1).tiles[order[-1]].face.colour == "grey"


def test_each_company_has_its_symbol() -> None:
    for edition in (1, 2):
        symbols = page_symbols(sheet(edition), LOOK)
        for company in sheet(edition).companies:
            assert symbols.count(f'id="token-{company}"') == 1
            assert LOOK.tokens[company].partition in PARTITIONS
            assert f".tok-{company} .ground" in stylesheet(LOOK)


def test_market_printed_with_stacks_in_order() -> None:
    stacks = {(1, 5): ("DEE", "CCE", "ADR")}
    svg = "".join(
        draw_market(sheet(1), stacks, ghosts=[Ghost((1, 6), "+34", chosen=True), Ghost((1, 4), "0")], operated={"DEE"})
    )
    spaces = sum(1 for row in sheet(1).market.rows for cell in row if cell is not None)
    assert svg.count("data-space=") == spaces
    assert len(re.findall(r'class="cell par', svg)) == len(sheet(1).market.par_spaces)
    assert svg.index("#token-ADR") < svg.index("#token-CCE") < svg.index("#token-DEE")  # the last drawn lies on top
    assert svg.count('class="did"') == 1
    assert svg.count('class="ghost chosen"') == svg.count('class="ghost"') == 1
    assert 'aria-label="110, DEE, CCE, ADR"' in svg


def test_wide_stack_stays_in_its_space() -> None:
    svg = "".join(draw_market(sheet(1), {(2, 2): ("BME", "KKK", "ADR", "CME", "CCE", "RhE")}))
    left = [float(x) for x in re.findall(r'<use href="#token-\w+" x="([\d.-]+)"', svg)]
    assert len(left) == 6
    assert min(left) >= 0


def test_standalone_pictures_need_nothing_else() -> None:
    pictures = draw_sheet_svg(Board(sheet(1), {}), LOOK, stacks={(1, 4): ("CCE",)})
    assert sorted(pictures) == ["map", "market", "tiles"]
    for svg in pictures.values():
        root = ET.fromstring(svg)
        known = {element.get("id") for element in root.iter() if element.get("id")}
        used = {element.get("href", "#")[1:] for element in root.iter() if (element.get("href") or "").startswith("#")}
        assert used <= known
        assert "url(http" not in svg
        style = next(root.iter(f"{SVG}style")).text or ""
        named = set(re.findall(r"var\(--([\w-]+)\)", svg))
        assert all(f"--{name}:" in style for name in named)
    assert draw_sheet_svg(Board(sheet(1), {}), LOOK, stacks={(1, 4): ("CCE",)}) == pictures


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("page", "land"), [(PAGE_LIGHT, MAP_LIGHT), (PAGE_DARK, MAP_DARK)])
def test_all_text_readable_in_both_themes(page: dict[str, str], land: dict[str, str]) -> None:
    for ink in ("ink", "ink2", "ink3"):
        assert contrast(page[ink], page["page"]) >= 4.5
        assert contrast(page[ink], page["desk"]) >= 4.4
    assert contrast(page["may-ink"], page["may"]) >= 4.5
    assert contrast(page["turn-ink"], page["turn"]) >= 4.5
    for tint in ("yellow", "green", "brown", "grey", "red", "orange"):
        assert contrast(land["tile-ink"], land[tint]) >= 4.5
    for contents in ("land", "upland"):
        assert contrast(land["land-ink"], land[contents]) >= 4.5
        assert contrast(land["hill-ink"], land[contents]) >= 4.5
    assert set(MAP_LIGHT) == set(MAP_DARK)
    assert set(PAGE_LIGHT) == set(PAGE_DARK)


def test_token_letters_and_route_lines_contrast() -> None:
    for company, token in LOOK.tokens.items():
        assert contrast(token.ink, token.contents) >= 5.5, company
    assert all(contrast(colour, "#FFFFFF") >= 5.2 for colour in ROUTES)
