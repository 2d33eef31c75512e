"""People who know nothing of each other meet in the lobby: from an offer on one screen to the first moves on all."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.player_actions import Hands

pytestmark = pytest.mark.browser

SMALL_DESKTOP = DESKTOP | {"viewport": {"width": 1280, "height": 720}}


def tabbed_to(page, query):
    """Go to the element of a query by Tab alone."""
    for _ in range(80):
        if page.evaluate("query => document.activeElement?.matches(query)", query):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not lead to {query}")


def at_table(page):
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=60_000)
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))


def test_strangers_meet_and_play(server, opened):
    host, guest, third = opened(SMALL_DESKTOP), opened(PHONE), opened(DESKTOP)

    # the guest waits in the lobby, in German on a phone; it is empty
    guest.goto(server.address + "/")
    guest.locator("form:not([hidden]) a[href^='/lobby?game=']").tap()  # the lobby of the game that is shown
    guest.locator("html[data-ready=yes] .lobby").wait_for()
    guest.locator("#lobby-list .m", has_text="kein passender Tisch").wait_for()
    assert guest.locator("select[name=game]").input_value() == "18rhl"  # as the start page showed

    # the host offers a table at 1280 x 720, in English, by keyboard alone
    host.goto(server.address + "/")
    tabbed_to(host, "header a[href='/lobby']")
    host.keyboard.press("Enter")
    host.locator("html[data-ready=yes] .lobby").wait_for()
    tabbed_to(host, "a[href^='/lobby/new']")
    host.keyboard.press("Enter")
    host.locator("html[data-ready=yes] form.offer[data-game='18rhl']").wait_for()
    tabbed_to(host, "select[name=most]")
    host.keyboard.press("3")
    tabbed_to(host, "input[name=sentence]")
    host.keyboard.type("Newcomers welcome")
    tabbed_to(host, "input[name=name]")
    host.keyboard.type("Ada")
    host.keyboard.press("Enter")
    host.wait_for_url(re.compile(r"/lobby/\w{16}$"))
    assert host.locator(".seated li").all_inner_texts()[1:] == ["open", "open"]

    # it stands in the guest's lobby by itself
    line = guest.locator("#lobby-list a", has_text="Newcomers welcome")
    line.wait_for()
    assert "Zweite Ausgabe" in (line.inner_text())
    assert "1 von 3 Spielern · live" in line.inner_text()
    line.tap()
    guest.locator(".join input").fill("Bert")
    guest.locator(".join .go").tap()
    guest.locator(".seated b", has_text="Bert").wait_for()
    host.locator(".seated b", has_text="Bert").wait_for()  # and the host sees who came

    # the third seat begins the game on all three screens
    third.goto(guest.url)
    third.locator(".join input").fill("bert")
    third.locator(".join .go").click()
    third.locator(".join .error", has_text="name of their own").wait_for()
    third.locator(".join input").fill("Cleo")
    third.locator(".join .go").click()
    players = [at_table(third), at_table(guest), at_table(host)]
    assert len({each.page.url for each in players}) == 1

    # each acts once, the host by a key
    for _ in range(3):
        number = players[0].number
        (asked,) = [each for each in players if each.page.locator("#action-form").count()]
        if asked.page is host:
            host.keyboard.press("p")
            asked.settled(number)
        else:
            asked.quick("pass")
        for each in players:
            each.page.locator(f"#app[data-number='{number + 1}']").wait_for()
    assert guest.locator("html").get_attribute("lang") == "de"
    assert host.locator("html").get_attribute("lang") == "en"


def test_host_begins_and_ends_by_button(server, opened):
    host, guest = opened(PHONE), opened(DESKTOP)
    host.goto(server.address + "/lobby/new?game=18do")
    host.locator("input[name=name]").fill("Ada")
    host.locator("input[name=unlisted]").check()
    host.locator("form.offer .go").tap()
    host.wait_for_url(re.compile(r"/lobby/\w{16}$"))
    link = host.locator("#open-address").input_value()
    guest.goto(server.address + "/lobby")
    assert not guest.locator(f"a[href='{link.removeprefix(server.address)}']").count()
    guest.goto(link)
    guest.locator(".join input").fill("Bert")
    guest.locator(".join .go").click()
    host.locator(".seated b", has_text="Bert").wait_for()
    host.locator("[data-action=dismiss-player]").tap()
    guest.locator(".join input").wait_for()
    guest.locator(".join .go").click()
    guest.locator("[data-action=leave-table]").click()
    guest.wait_for_url(server.address + "/lobby")
    guest.goto(link)
    host.locator("[data-action=leave-table]").tap()
    guest.locator(".toast", has_text="no more").wait_for()
    host.wait_for_url(server.address + "/lobby")
