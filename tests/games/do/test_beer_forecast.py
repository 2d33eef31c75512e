"""The beer market played on in numbers against the rounds that the rules play."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import beer, display, do_state, minor, position, rules
from trajekt.engine.agenda import run
from trajekt.engine.decisions import decide, legal
from trajekt.engine.ruleset import Draft
from trajekt.games.do.beer_forecast import brewers_of, market_now, played_on
from trajekt.games.do.beer_market_clearing import cleared
from trajekt.games.do.events import BreweryEarned
from trajekt.games.do.frames import BreweryRound
from trajekt.rules.round_sequence import Rounds


def in_play(*held, **market):
    state = position(4, "4")
    for seat, (name, kinds) in enumerate(zip(("B7", "B4", "B3"), held, strict=False)):
        state = minor(state, seat, name, 0, kinds)
    return beer(state, **{"c3": False, "c4": False, **market})


def really(state):
    """What each brewery earns in the next brewery round by the rules, nothing bought."""
    state = replace(state, agenda=(Rounds(4, 2, 1), BreweryRound(4, 1, 2)))
    draft = Draft(rules(), state)
    run(draft)
    earned, state = {}, draft.state
    while isinstance(state.agenda[1], BreweryRound) and state.agenda[1].number == 1:
        choice = next(c for c in legal(rules(), state) if type(c.action).__name__ in ("Deliver", "PayOut", "Pass"))
        seat = next(s for s in range(4) if not hasattr(decide(rules(), state, s, choice.action), "code"))
        answer = decide(rules(), state, seat, choice.action)
        earned |= {event.company: event.revenue for event in answer.events if isinstance(event, BreweryEarned)}
        state = answer.state
        if len(state.agenda) < 2:
            break
    return earned


@pytest.mark.rule("DO-BREW-10")
@pytest.mark.rule("DO-BREW-11")
@pytest.mark.parametrize(
    ("held", "market"),
    [
        ((("4", "2"), ("3",), ("2",)), {"s1": (0, 2), "s2": (3, 1), "s3": (2, 2), "s4": (1, 1)}),
        ((("4",), ("4", "4"), ("3",)), {"s1": (1, 0), "s2": (1, 1), "s3": (1, 0), "s4": (2, 2)}),
        ((("2",), ("2", "1"), ("1",)), {"s1": (2, 2), "s2": (2, 0), "s3": (0, 0), "s4": (0, 0)}),
    ],
)
def test_one_forecast_round_follows_rules(held, market):
    state = display(in_play(*held, **market), t2=0, t3=0)
    nothing_bought = tuple(brewer._replace(buys="") for brewer in brewers_of(state))
    told = played_on(state.sheet, market_now(state), nothing_bought, 1)
    assert told == {name: float(really(state).get(name, 0)) for name in told}
    assert any(told.values())


@pytest.mark.rule("DO-MARKET-01")
@pytest.mark.rule("DO-MARKET-02")
def test_second_round_begins_after_clearing():
    state = in_play(("4", "2"), s1=(0, 2), s2=(3, 1), s3=(2, 2), s4=(1, 1))
    brewers = tuple(brewer._replace(buys="") for brewer in brewers_of(state))
    idle = tuple(brewer._replace(late=True) for brewer in brewers)  # the first round is over, all have delivered
    half = beer(state, s4=(1, 0), d4=(2, 1))
    after = cleared(half)
    assert played_on(state.sheet, market_now(half), idle, 2) == played_on(state.sheet, market_now(after), brewers, 1)


def test_brewery_buys_with_own_money():
    state = in_play(("2",), s2=(6, 3), c3=True, c4=True)
    (poor,) = (brewer._replace(money=0, buys="2", price=10_000) for brewer in brewers_of(state))
    rich = poor._replace(money=10_000)
    market = market_now(state)
    one, other = (played_on(state.sheet, market, (brewer,), 3)[poor.name] for brewer in (poor, rich))
    assert one < other


def test_who_stands_first_sells_first():
    state = in_play(("2",), ("2",), s1=(0, 0), s2=(2, 0), c3=True, c4=True)
    state = beer(state, stock=0)
    told = played_on(state.sheet, market_now(state), tuple(brewers_of(state)), 1)
    assert do_state(state).order[0].brewery == "B7"
    assert told == {"B7": 40.0, "B4": 0.0}
