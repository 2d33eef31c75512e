"""The page of a position set up by hand through its routes: every game, a file brought, faults at their fields, bad input."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.builders.hand_positions import GAMES, second_stock_rounds
from trajekt.hand_position_file import read_position
from trajekt.hand_positions import set_up_position
from trajekt.registry import names, title
from trajekt.server.presenters.position_form import read_position_form, texts_of
from trajekt.server.presenters.set_up_page import GameSetUp

JSON = {"accept": "application/json", "content-type": "application/json", "accept-language": "en"}


@pytest.fixture(scope="module")
def written():
    return second_stock_rounds()


def form_of(client, position):
    answer = client.post(f"/set-up/{position['game']}/file", content=json.dumps(position).encode(), headers=JSON)
    assert answer.status_code == 200, answer.text
    return answer.json()


def check(client, game, form, **texts):
    sent = form | {"texts": form["texts"] | {name.replace("__", "."): text for name, text in texts.items()}}
    answer = client.post(f"/set-up/{game}", json=sent, headers=JSON)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("name", GAMES)
def test_form_says_what_file_says(written, name):
    """Texts of a file read again give the file, but for what is left at nothing."""
    position = read_position(json.dumps(written[name]).encode())
    found = title(name)
    sheet = found.sheet(found.options(position.options), None)
    own = GameSetUp(found, found.options(position.options)).own_fields()
    typed = read_position_form(name, position.options, sheet, texts_of(position, own), own)
    assert typed.faults == []
    again = typed.position
    plain = {"players": (), "companies": (), "display": None, "aside": {}, "own": {}}
    assert set_up_position(again).state.extra == set_up_position(position).state.extra
    assert msgspec.structs.replace(again, **plain) == msgspec.structs.replace(position, **plain)
    assert [each.id for each in again.companies] == [each.id for each in position.companies]
    for was, now in zip(position.companies, again.companies, strict=True):
        held = {place: percent for place, percent in now.shares.items() if place != "io"}
        assert held == {place: percent for place, percent in was.shares.items() if place != "io" and percent}
        same = {"shares": {}, "certificates": {}, "price": was.price, "tokens": None}
        assert (now.tokens or ()) == was.tokens
        assert msgspec.structs.replace(now, **same) == msgspec.structs.replace(was, **same)


@pytest.mark.parametrize("name", GAMES)
def test_brought_file_becomes_a_table(client, written, name):
    form = form_of(client, written[name])
    found = check(client, name, form)
    assert (found["faults"], found["names"]) == ({}, [each["name"] for each in written[name]["players"]])
    made = client.post("/tables/import", content=found["position"].encode(), headers=JSON)
    assert made.status_code == 201
    shown = client.get(f"{made.json()['address']}/position.json").json()
    kept = ("players", "companies", "tiles", "display", "bank", "phase", "priority")
    assert {key: shown[key] for key in kept} == {key: written[name][key] for key in kept}


def test_faults_stand_at_their_fields(client, written):
    form = form_of(client, written["18rhl"])
    company = written["18rhl"]["companies"][0]["id"]
    texts = {
        "players__0__cash": "dear", "tiles": "Z9 8 0, nowhere", f"companies__{company}__stations": "Z99:0",
        f"companies__{company}__trains": "99", f"shares__{company}__0": "5", "bank": "3",
    }  # fmt: skip
    found = check(client, "18rhl", form, **texts)
    assert found["position"] == ""
    assert set(found["faults"]) >= {
        "players.0.cash", "tiles", f"companies.{company}.stations", f"companies.{company}.trains", f"shares.{company}",
        "bank",
    }  # fmt: skip
    assert len(found["faults"]["tiles"]) == 2


def test_books_are_told(client, written):
    form = form_of(client, written["18rhl"])
    found = check(client, "18rhl", form, players__0__cash="99999")
    assert "more money is out than there is" in found["faults"]["bank"][0]
    assert 'data-faults="1"' in found["books"]


def test_map_comes_only_when_it_changes(client, written):
    form = form_of(client, written["18rhl"])
    first = check(client, "18rhl", form)
    assert "<svg" in first["map"]
    again = check(client, "18rhl", form | {"drawn": first["drawn"]})
    assert (again["map"], again["drawn"]) == ("", first["drawn"])
    assert check(client, "18rhl", form | {"drawn": first["drawn"]}, tiles="")["map"]


def test_hex_offers_tiles_of_every_colour(client, written):
    form = form_of(client, written["18rhl"])
    at = next(each["hex"] for each in written["18rhl"]["tiles"])
    panel = client.post("/set-up/18rhl/hex", json=form | {"hex": at}, headers=JSON)
    assert panel.status_code == 200
    colours = {word for word in ("t-yellow", "t-green", "t-brown") if word in panel.text}
    assert colours == {"t-yellow", "t-green", "t-brown"}
    assert panel.text.count('aria-pressed="true"') >= 1
    assert client.post("/set-up/18rhl/hex", json=form | {"hex": "Z99"}, headers=JSON).status_code == 404


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_game_has_the_page(client, game, language):
    page = client.get(f"/set-up/{game}", headers={"accept-language": language})
    assert page.status_code == 200
    assert "‹" not in page.text
    empty = check(client, game, {"options": {}, "texts": {}})
    assert empty["faults"][""]
    assert "<svg" in empty["map"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"options": {"edition": 99}}, 400),
        ({"texts": {"x": 3}}, 400),
        ({"texts": {"players.0.name": "A" * 900}}, 200),
        ({"texts": {"round.set": "99", "round.kind": "operating", "round.number": "77"}}, 200),
    ],
)
def test_bad_forms_are_told(client, sent, status):
    assert client.post("/set-up/18rhl", json=sent, headers=JSON).status_code == status


def test_foreign_files_are_refused(client, written):
    data = json.dumps(written["18lra"]).encode()
    assert client.post("/set-up/18rhl/file", content=data, headers=JSON).status_code == 400
    assert client.post("/set-up/18rhl/file", content=b"{", headers=JSON).status_code == 400
    assert client.get("/set-up/chess").status_code == 404
    assert client.get("/set-up/18rhl?options=[").status_code == 400
