"""The page as pictures: nothing runs out of the window, and the pictures of the README come from here.

`TRAJEKT_PICTURES=1` writes them into docs/pictures; without it they are taken all the same and thrown away.
"""

from __future__ import annotations

import json
import os

import httpx2
import pytest

from tests.page.conftest import DESKTOP, PHONE
from trajekt.import_18xx import read_export
from trajekt.records import to_json

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORDED = "recorded/18rhl-first-edition-2026.json"
MOMENT = 249  # OR 7.2, GVE has run for 340 M
HEAD = {"content-type": "application/json"}
DARK = DESKTOP | {"color_scheme": "dark", "locale": "de-DE"}
POCKET = PHONE | {"locale": "en-GB"}


@pytest.fixture
def moment(server, shared):
    """A table at the moment of the pictures."""
    export = json.loads(shared(RECORDED).read_text(encoding="utf-8"))
    for player, name in zip(export["players"], ("Ada", "Bert", "Cleo"), strict=True):
        player["name"] = name
    game = read_export(json.dumps(export).encode()).at(MOMENT)
    made = httpx2.post(server.address + "/tables/import", content=to_json(game), headers=HEAD, timeout=60)
    assert made.status_code == 201, made.text
    return server.address + made.json()["address"]


@pytest.fixture
def folder(project, tmp_path):
    return project / "docs" / "pictures" if os.environ.get("TRAJEKT_PICTURES") else tmp_path


def ready(page, address: str) -> None:
    page.goto(address)
    page.locator("html[data-ready=yes]").wait_for()
    page.wait_for_timeout(400)


def fits(page) -> None:
    """Assert that nothing makes the page wider than its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def take(page, folder, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture = page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=84)
    assert len(picture) > 20_000


@pytest.mark.parametrize(
    ("name", "kind", "tab"),
    [
        ("desktop-light", DESKTOP, ""),
        ("desktop-dark", DARK, ""),
        ("phone", POCKET, ""),
        ("phone-market", POCKET, "#market"),
        ("phone-companies", POCKET | {"locale": "de-DE", "color_scheme": "dark"}, "#companies"),
    ],
)
def test_the_table_at_one_moment(opened, moment, folder, name, kind, tab):
    page = opened(kind)
    ready(page, moment + tab)
    fits(page)
    worth = page.locator(
        "#companies .tot td.pl" if kind["viewport"]["width"] > 760 else "#companies .cards small"
    ).first
    assert (worth.text_content() or "").replace(".", ",").count("2,176") == 1
    if not tab:  # what each choice brings is in sight whole
        cut = "[...document.querySelectorAll('.right')].map(box => box.scrollHeight - box.clientHeight)"
        assert max(page.evaluate(cut)) <= 1
    take(page, folder, name)


def test_a_tile_before_it_is_laid(opened, server, shared, folder):
    game = read_export(shared(RECORDED).read_bytes()).at(MOMENT - 2)
    made = httpx2.post(server.address + "/tables/import", content=to_json(game), headers=HEAD, timeout=60)
    page = opened(DESKTOP)
    ready(page, server.address + made.json()["address"])
    lit = page.locator("#map-view .hex.lit")
    assert lit.count() > 3
    page.locator("#map-view .hex.lit[data-hex=E8]").first.focus()
    page.keyboard.press("Enter")
    page.locator(".tile-pick").first.click()
    page.locator("#map-view .tile-preview").wait_for(state="attached")
    first = page.locator("#map-view .tile-preview").inner_html()
    if page.locator(".turns").is_visible():
        page.keyboard.press("r")
        page.wait_for_function("svg => document.querySelector('#map-view .tile-preview')?.innerHTML !== svg", arg=first)
    fits(page)
    take(page, folder, "laying")


def test_the_start_page(opened, server, moment, folder):
    for name, kind in (("start", DESKTOP), ("start-phone", PHONE)):
        page = opened(kind)
        page.goto(server.address + "/")
        page.locator(".game").first.wait_for()
        fits(page)
        take(page, folder, name)


def line_of_log(page, number: int):
    """The link of a line of the log, which comes once its batch of 25 is looked at."""
    page.evaluate("batch => document.getElementById(batch).scrollIntoView()", f"lines{(number - 1) // 25}")
    return page.locator(f"#e{number} a")


def test_a_moment_has_an_address(opened, moment):
    page = opened(DESKTOP)
    ready(page, moment)
    line_of_log(page, 100).click()
    page.locator("#app[data-at='100']").wait_for()
    assert page.url.endswith("?at=100")
    assert page.locator("#action-form").count() == 0
    other = opened(DESKTOP)
    ready(other, page.url)
    other.locator("#app[data-at='100']").wait_for()
    page.keyboard.press("]")  # stepping replaces the address: one step back leads out of the history
    page.locator("#app[data-at='101']").wait_for()
    page.go_back()
    page.locator(f"#app[data-at='{MOMENT}']").wait_for()
    line_of_log(page, 100).click()
    page.locator("#app[data-at='100']").wait_for()
    page.locator("[data-moment='']").first.click()
    page.locator(f"#app[data-at='{MOMENT}']").wait_for()
    assert page.locator("#action-form").count() == 1


def test_routes_are_changed_by_tapping_stops(opened, server, shared):
    game = read_export(shared(RECORDED).read_bytes()).at(MOMENT - 1)
    made = httpx2.post(server.address + "/tables/import", content=to_json(game), headers=HEAD, timeout=60)
    page = opened(DESKTOP)
    ready(page, server.address + made.json()["address"])
    assert "340" in (page.locator("#go").text_content() or "")
    page.keyboard.press("r")
    page.locator("[data-action=clear-route]").first.click()
    for at, said in (("G6", None), ("F5", "RHL-RTE-05"), ("E2", None)):
        page.locator(f"#map-view .hex[data-hex={at}] .hit").click(force=True)
        if said:
            page.locator("#routes .rule", has_text=said).wait_for()
    page.locator("#routes .sum strong", has_text="270").wait_for()
    page.locator("#go:not([disabled])", has_text="270").click()
    page.locator("#app[data-number='249']").wait_for()
    assert "270" in (page.locator("#question").text_content() or "")


def test_theme_and_language_stay_chosen(opened, moment):
    page = opened(DESKTOP)
    ready(page, moment)
    page.locator("[data-theme-choice=dark]").first.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("[data-lang=de]").first.click()
    page.locator("html[lang=de][data-theme=dark]").wait_for()
    assert "ausschütten" in (page.locator("#question").text_content() or "")
