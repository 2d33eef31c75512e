"""Somebody opens another's link by mistake: he is told that he has two seats, and gives the wrong one back."""

from __future__ import annotations

import pytest

from tests.server.friends import gathered
from trajekt.server.storage.seats import WATCHING, assignments_of


@pytest.fixture
def host(client):
    """Ada, who opened the table, has opened Bert's link too: the table, the people, what she was told."""
    id_, people = gathered(client)
    told = client.post(f"/t/{id_}/sit", json={"token": people["Bert"].token})
    assert told.status_code == 200
    return id_, people, told.json()


def seats_of(client, id_):
    app = client.app.state.server
    return sorted(next(iter(assignments_of(app.table.store, app.table.cache.get(id_)).holders.values())))


def test_second_seat_is_told(client, host):
    id_, people, told = host
    assert told == {"seat": 1, "address": f"/t/{id_}", "name": "Bert", "also": ["Ada"]}
    again = client.post(f"/t/{id_}/sit", json={"token": people["Bert"].token}).json()
    assert "also" not in again  # nothing new


def test_returned_seat_keeps_its_link(client, host):
    id_, people, _ = host
    assert 'data-action="give-back-seat" data-about="1"' in client.get(f"/t/{id_}/seats/menu").text
    people["Bert"].post("seats/1/passcode", {"passcode": "secret"})
    assert client.post(f"/t/{id_}/seats/1/give-back", json={}).json() == {"address": f"/t/{id_}"}
    assert seats_of(client, id_) == [WATCHING, 0]
    assert 'data-action="give-back-seat" data-about="1"' not in client.get(f"/t/{id_}/seats/menu").text
    server = client.app.state.server
    assert assignments_of(server.table.store, server.table.cache.get(id_)).seats[1].passcode_hash is None
    refused = client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}, "seat": 1})
    assert refused.json()["error"]["code"] == "not_your_seat"
    people["Ada"].passes(0)
    assert people["Bert"].passes(1).status_code == 200


def test_data_of_another_holder_stays(client, host):
    id_, people, _ = host
    mine = dict(client.cookies)
    client.cookies.clear()
    client.post(f"/t/{id_}/sit", json={"token": people["Bert"].token})  # Bert himself, at his own device
    client.post(f"/t/{id_}/seats/1/passcode", json={"passcode": "secret"})
    client.cookies.clear()
    client.cookies.update(mine)
    client.post(f"/t/{id_}/seats/1/give-back", json={})
    server = client.app.state.server
    assignments = assignments_of(server.table.store, server.table.cache.get(id_))
    assert assignments.held(1)
    assert assignments.seats[1].passcode_hash is not None


def test_nobody_returns_an_unheld_seat(client):
    id_, people = gathered(client)
    plain = {"accept": "application/json"}
    assert client.post(f"/t/{id_}/seats/1/give-back", json={}, headers=plain).json()["error"]["code"] == "not_your_seat"
    assert client.post(f"/t/{id_}/seats/9/give-back", json={}, headers=plain).json()["error"]["code"] == "no_seat"
    assert people["Bert"].post("seats/1/give-back", {}).json()["error"]["code"] == "not_your_seat"  # a client's token
