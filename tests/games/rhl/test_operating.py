"""Operating rounds of 18Rhl: incomes, order, steps (section 7 of the rule sheet)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, on_top, position, refused, with_cash, with_holdings
from tests.builders.rhl_turns import company, in_turn, ruleset, runs, unsold, with_depot
from trajekt.engine.actions import BuyTrain, ChooseForcedTrain, Pass, PayOut, RunTrains, SellShares, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.decisions import legal
from trajekt.engine.events import Paid, PriceMoved, TrainsRan
from trajekt.engine.ruleset import Code, Draft, Ruleset
from trajekt.engine.state import BANK, Private, State
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


def settled(rules: Ruleset, state: State) -> Draft:
    """Let frames run by themselves, as after an action."""
    draft = Draft(rules, state)
    run(draft)
    return draft


def waiting(state: State) -> str:
    top = state.top
    assert isinstance(top, CompanyTurn), top
    return f"{top.company}:{top.step}"


@EDITIONS
@pytest.mark.rule("COMMON-OR-01")
def test_open_privates_pay_before_anybody_operates(edition):
    state = position(edition, cash=0)
    owned = {1: Private(1, owner=0), 4: Private(4, owner=0), 3: Private(3, owner=1, open=False), 5: Private(5)}
    state = company(state, "ADR", director=0, trains=("2",))
    state = on_top(replace(state, privates={**state.privates, **owned}), Rounds(1, 1, 1), OperatingRound(1, 1, 1))
    draft = settled(ruleset(edition), state)
    incomes = [e for e in draft.events if isinstance(e, Paid)]
    assert incomes == [Paid(BANK, 0, 5, "private"), Paid(BANK, 0, 20, "private")]
    assert draft.state.players[0].cash == 25
    assert draft.events.index(incomes[-1]) < next(
        n for n, e in enumerate(draft.events) if getattr(e, "frame", None) == CompanyTurn("ADR")
    )


@EDITIONS
@pytest.mark.rule("COMMON-OR-02")
def test_equal_prices_right_then_upper(edition):
    state = company(position(edition), "DEE", (1, 2))
    state = company(state, "GVE", (2, 3))
    state = company(state, "BME", (2, 3))
    state = company(state, "RhE", (1, 4))
    assert [state.price(c) for c in ("DEE", "GVE", "BME")] == [80, 80, 80]
    assert state.operating_order == ("RhE", "GVE", "BME", "DEE")


@EDITIONS
@pytest.mark.rule("COMMON-OR-03")
@pytest.mark.case("B56")
def test_forced_sale_changes_who_operates_next(edition):
    """ADR (70) and BME (65) wait; CME's director must sell ADR, which falls below BME on r4c2."""
    state = unsold(edition, cash=0)
    state = company(state, "CME", (1, 4), director=0)
    state = company(state, "BME", (4, 2), director=1, trains=("3",))
    state = company(state, "ADR", (3, 2), director=1, trains=("3",))
    state = with_holdings(state, "CME", director=0, Ada=20)
    state = with_holdings(state, "ADR", director=1, Bert=50, Ada=10)
    state = with_holdings(state, "BME", director=1, Bert=50)
    state = with_cash(state, Ada=250)
    state = in_turn(state, "CME", "trains")
    rules = ruleset(edition)
    assert state.operating_order == ("CME", "ADR", "BME")
    state = act(rules, state, 0, ChooseForcedTrain("display", "4")).state
    state = act(rules, state, 0, SellShares("ADR", 10)).state
    assert state.markers.spaces["ADR"] == (4, 2)
    assert waiting(state) == "BME:run"
    for name in ("BME", "ADR"):
        assert waiting(state).startswith(name)
        state = act(rules, state, 1, RunTrains(runs(10, train="3"))).state
        state = act(rules, state, 1, Withhold()).state
        if isinstance(state.top, CompanyTurn) and state.top.step == "trains" and state.top.company == name:
            state = act(rules, state, 1, Pass()).state
    assert not isinstance(state.top, CompanyTurn)


@EDITIONS
@pytest.mark.rule("COMMON-OR-04")
def test_steps_come_once_in_order(edition):
    rules = ruleset(edition)
    state = in_turn(company(unsold(edition), "ADR", director=0, trains=("3",), treasury=300), "ADR")
    for early in (PayOut(), Withhold(), BuyTrain("display", "4", 300)):
        found = refused(rules, state, 0, early)
        assert (found.code, found.rule) == (Code.WRONG_STEP, "COMMON-OR-04")
    state = act(rules, state, 0, RunTrains(runs(120))).state
    assert waiting(state) == "ADR:pay"
    assert refused(rules, state, 0, RunTrains(runs(120))).code == Code.WRONG_STEP
    assert refused(rules, state, 0, BuyTrain("display", "4", 300)).code == Code.WRONG_STEP
    state = act(rules, state, 0, PayOut()).state
    assert waiting(state) == "ADR:trains"
    assert refused(rules, state, 0, Withhold()).code == Code.WRONG_STEP
    assert refused(rules, state, 0, RunTrains(runs(120))).rule == "COMMON-OR-04"


@EDITIONS
@pytest.mark.rule("COMMON-OR-04", "COMMON-DIR-01")
def test_only_the_director_acts(edition):
    state = in_turn(company(unsold(edition), "ADR", director=0, trains=("3",)), "ADR")
    found = refused(ruleset(edition), state, 1, RunTrains(runs(120)))
    assert (found.code, found.rule) == (Code.NOT_DIRECTOR, "COMMON-DIR-01")


@EDITIONS
@pytest.mark.rule("COMMON-OR-07")
def test_bought_train_runs_next_turn(edition):
    rules = ruleset(edition)
    state = company(unsold(edition), "ADR", (2, 4), director=0, treasury=300, operated=False)
    draft = settled(rules, in_turn(state, "ADR", "station"))
    assert TrainsRan("ADR", 0) in draft.events
    assert waiting(draft.state) == "ADR:trains"
    decision = act(rules, draft.state, 0, BuyTrain("display", "4", 300))
    assert decision.state.companies["ADR"].trains == ("4",)
    assert not [e for e in decision.events if isinstance(e, TrainsRan)]
    assert decision.state.companies["ADR"].revenue == 0
    assert decision.state.companies["ADR"].operated


@EDITIONS
@pytest.mark.rule("COMMON-RTE-12", "COMMON-OR-04")
def test_running_mandatory_where_train_can_run(edition):
    rules = ruleset(edition)
    state = in_turn(company(unsold(edition), "ADR", director=0, trains=("3",)), "ADR")
    assert refused(rules, state, 0, RunTrains(())).code == Code.MUST_RUN
    found = refused(rules, state, 0, Pass())
    assert (found.code, found.rule) == (Code.MUST_RUN, "COMMON-RTE-12")
    earned = act(rules, state, 0, RunTrains(runs(100, train="3"))).state
    assert refused(rules, earned, 0, Pass()).code == Code.MUST_DECIDE
    found = refused(rules, state, 0, RunTrains((*runs(50, 1), replace(runs(1)[0], track=("bad",)))))
    assert (found.code, found.rule, found.args["run"]) == ("too_long", "COMMON-RTE-06", 3)
    assert act(rules, state, 0, RunTrains(runs(50))).state.companies["ADR"].revenue == 50  # 100 would be possible


@EDITIONS
@pytest.mark.rule("COMMON-RTE-12")
def test_best_runs_are_offered_and_accepted(edition):
    rules = ruleset(edition)
    state = in_turn(company(unsold(edition), "ADR", director=0, trains=("3",)), "ADR")
    offered = [c for c in legal(rules, state, (0,)) if isinstance(c.action, RunTrains)]
    assert [(c.action.runs, c.free) for c in offered] == [(runs(100), ("runs",))]


@EDITIONS
@pytest.mark.rule("COMMON-OR-07", "COMMON-DIV-02")
def test_train_without_route_is_not_asked(edition):
    state = company(unsold(edition, cash=100), "ADR", (2, 4), director=0, trains=("3",))
    draft = settled(ruleset(edition, can=False, could=False), in_turn(state, "ADR", ""))
    assert TrainsRan("ADR", 0) in draft.events
    assert PriceMoved("ADR", (2, 3), "no_revenue") in draft.events
    assert not isinstance(draft.state.top, CompanyTurn)


@EDITIONS
@pytest.mark.rule("COMMON-OR-08")
def test_empty_round_pays_incomes_only(edition):
    state = replace(position(edition), privates={1: Private(1, owner=2)})
    state = on_top(with_cash(company(state, "ADR", floated=False), Bert=100), Rounds(1))
    draft = settled(ruleset(edition), state)
    assert draft.state.players[2].cash == 5
    assert [e.cause for e in draft.events if isinstance(e, Paid)] == ["private"]
    assert isinstance(draft.state.agenda[0], Rounds)
    assert draft.state.agenda[0].number == 2  # the second stock round, where Bert, who has money, may act


@EDITIONS
@pytest.mark.rule("COMMON-OR-08", "COMMON-PHS-02")
@pytest.mark.case("B58")
def test_round_count_is_fixed_early(edition):
    """The first 5-train in round 1 of 2: this set keeps two, the next has three."""
    rules = ruleset(edition)
    state = company(unsold(edition, cash=100), "ADR", director=0, trains=("4",), treasury=600)
    state = with_depot(state, {"5": 3, "6": 6, "8": 4}, sold=("2", "3", "4"))
    state = replace(state, phase="green4")
    state = on_top(state, Rounds(2, 2, 1), OperatingRound(2, 1, 2, ("ADR",), opened=True), CompanyTurn("ADR", "trains"))
    state = act(rules, state, 0, BuyTrain("display", "5", 500)).state
    assert state.phase == "brown"
    while state.agenda and isinstance(state.top, CompanyTurn):
        rounds = state.agenda[0]
        step = state.top.step
        action = {"trains": Pass(), "run": RunTrains(runs(50)), "pay": Withhold()}[step]
        state = act(rules, state, 0, action).state
    assert rounds == Rounds(2, 2, 2)
    assert isinstance(state.top, StockRound)
    for seat in (0, 1, 2):
        state = act(rules, state, seat, Pass()).state
    assert state.agenda[:2] == (Rounds(3, 3, 1), OperatingRound(3, 1, 3, ("ADR",), opened=True))


@EDITIONS
@pytest.mark.rule("COMMON-OR-03", "COMMON-OR-08")
def test_company_without_float_does_not_operate(edition):
    state = company(unsold(edition), "ADR", director=0, trains=("3",))
    state = company(state, "BME", (1, 4), director=0, floated=False, trains=())
    draft = settled(ruleset(edition), on_top(state, Rounds(2, 1, 1), OperatingRound(2, 1, 1)))
    assert waiting(draft.state) == "ADR:run"
