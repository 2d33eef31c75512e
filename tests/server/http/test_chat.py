"""The talk: each message bears its moment, some are for the players alone, all agree before it goes into the record."""

from __future__ import annotations

import pytest

from tests.server.friends import code, gathered


@pytest.fixture
def people(client):
    return gathered(client)[1]


def record_talk(people):
    return [line["text"] for line in people["Ada"].get("record.json").json().get("talk", ())]


def asked(people):
    for name in ("Bert", "Cleo"):
        people[name].post("talk", {"text": "aye", "players_only": True})
    answer = people["Ada"].post("consent-requests", {"kind": "talk", "number": 0})
    assert answer.status_code == 201, answer.text
    return answer.json()["consent_request"]


def test_message_bears_its_moment(people):
    people["Ada"].post("talk", {"text": "before"})
    assert people["Ada"].passes(0).status_code == 200
    people["Bert"].post("talk", {"text": "after"})
    page = people["Cleo"].get("beside", **{"accept-language": "de"}).text
    assert 'data-moment="0">AR 1, 0</a>' in page
    assert f'href="/t/{people["Ada"].table}?at=1"' in page


def test_message_for_players_stays_theirs(people):
    people["Ada"].post("talk", {"text": "not for watchers", "players_only": True})
    assert "not for watchers" in people["Bert"].get("beside").text
    assert "not for watchers" not in people["watcher"].get("beside").text


def test_talk_stays_out_of_record(people):
    people["Ada"].post("talk", {"text": "between us"})
    assert "talk" not in people["Ada"].get("record.json").json()


def test_talk_goes_in_where_all_agree(people):
    for text, private in (("for all", False), ("for players", True)):
        people["Ada"].post("talk", {"text": text, "players_only": private})
    number = asked(people)
    assert people["Bert"].post(f"consent-requests/{number}", {"yes": True}).status_code == 200
    assert record_talk(people) == []  # Cleo has not agreed
    assert people["Cleo"].post(f"consent-requests/{number}", {"yes": True}).status_code == 200
    assert record_talk(people) == ["for all"]


def test_one_refusal_keeps_talk_out(people):
    people["Ada"].post("talk", {"text": "between us"})
    number = asked(people)
    people["Bert"].post(f"consent-requests/{number}", {"yes": False})
    assert code(people["Cleo"].post(f"consent-requests/{number}", {"yes": True}))[0] == 409
    assert record_talk(people) == []


def agreed(people):
    number = asked(people)
    for name in ("Bert", "Cleo"):
        people[name].post(f"consent-requests/{number}", {"yes": True})


def test_each_player_takes_talk_out(people):
    people["Ada"].post("talk", {"text": "for all"})
    agreed(people)
    assert code(people["watcher"].post("talk/private", {})) == (403, "only_players")
    assert record_talk(people) == ["for all"]
    assert people["Cleo"].post("talk/private", {}).status_code == 200
    assert record_talk(people) == []


def test_record_with_talk_is_taken_in(people, client):
    people["Ada"].post("talk", {"text": "for all"})
    agreed(people)
    record = people["Ada"].get("record.json").json()
    assert (record["talk"][0]["seat"], record["talk"][0]["number"]) == (0, 0)
    assert client.post("/tables/import", json=record).status_code == 201
