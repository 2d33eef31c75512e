"""To each their eyes: what a reader chooses for their device is shown at once, kept, and breaks no width."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import laying_step, played
from tests.page.conftest import DESKTOP, PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LAPTOP = DESKTOP | {"viewport": {"width": 1280, "height": 720}}
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def table(opened, server):
    def make(kind, game=None):
        page = opened(kind)
        open_moment(page, server, game or played("18rhl").at(250))
        return page

    return make


def choose(page, *names):
    page.evaluate("document.querySelector('[data-action=open-view]').click()")
    page.locator("#view[open]").wait_for()
    for name in names:
        page.locator(f"[name=view][value={name}]").check()


@pytest.mark.parametrize("kind", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_choices_are_kept_on_the_device(table, kind):
    page = table(kind)
    assert page.locator(".director-ring").count() == 0
    choose(page, "rings", "letters", "par", "liquidity")
    assert page.evaluate(FITS)
    rings = page.locator(".director-ring").count()
    assert rings > 3
    page.reload()
    page.locator("html[data-ready=yes]").wait_for()
    assert page.locator(".director-ring").count() == rings
    assert page.evaluate(FITS)
    if kind is PHONE:
        page.locator(".tabs [data-tab=companies]").tap()
    for name in ("par", "liquidity"):
        assert page.locator(f"#companies .view-{name}:visible").count() > 0


def test_ring_tells_the_director(table):
    page = table(LAPTOP)
    choose(page, "rings")
    state = played("18rhl").at(250).state
    for company, seat in ((c.id, c.director) for c in state.companies.values() if c.floated and c.director is not None):
        rings = page.locator(f"use.station[href='#token-{company}'] + .director-ring")
        assert rings.count() > 0
        assert f"seat{seat}" in rings.first.get_attribute("class")


def test_sheet_is_sorted_by_price(table):
    page = table(LAPTOP)
    page.evaluate("document.querySelector('[data-action=open-view]').click()")
    page.locator("[name=view-sort]").select_option("treasury")
    page.keyboard.press("Escape")
    texts = page.locator("#companies tbody tr > :nth-child(4)").all_text_contents()
    amounts = [int(text.replace(",", "")) for text in texts if text.replace(",", "").isdigit()]
    assert len(amounts) > 3
    assert amounts == sorted(amounts, reverse=True)
    page.keyboard.press("[")
    page.wait_for_function("() => document.getElementById('app').dataset.at == 249")
    again = page.locator("#companies tbody tr > :nth-child(4)").all_text_contents()
    later = [int(text.replace(",", "")) for text in again if text.replace(",", "").isdigit()]
    assert later == sorted(later, reverse=True)


def test_routes_take_chosen_colours(table):
    page = table(LAPTOP)
    choose(page)
    standard = page.locator("[name=view-route]").first.input_value()
    page.locator("[name=view-route]").first.fill("#123456")
    told = "getComputedStyle(document.documentElement).getPropertyValue('--route1').trim()"
    assert page.evaluate(told) == "#123456"
    page.locator("[data-action=standard-routes]").click()
    assert page.locator("[name=view-route]").first.input_value() == standard


def test_patterns_tell_colours_apart(table):
    page = table(LAPTOP)
    choose(page, "patterns")
    fills = {
        colour: page.evaluate(f"getComputedStyle(document.querySelector('#map-view .t-{colour}')).fill")
        for colour in ("green", "grey", "red", "yellow")
    }
    assert all(f"hatch-{colour}" in fill for colour, fill in fills.items() if colour != "yellow")
    assert "hatch" not in fills["yellow"]


def test_whole_map_opens_on_the_phone(table):
    page = table(PHONE, laying_step("18rhl"))
    near = page.evaluate("document.querySelector('#map-view > svg').viewBox.baseVal.width")
    choose(page, "whole")
    assert page.evaluate("document.querySelector('#map-view > svg').viewBox.baseVal.width") > near
