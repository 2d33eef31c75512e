"""Boards to plan on: anything anywhere without the rules, ghosts for the live table, a copy to show, instructions from it."""

from __future__ import annotations

import pytest

from tests.server.friends import code, gathered
from tests.server.waiting import until

JSON = {"accept": "application/json"}


@pytest.fixture
def table(client):
    return gathered(client)


@pytest.fixture
def plan(table):
    """Bert's plan at the beginning of the game."""
    _, people = table
    return people["Bert"].post("try", {}).json()["id"]


def put(client, plan, number, **place):
    return client.post(f"/t/{plan}/plan/place", json={"number": number, "place": place}, headers=JSON)


def test_anything_is_put_on_plan(client, plan):
    assert put(client, plan, 0, place="tile", hex="K2", tile="6", turn=1).status_code == 200
    assert put(client, plan, 1, place="train", company="RhE", train="3").json() == {
        "number": 2,
        "seat": 0,
        "kind": "arranged",
    }
    record = client.get(f"/t/{plan}/record.json").json()
    assert [entry["kind"] for entry in record["entries"]] == ["arranged", "arranged"]
    page = client.get(f"/t/{plan}/plan", headers={"accept-language": "en"}).text
    assert "Tile #6 on K2 Aachen" in page
    assert "Not legal:" in page
    assert "Nicht erlaubt:" in client.get(f"/t/{plan}/plan", headers={"accept-language": "de"}).text
    assert "Placed without the rules" in client.get(f"/t/{plan}/regions?has=", headers={"accept-language": "en"}).text


def test_placement_is_undone(client, plan):
    put(client, plan, 0, place="tile", hex="K2", tile="6")
    assert client.post(f"/t/{plan}/undo", json={"number": 1}, headers=JSON).status_code == 200
    assert client.get(f"/t/{plan}/position.json").json()["tiles"] == []


def test_live_table_keeps_its_rules(client, table):
    _, people = table
    answer = people["Bert"].post("plan/place", {"number": 0, "place": {"place": "phase", "phase": "green"}})
    assert code(answer) == (403, "no_plan")
    assert people["Bert"].get("plan").status_code == 403
    assert code(people["Bert"].post("plan/show", {})) == (403, "no_plan")
    assert people["Ada"].get("record.json").json()["entries"] == []


def test_impossible_placement_is_refused(client, plan):
    answer = put(client, plan, 0, place="tile", hex="Z99", tile="6")
    assert code(answer) == (422, "no_such_hex")
    assert put(client, plan, 0, place="bank", amount=9).status_code == 400
    assert put(client, plan, 7, place="phase", phase="green").status_code == 409


def test_ghosts_lie_over_live_table(client, table, plan):
    id_, people = table
    put(client, plan, 0, place="tile", hex="K2", tile="6", turn=1)
    people["Ada"].passes(0)  # the table goes on
    ghosts = people["Bert"].get(f"ghosts?plan={plan}").json()
    assert [each["hex"] for each in ghosts["hexes"]] == ["K2"]
    assert "<polygon" in ghosts["hexes"][0]["svg"]
    for name in ("try-2222222222", id_, "../x"):
        assert people["Bert"].get("ghosts").status_code == 404
        assert people["Bert"].get(f"ghosts?plan={name}").status_code == 404


def test_plan_of_another_game_is_none(client, table):
    _, people = table
    other = client.post("/tables", json={"game": "18lra", "players": ["A", "B", "C"]}, headers=JSON).json()["id"]
    strange = client.post(f"/t/{other}/try", json={}, headers=JSON).json()["id"]
    assert people["Bert"].get(f"ghosts?plan={strange}").status_code == 404
    assert people["Bert"].post("orders/plan", {"plan": strange}).status_code == 404


def test_shown_copy_cannot_be_changed(client, device, plan):
    put(client, plan, 0, place="tile", hex="K2", tile="6")
    address = client.post(f"/t/{plan}/plan/show", json={}, headers=JSON).json()["address"]
    where, _, token = address.partition("#")
    copy = where.split("/")[2]
    reader = device()
    watching = JSON | {"authorization": f"Bearer {token}"}
    assert reader.get(f"/t/{copy}/position.json", headers=watching).json()["tiles"] == [
        {"hex": "K2", "tile": "6", "rotation": 0}
    ]
    for path, value in (
        ("actions", {"number": 1, "action": {"kind": "pass"}}),
        ("undo", {"number": 1}),
        ("plan/place", {"number": 1, "place": {"place": "phase", "phase": "green"}}),
    ):
        assert reader.post(f"/t/{copy}/{path}", json=value, headers=watching).status_code in (403, 422), path
    assert reader.get(f"/t/{copy}/position.json", headers=JSON).status_code == 403
    assert len(reader.get(f"/t/{copy}/record.json", headers=watching).json()["entries"]) == 1


def test_plan_is_carried_out_while_away(client, table, plan):
    """Bert tries his bid on the plan, hands it over, and it is made when his turn comes."""
    _, people = table
    passed = {"number": 0, "action": {"kind": "pass"}, "seat": 0}
    assert client.post(f"/t/{plan}/actions", json=passed, headers=JSON).status_code == 200
    bid = {"number": 1, "action": {"kind": "bid", "private": 2, "amount": 40}, "seat": 1}
    assert client.post(f"/t/{plan}/actions", json=bid, headers=JSON).status_code == 200
    assert people["Bert"].post("orders/plan", {"plan": plan}).json() == {"done": True}
    assert "40" in people["Bert"].get("beside", **{"accept-language": "en"}).text.partition('class="orders"')[2][:400]
    people["Ada"].passes(0)
    until(lambda: len(people["Ada"].get("record.json").json()["entries"]) == 2)
    entry = people["Ada"].get("record.json").json()["entries"][1]
    assert (entry["seat"], entry["action"]) == (1, {"kind": "bid", "private": 2, "amount": 40})


def test_empty_plan_is_no_instruction(table, plan):
    _, people = table
    assert code(people["Bert"].post("orders/plan", {"plan": plan})) == (422, "plan_empty")
    assert code(people["watcher"].post("orders/plan", {"plan": plan}))[0] == 403


def test_best_run_on_plan_is_proved(client, plan):
    put(client, plan, 0, place="train", company="CCE", train="8")
    answer = client.get(f"/t/{plan}/plan/run?company=CCE", headers=JSON | {"accept-language": "en"})
    assert answer.status_code == 200
    assert "nothing legal earns more" in answer.json()["text"]
    assert client.get(f"/t/{plan}/plan/run?company=???", headers=JSON).status_code == 404
