"""The package of a sister game: two columns, each lower certificate dearer by what lies above it, and no bids."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused
from tests.builders.rhl_trading import ADA, BERT, begun, ruleset
from trajekt.engine.actions import BuyPrivate, PlaceBid
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Code, Ruleset
from trajekt.engine.state import State
from trajekt.rules.auction import Auction, AuctionPolicy, unsold

COLUMNS = ((1, 3, 5), (2, 4, 6))


def surcharge(state: State, _auction: Auction, number: int) -> int:
    """The printed price and 5 for each certificate that still lies above."""
    column = next(column for column in COLUMNS if number in column)
    above = [n for n in column[: column.index(number)] if n in unsold(state)]
    return state.sheet.privates[number].price + 5 * len(above)


def columns() -> Ruleset:
    """18Rhl with its package in two columns."""
    rules = ruleset("1")
    policies = tuple(
        dataclasses.replace(policy, on_sale=unsold, price=surcharge) if isinstance(policy, AuctionPolicy) else policy
        for policy in rules.policies
    )
    return dataclasses.replace(rules, policies=policies)


@pytest.mark.rule("RUHR-SR-02")
def test_a_package_in_columns():
    rules, state = columns(), begun("1").state
    assert {c.action for c in legal(rules, state) if isinstance(c.action, BuyPrivate)} == {
        BuyPrivate(number) for number in range(1, 7)
    }
    assert not [c for c in legal(rules, state) if isinstance(c.action, PlaceBid)]
    assert refused(rules, state, ADA, PlaceBid(3, 100)).code == Code.FOR_SALE
    after = act(rules, state, ADA, BuyPrivate(5)).state
    assert after.players[ADA].cash == 600 - 130
    assert after.bank == state.bank + 130
    third = act(rules, act(rules, state, ADA, BuyPrivate(1)).state, BERT, BuyPrivate(5)).state
    assert third.players[BERT].cash == 600 - 125
    poor = replace(state, players=tuple(replace(p, cash=129) for p in state.players))
    assert refused(rules, poor, ADA, BuyPrivate(5)).code == Code.UNAFFORDABLE
