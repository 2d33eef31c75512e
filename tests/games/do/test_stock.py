"""Stock rounds: turns, purchases, limits, sales, change of director."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import NAMES, choices, corporation, equipment, minor, position, rules, stock
from tests.builders.random_positions import act, refused, with_cash
from trajekt.engine.actions import Action, EndTurn, FoundCompany, Pass
from trajekt.engine.state import CHARTER, POOL
from trajekt.games.do.actions import BuyCertificate, SellCertificates, TradeIn
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

FOUR, THREE = rules(4), rules(3)


def buy(company, source=CHARTER, percent=10, **more):
    return BuyCertificate(company, source, percent, **more)


def sell(company, *sizes, back=0):
    return SellCertificates(company, sizes, back)


def tens(count):
    return (10,) * count


def first(state, **values):
    """The first stock round, in the order 3, 2, 1 of three players."""
    return replace(state, agenda=(Rounds(1), StockRound(1, 2, order=(2, 1, 0), **values)))


@pytest.mark.rule("DO-SR-01")
def test_first_round_neither_sales_nor_breweries():
    state = first(corporation(position(3), "BME", sizes={"Cleo": tens(2)}))
    refusal = refused(THREE, state, 2, sell("BME", 10))
    assert (refusal.code, refusal.rule) == ("first_round", "DO-SR-01")
    assert refused(THREE, state, 2, FoundCompany("DUB", 65)).rule == "DO-SR-33"


@pytest.mark.rule("DO-SR-02", "DO-SR-04")
def test_first_round_ends_with_passes():
    state = first(corporation(position(3), "BME", floated=False, operated=False))
    for seat, action in ((2, Pass()), (1, Pass()), (0, buy("BME")), (2, Pass()), (1, Pass())):
        state = act(THREE, state, seat, action).state
        assert isinstance(state.agenda[-1], StockRound)
    state = act(THREE, state, 0, Pass()).state
    assert state.agenda[-1] == StockRound(2, 1)  # nobody operates yet; left of the player who bought last


@pytest.mark.rule("DO-SR-03")
def test_priority_after_the_first_round():
    state = first(corporation(position(3), "BME", floated=False, operated=False))
    state = act(THREE, state, 2, buy("BME")).state
    for seat in (1, 0, 2):
        state = act(THREE, state, seat, Pass()).state
    assert state.priority == 0
    state = first(corporation(position(3), "BME", floated=False, operated=False))
    for seat in (2, 1, 0):
        state = act(THREE, state, seat, Pass()).state
    assert state.priority == 2  # nobody bought: who was first


@pytest.mark.rule("DO-SR-04", "DO-SR-06")
def test_later_rounds_begin_at_priority_deal():
    state = stock(corporation(position(3), "BME", sizes={"Ada": tens(2), "Bert": tens(1)}), 1)
    seats = []
    for _ in range(3):
        seats.append(state.agenda[-1].seat)
        state = act(THREE, state, seats[-1], Pass()).state
    assert seats == [1, 2, 0]
    assert state.priority == 0  # it stays


@pytest.mark.rule("DO-SR-05")
def test_a_turn_sells_then_acquires_one():
    state = corporation(position(4), "BME", sizes={"Bert": tens(3)})
    state = stock(corporation(state, "CME", 65), 1)
    state = act(FOUR, state, 1, sell("BME", 10)).state
    state = act(FOUR, state, 1, sell("BME", 10)).state
    assert refused(FOUR, state, 1, Pass()).code == "end_turn_instead"
    after = act(FOUR, state, 1, buy("CME")).state
    assert after.agenda[-1].seat == 2
    assert refused(FOUR, after, 1, sell("BME", 10)).code == "not_your_turn"
    assert refused(FOUR, after, 1, buy("CME")).code == "not_your_turn"
    left = act(FOUR, state, 1, EndTurn()).state
    assert (left.agenda[-1].seat, left.agenda[-1].passes) == (2, 0)


@pytest.mark.rule("DO-SR-06")
def test_a_sale_moves_the_priority_deal():
    state = stock(corporation(position(4), "BME", sizes={"Bert": tens(3)}), 1)
    state = act(FOUR, act(FOUR, state, 1, sell("BME", 10)).state, 1, EndTurn()).state
    for seat in (2, 3, 0, 1):
        state = act(FOUR, state, seat, Pass()).state
    assert state.priority == 2


@pytest.mark.rule("DO-SR-07")
def test_who_is_paid():
    state = stock(corporation(position(4), "CME", 65, sizes={"pool": tens(2)}), 1)
    after = act(FOUR, state, 1, buy("CME")).state
    assert (after.players[1].cash, after.companies["CME"].treasury) == (935, 65)
    after = act(FOUR, state, 1, buy("CME", POOL)).state
    assert (after.players[1].cash, after.bank - state.bank, after.companies["CME"].treasury) == (935, 65, 0)
    dab = stock(corporation(position(4, phase="3"), "DAB", 65), 1)
    assert act(FOUR, dab, 1, buy("DAB", CHARTER, 20)).state.players[1].cash == 870
    assert refused(FOUR, with_cash(dab, Bert=129), 1, buy("DAB", CHARTER, 20)).code == "unaffordable"


@pytest.mark.rule("DO-SR-08")
def test_sold_before_in_this_round():
    state = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": tens(2)}), 1)
    state = minor(state, 1, "B4", becs=("2",))
    state = act(FOUR, state, 1, sell("DUB", 10)).state
    assert refused(FOUR, state, 1, buy("DUB")).rule == "DO-SR-08"
    assert refused(FOUR, state, 1, TradeIn("DUB", CHARTER, 10)).rule == "DO-SR-08"
    again = stock(state, 1, number=3)
    assert act(FOUR, again, 1, buy("DUB"))


@pytest.mark.rule("DO-SR-09")
def test_handing_in_a_ten():
    state = stock(corporation(position(4, phase="3"), "DAB", 80, sizes={"Bert": (10,), "pool": (20,)}), 1)
    after = act(FOUR, state, 1, buy("DAB", POOL, 20, hand_in=True)).state
    dab = after.companies["DAB"]
    assert after.players[1].cash == 920
    assert (dab.percent(1), len(dab.held(1))) == (20, 1)
    assert [dab.certificates[n].percent for n in dab.held(POOL)] == [10]
    assert refused(FOUR, stock(state, 2), 2, buy("DAB", POOL, 20, hand_in=True)).rule == "DO-SR-09"
    assert refused(FOUR, state, 1, buy("DAB", CHARTER, 10, hand_in=True)).rule in ("DO-SR-09", "DO-SR-10")


@pytest.mark.rule("DO-SR-10")
def test_the_top_certificate_is_sold():
    state = stock(corporation(position(4, phase="3"), "DAB", 65), 1)
    assert refused(FOUR, state, 1, buy("DAB", CHARTER, 10)).rule == "DO-SR-10"
    assert act(FOUR, state, 1, buy("DAB", CHARTER, 20))
    state = corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": tens(4), "pool": (10,)})
    dub = state.companies["DUB"]
    assert [dub.certificates[n].percent for n in dub.held(CHARTER)] == [20]
    back = replace(
        dub, certificates=tuple(replace(c, holder=CHARTER) if c.holder == POOL else c for c in dub.certificates)
    )
    state = stock(replace(state, companies={**state.companies, "DUB": back}), 2)
    assert refused(FOUR, state, 2, buy("DUB", CHARTER, 20)).rule == "DO-SR-10"
    state = act(FOUR, state, 2, buy("DUB", CHARTER, 10)).state
    assert act(FOUR, state, 3, buy("DUB", CHARTER, 20))
    pooled = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"pool": (10, 20)}), 1)
    assert act(FOUR, pooled, 1, buy("DUB", POOL, 20))
    assert act(FOUR, pooled, 1, buy("DUB", POOL, 10))


def papers(state, seat, count):
    """A player with so many certificates, in railways that he does not direct."""
    left = count
    for company in ("CME", "BME", "RhE", "KWE", "DEEG"):
        more = min(left, 5)
        state = corporation(
            state, company, sizes={NAMES[seat]: tens(more)}, director=(seat + 1) % 4 if more < 6 else None
        )
        left -= more
    assert left == 0
    return state


@pytest.mark.rule("DO-SR-11", "DO-TRADEIN-07")
def test_certificate_limit_stops_a_purchase():
    state = minor(papers(position(4, phase="3"), 0, 18), 0, "B4", becs=("2",))
    state = stock(corporation(state, "DUB", 70, director=2), 0)
    assert state.certificate_count(0) == 19
    refusal = refused(FOUR, state, 0, buy("DUB"))
    assert (refusal.code, refusal.rule) == ("certificate_limit", "DO-SR-11")
    after = act(FOUR, state, 0, TradeIn("DUB", CHARTER, 10)).state
    assert after.certificate_count(0) == 19
    act(FOUR, state, 0, Pass())  # the limit itself is no surplus
    dab = corporation(papers(position(4, phase="3"), 0, 18), "DAB", 70, director=2, sizes={"Ada": (10,)})
    assert dab.certificate_count(0) == 19
    exchanged = act(FOUR, stock(dab, 0), 0, buy("DAB", CHARTER, 20, hand_in=True)).state
    assert exchanged.certificate_count(0) == 19


@pytest.mark.rule("DO-SR-12")
def test_share_limit_stops_a_purchase():
    state = stock(corporation(position(4), "CME", sizes={"Ada": tens(4)}), 0)
    assert refused(FOUR, state, 0, buy("CME")).rule == "DO-SR-12"
    state = stock(corporation(position(3), "CME", sizes={"Ada": tens(4)}), 0)
    state = act(THREE, state, 0, buy("CME")).state
    assert state.companies["CME"].percent(0) == 70
    assert refused(THREE, stock(state, 0), 0, buy("CME")).rule == "DO-SR-12"
    dab = stock(corporation(position(4, phase="3"), "DAB", 65, sizes={"Ada": (20, 10)}), 0)
    assert act(FOUR, dab, 0, buy("DAB", CHARTER, 20, hand_in=True)).state.companies["DAB"].percent(0) == 60


@pytest.mark.rule("DO-SR-13")
def test_a_surplus_is_sold_first():
    state = stock(corporation(papers(position(4), 0, 20), "DHB", director=1), 0)
    for action in (buy("DHB", CHARTER, 20), Pass(), FoundCompany("DEEG", 60)):
        assert refused(FOUR, state, 0, action).code in ("must_sell", "already_founded")
    assert refused(FOUR, state, 0, Pass()).rule == "DO-SR-13"
    sold = act(FOUR, state, 0, sell("CME", 10)).state
    assert act(FOUR, sold, 0, EndTurn())
    stuck = papers(position(4), 0, 20)
    for name in ("CME", "BME", "RhE", "KWE", "DEEG"):
        stuck = replace(stuck, companies={**stuck.companies, name: replace(stuck.companies[name], operated=False)})
    stuck = stock(stuck, 0)
    assert {type(c) for c in choices(FOUR, stuck, 0, Action)} == {Pass}


@pytest.mark.rule("DO-SR-14")
def test_what_has_not_acted_not_sold():
    state = stock(corporation(position(4), "RhE", sizes={"Bert": tens(3)}, operated=False), 1)
    assert refused(FOUR, state, 1, sell("RhE", 10)).rule == "DO-SR-14"
    state = stock(corporation(position(4), "RhE", sizes={"Bert": tens(3)}), 1)
    assert act(FOUR, state, 1, sell("RhE", 10))


@pytest.mark.rule("DO-SR-15", "DO-SR-21")
def test_the_directors_certificate_stays():
    state = stock(corporation(position(4), "CME", sizes={"Bert": (10,)}), 0)
    refusal = refused(FOUR, state, 0, sell("CME", 20))
    assert refusal.rule in ("DO-SR-15", "DO-SR-21")
    assert not choices(FOUR, state, 0, SellCertificates)


@pytest.mark.rule("DO-SR-16")
def test_pool_limit_stops_a_sale():
    state = stock(corporation(position(4, phase="3"), "DAB", 80, sizes={"Bert": (20, 10), "pool": (10, 10, 20)}), 1)
    assert refused(FOUR, state, 1, sell("DAB", 20)).rule == "DO-SR-16"
    assert act(FOUR, state, 1, sell("DAB", 10))


@pytest.mark.rule("DO-SR-17")
def test_only_the_directors_sale_moves_value():
    state = stock(corporation(position(4), "CME", 80, sizes={"Bert": tens(3), "Ada": tens(4)}), 1)
    after = act(FOUR, state, 1, sell("CME", 10, 10, 10)).state
    assert (after.players[1].cash, after.price("CME")) == (1240, 80)
    state = stock(state, 0)
    after = act(FOUR, state, 0, sell("CME", 10, 10, 10)).state
    assert (after.players[0].cash, after.price("CME")) == (1240, 65)
    once = act(FOUR, state, 0, sell("CME", 10)).state
    twice = act(FOUR, once, 0, sell("CME", 10)).state
    assert twice.players[0].cash == 1000 + 80 + 75


@pytest.mark.rule("DO-SR-18")
def test_half_of_a_twenty():
    state = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": (20,), "pool": (10,)}), 1)
    after = act(FOUR, state, 1, sell("DUB", 20, back=1)).state
    dub = after.companies["DUB"]
    assert after.players[1].cash == 1070
    assert [dub.certificates[n].percent for n in dub.held(POOL)] == [20]
    assert [dub.certificates[n].percent for n in dub.held(1)] == [10]
    empty = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": (20,)}), 1)
    assert refused(FOUR, empty, 1, sell("DUB", 20, back=1)).rule == "DO-SR-18"
    full = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": (20,), "pool": tens(5)}), 1)
    assert refused(FOUR, full, 1, sell("DUB", 20, back=1)).rule == "DO-SR-16"
    four = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": (20,), "pool": tens(4)}), 1)
    assert act(FOUR, four, 1, sell("DUB", 20, back=1)).state.companies["DUB"].percent(POOL) == 50


@pytest.mark.rule("DO-SR-19", "DO-SR-20")
def test_who_holds_more_becomes_director():
    state = stock(corporation(position(4), "CME", sizes={"Ada": tens(2), "Bert": tens(4)}), 1)
    assert state.companies["CME"].director == 0
    after = act(FOUR, state, 1, buy("CME")).state
    cme = after.companies["CME"]
    assert (cme.director, cme.percent(1), len(cme.held(1)), len(cme.held(0))) == (1, 50, 4, 4)
    # of several with equally many the nearest to the left of the former director
    state = stock(corporation(position(3), "CME", sizes={"Ada": tens(2), "Bert": tens(3), "Cleo": tens(3)}), 0)
    after = act(THREE, state, 0, sell("CME", 10, 10)).state
    assert after.companies["CME"].director == 1
    # equal holdings change nothing
    state = stock(corporation(position(4), "CME", sizes={"Ada": tens(2), "Bert": tens(3)}), 1)
    assert act(FOUR, state, 1, buy("CME")).state.companies["CME"].director == 0


@pytest.mark.rule("DO-SR-20")
def test_director_change_takes_fewest_certificates():
    state = stock(corporation(position(4, phase="3"), "DUB", 70, sizes={"Bert": (20, 10), "pool": (10,)}), 1)
    state = act(FOUR, state, 1, buy("DUB", POOL)).state
    dub = state.companies["DUB"]
    assert dub.director == 1
    assert sorted(dub.certificates[n].percent for n in dub.held(0)) == [10, 20]
    state = stock(corporation(position(4, phase="3"), "DAB", 70, sizes={"Ada": (10,), "Bert": (20, 10)}), 1)
    state = act(FOUR, state, 1, buy("DAB", CHARTER, 20)).state
    dab = state.companies["DAB"]
    assert dab.director == 1
    assert sorted(dab.certificates[n].percent for n in dab.held(0)) == [10, 20]


@pytest.mark.rule("DO-SR-20", "DO-SR-21")
def test_announced_sale_decides_what_successor_gives():
    state = stock(corporation(position(4, phase="3"), "DAB", 80, sizes={"Ada": (20,), "Bert": (20, 10, 10)}), 0)
    after = act(FOUR, state, 0, sell("DAB", 10)).state
    dab = after.companies["DAB"]
    assert (dab.director, dab.percent(0), dab.percent(1)) == (1, 30, 40)
    assert sorted(dab.certificates[n].percent for n in dab.held(0)) == [10, 20]


@pytest.mark.rule("DO-SR-21", "DO-SR-22")
def test_the_outgoing_directors_sale():
    state = stock(corporation(position(4), "CME", 80, sizes={"Ada": tens(2), "Bert": tens(3)}), 0)
    after = act(FOUR, state, 0, sell("CME", 10, 10)).state
    cme = after.companies["CME"]
    assert (cme.director, after.price("CME"), after.players[0].cash) == (1, 70, 1160)
    keep = rules(4, outgoing_director_moves_value=False)
    assert act(keep, state, 0, sell("CME", 10, 10)).state.price("CME") == 80
    # equal afterwards: only with 20 % beside the director's certificate
    equal = stock(corporation(position(4), "CME", 80, sizes={"Ada": tens(2), "Bert": tens(2)}), 0)
    assert act(FOUR, equal, 0, sell("CME", 10, 10)).state.companies["CME"].director == 0


@pytest.mark.rule("DO-SR-23", "DO-SR-24", "DO-SR-25", "DO-BEC-06", "DO-TOK-09", "DO-TRAIN-08")
def test_no_action_gives_money_away():
    known = {kind.__struct_config__.tag for kind in FOUR.actions}
    assert {"sell_certificates", "trade_in", "buy_train", "buy_bec"} <= known
    assert not known & {"close", "give", "lend", "sell_bec", "move_station", "gift"}
    state = stock(equipment(minor(position(4), 0, "B4"), "B4", "2"), 0)
    assert {type(a) for a in choices(FOUR, state, 0, Action)} <= {Pass, FoundCompany}


@pytest.mark.rule("DO-SR-09", "DO-SR-18")
def test_only_larger_certificates_are_exchanged():
    state = stock(corporation(position(4, phase="3"), "DUB", 70, director=2, sizes={"Ada": (10,), "pool": (10,)}), 0)
    assert refused(FOUR, state, 0, buy("DUB", POOL, 10, hand_in=True)).code == "hand_in_for_larger"
    assert refused(FOUR, state, 0, sell("DUB", 10, back=1)).rule == "DO-SR-18"
    assert refused(FOUR, state, 0, sell("DUB", 10, back=-1)).rule == "DO-SR-18"


@pytest.mark.rule("DO-TRADEIN-02")
def test_minor_not_traded_in_for_railway():
    state = stock(minor(corporation(position(4, phase="3"), "CME", director=2), 0, "B4", becs=("2",)), 0)
    assert refused(FOUR, state, 0, TradeIn("CME", CHARTER, 10)).rule == "DO-TRADEIN-02"
