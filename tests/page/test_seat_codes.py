"""A link as a QR code: drawn as another program draws it, and shown beside the link that a friend's camera shall open."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.page.conftest import DESKTOP, PHONE

pytestmark = [pytest.mark.browser]

TEXT = "http://192.168.178.20:8000/t/abc234/sit#eyJhbGciOi.J9x_" * 8
CODES = [
    (17, 0, "3b4e2f8521e22991"),
    (32, 1, "6f04cf44f10dade6"),
    (78, 2, "8c3d90db8d4d9069"),
    (106, 3, "2f0443fc8e93d360"),
    (134, 4, "074ae6fbe6f60129"),
    (154, 5, "04287d7cbfcee41e"),
    (192, 6, "bfa199d75cc57ad3"),
    (271, 7, "06505e913504aa16"),
]
"""Letters that fill a version, the mask, and the sum over the rows of modules that segno 1.6.6 draws for them."""
DRAWN = """async ([text, mask]) => {
  const { qrCode } = await import("/static/qr_code.js");
  return qrCode(text, mask ?? undefined).map((row) => row.map(Number).join("")).join("\\n");
}"""


def test_codes_match_another_program(server, opened):
    page = opened(DESKTOP)
    page.goto(server.address + "/lobby")
    for length, mask, digest in CODES:
        rows = page.evaluate(DRAWN, [TEXT[:length], mask])
        assert hashlib.sha256(rows.encode()).hexdigest()[:16] == digest, (length, mask)
    assert page.evaluate(DRAWN, [TEXT[:272], 0]) == ""


@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_seat_link_is_shown_as_code(server, opened, kind):
    page = opened(kind)
    page.goto(server.address + "/")
    page.locator("[data-choose='18rhl']").click()
    form = page.locator("form.new[data-game='18rhl']")
    form.locator("[data-action=open-friends]").click()
    for n, name in enumerate(("Ada", "Bert", "Cleo")):
        form.locator("input[name=player]").nth(n).fill(name)
    form.locator(".go").click()
    row = page.locator("#links .seat-link").nth(1)
    link = row.locator("input").input_value()
    assert re.search(r"/t/\w+/sit#", link)
    row.locator("[data-action=show-code]").click()
    code = page.locator("#links .qr-code")
    code.wait_for()
    rows = page.evaluate(DRAWN, [link, None]).split("\n")
    assert len(code.locator("path").nth(1).get_attribute("d").split("M")) - 1 == sum(row.count("1") for row in rows)
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0
    row.locator("[data-action=show-code]").click()
    code.wait_for(state="detached")
