"""What the page says when nothing was sent, how wide its dialogs are, and what stepping through the past leaves behind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.builders.played_moments import one_of_each_step, played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment
from tests.page.new_tables import new_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_unsent_action_says_so(server, opened):
    page = opened(DESKTOP)
    hands = new_table(page, server, "18rhl")
    page.route("**/actions", lambda route: route.abort())
    page.locator("#action-form [data-action=send]").first.click()
    page.locator(".toast", has_text="Not sent. Press again.").wait_for()
    assert hands.number == 0
    page.locator(".toast").wait_for(state="detached", timeout=12_000)
    page.unroute("**/actions")
    page.locator("#action-form [data-action=send]").first.click()
    hands.settled(0)


def test_press_without_answer_is_told(server, opened):
    page = opened(DESKTOP)  # fails at its end where an error reaches the console
    open_moment(page, server, one_of_each_step("18rhl")["StockRound."])
    page.route("**/card/**", lambda route: route.abort())
    page.locator("[data-action=show-card]:visible").first.click()
    page.locator("#said .toast", has_text="The server does not answer").wait_for()
    assert page.locator("#card[open]").count() == 0
    page.unroute("**/card/**")
    page.route("**/card/**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    page.locator("#said .toast").wait_for(state="detached")
    page.locator("[data-action=show-card]:visible").first.click()
    page.locator("#said .toast", has_text="The server does not answer").wait_for()


def test_tiles_dialog_uses_the_window(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, one_of_each_step("18rhl")["StockRound."])
    page.keyboard.press("t")
    page.locator("#tiles-left[open] li").first.wait_for()
    width, length = page.locator("#tiles-left").evaluate("box => [box.clientWidth, box.scrollHeight]")
    assert width > 600
    assert length < 2 * 900


def test_stepping_leaves_no_trail(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, one_of_each_step("18rhl")["StockRound."])
    before = page.evaluate("history.length")
    for key in ("[", "[", "]", "["):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    assert page.evaluate("history.length") == before
    assert "?at=" in page.url
    page.locator("#log a").nth(-8).click()
    page.wait_for_timeout(300)
    assert page.evaluate("history.length") == before + 1


def test_first_line_bears_its_time(server, opened):
    page = opened(DESKTOP)
    hands = new_table(page, server, "18rhl")
    told = page.locator("#log li:has(+ #e1) time")
    for before in (0, 1):
        page.locator("#action-form [data-action=send]").first.click()
        hands.settled(before)
        told.filter(has_text=str(datetime.now(UTC).year)).wait_for()
    assert page.locator("#log time").count() == 1


def test_phone_history_opens_at_its_end(server, opened):
    page = opened(PHONE)
    open_moment(page, server, played("18rhl"))
    page.locator("[data-tab=history]").tap()
    page.locator("#log").wait_for()
    end, newest = page.evaluate(
        "() => [document.getElementById('log').getBoundingClientRect().bottom,"
        " document.querySelector('#log .on').getBoundingClientRect().bottom]"
    )
    assert 0 < newest <= end + 1
