"""Bots and stand-ins go on after a restart, without anybody opening the page; of several processes one plays."""

from __future__ import annotations

import time

import httpx2
import pytest

from tests.server.friends import NEW, PLAYERS
from tests.server.processes import ServerProcess
from tests.server.waiting import until
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.notifications import job_worker
from trajekt.server.notifications.job_worker import JobRunner
from trajekt.server.services.table_service import NewTable, TableService
from trajekt.server.storage import job_queue
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.seats import stand_in
from trajekt.server.storage.store import Store

OPTIONS = {"edition": 2, "fixed_seats": True}


class Process:
    """The work of a server process without the server; `now` is its clock."""

    def __init__(self, store):
        self.table = TableService(GameCache(store))
        self.now = time.time() + 120.0  # whatever a test stores before it looks is past, on a slow machine too
        self.work = JobRunner(self.table, Accounts(self.table.cache), clock=lambda: self.now)

    def friends(self, *, stand_ins=()):
        id_ = self.table.open(NewTable("18rhl", PLAYERS, OPTIONS, 7, friends=True)).id
        for seat in stand_ins:
            stand_in(self.table.store, id_, seat, "random")
        return id_

    def screen(self, **bots):
        return self.table.open(NewTable("18rhl", PLAYERS, OPTIONS, 7, bots=bots)).id

    def goes_on(self):
        """The tables at which a bot is to move, as the jobs that are due now say."""
        jobs = job_queue.take(self.table.store.engine, self.now, limit=500)
        return [job.game for job in jobs if self.work.do(job).bots]

    def passes(self, id_):
        game = self.table.cache.get(id_).game
        self.table.cache.act(id_, game.number, game.to_act[0], game.codec.action(b'{"kind": "pass"}'))


def test_start_finds_tables_awaiting_a_bot(store):
    process = Process(store)
    process.friends()
    process.friends(stand_ins=(1,))  # a person is to act
    process.screen(Bert="steady")
    waiting = {process.friends(stand_ins=(0,)), process.screen(Ada="steady")}
    process.work.resume()
    process.now += 5 * job_queue.APART
    assert set(process.goes_on()) == waiting
    assert process.goes_on() == []


def test_table_left_a_month_sleeps_on(store):
    process = Process(store)
    process.friends(stand_ins=(0,))
    process.now += job_worker.FORGOTTEN
    process.work.resume()
    process.now += 1
    assert process.goes_on() == []


def test_a_start_is_no_herd(store, monkeypatch):
    monkeypatch.setattr(job_queue, "STALLED", 3)
    process = Process(store)
    tables = [process.friends(stand_ins=(0,)) for _ in range(4)]
    process.work.resume()
    assert process.goes_on() == [tables[3]]  # the others a moment later, one after the other
    process.now += 2 * job_queue.APART + 0.01
    assert process.goes_on() == [tables[2], tables[1]]
    process.now += 600
    assert process.goes_on() == [tables[0]]  # none is left out
    assert process.goes_on() == []


def test_dead_process_note_stops_nobody(store):
    process = Process(store)
    id_ = process.friends(stand_ins=(0, 1))
    process.work.resume()
    process.passes(id_)  # and now it dies: the job names a position that is past
    again = Process(store)
    again.work.resume()
    assert again.goes_on() == [id_]


@pytest.mark.slow
def test_stand_in_goes_on_after_restart(tmp_path):
    server = ServerProcess(tmp_path / "tables.db")
    try:
        server.start()
        made = httpx2.post(f"{server.address}/tables", json=NEW, timeout=20).json()
        id_ = made["id"]
        seats = [{"authorization": f"Bearer {seat['address'].partition('#')[2]}"} for seat in made["seats"]]
        for seat in (0, 1):
            lent = f"{server.address}/t/{id_}/seats/{seat}/stand-in"
            httpx2.post(lent, json={"kind": "random"}, headers=seats[seat], timeout=20).raise_for_status()
        server.kill()
        store = Store(server.url)
        before = store.number(id_)
        assert before < 2  # two seconds lie before each of its moves
        server.start()
        assert until(lambda: store.number(id_) >= 2, 20)
        assert [row.by for row in store.entries(id_)][:2] == ["stand-in", "stand-in"]
        store.close()
    finally:
        server.kill()


# Several processes on one PostgreSQL ---------------------------------------------------------------------------------


@pytest.fixture
def pair(emptied):
    stores = Store(emptied), Store(emptied)
    stores[0].migrate()
    yield tuple(map(Process, stores))
    for each in stores:
        each.close()


@pytest.mark.slow
def test_of_two_that_start_one_plays(pair):
    here, there = pair
    id_ = here.friends(stand_ins=(0,))
    here.work.resume()
    there.work.resume()
    assert here.goes_on() + there.goes_on() == []  # not before another has had time to move
    here.now = there.now = here.now + job_worker.SETTLING + 1
    assert here.goes_on() + there.goes_on() == [id_]


@pytest.mark.slow
def test_start_leaves_others_tables_alone(pair):
    here, there = pair
    id_ = here.friends(stand_ins=(0, 1))
    there.work.resume()
    here.passes(id_)  # its bot has moved
    there.now += job_worker.SETTLING + 1
    assert there.goes_on() == []


@pytest.mark.slow
def test_tables_of_dead_process_are_found(pair):
    here, there = pair
    there.work.resume()
    id_ = here.friends(stand_ins=(0,))
    there.now = time.time()
    there.work.look_after()
    assert there.goes_on() == []
    there.now = time.time() + job_worker.QUIET + 1
    there.work.look_after()
    assert there.goes_on() == [id_]
    there.now += 3 * job_worker.QUIET  # nobody could move it: it is given up
    there.work.look_after()
    assert there.goes_on() == []
