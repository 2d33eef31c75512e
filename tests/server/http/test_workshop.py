"""The workshop through its routes: sets begun, brought, stated entry by entry, judged, compared, played with; bad input."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from trajekt.engine.components.component_sets import whole_entries
from trajekt.registry import names, title
from trajekt.server.accounts.viewer import Viewer

SET = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Bert"\nversion = "7"\n\n[trains.2]\nprise = 3\n\n[boats.1]\na = 1\n'


@pytest.fixture
def address(client):
    made = client.post("/workshop/18ruhr", json={"name": "Ada", "edition": 2})
    assert made.status_code == 201
    return made.json()["address"]


def state(client, address, entry, do="keep", **texts):
    texts = {name.replace("__", "."): text for name, text in texts.items()}
    done = client.post(f"{address}/entry", json={"entry": entry, "texts": texts, "do": do})
    assert done.status_code == 200, done.text
    return done.json()


def file_of(client, address):
    return client.get(f"{address}/set.toml").text


@pytest.mark.parametrize("game", names())
def test_every_game_has_a_workshop(client, game):
    assert client.get(f"/workshop/{game}").status_code == 200
    edition = {"18ruhr": 2, "18rhl": 2}.get(game, 1)
    made = client.post(f"/workshop/{game}", json={"name": "Ada", "edition": edition}).json()
    page = client.get(made["address"])
    assert page.status_code == 200
    assert page.text.count('data-action="open-entry"') > 150


def test_stated_entry_stands_in_the_file(client, address):
    done = state(client, address, "trains/2", price="110")
    assert done["stored"]
    assert "[trains.2]" in file_of(client, address)
    assert "price = 110" in file_of(client, address)
    assert "is-differs" in done["list"]


def test_entry_that_is_so(client, address):
    assert state(client, address, "hexes/G6", "so")["stored"]
    assert '[hexes.G6]  # ours: X\nsrc = "O"' in file_of(client, address)
    state(client, address, "hexes/G6", "ours")
    assert "G6" not in file_of(client, address)


def test_faults_show_while_typing(client, address):
    typed = state(client, address, "hexes/O2", do="", stops__0__revenue="yellow 25")
    assert not typed["stored"]
    assert "25 is no multiple of 10" in typed["form"]
    assert "O2" not in file_of(client, address)
    unread = state(client, address, "trains/2", do="", price="dear")
    assert "should be a whole number" in unread["form"]


def test_faulty_entry_is_kept_and_told(client, address):
    assert state(client, address, "tiles/1", "gone")["stored"]
    assert 'faulty" data-action="open-entry" data-entry="totals"' in client.get(address).text
    assert "96 are printed, the sheet has 95" in client.get(f"{address}/entry", params={"entry": "totals"}).text
    refused = client.post(
        "/tables", json={"game": "18ruhr", "players": ["A", "B", "C"], "component_set": address.split("/")[-1]}
    )
    assert (refused.status_code, refused.json()["error"]["path"]) == (400, "$.component_set")


def test_another_version_names_its_entries(client):
    text = '[set]\ngame = "18ruhr"\nname = "Bert"\n[trains.2]\nprice = 110\n[set.over]\n"trains/2" = "00000000"\n'
    address = client.post("/workshop/18ruhr", json={"text": text}).json()["address"]
    assert "Our sheet has changed" in client.get(address).text
    assert "Our sheet has changed here" in client.get(f"{address}/entry?entry=trains/2").text
    done = state(client, address, "trains/2", price="110")
    assert "Our sheet has changed" not in done["list"] + done["form"]
    assert "price = 110" in file_of(client, address)


def test_faults_are_told_in_german(client, address):
    sent = {"entry": "hexes/O2", "texts": {"stops.0.revenue": "yellow 25"}}
    typed = client.post(f"{address}/entry", json=sent, headers={"accept-language": "de"}).json()
    assert "25 ist kein Vielfaches von 10" in typed["form"]


def test_brought_file_loses_nothing(client):
    address = client.post("/workshop/18ruhr", json={"text": SET}).json()["address"]
    assert file_of(client, address) == SET
    page = client.get(address).text
    assert "trains.2.prise" in page or "prise" in client.get(f"{address}/entry?entry=trains/2").text
    assert "boats" in page
    state(client, address, "trains/3", price="210")
    kept = file_of(client, address)
    assert "prise = 3" in kept
    assert "[boats.1]" in kept or "boats" in kept


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"text": "[set"}, 400),
        ({"text": SET.replace("18ruhr", "18rhl")}, 400),
        ({"text": SET.replace("edition = 2", "edition = 9")}, 400),
        ({"text": "# " + "x" * 70_000}, 413),
        ({"name": "", "edition": 2}, 400),
        ({"name": "x" * 100, "edition": 2}, 400),
        ({"name": "Ada", "edition": 7}, 400),
        ({"nome": "Ada"}, 400),
        ({"text": "a" + ".a" * 20_000 + " = 1"}, 400),
    ],
)
def test_bad_files_are_refused(client, sent, status):
    refused = client.post("/workshop/18ruhr", json=sent)
    assert refused.status_code == status
    assert refused.json()["error"]["message"]
    assert client.get("/workshop/18ruhr/sets.json").json()["sets"] == []


@pytest.mark.parametrize(
    "entry", ["", "hexes", "set/name", "hexes/" + "x" * 50, "own/none/1", "editions/2", "hexes/G6/name"]
)
def test_unknown_entries_are_refused(client, address, entry):
    assert client.get(f"{address}/entry", params={"entry": entry}).status_code == 404
    assert client.post(f"{address}/entry", json={"entry": entry, "do": "keep"}).status_code == 404


def test_strangers_find_nothing(client, device, address):
    with device() as other:
        for path in ("", "/set.toml", "/compare", "/entry?entry=hexes/G6"):
            assert other.get(address + path).status_code == 404
        assert other.post(f"{address}/delete", json={}).status_code == 404
    assert client.get(address).status_code == 200


def test_two_sets_are_compared(client, address):
    state(client, address, "trains/2", price="110")
    other = client.post("/workshop/18ruhr", json={"name": "Bert", "edition": 2}).json()
    assert "110" in client.get(f"{address}/compare").text
    beside = client.get(f"{other['address']}/compare", params={"with": address.split("/")[-1]}).text
    assert "110" in beside
    assert "no differences" in client.get(f"{other['address']}/compare").text


def test_name_and_version_change(client, address):
    assert client.post(f"{address}/name", json={"name": "Adas Karton", "version": "2"}).status_code == 200
    assert "Adas Karton" in client.get(address).text
    assert client.post(f"{address}/name", json={"name": "", "version": "2"}).status_code == 400


def test_table_names_its_set(client, address):
    state(client, address, "privates/1", price="95")
    asked = {"game": "18ruhr", "players": ["Ada", "Bert", "Cleo"], "component_set": address.split("/")[-1]}
    table = client.post("/tables", json=asked).json()["address"]
    client.post(f"{address}/delete", json={})
    assert client.get(address).status_code == 404
    assert "Ada 1" in client.get(table).text
    assert "price = 95" in client.get(f"{table}/record.json").json()["component_set"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_table_names_unfit_entries(client, address, language):
    """As after an update of our sheet: the set of a table changes a hex that is no more."""
    asked = {"game": "18ruhr", "players": ["Ada", "Bert", "Cleo"], "component_set": address.split("/")[-1]}
    table = client.post("/tables", json=asked).json()["address"]
    service = client.app.state.server.table
    was = '[set]\ngame = "18ruhr"\nedition = 2\nname = "Ada"\n'
    for text, status in ((was + "[hexes.Z9]\ndrop = ['cost']\n[trains.2]\nprise = 3\n", 409), (was, 200)):
        with service.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE games SET component_set = :text"), {"text": text})
        service.cache.forget(table.split("/")[-1])
        page = client.get(table, headers={"accept-language": language, "accept": "text/html"})
        assert page.status_code == status
        assert ("hexes.Z9" in page.text and "trains.2.prise" in page.text) == (status == 409)


def test_start_page_offers_ones_sets(client, address):
    page = client.get("/", params={"set": address.split("/")[-1], "game": "18ruhr"}).text
    assert f'<option value="{address.split("/")[-1]}" data-edition="2" selected>Ada 1' in page


def test_german_page_speaks_german(client, address):
    page = client.get(address, headers={"accept-language": "de"}).text
    assert "Nächster offener Eintrag" in page
    assert "rekonstruiert" in page


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_section_has_a_name(game, language):
    found = title(game)
    say = Viewer(language).catalogue(found)
    paths = whole_entries(found.printed(max(found.editions)))
    keys = {f"own.{path[1]}" if path[0] == "own" else path[0] for path in paths}
    assert len(keys) > 8
    for key in keys:
        assert {f"page.box.{key.removeprefix('own.')}", f"page.set.section.{key}"} & say.entries.keys(), key
