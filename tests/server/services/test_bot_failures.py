"""Bots of strangers that raise, exit, hang or give no move: they harm their own seat and nothing else."""

from __future__ import annotations

import threading

import pytest

from tests.server.friends import code
from tests.server.waiting import until
from trajekt.bots import bot as bots
from trajekt.server.services import bot_runner, table_service

NEW = {"game": "18rhl", "players": ["Ada", "Bert", "Cleo"], "options": {"edition": 2, "fixed_seats": True}, "seed": 7}
END = threading.Event()


def exits(_view):
    raise SystemExit(3)


def raises(_view):
    raise RuntimeError("broken")


def nothing(_view):
    return None


def hangs(_view):
    END.wait(20)


@pytest.fixture
def strange(monkeypatch):
    """`strange(choose)`: every bot of the kind `strange` is made with this function."""
    made = {}
    real = bots.make_bot

    class Strange:
        def choose(self, view):
            return made["choose"](view)

    def make(kind, rng):
        return Strange() if kind == "strange" else real(kind, rng)

    for module in (bot_runner, table_service):
        monkeypatch.setattr(module, "make_bot", make)
    monkeypatch.setattr(table_service, "players", lambda: ("steady", "strange"))
    END.clear()
    yield lambda choose: made.update(choose=choose)
    END.set()


@pytest.mark.parametrize("choose", [exits, raises, nothing, hangs])
def test_a_bad_bot_is_set_aside(client, strange, choose):
    strange(choose)
    client.app.state.server.bots.seconds = 0.3
    id_ = client.post("/tables", json=NEW | {"bots": {"Ada": "strange", "Bert": "steady"}, "pause": 0.0}).json()["id"]
    state = until(lambda: (found := client.get(f"/t/{id_}/state.json").json())["set_aside"] and found)
    assert list(state["set_aside"]) == ["0"]
    assert "does not move any more" in client.get(f"/t/{id_}").text
    assert client.get("/health").status_code == 200  # the server is there
    other = client.post("/tables", json=NEW | {"bots": {"Ada": "steady"}, "pause": 0.0}).json()["id"]
    until(lambda: client.get(f"/t/{other}/state.json").json()["number"] == 1)
    assert client.post(f"/t/{id_}/bots", json={"seat": 0, "kind": "steady"}).status_code == 200
    until(lambda: client.get(f"/t/{id_}/state.json").json()["number"] >= 2)


def test_spinning_bot_is_ended(client, strange):
    def spins(_view):
        while True:
            pass

    strange(spins)
    client.app.state.server.bots.seconds = 0.3
    id_ = client.post("/tables", json=NEW | {"bots": {"Ada": "strange"}, "pause": 0.0}).json()["id"]
    until(lambda: client.get(f"/t/{id_}/state.json").json()["set_aside"])
    until(lambda: all(thread.name != f"bot {id_}" for thread in threading.enumerate()))


def test_unloadable_bot_is_refused(client, monkeypatch):
    def broken(_kind, _rng):
        raise ImportError("no such module")

    monkeypatch.setattr(table_service, "make_bot", broken)
    answer = client.post("/tables", json=NEW | {"bots": {"Ada": "steady"}})
    assert code(answer) == (400, "unreadable")
    assert "cannot be loaded" in answer.json()["error"]["message"]


def test_fault_of_its_maker_is_named(client, monkeypatch):
    def refuses(_rng):
        raise PermissionError("no licence")

    real = bots._made_by
    monkeypatch.setattr(bots, "_made_by", lambda name: refuses if name == "steady" else real(name))
    answer = client.post("/tables", json=NEW | {"bots": {"Ada": "steady"}})
    assert code(answer) == (400, "unreadable")
    assert "The bot steady cannot be loaded (PermissionError)." in answer.json()["error"]["message"]


def test_bots_begin_without_a_page(client):
    id_ = client.post("/tables", json=NEW | {"bots": {"Ada": "steady"}, "pause": 0.0}).json()["id"]
    store = client.app.state.server.table.store
    until(lambda: store.number(id_) == 1)
