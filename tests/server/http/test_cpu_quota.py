"""The share of an address in the processor: its work waits in its own queue, and nobody else's does."""

from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from tests.server.loops import run
from trajekt.registry import names
from trajekt.server.http import app, cpu_quota
from trajekt.server.http.app import create_app
from trajekt.server.http.cpu_quota import SHARE, ProcessorShare, ProcessorShares, in_turn
from trajekt.server.http.rate_limit import Limits, Rate
from trajekt.server.http.shared_drawing import Broadcast, OpenPage


@pytest.fixture
def clock(monkeypatch):
    stopped = SimpleNamespace(now=1000.0)
    stopped.monotonic = lambda: stopped.now
    stopped.thread_time = time.thread_time
    monkeypatch.setattr(cpu_quota, "time", stopped)
    return stopped


def test_used_up_share_comes_back(clock):
    share = ProcessorShare(burst=0.5, again=0.1)
    share.spend(0.7)
    assert share.wait() == pytest.approx(2.0)
    clock.now += 1
    assert share.wait() == pytest.approx(1.0)
    clock.now += 1000
    assert share.wait() == 0
    share.spend(0.4)
    assert share.wait() == 0, "a long rest gives no more than the burst"
    share.spend(0.2)
    assert share.wait() == pytest.approx(1.0)


def test_each_address_has_its_share(clock):
    shares = ProcessorShares(burst=0.5, again=0.1)
    shares.get("192.0.2.1").spend(5)
    assert shares.get("192.0.2.1").wait() > 0
    assert shares.get("192.0.2.2").wait() == 0


def test_forgotten_shares_are_the_oldest(clock, monkeypatch):
    monkeypatch.setattr(cpu_quota, "MAX_SHARES", 2)
    shares = ProcessorShares(1, 1)
    for name in ("a", "b", "a", "c"):
        shares.get(name)
    assert list(shares.of_address) == ["a", "c"]


def test_one_address_computes_in_turn():
    """Five requests of one address at once compute one after the other; another's and the host's go beside them."""
    inside, most = [], []
    lock, begun, beside, release = threading.Lock(), threading.Event(), threading.Event(), threading.Event()

    def work():
        with lock:
            inside.append(1)
            most.append(len(inside))
        begun.set()
        release.wait(20)
        with lock:
            inside.pop()

    async def asked(share, what):
        SHARE.set(share)
        await in_turn(what)

    async def crowd():
        share = ProcessorShare(10, 10)
        own = [asyncio.create_task(asked(share, work)) for _ in range(5)]
        assert await asyncio.to_thread(begun.wait, 20)
        await asyncio.create_task(asked(ProcessorShare(10, 10), beside.set))
        await asyncio.create_task(asked(None, beside.set))
        release.set()
        await asyncio.gather(*own)

    run(crowd())
    assert beside.is_set()
    assert most == [1] * 5


def test_work_is_taken_from_the_share():
    def work():
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass

    async def asked(share):
        SHARE.set(share)
        await in_turn(work)

    share = ProcessorShare(burst=1, again=0.0001)
    run(asked(share))
    assert share.left < 0.96


@pytest.mark.parametrize(("address", "waits"), [("192.0.2.1", True), ("127.0.0.1", False)])
def test_only_strangers_have_a_bound(store, monkeypatch, address, waits):
    """A stranger whose share is used up waits for an answer; the machine's own address, where a proxy may stand, does not."""
    waited = []

    async def ready(share):
        waited.append(share.wait())

    monkeypatch.setattr(ProcessorShare, "ready", ready)
    limits = Limits(processor=Rate(burst=0.001, again=0.0001))
    with TestClient(create_app(store, limits=limits), client=(address, 1), base_url="http://testserver") as client:
        for _ in range(2):
            assert client.get("/").status_code == 200
    assert bool(waited and waited[-1] > 0) is waits


def test_late_page_joins_the_next_drawing():
    broadcast, first, late = Broadcast(), OpenPage(None), OpenPage(None)
    assert broadcast.joined(first)
    assert broadcast.close() == [first]
    assert not broadcast.joined(late)
    assert broadcast.close() == [first]


def test_start_page_is_drawn_beforehand(store, monkeypatch):
    drawn, done = [], threading.Event()

    def draw(game):
        drawn.append(game)
        if len(drawn) == len(names()):
            done.set()

    monkeypatch.setattr(app, "FIRST_PAGES", 0.01)
    monkeypatch.setattr(app, "draw_thumbnail", draw)
    with TestClient(create_app(store), base_url="http://testserver"):
        assert done.wait(60)
    assert sorted(drawn) == sorted(names())
