"""Worth and income by round: the figures are those of the positions and runs."""

from __future__ import annotations

import pytest

from trajekt.import_18xx import read_export
from trajekt.records import to_json
from trajekt.server.presenters.charts import income_by_round, round_ends, worth_by_round
from trajekt.server.storage.round_label import extend_round_keys

RECORDED = "recorded/18rhl-first-edition-2026.json"


@pytest.fixture
def game(shared):
    return read_export(shared(RECORDED).read_bytes()).at(249)


def test_the_last_worth_is_the_standing(game):
    keys = extend_round_keys(game, [])
    ends = round_ends(game, keys)
    worth = worth_by_round(game, ends)
    assert [line[-1] for line in worth] == [
        next(s.total for s in game.standings() if s.seat == seat) for seat in range(len(game.state.players))
    ]
    assert [key for key, _ in ends][-1] == "OR 7.2"
    assert len({key for key, _ in ends}) == len(ends)


def test_incomes_stand_in_the_round_of_the_run(game):
    found = income_by_round(game, extend_round_keys(game, []))
    assert found["GVE"]["OR 7.2"] == 340
    assert found["RhE"]["OR 7.2"] == 320
    assert "OR 7.2" not in found["CCE"]


def test_the_fragment_shows_both_charts_and_the_sheet(client, game):
    made = client.post("/tables/import", content=to_json(game), headers={"content-type": "application/json"})
    page = client.get(made.json()["address"] + "/charts").text
    assert page.count("<svg") == 2 + page.count('<svg class="ic')
    assert "‹" not in page
    earlier = client.get(made.json()["address"] + "/charts?at=0").text
    assert "No corporation has run yet" in earlier
    assert client.get(made.json()["address"] + "/charts?at=99999").status_code == 404


def test_the_plain_look_has_a_stylesheet(client):
    assert client.get("/look/plain.css").status_code == 200
