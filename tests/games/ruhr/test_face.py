"""The look of 18Ruhr: the flat map, the row of values in two lines, letters that can be read."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import at_table, located, with_tiles
from trajekt.engine.board.board import Reservation, Station
from trajekt.games.ruhr.theme import LOOK, MARKS, TOKENS
from trajekt.rendering.hex_cache import plates
from trajekt.rendering.map import draw_map
from trajekt.rendering.station_overlay import draw_stations
from trajekt.rendering.stock_market import draw_market, lines_of
from trajekt.rendering.theme import PLAIN
from trajekt.rendering.track_curves import number


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    light = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


@pytest.mark.parametrize("company", TOKENS)
def test_letters_are_readable_on_both_tones(company):
    token = TOKENS[company]
    for tone in (token.contents, token.second):
        high, low = sorted((luminance(tone), luminance(token.ink)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (company, tone)


def test_companies_and_marks_have_looks():
    sheet = at_table().sheet
    assert set(TOKENS) == set(sheet.companies)
    assert {icon for printed in sheet.hexes.values() for icon in printed.face.icons} | {
        "L0",
        "L10",
        "L20",
        "L30",
    } == set(MARKS)


def test_flat_map_shows_hexes_and_markers():
    state = located(with_tiles(at_table(), I10="MB1 r0"), pmc6=30)
    drawn = draw_map(state.board, LOOK)
    shown = set(re.findall(r'data-hex="([A-Z]\d+)"', drawn))
    assert shown == set(state.sheet.hexes)
    assert drawn.count(">30<") >= 1
    left, top, width, height = map(float, re.search(r'viewBox="([^"]+)"', drawn).group(1).split())
    for x, y in re.findall(
        r'class="hex[^"]*" data-hex="[^"]+"[^>]*transform="translate\(([\d.-]+) ([\d.-]+)\)"', drawn
    ):
        assert left < float(x) < left + width
        assert top < float(y) < top + height
    assert width > height  # wider than high, as the Ruhr area


def test_long_row_is_drawn_twice():
    sheet = at_table().sheet
    assert lines_of(sheet.market) == (16, 2)
    drawn = "".join(draw_market(sheet, {(1, 11): ("BME",), (1, 32): ("CME",)}))
    places = {
        space: (x, y) for space, x, y in re.findall(r'data-space="1,(\d+)"[^>]*translate\(([\d.]+) ([\d.]+)\)', drawn)
    }
    assert len(places) == 32
    assert places["1"] == ("0", "0")
    assert places["17"][0] == "0"
    assert places["17"][1] != "0"


def test_tile_leaves_industry_visible():
    state = with_tiles(at_table(), P13="718 r0")
    marks = plates(state.sheet, LOOK).cell("P13", state.board.contents("P13")).marks
    assert "#mark-mill" in marks
    assert "#mark-mill" not in plates(state.sheet, PLAIN).cell("P13", state.board.contents("P13")).marks


@pytest.mark.rule("RUHR-TRK-14")
def test_marker_lies_in_montan_circle():
    sheet = at_table().sheet
    assert {name for name, tile in sheet.tiles.items() if tile.own.get("location_space")} == LOOK.circled
    green, brown = (with_tiles(located(at_table(), pmc6=20), I10=f"{tile} r0").board for tile in ("MG1", "MB1"))
    assert ("pill-14713A circled" in draw_map(green, LOOK), "pill-14713A circled" in draw_map(brown, LOOK)) == (
        False,
        True,
    )
    cell = plates(sheet, LOOK).cell("I10", brown.contents("I10"))
    taken = replace(brown.contents("I10"), stations=(Station("CME", 0), Station("BME", 0)))
    places = [f"translate({number(x)} {number(y)})" for x, y in cell.stations[0]]
    for contents, at in (
        (brown.contents("I10"), 2),
        (taken, 2),
        (replace(taken, reservations=(Reservation("EH", 0),)), 2),
    ):
        assert f'circled" transform="{places[at]}"' in draw_stations(cell, contents, sheet)
    kept = replace(brown.contents("I10"), reservations=(Reservation("EH", 0),))
    assert f'circled" transform="{places[1]}"' in draw_stations(cell, kept, sheet)
