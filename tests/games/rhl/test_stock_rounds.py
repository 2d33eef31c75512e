"""Section 3: stock rounds (COMMON-SR, RHL-SR), and how compat differs (CMP-06, -15, -17)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, refused, with_cash, with_company, with_market
from tests.builders.rhl_trading import (
    ADA,
    BERT,
    CLEO,
    EDITIONS,
    begun,
    current,
    firm,
    money,
    percents,
    play,
    refuses,
    ruleset,
    trading,
)
from trajekt.engine.actions import BuyShare, EndTurn, FoundCompany, Pass, SellShares
from trajekt.engine.agenda import run
from trajekt.engine.decisions import explain, legal
from trajekt.engine.events import PriorityMoved, TopReplaced
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import CHARTER, IPO, POOL, Player, Private, State
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound


def choices(edition: str, state: State, seat: int, kind: type) -> set:
    return {c.action for c in legal(ruleset(edition), state, (seat,)) if isinstance(c.action, kind)}


def busy(edition: str = "2", players: int = 3, **more) -> State:
    """GVE and ADR operate: Ada directs GVE (80), Bert ADR (70); Ada also holds ADR."""
    state = trading(edition, players, **more)
    state = firm(state, "GVE", (2, 3), director=ADA, Ada=40, Bert=10, pool=10)
    return firm(state, "ADR", (3, 2), director=BERT, Ada=20, Bert=30)


def ended(edition: str, state: State) -> Draft:
    """The stock round on top closed, all having passed."""
    frame = replace(current(state), passes=len(state.players))
    draft = Draft(ruleset(edition), replace(state, agenda=(*state.agenda[:-1], frame)))
    run(draft)
    return draft


# Turns ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-SR-01")
def test_the_round_starts_with_priority_deal():
    state = replace(trading("2"), agenda=(Rounds(1, 1, 1),), priority=CLEO)
    draft = Draft(ruleset("2"), state)
    run(draft)
    assert draft.state.top == StockRound(2, CLEO)
    gone = replace(state, players=(*state.players[:2], Player(bankrupt=True)))
    draft = Draft(ruleset("2"), gone)
    run(draft)
    assert draft.state.top == StockRound(2, ADA)


@pytest.mark.rule("COMMON-SR-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_three_passes_in_succession_end_round(edition):
    state = replace(busy(edition), agenda=(Rounds(2), StockRound(2, ADA)))
    source = IPO if edition != "2" else CHARTER
    state = play(edition, state, (ADA, Pass()), (BERT, BuyShare("GVE", source, 10)), (CLEO, Pass()), (ADA, Pass()))
    assert isinstance(state.top, StockRound)
    assert state.top.seat == BERT
    draft = act(ruleset(edition), state, BERT, Pass())
    assert not any(isinstance(frame, StockRound) and frame.number == 2 for frame in draft.state.agenda)
    assert draft.state.agenda[0].number == 3, "an operating round without turns lay between"


@pytest.mark.rule("COMMON-SR-02")
@pytest.mark.parametrize("edition", EDITIONS)
def test_selling_comes_before_buying(edition):
    source = IPO if edition != "2" else CHARTER
    state = busy(edition)
    state = play(edition, state, (ADA, SellShares("GVE", 10)), (ADA, SellShares("ADR", 10)))
    assert state.top.seat == ADA
    state = play(edition, state, (ADA, FoundCompany("BME", 65)))
    assert state.top == StockRound(2, BERT, sold=((ADA, "GVE"), (ADA, "ADR")), buyer=ADA, actor=ADA)
    refuses(edition, state, ADA, SellShares("GVE", 10), Code.NOT_YOUR_TURN, "COMMON-SR-01")
    refuses(edition, state, ADA, BuyShare("ADR", source, 10), Code.NOT_YOUR_TURN, "COMMON-SR-01")


@pytest.mark.rule("COMMON-SR-02")
def test_selling_alone_turn_and_no_pass():
    state = busy()
    refuses("2", state, ADA, EndTurn(), Code.PASS_INSTEAD, "COMMON-SR-02")
    state = play("2", replace(state, agenda=(StockRound(2, ADA, passes=2),)), (ADA, SellShares("GVE", 10)))
    refuses("2", state, ADA, Pass(), Code.END_TURN_INSTEAD, "COMMON-SR-02")
    state = play("2", state, (ADA, EndTurn()))
    assert state.top == StockRound(2, BERT, sold=((ADA, "GVE"),), actor=ADA)


@pytest.mark.rule("COMMON-SR-02")
def test_choiceless_turn_counts_as_pass():
    state = with_cash(busy(seat=BERT), Cleo=0)
    decision = act(ruleset("2"), state, BERT, Pass())
    assert decision.state.top == StockRound(2, ADA, passes=2), "Cleo owns nothing and can buy nothing"
    assert decision.events[-1] == TopReplaced(StockRound(2, ADA, passes=2), ("stock_turn",))
    seller = with_cash(busy(), Bert=0)
    assert act(ruleset("2"), seller, ADA, Pass()).state.top.seat == BERT, "Bert can sell"


@pytest.mark.rule("COMMON-SR-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_sold_in_first_stock_round(edition):
    state = busy(edition, number=1)
    refuses(edition, state, ADA, SellShares("GVE", 10), Code.FIRST_ROUND, "COMMON-SR-03")
    assert choices(edition, state, ADA, SellShares) == set()


# Certificates --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-SR-04", "RHL-SR-05")
@pytest.mark.case("B33")
@pytest.mark.parametrize("edition", EDITIONS)
def test_certificates_leave_the_offering_in_order(edition):
    rule = "COMMON-SR-04" if edition == "2" else "RHL-SR-05"
    state = trading(edition)
    refuses(edition, state, ADA, BuyShare("MKB", IPO, 20), Code.NOT_FOUNDED_YET, rule)
    state = play(edition, state, (ADA, FoundCompany("MKB", 80)))
    refuses(edition, state, BERT, BuyShare("MKB", IPO, 10), Code.NEXT_CERTIFICATE, rule)
    assert BuyShare("MKB", IPO, 20) in choices(edition, state, BERT, BuyShare)
    state = play(edition, state, (BERT, BuyShare("MKB", IPO, 20)), (CLEO, BuyShare("MKB", IPO, 20)))
    left = CHARTER if edition == "2" else IPO
    state = play(edition, state, (ADA, BuyShare("MKB", left, 10)))
    assert state.companies["MKB"].held(ADA) == (0, 3)
    code = Code.NONE_LIES_THERE if edition == "2" else Code.NEXT_CERTIFICATE
    refuses(edition, state, BERT, BuyShare("MKB", left, 20), code, rule)


@pytest.mark.rule("COMMON-SR-04")
def test_certificate_chosen_from_charter_or_pool():
    state = firm(trading("2", seat=BERT), "MKB", (2, 3), director=ADA, Ada=20)
    state = dealt(state, "MKB", pool=(1, 3, 4), charter=(2, 5, 6))
    offered = {BuyShare("MKB", place, percent) for place in (POOL, CHARTER) for percent in (10, 20)}
    assert {a for a in choices("2", state, BERT, BuyShare) if a.company == "MKB"} == offered
    state = play("2", state, (BERT, BuyShare("MKB", POOL, 10)), (CLEO, BuyShare("MKB", CHARTER, 20)))
    assert state.companies["MKB"].held(BERT) == (3,)
    assert state.companies["MKB"].held(CLEO) == (2,)


@pytest.mark.rule("COMMON-SR-06")
@pytest.mark.parametrize("edition", EDITIONS)
def test_bank_is_paid_before_corporation_floats(edition):
    state = firm(trading(edition), "ADR", (3, 2), director=ADA, floated=False, operated=False, Ada=20)
    after = play(edition, replace(state, agenda=(StockRound(2, BERT),)), (BERT, BuyShare("ADR", IPO, 10)))
    assert after.players[BERT].cash == 500 - 70
    assert after.bank == state.bank + 70
    assert after.companies["ADR"].treasury == 0


@pytest.mark.rule("COMMON-SR-06")
@pytest.mark.parametrize("edition", EDITIONS)
def test_floated_treasury_is_paid(edition):
    left = CHARTER if edition == "2" else IPO
    state = firm(trading(edition), "ADR", (2, 2), director=ADA, Ada=40, pool=10)
    assert state.price("ADR") == 75
    after = play(edition, state, (ADA, BuyShare("ADR", left, 10)))
    assert (after.companies["ADR"].treasury, after.bank) == (75, state.bank)
    after = play(edition, state, (ADA, BuyShare("ADR", POOL, 10)))
    assert (after.companies["ADR"].treasury, after.bank) == (0, state.bank + 75)
    assert after.players[ADA].cash == 425
    assert after.markers == state.markers


@pytest.mark.rule("COMMON-SR-06")
def test_double_certificate_costs_twice_the_price():
    state = firm(trading("2"), "MKB", (2, 3), director=ADA, floated=False, operated=False, Ada=20)
    state = replace(state, agenda=(StockRound(2, BERT),))
    after = play("2", state, (BERT, BuyShare("MKB", IPO, 20)))
    assert after.players[BERT].cash == 500 - 160
    poor = with_cash(state, Bert=159)
    refuses("2", poor, BERT, BuyShare("MKB", IPO, 20), Code.UNAFFORDABLE, "COMMON-SR-06")
    play("2", with_cash(state, Bert=160), (BERT, BuyShare("MKB", IPO, 20)))


@pytest.mark.rule("COMMON-SR-07")
def test_rhe_pool_shares_sold_first_round():
    state = firm(trading("2", number=1), "RhE", (2, 2), director=BERT, Bert=20, pool=30)
    after = play("2", state, (ADA, BuyShare("RhE", POOL, 10)))
    assert percents(after, "RhE")[ADA] == 10
    assert after.bank == state.bank + 75


@pytest.mark.rule("COMMON-SR-08", "COMMON-DIR-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_founding_sets_price_and_treasury(edition):
    state = with_market(trading(edition), GVE=(3, 3))
    after = play(edition, state, (ADA, FoundCompany("BME", 75)))
    assert after.players[ADA].cash == 500 - 150
    assert after.bank == state.bank + 150
    assert after.markers.stack((3, 3)) == ("GVE", "BME")
    bme = after.companies["BME"]
    assert (bme.director, bme.par, bme.founded, bme.floated, bme.held(ADA)) == (ADA, 75, True, False, (0,))
    refuses(edition, after, BERT, FoundCompany("BME", 75), Code.ALREADY_FOUNDED, "COMMON-SR-08")


@pytest.mark.rule("COMMON-SR-08")
def test_pars_are_the_pink_spaces():
    state = with_cash(trading("2"), Ada=130)
    refuses("2", state, ADA, FoundCompany("BME", 70), Code.UNAFFORDABLE, "COMMON-SR-08")
    refuses("2", state, ADA, FoundCompany("BME", 110), Code.NOT_PAR, "COMMON-SR-08")
    refuses("2", state, ADA, FoundCompany("PRU", 65), Code.NOT_IN_RULESET, "COMMON-SR-18")
    assert {a.par for a in choices("2", state, ADA, FoundCompany)} == {60, 65}
    rich = trading("2", cash=600)
    assert {a.par for a in choices("2", rich, ADA, FoundCompany)} == {60, 65, 70, 75, 80, 90, 100}
    spaces = {60: (4, 1), 65: (4, 2), 70: (3, 2), 75: (3, 3), 80: (2, 3), 90: (2, 4), 100: (1, 4)}
    for par, space in spaces.items():
        assert play("2", rich, (ADA, FoundCompany("CME", par))).markers.spaces["CME"] == space


@pytest.mark.rule("RHL-PRV-15")
def test_corporation_of_moers_founded_in_yellow():
    assert play("2", trading("2", phase="yellow"), (ADA, FoundCompany("MKB", 60))).companies["MKB"].director == ADA


@pytest.mark.rule("COMMON-SR-09")
@pytest.mark.case("B44")
@pytest.mark.parametrize("edition", EDITIONS)
def test_seller_buys_none_back(edition):
    source = CHARTER if edition == "2" else IPO
    state = play(edition, busy(edition), (ADA, SellShares("GVE", 10)))
    refuses(edition, state, ADA, BuyShare("GVE", source, 10), Code.SOLD_THIS_ROUND, "COMMON-SR-09")
    state = play(edition, state, (ADA, EndTurn()), (BERT, Pass()), (CLEO, Pass()))
    refuses(edition, state, ADA, BuyShare("GVE", source, 10), Code.SOLD_THIS_ROUND, "COMMON-SR-09")
    refuses(edition, state, ADA, BuyShare("GVE", POOL, 10), Code.SOLD_THIS_ROUND, "COMMON-SR-09")
    assert SellShares("GVE", 10) in choices(edition, state, ADA, SellShares), "more selling stays possible"
    later = replace(state, agenda=(StockRound(3, ADA),))
    assert BuyShare("GVE", source, 10) in choices(edition, later, ADA, BuyShare)
    others = replace(state, agenda=(replace(state.top, seat=CLEO),))
    assert BuyShare("GVE", source, 10) in choices(edition, others, CLEO, BuyShare)


# Selling -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-SR-10")
@pytest.mark.case("B49")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pool_holds_half_at_most(edition):
    state = firm(trading(edition), "ADR", (3, 2), director=BERT, Ada=20, Bert=30, pool=40)
    refuses(edition, state, ADA, SellShares("ADR", 20), Code.POOL_LIMIT, "COMMON-SR-10")
    assert percents(play(edition, state, (ADA, SellShares("ADR", 10))), "ADR")[POOL] == 50
    assert choices(edition, state, ADA, SellShares) == {SellShares("ADR", 10)}


@pytest.mark.rule("COMMON-SR-10")
@pytest.mark.case("B49")
def test_pool_limit_counts_shares_not_certificates():
    state = firm(trading("2"), "MKB", (2, 3), director=BERT, Bert=20)
    state = dealt(state, "MKB", Ada=(2, 3), pool=(1, 4, 5))
    refuses("2", state, ADA, SellShares("MKB", 20), Code.POOL_LIMIT, "COMMON-SR-10")
    assert play("2", state, (ADA, SellShares("MKB", 10))).companies["MKB"].held(ADA) == (2,)


@pytest.mark.rule("COMMON-SR-11")
def test_unfloated_is_not_sold_r2():
    state = firm(trading("2"), "ADR", (3, 2), director=BERT, floated=False, operated=False, Ada=10, Bert=20)
    refuses("2", state, ADA, SellShares("ADR", 10), Code.NOT_FLOATED, "COMMON-SR-11")
    state = firm(trading("2"), "ADR", (3, 2), director=BERT, operated=False, Ada=10, Bert=40)
    assert percents(play("2", state, (ADA, SellShares("ADR", 10))), "ADR")[POOL] == 10


@pytest.mark.rule("RHL-SR-12", "COMMON-AUC-12")
@pytest.mark.parametrize("edition", ["1", "compat"])
def test_unoperated_is_not_sold_r1(edition):
    state = firm(trading(edition), "CCE", (3, 2), director=BERT, operated=False, Ada=10, Bert=40)
    refuses(edition, state, ADA, SellShares("CCE", 10), Code.NOT_OPERATED, "RHL-SR-12")
    state = firm(trading(edition), "CCE", (3, 2), director=BERT, Ada=10, Bert=40)
    play(edition, state, (ADA, SellShares("CCE", 10)))


@pytest.mark.rule("COMMON-AUC-12", "COMMON-SR-11")
def test_no_5_share_waits_for_gve():
    state = dealt(trading("2"), "GVE", Ada=(1,))
    refuses("2", state, ADA, SellShares("GVE", 10), Code.NOT_FLOATED, "COMMON-SR-11")
    refuses("2", state, ADA, SellShares("GVE", 20), Code.NOT_HELD, "COMMON-SR-13")


@pytest.mark.rule("COMMON-SR-13")
@pytest.mark.case("B42")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sale_pays_price_before_fall(edition):
    state = firm(trading(edition), "ADR", (4, 3), director=BERT, Ada=40, Bert=40)
    assert state.price("ADR") == 70
    after = play(edition, state, (ADA, SellShares("ADR", 40)))
    assert after.players[ADA].cash == 500 + 280
    assert after.bank == state.bank - 280
    assert (after.markers.spaces["ADR"], after.price("ADR")) == ((5, 3), 65)
    assert percents(after, "ADR")[POOL] == 40


@pytest.mark.rule("COMMON-SR-13", "COMMON-MKT-03")
@pytest.mark.case("B52")
def test_lowest_space_keeps_marker():
    state = firm(trading("2"), "ADR", (6, 1), director=BERT, Ada=20, Bert=30)
    state = firm(state, "BME", (6, 1), director=CLEO, Cleo=50)
    after = play("2", state, (ADA, SellShares("ADR", 10)))
    assert after.price("ADR") == 50
    assert after.markers.stack((6, 1)) == ("ADR", "BME")


@pytest.mark.rule("COMMON-SR-14")
def test_sales_carried_out_in_order_stated():
    state = firm(trading("2"), "GVE", (3, 2), director=ADA, Ada=40)
    state = firm(state, "ADR", (3, 2), director=ADA, Ada=40)
    for order in (("GVE", "ADR"), ("ADR", "GVE")):
        after = play("2", state, *((ADA, SellShares(company, 10)) for company in order))
        assert after.markers.stack((4, 2)) == order


@pytest.mark.rule("COMMON-SR-14")
@pytest.mark.case("B42")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_one_block_per_corporation_and_turn(edition):
    state = play(edition, busy(edition), (ADA, SellShares("GVE", 10)), (ADA, SellShares("ADR", 10)))
    refuses(edition, state, ADA, SellShares("GVE", 10), Code.ONE_BLOCK, "COMMON-SR-14")
    later = play(edition, state, (ADA, EndTurn()), (BERT, Pass()), (CLEO, Pass()), (ADA, SellShares("GVE", 10)))
    assert later.markers.spaces["GVE"] == (4, 3), "in a later turn it falls again"


@pytest.mark.rule("COMMON-SR-14")
def test_compat_sells_corporation_twice_in_turn():
    """CMP-17."""
    state = play("compat", busy("compat"), (ADA, SellShares("GVE", 10)), (ADA, SellShares("GVE", 10)))
    assert state.players[ADA].cash == 500 + 80 + 75
    assert state.markers.spaces["GVE"] == (4, 3)


@pytest.mark.rule("COMMON-SR-18")
def test_shares_are_traded_with_bank_only():
    state = busy()
    refuses("2", state, CLEO, BuyShare("GVE", "Ada", 10), Code.NOT_YOUR_TURN, "COMMON-SR-01")
    for source in ("Ada", "0", "package", ""):
        refuses("2", state, ADA, BuyShare("GVE", source, 10), Code.NONE_LIES_THERE, "COMMON-SR-04")
    refuses("2", state, ADA, SellShares("XYZ", 10), Code.NOT_IN_RULESET, "COMMON-SR-18")
    for percent in (0, -10, 5, 15, 50, 1000):
        refused(ruleset("2"), state, ADA, SellShares("GVE", percent))
        refused(ruleset("2"), state, ADA, BuyShare("GVE", CHARTER, percent))


# Limits --------------------------------------------------------------------------------------------------------------


def full(edition: str, players: int, count: int) -> State:
    """Ada holds exactly `count` certificates of corporations that the last player directs."""
    state = trading(edition, players, cash=900)
    companies = ["BME", "CCE", "CME", "DEE"]
    for company in companies:
        take = min(count, 5)
        if take:
            last = {state.names[-1]: 50}
            state = firm(state, company, (3, 2), director=players - 1, Ada=10 * take, **last)
        count -= take
    assert count == 0
    return state


@pytest.mark.rule("COMMON-SR-15")
@pytest.mark.parametrize(
    ("edition", "players", "most"),
    [("1", 3, 20), ("1", 4, 15), ("1", 5, 12), ("1", 6, 10), ("2", 3, 20), ("2", 4, 15), ("2", 5, 12)],
)
def test_certificate_limit_stops_a_purchase(edition, players, most):
    state = full(edition, players, most)
    assert state.certificate_count(ADA) == most
    state = firm(state, "ADR", (3, 2), director=BERT, Bert=50, pool=10)
    refuses(edition, state, ADA, BuyShare("ADR", POOL, 10), Code.CERTIFICATE_LIMIT, "COMMON-SR-15")
    refuses(edition, state, ADA, FoundCompany("GVE", 60), Code.CERTIFICATE_LIMIT, "COMMON-SR-15")
    below = full(edition, players, most - 1)
    below = firm(below, "ADR", (3, 2), director=BERT, Bert=50, pool=10)
    assert play(edition, below, (ADA, BuyShare("ADR", POOL, 10))).certificate_count(ADA) == most
    assert play(edition, below, (ADA, FoundCompany("GVE", 60))).certificate_count(ADA) == most, "20 % count as one"


@pytest.mark.rule("COMMON-SR-15")
def test_open_privates_count():
    state = full("2", 5, 10)
    state = replace(state, privates={1: Private(1, ADA), 2: Private(2, ADA), 3: Private(3, ADA, open=False)})
    refuses("2", state, ADA, FoundCompany("GVE", 60), Code.CERTIFICATE_LIMIT, "COMMON-SR-15")


@pytest.mark.rule("COMMON-SR-16")
@pytest.mark.case("B46", "B48")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_over_limit_sells_first(edition):
    state = full(edition, 5, 13)
    refuses(edition, state, ADA, Pass(), Code.MUST_SELL, "COMMON-SR-16")
    refuses(edition, state, ADA, FoundCompany("GVE", 60), Code.MUST_SELL, "COMMON-SR-16")
    state = firm(state, "ADR", (3, 2), director=BERT, Bert=50, pool=10)
    refuses(edition, state, ADA, BuyShare("ADR", POOL, 10), Code.MUST_SELL, "COMMON-SR-16")
    assert {type(c.action) for c in legal(ruleset(edition), state, (ADA,))} == {SellShares}
    after = play(edition, state, (ADA, SellShares("BME", 10)))
    assert after.certificate_count(ADA) == 12
    assert EndTurn() in choices(edition, after, ADA, EndTurn)
    after = play(edition, state, (ADA, SellShares("BME", 20)))
    assert choices(edition, after, ADA, BuyShare), "afterwards the normal purchase is open"


@pytest.mark.rule("COMMON-SR-16")
def test_one_sale_may_not_be_enough():
    state = full("2", 5, 14)
    after = play("2", state, (ADA, SellShares("BME", 10)))
    refuses("2", after, ADA, EndTurn(), Code.MUST_SELL, "COMMON-SR-16")
    after = play("2", after, (ADA, SellShares("CCE", 10)), (ADA, EndTurn()))
    assert after.top.seat == BERT


@pytest.mark.rule("COMMON-SR-16")
@pytest.mark.case("B48")
def test_stuck_above_limit_may_pass():
    state = full("2", 5, 13)
    for company in ("BME", "CCE", "CME"):
        state = with_company(state, company, floated=False)
    assert choices("2", state, ADA, SellShares) == set()
    refuses("2", state, ADA, FoundCompany("GVE", 60), Code.CERTIFICATE_LIMIT, "COMMON-SR-15")
    assert play("2", state, (ADA, Pass())).top.seat == BERT


@pytest.mark.rule("COMMON-SR-16")
@pytest.mark.case("B45")
def test_losing_directorship_may_lift_over_limit():
    """At the limit, MKB's 20 % director's certificate lost against two of 10 %: one over, then he must sell."""
    state = full("2", 5, 11)
    state = dealt(firm(state, "MKB", (2, 3), director=ADA, Ada=20), "MKB", Bert=(3, 4), pool=(5,))
    assert state.certificate_count(ADA) == 12
    state = replace(state, agenda=(StockRound(2, BERT),))
    state = play("2", state, (BERT, BuyShare("MKB", POOL, 10)))
    assert state.companies["MKB"].director == BERT
    assert state.companies["MKB"].held(ADA) == (3, 4)
    assert state.certificate_count(ADA) == 13
    assert state.top.seat == CLEO, "nothing happens until his turn"
    his = replace(state, agenda=(StockRound(2, ADA),))
    refuses("2", his, ADA, Pass(), Code.MUST_SELL, "COMMON-SR-16")


@pytest.mark.rule("COMMON-SR-17")
def test_no_limit_on_one_corporation():
    state = firm(trading("2"), "RhE", (2, 2), director=ADA, Ada=80, pool=10)
    after = play("2", state, (ADA, BuyShare("RhE", POOL, 10)))
    assert percents(after, "RhE")[ADA] == 90


# The end of a round --------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-SR-19")
@pytest.mark.parametrize(
    ("cash", "holder", "next_"),
    [((40, 60, 60), BERT, CLEO), ((60, 60, 10), ADA, BERT), ((10, 80, 60), BERT, BERT), ((60, 60, 60), CLEO, ADA)],
)
def test_priority_deal_in_the_second_edition(cash, holder, next_):
    state = with_cash(trading("2"), Ada=cash[0], Bert=cash[1], Cleo=cash[2])
    draft = ended("2", replace(state, priority=holder))
    assert draft.state.priority == next_
    assert [e for e in draft.events if isinstance(e, PriorityMoved)] == (
        [] if next_ == holder else [PriorityMoved(next_)]
    )


@pytest.mark.rule("RHL-SR-20")
@pytest.mark.parametrize(
    ("cash", "buyer", "next_"),
    [((60, 60, 10), ADA, BERT), ((60, 60, 10), BERT, ADA), ((60, 60, 60), None, CLEO), ((10, 60, 90), ADA, CLEO)],
)
def test_priority_deal_in_the_first_edition(cash, buyer, next_):
    state = with_cash(trading("1"), Ada=cash[0], Bert=cash[1], Cleo=cash[2])
    state = replace(state, priority=BERT, agenda=(StockRound(2, ADA, buyer=buyer),))
    assert ended("1", state).state.priority == next_


@pytest.mark.rule("RHL-SR-20")
def test_priority_deal_in_compat():
    """CMP-15: F-B, SR 4: cash A 58, B 58, C 35 -> C, who comes after the last to act and is not tied."""
    state = with_cash(trading("compat"), Ada=58, Bert=58, Cleo=35)
    state = replace(state, agenda=(StockRound(3, ADA, buyer=ADA, actor=BERT),))
    assert ended("compat", state).state.priority == CLEO
    assert ended("1", state).state.priority == BERT


@pytest.mark.rule("COMMON-SR-21")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sold_out_markers_rise(edition):
    state = firm(trading(edition), "ADR", (4, 1), director=ADA, Ada=60, Bert=40)
    state = firm(state, "DEE", (1, 5), director=BERT, Bert=100)
    state = firm(state, "GVE", (3, 2), director=ADA, Ada=60, Bert=30)
    state = firm(state, "CME", (3, 3), director=ADA, Ada=60, Bert=30, pool=10)
    after = ended(edition, state).state.markers.spaces
    assert after == {"ADR": (3, 1), "DEE": (1, 5), "GVE": (3, 2), "CME": (3, 3)}


@pytest.mark.rule("COMMON-SR-21")
def test_sold_out_rise_in_order():
    state = firm(trading("2"), "ADR", (3, 2), director=ADA, Ada=100)
    state = firm(state, "GVE", (3, 2), director=ADA, Ada=100)
    state = firm(state, "BME", (2, 2), director=ADA, Ada=100)
    state = firm(state, "CME", (3, 3), director=ADA, Ada=90)
    after = ended("2", state).state
    assert after.markers.stack((2, 2)) == ("ADR", "GVE")
    assert after.markers.spaces["BME"] == (1, 2)


@pytest.mark.rule("COMMON-SR-22")
@pytest.mark.parametrize(("phase", "rounds"), [("yellow", 1), ("green", 2), ("green4", 2), ("brown", 3), ("grey", 3)])
def test_operating_rounds_of_a_set(phase, rounds):
    state = trading("2", phase=phase, cash=0)
    state = replace(state, agenda=(Rounds(4), StockRound(4, ADA)))
    draft = Draft(ruleset("2"), state)
    pushed = []
    while len(pushed) < rounds + 1 and draft.state.agenda:
        duty = draft.ruleset.duties[type(draft.state.agenda[-1])]
        duty.run(draft, draft.state.agenda[-1])
        top = draft.state.agenda[-1]
        if isinstance(top, OperatingRound) and not top.opened:
            pushed.append((top.number, top.of))
        if isinstance(top, StockRound) and top.number == 5:
            break
    assert pushed == [(n, rounds) for n in range(1, rounds + 1)]


@pytest.mark.rule("COMMON-SR-22")
def test_phase_change_leaves_set_as_it():
    state = trading("2", phase="yellow", cash=0)
    frame = OperatingRound(4, 1, 1)
    during = replace(state, agenda=(Rounds(4, 1, 1), frame), phase="green")
    draft = Draft(ruleset("2"), during)
    ruleset("2").duties[OperatingRound].run(draft, frame)
    ruleset("2").duties[OperatingRound].run(draft, draft.state.agenda[-1])
    ruleset("2").duties[Rounds].run(draft, draft.state.agenda[-1])
    assert draft.state.agenda == (Rounds(5), StockRound(5, ADA)), "SR 5 follows, though green has two rounds"


@pytest.mark.rule("COMMON-SR-23")
def test_everything_is_open():
    """Nothing of a position depends on who looks: one list of choices and reasons for each seat, from one public state."""
    state = busy()
    assert [p.cash for p in state.players] == [500, 500, 500]
    for seat in (BERT, CLEO):
        assert explain(ruleset("2"), state, seat) == []
    assert legal(ruleset("2"), state) == legal(ruleset("2"), state, (ADA,))


@pytest.mark.rule("COMMON-SR-15")
def test_four_player_limit_of_rules_example():
    """R2, 4 players, A holds 15 and buys: refused."""
    state = firm(full("2", 4, 15), "ADR", (3, 2), director=BERT, Bert=50, pool=10)
    refuses("2", state, ADA, BuyShare("ADR", POOL, 10), Code.CERTIFICATE_LIMIT, "COMMON-SR-15")
    assert money(begun("2", 4).state) == 9000
