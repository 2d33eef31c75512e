"""A table from the start page, by the same form that everybody uses."""

from __future__ import annotations

import re

from tests.page.player_actions import Hands


def new_table(
    page, server, game: str, /, *, names=("Ada", "Bert", "Cleo"), seed=1, edition: str = "", **options
) -> Hands:
    """A new table of a game; its options are chosen by value or label, and the seats stay as entered."""
    page.goto(server.address + "/")
    page.locator(f"[data-choose='{game}']").click()
    form = page.locator(f"form.new[data-game='{game}']")
    if edition:
        form.locator(f"label:has(input[name=edition][value='{edition}'])").click()
    for n, name in enumerate(names):
        form.locator("input[name=player]").nth(n).fill(name)
    form.locator("summary").click()
    form.locator("input[name=fixed_seats]").check()
    for option, value in options.items():
        form.locator(f"select[data-option={option}]").select_option(value)
    form.locator("input[name=seed]").fill(str(seed))
    form.locator(".go").click()
    page.wait_for_url(re.compile(r"/t/\w+"))
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))


def against_bots(page, server, game="18rhl") -> None:
    """A table against bots, from the second door of the start page."""
    page.goto(server.address + "/")
    page.locator(f"[data-choose='{game}']").click()
    page.locator(f"form.new[data-game='{game}'] [data-action=start-against-bots]").click()
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=60_000)
    page.locator("html[data-ready=yes]").wait_for()
    page.locator("#coach:visible").wait_for()


def menu(page):
    """Open the menu of a table."""
    page.locator("[data-action=toggle-menu]:visible").first.click()
    page.locator("#menu[open]").wait_for()


def planning(page):
    """The board to plan on that a table's menu opens."""
    menu(page)
    with page.context.expect_page() as opened:
        page.locator("#menu [data-action=try-out]").click()
    plan = opened.value
    plan.wait_for_selector("html[data-ready]")
    page.keyboard.press("Escape")
    return plan
