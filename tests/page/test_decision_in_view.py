"""What decides is in sight: the confirm button at every kind of step, the chosen hex on a phone."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import GAMES, laying_steps, one_of_each_step
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = ((390, 844), (820, 1180), (1280, 720), (1440, 900), (1920, 1080))
IN_VIEW = """() => {
  const go = document.getElementById("go").getBoundingClientRect();
  return go.width > 60 && go.top >= 0 && go.bottom <= innerHeight && go.left >= 0 && go.right <= innerWidth;
}"""
CUT = """() => [...document.querySelectorAll(".opt")].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  return left < 0 || right > innerWidth || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.textContent.trim())"""
WIDTH = "hit => hit.getBoundingClientRect().width"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("game", GAMES)
def test_confirm_is_always_in_view(server, opened, game, locale):
    page = opened(DESKTOP | {"locale": locale})
    for step, moment in one_of_each_step(game).items():
        if moment.finished:
            continue
        open_moment(page, server, moment)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(50)
            assert page.evaluate(IN_VIEW), (step, width, height)
            assert page.evaluate(CUT) == [], (step, width, height)
            choice = page.locator("#action-form [name=pick]:not([hidden])").first
            if choice.count():
                choice.evaluate("input => input.click()")
                assert page.evaluate(IN_VIEW), (step, width, height, "chosen")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step


COACHED = """localStorage.setItem("trajekt.coach", '{"choice": "on", "away": []}')"""
HIDDEN = """() => {
  const act = document.querySelector("#action-form .act").getBoundingClientRect();
  return [...document.querySelectorAll(".opt, .opt dl > *, .run > *")].filter((each) => {
    const { bottom, height } = each.getBoundingClientRect();
    return height && bottom > act.top + 1;
  }).map((each) => each.textContent.trim());
}"""


@pytest.mark.parametrize("game", GAMES)
def test_pay_out_is_seen_whole(server, opened, game):
    """With the coach's card above it, too: what each choice brings lies above the row of buttons."""
    page = opened(DESKTOP | {"locale": "de-DE"})
    page.add_init_script(COACHED)
    open_moment(page, server, one_of_each_step(game)["CompanyTurn.pay"])
    assert page.locator("#coach").is_visible()
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate(IN_VIEW)


@pytest.mark.parametrize("game", GAMES)
def test_phone_map_keeps_its_scale(server, opened, game):
    page = opened(PHONE)
    for moment in laying_steps(game):
        open_moment(page, server, moment)
        page.wait_for_timeout(200)
        frame = page.locator("#map-view").bounding_box()
        hands = Hands(page, touch=True)
        inside = [name for name in hands.lit() if _inside(hands.hex_in_view(name), frame)]
        hit = page.locator(f"#map-view .hex[data-hex='{inside[0]}'] .hit")
        before = hit.evaluate(WIDTH)
        hands.pick_hex(inside[0])
        page.locator(".tile-pick").first.tap()
        page.wait_for_timeout(300)
        assert hit.evaluate(WIDTH) >= max(44, before - 1), moment.number
        assert _inside(hands.hex_in_view(inside[0]), page.locator("#map-view").bounding_box()), moment.number
        assert page.locator(".tile-row").bounding_box()["height"] <= 120, moment.number
        assert page.evaluate(IN_VIEW), moment.number
        turn = page.locator("[data-action=rotate-right]")
        assert not turn.is_visible() or turn.bounding_box()["y"] + 44 <= 844, moment.number


def _inside(place: tuple[float, float], frame: dict[str, float]) -> bool:
    x, y = place
    return (
        frame["x"] + 20 < x < frame["x"] + frame["width"] - 20
        and frame["y"] + 20 < y < frame["y"] + frame["height"] - 20
    )


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_end_tells_who_won(server, opened, kind):
    page = opened(kind)
    open_moment(page, server, one_of_each_step("18rhl")["end"])
    winner = page.locator(".winner")
    first = page.locator(".ranking li b").first.text_content() or ""
    assert first.removeprefix("1. ") in (winner.text_content() or "")
    box = winner.bounding_box()
    assert box["y"] + box["height"] < page.viewport_size["height"]
    assert page.locator("#now").evaluate("now => now.scrollHeight <= now.clientHeight + 1")


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 720)])
def test_three_doors_stand_above_the_fold(server, opened, size):
    page = opened(DESKTOP)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(server.address + "/")
    for game in GAMES:
        page.locator(f"[data-choose='{game}']").evaluate("button => button.click()")
        doors = page.locator("form:not([hidden]) .door")
        assert doors.count() == 3
        for door in doors.all():
            box = door.bounding_box()
            assert box["y"] + box["height"] <= size[1]
