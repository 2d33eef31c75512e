"""Section 15: the powers of the private companies of 18Rhl."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused, with_company
from tests.builders.rhl_positions import choices, ruleset, settle, table, turn
from tests.builders.rhl_privates import use, used
from tests.builders.rhl_stations import places
from tests.builders.rhl_track import lay
from trajekt.engine.actions import LayTile, Pass, PlaceStation, UsePrivate
from trajekt.engine.agenda import settle as settle_events
from trajekt.engine.board.board import Station
from trajekt.engine.decisions import legal
from trajekt.engine.events import PhaseBegan
from trajekt.engine.ruleset import Code, Draft
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.turn_notes import Allowance, PowerLay

BOTH = ("R1", "R2")
ALL = ("R1", "R2", "compat")


def why(rules, state, action) -> tuple[str, str]:
    refusal = refused(ruleset(rules), state, 0, use(action) if isinstance(action, str) else action)
    return refusal.code, refusal.rule


def powers(rules, state) -> set[int]:
    return {action.private for action in choices(rules, state, UsePrivate)}


def bme(rules, *, stations="BME F13:b", **more):
    more.setdefault("phase", "green")
    return table(rules, "BME", stations=stations, **more)


@pytest.mark.rule("COMMON-PRV-01", "RHL-PRV-13", "RHL-PRV-14")
@pytest.mark.case("B16")
@pytest.mark.parametrize("rules", BOTH)
def test_privates_close_with_5_train(rules):
    state = bme(rules, privates=dict.fromkeys((1, 2, 3, 4, 5), 0))
    assert powers(rules, state) == {1, 2, 3, 4}
    draft = Draft(ruleset(rules), state)
    draft.emit(PhaseBegan("brown"))
    settle_events(draft, 0)
    after = draft.state
    assert not any(after.privates[n].open for n in (1, 2, 3, 4, 5))
    assert powers(rules, after) == set()
    for text in ("1 E14 #9 r2", "3 F11 #9 r1", "4 F9 #922 r0", "2 E8 #935 r1"):
        assert why(rules, after, text) == (Code.CLOSED, "COMMON-PRV-01")
    names = {kind.__name__ for kind in ruleset(rules).actions}
    assert {name for name in names if "Private" in name} == {"BuyPrivate", "UsePrivate"}
    assert not {name for name in names if "Close" in name}
    # nos. 5 and 6 have no power
    for number, code in ((5, Code.NO_POWER), (6, Code.NO_POWER), (7, Code.NOT_IN_RULESET)):
        assert why(rules, state, UsePrivate(number, "E14", "9", 2)) == (code, "COMMON-PRV-02")


@pytest.mark.rule("COMMON-PRV-02")
@pytest.mark.parametrize("rules", ALL)
def test_owner_uses_power_as_director(rules):
    state = bme(rules, privates={3: 1})
    # seat 1 owns no. 3, seat 0 directs
    stranger = refused(ruleset(rules), state, 1, use("3 F11 #9 r1"))
    assert (stranger.code, stranger.rule) == (Code.NOT_DIRECTOR, "COMMON-DIR-01")
    assert why(rules, state, "3 F11 #9 r1") == (Code.NOT_OWNER, "COMMON-PRV-02")
    assert powers(rules, state) == set()
    own = bme(rules, privates={3: 0})
    after = used(rules, own, "3 F11 #9 r1")
    assert after.privates[3].used
    assert after.privates[3].open
    again = replace(after, agenda=own.agenda)
    assert why(rules, again, "3 F11 #23 r1") == (Code.USED, "COMMON-PRV-02")


@pytest.mark.rule("COMMON-PRV-02", "RHL-PRV-05", "COMMON-OR-04")
@pytest.mark.parametrize("rules", BOTH)
def test_no_power_after_the_track_step(rules):
    state = bme(rules, privates={3: 0}, step="station", stations="BME F13:b")
    assert why(rules, state, "3 F11 #9 r1") == (Code.WRONG_STEP, "COMMON-OR-04")
    assert powers(rules, state) == set()


@pytest.mark.rule("COMMON-PRV-02", "RHL-PRV-05")
@pytest.mark.parametrize("rules", BOTH)
def test_powers_and_lay_in_any_order(rules):
    state = bme(rules, privates={1: 0, 3: 0, 4: 0})
    first = used(rules, state, "3 F11 #9 r1")
    second = act(ruleset(rules), first, 0, choices(rules, first, LayTile)[0]).state
    third = used(rules, second, "4 D9 #925 r0")
    assert turn(third).lays == (PowerLay(3), Allowance.NORMAL, PowerLay(4))
    assert powers(rules, third) == {1}
    station = act(ruleset(rules), third, 0, Pass()).state
    assert turn(station).step == "station"
    built = act(ruleset(rules), station, 0, PlaceStation("D9", "a")).state
    assert why(rules, built, "1 E14 #9 r2") == (Code.WRONG_STEP, "COMMON-OR-04")


@pytest.mark.rule("COMMON-PRV-03", "RHL-PRV-06", "RHL-PRV-07")
@pytest.mark.parametrize("rules", BOTH)
def test_no_1_lays_beside_normal(rules):
    state = table(rules, "RhE", stations="RhE I10:a", phase="yellow", privates={1: 0})
    normal = act(ruleset(rules), state, 0, lay("J9 #9 r0")).state
    after = used(rules, normal, "1 E14 #9 r2")
    assert after.companies["RhE"].treasury == 470
    assert after.board.contents("E14").tile == "9"
    assert after.privates[1].open
    assert after.privates[1].used
    poor = with_company(normal, "RhE", treasury=20)
    assert why(rules, poor, "1 E14 #9 r2") == (Code.UNAFFORDABLE, "COMMON-TRK-14")
    rule = "RHL-PRV-06" if rules == "R2" else "RHL-PRV-07"
    assert why(rules, normal, "1 F11 #9 r1") == (Code.POWER_ELSEWHERE, rule)
    green = replace(normal, phase="green")
    assert why(rules, green, "1 E14 #23 r2") == (Code.WRONG_COLOUR, "COMMON-TRK-02")


@pytest.mark.rule("RHL-PRV-08", "RHL-PRV-09", "RHL-PRV-15")
@pytest.mark.case("B14", "B15")
@pytest.mark.parametrize("rules", ALL)
def test_no_2_brings_moers_into_network(rules):
    state = table(rules, "MKB", stations="MKB D7:a", phase="green", privates={2: 0})
    after = used(rules, state, "2 E8 #935 r1")
    assert after.privates[2].open == (rules != "R2")
    assert after.certificate_count(0) == state.certificate_count(0) - (rules == "R2")
    assert turn(after).step == "station"
    assert places(rules, after) == {"E8:a"}
    built = act(ruleset(rules), after, 0, PlaceStation("E8", "a")).state
    assert Station("MKB", 0) in built.board.contents("E8").stations
    assert built.companies["MKB"].treasury == 500
    assert built.companies["MKB"].stations == ()
    assert turn(built).step == "trains"


@pytest.mark.rule("RHL-PRV-08")
@pytest.mark.parametrize("rules", ALL)
def test_no_2_station_is_free(rules):
    state = table(rules, "RhE", stations="RhE I10:a", phase="green", privates={2: 0}, treasury=0)
    assert state.companies["RhE"].stations == (60, 80, 100)
    after = used(rules, state, "2 E8 #935 r1")
    after = after if turn(after).step == "station" else act(ruleset(rules), after, 0, Pass()).state
    built = act(ruleset(rules), after, 0, PlaceStation("E8", "a")).state
    assert built.companies["RhE"].stations == (80, 100)
    assert built.companies["RhE"].treasury == 0


@pytest.mark.rule("RHL-PRV-09")
@pytest.mark.case("B14")
def test_in_second_edition_no_2_lay():
    state = table("R2", "RhE", stations="RhE I10:a", phase="green", privates={2: 0, 3: 0})
    after = used("R2", state, "2 E8 #935 r1")
    assert turn(after).step == "station"
    track = replace(after, agenda=(replace(turn(after), step="track"),))
    assert refused(ruleset("R2"), track, 0, lay("J9 #9 r0")).rule == "RHL-PRV-09"
    assert why("R2", track, "3 F11 #9 r1") == (Code.LONE_TILE, "RHL-PRV-09")
    laid = act(ruleset("R2"), state, 0, lay("J9 #9 r0")).state
    assert why("R2", laid, "2 E8 #935 r1") == (Code.LONE_TILE, "RHL-PRV-09")


@pytest.mark.rule("RHL-PRV-08", "RHL-PRV-05")
def test_no_2_lays_and_stays_r1():
    state = table("R1", "RhE", stations="RhE I10:a", phase="green", privates={2: 0, 3: 0})
    after = used("R1", state, "2 E8 #935 r1")
    assert turn(after).step == "track"
    normal = act(ruleset("R1"), after, 0, lay("J9 #9 r0")).state
    assert normal.board.contents("J9").tile == "9"
    assert after.privates[2].open
    # the free place is to be used at once: another lay gives it up
    station = act(ruleset("R1"), normal, 0, Pass()).state
    assert "E8:a" not in places("R1", station)
    before = act(ruleset("R1"), state, 0, lay("J9 #9 r0")).state
    last = used("R1", before, "2 E8 #935 r1")
    last = act(ruleset("R1"), last, 0, Pass()).state
    assert "E8:a" in places("R1", last)


@pytest.mark.rule("RHL-PRV-05")
def test_no_lay_after_the_free_station():
    state = table("R1", "RhE", stations="RhE I10:a", phase="green", privates={2: 0})
    after = act(ruleset("R1"), used("R1", state, "2 E8 #935 r1"), 0, Pass()).state
    built = act(ruleset("R1"), after, 0, PlaceStation("E8", "a")).state
    refusal = refused(ruleset("R1"), built, 0, lay("J9 #9 r0"))
    assert (refusal.code, refusal.rule) == (Code.WRONG_STEP, "COMMON-OR-04")


@pytest.mark.rule("COMMON-PRV-04", "RHL-PRV-09")
@pytest.mark.case("B15")
@pytest.mark.parametrize("rules", BOTH)
def test_a_granted_station_not_built(rules):
    """In R1 the normal station remains, in R2 none; next turn E8 costs and needs a route."""
    state = table(rules, "RhE", tiles="J9 #9 r0; K8 #8 r1", stations="RhE I10:a", phase="green", privates={2: 0})
    after = used(rules, state, "2 E8 #935 r1")
    after = after if turn(after).step == "station" else act(ruleset(rules), after, 0, Pass()).state
    k6 = PlaceStation("K6", "a")
    if rules == "R1":
        built = act(ruleset(rules), after, 0, k6).state
        assert built.companies["RhE"].treasury == 440
    else:
        refusal = refused(ruleset(rules), after, 0, k6)
        assert (refusal.code, refusal.rule) == (Code.GRANTED_PLACE_ONLY, "COMMON-PRV-04")
        assert places(rules, after) == {"E8:a"}
    following = replace(after, agenda=(CompanyTurn("RhE", "station"),))
    act(ruleset(rules), following, 0, k6)
    refusal = refused(ruleset(rules), following, 0, PlaceStation("E8", "a"))
    assert (refusal.code, refusal.rule) == (Code.NOT_CONNECTED, "COMMON-TOK-02")


@pytest.mark.rule("RHL-PRV-08", "RHL-PRV-09")
@pytest.mark.parametrize("rules", BOTH)
def test_others_use_osterath_normally(rules):
    state = table(rules, "DEE", tiles="E8 #935 r1; F9 #921", stations="DEE F9:a", phase="green", step="station")
    assert "E8:a" not in places(rules, state)
    joined = table(
        rules, "DEE", tiles="E8 #935 r1; F9 #922", stations="DEE F9:a", phase="green", step="station", treasury=60
    )
    assert "E8:a" in places(rules, joined)
    after = act(ruleset(rules), joined, 0, PlaceStation("E8", "a")).state
    assert after.companies["DEE"].treasury == 0


@pytest.mark.rule("RHL-PRV-10", "RHL-PRV-11")
@pytest.mark.parametrize("rules", ALL)
def test_no_3_lays_on_mountain_free(rules):
    """Recorded: DEE lays #9 on F11 (60) free, then its normal tile on E12 for 30."""
    stations = "DEE F9:b; DEE F13:a"
    state = table(rules, "DEE", stations=stations, tiles="F13 #934 r5", phase="green", privates={3: 0}, treasury=30)
    first = used(rules, state, "3 F11 #9 r1")
    assert first.companies["DEE"].treasury == 30
    assert first.board.contents("F11").tile == "9"
    second = act(ruleset(rules), first, 0, lay("E12 #55 r1")).state
    assert second.companies["DEE"].treasury == 0
    far = table(rules, "RhE", stations="RhE I10:a", phase="green", privates={3: 0}, treasury=0)
    assert used(rules, far, "3 H13 #9 r0").board.contents("H13").tile == "9"
    hauling = {"R1": "RHL-PRV-10", "R2": "RHL-PRV-11", "compat": "RHL-PRV-10"}
    assert why(rules, far, "3 H11 #8 r0") == (Code.NO_MOUNTAIN, hauling[rules])
    assert why(rules, far, "3 I10 #923 r0") == (Code.NO_MOUNTAIN, hauling[rules])
    assert {far.sheet.hexes[a.hex].terrain for a in choices(rules, far, UsePrivate)} == {"mountain"}


@pytest.mark.rule("RHL-PRV-10", "RHL-PRV-11")
def test_no_3_may_replace_a_tile():
    for rules in ALL:
        state = table(rules, "RhE", stations="RhE I10:a; ADR K2:a", phase="green", privates={3: 0}, treasury=0)
        after = used(rules, state, "3 K2 #930 r0")
        assert after.companies["RhE"].treasury == 0
        brown = table(rules, "RhE", tiles="K2 #930 r0", stations="RhE I10:a; ADR K2:a", phase="brown", privates={3: 0})
        if rules == "compat":  # CMP-22: yellow and green tiles only
            assert why(rules, brown, "3 K2 #931 r0") == (Code.WRONG_KIND, "RHL-PRV-10")
        else:
            assert used(rules, brown, "3 K2 #931 r0").companies["RhE"].treasury == 500


@pytest.mark.rule("RHL-PRV-11")
@pytest.mark.parametrize("rules", BOTH)
def test_station_on_hauled_city_needs_route(rules):
    state = table(rules, "RhE", stations="RhE I10:a; ADR K2:a", phase="green", privates={3: 0})
    after = act(ruleset(rules), used(rules, state, "3 K2 #930 r0"), 0, Pass()).state
    station = replace(after, agenda=(replace(turn(after), step="station"),))
    refusal = refused(ruleset(rules), station, 0, PlaceStation("K2", "a"))
    assert (refusal.code, refusal.rule) == (Code.NOT_CONNECTED, "COMMON-TOK-02")


@pytest.mark.rule("RHL-PRV-12", "RHL-PRV-15")
@pytest.mark.case("B10")
@pytest.mark.parametrize("rules", ALL)
def test_ferry_tile_free_and_station_not(rules):
    state = bme(rules, privates={4: 0})
    after = used(rules, state, "4 D9 #925 r0")
    assert after.companies["BME"].treasury == 500
    if turn(after).step == "track":
        after = act(ruleset(rules), after, 0, Pass()).state
    built = act(ruleset(rules), after, 0, PlaceStation("D9", "b")).state
    assert built.companies["BME"].treasury == 440
    assert built.companies["BME"].stations == (80, 100)
    moers = table(rules, "MKB", stations="MKB D7:a", phase="green", privates={4: 0})
    after = used(rules, moers, "4 D9 #925 r0")
    built = act(ruleset(rules), after, 0, PlaceStation("D9", "b")).state
    again = replace(built, agenda=moers.agenda)
    assert choices(rules, again, LayTile)  # it has routes now


@pytest.mark.rule("RHL-PRV-12")
@pytest.mark.case("B16")
@pytest.mark.parametrize("rules", ALL)
def test_what_the_ferry_may_not_do(rules):
    state = bme(rules, privates={4: 0}, tiles="F9 #922")
    assert why(rules, state, "4 F9 #927 r0") == (Code.TILE_LIES_THERE, "RHL-PRV-12")
    assert why(rules, state, "4 F9 #922 r0") == (Code.TILE_LIES_THERE, "RHL-PRV-12")
    assert why(rules, state, "4 F11 #9 r1") == (Code.POWER_ELSEWHERE, "RHL-PRV-12")
    assert {a.hex for a in choices(rules, state, UsePrivate)} == {"D9", "I10"}
    yellow = replace(state, phase="yellow")
    assert why(rules, yellow, "4 D9 #925 r0") == (Code.NOT_IN_PHASE, "RHL-PRV-12")
    brown = replace(state, phase="brown")
    assert why(rules, brown, "4 D9 #929 r0") == (Code.WRONG_COLOUR, "COMMON-TRK-02")


@pytest.mark.rule("RHL-PRV-12", "COMMON-PRV-04")
@pytest.mark.case("B12")
@pytest.mark.parametrize("rules", BOTH)
def test_place_of_ferry_on_upgraded_hex(rules):
    state = bme(rules, privates={4: 0}, lays=(Allowance.NORMAL,))
    after = used(rules, state, "4 D9 #925 r0")
    assert turn(after).step == "station"
    assert places(rules, after) == {"D9:a", "D9:b"}
    refusal = refused(ruleset(rules), after, 0, PlaceStation("F9", "a"))
    assert refusal.rule == ("COMMON-PRV-04" if rules == "R2" else "COMMON-TOK-02")
    own = bme(rules, privates={4: 0}, stations="BME F13:b; BME D9:a", lays=(Allowance.NORMAL,))
    after = used(rules, own, "4 D9 #925 r0")
    kinds = {type(choice.action) for choice in legal(ruleset(rules), after, (0,))}
    assert PlaceStation not in kinds
    # only in that turn
    later = replace(used(rules, state, "4 D9 #925 r0"), agenda=(CompanyTurn("BME", "station"),))
    refusal = refused(ruleset(rules), later, 0, PlaceStation("D9", "a"))
    assert (refusal.code, refusal.rule) == (Code.NOT_CONNECTED, "COMMON-TOK-02")


@pytest.mark.rule("RHL-PRV-12", "RHL-PRV-05")
def test_ferry_place_outlasts_lay_r1():
    state = bme("R1", privates={2: 0, 4: 0})
    after = used("R1", used("R1", state, "4 D9 #925 r0"), "2 E8 #935 r1")
    after = act(ruleset("R1"), after, 0, Pass()).state
    assert {"D9:a", "D9:b", "E8:a"} <= places("R1", after)


@pytest.mark.rule("RHL-PRV-08", "RHL-PRV-12")
@pytest.mark.parametrize("text", ("2 E8 #935 r1", "4 D9 #925 r0"))
def test_recorded_powers_use_normal_lay(text):
    """CMP-21, CMP-23."""
    state = bme("compat", privates={2: 0, 4: 0})
    before = used("compat", state, text)
    assert turn(before).step == "station"
    track = replace(before, agenda=(replace(turn(before), step="track"),))
    refusal = refused(ruleset("compat"), track, 0, lay("F11 #9 r1"))
    assert (refusal.code, refusal.rule) == (Code.ONE_TILE, "COMMON-TRK-01")
    normal = bme("compat", privates={2: 0, 4: 0}, lays=(Allowance.NORMAL,))
    assert turn(used("compat", normal, text)).lays == (Allowance.NORMAL, PowerLay(int(text[0])))


@pytest.mark.rule("COMMON-PRV-02")
def test_recorded_powers_wait_for_station():
    """CMP-24."""
    for step in ("track", "station", "trains"):
        state = bme("compat", privates={3: 0}, step=step)
        assert powers("compat", state) == {3}
    placed = bme("compat", privates={3: 0}, step="trains")
    placed = replace(placed, agenda=(replace(turn(placed), station="D9"),))
    assert why("compat", placed, "3 F11 #9 r1") == (Code.WRONG_STEP, "COMMON-PRV-02")
    bought = replace(placed, agenda=(replace(turn(placed), station="", bought=1),))
    assert why("compat", bought, "3 F11 #9 r1") == (Code.WRONG_STEP, "COMMON-PRV-02")


@pytest.mark.rule("COMMON-PRV-02")
@pytest.mark.parametrize("rules", BOTH)
def test_track_step_waits_for_power_alone(rules):
    state = table(rules, "MKB", stations="MKB D7:a", phase="green", step="", privates={4: 0})
    assert turn(settle(rules, state)).step == "track"
    without = table(rules, "MKB", stations="MKB D7:a", phase="green", step="", privates={4: 1})
    assert turn(settle(rules, without)).step == "trains"


@pytest.mark.rule("RHL-PRV-10", "RHL-PRV-11")
@pytest.mark.parametrize(("rules", "rule"), (("R1", "RHL-PRV-10"), ("R2", "RHL-PRV-11")))
def test_no_3_upgrades_what_shows_mountain(rules, rule):
    hauls = ["D13", "E12", "E14", "F11", "F13", "G12", "G14", "H13", "I12", "I14", "J13", "K2", "K12"]
    plain = {"F11": "9 r1", "E14": "9 r2", "G14": "9 r0", "H13": "9 r0", "J13": "9 r0"}
    tiles = "; ".join(f"{at} {tile}" for at, tile in plain.items())
    state = table(rules, "DEE", phase="green", treasury=0, tiles=tiles, stations="DEE F9:b", privates={3: 0})
    offered = {action.hex for action in choices(rules, state, UsePrivate)}
    assert not offered & plain.keys()
    assert offered <= set(hauls)
    assert {"F13", "K2", "D13"} <= offered
    no = refused(ruleset(rules), state, 0, use("3 F11 #23 r1"))
    assert (no.code, no.rule, no.args) == (Code.NO_MOUNTAIN, rule, {"hex": "F11", "tile": "9"})
    elsewhere = refused(ruleset(rules), state, 0, use("3 H5 #9 r0"))
    assert (elsewhere.code, elsewhere.rule, elsewhere.args) == (Code.NO_MOUNTAIN, rule, {"hex": "H5"})


@pytest.mark.rule("RHL-PRV-10", "RHL-PRV-11")
@pytest.mark.parametrize("rules", BOTH)
def test_no_3_upgrades_aachen(rules):
    state = table(rules, "DEE", phase="brown", treasury=0, tiles="K2 930 r0", stations="DEE F9:b", privates={3: 0})
    assert any(action.hex == "K2" for action in choices(rules, state, UsePrivate))


@pytest.mark.rule("RHL-PRV-08", "RHL-PRV-09")
@pytest.mark.parametrize(("rules", "rule"), (("R1", "RHL-PRV-08"), ("R2", "RHL-PRV-09")))
def test_no_2_refused_by_edition(rules, rule):
    state = bme(rules, privates={2: 0})
    for action, code in (("2 E10 #935 r1", Code.POWER_ELSEWHERE), ("2 E8 #9 r0", Code.POWER_TILE)):
        assert why(rules, state, action) == (code, rule)
