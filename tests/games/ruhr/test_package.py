"""Section 2: the Starting Package and the First Stock Round (RUHR-SR-01 to -08, -25)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    DORA,
    act,
    after,
    box,
    holding,
    in_phase,
    kinds,
    located,
    offered,
    opened,
    owning,
    purse,
    refuses,
    rules,
    started,
    stock_turn,
    with_cash,
)
from trajekt.engine.actions import BuyShare, FoundCompany, Pass, SellShares, Withhold
from trajekt.engine.agenda import settle
from trajekt.engine.events import FramePushed, Paid, PhaseBegan
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import IPO, POOL
from trajekt.games.ruhr.actions import BuyItem, RemovePrivate
from trajekt.games.ruhr.montan_charters import supply
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.starting_package import Package, display, price_of_item
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.stock_round import StockRound


def sold_out(players: int = 4, seat: int = ADA, **values):
    """The First Stock Round after the package, everything sold to the first player but the BME to the second."""
    state = opened(players)
    privates = {n: replace(p, owner=ADA) if p.open and n != 19 else p for n, p in state.privates.items()}
    state = replace(state, privates={**privates, 19: replace(privates[19], owner=BERT)})
    state = started(state, "BME", BERT, 65, operated=False, floated=False, pool=30)
    return stock_turn(state, seat, number=1, buyer=BERT, **values)


@pytest.mark.rule("RUHR-SR-01")
@pytest.mark.parametrize(
    "action", [BuyShare("CME", IPO, 10), FoundCompany("CME", 60), BuyShare("BME", IPO, 10), SellShares("BME", 10)]
)
def test_first_the_package(action):
    state = with_cash(opened(), Ada=900)
    state = after(rules(), state, (ADA, BuyItem(19, 60)))
    refuses(rules(), state, BERT, action, Code.PACKAGE_UNSOLD, "RUHR-SR-01")


@pytest.mark.rule("RUHR-SR-01")
def test_one_item_a_turn_clockwise():
    state = after(rules(), opened(), (ADA, BuyItem(1)))
    refuses(rules(), state, ADA, BuyItem(3), Code.NOT_YOUR_TURN, "RUHR-SR-01")
    assert state.top.seat == BERT
    assert kinds(rules(), state, BERT) == {"BuyItem", "Pass"}


@pytest.mark.rule("RUHR-SR-02")
def test_item_costs_five_more_each():
    state = opened(3)
    assert price_of_item(state, 10) == 165
    state = after(rules(), state, (ADA, BuyItem(3)))
    assert price_of_item(state, 10) == 160
    bank = state.bank
    state = act(rules(), state, BERT, BuyItem(10)).state
    assert state.players[BERT].cash == 650 - 160
    assert state.bank == bank + 160 - 40
    assert purse(state, 10) == 40


@pytest.mark.rule("RUHR-SR-02")
def test_item_needs_money_and_display():
    state = with_cash(after(rules(), opened(3), (ADA, BuyItem(3))), Bert=159)
    refuses(rules(), state, BERT, BuyItem(10), Code.UNAFFORDABLE, "RUHR-SR-02")
    refuses(rules(), state, BERT, BuyItem(3), "item_gone", "RUHR-SR-02")
    refuses(rules(), state, BERT, BuyItem(2), "item_gone", "RUHR-SR-02")
    act(rules(), with_cash(state, Bert=160), BERT, BuyItem(10))


@pytest.mark.rule("RUHR-SR-03")
def test_pmc_buyer_gets_start_markers():
    state = act(rules(), opened(), ADA, BuyItem(10)).state
    assert holding(state, "10") == "AAB"
    assert purse(state, 10) == 40
    assert state.privates[10].owner == ADA


@pytest.mark.rule("RUHR-SR-03")
def test_short_supply_limits_start_markers():
    taken = owning(opened(), markers="AAAA", pmc5=BERT, pmc7=BERT, pmc14=BERT)  # one A of coal is left
    state = act(rules(), taken, ADA, BuyItem(10)).state
    assert holding(state, "10") == "AB"
    assert supply(state, "coal")[:2] == (0, 9)
    none_left = owning(taken, markers="AAAAA", pmc14=BERT)
    assert holding(act(rules(), none_left, ADA, BuyItem(10)).state, "10") == ""  # no B without an A


@pytest.mark.rule("RUHR-SR-04")
def test_private_bme_brings_director():
    state = opened(3)
    bank = state.bank
    state = act(rules(), state, ADA, BuyItem(19, 65)).state
    bme = state.companies["BME"]
    assert (bme.percent(ADA), bme.percent(POOL), bme.percent(IPO), bme.director) == (20, 30, 50, ADA)
    assert state.price("BME") == 65
    assert state.aside["R13"] == 195
    assert state.players[ADA].cash == 650 - 140 - 15
    assert state.bank == bank + 155 - 195


@pytest.mark.rule("RUHR-SR-04")
@pytest.mark.parametrize("value", [75, 45, 62, 0, 80])
def test_bme_value_from_50_to_70(value):
    refuses(rules(), opened(3), ADA, BuyItem(19, value), "value_range", "RUHR-SR-04")


@pytest.mark.rule("RUHR-SR-04")
def test_nothing_else_has_a_value():
    refuses(rules(), opened(3), ADA, BuyItem(1, 60), "no_value", "RUHR-SR-04")


def passed_by_all(state):
    """All pass once, and every pMC that acts keeps its income and ends its turn."""
    for _ in range(4):
        state = act(rules(), state, state.top.seat, Pass()).state
    return state


@pytest.mark.rule("RUHR-SR-05")
def test_operating_round_interrupts_package():
    state = after(rules(), opened(), (ADA, BuyItem(19, 60)), (BERT, BuyItem(7)), (CLEO, BuyItem(20)))
    cash, price = [player.cash for player in state.players], price_of_item(state, 10)
    state = passed_by_all(state)
    turn = state.top
    assert isinstance(turn, MontanTurn)
    assert turn.works == "7"
    assert state.players[ADA].cash == cash[ADA] + 10
    assert state.players[CLEO].cash == cash[CLEO] + 20
    answer = act(rules(), state, BERT, Withhold())
    state = answer.state
    while isinstance(state.top, MontanTurn):
        state = act(rules(), state, BERT, Pass()).state
    assert state.top == Package(DORA, 0, CLEO)
    assert not state.companies["BME"].operated
    assert price_of_item(state, 10) == price


@pytest.mark.rule("RUHR-SR-05")
def test_unsold_package_begins_again():
    state = opened()
    events = []
    for seat in range(4):
        answer = act(rules(), state, seat, Pass())
        events += answer.events
        state = answer.state
    assert any(isinstance(e, FramePushed) and isinstance(e.frame, OperatingRound) for e in events)
    assert state.top == Package(ADA)
    assert not any(isinstance(e, Paid) for e in events)


@pytest.mark.rule("RUHR-SR-05")
def test_interruption_has_cards_not_links():
    state = after(rules(), with_cash(opened(), Ada=900), (ADA, BuyItem(10)), (BERT, BuyItem(7)))
    state = passed_by_all(state)
    state = act(rules(), state, BERT, Withhold()).state
    assert "BuildPmcLink" not in kinds(rules(), state, state.top and BERT)


@pytest.mark.rule("RUHR-SR-06")
def test_railways_start_after_package():
    state = sold_out()
    refuses(rules(), state, ADA, SellShares("BME", 10), Code.FIRST_ROUND, "RUHR-SR-06")
    refuses(rules(), state, ADA, BuyShare("CME", IPO, 10), "not_started", "RUHR-SR-12")
    refuses(rules(), state, ADA, FoundCompany("DGEE", 60), "after_other", "RUHR-SR-17")
    refuses(rules(), state, ADA, FoundCompany("RB", 60), "not_bought", "RUHR-SR-15")
    for source in (IPO, POOL):
        bank = state.bank
        answer = act(rules(), state, ADA, BuyShare("BME", source, 10)).state
        assert answer.bank == bank + 65
        assert answer.companies["BME"].treasury == 0
    assert act(rules(), state, ADA, FoundCompany("CME", 60)).state.companies["CME"].percent(ADA) == 20


@pytest.mark.rule("RUHR-SR-07")
def test_most_cash_gets_the_priority_deal():
    state = with_cash(sold_out(3, passes=2), Ada=120, Bert=85, Cleo=140)
    assert act(rules(), state, ADA, Pass()).state.priority == CLEO


@pytest.mark.rule("RUHR-SR-07")
def test_tie_goes_left_of_buyer():
    state = with_cash(sold_out(4, passes=3), Ada=140, Bert=10, Cleo=100, Dora=140)
    assert act(rules(), state, ADA, Pass()).state.priority == DORA


@pytest.mark.rule("RUHR-SR-08")
def test_montan_round_cards_by_lowest_pmc():
    state = opened(3)
    owners = {3: ADA, 5: ADA, 1: BERT, 10: BERT, 6: CLEO, 7: CLEO, 9: CLEO, 15: CLEO, 19: ADA}
    privates = {n: replace(p, owner=owners.get(n)) for n, p in state.privates.items()}
    state = started(replace(state, privates=privates), "BME", ADA, 65, operated=False, floated=False, pool=30)
    state = act(rules(), stock_turn(state, ADA, number=1, passes=2), ADA, Pass()).state
    assert ruhr_state(state).cards == (BERT, ADA, CLEO)


@pytest.mark.rule("RUHR-SR-08")
def test_players_without_pmc_follow():
    state = with_cash(sold_out(4, passes=3), Ada=1, Bert=2, Cleo=300, Dora=4)
    assert ruhr_state(act(rules(), state, ADA, Pass()).state).cards == (ADA, CLEO, DORA, BERT)


@pytest.mark.rule("RUHR-SR-25", "RUHR-PHASE-02")
def test_phase_takes_unsold_items_off_display():
    state = opened(4)
    before = price_of_item(state, 10)
    draft = Draft(rules(), in_phase(state, "4"))
    draft.emit(PhaseBegan("5"))
    settle(draft, 0)
    shown = [item for column in display(draft.state) for item in column]
    assert not {20, 21, 22} & set(shown)
    assert price_of_item(draft.state, 10) < before


@pytest.mark.rule("RUHR-SR-25")
def test_bme_starts_without_private():
    state = in_phase(opened(4), "4")
    privates = {n: replace(p, owner=ADA) if p.open and n != 19 else p for n, p in state.privates.items()}
    privates[19] = replace(privates[19], open=False)
    state = stock_turn(with_cash(replace(state, privates=privates), Bert=500), BERT, number=1)
    state = act(rules(), state, BERT, FoundCompany("BME", 80)).state
    assert state.companies["BME"].percent(POOL) == 0
    assert state.aside.get("R13", 0) == 0


@pytest.mark.rule("RUHR-SR-19")
def test_private_bme_counts_two_papers():
    state = with_cash(opened(6), Ada=900)
    eleven = {n: replace(p, owner=ADA, open=True) for n, p in state.privates.items() if n < 12}
    state = replace(state, privates={**state.privates, **eleven})
    assert state.certificate_count(ADA) == 11
    refuses(rules(), state, ADA, BuyItem(19, 60), Code.CERTIFICATE_LIMIT, "RUHR-SR-19")
    act(rules(), state, ADA, BuyItem(15))
    ten = replace(state, privates={**state.privates, 1: replace(state.privates[1], owner=BERT)})
    assert act(rules(), ten, ADA, BuyItem(19, 60)).state.certificate_count(ADA) == 12


def test_part_two_begins_after_last_item():
    state = opened(4)
    privates = {n: replace(p, owner=ADA) if p.open and n != 1 else p for n, p in state.privates.items()}
    state = started(replace(state, privates=privates), "BME", ADA, 60, operated=False, floated=False, pool=30)
    column = display(state)[0] or display(state)[1]
    other = next(n for n in ruhr_state(state).columns[1 if 1 in ruhr_state(state).columns[0] else 0] if n != 19)
    two = replace(state, privates={**state.privates, other: replace(state.privates[other], owner=None)})
    assert (column, isinstance(act(rules(), two, ADA, BuyItem(1)).state.top, Package)) == ((1,), True)
    answer = act(rules(), state, ADA, BuyItem(1))
    assert isinstance(answer.state.top, StockRound)
    assert answer.state.top.seat == BERT
    assert box(answer.state, 60) == answer.state.markers.spaces["BME"]


def test_private_bme_stays_until_sold_out():
    state = after(rules(), opened(), (ADA, BuyItem(19, 60)))
    assert RemovePrivate(19) not in offered(rules(), state, ADA)


@pytest.mark.rule("RUHR-END-01", "RUHR-SR-05")
def test_broken_bank_ends_interruption():
    # 15.1 a: the running set, here the one round of the interruption, is completed; no stock round goes on
    state = in_phase(opened(3), "5")
    state = located(owning(state, pmc1=ADA, pmc3=BERT, markers="AAAABBBCC", money=0), pmc1=10, pmc3=10)
    state = replace(state, bank=50, agenda=(state.agenda[0], Package(BERT, 2, ADA)))
    begun = act(rules(), state, BERT, Pass()).state
    first = act(rules(), begun, ADA, Withhold()).state
    assert (first.ending, first.outcome, first.top.works) == ("bank", "", "3")
    assert act(rules(), first, BERT, Withhold()).state.outcome == "bank"
