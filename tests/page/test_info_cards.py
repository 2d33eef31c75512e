"""Cards one tap away: a name on the table opens what is printed there and lies there now."""

from __future__ import annotations

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.new_tables import against_bots

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_tap_on_name_opens_card(opened, server, kind):
    page = opened(kind)
    against_bots(page, server)
    phone = kind is PHONE
    if phone:
        page.locator(".tabs [data-tab=companies]").tap()
    for piece, word in (("private/1", "E14"), ("company/CME", "60"), ("player/0", "20")):
        name = page.locator(f"[data-card='{piece}']:visible").first
        name.tap() if phone else name.press("Enter")
        card = page.locator("#card[open]")
        card.wait_for()
        assert word in (card.text_content() or "")
        assert page.evaluate("document.querySelector('#card').getBoundingClientRect().right <= innerWidth")
        card.locator("[data-action=close-dialog]").click()
        page.locator("#card:not([open])").wait_for(state="attached")


def test_late_card_is_dropped(opened, server):
    """Two names pressed one after the other, the first answered last: the second one's card stands."""
    page = opened(DESKTOP)
    against_bots(page, server)
    held = []
    page.route("**/card/company/CME", lambda route: held.append(route))  # noqa: PLW0108  a built-in takes no mark of the driver
    with page.expect_request("**/card/company/CME"):
        page.locator("[data-card='company/CME']:visible").first.press("Enter")
    page.locator("[data-card='private/1']:visible").first.press("Enter")
    card = page.locator("#card[open]")
    card.get_by_text("E14").first.wait_for()
    with page.expect_response("**/card/company/CME"):
        held[0].continue_()
    page.evaluate("address => fetch(address).then(() => null)", server.address + "/health")
    assert "E14" in (card.text_content() or "")
