"""Dotted words open where they stand: in the coach's card, in the header, in a card; and all of them from the menu."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import against_bots

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LAPTOP = DESKTOP | {"viewport": {"width": 1280, "height": 720}}


@pytest.mark.parametrize("kind", [LAPTOP, PHONE, PHONE | {"locale": "en-GB"}], ids=["laptop", "phone-de", "phone-en"])
def test_word_opens_by_one_tap(opened, server, kind):
    page = opened(kind)
    against_bots(page, server)
    word = page.locator("#coach .word").first
    shown = word.text_content()
    word.click() if kind is LAPTOP else word.tap()
    card = page.locator("#card[open]")
    card.wait_for()
    assert card.locator("h2").text_content().strip().casefold()[:4] == shown.casefold()[:4]
    assert len(card.locator(".told").text_content().split()) >= 8
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    deeper = card.locator(".word").first
    deeper.click() if kind is LAPTOP else deeper.tap()
    page.wait_for_function("was => document.querySelector('#card h2').textContent.trim() !== was", arg=shown)


def test_all_words_stand_in_the_menu(opened, server):
    page = opened(PHONE)
    against_bots(page, server)
    page.locator(".more").tap()
    page.locator("#menu [data-card='word/all']").tap()
    card = page.locator("#card[open]")
    card.wait_for()
    assert card.locator("dt").count() > 40
    assert "Startkurs" in card.text_content()


def test_round_in_the_header_is_explained(opened, server):
    page = opened(PHONE)
    against_bots(page, server)
    page.locator("header .word").first.tap()
    assert "Aktien" in (page.locator("#card[open]").text_content() or "")


def test_row_of_auction_opens_card(opened, server):
    page = opened(PHONE)
    against_bots(page, server)
    row = page.locator("#action-form [data-card^='private/']").first  # bots may have bought the first of the package
    name = (row.text_content() or "").strip().partition(" ")[2]
    row.tap()
    assert name
    assert name in (page.locator("#card[open]").text_content() or "")
