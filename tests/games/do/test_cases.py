"""Faults that such software has had, and what is right in 18DO."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import corporation, position, rules, turn
from tests.builders.random_positions import act
from trajekt.engine.actions import Pass, RunTrains, Withhold
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.running_and_dividends import RunningPolicy

FOUR = rules(4)


def turn_over(state, company):
    """Play a company's turn to its end without doing anything that can be left out."""
    while isinstance(state.agenda[-1], CompanyTurn) and state.agenda[-1].company == company:
        step = state.agenda[-1].step
        seat = state.companies[company].director
        runs = FOUR.policy(RunningPolicy).best(state, company) if step == "run" else ()
        state = act(FOUR, state, seat, {"run": RunTrains(runs), "pay": Withhold()}.get(step, Pass())).state
    return state


@pytest.mark.case("B57")
@pytest.mark.rule("DO-BANKR-01", "DO-BANKR-02")
def test_bankrupt_in_round_leaves_others_operating():
    state = position(4)
    order = ("CME", "BME", "RhE")
    for company, value in zip(order, (10, 60, 55), strict=True):
        state = corporation(state, company, value, trains=("2",))
    state = turn(state, "CME", "pay", revenue=0)
    whole = replace(state.agenda[-2], order=order)
    state = act(FOUR, replace(state, agenda=(state.agenda[0], whole, state.agenda[-1])), 0, Withhold()).state
    assert not state.companies["CME"].founded
    acted = []
    while isinstance(state.agenda[-2], OperatingRound) and state.agenda[-2].number == whole.number:
        acted.append(state.agenda[-1].company)
        state = turn_over(state, acted[-1])
    assert acted == ["BME", "RhE"]


@pytest.mark.case("B57")
@pytest.mark.rule("DO-BANKR-01")
def test_who_bankrupt_before_its_turn_skipped():
    state = position(4)
    for company in ("CME", "RhE"):
        state = corporation(state, company, 60, trains=("2",))
    state = turn(state, "CME", "trains")
    whole = replace(state.agenda[-2], order=("CME", "BME", "RhE"))  # the BME failed after the round had begun
    state = turn_over(replace(state, agenda=(state.agenda[0], whole, state.agenda[-1])), "CME")
    assert state.agenda[-1].company == "RhE"
