"""The newest run of a company: its income in the sheet, its routes as layers of the map."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from trajekt.records import to_json


@pytest.fixture(scope="module")
def game():
    return played("18rhl").at(300)


@pytest.fixture
def address(client, game):
    answer = client.post("/tables/import", content=to_json(game), headers={"content-type": "application/json"})
    assert answer.status_code == 201, answer.text
    return answer.json()["address"]


def test_sheet_shows_last_incomes(client, game, address):
    page = client.get(address).text
    ran = {name: held.revenue for name, held in game.state.companies.items() if held.revenue}
    assert ran
    for company, revenue in ran.items():
        assert f'data-action="show-last-run" data-company="{company}"' in page
        assert f"{revenue}" in page


def test_routes_of_last_run_are_drawn(client, game, address):
    for company, held in game.state.companies.items():
        found = client.get(f"{address}/last-runs/{company}").json()
        assert found["revenue"] == (held.revenue or 0)
        assert bool(found["lines"]) == bool(held.revenue)


def test_earlier_moment_has_earlier_run(client, game, address):
    company = next(name for name, held in game.state.companies.items() if held.revenue)
    assert client.get(f"{address}/last-runs/{company}?at=0").json() == {
        "company": company,
        "revenue": 0,
        "lines": "",
        "rings": "",
    }


def test_unknown_company_is_not_found(client, address):
    assert client.get(f"{address}/last-runs/nobody").status_code == 404
