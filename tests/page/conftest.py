"""A real server and a real Chromium, on a desktop and on a phone."""

from __future__ import annotations

import pytest

DESKTOP = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB", "color_scheme": "light"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "locale": "de-DE",
    "color_scheme": "light",
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


@pytest.fixture(scope="session")
def chromium(chromium_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """`opened(kind)`: a new page; at the end every page must have been free of errors."""
    contexts, faults = [], []

    def make(kind=DESKTOP):
        context = chromium.new_context(**kind)
        context.set_default_timeout(30_000)  # a busy machine is no fault of the page
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda line: (
                line.type == "error" and "Failed to load resource" not in line.text and faults.append(line.text)
            ),
        )
        return page

    yield make
    seen = list(faults)  # what the page says while it is closed, with its requests cut off, is no fault
    for n, context in enumerate(contexts):
        for page in context.pages:
            page.screenshot(path=tmp_path / f"last-{n}.png")
        context.close()
    assert not seen
