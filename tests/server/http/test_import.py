"""Games from files: looked at first, then a table for one screen or for friends; a part where file and rules part."""

from __future__ import annotations

from pathlib import Path

import pytest

import trajekt
from trajekt.game import new_game
from trajekt.records import from_json, to_json

FOLDER = Path(__file__).parents[2] / "replays" / "site_exports"
WHOLE = (FOLDER / "06-order-of-floating.json").read_bytes()
PARTED = (FOLDER / "15-stale-graph-k4.json").read_bytes()
JSON = {"content-type": "application/json"}


def sent(client, address, data):
    return client.post(address, content=data, headers=JSON)


def tables(client) -> int:
    return client.get("/").text.count('href="/t/')


def test_preview_tells_game_and_stores_nothing(client):
    before = tables(client)
    page = sent(client, "/tables/import/preview", WHOLE)
    assert page.status_code == 200
    for word in ("18Rhl", "18rhl/compat", "29", "Ada", "Dora"):
        assert word in page.text, word
    assert tables(client) == before


def test_preview_tells_differences_by_name(client):
    data = (FOLDER / "02-run-routes-empty.json").read_bytes()
    page = sent(client, "/tables/import/preview", data).text
    assert "Known differences from 18xx.games" in page
    assert "(CMP-06)" in page


def test_preview_reads_guest_in_german(client):
    data = to_json(new_game("18lra", ("Guest", "Bert", "Cleo"), seed=3))
    page = client.post("/tables/import/preview", content=data, headers=JSON | {"accept-language": "de"}).text
    assert "Gast" in page
    assert "Guest" not in page


def test_split_file_opens_where_possible(client):
    page = sent(client, "/tables/import/preview", PARTED).text
    assert "File and rules part" in page
    assert 'data-so-far="1"' in page
    refused = sent(client, "/tables/import", PARTED)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "unreadable")
    made = sent(client, "/tables/import?so_far=1", PARTED)
    assert made.status_code == 201
    record = from_json(client.get(f"{made.json()['address']}/record.json").content)
    assert record.number > 200


def test_game_for_friends_has_links(client):
    made = sent(client, "/tables/import?friends=1", WHOLE).json()
    assert [(seat["name"], seat["yours"]) for seat in made["seats"]] == [
        (name, n == 1) for n, name in enumerate(("Ada", "Bert", "Cleo", "Dora"))
    ]
    assert made["watch"].startswith(f"/t/{made['id']}/watch#")
    assert client.get(made["address"]).status_code == 200


def test_host_may_watch_only(client):
    made = sent(client, "/tables/import?friends=", WHOLE).json()
    assert not any(seat["yours"] for seat in made["seats"])


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"title": "1846", "players": [], "actions": []}', b"[" * 60_000])
def test_foreign_file_stores_nothing(client, data):
    before = tables(client)
    for address in ("/tables/import/preview", "/tables/import", "/tables/import?friends=0"):
        answer = sent(client, address, data)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unreadable"), answer.text
    assert tables(client) == before


def test_table_is_downloaded_for_the_site(client):
    made = sent(client, "/tables/import", WHOLE).json()
    menu = client.get(made["address"]).text
    assert f"{made['address']}/18xx.json" in menu
    again = sent(client, "/tables/import", client.get(f"{made['address']}/18xx.json").content)
    assert again.status_code == 201


def test_other_games_have_no_site_form(client):
    record = to_json(trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=1))
    made = sent(client, "/tables/import", record).json()
    assert "18xx.json" not in client.get(made["address"]).text
    answer = client.get(f"{made['address']}/18xx.json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_18xx")


def test_position_is_told_to_clients(client):
    made = sent(client, "/tables/import", WHOLE).json()
    newest, first = (client.get(f"{made['address']}/position.json{more}").json() for more in ("", "?at=1"))
    assert (first["number"], first["companies"]) == (1, [])
    assert {each["id"] for each in newest["companies"]} >= {"CCE", "DEE", "MKB"}
    assert client.get(f"{made['address']}/position.json?at=99999").status_code == 404
