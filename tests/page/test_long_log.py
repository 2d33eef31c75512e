"""A long table keeps the far part of its log out of the page until one looks at it."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SHOWN = "document.querySelectorAll('#log li[id^=e]').length"
FILLED = "document.querySelectorAll('#log .lines:not(.far)').length"


@pytest.mark.parametrize(
    "kind", [DESKTOP | {"viewport": {"width": 1280, "height": 720}}, PHONE], ids=["laptop", "phone"]
)
def test_far_lines_come_when_looked_at(opened, server, kind):
    page = opened(kind)
    game = played("18rhl")
    open_moment(page, server, game)
    if kind is PHONE:
        page.locator(".tabs [data-tab=history]").tap()
    assert page.evaluate(SHOWN) < game.number / 2
    page.evaluate("document.getElementById('log').scrollTop = 0")
    page.locator("#log #e1").wait_for()
    assert page.locator("#log #e1").text_content()
    kept = page.evaluate(FILLED)
    page.evaluate("document.querySelector('[data-action=go-previous]').click()")
    page.wait_for_function("n => document.getElementById('app').dataset.at == n", arg=str(game.number - 1))
    assert page.evaluate(FILLED) >= kept - 1
    assert page.locator("#log .on").count() == 1


def test_step_back_marks_its_line(opened, server):
    page = opened(DESKTOP)
    game = played("18rhl")
    open_moment(page, server, game)
    page.keyboard.press("[")
    page.wait_for_function("n => document.getElementById('app').dataset.at == n", arg=str(game.number - 1))
    assert page.locator("#log .on").get_attribute("id") == f"e{game.number - 1}"
    page.keyboard.press("]")
    page.wait_for_function("() => document.getElementById('app').dataset.live == 'yes'")
    assert page.locator("#log .on").get_attribute("id") == f"e{game.number}"


def test_time_line_is_few_elements(opened, server):
    """However many rounds a game has, stepping through it compares few elements."""
    page = opened(DESKTOP)
    open_moment(page, server, played("18rhl"))
    drawn = page.locator(".rounds path")
    assert drawn.count() == 2
    assert all(
        path.count("M") > 3 for path in drawn.evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    )
    assert page.locator(".rounds *").count() < 30
