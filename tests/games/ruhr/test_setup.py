"""Section 1: components and set-up (RUHR-SETUP), and the sheet against the reference where that lies beside the project."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import ADA, NAMES, opened, owning, refuses, rules, works_turn
from trajekt.engine.components.provenance import letters
from trajekt.engine.decisions import start
from trajekt.engine.state import IPO, POOL
from trajekt.games.ruhr.actions import Develop
from trajekt.games.ruhr.components import MINES, ruhr_components
from trajekt.games.ruhr.starting_package import Package, columns
from trajekt.games.ruhr.state import ACTIVE, PASSIVE, location, ruhr_state
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.trains import on_display

SCENARIOS = {
    "hellweg": (1, 3, 5, 6, 7, 9, 10, 15),
    "metropolis": (2, 4, 5, 6, 7, 10, 13, 15),
    "ruhr_valley": (3, 5, 7, 9, 12, 13, 15, 16),
    "emscher_valley": (1, 2, 4, 6, 10, 11, 14, 18),
    "north_and_south": (3, 8, 9, 11, 12, 14, 17, 18),
}
COAL = (5, 7, 10, 11, 14, 15, 16, 17, 18)


@pytest.mark.rule("RUHR-SETUP-01")
@pytest.mark.parametrize("count", [2, 7])
def test_only_three_to_six_players(count):
    names = tuple(f"P{n}" for n in range(count))
    with pytest.raises(ValueError, match="3 to 6"):
        start(rules(), names, 1)


@pytest.mark.rule("RUHR-SETUP-02")
def test_seats_by_lot_with_priority():
    seats = {start(rules(), NAMES[:4], seed).state.names for seed in range(20)}
    state = start(rules(), NAMES[:4], 3).state
    assert len(seats) > 3
    assert sorted(state.names) == sorted(NAMES[:4])
    assert state.priority == 0
    assert ruhr_state(state).cards == ()


@pytest.mark.rule("RUHR-SETUP-03")
@pytest.mark.parametrize(
    ("players", "cash", "bank"), [(3, 650, 11050), (4, 530, 10880), (5, 410, 10950), (6, 360, 10840)]
)
def test_starting_capital_out_of_the_bank(players, cash, bank):
    state = opened(players)
    assert [player.cash for player in state.players] == [cash] * players
    assert state.bank == bank


@pytest.mark.rule("RUHR-SETUP-04")
def test_all_money_is_open():
    state = owning(opened(), pmc7=ADA)
    assert all(isinstance(player.cash, int) for player in state.players)
    assert state.aside["7"] == 35
    assert all(company.treasury == 0 for company in state.companies.values())


@pytest.mark.rule("RUHR-SETUP-05")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario_has_mines_and_mills(scenario):
    state = opened(scenario=scenario)
    active = tuple(mine for mine in MINES if ruhr_state(state).mines[mine] == ACTIVE)
    charters = ruhr_components(state.sheet).charters
    assert active == SCENARIOS[scenario]
    assert Counter(charters[str(mine)].industry for mine in active) == {"coal": 4, "steel": 4}
    assert tuple(mine for mine in MINES if charters[str(mine)].industry == "coal") == COAL


@pytest.mark.rule("RUHR-SETUP-05")
def test_random_scenario_comes_from_the_seed():
    drawn = {ruhr_state(start(rules(scenario="random"), NAMES[:3], seed).state).scenario for seed in range(30)}
    assert drawn == set(SCENARIOS)


@pytest.mark.rule("RUHR-SETUP-05")
def test_hellweg_leaves_ten_passive():
    mines = ruhr_state(opened(scenario="hellweg")).mines
    assert [mine for mine in MINES if mines[mine] == PASSIVE] == [2, 4, 8, 11, 12, 13, 14, 16, 17, 18]


@pytest.mark.rule("RUHR-SETUP-06")
def test_eighteen_markers_eight_charters():
    state = opened()
    assert [location(state, mine) for mine in MINES] == [0] * 18
    assert sum(state.privates[mine].open for mine in MINES) == 8


@pytest.mark.rule("RUHR-SETUP-07")
@pytest.mark.parametrize(("players", "items", "papers"), [(3, 9, 10), (4, 12, 13), (5, 10, 11), (6, 12, 13)])
def test_the_package_by_number_of_players(players, items, papers):
    state = opened(players)
    dealt = [item for column in ruhr_state(state).columns for item in column]
    assert len(dealt) == items
    assert items + (19 in dealt) == papers


@pytest.mark.rule("RUHR-SETUP-08")
def test_two_columns_by_price():
    sheet = opened(3).sheet
    assert columns(sheet, 3, "hellweg") == ((1, 9, 15, 19, 6), (3, 7, 5, 10))
    emscher = columns(sheet, 3, "emscher_valley")
    assert (emscher[0][0], emscher[1][0]) == (1, 18)


@pytest.mark.rule("RUHR-SETUP-08")
def test_equal_pmcs_by_number():
    sheet = opened(3).sheet
    same = {number: replace(private, price=100) for number, private in sheet.privates.items()}
    first, second = columns(replace(sheet, privates=same), 3, "hellweg")
    assert [item for pair in zip(first, (*second, 0), strict=True) for item in pair][:-1] == [
        1,
        3,
        5,
        6,
        7,
        9,
        10,
        15,
        19,
    ]


@pytest.mark.rule("RUHR-SETUP-09")
def test_only_lowest_type_is_on_offer():
    state = works_turn(owning(opened(), money=500, pmc7=ADA), "7")
    assert on_display(state) == ("2",)
    refuses(rules(), state, ADA, Develop("3", "AB"), "card_gone", "RUHR-SETUP-09")
    assert state.depot.display["2"] == 14
    assert opened(optional_cards=True).depot.display["2"] == 16


@pytest.mark.rule("RUHR-SETUP-10")
def test_all_certificates_lie_in_the_ipo():
    state = opened()
    papers = [c for company in state.companies.values() for c in company.certificates]
    assert len(papers) == 91
    assert {c.holder for c in papers} == {IPO}
    assert all(company.certificates[0].director for company in state.companies.values())
    assert not any(company.percent(POOL) for company in state.companies.values())


@pytest.mark.rule("RUHR-SETUP-11")
def test_supplies_match_the_printed():
    sheet = opened().sheet
    known = ruhr_components(sheet)
    assert known.markers == (13, 10, 9, 8, 5, 6)
    assert known.engines == {"W1": 4, "W2": 4, "W3": 4, "W4": 4}
    tiles: Counter[str] = Counter()
    for tile in sheet.tiles.values():
        tiles[tile.face.colour] += tile.count
    assert tiles == {"yellow": 96, "green": 62, "brown": 24, "grey": 6}
    tokens = {name: len(company.station_costs) for name, company in sheet.companies.items() if company.station_costs}
    assert tokens == {"BME": 5, "CME": 5, "DGEE": 2, "KWE": 3, "PWB": 3, "RhE": 5, "EH": 3}


def test_first_frame_package_with_first_player():
    assert opened().top == Package(ADA)


def test_options_name_what_is_wrong():
    with pytest.raises(ValueError, match="scenario"):
        TITLE.options({"scenario": "nowhere"})
    with pytest.raises(ValueError, match="unknown field"):
        TITLE.options({"nonsense": 1})
    assert TITLE.plain(TITLE.options({"scenario": "metropolis"}))["scenario"] == "metropolis"


def test_entries_state_their_sources():
    sheet = opened().sheet
    assert sheet.sources["hexes"] == "X"
    assert letters(sheet.hexes["B9"].src) == "X"
    assert "X" in letters(sheet.privates[7].src)
    assert set(sheet.sources) >= {"tiles", "market", "trains", "phases", "companies", "privates", "limits", "own.pmcs"}


def test_the_sheet_says_what_reference_says(reference_sheet):
    whole = reference_sheet("18ruhr")
    sheet = opened().sheet
    hexes = {name: entry for name, entry in whole["hexes"].items() if name not in ("src", "note")}
    assert set(hexes) == set(sheet.hexes)
    for name, entry in hexes.items():
        found = sheet.hexes[name]
        names = entry.get("name", [])
        assert list(found.names) == (names if isinstance(names, list) else [names]), name
        assert found.cost == entry.get("cost", 0), name
        assert [stop.kind for stop in found.face.stops] == [stop["kind"] for stop in entry.get("stops", [])], name
        assert [stop.slots for stop in found.face.stops] == [stop.get("slots", 0) for stop in entry.get("stops", [])], (
            name
        )
        assert len(found.face.track) == len(entry.get("track", [])), name
        assert found.own.get("pmc") == entry.get("montan", {}).get("pmc"), name
    tiles = {number: entry for number, entry in whole["tiles"].items() if number not in ("src", "note")}
    assert {n: (t["colour"], t["count"]) for n, t in tiles.items()} == {
        n: (t.face.colour, t.count) for n, t in sheet.tiles.items()
    }
    for number, entry in tiles.items():
        track = {tuple(sorted(ord(e) - 91 if isinstance(e, str) else e for e in piece)) for piece in entry["track"]}
        assert {(p.a, p.b) for p in sheet.tiles[number].face.track} == track, number
    row = [cell.price for cell in sheet.market.rows[0]]
    assert row == [int(str(cell).rstrip("p")) for cell in whole["market"]["rows"][0]]
    for kind, entry in whole["trains"]["list"].items():
        card = ruhr_components(sheet).cards[kind]
        train = sheet.trains[kind]
        assert (train.price, train.count, train.reach) == (entry["price"], entry["count"], entry["cities"])
        assert (card.price, card.squares, list(card.stages)) == tuple(
            entry["development"][key] for key in ("price", "squares", "stages")
        )
        assert (card.engine, card.engine_price) == tuple(entry["switch_engine"][key] for key in ("type", "price"))
    for number, entry in whole["pmcs"]["list"].items():
        charter = ruhr_components(sheet).charters[number]
        assert sheet.privates[int(number)].price == entry["price"]
        assert (charter.industry, charter.start_money) == (entry["industry"], entry["start_money"])
        assert charter.boxes[:3] == tuple(entry["boxes"][stage] for stage in "ABC")
        assert charter.signs[:3] == tuple(entry["track_sign"][stage] for stage in "ABC")
