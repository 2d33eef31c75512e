"""The interface as it is described: every address is there, every body is read as it says, nothing brings the server down."""

from __future__ import annotations

import json
import re
import time

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.routing import Mount

from tests.table.conftest import OPTIONS, PLAYERS
from tests.table.friends import gathered
from tests.table.processes import ServerProcess
from trajekt.table.openapi import BODIES, all_routes, document
from trajekt.titles import names

TABLE = {"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}
HEAD = {"content-type": "application/json", "accept": "application/json"}
SPEC = json.loads(document())
POSTS = sorted(path for path, found in SPEC["paths"].items() if "post" in found)


# The document --------------------------------------------------------------------------------------------------------


def test_every_address_is_described_with_what_it_does(client):
    served = {(route.path, m) for route in client.app.routes if not isinstance(route, Mount) for m in route.methods}
    described = {(path, m.upper()) for path, found in SPEC["paths"].items() for m in found}
    assert {each for each in served if each[1] != "HEAD"} == described
    assert all(operation["summary"] for found in SPEC["paths"].values() for operation in found.values())


def test_every_body_is_described():
    assert set(POSTS) == set(BODIES)
    assert {route.path for route in all_routes() if "POST" in route.methods} == set(BODIES)


@pytest.mark.parametrize("game", ["", *names()])
def test_references_lead_somewhere(game):
    text = document(game).decode()
    components = json.loads(text)["components"]["schemas"]
    assert set(re.findall(r'"#/components/schemas/([^"]+)"', text)) <= set(components)


def test_a_games_own_actions_are_there_and_an_unknown_game_is_not(client):
    plain, ruhr = (client.get(f"/openapi.json{query}").json() for query in ("", "?game=18ruhr"))
    assert "FoundMontan" in ruhr["components"]["schemas"]
    assert "FoundMontan" not in plain["components"]["schemas"]
    assert client.get("/openapi.json?game=18xy").status_code == 404


# A program's view of a table -----------------------------------------------------------------------------------------


def test_a_program_reads_what_it_may_do_and_does_it(client):
    id_, people = gathered(client)
    first = client.app.state.server.table.live.table(id_).game.to_act[0]
    friend = next(each for each in people.values() if each.seat == first and each.token)
    seen = friend.get("state.json").json()
    assert (seen["number"], seen["seats"], seen["to_act"]) == (0, [first], [first])
    assert {choice["seat"] for choice in seen["choices"]} == {first}
    action = next(c["action"] for c in seen["choices"] if c["action"]["kind"] == "pass")
    assert friend.play(seen["number"], **action).status_code == 200
    after = friend.get("state.json").json()
    assert (after["number"], after["choices"]) == (1, [])  # another one is awaited
    stranger = client.get(f"/t/{id_}/state.json", headers={"authorization": "Bearer nobody"})
    assert stranger.status_code == 401


# Generated requests --------------------------------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def values(schema, depth=0):
    """Values that a schema allows."""
    if "$ref" in schema:
        return values(SPEC["components"]["schemas"][schema["$ref"].rpartition("/")[2]], depth + 1)
    if "allOf" in schema:
        base, more = schema["allOf"]
        return st.tuples(values(base, depth + 1), values(more["properties"]["action"], depth + 1)).map(
            lambda both: both[0] | {"action": both[1]}
        )
    if "anyOf" in schema:
        return st.one_of(*(values(each, depth + 1) for each in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    kind = schema.get("type")
    if kind == "object":
        wanted = schema.get("properties", {})
        known = {name: values(each, depth + 1) for name, each in wanted.items()}
        needed = set(schema.get("required", ()))
        extra = schema.get("additionalProperties")
        if not known and isinstance(extra, dict):
            return st.dictionaries(st.text(max_size=6), values(extra, depth + 1), max_size=2)
        return st.fixed_dictionaries(
            {name: each for name, each in known.items() if name in needed},
            optional={name: each for name, each in known.items() if name not in needed},
        )
    if kind == "array":
        if "prefixItems" in schema:
            return st.tuples(*(values(each, depth + 1) for each in schema["prefixItems"])).map(list)
        return st.lists(values(schema.get("items") or {}, depth + 1), max_size=3)
    plain = {
        "string": st.text(max_size=20) | st.sampled_from(["F9", "CME", "18rhl", "Ada", "steady"]),
        "integer": st.integers(-2, 60),
        "number": st.floats(-1, 40),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return plain.get(kind, ANYTHING)


@st.composite
def requests(draw):
    """A path with its parameters filled, and a body: as described, with a fault, or anything at all."""
    path = draw(st.sampled_from(POSTS))
    body = draw(values(SPEC["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]))
    how = draw(st.sampled_from(["as described", "as described", "with a fault", "anything"]))
    if how == "anything":
        body = draw(ANYTHING)
    elif how == "with a fault" and isinstance(body, dict):
        body = body | {draw(st.sampled_from([*body, "unknown"])): draw(ANYTHING)}
    filled = {"game": draw(st.sampled_from(["18rhl", "18xy", "ä/.."])), "seat": draw(st.sampled_from(["0", "7", "x"]))}
    filled |= {"number": draw(st.sampled_from(["0", "1", "-1", "x"])), "token": "nobody", "hex": "F9", "rule": "X"}
    return path, filled, body


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi")
    process = ServerProcess(folder / "tables.db")
    process.start()
    with httpx2.Client(base_url=process.address, headers=HEAD, timeout=30) as http:
        made = http.post("/tables", json=TABLE).json()["id"]
        yield http, made
    process.stop()


def standing(http, id_):
    """Where the table stands; who asks too often waits as he is told."""
    answer = http.get(f"/t/{id_}/state.json")
    while answer.status_code == 429:
        time.sleep(int(answer.headers["retry-after"]))
        answer = http.get(f"/t/{id_}/state.json")
    return answer.json()["number"]


@pytest.mark.slow
@settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # the server remembers: what failed once need not fail again
)
@given(requests())
def test_whatever_is_sent_is_answered_as_described(running, sent):
    http, id_ = running
    path, filled, body = sent
    address = path.replace("{id}", id_)
    for name, value in filled.items():
        address = address.replace("{" + name + "}", httpx2.URL(f"http://x/{value}").raw_path.decode()[1:] or "x")
    before = standing(http, id_)
    answer = http.post(address, content=json.dumps(body).encode())
    assert answer.status_code < 500, (address, body, answer.text)
    if answer.status_code == 429:
        return
    assert str(answer.status_code) in SPEC["paths"][path]["post"]["responses"] or answer.status_code == 404
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error["code"]
        assert error["message"]
        assert "‹" not in error["message"]
        assert standing(http, id_) == before
