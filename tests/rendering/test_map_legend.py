"""The key to the map: the signs of each game, in both languages."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from trajekt import new_game
from trajekt.i18n.sentences import catalogue
from trajekt.registry import title
from trajekt.rendering.map_legend import legend, samples
from trajekt.server.presenters.map_and_market import look_of

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_every_sign_is_drawn_and_named(game, language):
    found = title(game)
    sheet = new_game(game, ["Ada", "Bert", "Cleo"], seed=1).state.sheet
    rows = legend(sheet, look_of(found), catalogue(language, "trajekt.server", found.package), "yellow")
    assert len(rows) > 8
    for drawn, words in rows:
        assert "‹" not in words
        ET.fromstring(drawn)
    assert len({words for _, words in rows}) == len(rows)
    marks = {mark.text for mark in look_of(found).marks.values() if mark.shape == "pill" and mark.text}
    assert marks <= set(re.findall(r">(\w+)</text>", "".join(drawn for drawn, _ in rows)))


def test_legend_shows_signs_of_map_only():
    def keys(game):
        return {sample.key for sample in samples(new_game(game, ["Ada", "Bert", "Cleo"], seed=1).state.sheet)}

    assert "key.halt" in keys("18do")
    assert "key.town" not in keys("18do")
    assert "key.terrain.mountain" in keys("18rhl")
    assert "key.terrain.mountain" not in keys("18lra")
