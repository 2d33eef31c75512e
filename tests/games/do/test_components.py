"""The components of 18DO: equality with the reference sheet, entry by entry."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.do_positions import SHEET
from tests.builders.reference_sheets import entries, face_differences
from trajekt.engine.components.loader import load
from trajekt.engine.components.provenance import sheet_summary

VARIANTS = {5: (), 4: ("four_players",), 3: ("three_players",)}
NAMES = {3: "three_players", 4: "four_players"}


def laid(base: Any, change: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(change, dict):
        return change
    out = {k: v for k, v in base.items() if k not in change or change[k] is not None}
    for key, value in change.items():
        if value is not None:
            out[key] = laid(base.get(key), value)
    return out


@pytest.fixture(params=(3, 4, 5))
def pair(request, reference_sheet):
    """Our sheet and the reference, for a number of players."""
    whole = reference_sheet("18do")
    if request.param in NAMES:
        whole = laid(whole, whole["variants"]["list"][NAMES[request.param]]["changes"])
    return load(SHEET, "1", VARIANTS[request.param]), whole


def test_hexes_and_tiles(pair):
    sheet, reference = pair
    hexes = entries(reference["hexes"])
    assert list(sheet.hexes) == list(hexes)
    for name, hex_ in sheet.hexes.items():
        their = hexes[name]
        assert face_differences(hex_.face, their) == [], name
        assert (hex_.names, hex_.cost, hex_.terrain) == (
            (their["name"],),
            their.get("cost", 0),
            their.get("terrain", ""),
        )
        reserved = their.get("reserved_for")
        assert hex_.reserved_for == ((reserved,) if reserved else ())
    tiles = entries(reference["tiles"])
    assert list(sheet.tiles) == list(tiles)
    for number, tile in sheet.tiles.items():
        their = tiles[number]
        assert face_differences(tile.face, their) == [], number
        assert (tile.count, tile.final, list(tile.hexes)) == (
            their["count"], their.get("final", False), their.get("hexes", []),
        )  # fmt: skip
        assert tile.own.get("border") == their.get("border")


def test_market_money_and_limits(pair):
    sheet, reference = pair
    rows = [[f"{c.price}p" if c.par else c.price for c in row if c] for row in sheet.market.rows]
    assert rows == reference["market"]["rows"]
    assert list(sheet.market.par) == reference["market"]["par"]
    values = reference["market"]["start_values"]
    assert dict(sheet.own["start_values"]) == {k: v for k, v in values.items() if k != "src"}
    assert set(sheet.limits.bank.values()) == {reference["bank"]["cash"]}
    assert dict(sheet.limits.capital) == {k: v for k, v in reference["starting_capital"].items() if k != "src"}
    assert dict(sheet.limits.certificates) == {k: v for k, v in reference["certificate_limit"].items() if k != "src"}
    share = {str(k): v for k, v in reference["share_limit_percent"].items() if k != "src"}
    assert sheet.own["share_limit"]["percent"] == share
    assert sheet.own["bid_boxes"]["values"] == reference["boxes_of_the_stock_table"]["bid_boxes"]["values"]


def test_cards_and_phases(pair):
    sheet, reference = pair
    for kind, their in reference["trains"]["list"].items():
        train = sheet.trains[kind]
        assert (train.price, train.count, train.reach) == (their["price"], their["count"], their["reach"])
        back, demand = their["back"], their["demand"]
        assert (train.own["equipment_price"], train.own["capacity"], train.own["arrows"]) == (
            back["price"], back["capacity"], back["red_arrows"],
        )  # fmt: skip
        assert train.own.get("not_for_minors", False) == back.get("not_for_minors", False)
        assert (train.own["wagons"], train.own["link_price"]) == (their["wagons"], their["link_price"])
        assert train.own["segment"] == demand["segment"]
        for parity in ("odd", "even"):
            assert train.own[parity] == dict([demand[parity]])
        assert train.available_on == their.get("available_on", "")
        gone = train.own.get("final_run_on", "") or train.obsolete_on
        assert gone == their.get("obsolete_on", "")
        assert bool(train.own.get("final_run_on")) == their.get("final_run", False)
    assert sheet.trains["8"].available_after == 2
    for name, their in reference["phases"]["list"].items():
        phase = sheet.phase_by_name[name]
        assert (phase.started_by, list(phase.tiles), phase.train_limit, phase.operating_rounds) == (
            their["started_by"], their["tiles"], their["train_limit"], their["operating_rounds"],
        )  # fmt: skip
        assert list(phase.obsolete) == ([their["scraps"]] if "scraps" in their else [])
        own = {
            k: v
            for k, v in their.items()
            if k not in ("started_by", "tiles", "train_limit", "operating_rounds", "scraps")
        }
        assert phase.own == own


def test_companies_and_minors(pair):
    sheet, reference = pair
    theirs = reference["corporations"]["list"]
    assert list(sheet.companies) == list(theirs)
    for name, company in sheet.companies.items():
        their = theirs[name]
        assert company.name == their["name"]
        assert company.certificates == tuple(p for p, n in their["certificates"] for _ in range(n))
        assert list(company.station_costs) == their.get("token_costs", [])
        home = their.get("home")
        at = [home] if isinstance(home, str) else home or []
        assert [h.hex for h in company.homes] == at[:1]
        assert list(sheet.hexes[at[0]].joined) == at[1:] if at else not company.homes
        assert company.own["kind"] == their["kind"]
        for key in ("first_turn_train", "home_never_blocks"):
            assert company.own.get(key, False) == their.get(key, False)
        assert ("free_token" in company.own) == ("location_token" in their)
    for code, their in reference["minors"]["list"].items():
        private = sheet.privates[int(code[1:])]
        own = sheet.own["minors"][code]
        assert (private.code, private.name, private.price) == (code, their["name"], their["price"])
        assert (own["1"], own["2"]) == (their["equipment"]["type_1"], their["equipment"]["type_2"])
        assert own["treasury"] == their["treasury"]
        assert own.get("always_in_play", False) == their.get("always_in_play", False)


def test_beer_market_and_expert_game(pair):
    sheet, reference = pair
    market = reference["beer_market"]
    for number, their in market["segments"].items():
        own = sheet.own["segments"][number]
        assert (own["regular"], own["new"], own["printed"]) == (
            their["income_regular"], their["income_new"], their["printed_new_demand"],
        )  # fmt: skip
    for players in (3, 4, 5):
        their, own = market["setup_cubes"][players], sheet.own["cubes"][str(players)]
        assert (own["segment_1"], own["segment_2"], own["price_box"], own["stock"], own["total"]) == (
            their["segment_1"], their["segment_2"], their["export_box"], their["stock"], their["total"],
        )  # fmt: skip
    assert sheet.own["export"] == {"income": 100, "per_cube": 40, "to_own_home": 50}
    for code, their in reference["expert"]["mcm"].items():
        own = sheet.own["markers"][code]
        assert (own["does"].replace("_", " "), own["phase"], own["price"]) == (
            their["kind"],
            their["phase"],
            their["price"],
        )
        assert {int(k): v for k, v in own["count"].items()} == their["count"]
        assert own.get("revenue", "variable") == their["revenue"]
    for letter, their in reference["expert"]["sem"].items():
        assert sheet.own["events"][letter] == {"name": their["name"], "phase": their["phase"]}
    places = {k: v for k, v in reference["expert"]["mcm_places"].items() if k != "src"}
    assert dict(sheet.own["marker_places"]) == places


def test_totals_match_the_reference(pair):
    sheet, reference = pair
    totals, theirs = sheet.totals, reference["totals"]
    assert (totals.hexes, totals.buildable_hexes, totals.trains) == (77, 59, theirs["trains"])
    assert (totals.station_markers, totals.certificates) == (theirs["station_markers"], theirs["certificates"])


def test_what_is_reconstructed_says_so():
    summary = sheet_summary(load(SHEET, "1"))
    assert summary["tiles"].keys() == {"X"}
    assert summary["hexes"]["X"] > 60
