"""An evening of three friends, each at a screen of their own, and one who watches: from the links into the second stock round.

On the way: an undo by consent, an instruction in advance, a lost connection, a seat that is handed over.
"""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import gathered, sits
from tests.page.player_actions import Hands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ENGLISH_PHONE = PHONE | {"locale": "en-GB"}


class Table:
    """The friends by name. `who()` is the one who is asked to act, once everybody who is there sees the same."""

    def __init__(self, hands: dict[str, Hands]) -> None:
        self.hands = hands
        self.gone: set[str] = set()

    def number(self) -> int:
        return max(hands.number for hands in self.hands.values())

    def agree(self) -> int:
        """Wait until every page that is connected shows the newest position."""
        number = self.number()
        for name, hands in self.hands.items():
            if name not in self.gone:
                hands.page.wait_for_function(
                    "n => Number(document.getElementById('app').dataset.number) >= n", arg=number
                )
        return number

    def who(self) -> str:
        while True:
            before = self.agree()
            asked = [name for name, hands in self.hands.items() if hands.page.locator("#action-form").count()]
            if self.number() == before:  # an instruction may have acted meanwhile
                assert len(asked) == 1, (asked, before)
                return asked[0]

    def play(self, done, most: int = 140) -> None:
        """Play on until something is so."""
        for _ in range(most):
            if done():
                return
            self.hands[self.who()].play_on()
        raise AssertionError({name: hands.log[-4:] for name, hands in self.hands.items()})


def test_three_friends_reach_second_stock_round(server, opened):
    ada_page, bert_page, cleo_page, eve_page = opened(DESKTOP), opened(PHONE), opened(ENGLISH_PHONE), opened(DESKTOP)
    links = gathered(ada_page, server)
    assert len(set(links)) == 4
    ada = Hands(ada_page)
    bert, cleo = sits(bert_page, links[1]), sits(cleo_page, links[2])
    sits(eve_page, links[3])
    assert "#" not in bert_page.url  # the token has left the address bar
    table = Table({"Ada": ada, "Bert": bert, "Cleo": cleo})

    # each is told in their own language who is waited for, and the others are here
    assert table.who() == "Ada"
    assert "Warten auf Ada." in (bert_page.locator(".waits").text_content() or "")
    assert "Waiting for Ada. You are watching." in (eve_page.locator(".waits").text_content() or "")
    ada_page.locator(".seat-strip li[data-seat='2'].here").wait_for()

    # Ada and Bert act; Ada wants hers back, which Bert must allow
    ada.quick("pass")
    assert table.who() == "Bert"
    bert.quick("pass")
    table.agree()
    ada_page.locator("[data-action=ask-undo]").click()
    bert_page.locator("[data-reply=yes]").wait_for()
    assert "Ada bittet" in (bert_page.locator(".consent-request").text_content() or "")
    assert not cleo_page.locator("[data-reply]").count()  # nothing of hers would vanish
    bert.press(bert_page.locator("[data-reply=yes]"))
    for page in (ada_page, bert_page, cleo_page, eve_page):
        page.locator("#app[data-number='3']").wait_for()
    assert "by consent" in (eve_page.locator("#e3").text_content() or "")
    assert table.who() == "Ada"
    assert not ada_page.locator(".consent-request").count()

    # a while into the stock round Cleo has enough and says so in advance; nobody else sees it
    table.play(lambda: ada.number >= 21 and table.who() == "Ada")
    cleo.press(cleo_page.locator("[data-action=toggle-sidebar]:visible").first)
    cleo.press(cleo_page.locator("#new-order summary"))
    form = cleo_page.locator("form[data-order=pass_until]")
    form.locator("input[value=end]").check()
    cleo.press(form.locator("button[type=submit]"))
    cleo_page.locator(".orders li").first.wait_for()
    assert not bert_page.locator(".orders li").count()
    assert not eve_page.locator(".orders li").count()
    cleo.press(cleo_page.locator("#sidebar [data-action=toggle-sidebar]"))
    table.play(lambda: eve_page.locator("#log .by", has_text="by instruction").count() > 0)

    # Bert's train goes through a tunnel; the others play on as far as they can, and his phone catches up by itself
    table.play(lambda: ada.round == "OR 1.1" and table.who() != "Bert")
    seen = bert.number
    bert_page.context.set_offline(True)
    bert_page.evaluate("dispatchEvent(new Event('online'))")  # Chromium lets an open stream run on: so open it anew
    bert_page.locator(".toast").wait_for()
    table.gone.add("Bert")
    first = table.who()
    table.hands[first].play_on()
    table.agree()
    assert bert.number == seen
    bert_page.context.set_offline(False)
    table.gone.clear()
    bert_page.wait_for_function(
        "n => Number(document.getElementById('app').dataset.number) > n", arg=seen, timeout=60_000
    )

    # Cleo has to go: Dora gets her seat, the old link is dead, Cleo watches
    cleo.press(cleo_page.locator("[data-action=open-seats]"))
    cleo.press(cleo_page.locator(".seat-menu details summary"))
    cleo.press(cleo_page.locator(".seat-menu [data-action=make-seat-link][data-about='2']"))
    given = cleo_page.locator("#new-link input")
    given.wait_for()
    link = given.input_value()
    assert link not in links
    late = opened(DESKTOP)
    late.goto(links[2])
    late.locator("#by-name .error", has_text="no longer valid").wait_for()
    late.close()
    dora = sits(opened(ENGLISH_PHONE), link)
    cleo.press(cleo_page.locator("#seat-menu [data-action=close-dialog]"))
    cleo_page.locator("#seats li").first.wait_for()
    table.hands["Cleo"] = dora
    table.play(lambda: ada.round == "SR 2")

    table.agree()
    number = table.number()
    for page in (eve_page, cleo_page):
        page.wait_for_function("n => Number(document.getElementById('app').dataset.number) >= n", arg=number)
        assert not page.locator("#action-form, [data-choice]:visible").count()
    assert bert.round == "AR 2"
    assert eve_page.locator("#log li[id^=e]").last.get_attribute("id") == f"e{number}"
    assert dora.log
