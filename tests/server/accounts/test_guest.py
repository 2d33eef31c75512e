"""The name of who plays without giving one is read in each reader's language; nobody is called by a pronoun."""

from __future__ import annotations

import pytest

from trajekt.server.accounts.viewer import GUEST, Viewer, names_read


def table(client, *players: str):
    return client.post("/tables", json={"game": "18rhl", "players": [*players], "options": {"edition": 2}})


@pytest.mark.parametrize(("language", "name"), [("en", "Guest"), ("de", "Gast")])
def test_guest_follows_the_reader(client, language, name):
    address = table(client, GUEST, "Borsig", "Krupp").json()["address"]
    page = client.get(address, headers={"accept-language": language}).text
    assert f">{name}" in page
    other = ({"Guest", "Gast"} - {name}).pop()
    assert f">{other}" not in page


def test_guest_stays_where_taken():
    assert names_read((GUEST, "Gast"), Viewer("de").catalogue()) == (GUEST, "Gast")


@pytest.mark.parametrize("name", ["You", "you", "Du", " DU "])
def test_no_player_is_a_pronoun(client, name):
    answer = table(client, name, "Borsig", "Krupp")
    assert answer.status_code == 400
    assert answer.json()["error"]["path"] == "$.players[0]"
    assert "pronoun" in answer.json()["error"]["message"]
