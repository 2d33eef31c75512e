"""Everything by keyboard alone, and what a screen reader is told."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import one_of_each_step
from tests.page.conftest import DESKTOP
from tests.page.moments import open_moment
from tests.page.new_tables import new_table
from tests.server.conftest import OPTIONS, PLAYERS
from trajekt.game import new_game
from trajekt.records import to_json

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def table(server, game) -> str:
    import httpx2

    made = httpx2.post(
        server.address + "/tables/import",
        content=to_json(game),
        headers={"content-type": "application/json"},
        timeout=60,
    )
    assert made.status_code == 201, made.text
    return server.address + made.json()["address"]


def until_track():
    """A game at the first step of the first company's first turn."""
    game = new_game("18rhl", PLAYERS, OPTIONS, 7)
    order = ("buy_private", "set_par", "buy_share", "found", "pass")
    while not any("hex" in c.action.__struct_fields__ for c in game.choices()):
        sensible = [c for c in game.choices() if c.action.__struct_config__.tag in order and not c.spans]
        choice = min(sensible, key=lambda c: order.index(c.action.__struct_config__.tag))
        game.play(choice.action, choice.seat)
    return game


def at(page, number: int) -> None:
    page.locator(f"#app[data-number='{number}']").wait_for()


def test_bid_undo_and_history_by_keyboard(opened, server):
    page = opened(DESKTOP)
    page.goto(table(server, new_game("18rhl", PLAYERS, OPTIONS, 7)))
    page.locator("html[data-ready=yes]").wait_for()
    for _ in range(60):  # the choices are one group: Tab enters it, arrows walk in it
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name === 'pick'"):
            break
    page.keyboard.press("ArrowDown")
    assert page.evaluate("JSON.parse(document.activeElement.value).kind") == "bid"
    page.locator("#go:not([disabled])").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "go":
            break
    page.keyboard.press("Enter")
    at(page, 1)
    page.keyboard.press("u")
    at(page, 2)
    page.keyboard.press("y")
    at(page, 3)
    page.keyboard.press("p")
    at(page, 4)
    page.keyboard.press("[")
    page.locator("#app[data-at='3']").wait_for()
    page.keyboard.press("]")
    page.locator("#app[data-at='4'][data-live=yes]").wait_for()
    page.keyboard.press("?")
    page.locator("#menu[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("#menu:not([open])").wait_for(state="attached")
    page.keyboard.press("t")
    page.locator("#tiles-left[open] .tile-sheet").wait_for()


def test_tile_is_laid_by_keyboard(opened, server):
    game = until_track()
    page = opened(DESKTOP)
    page.goto(table(server, game))
    page.locator("html[data-ready=yes]").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.hex.lit')"):
            break
    first = page.evaluate("document.activeElement.dataset.hex")
    lit = page.locator("#map-view .hex.lit").evaluate_all("all => all.map(hex => hex.dataset.hex)")
    assert first in lit
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.matches('#map-view .hex')")
    page.locator(f"#map-view .hex[data-hex='{first}']").focus()
    page.keyboard.press("Enter")
    page.locator("#hexbox .hexhead").wait_for()
    if not page.locator(".tile-pick[aria-pressed=true]").count():
        page.locator(".tile-pick").first.focus()
        page.keyboard.press("Enter")
    page.locator("#map-view .tile-preview").wait_for(state="attached")
    page.keyboard.press("r")
    told = page.locator(".rotation-line").text_content() or ""
    assert re.fullmatch(r"turn \d of \d: (joins|leads to) [A-Z]\d+(, [A-Z]\d+)*", told), told
    page.locator("#go:not([disabled])").focus()
    page.keyboard.press("Enter")
    at(page, game.number + 1)
    assert page.locator("#e" + str(game.number + 1)).text_content()


def test_focus_stays_on_the_decision(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, one_of_each_step("18rhl")["StockRound."])
    page.locator("#action-form [name=pick]").first.focus()
    page.keyboard.press("Space")
    page.locator("#go:not([disabled])").wait_for()
    before = int(page.locator("#app").get_attribute("data-number"))
    presses = 0
    while page.evaluate("document.activeElement.id") != "go":
        page.keyboard.press("Tab")
        presses += 1
        assert presses <= 12
    page.keyboard.press("Enter")
    page.wait_for_function("n => Number(document.getElementById('app').dataset.number) > n", arg=before)
    page.wait_for_timeout(300)
    assert page.evaluate("document.getElementById('now').contains(document.activeElement)")


def test_each_choice_has_its_own_name(server, opened):
    page = opened(DESKTOP)
    open_moment(page, server, one_of_each_step("18rhl")["StockRound."])
    names = page.locator("#action-form [name=pick]").evaluate_all("all => all.map(each => each.ariaLabel)")
    assert len(names) > 3
    assert len(set(names)) == len(names)
    assert all(len(name) > 8 for name in names)


def test_moves_are_spoken(server, opened):
    page = opened(DESKTOP)
    new_table(page, server, "18rhl")
    page.keyboard.press("p")
    page.wait_for_function("() => document.getElementById('spoken').textContent.includes('passes')")
