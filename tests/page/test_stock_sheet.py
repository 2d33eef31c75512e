"""The stock round is one sheet: a row a company, all in view, the outcome before the confirm; nothing lies over the button."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import GAMES, one_of_each_step
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNSEEN = """() => [...document.querySelectorAll("#action-form .group.shares .choice-row")].filter(row => {
  const box = row.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 30, box.top + box.height / 2);
  return !at || !row.contains(at) || box.bottom > innerHeight;
}).map(row => row.textContent.trim().slice(0, 20))"""
ON_TOP = """() => {
  const go = document.getElementById("go"), box = go.getBoundingClientRect();
  return [box.left + 4, box.left + box.width / 2, box.right - 4].every(x =>
    go.contains(document.elementFromPoint(x, box.top + box.height / 2)) ||
    document.elementFromPoint(x, box.top + box.height / 2)?.contains(go));
}"""
WRAPPED = """() => [...document.querySelectorAll("#action-form .group.shares .chip > span")].filter(label => {
  const words = document.createRange();
  words.selectNodeContents(label);
  return new Set([...words.getClientRects()].map(line => Math.round(line.top))).size > 1;
}).map(label => label.textContent)"""
SIDEWAYS = """() => [...document.querySelectorAll(".scroll, .left, .right, #now")]
  .filter(box => box.clientWidth && box.scrollWidth > box.clientWidth + 1).map(box => box.className + box.id)"""


@pytest.mark.parametrize("game", GAMES)
def test_all_companies_are_seen(server, opened, game):
    page = opened(DESKTOP | {"locale": "de-DE"})
    open_moment(page, server, one_of_each_step(game)["StockRound."])
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_timeout(100)
    assert page.locator("#action-form .group.shares .choice-row").count() > 1
    assert page.evaluate(UNSEEN) == []
    assert not page.locator(".why-not").first.evaluate("fold => fold.open")
    page.locator("#action-form .shares label:has(input[name=pick])").first.click()
    page.locator("#detail .outcome dd").first.wait_for()
    assert not page.locator("#go").is_disabled()
    assert page.locator("#go").evaluate("go => go.getBoundingClientRect().bottom <= innerHeight")


def test_sidebar_leaves_the_button_free(server, opened):
    page = opened(DESKTOP)
    for step in ("StockRound.", "CompanyTurn.track"):
        open_moment(page, server, one_of_each_step("18rhl")[step])
        page.keyboard.press("b")
        page.locator("#sidebar .bar").wait_for()
        for width, height in ((820, 1180), (1280, 720), (1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            page.locator("#go").scroll_into_view_if_needed()
            page.wait_for_timeout(100)
            assert page.evaluate(ON_TOP), (step, width)
        page.keyboard.press("b")


@pytest.mark.parametrize("game", ["18rhl", "18lra"])
def test_nothing_scrolls_sideways(server, opened, game):
    page = opened(DESKTOP | {"locale": "de-DE"})
    moments = one_of_each_step(game)
    # bots that plan ahead seldom have too many trains
    for step in ("StockRound.", "CompanyTurn.pay", *({"TooManyTrains."} & moments.keys())):
        open_moment(page, server, moments[step])
        for width, height in ((1280, 720), (1280, 800), (1400, 950), (1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(60)
            assert page.evaluate(SIDEWAYS) == [], (step, width)


@pytest.mark.parametrize("game", GAMES)
def test_labels_do_not_wrap_on_phone(server, opened, game):
    page = opened(PHONE)
    open_moment(page, server, one_of_each_step(game)["StockRound."])
    assert page.locator("#action-form .group.shares .chip").count() > 1
    assert page.evaluate(WRAPPED) == []


@pytest.mark.parametrize("game", GAMES)
def test_tokens_keep_their_size(server, opened, game):
    page = opened(PHONE)
    open_moment(page, server, one_of_each_step(game)["StockRound."])
    wide = page.locator("#action-form .about .tk:visible").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().width)"
    )
    assert wide
    assert min(wide) >= 20
