"""What comes down the event stream: what is new, to each their own, and the number alone where it does not fit."""

from __future__ import annotations

import gc
import random

import httpx2
import jinja2
import msgspec
import pytest
from starlette.requests import Request

from tests.server.friends import gathered
from tests.server.http.open_page import GAMES, Following, drawn_anew, play, told
from trajekt.server.http import event_stream
from trajekt.server.presenters.fragments import fragments_of

TABLE = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2, "fixed_seats": True}, "seed": 7}
BID = {"number": 0, "seat": 0, "action": {"kind": "bid", "private": 2, "amount": 35}}


@pytest.fixture
def cached_game(client):
    return client.app.state.server.table.cache.get


@pytest.mark.parametrize("game", GAMES)
def test_follower_sees_what_is_redrawn(client, cached_game, game):
    id_, people = gathered(client, game=game, options=GAMES[game])
    cached, rng = cached_game(id_), random.Random(5)
    pages = [Following(friend, language) for friend in people.values() for language in ("en", "de")]
    for page in pages:
        page.refresh()
    for _ in range(30):
        play(people, cached, rng)
        told(client, id_, pages)
        for page in pages:
            page.follow()
        for page in rng.sample(pages, 2):
            assert "".join(page.pieces) == drawn_anew(cached, page)
    for page in pages:
        assert "".join(page.pieces) == drawn_anew(cached, page)


@pytest.mark.parametrize("game", GAMES)
def test_drawn_pages_are_freed_at_once(client, cached_game, game):
    """A macro of a template that is drawn anew and its context would hold each other and the whole page, until a look for
    garbage holds everybody up.
    """
    id_, people = gathered(client, game=game, options=GAMES[game])
    cached, rng = cached_game(id_), random.Random(5)
    pages = [Following(friend) for friend in people.values()]
    for page in pages:
        page.refresh()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)  # what only a look for garbage would free is listed
    try:
        for _ in range(8):
            play(people, cached, rng)
            told(client, id_, pages)
        gc.collect()
        left = [each for each in gc.garbage if isinstance(each, jinja2.runtime.Context)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert all(page.event[0] == "drawn" for page in pages)
    assert left == []


def test_silent_page_gets_number_alone(client):
    id_, people = gathered(client)
    page = Following(people["Bert"])
    told(client, id_, [page])
    assert page.event == ("moved", 0)
    page.refresh()
    told(client, id_, [page])
    assert page.event[0] == "drawn"


def test_unknown_version_gets_number_alone(client, cached_game):
    """Nobody is sent the whole, uncompressed, without having asked for it."""
    id_, people = gathered(client)
    page = Following(people["Bert"])
    page.refresh()
    press = fragments_of(cached_game(id_))
    press.versions = type(press.versions)(1)
    told(client, id_, [page])
    assert page.event == ("moved", 0)


def test_two_pages_are_drawn_once(client, monkeypatch):
    id_, people = gathered(client)
    drawings = []
    draw = event_stream.drawn
    monkeypatch.setattr(event_stream, "drawn", lambda *args: drawings.append(args) or draw(*args))
    pages = [Following(people[name]) for name in ("Ada", "Ada", "Bert", "Bert", "watcher")]
    for page in pages:
        page.refresh()
    told(client, id_, pages)
    assert len(drawings) == 3
    assert pages[0].open.told == pages[1].open.told


def test_personal_question_reaches_one_player(client, cached_game):
    id_, people = gathered(client)
    pages = {name: Following(friend) for name, friend in people.items()}
    for page in pages.values():
        page.refresh()
    for n, name in enumerate(("Ada", "Bert")):
        assert people[name].play(n, kind="bid", private=2, amount=35 + 5 * n).status_code == 200
    asked = people["Ada"].post("consent-requests", {"kind": "undo", "number": 2, "target": 0})
    assert asked.status_code == 201, asked.text
    told(client, id_, pages.values())
    shown = {name: page.follow() for name, page in pages.items()}
    assert [name for name, text in shown.items() if 'data-reply="yes"' in text] == ["Bert"]
    assert [name for name, text in shown.items() if 'id="action-form"' in text and 'data-seat="2"' in text] == ["Cleo"]
    assert shown["Bert"] == drawn_anew(cached_game(id_), pages["Bert"])


def test_former_holder_is_sent_nothing(client, cached_game):
    id_, people = gathered(client)
    old, other = Following(people["Bert"]), Following(people["Cleo"])
    for page in (old, other):
        page.refresh()
    link = people["Bert"].post("seats/1/link", {}).json()["address"]
    assert people["Ada"].play(0, kind="bid", private=2, amount=35).status_code == 200
    told(client, id_, [old, other])
    assert old.event == ("moved", 1)
    other.follow()
    assert old.get("regions").status_code == 401
    people["Bert"].token = link.partition("#")[2]
    new = Following(people["Bert"])
    new.refresh()
    told(client, id_, [old, new])
    assert old.event == ("moved", 1)
    assert new.follow() == drawn_anew(cached_game(id_), new)


def test_forgotten_reader_is_found_within_minute(client, monkeypatch):
    """Admission is asked again after a while, even where nothing at the table has changed."""
    id_, people = gathered(client)
    page = Following(people["Bert"])
    page.refresh()
    told(client, id_, [page])
    assert page.event[0] == "drawn"
    page.open.request.scope["headers"] = []
    page.open.request = Request(page.open.request.scope)
    told(client, id_, [page])
    assert page.event[0] == "drawn"
    page.open.asked -= event_stream.SURE + 1
    told(client, id_, [page])
    assert page.event == ("moved", 0)


def test_failing_drawing_leaves_the_number(client, monkeypatch, caplog):
    id_, people = gathered(client)
    page = Following(people["Bert"])
    page.refresh()

    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(event_stream, "drawn", broken)
    told(client, id_, [page])
    assert page.event == ("moved", 0)
    assert id_ in caplog.text


def test_late_preview_is_stale(client):
    _, people = gathered(client)
    seen = people["Ada"].post("preview", BID)
    assert seen.status_code == 200
    assert people["Ada"].post("actions", BID).status_code == 200
    late = people["Ada"].post("preview", BID)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "stale")


@pytest.mark.slow
def test_stream_sends_news_on_request(server):
    with httpx2.Client(base_url=server.address, timeout=20) as client:
        id_ = client.post("/tables", json=TABLE).json()["id"]
        tag = client.get(f"/t/{id_}/regions?has=").json()["tag"]
        with (
            client.stream("GET", f"/t/{id_}/events?draw=yes") as drawn,
            client.stream("GET", f"/t/{id_}/events") as moved,
        ):
            streams = drawn.iter_lines(), moved.iter_lines()
            for lines in streams:
                assert next(line for line in lines if line.startswith("data:")) == "data: 0"
            httpx2.post(f"{server.address}/t/{id_}/actions", json=BID)
            news, number = (next(line for line in lines if line.startswith("data:"))[6:] for lines in streams)
    assert number == "1"
    value = msgspec.json.decode(news)
    assert (value["number"], value["from"]) == (1, tag)
    assert 0 < sum(len(each) for each in value["pieces"] if isinstance(each, str)) < 60_000
