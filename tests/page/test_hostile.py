"""Names made to break a page do nothing in a browser: what they would run does not run, what they say is read as text."""

from __future__ import annotations

import httpx2
import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVIL = ("<img src=x onerror=hacked=1>", "<script>hacked=1</script>", "\"'><svg onload=hacked=1>")


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_names_of_players_run_nothing(server, opened, kind):
    wanted = {"game": "18rhl", "players": EVIL, "options": {"edition": 2, "fixed_seats": True}, "seed": 7}
    id_ = httpx2.post(f"{server.address}/tables", json=wanted, timeout=30).json()["id"]
    page = opened(kind)
    page.goto(f"{server.address}/t/{id_}")
    page.locator("html[data-ready=yes]").wait_for()
    hands = Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))
    for _ in range(4):  # the outcome of a choice is shown before it is confirmed, then the log tells it
        hands.play_on()
    page.evaluate("document.getElementById('app').dataset.number = '1'")  # a stale page is told what it missed
    hands.press(page.locator("[data-action=undo]"))
    page.locator(".toast li").first.wait_for()
    assert EVIL[0] in (page.locator("#log").text_content() or "") + (page.locator(".toast").text_content() or "")
    page.goto(f"{server.address}/t/{id_}?at=2")
    page.locator("html[data-ready=yes]").wait_for()
    page.goto(server.address)
    page.locator(".tables li").first.wait_for()
    assert page.locator("img").count() == 0
    assert page.evaluate("typeof hacked") == "undefined"


def test_policy_stops_injected_code(server, chromium):
    page = chromium.new_page()  # `opened` would count what the browser says about it as faults of ours
    page.goto(server.address)
    told = page.evaluate(
        """async () => {
            const heard = [];
            document.addEventListener("securitypolicyviolation", (event) => heard.push(event.effectiveDirective));
            const script = document.createElement("script");
            script.textContent = "window.hacked = 1";
            document.body.append(script);
            const box = document.createElement("div");
            box.innerHTML = '<p style="color:red">red</p>';
            document.body.append(box);
            await new Promise((done) => setTimeout(done, 300));
            return [heard, typeof window.hacked, getComputedStyle(box.firstChild).color];
        }"""
    )
    assert {name.split("-")[0] for name in told[0]} == {"script", "style"}
    assert told[1] == "undefined"
    assert told[2] != "rgb(255, 0, 0)"
    page.close()
