"""Seats that are held by links: nobody acts, undoes or sees for a seat that is not theirs; hand-over, stand-ins, presence."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

import msgspec

from tests.server.friends import NEW, PLAYERS, code, gathered
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.app import create_app
from trajekt.server.services import presence
from trajekt.server.services.table_service import NewTable
from trajekt.server.storage import seats
from trajekt.server.storage.entry_makers import STAND_IN
from trajekt.server.storage.secret_tokens import digest

PASS = {"kind": "pass"}


def made(client, **more):
    answer = client.post("/tables", json=NEW | more)
    assert answer.status_code == 201
    return answer.json()


def token(link):
    return link["address"].partition("#")[2]


def sit(browser, told, seat):
    link = told["watch"] if seat is None else told["seats"][seat]["address"]
    return browser.post(f"{told['address']}/sit", json={"token": link.partition("#")[2]})


# Links ---------------------------------------------------------------------------------------------------------------


def test_friends_table_has_all_links(client):
    told = made(client)
    assert [(link["name"], link["yours"]) for link in told["seats"]] == [
        ("Ada", True),
        ("Bert", False),
        ("Cleo", False),
    ]
    tokens = [token(link) for link in told["seats"]] + [told["watch"].partition("#")[2]]
    assert len(set(tokens)) == 4
    assert all(len(each) >= 43 for each in tokens)  # 256 bits in base64
    assert all(link["address"].startswith(f"/t/{told['id']}/sit#") for link in told["seats"])


def test_tokens_are_stored_as_digests_only(client, url):
    told = made(client)
    sit(client, told, 1)
    cookie = client.cookies["reader"]
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw, raw:
        dump = "\n".join(raw.iterdump())
    raw.close()
    for secret in [*(token(link) for link in told["seats"]), told["watch"].partition("#")[2], cookie.split(".")[0]]:
        assert secret not in dump
        assert digest(secret) in dump


def test_bots_have_no_link(client):
    told = made(client, bots={"Bert": "steady"})
    assert [link["name"] for link in told["seats"]] == ["Ada", "Cleo"]


def test_a_stranger_sees_and_does_nothing(client, device):
    told, stranger = made(client), device()
    for where in ("", "/regions", "/hex/K2", "/record.json", "/charts", "/tiles", "/seats", "/seats/menu", "/events"):
        assert code(stranger.get(told["address"] + where)) == (403, "not_at_table"), where
    for where in ("actions", "undo", "redo", "preview", "routes", "pace", "try", "consent-requests", "looking"):
        answer = stranger.post(f"{told['address']}/{where}", json={"number": 0, "action": PASS})
        assert code(answer) == (403, "not_at_table"), where
    assert told["id"] not in stranger.get("/").text
    page = stranger.get(told["address"], headers={"accept": "text/html"}, follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, f"{told['address']}/sit")
    assert stranger.get(f"{told['address']}/sit").status_code == 200


def test_every_table_route_asks_who_comes(app):
    open_ = {"door", "sit", "notices"}
    paths = [route for route in app.routes if route.path.startswith("/t/{id}")]
    assert len(paths) > 20
    for route in paths:
        asks = route.endpoint.__name__ == "seated"
        assert asks or route.endpoint.__name__ in open_, route.path


def test_link_gives_its_seat_only(client, device):
    told, bert = made(client), device()
    assert sit(bert, told, 1).json()["seat"] == 1
    body = {"number": 0, "action": PASS}
    answer = bert.post(f"{told['address']}/actions", json=body | {"seat": 0})
    assert code(answer) == (403, "not_your_seat")
    assert answer.json()["error"]["seat"] == 0
    assert code(bert.post(f"{told['address']}/actions", json=body)) == (403, "not_your_seat")
    assert code(bert.post(f"{told['address']}/preview", json=body)) == (403, "not_your_seat")
    assert client.post(f"{told['address']}/actions", json=body).json() == {"number": 1, "seat": 0, "kind": "action"}
    assert bert.post(f"{told['address']}/actions", json={"number": 1, "action": PASS}).json()["seat"] == 1


def test_choices_are_for_those_in_turn(client, device):
    told, bert = made(client), device()
    sit(bert, told, 1)
    for browser, offered in ((client, True), (bert, False)):
        page = browser.get(told["address"]).text
        assert ('name="pick"' in page) is offered
        assert ('<button type="button" class="quick"' in page) is offered
    assert "Waiting for Ada." in bert.get(told["address"]).text


def test_a_watcher_sees_and_does_nothing(client, device):
    told, eve = made(client), device()
    assert sit(eve, told, None).json()["seat"] is None
    page = eve.get(told["address"]).text
    assert "You are watching." in page
    assert 'name="pick"' not in page
    for where, body in (
        ("actions", {"number": 0, "action": PASS}),
        ("actions", {"number": 0, "action": PASS, "seat": 0}),
        ("seats/0/link", {}),
        ("seats/0/stand-in", {"kind": "steady"}),
        ("seats/0/passcode", {"passcode": "12345"}),
    ):
        assert code(eve.post(f"{told['address']}/{where}", json=body)) == (403, "not_your_seat"), where
    assert code(eve.post(f"{told['address']}/pace", json={"pause": 0})) == (403, "only_players")
    client.post(f"{told['address']}/actions", json={"number": 0, "action": PASS})
    assert code(eve.post(f"{told['address']}/undo", json={"number": 1})) == (422, "nothing_to_undo")
    assert code(eve.post(f"{told['address']}/consent-requests", json={"kind": "undo", "number": 1})) == (
        403,
        "only_players",
    )


def test_client_plays_with_seat_token(client):
    id_, people = gathered(client)
    assert people["Ada"].passes(0).status_code == 200
    assert people["Bert"].play(1, kind="pass").json()["seat"] == 1
    assert code(people["Ada"].post("actions", {"number": 2, "action": PASS, "seat": 2})) == (403, "not_your_seat")
    wrong = client.get(f"/t/{id_}", headers={"authorization": "Bearer no", "accept": "application/json"})
    assert code(wrong) == (401, "wrong_token")


def test_wrong_link_opens_nothing(client, device, store):
    told, stranger = made(client), device()
    answer = stranger.post(f"{told['address']}/sit", json={"token": "x" * 43})
    assert code(answer) == (403, "wrong_link")
    assert "set-cookie" not in answer.headers
    assert code(stranger.get(told["address"])) == (403, "not_at_table")


def test_a_forged_cookie_is_nobodys(client, device):
    told, stranger = made(client), device()
    key, _, signature = client.cookies["reader"].rpartition(".")
    for forged in (key, f"{key}.{signature[:-2]}xx", f"{key}x.{signature}", "", ".", "ä"):
        stranger.cookies.clear()
        sent = {"cookie": f"reader={forged}".encode(), "accept": "application/json"}
        assert code(stranger.get(told["address"], headers=sent)) == (403, "not_at_table")


def test_one_screen_stays_one_screen(client, device):
    told = client.post("/tables", json={"game": "18rhl", "players": PLAYERS, "options": {"fixed_seats": True}}).json()
    assert "seats" not in told
    other = device()
    assert other.post(f"{told['address']}/actions", json={"number": 0, "action": PASS}).json()["seat"] == 0
    assert other.post(f"{told['address']}/actions", json={"number": 1, "action": PASS}).json()["seat"] == 1
    assert code(other.post(f"{told['address']}/sit", json={"token": "x"})) == (409, "one_screen")
    assert '<ul class="seat-strip"' not in other.get(told["address"]).text


def test_nobody_acts_for_a_bot(client):
    told = client.post(
        "/tables",
        json={
            "game": "18rhl",
            "players": PLAYERS,
            "options": {"fixed_seats": True},
            "bots": {"Ada": "steady"},
            "pause": 30,
        },
    ).json()
    answer = client.post(f"{told['address']}/actions", json={"number": 0, "seat": 0, "action": PASS})
    assert code(answer) == (403, "not_your_seat")


# Another device --------------------------------------------------------------------------------------------------------


def test_passcode_takes_seat_to_other_device(client, device):
    told, bert, phone = made(client), device(), device()
    sit(bert, told, 1)
    name = {"name": " bert ", "passcode": "Rheingold"}
    assert code(phone.post(f"{told['address']}/sit", json=name)) == (403, "wrong_passcode")  # none is set yet
    assert bert.post(f"{told['address']}/seats/1/passcode", json={"passcode": "Rheingold"}).json() == {"passcode": True}
    assert code(phone.post(f"{told['address']}/sit", json=name | {"name": "Ada"})) == (403, "wrong_passcode")
    assert phone.post(f"{told['address']}/sit", json=name).json()["seat"] == 1
    assert phone.get(told["address"]).status_code == 200
    assert bert.get(told["address"]).status_code == 200  # the other device keeps it too


def test_passcodes_are_bounded_guessing_is_slowed(client, device, monkeypatch):
    told, bert, thief = made(client), device(), device()
    sit(bert, told, 1)
    short = bert.post(f"{told['address']}/seats/1/passcode", json={"passcode": "abc"})
    assert code(short) == (400, "passcode")
    bert.post(f"{told['address']}/seats/1/passcode", json={"passcode": "Rheingold"})
    answers = [thief.post(f"{told['address']}/sit", json={"name": "Bert", "passcode": f"guess {n}"}) for n in range(12)]
    assert [answer.status_code for answer in answers[:5]] == [403] * 5
    assert code(answers[-1]) == (429, "too_many_guesses")
    assert int(answers[-1].headers["retry-after"]) >= 1
    right = thief.post(f"{told['address']}/sit", json={"name": "Bert", "passcode": "Rheingold"})
    assert code(right) == (429, "too_many_guesses")  # the right one has to wait as well
    now = time.time
    monkeypatch.setattr("trajekt.server.accounts.passcodes.time.time", lambda: now() + 20)
    right = thief.post(f"{told['address']}/sit", json={"name": "Bert", "passcode": "Rheingold"})
    assert right.status_code == 200


# Hand-over -------------------------------------------------------------------------------------------------------------


def test_new_link_ends_the_old_one(client, device):
    told, bert, dora = made(client), device(), device()
    sit(bert, told, 1)
    given = bert.post(f"{told['address']}/seats/1/link", json={}).json()["address"]
    assert code(dora.post(f"{told['address']}/sit", json={"token": token(told["seats"][1])})) == (403, "wrong_link")
    client.post(f"{told['address']}/actions", json={"number": 0, "action": PASS})
    assert code(bert.post(f"{told['address']}/actions", json={"number": 1, "action": PASS})) == (403, "not_your_seat")
    assert "You are watching." in bert.get(told["address"]).text
    assert dora.post(f"{told['address']}/sit", json={"token": given.partition("#")[2]}).json()["seat"] == 1
    assert dora.post(f"{told['address']}/actions", json={"number": 1, "action": PASS}).json()["seat"] == 1


def test_new_holder_inherits_no_data(client, device, store):
    told, bert, thief = made(client), device(), device()
    sit(bert, told, 1)
    bert.post(f"{told['address']}/seats/1/passcode", json={"passcode": "Rheingold"})
    seats.change(store, told["id"], 1, mail="bert@example.org", hook="https://example.org/hook")
    bert.post(f"{told['address']}/seats/1/link", json={})
    row = seats.read_assignments(store, told["id"]).seats[1]
    assert (row.passcode_hash, row.mail, row.hook) == (None, None, None)
    old = thief.post(f"{told['address']}/sit", json={"name": "Bert", "passcode": "Rheingold"})
    assert code(old) == (403, "wrong_passcode")


def test_host_renews_an_unused_link(client, device):
    told, bert = made(client), device()
    fresh = client.post(f"{told['address']}/seats/1/link", json={})
    assert fresh.status_code == 200
    assert (
        bert.post(f"{told['address']}/sit", json={"token": fresh.json()["address"].partition("#")[2]}).status_code
        == 200
    )
    taken = client.post(f"{told['address']}/seats/1/link", json={})
    assert code(taken) == (403, "not_your_seat")
    assert code(bert.post(f"{told['address']}/seats/2/link", json={})) == (403, "not_your_seat")  # he is not the host


def test_host_renews_the_watch_link(client, device):
    told, eve, bert = made(client), device(), device()
    sit(bert, told, 1)
    assert code(bert.post(f"{told['address']}/watch/link", json={})) == (403, "not_host")
    fresh = client.post(f"{told['address']}/watch/link", json={}).json()["address"]
    assert code(sit(eve, told, None)) == (403, "wrong_link")
    assert eve.post(f"{told['address']}/sit", json={"token": fresh.partition("#")[2]}).json()["seat"] is None
    assert eve.get(told["address"]).status_code == 200


# Stand-ins -------------------------------------------------------------------------------------------------------------


def test_player_returns_from_stand_in(client, app):
    id_, people = gathered(client)
    table, bots = app.state.server.table, app.state.server.bots
    assert people["Ada"].post("seats/0/stand-in", {"kind": "random"}).status_code == 200
    entry = bots.move(id_)
    assert entry.seat == 0
    assert table.cache.get(id_).made_by[entry.number] == STAND_IN
    assert "bot stands in" in people["Bert"].get("regions").text
    number = entry.number
    while table.cache.get(id_).game.to_act[0] != 0:
        seat = table.cache.get(id_).game.to_act[0]
        number = people[PLAYERS[seat]].passes(number).json()["number"]
    choice = next(each for each in table.cache.get(id_).game.choices(0) if not each.spans)
    assert people["Ada"].play(number, **msgspec.to_builtins(choice.action)).status_code == 200
    assert table.cache.get(id_).made_by.get(number + 1) is None
    assert seats.assignments_of(table.store, table.cache.get(id_)).stand_ins == {}
    assert bots.move(id_) is None


def test_stand_in_is_given_back(client, app):
    id_, people = gathered(client)
    people["Ada"].post("seats/0/stand-in", {"kind": "steady"})
    assert people["Ada"].post("seats/0/stand-in", {"kind": None}).json() == {"kind": None}
    assert app.state.server.bots.move(id_) is None
    assert code(people["Bert"].post("seats/0/stand-in", {"kind": "steady"})) == (403, "not_your_seat")
    assert code(people["Ada"].post("seats/0/stand-in", {"kind": "chess"})) == (400, "unreadable")


def test_a_stand_in_survives_the_server(client, app, store):
    id_, people = gathered(client)
    people["Ada"].post("seats/0/stand-in", {"kind": "random"})
    app.state.server.bots.move(id_)
    again = create_app(store).state.server
    assert again.table.cache.get(id_).made_by == {1: STAND_IN}
    assert seats.assignments_of(store, again.table.cache.get(id_)).stand_ins == {0: "random"}


# Who is here -----------------------------------------------------------------------------------------------------------


def test_presence_follows_the_open_page(client):
    _, people = gathered(client)
    assert people["Bert"].post("looking", {"here": True}).json() == {"here": [1]}
    assert people["Cleo"].post("looking", {}).json() == {"here": [1, 2]}
    assert people["watcher"].post("looking", {}).json() == {"here": [1, 2]}
    assert people["Bert"].post("looking", {"here": False}).json() == {"here": [2]}


def test_presence_is_stored_rarely(table, store, monkeypatch):
    id_ = table.open(NewTable("18rhl", PLAYERS, {"fixed_seats": True}, friends=True)).id
    cached, bert = table.cache.get(id_), Viewer(seats=(1,))
    written = []
    real = seats.looked
    monkeypatch.setattr(seats, "looked", lambda *args: written.append(args) or real(*args))
    assert presence.look(table, cached, bert, here=True) == (True, [1])
    assert presence.look(table, cached, bert, here=True) == (False, [1])
    assert len(written) == 1
    assert presence.look(table, cached, Viewer(), here=True) == (False, [1])
    assert len(written) == 1


def test_processes_read_each_others_changes(table, store):
    id_ = table.open(NewTable("18rhl", PLAYERS, {"fixed_seats": True}, friends=True)).id
    cached = table.cache.get(id_)
    assert not seats.assignments_of(store, cached).held(1)
    seats.change(store, id_, 1, stand_in="steady")  # as another process does
    assert seats.assignments_of(store, cached).stand_ins == {}
    table.cache.invalidate(id_)
    assert seats.assignments_of(store, cached).stand_ins == {1: "steady"}
