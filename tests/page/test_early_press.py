"""A form that is sent before its script has come neither leaves the page nor puts what was typed into the address."""

from __future__ import annotations

import httpx2
import pytest

from tests.page.conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def form_of(server, kind: str) -> tuple[str, str, str]:
    """Address, field and text of a form that a script sends."""
    if kind == "sign in":
        return "/me/in", "form[method=dialog] input[type=password]", "secret"
    offer = {"game": "18rhl", "most": 3, "least": 3, "name": "Ada"}
    address = httpx2.post(f"{server.address}/lobby", json=offer, timeout=60).raise_for_status().json()["address"]
    return address, ".join input", "Bert"


@pytest.mark.parametrize("kind", ["sign in", "open table"])
def test_early_press_keeps_the_address(opened, server, kind):
    page = opened(PHONE)
    page.route("**/static/*.js", lambda route: route.abort())
    address, field, text = form_of(server, kind)
    page.goto(server.address + address)
    page.locator(field).first.fill(text)
    page.locator(field).first.press("Enter")
    assert page.locator(field).first.input_value() == text
    assert page.url == server.address + address
    button = page.locator("form[method=dialog] button:not([type=button])").first
    assert button.evaluate("button => getComputedStyle(button).pointerEvents") == "none"
