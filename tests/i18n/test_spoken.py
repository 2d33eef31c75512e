"""The map and the market in words: every hex of every game in both languages, and what changes as the game goes on."""

from __future__ import annotations

import pytest

from trajekt import new_game
from trajekt.engine.board.board import HexContents, Station
from trajekt.i18n.sentences import catalogue
from trajekt.i18n.spoken import spoken_hex, spoken_space
from trajekt.registry import title

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def said(game, language="en"):
    return catalogue(language, "trajekt.server", title(game).package)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_each_hex_and_tile_has_words(game, language):
    board, say = new_game(game, ["Ada", "Bert", "Cleo"], seed=1).state.board, said(game, language)
    for at in board.sheet.hexes:
        assert spoken_hex(say, board, at, "yellow").startswith(at)
    bare = next(at for at, printed in board.sheet.hexes.items() if not printed.face.stops and not printed.fixed)
    for tile in board.sheet.tiles:
        words = spoken_hex(say, board.with_contents(bare, HexContents(tile, 0)), bare, "brown")
        assert "‹" not in words
        assert f" {tile}" in words


def test_hex_told_with_tile_and_stations():
    board, say = new_game("18rhl", ["Ada", "Bert", "Cleo"], seed=1).state.board, said("18rhl")
    at = next(name for name, printed in board.sheet.hexes.items() if "Krefeld" in printed.names)
    tile = next(name for name, each in board.sheet.tiles.items() if name == "216")
    words = spoken_hex(say, board.with_contents(at, HexContents(tile, 0, (Station("CCE", 0),))), at, "brown")
    assert "brown tile 216" in words
    assert "worth 50" in words
    assert "stations CCE, 1 free" in words
    assert "track to" in words
    home = spoken_hex(
        say, board.with_contents(at, HexContents(tile, 0, (Station("CCE", 0, asleep=True),))), at, "brown"
    )
    assert "stations (CCE)" in home


def test_values_in_force_are_told():
    board, say = new_game("18rhl", ["Ada", "Bert", "Cleo"], seed=1).state.board, said("18rhl")
    at = next(name for name, printed in board.sheet.hexes.items() if "Nijmegen" in printed.names)
    assert "worth 40" in spoken_hex(say, board, at, "yellow")
    assert "worth 40" in spoken_hex(say, board, at, "green")
    assert "worth 60" in spoken_hex(say, board, at, "brown")


def test_market_space_tells_present_and_next():
    sheet, say = new_game("18rhl", ["Ada", "Bert", "Cleo"], seed=1).state.sheet, said("18rhl")
    assert spoken_space(say, sheet, 150, (), ()) == "150\u00a0M"
    assert spoken_space(say, sheet, 150, ("DEE", "CCE"), ()) == "150\u00a0M: DEE, CCE"
    assert spoken_space(say, sheet, 150, ("DEE", "CCE"), (), {"CCE"}) == "150\u00a0M: DEE, CCE (has operated)"
    assert spoken_space(say, sheet, 150, ("DEE",), ("pay",)) == "150\u00a0M: DEE; would come here: pay"
