"""A file brought to the start page: looked at first, then a table."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
FOLDER = Path(__file__).parents[1] / "replays" / "site_exports"


def test_file_is_shown_before_storing(server, opened):
    page = opened()
    page.goto(server.address)
    page.locator("#record").set_input_files(FOLDER / "06-order-of-floating.json")
    shown = page.locator("#import")
    shown.get_by_text("18rhl/compat").wait_for()
    assert "Dora" in shown.inner_text()
    shown.locator("[data-action=import-table]").click()
    page.wait_for_url("**/t/*")
    page.locator("#question").wait_for()


def test_split_file_opens_where_possible(server, opened):
    page = opened()
    page.goto(server.address)
    page.locator("#record").set_input_files(FOLDER / "15-stale-graph-k4.json")
    shown = page.locator("#import")
    shown.get_by_text("File and rules part").wait_for()
    shown.locator("[name=you]").select_option("1")
    shown.locator("[data-action=import-friends]").click()
    links = page.locator("#links .seat-link input")
    links.first.wait_for()
    assert links.count() == 7  # six seats, and one to watch


def test_foreign_file_says_why(server, opened):
    page = opened()
    page.goto(server.address)
    page.locator("#record").set_input_files(
        {
            "name": "other.json",
            "mimeType": "application/json",
            "buffer": b'{"title": "1846", "players": [], "actions": []}',
        }
    )
    page.get_by_text("the export is of '1846', which is not installed").first.wait_for()
