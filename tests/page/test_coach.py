"""The coach's card at the first of each kind of decision: shown against bots, put away for good, and a bot's advice."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import against_bots, new_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_card_is_put_away_for_good(opened, server):
    page = opened(PHONE)
    against_bots(page, server)
    kind = page.locator("#coach").get_attribute("data-kind")
    assert kind == "auction"
    page.locator("[data-action=dismiss-coach]").tap()
    assert not page.locator("#coach").is_visible()
    page.reload()
    page.locator("html[data-ready=yes]").wait_for()
    assert not page.locator("#coach").is_visible()


def test_all_cards_go_and_come_back(opened, server):
    page = opened(DESKTOP)
    against_bots(page, server)
    page.locator("[data-action=coach-off]").click()
    assert not page.locator("#coach").is_visible()
    page.locator("[data-action=toggle-menu]").last.click()
    switch = page.locator("#menu [data-action=toggle-coach]")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    page.keyboard.press("Escape")
    assert page.locator("#coach").is_visible()


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_bot_tells_its_move_and_why(opened, server, kind):
    page = opened(kind)
    against_bots(page, server)
    page.locator("[data-action=ask-hint]").click()
    told = page.locator("#hint [data-hint]")
    told.wait_for()
    words = told.text_content() or ""
    assert len(words.split()) > 6
    assert "‹" not in words
    assert "{" not in words
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_people_among_themselves_see_no_card(opened, server):
    page = opened(DESKTOP)
    new_table(page, server, "18rhl", edition="2", seed=7)
    assert page.locator("#coach").count() == 1
    assert not page.locator("#coach").is_visible()


@pytest.mark.parametrize("game", ["18rhl", "18lra"])
def test_guide_points_at_hex_and_tile(opened, server, game):
    page = opened(DESKTOP)
    page.goto(server.address + "/")
    page.locator(f"[data-choose='{game}']").click()
    page.locator(f"form:not([hidden]) [data-guided='{game}']").click()
    page.locator("html[data-ready=yes] #guide").wait_for()
    ringed = page.locator("#map-view .hex.hinted")
    assert ringed.count() == 1
    name = ringed.get_attribute("data-hex")
    assert name in (page.locator("#guide").text_content() or "")
    assert "lit" in (ringed.get_attribute("class") or "").split()
    box = ringed.locator(".hit").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("#hexbox .hexhead").wait_for()
    assert page.locator(".tile-pick.hinted").count() == 1
