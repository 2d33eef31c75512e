"""A host at his own computer: links lead there from other devices, and a friend's link opened by mistake is given back."""

from __future__ import annotations

import re

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import gathered, seat_links

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NETWORK = "http://192.0.2.7:8018/"
"""What `trajekt serve --host 0.0.0.0` puts on its pages."""
TOLD = f"""addEventListener('DOMContentLoaded', () => {{
  document.head.append(Object.assign(document.createElement('meta'), {{ name: 'reached', content: '{NETWORK}' }}));
}});"""


def test_wrong_link_is_given_back(server, opened):
    page = opened(PHONE)
    page.add_init_script(TOLD)
    links = gathered(page, server)
    assert all(link.startswith(NETWORK) for link in links)
    mine = [link.replace(NETWORK, server.address + "/") for link in links]
    page.goto(mine[1])
    page.locator("#twice:not([hidden])").wait_for()
    assert "Mit diesem Link hast du auch den Platz von Bert." in (page.locator("#twice").text_content() or "")
    page.locator("[data-action=return-seat]").tap()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    assert page.locator(".seat-strip .mine").count() == 1

    # on purpose, and later not any more
    page.goto(mine[1])
    page.locator("[data-action=keep-seat]").tap()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.locator("html[data-ready=yes]").wait_for()
    assert page.locator(".seat-strip .mine").count() == 2
    page.locator("[data-action=open-seats]").tap()
    page.locator("[data-action=give-back-seat][data-about='1']").tap()
    page.locator(".seat-strip li[data-seat='1']:not(.mine)").wait_for(state="attached")


def test_local_links_say_so(server, opened):
    page = opened(DESKTOP)
    links = seat_links(page, server)
    assert page.locator("#links [data-local]").is_visible()
    assert all(link.startswith(server.address) for link in links)
