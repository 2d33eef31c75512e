"""Friends at a table, each at a screen of their own: the table made on the start page, and links opened."""

from __future__ import annotations

import re

from tests.page.player_actions import Hands

NAMES = ("Ada", "Bert", "Cleo")


def seat_links(page, server) -> list[str]:
    """The links for friends that the third door of the start page shows, the watching one last."""
    page.goto(server.address + "/")
    page.locator("[data-choose='18rhl']").click()
    form = page.locator("form.new[data-game='18rhl']")
    form.locator("[data-action=open-friends]").click()
    for n, name in enumerate(NAMES):
        form.locator("input[name=player]").nth(n).fill(name)
    form.locator("input[name=fixed_seats]").check()
    form.locator("summary").click()
    form.locator("input[name=seed]").fill("7")
    form.locator(".go").click()
    page.locator("#links .seat-link").nth(len(NAMES)).wait_for()
    return page.locator("#links input").evaluate_all("all => all.map(input => input.value)")


def gathered(page, server) -> list[str]:
    """The links of `seat_links`, the table opened by Ada."""
    links = seat_links(page, server)
    page.locator("#links .go").click()
    page.locator("html[data-ready=yes]").wait_for()
    return links


def sits(page, link) -> Hands:
    """Somebody opens a link and is at the table."""
    page.goto(link)
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.locator("#app").wait_for()
    page.locator("html[data-ready=yes]").wait_for()
    return Hands(page, touch=bool(page.evaluate("navigator.maxTouchPoints")))
