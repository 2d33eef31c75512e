"""18DO played through the page: from the bids of the Starting Round through the first clearing of the beer market."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import new_table
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def play(hands: Hands) -> str:
    """One action: a company is founded or bought into, trains run and pay, breweries deliver; else what stands first."""
    page = hands.page
    if page.locator("#app[data-mode=run]").count():
        hands.confirm()
        return "run_trains"
    for kind in ("bid", "deliver", "pay_out", "found", "buy_share", "buy_certificate", "buy_train"):
        if hands.can(kind):
            hands.choose(kind)
            return kind
    if hands.lit() and page.locator("#app[data-mode=map]").count():
        hands.lay(hands.lit()[0])
        return "lay"
    if page.locator("#action-form [data-choice*='\"pass\"']").count():
        hands.quick("pass")
        return "pass"
    hands.press(page.locator("#action-form label:has(input[name=pick])").first)
    hands.confirm()
    return "other"


@pytest.mark.rule("DO-START-01", "DO-BREW-10", "DO-MARKET-01")
def test_game_reaches_the_first_clearing(server, opened):
    page = opened(DESKTOP)
    hands = new_table(page, server, "18do")
    bids = page.locator("#board-bids")
    assert bids.locator("tbody tr").count() == 4  # a minor more than players
    done = []
    while bids.count():
        done.append(play(hands))
        assert len(done) < 40
    assert set(done) == {"bid"}
    assert page.locator("#board-equipment .b-works").count() == 3
    first = page.locator("#board-equipment .b-works .b-place i").first
    assert first.text_content() == "1"

    while not hands.round.startswith("Brewery Round"):
        done.append(play(hands))
        assert len(done) < 200, (hands.round, hands.log[-6:])
    demand = page.locator("[data-field^='demand:']")
    here = demand.locator(".b-cube").count()
    assert here
    assert page.locator("#board-beer").get_by_text("Delivering now would earn").count() == 1
    assert page.locator(".b-then").count() >= 1  # what the clearing would leave
    delivered = 0
    while hands.round.startswith("Brewery Round"):
        before = page.locator("[data-field^='supply:'] .b-cube").count()
        kind = play(hands)
        done.append(kind)
        if kind == "deliver" and hands.round.startswith("Brewery Round"):
            delivered += page.locator("[data-field^='supply:'] .b-cube").count() - before
        assert len(done) < 240, hands.log[-6:]
    assert delivered > 0
    assert {"deliver", "pay_out"} <= set(done)
    assert page.locator("[data-field^='supply:'] .b-cube").count() == 0  # cleared
    assert page.locator(".b-then").count() == 0


def test_expert_display_is_german_on_phone(server, opened):
    page = opened(PHONE)
    hands = new_table(page, server, "18do", game="Expertenspiel")
    assert hands.can("bid")
    page.locator("nav.tabs [data-tab=companies]").tap()
    assert page.locator("#board-bids h2").text_content() == "Gebote auf die Kleinbrauereien"
    assert "Volksfest (G)" in (page.locator("#board-expert").text_content() or "")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
