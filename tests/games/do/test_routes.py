"""Routes, railway income, value, beer on the rails."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import (
    awake,
    corporation,
    kwe_net,
    loaded,
    position,
    rules,
    station,
    tiles,
    tokens,
    total,
    turn,
)
from tests.builders.random_positions import act, refused, with_market
from trajekt.engine.actions import BuyTrain, Pass, PayOut, RunTrains, Withhold
from trajekt.engine.routing.runs import RouteRules, Run, RunResult, Step, Walk
from trajekt.engine.ruleset import Draft
from trajekt.games.do import stock_market
from trajekt.games.do.route_rules import beer, not_only_red, value
from trajekt.games.do.state import cubes, do_state
from trajekt.rules.running_and_dividends import RunningPolicy, setting_of

FOUR = rules(4)
TO_E19 = ("E21:1a", "E19:4a")
TO_D16 = (*TO_E19, "E19:1a", "E17:24", "D16:5a")
TO_E13 = (*TO_D16, "D16:1a", "D14:04", "E13:3a")
TO_E11 = (*TO_E13, "E13:1a", "E11:4a")


def kwe(*trains, phase="2", **more):
    return turn(kwe_net(corporation(position(4, phase=phase), "KWE", trains=trains, **more)), "KWE", "run")


def judged(state, *runs, company="KWE", ruleset=FOUR):
    found = ruleset.policy(RunningPolicy).judge(state, company, tuple(Run(*each) for each in runs))
    return found.revenue if isinstance(found, RunResult) else (found[0].code, found[0].rule)


def best(state, company="KWE", ruleset=FOUR):
    runs = ruleset.policy(RunningPolicy).best(state, company)
    found = ruleset.policy(RunningPolicy).judge(state, company, runs)
    assert isinstance(found, RunResult), found
    assert ruleset.policy(RunningPolicy).search(state, company, None).revenue == found.revenue
    return found.revenue


@pytest.mark.rule("DO-ROUTE-01")
def test_no_idle_train_could_given_route():
    state = kwe("2", "2")
    assert judged(state, ("2", TO_E19)) == 40  # nothing is left for the other
    spur = turn(tiles(kwe_net(corporation(position(4), "KWE", trains=("2", "2"))), D20="58K 5"), "KWE", "run")
    assert judged(spur, ("2", TO_E19)) == ("must_run", "DO-ROUTE-01")
    assert judged(spur, ("2", TO_E19), ("2", ("E21:2a", "D20:5a"))) == 80
    # any legal set, not the best
    assert judged(kwe("3"), ("3", TO_E19)) == 40
    assert judged(kwe("3"), ("3", TO_E19), ruleset=rules(4, best_route="required"))[1] == "DO-ROUTE-01"


@pytest.mark.rule("DO-ROUTE-02")
def test_stops_and_own_station():
    state = kwe("2")
    assert judged(state, ("2", TO_E19)) == 40
    assert judged(state, ("2", ("E13:1a", "E11:4a"))) == ("no_own_station", "COMMON-RTE-01")
    assert judged(state, ("2", ("E21:1a",)))[0] in ("too_short", "ends_between_stops")


@pytest.mark.rule("DO-ROUTE-03", "DO-ROUTE-04")
def test_train_length_bounds_the_route():
    assert judged(kwe("3"), ("3", TO_D16)) == 60
    assert judged(kwe("4"), ("4", TO_E13)) == 90
    assert judged(kwe("5"), ("5", TO_E11)) == 110
    assert judged(kwe("3"), ("3", TO_E13)) == ("too_long", "DO-ROUTE-03")
    assert judged(kwe("2"), ("2", TO_D16, ("E21:a", "D16:a")))[1] == "DO-ROUTE-04"
    assert [best(kwe(kind)) for kind in ("2", "3", "4", "5")] == [40, 60, 90, 110]


@pytest.mark.rule("DO-ROUTE-05")
def test_red_destinations_end_routes():
    state = turn(tiles(kwe_net(corporation(position(4), "KWE", trains=("3",))), D20="58K 5"), "KWE", "run")
    through = ("E19:4a", "E21:1a", "E21:2a", "D20:5a")
    assert judged(state, ("3", through))[0] == "ends_only"
    # two of them alone are no route; with a stop between they are
    printed = corporation(position(4, phase="5"), "KWE", trains=("3",))
    legal = turn(tiles(printed, D20="88K 2", B20="8 3"), "KWE", "run")
    alone = Walk("3", (Step(("A21:a",)), Step(("E21:a",))), ())
    assert not_only_red(setting_of(legal, "KWE", rules_of()), alone)[0].rule == "DO-ROUTE-05"
    third = Walk("3", (Step(("A21:a",)), Step(("D20:a",)), Step(("E21:a",))), ())
    assert not not_only_red(setting_of(legal, "KWE", rules_of()), third)


@pytest.mark.rule("DO-ROUTE-06", "DO-ROUTE-07", "DO-TOK-06")
def test_blocked_hexes_end_the_route():
    state = corporation(kwe("5"), "BME", director=1)
    state = turn(station(state, D16="BME"), "KWE", "run")
    assert judged(state, ("5", TO_D16)) == 60
    assert judged(state, ("5", TO_E13)) == ("blocked", "DO-TOK-06")
    assert best(state) == 60
    green = corporation(corporation(kwe("5", phase="3"), "BME", director=1), "CME", director=2)
    by = next(t for t in range(6) if FOUR.sheet.rotated["SR1", t].edges == {1, 2, 4, 5})
    green = tiles(green, D16=f"SR1 {by}")
    assert judged(turn(station(green, D16="BME CME"), "KWE", "run"), ("5", TO_E13))[0] == "blocked"
    assert judged(turn(station(green, D16="BME"), "KWE", "run"), ("5", TO_E11)) == 130
    assert judged(turn(station(green, D16="BME KWE"), "KWE", "run"), ("5", TO_E11)) == 130


@pytest.mark.rule("DO-TOK-07", "DO-TOK-08")
def test_homes_that_never_block():
    cme = tiles(corporation(position(4), "CME", trains=("2",)), B6="58K 1")
    assert best(turn(cme, "CME", "run"), "CME") == 50
    red = awake(
        tiles(corporation(corporation(position(4), "CME", trains=("3",)), "KWE", director=1), E19="4K 1"), "KWE"
    )
    red = turn(station(red, D16="CME"), "CME", "run")
    red = tiles(red, E17="8 2")
    assert judged(red, ("3", tuple(reversed(TO_D16))), company="CME") == 60
    harbour = tiles(corporation(corporation(position(4), "CME", trains=("3",)), "DHB", director=1), C9="HF1 1")
    assert "C9:a" not in rules_of().passage(harbour.board, "CME").blocked


def rules_of():
    return FOUR.policy(RouteRules)


@pytest.mark.rule("DO-ROUTE-08", "DO-ROUTE-11")
def test_nothing_is_used_twice():
    assert judged(kwe("3"), ("3", (*TO_E19, "E19:4a", "E21:1a")))[0] in ("same_track_twice", "same_stop_twice")
    state = tiles(corporation(position(4), "CME", trains=("3",)), B6="3K 1", A5="8 1")
    found = judged(turn(state, "CME", "run"), ("3", ("B4:4a", "B6:1a", "B6:2a", "A5:15", "A3:4a")), company="CME")
    assert found[0] in ("same_area", "same_stop_twice", "not_joined", "no_such_track")
    shared = rules_of().passage(state.board, "CME").shared
    assert shared["A3:a"].name == shared["B4:a"].name


@pytest.mark.rule("DO-ROUTE-09", "DO-ROUTE-10")
def test_trains_share_no_common_track():
    state = turn(tiles(kwe_net(corporation(position(4), "KWE", trains=("2", "3"))), D20="58K 5"), "KWE", "run")
    assert judged(state, ("3", TO_D16), ("2", ("E21:2a", "D20:5a"))) == 100
    assert judged(state, ("3", TO_D16), ("2", TO_E19)) == ("same_track_twice", "COMMON-RTE-11")
    two = station(kwe("2", "2"), D16="KWE", E11="KWE")
    west, east = ("D16:1a", "D14:04", "E13:3a"), ("E13:1a", "E11:4a")
    assert judged(turn(two, "KWE", "run"), ("2", west), ("2", east)) == 100


# Income


@pytest.mark.rule("DO-REV-01", "DO-LINK-10")
def test_terms_of_an_income():
    state = turn(tokens(kwe("4"), E19="K20", D16="S10"), "KWE", "run")
    assert judged(state, ("4", TO_E13)) == 120
    state = tiles(tokens(corporation(position(4), "CME", trains=("2",)), B6="K10"), B6="58K 1")
    assert best(turn(state, "CME", "run"), "CME") == 60


@pytest.mark.rule("DO-REV-02", "DO-PHASE-06")
def test_two_steps_of_red_destinations():
    assert [judged(kwe("2", phase=phase), ("2", TO_E19)) for phase in ("2", "3", "4", "5", "6", "8")] == [
        40,
        40,
        40,
        60,
        60,
        60,
    ]


@pytest.mark.rule("DO-REV-03")
def test_freight_yards_add_their_bonus():
    def worth(company, *names):
        state = position(4)
        for name in ("CME", "KWE", "BME", "RhE"):
            state = corporation(state, name, trains=("2",))
        state = station(state, E15=" ".join(names))
        here = setting_of(state, company, rules_of())
        return value(here, next(s for s in here.network.stops if s.ref == "E15:a"))

    assert [worth(c, "CME", "KWE") for c in ("CME", "KWE", "BME")] == [40, 40, 20]
    assert [worth(c, "CME", "KWE", "BME") for c in ("CME", "KWE", "BME", "RhE")] == [50, 50, 50, 20]


@pytest.mark.rule("DO-REV-04")
def test_who_is_paid():
    sizes = {"Ada": (10, 10), "Bert": (10,), "Cleo": (10,), "pool": (10, 10, 10)}
    state = turn(corporation(position(4), "KWE", 60, sizes=sizes, trains=("2",)), "KWE", "pay", revenue=150)
    after = act(FOUR, state, 0, PayOut()).state
    assert [p.cash for p in after.players] == [1060, 1015, 1015, 1000]
    assert (after.companies["KWE"].treasury, state.bank - after.bank) == (15, 105)
    kept = act(FOUR, state, 0, Withhold()).state
    assert (kept.companies["KWE"].treasury, kept.price("KWE")) == (150, 55)


def moved(value, income, paid=True, company="CME", ruleset=FOUR):
    draft = Draft(ruleset, corporation(position(4), company, value))
    stock_market.after_income(draft, company, income, paid_out=paid)
    return draft.state.price(company)


@pytest.mark.rule("DO-REV-05", "DO-REV-06")
def test_value_after_an_income():
    assert [moved(60, income) for income in (0, 50, 60, 170, 180)] == [55, 60, 65, 65, 70]
    assert moved(60, 180, paid=False) == 55
    assert (moved(250, 800), moved(220, 700)) == (250, 250)
    assert moved(60, 180, ruleset=rules(4, dividend_compared="share")) == 60


@pytest.mark.rule("DO-REV-07")
def test_beneath_the_others():
    state = corporation(corporation(position(4), "KWE", 60), "CME", 60)
    state = with_market(state, KWE=(1, 6), CME=(1, 6))
    draft = Draft(FOUR, state)
    stock_market.after_income(draft, "KWE", 50, paid_out=True)
    assert draft.state.markers.stack((1, 6)) == ("CME", "KWE")
    stock_market.left(draft, "KWE", "withhold")
    assert draft.state.markers.stack((1, 5)) == ("KWE",)


@pytest.mark.rule("DO-REV-06", "DO-REV-07")
def test_last_space_puts_token_beneath():
    state = corporation(corporation(position(4), "KWE", 250), "CME", 250)
    draft = Draft(FOUR, state)
    (last,) = {state.markers.spaces["KWE"], state.markers.spaces["CME"]}
    assert draft.state.markers.stack(last) == ("KWE", "CME")
    stock_market.after_income(draft, "KWE", 300, paid_out=True)
    assert draft.state.markers.stack(last) == ("CME", "KWE")


# Beer


def beer_train(*loads, phase="5", more=(), city=True):
    trains = (*(train for train, _ in loads), *more)
    state = kwe_net(corporation(position(4, phase=phase), "KWE", trains=trains))
    if city:
        state = tiles(state, E13="DO2 0")
    return turn(loaded(state, "KWE", *loads), "KWE", "run")


@pytest.mark.rule("DO-ROUTE-12", "DO-BEERTRANSPORT-02")
def test_loaded_train_needs_city_and_red():
    state = beer_train(("5", 1), city=False)
    assert judged(state, ("5+1", TO_D16)) == ("beer_needs_city_and_red", "DO-BEERTRANSPORT-02")
    assert isinstance(judged(state, ("5+1", TO_E13)), int)
    assert judged(state, ("5", TO_E13))[0] == "train_not_owned"


@pytest.mark.rule("DO-BEERTRANSPORT-03", "DO-BEERTRANSPORT-08")
def test_what_a_cube_earns():
    state = beer_train(("5", 1))
    assert judged(state, ("5+1", TO_E13)) == 50 + 10 + 20 + 60 + 50
    assert best(state) == 210  # on to E11
    pay = turn(corporation(state, "KWE", 60, trains=("5",)), "KWE", "pay", revenue=190)
    assert act(FOUR, pay, 0, PayOut()).state.players[0].cash == 1000 + 38
    other = corporation(position(4, phase="5"), "CME", trains=("5",))
    other = station(tiles(kwe_net(other), E13="DO2 0"), D16="CME")
    other = turn(loaded(other, "CME", ("5", 1)), "CME", "run")
    assert judged(other, ("5+1", tuple(TO_E13)), company="CME") == 50 + 10 + 20 + 60 + 40


@pytest.mark.rule("DO-BEERTRANSPORT-03")
@pytest.mark.parametrize(("company", "home", "each"), [("DHB", "C9", 40), ("KWE", "E21", 50), ("CME", "E21", 40)])
def test_red_home_alone_pays_more(company, home, each):
    state = corporation(position(4, phase="5"), company, trains=("5",))
    where = setting_of(state, company, FOUR.policy(RouteRules))
    stops = tuple(f"{at}:a" for at in dict.fromkeys((home, "E13", "E21")))
    (bonus,) = beer(where, SimpleNamespace(train="5+2", stops=stops))
    assert bonus.amount == 2 * each


@pytest.mark.rule("DO-BEERTRANSPORT-04")
def test_forced_through_hex_that_cut_since():
    state = corporation(corporation(beer_train(("5", 1)), "BME", director=1), "CME", director=2)
    by = next(t for t in range(6) if FOUR.sheet.rotated["SR1", t].edges == {1, 2, 4, 5})
    state = turn(station(tiles(state, D16=f"SR1 {by}"), D16="BME CME"), "KWE", "run")
    assert judged(state, ("5+1!", TO_E13)) == 170
    assert judged(tokens(state, D16="S20"), ("5+1!", TO_E13)) == 170
    assert best(state) == 190  # on to E11
    free = turn(
        station(tiles(corporation(beer_train(("5", 1)), "BME", director=1), D16=f"SR1 {by}"), D16="BME"), "KWE", "run"
    )
    assert judged(free, ("5+1!", TO_E13))[0] == "train_not_owned"


@pytest.mark.rule("DO-BEERTRANSPORT-05", "DO-MARKET-14")
def test_cubes_return_to_stock():
    state = beer_train(("5", 1), ("6", 2), phase="6")
    stock = do_state(state).stock
    runs = FOUR.policy(RunningPolicy).best(state, "KWE")
    after = act(FOUR, state, 0, RunTrains(runs)).state
    assert (do_state(after).stock, do_state(after).loads, cubes(after)) == (stock + 3, {}, cubes(state))


@pytest.mark.rule("DO-BEERTRANSPORT-06")
def test_most_loaded_trains_run():
    state = beer_train(("5", 1), ("5", 1))
    runs = FOUR.policy(RunningPolicy).best(state, "KWE")
    assert len(runs) == 1
    assert judged(state, ("5+1", TO_E13)) == 190
    after = act(FOUR, state, 0, RunTrains(runs)).state
    assert do_state(after).loads == {}
    # a train without beer gives way
    mixed = beer_train(("5", 1), more=("4",))
    assert judged(mixed, ("4", TO_E13))[1] == "DO-BEERTRANSPORT-06"


@pytest.mark.rule("DO-BEERTRANSPORT-01", "DO-BEERTRANSPORT-07")
def test_a_loaded_train_is_not_sold():
    assert [FOUR.sheet.trains[k].own["wagons"] for k in ("2", "3", "4", "5", "6", "8")] == [0, 0, 0, 1, 2, 3]
    state = corporation(beer_train(("5", 1)), "CME", treasury=500)
    state = turn(state, "CME", "trains")
    assert refused(FOUR, state, 0, BuyTrain("KWE", "5", 100)).rule == "DO-BEERTRANSPORT-07"
    empty = replace(state, extra=replace(do_state(state), loads={}))
    assert act(FOUR, empty, 0, BuyTrain("KWE", "5", 100)).state.companies["CME"].trains == ("5",)
    assert total(empty) == total(state)


def test_the_run_step_is_not_passed():
    assert refused(FOUR, kwe("2"), 0, Pass()).code == "must_run"
