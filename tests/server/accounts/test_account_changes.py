"""What people change of their accounts, and what a stranger cannot change: links, passcodes, deletion."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from tests.server.friends import code, gathered
from trajekt.server.accounts import passcodes
from trajekt.server.accounts.passcodes import FROM_ONE_PLACE, check, hashed
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import passcode_attempts
from trajekt.server.storage.admin_overview import columns_of_seats
from trajekt.server.storage.deletion import DAY, ENDED_AT_HAND_OVER, KEPT_AT_HAND_OVER, expire
from trajekt.server.storage.schema import GAMES, META, SEATS

SIGNED = {"name": "Anna", "passcode": "secret"}


@pytest.fixture
def anna(device):
    made = device()
    assert made.post("/me", json=SIGNED).status_code == 201
    return made


# Links ----------------------------------------------------------------------------------------------------------------


def test_a_strangers_link_takes_no_seat(client, device, anna):
    id_, people = gathered(client)
    bert = device()
    bert.post(f"/t/{id_}/sit", json={"token": people["Bert"].token})
    token = anna.post("/me/link", json={}).json()["address"].partition("#")[2]
    answer = bert.post("/me/in", json={"token": token})
    assert code(answer) == (409, "leaves_seats")
    assert "Anna" in answer.json()["error"]["message"]
    assert bert.get(f"/t/{id_}/state.json").json()["seats"] == [people["Bert"].seat]
    assert bert.post("/me/in", json={"token": token, "leave": True}).status_code == 200
    assert anna.get(f"/t/{id_}/state.json").status_code == 403


def test_passcode_takes_own_seats_along(client, device, anna):
    id_, people = gathered(client)
    telephone = device()
    telephone.post(f"/t/{id_}/sit", json={"token": people["Bert"].token})
    assert telephone.post("/me/in", json=SIGNED).status_code == 200
    assert anna.get(f"/t/{id_}/state.json").json()["seats"] == [people["Bert"].seat]


# Changes --------------------------------------------------------------------------------------------------------------


def test_a_changed_passcode_signs_others_out(device, anna):
    other = device()
    other.post("/me/in", json=SIGNED)
    assert code(anna.post("/me/passcode", json={"old": "wrong!", "new": "fresh1"})) == (403, "wrong_passcode")
    assert anna.post("/me/passcode", json={"old": "secret", "new": "fresh1"}).status_code == 200
    assert code(other.post("/me/link", json={})) == (403, "not_signed_in")
    assert anna.post("/me/link", json={}).status_code == 200
    assert code(device().post("/me/in", json=SIGNED)) == (403, "wrong_passcode")
    assert device().post("/me/in", json=SIGNED | {"passcode": "fresh1"}).status_code == 200


def test_a_changed_name_signs_in(device, anna):
    device().post("/me", json={"name": "Berta", "passcode": "secret"})
    assert code(anna.post("/me/name", json={"name": "berta"})) == (409, "name_taken")
    assert anna.post("/me/name", json={"name": "Änne"}).status_code == 200
    assert device().post("/me/in", json={"name": " äNNE", "passcode": "secret"}).status_code == 200


def test_other_devices_are_signed_out(device, anna):
    other = device()
    other.post("/me/in", json=SIGNED)
    assert anna.post("/me/out/others", json={}).json() == {"ended": 1}
    assert code(other.post("/me/link", json={})) == (403, "not_signed_in")


def test_spaces_and_case_make_no_account(device, anna):
    assert code(device().post("/me", json={"name": "  ANNA ", "passcode": "secret"})) == (409, "name_taken")


# Deletion -------------------------------------------------------------------------------------------------------------


def test_a_deleted_account_leaves_no_name(client, device, store):
    ada = device()
    ada.post("/me", json={"name": "Ada", "passcode": "secret"})
    id_, people = gathered(client)
    ada.post(f"/t/{id_}/sit", json={"token": people["Bert"].token})
    ada.post(f"/t/{id_}/talk", json={"text": "zebra crossing"})
    ada.post(f"/t/{id_}/notes", json={"text": "zebra notes"})
    data = ada.get("/me/data.json")
    assert "zebra notes" in data.text
    assert "hash" not in data.text
    assert code(ada.post("/me/delete", json={"passcode": "wrong"})) == (403, "wrong_passcode")
    assert ada.post("/me/delete", json={"passcode": "secret"}).status_code == 200
    assert code(ada.post("/me/link", json={})) == (403, "not_signed_in")
    with store.engine.connect() as connection:
        everything = [str(connection.execute(sa.select(table)).all()) for table in META.sorted_tables]
    assert not [text for text in everything if "zebra" in text or '"Bert"' in text]
    bert = people["Bert"].get("state.json").json()  # the link goes on to work, the game goes on
    assert bert["seats"] == [people["Bert"].seat]
    assert "Anonym 1" in bert["names"]


def test_new_accounts_seats_are_listed():
    """Each table that says something of a table's seats is one that a hand-over ends, or one that stays."""
    assert columns_of_seats() | {"games"} == KEPT_AT_HAND_OVER | ENDED_AT_HAND_OVER


def test_notes_end_with_the_hand_over(client):
    id_, people = gathered(client)
    bert = people["Bert"]
    bert.post("notes", {"text": "sells at 100"})
    token = bert.post(f"seats/{bert.seat}/link", {}).json()["address"].partition("#")[2]
    assert "sells at 100" not in client.get(f"/t/{id_}/beside", headers={"authorization": f"Bearer {token}"}).text


def test_planning_boards_lapse_in_a_day(client, store, id_):
    copy = client.post(f"/t/{id_}/try", json={}).json()["id"]
    friends, _ = gathered(client)
    with store.begin() as connection:
        connection.execute(GAMES.update().values(changed=GAMES.c.changed - 2 * DAY))
    assert expire(store) == [copy]
    assert expire(store, keep_days=90) == []
    assert expire(store, keep_days=1) == [id_]
    assert store.game(friends) is not None
    with store.engine.connect() as connection:
        for table in META.sorted_tables:
            if "game" in table.c:
                assert connection.execute(sa.select(table).where(table.c.game.in_([copy, id_]))).all() == []


# Guesses --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    made = SimpleNamespace(now=1e9)
    made.time = lambda: made.now
    monkeypatch.setattr(passcodes, "time", made)
    return made


def guess(store, clock, address, passcode, about="account anna", **more):
    clock.now += more.pop("after", 1)
    try:
        check(store, about, address, KEPT, passcode, **more)
    except DeniedError as no:
        return no.code
    return "in"


KEPT = hashed("right")


def test_guesses_elsewhere_lock_no_owner_out(store, clock):
    for _ in range(30):
        guess(store, clock, "192.0.2.1", "wrong", after=901)
    assert guess(store, clock, "192.0.2.1", "right") == "too_many_guesses"
    assert guess(store, clock, "198.51.100.7", "right") == "in"


def test_ones_own_success_buys_no_guesses(store, clock):
    said = []
    for n in range(FROM_ONE_PLACE + 10):
        said.append(guess(store, clock, "192.0.2.1", "wrong", about=f"account {n}", after=0.01))
        if n % 10 == 9:
            guess(store, clock, "192.0.2.1", "right", about="account own", after=0.01)
    assert "too_many_guesses" in said


def test_clock_set_back_stretches_no_wait(store, clock):
    for _ in range(12):
        guess(store, clock, "192.0.2.1", "wrong", after=1000)
    clock.now -= DAY
    with pytest.raises(DeniedError) as refused:
        check(store, "account anna", "192.0.2.1", KEPT, "right")
    assert refused.value.more["retry_after"] <= passcode_attempts.SLOWEST


# The host -------------------------------------------------------------------------------------------------------------


def test_host_is_holder_of_the_seat(client, device):
    id_, people = gathered(client)
    ada, bert = people["Ada"], people["Bert"]
    clock = {"clock": {"game": 3600, "stock": 60, "operating": 60, "penalty": "none", "rate": 0}}
    assert ada.post("clock", clock).status_code == 200  # by the token alone
    assert ada.post("watch/link", {}).status_code == 200
    assert code(bert.post("clock", clock)) == (403, "only_host")
    telephone = device()
    telephone.post(f"/t/{id_}/sit", json={"token": ada.token})
    assert telephone.post(f"/t/{id_}/watch/link", json={}).status_code == 200


def test_host_right_goes_with_the_seat(client, store):
    id_, people = gathered(client)
    ada = people["Ada"]
    token = ada.post(f"seats/{ada.seat}/link", {}).json()["address"].partition("#")[2]
    assert client.post(f"/t/{id_}/watch/link", json={}).status_code == 403
    new = client.post(f"/t/{id_}/watch/link", json={}, headers={"authorization": f"Bearer {token}"})
    assert new.status_code == 200
    with store.engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(SEATS)).scalar() == 3


def away(store, game, seat, seconds):
    """The player of a seat was last seen so long ago, and the table is older than that."""
    with store.begin() as connection:
        connection.execute(SEATS.update().where(SEATS.c.seat == seat).values(looking=time.time() - seconds))
        connection.execute(GAMES.update().where(GAMES.c.id == game).values(created=time.time() - seconds))


def test_lost_host_is_replaced_by_consent(client, device, store):
    id_, people = gathered(client)
    ada, bert, cleo = people["Ada"], people["Bert"], people["Cleo"]
    for each in (bert, cleo):
        device().post(f"/t/{id_}/sit", json={"token": each.token})
    asked = {"kind": "host", "number": 0}
    assert code(bert.post("consent-requests", asked)) == (409, "host_is_here")
    away(store, id_, ada.seat, 4 * DAY)
    assert code(ada.post("consent-requests", asked)) == (409, "no_need")
    made = bert.post("consent-requests", asked).json()
    assert (made["outcome"], made["needs"]) == ("open", [cleo.seat])
    assert code(bert.post("watch/link", {})) == (403, "not_host")
    assert cleo.post(f"consent-requests/{made['consent_request']}", {"yes": True}).json()["outcome"] == "done"
    assert bert.post("watch/link", {}).status_code == 200
    assert code(ada.post("watch/link", {})) == (403, "not_host")


def test_table_is_deleted_by_consent(client, device, store):
    id_, people = gathered(client)
    ada, bert, cleo = people["Ada"], people["Bert"], people["Cleo"]
    for each in (bert, cleo):
        device().post(f"/t/{id_}/sit", json={"token": each.token})
    cleo.post(f"seats/{cleo.seat}/stand-in", {"kind": "steady"})
    made = ada.post("consent-requests", {"kind": "delete", "number": 0}).json()
    assert made["needs"] == sorted((bert.seat, cleo.seat))  # a bot that stands in agrees to nothing
    assert code(people["watcher"].post(f"consent-requests/{made['consent_request']}", {"yes": True})) == (
        403,
        "not_asked",
    )
    assert bert.post(f"consent-requests/{made['consent_request']}", {"yes": True}).json()["outcome"] == "open"
    assert ada.get("state.json").status_code == 200
    assert cleo.post(f"consent-requests/{made['consent_request']}", {"yes": True}).json()["outcome"] == "done"
    assert [each.get("state.json").status_code for each in (ada, bert, cleo)] == [404] * 3
    assert store.game(id_) is None


def test_somebody_alone_deletes_at_once(client, store):
    id_, people = gathered(client)
    assert people["Ada"].post("consent-requests", {"kind": "delete", "number": 0}).json()["outcome"] == "done"
    assert store.game(id_) is None
