"""The review of a table: made once by a process of its own, told how far it is, kept from those who may not look."""

from __future__ import annotations

import msgspec
import pytest
from starlette.testclient import TestClient

from tests.builders.ended_games import ended_game
from tests.builders.played_moments import played
from tests.server.waiting import until
from trajekt.records import to_json
from trajekt.review.game_review import ReviewPart, review_of
from trajekt.server.http.app import create_app
from trajekt.server.services.review_runner import PART, version_of
from trajekt.server.storage import reviews

JSON = {"content-type": "application/json", "accept-language": "en"}


def put(client, game):
    """A table of a game; its address."""
    return client.post("/tables/import", content=to_json(game), headers=JSON).json()["address"]


def made(client, address):
    """Have the review made; its last progress."""
    begun = client.post(f"{address}/review", content="{}", headers=JSON)
    assert begun.status_code == 202
    assert begun.json()["state"] in ("waiting", "running")
    seen = []

    def over():
        seen.append(client.get(f"{address}/review/progress").json())
        return seen[-1]["state"] in ("done", "failed")

    until(over, seconds=120)
    return seen[-1]


def test_review_is_made_once_and_shown(client):
    game = ended_game(number=26)
    address = put(client, game)
    assert "Review this game" in client.get(f"{address}/review", headers=JSON).text
    assert client.get(f"{address}/review.json").status_code == 404
    assert made(client, address)["state"] == "done"
    document = client.get(f"{address}/review.json").json()
    assert document == msgspec.json.decode(msgspec.json.encode(review_of(game)))
    page = client.get(f"{address}/review", headers=JSON).text
    assert "✓" in page
    assert f'href="{address}?at=' in page
    assert client.post(f"{address}/review", content="{}", headers=JSON).json() == {"state": "done", "done": 0, "of": 0}
    assert "Auswertung" in client.get(f"{address}/review", headers=JSON | {"accept-language": "de"}).text


def test_review_goes_on_behind_its_part(client, store):
    game = ended_game(number=26)
    address = put(client, game)
    parts = []
    review_of(game, progress=lambda part, _of: parts.append(part))
    marked = ReviewPart(parts[-1].done, deeds=parts[-1].deeds[:1])  # what is done is not done again
    reviews.keep(store, address.removeprefix("/t/"), game.number, version_of(game) + PART, msgspec.json.encode(marked))
    assert made(client, address)["state"] == "done"
    document = client.get(f"{address}/review.json").json()
    assert len(document["deeds"]) == 1 < len(parts[-1].deeds)


def test_game_under_way_has_none(client):
    address = put(client, played("18rhl", most=60).at(60))
    assert "once the game has ended" in client.get(f"{address}/review", headers=JSON).text
    refused = client.post(f"{address}/review", content="{}", headers=JSON)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_finished")


def test_undo_makes_review_void(client):
    address = put(client, ended_game(number=26))
    assert made(client, address)["state"] == "done"
    number = client.get(f"{address}/state.json").json()["number"]
    undone = client.post(f"{address}/undo", content=msgspec.json.encode({"number": number}), headers=JSON)
    assert undone.status_code == 200
    assert client.get(f"{address}/review.json").status_code == 404
    assert client.get(f"{address}/review/progress").json()["state"] == "none"


def test_process_that_fails_harms_nobody(client, monkeypatch):
    from trajekt.server.services import review_runner

    monkeypatch.setattr(review_runner.sys, "executable", "/bin/false")
    address = put(client, ended_game(number=26))
    assert made(client, address)["state"] == "failed"
    assert "could not be made" in client.get(f"{address}/review", headers=JSON).text
    monkeypatch.undo()
    assert made(client, address)["state"] == "done"


def test_late_review_is_given_up(store):
    with TestClient(create_app(store, review_minutes=0.0001)) as client:
        assert made(client, put(client, ended_game(number=26)))["state"] == "failed"


def test_host_may_have_none_made(store):
    with TestClient(create_app(store, review_minutes=0)) as client:
        address = put(client, ended_game(number=26))
        assert "lets no reviews be made" in client.get(f"{address}/review", headers=JSON).text
        assert client.post(f"{address}/review", content="{}", headers=JSON).status_code == 429


@pytest.mark.parametrize("what", ["review", "review.json", "review/progress"])
def test_strangers_see_no_review(client, app, what):
    brought = client.post("/tables/import?friends=0", content=to_json(ended_game(number=26)), headers=JSON).json()
    assert client.get(f"/t/{brought['id']}/review", headers=JSON).status_code == 200
    answer = TestClient(app).get(f"/t/{brought['id']}/{what}", headers=JSON)
    assert answer.status_code in (401, 403)
