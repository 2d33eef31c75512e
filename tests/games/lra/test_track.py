"""Laying tiles in 18LRA: the Rhine, closed hexes, two yellow tiles, stubs, the Kreisbahn's lay, GVE's link."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import (
    ADA,
    BERT,
    CLEO,
    firm,
    in_stock_round,
    in_turn,
    opened,
    ruleset,
    sound,
    turned,
    with_station,
    with_tiles,
)
from tests.builders.lra_track import TO_KEMPEN
from tests.builders.random_positions import act, refused, with_company
from trajekt.engine.actions import BuyShare, FoundCompany, LayTile, Pass, PlaceStation, UsePrivate
from trajekt.engine.decisions import can, legal
from trajekt.engine.state import IPO
from trajekt.games.lra.kreisbahn import FurtherLay, near, touched
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.track_links import linked
from trajekt.rules.turn_notes import Allowance

RULES = ruleset()


# From Venlo by Kaldenkirchen, Brüggen and Viersen to Gladbach, but for Kaldenkirchen.
FROM_GLADBACH = {"G3": "58 r2", "G5": "9 r1", "G7": "6 r5", "H8": "L07 r2"}


def gkb(state, company: str = "KEG", **tiles: str):
    """The corporation has the 2+4 train, in the brown phase."""
    state = with_company(state, company, trains=("2+4",))
    display = {**state.depot.display, "2+4": 0}
    return with_tiles(replace(state, depot=replace(state.depot, display=display)), **tiles)


@pytest.mark.rule("LRA-TRK-24")
def test_tile_of_rhine_has_one_turn():
    state = in_turn(firm(opened(), "BME", ADA), "BME")
    right = turned(state.sheet, "C15", "L05")
    for turn in range(6):
        answer = refused(RULES, state, ADA, LayTile("C15", "L05", turn))
        assert (answer.rule == "LRA-TRK-24") == (turn != right)
        if turn != right:
            assert answer.code == "orientation"


@pytest.mark.rule("LRA-TRK-25")
def test_no_yellow_tile_crosses_the_rhine():
    state = with_tiles(opened(), C13="L02 r3", C15="L05", G15="L04")
    for left, right in (("C13", "B14"), ("D14", "C15"), ("H14", "G15")):
        assert not linked(state.board, (left,), (right,))
    green = with_tiles(opened(phase="green"), G15="L15", H14="L27")
    assert linked(green.board, ("H14",), ("G15",))


@pytest.mark.rule("LRA-TRK-25")
def test_every_other_side_of_river_closed():
    state = in_turn(firm(opened(), "BME", ADA), "BME")
    refusal = refused(RULES, state, ADA, LayTile("G13", "58", 2))  # edges 2 and 4
    assert (refusal.code, refusal.rule, refusal.args["edge"]) == ("closed_side", "LRA-TRK-25", 4)


@pytest.mark.rule("COMMON-TRK-10", "LRA-TRK-25")
def test_a_ferry_becomes_a_bridge():
    state = with_tiles(firm(opened(phase="brown"), "BME", ADA), G15="L15", H14="L27")
    turn = turned(state.sheet, "G15", "L34")
    after = act(RULES, in_turn(state, "BME"), ADA, LayTile("G15", "L34", turn)).state
    assert after.board.contents("G15").tile == "L34"
    assert linked(after.board, ("H14",), ("G15",))


@pytest.mark.rule("LRA-TRK-26")
def test_moers_waits_for_green():
    lay = LayTile("C11", "L08", 0)
    state = in_turn(firm(opened(), "MKB", ADA), "MKB")
    refusal = refused(RULES, state, ADA, lay)
    assert (refusal.code, refusal.rule) == ("not_in_phase", "LRA-TRK-26")
    green = in_turn(firm(opened(phase="green"), "MKB", ADA), "MKB")
    assert act(RULES, green, ADA, lay).state.board.contents("C11").tile == "L08"


@pytest.mark.rule("LRA-TRK-26")
def test_b6_waits_for_green():
    state = firm(opened(), "CCE", ADA)  # Wesel: edge 5 leads to B6
    lay = LayTile("B6", "8", 2)
    assert refused(RULES, in_turn(state, "CCE"), ADA, lay).rule == "LRA-TRK-26"
    green = in_turn(firm(opened(phase="green"), "CCE", ADA), "CCE")
    assert act(RULES, green, ADA, lay).state.board.contents("B6").tile == "8"


@pytest.mark.rule("LRA-TRK-29")
def test_a_printed_stub_must_be_joined():
    state = with_tiles(firm(opened(), "ADR", ADA), J4="58 r4")
    refusal = refused(RULES, in_turn(state, "ADR"), ADA, LayTile("J6", "58", 2))
    assert (refusal.code, refusal.rule) == ("stub_not_joined", "LRA-TRK-29")
    after = act(RULES, in_turn(state, "ADR"), ADA, LayTile("J6", "58", 1)).state
    assert after.board.contents("J6").tile == "58"


@pytest.mark.rule("COMMON-TRK-04", "COMMON-TRK-07")
def test_lettered_and_finished_hexes():
    state = in_turn(firm(opened(), "RhE", ADA), "RhE")
    assert refused(RULES, state, ADA, LayTile("K5", "8", 0)).rule == "COMMON-TRK-04"
    assert refused(RULES, state, ADA, LayTile("H8", "57", 0)).rule == "COMMON-TRK-07"
    assert refused(RULES, state, ADA, LayTile("J10", "L06", 0)).rule == "COMMON-TRK-07"


@pytest.mark.rule("COMMON-TRK-07", "COMMON-TRK-10")
def test_orsoy_and_rheinhausen_become_cities():
    state = with_tiles(firm(opened(phase="green"), "MKB", ADA), C11="L25 r0", C13="L12 r0")
    lays = {
        (c.action.hex, c.action.tile)
        for c in legal(RULES, in_turn(state, "MKB"), (ADA,))
        if isinstance(c.action, LayTile)
    }
    assert ("B12", "L28") in lays
    turn = turned(state.sheet, "B12", "L28")
    after = act(RULES, in_turn(state, "MKB"), ADA, LayTile("B12", "L28", turn)).state
    assert [stop.kind for stop in after.board.face("B12").stops] == ["city"]


@pytest.mark.rule("LRA-TRK-27", "COMMON-TRK-01")
def test_rhe_lays_two_yellow_tiles_first():
    state = in_turn(firm(opened(), "RhE", ADA, operated=False), "RhE")
    state = act(RULES, state, ADA, LayTile("J10", "6", 3)).state
    assert refused(RULES, state, ADA, LayTile("I11", "9", 0)).rule == "COMMON-TRK-01"
    state = act(RULES, state, ADA, LayTile("I11", "9", 0, "yellow")).state
    assert [state.board.contents(at).tile for at in ("J10", "I11")] == ["6", "9"]
    assert not can(RULES, state, ADA, (LayTile,))


@pytest.mark.rule("LRA-TRK-27")
def test_not_in_its_second_turn():
    state = act(RULES, in_turn(firm(opened(), "RhE", ADA), "RhE"), ADA, LayTile("J10", "6", 3)).state
    assert not isinstance(state.top, CompanyTurn) or state.top.step != "track"
    state = in_turn(with_tiles(firm(opened(), "RhE", ADA), J10="6 r3"), "RhE", lays=(Allowance.NORMAL,))
    state = replace(state, marks={**state.marks, "yellow": "RhE"})  # of its first turn
    refusal = refused(RULES, state, ADA, LayTile("I11", "9", 0, "yellow"))
    assert (refusal.code, refusal.rule) == ("no_second_yellow", "LRA-TRK-27")


@pytest.mark.rule("LRA-TRK-27")
def test_not_the_bme():
    state = in_turn(firm(opened(), "BME", ADA, operated=False), "BME")
    turn = turned(state.sheet, "G15", "L04")
    state = act(RULES, state, ADA, LayTile("G15", "L04", turn)).state
    assert "yellow" not in state.marks
    again = in_turn(replace(state, agenda=state.agenda[:1]), "BME", lays=(Allowance.NORMAL,))
    assert refused(RULES, again, ADA, LayTile("F14", "8", 0, "yellow")).rule == "LRA-TRK-27"


@pytest.mark.rule("LRA-TRK-27")
def test_an_upgrade_replaces_the_whole_allowance():
    state = with_tiles(firm(opened(phase="green"), "RhE", ADA, operated=False), J10="6 r3", I11="9 r0")
    first = act(RULES, in_turn(state, "RhE"), ADA, LayTile("J10", "619", 1)).state
    assert "yellow" not in first.marks
    assert not any(isinstance(choice.action, LayTile) for choice in legal(RULES, first))
    yellow = act(RULES, in_turn(state, "RhE"), ADA, LayTile("H12", "8", 0)).state
    refusal = refused(RULES, yellow, ADA, LayTile("J10", "619", 1, "yellow"))
    assert (refusal.code, refusal.rule) == ("wrong_colour", "LRA-TRK-27")


@pytest.mark.rule("LRA-TRK-27")
def test_keg_has_no_lay_before_green():
    state = in_turn(firm(opened(), "KEG", ADA, operated=False), "KEG")
    assert not can(RULES, state, ADA, (LayTile,))
    green = in_turn(firm(opened(phase="green"), "KEG", ADA, operated=False), "KEG")
    assert {c.action.hex for c in legal(RULES, green) if isinstance(c.action, LayTile)} == {"F10"}


@pytest.mark.rule("LRA-PRV-20", "COMMON-PRV-04")
def test_no_5_lays_h8_with_station():
    state = in_turn(firm(opened(phase="green"), "RhE", BERT), "RhE")
    state = act(RULES, state, BERT, UsePrivate(5, "H8", "L06", 0)).state
    assert state.privates[5].used
    for lay in (LayTile("J10", "6", 3), LayTile("J10", "57", 2)):
        refusal = refused(RULES, state, BERT, lay)
        assert (refusal.code, refusal.rule) == ("used", "LRA-PRV-20") or refusal.rule == "COMMON-OR-04"
    if state.top.step == "track":
        state = act(RULES, state, BERT, Pass()).state
    before = state.companies["RhE"].treasury
    assert refused(RULES, state, BERT, PlaceStation("I7", "a")).rule in ("COMMON-PRV-04", "COMMON-TOK-02")
    after = act(RULES, state, BERT, PlaceStation("H8", "a")).state
    assert after.companies["RhE"].treasury == before - 60
    assert after.board.contents("H8").stations[0].company == "RhE"


@pytest.mark.rule("LRA-PRV-20")
def test_no_5_only_from_green_once():
    lay = UsePrivate(5, "H8", "L06", 0)
    yellow = in_turn(firm(opened(), "RhE", BERT), "RhE")
    assert refused(RULES, yellow, BERT, lay).rule == "LRA-PRV-20"
    state = firm(opened(phase="green"), "RhE", BERT)
    assert refused(RULES, in_turn(state, "RhE"), BERT, UsePrivate(5, "J10", "6", 0)).rule == "LRA-PRV-20"
    assert refused(RULES, in_turn(state, "RhE", lays=(Allowance.NORMAL,)), BERT, lay).rule == "LRA-PRV-20"
    used = replace(state, privates={**state.privates, 5: replace(state.privates[5], used=True)})
    assert refused(RULES, in_turn(used, "RhE"), BERT, lay).code == "used"
    others = in_turn(firm(opened(phase="green"), "BME", ADA), "BME")
    assert refused(RULES, others, ADA, lay).code == "not_owner"
    assert refused(RULES, in_turn(state, "RhE"), BERT, UsePrivate(2, "E13", "L31", 1)).code == "power_in_step"


@pytest.mark.rule("LRA-PRV-20", "COMMON-PRV-04")
def test_later_station_needs_a_route():
    state = with_tiles(firm(opened(phase="green"), "RhE", BERT), H8="L06 r0")
    refusal = refused(RULES, in_turn(state, "RhE", "station"), BERT, PlaceStation("H8", "a"))
    assert refusal.code == "not_connected"


@pytest.mark.rule("LRA-TRK-28")
def test_lay_on_path_beside_normal_one():
    state = in_turn(gkb(firm(opened(phase="brown"), "KEG", ADA)), "KEG", lays=(Allowance.NORMAL,))
    after = act(RULES, state, ADA, LayTile("B2", "4", 2, "gkb")).state
    assert after.board.contents("B2").tile == "4"
    assert after.companies["KEG"].treasury == 500
    before = in_turn(gkb(firm(opened(phase="brown"), "KEG", ADA)), "KEG")
    first = act(RULES, before, ADA, LayTile("B2", "4", 2, "gkb")).state
    assert first.top.lays == ("gkb",)
    assert any(
        choice.action.allowance == "normal" for choice in legal(RULES, first) if isinstance(choice.action, LayTile)
    )


@pytest.mark.rule("LRA-TRK-28")
def test_no_lay_elsewhere_twice_or_early():
    state = gkb(firm(opened(phase="brown"), "KEG", ADA))
    refusal = refused(RULES, in_turn(state, "KEG"), ADA, LayTile("J12", "8", 2, "gkb"))
    assert (refusal.code, refusal.rule) == ("not_connected", "LRA-TRK-28")
    lay = LayTile("B2", "4", 2, "gkb")
    twice = refused(RULES, in_turn(state, "KEG", lays=(FurtherLay.KREISBAHN,)), ADA, lay)
    assert (twice.code, twice.rule) == ("one_tile_more", "LRA-TRK-28")
    other = refused(RULES, in_turn(firm(state, "BME", CLEO), "BME"), CLEO, lay)
    assert (other.code, other.rule) == ("with_train_only", "LRA-TRK-28")


@pytest.mark.rule("LRA-TRK-28")
def test_upgraded_city_needs_no_new_track():
    state = in_turn(gkb(firm(opened(phase="brown"), "KEG", ADA), **TO_KEMPEN, E9="55 r0", E11="9 r1"), "KEG")
    assert act(RULES, state, ADA, LayTile("E7", "14", 0, "gkb")).state.board.contents("E7").tile == "14"
    refusal = refused(RULES, state, ADA, LayTile("E11", "20", 0, "gkb"))  # keeps 1-4, adds 0-3
    assert (refusal.code, refusal.rule) == ("not_connected", "LRA-TRK-28")
    assert act(RULES, state, ADA, LayTile("E11", "23", 1, "gkb")).state.board.contents("E11").tile == "23"  # adds 1-5
    assert act(RULES, state, ADA, LayTile("D4", "141", 2, "gkb")).state.board.contents("D4").tile == "141"


@pytest.mark.rule("LRA-TRK-28", "COMMON-RTE-04")
def test_full_city_ends_kreisbahn_path():
    state = gkb(firm(opened(phase="brown"), "ADR", ADA), "ADR", **TO_KEMPEN)
    lay = LayTile("E9", "55", 0, "gkb")
    assert act(RULES, in_turn(state, "ADR"), ADA, lay).state.board.contents("E9").tile == "55"
    full = in_turn(with_station(state, "CME", "E7"), "ADR")
    answer = refused(RULES, full, ADA, lay)
    assert (answer.code, answer.rule) == ("not_connected", "LRA-TRK-28")


@pytest.mark.rule("LRA-TRK-28")
def test_kreisbahn_upgrades_city_full_of_others():
    to_gladbach = {"B2": "4 r5", "D4": "58 r0", "E3": "8 r3", "F4": "9 r5", "G5": "9 r5", "H6": "8 r2", "H8": "L06 r1"}
    state = gkb(firm(opened(phase="brown"), "ADR", ADA), "ADR", **to_gladbach)
    state = with_station(with_station(state, "CCE", "H8"), "CME", "H8", "b")
    lay = LayTile("H8", "L18", 1, "gkb")  # its new track begins behind a full city
    assert act(RULES, in_turn(state, "ADR"), ADA, lay).state.board.contents("H8").tile == "L18"


@pytest.mark.rule("LRA-TRK-28")
def test_paths_end_before_second_city():
    state = gkb(firm(opened(phase="brown"), "KEG", ADA), **TO_KEMPEN, E9="55 r0", E11="9 r1")
    board = state.board
    track = {board.network.tracks[piece].hex for piece in touched(board, "KEG")}
    assert {"A1", "B2", "C3", "D4", "E5", "E7", "E9", "E11"} <= track
    assert "E13" not in track  # Uerdingen would be the second city beside Kevelaer
    assert "E13" in near(board, "KEG")
    five = gkb(firm(opened(phase="brown"), "KEG", ADA), **TO_KEMPEN, E9="55 r0", E11="8 r1", D12="1 r3").board
    hexes = {five.network.tracks[piece].hex for piece in touched(five, "KEG")}
    assert "E11" in hexes
    assert "D12" not in hexes  # a fifth town


@pytest.mark.rule("LRA-FLT-08")
def test_anybody_s_link_pays_gve():
    state = with_tiles(firm(firm(opened(phase="green"), "GVE", BERT), "KEG", ADA), **FROM_GLADBACH)
    state = in_turn(with_station(state, "KEG", "E1"), "KEG")
    decision = act(RULES, state, ADA, LayTile("F2", "4", 2))
    assert decision.state.companies["GVE"].treasury == 600
    assert decision.state.bank == state.bank - 100
    assert decision.state.marks["linked"] == "GVE"
    more = in_turn(replace(decision.state, agenda=state.agenda[:1]), "KEG")
    lays = [c.action for c in legal(RULES, more, (ADA,)) if isinstance(c.action, LayTile)]
    assert act(RULES, more, ADA, lays[0]).state.companies["GVE"].treasury == 600  # once only


@pytest.mark.rule("LRA-FLT-08")
def test_older_link_pays_at_floating():
    state = with_tiles(opened(phase="green"), **FROM_GLADBACH, F2="4 r2")
    state = act(RULES, in_stock_round(state, ADA), ADA, FoundCompany("GVE", 70)).state
    for seat in (BERT, BERT, CLEO):
        assert "linked" not in state.marks
        state = act(RULES, in_stock_round(state, seat), seat, BuyShare("GVE", IPO, 10)).state
    assert state.companies["GVE"].treasury == 350 + 100
    assert sound(RULES, state) == []


@pytest.mark.rule("LRA-PRV-18", "LRA-FLT-08")
def test_link_avoids_off_board_field():
    board = with_tiles(opened(phase="green"), B6="8 r2", B8="L01 r1").board  # Geldern - Wesel - Kamp-Lintfort
    assert linked(board, ("C3",), ("A5",))
    assert linked(board, ("B8",), ("A5",))
    assert not linked(board, ("C3",), ("B8",))
