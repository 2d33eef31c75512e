"""A database of an earlier version is taken up as it is: `data/schema_0007.sql` is a dump of one with everything in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from trajekt.server.http.app import create_app
from trajekt.server.storage.store import Store

DUMP = Path(__file__).parent / "data" / "schema_0007.sql"
TABLE, ONE_SCREEN = "5kpuu4vuxy", "ynq4kj8zw4"
BERT = {"authorization": "Bearer WGcbW40QK0qhh9HOcj1PI4ReC0NLMjH9aP-N3Ftn8gg", "accept": "application/json"}
ADA = {"authorization": "Bearer ipOvYX4K295T-7XoC8s-wR8IVpR1tPYcGoFvaE0qTQ8", "accept": "application/json"}


@pytest.fixture
def old(url):
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw, raw:
        raw.executescript(DUMP.read_text(encoding="utf-8"))
    raw.close()
    store = Store(url)
    store.migrate()
    with TestClient(create_app(store)) as client:
        yield client


def test_old_database_opens_and_plays(old):
    state = old.get(f"/t/{TABLE}/state.json", headers=BERT).json()
    assert (state["number"], state["names"]) == (6, ["Ada", "Bert", "Cleo"])
    shown = old.get(f"/t/{TABLE}/beside", headers=BERT).text
    assert "good morning" in shown
    assert "sells at 100" in shown
    assert "Ada" in old.get(f"/t/{TABLE}/seats", headers=BERT).text
    mover = next(each for each in (ADA, BERT) if old.get(f"/t/{TABLE}/state.json", headers=each).json()["choices"])
    choice = old.get(f"/t/{TABLE}/state.json", headers=mover).json()["choices"][0]
    moved = old.post(
        f"/t/{TABLE}/actions", json={"number": 6, "action": choice["action"], "seat": choice["seat"]}, headers=mover
    )
    assert moved.status_code == 200, moved.text


def test_account_of_old_database_signs_in(old):
    assert old.post("/me/in", json={"name": "ada", "passcode": "secret"}).status_code == 200
    assert TABLE in old.get("/me").text


def test_old_tables_host_is_its_seat(old):
    assert old.post(f"/t/{TABLE}/watch/link", json={}, headers=ADA).status_code == 200
    assert old.post(f"/t/{TABLE}/watch/link", json={}, headers=BERT).status_code == 403


def test_table_at_one_screen_is_listed(old):
    assert ONE_SCREEN in old.get("/").text
    assert old.get(f"/t/{ONE_SCREEN}").status_code == 200
