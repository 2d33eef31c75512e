"""Section 10.1 and 10.3 of the rule sheet: routes in general, and the Rheingold-Express."""

from __future__ import annotations

import pytest

from tests.builders.route_boards import POS_R, POS_R_ICONS, POS_R_STATIONS, board, codes, faults, revenue, run, setting
from trajekt.engine.routing.runs import Run
from trajekt.engine.routing.solver import any_run, best_runs, has_route
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.route_editions import chosen
from trajekt.games.rhl.route_rules import route_rules

BOTH = ("R1", "R2")
K6_G6 = "K6:a K4:a K2:a J3:a I4 H5 G6:a"


def pos_r(rules, extra="", stations=POS_R_STATIONS):
    return board(rules, f"{POS_R}; {extra}", stations, POS_R_ICONS)


@pytest.mark.rule("COMMON-RTE-01")
@pytest.mark.parametrize("rules", BOTH)
def test_a_route_has_two_stops(rules):
    on = pos_r(rules)
    assert "too_short" in codes(setting(rules, on, "RhE", "2"), Run("2", ()))
    assert ("too_short", "RHL-RTE-19") in faults(setting(rules, on, "RhE", "2"), Run("2", ("I10:ab",)))


@pytest.mark.rule("COMMON-RTE-01")
@pytest.mark.parametrize("rules", BOTH)
def test_a_route_has_an_own_station(rules):
    on = pos_r(rules)
    assert faults(setting(rules, on, "RhE", "2"), run(on, "2", "D11:a E12:b F13:a")) == [
        ("no_own_station", "COMMON-RTE-01")
    ]
    assert revenue(setting(rules, on, "DEE", "2"), run(on, "2", "D11:a E12:b F13:a")) == 70


@pytest.mark.rule("COMMON-RTE-01")
def test_each_train_runs_once():
    on = pos_r("R1")
    route = run(on, "2", "I10:a J9 K8 K6:a")
    other = run(on, "2", "K6:a K4:a K2:a")
    assert codes(setting("R1", on, "RhE", "2"), route, other) == {"train_not_owned"}
    assert codes(setting("R1", on, "RhE", "3"), route) == {"train_not_owned"}
    assert revenue(setting("R1", on, "RhE", "2", "2"), route, other) == 110


@pytest.mark.rule("COMMON-RTE-02")
@pytest.mark.parametrize("rules", BOTH)
def test_no_change_of_track_at_crossing(rules):
    on = pos_r(rules)
    where = setting(rules, on, "GVE", "4")
    assert codes(where, Run("4", ("G6:2b", "F5:5b", "F5:4a"))) == {"crossing"}
    assert codes(where, Run("4", ("G6:2b", "F3:24"))) == {"not_joined"}
    assert codes(where, Run("4", ("G6:2b", "F5:14"))) == {"no_such_track"}
    assert "ends_between_stops" in codes(where, Run("4", ("G6:2b", "F5:5b", "F5:1b", "F3:24")))


@pytest.mark.rule("COMMON-RTE-02")
def test_no_reversing_at_a_junction():
    """K8 with #23 r1 (1-4 and 1-5): K10 to K6 is one way, but not from 5 back out by 4."""
    on = board("R2", "K8 #23 r1; K10 #57 r1; J9 #9 r0", "RhE K10:a; RhE K6:a")
    where = setting("R2", on, "RhE", "3")
    assert codes(where, Run("3", ("K10:1a", "K8:14", "K8:15"))) == {"reversing"}
    assert revenue(where, Run("3", ("K10:1a", "K8:14", "K6:4a"))) == 40


@pytest.mark.rule("COMMON-RTE-02")
@pytest.mark.parametrize("rules", BOTH)
def test_both_tracks_of_tile_may_used(rules):
    """Both towns of G10 #2 in one route, each pays once."""
    on = board(rules, "F9 #927; G10 #2 r2; H11 #8 r0; F11 #7 r0; G12 #941 r1; I10 #928", "CME I10:a")
    where = setting(rules, on, "CME", "3", brown=True)
    assert revenue(where, run(on, "3", "G12:a G10:b F11 F9:a G10:a H11 I10:a")) == 30 + 10 + 50 + 10 + 50


@pytest.mark.rule("COMMON-RTE-02")
def test_no_track_twice():
    on = pos_r("R1")
    where = setting("R1", on, "RhE", "4")
    there = run(on, "4", "I10:a J9 K8 K6:a").track
    assert "same_track_twice" in codes(where, Run("4", (*there, *reversed(there))))


@pytest.mark.rule("COMMON-RTE-03")
@pytest.mark.parametrize("rules", BOTH)
def test_cities_of_tile_are_two_stops(rules):
    on = board(rules, "G6 #920 r0; H5 #7 r2; G4 #7 r4", "GVE G6:a")
    where = setting(rules, on, "GVE", "2", brown=True)
    assert revenue(where, run(on, "2", "G6:a H5 G4 G6:b")) == 80
    assert best_runs(where).revenue == 80


@pytest.mark.rule("COMMON-RTE-03")
def test_no_city_twice():
    """A loop out of K10 and back: #15 r0 with edges 0 to 3, J9 and J11 joining 2 and 3."""
    on = board("R2", "K10 #15 r0; J9 #7 r4; J11 #7 r0", "RhE K10:a")
    found = [ref for ref in on.network.piece if ref.startswith(("J9", "J11"))]
    assert sorted(found) == ["J11:01", "J9:45"]
    where = setting("R2", on, "RhE", "4")
    loop = Run("4", ("K10:2a", "J9:45", "J11:01", "K10:3a"))
    assert ("same_stop_twice", "COMMON-RTE-03") in faults(where, loop)


@pytest.mark.rule("COMMON-RTE-04")
@pytest.mark.case("B90")
@pytest.mark.parametrize("rules", BOTH)
def test_a_blocked_city_ends_a_route(rules):
    on = pos_r(rules, stations="RhE I10:a; ADR K6:a; DEE F9:b")
    where = setting(rules, on, "RhE", "3")
    assert revenue(where, run(on, "3", "I10:a J9 K8 K6:a")) == 60
    assert faults(where, run(on, "3", "I10:a J9 K8 K6:a K4:a K2:a")) == [("blocked", "COMMON-RTE-04")]


@pytest.mark.rule("COMMON-TOK-05")
@pytest.mark.case("B90")
def test_own_station_leaves_city_open():
    for stations in ("RhE I10:a; ADR K6:a asleep", "RhE I10:a; RhE K6:a"):
        on = pos_r("R2", stations=stations)
        where = setting("R2", on, "RhE", "3")
        assert revenue(where, run(on, "3", "I10:a J9 K8 K6:a K4:a K2:a")) == 90


@pytest.mark.rule("RHL-RTE-05")
@pytest.mark.case("B29")
def test_r1_no_end_at_a_town():
    on = pos_r("R1")
    where = setting("R1", on, "RhE", "2")
    assert faults(where, run(on, "2", "K6:a K4:a")) == [("ends_at_town", "RHL-RTE-05")]
    assert revenue(where, run(on, "2", "K6:a K4:a K2:a")) == 50


@pytest.mark.rule("COMMON-RTE-06")
@pytest.mark.case("B29")
def test_r2_town_at_the_end_counts():
    on = pos_r("R2")
    assert revenue(setting("R2", on, "RhE", "2"), run(on, "2", "K6:a K4:a")) == 30
    assert revenue(setting("R2", on, "RhE", "2"), run(on, "2", "K6:a K4:a K2:a")) == 50
    three = setting("R2", on, "RhE", "3")
    assert revenue(three, run(on, "3", "I10:a J9 K8 K6:a K4:a")) == 70
    assert revenue(three, run(on, "3", "I10:a J9 K8 K6:a K4:a K2:a")) == 90
    assert codes(setting("R2", on, "RhE", "2"), run(on, "2", "I10:a J9 K8 K6:a K4:a")) == {"too_long"}


@pytest.mark.rule("COMMON-RTE-06")
def test_r2_town_city_town_counts_three():
    on = pos_r("R2")
    route = "K4:a K2:a J3:a"
    owner = pos_r("R2", stations="ADR K2:a")
    assert codes(setting("R2", owner, "ADR", "2"), run(on, "2", route)) == {"too_long"}
    assert revenue(setting("R2", owner, "ADR", "3"), run(on, "3", route)) == 40


@pytest.mark.rule("COMMON-RTE-06")
@pytest.mark.rule("COMMON-TRN-11")
@pytest.mark.case("B29")
def test_city_and_town_alone():
    """GVE in G6 with one linked town: a route, and so a duty, in the second edition only."""
    for rules, earned in (("R2", 30), ("R1", 0)):
        on = board(rules, "F5 #1 r1", "GVE G6:b")
        where = setting(rules, on, "GVE", "2")
        assert has_route(where) is bool(earned)
        assert best_runs(where).revenue == earned


@pytest.mark.rule("COMMON-TRN-11")
def test_the_duty_asks_for_any_train():
    on = board("R2", "", "MKB D7:a")
    assert not has_route(setting("R2", on, "MKB", "2", "3", "4", "5", "6", "8"))
    linked = pos_r("R2")
    assert has_route(setting("R2", linked, "RhE", "2"))
    assert not has_route(setting("R2", linked, "RhE"))


@pytest.mark.rule("COMMON-RTE-07")
@pytest.mark.parametrize("rules", BOTH)
def test_train_length_bounds_the_route(rules):
    on = pos_r(rules)
    assert faults(setting(rules, on, "RhE", "2"), run(on, "2", K6_G6)) == [("too_long", "COMMON-RTE-07")]
    assert revenue(setting(rules, on, "RhE", "3"), run(on, "3", K6_G6)) == 90


@pytest.mark.rule("COMMON-RTE-07")
@pytest.mark.parametrize("rules", BOTH)
def test_no_stop_is_left_out(rules):
    on = pos_r(rules)
    assert codes(setting(rules, on, "RhE", "2"), run(on, "2", K6_G6, "K6:a G6:a")) == {"leaves_out"}


@pytest.mark.rule("COMMON-RTE-08")
@pytest.mark.parametrize("rules", BOTH)
def test_venlo_may_be_passed(rules):
    on = pos_r(rules)
    assert revenue(setting(rules, on, "GVE", "4"), run(on, "4", "A4:a B3 C4:a D3 E2:a F3 F5:b G6:b")) == 110


@pytest.mark.rule("COMMON-RTE-08")
def test_off_board_area_only_ends_route():
    """No track leads through one on this map; two tracks into one hex are two stops of one area."""
    on = board("R2", "C12 #938 r0; D13 #216 r3", "BME D13:a")
    assert {"C14:a", "C14:b", "A4:a"} <= setting("R2", on, "BME", "3").passage.terminal
    assert "E2:a" not in setting("R2", on, "BME", "3").passage.terminal
    assert "G2:a" not in setting("R2", on, "BME", "3").passage.terminal
    assert "G2:a" in setting("R1", board("R1", "", ""), "BME", "3").passage.terminal


@pytest.mark.rule("RHL-RTE-09")
@pytest.mark.parametrize("rules", BOTH)
def test_hamburg_and_berlin_are_one(rules):
    """B13 #2 r2 joins the edges 3 and 4: B15-B13-A14."""
    on = board(rules, "B13 #2 r2", "BME B15:a; CME A14:a")
    where = setting(rules, on, "BME", "5")
    network = on.network
    assert {"B13:3b", "B13:4b"} <= set(network.piece)
    found = faults(where, run(on, "5", "B15:a B13:b A14:a"))
    assert ("same_area", "RHL-RTE-09") in found


@pytest.mark.rule("RHL-RTE-09")
@pytest.mark.rule("RHL-REV-03")
@pytest.mark.case("B25")
@pytest.mark.parametrize("rules", BOTH)
def test_eastern_ruhr_one_stop_of_route(rules):
    on = board(rules, "D13 #216 r1; C12 #948 r0", "BME D13:a")
    where = setting(rules, on, "BME", "3", "3")
    assert ("same_area", "RHL-RTE-09") in faults(where, run(on, "3", "C14:a D13:a D15:b"))


@pytest.mark.rule("RHL-RTE-09")
@pytest.mark.parametrize("edition", (1, 2))
def test_two_or_four_destination_pairs(edition):
    """The books name the Eastern Ruhr twice, and Hamburg with Berlin (v1 10.1, EN 6.2.3); the others are a switch."""
    on = board(f"R{edition}", "", "")
    named = {("A14", "B15"), ("C14", "D15")}
    for four, one in ((False, named), (True, named | {("A4", "A6"), ("L11", "L13")})):
        shared = route_rules(chosen(RhlOptions(edition=edition, four_areas=four))).passage(on, "RhE").shared
        areas = {ref: said.name for ref, said in shared.items() if said.code == "same_area"}
        found = {frozenset(ref.split(":")[0] for ref, name in areas.items() if name == area) for area in areas.values()}
        assert found == {frozenset(pair) for pair in one}


@pytest.mark.rule("COMMON-RTE-03")
def test_one_stop_of_hex_is_switch():
    """The two cities of an OO tile may both be used, as two banks may, unless the table wants the strict letter."""
    on = board("R2", "G6 #938 r0; F13 #1 r0", "GVE G6:b")
    for strict in (False, True):
        shared = route_rules(chosen(RhlOptions(one_stop_a_hex=strict))).passage(on, "GVE").shared
        assert (shared.get("G6:a") == shared.get("G6:b") is not None) == strict
        assert shared["I10:a"].name == shared["I10:b"].name != shared["I10:c"].name


@pytest.mark.rule("RHL-TOK-07")
@pytest.mark.parametrize(("printed", "closed"), ((False, "A14:a"), (True, "B15:a")))
def test_what_a_station_in_muenster_closes(printed, closed):
    """The board has Münster on the hex of Hamburg; v1 9 has it close Berlin."""
    on = board("R1", "", "CME A14:a")
    rules = route_rules(chosen(RhlOptions(edition=1, minden_closes_hamburg=printed)))
    assert set(rules.passage(on, "RhE").shut) == {closed}
    assert not rules.passage(on, "CME").shut


@pytest.mark.rule("CMP-27")
def test_compat_keeps_basel_and_frankfurt_apart():
    on = board("compat", "K12 #58 r0; K10 #15 r5; J11 #8 r3", "RhE K10:a")
    where = setting("compat", on, "RhE", "3", "8")
    assert "L11:a" not in where.passage.shared
    assert "A14:a" not in where.passage.shared
    assert where.rules.plan(where, "3").shared == {"L11:a": "basel_frankfurt", "L13:a": "basel_frankfurt"}
    assert where.rules.plan(where, "8").shared == {}


@pytest.mark.rule("COMMON-RTE-11")
@pytest.mark.parametrize("rules", BOTH)
def test_routes_share_stops_and_no_track(rules):
    on = pos_r(rules)
    where = setting(rules, on, "RhE", "2", "2", "3")
    first = run(on, "2", "I10:a J9 K8 K6:a")
    assert revenue(where, first, run(on, "3", K6_G6)) == 150
    assert faults(where, first, first) == [("same_track_twice", "COMMON-RTE-11")]


@pytest.mark.rule("COMMON-RTE-11")
def test_common_stem_is_track_of_both():
    """#23 in K8: the pieces 1-4 and 1-5 share the stem at edge 1."""
    on = board("R2", "K8 #23 r1; K10 #57 r1", "RhE K6:a; CME K10:a")
    ends = {ref for ref in on.network.piece if ref.startswith("K8")}
    assert ends == {"K8:14", "K8:15"}
    # L9 lies behind edge 5 of K8
    where = setting("R2", on, "RhE", "2", "2")
    first = Run("2", ("K6:4a", "K8:14", "K10:1a"))
    second = Run("2", ("K6:4a", "K8:15", "L9:2a"))
    assert ("same_track_twice", "COMMON-RTE-11") in faults(where, first, second)
    assert best_runs(where).revenue == max(revenue(where, first), revenue(where, second))


@pytest.mark.rule("COMMON-RTE-12")
@pytest.mark.parametrize("rules", BOTH)
def test_trains_must_run_somehow(rules):
    on = pos_r(rules)
    where = setting(rules, on, "RhE", "3")
    assert faults(where) == [("must_run", "COMMON-RTE-12")]
    assert revenue(where, run(on, "3", "K6:a K4:a K2:a")) == 50
    assert best_runs(where).revenue == 120
    idle = setting(rules, board(rules, "", "RhE K6:a"), "RhE", "3")
    assert revenue(idle) == 0
    assert any_run(idle) == ()


@pytest.mark.rule("CMP-32")
def test_compat_lets_any_subset_run():
    assert revenue(setting("compat", pos_r("compat"), "RhE", "3")) == 0


# The Rheingold-Express

R2_EXPRESS = "B9 #15 r4; C10 #88 r2; D9 #929; E10 #8 r0; F9 #927; G10 #2 r2; H11 #8 r0; I10 #928; J9 #8 r3; K10 #15 r5"
WAY = "A6:a B7 B9:a C10:a D9:a E10 F9:a G10:a H11 I10:a J9 K10:a"


def express(rules, tiles=R2_EXPRESS, stations="RhE I10:a"):
    return board(rules, tiles, stations)


@pytest.mark.rule("RHL-RTE-21")
def test_r2_the_express_starts_in_north():
    on = express("R2")
    where = setting("R2", on, "RhE", "8", brown=True)
    assert revenue(where, run(on, "8", f"{WAY} L11:a")) == 490
    assert revenue(where, run(on, "8", WAY)) == 270
    assert faults(where, run(on, "8", "L11:a K10:a J9 I10:a")) == [("express_start", "RHL-RTE-21")]
    assert best_runs(where).revenue == 490


@pytest.mark.rule("RHL-RTE-21")
def test_r2_express_leaves_no_city_out():
    on = long_way("R2")
    where = setting("R2", on, "RhE", "8", brown=True)
    assert faults(where, run(on, "8", SKIP)) == [("too_long", "RHL-RTE-21")]
    assert codes(where, run(on, "8", "A6:a B7 B9:a C10:a D9:a E10 F9:a G8 G6:a", "A6:a G6:a")) >= {"leaves_out"}
    assert all(not each.pays for each in best_runs(where).runs)


@pytest.mark.rule("RHL-RTE-21")
def test_r2_express_may_end_at_venlo():
    on = board("R2", "C4 #58 r0; D3 #9 r0; F3 #8 r2; F5 #1 r1; G6 #938 r0", "GVE G6:b; GVE E2:a")
    where = setting("R2", on, "GVE", "8")
    assert ("not_by_express", "RHL-RTE-21") in faults(where, run(on, "8", "A4:a B3 C4:a D3 E2:a F3 F5:b G6:b"))
    assert revenue(where, run(on, "8", "A4:a B3 C4:a D3 E2:a")) == 60
    assert codes(where, run(on, "8", "A4:a B3 C4:a")) >= {"ends_at_town"}
    assert best_runs(where).revenue == 60


@pytest.mark.rule("RHL-RTE-20")
def test_r1_express_shuns_venlo():
    on = board("R1", "C4 #58 r0; D3 #9 r0; F3 #8 r2; F5 #1 r1; G6 #938 r0", "GVE G6:b; GVE E2:a")
    where = setting("R1", on, "GVE", "8")
    found = faults(where, run(on, "8", "A4:a B3 C4:a D3 E2:a F3 F5:b G6:b"))
    assert found == [("not_by_express", "RHL-RTE-20")]
    assert ("not_by_express", "RHL-RTE-20") in faults(where, run(on, "8", "A4:a B3 C4:a D3 E2:a"))
    red = board("R1", "C4 #3 r1", "BME C2:a")
    where = setting("R1", red, "BME", "8")
    assert faults(where, run(red, "8", "A4:a B3 C4:a C2:a")) == [("other_red_hex", "RHL-RTE-20")]
    assert best_runs(where).revenue == 0
    assert best_runs(setting("R1", red, "BME", "2")).revenue == 60


def long_way(rules="R1"):
    """Ten cities and off-board areas on one way from L11 to A6."""
    tiles = (
        "K10 #15 r5; J9 #8 r3; I10 #928; I8 #8 r4; J7 #9 r0; K6 #15 r1; K4 #4 r1; J3 #69 r0; H5 #9 r0; G6 #948 r0; "
        "G8 #8 r1; F9 #927; E10 #8 r0; D9 #929; C10 #88 r2; B9 #15 r4; B7 #8 r2"
    )
    return board(rules, tiles, "RhE K6:a; RhE I10:a")


SKIP = "L11:a K10:a J9 I10:a I8 J7 K6:a K4:a K2:a J3:a I4 H5 G6:a G8 F9:a E10 D9:a C10:a B9:a B7 A6:a"


@pytest.mark.rule("RHL-RTE-20")
@pytest.mark.rule("RHL-REV-10")
def test_r1_the_express_leaves_cities_out():
    on = long_way()
    where = setting("R1", on, "RhE", "8", brown=True)
    best = best_runs(where)
    assert best.proved
    (mine,) = best.runs
    assert mine.track == tuple(reversed(run(on, "8", SKIP).track))
    assert len(mine.pays) == 8
    assert best.revenue == 70 + 60 + 2 * 150 + 50 + 30 + 30
    assert {"L11:a", "A6:a"} <= set(mine.pays)
    assert revenue(where, mine) == best.revenue
    whole = Run("8", mine.track)
    assert faults(where, whole) == [("too_long", "RHL-RTE-20")]
    nine = Run("8", mine.track, (*mine.pays, "K2:a"))
    assert codes(where, nine) & {"too_long"}
    endless = Run("8", mine.track, tuple(ref for ref in mine.pays if ref != "A6:a"))
    assert codes(where, endless) == {"ends_must_pay"}
    elsewhere = Run("8", mine.track, (*mine.pays[:7], "E2:a"))
    assert codes(where, elsewhere) >= {"pays_elsewhere"}


@pytest.mark.rule("RHL-RTE-20")
@pytest.mark.rule("CMP-30")
def test_r1_one_end_without_double():
    """K6 to L11: no metropolis counts twice; at the public site an end need not pay."""
    on = long_way()
    where = setting("R1", on, "RhE", "8", brown=True)
    route = run(on, "8", "K6:a J7 I8 I10:a J9 K10:a L11:a")
    assert revenue(where, route) == 30 + 50 + 30 + 70
    site = setting("compat", long_way("compat"), "RhE", "8", brown=True)
    best = best_runs(site)
    assert best.revenue >= best_runs(where).revenue
    less = Run("8", best.runs[0].track, best.runs[0].pays[1:])
    assert revenue(site, less) < best.revenue


@pytest.mark.rule("RHL-RTE-20", "CMP-27")
@pytest.mark.parametrize(("rules", "train", "best"), (("R1", "6", 220), ("R1", "8", 150), ("compat", "8", 210)))
def test_r1_express_leaves_its_border(rules, train, best):
    """From Frankfurt it runs towards Arnhem and Nijmegen, not back to Basel; other trains may, and at the site it does."""
    on = board(rules, "K12 #4 r2; J11 #9 r2; I10 #932; J9 #8 r3; K10 #57 r2", "RhE I10:a")
    where = setting(rules, on, "RhE", train, brown=True)
    route = run(on, train, "L13:a K12:a J11 I10:a J9 K10:a L11:a")
    if best == 150:  # to Basel alone: 60 + 20 + 70
        assert faults(where, route) == [("other_red_hex", "RHL-RTE-20")]
    else:
        assert revenue(where, route) == best
    assert best_runs(where).revenue == best


@pytest.mark.rule("RHL-RTE-20")
def test_r1_skipping_passes_no_blocked_city():
    on = long_way()
    mine = best_runs(setting("R1", on, "RhE", "8", brown=True)).runs[0]
    full = on.with_contents(
        "K2", on.contents("K2").__class__("", 0, (on.contents("K6").stations[0].__class__("ADR", 0),))
    )
    where = setting("R1", full, "RhE", "8", brown=True)
    assert "blocked" in codes(where, mine)
    assert best_runs(where).revenue < best_runs(setting("R1", on, "RhE", "8", brown=True)).revenue


@pytest.mark.rule("RHL-RTE-20")
def test_site_closes_l9_to_express():
    """At the site L9 is red (CMP-28); by the rulebook's board it is grey, and the express passes."""
    on = board("compat", "K10 #15 r3; K8 #8 r5", "RhE K6:a")
    sent = run(on, "8", "L11:a K10:a L9:a K8 K6:a")
    assert faults(setting("compat", on, "RhE", "8"), sent) == [("other_red_hex", "RHL-RTE-20")]
    found = best_runs(setting("compat", on, "RhE", "8"))
    assert not any("L9:" in ref for each in found.runs for ref in each.track)
    assert revenue(setting("R1", on, "RhE", "8"), sent) == 80
