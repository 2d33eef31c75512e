"""Liquidity: what a player could have in hand by sales that the pool takes, told in the sheet."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import played
from trajekt.engine.actions import SellShares
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.state import POOL
from trajekt.server.presenters.liquidity import liquidity, saleable

GAME = played("18rhl")


def moments():
    return [GAME.at(number).state for number in range(60, GAME.number, 60)]


@pytest.mark.parametrize("state", moments())
def test_liquidity_lies_between_cash_and_worth(state):
    worth = {standing.seat: standing.total for standing in GAME.title.standings(state)}
    for seat, player in enumerate(state.players):
        free = player.cash - state.committed_to_bids(seat)
        assert free <= liquidity(state, seat) <= worth[seat] + player.loans


@pytest.mark.parametrize("state", moments())
def test_pool_takes_what_is_counted(state):
    most = state.sheet.limits.pool_percent
    for company in state.companies.values():
        for seat in range(len(state.players)):
            part = saleable(state, company, seat)
            assert part <= company.percent(seat)
            assert part == 0 or company.percent(POOL) + part <= most


def test_sales_of_the_engine_are_counted():
    for number in range(60, GAME.number):
        game = GAME.at(number)
        state = game.state
        for choice in game.choices():
            if isinstance(choice.action, SellShares):
                company = state.companies[choice.action.company]
                assert isinstance(decide(game.ruleset, state, choice.seat, choice.action), Decision)
                assert choice.action.percent <= saleable(state, company, choice.seat)
