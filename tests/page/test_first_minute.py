"""A stranger's first minute: from the start page through a guided turn to a share, by mouse, by touch, by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import TimeoutError  # noqa: A004  the driver's own, which is no OSError

from tests.page.conftest import DESKTOP, PHONE
from tests.page.player_actions import Hands
from trajekt.registry import names, title

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS = 64
OFFERED = "#action-form label:has(input[name=pick]:not([hidden]))"
GAMES = [title(name).id for name in names()]


def entered(page, server, press, game="18rhl"):
    page.goto(server.address + "/")
    press(page.locator(f"[data-choose='{game}']"))
    door = page.locator(f"form:not([hidden]) [data-guided='{game}']")
    door.wait_for()
    read = door.text_content() or ""
    press(door)
    page.locator("html[data-ready=yes] #guide").wait_for()
    read += " " + (page.locator("#guide").text_content() or "")
    assert len(read.split()) < WORDS


def number(page):
    return int(page.locator("#app").get_attribute("data-number"))


def moved(page, before):
    page.wait_for_function("n => Number(document.getElementById('app').dataset.number) > n", arg=before, timeout=30_000)


def ready(go):
    """Tell whether what was picked may be confirmed: a move of another that came just then puts it away."""
    try:
        go.wait_for(timeout=10_000)
    except TimeoutError:
        return False
    return True


def turn(page, press):
    """The rest of the guided turn: each step is confirmed as it is offered or passed, until a share has been bought."""
    for _ in range(200):
        if page.locator("#guide.done").count():
            return
        before = number(page)
        bought = "input[name=pick]:is([value*='buy_share'], [value*='buy_certificate'])"
        share = page.locator(f"#action-form label:has({bought})").first
        go = page.locator("#go:not([disabled])")
        quick = page.locator("#action-form [data-choice*='pass'], #action-form [data-choice*='end_turn']").first
        if share.count():
            press(share)
            if not ready(go):
                continue
            press(go)
        elif go.count():
            press(go)
        elif quick.count():
            press(quick)
        elif page.locator(OFFERED).count():  # nothing that costs is picked beforehand, nor what nobody may pass
            press(page.locator(OFFERED).first)
            if not ready(go):
                continue
            press(go)
        else:  # the others move
            page.wait_for_timeout(200)
            continue
        moved(page, before)
        page.wait_for_timeout(150)
    pytest.fail("the guide leads to no end")


def reach(page, target, *, radio=False):
    """Go to something by Tab; into a group of choices by Tab and on by arrows, which pick on their way."""
    for _ in range(150):
        if target.evaluate("e => e === document.activeElement"):
            if radio and not target.is_checked():
                page.keyboard.press("Space")
            return
        inside = radio and page.evaluate("document.activeElement.name === 'pick'")
        page.keyboard.press("ArrowDown" if inside else "Tab")
    pytest.fail("the keyboard does not lead there")


def finished(page):
    text = page.locator("#guide").text_content() or ""
    assert page.locator("#guide .up, #guide .dn").count() == 1, text


def by_mouse(target):
    target.click()


def by_touch(target):
    target.tap()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "press"), [(DESKTOP, by_mouse), (PHONE, by_touch)], ids=["desktop", "phone"])
def test_by_mouse_and_by_touch(opened, server, game, kind, press):
    page = opened(kind)
    entered(page, server, press, game)
    hands = Hands(page, touch=press is by_touch)
    hands.lay(hands.lit()[0])
    turn(page, press)
    finished(page)


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard_alone(opened, server, game):
    page = opened(DESKTOP)

    def enter(target):
        reach(page, target)
        page.keyboard.press("Enter")

    def keys(target):
        inner = target.locator("input")
        if inner.count():
            reach(page, inner, radio=True)
        else:
            enter(target)

    entered(page, server, enter, game)
    before = number(page)
    hands = Hands(page)
    enter(page.locator(f"#map-view .hex[data-hex='{hands.lit()[0]}']"))
    page.locator("#hexbox .hexhead").wait_for()
    if not page.locator(".tile-pick[aria-pressed=true]").count():
        enter(page.locator(".tile-pick").first)
    page.locator("#map-view .tile-preview").wait_for(state="attached")
    enter(page.locator("#go:not([disabled])"))
    moved(page, before)
    turn(page, keys)
    finished(page)


def test_first_move_takes_four_taps(opened, server):
    page = opened(PHONE)
    page.goto(server.address + "/")
    page.locator("form:not([hidden]) [data-guided='18rhl']").tap()
    page.locator("html[data-ready=yes] #guide").wait_for()
    hands, taps = Hands(page, touch=True), 2
    hands.pick_hex(page.locator("#map-view .hex.hinted").get_attribute("data-hex"))
    if not page.locator(".tile-pick[aria-pressed=true]").count():
        page.locator(".tile-pick.hinted").tap()
        taps += 1
    page.locator("#map-view .tile-preview").wait_for(state="attached")
    hands.confirm()
    assert taps + 1 <= 4
    page.locator("#guide .verdict.good").wait_for()
