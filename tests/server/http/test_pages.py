"""The HTTP contract: pages and fragments, actions, one shape of fault for every kind of bad input, both languages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re

import pytest
from starlette.testclient import TestClient

from tests.server import loops
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.app import create_app
from trajekt.server.http.language import preferred, viewer_of
from trajekt.server.storage.pubsub import CHANGED, MOVED, Subscriptions

JSON = {"content-type": "application/json"}
BID = {"kind": "bid", "private": 2, "amount": 35}


def act(client, id_, number, action, **more):
    return client.post(f"/t/{id_}/actions", json={"number": number, "action": action, **more})


def error_of(response) -> dict:
    body = response.json()
    assert set(body) == {"error"}
    assert {"code", "message"} <= set(body["error"])
    assert body["error"]["message"]
    assert "‹" not in body["error"]["message"]
    return body["error"]


def test_start_page_lists_games_and_tables(client, id_):
    page = client.get("/").text
    assert "18Rhl" in page
    assert f'href="/t/{id_}"' in page
    assert "Ada, Bert, Cleo" in page
    assert "‹" not in page


def test_new_table_has_working_address(client):
    made = client.post("/tables", json={"game": "18rhl", "players": ["A", "B", "C"]})
    assert made.status_code == 201
    page = client.get(made.json()["address"])
    assert page.status_code == 200
    assert 'id="map-view"' in page.text
    assert "‹" not in page.text


def test_pages_carry_a_strict_policy(client, id_):
    for address in ("/", f"/t/{id_}"):
        answer = client.get(address)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        for script in re.findall(r"<script[^>]*>", answer.text):
            assert "src=" in script or "application/json" in script
        assert not re.search(r"\son\w+=", answer.text)


def test_action_is_answered_and_shown(client, id_):
    answer = act(client, id_, 0, BID)
    assert (answer.status_code, answer.json()) == (200, {"number": 1, "seat": 0, "kind": "action"})
    regions = client.get(f"/t/{id_}/regions").text
    assert 'data-number="1"' in regions
    assert "Ada bids 35" in regions


def test_page_choices_are_the_engines(client, id_):
    page = client.get(f"/t/{id_}").text
    game = client.app.state.server.table.cache.get(id_).game
    offered = {
        json.dumps(json.loads(v.replace("&#34;", '"'))) for v in re.findall(r'(?:value|data-choice)="(\{.*?\})"', page)
    }
    from msgspec import to_builtins

    legal = {json.dumps(to_builtins(choice.action)) for choice in (*game.choices(), *game.anytime_choices())}
    assert offered == legal


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Bargeld"), ("en", "Cash"), ("fr", "Cash"), ("de-AT;q=0.9,fr", "Bargeld")]
)
def test_the_browser_chooses_the_language(client, id_, language, word):
    assert word in client.get(f"/t/{id_}", headers={"accept-language": language}).text


def test_chosen_language_and_theme_win(client, id_):
    page = client.get(f"/t/{id_}", headers={"accept-language": "en", "cookie": "lang=de; theme=dark"}).text
    assert '<html lang="de" data-theme="dark"' in page
    assert "Bargeld" in page


def test_strange_headers_choose_the_usual():
    assert viewer_of({"lang": "xx", "theme": "pink"}, "") == Viewer("en", "")
    assert preferred(";;;q=,de;q=x, *") == "en"
    assert preferred("de;q=0, en;q=0.1") == "en"


# Refusals and faults -------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-AUC-05")
@pytest.mark.parametrize(("language", "words"), [("en", "The bid is too low"), ("de", "Gebot")])
def test_refusal_names_rule_in_readers_language(client, id_, language, words):
    answer = client.post(
        f"/t/{id_}/actions", json={"number": 0, "action": BID | {"amount": 31}}, headers={"accept-language": language}
    )
    error = error_of(answer)
    assert answer.status_code == 422
    assert (error["code"], error["rule"]) == ("bid_too_low", "COMMON-AUC-05")
    assert words in error["message"]
    assert client.get(f"/t/{id_}/regions").text.count('data-number="0"') == 1


def test_stale_page_learns_what_happened(client, id_):
    act(client, id_, 0, BID)
    answer = act(client, id_, 0, {"kind": "pass"}, seat=0)
    error = error_of(answer)
    assert answer.status_code == 409
    assert error["number"] == 1
    assert error["since"] == ["Ada bids 35\u00a0M on Concession Essen-Osterath"]


def test_a_double_click_acts_once(client, id_):
    body = {"number": 0, "seat": 0, "action": {"kind": "buy_private", "private": 1}}
    codes = [client.post(f"/t/{id_}/actions", json=body).status_code for _ in range(2)]
    assert codes == [200, 409]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"", "$"),
        (b"nonsense", "$"),
        (b'{"number": -0.5, "action": {"kind": "pass"}}', "$.number"),
        (b'{"number": 0, "action": {"kind": "pass"}, "seats": 1}', "$"),
        (b'{"number": 0, "action": {"kind": "lay_tile", "hex": "E6", "tile": 7, "turn": 0}}', "$.action.tile"),
    ],
)
def test_unreadable_is_400_with_the_place(client, id_, body, path):
    for what in ("actions", "preview"):
        answer = client.post(f"/t/{id_}/{what}", content=body, headers=JSON)
        error = error_of(answer)
        assert (answer.status_code, error["code"], error["path"]) == (400, "unreadable", path)


@pytest.mark.parametrize("what", ["actions", "undo", "redo", "preview"])
def test_deeds_at_no_table_are_404(client, what):
    answer = client.post(
        f"/t/nowhere/{what}", json={"number": 0, "action": {"kind": "pass"}} if what != "undo" else {"number": 0}
    )
    assert (answer.status_code, error_of(answer)["code"]) == (404, "unknown")


@pytest.mark.parametrize(
    "address",
    ["/t/nowhere", "/t/nowhere/regions", "/t/nowhere/record.json", "/t/nowhere/events", "/x", "/look/nothing.css"],
)
def test_addresses_of_nothing_are_404(client, address):
    answer = client.get(address, headers={"accept": "application/json"})
    assert (answer.status_code, error_of(answer)["code"]) == (404, "unknown")


def test_wrong_address_gets_a_page(client):
    answer = client.get("/t/nowhere", headers={"accept": "text/html", "accept-language": "de"})
    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text


@pytest.mark.parametrize(
    ("at", "status"), [("0", 200), ("1", 200), ("2", 404), ("-1", 400), ("x", 400), ("9" * 30, 400), ("1%00", 400)]
)
def test_page_of_moment_has_status(client, id_, at, status):
    act(client, id_, 0, BID)
    answer = client.get(f"/t/{id_}/regions?at={at}", headers={"accept": "application/json"})
    assert answer.status_code == status
    if status != 200:
        error_of(answer)


def test_the_past_offers_no_deeds(client, id_):
    act(client, id_, 0, BID)
    page = client.get(f"/t/{id_}?at=0").text
    assert 'id="action-form"' not in page
    assert 'data-live=""' in page
    assert "Back to now" in page


def test_wrong_methods_have_same_shape(client, id_):
    assert error_of(client.get(f"/t/{id_}/actions", headers={"accept": "application/json"}))["code"] == "method"
    form = client.post(f"/t/{id_}/actions", data={"number": 0})
    assert (form.status_code, error_of(form)["code"]) == (415, "json_only")
    large = client.post(f"/t/{id_}/actions", content=b"[" * 70_000, headers=JSON)
    assert (large.status_code, error_of(large)["code"]) == (413, "too_large")


def test_another_site_cannot_act(client, id_):
    body = {"number": 0, "action": BID}
    answer = client.post(f"/t/{id_}/actions", json=body, headers={"origin": "https://elsewhere.example"})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "other_site")
    answer = client.post(f"/t/{id_}/actions", json=body, headers={"origin": "http://testserver"})
    assert answer.status_code == 200


def test_player_text_never_becomes_markup(client):
    evil = '<img src=x onerror="alert(1)">'
    made = client.post("/tables", json={"game": "18rhl", "players": [evil, "B", "C"], "options": {"fixed_seats": True}})
    id_ = made.json()["id"]
    act(client, id_, 0, BID)
    for address in ("/", f"/t/{id_}", f"/t/{id_}?at=0"):
        assert "<img" not in client.get(address).text


# Fragments -----------------------------------------------------------------------------------------------------------


def test_preview_shows_but_changes_nothing(client, id_):
    body = {"number": 0, "seat": 0, "action": {"kind": "buy_private", "private": 1}}
    answer = client.post(f"/t/{id_}/preview", json=body)
    assert answer.status_code == 200
    assert "−20" in answer.json()["outcome"]
    assert client.app.state.server.table.store.game(id_).number == 0


def test_preview_of_refused_is_refused(client, id_):
    answer = client.post(f"/t/{id_}/preview", json={"number": 0, "action": BID | {"amount": 31}})
    assert (answer.status_code, error_of(answer)["rule"]) == (422, "COMMON-AUC-05")


def test_hex_says_why_nothing_fits(client, id_):
    assert client.get(f"/t/{id_}/hex/K6").status_code == 200
    assert client.get(f"/t/{id_}/hex/Z99", headers={"accept": "application/json"}).status_code == 404


def test_tiles_left_are_drawn(client, id_):
    page = client.get(f"/t/{id_}/tiles").text
    assert page.count("<svg") > 40
    assert "×" in page


def test_undo_redo_record_and_import(client, id_):
    act(client, id_, 0, BID)
    assert client.post(f"/t/{id_}/undo", json={"number": 1}).json()["number"] == 2
    assert client.post(f"/t/{id_}/redo", json={"number": 2}).json()["number"] == 3
    again = client.post(f"/t/{id_}/redo", json={"number": 3})
    assert (again.status_code, error_of(again)["code"]) == (422, "nothing_to_redo")
    record = client.get(f"/t/{id_}/record.json")
    assert "attachment" in record.headers["content-disposition"]
    made = client.post("/tables/import", content=record.content, headers=JSON)
    assert made.status_code == 201
    assert client.get(f"/t/{made.json()['id']}/record.json").content == record.content
    broken = client.post("/tables/import", content=record.content.replace(b'"bid"', b'"bet"', 1), headers=JSON)
    assert (broken.status_code, error_of(broken)["path"]) == (400, "$.entries[0]")


def test_static_files_and_looks_are_served(client):
    for address in ("/static/table.js", "/static/vendor/idiomorph-0.8.0.js", "/static/base.css", "/look/18rhl.css"):
        assert client.get(address).status_code == 200
    assert ".tok-RhE" in client.get("/look/18rhl.css").text
    assert client.get("/static/../store.py").status_code == 404


# The stream ----------------------------------------------------------------------------------------------------------


def test_watchers_get_the_newest_number_once():
    async def watched() -> list[int]:
        subscriptions = Subscriptions()
        got: list[int] = []

        async def watch() -> None:
            # closed at its end: left to itself, a generator is closed some time later, from Python 3.12 on
            async with contextlib.aclosing(subscriptions.subscribe("one", 4)) as news:
                async for _, number in news:
                    got.append(number)
                    if number == 7:
                        return

        task = asyncio.create_task(watch())
        await asyncio.sleep(0.01)
        subscriptions.publish("other", 9)
        for number in (5, 6, 7):
            subscriptions.publish("one", number)
        await asyncio.wait_for(task, 2)
        assert subscriptions.watching("one") == 0
        return got

    assert loops.run(watched()) == [4, 7]


def test_move_heard_twice_is_told_once():
    """Who made a move tells it, and then the database tells it to all servers, this one among them."""

    async def watched() -> list[tuple[str, int]]:
        subscriptions, got, heard = Subscriptions(), [], asyncio.Event()

        async def watch() -> None:
            async with contextlib.aclosing(subscriptions.subscribe("one", 4)) as news:
                async for kind, number in news:
                    got.append((kind, number))
                    heard.set()
                    if kind == CHANGED:
                        return

        async def said(number: int, kind: str = MOVED) -> None:
            subscriptions.publish("one", number, kind)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

        task = asyncio.create_task(watch())
        await heard.wait()
        for number in (5, 5, 4, 6, 5):
            await said(number)
        await said(0, CHANGED)
        await asyncio.wait_for(task, 20)
        return got

    assert loops.run(watched()) == [(MOVED, 4), (MOVED, 5), (MOVED, 6), (CHANGED, 0)]


def test_page_texts_are_in_both_languages():
    import tomllib
    from importlib import resources

    def texts(language: str) -> dict[str, str]:
        return tomllib.loads(resources.files("trajekt.server").joinpath(f"{language}.toml").read_text(encoding="utf-8"))

    english, german = texts("en"), texts("de")
    assert english.keys() == german.keys()
    for key, text in english.items():
        assert sorted(re.findall(r"\{(\w+)\}", text)) == sorted(re.findall(r"\{(\w+)\}", german[key])), key


def test_texts_in_templates_exist():
    from importlib import resources

    catalogue = Viewer("en").catalogue()
    folder = resources.files("trajekt.server").joinpath("templates")
    asked = {
        key
        for file in folder.iterdir()
        for key in re.findall(r"say\.text\('(page\.[\w.]*\w)'[,)]", file.read_text(encoding="utf-8"))
    }
    assert len(asked) > 60
    assert {key for key in asked if key not in catalogue} == set()


def test_vendored_library_is_the_reviewed_one(project):
    import hashlib

    folder = project / "src" / "trajekt" / "server" / "static" / "vendor"
    lock = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert {path.name for path in folder.iterdir()} == {*lock, "SHA256SUMS"}
    for name, digest in lock.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


def test_closed_application_releases_its_store(url):
    from trajekt.server.storage.store import Store

    store = Store(url)
    store.migrate()
    with TestClient(create_app(store)) as client:
        assert client.get("/").status_code == 200
    assert store.engine.pool.checkedin() == 0


def test_internal_error_has_same_shape(store, id_, monkeypatch):
    from trajekt.server.http import actions

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(actions, "action_preview", broken)
    with TestClient(create_app(store), raise_server_exceptions=False) as client:
        answer = client.post(f"/t/{id_}/preview", json={"number": 0, "action": BID})
    assert (answer.status_code, error_of(answer)["code"]) == (500, "bug")


@pytest.mark.rule("LRA-TWO-01")
def test_start_page_counts_variant_players(client):
    page = client.get("/").text
    assert page.count("2 to 4 players") >= 1  # 18LRA: two with the Investor
    assert page.count("3 to 6 players") >= 2  # 18Rhl and 18Ruhr
