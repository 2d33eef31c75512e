"""The store on a real PostgreSQL, and two server processes' games on one database."""

from __future__ import annotations

import asyncio
import signal

import httpx2
import pytest
import sqlalchemy as sa

from tests.server import loops
from tests.server.conftest import OPTIONS, PLAYERS
from tests.server.storage.rows import entry, game_row
from tests.server.waiting import at_once, told
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.accounts.passcodes import FREE
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.services import seats as seat_service
from trajekt.server.services.seats import ConsentAnswer, ConsentRequestBody
from trajekt.server.services.table_service import NewTable, TableService, bots_of
from trajekt.server.storage.entry_makers import CONSENT
from trajekt.server.storage.game_cache import GameCache, StaleSubmissionError
from trajekt.server.storage.pg_listener import Listener
from trajekt.server.storage.pubsub import Subscriptions
from trajekt.server.storage.schema import META
from trajekt.server.storage.seats import assignments_of
from trajekt.server.storage.store import Store

pytestmark = pytest.mark.slow
BID = b'{"number": 0, "action": {"kind": "bid", "private": 2, "amount": 35}}'


@pytest.fixture
def url(emptied):
    return emptied


def test_the_migrations_make_the_same_schema(store):
    inspector = sa.inspect(store.engine)
    for table in META.sorted_tables:
        assert {c["name"] for c in inspector.get_columns(table.name)} == {c.name for c in table.columns}


def test_pages_show_other_processes_actions(store, url):
    twin = Store(url)
    here, there = TableService(GameCache(store)), TableService(GameCache(twin))
    id_ = here.create(NewTable("18rhl", PLAYERS, OPTIONS, 7))
    assert there.cache.get(id_).game.number == 0
    here.act(id_, BID)
    assert there.cache.get(id_).game.state.committed_to_bids(0) == 35
    assert there.record(id_) == here.record(id_)
    twin.close()


def test_losing_process_is_told(store, url):
    twin = Store(url)
    here, there = TableService(GameCache(store)), TableService(GameCache(twin))
    id_ = here.create(NewTable("18rhl", PLAYERS, OPTIONS, 7))
    there.cache.get(id_)
    here.act(id_, BID)
    with pytest.raises(StaleSubmissionError) as stale:
        there.act(id_, BID)
    assert stale.value.number == 1
    assert [entry.number for entry in stale.value.entries] == [1]
    assert len(store.entries(id_)) == 1
    twin.close()


def test_pages_hear_of_another_server(servers):
    here, there = servers
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


def test_broken_listener_asks_what_it_missed(store):
    heard = loops.run(broken_and_told(store))
    assert heard[-1] == ("moved", 1)


async def broken_and_told(store) -> list[tuple[str, int]]:
    """A listener loses its connection, the game moves, and its watcher is told all the same."""
    store.create(game_row())
    subscriptions = Subscriptions()
    listener = Listener(GameCache(store), subscriptions, asyncio.get_running_loop())
    heard: list[tuple[str, int]] = []
    try:
        news = subscriptions.subscribe("one", 0)
        heard.append(await anext(news))
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%'"
        for _ in range(200):
            with store.engine.begin() as connection:
                if connection.exec_driver_sql(ended).all():
                    break
            await asyncio.sleep(0.02)
        store.append("one", entry(1), moment="", finished=False)
        while heard[-1] != ("moved", 1):
            heard.append(await asyncio.wait_for(anext(news), 20))
    finally:
        await asyncio.to_thread(listener.close)
    return heard


# Seats ---------------------------------------------------------------------------------------------------------------


def test_seat_changes_reach_other_process(two):
    id_, here, there = two
    person, cookie = Accounts(here.cache).welcome()
    assert Accounts(there.cache).person(cookie) == person
    assert not assignments_of(there.store, there.cache.get(id_)).held(1)
    token = seat_service.hand_over(here, here.cache.get(id_), Viewer(seats=(1,)), 1)
    assert assignments_of(there.store, there.cache.get(id_)).opens(token) == 1
    assert seat_service.sit_by_token(there, there.cache.get(id_), token, person.id, "de") == 1
    assert assignments_of(here.store, here.cache.get(id_)).holders == {person.id: (1,)}
    here.stand_in(here.cache.get(id_), 1, "steady")
    assert bots_of(there.store, there.cache.get(id_)).playing == {1: "steady"}
    there.stand_in(there.cache.get(id_), 1, None)
    assert bots_of(here.store, here.cache.get(id_)).playing == {}


def test_consents_at_two_processes_undo_once(two):
    id_, here, there = two
    ada, bert, cleo = (Viewer(seats=(seat,)) for seat in range(3))
    for number, who in enumerate((ada, bert, cleo)):
        here.act(id_, b'{"number": %d, "action": {"kind": "pass"}}' % number, who)
    seat_service.ask(here, here.cache.get(id_), ada, ConsentRequestBody("undo", 3))
    answers = at_once(
        lambda: seat_service.reply(here, here.cache.get(id_), bert, 1, ConsentAnswer(yes=True))[0].outcome,
        lambda: seat_service.reply(there, there.cache.get(id_), cleo, 1, ConsentAnswer(yes=True))[0].outcome,
    )
    assert answers.count("done") == 1, answers
    assert [row.kind for row in here.store.entries(id_, after=3)] == ["undo"]
    assert there.cache.get(id_).made_by == {4: CONSENT}


def test_guesses_at_two_processes_add_up(two):
    _, here, there = two
    works = [
        lambda table=table, n=n: Accounts(table.cache).sign_in("Nobody", f"guess {n}", "192.0.2.1")
        for n in range(6)
        for table in (here, there)
    ]
    answers = at_once(*works)
    assert answers.count("wrong_passcode") <= FREE + 1
    assert set(answers) == {"wrong_passcode", "too_many_guesses"}


def test_starting_processes_share_one_secret(store, url):
    twins = [Store(url) for _ in range(3)]
    secrets = at_once(*(lambda each=each: Accounts(GameCache(each)).secret for each in twins))
    assert len(set(secrets)) == 1
    for each in twins:
        each.close()


def test_processes_migrate_an_empty_database(emptied):
    """Of several that are started together one makes the schema, the others wait and find it there."""
    for _ in range(3):
        made = [Store(emptied) for _ in range(4)]
        at_once(*(each.migrate for each in made))
        with made[0].begin() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM games").scalar() == 0
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
        for each in made:
            each.close()
