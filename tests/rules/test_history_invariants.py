"""The checks along a game: each finds the event that breaks it; whole turns break nothing."""

from __future__ import annotations

import pytest

from tests.builders.random_positions import act, on_top, with_holdings
from tests.builders.rhl_turns import company, in_turn, ruleset, runs, unsold
from trajekt.engine import events as e
from trajekt.engine.actions import BuyTrain, PayOut, RunTrains
from trajekt.engine.board.board import Station
from trajekt.engine.state import BANK, State
from trajekt.rules.history_invariants import faults
from trajekt.rules.operating_round import CompanyTurn, OperatingRound


def earning() -> State:
    state = company(unsold(2, cash=100), "ADR", (2, 3), director=0, trains=("3",), treasury=400)
    return in_turn(with_holdings(state, "ADR", director=0, Ada=40, Bert=10, pool=20, charter=30), "ADR")


def test_a_whole_turn_breaks_nothing():
    rules, start = ruleset(2), earning()
    state, events = start, []
    for action in (RunTrains(runs(70)), PayOut(), BuyTrain("display", "4", 300)):
        decision = act(rules, state, 0, action)
        state, events = decision.state, [*events, *decision.events]
    assert any(isinstance(each, e.Paid) and each.cause == "dividend" for each in events)
    assert list(faults(rules, start, events)) == []


def paying(*events: e.Event) -> tuple[e.Event, ...]:
    return (*events, e.TopReplaced(CompanyTurn("ADR", "trains", revenue=100)))


TERMS = {"revenue": 100, "stops": [{"amount": 60}], "bonuses": [{"amount": 40}]}
BROKEN = {
    "a marker jumps": ("INV-09", (e.PriceMoved("ADR", (1, 9), "dividend"),)),
    "a second station": (
        "INV-13",
        (
            e.StationPlaced("B9", Station("ADR", 0), 0),
            e.StationPlaced("E6", Station("ADR", 0), 0),
        ),
    ),
    "a phase goes back": ("INV-15", (e.PhaseBegan("yellow"),)),
    "a sum of other parts": ("INV-16", (e.TrainsRan("ADR", 100, ({**TERMS, "stops": []},)),)),
    "a sum of other routes": ("INV-16", (e.TrainsRan("ADR", 150, (TERMS,)),)),
    "a share too much": ("INV-18", paying(e.Paid(BANK, 0, 50, "dividend"), e.Paid(BANK, 1, 10, "dividend"))),
    "a share forgotten": ("INV-18", paying(e.Paid(BANK, 0, 40, "dividend"), e.Paid(BANK, 1, 10, "dividend"))),
    "a company operates twice": ("INV-19", (e.TopReplaced(OperatingRound(2, 1, 1, ("ADR", "ADR"))),)),
    "five Mark": ("INV-25", (e.TrainsRan("ADR", 5, ({**TERMS, "revenue": 5, "stops": [{"amount": -35}]},)),)),
    "a payment of nothing": ("INV-25", (e.Paid(BANK, 0, 0, "income"),)),
    "a link that pays twice": ("INV-27", (e.Paid(BANK, "ADR", 10, "link"), e.Paid(BANK, "ADR", 10, "link"))),
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_each_broken_event_is_found(name):
    id_, events = BROKEN[name]
    assert [message[:6] for message in faults(ruleset(2), earning(), events)] == [id_]


def test_what_is_right_is_not_found():
    paid = paying(e.Paid(BANK, 0, 40, "dividend"), e.Paid(BANK, 1, 10, "dividend"), e.Paid(BANK, "ADR", 30, "dividend"))
    right = (e.TrainsRan("ADR", 100, (TERMS,)), *paid, e.PriceMoved("ADR", (2, 4), "dividend"), e.PhaseBegan("green4"))
    assert list(faults(ruleset(2), earning(), right)) == []


def test_turn_that_ends_without_train_found():
    state = company(unsold(2), "ADR", director=0)
    left = on_top(state, OperatingRound(2, 1, 1), CompanyTurn("ADR", "trains"))
    assert [message[:6] for message in faults(ruleset(2), left, (e.FramePopped(),))] == ["INV-20"]
    assert list(faults(ruleset(2, could=False), left, (e.FramePopped(),))) == []


def test_turns_at_once_are_told_apart():
    other = e.Paid(BANK, 2, 70, "dividend")  # what another company paid in the turn above
    begun = on_top(earning(), OperatingRound(2, 1, 1), CompanyTurn("ADR"))
    paid = paying(e.Paid(BANK, 0, 40, "dividend"), e.Paid(BANK, 1, 10, "dividend"), e.Paid(BANK, "ADR", 30, "dividend"))
    first = e.TopReplaced(CompanyTurn("ADR", "track"))
    assert list(faults(ruleset(2), begun, (other, first, *paid))) == []
    assert [message[:6] for message in faults(ruleset(2), begun, (first, other, *paid))] == ["INV-18"]
