"""The end page: the winner by the standings, what decided it by the entries, the same people again."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.builders.played_moments import GAMES, NAMES, played
from trajekt.records import to_json
from trajekt.server.presenters.game_end import incomes_of
from trajekt.server.services import clock
from trajekt.server.services.clock import Reading

JSON = {"content-type": "application/json"}


def finished(title: str):
    return played(title, most=1500)


def opened(client, game, language="en") -> str:
    made = client.post("/tables/import", content=to_json(game), headers=JSON).json()
    return client.get(made["address"], headers={"accept-language": language}).text


@pytest.mark.parametrize("title", GAMES)
def test_winner_and_margin_are_told(client, title):
    game = finished(title)
    first, second = sorted(game.standings(), key=lambda row: -row.total)[:2]
    told = re.search(r'<h1 class="winner">([^<]+)</h1>', opened(client, game))
    assert told
    figures = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", told[1])]
    assert told[1].startswith(first.name)
    assert figures == [first.total, first.total - second.total]


@pytest.mark.parametrize("title", GAMES)
def test_what_decided_names_moments(client, title):
    game = finished(title)
    page = opened(client, game, "de")
    decided = re.search(r'<ul class="decided">(.*?)</ul>', page, re.DOTALL)
    assert decided
    lines = re.findall(r"<li>(.*?)</li>", decided[1], re.DOTALL)
    moments = [int(n) for n in re.findall(r'data-moment="(\d+)"', decided[1])]
    assert len(lines) >= 3
    assert moments
    assert all(0 < n <= game.number for n in moments)
    assert not any(mark in decided[1] for mark in ("{", "page.end"))


def test_incomes_are_those_of_the_books():
    """Judged by the cash of each position: over a payment of dividends players' cash grows by what is told."""
    game = finished("18lra")
    grown = [0] * len(NAMES)
    for entry in game.line():
        kind = type(entry.action).__name__
        before, after = game.state_at(entry.parent), game.state_at(entry.number)
        for seat in range(len(NAMES)):
            if kind == "PayOut":
                grown[seat] += after.players[seat].cash - before.players[seat].cash
    told = incomes_of(game)
    private = max(told.values()) // 4  # private companies pay beside the dividends, and not much
    assert all(0 <= told[seat] - grown[seat] <= private for seat in range(len(NAMES)))


def test_same_people_play_again(client):
    game = finished("18do")
    asked = re.search(r'data-again="([^"]+)"', opened(client, game))
    assert asked
    wanted = json.loads(html.unescape(asked[1]))
    made = client.post("/tables", json=wanted)
    assert made.status_code == 201, made.text
    state = client.get(made.json()["address"] + "/state.json").json()
    assert sorted(state["names"]) == sorted(NAMES)
    assert wanted["options"]["edition"] == game.options.edition


def test_no_end_under_way(client):
    page = opened(client, finished("18rhl").at(100))
    assert "play-again" not in page
    assert 'class="winner"' not in page


def test_clock_fines_decide_the_winner(client, monkeypatch):
    """A penalty greater than the lead makes the second the winner, and the page says whom the clock cost what."""
    game = finished("18lra")
    rows = sorted(game.standings(), key=lambda row: -row.total)
    lead = rows[0].total - rows[1].total
    owed = {row.seat: lead + 1 if row is rows[0] else 0 for row in rows}
    made = client.post("/tables/import", content=to_json(game), headers=JSON).json()
    client.post(f"{made['address']}/clock", json={"clock": {"game": 60, "penalty": "score", "rate": 1}})

    def readings(*_args: object) -> list[Reading]:
        return [Reading(seat, 0.0, 0, False, owed[seat]) for seat in range(len(NAMES))]

    monkeypatch.setattr(clock, "readings", readings)
    page = client.get(made["address"], headers={"accept-language": "en"}).text
    winner = re.search(r'<h1 class="winner">([^<]+)</h1>', page)
    assert winner
    assert winner[1].startswith(f"{rows[1].name} wins")
    assert f"The clock takes {lead + 1:,}" in page
    assert f"from {rows[0].name}." in page
