"""The commands of a host on the command line, beside a database that a server has filled."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tests.server.friends import code, gathered
from trajekt.cli import main


@pytest.fixture
def admin(url):
    """Run `trajekt admin` on the database of the test; answers status, output and messages."""

    def run(*words):
        done = CliRunner().invoke(main, ["admin", *words, "--db", url])
        return done.exit_code, done.stdout, done.stderr

    return run


@pytest.fixture
def table(client):
    """A table of friends with one move, at which Bert has left much that is his."""
    id_, people = gathered(client)
    people["Bert"].post("passcode", {"passcode": "zebra crossing"})
    people["Bert"].post("contact", {"mail": "zebra@home.example", "form": "json"})
    people["Ada"].passes(0)
    return id_


def test_show_tells_seats_and_newest(admin, table):
    status, text, _ = admin("show", table)
    found = json.loads(text)
    assert status == 0
    assert (found["id"], found["number"], found["friends"], found["finished"]) == (table, 1, True, False)
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2]
    assert [(entry["number"], entry["seat"], entry["kind"]) for entry in found["newest"]] == [(1, 0, "action")]
    assert "zebra" not in text
    assert "hash" not in text
    assert admin("show", "nowhere")[::2] == (1, "trajekt: there is no table nowhere\n")


def test_a_table_is_hidden_and_deleted(admin, table):
    assert admin("hide-table", table)[0] == 0
    assert json.loads(admin("tables", "--json")[1])[0]["hidden"] is True
    assert admin("hide-table", table, "--show")[0] == 0
    assert json.loads(admin("tables", "--json")[1])[0]["hidden"] is False
    assert admin("delete-table", table, "--yes")[0] == 0
    assert json.loads(admin("tables", "--json")[1]) == []
    assert json.loads(admin("stats", "--json")[1])["entries"] == 0
    assert [line["what"] for line in json.loads(admin("audit")[1])][-1] == "table_deleted"
    assert admin("delete-table", table, "--yes")[0] == 1


def test_ended_table_takes_no_move(admin, client):
    """Also at the server that was running meanwhile, which learns of it by the first move that is tried."""
    table, people = gathered(client)
    people["Ada"].passes(0)
    assert admin("end-table", table, "--yes")[0] == 0
    assert code(people["Bert"].passes(1)) == (409, "ended")
    assert code(people["Ada"].post("undo", {"number": 1})) == (409, "ended")
    page = people["Bert"].get("regions", **{"accept-language": "de"}).text
    assert "Der Betreiber des Servers hat diesen Tisch beendet" in page
    assert 'id="action-form"' not in page
    assert people["Bert"].get("state.json").json()["number"] == 1
    assert people["Bert"].get("record.json").status_code == 200
    assert [line["what"] for line in json.loads(admin("audit")[1])][-1] == "table_ended"
    assert admin("end-table", "nowhere", "--yes")[0] == 1


def test_bots_leave_an_ended_table(admin, client, app):
    new = {
        "game": "18rhl",
        "players": ["Ada", "Bert", "Cleo"],
        "bots": {"Bert": "random", "Cleo": "random"},
        "pause": 30,
    }
    table = client.post("/tables", json=new | {"seed": 7}).json()["id"]
    runner = app.state.server.bots
    cached, assigned = runner.seated(table)
    number = cached.game.number
    assert admin("end-table", table, "--yes")[0] == 0
    app.state.server.table.cache.invalidate(table)
    assert runner.to_move(cached, assigned) == []
    assert runner.move(table) is None
    assert client.get(f"/t/{table}/state.json").json()["number"] == number


def test_an_account_is_closed_and_told(admin, client):
    client.post("/me", json={"name": "Ada", "passcode": "secret"})
    id_, people = gathered(client)
    people["Ada"].passes(0)
    told = json.loads(admin("export", "Ada")[1])
    assert told["person"][0]["name"] == "Ada"
    assert told["seats"][0]["table"] == id_
    assert {"letters", "requests", "consents", "talk", "notes"} <= set(told["seats"][0])
    assert told["audit"]
    assert "hash" not in json.dumps(told)
    assert admin("ban", "Ada")[0] == 0
    assert client.post("/me/in", json={"name": "Ada", "passcode": "secret"}).status_code == 403
    assert admin("ban", "Ada", "--lift")[0] == 0
    assert client.post("/me/in", json={"name": "Ada", "passcode": "secret"}).status_code == 200
    assert admin("export", "Nobody")[0] == 1


def test_a_new_link_opens_the_seat(admin, client, table):
    """Also at the server that was running meanwhile; with it the old link is dead."""
    status, text, _ = admin("links", table, "--seat", "1")
    token = text.strip().partition("#")[2]
    assert status == 0
    opened = client.get(f"/t/{table}/state.json", headers={"authorization": f"Bearer {token}"})
    assert opened.json()["seats"] == [1]
    _, again, _ = admin("links", table, "--seat", "1")
    newest = again.strip().partition("#")[2]
    assert client.post(f"/t/{table}/sit", json={"token": newest}).json()["seat"] == 1
    assert client.get(f"/t/{table}/state.json", headers={"authorization": f"Bearer {token}"}).status_code == 401
    assert client.get(f"/t/{table}/state.json", headers={"authorization": f"Bearer {newest}"}).json()["seats"] == [1]
    assert admin("links", table)[0] == 2
    assert admin("links", table, "--seat", "9")[0] == 1
