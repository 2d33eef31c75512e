"""Section 8.1: laying tiles. Special hexes are in test_special_hexes.py, powers in test_privates.py."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused, with_company, with_tiles
from tests.builders.rhl_positions import POS_R, POS_R_STATIONS, choices, ruleset, settle, table, turn, view
from tests.builders.rhl_track import done, lay, tiles_on, why
from trajekt.engine.actions import LayTile, Pass, PlaceStation
from trajekt.engine.board.board import Station
from trajekt.engine.board.reachability import new_track_reached
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.ruleset import Code
from trajekt.rules.tile_laying import LayingPolicy, cost_terms, joined_after, reach_now

BOTH = ("R1", "R2")
ALL = ("R1", "R2", "compat")
UPGRADE = {"R1": "RHL-TRK-12", "R2": "COMMON-TRK-11", "compat": "RHL-TRK-12"}


def pos_r(rules, company="RhE", **more):
    more.setdefault("phase", "green")
    return table(rules, company, tiles=POS_R, stations=POS_R_STATIONS, **more)


def hexes(rules, state) -> set[str]:
    return {action.hex for action in choices(rules, state, LayTile)}


def start(rules, company="RhE", tiles="", stations="RhE I10:a; GVE G6:b; DEE F9:b", **more):
    return table(rules, company, tiles=tiles, stations=stations, **more)


LOOP = "H5 57 r1; H9 23 r1; H11 7 r0; I10 7 r2; "  # from H5 over H7 to the junction H9, whose arms meet again over H11 and I10


@pytest.mark.rule("COMMON-TRK-08", "RHL-TRK-12", "COMMON-TRK-11")
@pytest.mark.parametrize("rules", ("R1", "R2"))
def test_loop_brings_nobody_back_over_stem(rules):
    state = table(rules, "RhE", phase="green", tiles=LOOP + "H7 9 r1", stations="RhE H5:a")
    assert lay("H7 #24 r1") in choices(rules, state, LayTile)
    for far in ("H7 #24 r4", "H7 #23 r4", "H7 #26 r4", "H7 #27 r4"):
        assert why(rules, state, far) == (Code.NO_NEW_TRACK, UPGRADE[rules]), far


@pytest.mark.rule("COMMON-TOK-02")
@pytest.mark.parametrize("rules", ("R1", "R2"))
def test_no_station_behind_stem_of_loop(rules):
    state = table(rules, "RhE", phase="green", tiles=LOOP + "H7 24 r4; I6 57 r0", stations="RhE H5:a", step="station")
    refusal = refused(ruleset(rules), state, 0, PlaceStation("I6", "a"))
    assert (refusal.code, refusal.rule) == (Code.NOT_CONNECTED, "COMMON-TOK-02")


FOREIGN_BANKS = ("CCE F9:a", "CME F9:b; BME F9:b", "BME D9:b; CME D9:b")


@pytest.mark.rule("RHL-RTE-14", "RHL-RTE-16", "COMMON-TRK-08")
@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("banks", FOREIGN_BANKS)
def test_a_full_bank_stops_no_track(rules, banks):
    """A green metropolis is one city of three places: what is built passes it while one of them is empty."""
    state = table(rules, "GVE", phase="green", tiles="G6 938 r0; G8 8 r1; F9 922", stations=f"GVE G6:b; {banks}")
    assert lay("E8 #1 r2") in choices(rules, state, LayTile)


@pytest.mark.rule("RHL-RTE-14", "COMMON-TRK-08")
@pytest.mark.parametrize("rules", ALL)
def test_three_foreign_stations_stop_track(rules):
    banks = "CCE F9:a; CME F9:b; BME F9:b"
    state = table(rules, "GVE", phase="green", tiles="G6 938 r0; G8 8 r1; F9 922", stations=f"GVE G6:b; {banks}")
    assert why(rules, state, "E8 #1 r2") == (Code.BLOCKED, "COMMON-TRK-08")


@pytest.mark.rule("RHL-RTE-14", "COMMON-TOK-02")
def test_a_full_bank_stops_no_station():
    """CCE's station on the left bank of F9 leaves GVE the way over the ferry to the free place of the right bank."""
    tiles = "G6 938 r0; G8 8 r1; F9 922"
    state = table("R2", "GVE", phase="green", tiles=tiles, stations="GVE G6:b; CCE F9:a", step="station")
    assert PlaceStation("F9", "b") in choices("R2", state, PlaceStation)


@pytest.mark.rule("COMMON-TRK-01")
@pytest.mark.parametrize("rules", BOTH)
def test_one_tile_a_turn(rules):
    state = start(rules, privates={3: 0})
    after = done(rules, state, "J9 #9 r0")
    assert after.board.contents("J9").tile == "9"
    assert turn(after).lays == ("normal",)
    assert why(rules, after, "K8 #8 r1") == (Code.ONE_TILE, "COMMON-TRK-01")
    assert choices(rules, after, LayTile) == []


@pytest.mark.rule("COMMON-TRK-01", "COMMON-TRK-02")
@pytest.mark.parametrize("rules", BOTH)
def test_green_waits_for_its_phase(rules):
    state = start(rules, "ADR", stations="ADR K2:a")
    assert why(rules, state, "K2 #930 r0") == (Code.NOT_IN_PHASE, "COMMON-TRK-02")
    assert ("930", 0) not in tiles_on(rules, state, "K2")
    green = replace(state, phase="green")
    assert done(rules, green, "K2 #930 r0").board.contents("K2").tile == "930"


@pytest.mark.rule("COMMON-TRK-02")
@pytest.mark.parametrize("rules", BOTH)
def test_no_colour_is_skipped(rules):
    state = start(rules, tiles="J9 #9 r0", phase="brown")
    assert why(rules, state, "J9 #41 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")
    assert why(rules, state, "K8 #23 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")
    assert why(rules, state, "J9 #8 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")
    told = refused(ruleset(rules), state, 0, lay("J9 #41 r0"))
    assert (told.args["colour"], "phase" in told.args) == ("green", False)
    # earlier colours stay available
    assert ("8", 1) in tiles_on(rules, state, "K8")
    assert ("23", 3) in tiles_on(rules, state, "J9")


@pytest.mark.rule("COMMON-TRK-03")
@pytest.mark.parametrize("rules", BOTH)
def test_tiles_run_out_and_come_back(rules):
    spare = table(rules, "CME", tiles="C12 #937 r0; G12 #937 r0", stations="CME C12:a; CME D11:a", phase="green")
    assert ("937", 5) in tiles_on(rules, spare, "D11")
    empty = replace(spare, supply={**spare.supply, "937": 0})
    assert why(rules, empty, "D11 #937 r5") == (Code.NO_TILE_LEFT, "COMMON-TRK-03")
    back = table(
        rules, "CME", tiles="D11 #937 r5; C12 #937 r0; G12 #937 r0", stations="CME C12:a; CME D11:a", phase="green"
    )
    after = done(rules, back, "D11 #938 r5")
    assert (after.supply["937"], after.supply["938"]) == (1, 1)


@pytest.mark.rule("COMMON-TRK-04")
@pytest.mark.parametrize("rules", BOTH)
def test_grey_and_red_hexes_are_finished(rules):
    state = start(rules, phase="green")
    assert why(rules, state, "J15 #8 r0") == (Code.NEVER_BUILT, "COMMON-TRK-04")
    assert why(rules, state, "J15 #15 r0") == (Code.NEVER_BUILT, "COMMON-TRK-04")
    assert why(rules, state, "C14 #8 r0") == (Code.NEVER_BUILT, "COMMON-TRK-04")
    assert why(rules, state, "Z99 #8 r0") == (Code.NO_SUCH_HEX, "COMMON-TRK-04")
    assert why(rules, state, "J9 #999 r0") == (Code.NOT_IN_RULESET, "COMMON-TRK-03")
    assert why(rules, state, "J9 #9 r7") == (Code.ORIENTATION, "COMMON-TRK-05")
    other = refused(ruleset(rules), state, 0, LayTile("J9", "9", 0, "second"))
    assert (other.code, other.rule) == (Code.NOT_IN_RULESET, "COMMON-TRK-01")


@pytest.mark.rule("COMMON-TRK-05")
@pytest.mark.case("B83")
@pytest.mark.parametrize("rules", BOTH)
def test_closed_and_blank_sides(rules):
    state = start(rules, "CME", tiles="C12 #937 r3", stations="CME I10:c; CME C12:a; DEE F9:b")
    assert why(rules, state, "H11 #8 r5") == (Code.CLOSED_SIDE, "RHL-TRK-16")  # edges 1 and 5: the Rhine
    assert why(rules, state, "B13 #1 r2") == (Code.CLOSED_SIDE, "COMMON-TRK-05")  # edges 3 and 5 ok, 2 is blank A12
    assert why(rules, state, "F3 #9 r1") == (Code.CLOSED_SIDE, "COMMON-TRK-05")  # blank F1
    assert any(3 in state.sheet.rotated[tile].edges for tile in tiles_on(rules, state, "B13"))  # towards A14's arrow


@pytest.mark.rule("COMMON-TRK-06")
@pytest.mark.parametrize("rules", BOTH)
def test_track_need_not_meet_its_neighbours(rules):
    state = start(rules, "GVE", stations="GVE G6:a; GVE E2:a")
    assert ("9", 0) in tiles_on(rules, state, "H5")  # joins edge 0 of G6
    # H5 #9 r1 (edges 1 and 4) leaves G6's edge 0 alone: legal where the route comes over H7
    assert why(rules, state, "H5 #9 r1") == (Code.NOT_CONNECTED, "COMMON-TRK-08")
    reached = table(rules, "GVE", tiles="G6 #941 r0; H7 #7 r1", stations="GVE G6:b")
    assert reached.board.face("H7").edges == {1, 2}
    assert ("9", 1) in tiles_on(rules, reached, "H5")


@pytest.mark.rule("COMMON-TRK-07")
@pytest.mark.parametrize("rules", BOTH)
def test_kinds_of_hexes_and_tiles(rules):
    state = start(rules, tiles="F13 #934 r5", stations="BME F13:a; BME D13:a", company="BME", phase="brown")
    assert why(rules, state, "D13 #57 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    assert {tile for tile, _ in tiles_on(rules, state, "D13")} == {"201", "202"}
    assert {tile for tile, _ in tiles_on(rules, state, "F13")} == {"216"}
    assert why(rules, state, "K4 #8 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    assert why(rules, state, "K8 #4 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    assert why(rules, state, "J3 #4 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    assert why(rules, state, "K10 #201 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    assert why(rules, state, "C12 #930 r0")[0] == Code.WRONG_COLOUR
    d13 = with_tiles(state, D13="201 r0")
    assert why(rules, d13, "D13 #15 r0") == (Code.WRONG_KIND, "COMMON-TRK-07")


@pytest.mark.rule("COMMON-TRK-08")
@pytest.mark.parametrize("rules", ALL)
def test_a_yellow_tile_must_be_connected(rules):
    state = pos_r(rules)
    assert why(rules, state, "G4 #9 r0") == (Code.NOT_CONNECTED, "COMMON-TRK-08")
    assert ("9", 1) in tiles_on(rules, state, "I8")
    assert why(rules, state, "I8 #9 r0") == (Code.NOT_CONNECTED, "COMMON-TRK-08")


@pytest.mark.rule("COMMON-TRK-08")
@pytest.mark.parametrize("rules", ALL)
def test_nothing_is_laid_beyond_blocked_city(rules):
    """K6 with another's station is full: the RhE reaches it, not what lies behind."""
    tiles = "J9 #9 r0; K8 #8 r1"
    free = start(rules, tiles=tiles, stations="RhE I10:a")
    assert ("4", 1) in tiles_on(rules, free, "K4")
    blocked = start(rules, tiles=tiles, stations="RhE I10:a; ADR K6:a")
    assert why(rules, blocked, "K4 #4 r1") == (Code.BLOCKED, "COMMON-TRK-08")
    assert "K4" not in hexes(rules, blocked)
    own = start(rules, tiles=tiles, stations="RhE I10:a; RhE K6:a")
    assert ("4", 1) in tiles_on(rules, own, "K4")


@pytest.mark.rule("COMMON-TRK-08")
@pytest.mark.parametrize("rules", ALL)
def test_home_without_track_takes_any_turn(rules):
    state = table(rules, "CCE", stations="CCE E6:a")
    assert tiles_on(rules, state, "E6") == {("201", way) for way in range(6)} | {("202", way) for way in range(6)}
    assert hexes(rules, state) == {"E6"}


@pytest.mark.rule("RHL-TRK-09")
@pytest.mark.parametrize("rules", BOTH)
def test_first_lay_extends_home(rules):
    state = start(rules, "GVE", stations="GVE G6:b", operated=False)
    assert done(rules, state, "F5 #1 r1").board.contents("F5").tile == "1"
    assert hexes(rules, state) == {"F5"}


@pytest.mark.rule("COMMON-TRK-10")
@pytest.mark.parametrize("rules", ALL)
def test_upgrades_keep_all_track(rules):
    state = pos_r(rules)
    assert done(rules, state, "K4 #141 r1").board.face("K4").edges == {1, 2, 4}
    town = table(rules, "GVE", tiles="G6 #941 r0; H7 #8 r0; I6 #4 r0", stations="GVE G6:b", phase="green")
    assert town.board.face("I6").edges == {0, 3}
    assert done(rules, town, "I6 #141 r3").board.face("I6").edges == {0, 3, 4}
    assert why(rules, town, "I6 #141 r2") == (Code.TRACK_LOST, "COMMON-TRK-10")
    assert ("141", 2) not in tiles_on(rules, town, "I6")


@pytest.mark.rule("COMMON-TRK-11", "RHL-TRK-12")
@pytest.mark.parametrize("rules", ALL)
def test_plain_upgrade_needs_new_track(rules):
    """G8 bears edges 1 and 3, and the RhE comes over both: only a piece that begins there is of use."""
    state = pos_r(rules, "RhE")
    laid = tiles_on(rules, state, "G8")
    assert laid
    for tile, way in laid:
        face = state.sheet.rotated[tile, way]
        new = set(face.track) - set(state.board.face("G8").track)
        assert any({p.a, p.b} & {1, 3} for p in new)
    assert why(rules, state, "G8 #16 r0") == (Code.NO_NEW_TRACK, UPGRADE[rules])  # edges 1-3 and 0-2


@pytest.mark.rule("COMMON-TRK-11", "RHL-TRK-12")
@pytest.mark.parametrize("rules", ALL)
def test_far_side_track_is_useless(rules):
    """K8 (edges 1, 3) is the end of the RhE's line, and its new piece lies apart from it."""
    state = start(rules, tiles="J9 #9 r0; K8 #8 r1", stations="RhE I10:a", phase="green")
    assert state.board.face("K8").edges == {1, 3}
    far = [text for text in ("K8 #16 r1", "K8 #16 r0", "K8 #18 r5", "K8 #19 r5") if _kept(state, text)]
    assert far
    for text in far:
        assert why(rules, state, text) == (Code.NO_NEW_TRACK, UPGRADE[rules])


def _kept(state, text):
    action = lay(text)
    contents = state.board.contents(action.hex)
    found = legal_upgrades(state.sheet, action.hex, contents.tile, contents.rotation).get(
        (action.tile, action.rotation)
    )
    return found is not None and not any({p.a, p.b} & {1, 3} for p in found.new_track)


@pytest.mark.rule("COMMON-TRK-11", "RHL-TRK-12")
@pytest.mark.parametrize("rules", ALL)
def test_city_on_route_needs_none(rules):
    state = pos_r(rules)
    after = done(rules, state, "K6 #15 r1")
    assert after.board.face("K6").stops[0].slots == 2
    # a city that is not on the route before needs track that reaches it afterwards
    off = start(rules, tiles="K8 #8 r1", stations="RhE I10:a", phase="green")
    assert why(rules, off, "K6 #15 r1") == (Code.NOT_CONNECTED, UPGRADE[rules])


@pytest.mark.rule("RHL-TRK-12")
@pytest.mark.parametrize("rules", ALL)
def test_unreached_town_is_refused(rules):
    state = start(rules, tiles="J9 #9 r0; J3 #69 r0", phase="green")
    assert why(rules, state, "J3 #204 r0") == (Code.NOT_CONNECTED, UPGRADE[rules])
    joined = pos_r(rules)
    assert ("204", 0) in tiles_on(rules, joined, "J3")
    assert ("88", 1) in tiles_on(rules, joined, "E12")


@pytest.mark.rule("COMMON-TRK-13")
@pytest.mark.case("B21")
@pytest.mark.parametrize("rules", BOTH)
def test_what_becomes_of_towns(rules):
    sheet = ruleset(rules).sheet
    assert sheet.tiles["4"].upgrades_to == ("141", "142")
    state = start(rules, tiles="J9 #9 r0; K8 #8 r1; K4 #141 r1", stations="RhE I10:a; RhE K6:a", phase="brown")
    assert why(rules, state, "K4 #933 r0") == (Code.FINISHED_HEX, "COMMON-TRK-13")
    single = start(rules, tiles="J9 #9 r0; K8 #8 r1; K4 #4 r1", stations="RhE I10:a; RhE K6:a", phase="green")
    assert {tile for tile, _ in tiles_on(rules, single, "K4")} == {"141", "142"}
    assert why(rules, single, "K4 #88 r1") == (Code.WRONG_KIND, "COMMON-TRK-13")
    double = table(rules, "DEE", tiles="F11 #9 r1; E12 #88 r1; F13 #934 r5", stations="DEE F13:a", phase="brown")
    assert {tile for tile, _ in tiles_on(rules, double, "E12")} == {"933"}
    for number in ("1", "2", "55", "56", "69"):
        assert set(sheet.tiles[number].upgrades_to or ()) <= {"87", "88", "204"}
        assert sheet.tiles[number].upgrades_to


@pytest.mark.rule("COMMON-TRK-11")
@pytest.mark.parametrize("rules", ALL)
def test_opened_city_is_asked_afterwards(rules):
    """The walk inside the hex cannot tell whether a blocked city is passed once the tile has more places."""
    state = start(rules, tiles="J9 #9 r0; K8 #8 r1", stations="RhE I10:a; BME K6:a", phase="green")
    at = view(rules, state)
    opening = legal_upgrades(state.sheet, "K6", "", 0)["15", 1]
    assert new_track_reached(reach_now(at), "K6", opening) is None
    assert joined_after(at, "K6", opening)
    tiles = "D11 #937 r5; E12 #55 r1; F13 #934 r5"
    full = table(rules, "DEE", tiles=tiles, stations="DEE F13:a; BME D11:a", phase="green")
    closed = legal_upgrades(full.sheet, "D11", "937", 5)["938", 3]  # the city of edge 5 gains edge 1 and no place
    assert {(p.a, p.b) for p in closed.new_track} == {(1, 7)}
    assert new_track_reached(reach_now(view(rules, full)), "D11", closed) is None
    assert not joined_after(view(rules, full), "D11", closed)


@pytest.mark.rule("COMMON-TRK-14")
@pytest.mark.case("B85")
@pytest.mark.parametrize("rules", BOTH)
@pytest.mark.parametrize(
    ("company", "tiles", "stations", "phase", "text", "cost"),
    [
        ("DEE", "", "DEE F9:b", "yellow", "F11 #9 r1", 60),
        ("BME", "", "BME F13:b", "green", "F13 #934 r5", 30),
        ("ADR", "", "ADR K2:a", "green", "K2 #930 r0", 30),
        ("ADR", "K2 #930 r0", "ADR K2:a", "brown", "K2 #931 r0", 30),
        ("DEE", "", "DEE F9:b", "green", "F9 #922 r0", 30),
        ("DEE", "F9 #922", "DEE F9:b", "brown", "F9 #927 r0", 50),
        ("DEE", "F9 #927", "DEE F9:a", "grey", "F9 #932 r0", 50),
        ("DEE", "F11 #9 r1", "DEE F9:b", "green", "F11 #23 r1", 0),
    ],
)
def test_the_treasury_pays_before_the_lay(rules, company, tiles, stations, phase, text, cost):
    state = table(rules, company, tiles=tiles, stations=stations, phase=phase, treasury=cost)
    after = done(rules, state, text)
    assert after.companies[company].treasury == 0
    assert after.bank == state.bank + cost
    normal = ruleset(rules).policy(LayingPolicy).rights["normal"]
    terms = cost_terms(view(rules, state), normal, lay(text).hex)
    assert [(t.rule, t.amount) for t in terms] == ([("COMMON-TRK-14", cost)] if cost else [])
    if cost:
        poor = with_company(state, company, treasury=cost - 10)
        refusal = refused(ruleset(rules), poor, 0, lay(text))
        assert (refusal.code, refusal.rule) == (Code.UNAFFORDABLE, "COMMON-TRK-14")
        assert refusal.args == {"cost": cost, "cash": cost - 10}
        assert lay(text) not in choices(rules, poor, LayTile)


@pytest.mark.rule("COMMON-TRK-15")
@pytest.mark.parametrize("rules", BOTH)
def test_stations_keep_their_city(rules):
    state = table(rules, "GVE", stations="GVE G6:b", phase="green")
    after = done(rules, state, "G6 #938 r0")
    contents = after.board.contents("G6")
    assert contents.stations == (Station("GVE", 1),)
    network = after.board.network
    assert {network.tracks[p].ref for p in network.at[network.stop["G6:b"]]} == {"G6:2b", "G6:4b"}


@pytest.mark.rule("COMMON-TRK-15")
@pytest.mark.case("B07")
def test_waiting_homes_keep_places():
    """I10 from yellow to brown before any of its three companies has come: face down in R2, kept in R1."""
    text = "RhE I10:a {0}; CCE I10:b {0}; CME I10:c {0}; BME F9:c"
    for rules, word in (("R2", "asleep"), ("R1", "kept")):
        for tile in ("923", "924"):
            state = table(rules, "BME", tiles="G10 #2 r2; H11 #8 r0", stations=text.format(word), phase="brown")
            after = done(rules, state, f"I10 #{tile} r0")
            contents = after.board.contents("I10")
            waiting = [(s.company, s.stop) for s in (contents.stations or contents.reservations)]
            assert waiting == [("RhE", 0), ("CCE", 0), ("CME", 1)]
            again = replace(after, agenda=table(rules, "BME").agenda)
            brown = done(rules, again, "I10 #928 r0")
            contents = brown.board.contents("I10")
            waiting = [(s.company, s.stop) for s in (contents.stations or contents.reservations)]
            assert waiting == [("RhE", 0), ("CCE", 0), ("CME", 0)]
            station = replace(brown, agenda=table(rules, "BME", step="station").agenda)
            refusal = refused(ruleset(rules), station, 0, PlaceStation("I10", "a"))
            assert (refusal.code, refusal.rule) == (Code.RESERVED, "COMMON-TOK-05" if rules == "R2" else "RHL-TOK-06")
            # a fourth company runs through: what lies beyond is open to it
            beyond = replace(with_tiles(brown, J9="9 r0"), agenda=table(rules, "BME").agenda)
            assert ("8", 1) in tiles_on(rules, beyond, "K8")


@pytest.mark.rule("COMMON-TRK-15")
@pytest.mark.parametrize("rules", BOTH)
def test_tile_without_enough_places_cannot_laid(rules):
    """No tile of the game is too small for what can stand on its forerunner, so the forerunner is overfilled here."""
    state = table(rules, "DEE", tiles="F9 #922", stations="DEE F9:b; BME F9:b; CCE F9:a; CME F9:a", phase="brown")
    assert why(rules, state, "F9 #927 r0") == (Code.NO_PLACE, "COMMON-TRK-15")
    fewer = table(rules, "DEE", tiles="F9 #922", stations="DEE F9:b; BME F9:b; CCE F9:a", phase="brown")
    assert [s.stop for s in done(rules, fewer, "F9 #927 r0").board.contents("F9").stations] == [0, 0, 0]


@pytest.mark.rule("COMMON-OR-04")
@pytest.mark.parametrize("rules", BOTH)
def test_track_step_comes_first_once(rules):
    state = start(rules)
    after = act(ruleset(rules), state, 0, Pass()).state
    assert turn(after).step != "track"
    assert why(rules, after, "J9 #9 r0") == (Code.WRONG_STEP, "COMMON-OR-04")
    placed = pos_r(rules, step="station")
    assert why(rules, placed, "H5 #23 r0") == (Code.WRONG_STEP, "COMMON-OR-04")


@pytest.mark.rule("COMMON-OR-04")
@pytest.mark.parametrize("rules", BOTH)
def test_step_without_legal_lay_left_out(rules):
    state = table(rules, "MKB", stations="MKB D7:a", step="")
    after = settle(rules, state)
    assert turn(after).step == "trains"
    some = settle(rules, start(rules, step=""))
    assert turn(some).step == "track"


@pytest.mark.rule("COMMON-OR-04")
def test_recorded_games_always_stop_for_track():
    assert turn(settle("compat", table("compat", "MKB", stations="MKB D7:a", step=""))).step == "track"


@pytest.mark.rule("RHL-VAR-03", "RHL-TRK-22")
def test_promotion_tiles_need_their_variant():
    plain = table("R1", "DEE", tiles="D9 #929", stations="DEE D9:a", phase="grey")
    assert why("R1", plain, "D9 #949 r0") == (Code.NOT_IN_RULESET, "COMMON-TRK-03")
    assert {tile for tile, _ in tiles_on("R1", plain, "D9")} == {"932"}
    rules = "R1+promotion_tiles"
    more = table(rules, "DEE", tiles="D9 #929", stations="DEE D9:a", phase="grey")
    assert tiles_on(rules, more, "D9") == {("949", 0)}
    assert why(rules, more, "D9 #932 r0") == (Code.NOT_IN_RULESET, "COMMON-TRK-03")
    assert why(rules, more, "D9 #932V r0") == (Code.WRONG_KIND, "COMMON-TRK-07")
    duesseldorf = table(rules, "DEE", tiles="F9 #927", stations="DEE F9:a", phase="grey")
    assert tiles_on(rules, duesseldorf, "F9") == {("932V", 0)}
    essen = table(rules, "BME", tiles="D13 #216 r0", stations="BME D13:a", phase="grey")
    assert {tile for tile, _ in tiles_on(rules, essen, "D13")} == {"Essen"}
    krefeld = table(rules, "CCE", tiles="E6 #216 r0", stations="CCE E6:a", phase="grey")
    assert tiles_on(rules, krefeld, "E6") == set()
    moers = table(rules, "MKB", tiles="D7 #947 r0", stations="MKB D7:a", phase="grey")
    assert {tile for tile, _ in tiles_on(rules, moers, "D7")} == {"950"}


@pytest.mark.rule("COMMON-TRK-07")
@pytest.mark.parametrize("rules", BOTH)
def test_without_ratingen_e10_hex_like_others(rules):
    """The letters of #201 and #202 are not printed there; no rule of the Ratingen variant is named."""
    state = table(rules, "DEE", stations="DEE F9:b")
    for tile in ("201", "202"):
        refusal = refused(ruleset(rules), state, 0, LayTile("E10", tile, 0))
        assert refusal.rule == "COMMON-TRK-07", refusal
