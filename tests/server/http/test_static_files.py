"""Scripts and style sheets are sent without comments, compressed once, and not again to who has them; pages stay small."""

from __future__ import annotations

import gzip
import re

import pytest
from starlette.testclient import TestClient

from tests.server.http.open_page import GAMES
from trajekt.game import new_game
from trajekt.records import to_json
from trajekt.server.http.app import create_app
from trajekt.server.http.static_files import without_comments
from trajekt.server.storage.store import Store

START, TABLE = 60_000, 120_000
"""Bytes of a first visit as they are sent, with all scripts and styles."""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('static')}/tables.db")
    store.migrate()
    with TestClient(create_app(store)) as found:
        yield found


def sent(client, address):
    """A page or file as it is sent: its text, and the bytes on the line."""
    with client.stream("GET", address, headers={"accept-encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
        packed = answer.headers.get("content-encoding") == "gzip"
    return (gzip.decompress(raw) if packed else raw).decode(), len(raw)


def visit(client, address):
    """The bytes of a page with every script, style sheet and picture that it names, however far down."""
    text, total = sent(client, address)
    waiting = set(re.findall(r'(?:href|src)="(/(?:static|look)/[^"]+)"', text))
    seen = set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        inside, size = sent(client, path)
        total += size
        folder = path.rpartition("/")[0]
        named = re.findall(r'(?:from|import) "\./([^"]+)"', inside)
        waiting |= {f"{folder}/{name}" for name in named} - seen
    return total


def test_start_page_stays_small(client):
    assert visit(client, "/") <= START


@pytest.mark.parametrize("game", GAMES)
def test_table_page_stays_small(client, game):
    new = new_game(game, ("Ada", "Bert", "Cleo"), GAMES[game], seed=1)
    made = client.post("/tables/import", content=to_json(new), headers={"content-type": "application/json"}).json()
    assert visit(client, made["address"]) <= TABLE


def test_lines_stay_where_they_are():
    text = '// one\n  /** two\n   * three */\nlet four = "// no comment"; // kept\n/* five */\nsix();\n'
    assert without_comments(text) == '\n\n\nlet four = "// no comment"; // kept\n\nsix();\n'


def test_no_script_loses_its_code(client):
    text, _ = sent(client, "/static/region_updates.js")
    assert "export async function refresh" in text
    assert "// @ts-check" not in text


def test_known_file_is_not_sent_again(client):
    first = client.get("/static/base.css")
    again = client.get("/static/base.css", headers={"if-none-match": first.headers["etag"]})
    assert first.headers["content-type"].startswith("text/css")
    assert (again.status_code, again.content) == (304, b"")


def test_who_cannot_unpack_gets_it_plain(client):
    answer = client.get("/static/icon.svg", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.text.startswith("<svg")


def test_styles_of_all_games_are_one(client):
    text, _ = sent(client, "/look/all.css")
    parts = [sent(client, f"/look/{game}.css")[0] for game in ("18rhl", "18lra", "18ruhr", "18do")]
    assert all(part in text for part in parts)
