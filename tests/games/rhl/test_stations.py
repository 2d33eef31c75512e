"""Section 9 and the homes: COMMON-TOK, RHL-TOK, RHL-OR-05, COMMON-OR-06, RHL-COR-16, -17."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused, sheet, with_company
from tests.builders.rhl_positions import (
    POS_R,
    POS_R_STATIONS,
    choices,
    ruleset,
    settle,
    table,
    turn,
    view,
    with_stations,
)
from tests.builders.rhl_stations import places
from tests.builders.rhl_track import done, tiles_on
from trajekt.engine.actions import LayTile, Pass, PlaceStation
from trajekt.engine.agenda import settle as settle_events
from trajekt.engine.board.board import Station
from trajekt.engine.events import StatusSet
from trajekt.engine.ruleset import Code, Draft
from trajekt.rules.stations import station_terms

BOTH = ("R1", "R2")
ALL = ("R1", "R2", "compat")


def pos_r(rules, company="RhE", **more):
    more.setdefault("step", "station")
    return table(rules, company, tiles=POS_R, stations=POS_R_STATIONS, phase="green", **more)


def at(text: str) -> PlaceStation:
    """`"K2:a"`."""
    place, letter = text.split(":")
    return PlaceStation(place, letter)


def why(rules, state, text) -> tuple[str, str]:
    refusal = refused(ruleset(rules), state, 0, at(text))
    return refusal.code, refusal.rule


def built(rules, state, text):
    assert at(text) in choices(rules, state, PlaceStation)
    return act(ruleset(rules), state, 0, at(text)).state


@pytest.mark.rule("COMMON-TOK-01", "COMMON-PRV-04")
@pytest.mark.parametrize("rules", BOTH)
def test_one_station_a_round(rules):
    state = pos_r(rules, "DEE")
    state = with_company(state, "DEE", stations=(60, 80))
    first = min(places(rules, state))
    after = built(rules, state, first)
    assert turn(after).station == first.split(":")[0]
    assert turn(after).step == "trains"
    again = replace(after, agenda=(replace(turn(after), step="station"),))
    assert refused(ruleset(rules), again, 0, at("D11:a")).code == Code.ONE_STATION
    assert refused(ruleset(rules), again, 0, at("D11:a")).rule == "COMMON-TOK-01"
    assert choices(rules, again, PlaceStation) == []


@pytest.mark.rule("COMMON-TOK-02")
@pytest.mark.parametrize("rules", ALL)
def test_empty_place_of_city_that_reached(rules):
    home = "ADR K2:a asleep" if rules == "R2" else "ADR K2:a kept"
    tiles = POS_R
    state = table(rules, "RhE", tiles=tiles, stations=f"{POS_R_STATIONS}; {home}", phase="green", step="station")
    code, rule = why(rules, state, "K2:a")
    assert (code, rule) == (Code.RESERVED, "COMMON-TOK-05" if rules == "R2" else "RHL-TOK-06")
    green = table(
        rules, "RhE", tiles=f"{POS_R}; K2 #930 r0", stations=f"{POS_R_STATIONS}; {home}", phase="green", step="station"
    )
    after = built(rules, green, "K2:a")
    assert Station("RhE", 0) in after.board.contents("K2").stations
    assert after.companies["RhE"].treasury == 500 - sheet(1).companies["RhE"].station_costs[2]
    on_map = table(rules, "RhE", tiles=tiles, stations=f"{POS_R_STATIONS}; ADR K2:a", phase="green", step="station")
    assert why(rules, on_map, "K2:a") == (Code.NO_PLACE, "COMMON-TOK-02")


@pytest.mark.rule("COMMON-TOK-02")
@pytest.mark.case("B88")
@pytest.mark.parametrize("rules", ALL)
def test_one_station_of_company_on_hex(rules):
    state = pos_r(rules)
    assert why(rules, state, "I10:b") == (Code.STATION_HERE, "COMMON-TOK-02")
    yellow = table(rules, "CME", tiles="G10 #2 r2; H11 #8 r0", stations="CME I10:c", step="station")
    assert why(rules, yellow, "I10:a") == (Code.STATION_HERE, "COMMON-TOK-02")
    assert not any(place.startswith("I10") for place in places(rules, yellow))


@pytest.mark.rule("COMMON-TOK-02")
@pytest.mark.parametrize("rules", ALL)
def test_no_station_behind_blocked_city(rules):
    tiles = "J9 #9 r0; K8 #8 r1; K4 #4 r1; K2 #930 r0"
    open_way = table(rules, "RhE", tiles=tiles, stations="RhE I10:a", phase="green", step="station")
    assert "K2:a" in places(rules, open_way)
    blocked = table(rules, "RhE", tiles=tiles, stations="RhE I10:a; BME K6:a", phase="green", step="station")
    assert why(rules, blocked, "K2:a") == (Code.BLOCKED, "COMMON-TOK-02")
    assert why(rules, blocked, "F13:a") == (Code.NOT_CONNECTED, "COMMON-TOK-02")
    assert why(rules, blocked, "K4:a") == (Code.NO_PLACE, "COMMON-TOK-02")  # a town
    for nonsense in ("K2:b", "K2:?", "J7:a"):
        assert why(rules, blocked, nonsense) == (Code.NO_PLACE, "COMMON-TOK-02")
    assert why(rules, blocked, "Z9:a") == (Code.NO_SUCH_HEX, "COMMON-TOK-02")


@pytest.mark.rule("COMMON-TOK-03", "RHL-COR-16")
@pytest.mark.case("B08")
def test_tokens_used_from_left_to_right():
    on = sheet(2)
    assert on.companies["RhE"].station_costs == (0, 60, 80, 100)
    assert on.companies["CCE"].station_costs == (0, 0, 80)
    state = table("R2", "RhE", tiles=POS_R, stations="RhE I10:a", phase="green", step="station", treasury=300)
    state = replace(state, board=state.board)
    after = built("R2", state, "K6:a")
    assert after.companies["RhE"].treasury == 240
    assert after.companies["RhE"].stations == (80, 100)
    third = replace(after, agenda=state.agenda)
    assert [(t.rule, t.amount) for t in station_terms(view("R2", third), "G6")] == [("COMMON-TOK-03", 80)]
    fourth = with_company(third, "RhE", stations=(100,))
    assert [t.amount for t in station_terms(view("R2", fourth), "G6")] == [100]


@pytest.mark.rule("COMMON-TOK-03")
@pytest.mark.parametrize("rules", ALL)
def test_the_treasury_pays_for_the_token(rules):
    state = table(rules, "RhE", tiles=POS_R, stations="RhE I10:a", phase="green", step="station", treasury=50)
    assert why(rules, state, "K6:a") == (Code.UNAFFORDABLE, "COMMON-TOK-03")
    assert choices(rules, state, PlaceStation) == []
    assert turn(settle(rules, state)).step == "trains"
    none = with_company(state, "RhE", stations=())
    assert why(rules, none, "K6:a") == (Code.NO_TOKEN, "COMMON-TOK-03")
    harbour = refused(ruleset(rules), state, 0, PlaceStation("K6", "a", "harbour"))
    assert (harbour.code, harbour.rule) == (Code.NOT_IN_RULESET, "COMMON-TOK-03")


@pytest.mark.rule("COMMON-TOK-04")
@pytest.mark.parametrize("rules", ALL)
def test_no_action_moves_or_removes_station(rules):
    names = {kind.__name__ for kind in ruleset(rules).actions}
    assert {name for name in names if "Station" in name or "Token" in name} == {"PlaceStation"}
    state = pos_r(rules)
    before = {(place, s) for place, contents in state.board.contents_by_hex.items() for s in contents.stations}
    for action in choices(rules, state, PlaceStation):
        after = act(ruleset(rules), state, 0, action).state
        assert before < {
            (place, s) for place, contents in after.board.contents_by_hex.items() for s in contents.stations
        }


@pytest.mark.rule("COMMON-TOK-05")
def test_sleeping_home_blocks_nobody():
    """A city of one place with the face-down home of a company that has not floated."""
    tiles = "J9 #9 r0; K8 #8 r1; K4 #4 r1"
    asleep = table("R2", "RhE", tiles=tiles, stations="RhE I10:a; BME K6:a asleep; ADR K2:a", phase="green")
    assert ("141", 1) in tiles_on("R2", asleep, "K4")
    station = replace(asleep, agenda=(replace(turn(asleep), step="station"),))
    assert why("R2", station, "K6:a") == (Code.RESERVED, "COMMON-TOK-05")
    awake = table("R2", "RhE", tiles=tiles, stations="RhE I10:a; BME K6:a; ADR K2:a", phase="green")
    assert tiles_on("R2", awake, "K4") == set()


@pytest.mark.rule("RHL-TOK-06")
@pytest.mark.case("B86")
@pytest.mark.parametrize("rules", ("R1", "compat"))
def test_place_remains_for_waiting_home(rules):
    tiles = "F9 #922; F11 #9 r1; G10 #2 r2"
    state = table(rules, "BME", tiles=tiles, stations="DEE F9:b kept; BME F13:a", phase="green", step="station")
    after = built(rules, state, "F9:b")
    assert after.companies["BME"].treasury == 440
    second = table(
        rules, "CME", tiles=f"{tiles}; H11 #8 r0", stations="DEE F9:b kept; BME F9:b; CME I10:c", phase="green",
        step="station",
    )  # fmt: skip
    assert why(rules, second, "F9:b") == (Code.RESERVED, "RHL-TOK-06")
    assert "F9:a" in places(rules, second)
    home = "RhE I10:a kept; CCE I10:b kept; CME I10:c kept"
    koeln = table(rules, "BME", tiles="H11 #8 r0; G10 #2 r2", stations=f"BME F9:c; {home}", step="station")
    assert why(rules, koeln, "I10:c") == (Code.RESERVED, "RHL-TOK-06")
    assert not any(place.startswith("I10") for place in places(rules, koeln))


@pytest.mark.rule("RHL-TOK-06")
def test_a_kept_place_never_blocks():
    tiles = "J9 #9 r0; K8 #8 r1; K4 #4 r1"
    state = table("R1", "RhE", tiles=tiles, stations="RhE I10:a; BME K6:a kept; ADR K2:a", phase="green")
    assert ("141", 1) in tiles_on("R1", state, "K4")


@pytest.mark.rule("RHL-TOK-07")
@pytest.mark.parametrize("rules", ALL)
def test_a_station_closes_a_red_hex(rules):
    tiles = "C12 #937 r3; B13 #56 r3; D11 #937 r5"
    state = table(rules, "CME", tiles=tiles, stations="CME C12:a", phase="green", step="station")
    assert state.board.face("B13").edges == {3, 5, 4, 0}
    reds = {place for place in places(rules, state) if place[:-2] in ("A14", "B15")}
    assert reds
    place = min(reds)
    after = built(rules, state, place)
    passage = _passage(rules, after, "RhE")
    assert passage.shut == {place: "RHL-TOK-07"}
    assert _passage(rules, after, "CME").shut == {}
    full = with_stations(state, f"BME {place}")
    assert why(rules, full, place) == (Code.NO_PLACE, "COMMON-TOK-02")


def _passage(rules, state, company):
    from trajekt.engine.routing.runs import RouteRules

    return ruleset(rules).policy(RouteRules).passage(state.board, company)


@pytest.mark.rule("RHL-TOK-08")
def test_roermond_station_r1():
    """The reserve of the bonus itself is held in test_routes; here: the place exists and is one."""
    state = table("R1", "ADR", tiles="G4 #9 r1", stations="ADR G6:a", step="station")
    assert state.sheet.hexes["G2"].face.stops[0].slots == 1
    joined = table("R1", "ADR", tiles="G4 #8 r2; F5 #1 r1", stations="ADR G6:b", step="station")
    assert joined.board.face("G4").edges == {2, 4}
    reached = table("R1", "ADR", tiles="G4 #9 r1; G6 #938 r5", stations="ADR G6:b", step="station")
    assert reached.board.face("G6").edges == {5, 1, 3}
    assert Station("ADR", 0) in built("R1", reached, "G2:a").board.contents("G2").stations


@pytest.mark.case("B89")
@pytest.mark.parametrize("rules", ALL)
def test_opened_place_is_used_at_once(rules):
    state = table(rules, "RhE", tiles="J9 #9 r0; K8 #8 r1", stations="RhE I10:a; BME K6:a", phase="green")
    after = done(rules, state, "K6 #15 r1")
    assert turn(after).step == "station"
    then = built(rules, after, "K6:a")
    # and the way through it is open to the company in this very turn
    beyond = replace(then, agenda=state.agenda)
    assert ("4", 1) in tiles_on(rules, beyond, "K4")


@pytest.mark.rule("COMMON-OR-04")
@pytest.mark.parametrize("rules", ALL)
def test_a_station_only_in_its_step(rules):
    state = pos_r(rules, step="track")
    refusal = refused(ruleset(rules), state, 0, at("G6:a"))
    assert (refusal.code, refusal.rule) == (Code.WRONG_STEP, "COMMON-OR-04")
    passed = act(ruleset(rules), state, 0, Pass()).state
    assert turn(passed).step == "station"
    later = act(ruleset(rules), passed, 0, Pass()).state
    assert refused(ruleset(rules), later, 0, at("G6:a")).code == Code.WRONG_STEP


@pytest.mark.rule("RHL-OR-05", "RHL-COR-16")
@pytest.mark.case("B08")
@pytest.mark.parametrize("rules", ("R1", "compat"))
def test_homes_come_free_in_first_turn(rules):
    """CCE's first turn in the green phase: E6 and the left bank of I10."""
    kept = "RhE I10:a; CCE I10:a kept; CME I10:b kept; CCE E6:a kept"
    state = table(rules, "CCE", tiles="I10 #923", stations=kept, phase="green", step="", operated=False)
    assert state.companies["CCE"].stations == (0, 0, 80)
    after = settle(rules, state)
    assert Station("CCE", 0) in after.board.contents("I10").stations
    assert after.board.contents("E6").stations == (Station("CCE", 0),)
    assert [k.company for k in after.board.contents("I10").reservations] == ["CME"]
    assert after.board.contents("E6").reservations == ()
    assert after.companies["CCE"].stations == (80,)
    assert after.companies["CCE"].treasury == 500
    assert turn(after).step == "track"
    # a second turn brings nothing more
    again = settle(rules, replace(with_company(after, "CCE", operated=True), agenda=state.agenda))
    assert again.board == after.board


@pytest.mark.rule("RHL-OR-05")
@pytest.mark.parametrize(("company", "tile", "stop"), [
    ("RhE", "", 0), ("CCE", "", 1), ("CME", "", 2), ("RhE", "923", 0), ("CCE", "924", 0), ("CME", "923", 1),
    ("CME", "928", 0), ("RhE", "932", 0),
])  # fmt: skip
def test_home_stands_on_its_own_bank(company, tile, stop):
    tiles = f"I10 #{tile}" if tile else ""
    state = table("R1", company, tiles=tiles, phase="grey", step="", operated=False)
    after = settle("R1", state)
    assert [(s.company, s.stop) for s in after.board.contents("I10").stations] == [(company, stop)]


@pytest.mark.rule("RHL-OR-05")
def test_the_dee_stands_on_right_bank():
    for tile in ("921", "922"):
        after = settle("R1", table("R1", "DEE", tiles=f"F9 #{tile}", phase="green", step="", operated=False))
        assert after.board.face("F9").stops[after.board.contents("F9").stations[0].stop].bank == "right"


@pytest.mark.rule("COMMON-OR-06")
def test_home_turns_up_when_company_floats():
    state = table("R2", "RhE", stations="CCE I10:b asleep; CCE E6:a asleep; CME I10:c asleep; RhE I10:a")
    draft = Draft(ruleset("R2"), state)
    draft.emit(StatusSet("CCE", "floated"))
    settle_events(draft, 0)
    after = draft.state
    assert [(s.company, s.asleep) for s in after.board.contents("I10").stations] == [
        ("CCE", False), ("CME", True), ("RhE", False),
    ]  # fmt: skip
    assert after.board.contents("E6").stations == (Station("CCE", 0),)
    draft = Draft(ruleset("R2"), state)
    draft.emit(StatusSet("CCE", "operated"))
    settle_events(draft, 0)
    assert draft.state.board.contents("E6").stations[0].asleep


@pytest.mark.rule("RHL-COR-17", "RHL-COR-16")
@pytest.mark.parametrize("edition", (1, 2))
def test_where_the_homes_are(edition):
    on = sheet(edition)
    edges = {}
    for company in on.companies.values():
        for home in company.homes:
            face = on.hexes[home.hex].face
            ends = {p.a for p in face.track if p.b == 6 + home.stop}
            edges[company.id, home.hex] = (ends, face.stops[home.stop].bank)
    assert edges == {
        ("ADR", "K2"): ({3, 4}, ""), ("BME", "F13"): ({3, 5}, ""), ("CCE", "I10"): ({2}, "left"),
        ("CCE", "E6"): (set(), ""), ("CME", "I10"): ({3}, "right"), ("DEE", "F9"): ({4}, "right"),
        ("GVE", "G6"): ({2}, ""), ("MKB", "D7"): (set(), ""), ("RhE", "I10"): ({0}, "left"),
    }  # fmt: skip
    assert on.companies["CCE"].station_costs[2:] == (80,)


@pytest.mark.rule("COMMON-TOK-02")
@pytest.mark.parametrize("rules", ALL)
def test_step_waits_while_station_possible(rules):
    for company in ("RhE", "GVE", "DEE", "CME"):
        stations = f"{POS_R_STATIONS}; CME I10:b"
        state = table(rules, company, tiles=POS_R, stations=stations, phase="green", step="station")
        waits = turn(settle(rules, state)).step == "station"
        assert waits == bool(choices(rules, state, PlaceStation))
    assert LayTile
