"""How the server is doing, for whoever starts it again and for whoever draws curves."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.server.conftest import OPTIONS, PLAYERS
from trajekt.server.http import health
from trajekt.server.http.app import create_app
from trajekt.server.http.metrics import Metrics

TABLE = {"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}
PASS = {"number": 0, "action": {"kind": "pass"}}


def test_working_server_says_so(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert re.fullmatch(r"\d{4}", answer.json()["schema"])


def test_missing_database_is_told(client, monkeypatch):
    def gone(_store):
        raise sa.exc.OperationalError("SELECT", {}, Exception("the disk is gone"))

    monkeypatch.setattr(health, "state_of", gone)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "no database"})  # strangers read no more


def test_newer_schema_is_told(client, store, caplog):
    """A process that goes on beside a database migrated under it says so, and is to be started anew."""
    with store.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "old", "schema": "9999"})
    assert "newer than this program" in caplog.text


def test_full_disk_fails_the_health(client, store):
    @sa.event.listens_for(store.engine, "before_cursor_execute")
    def full(_connection, _cursor, statement, *_rest):
        if statement.startswith(("INSERT", "UPDATE")):
            raise sa.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    assert client.get("/health").status_code == 503


def test_figures_appear_on_hosts_wish_only(client):
    assert client.get("/metrics").status_code == 404


@pytest.fixture
def counted(store):
    with TestClient(create_app(store, meter=Metrics()), base_url="http://testserver") as made:
        yield made


def figure(text, name):
    return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])


def test_actions_are_counted_by_outcome(counted):
    id_ = counted.post("/tables", json=TABLE).json()["id"]
    assert counted.post(f"/t/{id_}/actions", json=PASS).status_code == 200
    assert counted.post(f"/t/{id_}/actions", json=PASS).status_code == 409
    assert (
        counted.post(f"/t/{id_}/actions", json=PASS | {"number": 1, "action": {"kind": "withhold"}}).status_code == 422
    )
    assert counted.post(f"/t/{id_}/actions", json={"number": "x"}).status_code == 400
    text = counted.get("/metrics").text
    for outcome in ("done", "stale", "refused", "unreadable"):
        assert figure(text, f'trajekt_actions_total{{outcome="{outcome}"}}') == 1
    assert figure(text, "trajekt_action_seconds_count") == 4
    assert figure(text, 'trajekt_action_seconds_bucket{le="+Inf"}') == 4
    assert figure(text, "trajekt_action_seconds_sum") > 0
    assert figure(text, "trajekt_cached_games") == 1
    assert figure(text, "trajekt_open_pages") == 0
    assert figure(text, "trajekt_due_jobs") == 0
    assert figure(text, "trajekt_letters_sent") == figure(text, "trajekt_webhooks_failed") == 0
    assert id_ not in text


def test_times_fall_into_classes():
    meter = Metrics()
    for seconds in (0.004, 0.02, 3.0):
        meter.count("POST", "/t/abc/actions", 200, seconds)
    meter.count("GET", "/t/abc", 200, 0.001)
    lines = meter.text().decode().splitlines()
    assert 'trajekt_action_seconds_bucket{le="0.005"} 1.0' in lines
    assert 'trajekt_action_seconds_bucket{le="0.025"} 2.0' in lines
    assert 'trajekt_action_seconds_bucket{le="2.5"} 2.0' in lines
    assert 'trajekt_action_seconds_bucket{le="+Inf"} 3.0' in lines
    assert 'trajekt_answers_total{status="200"} 4.0' in lines
