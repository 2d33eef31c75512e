"""A board to plan on: a copy of any moment that moves alone and is not listed."""

from __future__ import annotations

from trajekt.records import from_json

PASS = {"kind": "pass"}


def number(client, address):
    return from_json(client.get(f"{address}/record.json").content).number


def test_a_copy_moves_alone(client, id_):
    for n in range(2):
        client.post(f"/t/{id_}/actions", json={"number": n, "action": PASS})
    made = client.post(f"/t/{id_}/try", json={})
    assert made.status_code == 201
    copy = made.json()["address"]
    assert client.post(f"{copy}/actions", json={"number": 2, "action": PASS}).status_code == 200
    assert number(client, copy) == 3
    assert number(client, f"/t/{id_}") == 2
    assert "nothing changes at the table" in client.get(copy).text
    assert copy not in client.get("/").text


def test_a_copy_of_an_earlier_moment(client, id_):
    for n in range(2):
        client.post(f"/t/{id_}/actions", json={"number": n, "action": PASS})
    copy = client.post(f"/t/{id_}/try?at=1", json={}).json()["address"]
    assert number(client, copy) == 1
    assert client.post(f"/t/{id_}/try?at=99", json={}).status_code == 404
