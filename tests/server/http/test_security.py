"""What every request passes: other sites, sizes, rates, headers, the content policy; text of players is never markup.

`docs/guide/security.md` names these tests beside what they show.
"""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from starlette.testclient import TestClient

from tests.server import loops
from tests.server.friends import NEW, PLAYERS, code, gathered
from trajekt.registry import names, title
from trajekt.server.http.app import create_app
from trajekt.server.http.origin_check import from_elsewhere
from trajekt.server.http.rate_limit import Limits, Rate, TokenBuckets
from trajekt.server.http.request_guard import RequestGuard

EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'); alert(1); ('",
    "{{ 7*7 }}",
    "</script><b>",
    "&lt;b&gt;",
)


# Other sites ---------------------------------------------------------------------------------------------------------


WRITES = (
    "/tables",
    "/tables/import",
    "/tables/guided/18rhl",
    "/me",
    "/me/in",
    "/me/out",
    "/me/link",
    "/t/{id}/actions",
    "/t/{id}/undo",
    "/t/{id}/redo",
    "/t/{id}/preview",
    "/t/{id}/sit",
    "/t/{id}/seats/0/link",
    "/t/{id}/consent-requests",
    "/t/{id}/looking",
    "/t/{id}/no-such-thing",
)


@pytest.mark.parametrize(
    "sent",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=lambda sent: "-".join(sent.values()),
)
def test_no_write_comes_from_another_site(client, id_, sent):
    for where in WRITES:
        answer = client.post(where.format(id=id_), json={"number": 0, "action": {"kind": "pass"}}, headers=sent)
        assert code(answer) == (403, "other_site"), where
    assert client.get(f"/t/{id_}/record.json").json()["entries"] == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_are_writes_too(client, id_, method):
    answer = client.request(method, f"/t/{id_}", headers={"sec-fetch-site": "cross-site"})
    assert code(answer) == (403, "other_site")


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""])
def test_a_form_cannot_write(client, id_, kind):
    body = b'{"number": 0, "action": {"kind": "pass"}}'
    answer = client.post(f"/t/{id_}/actions", content=body, headers={"content-type": kind})
    assert code(answer) == (415, "json_only")


def test_link_from_another_site_works(client, id_):
    assert client.get(f"/t/{id_}", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_client_request_comes_from_nowhere_else():
    from starlette.datastructures import Headers

    assert not from_elsewhere(Headers({"host": "a.example"}))
    assert not from_elsewhere(Headers({"host": "a.example:8018", "origin": "http://a.example:8018"}))
    assert from_elsewhere(Headers({"host": "a.example:8018", "origin": "http://a.example"}))
    assert from_elsewhere(Headers({"host": "a.example", "origin": "http://a.example.evil.example"}))


# The content policy ----------------------------------------------------------------------------------------------------


def pages(client, id_):
    """All pages and fragments of a table, by address."""
    hexes = re.findall(r'data-hex="([^"]+)"', client.get(f"/t/{id_}").text)
    wheres = ["", "/regions", f"/hex/{hexes[0]}", "/tiles", "/charts", "/key", "/print"]
    game = client.get(f"/t/{id_}/record.json").json()["game"]
    others = ["/", "/me", "/me/in", f"/rules/{game}", f"/box/{game}"]
    for where in [*(f"/t/{id_}{each}" for each in wheres), *others]:
        answer = client.get(where, headers={"accept": "text/html"})
        assert answer.status_code == 200, where
        yield where, answer


@pytest.mark.parametrize("game", names())
def test_pages_hold_no_script_or_style(client, game):
    low = min(low for low, _ in title(game).editions.values())
    told = client.post("/tables", json={"game": title(game).id, "players": list("ABCDEF")[: max(low, 3)]}).json()
    for where, answer in pages(client, told["id"]):
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        found = answer.text
        assert not re.search(r"\sstyle=", found), (where, re.search(r".{60}\sstyle=.{60}", found))
        assert "<style" not in found, where
        assert not re.search(r"<[^>]+\son\w+=", found), where
        for script in re.findall(r"<script[^>]*>", found):
            assert 'src="/static/' in script or 'type="application/json"' in script, (where, script)
        assert "javascript:" not in found


@pytest.mark.parametrize("where", ["/", "/me", "/static/table.js", "/nowhere", "/look/plain.css"])
def test_every_answer_has_strict_headers(client, where):
    sent = client.get(where).headers
    assert sent["x-content-type-options"] == "nosniff"
    assert sent["referrer-policy"] == "same-origin"
    assert sent["cross-origin-opener-policy"] == "same-origin"
    assert sent["cross-origin-resource-policy"] == "same-origin"


def test_refusals_have_them_too(client):
    answer = client.post("/tables", json={}, headers={"origin": "https://elsewhere.example"})
    assert answer.headers["x-content-type-options"] == "nosniff"


# Text of players -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evil", EVIL)
def test_names_of_players_are_never_markup(client, evil):
    told = client.post(
        "/tables", json={"game": "18rhl", "players": [evil[:40], "Bert", "Cleo"], "options": {"fixed_seats": True}}
    ).json()
    client.post(f"/t/{told['id']}/actions", json={"number": 0, "action": {"kind": "pass"}})
    client.post(f"/t/{told['id']}/undo", json={"number": 1})
    for where, answer in pages(client, told["id"]):
        for part in ("<script>alert", "<img", "</script><b>", "<b>;"):
            assert part not in answer.text, where
    if evil == "{{ 7*7 }}":
        assert evil in client.get(f"/t/{told['id']}").text


@pytest.mark.parametrize("evil", EVIL)
def test_names_among_friends_are_never_markup(client, evil):
    name = evil[:40]
    answer = client.post("/tables", json=NEW | {"players": [name, "Bert", "Cleo"], "you": name})
    told = answer.json()
    client.post(f"{told['address']}/actions", json={"number": 0, "action": {"kind": "pass"}})
    client.post("/me", json={"name": name, "passcode": "12345"})
    for where in (told["address"], f"{told['address']}/seats", f"{told['address']}/seats/menu", "/me"):
        shown = client.get(where, headers={"accept": "text/html"}).text
        assert "<script>alert" not in shown
        assert "<img" not in shown
        assert "</script><b>" not in shown
    fault = client.post(f"{told['address']}/actions", json={"number": 1, "action": {"kind": "pass"}, "seat": 1})
    assert fault.headers["content-type"] == "application/json"


# Sizes and what cannot be read -----------------------------------------------------------------------------------------


def test_requests_are_bounded_in_size(client, id_):
    sizes = {f"/t/{id_}/actions": 70_000, f"/t/{id_}/sit": 70_000, "/me": 70_000, f"/t/{id_}/looking": 70_000}
    for where, size in (sizes | {"/tables": 140_000, "/workshop/18ruhr": 140_000}).items():
        answer = client.post(where, json={"x": "y" * size})
        assert code(answer) == (413, "too_large"), where


FORGED = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"number": 0}',
    b'{"number": -1, "action": {"kind": "pass"}}',
    b'{"number": 0, "action": {"kind": "pass"}, "by": "stand-in"}',
    b'{"number": 0, "action": {"kind": "pass"}, "seat": 99}',
    b'{"number": 0, "action": {"kind": "pass"}, "seat": "0"}',
    b'{"number": 0, "action": {"kind": "set_cash", "amount": 999}}',
    b'{"number": 1e400, "action": {"kind": "pass"}}',
    b'{"number": 0, "action": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b"\xff\xfe\x00",
    json.dumps({"number": 10**30, "action": {"kind": "pass"}}).encode(),
)


@pytest.mark.parametrize("body", FORGED, ids=range(len(FORGED)))
def test_forged_action_is_clear_error(client, body):
    id_, people = gathered(client)
    for where in (
        "actions",
        "undo",
        "redo",
        "sit",
        "consent-requests",
        "consent-requests/1",
        "seats/0/stand-in",
        "looking",
    ):
        answer = client.post(
            f"/t/{id_}/{where}",
            content=body,
            headers=people["Ada"].headers | {"content-type": "application/json"},
        )
        assert 400 <= answer.status_code < 500, (where, answer.text)
        assert set(answer.json()) == {"error"}
        assert answer.json()["error"]["message"]
    assert people["Ada"].get("record.json").json()["entries"] == []


# Rates -----------------------------------------------------------------------------------------------------------------


def test_a_bucket_fills_again():
    bucket = TokenBuckets(Rate(burst=10, again=2))
    assert [bucket.take("a", 4, 0.0) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert bucket.take("b", 4, 0.0) == 0.0
    assert bucket.take("a", 4, 0.9) == pytest.approx(0.1)
    assert bucket.take("a", 4, 1.0) == 0.0
    assert bucket.take("a", 10, 1000.0) == 0.0  # never more than the burst
    assert bucket.take("a", 1, 1000.0) == pytest.approx(0.5)


def test_excess_requests_must_wait(store):
    limits = Limits(viewer=Rate(40, 1), address=Rate(120, 1))
    with TestClient(create_app(store, limits=limits), client=("203.0.113.7", 1)) as client:
        id_, people = gathered(client)
        answers = [people["Ada"].get("seats") for _ in range(60)]
        assert answers[0].status_code == 200
        refused = next(answer for answer in answers if answer.status_code != 200)
        assert code(refused) == (429, "too_many")
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["error"]["retry_after"] >= 1
        assert "again in" in refused.json()["error"]["message"]
        assert people["Bert"].get("seats").status_code == 200  # another viewer is not held up
        strangers = [client.get("/look/plain.css") for _ in range(130)]
        assert strangers[-1].status_code == 429  # but one address is bounded as a whole
    assert id_


def test_open_requests_per_address_are_bounded(store):
    async def held() -> list[int]:
        entered, leave, answers = asyncio.Event(), asyncio.Event(), []

        async def waits(scope, receive, send):
            entered.set()
            await leave.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        guard = RequestGuard(waits, Limits(streams=2))
        app = create_app(store)

        async def ask(address):
            scope = {
                "type": "http",
                "method": "GET",
                "path": "/",
                "query_string": b"",
                "headers": [],
                "client": (address, 1),
                "app": app,
            }

            async def send(message):
                if message["type"] == "http.response.start":
                    answers.append(message["status"])

            await guard(scope, None, send)

        pages = [asyncio.create_task(ask("203.0.113.7")) for _ in range(2)]
        await entered.wait()
        await ask("203.0.113.7")
        pages.append(asyncio.create_task(ask("203.0.113.8")))
        leave.set()
        await asyncio.gather(*pages)
        await ask("203.0.113.7")
        assert not guard.open
        return answers

    assert loops.run(held()) == [429, 200, 200, 200, 200]


def test_own_machine_is_not_counted(store):
    limits = Limits(address=Rate(5, 0.001))
    with TestClient(create_app(store, limits=limits), client=("127.0.0.1", 1)) as client:
        assert {client.get("/look/plain.css").status_code for _ in range(20)} == {200}


def test_limits_are_far_above_play(client):
    _, people = gathered(client)
    number = 0
    for _ in range(20):  # three bids a second and every page drawn anew is what bots do
        for name in PLAYERS:
            answer = people[name].play(number, kind="bid", private=2, amount=35 + 5 * number)
            assert answer.status_code in (200, 422), answer.text
            number += answer.status_code == 200
        assert {people[name].get("seats").status_code for name in PLAYERS} == {200}
    assert number > 10
