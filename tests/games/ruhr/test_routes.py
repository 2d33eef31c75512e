"""Sections 12 and 13: routes, revenue, dividends and the marker (RUHR-ROUTE, RUHR-REV)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_lines import EMSCHER, WITTEN, bme_to_hagen, schwerte_full, track
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    act,
    at_table,
    box,
    in_phase,
    located,
    railway_turn,
    refused,
    refuses,
    rules,
    started,
    stations,
    with_cash,
    with_company,
    with_tiles,
)
from trajekt.engine.actions import PayOut, RunTrains, Withhold
from trajekt.engine.agenda import run, settle
from trajekt.engine.board.board import HexContents, Station
from trajekt.engine.events import DebtSet, StatusSet, TileLaid
from trajekt.engine.routing.runs import Run, RunResult
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import State
from trajekt.games.ruhr.city_blocking import passage
from trajekt.games.ruhr.route_rules import plan, route_rules
from trajekt.rules.operating_round import CompanyTurn, steps_of
from trajekt.rules.route_validation import judge
from trajekt.rules.running_and_dividends import RunningPolicy, setting_of
from trajekt.rules.turn_notes import Once

ROUTES = route_rules(on_716=False)


def answer(state: State, company: str, *runs: tuple[str, str]):
    """What the judge says of runs written as train and hexes: the revenue, or the codes of the faults."""
    sent = tuple(Run(train, track(state, hexes)) for train, hexes in runs)
    said = judge(setting_of(state, company, ROUTES), sent)
    return said.revenue if isinstance(said, RunResult) else [fault.code for fault in said]


LINE = "R9 Q10 P11 O12 P13"


@pytest.mark.rule("RUHR-ROUTE-01")
def test_route_has_station_and_stop():
    state = stations(started(at_table(), "BME", BERT, 70, trains=("2",)), "BME", "R9")
    assert answer(state, "BME", ("2", "R9 Q10")) == 40
    assert rules().policy(RunningPolicy).could_run(with_company(state, "BME", trains=()), "BME")
    other = stations(started(bme_to_hagen(), "CME", CLEO, 80, trains=("2",)), "CME", "R3")
    assert answer(other, "CME", ("2", LINE)) == ["no_own_station"]
    assert not rules().policy(RunningPolicy).could_run(other, "CME")


@pytest.mark.rule("RUHR-ROUTE-02", "RUHR-ROUTE-03")
def test_plus_trains_count_cities_first():
    state = bme_to_hagen(trains=("2", "3"))
    assert answer(state, "BME", ("2", LINE)) == 70  # two cities, two towns
    longer = with_tiles(state, Q14="58 r2", P15="9 r2", O16="6 r1")
    assert answer(longer, "BME", ("2", LINE + " Q14")) == ["too_long"]
    assert answer(longer, "BME", ("3", LINE + " Q14")) == 80
    short = with_tiles(
        stations(started(at_table(), "BME", BERT, 70, trains=("2",)), "BME", "R9"), P11="4 r1", O12="9 r1"
    )
    assert answer(short, "BME", ("2", "R9 Q10 P11")) == 50  # one city, two towns


@pytest.mark.rule("RUHR-ROUTE-02")
def test_the_worked_example_of_4_4():
    state = with_tiles(stations(started(at_table(), "BME", BERT, 70, trains=("4",)), "BME", "R9"), **WITTEN)
    three_cities = "R9 Q10 P11 O12 M12 K12 J11 I10 G10"
    assert answer(state, "BME", ("4", three_cities)) == 30 + 5 * 10 + 20 + 20  # and five towns
    assert answer(state, "BME", ("4", three_cities + " F11")) == ["too_long"]  # and six
    assert rules().policy(RunningPolicy).best(state, "BME") == (Run("4", track(state, three_cities)),)
    five = with_tiles(stations(started(at_table(), "CME", CLEO, 80, trains=("4",)), "CME", "G6"), **EMSCHER)
    assert answer(five, "CME", ("4", "I10 H9 G8 F7 G6 H5")) == 4 * 20
    assert answer(five, "CME", ("4", "I10 H9 G8 F7 G6 H5 J5 L5")) == ["too_long"]


@pytest.mark.rule("RUHR-ROUTE-02")
def test_plus_train_has_three_towns():
    hagen = with_tiles(bme_to_hagen(trains=("2",)), Q14="58 r2")
    assert answer(hagen, "BME", ("2", LINE + " Q14")) == ["too_long"]
    state = with_tiles(stations(started(at_table(), "BME", BERT, 70, trains=("2",)), "BME", "R9"), **WITTEN)
    assert answer(state, "BME", ("2", "R9 Q10 P11 O12 M12")) == 30 + 3 * 10
    assert answer(state, "BME", ("2", "R9 Q10 P11 O12 M12 K12")) == ["too_long"]


@pytest.mark.rule("RUHR-ROUTE-03")
def test_no_stop_is_left_out():
    state = bme_to_hagen(trains=("2",))
    skipping = Run("2", track(state, LINE), ("R9:a", "P13:a"))
    assert [fault.code for fault in judge(setting_of(state, "BME", ROUTES), [skipping])] == ["leaves_out"]
    through = with_tiles(bme_to_hagen(trains=("5",)), Q8="4 r2")
    assert answer(stations(through, "BME", "Q8"), "BME", ("5", "Q8 R9 Q10")) == ["ends_only"]


@pytest.mark.rule("RUHR-ROUTE-04")
def test_a_full_city_ends_a_route():
    state = with_company(schwerte_full(), "BME", trains=("5",))
    assert answer(state, "BME", ("5", "O16 N15 L15 K14")) == 20 + 10 + 20
    assert answer(state, "BME", ("5", "O16 N15 L15 K14 J13")) == ["blocked"]
    own = stations(
        replace(
            state,
            board=replace(state.board, contents_by_hex={**state.board.contents_by_hex, "K14": HexContents("57", 2)}),
        ),
        "BME",
        "K14",
    )
    assert answer(own, "BME", ("5", "O16 N15 L15 K14 J13")) == 60


@pytest.mark.rule("RUHR-ROUTE-04", "RUHR-TRK-14")
@pytest.mark.parametrize("on_716", [False, True])
@pytest.mark.parametrize(("phase", "tile", "blocks"), [("2", "718", False), ("3", "MG1", False), ("5", "MB1", True)])
def test_marker_takes_circle_from_brown(phase, tile, blocks, on_716):
    state = located(with_tiles(at_table() if phase == "2" else in_phase(at_table(), phase), I10=f"{tile} r0"), pmc6=20)
    for company in ("CME", "RhE")[: 2 if blocks else 1]:
        state = stations(started(state, company, CLEO, 80), company, "I10")
    assert ("I10:a" in passage(on_716, state.board, "BME").blocked) is blocks


@pytest.mark.rule("RUHR-ROUTE-05")
def test_no_track_and_no_stop_twice():
    state = bme_to_hagen(trains=("3",))
    out = track(state, "R9 Q10")
    back = Run("3", (*out, *reversed(out)))
    codes = {fault.code for fault in judge(setting_of(state, "BME", ROUTES), [back])}
    assert codes & {"same_track_twice", "same_stop_twice"}


@pytest.mark.rule("RUHR-ROUTE-06")
def test_trains_use_separate_track():
    state = stations(bme_to_hagen(trains=("2", "2")), "BME", "P13")
    both = answer(state, "BME", ("2", "R9 Q10 P11"), ("2", "P11 O12 P13"))
    assert both == 50 + 30
    assert answer(state, "BME", ("2", "R9 Q10"), ("2", LINE)) == ["same_track_twice"]
    ends = with_tiles(stations(bme_to_hagen(trains=("2", "2")), "BME", "Q8"), Q8="4 r2")
    assert answer(ends, "BME", ("2", "Q8 R9"), ("2", "R9 Q10")) == 40 + 40  # two trains end in one off-board (Q33)


@pytest.mark.rule("RUHR-ROUTE-07")
def test_luenen_and_steele_count_as_cities():
    state = with_tiles(
        in_phase(at_table(), "3"), H13="DG r0", F13="4 r0", I10="MG1 r4", J9="9 r4", K8="913 r0", J7="EG r2"
    )
    state = started(state, "CME", CLEO, 80, trains=("2", "3"))
    state = stations(state, "CME", "H13", "J7")
    assert answer(state, "CME", ("2", "H13 F13 D13")) == 70
    legs = answer(state, "CME", ("3", "I10 J9 K8 J7"))
    assert legs == 30 + 30 + 40
    assert answer(state, "CME", ("2", "I10 J9 K8 J7")) == ["too_long"]


@pytest.mark.rule("RUHR-ROUTE-08")
def test_steele_blocks_while_yellow():
    state = started(started(at_table(), "PWB", BERT, 70), "BME", ADA, 70)
    yellow = stations(state, "PWB", "K8")
    assert passage(False, yellow.board, "BME").blocked == {"K8:a": "RUHR-ROUTE-04"}
    assert passage(False, yellow.board, "PWB").blocked == {}
    green = stations(with_tiles(state, K8="913 r0"), "PWB", "K8")
    assert passage(False, green.board, "BME").blocked == {}
    luenen = stations(started(state, "DGEE", BERT, 70), "DGEE", "D13")
    assert passage(False, luenen.board, "BME").blocked == {}


@pytest.mark.rule("RUHR-ROUTE-09")
def test_space_of_eh_keeps_essen_passable():
    state = stations(started(started(at_table(), "CME", CLEO, 80), "EH", BERT, 70), "CME", "J7")
    assert passage(False, state.board, "BME").blocked == {}
    assert passage(False, stations(state, "EH", "J7").board, "BME").blocked == {"J7:a": "RUHR-ROUTE-04"}


@pytest.mark.rule("RUHR-ROUTE-10")
def test_train_runs_in_round_after_purchase():
    steps = [step.name for step in steps_of(rules())]
    assert steps.index("run") < steps.index("trains")
    state = railway_turn(bme_to_hagen(), "BME", "trains")
    assert refused(rules(), state, BERT, RunTrains(())).rule == "RUHR-OR-06"


@pytest.mark.rule("RUHR-ROUTE-11")
def test_trains_must_run_somehow():
    state = railway_turn(bme_to_hagen(trains=("2",)), "BME", "run")
    nothing = refused(rules(), state, BERT, RunTrains(()))
    assert (nothing.code, nothing.rule) == ("must_run", "RUHR-ROUTE-11")
    short = RunTrains((Run("2", track(state, "R9 Q10")),))
    act(rules(), state, BERT, short)
    strict = refused(rules(best_route="required"), state, BERT, short)
    assert (str(strict.code), strict.rule) == ("not_best", "RUHR-ROUTE-11")


# Revenue ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RUHR-REV-01")
@pytest.mark.parametrize(("value", "revenue"), [(0, 70), (10, 80), (20, 90), (30, 100)])
def test_location_markers_add_to_a_route(value, revenue):
    assert answer(located(bme_to_hagen(trains=("2",)), pmc8=value), "BME", ("2", LINE)) == revenue


@pytest.mark.rule("RUHR-REV-01")
def test_yellow_essen_with_krupp():
    state = stations(
        started(with_tiles(located(at_table(), pmc2=10), K8="913 r0"), "CME", CLEO, 80, trains=("2",)), "CME", "J7"
    )
    assert plan(setting_of(state, "CME", ROUTES), "2").value["J7:a"] == 30


@pytest.mark.rule("RUHR-REV-02")
def test_off_boards_by_the_phase():
    sheet = at_table().sheet
    soest = sheet.hexes["H17"].face.stops[0]
    values = {phase.name: sheet.value(soest, phase.values) for phase in sheet.phases}
    assert values == {"2": 30, "3": 30, "4": 30, "5": 50, "6": 50, "8": 50}


def wesel(phase: str = "2", train: str = "4", **values: int) -> State:
    """Wesel, Dinslaken, E4, Osterfeld, Oberhausen, with a station of the CME there."""
    state = at_table() if phase == "2" else in_phase(at_table(), phase)
    state = with_tiles(located(state, **values), D3="884 r2", E4="8 r0", G4="56 r3", H5="719 r2")
    return stations(started(state, "CME", CLEO, 80, trains=(train,)), "CME", "H5")


@pytest.mark.rule("RUHR-REV-03")
@pytest.mark.parametrize(("values", "revenue"), [({}, 40), ({"pmc18": 10}, 60), ({"pmc18": 10, "pmc1": 10}, 80)])
def test_wesel_pays_for_linked_companies(values, revenue):
    state = wesel(**values)
    best = rules().policy(RunningPolicy).best(state, "CME")
    said = judge(setting_of(state, "CME", ROUTES), best)
    assert isinstance(said, RunResult)
    assert said.revenue == revenue


def rhine(**values: int) -> State:
    state = with_tiles(located(at_table(), **values), L3="719 r2", K4="8 r5", L5="718 r2")
    return stations(started(state, "CME", CLEO, 80, trains=("3",)), "CME", "L5")


@pytest.mark.rule("RUHR-REV-03")
def test_the_rhine_pays_for_mines_only():
    state = rhine(pmc15=10, pmc9=10)
    said = judge(setting_of(state, "CME", ROUTES), rules().policy(RunningPolicy).best(state, "CME"))
    assert isinstance(said, RunResult)
    assert said.revenue == 20 + 30 + 30


@pytest.mark.rule("RUHR-REV-04")
def test_type_8_counts_off_boards_double():
    state = wesel("8", "8", pmc18=10, pmc1=10)
    said = judge(setting_of(state, "CME", ROUTES), rules().policy(RunningPolicy).best(state, "CME"))
    assert isinstance(said, RunResult)
    assert said.revenue == 40 + 20 + 10 + 30
    line = with_company(bme_to_hagen(in_phase(at_table(), "8")), "BME", trains=("8",))
    assert answer(line, "BME", ("8", LINE)) == 100 + 10 + 10 + 20


@pytest.mark.rule("RUHR-REV-05")
def test_dividends_the_worked_example():
    state = started(at_table(), "CME", ADA, 80, Ada=40, Bert=10, Cleo=10, pool=30)
    state = with_cash(railway_turn(state, "CME", "pay", revenue=150), Ada=0, Bert=0, Cleo=0)
    done = act(rules(), state, ADA, PayOut()).state
    assert [player.cash for player in done.players[:3]] == [60, 15, 15]
    assert done.companies["CME"].treasury == 15
    answer = act(rules(), state, ADA, Withhold())
    kept = answer.state
    assert not any(isinstance(event, DebtSet) for event in answer.events)
    assert kept.companies["CME"].treasury == 150
    assert not any(isinstance(f, CompanyTurn) and f.step == "pay" for f in (*done.agenda, *kept.agenda))


@pytest.mark.rule("RUHR-OR-06", "RUHR-REV-05")
@pytest.mark.parametrize("action", [PayOut(), Withhold()])
def test_income_disposed_of_at_its_step(action):
    state = railway_turn(started(at_table(), "CME", ADA, 80), "CME", "trains", revenue=150)
    refuses(rules(), state, ADA, action, Code.WRONG_STEP, "RUHR-OR-06")


@pytest.mark.rule("RUHR-REV-06")
@pytest.mark.parametrize(
    ("value", "revenue", "price"),
    [(70, 60, 70), (70, 70, 75), (70, 130, 75), (70, 140, 80), (70, 490, 80), (500, 1000, 500)],
)
def test_the_marker_after_a_dividend(value, revenue, price):
    state = started(at_table(), "CME", ADA, 80, stock=value)
    state = railway_turn(state, "CME", "pay", revenue=revenue)
    assert act(rules(), state, ADA, PayOut()).state.price("CME") == price


@pytest.mark.rule("RUHR-REV-06")
@pytest.mark.parametrize(("value", "price"), [(70, 65), (20, 20)])
def test_no_dividend_lowers_marker(value, price):
    state = started(at_table(), "CME", ADA, 80, stock=value)
    assert act(rules(), railway_turn(state, "CME", "pay", revenue=50), ADA, Withhold()).state.price("CME") == price
    draft = Draft(rules(), railway_turn(state, "CME", "link", used=(Once.DEAL,)))
    run(draft)
    assert draft.state.price("CME") == price
    assert box(state, value)


@pytest.mark.rule("RUHR-REV-07")
def test_barmen_hagen_frees_money():
    state = replace(bme_to_hagen(treasury=0), aside={"R13": 195})
    draft = Draft(rules(), state)
    draft.emit(TileLaid("P13", "718", 2, "CME"))
    settle(draft, 0)
    assert (draft.state.companies["BME"].treasury, draft.state.aside["R13"]) == (195, 0)
    apart = replace(stations(started(at_table(), "BME", BERT, 65), "BME", "R9"), aside={"R13": 195})
    draft = Draft(rules(), with_tiles(apart, P11="4 r1"))
    draft.emit(TileLaid("O12", "9", 1, "CME"))
    settle(draft, 0)
    assert draft.state.companies["BME"].treasury == 0
    early = replace(bme_to_hagen(treasury=0, floated=False), aside={"R13": 195})
    waits = Draft(rules(), early)
    waits.emit(TileLaid("P13", "718", 2, "CME"))
    settle(waits, 0)
    assert (waits.state.companies["BME"].treasury, waits.state.aside["R13"]) == (0, 195)
    draft = Draft(rules(), early)
    draft.emit(StatusSet("BME", "floated"))
    settle(draft, 0)
    assert draft.state.companies["BME"].treasury == 195


@pytest.mark.rule("RUHR-REV-07")
@pytest.mark.parametrize(("option", "paid"), [(False, 195), (True, 0)])
def test_full_city_bars_hagen_by_choice(option, paid):
    state = replace(bme_to_hagen(treasury=0), aside={"R13": 195})
    away = replace(state.board.contents("R9"), stations=())
    state = replace(state, board=state.board.with_contents("R9", away))
    state = with_tiles(state, O12="6 r5")
    full = replace(state.board.contents("O12"), stations=(Station("CME", 0),))
    state = replace(state, board=state.board.with_contents("O12", full))
    draft = Draft(rules(bme_link_blocked=option), state)
    draft.emit(TileLaid("P13", "718", 2, "CME"))
    settle(draft, 0)
    assert draft.state.companies["BME"].treasury == paid
