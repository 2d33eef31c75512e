"""Finished games: their results are stored, searched and summed up; nobody finds a game that they may not look at."""

from __future__ import annotations

import time

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.builders.played_moments import played
from tests.server.databases import ON_BOTH
from trajekt.records import to_json
from trajekt.server.http.app import create_app
from trajekt.server.notifications.job_worker import JobRunner
from trajekt.server.services import clock
from trajekt.server.services.clock import Reading
from trajekt.server.storage.deletion import delete_person, delete_table
from trajekt.server.storage.schema import BOTS, GAMES, HOLDERS, PEOPLE, RESULTS

JSON = {"content-type": "application/json"}
DAY = 24 * 3600.0


@pytest.fixture(scope="module")
def game():
    found = played("18lra", most=1500)
    assert found.finished
    return found


def brought(browser, game, query=""):
    answer = browser.post(f"/tables/import{query}", content=to_json(game), headers=JSON)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def found(browser, query=""):
    return browser.get(f"/games.json{query}").json()["games"]


def ids(browser, query=""):
    return [each["id"] for each in found(browser, query)]


def test_results_agree_with_standings(client, game):
    id_ = brought(client, game)
    (told,) = found(client)
    assert (told["id"], told["title"]) == (id_, "18lra")
    expected = sorted((each.rank, each.name, each.total) for each in game.standings())
    assert sorted((each["rank"], each["name"], each["total"]) for each in told["results"]) == expected


def test_undo_takes_results_back(client, game):
    id_ = brought(client, game)
    assert client.post(f"/t/{id_}/undo", json={"number": game.number}).status_code == 200
    assert ids(client) == []
    assert client.post(f"/t/{id_}/redo", json={"number": game.number + 1}).status_code == 200
    assert ids(client) == [id_]


def test_stored_results_have_clock_fines(client, game, monkeypatch):
    """A game that ends anew, with a clock that costs the winner more than the lead, is stored as won by the second."""
    id_ = brought(client, game)
    client.post(f"/t/{id_}/clock", json={"clock": {"game": 60, "penalty": "score", "rate": 1}})
    first, second = sorted(game.standings(), key=lambda row: row.rank)[:2]
    owed = {first.seat: first.total - second.total + 1}

    def readings(ended, times, *_rest):
        assert ended.finished
        assert len(times) == ended.number
        return [Reading(seat, 0.0, 0, False, owed.get(seat, 0)) for seat in range(len(game.names))]

    client.post(f"/t/{id_}/undo", json={"number": game.number})
    monkeypatch.setattr(clock, "readings", readings)
    assert client.post(f"/t/{id_}/redo", json={"number": game.number + 1}).status_code == 200
    (told,) = found(client)
    best = min(told["results"], key=lambda each: each["rank"])
    assert (best["name"], best["total"]) == (second.name, second.total)
    assert {each["name"]: each["total"] for each in told["results"]}[first.name] == second.total - 1


def test_private_games_stay_private(client, device, game):
    id_ = brought(client, game, "?friends=0")
    assert ids(client) == [id_]
    stranger = device()
    name = game.state.names[0]
    assert ids(stranger) == []
    assert ids(stranger, f"?player={name}") == []
    sums = stranger.get(f"/games.json?player={name}").json()["sums"]
    assert sums == []
    assert id_ not in stranger.get(f"/games?player={name}").text


def test_unlisted_server_tells_own_games_alone(store, game):
    with TestClient(create_app(store, listed=False)) as client:
        one_screen, own = brought(client, game), brought(client, game, "?friends=0")
        assert ids(client) == [own]
        assert one_screen not in client.get("/games").text


def test_hidden_tables_are_left_out(client, store, game):
    id_ = brought(client, game)
    client.post(f"/t/{id_}/try", json={})
    assert ids(client) == [id_]
    with store.begin() as connection:
        connection.execute(GAMES.update().values(hidden=True))
    assert ids(client) == []


def row(connection, id_, names, title="18rhl", at=0.0, friends=False):
    text = {
        "options": "{}",
        "names": "[]",
        "ruleset": "",
        "components": "",
        "set_up": "[]",
        "moment": "",
        "title": title,
    }
    watch = f"{id_:064}" if friends else None
    connection.execute(
        GAMES.insert().values(
            id=id_, seed=1, number=1, finished=True, created=at, changed=at, watch_hash=watch, hidden=False, **text
        )
    )
    rows = [
        {
            "game": id_, "seat": n, "title": title, "players": len(names), "name": name, "folded": name.casefold(),
            "bot": None, "total": 1000 - 100 * n, "rank": n + 1,
        }
        for n, name in enumerate(names)
    ]  # fmt: skip
    connection.execute(RESULTS.insert(), rows)


@ON_BOTH
def test_search_by_each_criterion(store):
    with store.begin() as connection:
        row(connection, "one", ("Ada", "Bert", "Cleo"), at=10 * DAY)
        row(connection, "two", ("Bert", "Ada"), title="18do", at=20 * DAY)
        row(connection, "three", ("Bernd", "100%", "Ada"), at=30 * DAY)
        row(connection, "four", ("Ada", "Bert"), at=40 * DAY, friends=True)
    with TestClient(create_app(store)) as client:
        assert ids(client) == ["three", "two", "one"]
        assert ids(client, "?player=BER") == ["three", "two", "one"]
        assert ids(client, "?player=bert") == ["two", "one"]
        assert ids(client, "?player=%25") == ["three"]
        assert ids(client, "?game=18do") == ["two"]
        assert ids(client, "?players=3") == ["three", "one"]
        assert ids(client, "?since=1970-01-21") == ["three", "two"]
        assert ids(client, "?until=1970-01-21") == ["two", "one"]
        assert ids(client, "?since=x&until=99999-01-01&players=x&page=x&player=%00") == ["three", "two", "one"]
        sums = client.get("/games.json?player=Ada").json()["sums"]
        assert sums == [
            {"title": "18do", "players": 2, "games": 1, "won": 0, "rank": 2.0, "best": 900},
            {"title": "18rhl", "players": 3, "games": 2, "won": 1, "rank": 2.0, "best": 1000},
        ]
        page = client.get("/games?player=Ada", headers={"accept-language": "de"}).text
        assert "Ergebnisse von Ada" in page
        assert "2,0" in page


def test_own_sums_are_of_seats_held(client, store, game):
    id_ = brought(client, game, "?friends=1")
    mine = next(each for each in game.standings() if each.seat == 1)
    (told,) = client.get("/games.json").json()["sums"]
    assert told == {
        "title": "18lra", "players": 4, "games": 1, "won": int(mine.rank == 1), "rank": float(mine.rank), "best": mine.total,
    }  # fmt: skip
    with store.engine.connect() as connection:
        person = connection.execute(sa.select(HOLDERS.c.person).where(HOLDERS.c.game == id_)).scalar_one()
    delete_person(store, person)
    with store.engine.connect() as connection:
        names = list(connection.execute(sa.select(RESULTS.c.name).order_by(RESULTS.c.seat)).scalars())
        assert connection.execute(sa.select(PEOPLE.c.id)).all() == []
    assert names[1] == "Anonym 1"
    assert mine.name not in names


def test_deleted_table_leaves_no_result(client, store, game):
    assert delete_table(store, brought(client, game))
    with store.engine.connect() as connection:
        assert connection.execute(sa.select(RESULTS)).all() == []


def test_bots_are_named_in_results(client, store, game):
    id_ = brought(client, game)
    client.post(f"/t/{id_}/undo", json={"number": game.number})
    with store.begin() as connection:
        connection.execute(BOTS.insert().values(game=id_, seats='{"2": "steady"}', pause=0.0, guided=False))
    client.app.state.server.table.cache.forget(id_)
    assert client.post(f"/t/{id_}/redo", json={"number": game.number + 1}).status_code == 200
    bots = {each["seat"]: each["bot"] for each in found(client)[0]["results"]}
    assert bots == {0: None, 1: None, 2: "steady", 3: None}


def test_games_of_earlier_versions_get_results(client, store, game):
    id_ = brought(client, game)
    before = found(client)
    with store.begin() as connection:
        connection.execute(RESULTS.delete())
    assert found(client)[0]["results"] == []
    server = client.app.state.server
    JobRunner(server.table, server.accounts).expire()
    assert found(client) == before
    assert id_ == before[0]["id"]


def test_ten_thousand_are_searched_quickly(store, client):
    with store.begin() as connection:
        for n in range(10_000):
            row(connection, f"g{n:05}", (f"P{n % 97}", f"P{n % 89 + 100}", "Ada"), at=float(n))
    for query in ("", "?player=p5", "?game=18do", "?players=3&since=1970-01-02", "?player=nobody"):
        began = time.process_time()
        client.get(f"/games.json{query}")
        assert time.process_time() - began < 0.5
    assert len(ids(client, "?player=P96")) == 50
