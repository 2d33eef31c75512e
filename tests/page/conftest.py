"""A real server and a real Chromium, on a desktop and on a phone."""

from __future__ import annotations

import os
import re

import pytest

from tests.server.friends import NEW

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


def move_away(context, page):
    """Put a page far from the server, which shows the races of pages and tests."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    far = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", far)


@pytest.fixture
def opened(chromium, tmp_path):
    """`opened(kind)`: a new page; at the end every page must have been free of errors."""
    contexts, faults = [], []

    def make(kind=DESKTOP):
        context = chromium.new_context(**kind)
        context.set_default_timeout(30_000)  # a busy machine is no fault of the page
        contexts.append(context)
        page = context.new_page()
        if os.environ.get("FAR_SERVER"):
            move_away(context, page)
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


@pytest.fixture
def two(server, opened):
    """Ada at a desk in English, who opened the table, and Bert on a German phone who came by his link."""
    ada, bert = opened(DESKTOP), opened(PHONE)
    made = ada.context.request.post(f"{server.address}/tables", data=NEW).json()
    links = {seat["name"]: server.address + seat["address"] for seat in made["seats"]}
    ada.goto(server.address + made["address"])
    bert.goto(links["Bert"])
    for page in (ada, bert):
        page.wait_for_selector("html[data-ready]")
        page.wait_for_url(re.compile(f"/t/{made['id']}$"))
    return ada, bert
