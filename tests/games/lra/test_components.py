"""The components of 18LRA: what the rule sheet says of them, and equality with the reference sheet."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from tests.builders.lra_positions import begun, exits, sheet
from tests.builders.reference_sheets import entries, face_differences, several
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.components.loader import editions, load, variants
from trajekt.engine.components.provenance import sheet_summary
from trajekt.engine.components.schema import Home
from trajekt.engine.components.validation import check
from trajekt.games.lra.components import harbours, kreisbahn, scenarios

SHEET = files("trajekt.games.lra") / "sheet.toml"
PLAIN = (20, *[10] * 8)


# ------------------------------------------------------------------------------------------ what the rule sheet says


def test_sheet_is_sound_with_every_variant():
    assert list(editions(SHEET)) == ["1"]
    names = variants(SHEET, "1")
    assert set(names) == {
        "optional_2_train", "lower_capital", "bankruptcy_ends_the_game", "homes_of_the_record", "two_players", "short_game",
    }  # fmt: skip
    for name in names:
        assert check(load(SHEET, "1", [name])) == [], name


@pytest.mark.rule("COMMON-SET-12")
def test_certificates_of_the_eight_corporations():
    companies = sheet().companies
    assert set(companies) == {"ADR", "BME", "CCE", "CME", "GVE", "KEG", "MKB", "RhE"}
    for id_, company in companies.items():
        wanted = {"MKB": (20, 20, 20, 10, 10, 10, 10), "KEG": (30, *[10] * 7)}.get(id_, PLAIN)
        assert company.certificates == wanted
        assert sum(company.certificates) == 100
    assert (companies["MKB"].float_percent, companies["KEG"].float_percent, companies["ADR"].float_percent) == (
        60,
        50,
        50,
    )


@pytest.mark.rule("LRA-AUC-04")
def test_the_starting_package_in_order():
    package = [(p.number, p.price, p.revenue, p.brings, p.brings_percent) for p in sheet().privates.values()]
    assert package == [
        (1, 20, 5, "", 0),
        (2, 40, 15, "", 0),
        (3, 50, 15, "", 0),
        (4, 60, 15, "", 0),
        (5, 80, 20, "ADR", 10),
        (6, 100, 10, "", 0),
    ]
    assert [p.name for p in sheet().privates.values()] == [
        "Dalheim Emigrant Camp", "Uerdingen Harbour", "Neuss Harbour", "Ruhrort Harbour", "Rhineland's Manchester",
        "Geldernsche Kreisbahn",
    ]  # fmt: skip


@pytest.mark.rule("LRA-COR-23")
def test_homes_and_tokens():
    companies = sheet().companies
    assert {id_: company.homes[0].hex for id_, company in companies.items()} == {
        "ADR": "K3", "BME": "G15", "CCE": "A5", "CME": "K15", "GVE": "G7", "KEG": "F10", "MKB": "C11", "RhE": "K11",
    }  # fmt: skip
    normal = {id_: len(c.station_costs) - 1 - c.own["harbour_tokens"] for id_, c in companies.items()}
    assert normal == {"ADR": 2, "BME": 2, "CCE": 1, "CME": 2, "GVE": 2, "KEG": 1, "MKB": 1, "RhE": 2}
    assert {id_ for id_, c in companies.items() if c.own["harbour_tokens"]} == set(companies) - {"GVE"}
    other = load(SHEET, "1", ["homes_of_the_record"]).companies
    assert (other["CCE"].homes[0].hex, other["CME"].homes[0].hex) == ("K15", "A5")  # OQ-40: data


@pytest.mark.rule("LRA-COR-24")
def test_abilities_are_data_of_the_corporation():
    own = {id_: company.own for id_, company in sheet().companies.items()}
    assert {id_ for id_, facts in own.items() if facts.get("first_yellow_tiles") == 2} == {"ADR", "CME", "KEG", "RhE"}
    assert own["CCE"]["station_without_route"] == {"hex": "F10"}
    assert own["GVE"]["link_bonus"] == {"amount": 100, "hex": "E1", "from": {"hexes": ["H8", "I7"]}}
    assert own["MKB"]["harbour_cost_at"] == {"hex": "B12", "amount": 20}
    assert set(own["BME"]) == {"harbour_tokens", "harbour_cost_reserved"}


@pytest.mark.rule("COMMON-PHS-01", "RHL-PHS-06")
def test_phases_end_with_6_train():
    table = [
        (p.name, p.started_by, p.tiles[-1], p.train_limit, p.operating_rounds, p.industry_bonus) for p in sheet().phases
    ]
    assert table == [
        ("yellow", "start", "yellow", 4, 1, 20),
        ("green", "3", "green", 4, 2, 20),
        ("green4", "4", "green", 3, 2, 20),
        ("brown", "5", "brown", 2, 3, 40),
        ("brown6", "6", "brown", 2, 3, 40),
    ]
    assert "8" not in sheet().trains
    assert sheet().trains["4"].obsolete_on == ""


@pytest.mark.rule("COMMON-TRK-02")
def test_no_grey_tile_exists():
    assert sheet().colours == ("yellow", "green", "brown")
    assert {tile.face.colour for tile in sheet().tiles.values()} == {"yellow", "green", "brown"}


@pytest.mark.rule("LRA-PRV-19", "LRA-TOK-10")
def test_three_of_four_harbours_are_kept():
    here = harbours(sheet())
    assert {at: harbour.private for at, harbour in here.items()} == {"B12": 0, "E13": 2, "H14": 3, "B14": 4}
    tiles = {"B12": "L28", "E13": "L31", "H14": "L27", "B14": "L30"}
    for at, number in tiles.items():
        assert "harbour" in sheet().hexes[at].face.icons
        stop = sheet().tiles[number].face.stops[0]
        assert (stop.slots, stop.harbour_slots) == (1, 1)
        assert all(not printed.harbour_slots for printed in sheet().hexes[at].face.stops)
        assert sheet().privates[here[at].private].tile == number if here[at].private else True


@pytest.mark.rule("LRA-RTE-10")
def test_six_areas_over_two_hexes():
    joined = {tuple(sorted((at, *h.joined))) for at, h in sheet().hexes.items() if h.joined}
    assert joined == {("A1", "A3"), ("A13", "A15"), ("D2", "E1"), ("H2", "I1"), ("K1", "K3"), ("K5", "K7")}
    stops = [stop.kind for stop in sheet().hexes["E1"].face.stops]
    assert stops == ["city"]  # Venlo may be passed
    assert exits(sheet(), "K3", 0) == {2, 3}


@pytest.mark.rule("LRA-TRK-25")
def test_rhine_is_crossed_on_three_sides():
    crossed = set()
    for number, tile in sheet().tiles.items():
        for turn in range(6):
            face = sheet().rotated[number, turn]
            for at, printed in sheet().hexes.items():
                if (
                    face.river_edges
                    and set(face.river_edges) == set(printed.face.river_edges)
                    and set(tile.face.labels) & set(printed.face.labels)
                ):
                    for piece in face.track:
                        over = piece.a in face.river_edges and piece.a not in printed.closed_edges
                        if over and sheet().rank(tile.face.colour) >= 1:
                            crossed.add(frozenset((at, beyond(at, piece.a, sheet().layout))))
    assert crossed == {frozenset(("C13", "B14")), frozenset(("D14", "C15")), frozenset(("H14", "G15"))}


@pytest.mark.rule("COMMON-VAR-01", "COMMON-VAR-02")
def test_variants_change_trains_and_capital():
    assert (sheet().trains["2"].count, sheet(optional_2_train=True).trains["2"].count) == (5, 6)
    assert begun(4, lower_capital=True).state.players[0].cash == 375
    assert begun(3, lower_capital=True).state.players[0].cash == 500


@pytest.mark.rule("COMMON-SR-15")
def test_certificate_limits_and_shares_of_bank():
    limits = sheet().limits
    assert (limits.certificates[3], limits.certificates[4], limits.pool_percent) == (14, 15, 50)


@pytest.mark.rule("COMMON-DIV-05")
def test_every_value_is_multiple_of_ten():
    faces = [h.face for h in sheet().hexes.values()] + [t.face for t in sheet().tiles.values()]
    amounts = [amount for face in faces for stop in face.stops for amount in stop.revenue.values()]
    amounts += [face.ferry_revenue for face in faces if face.ferry_revenue is not None]
    assert len(amounts) > 100
    assert all(amount % 10 == 0 for amount in amounts)


def test_every_entry_has_a_source():
    summary = sheet_summary(sheet())
    assert all("" not in count for count in summary.values())
    assert sheet().sources["hexes.B4"] == "D"
    assert sheet().sources["market"] == "X"
    assert sheet().sources["own.scenarios"] == "R 3.3"
    assert sum(summary["tiles"].values()) == len(sheet().tiles)


# ------------------------------------------------------------------------------- equality with the reference sheet


@pytest.fixture
def reference(reference_sheet) -> dict[str, Any]:
    return reference_sheet("18lra")


def both_sides(hexes: dict[str, Any], key: str) -> set[tuple[str, int]]:
    """Sides named on either hex: the reference needs only one of the two."""
    named = {(at, edge) for at, entry in hexes.items() for edge in entry.get(key, [])}
    other = {(beyond(at, edge, "pointy"), opposite(edge)) for at, edge in named}
    return {(at, edge) for at, edge in named | other if at in hexes}


def test_hexes_equal_the_reference(reference):
    theirs = entries(reference["hexes"])
    assert list(sheet().hexes) == list(theirs)
    for name, hex_ in sheet().hexes.items():
        other = theirs[name]
        assert face_differences(hex_.face, other) == [], name
        # one spelling in both games, that of 18Rhl
        names = ("M.-Gladbach",) if name == "H8" else several(other.get("name"))
        assert hex_.names == names, name
        assert (hex_.terrain, hex_.cost) == (other.get("terrain", ""), other.get("cost", 0)), name
        assert (hex_.stubs, hex_.joined) == (several(other.get("stubs")), several(other.get("joined"))), name
        assert hex_.blocked_until == other.get("blocked_until", ""), name
        assert hex_.fixed == (other.get("colour") in {"red", "grey"}), name
    mine = {(name, edge) for name, hex_ in sheet().hexes.items() for edge in hex_.closed_edges}
    assert mine == both_sides(theirs, "closed_edges")
    river = {(name, edge) for name, hex_ in sheet().hexes.items() for edge in hex_.face.river_edges}
    assert river == both_sides(theirs, "river_edges")


def test_tiles_equal_the_reference(reference):
    theirs = entries(reference["tiles"])
    assert list(sheet().tiles) == list(theirs)
    for number, tile in sheet().tiles.items():
        other = theirs[number]
        assert face_differences(tile.face, other) == [], number
        assert tile.face.river_edges == several(other.get("river_edges")), number
        assert (tile.count, tile.upgrade_cost) == (other["count"], other.get("upgrade_cost", 0)), number
        assert tile.upgrades_to == (tuple(other["upgrades_to"]) if "upgrades_to" in other else None), number
        assert (tile.final, tile.rulebook_number) == (other.get("final", False), other.get("rulebook_number", "")), (
            number
        )


def test_market_trains_and_phases_equal_reference(reference):
    rows = [[f"{c.price}p" if c.par else c.price for c in row if c is not None] for row in sheet().market.rows]
    assert rows == reference["market"]["rows"]
    assert list(sheet().market.par) == reference["market"]["par"]
    assert list(sheet().trains) == list(entries(reference["trains"]))
    for kind, other in entries(reference["trains"]).items():
        train = sheet().trains[kind]
        assert (train.count, train.not_for_sale) == (other["count"], other.get("not_for_sale", False))
        assert (train.available_on, train.obsolete_on) == (other.get("available_on", ""), other.get("obsolete_on", ""))
        if kind != "2+4":
            assert (train.price, train.reach) == (other["price"], other["reach"])
    for phase in sheet().phases:
        other = reference["phases"][phase.name]
        assert (phase.started_by, list(phase.tiles), phase.values) == (
            other["started_by"], other["tiles"], other["grey_and_red_values"],
        )  # fmt: skip
        assert (phase.train_limit, phase.operating_rounds) == (other["train_limit"], other["operating_rounds"])
        assert phase.industry_bonus == other["industry_bonus"]
        assert phase.obsolete == several(other.get("obsolete"))
        assert phase.own.get("opens", []) == other.get("opens", [])
        assert phase.own.get("gkb_floats", False) == other.get("gkb_floats", False)


def test_companies_equal_the_reference(reference):
    theirs = entries(reference["corporations"])
    assert set(sheet().companies) == set(theirs)
    for id_, company in sheet().companies.items():
        other = theirs[id_]
        stated = other["certificates"]
        pairs = [(int(k[:-1]), v) for k, v in stated.items()] if isinstance(stated, dict) else stated
        assert company.certificates == tuple(percent for percent, number in pairs for _ in range(number))
        assert company.homes == (Home(other["home"]["hex"], "abc".index(other["home"]["stop"])),)
        assert (company.name, company.colour) == (other["name"], other["colour"])
        assert (company.float_percent, list(company.station_costs)) == (other["float"], other["token_costs"])
        assert company.own["harbour_tokens"] == other["harbour_tokens"]
        assert company.own.get("harbour_cost_reserved") == other.get("harbour_cost_reserved")


def test_privates_limits_and_pieces_equal_reference(reference):
    for number, other in entries(reference["privates"]).items():
        private = sheet().privates[int(number)]
        assert (private.code, private.name) == (other["code"], other["name"])
        assert (private.price, private.revenue) == (other["price"], other["revenue"])
        assert (private.tile, private.brings) == (other.get("tile", ""), other.get("corporation", ""))
        assert (private.available_from, private.does) == (other.get("from", ""), other["does"])
        assert private.closes == other["closes"]
    limits = reference["limits"]
    for mine, key in ((sheet().limits.bank, "bank"), (sheet().limits.capital, "capital")):
        assert {str(k): v for k, v in mine.items()} == limits[key]
    assert {str(k): v for k, v in sheet().limits.certificates.items()} == limits["certificates"]
    assert list(sheet().players) == reference["players"]
    named = entries(reference["tables"])["three_player_scenarios"]
    assert scenarios(sheet()) == {int(n): tuple(entry["corporations"]) for n, entry in named.items()}
    for at, other in entries(reference["harbours"]).items():
        assert harbours(sheet())[at].private == int(other.get("private", 0))
    gkb = reference["privates"]["6"]
    here = kreisbahn(sheet())
    assert (here.hex, here.stop, here.train) == (gkb["home"]["hex"], 0, gkb["train"])
    assert {name: entry["hexes"] for name, entry in entries(reference["fields"]).items()} == {
        name: entry["hexes"] for name, entry in sheet().own["fields"].items() if name != "src"
    }
    assert sheet().own["rhine"]["right_bank"]["hexes"] == reference["rhine"]["right_bank"]["hexes"]


def test_bonuses_equal_the_reference(reference):
    theirs = entries(reference["bonuses"])
    assert set(sheet().bonuses) == set(theirs)
    for name, other in theirs.items():
        assert sheet().bonuses[name]["amount"] == other["amount"], name
        assert sheet().bonuses[name].get("hexes") == other.get("hexes"), name
