"""A file brought to the start page: looked at first, then a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.conftest import DESKTOP, PHONE

FOLDER = Path(__file__).parents[1] / "replays" / "site_exports"
SCREENS = {
    f"{kind}-{language}": {**screen, "viewport": size, "locale": locale}
    for kind, screen, size in (
        ("phone", PHONE, {"width": 390, "height": 844}),
        ("desktop", DESKTOP, {"width": 1280, "height": 800}),
    )
    for language, locale in (("en", "en-GB"), ("de", "de-DE"))
}
SAID = {
    "en": {
        "parted": "File and rules part",
        "refused": "blocked",
        "foreign": "the export is of '1846', which is not installed",
        "torn": "the file is torn: it ends in the middle",
        "names": "a player's name is empty, too long, or holds characters",
        "large": "The file or input is too large.",
        "note": "entry 50: ADR's run without a route",
    },
    "de": {
        "parted": "Hier gehen Datei und Regeln auseinander",
        "refused": "blockiert",
        "foreign": "Der Export ist von '1846', und dieses Spiel ist nicht installiert",
        "torn": "Die Datei ist abgerissen: sie endet mittendrin",
        "names": "Der Name eines Spielers ist leer, zu lang oder",
        "large": "Die Datei oder Eingabe ist zu groß.",
        "note": "Eintrag 50: Die Fahrt der ADR ohne Route",
    },
}
DROP = """([text, large]) => {
    const held = new DataTransfer();
    held.items.add(new File([large ? new Uint8Array(5000000) : text], "game.json"));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: held, bubbles: true, cancelable: true}));
}"""
PASTE = """(text) => {
    const held = new DataTransfer();
    held.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: held, bubbles: true, cancelable: true}));
}"""
pytestmark = pytest.mark.browser


def start_page(opened, server, screen=DESKTOP):
    page = opened(screen)
    page.goto(server.address)
    page.locator("[data-action=open-record]").wait_for()
    return page


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def tables(page, server) -> int:
    page.goto(server.address)
    return page.locator(".tables li a").count()


def fits(page) -> bool:
    """The dialog lies inside the window, and nothing in it must be scrolled sideways."""
    box = page.locator("#import").bounding_box()
    inside = page.evaluate(
        "(() => { const d = document.getElementById('import'); return d.scrollWidth <= d.clientWidth; })()"
    )
    return inside and box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]


def test_file_is_shown_before_storing(server, opened):
    page = start_page(opened, server)
    page.locator("#record").set_input_files(FOLDER / "06-order-of-floating.json")
    shown = page.locator("#import")
    shown.get_by_text("18rhl/compat").wait_for()
    assert "Dora" in shown.inner_text()
    shown.locator("[data-action=import-table]").click()
    page.wait_for_url("**/t/*")
    page.locator("#question").wait_for()


def test_split_file_opens_where_possible(server, opened):
    page = start_page(opened, server)
    page.locator("#record").set_input_files(FOLDER / "15-stale-graph-k4.json")
    shown = page.locator("#import")
    shown.get_by_text("File and rules part").wait_for()
    shown.locator("[name=you]").select_option("1")
    shown.locator("[data-action=import-friends]").click()
    links = page.locator("#links .seat-link input")
    links.first.wait_for()
    assert links.count() == 7  # six seats, and one to watch


@pytest.mark.parametrize("kind", SCREENS)
def test_dropped_file_tells_what_it_brings(server, opened, kind):
    words = SAID[kind[-2:]]
    page = start_page(opened, server, SCREENS[kind])
    shown = page.locator("#import")
    page.evaluate(DROP, [text_of("15-stale-graph-k4"), False])
    shown.get_by_text(words["parted"]).wait_for()
    assert words["refused"] in shown.inner_text()
    for name in ("18Rhl", "Ada", "Frieda"):
        assert name in shown.inner_text(), name
    assert fits(page)


@pytest.mark.parametrize("kind", SCREENS)
def test_pasted_file_tells_known_differences(server, opened, kind):
    page = start_page(opened, server, SCREENS[kind])
    page.evaluate(PASTE, text_of("02-run-routes-empty"))
    shown = page.locator("#import")
    shown.locator("summary").click()
    shown.get_by_text(SAID[kind[-2:]]["note"]).wait_for()
    assert fits(page)


@pytest.mark.parametrize("kind", SCREENS)
def test_bad_files_end_in_sentences(server, opened, kind):
    words = SAID[kind[-2:]]
    page = start_page(opened, server, SCREENS[kind])
    before = tables(page, server)
    shown = page.locator("#import")
    odd_name = text_of("01-ratingen-atb").replace('"Ada"', '"A\\u0000da"')
    for text, said in (
        ('{"title": "1846", "players": [], "actions": []}', words["foreign"]),
        (text_of("01-ratingen-atb")[:-9], words["torn"]),
        (odd_name, words["names"]),
    ):
        page.evaluate(DROP, [text, False])
        shown.get_by_text(said).wait_for()
        assert fits(page)
        shown.locator("[data-action=close-import]").click()
    page.evaluate(DROP, ["", True])
    shown.get_by_text(words["large"]).wait_for()
    assert tables(page, server) == before
