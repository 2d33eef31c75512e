"""The dialog of worth and income by round."""

from __future__ import annotations

import re

import pytest

from trajekt.game_statistics import statistics_of
from trajekt.import_18xx import read_export
from trajekt.records import to_json

RECORDED = "recorded/18rhl-first-edition-2026.json"


@pytest.fixture
def game(shared):
    return read_export(shared(RECORDED).read_bytes()).at(249)


def test_fragment_shows_charts_and_sheet(client, game):
    made = client.post("/tables/import", content=to_json(game), headers={"content-type": "application/json"})
    page = client.get(made.json()["address"] + "/charts").text
    assert page.count("<svg") == 4 + page.count('<svg class="ic')
    assert "‹" not in page
    earlier = client.get(made.json()["address"] + "/charts?at=0").text
    assert "No corporation has run yet" in earlier
    assert client.get(made.json()["address"] + "/charts?at=99999").status_code == 404


def test_every_figure_has_its_sheet(client, game):
    """Worth, incomes, dividends, prices, holdings and trains stand by round, with the figures of the statistics."""
    made = client.post("/tables/import", content=to_json(game), headers={"content-type": "application/json"})
    page = client.get(made.json()["address"] + "/charts", headers={"accept-language": "en"}).text
    sheets = dict(
        zip(re.findall("<h3>(.*?)</h3>", page), re.findall("<table.*?</table>", page, re.DOTALL), strict=True)
    )
    assert len(sheets) == 6
    *_, last = statistics_of(game).rounds

    def told(title, name):
        row = next(row for row in re.findall("<tr>.*?</tr>", sheets[title], re.DOTALL) if f'"row">{name}<' in row)
        return re.findall("<td>(?:<b>)?(.*?)(?:</b>)?</td>", row)

    first = last.players[0]
    rounds = statistics_of(game).rounds
    assert told("Worth of the players after each round", first.name)[-1] == f"{first.worth:,}"
    earned = sum(each.players[0].dividends + each.players[0].privates for each in rounds)
    assert told("What dividends and private companies brought the players by round", first.name)[-1] == f"{earned:,}"
    for company, one in last.companies.items():
        assert told("Share prices after each round", company)[-1] == str(one.price)
        assert told("Trains after each round", company)[-1] == (", ".join(one.trains) or "·")
    for company, percent in first.shares.items():
        assert told("Shares held after each round, in per cent", f"{first.name}: {company}")[-1] == str(percent)
    assert first.shares


def test_the_plain_look_has_a_stylesheet(client):
    assert client.get("/look/plain.css").status_code == 200
