"""Sections 10 and 11: track and stations (RUHR-TRK, RUHR-TOK)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_lines import bme_to_hagen, schwerte_full
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    act,
    after,
    at_table,
    in_phase,
    located,
    montan,
    offered,
    railway_turn,
    refuses,
    rules,
    started,
    stations,
    with_company,
    with_tiles,
)
from trajekt.engine.actions import LayTile, PlaceStation
from trajekt.engine.agenda import run
from trajekt.engine.board.board import Station
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.ruleset import Code, Draft, View
from trajekt.engine.state import State
from trajekt.games.ruhr.city_blocking import passage
from trajekt.games.ruhr.track_rules import YellowLaid
from trajekt.rules.operating_round import CompanyTurn


def bme(phase: str = "2", **values) -> State:
    """The BME in Wuppertal at its track step."""
    state = at_table() if phase == "2" else in_phase(at_table(), phase)
    state = stations(started(state, "BME", BERT, 70, **{"treasury": 500, **values}), "BME", "R9")
    return railway_turn(state, "BME")


def everywhere(state: State, hexes: str, company: str = "CME") -> State:
    """A railway with stations on these hexes at its track step, so that all of them are reached."""
    state = started(replace(state, agenda=()), company, BERT, 80, treasury=500)
    return railway_turn(stations(state, company, *hexes.split()), company)


def lays(state: State, at: str) -> set[str]:
    return {a.tile for a in offered(rules(), state, BERT) if isinstance(a, LayTile) and a.hex == at}


@pytest.mark.rule("RUHR-TRK-01")
def test_two_yellow_or_one_upgrade():
    state = bme("3")
    two = after(rules(), state, (BERT, LayTile("P11", "4", 1)), (BERT, LayTile("O12", "8", 5)))
    assert not isinstance(two.top, CompanyTurn) or two.top.step != "track" or not lays(two, "P13")
    turn = railway_turn(bme_to_hagen(in_phase(at_table(), "3")), "BME")
    upgraded = act(rules(), turn, BERT, LayTile("P11", "141", 4)).state
    refuses(rules(), upgraded, BERT, LayTile("P13", "MG1", 2), "one_upgrade", "RUHR-TRK-01")
    act(rules(), upgraded, BERT, LayTile("Q14", "58", 2))
    fresh = act(rules(), bme("3"), BERT, LayTile("P11", "4", 1)).state
    refuses(rules(), fresh, BERT, LayTile("P11", "141", 4), "one_upgrade", "RUHR-TRK-01")
    full = railway_turn(replace(turn, agenda=()), "BME", lays=(YellowLaid("P11"), YellowLaid("O12")))
    refuses(rules(), full, BERT, LayTile("Q14", "58", 2), "two_tiles", "RUHR-TRK-01")


@pytest.mark.rule("RUHR-OR-06", "RUHR-TRK-01")
def test_track_is_laid_at_its_step():
    late = railway_turn(replace(bme("3"), agenda=()), "BME", "station")
    refuses(rules(), late, BERT, LayTile("P11", "4", 1), Code.WRONG_STEP, "RUHR-OR-06")


@pytest.mark.rule("RUHR-TRK-02")
@pytest.mark.parametrize(("phase", "tile", "allowed"), [("2", "EG", False), ("3", "EG", True)])
def test_colours_by_phase(phase, tile, allowed):
    state = everywhere(at_table() if phase == "2" else in_phase(at_table(), phase), "J7")
    if allowed:
        act(rules(), state, BERT, LayTile("J7", tile, 0))
    else:
        refuses(rules(), state, BERT, LayTile("J7", tile, 0), Code.NOT_IN_PHASE, "RUHR-TRK-02")


@pytest.mark.rule("RUHR-TRK-02")
def test_brown_from_5_grey_from_8():
    green = everywhere(with_tiles(in_phase(at_table(), "4"), J7="EG r0"), "J7")
    refuses(rules(), green, BERT, LayTile("J7", "EB", 0), Code.NOT_IN_PHASE, "RUHR-TRK-02")
    brown = everywhere(with_tiles(in_phase(at_table(), "6"), J7="EB r0"), "J7")
    refuses(rules(), brown, BERT, LayTile("J7", "EZ", 0), Code.NOT_IN_PHASE, "RUHR-TRK-02")
    act(rules(), everywhere(with_tiles(in_phase(at_table(), "8"), J7="EB r0"), "J7"), BERT, LayTile("J7", "EZ", 0))


@pytest.mark.rule("RUHR-TRK-03")
def test_red_and_grey_stay():
    state = everywhere(in_phase(at_table(), "3"), "D13 R9 J7")
    for at in ("D13", "R9"):
        refuses(rules(), state, BERT, LayTile(at, "57", 0), Code.NEVER_BUILT, "RUHR-TRK-03")
    refuses(rules(), state, BERT, LayTile("J7", "718", 1), Code.WRONG_COLOUR, "RUHR-TRK-02")
    assert lays(state, "J7") == {"EG"}


@pytest.mark.rule("RUHR-TRK-04", "RUHR-TRK-15")
def test_tile_continues_own_track():
    state = bme()
    act(rules(), state, BERT, LayTile("P11", "4", 1))
    refuses(rules(), state, BERT, LayTile("P11", "4", 0), Code.CLOSED_SIDE, "RUHR-TRK-05")
    refuses(rules(), state, BERT, LayTile("P11", "58", 2), Code.NOT_CONNECTED, "RUHR-TRK-04")
    act(rules(), state, BERT, LayTile("P9", "9", 0))
    refuses(rules(), railway_turn(schwerte_full(), "BME"), BERT, LayTile("I12", "9", 2), Code.BLOCKED, "RUHR-TRK-04")


@pytest.mark.rule("RUHR-TRK-05")
def test_no_track_off_grid():
    fits = legal_upgrades(at_table().sheet, "D3")
    edges = {edge for (tile, turn), fit in fits.items() for edge in fit.face.edges}
    assert 1 not in edges
    assert 2 in edges
    south = {edge for fit in legal_upgrades(at_table().sheet, "P11").values() for edge in fit.face.edges}
    assert 0 not in south


@pytest.mark.rule("RUHR-TRK-06")
def test_terrain_costs_before_the_first_tile():
    rhe = stations(started(at_table(), "RhE", BERT, 70, treasury=59), "RhE", "O2")
    state = railway_turn(rhe, "RhE")
    refuses(rules(), state, BERT, LayTile("N3", "8", 1), Code.UNAFFORDABLE, "RUHR-TRK-06")
    done = act(rules(), with_company(state, "RhE", treasury=60), BERT, LayTile("N3", "8", 1)).state
    assert done.companies["RhE"].treasury == 0
    upgrade = railway_turn(
        with_tiles(stations(started(in_phase(at_table(), "3"), "RhE", BERT, 70), "RhE", "O2"), N3="8 r1"), "RhE"
    )
    free = next(a for a in offered(rules(), upgrade, BERT) if isinstance(a, LayTile) and a.hex == "N3")
    assert act(rules(), upgrade, BERT, free).state.companies["RhE"].treasury == 0


@pytest.mark.rule("RUHR-TRK-07", "RUHR-TRK-08")
@pytest.mark.parametrize(
    ("at", "tile", "allowed"),
    [
        ("G10", "57", True), ("F3", "57", False), ("G4", "4", False), ("F3", "9", False), ("D3", "883", True),
        ("D3", "58", False), ("F3", "883", False), ("H5", "718", True), ("H5", "57", False), ("G10", "718", False),
        ("G4", "55", True), ("E8", "9", True),
    ],
)  # fmt: skip
def test_kinds_of_tiles(at, tile, allowed):
    found = {number for number, _ in legal_upgrades(at_table().sheet, at)}
    assert (tile in found) is allowed
    state = everywhere(at_table(), "R9")
    if not allowed:
        answer = rules().duties[CompanyTurn].menu[0].first_refusal
        refusal = answer(_view(state), LayTile(at, tile, 0))
        assert refusal is not None
        assert refusal.rule in ("RUHR-TRK-07", "RUHR-TRK-08", "RUHR-TRK-05")


def _view(state: State):
    return View(rules(), state, BERT, state.agenda[-1])


@pytest.mark.rule("RUHR-TRK-09")
def test_upgrades_keep_all_track_and_kind():
    sheet = at_table().sheet
    fits = {turn for tile, turn in legal_upgrades(sheet, "E8", "8", 0) if tile == "23"}
    assert fits
    assert len(fits) < 6
    assert "14" not in {tile for tile, _ in legal_upgrades(sheet, "F3", "58", 0)}
    state = everywhere(with_tiles(in_phase(at_table(), "3"), E8="8 r0", E6="58 r0"), "R9")
    wrong = next(turn for turn in range(6) if turn not in fits)
    refusal = rules().duties[CompanyTurn].menu[0].first_refusal(_view(state), LayTile("E8", "23", wrong))
    assert refusal is not None
    assert refusal.rule == "RUHR-TRK-09"


@pytest.mark.rule("RUHR-TRK-10")
def test_any_upgraded_part_is_reached():
    state = railway_turn(bme_to_hagen(in_phase(at_table(), "3")), "BME")
    assert lays(state, "P13") >= {"MG1"}
    far = railway_turn(in_phase(schwerte_full(), "3"), "BME")
    refuses(rules(), far, BERT, LayTile("J13", "949", 2), Code.BLOCKED, "RUHR-TRK-10")


@pytest.mark.rule("RUHR-TRK-11")
def test_replaced_tiles_return():
    state = everywhere(with_tiles(in_phase(at_table(), "3"), G10="57 r0"), "G10")
    before = state.supply["57"]
    lay = next(a for a in offered(rules(), state, BERT) if isinstance(a, LayTile) and a.hex == "G10")
    done = act(rules(), state, BERT, lay).state
    assert done.supply["57"] == before + 1
    assert done.supply[lay.tile] == state.supply[lay.tile] - 1
    none = replace(state, supply={**state.supply, lay.tile: 0})
    refuses(rules(), none, BERT, lay, Code.NO_TILE_LEFT, "RUHR-TRK-11")


@pytest.mark.rule("RUHR-TRK-12")
def test_special_tiles_on_their_hexes():
    sheet = at_table().sheet
    assert {turn for tile, turn in legal_upgrades(sheet, "K8") if tile == "913"} == {0}
    assert "DG" not in {tile for tile, _ in legal_upgrades(sheet, "J7")}
    assert {tile for tile, _ in legal_upgrades(sheet, "J3", "718", 0)} >= {"MG1", "720"}
    assert "720" not in {tile for tile, _ in legal_upgrades(sheet, "L3", "718", 0)}
    for at in ("J7", "H13"):
        assert "MG1" not in {tile for tile, _ in legal_upgrades(sheet, at)}
    state = everywhere(with_tiles(in_phase(at_table(), "3"), J3="718 r0"), "J3 K8", "PWB")
    turn = next(a.rotation for a in offered(rules(), state, BERT) if isinstance(a, LayTile) and a.tile == "MG1")
    strict = rules(j3_720="required")
    refuses(strict, state, BERT, LayTile("J3", "MG1", turn), "only_720", "RUHR-TRK-12")
    refuses(rules(), state, BERT, LayTile("K8", "913", 1), Code.ORIENTATION, "RUHR-TRK-12")
    act(rules(), state, BERT, LayTile("K8", "913", 0))


@pytest.mark.rule("RUHR-TRK-13")
def test_716_only_with_marker_of_montan():
    state = montan(
        with_tiles(in_phase(at_table(), "5"), M12="949 r0", K12="949 r0", F3="141 r0"), "US", ADA, 80, 3, markers="AAAB"
    )
    state = montan(state, "RB", ADA, 80, 7, 5, markers="AAAB")
    state = located(state, pmc5=10)
    state = everywhere(state, "R9")
    rule = rules().duties[CompanyTurn].menu[0]
    view = _view(state)
    fits = {
        at: next(t for tile, t in legal_upgrades(state.sheet, at, "949", 0) if tile == "716") for at in ("M12", "K12")
    }
    wrong = rule.first_refusal(view, LayTile("K12", "716", fits["K12"]))
    assert (str(wrong.code), wrong.rule) == ("needs_montan", "RUHR-TRK-13")
    right = rule.refusals(view, LayTile("M12", "716", fits["M12"]))
    assert "RUHR-TRK-13" not in {refusal.rule for refusal in right}
    assert not legal_upgrades(state.sheet, "F3", "141", 0)


@pytest.mark.rule("RUHR-TRK-14", "RUHR-ROUTE-04")
def test_brown_marker_takes_circle():
    state = with_tiles(in_phase(at_table(), "5"), I10="MB1 r0")
    for company in ("CME", "BME", "RhE"):
        state = started(state, company, BERT, 80)
    state = stations(stations(state, "CME", "I10"), "BME", "I10")
    assert passage(False, state.board, "RhE").blocked == {"I10:a": "RUHR-ROUTE-04"}
    for company in ("CME", "BME"):
        assert passage(False, state.board, company).blocked == {}
    green = replace(state, board=with_tiles(at_table(), I10="MG1 r0").board)
    assert passage(False, green.board, "RhE").blocked == {}
    gone = located(state, pmc6=-1)
    assert passage(False, gone.board, "RhE").blocked == {}
    taken = railway_turn(with_company(state, "RhE", treasury=500), "RhE", "station")
    refuses(rules(), taken, BERT, PlaceStation("I10", "a"), Code.NO_PLACE, "RUHR-TOK-03")


@pytest.mark.rule("RUHR-TRK-14")
def test_marker_on_716_lies_beside():
    state = located(with_tiles(in_phase(at_table(), "5"), M12="716 r0"), pmc3=20)
    assert passage(False, state.board, "CME").blocked == {}
    assert passage(True, state.board, "CME").blocked == {"M12:a": "RUHR-ROUTE-04"}


@pytest.mark.rule("RUHR-TRK-15")
def test_an_absent_home_blocks_nobody():
    state = at_table()
    assert passage(False, state.board, "CME").blocked == {}
    assert [k.company for k in state.board.contents("J7").reservations] == ["EH"]


@pytest.mark.rule("RUHR-TRK-16")
def test_new_circle_opens_city_to_all():
    state = started(started(in_phase(at_table(), "3"), "BME", BERT, 70, treasury=100), "CME", ADA, 80)
    state = with_tiles(
        stations(stations(state, "BME", "O16"), "CME", "K14"), O16="6 r0", N15="58 r3", L15="8 r0", K14="57 r2"
    )
    state = railway_turn(state, "BME")
    assert "K14:a" in passage(False, state.board, "BME").blocked
    refuses(rules(), state, BERT, LayTile("J13", "884", 2), Code.BLOCKED, "RUHR-TRK-04")
    lay = next(a for a in offered(rules(), state, BERT) if isinstance(a, LayTile) and (a.hex, a.tile) == ("K14", "14"))
    done = act(rules(), state, BERT, lay).state
    assert passage(False, done.board, "BME").blocked == {}
    assert "J13" in {a.hex for a in offered(rules(), done, BERT) if isinstance(a, LayTile)}


@pytest.mark.rule("RUHR-TRK-14", "RUHR-TRK-08")
def test_where_marker_gone_plain_tiles_follow():
    state = everywhere(with_tiles(in_phase(at_table(), "3"), I10="718 r0"), "I10")
    assert lays(state, "I10") >= {"MG1"}
    gone = located(state, pmc6=-1)
    assert lays(gone, "I10") == {"14", "15"}
    refuses(rules(), gone, BERT, LayTile("I10", "MG1", 0), Code.WRONG_KIND, "RUHR-TRK-08")


@pytest.mark.rule("RUHR-TRK-12", "RUHR-TRK-08")
def test_essen_keeps_letter_where_marker_gone():
    state = everywhere(in_phase(at_table(), "3"), "J7")
    gone = located(state, pmc2=-1)
    assert lays(gone, "J7") == lays(state, "J7") == {"EG"}


# Stations ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RUHR-TOK-01")
def test_home_is_placed_at_first():
    state = started(at_table(), "RhE", BERT, 70, treasury=100, operated=False)
    draft = Draft(rules(), replace(railway_turn(state, "RhE"), agenda=(CompanyTurn("RhE"),)))
    run(draft)
    assert draft.state.board.contents("O2").stations == (Station("RhE", 0),)
    assert draft.state.board.contents("O2").reservations == ()
    assert draft.state.companies["RhE"].treasury == 100
    assert draft.state.companies["RhE"].stations == (60, 80, 100, 100)


@pytest.mark.rule("RUHR-TOK-02")
def test_costs_and_numbers_of_stations():
    costs = {name: company.station_costs for name, company in at_table().sheet.companies.items() if company.homes}
    assert costs["BME"] == (0, 60, 80, 100, 100)
    assert costs["DGEE"] == (0, 60)
    state = railway_turn(bme_to_hagen(), "BME", "station")
    done = act(rules(), state, BERT, PlaceStation("P13", "a")).state
    assert done.companies["BME"].treasury == 140
    refuses(
        rules(),
        railway_turn(bme_to_hagen(), "BME", "station", station="K14"),
        BERT,
        PlaceStation("P13", "a"),
        Code.ONE_STATION,
        "RUHR-TOK-02",
    )
    empty = with_company(state, "BME", stations=())
    refuses(rules(), empty, BERT, PlaceStation("P13", "a"), Code.NO_TOKEN, "RUHR-TOK-02")
    poor = with_company(state, "BME", treasury=59)
    refuses(rules(), poor, BERT, PlaceStation("P13", "a"), Code.UNAFFORDABLE, "RUHR-TOK-02")


@pytest.mark.rule("RUHR-TOK-03")
def test_where_a_station_may_stand():
    state = railway_turn(bme_to_hagen(), "BME", "station")
    refuses(rules(), state, BERT, PlaceStation("P11", "a"), Code.NO_PLACE, "RUHR-TOK-03")
    for at, stop in (("O12", "a"), ("P13", "b")):
        refuses(rules(), state, BERT, PlaceStation(at, stop), Code.NO_PLACE, "RUHR-TOK-03")
    refuses(rules(), state, BERT, PlaceStation("Z99", "a"), Code.NO_SUCH_HEX, "RUHR-TOK-03")
    refuses(rules(), state, BERT, PlaceStation("R3", "a"), Code.RESERVED, "RUHR-TOK-04")
    refuses(rules(), state, BERT, PlaceStation("R13", "a"), Code.NO_PLACE, "RUHR-TOK-03")
    there = railway_turn(stations(bme_to_hagen(), "BME", "P13"), "BME", "station")
    refuses(rules(), there, BERT, PlaceStation("P13", "a"), Code.STATION_HERE, "RUHR-TOK-03")
    full = railway_turn(with_tiles(schwerte_full(), H13="DG r0"), "BME", "station")
    refuses(rules(), full, BERT, PlaceStation("H13", "a"), Code.NOT_CONNECTED, "RUHR-TOK-03")


@pytest.mark.rule("RUHR-TOK-04")
def test_a_home_space_is_kept():
    state = started(started(at_table(), "BME", BERT, 70, treasury=500), "CME", ADA, 80)
    state = stations(stations(state, "BME", "R9"), "CME", "J7")
    turn = railway_turn(state, "BME", "station")
    refuses(rules(), turn, BERT, PlaceStation("J7", "a"), Code.RESERVED, "RUHR-TOK-04")
    refuses(rules(), turn, BERT, PlaceStation("K8", "a"), Code.RESERVED, "RUHR-TOK-04")
    free = railway_turn(stations(started(at_table(), "BME", BERT, 70, treasury=500), "BME", "R9"), "BME", "station")
    against = rules().duties[CompanyTurn].menu[1].refusals(_view(free), PlaceStation("J7", "a"))
    assert [str(refusal.code) for refusal in against] == ["not_connected"]


@pytest.mark.rule("RUHR-TOK-05")
def test_station_on_red_hex_blocks_nobody():
    state = stations(started(at_table(), "KWE", BERT, 70), "KWE", "D17")
    found = passage(False, state.board, "CME")
    assert "D17:a" not in found.blocked
    assert "D17:a" in found.terminal
