"""Files of strangers: what is forged, too large or unreadable is refused before anything is stored or drawn."""

from __future__ import annotations

import json
import resource

import msgspec
import pytest

from tests.server.steady import fresh, in_stock_round
from trajekt import new_game, records
from trajekt.engine.components.component_sets import component_set
from trajekt.game import Game
from trajekt.records import RecordError
from trajekt.server.services import game_import
from trajekt.server.services.game_import import MAX_BYTES, game_of_file
from trajekt.server.storage.game_cache import MAX_ENTRIES

PLAYERS = [{"id": n, "name": name} for n, name in enumerate("ABC", 1)]
EXPORT = {"title": "18Rhl", "players": PLAYERS, "actions": [], "settings": {"seed": 1}}


def signed(plain: dict) -> bytes:
    """The record with the digest that its events give, as anybody can compute it."""
    file = msgspec.convert(plain, records.RecordFile)
    title = records.title(file.game)
    game: Game = records._opened(title, title.options(file.options), file, None)
    for entry in file.entries:
        records._take(game, entry)
    return json.dumps(plain | {"digest": records.digest(game.state)}).encode()


def played() -> Game:
    game = fresh()
    for _ in range(4):
        game.play(game.choices()[0])
    game.undo()
    game.redo()
    game.undo()
    game.play(game.choices()[0])
    return game


@pytest.mark.parametrize(
    "game", [played(), new_game("18do", ("A", "B", "C"), {}, 1), new_game("18ruhr", ("A", "B", "C"), {}, 1)]
)
def test_a_true_record_is_decided_again(game):
    again = game_of_file(records.to_json(game)).whole()
    assert records.to_json(again) == records.to_json(game)


def test_a_forged_set_up_is_refused(client):
    plain = json.loads(records.to_json(new_game("18do", ("A", "B", "C"), {}, 1)))
    next(e for e in plain["set_up"] if e["event"] == "market_laid")["demand"][0][1] = 100_000
    answer = client.post("/tables/import", content=signed(plain), headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "set-up" in answer.json()["error"]["message"]


def test_a_forged_entry_is_named(client):
    plain = json.loads(records.to_json(in_stock_round()))
    paid = next(e for entry in plain["entries"] for e in entry["events"] if e["event"] == "paid")
    number = next(entry["number"] for entry in plain["entries"] if paid in entry["events"])
    paid["amount"] -= 5
    answer = client.post("/tables/import", content=json.dumps(plain), headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["path"] == f"$.entries[{number - 1}]"


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2**63},
        {"players": ["A" * 2**20, "B", "C"]},
        {"players": ["A\0", "B", "C"]},
        {"players": ["", "B", "C"]},
        {"players": ["A", "A", "C"]},
        {"components": "x" * 10_000},
        {"options": {"x": "y" * 10_000}},
        {"trajekt": -1},
    ],
)
def test_values_out_of_bounds_are_refused(change):
    plain = json.loads(records.to_json(fresh()))
    with pytest.raises(RecordError):
        game_of_file(json.dumps(plain | change).encode())


@pytest.mark.parametrize(
    "change", [{"seat": 2**31}, {"seat": 7}, {"number": 2**63}, {"parent": 99}, {"version": 2**31}, {"kind": "undo"}]
)
def test_entries_out_of_bounds_are_refused(change):
    plain = json.loads(records.to_json(played()))
    plain["entries"][1] |= change
    with pytest.raises(RecordError):
        game_of_file(json.dumps(plain).encode()).whole()


@pytest.mark.parametrize(
    "change",
    [
        {"players": [{"id": [], "name": "A"}, *PLAYERS[1:]]},
        {"players": [PLAYERS[0] | {"name": "A\0"}, *PLAYERS[1:]]},
        {"players": [PLAYERS[0] | {"name": "A" * 2**20}, *PLAYERS[1:]]},
        {"settings": {"seed": 10**30}},
        {"settings": {"seed": True}},
        {"actions": [{"type": "pass", "entity": [], "entity_type": "player"}]},
        {
            "actions": [
                {"type": "pass", "entity": 1, "entity_type": "player", "id": 1},
                {"type": "undo", "action_id": "x"},
            ]
        },
    ],
)
def test_hostile_exports_harm_no_start_page(client, change):
    before = len(client.get("/").content)
    answer = client.post("/tables/import", json=EXPORT | change)
    assert answer.status_code in (201, 400)
    assert client.get("/").status_code == 200
    assert len(client.get("/").content) < before + 2_000


def test_detecting_file_kind_costs_no_memory():
    data = b'{"x":[' + b"{}," * ((MAX_BYTES - 100) // 3) + b"0]}"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RecordError):
        game_of_file(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30 * 1024


def test_oversized_file_is_not_read(client):
    data = b" " * (MAX_BYTES + 1)
    answer = client.post("/tables/import", content=data, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_reader_itself_bounds_the_bytes():
    with pytest.raises(RecordError, match="are read"):
        game_of_file(b" " * (MAX_BYTES + 1))


def test_entries_without_end_are_refused():
    plain = json.loads(records.to_json(fresh()))
    entry = {"number": 1, "parent": 0, "seat": 0, "kind": "undo"}
    with pytest.raises(RecordError, match=f"{MAX_ENTRIES}.*entries"):
        game_of_file(json.dumps(plain | {"entries": [entry] * (MAX_ENTRIES + 1)}).encode())


def test_long_exports_are_refused_too(monkeypatch):
    game = in_stock_round()
    monkeypatch.setattr(game_import, "MAX_ENTRIES", game.number)
    assert game_import._within_bounds(game) is game
    monkeypatch.setattr(game_import, "MAX_ENTRIES", game.number - 1)
    with pytest.raises(RecordError, match="takes up to"):
        game_import._within_bounds(game)


class TestRecordsWithASet:
    SET = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Ada"\n\n[privates.1]\nprice = 95\n'

    def record(self, text):
        game = new_game("18ruhr", ["Ada", "Bert", "Cleo"], seed=4, components=component_set(self.SET, "ada.toml"))
        game.play(game.choices()[0])
        return json.dumps({**json.loads(records.to_json(game)), "component_set": text}).encode()

    def test_carried_set_is_laid_over(self):
        game = game_of_file(self.record(self.SET)).whole()
        assert game.ruleset.sheet.privates[1].price == 95
        assert game.number == 1

    @pytest.mark.parametrize("text", ["[set", SET + "prise = 1\n", SET.replace("18ruhr", "18rhl")])
    def test_spoilt_set_is_refused(self, text):
        with pytest.raises(RecordError) as raised:
            game_of_file(self.record(text))
        assert raised.value.code == "bad_components"

    def test_huge_set_is_refused(self):
        with pytest.raises(RecordError):
            game_of_file(self.record(self.SET + "# " + "x" * 70_000))
