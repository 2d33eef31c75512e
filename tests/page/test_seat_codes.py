"""A link as a QR code, shown beside the link that a friend's camera shall open."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import seat_links

pytestmark = [pytest.mark.browser]

SQUARES = """async (text) => {
  const code = (await import("/static/vendor/lean-qr-2.7.4.js")).generate(text);
  const all = [...new Array(code.size).keys()];
  return all.flatMap((y) => all.filter((x) => code.get(x, y)).map((x) => `M${x + 4} ${y + 4}h1v1h-1z`)).join("");
}"""
"""The dark squares of the code of a text, four squares from the edge."""


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_seat_link_is_shown_as_code(server, opened, kind):
    page = opened(kind)
    seat_links(page, server)
    row = page.locator("#links .seat-link").nth(1)
    link = row.locator("input").input_value()
    assert re.search(r"/t/\w+/sit#", link)
    row.locator("[data-action=show-code]").click()
    code = page.locator("#links .qr-code")
    code.wait_for()
    assert code.locator("path").nth(1).get_attribute("d") == page.evaluate(SQUARES, link)
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0
    row.locator("[data-action=show-code]").click()
    code.wait_for(state="detached")
