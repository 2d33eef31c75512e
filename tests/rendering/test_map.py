"""The map: every hex once, everything said that is printed, nothing on top of anything else, the same text each time."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest

from tests.builders.random_positions import sheet
from trajekt.engine.board.board import EMPTY_HEX, Board, HexContents, Reservation, Station
from trajekt.engine.components.schema import Sheet
from trajekt.games.rhl.theme import LOOK
from trajekt.rendering.hex_cache import Plates, Source
from trajekt.rendering.hex_drawing import Cell, is_blank
from trajekt.rendering.label_placement import gap
from trajekt.rendering.map import draw_map

SVG = "{http://www.w3.org/2000/svg}"
FINE_OVERLAP = 3.5  # of 100: lettering may come this near before anyone sees it

# POS-R of the rule sheets
LAID = {
    "C4": ("58", 0), "D3": ("9", 0), "D11": ("937", 5), "E12": ("55", 1), "F3": ("8", 2), "F5": ("1", 1), "F9": ("922", 0),
    "F11": ("9", 1), "F13": ("934", 5), "G6": ("938", 0), "G8": ("8", 1), "G10": ("2", 2), "H5": ("9", 0), "H11": ("8", 0),
    "I10": ("923", 0), "J3": ("69", 0), "J9": ("9", 0), "K4": ("4", 1), "K8": ("8", 1),
}  # fmt: skip
STATIONS = {
    "G6": (Station("GVE", 1),), "E2": (Station("GVE", 0),), "F9": (Station("DEE", 1),), "I10": (Station("RhE", 0),),
    "F13": (Station("DEE", 0), Station("BME", 0, asleep=True)), "K6": (Station("RhE", 0),),
}  # fmt: skip
KEPT = {"I10": (Reservation("CME", 1),)}
ICONS = {"C12": ("K",), "E6": ("S",)}
METROPOLES = {
    "F9": ("921", "922", "927", "932"),
    "I10": ("923", "924", "928", "932"),
    "D9": ("925", "926", "929", "932"),
}


def empty(edition: int) -> Board:
    return Board(sheet(edition), {})


def recorded() -> Board:
    names = {*LAID, *STATIONS, *KEPT, *ICONS}
    contents_by_hex = {}
    for name in names:
        tile, turn = LAID.get(name, ("", 0))
        contents_by_hex[name] = HexContents(tile, turn, STATIONS.get(name, ()), KEPT.get(name, ()), ICONS.get(name, ()))
    return Board(sheet(1), contents_by_hex)


def groups(svg: str) -> dict[str, ET.Element]:
    return {g.get("data-hex", ""): g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("data-hex")}


def words(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def cells(printed: Sheet) -> list[Cell]:
    kept = Plates(Source(printed, LOOK))
    return [kept.cell(name, EMPTY_HEX) for name, one in printed.hexes.items() if not is_blank(one.face)]


@pytest.mark.parametrize("edition", [1, 2])
def test_every_hex_is_drawn_once(edition: int) -> None:
    svg = draw_map(empty(edition), LOOK)
    assert sorted(re.findall(r'data-hex="(\w+)"', svg)) == sorted(sheet(edition).hexes)


@pytest.mark.parametrize("edition", [1, 2])
def test_labels_stand_on_their_hexes(edition: int) -> None:
    drawn = groups(draw_map(empty(edition), LOOK))
    for name, printed in sheet(edition).hexes.items():
        said = words(drawn[name])
        for word in (word for line in printed.names for word in line.split(" ")):
            assert any(word in text for text in said), (name, word, said)
        for label in printed.face.labels:
            assert label in said, (name, label, said)
        if printed.cost:
            assert str(printed.cost) in said, (name, said)
        for stop in printed.face.stops:
            if stop.group not in sheet(edition).areas:
                assert all(str(amount) in said for amount in stop.revenue.values() if amount), (name, said)


@pytest.mark.parametrize("edition", [1, 2])
def test_nothing_covers_anything_on_start_map(edition: int) -> None:
    assert covered(cells(sheet(edition))) == []


def test_nothing_covers_anything_in_recorded_position() -> None:
    board = recorded()
    kept = Plates(Source(board.sheet, LOOK))
    assert covered([kept.cell(name, contents) for name, contents in board.contents_by_hex.items()]) == []


def test_nothing_covers_anything_on_the_metropolises() -> None:
    kept = Plates(Source(sheet(1), LOOK))
    laid = [kept.cell(name, HexContents(tile)) for name, tiles in METROPOLES.items() for tile in tiles]
    assert covered(laid) == []


def covered(drawn: list[Cell]) -> list[tuple[str, str, str, str, float]]:
    """Pairs that overlap by more than one would see. Circles of one city touch, and the boat lies between two."""
    found = []
    for cell in drawn:
        for one, two in itertools.combinations(cell.boxes, 2):
            if {one.what, two.what} <= {"city", "boat"}:
                continue
            overlap = -gap(one, two)
            if overlap > FINE_OVERLAP:
                found.append((cell.printed.name, cell.printed.tile, one.what, two.what, round(overlap, 1)))
    return found


def test_stations_sleeping_homes_and_kept_places() -> None:
    drawn = groups(draw_map(recorded(), LOOK))
    tokens = {
        name: [use.get("href") for use in g.iter(f"{SVG}use") if use.get("class") == "station"]
        for name, g in drawn.items()
    }
    assert {name: found for name, found in tokens.items() if found} == {
        "G6": ["#token-GVE"], "E2": ["#token-GVE"], "F9": ["#token-DEE"], "I10": ["#token-RhE"],
        "F13": ["#token-DEE"], "K6": ["#token-RhE"],
    }  # fmt: skip
    asleep = [c for c in drawn["F13"].iter(f"{SVG}circle") if c.get("class") == "home asleep"]
    kept = [c for c in drawn["I10"].iter(f"{SVG}circle") if c.get("class") == "home kept"]
    assert (len(asleep), len(kept)) == (1, 1)
    assert "BME" in words(drawn["F13"])
    assert "CME" in words(drawn["I10"])
    assert "#mark-mine" in {use.get("href") for use in drawn["C12"].iter(f"{SVG}use")}
    assert drawn["F13"].get("aria-label") == "F13, Elberfeld, Barmen, #934, DEE, (BME)"


@pytest.mark.parametrize(("colour", "heavy"), [("yellow", "40"), ("green", "40"), ("brown", "60"), ("grey", "60")])
def test_the_value_in_force_is_framed(colour: str, heavy: str) -> None:
    nijmegen = groups(draw_map(empty(1), LOOK, value=colour))["A4"]
    now = [text.text for text in nijmegen.iter(f"{SVG}text") if text.get("class") == "val-t now"]
    assert now == [heavy]
    assert len([r for r in nijmegen.iter(f"{SVG}rect") if r.get("class") == "val-frame"]) == 1


@pytest.mark.rule("RHL-RTE-16")
@pytest.mark.parametrize("links", [0, 1, 4])
def test_area_fills_pip_for_each_link(links: int) -> None:
    area = groups(draw_map(empty(1), LOOK, links={"eastern_ruhr": links}))["C14"]
    pips = [c.get("class") for c in area.iter(f"{SVG}circle") if (c.get("class") or "").startswith("pip")]
    now = [text.text for text in area.iter(f"{SVG}text") if text.get("class") == "val-t now"]
    assert pips == ["pip on"] * links + ["pip"] * (4 - links)
    assert now == ([] if not links else [str(10 + 10 * links)])


def test_routes_have_rings_at_paying_stops() -> None:
    first = ["I10:0a", "J9:03", "K8:13", "K6:4a"]
    second = ["K6:1a", "K4:4a", "K4:1a", "K2:4a"]
    svg = draw_map(recorded(), LOOK, routes=[first, second])
    assert svg.count('class="rt r1"') == svg.count('class="rt r2"') == 1
    assert svg.count("ring q1") == 2  # I10 and K6
    assert svg.count("ring q2") == 3  # K6, K4 and K2
    assert svg.count("ring q2 wide1") == 1  # K6 wears both
    only = draw_map(recorded(), LOOK, routes=[[*first, "K6:a"]])
    assert only.count("ring q1") == 1


def test_route_without_reference_refused() -> None:
    with pytest.raises(ValueError, match="no reference"):
        draw_map(recorded(), LOOK, routes=[["K6"]])
    with pytest.raises(ValueError, match="no stop"):
        draw_map(recorded(), LOOK, routes=[["K6:d"]])


def test_hexes_to_choose_are_buttons() -> None:
    drawn = groups(draw_map(empty(1), LOOK, lit=["D5"], marked=["E4"]))
    assert (drawn["D5"].get("role"), drawn["D5"].get("tabindex"), drawn["D5"].get("class")) == (
        "button",
        "0",
        "hex lit",
    )
    assert (drawn["E4"].get("role"), drawn["E4"].get("tabindex"), drawn["E4"].get("class")) == (
        "img",
        "-1",
        "hex marked",
    )
    reachable = [g for g in groups(draw_map(empty(1), LOOK)).values() if g.get("tabindex") == "0"]
    assert len(reachable) == 1  # the keyboard can always enter the map


def test_shared_side_is_drawn_once() -> None:
    drawn = [
        re.findall(r"M[^ML]+L[^ML]+", re.search(r'<g class="lit-edges">.*<path d="([^"Z]+)"', svg)[1])
        for svg in (draw_map(empty(1), LOOK, lit=["D5"]), draw_map(empty(1), LOOK, lit=["D5", "D7", "E6"]))
    ]
    assert [len(sides) for sides in drawn] == [6, 15]  # three pairs of neighbours
    assert "lit-edges" not in draw_map(empty(1), LOOK)


def test_river_named_between_land_and_track() -> None:
    svg = draw_map(empty(1), LOOK)
    assert svg.count("Rhein</textPath>") == 3
    assert (
        svg.index('class="lands"')
        < svg.index('class="rivers"')
        < svg.index('class="tracks"')
        < svg.index('class="hexes"')
    )
    assert svg.count('class="water"') == 1


def test_a_thumbnail_has_no_lettering() -> None:
    thumbnail = draw_map(recorded(), LOOK, compact=True)
    assert "Rhein" not in thumbnail
    assert 'class="name' not in thumbnail
    assert sorted(groups(thumbnail)) == sorted(sheet(1).hexes)


def test_same_board_gives_same_text() -> None:
    board = recorded()
    again = Plates(Source(board.sheet, LOOK))
    once = draw_map(board, LOOK, value="yellow")
    assert draw_map(recorded(), LOOK, value="yellow") == once
    for name, contents in board.contents_by_hex.items():
        assert again.cell(name, contents).marks in once


def test_colours_are_left_to_style_sheet() -> None:
    svg = draw_map(recorded(), LOOK, routes=[["K6:4a"]], lit=["D5"])
    assert not re.search(r'#[0-9A-Fa-f]{6}"|style=', svg)
