"""A stack on the stock market fans out: every token whole, by pointer, by focus and by finger."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.builders.played_moments import one_of_each_step, played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOKENS = "all => all.map(use => use.getAttribute('href'))"


def stack(page):
    """A space with several markers, with the tokens in it, the last drawn first."""
    cells = page.locator("#market-view .cell.held:visible")
    for n in range(cells.count()):
        cell = cells.nth(n)
        found = cell.locator("use[href^='#token-']").evaluate_all(TOKENS)
        if len(found) > 1:
            return cell, found[::-1]
    pytest.fail("no stack on the market")


def stacked():
    """A position in which several companies stand on one space."""
    for game in one_of_each_step("18rhl").values():
        spaces = list(game.state.markers.spaces.values())
        if len(set(spaces)) < len(spaces) and not game.finished:
            return game
    raise AssertionError("no stack in the played game")


def test_stack_fans_out_on_hover(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, stacked())
    cell, order = stack(page)
    cell.hover()
    page.locator("#fan:not([hidden])").wait_for()
    assert page.locator("#fan use").evaluate_all(TOKENS) == order
    boxes = page.locator("#fan svg").evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    assert all(box["left"] >= 0 and box["right"] <= 1440 and box["top"] >= 0 for box in boxes)
    assert all(one["right"] <= two["left"] for one, two in pairwise(boxes))
    assert page.locator("#fan .words").text_content() == cell.get_attribute("aria-label")
    page.keyboard.press("Escape")
    page.locator("#fan[hidden]").wait_for(state="attached")
    cell.focus()
    page.locator("#fan:not([hidden])").wait_for()


def test_stack_fans_out_on_tap(server, opened):
    page = opened(PHONE)
    open_moment(page, server, stacked())
    page.locator("nav.tabs [data-tab=market]").tap()
    cell, order = stack(page)
    cell.tap()
    page.locator("#fan:not([hidden])").wait_for()
    assert page.locator("#fan use").evaluate_all(TOKENS) == order


OVERLAP = """() => {
  const cells = [...document.querySelectorAll("#market .cell > rect")].map((each) => each.getBoundingClientRect());
  return [...document.querySelectorAll(".stock .hd h2, .stock .tr, .stock .note span")].filter((each) => {
    const box = each.getBoundingClientRect();
    return cells.some((cell) => cell.right - 1 > box.left && cell.left + 1 < box.right && cell.bottom - 1 > box.top
      && cell.top + 1 < box.bottom);
  }).map((each) => each.textContent);
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
def test_trains_lie_beside_the_market(opened, server, size):
    """In German, with all kinds on sale and one of them gone, they still stand in one line."""
    page = opened(DESKTOP | {"locale": "de-DE"})
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_moment(page, server, played("18rhl").at(104))
    assert page.locator("#market .stock .sold").count()
    assert page.evaluate(OVERLAP) == []
