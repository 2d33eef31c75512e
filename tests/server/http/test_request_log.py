"""The log of a server: ids of requests, lines as JSON, and no token in any of them."""

from __future__ import annotations

import io
import json
import logging
import sys

import pytest
from starlette.testclient import TestClient

from tests.server.friends import gathered
from trajekt.server.http.request_log import REQUEST_ID, JsonLines, TextLines, configure, shown_path
from trajekt.server.notifications import notification_settings


@pytest.fixture
def logged():
    """The lines of a JSON log; the loggers are as before afterwards."""
    names = ("", "trajekt.server", "trajekt.requests")
    before = [(logging.getLogger(name), logging.getLogger(name).level) for name in names]
    handlers = list(logging.getLogger().handlers)
    to = io.StringIO()
    configure("json", to)
    yield lambda: [json.loads(line) for line in to.getvalue().splitlines()]
    logging.getLogger().handlers[:] = handlers
    for logger, level in before:
        logger.setLevel(level)


def test_each_answer_names_its_request(client):
    first, second = client.get("/health"), client.get("/nowhere")
    assert len(first.headers["x-request-id"]) == 12
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


def test_write_is_a_json_line(client, logged):
    answer = client.post("/tables", json={"game": "18nix", "players": ["A"]})
    line = next(line for line in logged() if line.get("path") == "/tables")
    assert line["request"] == answer.headers["x-request-id"]
    assert (line["level"], line["method"], line["status"]) == ("info", "POST", 400)
    assert line["seconds"] >= 0


def test_reading_leaves_no_line(client, logged):
    client.get("/")
    assert logged() == []


def test_no_token_stands_in_the_log(client, logged):
    _, people = gathered(client)
    people["Ada"].post("looking", {"here": True})
    client.post("/quiet/table/secret-token", json={})
    client.post("/mail/table/secret-token", json={"yes": True})
    lines = json.dumps(logged())
    assert "/quiet/table/-" in lines
    assert "secret-token" not in lines
    assert people["Ada"].token not in lines


def test_path_is_bounded_in_log():
    assert len(shown_path("/t/" + "x" * 10_000)) == 200


@pytest.mark.parametrize("form", [TextLines(), JsonLines()])
def test_a_fault_has_request_and_traceback(form):
    try:
        raise RuntimeError("it broke")
    except RuntimeError:
        record = logging.LogRecord("trajekt.server", logging.ERROR, "", 0, "at %s", ("table x",), sys.exc_info())
    before = REQUEST_ID.set("0123456789ab")
    try:
        text = form.format(record)
    finally:
        REQUEST_ID.reset(before)
    assert all(part in text for part in ("0123456789ab", "at table x", "it broke", "Traceback"))


def test_fault_at_letters_link_hides_token(app, logged, monkeypatch):
    monkeypatch.setattr(notification_settings, "quiet_seat", lambda *_args: 1 / 0)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/quiet/table/secret-token").status_code == 500
    lines = json.dumps(logged())
    assert "ZeroDivisionError" in lines
    assert "secret-token" not in lines


def test_letters_page_tells_no_referrer(client):
    id_, people = gathered(client)
    accounts = client.app.state.server.accounts
    token = notification_settings.quiet_token(accounts, id_, people["Bert"].seat)
    page = client.get(f"/quiet/{id_}/{token}")
    assert (page.status_code, page.headers["referrer-policy"]) == (200, "origin")
