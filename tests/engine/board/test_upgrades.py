"""What fits where: the table of tiles that may follow on a hex."""

from __future__ import annotations

import json
from itertools import product

import pytest

from tests.builders.random_positions import sheet
from tests.conftest import shared_path
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.upgrades import (
    Upgrade,
    UpgradeFault,
    check_overlay,
    check_upgrade,
    legal_upgrades,
    new_track,
    stop_mapping,
)
from trajekt.engine.components.schema import FIRST_STOP, Face, Piece, Stop
from trajekt.engine.ruleset import Code

EDITIONS = (1, 2)


def places(edition, *variants):
    """Every hex with everything that can come to lie there, from the printed hex on."""
    on = sheet(edition, variants)
    todo = [(at, "", 0) for at in on.hexes]
    seen = set()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        todo += [(place[0], *key) for key in legal_upgrades(on, *place)]
    return on, seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_table_holds_exactly_what_fits(edition):
    on = sheet(edition)
    for at, tile, turn in [
        ("K4", "", 0),
        ("K4", "4", 1),
        ("F9", "", 0),
        ("G6", "938", 0),
        ("C8", "", 0),
        ("D7", "", 0),
    ]:
        table = legal_upgrades(on, at, tile, turn)
        for number, way in product(on.tiles, range(6)):
            answer = check_upgrade(on, at, tile, turn, number, way)
            assert isinstance(answer, Upgrade) == ((number, way) in table)


@pytest.mark.rule("COMMON-TRK-05", "RHL-TRK-16")
@pytest.mark.case("B09", "B83")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_track_ends_at_closed_side(edition):
    on, seen = places(edition)
    for at, tile, turn in seen:
        if not tile:
            continue
        printed = on.hexes[at]
        for edge in on.rotated[tile, turn].edges - printed.face.edges:
            other = beyond(at, edge, on.layout)
            assert edge not in printed.closed_edges
            assert other in on.hexes
            neighbour = on.hexes[other]
            assert opposite(edge) not in neighbour.closed_edges
            if neighbour.face.colour in ("grey", "red"):
                assert opposite(edge) in neighbour.face.edges


@pytest.mark.rule("RHL-TRK-16")
@pytest.mark.case("B09")
@pytest.mark.parametrize("edition", EDITIONS)
def test_yellow_rhine_tiles_can_be_upgraded(edition):
    on = sheet(edition)
    for at, printed in on.hexes.items():
        if not printed.closed_edges:
            continue
        for number, turn in legal_upgrades(on, at):
            kind = on.tiles[number]
            if kind.face.colour != "yellow" or kind.face.stops:
                continue
            assert legal_upgrades(on, at, number, turn) or at in ("B7", "C8"), (at, number, turn)


@pytest.mark.rule("COMMON-TRK-10")
@pytest.mark.case("B81")
@pytest.mark.parametrize("edition", EDITIONS)
def test_upgrades_keep_ways_between_edges(edition):
    """Checked apart from the table: what could be run through the old face can be run through the new one."""
    on, seen = places(edition)
    for at, tile, turn in seen:
        old = on.rotated[tile, turn] if tile else on.hexes[at].face
        for number, way in legal_upgrades(on, at, tile, turn):
            assert ways(old) <= ways(on.rotated[number, way]), (at, tile, turn, number, way)


def ways(face: Face) -> set[frozenset[int]]:
    """Pairs of edges joined inside the hex, and edges that lead to a stop."""
    found = {frozenset((p.a, p.b)) for p in face.track if p.b < FIRST_STOP}
    groups = [{FIRST_STOP + n} for n in range(len(face.stops))]
    for piece in face.track:
        if piece.a >= FIRST_STOP:
            joined = [g for g in groups if piece.a in g or piece.b in g]
            groups = [g for g in groups if g not in joined] + [set().union(*joined)]
    for group in groups:
        here = sorted({p.a for p in face.track if p.b in group and p.a < FIRST_STOP})
        found |= {frozenset((a, b)) for a in here for b in here}
    return found


@pytest.mark.case("B81")
def test_a_town_is_never_torn_apart():
    town = Stop("town")
    old = Face("yellow", (town, town), (Piece(1, 6), Piece(3, 6), Piece(0, 7), Piece(4, 7)))
    apart = Face("green", (town, town), (Piece(1, 6), Piece(0, 6), Piece(3, 7), Piece(4, 7)))
    assert stop_mapping(old, apart) is None
    swapped = Face("green", (town, town), (Piece(0, 6), Piece(4, 6), Piece(1, 7), Piece(3, 7)))
    assert stop_mapping(old, swapped) == (1, 0)


@pytest.mark.rule("COMMON-TRK-10")
@pytest.mark.case("B81")
def test_two_cities_stay_beside_new_one():
    """#937 r5 has cities at edges 5 and 3; #938 r1 would lead both to one city and add another."""
    on = sheet(2)
    assert exits(on.rotated["937", 5]) == [{5}, {3}]
    assert exits(on.rotated["938", 1]) == [{1}, {3, 5}]
    assert check_upgrade(on, "D11", "937", 5, "938", 1) == UpgradeFault(Code.TRACK_LOST, "lost")
    assert legal_upgrades(on, "D11", "937", 5)["938", 5].stops == (0, 1)


def exits(face: Face) -> list[set[int]]:
    return [{p.a for p in face.track if p.b == FIRST_STOP + n} for n in range(len(face.stops))]


def test_merged_stop_makes_all_track_new():
    town = Stop("town")
    old = Face("yellow", (town, town), (Piece(0, 6), Piece(3, 6), Piece(1, 7), Piece(4, 7)))
    new = Face("green", (town,), (Piece(0, 6), Piece(1, 6), Piece(3, 6), Piece(4, 6)))
    assert stop_mapping(old, new) == (0, 0)
    assert new_track(old, new, (0, 0)) == new.track
    single = Face("yellow", (town,), (Piece(0, 6), Piece(3, 6)))
    assert new_track(single, new, (0,)) == (Piece(1, 6), Piece(4, 6))


@pytest.mark.rule("COMMON-TRK-15")
def test_stops_stay_apart_and_on_bank():
    on = sheet(2)
    assert {legal_upgrades(on, "I10")["923", 0].stops, legal_upgrades(on, "I10")["924", 0].stops} == {(0, 0, 1)}
    assert {each.stops for each in legal_upgrades(on, "F9").values()} == {(0, 1, 1)}
    assert legal_upgrades(on, "I10", "923", 0)["928", 0].stops == (0, 0)
    # GVE's city of G6 keeps edge 2 (#938 r0 has it in its second city)
    assert legal_upgrades(on, "G6")["938", 0].stops == (0, 1)
    assert legal_upgrades(on, "C12")["937", 0].stops == (0, 1)


@pytest.mark.rule("COMMON-TRK-15")
def test_place_without_track_stays_on_bank():
    old = Face("yellow", (Stop("city", bank="right"), Stop("city", bank="left")))
    new = Face("green", (Stop("city", bank="left"), Stop("city", bank="right")), (Piece(0, 6), Piece(4, 7)))
    assert stop_mapping(old, new) == (1, 0)


@pytest.mark.rule("RHL-VAR-03")
def test_town_may_lie_on_city_track():
    on = sheet(1, ("promotion_tiles",))
    assert set(legal_upgrades(on, "D9", "929", 0)) == {("949", 0)}
    assert {number for number, _ in legal_upgrades(on, "D13", "216", 0)} == {"Essen"}
    assert {number for number, _ in legal_upgrades(on, "D7", "947", 0)} == {"950"}
    assert {number for number, _ in legal_upgrades(on, "E6", "216", 0)} == set()


@pytest.mark.parametrize(
    ("at", "tile", "turn", "new", "way", "code", "why"),
    [
        ("J15", "", 0, "8", 0, Code.FINISHED_HEX, "finished"),
        ("I6", "141", 0, "933", 0, Code.FINISHED_HEX, "final"),
        ("K8", "8", 1, "40", 0, Code.WRONG_COLOUR, "colour"),
        ("F9", "932", 0, "8", 0, Code.FINISHED_HEX, "colour"),
        ("D13", "", 0, "57", 0, Code.WRONG_KIND, "letters"),
        ("K4", "", 0, "8", 0, Code.WRONG_KIND, "kind"),
        ("I6", "4", 0, "87", 0, Code.WRONG_KIND, "successor"),
        ("I6", "4", 0, "141", 2, Code.TRACK_LOST, "lost"),
        ("F9", "", 0, "922", 1, Code.ORIENTATION, "banks"),
        ("F9", "927", 0, "932", 1, Code.ORIENTATION, "banks"),
        ("C8", "", 0, "8", 5, Code.STUB_NOT_JOINED, "stub"),
        ("H9", "", 0, "4", 1, Code.CLOSED_SIDE, "river"),
        ("J1", "", 0, "8", 0, Code.FINISHED_HEX, "finished"),
        ("J3", "", 0, "55", 1, Code.CLOSED_SIDE, "blank"),
    ],
)
def test_what_does_not_fit_says_why(at, tile, turn, new, way, code, why):
    answer = check_upgrade(sheet(1), at, tile, turn, new, way)
    assert isinstance(answer, UpgradeFault)
    assert (answer.code, answer.why) == (code, why)


@pytest.mark.rule("RHL-TRK-21")
def test_overlay_goes_only_where_it_belongs():
    on = sheet(1)
    assert isinstance(check_overlay(on, "E8", "935", 1), Upgrade)
    assert check_overlay(on, "E8", "935", 0) == UpgradeFault(Code.ORIENTATION, "turn")
    assert check_overlay(on, "E12", "935", 1) == UpgradeFault(Code.WRONG_KIND, "hexes")
    assert isinstance(check_upgrade(on, "E8", "56", 5, "935", 1), UpgradeFault)


def test_every_lay_of_recorded_game_fits():
    record = json.loads(shared_path("recorded/18rhl-first-edition-2026.json").read_text())
    standing: list[dict] = []
    for action in record["actions"]:
        if action["type"] == "undo":
            last = action.get("action_id", standing[-1]["id"] - 1)
            standing = [each for each in standing if each["id"] <= last]
        elif action["type"] != "message":
            standing.append(action)
    on, contents, count = sheet(1), {}, 0
    for action in standing:
        if action["type"] == "lay_tile":
            tile, at, turn = action["tile"].split("-")[0].lstrip("X"), action["hex"], action["rotation"]
            assert isinstance(check_upgrade(on, at, *contents.get(at, ("", 0)), tile, turn), Upgrade), action
            contents[at] = (tile, turn)
            count += 1
    assert count > 60
