"""The end page: the winner by the standings, what decided it by the entries, the same people again."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.builders.played_moments import GAMES, NAMES, played
from trajekt.records import to_json
from trajekt.server.presenters.game_end import incomes_of

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
