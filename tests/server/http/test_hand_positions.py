"""A position set up by hand becomes a table, for one screen or for friends; its faults are told, its record comes back."""

from __future__ import annotations

import json

import pytest

from tests.server.steady import fresh, steady
from trajekt.positions import position_json
from trajekt.round_label import round_of

JSON = {"accept": "application/json", "content-type": "application/json"}


@pytest.fixture(scope="module")
def position():
    game = steady(fresh(), lambda g: round_of(g.state).key == "SR 2")
    return json.loads(position_json(game)) | {"round": {"kind": "stock", "set": 2}}


def bring(client, value, path="/tables/import", **headers):
    return client.post(path, content=json.dumps(value).encode(), headers=JSON | headers)


def test_position_becomes_a_table(client, position):
    shown = bring(client, position, "/tables/import/preview")
    assert shown.status_code == 200
    id_ = bring(client, position).json()["id"]
    page = client.get(f"/t/{id_}", headers={"accept-language": "en"})
    assert page.status_code == 200
    assert "SR 2" in page.text
    seat = position["to_act"][0]
    played = client.post(
        f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}, "seat": seat}, headers=JSON
    )
    assert played.status_code == 200
    # its record is brought again, decided anew
    record = client.get(f"/t/{id_}/record.json").json()
    again = bring(client, record)
    assert again.status_code == 201
    assert client.get(f"/t/{again.json()['id']}/record.json").json() == record


def test_position_becomes_table_of_friends(client, position):
    made = bring(client, position, "/tables/import?friends=1")
    assert made.status_code == 201
    assert [seat["name"] for seat in made.json()["seats"]] == [player["name"] for player in position["players"]]


def test_faults_of_position_are_told(client, position):
    answer = bring(client, position | {"phase": "purple", "priority": 9}, **{"accept-language": "de"})
    assert answer.status_code == 400
    message = answer.json()["error"]["message"]
    assert "$.phase: eine solche Phase gibt es nicht: purple" in message
    assert "$.priority" in message


def test_forged_record_is_refused(client, position):
    id_ = bring(client, position).json()["id"]
    record = client.get(f"/t/{id_}/record.json").json()
    gift = {"event": "paid", "source": "bank", "target": 0, "amount": 5_000, "cause": "set_up"}
    record["set_up"].append(gift)
    assert bring(client, record).status_code == 400
