"""Bots at a table: they move until a person is to act, at a pace that can be changed; an undo goes back to a person."""

from __future__ import annotations

import time

import pytest
from markupsafe import escape

from trajekt.records import from_json
from trajekt.registry import names, title
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import game_log
from trajekt.server.presenters.guided_turn import guided_of, played
from trajekt.server.storage.game_cache import GameCache

NEW = {
    "game": "18rhl",
    "players": ["Ada", "Bert", "Cleo"],
    "options": {"edition": 2, "fixed_seats": True},
    "seed": 7,
    "bots": {"Bert": "steady", "Cleo": "random"},
    "pause": 0.0,
}
SECONDS = 20


def made(client, **more):
    answer = client.post("/tables", json=NEW | more)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def game_at(client, id_):
    return from_json(client.get(f"/t/{id_}/record.json").content)


def settled(client, id_, seat=0):
    """The game once seat `seat` is awaited."""
    limit = time.monotonic() + SECONDS
    while time.monotonic() < limit:
        game = game_at(client, id_)
        if seat in game.to_act:
            return game
        time.sleep(0.05)
    pytest.fail("the bots did not come to an end")


def test_bots_move_until_a_persons_turn(client):
    id_ = made(client)
    client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}})
    game = settled(client, id_)
    assert game.number >= 3
    assert {entry.seat for entry in game.entries[1:]} == {1, 2}


def test_bots_alone_continue_when_opened(client):
    id_ = made(client, bots=dict.fromkeys(NEW["players"], "steady"))
    client.get(f"/t/{id_}")
    limit = time.monotonic() + SECONDS
    while game_at(client, id_).number < 8 and time.monotonic() < limit:
        time.sleep(0.05)
    assert game_at(client, id_).number >= 8
    client.post(f"/t/{id_}/pace", json={"pause": 30})


def test_undo_includes_the_bots_answers(client):
    id_ = made(client)
    client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}})
    game = settled(client, id_)
    client.post(f"/t/{id_}/undo", json={"number": game.number})
    after = game_at(client, id_)
    assert after.line() == []
    assert list(after.to_act) == [0]


def test_reader_may_not_choose_for_bot(client, table):
    id_ = made(client)
    assert table.seats(table.cache.get(id_), Viewer()) == (0,)


def test_lone_player_stays_the_reader(client):
    """While bots think, the page is still that of the person: what happened since that one's move, that one's column."""
    id_ = made(client, pause=30)
    assert 'class="app me0"' in client.get(f"/t/{id_}").text
    client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}})
    assert game_at(client, id_).to_act[0] == 1
    assert 'class="app me0"' in client.get(f"/t/{id_}").text


def test_the_pace_is_kept_and_bounded(client, table):
    id_ = made(client)
    assert client.post(f"/t/{id_}/pace", json={"pause": 900}).json() == {"pause": 30.0}
    assert 'data-pace="2.0"' in client.get(f"/t/{id_}").text


@pytest.mark.parametrize("bots", [{"Dora": "steady"}, {"Bert": "chess"}])
def test_bots_that_nobody_knows_are_refused(client, bots):
    answer = client.post("/tables", json=NEW | {"bots": bots})
    assert answer.status_code == 400
    assert answer.json()["error"]["path"] == "$.bots"


def test_guided_table_plays_by_todays_rules():
    guided = guided_of("trajekt.games.rhl")
    game = played(guided)
    assert game.number == len(guided.actions)
    assert list(game.to_act) == [guided.seat]


@pytest.mark.parametrize("game", names())
def test_guided_table_has_advice(client, game):
    found = title(game)
    answer = client.post(f"/tables/guided/{found.id}", json={})
    if guided_of(found.package) is None:
        assert answer.status_code == 404
        return
    for language in ("en", "de"):
        page = client.get(answer.json()["address"], headers={"accept-language": language}).text
        assert 'id="guide"' in page
        assert "‹" not in page


def test_bot_action_is_marked_and_explained(client, table):
    id_ = made(client, bots={"Bert": "steady", "Cleo": "steady"})
    client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}})
    game = settled(client, id_)
    cached = table.cache.get(id_)
    assert set(cached.reasons) == set(range(2, game.number + 1))  # the person's own action needs none
    for language in ("en", "de"):
        viewer = Viewer(language)
        lines = game_log.log(cached, game.number, viewer.speaker(game.title, game.state))
        assert [line.by for line in lines] == ["", *["bot"] * (game.number - 1)]
        assert not lines[0].why
        assert all(line.why and "‹" not in line.why for line in lines[1:])
        page = client.get(f"/t/{id_}", headers={"accept-language": language}).text
        assert f"<q>{escape(lines[-1].why)}</q>" in page


def test_reasons_are_kept_by_the_store(client, table):
    id_ = made(client, bots={"Bert": "steady", "Cleo": "random"})
    client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}})
    settled(client, id_)
    assert GameCache(table.store).get(id_).reasons == table.cache.get(id_).reasons != {}
