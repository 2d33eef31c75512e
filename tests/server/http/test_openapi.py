"""The interface as it is described: every address is there, every body is read as it says, nothing brings the server down."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass

import httpx2
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Mount

from tests.server.conftest import OPTIONS, PLAYERS
from tests.server.friends import NEW, gathered
from tests.server.processes import ServerProcess
from tests.server.rows import rows
from trajekt.engine.codec import encode
from trajekt.registry import names
from trajekt.server.http.openapi import BODIES, all_routes, document
from trajekt.server.storage.database import connect

TABLE = {"game": "18rhl", "players": PLAYERS, "options": OPTIONS, "seed": 7}
HEAD = {"content-type": "application/json", "accept": "application/json"}
SPEC = json.loads(document())
POSTS = sorted(path for path, found in SPEC["paths"].items() if "post" in found)
GETS = sorted(path for path, found in SPEC["paths"].items() if "get" in found)


# The document --------------------------------------------------------------------------------------------------------


def test_every_address_is_described(client):
    served = {(route.path, m) for route in client.app.routes if not isinstance(route, Mount) for m in route.methods}
    described = {(path, m.upper()) for path, found in SPEC["paths"].items() for m in found}
    assert {each for each in served if each[1] != "HEAD"} == described
    assert all(operation["summary"] for found in SPEC["paths"].values() for operation in found.values())


def test_every_operation_has_own_name():
    ids = [operation["operationId"] for found in SPEC["paths"].values() for operation in found.values()]
    assert len(ids) == len(set(ids))


def test_every_body_is_described():
    assert set(POSTS) == set(BODIES)
    assert {route.path for route in all_routes() if "POST" in route.methods} == set(BODIES)


@pytest.mark.parametrize("game", ["", *names()])
def test_references_lead_somewhere(game):
    text = document(game).decode()
    components = json.loads(text)["components"]["schemas"]
    assert set(re.findall(r'"#/components/schemas/([^"]+)"', text)) <= set(components)


def test_schema_has_each_games_own_actions(client):
    plain, ruhr = (client.get(f"/openapi.json{query}").json() for query in ("", "?game=18ruhr"))
    assert "FoundMontan" in ruhr["components"]["schemas"]
    assert "FoundMontan" in plain["components"]["schemas"]
    assert "FoundMontan" not in client.get("/openapi.json?game=18rhl").json()["components"]["schemas"]
    for game, kinds in (
        ("18rhl", {"SetPar", "DeclareBankruptcy"}),
        ("18lra", {"DeclareBankruptcy"}),
        ("18do", {"Brew"}),
    ):
        assert kinds <= set(json.loads(document(game))["components"]["schemas"])  # of other editions and variants too
    assert client.get("/openapi.json?game=18xy").status_code == 404


@pytest.mark.parametrize("game", ["", *names()])
def test_validator_and_generators_take_it_whole(game):
    spec = json.loads(document(game))
    OpenAPIV31SpecValidator(spec).validate()
    schemas = spec["components"]["schemas"]
    for name, schema in schemas.items():
        assert name.isidentifier(), "a generator makes a class of it"
        assert schema["title"] == name, "two that are called alike are dropped"
    actions = {key for each in schemas["Action"]["anyOf"] for key in [each["$ref"].rpartition("/")[2]]}
    assert actions <= set(schemas)
    if game:
        tags = schemas["Action"]["discriminator"]["mapping"]
        assert set(tags.values()) == {each["$ref"] for each in schemas["Action"]["anyOf"]}


def test_any_games_action_is_valid():
    for kind in ("bid", "found_montan", "brew", "run_trains"):
        assert any(
            kind in SPEC["components"]["schemas"][each["$ref"].rpartition("/")[2]]["properties"]["kind"]["enum"]
            for each in SPEC["components"]["schemas"]["Action"]["anyOf"]
        ), kind


# A client's view of a table -----------------------------------------------------------------------------------------


def test_client_reads_choices_and_acts(client):
    id_, people = gathered(client)
    first = client.app.state.server.table.cache.get(id_).game.to_act[0]
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


def fits(answer, method="get", path="/t/{id}/state.json", spec=SPEC):
    """What is wrong with an answer by its description."""
    found = spec["paths"][path][method]["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**found, "components": spec["components"]})
    return [error.message for error in validator.iter_errors(answer.json())]


def test_answers_are_as_described(client):
    made = client.post("/tables", json=NEW)
    assert not fits(made, "post", "/tables")
    id_, people = gathered(client)
    for friend in people.values():
        if friend.token:
            assert not fits(friend.get("state.json"))
            assert not fits(friend.get("entries.json"), path="/t/{id}/entries.json")
    assert not fits(client.get(f"/t/{id_}/state.json", headers={"authorization": "Bearer nobody"}))
    wrong = client.get(f"/t/{id_}/state.json").json() | {"choices": [{"seat": 0, "action": {"kind": "fly"}}]}
    assert list(
        Draft202012Validator({"$ref": "#/components/schemas/TableState", "components": SPEC["components"]}).iter_errors(
            wrong
        )
    )


def test_client_follows_the_entries(client, id_):
    from trajekt.records import EntryFile, from_json, take

    kept = from_json(client.get(f"/t/{id_}/record.json").content)
    played = client.app.state.server.table.cache.get(id_).game
    for _ in range(6):
        choice = played.choices()[0]
        sent = {"number": played.number, "seat": choice.seat, "action": json.loads(encode(choice.action))}
        assert client.post(f"/t/{id_}/actions", json=sent).status_code == 200
    news = client.get(f"/t/{id_}/entries.json?after={kept.number}").json()
    assert [entry["number"] for entry in news["entries"]] == [1, 2, 3, 4, 5, 6]
    for entry in news["entries"]:
        take(kept, EntryFile(**entry))
    assert kept.state == played.state
    assert client.get(f"/t/{id_}/entries.json?after=6").json() == {"number": 6, "entries": []}
    for wrong in ("7", "-1", "x", "9" * 5000, "\u00b2"):
        assert client.get(f"/t/{id_}/entries.json?after={wrong}").status_code == 400
    stranger = client.get(f"/t/{id_}/entries.json", headers={"authorization": "Bearer nobody"})
    assert stranger.status_code in (200, 401)


def test_a_stale_answer_stays_short(client, id_):
    played = client.app.state.server.table.cache.get(id_).game
    for _ in range(40):
        choice = played.choices()[0]
        sent = {"number": played.number, "seat": choice.seat, "action": json.loads(encode(choice.action))}
        assert client.post(f"/t/{id_}/actions", json=sent).status_code == 200
    error = client.post(f"/t/{id_}/actions", json={"number": 0, "seat": 0, "action": {"kind": "pass"}}).json()["error"]
    assert (error["code"], error["number"], len(error["since"])) == ("stale", 40, 30)


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
    """Method, path with its parameters, the table and whose token, and a body: as described, with a fault, or anything."""
    method, path = draw(st.sampled_from([*(("POST", each) for each in POSTS * 2), *(("GET", each) for each in GETS)]))
    filled = {
        "id": draw(st.sampled_from(["screen", "friends", "friends", "nowhere"])),
        "game": draw(st.sampled_from(["18rhl", "18xy", "%C3%A4%2F.."])),
        "seat": draw(st.sampled_from(["0", "1", "7", "x"])),
        "number": draw(st.sampled_from(["0", "1", "-1", "x"])),
        "token": draw(st.sampled_from(["nobody", "mine"])),
        "hex": draw(st.sampled_from(["F9", "Z99", "%00"])),
        "rule": draw(st.sampled_from(["COMMON-TRK-02", "X"])),
        "name": draw(st.sampled_from(["privacy", "..", "%00"])),
        "company": draw(st.sampled_from(["CME", "nobody"])),
        "batch": draw(st.sampled_from(["0", "99", "x"])),
        "kind": draw(st.sampled_from(["company", "private", "train", "player", "x"])),
        "key": draw(st.sampled_from(["CME", "1", "2", "99", "%00"])),
        "set": draw(st.sampled_from(["nowhere", "%00"])),
    }
    queries = ["", "", "?at=0", "?at=x", "?at=99999999", "?game=18do", "?game=18xy", "?has=0&shows=0", "?has=0&shows=x"]
    query = draw(st.sampled_from(queries))
    who = draw(st.sampled_from(["host", "Bert", "Cleo", "watcher", "stranger", "wrong"]))
    if method == "GET":
        return method, path, filled, query, who, None
    body = draw(values(SPEC["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]))
    how = draw(st.sampled_from(["as described", "as described", "with a fault", "anything", "no JSON"]))
    if how == "anything":
        body = draw(ANYTHING)
    elif how == "with a fault" and isinstance(body, dict):
        body = body | {draw(st.sampled_from([*body, "unknown"])): draw(ANYTHING)}
    if how == "no JSON":
        return method, path, filled, query, who, draw(st.sampled_from(BROKEN) | st.binary(max_size=30))
    return method, path, filled, query, who, json.dumps(body).encode()


BROKEN = [
    b"",
    b"{",
    b"[" * 2000,
    b'{"a":' * 2000,
    b'{"number":0,"action":{"kind":"\xff"}}',
    b'"\xff"',
    b"\xfe\xff",
    b"1e999",
]


@dataclass
class Running:
    """A real server with a table at one screen and one of friends, and its database beside it."""

    http: httpx2.Client
    engine: sa.Engine
    tables: dict[str, str]
    tokens: dict[str, str]

    def send(self, method, path, filled, query, who, body):
        """Send a request; who asks too often waits as he is told, but not the quarter of an hour for passcodes."""
        here = {**filled, "id": self.tables[filled["id"]]}
        if filled["token"] == "mine":
            here["token"] = self.tokens["Bert"]
        address = re.sub(r"\{(\w+)\}", lambda found: here[found[1]], path) + query
        token = self.tokens.get(who)
        headers = HEAD if token is None else HEAD | {"authorization": f"Bearer {token}"}
        while True:
            answer = self.http.request(method, address, content=body, headers=headers)
            if answer.status_code != 429 or int(answer.headers["retry-after"]) > 2:
                return answer
            time.sleep(int(answer.headers["retry-after"]))


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi")
    process = ServerProcess(folder / "tables.db")
    process.start()
    with httpx2.Client(base_url=process.address, timeout=30) as http:
        screen = http.post("/tables", json=TABLE).json()["id"]
        made = http.post("/tables", json=NEW).json()
        tokens = {link["name"]: link["address"].partition("#")[2] for link in made["seats"]}
        watcher = made["watch"].partition("#")[2]
        http.cookies.clear()
        engine = connect(process.url)
        ids = {"screen": screen, "friends": made["id"], "nowhere": "nowhere"}
        yield Running(http, engine, ids, {**tokens, "host": tokens["Ada"], "watcher": watcher, "wrong": "nobody"})
        engine.dispose()
    process.stop()


@pytest.mark.slow
@settings(
    max_examples=int(os.environ.get("REQUESTS", "300")),  # some 4,000 take ten minutes
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # the server remembers: what failed once need not fail again
)
@given(requests())
def test_any_request_is_answered_as_described(running, sent):
    method, path = sent[:2]
    if method == "GET" and path.endswith("/events"):
        return  # it does not end
    for _ in range(3):  # a bot that plays meanwhile may be what changed something: look again
        before = rows(running.engine)
        running.http.cookies.clear()
        answer = running.send(*sent)
        unchanged = rows(running.engine) == before
        if unchanged or answer.status_code < 400:
            break
        time.sleep(0.5)
    assert answer.status_code < 500, (sent, answer.text)
    operation = SPEC["paths"][path][method.lower()]
    assert str(answer.status_code) in operation["responses"] or answer.status_code == 303, (sent, answer.text)
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error["code"]
        assert error["message"]
        assert "‹" not in error["message"]
        assert set(error) <= set(SPEC["components"]["schemas"]["Fault"]["properties"])
        assert unchanged, (sent, answer.text)


@pytest.mark.parametrize("broken", BROKEN)
def test_non_json_is_unreadable_everywhere(client, id_, broken):
    for path in POSTS:
        address = re.sub(r"\{(\w+)\}", lambda found: {"id": id_, "game": "18rhl"}.get(found[1], "0"), path)
        answer = client.post(address, content=broken, headers=HEAD)
        assert answer.status_code in {400, 403, 404, 409}, (address, answer.text)
        assert answer.json()["error"]["message"]


def test_page_of_addresses_names_routes(project):
    page = (project / "docs" / "reference" / "table.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(GET|POST) ([^`? ]+)", page))
    described = {
        (method.upper(), re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), path))
        for path, found in SPEC["paths"].items()
        for method in found
    }
    assert len(described) > 80
    assert described - told == set()
