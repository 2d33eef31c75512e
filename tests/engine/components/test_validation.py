"""The checks of a whole sheet: each kind of fault, put into 18Rhl one at a time, is found and named by its entry."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from trajekt.engine.components.loader import build, load
from trajekt.engine.components.map_validation import keeps, open_edges, successors
from trajekt.engine.components.provenance import SheetError
from trajekt.engine.components.schema import FIRST_STOP, Face, Piece, Stop
from trajekt.engine.components.validation import check

RHL = files("trajekt.games.rhl") / "sheet.toml"
TABLES = tomllib.loads(RHL.read_text(encoding="utf-8"))
TOWN = {"kind": "town"}


def found(change: dict[str, Any], edition: str = "1") -> dict[str, str]:
    """The faults by key once a change is laid over 18Rhl."""
    try:
        build(TABLES, edition, (), change)
    except SheetError as error:
        keys = [fault.key for fault in error.faults]
        return {key: "; ".join(fault.what for fault in error.faults if fault.key == key) for key in keys}
    return {}


FACES = [
    ({"hexes": {"G6": {"track": [[0, "a"], [2, "c"]]}}}, "hexes.G6.track[1]", "stop 'c', which is not there"),
    ({"hexes": {"B3": {"track": [[3, 5], [5, 3]]}}}, "hexes.B3.track[1]", "stands twice"),
    ({"hexes": {"B3": {"track": [[3, 5], [5, 5]]}}}, "hexes.B3.track[1]", "to itself"),
    ({"hexes": {"K6": {"stops": [TOWN, TOWN]}}}, "hexes.K6.stops[1]", "no track leads to this stop"),
    ({"hexes": {"K6": {"stops": [{"kind": "city", "bare": True}]}}}, "hexes.K6.stops[0].bare", "track leads"),
    ({"hexes": {"C4": {"stops": [{"kind": "village"}]}}}, "hexes.C4.stops[0].kind", "no kind of stop"),
    ({"hexes": {"C4": {"stops": [TOWN | {"bank": "far"}]}}}, "hexes.C4.stops[0].bank", "neither left nor right"),
    ({"hexes": {"C4": {"stops": [TOWN | {"at": "top"}]}}}, "hexes.C4.stops[0].at", "neither an edge"),
    ({"hexes": {"C4": {"stops": [TOWN | {"revenue": {"pink": 10}}]}}}, "hexes.C4.stops[0].revenue.pink", "neither a"),
    ({"hexes": {"D9": {"banks": [[0, 1, 2], [2, 3, 4, 5]]}}}, "hexes.D9.banks", "names an edge twice"),
    ({"hexes": {"C4": {"joined": ["C6"]}}}, "hexes.C4.joined", "C6 is not joined with C4"),
    ({"hexes": {"C4": {"joined": ["Z9"]}}}, "hexes.C4.joined", "Z9 is not on the map"),
    ({"hexes": {"C4": {"blocked_until": "soon"}}}, "hexes.C4.blocked_until", "neither a colour nor a phase"),
    ({"hexes": {"C4": {"reserved_for": "XYZ"}}}, "hexes.C4.reserved_for", "no company XYZ"),
    ({"hexes": {"C5": {"colour": "grey"}}}, "hexes.C5", "between the hexes"),
    ({"hexes": {"5C": {"colour": "grey"}}}, "hexes.5C", "no coordinate"),
    ({"tiles": {"7": {"track": []}}}, "tiles.7", "has no track"),
    ({"tiles": {"7": {"colour": ""}}}, "tiles.7.colour", "is empty"),
    ({"tiles": {"935": {"hexes": ["Z9"]}}}, "tiles.935.hexes", "Z9 is not on the map"),
    ({"tiles": {"3": {"upgrades_to": ["999"]}}}, "tiles.3.upgrades_to", "no tile 999"),
]

MAP = [
    ({"hexes": {"E8": {"drop": ["closed_edges"]}}}, "hexes.E10.closed_edges", "edge 1 is closed here and open in E8"),
    ({"hexes": {"B3": {"track": [[3, 4]], "closed_edges": [4]}}}, "hexes.B3", "which is closed"),
    ({"hexes": {"L1": {"track": [[0, "a"]]}}}, "hexes.L1", "off the map at edge 0"),
    ({"hexes": {"I4": {"track": [[0, 3], [1, 3]]}, "I2": {"colour": "grey"}}}, "hexes.I4", "blank side of I2"),
    ({"hexes": {"B9": {"label": "W"}}}, "hexes.B9.label", "no tile bears W"),
    ({"tiles": {"934": False}}, "hexes.D13.label", "no green tile bears Y"),
    ({"tiles": {"15": {"label": "W"}}}, "tiles.15.label", "no hex bears W"),
    ({"tiles": {"3": {"upgrades_to": ["144"]}}}, "tiles.3.upgrades_to", "144 keeps its track in no rotation"),
    ({"tiles": {"15": False}}, "tiles.57", "no green tile keeps its track"),
    ({"hexes": {"B9": {"stubs": [0, 1, 5]}}}, "hexes.B9", "no tile can be laid here"),
    ({"tiles": {"948": {"hexes": ["C12"], "label": "Moers"}}}, "tiles.948", "can be laid nowhere"),
    ({"tiles": {"921": {"banks": [[1, 2, 3], [4, 5, 0]]}}}, "tiles.921", "can be laid nowhere"),
    ({"tiles": {"930": {"track": [[0, "a"], [2, "a"]]}}}, "hexes.K2", "no tile can be laid here"),
    ({"tiles": {"935": {"turn": 0}}}, "tiles.935", "fits in no rotation"),
]

PAPER = [
    ({"hexes": {"C4": {"stops": [TOWN | {"revenue": 15}]}}}, "hexes.C4.stops[0].revenue", "no multiple of 10"),
    ({"tiles": {"57": {"stops": [{"kind": "city", "revenue": 25}]}}}, "tiles.57.stops[0].revenue", "no multiple of 10"),
    ({"tiles": {"921": {"ferry_revenue": 35}}}, "tiles.921.ferry_revenue", "no multiple of 10"),
    ({"phases": {"brown": {"industry_bonus": 45}}}, "phases.brown.industry_bonus", "no multiple of 10"),
    ({"areas": {"eastern_ruhr": {"value_by_links": {"2": 35}}}}, "areas.eastern_ruhr.value_by_links.2", "no multiple"),
    ({"bonuses": {"ferry": {"amount": -15}}}, "bonuses.ferry.amount", "no multiple of 10"),
    ({"bonuses": {"industry": {"amount": {"yellow": 5}}}}, "bonuses.industry.amount.yellow", "no multiple of 10"),
    ({"hexes": {"C4": {"stops": [TOWN | {"group": "hamburg_berlin"}]}}}, "hexes.C4.stops[0].group", "is a town"),
    ({"hexes": {"A2": {"src": "seen"}}}, "hexes.A2.src", "does not begin with"),
    ({"bonuses": {"ferry": {"hexes": ["Z9"]}}}, "bonuses.ferry.hexes", "no hex Z9"),
    ({"bonuses": {"rheingold": {"train": "9"}}}, "bonuses.rheingold.train", "no train 9"),
    ({"own": {"harbours": {"src": "P", "x": {"tile": "L1"}}}}, "own.harbours.x.tile", "no tile L1"),
    ({"hexes": {"C4": {"own": {"ferry": {"hex": "Z9"}}}}}, "hexes.C4.own.ferry.hex", "no hex Z9"),
    ({"trains": {"8": {"own": {"pairs": [{"train": "9"}]}}}}, "trains.8.own.pairs[0].train", "no train 9"),
    ({"areas": {"eastern_ruhr": {"hexes": ["C14"]}}}, "areas.eastern_ruhr.entrances[2].hex", "no hex of this area"),
    ({"areas": {"eastern_ruhr": {"value_by_links": {"5": 60}}}}, "areas.eastern_ruhr.value_by_links", "keys 1 to 4"),
    ({"market": {"rows": [[60, "70p", 65]]}}, "market.rows[0]", "does not rise"),
    ({"market": {"rows": [[60, 70]]}}, "market.rows", "no space is marked"),
    ({"market": {"rows": [[60, "70p"], ["", ""]]}}, "market.rows[1]", "is empty"),
    ({"market": {"rows": []}}, "market.rows", "there are none"),
    ({"market": {"par": [60, 65]}}, "market.par", "the spaces say"),
    ({"trains": {"6": {"available_on": "7"}}}, "trains.6.available_on", "neither a train nor a phase"),
    ({"trains": {"3": {"obsolete_on": "7"}}}, "trains.3.obsolete_on", "neither a train nor a phase"),
    ({"trains": {"3": {"obsolete_on": "2"}}}, "trains.3.obsolete_on", "comes no later"),
    ({"trains": {"3": {"obsolete_on": "8"}}}, "trains.3.obsolete_on", "at another time"),
    ({"trains": {"3": {"obsolete_on": "8"}}}, "phases.brown6.obsolete", "3-train is not obsolete"),
    ({"phases": {"brown": {"obsolete": ["1"]}}}, "phases.brown.obsolete", "no train '1'"),
    ({"phases": {"brown": {"tiles": ["brown"]}}}, "phases.brown.tiles", "of the phase before is missing"),
    ({"phases": {"grey": {"tiles": ["yellow", "green", "brown"]}}}, "phases", "no phase allows grey tiles"),
    ({"phases": {"brown": {"tiles": ["yellow", "green", "pink"]}}}, "phases.brown.tiles", "no colour 'pink'"),
    ({"phases": {"brown": {"values": "pink"}}}, "phases.brown.values", "no colour 'pink'"),
    ({"phases": {"yellow": {"started_by": "2"}}}, "phases.yellow.started_by", "begins at the start"),
    ({"phases": {"green": {"started_by": "7"}}}, "phases.green.started_by", "no train '7'"),
    ({"phases": {"green": {"started_by": "5"}}}, "phases", "order of the trains"),
    ({"limits": {"capital": {"7": 250}}}, "limits.capital", "each of 3 to 6 players"),
    ({"limits": {"capital": {"6": 3000}}}, "limits.capital.6", "does not hold so much"),
    ({"players": [6, 3]}, "players", "above the most"),
    ({"totals": {"trains": 29}}, "totals.trains", "29 are printed, the sheet has 28"),
    ({"totals": {"station_markers": 23}}, "totals.station_markers", "the sheet has 24"),
    ({"totals": {"certificates": 69}}, "totals.certificates", "the sheet has 70"),
    ({"totals": {"hexes": 85}}, "totals.hexes", "the sheet has 89"),
    ({"totals": {"buildable_hexes": 1}}, "totals.buildable_hexes", "1 are printed"),
    ({"tiles": {"7": {"count": 3}}}, "totals.tiles.yellow", "45 are printed, the sheet has 46"),
]

COMPANIES = [
    ({"companies": {"BME": {"certificates": [[20, 1], [10, 7]]}}}, "companies.BME.certificates", "add up to 90"),
    ({"companies": {"BME": {"float": 0}}}, "companies.BME.float", "at least 1"),
    ({"companies": {"BME": {"home": {"hex": "Z9"}}}}, "companies.BME.home", "Z9 is not on the map"),
    ({"companies": {"BME": {"home": {"hex": "F13", "stop": "c"}}}}, "companies.BME.home", "no such stop"),
    ({"companies": {"BME": {"home": {"hex": "C4", "stop": "a"}}}}, "companies.BME.home", "holds no stations"),
    ({"companies": {"BME": {"home": {"hex": "L1", "stop": "a"}}}}, "companies.BME.home", "no place for a station"),
    ({"companies": {"BME": {"home": []}}}, "companies.BME.home", "there is none"),
    ({"companies": {"BME": {"home": {"hex": "K2", "stop": "a"}}}}, "hexes.K2.stops[0].slots", "2 homes, room for 1"),
    ({"companies": {"CCE": {"station_costs": [0, 60, 80]}}}, "companies.CCE.station_costs", "should cost 0"),
    ({"companies": {"CCE": {"station_costs": [0]}}}, "companies.CCE.station_costs", "fewer stations than homes"),
    ({"companies": {"RhE": {"start_value": 72}}}, "companies.RhE.start_value", "72 is no par value"),
    ({"companies": {"RhE": {"pool_percent": 90}}}, "companies.RhE.pool_percent", "nothing for the director"),
    ({"companies": {"RhE": {"waits_for": ["Z9"]}}}, "companies.RhE.waits_for", "Z9 is not on the map"),
    ({"companies": {"RhE": {"letters": "BME"}}}, "companies", "have the letters BME"),
    ({"privates": {"3": {"hexes": ["Z9"]}}}, "privates.3.hexes", "Z9 is not on the map"),
    ({"privates": {"1": {"blocks": ["Z9"]}}}, "privates.1.blocks", "Z9 is not on the map"),
    ({"privates": {"2": {"tile": "936"}}}, "privates.2.tile", "no tile 936"),
    ({"privates": {"5": {"brings": "XYZ"}}}, "privates.5.brings", "no company XYZ"),
    ({"privates": {"5": {"brings_percent": 15}}}, "privates.5.brings_percent", "no such certificate"),
    ({"privates": {"4": {"brings_percent": 10}}}, "privates.4.brings_percent", "of no company"),
    ({"privates": {"4": {"available_from": "soon"}}}, "privates.4.available_from", "neither a colour nor a phase"),
]


@pytest.mark.parametrize("change, key, what", FACES + MAP + PAPER + COMPANIES, ids=lambda value: str(value)[:60])
def test_each_fault_found_at_its_entry(change, key, what):
    faults = found(change)
    assert key in faults
    assert what in faults[key]


ENTRANCE = {"hex": "C14", "stop": "a", "edge": 0, "from": "D13", "from_edge": 3}


@pytest.mark.parametrize(
    "change, what",
    [
        ({"stop": "c"}, "C14 has no such stop"),
        ({"stop": "b"}, "no track of C14 runs from edge 0"),
        ({"from": "D11"}, "is D13 edge 3, not D11 edge 3"),
        ({"from_edge": 4}, "is D13 edge 3, not D13 edge 4"),
    ],
)
def test_entrances_match_the_track(change, what):
    area = {
        "entrances": [ENTRANCE | change],
        "value_by_links": {"1": 20},
        "replace": True,
        "name": "x",
        "hexes": ["C14"],
    }
    faults = found({"areas": {"eastern_ruhr": area}})
    assert any(what in told for key, told in faults.items() if key.startswith("areas.eastern_ruhr.entrances[0]"))


@pytest.mark.parametrize(
    "rows, key, what",
    [
        ([(1, "Z9", "E6")], "draws.rows[0].icons.K", "Z9 is not on the map"),
        ([(1, "B5", "E6")], "draws.rows[0].icons.K", "B5 has no stop"),
        ([(1, "B9", "E6")], "draws.rows[0].icons.K", "no printed place"),
        ([(1, "J3", "E6"), (3, "J3", "E6")], "draws.rows[1].number", "should be 2"),
    ],
)
def test_draws_name_printed_places(rows, key, what):
    faults = found({"draws": {"rows": [{"number": n, "icons": {"K": k, "S": s}} for n, k, s in rows]}})
    assert what in faults[key]


def test_a_missing_source_is_a_fault():
    tables = TABLES | {"trains": {key: value for key, value in TABLES["trains"].items() if key != "src"}}
    with pytest.raises(SheetError, match=r"trains\.src: is missing"):
        build(tables, "1")


@pytest.mark.parametrize("edition", ["1", "2"])
def test_a_sound_sheet_has_no_fault(edition):
    sheet = load(RHL, edition)
    assert check(sheet) == []
    assert check(msgspec.structs.replace(sheet, phases=sheet.phases[1:])) != []
    assert check(msgspec.structs.replace(sheet, hexes={})) != []


# ------------------------------------------------------------------------------------------------------- the upgrades


def face(*track: tuple[int, int], stops: str = "") -> Face:
    kinds = {"c": "city", "t": "town"}
    return Face(track=tuple(Piece(a, b) for a, b in track), stops=tuple(Stop(kinds[letter]) for letter in stops))


A, B = FIRST_STOP, FIRST_STOP + 1


@pytest.mark.parametrize(
    "old, new, kept",
    [
        (face((0, 3)), face((0, 3), (0, 2)), True),
        (face((0, 3)), face((0, 2), (1, 3)), False),
        (face((0, A), (3, A), stops="t"), face((0, A), (1, A), (3, A), stops="t"), True),
        (face((0, A), (3, A), stops="t"), face((0, 3)), False),
        (face((0, 3)), face((0, A), (3, A), stops="t"), False),
        (face((0, A), (3, A), (1, B), (4, B), stops="tt"), face((0, A), (1, A), (3, A), (4, A), stops="t"), True),
        (face((0, A), (2, A), stops="c"), face((0, A), (2, B), stops="cc"), False),
        (face((0, A), (3, B), (A, B), stops="cc"), face((0, A), (3, A), stops="c"), True),
        (face((0, A), (3, B), (A, B), stops="cc"), face((0, A), (3, B), stops="cc"), False),
        (face((0, A), stops="t"), face((0, A), stops="c"), False),
    ],
)
def test_track_kept_and_stops_never_part(old, new, kept):
    assert keeps(old, new) is kept


def test_pair_of_label_may_change_stops():
    assert keeps(face((0, A), stops="t"), face((0, A), stops="c"), kinds_may_change=True)


def test_successors_with_their_turns():
    sheet = load(RHL, "1")
    assert successors(sheet, "57") == {"15": (0, 3)}
    assert successors(sheet, "4") == {"141": (0, 3), "142": (0, 3)}
    assert successors(sheet, "925") == {"929": (0, 5)}  # the banks leave only turn 0
    assert set(successors(sheet, "927")) == {"932"}
    assert successors(sheet, "15") == {}


def test_river_tile_turns_until_river_agrees():
    aachen = {"river_edges": [4]}
    assert found({"hexes": {"K2": aachen}, "tiles": {"930": {"river_edges": [4]}, "931": {"river_edges": [4]}}}) == {}
    faults = found({"hexes": {"K2": aachen}, "tiles": {"930": {"river_edges": [1]}}})
    assert faults["hexes.K2"] == "no tile can be laid here"


def test_a_river_edge_twice_is_fault():
    assert "names an edge twice" in found({"hexes": {"B9": {"river_edges": [0, 0]}}})["hexes.B9.river_edges"]


@pytest.mark.rule("RHL-TRK-23")
def test_only_edges_2_to_4_fit():
    assert open_edges(load(RHL, "1"), "B7") == {2, 4}
