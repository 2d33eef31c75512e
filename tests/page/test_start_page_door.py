"""The second door, *play now*: alone against as many bots as the game allows, at a pace; and many at one screen."""

from __future__ import annotations

import re

import httpx2
import pytest

from tests.page.conftest import DESKTOP, PHONE
from trajekt.registry import names, title

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAYERS = {title(name).id: max(title(name).editions.items())[1] for name in names()}
"""How many may play each game in the edition that the form shows first."""


def door(page, server, game):
    page.goto(server.address + "/")
    page.locator(f"[data-choose='{game}']").click()
    return page.locator(f"form.new[data-game='{game}']")


def seated(page):
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=60_000)
    page.locator("html[data-ready=yes]").wait_for()
    return httpx2.get(page.url + "/state.json", timeout=60).json()


@pytest.mark.parametrize("game", PLAYERS)
def test_lone_player_meets_each_bot_number(opened, server, game):
    page = opened(DESKTOP)
    low, high = PLAYERS[game]
    for opponents in range(1, 6):
        form = door(page, server, game)
        choice = form.locator("[name=opponents]")
        fits = low - 1 <= opponents < high
        assert choice.locator(f"option[value='{opponents}']").is_disabled() != fits
        if not fits:
            continue
        choice.select_option(str(opponents))
        form.locator("[name=pause]").select_option("2.0")
        form.locator("[data-action=start-against-bots]").click()
        state = seated(page)
        assert len(state["names"]) == opponents + 1
        assert page.locator("[data-pace='2.0'][aria-pressed=true]").count() == 1
        assert len(state["seats"]) == 1  # the others are bots


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        ((("", ""),), ["Guest", "Borsig", "Harkort"]),
        ((("Ada", ""),), ["Ada", "Borsig", "Harkort"]),
        ((("", "random"), ("Ada", "")), ["Ada", "Borsig", "Harkort"]),  # a bot's name is nobody's
        ((("Harkort", ""), ("Bert", "")), ["Harkort", "Borsig", "Krupp"]),
    ],
)
def test_lone_player_keeps_typed_name(opened, server, typed, seats):
    page = opened(DESKTOP)
    form = door(page, server, "18rhl")
    for n, (name, kind) in enumerate(typed):
        form.locator("input[name=player]").nth(n).fill(name)
        form.locator("select[name=kind]").nth(n).select_option(kind)
    form.locator("[data-action=start-against-bots]").click()
    state = seated(page)
    assert sorted(state["names"]) == sorted(seats)
    assert [state["names"][seat] for seat in state["seats"]] == seats[:1]


def test_people_and_bots_share_a_screen(opened, server):
    page = opened(PHONE)
    form = door(page, server, "18rhl")
    for n, (name, kind) in enumerate((("Ada", ""), ("", "steady"), ("Cleo", ""), ("", "random"))):
        form.locator("input[name=player]").nth(n).fill(name)
        form.locator("select[name=kind]").nth(n).select_option(kind)
    form.locator("input[name=fixed_seats]").check()
    form.locator(".go").tap()
    state = seated(page)
    assert [state["names"][seat] for seat in state["seats"]] == ["Ada", "Cleo"]
    assert len(state["names"]) == 4
    # Ada passes, the bot between them moves by itself, and Cleo is asked on the same phone
    page.locator("#action-form [data-choice*='pass']").first.tap()
    page.wait_for_function("n => Number(document.getElementById('app').dataset.number) >= n", arg=2, timeout=60_000)
    page.locator("#question", has_text="Cleo").wait_for(timeout=60_000)
