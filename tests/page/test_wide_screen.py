"""The page on a wide screen: every part is in view, names can be read, nothing runs into its neighbour."""

from __future__ import annotations

import httpx2
import pytest

from tests.builders.played_moments import GAMES, laying_step, played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("game", ["18ruhr", "18do"])
def test_company_stands_above_steps(opened, server, game):
    guided = httpx2.post(f"{server.address}/tables/guided/{game}", json={}, timeout=60).json()
    page = opened(DESKTOP | {"locale": "de-DE"})
    page.goto(server.address + guided["address"])
    page.locator("html[data-ready=yes] .who .steps").wait_for()
    lines = page.locator(".who p span").evaluate_all(
        "all => all.map(each => [each.getBoundingClientRect().height, parseFloat(getComputedStyle(each).lineHeight)])"
    )
    assert len(lines) == 2
    assert all(height < 1.5 * line for height, line in lines)
    steps, words = page.locator(".who .steps").bounding_box(), page.locator(".who p").bounding_box()
    assert words["y"] + words["height"] <= steps["y"]
    assert page.locator(".who .steps li").evaluate_all("all => all.every(each => each.scrollWidth <= each.clientWidth)")


def test_history_stays_beside_open_sidebar(opened, server):
    page = opened(DESKTOP)
    open_moment(page, server, played("18rhl").at(250))
    page.keyboard.press("b")
    page.locator(".sidebar-open #sidebar .bar").wait_for()
    page.wait_for_timeout(300)
    log, line = page.locator("#log").bounding_box(), page.locator("#log .on").bounding_box()
    assert log["y"] <= line["y"]
    assert line["y"] + line["height"] <= log["y"] + log["height"] + 1


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
def test_sums_cover_no_company(opened, server, size):
    page = opened(DESKTOP | {"viewport": {"width": size[0], "height": size[1]}})
    open_moment(page, server, played("18rhl").at(250))
    page.evaluate("localStorage.setItem('trajekt.view', JSON.stringify({on: ['liquidity']}))")
    page.reload()
    page.locator("html[data-ready=yes]").wait_for()
    last, sums = (page.locator(f"#companies {part}").bounding_box() for part in ("tbody tr:last-child", "tfoot"))
    assert last["y"] + last["height"] <= sums["y"] + 2


SIZES = """() => {
  const px = document.querySelector("#map-view svg").getScreenCTM().a;
  const shown = [...document.querySelectorAll("#map-view text.name")].filter((name) => getComputedStyle(name).opacity > 0);
  return shown.map((name) => parseFloat(getComputedStyle(name).fontSize) * px);
}"""
AMOUNTS = """() => {
  const px = document.querySelector("#map-view svg").getScreenCTM().a;
  const amounts = document.querySelectorAll("#map-view :is(.rev-t:not(.small), .val-t):not(.links *)");
  return [...amounts].map((each) => parseFloat(getComputedStyle(each).fontSize) * px);
}"""
SHOWN = "getComputedStyle(document.querySelector('#map-view .coord')).display"
SEEN = """() => {
  const part = (what, frame) => {
    const [box, room] = [what, frame].map((each) => document.querySelector(each).getBoundingClientRect());
    return Math.min(box.bottom, room.bottom, innerHeight) - Math.max(box.top, room.top, 0);
  };
  const market = document.querySelector(".mk-wide svg").getBoundingClientRect().height;
  return {
    market: market - part(".mk-wide svg", ".side"),
    sheet: part("#companies .sheet-t", "#companies"),
    history: part("#log", "#history"),
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}"""
WIDE = ((1280, 720), (1440, 900), (1920, 1080))


@pytest.mark.parametrize(("game", "locale"), [*((game, "de-DE") for game in GAMES), ("18do", "en-GB")])
def test_first_look_shows_every_part(opened, server, game, locale):
    page = opened(DESKTOP | {"locale": locale})
    open_moment(page, server, laying_step(game))
    for width, height in WIDE:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            f"document.querySelector('#map-view svg').getBoundingClientRect().right < {width} * 0.62"
        )
        page.wait_for_function(
            "([w, h]) => { const view = document.getElementById('map-view'), box = view.firstElementChild.viewBox.baseVal;"
            " return innerWidth === w && innerHeight === h"
            " && Math.abs(box.width / box.height - view.clientWidth / view.clientHeight) < 0.02; }",
            arg=[width, height],
        )
        sizes, seen = page.evaluate(SIZES), page.evaluate(SEEN)
        assert min(sizes) >= 7, (width, height)
        assert len(sizes) > 15, (width, height)
        # low windows have no room for more on the broadest map
        assert min(page.evaluate(AMOUNTS)) >= (7 if height >= 900 else 5.7), (width, height)
        assert seen["market"] < 1, (width, height)
        assert seen["sheet"] > 90, (width, height)
        assert seen["history"] > 40, (width, height)
        assert seen["sideways"] <= 0, (width, height)


@pytest.mark.parametrize("game", ["18ruhr", "18do"])
def test_all_names_come_when_zoomed(opened, server, game):
    page = opened(DESKTOP | {"viewport": {"width": 1280, "height": 720}})
    open_moment(page, server, laying_step(game))
    assert page.evaluate(SHOWN) == "none"
    for _ in range(6):
        page.locator("[data-action=zoom-in]").click()
    assert page.evaluate(SHOWN) != "none"
    assert len(page.evaluate(SIZES)) == page.locator("#map-view text.name").count()
    assert min(page.evaluate(SIZES)) >= 7


LANDMARKS = """() => {
  const px = document.querySelector("#map-view svg").getScreenCTM().a;
  const names = [...document.querySelectorAll("#map-view :is(.landmark, text.name)")];
  const shown = names.filter((name) => name.getClientRects().length && getComputedStyle(name).opacity > 0);
  return shown.map((name) => parseFloat(getComputedStyle(name).fontSize) * px);
}"""


COVERED = """() => {
  const seen = (text) => getComputedStyle(text).visibility !== "hidden" && getComputedStyle(text).opacity > 0;
  const boxes = (what) => [...document.querySelectorAll(`#map-view ${what}`)].filter(seen).map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { left, right, top, bottom, what: text.textContent };
  });
  const marks = boxes(".landmark");
  return boxes("text.name").flatMap((name) => marks.filter((mark) => name.left < mark.right && name.right > mark.left
    && name.top < mark.bottom && name.bottom > mark.top).map((mark) => `${mark.what} over ${name.what}`));
}"""


@pytest.mark.parametrize("game", GAMES)
def test_whole_map_on_phone_bears_names(opened, server, game):
    page = opened(PHONE)
    open_moment(page, server, laying_step(game))
    page.wait_for_timeout(200)
    assert page.evaluate(COVERED) == []
    assert page.locator("#map-view text.name").count() > 2 * page.locator("#map-view .under").count()
    page.locator("[data-action=zoom-whole]").first.tap()
    page.locator("html.far-map").wait_for()
    page.wait_for_timeout(100)
    assert page.evaluate(COVERED) == []
    sizes = page.evaluate(LANDMARKS)
    assert len(sizes) > 18
    assert min(sizes) >= 6.9
