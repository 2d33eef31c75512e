"""A game begun at one screen goes on among friends, from the newest position or an earlier one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import new_table
from tests.page.player_actions import Hands
from trajekt import new_game
from trajekt.records import to_json

EXPORT = next(iter(sorted((Path(__file__).parents[1] / "replays" / "site_exports").glob("02-*.json"))))
pytestmark = pytest.mark.browser


def at_table(page):
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=60_000)
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))


def continued(page):
    """Open the menu of the table shown and choose to go on with friends; returns the preview."""
    page.locator("[data-action=toggle-menu]:visible").first.click()
    page.locator("dialog[open] a[href^='/?continue=']").click()
    shown = page.locator("dialog#import[open]")
    shown.locator("[data-action=import-friends]").wait_for()
    return shown


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_friends_continue_hotseat_game(server, opened, screen):
    page = opened(screen)
    hands = new_table(page, server, "18rhl", edition="2")
    hands.quick("pass")
    page.locator("#app[data-number='1']").wait_for()
    old = page.url
    shown = continued(page)
    assert page.url == server.address + "/"
    shown.locator("[name=you]").select_option("0")
    shown.locator("[data-action=import-friends]").click()
    links = page.locator("#links .seat-link input")
    links.first.wait_for()
    names = page.locator("#links .seat-link b").all_inner_texts()
    bert = opened(DESKTOP)
    bert.goto(links.nth(names.index("Bert")).input_value())
    bert.wait_for_url(re.compile(r"/t/\w+$"))
    bert.locator("#app[data-number='1']").wait_for()
    assert bert.url != old
    bert.locator("html[data-ready=yes]").wait_for()
    bert.keyboard.press("p")
    bert.locator("#app[data-number='2']").wait_for()
    page.goto(old)
    page.locator("#app[data-number='1']").wait_for()  # the old table stays as it was


def test_earlier_moment_becomes_table(server, opened):
    page = opened(DESKTOP)
    hands = new_table(page, server, "18rhl", edition="2")
    hands.quick("pass")
    page.locator("#app[data-number='1']").wait_for()
    hands.quick("pass")
    page.locator("#app[data-number='2']").wait_for()
    page.goto(page.url + "?at=1")
    page.locator("html[data-ready=yes]").wait_for()
    shown = continued(page)
    shown.locator("[data-action=import-table]").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.locator("#app[data-number='1']").wait_for()


def brought(page, server, name):
    """Bring a file to the start page; returns the preview."""
    page.goto(server.address + "/")
    page.locator("html [data-action=open-record]").wait_for()
    page.locator("#record").set_input_files(name)
    shown = page.locator("dialog#import[open]")
    shown.locator("[data-action=import-friends]").wait_for()
    return shown


def test_record_becomes_table_of_friends(server, opened, tmp_path):
    game = new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7)
    game.play(next(each.action for each in game.choices() if type(each.action).__name__ == "Pass"))
    file = tmp_path / "evening.json"
    file.write_bytes(to_json(game))
    page = opened(PHONE)
    shown = brought(page, server, file)
    shown.locator("[name=you]").select_option("1")
    shown.locator("[data-action=import-friends]").tap()
    page.locator("#links .seat-link").nth(3).wait_for()
    page.locator("#links .go").tap()
    bert = at_table(page)
    assert bert.number == 1
    bert.quick("pass")


def test_export_becomes_table_of_friends(server, opened):
    page, friend = opened(DESKTOP), opened(PHONE)
    shown = brought(page, server, EXPORT)
    shown.locator("[name=you]").select_option("0")
    shown.locator("[data-action=import-friends]").click()
    links = page.locator("#links .seat-link input")
    links.nth(1).wait_for()
    friend.goto(links.nth(1).input_value())
    seen = at_table(friend).number
    page.locator("#links .go").click()
    assert at_table(page).number == seen > 0
    assert page.url == friend.url


def test_unknown_table_says_so(server, opened):
    page = opened(DESKTOP)
    page.goto(server.address + "/?continue=nowhere")
    shown = page.locator("dialog#import[open]")
    shown.locator(".error:not([hidden])").wait_for()
    assert shown.locator("[data-action=import-table]").count() == 0
