"""What happened since one's own move is marked on map, market and sheet until it was seen; last runs are shown on the map."""

from __future__ import annotations

import re

import pytest

from tests.builders.played_moments import played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment
from trajekt.records import to_json
from trajekt.server.presenters.since_marks import since_marks

pytestmark = pytest.mark.browser


def moment_with_marks():
    """A game in which others have laid tiles and moved prices since seat 0 acted, and what is marked for that seat."""
    whole = played("18rhl")
    for number in range(150, whole.number):
        game = whole.at(number)
        own = max(entry.number for entry in game.entries if entry.seat == 0)
        marks = since_marks(game.entries[own:], game.state)
        if marks.hexes and marks.spaces and marks.companies:
            return game, marks
    raise AssertionError("no such moment")


AWAY = "Object.defineProperty(document, 'visibilityState', { get: () => (window.looks ? 'visible' : 'hidden') });"
"""Nobody looks until a test says so: what is not before the eyes is not seen."""


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def seated(request, server, opened):
    """The page of seat 0 at such a moment, with its marks."""
    page, (game, marks) = opened(request.param), moment_with_marks()
    page.add_init_script(AWAY)
    page.goto(server.address + "/offline")  # a page of this server, so that the request comes from it
    made = page.context.request.post(
        f"{server.address}/tables/import?friends=0",
        data=to_json(game),
        headers={"content-type": "application/json"},
    ).json()
    page.goto(server.address + made["address"])
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.locator("html[data-ready=yes]").wait_for()
    page.marks = marks
    return page


def marked(page):
    return set(page.locator("#map-view .hex.news").evaluate_all("all => all.map((each) => each.dataset.hex)"))


def test_marks_stand_where_something_happened(seated):
    seated.wait_for_function("() => document.querySelector('#map-view .hex.news')")
    assert marked(seated) == set(seated.marks.hexes)
    spaces = seated.locator("#market-view [data-space].news")
    found = set(spaces.evaluate_all("all => all.map((each) => each.dataset.space)"))
    assert found == set(seated.marks.spaces)
    rows = seated.locator("#companies tr.news, #companies li.news").count()
    assert rows >= len(seated.marks.companies)


def test_seen_marks_are_gone(seated):
    seated.wait_for_function("() => document.querySelector('#map-view .hex.news')")
    seated.locator("[data-action=zoom-whole]").first.evaluate("button => button.click()")
    seated.evaluate("window.looks = true")
    seated.wait_for_function("() => !document.querySelector('#map-view .hex.news')")
    seated.reload()
    seated.locator("html[data-ready=yes]").wait_for()
    assert marked(seated) == set()  # not marked again in this visit


def test_last_run_shows_on_map(opened, server):
    page, game = opened(DESKTOP), played("18rhl").at(300)
    open_moment(page, server, game)
    company = next(name for name, held in game.state.companies.items() if held.revenue)
    before = page.locator("#map-view g.routes").evaluate_all("all => all.map((each) => each.innerHTML).join('')")
    button = page.locator(f"table [data-action=show-last-run][data-company='{company}']")
    button.focus()
    page.keyboard.press("Enter")
    page.locator(f"table [data-action=show-last-run][data-company='{company}'][aria-pressed=true]").wait_for()
    assert page.locator("#map-view g.routes > *").count() > 0
    page.keyboard.press("Enter")
    page.locator(f"table [data-action=show-last-run][data-company='{company}'][aria-pressed=false]").wait_for()
    after = page.locator("#map-view g.routes").evaluate_all("all => all.map((each) => each.innerHTML).join('')")
    assert after == before


def test_last_run_leads_phone_to_map(opened, server):
    page, game = opened(PHONE), played("18rhl").at(300)
    open_moment(page, server, game)
    page.locator(".tabs [data-tab=companies]").tap()
    company = next(name for name, held in game.state.companies.items() if held.revenue)
    page.locator(f".cards [data-action=show-last-run][data-company='{company}']").tap()
    page.wait_for_function("() => document.documentElement.dataset.tab === 'now'")
    page.locator("#map-view g.routes > *").first.wait_for(state="attached")
    assert page.locator("#map-view").is_visible()
