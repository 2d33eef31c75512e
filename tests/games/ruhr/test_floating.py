"""Section 19: floating at the end of a stock round (RUHR-FLOAT)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    act,
    at_table,
    in_phase,
    located,
    montan,
    rules,
    started,
    stock_turn,
    with_cash,
    with_company,
)
from trajekt.engine.actions import BuyShare, Pass
from trajekt.engine.state import IPO, POOL
from trajekt.games.ruhr.actions import FoundMontan
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.state import ruhr_state


def closed(state, number: int = 2):
    """The state after a stock round in which nobody wants anything more."""
    state = stock_turn(state, ADA, number=number, passes=3)
    if number == 1:
        privates = {n: replace(p, owner=BERT) if p.open else p for n, p in state.privates.items()}
        state = replace(state, privates=privates)
    state = replace(state, agenda=state.agenda[-1:])  # nothing follows the round
    return act(rules(), replace(state, players=tuple(replace(p, cash=2) for p in state.players)), ADA, Pass()).state


def new(state, company: str, value: int, **held: int):
    return started(state, company, ADA, value, floated=False, operated=False, **held)


@pytest.mark.rule("RUHR-FLOAT-01")
@pytest.mark.parametrize(("sold", "floats"), [(50, True), (40, False), (60, True)])
def test_railway_floats_with_half_sold(sold, floats):
    state = closed(new(in_phase(at_table(), "3"), "CME", 65, Ada=sold))
    assert state.companies["CME"].floated is floats
    assert (state.companies["CME"].treasury > 0) is floats


@pytest.mark.rule("RUHR-FLOAT-01")
def test_a_railway_floats_once():
    state = closed(started(in_phase(at_table(), "3"), "CME", ADA, 65, Ada=60))
    assert state.companies["CME"].treasury == 0


@pytest.mark.rule("RUHR-FLOAT-02")
def test_early_capital_by_certificates_sold():
    state = closed(new(in_phase(at_table(), "3"), "CME", 65, Ada=50))
    assert state.companies["CME"].treasury == 325
    assert state.companies["CME"].percent(IPO) == 50
    dgee = closed(new(in_phase(at_table(), "3"), "DGEE", 60, Ada=50))
    assert dgee.companies["DGEE"].treasury == 300


@pytest.mark.rule("RUHR-FLOAT-03")
@pytest.mark.parametrize(("par", "treasury"), [(90, 900), (70, 700)])
def test_full_capital_in_brown(par, treasury):
    state = closed(new(in_phase(at_table(), "5"), "CME", par, Ada=50))
    cme = state.companies["CME"]
    assert (cme.treasury, cme.percent(POOL), cme.percent(IPO), state.price("CME")) == (treasury, 50, 0, par)


@pytest.mark.rule("RUHR-FLOAT-04")
@pytest.mark.parametrize(("held", "treasury"), [({"Ada": 20, "pool": 30}, 130), ({"Ada": 40, "pool": 30}, 260)])
def test_bme_floats_after_first_stock_round(held, treasury):
    state = closed(new(at_table(), "BME", 65, **held), number=1)
    assert state.companies["BME"].floated
    assert state.companies["BME"].treasury == treasury


@pytest.mark.rule("RUHR-FLOAT-04")
def test_certificate_of_pool_brings_bme_nothing():
    state = closed(new(at_table(), "BME", 65, Ada=20, Bert=10, pool=20), number=1)
    assert state.companies["BME"].treasury == 130


def founded(phase: str, value: int, **held: int):
    state = in_phase(at_table(), phase)
    return montan(state, "RB", ADA, value, 5, markers="AAAB", phase=phase, settled=False, operated=False, **held)


@pytest.mark.rule("RUHR-FLOAT-05")
def test_green_montan_has_excess_certificates():
    state = closed(founded("4", 60))
    company = state.companies["RB"]
    assert (company.percent(IPO), company.percent(POOL), company.treasury, state.price("RB")) == (40, 40, 120, 50)
    two = closed(founded("4", 60, Ada=40, Bert=20))
    assert (two.companies["RB"].percent(IPO), two.companies["RB"].treasury, two.price("RB")) == (40, 0, 60)


@pytest.mark.rule("RUHR-FLOAT-06")
def test_brown_founding_fills_pool():
    state = closed(with_company(founded("6", 100, Ada=20, Bert=20), "RB", treasury=200))
    company = state.companies["RB"]
    assert (company.treasury, company.percent(POOL), company.percent(IPO), state.price("RB")) == (450, 60, 0, 75)


@pytest.mark.rule("RUHR-FLOAT-06")
@pytest.mark.parametrize(("held", "money", "price"), [({"Ada": 20, "Bert": 40}, 140, 70), ({}, 280, 60)])
def test_two_are_paid_after_falls(held, money, price):
    state = closed(founded("5", 80, **held))
    assert (state.companies["RB"].treasury, state.price("RB")) == (money, price)


@pytest.mark.rule("RUHR-FLOAT-07")
def test_floating_once_after_founding():
    state = closed(founded("4", 60))
    assert ruhr_state(state).montan["RB"].settled
    later = closed(replace(in_phase(state, "5"), agenda=()), number=3)
    assert (later.companies["RB"].percent(IPO), later.price("RB")) == (40, 50)
    bought_back = montan(in_phase(at_table(), "4"), "RB", ADA, 60, 5, markers="AAAB", settled=True)
    assert closed(bought_back).companies["RB"].percent(IPO) == 80


@pytest.mark.rule("RUHR-FLOAT-07")
def test_several_in_operating_order():
    state = montan(founded("5", 80), "US", BERT, 90, 3, markers="AAAB", phase="5", settled=False, operated=False)
    state = closed(state)
    assert (state.price("RB"), state.price("US")) == (60, 65)


@pytest.mark.rule("RUHR-FLOAT-06", "RUHR-MR-06")
@pytest.mark.parametrize(("phase", "third"), [("6", 100), ("8", 0)])
def test_the_worked_example_from_founding_on(phase, third):
    ruleset = rules(brown_third_value=third)
    state = located(in_phase(at_table(), phase), pmc14=10)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT)), agenda=(Foundation(),))
    state = act(ruleset, with_cash(state, Ada=102, Bert=102), ADA, FoundMontan("SK", 14, 100)).state
    assert (state.companies["SK"].treasury, state.companies["SK"].percent(IPO)) == (100, 80)
    state = act(ruleset, stock_turn(replace(state, agenda=()), BERT), BERT, BuyShare("SK", IPO, 20)).state
    assert state.companies["SK"].treasury == 200
    company = (done := closed(replace(state, agenda=()))).companies["SK"]
    assert (company.treasury, company.percent(POOL), company.percent(IPO), done.price("SK")) == (450, 60, 0, 75)


@pytest.mark.rule("RUHR-SR-25", "RUHR-FLOAT-04")
def test_bme_floats_without_private():
    state = new(in_phase(at_table(), "4"), "BME", 60, Ada=40, Bert=10)
    assert state.privates[19].owner is None
    done = closed(state, number=2)
    assert (done.companies["BME"].treasury, done.companies["BME"].percent(IPO)) == (300, 50)
