"""Tables at moments of played games, brought to the server as records."""

from __future__ import annotations

import json
import urllib.request

from playwright.sync_api import Page

from trajekt.game import Game
from trajekt.records import to_json


def open_moment(page: Page, server, game: Game) -> None:
    """Open a table that stands where a game stands."""
    headers = {"content-type": "application/json"}
    asked = urllib.request.Request(f"{server.address}/tables/import", data=to_json(game), headers=headers)
    with urllib.request.urlopen(asked) as answer:
        address = json.load(answer)["address"]
    page.goto(server.address + address)
    page.locator("html[data-ready=yes]").wait_for()
