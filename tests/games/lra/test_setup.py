"""Set-up, scenarios and the package of 18LRA."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.builders.lra_positions import ADA, NAMES, begun, in_stock_round, money, opened, ruleset, sound
from tests.builders.random_positions import act, refused
from trajekt.engine.actions import BuyPrivate, DeclineOffer, FoundCompany, Pass, PlaceBid, SellShares
from trajekt.engine.board.board import Reservation
from trajekt.engine.decisions import awaited, legal, start
from trajekt.engine.state import IPO, PACKAGE
from trajekt.games.lra.components import BLANK
from trajekt.games.lra.options import LraOptions
from trajekt.rules.auction import Offer
from trajekt.rules.stock_round import StockRound


@pytest.mark.rule("COMMON-SET-01")
@pytest.mark.parametrize("players", [1, 2, 5])
def test_only_three_or_four_play(players):
    with pytest.raises(ValueError, match=r"3 or 4|2 to 4"):
        start(ruleset(), ("A", "B", "C", "D", "E")[:players], 1)


@pytest.mark.rule("LRA-SET-03")
@pytest.mark.parametrize("players, capital, bank", [(3, 600, 4200), (4, 450, 6200)])
def test_bank_and_capital(players, capital, bank):
    state = begun(players).state
    assert ({p.cash for p in state.players}, state.bank) == ({capital}, bank)
    assert money(state) == {3: 6000, 4: 8000}[players]


@pytest.mark.rule("COMMON-SET-05")
def test_seats_drawn_and_may_be_fixed():
    orders = {start(ruleset(), NAMES[:3], seed).state.names for seed in range(30)}
    assert len(orders) == 6
    assert start(ruleset(), NAMES[:3], 3, shuffle=False).state.names == NAMES[:3]
    assert start(ruleset(), NAMES[:3], 3).state.priority == 0


@pytest.mark.rule("LRA-SET-08")
def test_adr_share_lies_with_no_5():
    state = begun().state
    adr = state.companies["ADR"]
    assert (adr.percent(IPO), adr.percent(PACKAGE)) == (90, 10)
    assert adr.certificates[1].holder == PACKAGE  # its certificate no. 2
    assert state.board.contents("I3").icons == ("DEC",)
    assert "dec_open" not in state.marks


@pytest.mark.rule("LRA-PRV-21")
def test_the_place_at_kevelaer_is_kept():
    assert begun().state.board.contents("A1").reservations == (Reservation("GKB", 0),)


@pytest.mark.rule("COMMON-SET-10")
def test_home_tokens_lie_face_down():
    state = begun(4).state
    for company in state.sheet.companies.values():
        stations = state.board.contents(company.homes[0].hex).stations
        assert [(s.company, s.asleep) for s in stations] == [(company.id, True)]
        assert len(state.companies[company.id].stations) == len(company.station_costs) - 1


@pytest.mark.rule("COMMON-SET-13")
def test_yellow_phase_and_2_trains():
    state = begun().state
    assert (state.phase, state.depot.display["2"]) == ("yellow", 5)
    assert not any(company.trains for company in state.companies.values())


# Scenarios -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-SET-09")
@pytest.mark.parametrize("scenario, gone", [(1, "BME MKB"), (2, "RhE CME"), (3, "GVE KEG"), (4, "CCE CME")])
def test_two_corporations_of_scenario_cannot_founded(scenario, gone):
    state = in_stock_round(opened(3, scenario=scenario), ADA)
    rules = ruleset(scenario=scenario)
    for company in gone.split():
        refusal = refused(rules, state, ADA, FoundCompany(company, 70))
        assert (refusal.code, refusal.rule) == ("not_in_scenario", "LRA-SET-09")
    founded = {
        choice.action.company for choice in legal(rules, state, (ADA,)) if isinstance(choice.action, FoundCompany)
    }
    assert founded == set(state.companies) - set(gone.split())


@pytest.mark.rule("LRA-SET-09")
def test_blank_tokens_take_homes_for_good():
    state = begun(3, scenario=3).state
    for at, company in (("G7", "GVE"), ("F10", "KEG")):
        (station,) = state.board.contents(at).stations
        assert (station.company, station.kind, station.asleep) == (company, BLANK, True)
    assert all(s.kind != BLANK for s in state.board.contents("G15").stations)


@pytest.mark.rule("LRA-SET-09")
def test_without_choice_the_scenario_is_drawn():
    drawn = Counter(begun(3, seed=seed).state.marks["scenario"] for seed in range(40))
    assert set(drawn) == {"1", "2", "3", "4"}
    assert "scenario" not in begun(4).state.marks


def test_options_say_what_cannot_be_combined():
    assert LraOptions().faults() == []
    assert LraOptions(scenario=5).faults() == ["scenario: 0 to 4"]
    assert LraOptions(edition=2).faults() == ["edition: 1"]
    assert LraOptions(short_game=True, investor=True).faults() == ["investor: not in the short game"]
    assert LraOptions(short_game=True, optional_end=True).faults() == ["optional_end: not in the short game"]


# The package ---------------------------------------------------------------------------------------------------------


def all_bought(players=3):
    """The package bought one by one at the printed prices; who bought no. 6 is the last."""
    state = begun(players).state
    rules = ruleset()
    for number in range(1, 7):
        (seat,) = awaited(rules, state)
        state = act(rules, state, seat, BuyPrivate(number)).state
    return state


@pytest.mark.rule("COMMON-AUC-12", "LRA-AUC-04")
def test_buyer_of_no_5_gets_adr():
    state = all_bought()
    buyer = state.privates[5].owner
    assert state.companies["ADR"].percent(buyer) == 10
    assert state.certificate_count(buyer) == 1 + sum(p.owner == buyer for p in state.privates.values())
    assert sound(ruleset(), state) == []


@pytest.mark.rule("COMMON-AUC-15")
def test_left_of_last_buyer_begins():
    state = all_bought()
    last = state.privates[6].owner
    left = (last + 1) % 3
    assert state.priority == left
    assert isinstance(state.top, StockRound)
    assert awaited(ruleset(), state) == (left,)


@pytest.mark.rule("COMMON-AUC-01")
def test_no_share_before_package_is_sold():
    refusal = refused(ruleset(), begun().state, ADA, FoundCompany("BME", 70))
    assert (refusal.code, refusal.rule) == ("package_unsold", "COMMON-AUC-01")


@pytest.mark.rule("COMMON-AUC-02", "COMMON-AUC-05")
def test_bids_go_in_steps_of_five():
    state, rules = begun().state, ruleset()
    refusal = refused(rules, state, ADA, PlaceBid(4, 67))
    assert (refusal.code, refusal.rule) == ("bid_step", "COMMON-AUC-05")
    assert refused(rules, state, ADA, PlaceBid(4, 60)).code == "bid_too_low"
    assert refused(rules, state, ADA, PlaceBid(1, 25)).code == "for_sale"
    after = act(rules, state, ADA, PlaceBid(4, 65)).state
    assert after.committed_to_bids(ADA) == 65


@pytest.mark.rule("COMMON-AUC-11")
def test_falling_offer_reaches_no_6():
    state, rules = all_bought_but_6(), ruleset()
    for _ in range(3):
        (seat,) = awaited(rules, state)
        state = act(rules, state, seat, Pass()).state
    assert state.top == Offer(6, 95, state.top.seat)
    for price in (95, 90, 85):
        assert state.top.price == price
        for _ in range(3):
            state = act(rules, state, state.top.seat, DeclineOffer()).state


def all_bought_but_6():
    state, rules = begun(3).state, ruleset()
    for number in range(1, 6):
        (seat,) = awaited(rules, state)
        state = act(rules, state, seat, BuyPrivate(number)).state
    return state


@pytest.mark.rule("COMMON-SR-03")
def test_first_round_of_shares_sells_nothing():
    state = all_bought()
    buyer = state.privates[5].owner
    kinds = {type(choice.action) for choice in legal(ruleset(), state)}
    assert FoundCompany in kinds
    assert SellShares not in kinds
    state = in_stock_round(state, buyer, number=1)
    assert refused(ruleset(), state, buyer, SellShares("ADR", 10)).rule in ("COMMON-SR-03", "COMMON-DIR-05")
