"""Sums of the rulebooks' worked examples at a real table, whether it keeps its books only or the map too."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, with_cash
from tests.builders.rhl_trading import ADA, BERT, firm, trading
from tests.builders.ruhr_positions import (
    at_table,
    in_phase,
    located,
    montan,
    opened,
    purse,
    rules,
    started,
    stock_turn,
)
from trajekt.engine.actions import BuyShare, SellShares
from trajekt.engine.state import IPO, POOL
from trajekt.games.rhl.title import TITLE as RHL
from trajekt.games.ruhr.actions import BuyItem, FoundMontan
from trajekt.games.ruhr.montan_charters import income
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.state import ruhr_state

pytestmark = pytest.mark.parametrize("mode", ["books", "map"])


def test_sale_of_directors_certificate(mode):
    """R v1 5.4: the director sells 10 %, is paid one share, and hands the company over."""
    options = RHL.options({"edition": 2, "referee": mode, "fixed_seats": True})
    state = firm(trading("2"), "RhE", (2, 3), director=ADA, Ada=20, Bert=20, Cleo=10, pool=40)
    after = act(RHL.build(RHL.sheet(options, None), options), state, ADA, SellShares("RhE", 10)).state
    company = after.companies["RhE"]
    assert (company.director, company.percent(ADA), company.percent(POOL)) == (BERT, 10, 50)
    assert after.players[ADA].cash == 580


@pytest.mark.rule("RUHR-SR-02")
def test_surcharge_goes_to_bank(mode):
    """First Stock Round: mine 10 lies under 7 and 5, and costs 150 and twice 5 Mark more, which are the bank's alone."""
    ruleset = rules(referee=mode)
    state = act(ruleset, opened(3, referee=mode), ADA, BuyItem(3)).state
    done = act(ruleset, state, BERT, BuyItem(10)).state
    assert state.players[BERT].cash - done.players[BERT].cash == 150 + 2 * 5
    assert done.bank - state.bank == 160 - purse(done, 10)


@pytest.mark.rule("RUHR-DIR-04")
def test_director_leaves_by_selling(mode):
    state = in_phase(at_table(referee=mode), "3")
    state = stock_turn(started(state, "CME", ADA, 80, Ada=50, Bert=20, Cleo=20, pool=10), ADA)
    before = state.players[ADA].cash
    done = act(rules(referee=mode), state, ADA, SellShares("CME", 40)).state
    assert (done.players[ADA].cash - before, done.price("CME"), done.companies["CME"].director) == (320, 75, BERT)


@pytest.mark.rule("RUHR-FLOAT-06")
def test_montan_corporation_is_founded(mode):
    ruleset = rules(referee=mode, brown_third_value=100)
    state = located(in_phase(at_table(referee=mode), "6"), pmc14=10)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT)), agenda=(Foundation(),))
    state = act(ruleset, with_cash(state, Ada=102, Bert=102), ADA, FoundMontan("SK", 14, 100)).state
    assert (state.companies["SK"].treasury, state.companies["SK"].percent(IPO)) == (100, 80)
    state = act(ruleset, stock_turn(replace(state, agenda=()), BERT), BERT, BuyShare("SK", IPO, 20)).state
    assert state.companies["SK"].treasury == 200


@pytest.mark.rule("RUHR-SWITCH-04")
@pytest.mark.parametrize(("phase", "brings"), [("6", 40 + 60 + 40 + 30), ("8", 40 + 40)])
def test_montan_corporation_has_income(mode, phase, brings):
    example = {"markers": "AAAABBBCCD", "engines": ("W3", "W4")}
    state = montan(in_phase(at_table(referee=mode), phase), "RB", ADA, 80, 5, 7, **example)
    assert income(state, "RB") == brings
