"""Games in memory: bounded by bytes, one object for a table, decided once, and what is watched stays."""

from __future__ import annotations

import gc
import json
import re
import threading

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.server.friends import gathered
from trajekt import new_game
from trajekt.engine import evolve
from trajekt.server.http.app import create_app
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import game_cache, job_queue
from trajekt.server.storage.cached_game import BASE_BYTES, PerGame, PerPosition, PerRevision
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import BotsRow

PASS = {"kind": "pass"}


@pytest.fixture
def game():
    return new_game("18rhl", ("A", "B", "C"), {"edition": 2}, 1)


@pytest.fixture
def cache(store, game):
    made = GameCache(store, capacity=int(2.5 * BASE_BYTES))
    for id_ in ("one", "two", "three", "four"):
        made.create(id_, game)
    return made


def test_memory_is_bounded_by_bytes(cache):
    for id_ in ("one", "two", "three", "four"):
        assert cache.get(id_).game.number == 0
    assert cache.count == 2
    assert cache.size <= cache.capacity


def test_table_with_open_page_stays(cache):
    cache.pinned = lambda id_: id_ == "one"
    first = cache.get("one")
    for id_ in ("one", "two", "three", "four"):
        assert cache.get(id_).game.number == 0
    assert cache.get("one") is first
    assert cache.count == 2


def test_pinned_tables_have_a_bound_too(cache, game):
    cache.pinned = lambda _id: True
    for n in range(8):
        cache.create(f"more{n}", game)
        assert cache.get(f"more{n}").game.number == 0
    assert cache.size <= game_cache.PINNED_FACTOR * cache.capacity


def test_table_has_one_object(store, cache):
    """A table that leaves memory during an action, and is read again meanwhile, does not stay behind."""
    cache.capacity, append = 1, store.append
    game = cache.get("one").game

    def while_others_read(*values, **more):
        cache.get("two")  # "one" leaves memory while its action is under way
        cache.get("one")
        append(*values, **more)

    store.append = while_others_read
    cache.act("one", 0, None, game.choices()[0].action)
    assert store.number("one") == cache.get("one").game.number == 1


def test_what_nobody_holds_is_given_back(cache):
    for id_ in ("one", "two", "three", "four"):
        assert cache.get(id_).game.number == 0
    gc.collect()
    assert "one" not in cache._alive


def test_entries_are_folded_when_asked_for(store, cache):
    """After a restart all open pages come back; to tell them where their table stands no entry is read."""
    for number in range(3):
        cache.act("one", number, None, cache.get("one").game.choices()[0].action)
    fresh = GameCache(store)
    cached = fresh.get("one")
    assert (cached.number, cached.folded) == (3, False)
    assert cached.game.number == 3
    assert cached.folded


def test_threads_share_one_folding(store, cache, monkeypatch):
    for number in range(3):
        cache.act("one", number, None, cache.get("one").game.choices()[0].action)
    read, all_here = store.entries, threading.Barrier(8)
    readings = []
    monkeypatch.setattr(store, "entries", lambda *asked: readings.append(asked) or read(*asked))
    fresh, found = GameCache(store), []

    def ask() -> None:
        all_here.wait(30)
        found.append(fresh.get("one").game)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 8
    assert len(set(map(id, found))) == len(readings) == 1


def test_number_of_another_process_is_believed(store, cache, monkeypatch):
    there = GameCache(store)
    cached = there.get("one")
    cache.act("one", 0, None, cache.get("one").game.choices()[0].action)
    monkeypatch.setattr(store, "shared", True)
    assert there.get("one") is cached
    assert (cached.number, cached.folded) == (1, False)
    assert cached.game.number == 1


def test_action_is_decided_once(cache, monkeypatch):
    cached = cache.get("one")
    action = cached.game.choices()[0].action
    made, real = [], evolve.evolve
    for module in ("ruleset", "decisions"):
        monkeypatch.setattr(f"trajekt.engine.{module}.evolve", lambda *args: made.append(1) or real(*args))
    cached.game.propose(action)
    once = len(made)
    made.clear()
    cache.act("one", 0, None, action)
    assert len(made) == once > 0


def test_entries_of_a_table_are_bounded(cache, monkeypatch):
    monkeypatch.setattr(game_cache, "MAX_ENTRIES", 2)
    cached = cache.get("one")
    for number in range(2):
        cache.act("one", number, None, cached.game.choices()[0].action)
    with pytest.raises(DeniedError, match="table_full"):
        cache.act("one", 2, None, cached.game.choices()[0].action)
    assert cached.game.number == 2


def test_slots_last_their_time(cache):
    cached = cache.get("one")
    always, position, revision = PerGame[object](), PerPosition[object](), PerRevision[object]()
    before = [slot.get(cached, object) for slot in (always, position, revision)]
    assert [slot.get(cached, object) for slot in (always, position, revision)] == before
    cache.act("one", 0, None, cached.game.choices()[0].action)
    after = [slot.get(cached, object) for slot in (always, position, revision)]
    assert [a is b for a, b in zip(after, before, strict=True)] == [True, False, True]
    cached.revision += 1
    assert always.get(cached, object) is before[0]
    assert revision.get(cached, object) is not before[2]


# Transactions -----------------------------------------------------------------------------------------------------------


def test_reader_before_write_waits(store, cache):
    store.assign_bots("two", BotsRow(seats='{"0": "steady"}', pause=1.0))
    action, acted = cache.get("one").game.choices()[0].action, []

    @sa.event.listens_for(store.engine, "after_cursor_execute")
    def meanwhile(_connection, _cursor, statement, *_rest):
        if "NOT (EXISTS" in statement and not acted:
            acted.append(True)
            cache.act("one", 0, None, action)

    job_queue.stalled(store.engine, 1e10, 0, 1e10, 0)
    assert acted


def test_tables_awaiting_bots_go_on(store, game, monkeypatch):
    monkeypatch.setattr(job_queue, "STALLED", 5)
    cache, first = GameCache(store), game.to_act[0]
    for n in range(12):  # a person is to act
        cache.create(f"p{n}", game)
        seats = json.dumps({str(seat): "steady" for seat in {0, 1, 2} - {first}})
        store.assign_bots(f"p{n}", BotsRow(seats=seats, pause=1.0))
    for n in range(12):
        cache.create(f"waits{n}", game)
        store.assign_bots(f"waits{n}", BotsRow(seats=json.dumps({str(first): "steady"}), pause=1.0))
    assert job_queue.stalled(store.engine, 1e10, 0, 1e10, 0) == 12
    taken = {job.game for n in range(9) for job in job_queue.take(store.engine, 2e10 + n)}
    assert taken == {f"waits{n}" for n in range(12)}


@pytest.fixture
def asked(store):
    """The statements that the database is asked."""
    made = []
    sa.event.listen(
        store.engine, "before_cursor_execute", lambda _c, _cursor, said, values, *_rest: made.append((said, values))
    )
    return made


def test_listener_spares_the_question(store, game, asked):
    """While others tell of what they store, a look at a table asks nothing; else each would ask where it stands."""
    store.shared = True
    cache = GameCache(store)
    cache.create("one", game)
    cache.get("one")
    cache.begin_listening()
    cache.get("one")
    asked.clear()
    for _ in range(3):
        cache.get("one")
    assert asked == []
    cache.heard("one", 1)
    cache.get("one")
    assert [said.split()[0] for said, _ in asked] == ["BEGIN", "SELECT"]


def test_no_page_reads_whole_tables(store, asked):
    """Start page, *My tables*, a table and its drawer find their rows by an index, however many others there are."""
    with TestClient(create_app(store), base_url="http://testserver") as client:
        id_, people = gathered(client)
        client.post("/me", json={"name": "Anna", "passcode": "secret"})
        client.post("/tables", json={"game": "18rhl", "players": ["A", "B", "C"]})
        asked.clear()
        for path in ("/", "/me", f"/t/{id_}", f"/t/{id_}/beside"):
            assert client.get(path, headers=people["Ada"].headers | {"accept": "text/html"}).status_code == 200
        people["Ada"].passes(0)
        questions = [(said, values) for said, values in asked if said.startswith("SELECT")]
    assert len(questions) > 5
    with store.engine.connect() as connection:
        for said, values in questions:
            plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", values)]
            assert [step for step in plan if re.match(r"SCAN \w+$", step)] == [], said
