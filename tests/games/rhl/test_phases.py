"""Phases of 18Rhl (section 14 of the rule sheet)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, position
from tests.builders.rhl_turns import company, in_turn, ruleset, with_depot
from trajekt.engine.actions import BuyTrain
from trajekt.engine.decisions import awaited
from trajekt.engine.events import PhaseBegan, PrivateClosed, TrainMoved
from trajekt.engine.state import Private
from trajekt.games.rhl.route_editions import SECOND
from trajekt.games.rhl.route_rules import route_rules
from trajekt.rules.running_and_dividends import setting_of
from trajekt.rules.trains import TooManyTrains, on_display

EDITIONS = pytest.mark.parametrize("edition", [1, 2])
KINDS = ("2", "3", "4", "5", "6", "8")
BEFORE = {"3": "yellow", "4": "green", "5": "green4", "6": "brown", "8": "brown6"}
AFTER = {"3": "green", "4": "green4", "5": "brown", "6": "brown6", "8": "grey"}


def before_first(edition, kind, trains=(), **others):
    """ADR may buy the first train of a kind; all kinds before it are sold out."""
    sold = KINDS[: KINDS.index(kind)]
    state = position(edition, cash=100, phase=BEFORE[kind])
    state = with_depot(state, {k: state.depot.display[k] for k in KINDS if k not in sold}, (), sold)
    state = company(state, "ADR", director=0, treasury=900, trains=trains)
    for n, (name, (director, owned)) in enumerate(others.items()):
        state = company(state, name, (1, 4 + n), director=director, trains=owned)
    return in_turn(state, "ADR", "trains")


def bought(edition, kind, **given):
    state = before_first(edition, kind, **given)
    return act(ruleset(edition), state, 0, BuyTrain("display", kind, state.sheet.trains[kind].price))


@EDITIONS
@pytest.mark.rule("COMMON-PHS-01")
def test_the_game_begins_in_yellow(edition):
    state = position(edition)
    phase = state.current_phase
    assert (phase.tiles, phase.train_limit, phase.industry_bonus, phase.operating_rounds) == (("yellow",), 4, 20, 1)
    nijmegen = state.sheet.hexes["A4"].face.stops[0]
    assert state.sheet.value(nijmegen, phase.values) == 40


@EDITIONS
@pytest.mark.rule("COMMON-PHS-02")
@pytest.mark.case("B16")
def test_first_3_train_brings_green(edition):
    decision = bought(edition, "3", BME=(1, ("2",)))
    after = decision.state
    assert [e.phase for e in decision.events if isinstance(e, PhaseBegan)] == ["green"]
    assert after.current_phase.tiles == ("yellow", "green")
    assert after.current_phase.operating_rounds == 2
    assert after.agenda[0].planned == 1  # this set keeps its number
    assert after.companies["BME"].trains == ("2",)


@EDITIONS
@pytest.mark.rule("COMMON-PHS-03")
def test_first_4_train_ends_2_trains(edition):
    after = bought(edition, "4", trains=("2",), BME=(1, ("2", "3"))).state
    assert (after.companies["ADR"].trains, after.companies["BME"].trains) == (("4",), ("3",))
    assert after.current_phase.train_limit == 3
    assert after.current_phase.colour == "green"


@EDITIONS
@pytest.mark.rule("COMMON-PHS-04", "COMMON-PRV-01")
@pytest.mark.case("B16")
def test_first_5_train_closes_privates(edition):
    state = before_first(edition, "5")
    privates = {n: Private(n, owner=n % 3, open=n != 2) for n in (1, 2, 3, 4, 5)}
    state = replace(state, privates={**state.privates, **privates})
    decision = act(ruleset(edition), state, 0, BuyTrain("display", "5", 500))
    after = decision.state
    closed = [e.private for e in decision.events if isinstance(e, PrivateClosed)]
    assert [number for number in closed if number in privates] == [1, 3, 4, 5]
    assert not any(p.open for p in after.privates.values())
    phase = after.current_phase
    assert (phase.tiles[-1], phase.train_limit, phase.industry_bonus, phase.operating_rounds) == ("brown", 2, 40, 3)
    assert on_display(after) == ("5", "6")
    setting = setting_of(after, "ADR", route_rules(SECOND))
    assert (setting.colour, setting.industry) == ("brown", 40)
    assert after.sheet.value(after.sheet.hexes["A4"].face.stops[0], setting.colour) == 60


@EDITIONS
@pytest.mark.rule("COMMON-PHS-05")
def test_first_6_train_ends_3_trains(edition):
    after = bought(edition, "6", trains=("3",), BME=(1, ("3", "4"))).state
    assert (after.companies["ADR"].trains, after.companies["BME"].trains) == (("6",), ("4",))
    assert on_display(after) == ("6", "8")
    assert (after.current_phase.colour, after.current_phase.train_limit) == ("brown", 2)


@EDITIONS
@pytest.mark.rule("RHL-PHS-06")
def test_first_8_train_brings_grey(edition):
    after = bought(edition, "8", trains=("4",), BME=(1, ("4", "5"))).state
    assert (after.companies["ADR"].trains, after.companies["BME"].trains) == (("8",), ("5",))
    assert after.current_phase.tiles == ("yellow", "green", "brown", "grey")
    assert after.depot.gone == ("4", "4")


@EDITIONS
@pytest.mark.rule("COMMON-PHS-07")
def test_first_from_display_changes_phase(edition):
    rules = ruleset(edition)
    second = with_depot(before_first(edition, "4"), {"4": 2, "5": 3}, ("3",), ("2", "3", "4"))
    second = replace(second, phase="green4")
    for action in (BuyTrain("display", "4", 300), BuyTrain("pool", "3", 200)):
        decision = act(rules, second, 0, action)
        assert not [e for e in decision.events if isinstance(e, PhaseBegan)]
        assert decision.state.phase == "green4"
    # a 5-train bought after the first 6-train does not bring the phase back
    late = with_depot(before_first(edition, "8"), {"5": 1, "6": 4, "8": 4}, (), ("2", "3", "4", "5", "6"))
    assert act(rules, late, 0, BuyTrain("display", "5", 500)).state.phase == "brown6"


@EDITIONS
@pytest.mark.rule("COMMON-PHS-07", "COMMON-TRN-09")
def test_the_effects_come_in_their_order(edition):
    """Phase, obsolescence, closings, then discards of whoever is above the limit."""
    state = before_first(edition, "5", trains=("4",), BME=(1, ("3", "4", "4")))
    state = replace(state, privates={1: Private(1, owner=0)})
    decision = act(ruleset(edition), state, 0, BuyTrain("display", "5", 500))
    names = [type(e).__name__ for e in decision.events if isinstance(e, TrainMoved | PhaseBegan | PrivateClosed)] + [
        type(decision.state.top).__name__
    ]
    assert names == ["TrainMoved", "PhaseBegan", "PrivateClosed", "TooManyTrains"]
    assert decision.state.top == TooManyTrains(("BME",))
    assert tuple(awaited(ruleset(edition), decision.state)) == (1,)
    four = bought(edition, "4", trains=("2",), BME=(1, ("2", "3")))
    order = [
        (e.train, e.target) if isinstance(e, TrainMoved) else "phase"
        for e in four.events
        if isinstance(e, TrainMoved | PhaseBegan)
    ]
    assert order == [("4", "ADR"), "phase", ("2", "gone"), ("2", "gone")]


@EDITIONS
@pytest.mark.rule("COMMON-PHS-07")
@pytest.mark.parametrize("kind", list(AFTER))
def test_each_first_train_begins_its_phase(edition, kind):
    assert bought(edition, kind).state.phase == AFTER[kind]
