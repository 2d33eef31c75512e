"""After a "no": what is negotiated with a number stays open for the other numbers, and the same is not asked again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import number
from tests.builders.do_breweries import turn as brewing
from tests.builders.do_expert import hold
from tests.builders.do_positions import corporation, display, equipment, kwe_net, minor, position, rules, turn
from tests.builders.random_positions import act, refused, with_company
from trajekt.engine.actions import BuyTrain, Decline
from trajekt.engine.decisions import legal, refusal
from trajekt.engine.ruleset import Span, spans_between
from trajekt.games.do.actions import BuyMarker, LoadTrain
from trajekt.games.do.state import do_state

FOUR = rules(4)
EXPERT = rules(4, game="expert")


def declined(ruleset, state, action):
    """The position after the director of the other side has declined."""
    return act(ruleset, act(ruleset, state, 0, action).state, 1, Decline()).state


def numbers(ruleset, state, field, **wanted):
    """Every number of a field that is offered with actions that have these values."""
    found = set()
    for choice in legal(ruleset, state, (0,)):
        if all(getattr(choice.action, name, None) == value for name, value in wanted.items()):
            span = choice.spans.get(field, Span(*[getattr(choice.action, field, 0)] * 2))
            found |= set(range(span.low, span.high + 1, span.step))
    return found


def loading():
    """The DUB with a type 6 of two arrows; the KWE of another director has a 6 and an 8."""
    state = equipment(corporation(position(4, "6"), "DUB", 80, 0, sizes={"Ada": (10, 10)}), "DUB", "6")
    state = kwe_net(corporation(state, "KWE", 60, 1, sizes={"Bert": (10, 10, 10)}, trains=("6",)))
    state = display(minor(state, 2, "B4", 0, ("5",)), t2=0, t3=0, t4=0, t5=0)
    return brewing(with_company(state, "KWE", trains=("6", "8")), "DUB")


@pytest.mark.rule("DO-BREW-22")
@pytest.mark.parametrize("said_no", [1, 2])
def test_declined_load_bars_its_number_alone(said_no):
    state = loading()
    load = LoadTrain("KWE", "6", 0, number(state, "DUB"), said_no)
    after = declined(FOUR, state, load)
    other = 3 - said_no
    assert numbers(FOUR, after, "count", train="6", company="KWE") == {other}
    assert refused(FOUR, after, 0, load).rule == "DO-BREW-22"
    assert act(FOUR, after, 0, replace(load, count=other))


@pytest.mark.rule("DO-BREW-22")
def test_declined_load_bars_its_train_alone():
    state = loading()
    after = declined(FOUR, state, LoadTrain("KWE", "6", 0, number(state, "DUB"), 1))
    assert numbers(FOUR, after, "count", train="8", company="KWE") == {1, 2}
    assert refusal(FOUR, after, 0, LoadTrain("KWE", "8", 0, number(state, "DUB"), 1)) is None


@pytest.mark.rule("DO-X-06")
@pytest.mark.parametrize("said_no", [50, 70, 150])
def test_declined_marker_bars_its_price_alone(said_no):
    state = corporation(position(4, "6", game="expert"), "DUB", 80, 0, sizes={"Ada": (10, 10)}, treasury=500)
    state = hold(minor(equipment(state, "DUB", "5"), 1, "B4", 0, ("5",)), "B4", "C")
    state = brewing(display(state, t2=0, t3=0, t4=0, t5=0), "DUB", "buy")
    after = declined(EXPERT, state, BuyMarker("C", "B4", said_no))
    assert numbers(EXPERT, after, "price", code="C", source="B4") == set(range(50, 151)) - {said_no}
    no = refused(EXPERT, after, 0, BuyMarker("C", "B4", said_no))
    assert (no.rule, no.args["price"]) == ("DO-X-06", said_no)


@pytest.mark.rule("COMMON-TRN-05")
def test_declined_train_not_offered_again():
    state = corporation(position(4), "CME", 60, 0, sizes={"Ada": (10,) * 3}, treasury=200, trains=("2",))
    state = corporation(state, "BME", 60, 1, sizes={"Bert": (10,) * 3}, trains=("2", "2"))
    after = declined(FOUR, turn(state, "CME", "trains"), BuyTrain("BME", "2", 90))
    assert numbers(FOUR, after, "price", source="BME") == {*range(1, 90), *range(91, 201)}
    assert refused(FOUR, after, 0, BuyTrain("BME", "2", 90)).code == "declined"
    assert do_state(after) == do_state(state)
    assert act(FOUR, after, 0, BuyTrain("BME", "2", 91))


@pytest.mark.parametrize(
    ("taken", "left"),
    [((), [(1, 5)]), ((1,), [(2, 5)]), ((5, 3), [(1, 2), (4, 4)]), ((0, 6), [(1, 5)]), (range(1, 6), [])],
)
def test_spans_are_cut_at_what_taken(taken, left):
    assert [(span.low, span.high) for span in spans_between(1, 5, taken)] == left
