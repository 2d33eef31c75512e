"""What is drawn tells what is there: colours of marks, terrain, costs, values by ferry, places that are open or closed."""

from __future__ import annotations

import re

import pytest

from trajekt.engine.board.board import HexContents
from trajekt.games.do.panels import ACROSS, cubes
from trajekt.registry import title
from trajekt.rendering.hex_cache import plates
from trajekt.rendering.hex_drawing import HOUSES, RIDGE, WAVE
from trajekt.rendering.map import draw_map
from trajekt.rendering.styles import stylesheet
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.server.presenters.map_and_market import look_of

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
DRAWINGS = {"water": WAVE, "mountain": RIDGE, "hill": RIDGE, "housing": HOUSES}


def sheet_of(game: str):
    found = title(game)
    return found.sheet(found.options({}), None), look_of(found)


def figures(svg: str) -> list[int]:
    return [int(number) for number in re.findall(r">(\d+)</text>", svg)]


@pytest.mark.parametrize("game", GAMES)
def test_each_mark_has_its_own_colour(game):
    _, look = sheet_of(game)
    css = stylesheet(look)
    for mark in look.marks.values():
        if mark.shape == "pill":
            filled = set(re.findall(rf"\.pill-{mark.colour_name} rect{{fill:(#\w+)}}", css))
            assert filled == {mark.contents}


@pytest.mark.parametrize("game", GAMES)
def test_terrain_drawn_by_its_kind(game):
    sheet, look = sheet_of(game)
    for name, printed in sheet.hexes.items():
        relief = plates(sheet, look).cell(name, HexContents()).relief
        if printed.cost:
            drawn = {kind for kind, path in DRAWINGS.items() if path in relief}
            assert printed.terrain in drawn
            assert DRAWINGS[printed.terrain] in {DRAWINGS[kind] for kind in drawn}
            assert len({DRAWINGS[kind] for kind in drawn}) == 1


@pytest.mark.parametrize(("game", "edition"), [("18rhl", 1), ("18rhl", 2), ("18lra", 1)])
def test_tiles_show_ferry_value_and_cost(game, edition):
    found = title(game)
    sheet = found.sheet(found.options({"edition": edition}), None)
    dear = 0
    for number, tile in sheet.tiles.items():
        drawn = figures(draw_tile(sheet, look_of(found), number))
        if tile.face.ferry_revenue is not None:
            assert tile.face.ferry_revenue in drawn, number
        if tile.upgrade_cost:
            assert tile.upgrade_cost in drawn, number
            dear += 1
    assert dear > 3


def test_possible_mines_and_mills_are_shown():
    sheet, look = sheet_of("18rhl")
    possible = {name for name, printed in sheet.hexes.items() if printed.possible_icons}
    shown = {name for name in sheet.hexes if 'class="possible"' in plates(sheet, look).cell(name, HexContents()).marks}
    assert possible == shown


def test_closed_hexes_bear_sign_until_open():
    from trajekt.game import new_game

    board = new_game("18lra", ["Ada", "Bert", "Cleo"], seed=1).state.board
    look = look_of(title("18lra"))
    closed = {name for name, printed in board.sheet.hexes.items() if printed.blocked_until == "green"}
    yellow, green = (draw_map(board, look, tiles=colour) for colour in ("yellow", "green"))
    assert yellow.count('class="closed"') == len(closed) > 0
    assert 'class="closed"' not in green


def test_tile_for_several_cities_names_them():
    sheet, look = sheet_of("18rhl")
    assert ">D/DU/K</text>" in draw_tile(sheet, look, "932")


@pytest.mark.parametrize("high", [0, 7, 23])
@pytest.mark.parametrize("count", range(35))
def test_each_cube_has_its_own_place(count, high):
    spots = re.findall(r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', cubes(0, 0, count, ACROSS, high))
    assert len({spot[:2] for spot in spots}) == count
    if high:
        assert all(float(y) + float(size) <= high + 0.01 for _, y, size in spots)
