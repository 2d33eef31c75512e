"""The run step: better runs are taken in while a person looks, and a route drawn by hand grows at both ends."""

from __future__ import annotations

import json

import httpx2
import pytest

from tests.page.conftest import DESKTOP
from trajekt.import_18xx import read_export
from trajekt.records import to_json

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORDED = "recorded/18rhl-first-edition-2026.json"
MOMENT = 248  # OR 7.2, GVE is to run; the best run earns 340 M
HEAD = {"content-type": "application/json"}


@pytest.fixture
def running(server, shared):
    """The address of a table at whose head a company is to run."""
    game = read_export(shared(RECORDED).read_bytes()).at(MOMENT)
    made = httpx2.post(server.address + "/tables/import", content=to_json(game), headers=HEAD, timeout=60)
    return server.address + made.json()["address"]


def test_better_runs_appear_while_looking(opened, running):
    """The page is told that the offer is not proved; it asks until it is, and shows and sends what it was told last."""
    page = opened(DESKTOP)
    asked = []

    def not_proved(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('data-seek=""', 'data-seek="yes"'))

    def better(route):
        told = route.fetch().json()
        asked.append(told["revenue"])
        if len(asked) == 1:
            told |= {"more": True, "html": told["html"].replace("340", "330"), "label": "Run for 330 M"}
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route(running, not_proved)
    page.route("**/better", better)
    page.goto(running)
    page.locator("#routes[data-seek='']").wait_for()
    assert len(asked) == 2
    page.locator("#routes .sum strong", has_text="340").wait_for()
    page.locator("#go:not([disabled])", has_text="340").click()
    page.locator(f"#app[data-number='{MOMENT + 1}']").wait_for()


def test_route_grows_at_both_ends(opened, running):
    page = opened(DESKTOP)
    page.goto(running)
    page.locator("html[data-ready=yes]").wait_for()
    page.keyboard.press("r")
    page.locator("[data-action=clear-route]").first.click()
    for at in ("F5", "G6", "E2"):  # E2 lies beyond F5, where the drawing began
        page.locator(f"#map-view .hex[data-hex={at}] .hit").click(force=True)
        page.wait_for_timeout(300)
    page.locator("#routes .sum strong", has_text="270").wait_for()
    assert "70" in (page.locator("#routes .less").text_content() or "")


def test_idle_trains_filled_around_drawn(opened, running):
    """One route stays as it is, and the trains without a route get the best ones beside it."""
    page = opened(DESKTOP)
    page.goto(running)
    page.locator("html[data-ready=yes]").wait_for()
    page.keyboard.press("r")
    trains = page.locator("#routes [data-action=clear-route]")
    trains.first.wait_for()
    assert trains.count() == 2
    assert page.locator("[data-action=fill-routes]").count() == 0  # no train is idle
    kept = page.locator("#routes .sketches li").nth(1).inner_text()
    trains.first.click()
    page.locator("#routes .less").wait_for()
    page.locator("[data-action=fill-routes]").click()
    page.locator("#routes .sum strong", has_text="340").wait_for()
    assert page.locator("#routes .sketches li").nth(1).inner_text() == kept
    page.locator("#go:not([disabled])", has_text="340").click()
    page.locator(f"#app[data-number='{MOMENT + 1}']").wait_for()
