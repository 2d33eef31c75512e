"""Section 10.2 and the closing of hexes: Rhine metropolises, ferries, blocked places."""

from __future__ import annotations

import pytest

from tests.builders.route_boards import (
    POS_M1,
    POS_M2,
    POS_M_STATIONS,
    POS_R,
    POS_R_STATIONS,
    board,
    codes,
    faults,
    revenue,
    run,
    setting,
)
from trajekt.engine.routing.runs import Run
from trajekt.engine.routing.solver import best_runs

BOTH = ("R1", "R2")
ALL = ("R1", "R2", "compat")
ALONG = "I10:c H11 G10:a F9:b E10 D9:c"  # POS-M2, staying on the right bank
OVER = "I10:c H11 G10:a F9:ba E8:a D9:a"  # POS-M1, crossing


def pos_m1(rules, more=""):
    return board(rules, POS_M1, f"{POS_M_STATIONS}; {more}")


def pos_m2(rules, more="", tiles=""):
    return board(rules, f"{POS_M2}; {tiles}", f"{POS_M_STATIONS}; {more}")


@pytest.mark.rule("RHL-RTE-13")
@pytest.mark.case("B01")
@pytest.mark.parametrize("rules", BOTH)
def test_both_yellow_banks_in_one_route(rules):
    """Deutz, over the ferry of F9, and round by G8 to the left bank of I10: three stops."""
    on = board(rules, f"{POS_M1}; G8 #8 r3; H9 #4 r2", POS_M_STATIONS)
    where = setting(rules, on, "CME", "3", "2")
    text = "I10:c H11 G10:a F9:ba G8 H9:a I10:b"
    assert revenue(where, run(on, "3", text)) == 20 + 10 + 30 + 10 + 30
    assert "too_long" in codes(where, run(on, "2", text))


@pytest.mark.rule("RHL-RTE-13")
@pytest.mark.rule("CMP-26")
@pytest.mark.case("B01")
def test_places_of_bank_are_one_city():
    """I10's left bank north (edge 2) round to left bank south (edge 0)."""
    for rules, legal in (("R1", False), ("R2", False), ("compat", True)):
        on = board(rules, "H9 #3 r5; I8 #8 r3; J9 #7 r2", "RhE I10:b")
        where = setting(rules, on, "RhE", "2")
        loop = run(on, "2", "I10:b H9:a I8 J9 I10:a")
        if legal:
            assert revenue(where, loop) == 70
        else:
            assert faults(where, loop) == [("same_stop_twice", "RHL-RTE-13")]
            assert best_runs(where).revenue == (0 if rules == "R1" else 40)


@pytest.mark.rule("RHL-RTE-13")
@pytest.mark.parametrize("rules", BOTH)
def test_place_of_yellow_bank_serves_track(rules):
    on = board(rules, "J9 #9 r0; K8 #8 r1", "CCE I10:b; RhE I10:a")
    route = run(on, "2", "I10:a J9 K8 K6:a")
    assert faults(setting(rules, on, "CCE", "2"), route) == [("no_own_station", "COMMON-RTE-01")]
    assert revenue(setting(rules, on, "RhE", "2"), route) == 50


@pytest.mark.rule("RHL-RTE-14")
@pytest.mark.rule("CMP-25")
@pytest.mark.case("B05")
@pytest.mark.parametrize("rules", ALL)
def test_full_bank_is_not_blocked_city(rules):
    on = pos_m1(rules, "BME F9:b")
    assert revenue(setting(rules, on, "CME", "3"), run(on, "3", OVER)) == 90
    full = pos_m1(rules, "BME F9:b; CCE F9:a")
    assert faults(setting(rules, full, "CME", "3"), run(full, "3", OVER)) == [("blocked", "RHL-RTE-14")]
    assert revenue(setting(rules, full, "CME", "2"), run(full, "2", "I10:c H11 G10:a F9:b")) == 70
    assert best_runs(setting(rules, full, "CME", "3")).revenue == 70
    for owner in ("DEE", "BME", "CCE"):
        assert revenue(setting(rules, full, owner, "3"), run(full, "3", OVER)) == 90


@pytest.mark.rule("RHL-RTE-15")
@pytest.mark.parametrize("rules", ALL)
def test_the_ferry_pays_the_lower_value(rules):
    on = board(rules, POS_R, POS_R_STATIONS)
    where = setting(rules, on, "RhE", "2")
    assert revenue(where, run(on, "2", "F9:b G10:a H11 I10:ba")) == 80
    m1 = pos_m1(rules)
    assert revenue(setting(rules, m1, "CME", "3"), run(m1, "3", OVER)) == 90


@pytest.mark.rule("RHL-RTE-16")
@pytest.mark.case("B03")
def test_r2_must_cross_to_free_place():
    on = pos_m1("R2", "BME F9:b")
    assert revenue(setting("R2", on, "CME", "3"), run(on, "3", OVER)) == 90
    two = pos_m2("R2", "BME F9:b")
    assert faults(setting("R2", two, "CME", "3"), run(two, "3", ALONG)) == [("must_cross_rhine", "RHL-RTE-16")]
    assert best_runs(setting("R2", two, "CME", "3")).revenue == 70
    assert revenue(setting("R2", two, "CME", "3"), run(two, "3", "I10:c H11 G10:a F9:b")) == 70


@pytest.mark.rule("RHL-RTE-16")
def test_r2_usable_place_on_bank_enough():
    on = pos_m2("R2")
    assert revenue(setting("R2", on, "CME", "3"), run(on, "3", ALONG)) == 100
    asleep = board("R2", POS_M2, "CME I10:c; DEE F9:b asleep; BME F9:b")
    assert revenue(setting("R2", asleep, "CME", "3"), run(asleep, "3", ALONG)) == 100
    crossing = board("R2", POS_M1, f"{POS_M_STATIONS}; CCE F9:a")
    assert revenue(setting("R2", crossing, "CME", "3"), run(crossing, "3", OVER)) == 90


@pytest.mark.rule("RHL-RTE-16")
@pytest.mark.rule("CMP-25")
@pytest.mark.parametrize("rules", ("R1", "compat"))
def test_full_bank_forces_nothing_r1(rules):
    on = pos_m2(rules, "BME F9:b")
    assert revenue(setting(rules, on, "CME", "3"), run(on, "3", ALONG)) == 100


@pytest.mark.rule("RHL-RTE-17")
def test_r2_runs_through_by_own_place():
    on = pos_m2("R2", "BME F9:b; CME F9:a", "G8 #8 r1; G6 #938 r0")
    where = setting("R2", on, "CME", "3")
    assert faults(where, run(on, "3", ALONG)) == [("must_cross_rhine", "RHL-RTE-17")]
    assert revenue(where, run(on, "3", "I10:c H11 G10:a F9:ba G8 G6:b")) == 90


@pytest.mark.rule("RHL-RTE-18")
@pytest.mark.parametrize("rules", ALL)
def test_route_must_touch_bank_of_station(rules):
    on = board(rules, POS_M1, "CCE F9:a; DEE F9:b")
    where = setting(rules, on, "CCE", "2")
    assert revenue(where, run(on, "2", "I10:c H11 G10:a F9:ba")) == 60
    assert faults(where, run(on, "2", "I10:c H11 G10:a F9:b")) == [("no_own_station", "COMMON-RTE-01")]
    alone = board(rules, POS_M1.replace("E8 #1 r2; ", ""), "CCE F9:a; DEE F9:b")
    assert best_runs(setting(rules, alone, "CCE", "2")).revenue == 60


@pytest.mark.rule("RHL-RTE-18")
@pytest.mark.rule("RHL-RTE-15")
@pytest.mark.parametrize("rules", ALL)
def test_express_ends_by_crossing_to_station(rules):
    """A6 to the left bank of the green F9, where CCE's only station is: the lower value."""
    on = board(rules, "B7 #8 r2; B9 #15 r4; C10 #88 r2; D9 #929; E10 #8 r0; F9 #921", "CCE F9:a; DEE F9:b")
    where = setting(rules, on, "CCE", "8", brown=True)
    assert revenue(where, run(on, "8", "A6:a B7 B9:a C10:a D9:a E10 F9:ba")) == 60 + 30 + 50 + 30
    assert faults(where, run(on, "8", "A6:a B7 B9:a C10:a D9:a E10 F9:b")) == [("no_own_station", "COMMON-RTE-01")]
    assert best_runs(where).revenue == 170


@pytest.mark.rule("RHL-RTE-19")
@pytest.mark.parametrize("rules", BOTH)
def test_ending_needs_no_usable_place(rules):
    on = pos_m1(rules, "BME F9:b")
    assert revenue(setting(rules, on, "CME", "2"), run(on, "2", "I10:c H11 G10:a F9:b")) == 70
    owner = setting(rules, on, "DEE", "2")
    assert ("too_short", "RHL-RTE-19") in faults(owner, Run("2", ("F9:ab",)))


@pytest.mark.rule("RHL-RTE-19")
def test_brown_metropolis_is_city_like_others():
    on = board("R2", "F9 #927; G10 #2 r2; H11 #8 r0; I10 #928; E10 #8 r0; D9 #929", "CME I10:a; BME F9:a; DEE F9:a")
    where = setting("R2", on, "CME", "3", brown=True)
    route = run(on, "3", "I10:a H11 G10:a F9:a E10 D9:a")
    assert revenue(where, route) == 160
    full = on.with_contents("F9", board("R2", "F9 #927", "BME F9:a; DEE F9:a; CCE F9:a").contents("F9"))
    assert faults(setting("R2", full, "CME", "3", brown=True), route) == [("blocked", "COMMON-RTE-04")]


@pytest.mark.rule("RHL-TOK-07")
@pytest.mark.rule("CMP-28")
@pytest.mark.case("B27")
@pytest.mark.parametrize("rules", ALL)
def test_a_station_closes_a_red_hex(rules):
    """CME in B15: others end there no more, A14 of the same area stays open."""
    on = board(rules, "C12 #937 r5; B13 #1 r0", "RhE C12:b; CME B15:a")
    route = run(on, "2", "C12:b B13:b B15:a")
    assert faults(setting(rules, on, "RhE", "2"), route) == [("closed", "RHL-TOK-07")]
    assert best_runs(setting(rules, on, "RhE", "2")).revenue == (30 if rules == "R2" else 0)
    assert revenue(setting(rules, on, "CME", "2"), route) == 80
    assert setting(rules, on, "RhE", "2").passage.shut == {"B15:a": "RHL-TOK-07"}


@pytest.mark.rule("RHL-TOK-07")
def test_a_sleeping_station_closes_nothing():
    on = board("R2", "C12 #937 r5; B13 #1 r0", "RhE C12:b; CME B15:a asleep")
    assert revenue(setting("R2", on, "RhE", "2"), run(on, "2", "C12:b B13:b B15:a")) == 80
