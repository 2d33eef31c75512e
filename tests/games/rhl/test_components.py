"""The components of 18Rhl in both editions: what the rule sheet says of them, and equality with the reference sheet."""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from typing import Any

import pytest

from tests.builders.reference_sheets import entries, face_differences, several
from trajekt.engine.board.hexgrid import beyond
from trajekt.engine.components.loader import editions, load, variants
from trajekt.engine.components.provenance import sheet_summary
from trajekt.engine.components.schema import FIRST_STOP, Home, Sheet
from trajekt.engine.components.validation import check

SHEET = files("trajekt.games.rhl") / "sheet.toml"
EDITIONS = ("1", "2")
PLAIN = ((20, 1), (10, 8))
MOERS = ((20, 1), (20, 2), (10, 4))


@pytest.fixture(params=EDITIONS)
def sheet(request) -> Sheet:
    return load(SHEET, request.param)


def exits(sheet: Sheet, home: Home) -> set[int]:
    """The edges from which printed track leads to a home."""
    return {p.a for p in sheet.hexes[home.hex].face.track if p.b == FIRST_STOP + home.stop}


def worth(stop) -> int:
    return stop.revenue.get("", 0)


# ------------------------------------------------------------------------------------------------------------ set-up


@pytest.mark.rule("RHL-SET-04")
def test_nine_draws_place_mine_and_mill(sheet):
    assert [(draw.number, draw.icons["K"], draw.icons["S"]) for draw in sheet.draws] == [
        (1, "J3", "E6"),
        (2, "K4", "D9"),
        (3, "D9", "E6"),
        (4, "D9", "D13"),
        (5, "C12", "E6"),
        (6, "C12", "D9"),
        (7, "J3", "D13"),
        (8, "D11", "E6"),
        (9, "D11", "D9"),
    ]


@pytest.mark.rule("COMMON-SET-12")
def test_certificates_of_the_eight_corporations(sheet):
    assert set(sheet.companies) == {"ADR", "BME", "CCE", "CME", "DEE", "GVE", "MKB", "RhE"}
    for id_, company in sheet.companies.items():
        wanted = MOERS if id_ == "MKB" else PLAIN
        assert company.certificates == tuple(percent for percent, number in wanted for _ in range(number))
        assert sum(company.certificates) == 100
        assert len(company.certificates) == (7 if id_ == "MKB" else 9)


@pytest.mark.rule("COMMON-SET-12")
@pytest.mark.parametrize("edition, letters, name", [("1", "KKK", "Krefeld"), ("2", "MKB", "Moers")])
def test_moers_company_has_letters_by_edition(edition, letters, name):
    moers = load(SHEET, edition).companies["MKB"]
    assert moers.letters == letters
    assert moers.name.startswith(name)


@pytest.mark.rule("RHL-AUC-03")
def test_the_starting_package_in_order(sheet):
    package = [(p.number, p.price, p.revenue, p.brings, p.brings_percent) for p in sheet.privates.values()]
    assert package == [
        (1, 20, 5, "", 0),
        (2, 30, 0, "", 0),
        (3, 50, 15, "", 0),
        (4, 80, 20, "", 0),
        (5, 120, 25, "GVE", 10),
        (6, 140, 0, "RhE", 20),
    ]
    assert sum(p.price for p in sheet.privates.values()) == 440


@pytest.mark.rule("RHL-AUC-03")
def test_privates_are_named_in_both_languages():
    first, second = (load(SHEET, edition).privates for edition in EDITIONS)
    assert (first[3].name, second[3].name) == ("Seilzuganlage", "Train Hauling System")
    assert (first[4].name, second[4].name) == ("Trajektanstalt", "Train Ferry")
    assert second[4].names == {"de": "Trajektanstalt", "en": "Train Ferry"}
    assert first[1].name == second[1].name == "Prinz-Wilhelm-Bahn"


# ------------------------------------------------------------------------------------------------------ corporations


@pytest.mark.rule("RHL-COR-17")
def test_homes_lie_on_described_stops(sheet):
    homes = {id_: company.homes for id_, company in sheet.companies.items()}
    assert {id_: [home.hex for home in places] for id_, places in homes.items()} == {
        "ADR": ["K2"],
        "BME": ["F13"],
        "CCE": ["I10", "E6"],
        "CME": ["I10"],
        "DEE": ["F9"],
        "GVE": ["G6"],
        "MKB": ["D7"],
        "RhE": ["I10"],
    }
    assert exits(sheet, homes["RhE"][0]) == {0}
    assert exits(sheet, homes["CCE"][0]) == {2}
    assert exits(sheet, homes["CME"][0]) == {3}
    assert exits(sheet, homes["DEE"][0]) == {4}
    assert exits(sheet, homes["BME"][0]) == {3, 5}
    assert exits(sheet, homes["GVE"][0]) == {2}
    banks = {id_: sheet.hexes[places[0].hex].face.stops[places[0].stop].bank for id_, places in homes.items()}
    assert (banks["RhE"], banks["CCE"], banks["CME"], banks["DEE"]) == ("left", "left", "right", "right")


@pytest.mark.rule("RHL-COR-16")
def test_cce_has_two_homes_one_station(sheet):
    cce = sheet.companies["CCE"]
    assert len(cce.homes) == 2
    assert cce.station_costs == (0, 0, 80)


@pytest.mark.rule("RHL-COR-16")
def test_every_home_has_place_of_own(sheet):
    homes = [home for company in sheet.companies.values() for home in company.homes]
    assert len(homes) == len(set(homes)) == 9
    for home in homes:
        stop = sheet.hexes[home.hex].face.stops[home.stop]
        assert (stop.kind, stop.slots) == ("city", 1)


# ------------------------------------------------------------------------------------------------------------- track


@pytest.mark.rule("RHL-TRK-22")
def test_grey_tiles_match_the_printed(sheet):
    grey = {
        number: (tile.count, tile.face.labels) for number, tile in sheet.tiles.items() if tile.face.colour == "grey"
    }
    assert grey == {"932": (2, ("D", "DU", "K")), "948": (1, ("OO",))}


@pytest.mark.rule("RHL-TRK-22", "RHL-VAR-03")
def test_promotion_tiles_replace_the_grey_ones():
    sheet = load(SHEET, "1", ["promotion_tiles"])
    grey = {number: tile.count for number, tile in sheet.tiles.items() if tile.face.colour == "grey"}
    assert grey == {"932V": 2, "948": 1, "949": 1, "950": 1, "Essen": 1}
    assert sheet.hexes["D13"].face.labels == ("Y", "Essen")
    assert "promotion_tiles" not in variants(SHEET, "2")


@pytest.mark.rule("RHL-TRK-23")
def test_second_map_differs_in_three_hexes():
    first, second = (load(SHEET, edition).hexes for edition in EDITIONS)
    assert {name for name in first if first[name] != second[name]} == {"B7", "G2", "H1"}
    assert (first["B7"].face.colour, first["B7"].fixed) == ("", False)
    assert (second["B7"].face.colour, second["B7"].fixed) == ("grey", True)
    assert [(piece.a, piece.b) for piece in second["B7"].face.track] == [(2, 4)]
    assert (first["G2"].face.colour, first["G2"].face.stops[0].kind) == ("red", "offboard")
    assert (second["G2"].face.colour, second["G2"].face.stops[0].kind) == ("grey", "city")
    assert second["G2"].face.edges == {0, 4}
    assert not first["H1"].face.track
    assert second["H1"].face.edges == {3}
    assert (second["H1"].face.stops[0].kind, beyond("H1", 3, "pointy")) == ("offboard", "G2")


@pytest.mark.rule("RHL-TRK-17")
@pytest.mark.parametrize("at, left, right", [("D9", 1, 2), ("F9", 1, 2), ("I10", 2, 1)])
def test_metropolis_tiles_lie_in_one_rotation(sheet, at, left, right):
    hex_ = sheet.hexes[at]
    assert hex_.cost == 30
    assert [sum(s.slots for s in hex_.face.stops if s.bank == bank) for bank in ("left", "right")] == [left, right]
    tiles = {n: tile for n, tile in sheet.tiles.items() if set(hex_.face.labels) & set(tile.face.labels)}
    green = {n: tile for n, tile in tiles.items() if tile.face.colour == "green"}
    brown = {n: tile for n, tile in tiles.items() if tile.face.colour == "brown"}
    assert (len(green), len(brown)) == (2, 1)
    for number, tile in (green | brown).items():
        fitting = [turn for turn in range(6) if sheet.rotated[number, turn].banks == hex_.face.banks]
        assert fitting == [0]
        assert tile.upgrade_cost == 50
    for tile in green.values():
        assert [sum(s.slots for s in tile.face.stops if s.bank == bank) for bank in ("left", "right")] == [left, right]
    (city,) = next(iter(brown.values())).face.stops
    assert (city.kind, city.slots) == ("city", 3)


@pytest.mark.rule("COMMON-DIV-05")
def test_all_revenue_is_multiple_of_ten(sheet):
    faces = [hex_.face for hex_ in sheet.hexes.values()] + [tile.face for tile in sheet.tiles.values()]
    amounts = [amount for face in faces for stop in face.stops for amount in stop.revenue.values()]
    amounts += [face.ferry_revenue for face in faces if face.ferry_revenue is not None]
    amounts += [phase.industry_bonus for phase in sheet.phases]
    amounts += [amount for area in sheet.areas.values() for amount in area.value_by_links.values()]
    amounts += [sheet.bonuses["iron_rhine"]["amount"], sheet.bonuses["ferry"]["amount"]]
    assert len(amounts) > 100
    assert [amount for amount in amounts if amount % 10] == []


def test_red_stations_need_printed_place(sheet):
    red = {n: h.face.stops for n, h in sheet.hexes.items() if h.face.colour == "red" and h.face.stops}
    with_place = {name for name, stops in red.items() if any(stop.slots for stop in stops)}
    assert with_place == {"A14", "B15", "C2"} | ({"G2"} if sheet.edition == "1" else set())


def test_moers_is_green_then_brown(sheet):
    moers = sheet.hexes["D7"]
    assert (moers.face.colour, moers.face.track, moers.face.stops[0].bare) == ("green", (), True)
    bearing = {number: tile for number, tile in sheet.tiles.items() if "Moers" in tile.face.labels}
    assert {number: (tile.face.colour, tile.face.icons) for number, tile in bearing.items()} == {
        "947": ("brown", ("K",))
    }


def test_osterath_tile_in_its_one_turn(sheet):
    tile = sheet.tiles["935"]
    assert (tile.hexes, tile.rotation, tile.count, tile.final) == (("E8",), 1, 1, True)
    face = sheet.rotated["935", 1]
    city, town = ({p.a for p in face.track if p.b == FIRST_STOP + n and p.a < FIRST_STOP} for n in (0, 1))
    assert (city, town) == ({0, 1, 2, 5}, {3})
    assert [(stop.kind, worth(stop)) for stop in face.stops] == [("city", 20), ("town", 10)]


def test_city_without_number_has_one_place(sheet):
    for name in ("B9", "E6", "K10", "D13", "D7", "K2", "K6"):
        assert [stop.slots for stop in sheet.hexes[name].face.stops] == [1], name
    for name in ("C12", "D11", "G12", "F13", "G6"):
        assert [stop.slots for stop in sheet.hexes[name].face.stops] == [1, 1], name
    for number in ("5", "6", "57"):
        assert [stop.slots for stop in sheet.tiles[number].face.stops] == [1], number


def test_eastern_entrances_bring_mine_or_mill(sheet):
    area = sheet.areas["eastern_ruhr"]
    icons = [sheet.hexes[e.hex].face.stops[e.stop].icons for e in area.entrances]
    assert icons == [("S",), ("K",), ("K",), ("S",)]
    assert area.value_by_links == {1: 20, 2: 30, 3: 40, 4: 50}


# ------------------------------------------------------------------------------------------------------ the whole file


def test_editions_and_variants_are_listed():
    assert set(editions(SHEET)) == set(EDITIONS)
    assert set(variants(SHEET, "1")) == {"optional_2_train", "lower_capital", "promotion_tiles", "ratingen"}
    assert set(variants(SHEET, "2")) == {"optional_2_train", "lower_capital", "ratingen", "bankruptcy_ends_the_game"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_choice_of_variants_is_sound(edition):
    names = sorted(variants(SHEET, edition))
    digests = set()
    for choice in product((False, True), repeat=len(names)):
        chosen = [name for name, wanted in zip(names, choice, strict=True) if wanted]
        sheet = load(SHEET, edition, chosen)
        assert check(sheet) == []
        assert sheet.variants == tuple(chosen)
        digests.add(sheet.digest)
    assert len(digests) == 2 ** len(names)


def test_what_the_variants_change():
    assert load(SHEET, "1").trains["2"].count == 6
    assert load(SHEET, "1", ["optional_2_train"]).trains["2"].count == 7
    assert load(SHEET, "1", ["lower_capital"]).limits.capital == {3: 500, 4: 375, 5: 300, 6: 250}
    assert load(SHEET, "2", ["lower_capital"]).limits.capital == {3: 500, 4: 375, 5: 300}
    ratingen = load(SHEET, "2", ["ratingen"])
    assert (ratingen.privates[1].code, ratingen.privates[1].blocks) == ("ATB", ("E12",))
    assert (ratingen.hexes["E10"].face.labels, ratingen.hexes["E14"].note) == (("RA",), "")
    assert ratingen.bonuses["limestone"]["amount"] == 40


def test_every_entry_has_a_source(sheet):
    summary = sheet_summary(sheet)
    assert all("" not in count for count in summary.values())
    assert summary["hexes"] == {"P": 87, "D": 2}
    assert sum(summary["tiles"].values()) == len(sheet.tiles)
    assert sheet.sources["hexes.E2"] == "D"
    assert sheet.sources["companies"] == "R v1 5.1; R v2 4.2.2; P"


# ------------------------------------------------------------------------------- equality with the reference sheet


@pytest.fixture(params=EDITIONS)
def pair(request, reference_sheet) -> tuple[Sheet, dict[str, Any]]:
    """Our sheet and the reference sheet, of one edition."""
    whole = reference_sheet("18rhl")
    return load(SHEET, request.param), picked({k: v for k, v in whole.items() if k != "editions"}, f"v{request.param}")


def picked(value: Any, edition: str) -> Any:
    """One edition out of the reference sheet, keys as text; an entry that the edition lacks is None."""
    if isinstance(value, list):
        return [picked(item, edition) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() and value.keys() <= {"v1", "v2"}:
        return picked(value.get(edition), edition)
    if value.get(edition) is False:
        return None
    result = {str(k): picked(v, edition) for k, v in value.items() if k not in {"v1", "v2"}}
    mine = value.get(edition)
    if isinstance(mine, dict):
        result |= picked(mine, edition)
    return result


def test_hexes_equal_the_reference(pair):
    sheet, reference = pair
    theirs = entries(reference["hexes"])
    assert list(sheet.hexes) == list(theirs)
    for name, hex_ in sheet.hexes.items():
        other = theirs[name]
        assert face_differences(hex_.face, other) == [], name
        # the reference has the names of these two the other way round: Solingen and Gelsenkirchen lie in the west
        names = several(other.get("name"))
        assert hex_.names == (names[::-1] if name in ("C12", "G12") else names), name
        assert (hex_.terrain, hex_.cost) == (other.get("terrain", ""), other.get("cost", 0)), name
        assert hex_.closed_edges == several(other.get("closed_edges")), name
        assert hex_.stubs == several(other.get("stubs")), name
        assert hex_.face.river_edges == several(other.get("river_edges")), name
        assert hex_.possible_icons == several(other.get("possible_icons")), name
        assert hex_.counts_for == other.get("counts_for", ""), name
        assert hex_.fixed == (other.get("colour") in {"red", "grey"}), name


def test_tiles_equal_the_reference(pair):
    sheet, reference = pair
    theirs = entries(reference["tiles"])
    assert list(sheet.tiles) == list(theirs)
    for number, tile in sheet.tiles.items():
        other = theirs[number]
        assert face_differences(tile.face, other) == [], number
        assert tile.face.river_edges == several(other.get("river_edges")), number
        assert (tile.count, tile.upgrade_cost) == (other["count"], other.get("upgrade_cost", 0)), number
        assert tile.upgrades_to == (tuple(other["upgrades_to"]) if "upgrades_to" in other else None), number
        assert (tile.final, tile.rotation) == (other.get("final", False), other.get("turn")), number
        assert (tile.hexes, tile.name) == (several(other.get("hexes")), other.get("name", "")), number


def test_promotion_and_ratingen_pieces_equal_reference(pair):
    sheet, reference = pair
    for name in ("promotion_tiles", "ratingen"):
        if name not in variants(SHEET, sheet.edition):
            continue
        changed = load(SHEET, sheet.edition, [name])
        changes = reference["variants"][name]["changes"]
        new = {number: tile for number, tile in changes["tiles"].items() if tile and "colour" in tile}
        assert changed.tiles.keys() - sheet.tiles.keys() == new.keys()
        for number, other in new.items():
            assert face_differences(changed.tiles[number].face, other) == [], number
            assert changed.tiles[number].face.river_edges == several(other.get("river_edges")), number
            assert changed.tiles[number].count == other["count"]
            assert changed.tiles[number].hexes == several(other.get("hexes"))
            assert changed.tiles[number].upgrades_from == (several(other.get("upgrades_from")) or None)


def test_market_equals_the_reference(pair):
    sheet, reference = pair
    written = [
        [f"{cell.price}p" if cell.par else cell.price for cell in row if cell is not None] for row in sheet.market.rows
    ]
    assert written == reference["market"]["rows"]
    assert list(sheet.market.par) == reference["market"]["par"]


def test_trains_and_phases_equal_the_reference(pair):
    sheet, reference = pair
    assert list(sheet.trains) == list(entries(reference["trains"]))
    for kind, other in entries(reference["trains"]).items():
        train = sheet.trains[kind]
        assert (train.price, train.count, train.reach) == (other["price"], other["count"], other["reach"])
        assert train.available_on == other.get("available_on", "")
        assert train.obsolete_on == other.get("obsolete_on", "")
        assert (train.optional_count, train.name) == (other.get("optional_count", 0), other.get("name", ""))
    assert [phase.name for phase in sheet.phases] == list(entries(reference["phases"]))
    for phase in sheet.phases:
        other = reference["phases"][phase.name]
        assert (phase.started_by, list(phase.tiles)) == (other["started_by"], other["tiles"])
        assert (phase.train_limit, phase.operating_rounds) == (other["train_limit"], other["operating_rounds"])
        assert (phase.industry_bonus, phase.values) == (other["industry_bonus"], other["grey_and_red_values"])
        assert phase.obsolete == several(other.get("obsolete"))
        assert phase.privates_close == other.get("privates_close", False)


def test_companies_equal_the_reference(pair):
    sheet, reference = pair
    theirs = entries(reference["corporations"])
    if sheet.edition == "1":
        theirs["MKB"] = theirs.pop("KKK")
    assert set(sheet.companies) == set(theirs)
    for id_, company in sheet.companies.items():
        other = theirs[id_]
        stated = other["certificates"]
        pairs = [(int(k[:-1]), v) for k, v in stated.items()] if isinstance(stated, dict) else stated
        assert company.certificates == tuple(percent for percent, number in pairs for _ in range(number))
        assert company.homes == tuple(Home(h["hex"], "abc".index(h["stop"])) for h in several(other["home"]))
        assert (company.name, company.colour) == (other["name"], other["colour"])
        assert company.float_percent == other["float"]
        assert list(company.station_costs) == other["token_costs"]
        assert company.start_value == (other.get("start_value") or 0)


def test_privates_limits_and_totals_equal_reference(pair):
    sheet, reference = pair
    theirs = entries(reference["privates"])
    assert [str(number) for number in sheet.privates] == list(theirs)
    for private in sheet.privates.values():
        other = theirs[str(private.number)]
        assert (private.code, private.name) == (other["code"], other["name"])
        assert (private.price, private.revenue) == (other["price"], other["revenue"])
        assert (private.tile, private.hexes) == (other.get("tile", ""), several(other.get("hexes")))
        assert (private.blocks, private.brings) == (several(other.get("blocks")), other.get("corporation", ""))
        assert (private.available_from, private.does) == (other.get("from", ""), other["does"])
        if private.number < 6:
            assert private.closes == other["closes"]
    limits = reference["limits"]
    assert {str(k): v for k, v in sheet.limits.capital.items()} == limits["capital"]
    assert {str(k): v for k, v in sheet.limits.certificates.items()} == limits["certificates"]
    assert set(sheet.limits.bank.values()) == {limits["bank"]}
    assert sheet.limits.pool_percent == limits["pool_percent"]
    assert list(sheet.players) == reference["players"]
    totals = reference["totals"]
    assert sheet.totals.tiles == totals.get("tiles", {})
    assert (sheet.totals.trains, sheet.totals.station_markers) == (totals["trains"], totals["station_markers"])


def test_bonuses_equal_the_reference(pair):
    sheet, reference = pair
    theirs = entries(reference["bonuses"])
    assert set(sheet.bonuses) == set(theirs)
    assert sheet.bonuses["industry"]["amount"] == theirs["industry"]["amount"]
    for name in ("iron_rhine", "ferry"):
        assert {k: sheet.bonuses[name][k] for k in ("amount", "hexes")} == {
            k: theirs[name][k] for k in ("amount", "hexes")
        }
    assert sheet.bonuses["rheingold"]["hexes"] == theirs["rheingold"]["hexes"]
    assert sheet.bonuses["rheingold"].get("not_through", []) == list(several(theirs["rheingold"].get("not_through")))
