"""The boards of the page say what the position is."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.games.do.dortmund import opening, position, rules
from tests.games.do.test_breweries import export, small, top
from tests.positions import act
from trajekt.games.do.actions import Deliver, LoadTrain
from trajekt.games.do.record import dortmund
from trajekt.games.do.title import TITLE
from trajekt.show.sentences import catalogue

CUBE = "#7A3E12"


def drawn(state, language="en"):
    return dict(TITLE.boards(state, TITLE.face(), catalogue(language, TITLE.package)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_market_shows_every_cube_of_its_fields(language):
    state = small("2", s1=(2, 1), s2=(3, 2))
    found = drawn(state, language)
    assert found["beer"].count(CUBE) == 8
    assert "‹" not in "".join(found.values())
    for html in found.values():
        ET.fromstring(f"<div>{html}</div>")
    delivered = drawn(act(rules(), state, 0, Deliver()).state, language)
    assert delivered["beer"].count(CUBE) == 8


def test_forecast_equals_what_the_delivery_earns():
    state = small("2", s1=(2, 1), s2=(1, 0))
    after = act(rules(), state, 0, Deliver()).state
    assert top(after).income == 35
    assert "35\u00a0M" in drawn(state)["beer"]


def test_loaded_trains_and_idle_equipment():
    state = export()
    assert "loads" not in drawn(state)
    load = LoadTrain("KWE", "5", 0, dortmund(state).charters["B7"].becs[0].number, 1)
    assert "1 cubes, 0 free" in drawn(act(rules(), state, 0, load).state)["loads"]
    extra = dortmund(state)
    held = extra.charters["B7"]
    idle = replace(held, becs=tuple(replace(bec, idle=True) for bec in held.becs))
    state = replace(state, extra=replace(extra, charters={"B7": idle}))
    assert ", idle" in drawn(state)["equipment"]


def test_before_the_market_is_laid_there_are_no_boards():
    assert drawn(replace(position(4), extra=None)) == {}
    assert set(drawn(opening(4))) >= {"beer"}
