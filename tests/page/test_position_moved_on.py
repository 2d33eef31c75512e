"""A pick whose position is past: the page asks no more about it, and never sends it for the position that result after.

One whose position stands stays, whatever else the page learns.
"""

from __future__ import annotations

import json

import pytest

from tests.page.conftest import PHONE

pytestmark = pytest.mark.browser

# what waits before it is asked, until the test lets it go
HELD = """
window.held = new Map();
const later = window.setTimeout, never = window.clearTimeout;
window.setTimeout = (work, time, ...more) => {
  if (time !== 150) return later(work, time, ...more);
  held.set(1e6 + held.size, work);
  return 1e6 + held.size - 1;
};
window.clearTimeout = (id) => held.delete(id) || never(id);
"""
TABLE = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2, "fixed_seats": True}, "seed": 7}
BID = {"number": 0, "seat": 0, "action": {"kind": "bid", "private": 3, "amount": 55}}


def test_late_number_is_dropped(server, opened):
    page = opened(PHONE)
    page.add_init_script(HELD)
    address = server.address + page.request.post(f"{server.address}/tables", data=TABLE).json()["address"]
    asked = []
    page.on("request", lambda each: each.url.endswith("/preview") and asked.append(json.loads(each.post_data)))
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.locator("#action-form label:has(input[name=pick][value*='\"private\":2,'])").first.tap()
    page.locator("#detail input").fill("45")
    assert page.evaluate("held.size") == 1
    done = page.request.post(f"{address}/actions", data=BID)
    assert done.ok, done.text()
    page.wait_for_function("() => document.getElementById('app').dataset.number === '1'")
    page.evaluate("for (const work of held.values()) work()")
    page.evaluate(
        "address => fetch(address).then(() => null)", server.address + "/health"
    )  # what was asked has gone out
    old = [each for each in asked if each["seat"] == 0]
    assert {each["number"] for each in old} == {0}
    assert not any(each["action"].get("amount") == 45 for each in asked)


def test_early_pick_stays_picked(server, opened):
    """What is picked as soon as the page stands is drawn over by nothing: the page knows the version that it shows."""
    page = opened(PHONE)
    address = server.address + page.request.post(f"{server.address}/tables", data=TABLE).json()["address"]
    asked = []
    page.on("request", lambda each: "/regions?" in each.url and asked.append(each.url))
    page.goto(address)
    page.evaluate("window.drawn = 0; document.addEventListener('regions', () => (window.drawn += 1))")
    with page.expect_response("**/preview"):
        page.locator("#action-form label:has(input[name=pick][value*='\"private\":2,'])").first.tap()
    page.wait_for_selector("html[data-ready]")
    page.evaluate("address => fetch(address).then(() => null)", server.address + "/health")
    assert not asked
    assert page.evaluate("window.drawn") == 0
    assert page.locator("#go:not([disabled])").count() == 1
