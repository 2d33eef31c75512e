"""Section 11 of the rule sheet: what routes earn, and the recorded game's routes."""

from __future__ import annotations

import pytest

from tests.builders.random_positions import sheet
from tests.builders.rhl_recorded_runs import positions, tracks_of
from tests.builders.route_boards import POS_R, POS_R_ICONS, POS_R_STATIONS, RULES, board, faults, revenue, run, setting
from trajekt.engine.routing.runs import Bonus, Run, RunResult
from trajekt.engine.routing.solver import best_runs
from trajekt.games.rhl.city_blocking import links
from trajekt.rules.route_validation import judge

BOTH = ("R1", "R2")
LINKS = ("C12 #948 r0", "D13 #216 r0", "E14 #9 r0")


def terms(where, *runs):
    """The bonuses of the routes as name and amount."""
    answer = judge(where, runs)
    assert isinstance(answer, RunResult), answer
    return [(bonus.name, bonus.amount) for route in answer.routes for bonus in route.bonuses]


@pytest.mark.rule("COMMON-REV-01")
@pytest.mark.parametrize("rules", BOTH)
def test_the_sum_of_stops_and_routes(rules):
    on = board(rules, POS_R, POS_R_STATIONS, POS_R_ICONS)
    where = setting(rules, on, "RhE", "2", "2", "3")
    runs = (
        run(on, "2", "I10:a J9 K8 K6:a"),
        run(on, "3", "K6:a K4:a K2:a J3:a I4 H5 G6:a"),
        run(on, "2", "F9:b G10:a H11 I10:ba"),
    )
    assert revenue(where, *runs) == 230
    answer = judge(where, runs)
    assert [route.revenue for route in answer.routes] == [60, 90, 80]
    assert [(stop.stop, stop.amount, stop.ferry) for stop in answer.routes[2].stops] == [
        ("F9:b", 40, False),
        ("G10:a", 10, False),
        ("I10:b", 30, True),
    ]
    assert best_runs(where).revenue >= 230


@pytest.mark.rule("COMMON-REV-01")
@pytest.mark.parametrize("rules", BOTH)
def test_red_and_grey_pay_by_phase(rules):
    on = board(rules, "C4 #58 r0; D3 #9 r0", "GVE E2:a")
    route = run(on, "2", "A4:a B3 C4:a D3 E2:a")
    assert revenue(setting(rules, on, "GVE", "2"), route) == 40 + 10 + 20
    assert revenue(setting(rules, on, "GVE", "2", brown=True), route) == 60 + 10 + 40


@pytest.mark.rule("RHL-REV-02")
@pytest.mark.case("B25")
@pytest.mark.parametrize("rules", BOTH)
def test_the_eastern_ruhr_pays_by_links(rules):
    """F13 to D15 by E14; then C12, whoever built it, and both sides of D13."""
    tiles = "E14 #9 r0"
    for count, more in ((1, ""), (2, "; C12 #937 r0"), (4, "; C12 #937 r0; D13 #202 r2; D13 #216 r0")):
        on = board(rules, tiles + more, "BME F13:b")
        assert links(on) == count
        route = run(on, "2", "D15:a E14 F13:b")
        assert revenue(setting(rules, on, "BME", "2"), route) == 30 + 10 + 10 * count
    three = board(rules, f"{tiles}; C12 #937 r0; D13 #201 r3; D13 #202 r3", "BME F13:b")
    assert links(three) == 3
    assert sheet(1).areas["eastern_ruhr"].value_by_links == {1: 20, 2: 30, 3: 40, 4: 50}


@pytest.mark.rule("RHL-REV-03")
@pytest.mark.case("B25")
@pytest.mark.parametrize("rules", BOTH)
def test_eastern_ruhr_by_different_links(rules):
    on = board(rules, "E14 #9 r0; D13 #216 r0", "BME F13:b; BME D13:a")
    where = setting(rules, on, "BME", "2", "2", brown=True)
    first, second = run(on, "2", "D15:a E14 F13:b"), run(on, "2", "C14:a D13:a")
    assert links(on) == 3
    assert revenue(where, first, second) == 30 + 40 + 50 + 40
    again = run(on, "2", "D15:b D13:a")
    assert revenue(where, second, again) == 2 * 90
    assert faults(where, second, second) == [("same_track_twice", "COMMON-RTE-11")]


@pytest.mark.rule("COMMON-REV-04")
@pytest.mark.case("B24")
@pytest.mark.parametrize("rules", BOTH)
def test_coal_and_steel(rules):
    """D11 (coal, 20) and the green D9 (steel, 40) by C10: 80 for a 2-train."""
    on = board(rules, "D9 #926; C10 #7 r5; D11 #937 r2", "DEE D9:b", {"D11": "K", "D9": "S"})
    where = setting(rules, on, "DEE", "2")
    route = run(on, "2", "D11:a C10 D9:b")
    assert terms(where, route) == [("industry", 20)]
    assert revenue(where, route) == best_runs(where).revenue == 80


def walks(where, train, text):
    return run(where.board, train, text)


@pytest.mark.rule("COMMON-REV-04")
@pytest.mark.rule("RHL-REV-05")
@pytest.mark.case("B24")
@pytest.mark.parametrize("rules", BOTH)
@pytest.mark.parametrize(
    "icons, bonus",
    [
        ({}, 0),
        ({"F9": "S"}, 40),
        ({"F9": "S", "G6": "K"}, 40),
        ({"F9": "SS", "G6": "K"}, 80),
        ({"F9": "SS", "G6": "KK"}, 80),
        ({"F9": "SSS", "G6": "KK"}, 80),
        ({"F9": "S", "G6": "KK"}, 40),
    ],
)
def test_two_of_each_double(rules, icons, bonus):
    """D15 by E14 brings coal of its own; one of each 40 in brown, two of each 80."""
    on = board(rules, "E14 #9 r0; F13 #216 r1; F11 #9 r1; F9 #927; G8 #8 r1; G6 #948 r0", "BME F13:a", icons)
    where = setting(rules, on, "BME", "4", brown=True)
    route = walks(where, "4", "D15:a E14 F13:a F11 F9:a G8 G6:a")
    assert terms(where, route) == ([("industry", bonus)] if bonus else [])
    assert revenue(where, route) == 20 + 50 + 50 + 50 + bonus
    green = setting(rules, where.board, "BME", "4")
    assert terms(green, route) == ([("industry", bonus // 2)] if bonus else [])


@pytest.mark.rule("COMMON-REV-04")
@pytest.mark.case("B24")
@pytest.mark.case("B92")
def test_each_route_has_its_own_bonus():
    """Two trains, each with coal and steel: the Eastern Ruhr's coal over E14, and a mine beside the mill of F9."""
    on = board(
        "R2",
        "E14 #9 r0; F13 #216 r1; F11 #9 r1; F9 #927; G8 #8 r1; G6 #948 r0",
        "BME F13:a; BME F9:a",
        {"F9": "S", "G6": "K"},
    )
    where = setting("R2", on, "BME", "3", "2", brown=True)
    first = run(on, "3", "D15:a E14 F13:a F11 F9:a")
    second = run(on, "2", "F9:a G8 G6:a")
    assert terms(where, first, second) == [("industry", 40), ("industry", 40)]
    assert revenue(where, first, second) == best_runs(where).revenue == 160 + 140


@pytest.mark.rule("RHL-REV-05")
@pytest.mark.parametrize("rules", BOTH)
def test_token_of_two_towns_counts_once(rules):
    on = board(rules, POS_R, "RhE K6:a; GVE G6:a", {"J3": "K", "G6": "S"})
    where = setting(rules, on, "RhE", "3")
    assert terms(where, run(on, "3", "K6:a K4:a K2:a J3:a I4 H5 G6:a")) == [("industry", 20)]
    other = board(rules, "J3 #69 r0", "RhE K2:a", {"J3": "K"})
    marks = RULES[rules].plan(setting(rules, other, "RhE", "3"), "3").marks
    assert marks["J3:a"] == marks["J3:b"] > 0


@pytest.mark.rule("RHL-REV-05")
@pytest.mark.parametrize("rules", BOTH)
def test_moers_has_mine_from_brown(rules):
    """D9-D7-E6 with the mill on E6 (recorded): +40 in brown."""
    owner = "MKB" if rules == "R2" else "KKK"
    on = board(rules, "D7 #947 r1; E6 #216 r2; D9 #929", f"{owner} D7:a", {"E6": "S"})
    where = setting(rules, on, owner, "3", brown=True)
    best = best_runs(where)
    assert [stop.stop for stop in judge(where, best.runs).routes[0].stops] in (
        ["D9:a", "D7:a", "E6:a"],
        ["E6:a", "D7:a", "D9:a"],
    )
    assert terms(where, *best.runs) == [("industry", 40)]
    bare = setting(rules, board(rules, "", f"{owner} D7:a", {"E6": "S"}), owner, "3")
    assert bare.rules.plan(bare, "3").marks.get("D7:a") is None


@pytest.mark.rule("RHL-REV-05", "RHL-VAR-03")
@pytest.mark.parametrize(("rules", "bonus"), (("R1", [("industry", 40)]), ("compat", [])))
def test_grey_moers_keeps_its_mine(rules, bonus):
    """The mine counts from brown on (v1 11.2); the grey tile of the promotion shows none, and none counts at the site."""
    on = board(rules, "D7 #950 r1; E6 #216 r2; D9 #929", "KKK D7:a", {"E6": "S"}, ("promotion_tiles",))
    where = setting(rules, on, "KKK", "3", brown=True)
    best = best_runs(where)
    assert {stop.stop for stop in judge(where, best.runs).routes[0].stops} == {"D9:a", "D7:a", "E6:a"}
    assert terms(where, *best.runs) == bonus
    assert best.revenue == judge(where, best.runs).revenue


@pytest.mark.rule("RHL-REV-05")
@pytest.mark.parametrize("rules", BOTH)
def test_siegerland_and_links_to_eastern_ruhr(rules):
    on = board(rules, "", "")
    where = setting(rules, on, "BME", "3")
    marks = where.rules.plan(where, "3").marks
    coal = where.rules.plan(where, "3").bonus(marks["C14:b"] | marks["J15:a"], 0)
    assert coal == 20
    pairs = {
        ("C14:b", "C14:a"): 20,
        ("D15:a", "D15:b"): 20,
        ("C14:b", "D15:a"): 0,
        ("C14:a", "D15:b"): 0,
    }
    for (one, other), amount in pairs.items():
        assert where.rules.plan(where, "3").bonus(marks[one] | marks[other], 0) == amount


EXPRESS = (
    "B9 #15 r4; C10 #88 r2; D9 #929; E10 #8 r0; F9 #927; G10 #2 r2; H11 #8 r0; I10 #928; J9 #8 r3; K10 #15 r5; B7 #8 r2"
)
WAY = "A6:a B7 B9:a C10:a D9:a E10 F9:a G10:a H11 I10:a J9 K10:a"


def express(rules, icons=None):
    return setting(rules, board(rules, EXPRESS, "RhE I10:a", icons), "RhE", "8", brown=True)


@pytest.mark.rule("RHL-REV-06")
@pytest.mark.case("B24")
@pytest.mark.parametrize("rules", BOTH)
def test_the_express_gets_no_industry_bonus(rules):
    where = express(rules, {"D9": "K", "F9": "S"})
    route = walks(where, "8", WAY)
    assert terms(where, route) == []
    six = setting(rules, where.board, "RhE", "6", brown=True)
    assert terms(six, run(where.board, "6", WAY)) == [("industry", 40)]
    assert best_runs(where).revenue == 490


@pytest.mark.rule("RHL-REV-10")
@pytest.mark.parametrize("rules", (*BOTH, "compat"))
def test_the_express_counts_metropolises_double(rules):
    where = express(rules)
    through = walks(where, "8", f"{WAY} L11:a")
    assert revenue(where, through) == 490
    assert terms(where, through) == [("rheingold", 150)]
    assert revenue(where, walks(where, "8", WAY)) == 270
    answer = judge(where, (through,))
    assert "C10:a" not in [stop.stop for stop in answer.routes[0].stops]
    assert best_runs(where).revenue == 490


@pytest.mark.rule("RHL-REV-10")
@pytest.mark.parametrize("rules", BOTH)
def test_a_ferry_is_doubled_too(rules):
    """I10 still green, crossed from its right bank to the left: 30, doubled 60."""
    tiles = EXPRESS.replace("I10 #928", "I10 #923")
    where = setting(rules, board(rules, tiles, "RhE I10:a"), "RhE", "8", brown=True)
    route = walks(where, "8", "A6:a B7 B9:a C10:a D9:a E10 F9:a G10:a H11 I10:ba J9 K10:a L11:a")
    assert revenue(where, route) == 490 - 40
    assert best_runs(where).revenue == 450


IRON = "G4 #8 r5; H5 #7 r2; G6 #920 r3; F7 #7 r5; G8 #7 r2; F9 #927; F11 #9 r1; F13 #216 r5; E14 #9 r0"
FOUR_LINKS = "; C12 #948 r0; D13 #216 r0"


@pytest.mark.rule("COMMON-REV-08")
@pytest.mark.rule("RHL-REV-09")
@pytest.mark.case("B30")
def test_r2_the_iron_rhine_from_antwerpen():
    on = board("R2", IRON + FOUR_LINKS, "BME F13:a")
    assert links(on) == 4
    where = setting("R2", on, "BME", "6", brown=True)
    best = best_runs(where)
    answer = judge(where, best.runs)
    assert best.revenue == 290
    assert [stop.amount for stop in answer.routes[0].stops] in ([0, 20, 40, 50, 50, 50], [50, 50, 50, 40, 20, 0])
    assert answer.routes[0].bonuses == (Bonus("COMMON-REV-08", "iron_rhine", 80),)
    rich = setting("R2", board("R2", IRON + FOUR_LINKS, "BME F13:a", {"F9": "S"}), "BME", "6", brown=True)
    assert terms(rich, *best.runs) == [("industry", 40), ("iron_rhine", 80)]
    five = setting("R2", on, "BME", "5", brown=True)
    assert faults(five, best.runs[0].__class__("5", best.runs[0].track)) == [("too_long", "COMMON-RTE-07")]
    assert best_runs(five).revenue == 210


@pytest.mark.rule("RHL-REV-09")
@pytest.mark.case("B30")
def test_r2_antwerpen_only_for_iron_rhine():
    on = board("R2", IRON, "GVE G6:a; GVE G6:b")
    where = setting("R2", on, "GVE", "3")
    route = run(on, "3", "H1:a G2:a G4 H5 G6:a")
    assert faults(where, route) == [("antwerp_only_iron_rhine", "RHL-REV-09")]
    roermond = route.__class__("3", route.track[2:])
    assert revenue(where, roermond) == 10 + 40
    assert best_runs(where).revenue >= 50


@pytest.mark.rule("COMMON-REV-08")
@pytest.mark.rule("RHL-TOK-08")
@pytest.mark.rule("CMP-29")
def test_r1_station_at_roermond_keeps_bonus():
    for rules, stations, bonus in (
        ("R1", "BME F13:a", 80),
        ("R1", "BME F13:a; ADR G2:a", 0),
        ("R1", "BME F13:a; BME G2:a", 80),
        ("compat", "BME F13:a; ADR G2:a", 80),
    ):
        on = board(rules, IRON, stations)
        where = setting(rules, on, "BME", "5", brown=True)
        route = run(on, "5", "G2:a G4 H5 G6:a F7 G8 F9:a F11 F13:a E14 D15:a")
        assert revenue(where, route) == 20 + 40 + 50 + 50 + 20 + bonus
        assert terms(where, route) == ([("iron_rhine", 80)] if bonus else [])
        assert best_runs(where).revenue == 180 + bonus


@pytest.mark.rule("RHL-RAT-03")
@pytest.mark.rule("CMP-40")
@pytest.mark.parametrize("rules, amount", (("R1", 40), ("compat", 30)))
def test_limestone_pays_with_a_mill(rules, amount):
    """A route through E12 with a steel mill; not without the mill."""
    for icons, bonus in (({"F13": "S"}, amount), ({}, 0)):
        on = board(rules, "E12 #55 r1; D11 #937 r5", "BME F13:b; BME F13:a", icons, ("ratingen",))
        where = setting(rules, on, "BME", "2", "8")
        route = run(on, "2", "D11:a E12:b F13:a")
        assert terms(where, route) == ([("limestone", amount)] if bonus else [])
        assert best_runs(setting(rules, on, "BME", "2")).revenue == revenue(where, route)
    assert where.rules.plan(where, "8").bonus(255, 0) == 80


@pytest.mark.rule("COMMON-DIV-05")
@pytest.mark.parametrize("edition", (1, 2))
def test_all_values_are_multiples_of_ten(edition):
    printed = sheet(edition)
    faces = [each.face for each in printed.hexes.values()] + [each.face for each in printed.tiles.values()]
    amounts = [amount for face in faces for stop in face.stops for amount in stop.revenue.values()]
    amounts += [face.ferry_revenue or 0 for face in faces]
    amounts += [phase.industry_bonus for phase in printed.phases]
    assert amounts
    assert all(amount % 10 == 0 for amount in amounts)
    assert all(share % 10 == 0 for _, share in RULES["R2"].plan(setting("R2", board("R2", ""), "BME"), "3").shares)


# The recorded game


@pytest.mark.rule("COMMON-REV-01")
@pytest.mark.rule("RHL-REV-03")
@pytest.mark.case("B92")
def test_recorded_runs_earn_what_recorded(shared):
    """Each route alone, in each of the positions; the best runs are proved and earn at least as much."""
    found = positions(shared("recorded/18rhl-first-edition-2026.json"))
    assert len(found) > 80
    for number, where, recorded in found:
        for route in recorded:
            kind = route["train"].split("-")[0]
            earned = {judged(where, kind, track) for track in tracks_of(where.board, route)}
            assert route["revenue"] in earned, (number, route)
        best = best_runs(where)
        assert best.proved
        assert best.revenue >= sum(route["revenue"] for route in recorded), number
        assert revenue(where, *best.runs) == best.revenue, number


def judged(where, kind, track):
    answer = judge(where, [Run(kind, track)])
    return answer.revenue if isinstance(answer, RunResult) else None
