"""Sums that the rulebooks print at a real table, whether it keeps its books only or the map too.

First the opening of each game with its printed prices, then the worked examples in the order of a game.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, refused, with_cash
from tests.builders.real_tables import real_table
from tests.builders.rhl_trading import ADA, BERT, firm, trading
from tests.builders.ruhr_positions import (
    at_table,
    in_phase,
    located,
    montan,
    opened,
    owning,
    purse,
    rules,
    started,
    stock_turn,
)
from trajekt.engine.actions import AcceptOffer, BuyPrivate, BuyShare, Pass, PlaceBid, SellShares, SetPar
from trajekt.engine.state import IPO, POOL
from trajekt.games.rhl.title import TITLE as RHL
from trajekt.games.ruhr.actions import BuyItem, FoundMontan
from trajekt.games.ruhr.montan_charters import income
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.state import ruhr_state
from trajekt.round_label import round_of

pytestmark = pytest.mark.parametrize("mode", ["books", "map"])


def cash(game):
    return [player.cash for player in game.state.players]


def all_pass(game):
    for _ in game.names:
        game.play(Pass())


# The first rounds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [1, 2])
def test_18rhl_opens_with_printed_sums(mode, edition):
    """R v1 2.3, 4.2: 600 Mark each, six certificates at face value, and what they bring in the first operating round."""
    game = real_table("18rhl", {"edition": edition}, mode=mode)
    assert cash(game) == [600, 600, 600]
    for number, price in enumerate((20, 30, 50, 80, 120, 140), 1):
        (seat,), before = game.to_act, cash(game)
        game.play(BuyPrivate(number))
        assert before[seat] - cash(game)[seat] == price
    if edition == 1:
        game.play(SetPar("RhE", 70))
    all_pass(game)
    assert round_of(game.state).kind == "operating"
    assert cash(game) == [600 - 20 - 80 + 5 + 20, 600 - 30 - 120 + 25, 600 - 50 - 140 + 15]
    assert (game.state.companies["RhE"].treasury, game.state.aside) == (140, {"RhE": 210})


def test_18lra_opens_with_printed_sums(mode):
    """R 3.3, 5.1: 600 Mark each of 6,000; a bid is 5 more than printed; what nobody wants falls by 5."""
    game = real_table("18lra", mode=mode)
    assert (cash(game), game.state.bank) == ([600, 600, 600], 6000 - 3 * 600)
    printed = {number: game.state.sheet.privates[number].price for number in (1, 2)}
    game.play(PlaceBid(2, printed[2] + 5))
    all_pass(game)
    assert game.to_act == (1,)
    game.play(AcceptOffer())
    assert cash(game) == [600 - printed[2] - 5, 600 - printed[1] + 5, 600]


def test_18ruhr_opens_with_printed_sums(mode):
    """R 2.2, 3.1, 4.1.1: 650 Mark each; mine 10 costs 150 and twice 5, Private BME 140, and three shares wait at Hagen."""
    game = real_table("18ruhr", {"scenario": "hellweg"}, mode=mode)
    assert cash(game) == [650, 650, 650]
    game.play(BuyItem(3))
    game.play(BuyItem(10))
    assert cash(game)[1] == 650 - 160
    skipped = cash(game)[2]
    game.play(BuyItem(19, 60))
    assert (skipped - cash(game)[2]) % 5 == 0
    assert game.state.aside["R13"] == 3 * 60


def test_18do_opens_with_printed_sums(mode):
    """R 3.2.1, 5.3: each minor brewery costs its printed value and the bid."""
    game = real_table("18do", mode=mode)
    start = cash(game)
    free = sorted(number for number, each in game.state.privates.items() if each.open)
    printed = {1: 80, 2: 90, 3: 100, 4: 120, 5: 135, 6: 155, 7: 165, 8: 185}
    for number, bid in zip(free, (0, 5, 20), strict=False):
        game.play(PlaceBid(number, bid))
    paid = [before - after for before, after in zip(start, cash(game), strict=True)]
    assert paid == [printed[number] + bid for number, bid in zip(free, (0, 5, 20), strict=False)]


# The worked examples ---------------------------------------------------------------------------------------------------


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


def foundation(mode, phase, **markers):
    """The foundation phase of 18Ruhr: 500 Mark each, mines of Ada's with these markers, all linked and without money."""
    state = in_phase(at_table(referee=mode), phase)
    for name, held in markers.items():
        state = owning(state, markers=held, money=0, **{name: ADA})
    state = located(state, **dict.fromkeys(markers, 10))
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT)), agenda=(Foundation(),))
    return with_cash(state, Ada=500, Bert=500)


@pytest.mark.rule("RUHR-MR-05", "RUHR-MR-07")
def test_active_mine_is_converted(mode):
    """R 12.1.1: five markers and the link make 60; the mill is of another industry; a further 20 % cost 60."""
    ruleset, state = rules(referee=mode), foundation(mode, "4", pmc5="AAABB", pmc3="AABBCC")
    assert refused(ruleset, state, ADA, FoundMontan("RB", 5, 60, "merge", 3)).rule == "RUHR-MR-07"
    done = act(ruleset, state, ADA, FoundMontan("RB", 5, 60, "buy")).state
    company = done.companies["RB"]
    assert (done.price("RB"), company.percent(ADA), company.treasury) == (60, 40, 60)
    assert done.players[ADA].cash == 500 - 60


@pytest.mark.rule("RUHR-MR-06", "RUHR-MR-07")
def test_passive_mill_is_converted(mode):
    """R 12.1.2: a passive mill with a link becomes a corporation at 70, and mill 4, which has none, is merged into it."""
    ruleset = rules(referee=mode)
    state = located(foundation(mode, "4", pmc4="AABB", pmc12="AAABC"), pmc4=0, pmc12=0, pmc8=10)
    assert refused(ruleset, state, ADA, FoundMontan("W", 12, 70)).rule == "RUHR-MR-03"
    done = act(ruleset, state, ADA, FoundMontan("W", 8, 70, "merge", 4)).state
    company = done.companies["W"]
    assert (done.price("W"), company.percent(ADA), company.treasury) == (70, 40, 70)
    assert done.players[ADA].cash == 500 - 70


@pytest.mark.rule("RUHR-FLOAT-06")
def test_montan_corporation_is_founded(mode):
    """R 13.3.2: 100 from the founder, 100 from a buyer; 100 for the third share, and twice the 75 to which the price falls."""
    ruleset = rules(referee=mode, brown_third_value=100)
    state = located(in_phase(at_table(referee=mode), "6"), pmc14=10)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT)), agenda=(Foundation(),))
    state = act(ruleset, with_cash(state, Ada=102, Bert=102), ADA, FoundMontan("SK", 14, 100)).state
    assert (state.companies["SK"].treasury, state.companies["SK"].percent(IPO)) == (100, 80)
    state = act(ruleset, stock_turn(replace(state, agenda=()), BERT), BERT, BuyShare("SK", IPO, 20)).state
    assert state.companies["SK"].treasury == 200
    state = stock_turn(replace(state, agenda=()), ADA, passes=3)
    done = act(ruleset, replace(state, agenda=state.agenda[-1:]), ADA, Pass()).state
    company = done.companies["SK"]
    assert (company.treasury, company.percent(POOL), done.price("SK")) == (450, 60, 75)


@pytest.mark.rule("RUHR-SWITCH-04")
@pytest.mark.parametrize(("phase", "brings"), [("6", 40 + 60 + 40 + 30), ("8", 40 + 40)])
def test_montan_corporation_has_income(mode, phase, brings):
    example = {"markers": "AAAABBBCCD", "engines": ("W3", "W4")}
    state = montan(in_phase(at_table(referee=mode), phase), "RB", ADA, 80, 5, 7, **example)
    assert income(state, "RB") == brings
