"""A game played through the page, from the first bid into the second operating round, as people at one screen would.

On the way: a refused action with its reason, an undo, a second window that follows, and the server killed and started again.
The pictures of the README are taken here.
"""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import new_table
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def bid(hands: Hands, private: int, amount: int) -> None:
    offer = hands.offers("bid").filter(has=hands.page.locator(f"input[value*='\"private\":{private},']"))
    hands.press(offer.first)
    hands.page.locator("#detail input").fill(str(amount))


def until(hands: Hands, round_: str, most: int = 120) -> None:
    """Play on until the header shows a round."""
    for _ in range(most):
        if hands.round == round_:
            return
        hands.play_on()
    raise AssertionError(f"still in {hands.round}: {hands.log[-8:]}")


@pytest.mark.parametrize(
    ("kind", "rounds"),
    [(DESKTOP, ("OR 1.1", "SR 2", "OR 2.1")), (PHONE, ("OR 1.1", "AR 2", "OR 2.1"))],
    ids=["desktop", "phone"],
)
def test_game_reaches_second_operating_round(server, opened, kind, rounds):
    page = opened(kind)
    hands = new_table(page, server, "18rhl", seed=7, edition="2")

    # a bid that is too low is refused with its rule, and nothing has changed
    bid(hands, 2, 31)
    why = page.locator("#why")
    why.wait_for()
    assert "COMMON-AUC-05" in (why.text_content() or "")
    assert page.locator("#go").is_disabled()
    assert hands.number == 0

    # a bid that is high enough is taken, undone, and made again
    page.locator("#detail input").fill("35")
    hands.confirm()
    hands.press(page.locator("[data-action=undo]"))
    hands.settled(1)
    assert hands.number == 2
    bid(hands, 2, 40)
    hands.confirm()
    assert "undone" in (page.locator("#e1").get_attribute("class") or "")

    until(hands, rounds[0])
    table = page.url

    # killed in the middle of an operating round: the page waits, and goes on where it was
    before = hands.number
    server.kill()
    page.locator(".toast").wait_for()
    server.start()
    page.locator(".toast", has_text=re.compile("back|wieder")).wait_for(timeout=20_000)
    assert hands.number == before
    assert page.url == table

    until(hands, rounds[1])
    until(hands, rounds[2])
    hands.play_on()
    assert hands.number > before


def test_stale_window_is_told(server, opened):
    page, other = opened(), opened()
    hands = new_table(page, server, "18rhl", seed=7, edition="2")
    other.goto(page.url)
    other.locator("html[data-ready=yes]").wait_for()
    bid(hands, 2, 35)
    hands.confirm()
    other.locator("#app[data-number='1']").wait_for()
    assert "35" in (other.locator("#log .on").text_content() or "")

    # the other window is cut off, acts on what it sees, and is told what it missed
    other.evaluate("document.getElementById('app').dataset.number = '0'")
    Hands(other).offers("bid").first.click()
    other.locator("#detail input").fill("60")
    other.locator("#go:not([disabled])").click()
    toast = other.locator(".toast")
    toast.wait_for()
    assert "Ada bids 35" in (toast.text_content() or "")
    other.locator("#app[data-number='1']").wait_for()
    assert hands.number == 1
