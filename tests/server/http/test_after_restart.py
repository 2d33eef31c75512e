"""Pages that outlive their server: another process draws what they show again, and sends them only what is new since."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack

import httpx2
import msgspec
import pytest
from starlette.testclient import TestClient

from tests.server.friends import gathered
from tests.server.http.open_page import GAMES, Following, drawn_anew, play, told
from trajekt import new_game
from trajekt.server.http.app import create_app
from trajekt.server.presenters.fragments import LAGGING
from trajekt.server.storage.store import Store


@pytest.fixture
def restart(url):
    """`restart(people)`: from now on a server without memory of what was drawn answers them. Answers their table there."""
    with ExitStack() as stack:

        def start(people):
            client = stack.enter_context(TestClient(create_app(Store(url))))
            for friend in people.values():
                friend.client = client
            return client.app.state.server.table.cache.get(people["Ada"].table)

        yield start


def came_back(page, number):
    """The page, its stream opened anew at a server where the table stands at an entry."""
    back = Following(page.friend, page.language)
    back.tag, back.pieces, back.open.shows = page.tag, page.pieces, number
    return back


def words(news):
    return sum(len(each) for each in news["pieces"] if isinstance(each, str))


@pytest.mark.parametrize("game", GAMES)
def test_restart_sends_only_what_is_new(client, restart, game):
    id_, people = gathered(client, game=game, options=GAMES[game])
    rng = random.Random(9)
    pages = [Following(friend, language) for friend in people.values() for language in ("en", "de")]
    cached = client.app.state.server.table.cache.get(id_)
    for page in pages:
        page.refresh()
    for _ in range(5):
        for _ in range(5):
            play(people, cached, rng)
            told(people["Ada"].client, id_, pages)
            for page in pages:
                page.follow()
        cached = restart(people)
        pages = [came_back(page, cached.number) for page in pages]
    play(people, cached, rng)
    told(people["Ada"].client, id_, pages)
    for page in pages:
        assert words(page.event[1]) < sum(map(len, page.pieces)) / 2
        page.follow()
        assert "".join(page.pieces) == drawn_anew(cached, page)


def with_clock(people):
    """A move at a table with a clock."""
    assert people["Ada"].post("clock", {"clock": {"game": 3600, "penalty": "cash", "rate": 5}}).status_code == 200
    people["Ada"].play(0, kind="bid", private=2, amount=35)


def test_running_clock_outlives_restart(client, restart, monkeypatch):
    _, people = gathered(client)
    with_clock(people)
    page, now = Following(people["Bert"]), time.time()
    page.refresh()
    cached = restart(people)
    monkeypatch.setattr(time, "time", lambda: now + 100)
    back = came_back(page, cached.number)
    people["Bert"].play(1, kind="pass")
    told(people["Bert"].client, page.friend.table, [back])
    back.follow()
    assert "".join(back.pieces) == drawn_anew(cached, back)


def test_pages_share_one_clock(client, monkeypatch):
    """Two pages of one reader, opened at different times, show the same version, so both are sent what is new."""
    id_, people = gathered(client)
    with_clock(people)
    pages, now = [Following(people["Bert"]) for _ in range(2)], time.time()
    for seconds, page in enumerate(pages):
        monkeypatch.setattr(time, "time", lambda later=100 * seconds: now + later)
        page.refresh()
    people["Bert"].play(1, kind="pass")
    told(client, id_, pages)
    for page in pages:
        page.follow()


def test_missed_move_is_sent_alone(client, restart):
    """A page that was without its server while the table moved asks, and is not sent the whole."""
    _, people = gathered(client)
    page = Following(people["Bert"])
    whole = page.refresh()
    people["Ada"].play(0, kind="bid", private=2, amount=35)
    cached = restart(people)
    assert page.refresh("&shows=0") == drawn_anew(cached, page)
    assert page.sent[-1] < len(whole) / 2


@pytest.mark.parametrize("shows", ["1", str(10**8), ""])
def test_wrong_number_gets_whole_page(client, restart, shows):
    _, people = gathered(client)
    page = Following(people["Bert"])
    page.refresh()
    people["Ada"].play(0, kind="bid", private=2, amount=35)
    restart(people)
    page.refresh(f"&shows={shows}")
    assert page.sent[-1] == sum(map(len, page.pieces))


def test_old_version_is_not_redrawn(client, restart):
    id_, people = gathered(client)
    page, rng = Following(people["Bert"]), random.Random(2)
    page.refresh()
    for _ in range(LAGGING + 1):
        play(people, client.app.state.server.table.cache.get(id_), rng)
    restart(people)
    page.refresh("&shows=0")
    assert page.sent[-1] == sum(map(len, page.pieces))


def test_text_is_no_number(client):
    _, people = gathered(client)
    assert people["Bert"].get("regions?has=1&shows=x").status_code == 400


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_killed_server_leads_on(server, monkeypatch, game):
    """Another process has another salt for the hashes of Python, so nothing that is drawn may rest on their order."""
    table = {"game": game, "players": ["Ada", "Bert", "Cleo"], "options": GAMES[game], "seed": 7}
    id_ = httpx2.post(f"{server.address}/tables", json=table, timeout=20).json()["id"]
    regions = f"{server.address}/t/{id_}/regions?has="
    tag = httpx2.get(regions, timeout=20).json()["tag"]
    server.kill()
    monkeypatch.setenv("PYTHONHASHSEED", "20")
    server.start()
    with (
        httpx2.Client(base_url=server.address, timeout=20) as client,
        client.stream("GET", f"/t/{id_}/events?draw=yes") as stream,
    ):
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("data:")) == "data: 0"
        choice = new_game(game, table["players"], GAMES[game], 7).choices()[0]
        action = msgspec.to_builtins(choice.action) | {name: span.low for name, span in choice.spans.items()}
        done = client.post(f"/t/{id_}/actions", json={"number": 0, "action": action, "seat": choice.seat})
        assert done.status_code == 200, done.text
        news = msgspec.json.decode(next(line for line in lines if line.startswith("data:"))[6:])
    assert (news["number"], news["from"]) == (1, tag)
    assert words(news) < 60_000
