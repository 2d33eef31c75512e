"""Turns of corporations on the composed rulesets: the order of all steps, the duty to own a train by real routes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, position, refused, with_tiles
from tests.builders.rhl_turns import company, in_turn, with_depot
from trajekt.engine.actions import LayTile, Pass, PlaceStation
from trajekt.engine.board.board import Board, Station
from trajekt.engine.ruleset import Code, Ruleset
from trajekt.engine.state import State
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.ruleset import build
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.trains import needs_train

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


def rules(edition: int) -> Ruleset:
    return build(position(edition).sheet, RhlOptions(edition=edition))


def stationed(state: State, at: str, name: str, stop: int = 0) -> State:
    contents = replace(state.board.contents(at), stations=(*state.board.contents(at).stations, Station(name, stop)))
    return replace(state, board=Board(state.sheet, {**state.board.contents_by_hex, at: contents}))


def green(edition: int) -> State:
    state = position(edition, cash=500, phase="green")
    return with_depot(state, {"4": 3, "5": 3, "6": 6, "8": 4}, sold=("2", "3"))


def rhe(edition: int, step: str, trains=()) -> State:
    """RhE in Cologne (left bank) and Düren, joined by J9 and K8."""
    state = with_tiles(green(edition), J9="9 r0", K8="8 r1")
    state = company(state, "RhE", (1, 4), director=0, treasury=300, trains=trains, stations=(60, 80), par=100)
    return in_turn(stationed(stationed(state, "I10", "RhE"), "K6", "RhE"), "RhE", step)


@EDITIONS
@pytest.mark.rule("COMMON-OR-04")
def test_later_step_ends_tiles_and_stations(edition):
    game = rules(edition)
    for step, late in (
        ("station", LayTile("H9", "58", 0)),
        ("run", LayTile("H9", "58", 0)),
        ("run", PlaceStation("K2", "a")),
        ("trains", PlaceStation("K2", "a")),
    ):
        found = refused(game, rhe(edition, step, ("3",)), 0, late)
        assert (found.code, found.rule) == (Code.WRONG_STEP, "COMMON-OR-04"), (step, late)


@EDITIONS
@pytest.mark.rule("COMMON-OR-04", "COMMON-RTE-12")
def test_optional_steps_are_passed_running_not(edition):
    game = rules(edition)
    state = act(game, rhe(edition, "track", ("3",)), 0, Pass()).state
    while isinstance(state.top, CompanyTurn) and state.top.step == "station":
        state = act(game, state, 0, Pass()).state
    assert isinstance(state.top, CompanyTurn)
    assert state.top.step == "run"
    assert refused(game, state, 0, Pass()).code == Code.MUST_RUN


@EDITIONS
@pytest.mark.rule("COMMON-TRN-11")
@pytest.mark.case("B64")
def test_station_without_track_makes_no_duty(edition):
    """MKB alone on D7 in the green phase."""
    state = stationed(company(green(edition), "MKB", (1, 4), director=0), "D7", "MKB")
    assert not needs_train(rules(edition), state, "MKB")
    assert needs_train(rules(edition), rhe(edition, "trains"), "RhE")


@pytest.mark.rule("COMMON-TRN-11")
@pytest.mark.case("B64")
@pytest.mark.parametrize(("edition", "duty"), [(1, False), (2, True)])
def test_city_and_town_make_route_r2(edition, duty):
    """GVE in Mönchengladbach (the city on edge 2), a town on F5 before it and nothing else."""
    state = with_tiles(green(edition), F5="1 r1")
    state = stationed(company(state, "GVE", (1, 4), director=0), "G6", "GVE", stop=1)
    assert needs_train(rules(edition), state, "GVE") is duty
