"""The broad page: what stands beside the steps of a turn stays in a line each."""

from __future__ import annotations

import httpx2
import pytest

from tests.builders.played_moments import laying_step, played
from tests.page.conftest import DESKTOP
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("game", ["18ruhr", "18do"])
def test_company_and_treasury_have_own_lines(opened, server, game):
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
    assert words["x"] + words["width"] <= steps["x"]


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
  return [...document.querySelectorAll("#map-view text.name")].map((name) => parseFloat(getComputedStyle(name).fontSize) * px);
}"""
SHOWN = "getComputedStyle(document.querySelector('#map-view .coord')).display"


@pytest.mark.parametrize("game", ["18ruhr", "18do"])
def test_names_grow_on_small_map(opened, server, game):
    page = opened(DESKTOP | {"viewport": {"width": 1280, "height": 720}})
    open_moment(page, server, laying_step(game))
    sizes = page.evaluate(SIZES)
    assert sum(size >= 6.9 for size in sizes) > 0.5 * len(sizes)
    assert page.evaluate(SHOWN) == "none"
    for _ in range(6):
        page.locator("[data-action=zoom-in]").click()
    assert page.evaluate(SHOWN) != "none"
    assert min(page.evaluate(SIZES)) >= 7
