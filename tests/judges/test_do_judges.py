"""The judges of 18DO against the engine, and that they see what is wrong (the long run: `make judge`)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import rules
from tests.judges.do_beer import Beer
from tests.judges.do_match import match
from tests.judges.do_papers import Papers
from tests.judges.do_schedule import Schedule
from tests.judges.do_track import DoTrack
from tests.judges.plain import action_of, event_of, moves, position_of, sheet_of
from tests.judges.tally import Tally

LOOKED_AT = {
    "delivery", "clearing", "order", "turned", "loaded", "link", "shift", "railway in turn", "brewery in turn", "bidder",
    "seat in the stock round", "priority deal", "ledger", "price of a certificate", "proceeds", "dividend", "own deal",
    "value after a dividend", "value after a sale", "share limit", "certificate limit", "credit", "the director pays",
    "a forced sale is needed", "lay", "station", "income", "best runs", "price of equipment", "half of a minor's income",
}  # fmt: skip


@pytest.mark.rule(
    "DO-TRK-04", "DO-TRK-07", "DO-TRK-10", "DO-TRK-12", "DO-TRK-13", "DO-TRK-14", "DO-TOK-02", "DO-TOK-06"
)
@pytest.mark.rule("DO-LINK-02", "DO-LINK-03", "DO-LINK-09", "DO-ROUTE-02", "DO-ROUTE-03", "DO-REV-01", "DO-REV-05")
@pytest.mark.rule(
    "DO-BREW-10", "DO-BREW-11", "DO-BREW-24", "DO-BREW-30", "DO-MARKET-01", "DO-ORDER-10", "DO-BEC-03", "DO-BEC-05"
)
@pytest.mark.rule(
    "DO-ORDER-02", "DO-ORDER-03", "DO-SR-02", "DO-SR-03", "DO-SR-06", "DO-START-03", "DO-SR-12", "DO-SR-21"
)
@pytest.mark.rule(
    "DO-FORCED-01", "DO-FORCED-02", "DO-FORCED-04", "DO-FORCED-05", "DO-BREW-31", "DO-BREW-32", "DO-BREW-34"
)
def test_judges_and_engine_agree():
    whole = Tally()
    for seed in range(9):
        found = match(seed, share=0.02)
        assert found.faults == [], seed
        whole.add(found)
    assert set(whole.asked) >= LOOKED_AT
    assert {"lay", "station", "link"} <= set(+whole.legal)


def first_of(kind, game="full", seed=3, **values):
    """The first decision of a random game that brings an event of a kind with these values, and the way to it."""
    way = []
    for move in moves(rules(3, game=game), 3, seed):
        way.append(move)
        for event in map(event_of, move.decision.events):
            if event["event"] == kind and all(event[name] == value for name, value in values.items()):
                return way, event
    raise AssertionError(kind)


def told(judge_of, way, wrong, right):
    """What a judge says when one event of the last decision of a way is another."""
    judge = judge_of(sheet_of(rules(3).sheet), position_of(way[0].before))
    for move in way:
        before, action = position_of(move.before), action_of(move.action)
        if hasattr(judge, "decided"):
            judge.decided(move.seat, action, before)
        for event in map(event_of, move.decision.events):
            judge.book(wrong if move is way[-1] and event == right else event)
        if hasattr(judge, "settled"):
            judge.settled(position_of(move.decision.state))
    return judge.faults


def test_judge_of_beer_sees_wrong_delivery():
    way, right = first_of("beer", cause="delivered")
    assert told(Beer, way, right, right) == []
    assert told(Beer, way, {**right, "count": right["count"] - 1}, right)


def test_judge_of_papers_sees_wrong_payment():
    way, right = first_of("paid", cause="dividend")
    assert told(Papers, way, right, right) == []
    assert told(Papers, way, {**right, "amount": right["amount"] + 10}, right)


def test_the_scheduler_sees_a_wrong_seat():
    way, right = first_of("priority")
    assert told(Schedule, way, right, right) == []
    assert told(Schedule, way, {**right, "seat": (right["seat"] + 1) % 3}, right)


def test_track_judge_refuses_faulty_track():
    way, laid = first_of("tile")
    state = way[-1].before
    judge = DoTrack(sheet_of(rules(3).sheet), position_of(state))
    turn = position_of(state)["agenda"][-1]
    rich = 1000
    assert judge.lay(turn, laid["hex"], laid["tile"], laid["turn"], rich) == ""
    assert judge.lay({**turn, "lays": ("normal",)}, laid["hex"], laid["tile"], laid["turn"], rich) == "step"
    assert judge.lay(turn, "E13", "DO1", 0, rich) == "phase"
    assert judge.lay(turn, "A21", "9", 0, rich) == "finished"
    spent = replace(state, supply={**state.supply, laid["tile"]: 0})
    assert DoTrack(sheet_of(rules(3).sheet), position_of(spent)).lay(
        turn, laid["hex"], laid["tile"], laid["turn"], rich
    )
