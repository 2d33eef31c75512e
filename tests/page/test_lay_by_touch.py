"""A tile is laid by touch with three presses at most, and by two where one tile may lie there."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import GAMES, laying_step
from tests.page.conftest import PHONE
from tests.page.moments import open_moment
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("game", GAMES)
def test_laying_takes_three_touches(opened, server, game):
    page = opened(PHONE)
    open_moment(page, server, laying_step(game, 2))
    hands = Hands(page, touch=True)
    name = page.locator("#map-view .hex.lit").first.get_attribute("data-hex")
    frame = page.locator("#map-view").bounding_box()
    for each in hands.lit():  # one that is in sight
        x, y = hands.hex_in_view(each)
        if frame["x"] + 20 < x < frame["x"] + frame["width"] - 20 and 20 < y - frame["y"] < frame["height"] - 20:
            name = each
            break
    hands.pick_hex(name)
    presses, picks = 1, page.locator(".tile-pick")
    if picks.count() > 1:
        picks.last.tap()
        presses += 1
    page.locator("#map-view .tile-preview").wait_for(state="attached")
    hands.confirm()
    assert presses + 1 <= 3
