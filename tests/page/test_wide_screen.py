"""The broad page: what stands beside the steps of a turn stays in a line each."""

from __future__ import annotations

import httpx2
import pytest

from tests.page.conftest import DESKTOP

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
