"""Beside the board: talk, notes, instructions, addresses and the clock over the network; secrets stay with their seat."""

from __future__ import annotations

import re

import pytest

from tests.server.friends import gathered
from tests.server.waiting import until
from trajekt.server.storage import chat


@pytest.fixture
def table(client):
    return gathered(client)


def number(friend):
    return len(friend.get("record.json").json()["entries"])


# Talk and notes ---------------------------------------------------------------------------------------------------------


def test_chat_reaches_others_and_watchers(table):
    _, people = table
    assert people["Ada"].post("talk", {"text": "  Wer  baut\nnach Köln? "}).status_code == 200
    for name in ("Bert", "watcher"):
        page = people[name].get("beside").text
        assert "Wer baut nach Köln?" in page
        assert "<b>Ada</b>" in page


def test_text_never_becomes_markup(table):
    _, people = table
    people["Ada"].post("talk", {"text": "<img src=x onerror=alert(1)> {{ 7*7 }}"})
    people["Ada"].post("notes", {"text": "</textarea><script>alert(1)</script>"})
    page = people["Ada"].get("beside").text
    assert "<img" not in page
    assert "<script" not in page
    assert "&lt;img src=x onerror=alert(1)&gt; {{ 7*7 }}" in page


def test_watchers_only_read_strangers_nothing(table, client):
    id_, people = table
    assert people["watcher"].post("talk", {"text": "hello"}).json()["error"]["code"] == "only_players"
    assert people["watcher"].post("notes", {"text": "hello"}).status_code == 403
    assert people["watcher"].post("clock/wish", {"wish": "pause"}).status_code == 403
    client.cookies.clear()
    for where in ("beside", "regions"):
        assert client.get(f"/t/{id_}/{where}", headers={"accept": "application/json"}).status_code == 403
    assert client.post(f"/t/{id_}/talk", json={"text": "x"}, headers={"accept": "application/json"}).status_code == 403


@pytest.mark.parametrize(("text", "code"), [("", "text_empty"), (" \n\u200b ", "text_empty"), ("x" * 501, "text_long")])
def test_what_is_no_talk_is_refused(table, text, code):
    _, people = table
    assert people["Ada"].post("talk", {"text": text}).json()["error"]["code"] == code
    assert "data-said=" not in people["Ada"].get("beside").text


def test_talk_is_bounded_in_a_minute(table):
    _, people = table
    said = [people["Ada"].post("talk", {"text": f"line {n}"}).status_code for n in range(chat.A_MINUTE + 2)]
    assert said == [200] * chat.A_MINUTE + [429, 429]
    assert people["Bert"].post("talk", {"text": "I still may"}).status_code == 200


def test_notes_are_secret_to_their_seat(table):
    _, people = table
    people["Ada"].post("notes", {"text": "Bert bluffs"})
    people["Bert"].post("notes", {"text": "Ada bluffs"})
    assert "Bert bluffs" in people["Ada"].get("beside").text
    assert "Ada bluffs" not in people["Ada"].get("beside").text
    for name in ("Bert", "Cleo", "watcher"):
        for where in ("beside", "regions", "record.json"):
            assert "Bert bluffs" not in people[name].get(where).text
    assert people["Ada"].post("notes", {"text": "x" * 20_001}).json()["error"]["code"] == "text_long"


# Instructions -------------------------------------------------------------------------------------------------------------


def test_instruction_acts_at_once_when_awaited(table):
    _, people = table
    assert people["Bert"].post("orders", {"order": {"kind": "pass_until", "until": "end"}}).status_code == 200
    assert number(people["Ada"]) == 0
    people["Ada"].passes(0)
    until(lambda: number(people["Ada"]) == 2)
    entry = people["Ada"].get("record.json").json()["entries"][1]
    assert (entry["seat"], entry["action"]) == (1, {"kind": "pass"})


def test_given_while_awaited_it_acts_too(table):
    _, people = table
    people["Ada"].post("orders", {"order": {"kind": "pass_until", "until": "end"}})
    until(lambda: number(people["Ada"]) == 1)


def test_instructed_action_is_marked(table, client, store):
    id_, people = table
    people["Ada"].post("orders", {"order": {"kind": "pass_until", "until": "end"}})
    until(lambda: number(people["Ada"]) == 1)
    people["Bert"].passes(1)
    assert [entry.by for entry in store.entries(id_)] == ["instruction", None]


def test_instruction_explains_itself_in_both_languages(table):
    _, people = table
    people["Bert"].post("orders", {"order": {"kind": "pass_until", "until": "mine"}})
    english = people["Bert"].get("beside", **{"accept-language": "en"}).text
    assert "Passes for you in the auction until somebody does something to a company" in english
    german = people["Bert"].get("beside", **{"accept-language": "de"}).text
    assert "Passt für dich in der Versteigerung, bis jemand" in german


def test_instructions_are_secret_to_their_owner(table):
    _, people = table
    people["Bert"].post("orders", {"order": {"kind": "pass_until", "until": "any"}})
    assert "Passes for you" in people["Bert"].get("beside").text
    for name in ("Ada", "Cleo", "watcher"):
        for where in ("beside", "regions", "record.json"):
            text = people[name].get(where).text
            assert "Passes for you" not in text
            assert "pass_until</" not in text
    id_ = int(re.search(r'id="order(\d+)"', people["Bert"].get("beside").text)[1])
    assert people["Ada"].post("orders/away", {"id": id_}).status_code == 404
    assert people["Bert"].post("orders/away", {"id": id_}).status_code == 200
    assert "Passes for you" not in people["Bert"].get("beside").text


@pytest.mark.case("B96")
def test_own_concern_returns_the_turn(table):
    _, people = table
    people["Bert"].post("orders", {"order": {"kind": "pass_until", "until": "any"}})
    lowest = {"kind": "buy_private", "private": 1}
    assert people["Ada"].play(0, **lowest).status_code == 200
    until(lambda: "Ended:" in people["Bert"].get("beside").text)
    assert number(people["Ada"]) == 1
    assert "Ada" in people["Bert"].get("beside").text.partition("Ended:")[2][:80]


def test_undo_ends_what_rests_on_it(table):
    _, people = table
    people["Ada"].passes(0)
    people["Cleo"].post("orders", {"order": {"kind": "pass_until", "until": "end"}})
    assert people["Ada"].post("undo", {"number": 1}).status_code == 200
    until(lambda: "something was taken back" in people["Cleo"].get("beside").text)


def bids(most, then=()):
    """An instruction to bid on certificate 2 up to a limit, and what follows."""
    choice = {"do": "like", "values": {"kind": "bid", "private": 2}, "most": most}
    return {"order": {"kind": "tasks", "tasks": [{"choice": choice, "times": 99}, *then]}}


LEAVE = {"choice": {"do": "leave"}}


def actions(friend):
    """The actions that stand, as seat and kind."""
    record = friend.get("record.json").json()
    entries, line, at = record["entries"], [], len(record["entries"])
    while at:
        entry = entries[at - 1]
        if entry.get("kind", "action") == "action":
            line.append((entry["seat"], entry["action"]["kind"], entry["action"].get("amount")))
        at = entry["parent"]
    return line[::-1]


@pytest.mark.case("B96")
def test_list_of_tasks_bids_and_passes(table):
    _, people = table
    assert people["Bert"].post("orders", bids(40, [LEAVE])).status_code == 200
    people["Ada"].passes(0)
    until(lambda: (1, "bid", 35) in actions(people["Ada"]))
    assert people["Cleo"].play(2, kind="bid", private=2, amount=40).status_code == 200
    page = people["Bert"].get("beside", **{"accept-language": "en"}).text
    assert "up to 40" in page
    assert "Pass once" in page
    for name in ("Ada", "Cleo", "watcher"):
        assert "Pass once. Ends" not in people[name].get("beside").text


@pytest.mark.case("B96")
def test_undo_takes_back_deed_of_instruction(table):
    """What an instruction did goes with the deed before it, without consent; it acts anew."""
    _, people = table
    people["Bert"].post("orders", bids(40))
    people["Ada"].passes(0)
    until(lambda: actions(people["Ada"]) == [(0, "pass", None), (1, "bid", 35)])
    assert people["Ada"].post("undo", {"number": 2}).status_code == 200
    assert actions(people["Ada"]) == []
    assert people["Ada"].play(3, kind="bid", private=2, amount=35).status_code == 200
    until(lambda: actions(people["Ada"]) == [(0, "bid", 35), (1, "bid", 40)])
    assert "Ended" not in people["Bert"].get("beside", **{"accept-language": "en"}).text


def test_reason_of_the_rules_is_told(table):
    """An action that is not legal when it is asked for ends the instruction with what the rules say."""
    _, people = table
    choice = {"do": "like", "values": {"kind": "bid", "private": 2, "amount": 36}}
    people["Bert"].post("orders", {"order": {"kind": "tasks", "tasks": [{"choice": choice}]}})
    people["Ada"].passes(0)
    until(lambda: "Ended:" in people["Bert"].get("beside", **{"accept-language": "en"}).text)
    ended = people["Bert"].get("beside", **{"accept-language": "en"}).text.partition("Ended:")[2][:200]
    assert "5" in ended
    assert "It is your turn." in ended
    assert number(people["Ada"]) == 1


def test_long_instruction_is_refused(table):
    _, people = table
    choice = {"do": "like", "values": {"kind": "bid", "private": 2, "note": "x" * 21_000}}
    answer = people["Bert"].post("orders", {"order": {"kind": "tasks", "tasks": [{"choice": choice}]}})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "order_long")


@pytest.mark.parametrize(
    ("order", "status", "code"),
    [
        ({"kind": "tasks", "tasks": []}, 400, "unreadable"),
        ({"kind": "tasks", "tasks": [{"choice": {"do": "same_run", "company": "RhE"}}]}, 422, "order_not_director"),
        ({"kind": "buy", "company": "GVE", "source": "io", "percent": 10, "most": 90}, 422, "order_not_offered"),
        ({"kind": "pass_steps", "company": "RhE", "steps": ["track"]}, 422, "order_not_director"),
        ({"kind": "march"}, 400, "unreadable"),
        ({"kind": "pass_until", "until": "moon"}, 400, "unreadable"),
    ],
)
def test_useless_instruction_is_refused(table, order, status, code):
    _, people = table
    answer = people["Ada"].post("orders", {"order": order})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_new_instruction_replaces_older_kind(table):
    _, people = table
    for kind in ("mine", "any"):
        people["Bert"].post("orders", {"order": {"kind": "pass_until", "until": kind}})
    page = people["Bert"].get("beside").text
    assert page.count("Passes for you in") == 1
    assert "anything but pass. Ends" in page


def test_instructions_work_against_bots(client):
    new = {
        "game": "18rhl",
        "players": ["Ada", "Bert", "Cleo"],
        "options": {"edition": 2, "fixed_seats": True},
        "seed": 7,
    }
    id_ = client.post("/tables", json=new | {"bots": {"Bert": "steady", "Cleo": "steady"}, "pause": 0.0}).json()["id"]
    client.post(f"/t/{id_}/orders", json={"order": {"kind": "pass_until", "until": "end"}})
    until(lambda: len(client.get(f"/t/{id_}/record.json").json()["entries"]) >= 4)
    several = client.post("/tables", json=new).json()["id"]
    answer = client.post(f"/t/{several}/orders", json={"order": {"kind": "pass_until", "until": "end"}})
    assert answer.json()["error"]["code"] == "only_players"


# Clock --------------------------------------------------------------------------------------------------------------------


CLOCK = {"game": 3600, "stock": 60, "operating": 30, "penalty": "cash", "rate": 10}


def test_clock_exists_once_host_sets_it(table, client):
    _, people = table
    assert "clock-t" not in people["Bert"].get("beside").text
    assert people["Bert"].post("clock", {"clock": CLOCK}).json()["error"]["code"] == "only_host"
    id_ = people["Ada"].table
    assert client.post(f"/t/{id_}/clock", json={"clock": CLOCK}).status_code == 200
    for name in ("Bert", "watcher"):
        page = people[name].get("beside").text
        assert "clock-t" in page
        assert "1:01:00" in page
    assert client.post(f"/t/{id_}/clock", json={"clock": None}).status_code == 200
    assert "clock-t" not in people["Bert"].get("beside").text


def test_clock_stops_when_all_agree(table, client):
    id_, people = table
    client.post(f"/t/{id_}/clock", json={"clock": CLOCK})
    people["Ada"].passes(0)
    runs = 'data-runs="yes"'
    assert people["Cleo"].get("beside").text.count(runs) == 1
    people["Ada"].post("clock/wish", {"wish": "pause"})
    people["Bert"].post("clock/wish", {"wish": "pause"})
    page = people["Cleo"].get("beside").text
    assert runs in page
    assert "Ada, Bert would like a pause. Still to agree: Cleo." in page
    people["Cleo"].post("clock/wish", {"wish": "pause"})
    assert runs not in people["Ada"].get("beside").text
    people["Bert"].post("clock/wish", {"wish": "on"})
    assert runs in people["Ada"].get("beside").text


def test_requests_about_no_clock_are_refused(table):
    _, people = table
    assert people["Ada"].post("clock/wish", {"wish": "pause"}).json()["error"]["code"] == "no_clock"


@pytest.mark.parametrize(
    "wrong", [{"game": -1}, {"game": 3600, "penalty": "cash", "rate": 10**6}, {"game": 1, "penalty": "death"}]
)
def test_nonsense_clock_is_unreadable(table, client, wrong):
    id_, _ = table
    assert client.post(f"/t/{id_}/clock", json={"clock": wrong}).status_code == 400


# Notices: addresses --------------------------------------------------------------------------------------------------------


CONTACT = {
    "mail": "ada@home.example",
    "hook": "https://hooks.example/x",
    "form": "discord",
    "language": "de",
    "muted": False,
}


def test_addresses_are_secret_to_their_seat(table):
    _, people = table
    assert people["Ada"].post("contact", CONTACT).status_code == 200
    assert "ada@home.example" in people["Ada"].get("beside").text
    for name in ("Bert", "watcher"):
        for where in ("beside", "regions", "seats", "record.json"):
            text = people[name].get(where).text
            assert "home.example" not in text
            assert "hooks.example" not in text


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"mail": "ada"}, "mail_unreadable"),
        ({"mail": "a@b.example\r\nBcc: c@d.example"}, "mail_unreadable"),
        ({"hook": "ftp://a.example"}, "hook_unreadable"),
        ({"form": "pigeon"}, "unreadable"),
        ({"language": "fr"}, "unreadable"),
    ],
)
def test_address_that_is_none_is_refused(table, wrong, code):
    _, people = table
    assert people["Ada"].post("contact", CONTACT | wrong).json()["error"]["code"] == code
