"""The boards of the page say what the position is."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import export, small, top
from tests.builders.do_positions import opening, position, rules
from tests.builders.random_positions import act
from trajekt.engine.actions import PlaceBid
from trajekt.engine.agenda import awaited
from trajekt.games.do.actions import Deliver, LoadTrain
from trajekt.games.do.beer_market_clearing import cleared
from trajekt.games.do.components import card_of
from trajekt.games.do.starting_round import in_play
from trajekt.games.do.state import cubes, do_state
from trajekt.games.do.title import TITLE
from trajekt.i18n.sentences import catalogue

CUBE = 'class="b-cube"'


def drawn(state, language="en"):
    return dict(TITLE.boards(rules(), state, TITLE.face(), catalogue(language, TITLE.package)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_market_shows_every_cube_of_fields(language):
    state = small("2", s1=(2, 1), s2=(3, 2))
    found = drawn(state, language)
    total = 8 + do_state(state).stock + do_state(state).price_box
    assert found["beer"].count(CUBE) == total
    assert "‹" not in "".join(found.values())
    for html in found.values():
        ET.fromstring(f"<div>{html}</div>")
    delivered = drawn(act(rules(), state, 0, Deliver()).state, language)
    assert delivered["beer"].count(CUBE) == total


def test_forecast_equals_what_the_delivery_earns():
    state = small("2", s1=(2, 1), s2=(1, 0))
    after = act(rules(), state, 0, Deliver()).state
    assert top(after).income == 35
    assert "35\u00a0M" in drawn(state)["beer"]


def test_loaded_trains_and_idle_equipment():
    state = export()
    assert "loads" not in drawn(state)
    load = LoadTrain("KWE", "5", 0, do_state(state).charters["B7"].becs[0].number, 1)
    assert "1 loaded, 0 free" in drawn(act(rules(), state, 0, load).state)["loads"]
    extra = do_state(state)
    held = extra.charters["B7"]
    idle = replace(held, becs=tuple(replace(bec, idle=True) for bec in held.becs))
    state = replace(state, extra=replace(extra, charters={"B7": idle}))
    assert ", idle" in drawn(state)["equipment"]


def test_before_market_laid_there_no_boards():
    assert drawn(replace(position(4), extra=None)) == {}
    assert set(drawn(opening(4))) >= {"beer"}


@pytest.mark.rule("DO-MARKET-01")
def test_the_arrows_say_what_clearing_leaves():
    """What is drawn ahead is what the clearing of the rules makes of it, and the position stays."""
    state = act(rules(), small("2", s1=(2, 1), s2=(3, 2)), 0, Deliver()).state
    ahead = cleared(state)
    assert ahead != state
    assert cubes(ahead) == cubes(state)
    html = drawn(state)["beer"]
    for segment, then in do_state(ahead).segments.items():
        for customers in (0, 1):
            now = do_state(state).segments[segment].demand[customers]
            label = f"Segment {segment}, demand: {now}"
            told = f"{label}; after the clearing {then.demand[customers]}"
            assert (told in html) == (then.demand[customers] != now)
    assert "after the clearing" not in drawn(replace(state, agenda=()))["beer"]


@pytest.mark.rule("DO-START-01", "DO-START-02")
def test_bids_lie_on_their_boxes():
    state = opening(3)
    assert drawn(state)["bids"].count("b-token") == 0
    minor = in_play(state)[0]
    seat = awaited(rules(3), state)[0]
    after = act(rules(3), state, seat, PlaceBid(minor.number, 10)).state
    html = drawn(after)["bids"]
    assert html.count("b-token") == 1
    assert f">{after.names[seat][:1]}</i>" in html
    assert 'class="top"' in html
    assert "bids" not in drawn(small("2", s1=(2, 1)))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.rule("DO-X-20")
def test_the_display_of_the_expert_game(language):
    state = opening(3, game="expert")
    html = drawn(state, language)["expert"]
    assert html.count("<li") == 10 + sum(1 for n in do_state(state).markers.values() if n)
    yellow = 5 + 1  # events G to K and the marker A1
    assert html.count("<li>") == yellow
    assert "‹" not in html
    assert "expert" not in drawn(opening(3))


def test_offer_tells_price_squares_and_arrows():
    html = drawn(small("2", s1=(2, 1)))["offer"]
    card = card_of(opening(4).sheet, "5")
    part = html.split('<span class="card">5</span>')[1].split("</li>")[0]
    assert part.count("<i") == card.capacity
    assert part.count("→") == card.arrows
    assert f"{card.price}\u00a0M" in part
