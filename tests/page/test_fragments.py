"""Two pages of a table in two languages, each sent only what it has not got, show what a page opened anew shows."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP
from tests.page.player_actions import Hands

pytestmark = pytest.mark.browser

# the regions as they are drawn, without what the viewer himself has moved, opened, picked or seen, and without times
SHOWN = """() => {
  const own = new Set(["viewBox", "tabindex", "disabled", "aria-pressed", "aria-current", "aria-expanded", "data-news"]);
  const tell = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim();
    if (node.matches("#detail, .coming, #hexbox, #go, [data-left], time")) return "";
    const shown = [...node.attributes].filter((each) => !own.has(each.name));
    const value = (each) => (each.name === "class" ? each.value.replace(/ ?\\b(news|pointed)\\b/g, "") : each.value);
    const words = shown.map((each) => `${each.name}=${value(each)}`).sort().join(" ");
    return `<${node.tagName} ${words}>${[...node.childNodes].map(tell).join("\\n")}`;
  };
  return tell(document.getElementById("app"));
}"""


def same(page, fresh, address):
    """Whether a page shows what a new one shows at an address."""
    fresh.goto(address)
    fresh.wait_for_selector("html[data-ready]")
    assert page.evaluate(SHOWN) == fresh.evaluate(SHOWN)


def test_following_pages_match_new_ones(server, opened):
    page, other = opened(DESKTOP), opened(DESKTOP | {"locale": "de-DE"})
    body = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2}, "seed": 7}
    address = server.address + page.request.post(f"{server.address}/tables", data=body).json()["address"]
    sent = []
    other.on("request", lambda each: "regions?has=" in each.url and sent.append(each))
    for each in (page, other):
        each.goto(address)
        each.wait_for_selector("html[data-ready]")
    hands = Hands(page)
    for turn in range(12):
        if turn in (5, 9):
            before = hands.number
            hands.press(page.locator("[data-action=undo]").first)
            hands.settled(before)
        else:
            hands.play_on()
    Hands(other).settled(hands.number - 1)
    assert "kauft" in (other.locator("#log").text_content() or "")
    for each in (page, other):
        same(each, each.context.new_page(), address)
    assert hands.number > 3
    assert not sent, "the page knows what it was opened with, and what is new comes by the stream"

    # into the past and back
    page.locator("#e3 a").click()
    page.wait_for_function("() => document.getElementById('app').dataset.at === '3'")
    same(page, page.context.pages[1], f"{address}?at=3")
    page.locator(".turn.past").click()
    page.wait_for_function("() => document.getElementById('app').dataset.live === 'yes'")
    same(page, page.context.pages[1], address)
