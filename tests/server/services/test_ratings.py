"""Ratings: who wins rises, who is unknown is left out, nobody is rated unless the host says so."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.builders.played_moments import played
from tests.server.databases import ON_BOTH
from trajekt.records import to_json
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.app import create_app
from trajekt.server.presenters.finished_games_page import ratings_page
from trajekt.server.services.ratings import STALE, PlayerRating, rated
from trajekt.server.storage.accounts import ban
from trajekt.server.storage.results import RatedSeat

pytest.importorskip("openskill", reason="the extra ratings is not installed")


def game(*places):
    """A game of players in their order; a name in brackets is a bot's, a blank one unknown."""
    return tuple(
        RatedSeat(f"bot:{name[1:-1]}" if name.startswith("[") else name, name.strip("[]"), rank)
        for rank, name in enumerate(places, 1)
    )


def order(games):
    return [each.name for each in rated(games)]


def test_winners_rise_above_losers():
    ratings = rated([game("Ada", "Bert", "Cleo")] * 5)
    assert [each.name for each in ratings] == ["Ada", "Bert", "Cleo"]
    assert [each.games for each in ratings] == [5, 5, 5]
    assert ratings[0].mean > 25 > ratings[2].mean
    assert all(each.deviation < 25 / 3 for each in ratings)
    assert ratings[0].value == pytest.approx(ratings[0].mean - 3 * ratings[0].deviation)


def test_ties_move_equals_alike():
    tied = (RatedSeat("Ada", "Ada", 1), RatedSeat("Bert", "Bert", 1))
    ada, bert = rated([tied])
    assert ada.mean == pytest.approx(bert.mean)


def test_unknown_players_are_left_out():
    assert order([game("", "Bert", "Ada")]) == ["Bert", "Ada"]
    assert order([game("", "Ada", "")]) == []
    assert order([game("[steady]", "[random]")]) == []
    assert order([(RatedSeat("Ada", "Ada", 1), RatedSeat("Ada", "Ada", 2), RatedSeat("Bert", "Bert", 3))]) == []


def test_bots_stand_beside_people():
    ratings = rated([game("Ada", "[steady]"), game("Ada", "[steady]", "[steady]")])
    assert [(each.name, each.bot, each.games) for each in ratings] == [("Ada", False, 2), ("steady", True, 1)]


def friends(app, finished):
    """A finished game of people of whom three have an account; answers the first one's browser."""
    with_names = ("Ada", "Bert", "Cleo")
    browsers = [TestClient(app) for _ in with_names]
    for browser, name in zip(browsers, with_names, strict=True):
        browser.post("/me", json={"name": f"{name}'s account", "passcode": "secret"})
    made = (
        browsers[0]
        .post("/tables/import?friends=0", content=to_json(finished), headers={"content-type": "application/json"})
        .json()
    )
    for browser, link in zip(browsers[1:], made["seats"][1:], strict=False):
        browser.post(f"/t/{made['id']}/sit", json={"token": link["address"].partition("#")[2]})
    return browsers[0]


@ON_BOTH
def test_host_turns_ratings_on(store):
    finished = played("18lra", most=1500)
    app = create_app(store, ratings=True)
    with TestClient(app) as client:
        friends(app, finished)
        told = client.get("/ratings.json").json()["ratings"]
        ranks = {each.name: each.rank for each in finished.standings()}
        expected = sorted(("Ada", "Bert", "Cleo"), key=ranks.__getitem__)
        assert [each["name"] for each in told] == [f"{name}'s account" for name in expected]
        page = client.get("/ratings", headers={"accept-language": "de"}).text
        assert "Wertung" in page
        assert "/ratings" in client.get("/games").text
        person = next(each for each in app.state.server.ratings.now())
        assert person.games == 1
        with store.engine.connect() as connection:
            bert = connection.exec_driver_sql("SELECT id FROM people WHERE name LIKE 'Bert%%'").scalar_one()
        ban(store, bert, banned=True)
        app.state.server.ratings.reckoned -= STALE
        assert "Bert" not in client.get("/ratings").text


def test_equal_ratings_stand_alike():
    ratings = [
        PlayerRating(name, False, 1, 25.0, 8.0, value)
        for name, value in (("Ada", 30.0), ("Bert", 30.0), ("Cleo", 20.0))
    ]
    lines = ratings_page(tuple(ratings), Viewer("en")).ratings
    assert [(line.place, line.name) for line in lines] == [(1, "Ada"), (1, "Bert"), (3, "Cleo")]


def test_ratings_are_off_at_first(client):
    assert client.get("/ratings").status_code == 404
    assert client.get("/ratings.json").status_code == 404
    assert "/ratings" not in client.get("/games").text
