"""Section 2: the auction of the starting package (COMMON-AUC, RHL-AUC), and how compat differs (CMP-10 to -15)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, on_top, refused, sheet
from tests.builders.rhl_trading import ADA, BERT, CLEO, DORA, EDITIONS, begun, money, percents, play, refuses, ruleset
from trajekt.engine.actions import (
    AcceptOffer,
    BuyPrivate,
    BuyShare,
    DeclineOffer,
    FoundCompany,
    Pass,
    PlaceBid,
    SellShares,
    SetPar,
)
from trajekt.engine.decisions import legal
from trajekt.engine.events import Paid
from trajekt.engine.ruleset import Code
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Bid, Private, State
from trajekt.games.rhl.rhe_founding import ParChoice
from trajekt.rules.auction import Auction, Contest, Offer
from trajekt.rules.stock_round import StockRound


def at_auction(
    edition: str = "2", *sold: int, bids=(), cash=(600, 600, 600), seat: int = ADA, priority: int = ADA
) -> State:
    """The auction with some certificates sold to Cleo long ago, standing bids, and `seat` to act."""
    state = begun(edition, len(cash)).state
    players = tuple(replace(p, cash=c) for p, c in zip(state.players, cash, strict=True))
    bank = state.bank + sum(p.cash for p in state.players) - sum(cash)
    privates = {n: Private(n, CLEO, open=n != 6) if n in sold else p for n, p in state.privates.items()}
    state = replace(state, players=players, bank=bank, privates=privates, priority=priority)
    state = replace(state, bids=tuple(Bid(*bid) for bid in bids))
    return replace(state, agenda=(*state.agenda[:-1], Auction(seat)))


def top(state: State):
    return state.agenda[-1]


@pytest.mark.rule("COMMON-AUC-01", "COMMON-SR-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_share_traded_before_package_sold(edition):
    state = begun(edition).state
    refuses(edition, state, ADA, FoundCompany("BME", 75), Code.PACKAGE_UNSOLD, "COMMON-AUC-01")
    refuses(edition, state, ADA, BuyShare("RhE", POOL, 10), Code.PACKAGE_UNSOLD, "COMMON-AUC-01")
    refuses(edition, state, ADA, SellShares("GVE", 10), Code.FIRST_ROUND, "COMMON-SR-03")
    refuses(edition, state, BERT, BuyPrivate(1), Code.NOT_YOUR_TURN, "COMMON-AUC-02")


@pytest.mark.rule("COMMON-AUC-02")
@pytest.mark.parametrize("edition", EDITIONS)
def test_lowest_is_bought_and_next_acts(edition):
    state = begun(edition).state
    after = play(edition, state, (ADA, BuyPrivate(1)))
    assert after.players[ADA].cash == state.players[ADA].cash - 20
    assert after.bank == state.bank + 20
    assert after.privates[1].owner == ADA
    assert top(after).seat == BERT
    bert = [choice.action for choice in legal(ruleset(edition), after, (BERT,))]
    assert BuyPrivate(2) in bert
    assert BuyPrivate(3) not in bert
    refuses(edition, after, BERT, BuyPrivate(3), Code.IN_ORDER, "COMMON-AUC-02")
    refuses(edition, after, BERT, BuyPrivate(1), Code.SOLD_OUT, "COMMON-AUC-02")
    refuses(edition, after, BERT, BuyPrivate(17), Code.NOT_IN_RULESET, "COMMON-AUC-02")


@pytest.mark.rule("COMMON-AUC-02")
def test_what_for_sale_not_bid_on():
    refuses("2", begun("2").state, ADA, PlaceBid(1, 25), Code.FOR_SALE, "COMMON-AUC-02")
    refuses("2", begun("2").state, ADA, PlaceBid(9, 25), Code.NOT_IN_RULESET, "COMMON-AUC-02")


@pytest.mark.rule("RHL-AUC-03")
@pytest.mark.parametrize("edition", [1, 2])
def test_package_has_printed_private_companies(edition):
    privates = sheet(edition).privates
    assert [(p.number, p.price, p.revenue) for p in privates.values()] == [
        (1, 20, 5), (2, 30, 0), (3, 50, 15), (4, 80, 20), (5, 120, 25), (6, 140, 0),
    ]  # fmt: skip
    assert sum(p.price for p in privates.values()) == 440
    assert [(p.brings, p.brings_percent) for p in privates.values() if p.brings] == [("GVE", 10), ("RhE", 20)]


@pytest.mark.rule("COMMON-AUC-05")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_bids_rise_by_at_least_5(edition):
    state = at_auction(edition)
    refuses(edition, state, ADA, PlaceBid(4, 84), Code.BID_TOO_LOW, "COMMON-AUC-05")
    state = play(edition, state, (ADA, PlaceBid(4, 85)))
    refuses(edition, state, BERT, PlaceBid(4, 88), Code.BID_TOO_LOW, "COMMON-AUC-05")
    refuses(edition, state, BERT, PlaceBid(4, 85), Code.BID_TOO_LOW, "COMMON-AUC-05")
    assert play(edition, state, (BERT, PlaceBid(4, 90))).bids == (Bid(4, ADA, 85), Bid(4, BERT, 90))


@pytest.mark.rule("COMMON-AUC-05", "COMMON-AUC-07")
def test_steps_of_5_in_second_edition():
    """A bid may jump (OQ-04); CMP-11 knows no multiples either."""
    for edition in ("1", "compat"):
        state = play(edition, at_auction(edition, bids=[(4, CLEO, 85)]), (ADA, PlaceBid(4, 92)))
        assert Bid(4, ADA, 92) in state.bids
    state = at_auction("2", bids=[(4, CLEO, 85)])
    refuses("2", state, ADA, PlaceBid(4, 92), Code.BID_STEP, "COMMON-AUC-05")
    assert Bid(4, ADA, 300) in play("2", state, (ADA, PlaceBid(4, 300))).bids


@pytest.mark.rule("COMMON-AUC-05")
@pytest.mark.case("B77")
def test_bid_money_is_committed():
    state = play("2", at_auction("2", 1), (ADA, PlaceBid(5, 125)), (BERT, Pass()), (CLEO, Pass()))
    assert state.players[ADA].cash == 600
    assert state.committed_to_bids(ADA) == 125
    refuses("2", state, ADA, PlaceBid(6, 480), Code.UNAFFORDABLE, "COMMON-AUC-05")
    assert play("2", state, (ADA, PlaceBid(6, 475))).committed_to_bids(ADA) == 600
    poor = at_auction("2", 1, cash=(360, 600, 600), bids=[(6, ADA, 325)])
    refuses("2", poor, ADA, PlaceBid(3, 55), Code.UNAFFORDABLE, "COMMON-AUC-05")
    at_3 = at_auction("2", 1, 2, cash=(360, 600, 600), bids=[(6, ADA, 325)])
    refuses("2", at_3, ADA, BuyPrivate(3), Code.UNAFFORDABLE, "COMMON-AUC-05")


@pytest.mark.rule("COMMON-AUC-05", "COMMON-AUC-08")
@pytest.mark.case("B77")
def test_an_own_bid_is_replaced():
    state = at_auction("2", 1, cash=(360, 600, 600), bids=[(6, ADA, 325)])
    refuses("2", state, ADA, PlaceBid(6, 365), Code.UNAFFORDABLE, "COMMON-AUC-05")
    after = play("2", state, (ADA, PlaceBid(6, 360)))
    assert after.bids == (Bid(6, ADA, 360),)
    assert after.committed_to_bids(ADA) == 360
    assert top(after).seat == BERT


@pytest.mark.rule("COMMON-AUC-05")
def test_a_bid_needs_free_money():
    state = at_auction("2", cash=(130, 600, 600), bids=[(2, ADA, 40)])
    refuses("2", state, ADA, PlaceBid(4, 95), Code.UNAFFORDABLE, "COMMON-AUC-05")
    span = next(c for c in legal(ruleset("2"), state, (ADA,)) if c.action == PlaceBid(4, 85)).spans["amount"]
    assert (span.low, span.high, span.step) == (85, 90, 5)


@pytest.mark.rule("COMMON-AUC-05")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_bid_spans_end_at_refusals(edition):
    state = at_auction(edition, cash=(133, 600, 600), bids=[(3, BERT, 60)])
    for choice in legal(ruleset(edition), state, (ADA,)):
        if isinstance(choice.action, PlaceBid):
            span = choice.spans["amount"]
            step = span.step
            for amount in (span.low, span.high):
                play(edition, state, (ADA, PlaceBid(choice.action.private, amount)))
            for amount in (span.low - step, span.high + step):
                refused(ruleset(edition), state, ADA, PlaceBid(choice.action.private, amount))


RECORDED = (
    (ADA, PlaceBid(5, 125)), (BERT, PlaceBid(4, 85)), (CLEO, PlaceBid(3, 55)), (ADA, BuyPrivate(1)),
    (BERT, PlaceBid(3, 60)), (CLEO, PlaceBid(3, 65)), (ADA, BuyPrivate(2)),
)  # fmt: skip
"""The opening of the recorded game F-A."""


@pytest.mark.rule("COMMON-AUC-06", "COMMON-AUC-12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_bids_resolve_one_after_another(edition):
    state = play(edition, begun(edition).state, *RECORDED)
    assert top(state) == Contest(3, (BERT, CLEO), BERT)
    state = play(
        edition, state, (BERT, PlaceBid(3, 70)), (CLEO, PlaceBid(3, 75)), (BERT, PlaceBid(3, 80)), (CLEO, Pass())
    )
    assert [state.privates[n].owner for n in range(1, 7)] == [ADA, ADA, BERT, BERT, ADA, None]
    assert [p.cash for p in state.players] == [425, 435, 600]
    assert state.companies["GVE"].percent(ADA) == 10
    assert state.certificate_count(ADA) == 4, "nos. 1, 2 and 5, and the share of the GVE"
    assert state.bids == ()
    assert isinstance(top(state), Auction)
    assert top(state).seat == BERT, "left of Ada, who last took a turn"


@pytest.mark.rule("COMMON-AUC-06")
def test_single_bid_buys_at_the_bid():
    state = play("2", at_auction("2", bids=[(2, CLEO, 45)]), (ADA, BuyPrivate(1)))
    assert state.privates[2].owner == CLEO
    assert state.players[CLEO].cash == 555
    assert top(state) == Auction(BERT, buyer=CLEO, actor=ADA)
    assert [c.action for c in legal(ruleset("2"), state) if isinstance(c.action, BuyPrivate)] == [BuyPrivate(3)]


@pytest.mark.rule("COMMON-AUC-07")
@pytest.mark.parametrize("edition", ["1", "2"])
def test_the_lowest_bidder_first_then_clockwise(edition):
    bids = [(3, ADA, 60), (3, BERT, 65), (3, CLEO, 70)]
    state = play(edition, at_auction(edition, 1, bids=bids), (ADA, BuyPrivate(2)))
    assert top(state).seat == ADA
    refuses(edition, state, BERT, PlaceBid(3, 75), Code.NOT_YOUR_TURN, "COMMON-AUC-07")
    refuses(edition, state, ADA, PlaceBid(4, 85), Code.CONTEST_FIRST, "COMMON-AUC-07")
    refuses(edition, state, ADA, PlaceBid(3, 70), Code.BID_TOO_LOW, "COMMON-AUC-05")
    seats = []
    for amount in (75, 80, 85, 90):
        seats.append(top(state).seat)
        state = play(edition, state, (top(state).seat, PlaceBid(3, amount)))
    assert seats == [ADA, BERT, CLEO, ADA]


@pytest.mark.rule("COMMON-AUC-07")
def test_who_leaves_the_contest_is_out():
    bids = [(3, ADA, 60), (3, BERT, 65), (3, CLEO, 70)]
    state = play("2", at_auction("2", 1, bids=bids), (ADA, BuyPrivate(2)), (ADA, Pass()))
    assert top(state).seat == BERT
    state = play("2", state, (BERT, PlaceBid(3, 75)))
    assert top(state).seat == CLEO
    state = play("2", state, (CLEO, PlaceBid(3, 80)))
    assert top(state).seat == BERT, "Ada does not return"
    state = play("2", state, (BERT, Pass()))
    assert state.privates[3].owner == CLEO
    assert [p.cash for p in state.players] == [570, 600, 520]
    assert state.committed_to_bids(ADA) == state.committed_to_bids(BERT) == 0


@pytest.mark.rule("COMMON-AUC-07")
def test_nobody_raises_against_himself():
    bids = [(3, ADA, 60), (3, BERT, 75), (3, CLEO, 65)]
    state = play("2", at_auction("2", 1, bids=bids), (ADA, BuyPrivate(2)), (ADA, Pass()))
    assert top(state).seat == CLEO


@pytest.mark.rule("COMMON-AUC-07")
def test_compat_always_asks_the_lowest():
    """CMP-12."""
    bids = [(3, ADA, 60), (3, BERT, 70), (3, CLEO, 65)]
    for edition, next_ in (("1", BERT), ("compat", CLEO)):
        state = play(edition, at_auction(edition, 1, bids=bids), (ADA, BuyPrivate(2)), (ADA, PlaceBid(3, 75)))
        assert top(state).seat == next_


@pytest.mark.rule("COMMON-AUC-08")
def test_raise_is_limited_by_free_money():
    bids = [(3, BERT, 60), (3, CLEO, 65), (5, BERT, 130)]
    state = at_auction("2", 1, cash=(600, 200, 600), bids=bids)
    state = play("2", state, (ADA, BuyPrivate(2)))
    choices = [c for c in legal(ruleset("2"), state, (BERT,)) if isinstance(c.action, PlaceBid)]
    assert [(c.action, c.spans["amount"].high) for c in choices] == [(PlaceBid(3, 70), 70)]
    refuses("2", state, BERT, PlaceBid(3, 75), Code.UNAFFORDABLE, "COMMON-AUC-05")


@pytest.mark.rule("RHL-AUC-09")
@pytest.mark.case("B79")
@pytest.mark.parametrize("edition", ["1", "compat"])
def test_no_1_falls_when_all_pass(edition):
    state = begun(edition).state
    bank = state.bank
    for price in (15, 10, 5):
        state = play(edition, state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()))
        assert top(state) == Auction(ADA, discount=20 - price)
        bought = play(edition, state, (ADA, BuyPrivate(1)))
        assert bought.players[ADA].cash == 600 - price
    assert state.bank == bank
    assert top(bought).discount == 0
    state = play(edition, state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()))
    assert state.privates[1].owner == ADA
    assert state.players[ADA].cash == 600
    assert top(state).seat == BERT
    assert [c.action for c in legal(ruleset(edition), state) if isinstance(c.action, BuyPrivate)] == [BuyPrivate(2)]


@pytest.mark.rule("RHL-AUC-09")
def test_bid_begins_count_of_passes_anew():
    state = play("1", begun("1").state, (ADA, Pass()), (BERT, Pass()), (CLEO, PlaceBid(2, 35)), (ADA, Pass()))
    assert top(state) == Auction(BERT, passes=1, actor=CLEO)


@pytest.mark.rule("RHL-AUC-10")
@pytest.mark.case("B79")
def test_later_passing_pays_incomes_r1():
    state = play("1", begun("1").state, (ADA, BuyPrivate(1)), (BERT, Pass()), (CLEO, Pass()), (ADA, BuyPrivate(2)))
    for _ in range(2):
        cash = state.players[ADA].cash
        state = play("1", state, (BERT, Pass()), (CLEO, Pass()), (ADA, Pass()))
        assert state.players[ADA].cash == cash + 5
        assert top(state).seat == BERT
        assert [c.action for c in legal(ruleset("1"), state) if isinstance(c.action, BuyPrivate)] == [BuyPrivate(3)]
    assert play("1", state, (BERT, BuyPrivate(3))).players[BERT].cash == 550


@pytest.mark.rule("COMMON-AUC-11")
@pytest.mark.case("B79")
def test_the_falling_offer_of_second_edition():
    state = play("2", begun("2").state, (ADA, BuyPrivate(1)), (BERT, BuyPrivate(2)), (CLEO, Pass()), (ADA, Pass()))
    cash = [p.cash for p in state.players]
    decision = act(ruleset("2"), state, BERT, Pass())
    state = decision.state
    assert [e for e in decision.events if isinstance(e, Paid)] == [Paid(BANK, ADA, 5, "private")]
    offered = []
    for _ in range(4):
        offered.append((top(state).seat, top(state).price))
        state = play("2", state, (top(state).seat, DeclineOffer()))
    assert offered == [(CLEO, 45), (ADA, 45), (BERT, 45), (CLEO, 40)]
    assert state.players[ADA].cash == cash[ADA] + 5, "the income is paid only once"
    refuses("2", state, BERT, AcceptOffer(), Code.NOT_YOUR_TURN, "COMMON-AUC-11")
    refuses("2", state, ADA, BuyPrivate(3), Code.WRONG_STEP, "COMMON-AUC-11")
    state = play("2", state, (ADA, AcceptOffer()))
    assert state.privates[3].owner == ADA
    assert state.players[ADA].cash == cash[ADA] + 5 - 40
    assert top(state) == Offer(4, 75, BERT), "the same again with the next, from the buyer's left"
    state = play("2", state, (BERT, AcceptOffer()))
    assert top(state) == Offer(5, state.sheet.privates[5].price - 5, CLEO)
    state = play("2", state, (CLEO, DeclineOffer()), (ADA, AcceptOffer()))
    assert top(state).seat == BERT, "no. 6 has a minimum: normal turns, from the buyer's left"
    assert BuyPrivate(6) in [c.action for c in legal(ruleset("2"), state)]


@pytest.mark.rule("COMMON-AUC-11")
@pytest.mark.case("B79")
def test_at_nothing_it_must_be_taken():
    state = begun("2").state
    for _ in range(3):
        state = play("2", state, (top(state).seat, Pass()))
    prices = []
    while top(state).price > 0:
        prices.append(top(state).price)
        state = play("2", state, (top(state).seat, DeclineOffer()))
    assert prices == [15] * 3 + [10] * 3 + [5] * 3
    assert top(state) == Offer(1, 0, ADA)
    refuses("2", state, ADA, DeclineOffer(), Code.MUST_TAKE, "COMMON-AUC-11")
    assert [c.action for c in legal(ruleset("2"), state)] == [AcceptOffer()]
    after = play("2", state, (ADA, AcceptOffer()))
    assert after.players[ADA].cash == 600
    assert after.privates[1].owner == ADA


@pytest.mark.rule("COMMON-AUC-11")
def test_offer_is_paid_from_free_money():
    state = at_auction("2", 1, 2, 3, cash=(200, 600, 600), bids=[(5, ADA, 150)])
    state = on_top(state, Offer(4, 60, ADA))
    refuses("2", state, ADA, AcceptOffer(), Code.UNAFFORDABLE, "COMMON-AUC-11")


@pytest.mark.rule("COMMON-AUC-06", "COMMON-AUC-11")
def test_bids_resolve_after_offer_is_taken():
    state = at_auction("2", 1, bids=[(3, BERT, 55)])
    state = play("2", state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()), (ADA, AcceptOffer()))
    assert (state.privates[2].owner, state.privates[3].owner) == (ADA, BERT)
    assert top(state) == Offer(4, 75, CLEO), "then the offer goes on, left of the last buyer"


@pytest.mark.rule("COMMON-AUC-12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_5_brings_share_of_gve(edition):
    state = play(edition, at_auction(edition, 1, 2, 3, 4), (ADA, BuyPrivate(5)))
    assert state.companies["GVE"].held(ADA) == (1,)
    assert state.players[ADA].cash == 480
    assert state.price("GVE") == 0
    assert state.certificate_count(ADA) == 2
    assert state.companies["GVE"].director is None


@pytest.mark.rule("RHL-AUC-13", "RHL-FLT-06")
@pytest.mark.case("B18")
def test_rhe_floats_with_no_6_r2():
    state = at_auction("2", 1, 2, 3, 4, bids=[(6, CLEO, 165)])
    after = play("2", state, (ADA, BuyPrivate(5)))
    rhe = after.companies["RhE"]
    assert rhe.treasury == 140
    assert after.bank == state.bank + 120 + 25
    assert after.players[CLEO].cash == 600 - 165
    assert percents(after, "RhE") == {CLEO: 20, POOL: 30, CHARTER: 50}
    assert (after.markers.spaces["RhE"], after.price("RhE"), rhe.par) == ((2, 2), 75, 70)
    assert after.aside == {"RhE": 210}
    assert (rhe.director, rhe.founded, rhe.floated) == (CLEO, True, True)
    assert not any(s.asleep for s in after.board.contents("I10").stations if s.company == "RhE")
    assert money(after) == 9000


@pytest.mark.rule("RHL-FLT-06", "RHL-PRV-14")
def test_no_6_at_price_whole_treasury():
    state = play("2", at_auction("2", 1, 2, 3, 4, 5), (ADA, BuyPrivate(6)))
    assert state.companies["RhE"].treasury == 140
    assert state.players[ADA].cash == 460
    assert not state.privates[6].open
    assert state.certificate_count(ADA) == 1, "it is a certificate of the RhE and no private"


READINGS = pytest.mark.parametrize(("edition", "site"), (("1", False), ("1", True), ("compat", True)))
"""By the letter of v1 4.2 and 16.4, with RhE's price paid to its treasury at choice, and at the public site."""


def rhe_rules(edition: str, site: bool):
    return ruleset(edition, variants=("rhe_price_paid",) if site and edition == "1" else ())


def bought_6(edition: str, site: bool, price: int = 140, par: int = 80) -> tuple[State, State]:
    """Before and after Cleo sets RhE's par; she has paid `price` for no. 6."""
    rules = rhe_rules(edition, site)
    if price == 140:
        state = act(rules, at_auction(edition, 1, 2, 3, 4, 5, seat=CLEO), CLEO, BuyPrivate(6)).state
    else:
        state = act(rules, at_auction(edition, 1, 2, 3, 4, bids=[(6, CLEO, price)]), ADA, BuyPrivate(5)).state
    assert top(state) == ParChoice(CLEO)
    return state, act(rules, state, CLEO, SetPar("RhE", par)).state


@pytest.mark.rule("RHL-AUC-14")
@pytest.mark.case("B18")
@READINGS
def test_buyer_sets_rhe_par_r1(edition, site):
    rules = rhe_rules(edition, site)
    state, after = bought_6(edition, site)
    pars = (70, 75, 80) if site else tuple(state.sheet.market.pars)
    assert site or set(pars) > {70, 75, 80, 90, 100}
    assert {c.action for c in legal(rules, state)} == {SetPar("RhE", par) for par in pars}
    for action, code in ((SetPar("RhE", 85), Code.NOT_PAR), (SetPar("ADR", 70), Code.NO_PAR_ASKED)):
        no = refused(rules, state, CLEO, action)
        assert (no.code, no.rule) == (code, "RHL-AUC-14")
    assert refused(rules, state, ADA, SetPar("RhE", 70)).code == Code.NOT_YOUR_TURN
    rhe = after.companies["RhE"]
    assert (rhe.treasury, rhe.par, rhe.director) == (140 if site else 0, 80, CLEO)
    assert (rhe.floated, rhe.due) == (True, True)
    assert percents(after, "RhE") == {CLEO: 20, POOL: 30, IPO: 50}
    assert after.markers.spaces["RhE"] == (2, 3)
    # CMP-13: the site keeps the money in the bank until the link
    assert after.aside == ({} if edition == "compat" else {"RhE": 240})
    assert after.bank == (state.bank if edition == "compat" else state.bank - 240)
    assert money(after) == 9000


@pytest.mark.rule("RHL-AUC-14")
@READINGS
def test_rhes_treasury_after_a_dearer_bid(edition, site):
    """By the letter the package is the bank's, whatever was bid, and the director's certificate brings twice the par."""
    _, after = bought_6(edition, site, 187, 70)
    assert after.companies["RhE"].treasury == (187 if site else 0)


@pytest.mark.rule("RHL-AUC-14", "RHL-FLT-03")
@READINGS
def test_rhe_marker_rises_after_first_round(edition, site):
    rules = rhe_rules(edition, site)
    _, state = bought_6(edition, site)
    for seat in (ADA, BERT, CLEO):
        state = act(rules, state, seat, Pass()).state
    rhe = state.companies["RhE"]
    assert (rhe.treasury, rhe.due, state.markers.spaces["RhE"]) == (140 if site else 160, False, (1, 3))
    assert state.price("RhE") == 90


@pytest.mark.rule("COMMON-AUC-11")
def test_normal_turns_after_falling_price_switch():
    state = at_auction("2", 1, 2)
    for seat in (ADA, BERT, CLEO):
        state = act(ruleset("2"), state, seat, Pass()).state
    assert top(state) == Offer(3, 45, ADA)
    once = act(ruleset("2", variants=("offer_once",)), state, ADA, AcceptOffer()).state
    assert top(once) == Auction(BERT, buyer=ADA, actor=ADA)


@pytest.mark.rule("COMMON-AUC-15")
def test_left_of_last_buyer_has_priority():
    state = play("2", at_auction("2", 1, 2, 3, 4, 5, seat=CLEO, priority=BERT), (CLEO, BuyPrivate(6)))
    assert top(state) == StockRound(1, ADA, buyer=CLEO, actor=CLEO)
    assert state.priority == ADA
    state = play("2", at_auction("2", 1, 2, 3, 4, seat=CLEO, bids=[(6, ADA, 150)]), (CLEO, BuyPrivate(5)))
    assert (top(state).seat, state.priority) == (BERT, BERT), "left of the buyer, not of the last to take a turn"


@pytest.mark.rule("RHL-AUC-16")
def test_share_buying_goes_clockwise_r1():
    state = play("1", at_auction("1", 1, 2, 3, 4, 5, seat=CLEO, priority=BERT), (CLEO, BuyPrivate(6)))
    state = play("1", state, (CLEO, SetPar("RhE", 75)))
    assert top(state) == StockRound(1, ADA, buyer=CLEO, actor=CLEO)
    assert state.priority == BERT, "the priority deal is not moved"


@pytest.mark.rule("RHL-AUC-16")
def test_compat_begins_with_the_richest():
    """CMP-10, as recorded in F-A."""
    state = play("compat", begun("compat").state, *RECORDED)
    for move in (
        (BERT, PlaceBid(3, 70)), (CLEO, PlaceBid(3, 75)), (BERT, PlaceBid(3, 80)), (CLEO, Pass()), (BERT, Pass()),
        (CLEO, BuyPrivate(6)), (CLEO, SetPar("RhE", 80)),
    ):  # fmt: skip
        state = play("compat", state, move)
    assert [p.cash for p in state.players] == [425, 435, 460]
    assert state.bank == 7540
    assert (top(state).seat, state.priority) == (CLEO, CLEO)
    poor = at_auction("compat", 1, 2, 3, 4, 5, cash=(300, 300, 200))
    poor = play("compat", poor, (ADA, Pass()), (BERT, Pass()), (CLEO, BuyPrivate(6)), (CLEO, SetPar("RhE", 70)))
    assert top(poor).seat == ADA, "a tie goes to the player after the last to act (CMP-15)"


@pytest.mark.rule("RHL-AUC-17")
def test_no_6_never_offered_below_price():
    state = at_auction("2", 1, 2, 3, 4, 5, seat=ADA)
    cleo = state.players[CLEO].cash
    for round_ in (1, 2):
        state = play("2", state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()))
        assert top(state) == Auction(ADA)
        assert state.players[CLEO].cash == cleo + 65 * round_
    assert play("2", state, (ADA, BuyPrivate(6))).players[ADA].cash == 460


@pytest.mark.rule("COMMON-AUC-07")
def test_contest_goes_clockwise_from_lowest_bidder():
    state = begun("2", 4).state
    state = play(
        "2",
        state,
        (ADA, PlaceBid(2, 40)),
        (BERT, PlaceBid(2, 45)),
        (CLEO, Pass()),
        (DORA, PlaceBid(2, 50)),
        (ADA, Pass()),
        (BERT, Pass()),
        (CLEO, BuyPrivate(1)),
    )
    assert top(state) == Contest(2, (ADA, BERT, DORA), ADA)


# Minimum bid, and questions with one answer ---------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-AUC-05", "RHL-AUC-17")
@pytest.mark.parametrize(("edition", "least"), (("2", 140), ("1", 145), ("compat", 145)))
def test_the_first_bid_on_no_6(edition, least):
    """The second edition prints a minimum bid, the first a minimum price."""
    state = begun(edition).state
    low = refused(ruleset(edition), state, ADA, PlaceBid(6, least - 1))
    assert (low.code, low.rule, low.args) == (Code.BID_TOO_LOW, "COMMON-AUC-05", {"least": least})
    after = play(edition, state, (ADA, PlaceBid(6, least)))
    assert refused(ruleset(edition), after, BERT, PlaceBid(6, least + 4)).args == {"least": least + 5}
    assert play(edition, after, (BERT, PlaceBid(6, least + 5))).bids[-1].amount == least + 5


@pytest.mark.rule("COMMON-AUC-07")
def test_who_cannot_raise_has_left():
    state = begun("2").state
    state = play("2", state, (ADA, PlaceBid(2, 35)), (BERT, PlaceBid(2, 600)), (CLEO, BuyPrivate(1)))
    assert state.privates[2].owner == BERT, "Ada has no more than 600"


@pytest.mark.rule("COMMON-AUC-05")
@pytest.mark.parametrize("edition", EDITIONS)
def test_player_without_free_money_is_passed(edition):
    state = begun(edition).state
    state = play(edition, state, (ADA, PlaceBid(3, 600)), (BERT, Pass()), (CLEO, Pass()))
    assert top(state).seat == BERT
    assert state.players[ADA].cash == 600


@pytest.mark.rule("COMMON-AUC-11")
def test_player_without_money_is_not_asked():
    state = at_auction("2", 1, 2, 3, cash=(70, 600, 600))
    state = play("2", state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()))
    assert top(state) == Offer(4, 75, BERT, 1), "Ada owns 70"
