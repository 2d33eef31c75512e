"""Open tables: offered, listed, joined and begun; what strangers may not do, and how much of it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from tests.server.databases import ON_BOTH
from tests.server.friends import code
from trajekt.records import from_json
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.http.app import create_app
from trajekt.server.http.rate_limit import Limits, Rate
from trajekt.server.services import lobby as lobby_service
from trajekt.server.services.lobby import Lobby, NewOpenTable, SeatWish
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import open_tables
from trajekt.server.storage.accounts import ban
from trajekt.server.storage.deletion import delete_table
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.open_tables import DAY, LIVE_AGE

OFFER = {"game": "18rhl", "least": 3, "most": 4, "options": {"edition": 2}, "name": "Ada"}


def offered(browser, **more):
    """Offer a table; answers its address."""
    answer = browser.post("/lobby", json=OFFER | more)
    assert answer.status_code == 201, answer.text
    return answer.json()["address"]


def sits(browser, address, name):
    return browser.post(f"{address}/sit", json={"name": name})


def look(browser, address):
    return browser.get(f"{address}/table.json").json()


def listed(browser, query=""):
    return [each["address"] for each in browser.get(f"/lobby.json{query}").json()["tables"]]


def account(browser, name):
    assert browser.post("/me", json={"name": name, "passcode": "secret"}).status_code == 201


def test_open_table_has_a_set(client):
    made = client.post("/workshop/18rhl", json={"name": "Adas Karton", "edition": 2}).json()
    entry = {"entry": "trains/2", "texts": {"price": "90"}, "do": "keep"}
    assert client.post(f"{made['address']}/entry", json=entry).json()["stored"]
    form = client.get(f"/lobby/new?game=18rhl&set={made['id']}").text
    assert f'value="{made["id"]}" data-edition="2" selected' in form
    address = offered(client, most=3, component_set=made["id"])
    assert look(client, address)["component_set"] == "Adas Karton 1"
    assert "Adas Karton 1" in client.get("/lobby").text
    client.post(f"{made['address']}/delete", json={})
    with TestClient(client.app) as bert, TestClient(client.app) as cleo:
        assert sits(bert, address, "Bert").status_code == 200
        started = sits(cleo, address, "Cleo").json()
        assert started["started"]
        record = from_json(cleo.get(f"{started['address']}/record.json").content)
    assert record.ruleset.sheet.trains["2"].price == 90


def test_strangers_set_is_not_offered(client):
    with TestClient(client.app) as other:
        made = other.post("/workshop/18rhl", json={"name": "Bert", "edition": 2}).json()
    refused = client.post("/lobby", json=OFFER | {"component_set": made["id"]})
    assert (refused.status_code, refused.json()["error"]["path"]) == (400, "$.component_set")
    assert made["id"] not in client.get(f"/lobby/new?game=18rhl&set={made['id']}").text


@pytest.fixture
def at_database(url, store):
    """`at_database()`: another browser at an application on the database of the test."""
    app = create_app(store)
    with TestClient(app) as first:
        made = [first]
        yield lambda: made.pop() if made else TestClient(app)


@ON_BOTH
def test_last_seat_begins_game(at_database):
    ada, bert, cleo = at_database(), at_database(), at_database()
    address = offered(ada, least=3, most=3)
    assert listed(bert) == [address]
    assert sits(bert, address, "Bert").json() == {"address": address, "started": False}
    seen = look(bert, address)
    assert (seen["players"], seen["host"], seen["you"], seen["started"]) == (["Ada", "Bert"], "Ada", "Bert", False)
    last = sits(cleo, address, "Cleo").json()
    assert last["started"]
    assert listed(bert) == []
    tables = {look(each, address)["table"] for each in (ada, bert, cleo)}
    assert tables == {last["address"]}
    held = [each.get(f"{last['address']}/state.json").json() for each in (ada, bert, cleo)]
    assert [state["names"][state["seats"][0]] for state in held] == ["Ada", "Bert", "Cleo"]
    stranger = at_database()
    assert look(stranger, address)["table"] == ""
    assert stranger.get(f"{last['address']}/state.json").status_code == 403
    assert ada.post(f"{last['address']}/watch/link", json={}).status_code == 200  # the host stays the host


@ON_BOTH
def test_host_begins_at_least_number(at_database):
    ada, bert, cleo = at_database(), at_database(), at_database()
    address = offered(ada)
    sits(bert, address, "Bert")
    assert code(ada.post(f"{address}/start", json={})) == (409, "open_few")
    sits(cleo, address, "Cleo")
    assert code(bert.post(f"{address}/start", json={})) == (403, "not_host")
    begun = ada.post(f"{address}/start", json={})
    assert begun.status_code == 201
    assert ada.post(f"{address}/start", json={}).json() == begun.json()  # once
    state = cleo.get(f"{begun.json()['address']}/state.json").json()
    assert sorted(state["names"]) == ["Ada", "Bert", "Cleo"]
    assert code(sits(at_database(), address, "Dora")) == (409, "open_started")
    assert code(cleo.post(f"{address}/leave", json={})) == (409, "open_started")


@ON_BOTH
def test_players_leave_before_start(at_database):
    ada, bert = at_database(), at_database()
    address = offered(ada)
    assert code(bert.post(f"{address}/leave", json={})) == (403, "not_at_table")
    sits(bert, address, "Bert")
    assert sits(bert, address, "Bertha").status_code == 200  # sits there already
    assert look(ada, address)["players"] == ["Ada", "Bert"]
    assert bert.post(f"{address}/leave", json={}).status_code == 200
    assert look(ada, address)["players"] == ["Ada"]
    sits(bert, address, "Bert")
    assert code(bert.post(f"{address}/dismiss", json={"name": "Ada"})) == (403, "not_host")
    assert ada.post(f"{address}/dismiss", json={"name": "bert"}).status_code == 200
    assert code(ada.post(f"{address}/dismiss", json={"name": "Ada"})) == (404, "no_seat")
    assert ada.post(f"{address}/leave", json={}).status_code == 200
    assert code(ada.get(f"{address}/table.json")) == (404, "open_gone")


def test_lobby_filters_open_tables(client, device):
    one = offered(client, game="18do", options={}, most=3, pace=7, language="de")
    two = offered(device(), pace=0, language="en")
    three = offered(device(), pace=14, language="")
    assert listed(client) == [three, two, one]
    assert listed(client, "?game=18do") == [one]
    assert listed(client, "?pace=live") == [two]
    assert listed(client, "?pace=week") == [three, one]
    assert listed(client, "?language=de") == [three, one]
    assert listed(client, "?seats=3") == [three, two]
    assert listed(client, "?seats=3&language=en&pace=week") == [three]
    assert listed(client, "?game=x&seats=x&page=x&pace=x") == []
    page = client.get("/lobby?game=18do", headers={"accept-language": "de"}).text
    assert one in page
    assert two not in page
    assert "etwa 7 Züge in der Woche" in page


def test_private_table_is_nowhere_listed(client, device):
    address = offered(client, listed=False, sentence="Sesame")
    assert len(address.removeprefix("/lobby/")) == 16
    other = device()
    for place in ("/lobby", "/lobby/list", "/lobby.json", "/", "/me"):
        assert address not in other.get(place).text
        assert "Sesame" not in other.get(place).text
    assert "Sesame" in other.get(address).text
    assert address in client.get("/me").text
    assert sits(other, address, "Bert").status_code == 200


def test_accounts_only_where_host_wants(client, device):
    assert code(client.post("/lobby", json=OFFER | {"accounts": True})) == (403, "needs_account")
    account(client, "Ada")
    address = offered(client, accounts=True, name="")
    bert = device()
    assert code(sits(bert, address, "Bert")) == (403, "needs_account")
    assert not bert.cookies  # nobody new was stored
    account(bert, "Bert")
    assert sits(bert, address, "").status_code == 200
    assert look(bert, address)["players"] == ["Ada", "Bert"]


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"game": "18xy"}, "$"),
        ({"least": 1}, "$.least"),
        ({"least": 4, "most": 3}, "$.least"),
        ({"most": 9}, "$.least"),
        ({"most": 8}, "$"),
        ({"options": {"edition": 7}}, "$"),
        ({"options": {"nonsense": True}}, "$"),
        ({"pace": -1}, "$.pace"),
        ({"pace": 2**70}, "$.pace"),
        ({"language": "xx"}, "$.language"),
        ({"name": "A\u202eda"}, "$.players[0]"),
        ({"name": ""}, "$.players[0]"),
        ({"name": "You"}, "$.players[0]"),
        ({"sentence": "x" * 141}, "$.sentence"),
        ({"sentence": "to the \u202eleft"}, "$.sentence"),
        ({"sentence": "nul \0"}, "$.sentence"),
        ({"unknown": 1}, "$"),
    ],
)
def test_offer_is_bounded(client, wrong, path):
    answer = client.post("/lobby", json=OFFER | wrong)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["path"] == path
    assert listed(client) == []


def test_names_at_a_table_differ(client, device):
    address = offered(client)
    assert code(sits(device(), address, " ADA ")) == (400, "unreadable")
    assert look(client, address)["players"] == ["Ada"]


def test_page_shows_names_as_text(client, device):
    address = offered(client, name="<b>Ada</b>", sentence="<script>alert(1)</script>")
    for place in ("/lobby", address):
        page = device().get(place).text
        assert "<script>alert" not in page
        assert "<b>Ada" not in page


# Shares ----------------------------------------------------------------------------------------------------------------


def test_a_person_offers_few_tables(client, device):
    for _ in range(lobby_service.MOST_OFFERED):
        offered(client)
    answer = client.post("/lobby", json=OFFER)
    assert code(answer) == (429, "too_many_open")
    assert int(answer.headers["retry-after"]) > 0
    offered(device())


def test_a_person_waits_at_few_tables(client, device, monkeypatch):
    monkeypatch.setattr(lobby_service, "MOST_WAITING", 2)
    addresses = [offered(device()) for _ in range(3)]
    assert [sits(client, each, "Bert").status_code for each in addresses] == [200, 200, 429]


def test_an_address_has_a_share(store):
    limits = Limits(new_tables=Rate(2, 0.001), new_seats=Rate(2, 0.001), exempt=frozenset())
    with TestClient(create_app(store, limits=limits), client=("203.0.113.9", 1)) as stranger:
        address = offered(stranger)
        offered(stranger)
        answer = stranger.post("/lobby", json=OFFER)
        assert code(answer) == (429, "too_many_tables")
        assert int(answer.headers["retry-after"]) > 0
        answers = []
        for n in range(3):
            stranger.cookies.clear()
            answers.append(sits(stranger, address, f"Sock {n}"))
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert int(answers[2].headers["retry-after"]) > 0


# Time and the host of the server ---------------------------------------------------------------------------------------


@ON_BOTH
def test_idle_tables_end(store, at_database):
    ada, bert = at_database(), at_database()
    slow, live = offered(ada, pace=7), offered(bert)
    now = store_time(store)
    assert open_tables.expire(store, now + LIVE_AGE - 60, 14) == []
    assert open_tables.expire(store, now + LIVE_AGE + 60, 14) == [live.removeprefix("/lobby/")]
    assert open_tables.expire(store, now + 14 * DAY + 60, 0) == []  # 0 keeps them
    assert listed(ada) == [slow]
    assert open_tables.expire(store, now + 14 * DAY + 60, 14) == [slow.removeprefix("/lobby/")]
    assert listed(ada) == []


def store_time(store):
    with store.engine.connect() as connection:
        return float(connection.execute(sa.text("SELECT max(changed) FROM open_tables")).scalar_one())


@ON_BOTH
def test_deleted_game_takes_row_along(store, at_database):
    ada, bert, cleo = at_database(), at_database(), at_database()
    address = offered(ada, least=3, most=3)
    sits(bert, address, "Bert")
    game = sits(cleo, address, "Cleo").json()["address"].removeprefix("/t/")
    assert delete_table(store, game)
    assert code(ada.get(f"{address}/table.json")) == (404, "open_gone")


@ON_BOTH
def test_ban_and_deletion_take_away(store, at_database):
    ada, bert, cleo = at_database(), at_database(), at_database()
    account(ada, "Ada")
    account(bert, "Bert")
    hers, his = offered(ada), offered(bert, name="Bert")
    sits(bert, hers, "Bert")
    sits(cleo, his, "Cleo")
    with store.engine.connect() as connection:
        bert_id = connection.execute(sa.text("SELECT id FROM people WHERE name = 'Bert'")).scalar_one()
    ban(store, bert_id, banned=True)
    assert listed(cleo) == [hers]
    assert look(ada, hers)["players"] == ["Ada"]
    sits(cleo, hers, "Cleo")
    assert ada.post("/me/delete", json={"passcode": "secret"}).status_code == 200
    assert listed(cleo) == []


@ON_BOTH
def test_seat_moves_with_sign_in(at_database):
    ada, bert = at_database(), at_database()
    account(bert, "Bert")
    address = offered(ada)
    sits(bert, address, "Bert")
    second = at_database()
    sits(second, address, "Second")
    assert look(ada, address)["players"] == ["Ada", "Bert", "Second"]
    assert second.post("/me/in", json={"name": "Bert", "passcode": "secret"}).status_code == 200
    assert look(second, address)["players"] == ["Ada", "Bert"]
    assert look(second, address)["you"] == "Bert"


# Several at once --------------------------------------------------------------------------------------------------------


@ON_BOTH
def test_one_of_many_gets_last_seat(store):
    lobby = Lobby(TableService(GameCache(store)))
    accounts = Accounts(lobby.table.cache)
    host = accounts.welcome()[0]
    row = lobby.offer(NewOpenTable("18rhl", 3, 3, name="Ada"), host, lambda: host, "en")
    people = [accounts.welcome()[0] for _ in range(8)]

    def come(n):
        try:
            return lobby.sit(row.id, SeatWish(f"P{n}"), people[n], lambda: people[n], "en").game
        except lobby_service.DeniedError as fault:
            return fault.code

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(come, range(8)))
    begun, seated = lobby.find(row.id)
    assert len(seated) == 3
    assert begun.game in outcomes
    assert set(outcomes) <= {None, begun.game, "open_full", "open_started"}
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM games")).scalar_one() == 1


def test_lobby_page_tells_of_changes(app, client):
    heard = []
    app.state.server.subscriptions.publish = lambda name, number, kind: heard.append((name, kind))
    address = offered(client)
    id_ = address.removeprefix("/lobby/")
    assert heard == [("lobby", "changed"), (id_, "changed")]


def test_lobby_reads_thousand_tables_quickly(store, client):
    now = time.time()  # old tables would be ended meanwhile
    rows = [
        {
            "id": f"t{n:015}", "title": "18rhl", "options": "{}", "least": 3, "most": 5, "pace": n % 3, "language": "de",
            "sentence": "", "listed": True, "accounts": False, "host": "p", "taken": 1, "revision": 0,
            "created": now + n, "changed": now + n, "game": None,
        }
        for n in range(1000)
    ]  # fmt: skip
    with store.begin() as connection:
        connection.execute(sa.text("INSERT INTO people (id, links, created) VALUES ('p', 0, 0)"))
        connection.execute(open_tables.OPEN_TABLES.insert(), rows)
    first = client.get("/lobby.json").json()
    assert (len(first["tables"]), first["more"]) == (50, True)
    assert first["tables"][0]["id"] == f"t{999:015}"
    last = client.get("/lobby.json?page=19").json()
    assert (len(last["tables"]), last["more"]) == (50, False)
    with store.engine.connect() as connection:
        plan = connection.execute(
            sa.text(
                "EXPLAIN QUERY PLAN SELECT * FROM open_tables WHERE listed = 1 AND game IS NULL AND taken < most"
                " ORDER BY created DESC, id LIMIT 51"
            )
        ).all()
    assert "ix_open_tables_listed" in str(plan)
