"""The review on a phone: from the end of a game to its sentences, and to a board on which the other way is tried."""

from __future__ import annotations

import pytest

from tests.builders.ended_games import ended_game
from tests.page.conftest import PHONE
from tests.page.moments import open_moment

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_review_leads_to_other_way(server, opened):
    page = opened(PHONE)
    open_moment(page, server, ended_game("18rhl", 60))
    page.locator(".end-acts a", has_text="Auswertung").tap()
    page.locator("[data-action=make-review]").tap()
    page.locator(".findings li").first.wait_for(timeout=240_000)
    signs = set(page.locator(".findings abbr").all_text_contents())
    assert signs <= {"✓", "≈", "·"}
    assert signs >= {"✓", "≈"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".review summary").first.tap()
    page.locator("details [data-action=try-other]").first.tap()
    page.locator("html[data-ready=yes]").wait_for()
    page.locator("#question").wait_for()
    assert "/t/try-" in page.url
