"""Section 8.2: the Rhine, the metropolises, Moers, the crossing at C8, E14, E8; and the link from Köln to Aachen."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused, sheet, with_company, with_tiles
from tests.builders.rhl_positions import POS_R, POS_R_STATIONS, choices, ruleset, table, turn
from tests.builders.rhl_track import done, lay, tiles_on, why
from trajekt.engine.actions import LayTile, UsePrivate
from trajekt.engine.board import reachability
from trajekt.engine.board.board import Board, HexContents
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.upgrades import UpgradeFault, check_upgrade
from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Code
from trajekt.engine.state import set_aside_account
from trajekt.games.rhl.aachen_link import linked

BOTH = ("R1", "R2")
ALL = ("R1", "R2", "compat")


@pytest.mark.rule("RHL-TRK-16")
@pytest.mark.case("B09")
@pytest.mark.parametrize("rules", BOTH)
def test_rhine_is_crossed_at_four_places(rules):
    state = table(rules, "CME", stations="CME I10:c; DEE F9:b")
    assert why(rules, state, "H9 #4 r1") == (Code.CLOSED_SIDE, "RHL-TRK-16")
    crossing = set()
    for at, printed in state.sheet.hexes.items():
        for edge in printed.face.river_edges:
            if edge not in printed.closed_edges:
                crossing.add((at, edge))
    assert crossing == {("C8", 3), ("B9", 0)}


@pytest.mark.rule("RHL-TRK-17")
@pytest.mark.parametrize("rules", BOTH)
def test_metropolis_tiles_have_one_orientation(rules):
    state = table(rules, "DEE", stations="DEE F9:b", phase="green")
    assert why(rules, state, "F9 #922 r1") == (Code.ORIENTATION, "RHL-TRK-17")
    assert tiles_on(rules, state, "F9") == {("921", 0), ("922", 0)}
    on = state.sheet
    for at, letter in (("D9", "DU"), ("F9", "D"), ("I10", "K")):
        for number, tile in on.tiles.items():
            if letter in tile.face.labels and tile.face.colour in ("green", "brown", "grey"):
                before = {"green": "", "brown": "921", "grey": "927"}[tile.face.colour]
                before = {"DU": {"921": "925", "927": "929"}, "K": {"921": "923", "927": "928"}}.get(letter, {}).get(
                    before, before
                )
                turns = [
                    way
                    for way in range(6)
                    if not isinstance(check_upgrade(on, at, before, 0, number, way), UpgradeFault)
                ]
                assert turns == [0], (at, number)


@pytest.mark.rule("RHL-TRK-17")
def test_bank_places_until_green():
    on = sheet(2)
    banks = {"D9": (1, 2), "F9": (1, 2), "I10": (2, 1)}
    for at, (left, right) in banks.items():
        faces = [on.hexes[at].face] + [
            t.face
            for t in on.tiles.values()
            if t.face.colour == "green" and set(t.face.labels) & set(on.hexes[at].face.labels)
        ]
        assert len(faces) == 3
        for face in faces:
            assert sum(s.slots for s in face.stops if s.bank == "left") == left
            assert sum(s.slots for s in face.stops if s.bank == "right") == right
    for number in ("927", "928", "929"):
        assert [stop.slots for stop in on.tiles[number].face.stops] == [3]


@pytest.mark.rule("RHL-TRK-17")
@pytest.mark.case("B85")
@pytest.mark.parametrize("rules", BOTH)
def test_each_step_of_a_metropolis_costs(rules):
    state = table(rules, "DEE", stations="DEE F9:b", phase="grey", treasury=200)
    spent = []
    for text in ("F9 #922 r0", "F9 #927 r0", "F9 #932 r0"):
        after = done(rules, replace(state, agenda=table(rules, "DEE").agenda), text)
        spent.append(state.companies["DEE"].treasury - after.companies["DEE"].treasury)
        state = after
    assert spent == [30, 50, 50]


@pytest.mark.rule("RHL-TRK-18", "RHL-PRV-15")
@pytest.mark.parametrize("rules", BOTH)
def test_moers_is_connected_from_brown_on(rules):
    green = table(rules, "MKB", stations="MKB D7:a", phase="green")
    assert choices(rules, green, LayTile) == []
    assert why(rules, green, "D7 #947 r0") == (Code.NOT_IN_PHASE, "COMMON-TRK-02")
    assert why(rules, green, "D7 #57 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")
    assert why(rules, green, "D7 #15 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")
    brown = replace(green, phase="brown")
    assert {tile for tile, _ in tiles_on(rules, brown, "D7")} == {"947"}
    after = done(rules, brown, "D7 #947 r0")
    assert after.board.contents("D7").stations[0].stop == 0
    assert tiles_on(rules, brown, "D7") == {("947", way) for way in range(6)}


@pytest.mark.case("B23")
def test_symbols_survive_removed_tiles():
    """The mine of Moers comes with brown; a location token stays on its hex and does not travel with the tile."""
    state = table("R2", "MKB", stations="MKB D7:a", phase="brown")
    assert "K" not in state.board.face("D7").icons
    assert "K" in done("R2", state, "D7 #947 r0").board.face("D7").icons
    steel = table("R2", "CCE", tiles="E6 #201 r0", stations="CCE E6:a", phase="green")
    contents = replace(steel.board.contents("E6"), icons=("S",))
    steel = replace(steel, board=steel.board.with_contents("E6", contents))
    after = done("R2", steel, "E6 #934 r3")
    assert after.board.contents("E6").icons == ("S",)
    assert after.supply["201"] == steel.supply["201"] + 1
    relaid = with_tiles(after, D13="201 r0")
    assert relaid.board.contents("D13").icons == ()


@pytest.mark.rule("RHL-TRK-19")
@pytest.mark.parametrize("rules", BOTH)
def test_first_tile_on_c8_joins_crossing(rules):
    state = table(rules, "DEE", tiles="D9 #925; C10 #1 r0", stations="DEE D9:b; DEE B9:a", treasury=30)
    state = with_tiles(state, B9="5 r0")
    assert state.board.face("B9").edges == {0, 1}
    assert why(rules, state, "C8 #8 r5") == (Code.STUB_NOT_JOINED, "RHL-TRK-19")
    after = done(rules, state, "C8 #9 r0")
    assert after.companies["DEE"].treasury == 0
    assert all(3 in state.sheet.rotated[tile].edges for tile in tiles_on(rules, state, "C8"))


@pytest.mark.rule("RHL-TRK-20", "COMMON-PRV-01")
@pytest.mark.case("B16")
@pytest.mark.parametrize("rules", BOTH)
def test_e14_closed_while_no_1_open(rules):
    tiles = "D13 #201 r5"  # edges 5 and 0
    state = table(rules, "BME", tiles=tiles, stations="BME D13:a; BME F13:b", phase="green", privates={1: 1})
    assert state.board.face("D13").edges == {5, 0}
    assert why(rules, state, "E14 #9 r2") == (Code.RESERVED, "RHL-TRK-20")
    assert tiles_on(rules, state, "E14") == set()
    # the owner's own companies too need the power for it
    owner = replace(state, privates={**state.privates, 1: replace(state.privates[1], owner=0)})
    assert why(rules, owner, "E14 #9 r2") == (Code.RESERVED, "RHL-TRK-20")
    unsold = replace(state, privates={**state.privates, 1: replace(state.privates[1], owner=None)})
    assert why(rules, unsold, "E14 #9 r2") == (Code.RESERVED, "RHL-TRK-20")
    closed = replace(state, privates={**state.privates, 1: replace(state.privates[1], open=False)})
    assert done(rules, closed, "E14 #9 r2").board.contents("E14").tile == "9"
    # used: upgrades follow the normal rules and are open to all
    used = replace(state, privates={**state.privates, 1: replace(state.privates[1], used=True)})
    used = with_tiles(used, E14="9 r2")
    assert {tile for tile, _ in tiles_on(rules, used, "E14")} & {"23", "24", "26", "27"}


@pytest.mark.rule("RHL-TRK-20")
def test_recorded_e14_is_closed_to_others():
    """CMP-20: the owner's lay is the normal, connected and paid one, and no. 1 has no lay of its own."""
    tiles = "D13 #201 r5"
    state = table("compat", "BME", tiles=tiles, stations="BME D13:a; BME F13:b", phase="green", privates={1: 1})
    assert why("compat", state, "E14 #9 r2") == (Code.RESERVED, "RHL-TRK-20")
    owner = replace(state, privates={**state.privates, 1: replace(state.privates[1], owner=0)})
    power = refused(ruleset("compat"), owner, 0, UsePrivate(1, "E14", "9", 2))
    assert power.code == Code.NO_POWER
    after = done("compat", owner, "E14 #9 r2")
    assert after.companies["BME"].treasury == 470
    other = replace(after, privates={**state.privates, 1: replace(state.privates[1], owner=1)})
    other = replace(other, agenda=state.agenda)
    assert {tile for tile, _ in tiles_on("compat", other, "E14")} & {"23", "24", "26", "27"}


@pytest.mark.rule("RHL-TRK-21")
@pytest.mark.case("B14")
@pytest.mark.parametrize("rules", BOTH)
def test_osterath_lies_by_no_2_only(rules):
    state = table(rules, "DEE", tiles="E8 #56 r5; F9 #922", stations="DEE F9:a", phase="green", privates={2: 0})
    assert why(rules, state, "E8 #935 r1")[0] == Code.WRONG_COLOUR
    assert choices(rules, state, UsePrivate) == [UsePrivate(2, "E8", "935", 1)]
    after = act(ruleset(rules), state, 0, UsePrivate(2, "E8", "935", 1)).state
    assert after.board.contents("E8").tile == "935"
    assert after.supply["56"] == state.supply["56"] + 1
    assert after.supply["935"] == 0
    for wrong in (UsePrivate(2, "E8", "935", 0), UsePrivate(2, "E12", "935", 1), UsePrivate(2, "E8", "88", 1)):
        assert refused(ruleset(rules), state, 0, wrong).code in (
            Code.ORIENTATION,
            Code.POWER_ELSEWHERE,
            Code.POWER_TILE,
        )
    empty = table(rules, "MKB", stations="MKB D7:a", phase="green", privates={2: 0})
    assert act(ruleset(rules), empty, 0, UsePrivate(2, "E8", "935", 1)).state.board.contents("E8").tile == "935"


@pytest.mark.rule("RHL-TRK-21")
@pytest.mark.parametrize("rules", BOTH)
def test_osterath_is_never_replaced(rules):
    laid = table(rules, "DEE", tiles="E8 #935 r1; F9 #922", stations="DEE F9:a", phase="brown")
    assert why(rules, laid, "E8 #933 r0") == (Code.FINISHED_HEX, "RHL-TRK-21")
    assert tiles_on(rules, laid, "E8") == set()
    state = table(rules, "DEE", stations="DEE F9:a", phase="brown", privates={2: 0})
    closed = replace(state, privates={n: replace(p, open=False) for n, p in state.privates.items()})
    refusal = refused(ruleset(rules), closed, 0, UsePrivate(2, "E8", "935", 1))
    assert (refusal.code, refusal.rule) == (Code.CLOSED, "COMMON-PRV-01")
    yellow = replace(state, phase="yellow")
    assert refused(ruleset(rules), yellow, 0, UsePrivate(2, "E8", "935", 1)).code == Code.NOT_IN_PHASE


@pytest.mark.rule("RHL-TRK-22")
@pytest.mark.parametrize("rules", BOTH)
def test_grey_tiles_are_few(rules):
    state = table(
        rules, "CME", tiles="D9 #932; F9 #932; I10 #928; D11 #920 r0; C12 #916 r0",
        stations="CME I10:a; CME D11:a", phase="grey",
    )  # fmt: skip
    assert state.supply["932"] == 0
    assert why(rules, state, "I10 #932 r0") == (Code.NO_TILE_LEFT, "COMMON-TRK-03")
    assert {tile for tile, _ in tiles_on(rules, state, "D11")} == {"948"}
    assert state.supply["948"] == 1
    grey = [number for number, tile in state.sheet.tiles.items() if tile.face.colour == "grey"]
    assert sorted(grey) == ["932", "948"]


@pytest.mark.rule("RHL-TRK-23")
def test_where_the_maps_of_editions_differ():
    first, second = sheet(1), sheet(2)
    assert second.hexes["B7"].face.colour == "grey"
    assert second.hexes["B7"].face.edges == {2, 4}
    network = Board(second, {"B9": HexContents("57", 1)}).network
    assert second.rotated["57", 1].edges == {1, 4}
    a6, b7 = network.piece["A6:5a"], network.piece["B7:24"]
    b9 = network.piece["B9:1a"]
    assert b7 in {move >> 1 for move in network.onward[2 * a6] + network.onward[2 * a6 + 1]}
    assert b9 in {move >> 1 for move in network.onward[2 * b7] + network.onward[2 * b7 + 1]}
    assert first.hexes["B7"].face.colour == ""
    state = table("R1", "CME", tiles="B9 #57 r1", stations="CME B9:a")
    assert {state.sheet.rotated[tile].edges for tile in tiles_on("R1", state, "B7")} == {frozenset({2, 4})}
    assert first.hexes["G2"].face.colour == "red"
    assert second.hexes["G2"].face.edges == {0, 4}
    assert second.hexes["H1"].face.colour == "red"


# The link -------------------------------------------------------------------------------------------------------------------

WAY = "J9 #9 r0; K8 #8 r1"


def _linking(rules, tiles, company="RhE", **more):
    state = table(rules, company, tiles=tiles, stations="RhE I10:a; RhE K6:a", **more)
    state = with_company(state, "RhE", par=70 if rules == "R2" else 80)
    amount = 210 if rules == "R2" else 240
    if rules == "compat":
        return state, amount  # CMP-13: the bank keeps the money
    return replace(state, aside={"RhE": amount}, bank=state.bank - amount), amount


@pytest.mark.rule("RHL-FLT-07")
@pytest.mark.parametrize("rules", ALL)
def test_link_pays_at_once_and_once(rules):
    state, amount = _linking(rules, WAY)
    assert not linked(state.board)
    decision = act(ruleset(rules), state, 0, lay("K4 #4 r1"))
    assert linked(decision.state.board)
    source = "bank" if rules == "compat" else set_aside_account("RhE")
    assert [e for e in decision.events if isinstance(e, Paid)] == [Paid(source, "RhE", amount, "link")]
    assert decision.state.companies["RhE"].treasury == 500 + amount
    assert turn(decision.state).step in ("station", "end")
    later = replace(with_company(decision.state, "RhE", treasury=500), agenda=state.agenda)
    again = act(ruleset(rules), later, 0, choices(rules, later, LayTile)[0])
    assert not [e for e in again.events if isinstance(e, Paid) and e.cause == "link"]


@pytest.mark.rule("RHL-FLT-07")
@pytest.mark.parametrize("rules", ALL)
def test_without_whole_way_nothing_is_paid(rules):
    state, _ = _linking(rules, "")
    after = act(ruleset(rules), state, 0, lay("K4 #4 r1")).state
    assert after.companies["RhE"].treasury == 500
    assert after.aside.get("RhE", 0) == state.aside.get("RhE", 0)


@pytest.mark.rule("RHL-FLT-07")
@pytest.mark.parametrize("rules", ALL)
def test_any_company_completes_link(rules):
    """OQ-13: K6 is full of another's station, and another's tile completes the way."""
    state, amount = _linking(rules, WAY, company="ADR")
    stations = {"I10": "RhE", "K6": "BME", "K2": "ADR"}
    state = table(rules, "ADR", tiles=WAY, stations="; ".join(f"{c} {at}:a" for at, c in stations.items()))
    state = with_company(state, "RhE", par=70 if rules == "R2" else 80, treasury=0)
    if rules != "compat":
        state = replace(state, aside={"RhE": amount}, bank=state.bank - amount)
    after = act(ruleset(rules), state, 0, lay("K4 #4 r1")).state
    assert after.companies["RhE"].treasury == amount


@pytest.mark.rule("RHL-FLT-07")
def test_the_link_must_pass_dueren():
    """From Köln round to Aachen without K6 is no link."""
    board = table("R2", "RhE", tiles="J9 #8 r1; J7 #9 r1; J5 #9 r1; J3 #69 r2").board
    nodes = [[stop.node for stop in board.network.stops_in_hex[at]] for at in ("I10", "J3", "K2")]
    assert reachability.linked(reachability.TrackWalks(board.network, Passage()), *nodes)
    assert not linked(board)
    assert linked(table("R2", "RhE", tiles=f"{WAY}; K4 #4 r1").board)
    assert linked(table("R2", "RhE", tiles=f"{POS_R}", stations=POS_R_STATIONS).board)
