"""Accounts: a name and a passcode, all my tables on one page, links that sign in once, devices that are forgotten."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from tests.server.friends import NEW, code
from trajekt.server.accounts.accounts import LINK_AGE, Accounts
from trajekt.server.http.app import create_app

ADA = {"name": "Ada Krupp", "passcode": "Zechenbahn"}


def test_signed_in_person_sees_all_tables(client, device):
    first = client.post("/tables", json=NEW).json()
    phone = device()
    second = phone.post("/tables", json=NEW | {"you": "Bert"}).json()
    assert client.post("/me", json=ADA).status_code == 201
    assert second["id"] not in client.get("/me").text
    assert phone.post("/me/in", json=ADA | {"name": "  ada  krupp "}).json() == {"address": "/me"}
    for browser in (client, phone):  # what the phone held has come along
        page = browser.get("/me").text
        assert first["id"] in page
        assert second["id"] in page
        assert "Signed in as Ada Krupp." in page
    body = {"number": 0, "action": {"kind": "pass"}}
    assert phone.post(f"{first['address']}/actions", json=body).json()["seat"] == 0
    assert client.post(f"{second['address']}/actions", json=body | {"seat": 0}).status_code == 403


def test_page_says_whose_turn_it_is(client, device):
    told = client.post("/tables", json=NEW).json()
    assert "your turn" in client.get("/me").text
    client.post(f"{told['address']}/actions", json={"number": 0, "action": {"kind": "pass"}})
    assert "your turn" not in client.get("/me").text
    assert told["id"] not in device().get("/me").text


def test_a_name_belongs_to_one(client, device):
    client.post("/me", json=ADA)
    assert code(device().post("/me", json=ADA | {"name": "ADA KRUPP"})) == (409, "name_taken")
    assert code(client.post("/me", json={"name": "Other", "passcode": "12345"})) == (409, "has_account")


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        ({"name": "", "passcode": "12345"}, "name"),
        ({"name": "x" * 41, "passcode": "12345"}, "name"),
        ({"name": "A\x00B", "passcode": "12345"}, "name_character"),
        ({"name": "Ada", "passcode": "123"}, "passcode"),
        ({"name": "Ada", "passcode": "x" * 129}, "passcode"),
    ],
)
def test_names_and_passcodes_are_bounded(client, sent, fault):
    assert code(client.post("/me", json=sent)) == (400, fault)


@pytest.fixture
def stopped_clock(monkeypatch):
    """Guesses at one moment, however long this machine works at each."""
    monkeypatch.setattr("trajekt.server.accounts.passcodes.time", SimpleNamespace(time=lambda: 1_800_000_000.0))


@pytest.mark.usefixtures("stopped_clock")
def test_guessing_unknown_names_is_slowed_down(client, device):
    client.post("/me", json=ADA)
    for name in ("Ada Krupp", "Nobody"):
        thief = device()
        tried = [thief.post("/me/in", json={"name": name, "passcode": f"guess {n}"}) for n in range(8)]
        assert [answer.status_code for answer in tried[:5]] == [403] * 5
        assert code(tried[-1]) == (429, "too_many_guesses")


@pytest.mark.usefixtures("stopped_clock")
def test_guesses_from_one_place_are_slowed(client, device, monkeypatch):
    monkeypatch.setattr("trajekt.server.accounts.passcodes.FROM_ONE_PLACE", 10)
    thief = device()
    tried = [thief.post("/me/in", json={"name": f"Name {n}", "passcode": "12345"}) for n in range(14)]
    assert {answer.status_code for answer in tried[:10]} == {403}
    assert tried[-1].status_code == 429


def test_a_link_signs_in_once(client, device):
    client.post("/me", json=ADA)
    told = client.post("/me/link", json={}).json()
    token = told["address"].partition("#")[2]
    assert told["address"].startswith("/me/in#")
    phone = device()
    assert phone.get("/me/in").status_code == 200
    assert phone.post("/me/in", json={"token": token}).status_code == 200
    assert "Signed in as Ada Krupp." in phone.get("/me").text
    assert code(device().post("/me/in", json={"token": token})) == (403, "wrong_link")
    for forged in ("", "x", token[:-3] + "abc", token.replace(".", "")):
        assert device().post("/me/in", json={"token": forged}).status_code == 403


def test_link_lasts_a_quarter_hour(client, device, monkeypatch):
    client.post("/me", json=ADA)
    token = client.post("/me/link", json={}).json()["address"].partition("#")[2]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + LINK_AGE + 2)
    assert code(device().post("/me/in", json={"token": token})) == (403, "wrong_link")


def test_stranger_has_no_link_to_give(client):
    assert code(client.post("/me/link", json={})) == (403, "not_signed_in")


def test_signing_out_forgets_only_the_device(client, device):
    told = client.post("/tables", json=NEW).json()
    assert code(client.post("/me/out", json={})) == (409, "no_account")  # the seat would be lost
    client.post("/me", json=ADA)
    old = client.cookies["reader"]
    assert client.post("/me/out", json={}).status_code == 200
    assert "reader" not in client.cookies
    client.cookies.set("reader", old)
    assert code(client.get(told["address"])) == (403, "not_at_table")
    again = device()
    again.post("/me/in", json=ADA)
    assert again.get(told["address"]).status_code == 200


def test_second_sign_in_takes_nothing(client, device):
    client.post("/me", json=ADA)
    told = client.post("/tables", json=NEW).json()
    other = device()
    other.post("/me", json={"name": "Bert", "passcode": "Zechenbahn"})
    client.post("/me/in", json={"name": "Bert", "passcode": "Zechenbahn"})
    assert told["id"] not in client.get("/me").text
    again = device()
    again.post("/me/in", json=ADA)
    assert told["id"] in again.get("/me").text


def test_the_cookie_is_strict(client, store):
    answer = client.post("/tables", json=NEW)
    sent = answer.headers["set-cookie"].lower()
    assert "httponly" in sent
    assert "samesite=lax" in sent
    assert "path=/" in sent
    assert "secure" not in sent  # at home there is no certificate
    with TestClient(create_app(store), base_url="https://testserver") as safe:
        assert "secure" in safe.post("/tables", json=NEW).headers["set-cookie"].lower()


def test_secret_is_shared_passcodes_are_hashed(client, table, url):
    client.post("/me", json=ADA)
    cookie = client.cookies["reader"]
    again = Accounts(table.cache)
    assert again.person(cookie).name == "Ada Krupp"
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw, raw:
        dump = "\n".join(raw.iterdump())
    raw.close()
    assert ADA["passcode"] not in dump
    assert "$argon2id$" in dump
    assert again.signer.unsign(cookie).decode() not in dump
