"""docs/reference/http.md: its requests, sent as they stand there to a real server, are answered as it says."""

from __future__ import annotations

import re
import shlex

import httpx2
import pytest

from tests.server.waiting import told

pytestmark = pytest.mark.slow


def curls(text):
    """The words of each call of curl, a call that goes over several lines as one."""
    whole = re.sub(r"\\\n\s*", "", text)
    return [shlex.split(line)[1:] for line in re.findall(r"^ {4}(curl .+)$", whole, re.MULTILINE)]


def request(words, names, address):
    """What such a call sends: method, address, headers, body."""
    method, headers, body, where = "GET", {}, None, ""
    words = [re.sub(r"\$(\w+)", lambda found: names[found[1]], word) for word in words]
    while words:
        word = words.pop(0)
        match word:
            case "-X":
                method = words.pop(0)
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            case "-d":
                body = words.pop(0)
            case "-N":
                pass
            case "-c":
                words.pop(0)  # the file of curl's cookies
            case _:
                where = word
    return {"method": method, "url": where.replace("https://HOST", address), "headers": headers, "content": body}


def test_documented_calls_are_answered_so(project, server):
    text = (project / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
    table, _lobby, state, bid, late, events = curls(text)
    made = httpx2.request(**request(table, {}, server.address), timeout=20).json()
    names = {link["name"].upper(): link["address"].partition("#")[2] for link in made["seats"]} | {"TABLE": made["id"]}

    def sent(words):
        return httpx2.request(**request(words, names, server.address), timeout=20)

    said = sent(state).json()
    assert (said["names"], said["to_act"], said["seats"]) == (["Ada", "Bert", "Cleo"], [0], [0])
    first = {"kind": "bid", "private": 2, "amount": 35}
    (choice,) = [each for each in said["choices"] if each["action"] == first]
    assert choice["spans"] == {"amount": {"low": 35, "high": 600, "step": 5}}
    assert sent(bid).json() == {"number": 1, "seat": 0, "kind": "action"}
    for words in (bid, late):  # the same again, as after a broken connection; and what somebody else sends too late
        answer = sent(words)
        fault = answer.json()["error"]
        assert (answer.status_code, fault["code"], fault["number"]) == (409, "stale", 1)
        assert fault["message"] in text
        (since,) = fault["since"]
        assert f'"since": ["{since}"]'.replace("\N{NO-BREAK SPACE}", " ") in text
    with httpx2.stream(**request(events, names, server.address), timeout=20) as stream:
        told(stream.iter_lines(), 1)


def test_documented_open_table_is_listed(project, server):
    text = (project / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
    _, offered, *_ = curls(text)
    answer = httpx2.request(**request(offered, {}, server.address), timeout=20)
    assert answer.cookies["reader"]
    listed = httpx2.get(f"{server.address}/lobby.json?pace=week&language=de", timeout=20).json()
    assert answer.json()["id"] in [table["id"] for table in listed["tables"]]
