"""Due work, talk and the clock with two processes on one PostgreSQL: each job once, and all pages are told."""

from __future__ import annotations

import signal
from functools import partial

import httpx2
import pytest

from tests.server.friends import NEW
from tests.server.waiting import at_once, told, until
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.notifications.job_worker import JobRunner
from trajekt.server.services.clock import clock_view
from trajekt.server.services.standing_orders import PassUntil, give
from trajekt.server.storage import chat, clock_settings, job_queue
from trajekt.server.storage.clock_settings import ClockSettings
from trajekt.server.storage.entry_makers import INSTRUCTION
from trajekt.server.storage.standing_orders import holding, keep

pytestmark = pytest.mark.slow
PASS = {"kind": "pass"}


@pytest.fixture
def url(emptied):
    return emptied


def test_four_workers_take_each_job_once(two):
    id_, here, there = two
    with here.store.begin() as connection:
        for n in range(200):
            job_queue.ask(connection, id_, job_queue.TURN, {"number": 0}, float(n))
    taken = []

    def worker(engine):
        while jobs := job_queue.take(engine, 10_000.0, limit=3):
            taken.extend(job.id for job in jobs)

    at_once(*(partial(worker, each.store.engine) for each in (here, there, here, there)))
    assert len(taken) == len(set(taken)) == 200


def test_instruction_acts_once_across_processes(two):
    id_, here, there = two
    keep(here.store, id_, give(here.cache.get(id_).game, 1, PassUntil("end")))
    game = there.cache.get(id_).game
    there.cache.act(id_, 0, 0, game.codec.action(b'{"kind": "pass"}'))
    works = [JobRunner(each, Accounts(each.cache)) for each in (here, there)]
    result = at_once(*(lambda work=work: work.act(work.table.cache.get(id_)).entry for work in works))
    assert here.cache.get(id_).game.number == 2
    assert [entry.number for entry in result if entry is not None] == [2]
    assert there.cache.get(id_).made_by == {2: INSTRUCTION}
    assert [kept.ended for kept in holding(there.store, id_)] == [""]


def test_both_processes_read_the_same_clock(two):
    id_, here, there = two
    clock_settings.set_clock(here.store, id_, ClockSettings(60, penalty="cash", rate=5))
    here.cache.invalidate(id_)
    here.cache.act(id_, 0, 0, here.cache.get(id_).game.codec.action(b'{"kind": "pass"}'))
    clock_settings.wish(there.store, id_, (0, 1, 2), "pause")
    faces = [clock_view(each.store, each.cache.get(id_), frozenset({0, 1, 2}), 4e9) for each in (here, there)]
    assert faces[0] == faces[1]
    assert faces[0].stopped


def test_chat_reaches_pages_of_another_server(store, servers):
    here, there = servers
    made = httpx2.post(f"{here.address}/tables", json=NEW, timeout=20).json()
    id_, tokens = made["id"], [seat["address"].partition("#")[2] for seat in made["seats"]]
    heads = [{"authorization": f"Bearer {token}"} for token in tokens]
    with httpx2.stream("GET", f"{there.address}/t/{id_}/events", timeout=20, headers=heads[1]) as stream:
        lines = stream.iter_lines()
        told(lines, 0)
        said = {"text": "Guten Abend"}
        httpx2.post(f"{here.address}/t/{id_}/talk", json=said, timeout=20, headers=heads[0]).raise_for_status()
        for line in lines:
            if line == "event: stirred":
                break
        assert "Guten Abend" in httpx2.get(f"{there.address}/t/{id_}/beside", timeout=20, headers=heads[1]).text
        order = {"order": {"kind": "pass_until", "until": "end"}}
        httpx2.post(f"{here.address}/t/{id_}/orders", json=order, timeout=20, headers=heads[1]).raise_for_status()
        action = {"number": 0, "action": PASS}
        httpx2.post(f"{there.address}/t/{id_}/actions", json=action, timeout=20, headers=heads[0]).raise_for_status()
        told(lines, 2)
    assert [row.by for row in store.entries(id_)] == [None, "instruction"]
    assert {here.stop(), there.stop()} == {-signal.SIGTERM}


def test_talk_is_counted_over_both_processes(two):
    from trajekt.server.refusals import DeniedError

    id_, here, there = two
    for n in range(chat.A_MINUTE):
        chat.say((here, there)[n % 2].store, id_, 0, f"line {n}", 0, players_only=False)
    with pytest.raises(DeniedError):
        chat.say(there.store, id_, 0, "one more", 0, players_only=False)
    assert until(lambda: len(chat.lines(here.store, id_, players=True)) == chat.A_MINUTE)
