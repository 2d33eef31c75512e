"""Stock rounds of 18LRA where its certificates matter: KEG's 30 %, ADR's share of no. 5, floating, the limit."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import ADA, BERT, CLEO, DORA, firm, in_stock_round, opened, ruleset, sound
from tests.builders.random_positions import act, dealt, refused, with_cash
from trajekt.engine.actions import BuyShare, FoundCompany, Pass, SellShares
from trajekt.engine.decisions import legal
from trajekt.engine.state import CHARTER, IPO, POOL
from trajekt.rules.stock_round import StockRound

RULES = ruleset()


def bought(state, seat, company, source, percent):
    """A purchase out of turn order: the seat is to act."""
    return act(RULES, in_stock_round(state, seat), seat, BuyShare(company, source, percent)).state


@pytest.mark.rule("COMMON-SR-08")
def test_founding_the_keg_costs_three_shares():
    state = in_stock_round(opened(cash=400), ADA)
    after = act(RULES, state, ADA, FoundCompany("KEG", 60)).state
    assert after.players[ADA].cash == 400 - 180
    assert after.companies["KEG"].percent(ADA) == 30
    assert after.companies["KEG"].director == ADA
    poor = with_cash(state, Ada=179)
    assert refused(RULES, poor, ADA, FoundCompany("KEG", 60)).rule == "COMMON-SR-08"


@pytest.mark.rule("COMMON-FLT-01", "COMMON-FLT-02")
def test_keg_floats_with_four_shares():
    state = act(RULES, in_stock_round(opened(), ADA), ADA, FoundCompany("KEG", 70)).state
    state = bought(state, BERT, "KEG", IPO, 10)
    assert not state.companies["KEG"].floated
    state = bought(state, BERT, "KEG", IPO, 10)
    keg = state.companies["KEG"]
    assert (keg.floated, keg.treasury, keg.percent(CHARTER)) == (True, 350, 50)
    assert state.price("KEG") == 75  # one space up
    assert sound(RULES, state) == []


@pytest.mark.case("B34")
@pytest.mark.rule("COMMON-FLT-01", "COMMON-FLT-02", "COMMON-AUC-12")
def test_share_of_no_5_counts():
    state = act(RULES, in_stock_round(opened(), ADA), ADA, FoundCompany("ADR", 80)).state
    assert state.companies["ADR"].percent(BERT) == 10
    state = bought(state, CLEO, "ADR", IPO, 10)
    assert not state.companies["ADR"].floated
    state = bought(state, CLEO, "ADR", IPO, 10)  # the fourth tenth bought
    adr = state.companies["ADR"]
    assert (adr.floated, adr.treasury, adr.percent(CHARTER)) == (True, 400, 50)


@pytest.mark.rule("COMMON-OR-06", "COMMON-TOK-05")
def test_floating_turns_the_home_up():
    state = act(RULES, in_stock_round(opened(), ADA), ADA, FoundCompany("KEG", 70)).state
    state = bought(state, BERT, "KEG", IPO, 10)
    assert [s.asleep for s in state.board.contents("F10").stations] == [True]
    state = bought(state, BERT, "KEG", IPO, 10)
    assert [s.asleep for s in state.board.contents("F10").stations] == [False]


@pytest.mark.rule("COMMON-FLT-04")
def test_floating_in_brown_brings_ten_prices():
    state = act(RULES, in_stock_round(opened(phase="brown"), ADA), ADA, FoundCompany("KEG", 90)).state
    for _ in range(2):
        state = bought(state, BERT, "KEG", IPO, 10)
    keg = state.companies["KEG"]
    assert (keg.treasury, keg.percent(POOL), state.price("KEG")) == (900, 50, 100)


@pytest.mark.rule("COMMON-DIR-03", "COMMON-DIR-02", "COMMON-DIR-07")
def test_keg_changes_hands_for_three_certificates():
    state = dealt(firm(opened(phase="green"), "KEG", ADA), "KEG", Bert=(1, 2, 3))
    state = bought(state, BERT, "KEG", CHARTER, 10)
    keg = state.companies["KEG"]
    assert (keg.director, keg.percent(BERT), keg.percent(ADA)) == (BERT, 40, 30)
    assert keg.certificates[0].holder == BERT
    assert [keg.certificates[n].percent for n in keg.held(ADA)] == [10, 10, 10]


@pytest.mark.rule("COMMON-DIR-07", "COMMON-DIR-04")
def test_keg_needs_thirty_percent():
    state = dealt(firm(opened(phase="green"), "KEG", ADA), "KEG", Bert=(1, 2))
    refusal = refused(RULES, in_stock_round(state, ADA), ADA, SellShares("KEG", 10))
    assert refusal.code == "no_successor"
    ready = dealt(state, "KEG", Bert=(3,))
    after = act(RULES, in_stock_round(ready, ADA), ADA, SellShares("KEG", 10)).state
    assert (after.companies["KEG"].director, after.companies["KEG"].percent(ADA)) == (BERT, 20)


@pytest.mark.rule("COMMON-SR-15", "COMMON-SR-17")
def test_certificate_limit_for_four_is_fifteen():
    state = dealt(firm(opened(phase="green"), "RhE", CLEO), "RhE", Cleo=(1, 2, 3, 4, 5, 6, 7))
    state = dealt(firm(state, "BME", CLEO), "BME", Cleo=(1, 2, 3, 4, 5, 6))
    assert state.certificate_count(CLEO) == 15
    refusal = refused(RULES, in_stock_round(state, CLEO), CLEO, BuyShare("RhE", CHARTER, 10))
    assert (refusal.code, refusal.rule) == ("certificate_limit", "COMMON-SR-15")
    fewer = dealt(state, "BME", pool=(6,))
    after = act(RULES, in_stock_round(fewer, CLEO), CLEO, BuyShare("RhE", CHARTER, 10)).state
    assert after.companies["RhE"].percent(CLEO) == 100


@pytest.mark.rule("COMMON-SR-10", "COMMON-SR-13")
def test_block_falls_one_space():
    state = dealt(firm(opened(phase="green"), "KEG", ADA), "KEG", Bert=(1, 2, 3), pool=(4, 5, 6))
    turn = in_stock_round(state, BERT)
    assert refused(RULES, turn, BERT, SellShares("KEG", 30)).rule == "COMMON-SR-10"
    after = act(RULES, turn, BERT, SellShares("KEG", 20)).state
    assert after.players[BERT].cash == 400 + 2 * 70
    assert after.price("KEG") == 65


@pytest.mark.case("B33")
@pytest.mark.rule("COMMON-SR-04")
def test_mkb_sells_20_percent_certificates_first():
    state = act(RULES, in_stock_round(opened(cash=600), ADA), ADA, FoundCompany("MKB", 70)).state
    refusal = refused(RULES, in_stock_round(state, BERT), BERT, BuyShare("MKB", IPO, 10))
    assert (refusal.code, refusal.rule) == ("next_certificate", "COMMON-SR-04")
    state = bought(state, BERT, "MKB", IPO, 20)
    assert not state.companies["MKB"].floated
    state = bought(state, CLEO, "MKB", IPO, 20)
    assert (state.companies["MKB"].floated, state.companies["MKB"].treasury) == (True, 420)


@pytest.mark.rule("COMMON-SR-19")
def test_the_richest_takes_the_priority_deal():
    state = with_cash(opened(), Ada=140, Bert=160, Cleo=160, Dora=120)
    state = replace(state, priority=BERT)
    state = in_stock_round(state, DORA)
    for seat in (DORA, ADA, BERT, CLEO):
        state = act(RULES, state, seat, Pass()).state
    assert state.priority == CLEO


def test_listed_choices_are_accepted():
    state = in_stock_round(firm(opened(phase="green"), "KEG", ADA), ADA)
    for choice in legal(RULES, state, (ADA,)):
        assert sound(RULES, act(RULES, state, ADA, choice.action).state) == []


@pytest.mark.rule("COMMON-SR-21", "COMMON-SR-19")
def test_sold_out_rise_and_richest_begins():
    """EN 5: at the end of a stock round the priority deal moves, and what is all with players rises one space."""
    state = opened(cash=0)
    state = dealt(firm(state, "BME", ADA, (3, 2)), "BME", Ada=(0, 1, 2, 3, 4), Bert=(5, 6, 7, 8))
    state = firm(state, "CME", ADA, (3, 2))  # the rest lies on its charter
    state = with_cash(in_stock_round(replace(state, priority=ADA), ADA), Cleo=5, Dora=5)
    while isinstance(state.top, StockRound):
        state = act(RULES, state, state.top.seat, Pass()).state
    assert (state.markers.spaces["BME"], state.markers.spaces["CME"]) == ((2, 2), (3, 2))
    assert state.priority == CLEO
