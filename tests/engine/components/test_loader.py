"""Reading a sheet: editions, variants, an owner's file; whatever is broken is reported at once and in plain words."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajekt.engine.components.editions import laid, resolved
from trajekt.engine.components.loader import build, load
from trajekt.engine.components.provenance import SheetError, SheetFault, sheet_summary, weakest
from trajekt.engine.components.schema import FIRST_STOP, Face, Hex, Piece, Sheet, Stop, rotate_face

RHL = files("trajekt.games.rhl") / "sheet.toml"
RHL_TEXT = RHL.read_text(encoding="utf-8")
RHL_TABLES = tomllib.loads(RHL_TEXT)

SMALL = """
game = "Small"
title = "A small game"
designers = ["Nobody"]
players = [2, 3]
layout = "pointy"
colours = ["yellow", "green"]

[editions]
1 = "the first"
2 = "the second"

[totals]
trains = 5

[hexes]
src = "R 1"
A1 = {stops = [{kind = "city"}], name = "West"}
A3 = {colour = "yellow", stops = [{kind = "city", revenue = 20}], track = [[1, "a"]], name = ["East", "Far East"]}
A5 = {src = "X", colour = "red", stops = [{kind = "offboard", revenue = {yellow = 10, green = 30}}], track = [[1, "a"]]}

[tiles]
src = "C"
1 = {colour = "yellow", count = {v1 = 1, v2 = 2}, stops = [{kind = "city", revenue = 20}], track = [[0, "a"]]}
2 = {colour = "green", count = 1, stops = [{kind = "city", revenue = 30, slots = 2}], track = [[0, "a"], [3, "a"]]}

[market]
src = "R 2"
rows = [[50, "60p", 70], ["", "55p", 65]]

[trains]
src = "R 3"
2 = {price = 100, count = 3, reach = 2}
3 = {price = 200, count = 2, reach = 3}

[phases]
src = "R 3"
early = {started_by = "start", tiles = ["yellow"], train_limit = 4, operating_rounds = 1}
late = {started_by = "3", tiles = ["yellow", "green"], train_limit = 3, operating_rounds = 2}

[companies]
src = "R 4"
W = {name = "West", home = {hex = "A1"}, certificates = [[20, 1], [10, 8]], float = 50, station_costs = [0, 40]}
E = {name = "East", home = {hex = "A3", stop = "a"}, certificates = [[50, 2]], float = 50, station_costs = [0]}

[limits]
src = "R 5"
bank = 2000
capital = {2 = 500, 3 = 400}
certificates = {2 = 10, 3 = 8}

[variants]
src = "R 6"
[variants.rich]
rule = "more money"
changes.limits.capital = {2 = 600}
[variants.late]
rule = "of the second edition"
editions = ["2"]
changes.hexes.A1.name = "New West"
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "sheet.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def faults_of(text: str, tmp_path, edition="1", variants=(), overlay=None) -> dict[str, str]:
    """The faults of a sheet by key."""
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        load(path, edition, variants, overlay)
    assert caught.value.faults
    assert all(fault.file for fault in caught.value.faults)
    return {fault.key: fault.what for fault in caught.value.faults}


# ----------------------------------------------------------------------------------------------------------- reading


def test_a_small_sheet(small):
    sheet = load(small, "1")
    assert (sheet.game, sheet.edition, sheet.players, sheet.currency) == ("Small", "1", (2, 3), "Mark")
    assert sheet.hexes["A1"] == Hex(Face(stops=(Stop("city", slots=1),)), names=("West",), src="R 1")
    assert sheet.hexes["A3"].names == ("East", "Far East")
    assert sheet.hexes["A3"].face.track == (Piece(1, FIRST_STOP),)
    assert (sheet.hexes["A5"].src, sheet.hexes["A5"].fixed) == ("X", True)
    assert sheet.market.par_spaces == ((1, 2), (2, 2))
    assert sheet.market.cell((2, 1)) is None
    assert sheet.limits.bank == {2: 2000, 3: 2000}
    assert sheet.companies["W"].certificates == (20, *(10,) * 8)
    assert sheet.companies["W"].letters == "W"


def test_values_by_edition(small):
    assert [load(small, edition).tiles["1"].count for edition in ("1", "2")] == [1, 2]


def test_the_same_sheet_is_read_once(small):
    assert load(small, "1") is load(small, "1")
    assert load(small, "2", ["late", "rich"]) is load(small, "2", ["rich", "late"])


def test_a_changed_file_is_read_again(small):
    before = load(small, "1")
    small.write_text(SMALL.replace("price = 100", "price = 120"), encoding="utf-8")
    assert load(small, "1").trains["2"].price == 120
    assert before.trains["2"].price == 100


def test_variants_are_laid_over_the_sheet(small):
    sheet = load(small, "2", ["rich", "late"])
    assert sheet.limits.capital == {2: 600, 3: 400}
    assert sheet.hexes["A1"].names == ("New West",)
    assert sheet.variants == ("late", "rich")


def test_digest_tells_facts_not_sources(small, tmp_path):
    digest = load(small, "1").digest
    assert len(digest) == 64
    assert digest != load(small, "2").digest
    assert digest != load(small, "1", ["rich"]).digest
    other = tmp_path / "other.toml"
    other.write_text(SMALL.replace('src = "R 1"', 'src = "X"'), encoding="utf-8")
    assert load(other, "1").digest == digest
    other.write_text(SMALL.replace("revenue = 30, slots", "revenue = 40, slots"), encoding="utf-8")
    assert load(other, "1").digest != digest


def test_stops_pay_the_last_colour_reached(small):
    sheet = load(small, "1")
    (stop,) = sheet.hexes["A5"].face.stops
    assert [sheet.value(stop, colour) for colour in ("yellow", "green")] == [10, 30]
    (city,) = sheet.tiles["1"].face.stops
    assert sheet.value(city, "green") == 20


def test_sources_and_their_summary(small):
    sheet = load(small, "1")
    assert sheet.sources["hexes.A5"] == "X"
    summary = sheet_summary(sheet)
    assert summary["hexes"] == {"R": 2, "X": 1}
    assert summary["tiles"] == {"C": 2}
    assert summary["market"] == {"R": 1}
    assert [weakest(source) for source in ("R v1 5.1; P", "C", "R 3; X", "Z", "")] == ["P", "C", "X", "", ""]


# ----------------------------------------------------------------------------------------------------- an owner's file


def test_owners_file_is_laid_over_entries(small, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[tiles]\n1.count = 7\n[hexes]\nA5 = {src = 'R', colour = 'grey'}\n", encoding="utf-8")
    sheet = load(small, "2", overlay=mine)
    assert sheet.tiles["1"].count == 7
    assert sheet.tiles["1"].src == "O"
    assert (sheet.hexes["A5"].face.colour, sheet.hexes["A5"].src) == ("grey", "R")
    assert sheet.hexes["A5"].face.edges == {1}
    assert sheet.hexes["A1"] == load(small, "2").hexes["A1"]
    assert sheet.digest != load(small, "2").digest


def test_variants_are_laid_over_owners_file(small, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[limits]\ncapital = {2 = 450, 3 = 350}\n", encoding="utf-8")
    assert load(small, "1", ["rich"], mine).limits.capital == {2: 600, 3: 350}


def test_owner_takes_away_key_and_entry(small, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[hexes]\nA1 = {drop = ['name']}\n[companies]\nE = false\n", encoding="utf-8")
    sheet = load(small, "1", overlay=mine)
    assert sheet.hexes["A1"].names == ()
    assert list(sheet.companies) == ["W"]


def test_faults_name_the_owners_file(small, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[tiles]\n1 = {count = 'many', drop = ['turn']}\n[hexes]\nA1.hills = 3\n", encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        load(small, "1", overlay=mine)
    assert {(fault.file, fault.key) for fault in caught.value.faults} == {
        (str(mine), "tiles.1.drop"),
        (str(mine), "tiles.1.count"),
        (str(mine), "hexes.A1.hills"),
    }


# ----------------------------------------------------------------------------------------------------------- faults


def test_all_faults_are_reported_at_once(tmp_path):
    text = SMALL.replace('track = [[1, "a"]], name', 'track = [[1, "a"], [7, "a"]], name')
    text = text.replace("price = 100", 'price = "dear"').replace("float = 50", "float = 500", 1)
    text = text.replace("reach = 3", "reach = 3, rech = 3").replace("[limits]", "[limit]")
    faults = faults_of(text, tmp_path)
    assert faults.keys() == {
        "hexes.A3.track[1]",
        "trains.2.price",
        "trains.3.rech",
        "companies.W.float",
        "limit",
        "limits",
    }
    assert faults["trains.2.price"] == "should be a whole number, not text"
    assert "7 is no end of track" in faults["hexes.A3.track[1]"]
    assert faults["companies.W.float"] == "should be a whole number <= 100"


@pytest.mark.parametrize(
    "old, new, key",
    [
        ('kind = "city"}], name', 'knd = "city"}], name', "hexes.A1.stops[0].kind"),
        ('[[1, "a"]], name', "[[1]], name", "hexes.A3.track[0]"),
        ('[[1, "a"]], name', '[[1, "A"]], name', "hexes.A3.track[0]"),
        ('[[1, "a"]], name', "[[1, true]], name", "hexes.A3.track[0]"),
        ('[[1, "a"]], name', '[[1, "a", 3]], name', "hexes.A3.track[0]"),
        ('"60p"', '"60q"', "market.rows[0][1]"),
        ('layout = "pointy"', 'layout = "round"', "layout"),
        ('game = "Small"\n', "", "game"),
        ("players = [2, 3]", "players = [2]", "players"),
        ("revenue = 20}], track = [[1", "revenue = -20}], track = [[1", "hexes.A3.stops[0].revenue"),
        ('home = {hex = "A1"}', 'home = {at = "A1"}', "companies.W.home.at"),
        ("capital = {2 = 500", "capital = {two = 500", "limits.capital"),
    ],
)
def test_each_fault_names_its_entry(tmp_path, old, new, key):
    assert old in SMALL
    assert any(found == key or found.startswith(key) for found in faults_of(SMALL.replace(old, new, 1), tmp_path))


@pytest.mark.parametrize(
    "change, key, what",
    [
        ({"hexes": 3}, "hexes", "should be a table"),
        ({"hexes": {"A1": 3}}, "hexes.A1", "should be a table"),
        ({"hexes": {"A3": {"track": [[1, "a", 3]]}}}, "hexes.A3.track[0]", "3 is no kind of track"),
        ({"hexes": {"A3": {"own": {"born": date(1835, 12, 7)}}}}, "hexes.A3.own.born", "should be text, a number"),
        ({"own": {"docks": {"src": "P", "x": [10**12]}}}, "own.docks.x[0]", "no number that a game could use"),
        ({"bonuses": {"src": "P", "ferry": 3}}, "bonuses.ferry", "should be a table"),
        ({"companies": {"E": {"home": {"hex": "A3", "stop": "1"}}}}, "companies.E.home", "'1' is no stop's letter"),
        ({"privates": {"src": "P", "one": {}}}, "privates.one", "should be a number from 1"),
        ({"areas": {"src": "P", "x": {"entrances": [3]}}}, "areas.x.name", "is missing"),
        ({"draws": {"src": "P", "rows": [{"number": 1}]}}, "draws.rows[0].icons", "is missing"),
        ({"market": 3}, "market", "should be a table"),
        ({"limits": {"replace": 3}}, "limits.replace", "should be true or false"),
        ({"limits": {"drop": "bank"}}, "limits.drop", "should be a list of keys"),
        ({"limits": {"drop": ["banks"]}}, "limits.drop", "names 'banks', which is not there"),
        ({"variants": {"odd": 3}}, "variants.odd", "should be a table"),
        ({"variants": {"rich": {"hexes": 3}}}, "variants.rich.hexes", "is no key of a variant"),
        ({"variants": {"rich": {"editions": 3}}}, "variants.rich.editions", "should be a list of editions"),
        ({"variants": {"rich": {"changes": 3}}}, "variants.rich.changes", "should be a table"),
        ({"variants": {"rich": {"changes": {"limits": {"drop": ["x"]}}}}}, "variants.rich.changes.limits.drop", "'x'"),
    ],
)
def test_tables_of_the_wrong_form(change, key, what):
    with pytest.raises(SheetError) as caught:
        build(tomllib.loads(SMALL), "1", ["rich"], change)
    assert any(fault.key == key and what in fault.what for fault in caught.value.faults)


def test_games_facts_kept_as_they_stand(small, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(
        "[hexes]\nA1.own.harbour = 3\n[own.docks]\nsrc = 'P'\nwest = {hex = 'A1', cost = 5}\n", encoding="utf-8"
    )
    sheet = load(small, "1", overlay=mine)
    assert sheet.hexes["A1"].own == {"harbour": 3}
    assert sheet.own["docks"] == {"west": {"hex": "A1", "cost": 5}}
    assert sheet.sources["own.docks"] == "P"


def test_text_nested_too_deeply(tmp_path):
    assert "nested too deeply" in next(iter(faults_of("a = " + "[" * 3000, tmp_path).values()))


def test_bad_toml_names_the_line(tmp_path):
    line = SMALL.splitlines().index("[totals]") + 1
    faults = faults_of(SMALL.replace("[totals]", "[totals"), tmp_path)
    assert list(faults) == [next(iter(faults))]
    assert next(iter(faults)).startswith(f"line {line},")


def test_a_key_twice_is_a_fault(tmp_path):
    assert any(key.startswith("line") for key in faults_of(SMALL.replace("2 = {price", "3 = {price"), tmp_path))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SheetError, match="cannot be read"):
        load(tmp_path / "none.toml", "1")


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SheetError, match="UTF-8"):
        load(path, "1")


def test_unknown_editions_and_variants(small):
    with pytest.raises(SheetError, match="no edition '3', only 1, 2"):
        load(small, "3")
    with pytest.raises(SheetError, match="no variant 'poor'"):
        load(small, "1", ["poor"])
    with pytest.raises(SheetError, match="not a variant of edition 1"):
        load(small, "1", ["late"])


def test_error_lists_faults_line_by_line(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text(SMALL.replace("price", "cost"), encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        load(path, "1")
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.faults) == 4
    assert lines[0] == f"{path}: trains.2.cost: is no key that belongs here"


# --------------------------------------------------------------------------------------------- laying one over another


def test_laying_a_change_over_a_table():
    table = {"a": 1, "b": {"c": 2, "d": 3}, "e": {"f": 4}}
    change = {"b": {"c": 5, "drop": ["d"]}, "e": {"replace": True, "g": 6}}
    assert laid(table, change) == {"a": 1, "b": {"c": 5}, "e": {"g": 6}}
    assert laid(table, {"e": False}) == {"a": 1, "b": {"c": 2, "d": 3}}
    assert table == {"a": 1, "b": {"c": 2, "d": 3}, "e": {"f": 4}}


def test_an_edition_takes_an_entry_away():
    table = {"a": {"v1": False, "x": 1}, "b": {"v1": {"x": 2}, "x": 1, "y": 3}, "c": {"v2": 5}}
    keys = frozenset({"v1", "v2"})
    assert resolved(table, "v1", keys) == {"b": {"x": 2, "y": 3}}
    assert resolved(table, "v2", keys) == {"a": {"x": 1}, "b": {"x": 1, "y": 3}, "c": 5}


# --------------------------------------------------------------------------------------------------------- any damage

JUNK = st.one_of(
    st.none().map(lambda _: {}),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=4),
    st.dates(),
    st.sampled_from(["A1", "D9", "start", "8", "yellow", "a", "b", [], [[]], [{}], [[0, "a"]], {"v1": 1}, {"drop": 3}]),
    st.sampled_from([{"replace": 1}, {"v1": {"drop": ["name"]}}, ["v1"], [["a", "b", "c"]], {"": ""}, {"1": 1}]),
)


def spots(value, path=()):
    """The path to every table, list and value of nested tables."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from spots(child, (*path, key))


SPOTS = sorted(spots(RHL_TABLES), key=repr)


def outcome(read: Callable[[], Sheet]) -> Sheet | list[SheetFault]:
    """The sheet, or what is wrong with it; any other exception is a bug."""
    try:
        return read()
    except SheetError as error:
        return error.faults


def is_sound(result: Sheet | list[SheetFault]) -> bool:
    """A sheet with a digest and a summary, or at least one fault in words."""
    if isinstance(result, Sheet):
        return len(result.digest) == 64 and bool(sheet_summary(result))
    return bool(result) and all(fault.what for fault in result)


@given(
    st.lists(st.tuples(st.sampled_from(SPOTS), st.sampled_from(["cut", "put", "add"]), JUNK), min_size=1, max_size=4),
    st.sampled_from(["1", "2"]),
    st.sampled_from([(), ("ratingen",), ("lower_capital", "ratingen")]),
)
def test_damage_gives_sheet_error(damages, edition, chosen):
    tables = copy.deepcopy(RHL_TABLES)
    for path, how, junk in damages:
        inside = tables
        try:
            for key in path[:-1]:
                inside = inside[key]
            if how == "cut":
                del inside[path[-1]]
            elif how == "put":
                inside[path[-1]] = copy.deepcopy(junk)
            else:
                inside[path[-1]]["added"] = copy.deepcopy(junk)
        except (KeyError, IndexError, TypeError):
            continue
    assert is_sound(outcome(lambda: build(tables, edition, chosen)))


@given(st.sampled_from(SPOTS), JUNK)
def test_damaged_owners_file_gives_sheet_error(path, junk):
    change: object = junk
    for key in reversed(path):
        if isinstance(key, str):
            change = {key: change}
    assert is_sound(outcome(lambda: build(RHL_TABLES, "1", (), change)))


@given(st.integers(0, len(RHL_TEXT) - 1), st.integers(0, 30), st.sampled_from(["", '"', "[", "}", "\n", "= 1", "\x00"]))
def test_damaged_text_gives_sheet_error(tmp_path_factory, start, length, put):
    path = tmp_path_factory.mktemp("damage") / "sheet.toml"
    path.write_text(RHL_TEXT[:start] + put + RHL_TEXT[start + length :], encoding="utf-8")
    assert is_sound(outcome(lambda: load(path, "1")))


# -------------------------------------------------------------------------------------------------------- turned faces


@given(st.sampled_from(sorted(RHL_TABLES["tiles"].keys() - {"src"})), st.integers(0, 5), st.integers(0, 5))
def test_turns_add_up(number, first, second):
    face = load(RHL, "1").tiles[number].face
    once = rotate_face(rotate_face(face, first), second)
    whole = rotate_face(face, (first + second) % 6)
    assert once.pieces == whole.pieces
    assert (once.stops, once.banks, once.river_edges) == (whole.stops, whole.banks, whole.river_edges)
    assert whole.edges == {(edge + first + second) % 6 for edge in face.edges}
    assert all(piece.a < piece.b for piece in once.track)


def test_every_turn_is_kept_ready():
    sheet = load(RHL, "2")
    assert len(sheet.rotated) == 6 * len(sheet.tiles)
    assert sheet.rotated["57", 0] == sheet.tiles["57"].face
    assert sheet.rotated["57", 2].edges == {2, 5}
