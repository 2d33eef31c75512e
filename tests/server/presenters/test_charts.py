"""The dialog of worth and income by round."""

from __future__ import annotations

import pytest

from trajekt.import_18xx import read_export
from trajekt.records import to_json

RECORDED = "recorded/18rhl-first-edition-2026.json"


@pytest.fixture
def game(shared):
    return read_export(shared(RECORDED).read_bytes()).at(249)


def test_fragment_shows_charts_and_sheet(client, game):
    made = client.post("/tables/import", content=to_json(game), headers={"content-type": "application/json"})
    page = client.get(made.json()["address"] + "/charts").text
    assert page.count("<svg") == 2 + page.count('<svg class="ic')
    assert "‹" not in page
    earlier = client.get(made.json()["address"] + "/charts?at=0").text
    assert "No corporation has run yet" in earlier
    assert client.get(made.json()["address"] + "/charts?at=99999").status_code == 404


def test_the_plain_look_has_a_stylesheet(client):
    assert client.get("/look/plain.css").status_code == 200
