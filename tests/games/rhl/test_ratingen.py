"""Section 18.4, track: the Ratingen variant of the first edition (RHL-RAT-01, -02)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import refused, sheet
from tests.builders.rhl_positions import choices, ruleset, table, turn
from tests.builders.rhl_privates import use, used
from tests.builders.rhl_track import done, tiles_on, why
from trajekt.engine.actions import UsePrivate
from trajekt.engine.ruleset import Code
from trajekt.rules.turn_notes import Allowance, PowerLay

RULES = "R1+ratingen"


def ratingen(company="DEE", stations="DEE D13:a; DEE F9:b", tiles="D13 #201 r5", **more):
    more.setdefault("phase", "green")
    return table(RULES, company, tiles=tiles, stations=stations, **more)


@pytest.mark.rule("RHL-RAT-01")
@pytest.mark.case("B20")
def test_angertalbahn_replaces_no_1():
    on = sheet(1, ("ratingen",))
    private = on.privates[1]
    assert (private.name, private.price, private.revenue) == ("Angertalbahn", 20, 5)
    assert on.hexes["E10"].stubs == (0, 2)
    assert on.hexes["E12"].stubs == (1,)
    assert (on.hexes["E12"].terrain, on.hexes["E12"].cost, len(on.hexes["E12"].face.stops)) == ("mountain", 30, 2)
    state = ratingen(phase="yellow", privates={1: 1})
    assert done(RULES, state, "E14 #9 r2").board.contents("E14").tile == "9"


@pytest.mark.rule("RHL-RAT-02")
@pytest.mark.case("B20")
def test_e12_waits_for_green_and_owner():
    # D13 #201 r5 leads over edge 0 to E12's edge 3
    yellow = ratingen(phase="yellow", privates={1: 0})
    assert refused(ruleset(RULES), yellow, 0, use("1 E12 #56 r1")).code == Code.NOT_IN_PHASE
    assert why(RULES, replace(yellow, privates=_closed(yellow)), "E12 #56 r1") == (Code.NOT_IN_PHASE, "RHL-RAT-02")
    other = ratingen(privates={1: 1})
    assert why(RULES, other, "E12 #56 r1") == (Code.RESERVED, "RHL-RAT-02")
    assert tiles_on(RULES, other, "E12") == set()
    refusal = refused(ruleset(RULES), other, 0, use("1 E12 #56 r1"))
    assert (refusal.code, refusal.rule) == (Code.NOT_OWNER, "COMMON-PRV-02")
    free = ratingen(privates=None)
    free = replace(free, privates=_closed(free))
    assert tiles_on(RULES, free, "E12")
    assert all(1 in free.sheet.rotated[tile].edges for tile in tiles_on(RULES, free, "E12"))
    assert why(RULES, free, "E12 #1 r2") == (Code.STUB_NOT_JOINED, "RHL-RAT-02")


def _closed(state):
    return {**state.privates, 1: replace(state.privates[1], open=False)}


@pytest.mark.rule("RHL-RAT-02")
@pytest.mark.case("B20")
def test_owner_s_free_lay_closes_private():
    state = ratingen(privates={1: 0}, lays=(Allowance.NORMAL,), treasury=0)
    offered = choices(RULES, state, UsePrivate)
    assert {action.hex for action in offered} == {"E12"}
    assert all({1, 3} & state.sheet.rotated[a.tile, a.rotation].edges for a in offered)
    state = ratingen(privates={1: 0}, lays=(Allowance.NORMAL,), treasury=100)
    after = used(RULES, state, f"1 E12 #{offered[0].tile} r{offered[0].rotation}")
    assert after.companies["DEE"].treasury == 100
    assert not after.privates[1].open
    assert turn(after).lays == (Allowance.NORMAL, PowerLay(1))
    away = ratingen(stations="DEE F9:b", tiles="", privates={1: 0})
    refusal = refused(ruleset(RULES), away, 0, use("1 E12 #56 r1"))
    assert (refusal.code, refusal.rule) == (Code.NOT_CONNECTED, "COMMON-TRK-08")
    assert refused(ruleset(RULES), state, 0, use("1 E10 #1910 r0")).rule == "RHL-RAT-02"


@pytest.mark.rule("RHL-RAT-02")
@pytest.mark.case("B20")
def test_e10_takes_tiles_over_stubs():
    state = ratingen(stations="DEE F9:b; DEE D9:c", tiles="F9 #921", phase="green")
    assert why(RULES, state, "E10 #8 r0") == (Code.WRONG_KIND, "RHL-RAT-02")
    assert tiles_on(RULES, state, "E10") == {("1910", 0)}
    assert why(RULES, state, "E10 #1910 r1")[0] in (Code.CLOSED_SIDE, Code.STUB_NOT_JOINED)
    after = done(RULES, state, "E10 #1910 r0")
    again = replace(after, agenda=state.agenda)
    assert tiles_on(RULES, again, "E10") == {("1911", 0)}
    # and they go nowhere else
    assert why(RULES, state, "E12 #1910 r0")[0] == Code.WRONG_KIND
    assert why(RULES, state, "K10 #1910 r0")[0] == Code.WRONG_KIND
