"""A friend has gone: the others agree on a bot for the seat, it plays and says so, and the friend takes the seat back."""

from __future__ import annotations

import time

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import gathered, sits
from trajekt.bots.bot import names
from trajekt.server.services.seats import AWAY
from trajekt.server.storage.seats import looked
from trajekt.server.storage.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_bot_takes_and_returns_the_seat(server, opened):
    ada_page, bert_page, cleo_page = opened(DESKTOP), opened(PHONE), opened(DESKTOP)
    links = gathered(ada_page, server)
    ada = sits(ada_page, links[0])
    bert, cleo = sits(bert_page, links[1]), sits(cleo_page, links[2])
    ada.quick("pass")
    bert_page.locator("#app[data-number='1']").wait_for()
    bert.quick("pass")
    cleo_page.close()
    id_ = ada_page.url.rpartition("/")[2]
    store = Store(server.url)

    # Ada chooses the bot, Bert reads on his phone in German which, and agrees
    gone = ada_page.locator("#seats li[data-seat='2'].away")
    gone.wait_for()
    server.kill()  # what it has read it keeps: the time is set back while it sleeps
    looked(store, id_, (2,), time.time() - AWAY - 1)
    store.close()
    server.start()
    ada_page.locator("[data-action=open-seats]").click()
    row = ada_page.locator("#seat-menu .row", has=ada_page.locator("[data-kind=stand_in]"))
    choice = row.locator("select")
    assert choice.input_value() == "caretaker"
    kinds = choice.locator("option").evaluate_all("all => all.map(each => each.value)")
    assert kinds == sorted(names())
    assert {"caretaker", "beginner", "master"} <= {*kinds}
    choice.select_option("random")
    row.locator("[data-kind=stand_in]").click()
    asked = bert_page.locator(".consent-request")
    asked.wait_for()
    assert "Ada bittet, dass ein Bot Cleo vertritt. Bot: zufällig." in (asked.text_content() or "")
    bert.press(asked.locator("[data-reply=yes]"))

    # it plays, and its actions say so
    mark = ada_page.locator("#log #e3 .by")
    mark.wait_for()
    assert mark.text_content() == "(bot stands in)"
    assert "bot" in (ada_page.locator("#seats li[data-seat='2']").text_content() or "")

    # Cleo is back with one press
    cleo = sits(opened(DESKTOP), links[2])
    lent = cleo.page.locator(".consent-request [data-action=end-stand-in]")
    lent.click()
    lent.wait_for(state="detached")
    ada_page.locator("#seats li[data-seat='2'].here").wait_for()
    assert "bot" not in (ada_page.locator("#seats li[data-seat='2']").text_content() or "")
