"""18Ruhr played through the page: from the package of two columns through the first Montan Round, its boards beside it."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import new_table
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ORDER = ("found_montan", "merge_mine", "buy_item", "buy_share", "found", "pay_out")


def play(hands: Hands) -> str:
    """One action: the first kind on offer, its first choice; answers what was done by kind."""
    page = hands.page
    for kind in ORDER:
        if hands.can(kind):
            hands.choose(kind)
            return kind
    if page.locator("#app[data-mode=run]").count():
        hands.confirm()
        return "run_trains"
    if hands.can("buy_train") and hands.offers("buy_train").filter(has=page.locator("input[value*='display']")).count():
        hands.choose("buy_train", "display")
        return "buy_train"
    for kind in ("develop", "build_link"):
        if hands.can(kind):
            hands.choose(kind)
            return kind
    if hands.lit() and page.locator("#app[data-mode=map]").count():
        hands.lay(hands.lit()[0])
        return "lay"
    if page.locator("#action-form [data-choice*='\"pass\"']").count():
        hands.quick("pass")
        return "pass"
    picks = page.locator("#action-form input[name=pick]")
    hands.press(page.locator("#action-form label:has(input[name=pick])").first)
    assert picks.count()
    hands.confirm()
    return "other"


def in_montan_round(hands: Hands) -> bool:
    return hands.page.locator("#board-montan [aria-current=step]").count() > 0


def play_until(hands: Hands, wanted, watch=lambda _hands: None, most: int = 420) -> list[str]:
    """Play until something holds; the kinds done."""
    done: list[str] = []
    while not wanted(hands):
        assert len(done) < most, (hands.round, hands.log[-8:])
        watch(hands)
        done.append(play(hands))
    return done


@pytest.mark.rule("RUHR-SR-02", "RUHR-MR-02", "RUHR-MR-08")
def test_game_reaches_the_montan_round(server, opened):
    page = opened(DESKTOP)
    hands = new_table(page, server, "18ruhr", scenario="Hellweg")
    board = page.locator("#board-package")
    lists = board.locator(".b-items")
    assert lists.count() == 2
    second = lists.first.locator("li").nth(1)
    assert re.search(r"\d+ \+ 5$", (second.locator("small").last.text_content() or "").strip())  # the surcharge
    name = second.locator("b").first.text_content() or ""
    price = second.locator(".price b").text_content() or ""
    offer = page.locator("#action-form .buy_item .choice-row").filter(has_text=name)
    assert price in (offer.text_content() or "")  # the choice names the same price

    def sold(hands: Hands) -> bool:
        return page.locator("#board-package").count() == 0

    bought = play_until(hands, sold)
    assert set(bought) <= {"buy_item", "pass"}
    cards = page.locator("#board-works .b-works")
    assert cards.count() >= 4
    assert cards.first.locator(".b-box.on").count() >= 2  # START markers lie on their boxes

    done = play_until(hands, in_montan_round)
    assert {"develop", "run_trains", "lay", "pay_out"} <= set(done)
    assert hands.round == "Montan Round"
    order = page.locator("#board-montan .b-order li")
    assert order.count() == 3
    assert "at" in (order.first.get_attribute("class") or "")
    founded = page.locator("#board-works .b-works .tk use[href^='#token-']")
    before = founded.count()
    in_round = play_until(hands, lambda hands: not in_montan_round(hands), most=40)
    assert "found_montan" in in_round
    assert founded.count() > before


def test_boards_and_companies_change_places(server, opened):
    page = opened(DESKTOP)
    new_table(page, server, "18ruhr", scenario="Hellweg")
    assert page.locator("#companies table.sheet-t").is_visible()
    assert not page.locator("#boards").is_visible()
    page.locator("button[data-sheet=boards]").click()
    assert page.locator("#boards").is_visible()
    assert not page.locator("#companies table.sheet-t").is_visible()
    assert page.locator("button[data-sheet=boards]").get_attribute("aria-pressed") == "true"


def test_phone_shows_boards_in_german(server, opened):
    page = opened(PHONE)
    new_table(page, server, "18ruhr", scenario="Hellweg")
    page.locator("nav.tabs [data-tab=companies]").tap()
    page.locator("button[data-sheet=boards]").tap()
    assert page.locator("#board-package h2").text_content() == "Startpaket"
    assert page.locator("#boards").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
