"""The store on a real PostgreSQL, and two server processes' games on one database."""

from __future__ import annotations

import asyncio
import shutil
import signal
import tempfile
from pathlib import Path

import httpx2
import pytest
import sqlalchemy as sa

from tests.table import test_store
from tests.table.conftest import OPTIONS, PLAYERS
from tests.table.postgres import cluster, programs
from tests.table.processes import ServerProcess
from trajekt.table.between import Listener
from trajekt.table.live import Live, StaleSubmissionError
from trajekt.table.push import Watchers
from trajekt.table.schema import META
from trajekt.table.service import Table, Wanted
from trajekt.table.store import Store

pytestmark = pytest.mark.slow
BID = b'{"number": 0, "action": {"kind": "bid", "private": 2, "amount": 35}}'


@pytest.fixture(scope="module")
def database():
    pytest.importorskip("psycopg", reason="no psycopg here: pip install trajekt[postgres]")
    if programs() is None:
        pytest.skip("no PostgreSQL here (Debian: apt-get install postgresql)")
    # a short name: that of a socket has a limit; and under /tmp, where user `postgres` may go
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        with cluster(folder) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def store(database):
    made = Store(database)
    with made.engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    made.migrate()
    yield made
    made.close()


@pytest.mark.parametrize(
    "held",
    [
        test_store.test_entries_come_back_in_order_with_the_newest_number_beside_the_game,
        test_store.test_an_entry_is_refused_where_the_game_has_moved_on,
        test_store.test_no_entry_without_a_game,
        test_store.test_an_entry_that_cannot_be_inserted_leaves_the_number_where_it_was,
        test_store.test_of_many_writers_at_one_number_exactly_one_wins,
        test_store.test_a_game_with_entries_is_stored_whole_or_not_at_all,
        test_store.test_the_games_that_moved_last_come_first,
    ],
    ids=lambda test: test.__name__,
)
def test_what_holds_on_sqlite_holds_on_postgresql(store, held):
    held(store)


def test_the_migrations_make_the_same_schema(store):
    inspector = sa.inspect(store.engine)
    for table in META.sorted_tables:
        assert {c["name"] for c in inspector.get_columns(table.name)} == {c.name for c in table.columns}


def test_what_one_process_does_shows_on_the_pages_of_another(store, database):
    twin = Store(database)
    here, there = Table(Live(store)), Table(Live(twin))
    id_ = here.create(Wanted("18rhl", PLAYERS, OPTIONS, 7))
    assert there.live.table(id_).game.number == 0
    here.act(id_, BID)
    assert there.live.table(id_).game.state.committed(0) == 35
    assert there.record(id_) == here.record(id_)
    twin.close()


def test_of_two_processes_one_wins_and_the_other_is_told(store, database):
    twin = Store(database)
    here, there = Table(Live(store)), Table(Live(twin))
    id_ = here.create(Wanted("18rhl", PLAYERS, OPTIONS, 7))
    there.live.table(id_)
    here.act(id_, BID)
    with pytest.raises(StaleSubmissionError) as stale:
        there.act(id_, BID)
    assert stale.value.number == 1
    assert [entry.number for entry in stale.value.entries] == [1]
    assert len(store.entries(id_)) == 1
    twin.close()


def told(lines, number: int) -> None:
    """Read a stream until it says that the table stands at a number; its time-out is that of the client."""
    for line in lines:
        if line == f"data: {number}":
            return
    raise AssertionError("the stream has ended")


def test_the_pages_of_one_server_are_told_what_was_done_at_another(store, database, tmp_path):
    here, there = ServerProcess(tmp_path / "unused"), ServerProcess(tmp_path / "unused")
    here.url = there.url = database
    try:
        here.start()
        there.start()
        wanted = {"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}
        id_ = httpx2.post(f"{here.address}/tables", json=wanted, timeout=20).json()["id"]
        with httpx2.stream("GET", f"{there.address}/t/{id_}/events", timeout=20) as stream:
            lines = stream.iter_lines()
            told(lines, 0)
            done = httpx2.post(
                f"{here.address}/t/{id_}/actions", content=BID, headers={"content-type": "application/json"}, timeout=20
            )
            assert done.status_code == 200
            told(lines, 1)
            assert "Ada bids 35" in httpx2.get(f"{there.address}/t/{id_}/regions", timeout=20).text
        assert {here.stop(), there.stop()} == {-signal.SIGTERM}
    finally:
        here.kill()
        there.kill()


def test_a_listener_whose_connection_breaks_asks_what_it_missed(store):
    heard = asyncio.run(broken_and_told(store))
    assert heard[-1] == ("moved", 1)


async def broken_and_told(store) -> list[tuple[str, int]]:
    """A listener loses its connection, the game moves, and its watcher is told all the same."""
    store.create(test_store.game_row())
    watchers = Watchers()
    listener = Listener(store, watchers, asyncio.get_running_loop())
    heard: list[tuple[str, int]] = []
    try:
        news = watchers.news("one", 0)
        heard.append(await anext(news))
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%'"
        for _ in range(200):
            with store.engine.begin() as connection:
                if connection.exec_driver_sql(ended).all():
                    break
            await asyncio.sleep(0.02)
        store.append("one", test_store.entry(1), moment="", finished=False)
        while heard[-1] != ("moved", 1):
            heard.append(await asyncio.wait_for(anext(news), 20))
    finally:
        await asyncio.to_thread(listener.close)
    return heard
