"""Comments on moments and variations: written on boards and at ended games, copied, kept in records, bounded."""

from __future__ import annotations

import time

import pytest

from tests.builders.ended_games import ended_game
from tests.server.friends import Friend, code, gathered
from trajekt.records import to_json
from trajekt.server.storage import comments
from trajekt.server.storage.deletion import STUDY_AGE, TRIAL_AGE, expire

JSON = {"accept": "application/json", "accept-language": "en"}
SENT = {"content-type": "application/json"}
TABLE = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2, "fixed_seats": True}, "seed": 7}


@pytest.fixture
def board(client):
    """A board to plan on, of a game at one screen that has not begun."""
    table = client.post("/tables", json=TABLE, headers=JSON).json()["id"]
    return client.post(f"/t/{table}/try", json={}, headers=JSON).json()["id"]


def act(client, id_, number, **action):
    answer = client.post(f"/t/{id_}/actions", json={"number": number, "action": action}, headers=JSON)
    assert answer.status_code == 200, answer.text


def comment(client, id_, number, text):
    return client.post(f"/t/{id_}/comments", json={"number": number, "text": text}, headers=JSON)


def sidebar(client, id_):
    return client.get(f"/t/{id_}/beside", headers=JSON).text


def record(client, id_):
    return client.get(f"/t/{id_}/record.json").json()


def test_comment_stands_at_its_moment(client, board):
    act(client, board, 0, kind="pass")
    assert comment(client, board, 1, "Too early <b>").status_code == 200
    assert 'data-moment="1">SR 1, 1</a>' in sidebar(client, board)
    assert "Too early &lt;b&gt;" in client.get(f"/t/{board}/regions?has=", headers=JSON).text
    assert "Too early" not in client.get(f"/t/{board}/regions?has=&at=0", headers=JSON).text
    assert "Too early" in client.get(f"/t/{board}/print", headers=JSON).text


def test_second_comment_replaces_first(client, board):
    comment(client, board, 0, "one")
    comment(client, board, 0, "two")
    assert record(client, board)["comments"] == [{"number": 0, "text": "two"}]
    comment(client, board, 0, "  ")
    assert "comments" not in record(client, board)


def test_undone_moves_are_variations(client, board):
    act(client, board, 0, kind="pass")
    act(client, board, 1, kind="pass")
    for number in (2, 3):
        client.post(f"/t/{board}/undo", json={"number": number}, headers=JSON)
    act(client, board, 4, kind="buy_private", private=1)
    seen = sidebar(client, board)
    assert 'data-moment="2">Ada passes</a>' in seen
    assert "from SR 1, 0 · moves: 2" in seen


def test_copies_keep_their_comments(client, board):
    act(client, board, 0, kind="pass")
    comment(client, board, 0, "at the start")
    comment(client, board, 1, "later")
    again = client.post(f"/t/{board}/try?at=0", json={}, headers=JSON).json()["id"]
    assert record(client, again)["comments"] == [{"number": 0, "text": "at the start"}]
    shown = client.post(f"/t/{board}/plan/show", json={}, headers=JSON).json()["address"]
    address, _, token = shown.partition("#")
    copy = f"/t/{address.split('/')[2]}"
    watching = JSON | {"authorization": f"Bearer {token}"}
    found = client.get(f"{copy}/record.json", headers=watching).json()["comments"]
    assert [each["text"] for each in found] == ["at the start", "later"]
    answer = client.post(f"{copy}/comments", json={"number": 0, "text": "not mine"}, headers=watching)
    assert code(answer) == (403, "comments_at_end")


def test_record_brings_comments_along(client, board):
    act(client, board, 0, kind="pass")
    comment(client, board, 1, "why?")
    data = record(client, board)
    data["comments"] += [{"number": 9, "text": "beyond the end"}, {"number": 0, "text": "\u202eturned", "seat": 1}]
    brought = client.post("/tables/import", json=data, headers=JSON).json()["id"]
    assert record(client, brought)["comments"] == [{"number": 0, "text": "turned"}, {"number": 1, "text": "why?"}]


def test_comments_are_bounded(client, board, monkeypatch):
    assert code(comment(client, board, 0, "x" * 2001)) == (422, "text_long")
    assert code(comment(client, board, 5, "x")) == (422, "no_moment")
    monkeypatch.setattr(comments, "MOST", 1)
    act(client, board, 0, kind="pass")
    assert comment(client, board, 0, "first").status_code == 200
    assert code(comment(client, board, 1, "second")) == (422, "comments_full")
    assert comment(client, board, 0, "changed").status_code == 200
    data = record(client, board)
    data["comments"] = [{"number": 0, "text": "x"}] * 301
    assert client.post("/tables/import", json=data, headers=JSON).status_code == 400


def test_players_comment_ended_game(client):
    made = client.post("/tables/import?friends=0", content=to_json(ended_game()), headers=JSON | SENT).json()
    ada, bert = (
        Friend(client, made["id"], seat["address"].partition("#")[2], seat["seat"]) for seat in made["seats"][:2]
    )
    watcher = Friend(client, made["id"], made["watch"].partition("#")[2], None)
    assert code(watcher.post("comments", {"number": 3, "text": "x"})) == (403, "comments_at_end")
    for friend in (ada, bert):
        assert friend.post("comments", {"number": 3, "text": f"by seat {friend.seat}"}).status_code == 200
    found = watcher.get("record.json").json()["comments"]
    assert [(each["seat"], each["text"]) for each in found] == [(0, "by seat 0"), (1, "by seat 1")]
    assert "by seat 1" in watcher.get("beside").text


def test_studied_board_stays_longer(client, board):
    store, now = client.app.state.server.table.store, time.time()
    comment(client, board, 0, "to be kept")
    assert board not in expire(store, now + TRIAL_AGE + 60)
    assert board in expire(store, now + STUDY_AGE + 60)


def test_game_under_way_has_none(client):
    _, people = gathered(client)
    assert code(people["Ada"].post("comments", {"number": 0, "text": "a hint"})) == (403, "comments_at_end")
    assert 'id="study"' not in people["Ada"].get("beside").text
