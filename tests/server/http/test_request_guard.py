"""Requests that strangers send to harm: foreign names, broken headers, many tables, slow or half requests."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from tests.server.friends import code, gathered
from tests.server.loops import run
from trajekt.server.http import request_log
from trajekt.server.http.app import create_app
from trajekt.server.http.load_shedding import Turnstile
from trajekt.server.http.origin_check import known_host
from trajekt.server.http.rate_limit import Limits, Rate, client_key, cost_of, network_of
from trajekt.server.presenters import run_step
from trajekt.server.refusals import DeniedError

NEW = {"game": "18rhl", "players": ["A", "B", "C"]}


def test_a_foreign_name_is_not_answered(client, id_):
    evil = {"host": "evil.example", "origin": "http://evil.example", "sec-fetch-site": "same-origin"}
    assert code(client.get("/", headers=evil | {"accept": "application/json"})) == (421, "other_host")
    assert client.post(f"/t/{id_}/try", json={}, headers=evil).status_code == 421
    assert client.get("/t/x/", headers=evil, follow_redirects=False).status_code == 421


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8018", True),
        ("127.0.0.1:8018", True),
        ("[::1]:8018", True),
        ("192.168.1.7", True),
        ("raspberry", True),
        ("table.local", True),
        ("play.example", True),
        ("PLAY.example.", True),
        ("play.example:8443", True),
        ("evil.example", False),
        ("play.example.evil.example", False),
        ("localhost.evil.example", False),
        ("", True),  # HTTP 1.0 without a name, which no browser sends
    ],
)
def test_names_that_are_ours(host, known):
    assert known_host(host, {"play.example"}) is known


def test_proxy_without_client_addresses_is_told(store, caplog, monkeypatch):
    monkeypatch.setattr(request_log, "LOGGED", {})
    app = create_app(store, hosts={"play.example"})
    with TestClient(app, client=("127.0.0.1", 5)) as proxy:
        for host in ("localhost", "play.example", "play.example"):
            assert proxy.get("/health", headers={"host": host}).status_code == 200
    told = [record.getMessage() for record in caplog.records if "X-Forwarded-For" in record.getMessage()]
    assert len(told) == 1
    assert "play.example" in told[0]


def test_no_redirect_names_a_host(client):
    assert "location" not in client.get("/t/x/", follow_redirects=False).headers


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "https://evil.example"])
def test_a_broken_origin_is_from_elsewhere(client, origin):
    assert code(client.post("/tables", json=NEW, headers={"origin": origin})) == (403, "other_site")


def test_one_token_has_one_bucket():
    spelled = ["Bearer" + " " * n + "token" for n in range(1, 50)] + ["bearer token ", "BEARER token"]
    assert len({client_key(Headers({"authorization": each})) for each in spelled}) == 1


def test_a_customer_has_one_address():
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2::ffff") != network_of("2001:db8:1:3::4")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"


def test_nul_is_refused_everywhere(client):
    assert client.get("/t/%00").status_code == 404
    assert client.get("/t/%00/state.json").status_code == 404
    assert client.post("/me/in", json={"name": "A\0", "passcode": "secret"}).status_code == 403


@pytest.mark.parametrize(
    "hook", ["http://[", "http://[::1", "http://[abc]/", "http://h.example:25/", "http://h.example:22/"]
)
def test_broken_webhooks_are_refused(client, hook):
    _, people = gathered(client)
    assert people["Bert"].post("contact", {"hook": hook}).status_code == 422


@pytest.mark.parametrize("number", [-1, 2**31, 2**63, 10**30])
def test_numbers_beyond_a_column_are_refused(client, number):
    _, people = gathered(client)
    assert people["Bert"].post("orders/away", {"id": number}).status_code == 400


# The share of one address ---------------------------------------------------------------------------------------------


@pytest.fixture
def strict(store):
    limits = Limits(new_tables=Rate(4, 0.001), all_new_tables=Rate(6, 0.001))
    with TestClient(create_app(store, limits=limits), client=("192.0.2.1", 5000)) as made:
        yield made


def test_one_address_makes_few_tables(strict):
    id_ = strict.post("/tables", json=NEW).json()["id"]
    answers = [strict.post(f"/t/{id_}/try", json={}) for _ in range(6)]
    assert [each.status_code for each in answers] == [201] * 3 + [429] * 3
    assert code(answers[-1]) == (429, "too_many_tables")
    assert int(answers[-1].headers["retry-after"]) > 0
    assert strict.get(f"/t/{id_}/state.json").status_code == 200  # play goes on


def test_the_whole_server_has_a_ceiling(strict):
    from_elsewhere = TestClient(strict.app, client=("198.51.100.7", 5000))
    said = [each.post("/tables", json=NEW).status_code for _ in range(4) for each in (strict, from_elsewhere)]
    assert said.count(201) == 6


class Held:
    """Work that goes on until it is let go."""

    def __init__(self):
        self.go, self.running, self.most = threading.Event(), 0, 0

    def __call__(self):
        self.running += 1
        self.most = max(self.most, self.running)
        self.go.wait(10)
        self.running -= 1
        return {}


def test_searches_queue_and_take_turns():
    held = Held()

    async def crowd():
        gate = Turnstile(1, 3)

        async def one():
            async with gate.turn():
                return await asyncio.to_thread(held)

        tasks = [asyncio.create_task(one()) for _ in range(20)]
        await asyncio.sleep(0.05)
        turned_away = sum(task.done() for task in tasks)
        held.go.set()
        return turned_away, await asyncio.gather(*tasks, return_exceptions=True), gate.inside

    turned_away, answers, left = run(crowd())
    assert (turned_away, held.most, left) == (16, 1, 0)
    assert {each.code for each in answers if isinstance(each, DeniedError)} == {"too_many"}


def test_pages_are_served_during_searches(client, id_, monkeypatch):
    held = Held()
    monkeypatch.setattr(run_step, "drawn", lambda *_: held())
    with ThreadPoolExecutor(12) as crowd:
        drawing = {"number": 0, "runs": []}
        asked = [crowd.submit(client.post, f"/t/{id_}/routes", json=drawing) for _ in range(12)]
        while held.running == 0:
            time.sleep(0.01)
        began = time.monotonic()
        assert client.get(f"/t/{id_}/state.json").status_code == 200
        waited = time.monotonic() - began
        held.go.set()
        statuses = [each.result().status_code for each in asked]
    assert waited < 5
    assert held.most == 1
    assert 429 in statuses


# Storage that fails ---------------------------------------------------------------------------------------------------


def test_filling_disk_keeps_room_for_play(client, store, id_, monkeypatch):
    monkeypatch.setattr("trajekt.server.storage.store.shutil.disk_usage", lambda _at: SimpleNamespace(free=50 * 2**20))
    record = client.get(f"/t/{id_}/record.json").content
    doors = [
        client.post("/tables", json=NEW),
        client.post("/tables", json=NEW | {"friends": True}),
        client.post(f"/t/{id_}/try", json={}),
        client.post("/tables/guided/18rhl", json={}),
        client.post("/tables/import", content=record, headers={"content-type": "application/json"}),
    ]
    assert {code(each) for each in doors} == {(503, "disk_low")}
    assert {each.headers["retry-after"] for each in doors} == {"600"}
    seat = client.get(f"/t/{id_}/state.json").json()["to_act"][0]
    played = client.post(f"/t/{id_}/actions", json={"number": 0, "action": {"kind": "pass"}, "seat": seat})
    assert played.status_code == 200, played.text


def test_full_disk_loses_nothing(client, store, id_):
    full = True

    @sa.event.listens_for(store.engine, "before_cursor_execute")
    def refuse(_connection, _cursor, statement, *_rest):
        if full and statement.startswith(("INSERT", "UPDATE", "DELETE")):
            raise sa.exc.OperationalError(statement, {}, Exception("database or disk is full"))

    answer = client.post("/tables", json=NEW)
    assert code(answer) == (503, "not_stored")
    assert answer.headers["retry-after"] == "10"
    assert client.get("/health").status_code == 503
    assert "disk" not in client.get("/health").text
    assert client.get(f"/t/{id_}").status_code == 200
    full = False
    assert client.post("/tables", json=NEW).status_code == 201
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("names", ["[1]", "{}", "nothing", '["' + "A" * 10_000 + '"]'])
def test_broken_row_harms_no_other_page(client, store, id_, names):
    other = client.post("/tables", json=NEW).json()["id"]
    with store.begin() as connection:
        connection.execute(sa.text("UPDATE games SET names = :names WHERE id = :id"), {"names": names, "id": id_})
    page = client.get("/")
    assert page.status_code == 200
    assert other in page.text
    assert "A" * 100 not in page.text


# Slow clients ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_half_a_request_is_closed(server):
    """A connection whose headers never end is closed after ten seconds, however steadily it drips."""
    host, port = server.address.removeprefix("http://").split(":")
    began = time.monotonic()
    with socket.create_connection((host, int(port)), 5) as half:
        half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        half.settimeout(1)
        while time.monotonic() - began < 20:
            try:
                half.sendall(b"a")
                if half.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    assert 8 < time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("path", "cost"),
    [("/", 5), ("/t/7k2m9xq4tz", 5), ("/t/7k2m9xq4tz/print", 5), ("/t/7k2m9xq4tz/regions", 1), ("/static/base.css", 1)],
)
def test_a_whole_page_costs_more(path, cost):
    assert cost_of(path, writes=False) == cost
    assert cost_of(path, writes=True) == 4
