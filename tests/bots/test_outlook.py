"""The outlook of a company: money becomes trains, trains that last pay more, capital that is still due counts."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.builders.bot_rulesets import ruleset_of
from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.candidate_moves import ideas
from trajekt.bots.evaluation import prospects, rounds_left
from trajekt.bots.outlook import funds, outlook, sales
from trajekt.bots.track_valuation import outlets, pull
from trajekt.engine.actions import BuyShare, FoundCompany
from trajekt.engine.decisions import Decision, decide, start
from trajekt.engine.ruleset import View
from trajekt.rules.stock_round import StockRound


def played(edition, wanted, seed=9, most=400):
    """The first position of a game between `steady` players that is wanted."""
    ruleset, rng = ruleset_of(edition), random.Random(seed)
    players = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state
    for _ in range(most):
        if wanted(state):
            return ruleset, state
        seat, move = next_move(ruleset, state, players, rng)
        answer = decide(ruleset, state, seat, move.action)
        assert isinstance(answer, Decision), answer
        state = answer.state
    raise AssertionError("no such position")


def running(state):
    """A company that has earned, in the order of the sheet; None where none has."""
    return next((c for c in state.companies.values() if c.revenue and c.trains), None)


def with_company(state, company, **values):
    """The position with other facts of a company."""
    return replace(state, companies={**state.companies, company.id: replace(company, **values)})


def test_treasury_becomes_trains():
    _, state = played(2, running)
    company = running(state)
    poor = with_company(state, company, treasury=0)
    rich = with_company(state, company, treasury=600)
    paid = [outlook(each, each.companies[company.id], 10).paid for each in (poor, rich)]
    assert paid[1] > paid[0] > 0


def test_longer_trains_pay_more():
    _, state = played(2, running)
    company = running(state)
    paid = [
        outlook(each, each.companies[company.id], 4, stop=20.0).paid
        for kinds in (("2",), ("5",))
        for each in (with_company(state, company, trains=kinds, treasury=0),)
    ]
    assert paid[1] > 2 * paid[0]


def test_trains_to_come_follow_the_roster():
    _, state = played(2, running)
    begins = [sale.begins for sale in sales(state)]
    assert begins == sorted(begins)
    two = sales(state)[0]
    assert two.obsolete > next(sale for sale in sales(state) if sale.kind == "4").begins


@pytest.mark.rule("RHL-FLT-03")
def test_capital_due_counts_as_money():
    _, state = played(1, lambda s: any(c.due and c.id != "RhE" for c in s.companies.values()))
    company = next(c for c in state.companies.values() if c.due and c.id != "RhE")
    assert company.treasury == 0
    assert funds(state, company) == 5 * company.par or company.id == "MKB"


@pytest.mark.rule("COMMON-FLT-04")
def test_late_capital_is_ten_prices():
    _, state = played(2, running)
    company = replace(running(state), floated=False, operated=False, treasury=0, par=90)
    brown = next(phase.name for phase in state.sheet.phases if phase.colour == "brown")
    assert funds(replace(state, phase=brown), company) == 900
    assert funds(state, company) == 450


def test_home_without_track_promises_nothing():
    ruleset = ruleset_of(1)
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 5).state
    assert outlets(ruleset, state, "MKB") == 0  # no yellow tile fits Moers
    assert outlets(ruleset, state, "DEE") > 15


def test_stop_one_tile_away_pulls_more():
    ruleset = ruleset_of(1)
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 5).state
    pulls = pull(ruleset, state, "RhE")
    assert max(pulls["K6"]) == 20  # Düren has track to two sides
    assert 0 < max(pulls["K8"]) < max(pulls["K6"])


@pytest.mark.parametrize("edition", [1, 2])
def test_founders_float_in_the_first_round(edition):
    def over(state):
        frame = state.agenda[-1]
        return not isinstance(frame, StockRound) and any(c.operated for c in state.companies.values())

    _, state = played(edition, over)
    assert sum(company.floated for company in state.companies.values()) >= 3


def test_founding_needs_money_to_float():
    def begins(state):
        frame = state.agenda[-1]
        return isinstance(frame, StockRound) and not any(b.owner is None for b in state.privates.values())

    ruleset, state = played(2, begins)
    seat = state.agenda[-1].seat
    gains = []
    for cash in (200, 550):
        able = replace(
            state, players=tuple(replace(p, cash=cash if n == seat else 600) for n, p in enumerate(state.players))
        )
        found = [i for i in ideas(View(ruleset, able, seat, able.agenda[-1])) if isinstance(i.action, FoundCompany)]
        gains.append(max(idea.gain for idea in found))
    assert gains[0] < 0 < gains[1]


def test_capital_costs_no_dividends():
    """Capital leaves the bank as a company floats, which may shorten the guess by a round: no reason to let it wait."""
    ruleset, rng = ruleset_of(2), random.Random(100_001)
    players = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), 100_001).state
    shorter = 0
    while not state.outcome:
        seat, move = next_move(ruleset, state, players, rng)
        if isinstance(state.top, StockRound):
            for idea in ideas(View(ruleset, state, seat, state.top)):
                if isinstance(idea.action, BuyShare):
                    bought = decide(ruleset, state, seat, idea.action).state
                    if rounds_left(bought) < rounds_left(state):
                        shorter += 1
                        assert idea.reason.values["amount"] > prospects(bought, seat) - prospects(state, seat) + 100
        state = decide(ruleset, state, seat, move.action).state
    assert shorter
