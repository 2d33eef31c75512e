"""The pages of puzzles: the list, the one of the day, a puzzle and what is none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from trajekt.server.presenters.puzzle_page import of_day


def test_list_has_a_hundred_each(client):
    page = client.get("/puzzles", headers={"accept-language": "en"}).text
    assert page.count("data-puzzle=") == 400
    assert "Rätsel" in client.get("/puzzles", headers={"accept-language": "de"}).text


def test_every_day_has_another_one(client):
    day = date(2026, 11, 29)
    addresses = [of_day(day + timedelta(n)) for n in range(400)]
    assert len(set(addresses)) == 400
    answer = client.get("/puzzles/today", follow_redirects=False)
    assert answer.status_code == 303
    assert client.get(answer.headers["location"]).status_code == 200


@pytest.mark.parametrize("name", ["18rhl/0", "18rhl/101", "18rhl/x", "18rhl/١", "18rhl/999999", "nothing/1"])
def test_other_addresses_are_none(client, name):
    assert client.get(f"/puzzles/{name}").status_code == 404


def test_start_page_leads_there(client):
    assert 'href="/puzzles"' in client.get("/").text
