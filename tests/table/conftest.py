"""A store in a temporary file, a table on it, and a client of the application."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from trajekt.table.kept.live import Live
from trajekt.table.kept.store import Store
from trajekt.table.play.service import Table, Wanted
from trajekt.table.web.app import create_app

PLAYERS = ("Ada", "Bert", "Cleo")
OPTIONS = {"edition": 2, "fixed_seats": True}


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def store(url):
    made = Store(url)
    made.migrate()
    yield made
    made.close()


@pytest.fixture
def table(store):
    return Table(Live(store))


@pytest.fixture
def game_id(table):
    return table.create(Wanted("18rhl", PLAYERS, OPTIONS, 7))


@pytest.fixture
def client(store):
    with TestClient(create_app(store), base_url="http://testserver") as made:
        yield made


@pytest.fixture
def id_(client):
    return client.post("/tables", json={"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}).json()[
        "id"
    ]
