"""Founding, floating, trade-in of minors, bankruptcy and second life."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import (
    choices,
    corporation,
    display,
    equipment,
    loaded,
    minor,
    position,
    rules,
    station,
    stock,
    tokens,
    total,
    turn,
)
from tests.builders.random_positions import act, refused, with_cash, with_company
from trajekt.engine.actions import BuyTrain, FoundCompany, Pass, Withhold
from trajekt.engine.state import CHARTER, IPO, POOL
from trajekt.games.do.actions import (
    BuyCertificate,
    ChoosePlace,
    DiscardBec,
    FoundByTrade,
    PlaceFreeToken,
    SellAtFloat,
    SellCertificates,
    TradeIn,
)
from trajekt.games.do.founding import available
from trajekt.games.do.frames import FloatSale, PlaceChoice, TooManyBecs
from trajekt.games.do.options import DoOptions
from trajekt.games.do.state import REMOVED, Slot, breweries, charter, cubes, do_state
from trajekt.games.do.stock_market import start_values
from trajekt.rules.stock_round import StockRound

FOUR, THREE = rules(4), rules(3)
RAILWAYS = ("CME", "BME", "RhE", "KWE")


def with_order(state, *slots):
    order = tuple(s if isinstance(s, Slot) else Slot(s) for s in slots)
    return replace(state, extra=replace(do_state(state), order=order))


def buy(company, source=CHARTER, percent=10):
    return BuyCertificate(company, source, percent)


# Founding


@pytest.mark.rule("DO-SR-30")
def test_founding_sets_price_and_shares():
    state = stock(position(4), 0)
    after = act(FOUR, state, 0, FoundCompany("CME", 60)).state
    cme = after.companies["CME"]
    assert (after.players[0].cash, cme.treasury, after.price("CME"), cme.percent(CHARTER)) == (880, 120, 60, 80)
    assert refused(FOUR, state, 0, FoundCompany("CME", 75)).rule == "DO-SR-30"
    green = stock(position(4, phase="3"), 0)
    for value in (55, 90):
        assert act(FOUR, green, 0, FoundCompany("CME", value))
    assert act(FOUR, green, 0, FoundCompany("DUB", 70)).state.players[0].cash == 1000 - 210
    assert act(FOUR, green, 0, FoundCompany("STI", 65)).state.players[0].cash == 1000 - 260
    assert refused(FOUR, with_cash(state, Ada=119), 0, FoundCompany("CME", 60)).code == "unaffordable"
    assert start_values(FOUR.sheet, "DUB", "grey") == (65, 70, 75, 80, 90, 100, 115, 130)


@pytest.mark.rule("DO-SR-31")
def test_the_new_token_goes_beneath():
    state = stock(corporation(position(4), "BME", 60, director=1), 0)
    state = act(FOUR, state, 0, FoundCompany("CME", 60)).state
    assert state.markers.stack(state.markers.spaces["CME"]) == ("BME", "CME")


@pytest.mark.rule("DO-SR-32")
def test_when_railways_become_available():
    state = position(4)
    for name in RAILWAYS[:3]:
        state = corporation(state, name, sizes={"Bert": (10, 10, 10)})
    state = corporation(state, "KWE", sizes={"Bert": (10, 10)}, floated=False, operated=False)
    assert refused(FOUR, stock(state, 2), 2, FoundCompany("DEEG", 60)).rule == "DO-SR-32"
    floated = act(FOUR, stock(state, 2), 2, buy("KWE")).state
    assert floated.companies["KWE"].floated
    founded = act(FOUR, floated, 3, FoundCompany("DEEG", 60)).state
    assert available(founded, "DHB", DoOptions()) is None
    assert available(floated, "DHB", DoOptions()) is not None
    # one that floated and went bankrupt still counts
    gone = replace(floated, extra=replace(do_state(floated), bankrupt={"CME": 3}))
    cme = replace(gone.companies["CME"], floated=False, founded=False)
    gone = replace(gone, companies={**gone.companies, "CME": cme})
    assert available(gone, "DEEG", DoOptions()) is None
    assert available(gone, "DEEG", DoOptions(deeg_counts_bankrupt=False)) is not None


@pytest.mark.rule("DO-SR-33")
def test_breweries_from_phase_3_on():
    assert refused(FOUR, stock(position(4), 0), 0, FoundCompany("DAB", 65)).code in ("not_in_phase", "not_par")
    assert act(FOUR, stock(position(4, phase="3"), 0), 0, FoundCompany("DAB", 65))


@pytest.mark.rule("DO-SR-34", "DO-FLOAT-01")
def test_unfloated_corporation_has_no_turn():
    state = stock(corporation(position(4), "CME", sizes={"Ada": (10, 10)}, treasury=240, floated=False, operated=False))
    for seat in range(4):
        state = act(FOUR, state, seat, Pass()).state
    assert state.agenda[-1] == StockRound(3, 0)
    assert (state.companies["CME"].treasury, state.price("CME")) == (240, 60)


# Floating


@pytest.mark.rule("DO-FLOAT-01")
def test_five_shares_float_a_corporation():
    sti = stock(corporation(position(4, phase="3"), "STI", 70, floated=False, operated=False), 1)
    assert act(FOUR, sti, 1, buy("STI")).state.companies["STI"].floated
    dab = stock(corporation(position(4, phase="3"), "DAB", 70, floated=False, operated=False), 1)
    dab = act(FOUR, dab, 1, buy("DAB", CHARTER, 20)).state
    assert not dab.companies["DAB"].floated
    assert act(FOUR, dab, 2, buy("DAB", CHARTER, 20)).state.companies["DAB"].floated


@pytest.mark.rule("DO-FLOAT-02")
def test_the_home_is_turned_up():
    for name, hexes in (("CME", ("A3", "B4")), ("RhE", ("H2", "I3")), ("DHB", ("C9",))):
        size = 20 if name == "DHB" else 10
        held = (10, 10) if name != "DHB" else ()
        state = stock(corporation(position(4), name, sizes={"Ada": held}, floated=False, operated=False), 1)
        state = act(FOUR, state, 1, buy(name, CHARTER, size)).state
        if name == "DHB":
            state = act(FOUR, state, 2, buy(name)).state
        for at in hexes:
            assert [(s.company, s.asleep) for s in state.board.contents(at).stations] == [(name, False)]
        assert len(state.companies[name].stations) == len(FOUR.sheet.companies[name].station_costs) - 1


def order_before(*kept):
    state = position(4, phase="3")
    for seat, name in enumerate(("B7", "B5", "B2")):
        state = minor(state, seat, name, becs=("2",))
    return with_order(state, "B7", "B5", "B2", *kept)


@pytest.mark.rule("DO-FLOAT-03")
def test_places_in_the_brewery_order():
    founded = act(FOUR, stock(order_before(), 1), 1, FoundByTrade("DUB", 70)).state
    assert breweries(founded) == ("B7", "B2")
    founded = act(FOUR, founded, 2, buy("DUB")).state
    floated = act(FOUR, founded, 3, buy("DUB")).state
    assert breweries(floated) == ("B7", "DUB", "B2")
    plain = act(FOUR, stock(order_before(), 3), 3, FoundCompany("DUB", 70)).state
    plain = act(FOUR, plain, 0, buy("DUB")).state
    last = act(FOUR, plain, 1, buy("DUB")).state
    assert breweries(last) == ("B7", "B5", "B2", "DUB")
    traded = act(FOUR, plain, 1, TradeIn("DUB", CHARTER, 10)).state
    assert traded.agenda[-1] == PlaceChoice("DUB", ("B5",))
    assert refused(FOUR, traded, 1, ChoosePlace("B5")).code == "not_director"
    assert breweries(act(FOUR, traded, 3, ChoosePlace("B5")).state) == ("B7", "DUB", "B2")
    assert breweries(act(FOUR, traded, 3, ChoosePlace("")).state) == ("B7", "B2", "DUB")
    assert refused(FOUR, traded, 3, ChoosePlace("B7")).rule == "DO-FLOAT-03"
    last = act(FOUR, traded, 3, ChoosePlace("")).state
    assert not [slot for slot in do_state(last).order if slot.reserved_for]


@pytest.mark.rule("DO-FLOAT-03", "DO-TRADEIN-08")
def test_trade_in_after_float_moves_nothing():
    state = corporation(order_before(), "DUB", 70, director=3, sizes={"Dora": (10, 10)})
    state = with_order(state, "DUB", "B7", "B5")
    after = act(FOUR, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).state
    assert do_state(after).order == (Slot("DUB"), Slot("B5"))  # no place is kept


@pytest.mark.rule("DO-FLOAT-04")
def test_sale_at_the_float():
    state = corporation(position(4, phase="5"), "DUB", 100, sizes={"Ada": (10,)}, floated=False, operated=False)
    sold = act(FOUR, stock(state, 1), 1, buy("DUB")).state
    assert isinstance(sold.agenda[-1], FloatSale)
    after = act(FOUR, sold, 0, SellAtFloat((10, 10))).state
    assert (after.companies["DUB"].treasury, after.price("DUB")) == (100 + 200, 100)
    assert not any(isinstance(f, FloatSale) for f in after.agenda)
    assert act(FOUR, sold, 0, SellAtFloat((20,))).state.companies["DUB"].percent(POOL) == 20
    full = corporation(position(4, phase="5"), "DUB", 100, sizes={"pool": (10,) * 4})
    full = replace(full, agenda=(FloatSale("DUB"),))
    assert refused(FOUR, full, 0, SellAtFloat((20,))).rule == "DO-SR-16"
    assert act(FOUR, full, 0, SellAtFloat((10,)))
    assert act(FOUR, sold, 0, SellAtFloat(())).state.companies["DUB"].percent(POOL) == 0
    assert refused(FOUR, sold, 0, SellAtFloat((20, 10))).rule == "DO-FLOAT-04"
    early = corporation(position(4, phase="4"), "DUB", 80, sizes={"Ada": (10,)}, floated=False, operated=False)
    assert not isinstance(act(FOUR, stock(early, 1), 1, buy("DUB")).state.agenda[-1], FloatSale)


@pytest.mark.rule("DO-FLOAT-06")
def test_the_free_token():
    state = turn(corporation(position(4), "KWE", operated=False, trains=("2",)), "KWE", "first")
    after = act(FOUR, state, 0, PlaceFreeToken("E19")).state
    assert after.board.contents("E19").icons == ("K10",)
    assert (after.depot.display, do_state(after).segments, after.bank) == (
        state.depot.display, do_state(state).segments, state.bank,
    )  # fmt: skip
    assert after.agenda[-1].step != "first"
    assert refused(FOUR, state, 0, PlaceFreeToken("E11")).rule == "DO-FLOAT-06"
    assert refused(FOUR, tokens(state, E19="K10"), 0, PlaceFreeToken("E19")).rule == "DO-FLOAT-06"
    declined = act(FOUR, state, 0, Pass()).state
    assert do_state(declined).free_token == ("KWE",)
    second = turn(corporation(position(4), "KWE"), "KWE", "first")
    assert refused(FOUR, second, 0, PlaceFreeToken("E19")).code == "used"


# Trade-in


@pytest.mark.rule("DO-TRADEIN-01", "DO-FLOAT-01")
def test_with_the_directors_certificate():
    state = minor(position(4, phase="3"), 0, "B5", 80, ("2", "2", "1"))
    after = act(FOUR, stock(state, 0), 0, FoundByTrade("KRO", 75)).state
    kro = after.companies["KRO"]
    assert (after.players[0].cash, kro.treasury, kro.percent(0)) == (850, 230, 30)
    assert [bec.kind for bec in charter(after, "KRO").becs] == ["2", "2", "1"]
    assert (after.privates[5].open, after.aside["B5"]) == (False, 0)
    assert total(after) == total(state)
    after = act(FOUR, after, 1, buy("KRO")).state
    assert act(FOUR, after, 2, buy("KRO")).state.companies["KRO"].floated


@pytest.mark.rule("DO-TRADEIN-01")
def test_minors_found_no_railway():
    state = stock(minor(position(4, phase="3"), 0, "B5", 80, ("2",)), 0)
    refusal = refused(FOUR, state, 0, FoundByTrade("CME", 65))
    assert (refusal.code, refusal.rule) == ("no_brewery", "DO-TRADEIN-01")
    assert {action.company for action in choices(FOUR, state, 0, FoundByTrade)} == {"DAB", "DUB", "KRO", "RIT", "STI"}


@pytest.mark.rule("DO-TRADEIN-02", "DO-TRADEIN-09")
def test_against_ten_per_cent_of_stock():
    state = corporation(position(4, phase="3"), "DUB", 80, 1, sizes={"Bert": (10,)}, floated=False, operated=False)
    state = minor(state, 0, "B2", 30, ("1", "1"))
    after = act(FOUR, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).state
    dub = after.companies["DUB"]
    assert (after.players[0].cash, dub.treasury, dub.percent(0), dub.floated) == (1000, 30, 10, True)
    assert len(charter(after, "DUB").becs) == 2


@pytest.mark.rule("DO-TRADEIN-03")
def test_against_twenty_per_cent_of_stock():
    state = minor(corporation(position(4, phase="3"), "DAB", 80, 1), 0, "B2", 30, ("1",))
    after = act(FOUR, stock(state, 0), 0, TradeIn("DAB", CHARTER, 20)).state
    assert (after.players[0].cash, after.companies["DAB"].treasury) == (920, 110)
    assert refused(FOUR, with_cash(stock(state, 0), Ada=79), 0, TradeIn("DAB", CHARTER, 20)).rule == "DO-TRADEIN-03"


@pytest.mark.rule("DO-TRADEIN-04")
def test_too_much_equipment_after_trade_in():
    state = equipment(corporation(position(4, phase="5"), "DUB", 80, 1), "DUB", "5", "4")
    state = minor(state, 0, "B2", 30, ("4",))
    after = act(FOUR, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).state
    assert isinstance(after.agenda[-1], TooManyBecs)
    assert len(choices(FOUR, after, 1, DiscardBec)) == 3
    gone = charter(after, "DUB").becs[0]
    after = act(FOUR, after, 1, DiscardBec("DUB", gone.number)).state
    assert len(charter(after, "DUB").becs) == 2


@pytest.mark.rule("DO-TRADEIN-05", "DO-TRADEIN-08")
def test_against_the_pool():
    state = corporation(position(4, phase="3"), "RIT", 80, 1, sizes={"pool": (10, 20)}, treasury=50)
    state = with_order(minor(state, 0, "B7", 45, ("2", "2")), "B5", "B7")
    after = act(FOUR, stock(state, 0), 0, TradeIn("RIT", POOL, 10)).state
    assert (after.bank - state.bank, after.companies["RIT"].treasury) == (45, 50)
    assert not charter(after, "B7").becs
    assert not charter(after, "RIT").becs
    assert breweries(after) == ("B5",)
    twenty = act(FOUR, stock(state, 0), 0, TradeIn("RIT", POOL, 20)).state
    assert (twenty.players[0].cash, twenty.bank - state.bank) == (920, 125)
    strict = rules(4, pool_20_trade_in="refused")
    assert refused(strict, stock(state, 0), 0, TradeIn("RIT", POOL, 20)).rule == "DO-TRADEIN-05"


@pytest.mark.rule("DO-TRADEIN-06")
def test_trade_in_is_acquisition_of_turn():
    state = minor(corporation(position(4, phase="3"), "DUB", 80, 1), 0, "B2", 0, ("1",))
    after = act(FOUR, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).state
    assert after.agenda[-1].seat == 1
    assert refused(FOUR, stock(state, 0), 0, TradeIn("RIT", CHARTER, 10)).code == "not_founded"
    assert refused(FOUR, stock(state, 2), 2, TradeIn("DUB", CHARTER, 10)).rule == "DO-TRADEIN-06"
    early = minor(corporation(position(4), "DUB", 80, 1), 0, "B2", 0, ("1",))
    assert refused(FOUR, stock(early, 0), 0, TradeIn("DUB", CHARTER, 10)).code == "not_in_phase"
    assert refused(FOUR, stock(minor(position(4), 0, "B2"), 0, number=1), 0, FoundByTrade("DUB", 65)).rule == "DO-SR-01"


@pytest.mark.rule("DO-TRADEIN-07")
def test_the_share_limit_holds():
    five = rules(5)
    state = corporation(position(5, phase="3"), "DUB", 80, 0, sizes={"Ada": (10, 10, 10)})
    state = minor(state, 0, "B2", 0, ("1",))
    assert refused(five, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).rule == "DO-SR-12"


# Bankruptcy


@pytest.mark.rule("DO-BANKR-01")
def test_without_income_on_the_lowest_value():
    state = turn(corporation(position(4), "CME", 10, trains=("2",)), "CME", "run", revenue=0)
    state = replace(state, agenda=(*state.agenda[:-1], replace(state.agenda[-1], step="pay", revenue=30)))
    after = act(FOUR, state, 0, Withhold()).state
    assert (after.companies["CME"].founded, "CME" in after.markers.spaces) == (False, False)


@pytest.mark.rule("DO-BANKR-01", "DO-BANKR-06", "DO-BANKR-03")
def test_a_sale_that_makes_bankrupt():
    big = corporation(position(3), "CME", 50, sizes={"Ada": (10, 10, 10, 10, 10)}, treasury=77)
    sold = act(THREE, stock(big), 0, SellCertificates("CME", (10, 10, 10, 10, 10))).state
    assert sold.players[0].cash == 1000 + 250
    assert not sold.companies["CME"].founded
    assert sold.bank == big.bank - 250 + 77
    assert refused(THREE, stock(sold, 1, number=2), 1, FoundCompany("CME", 55)).rule == "DO-BANKR-03"
    assert act(THREE, stock(sold, 1, number=3), 1, FoundCompany("CME", 55))


@pytest.mark.rule("DO-BANKR-02", "DO-BANKR-04")
def test_what_becomes_of_it():
    state = corporation(position(4, phase="4"), "RhE", 10, trains=("3", "4"), treasury=120, sizes={"pool": (10, 10)})
    state = station(tokens(state, H4="K10"), C13="RhE", E15="RhE")
    state = loaded(replace(state, phase="5"), "RhE", ("4", 1))
    state = turn(state, "RhE", "pay", revenue=20)
    after = act(FOUR, state, 0, Withhold()).state
    rhe = after.companies["RhE"]
    assert (rhe.treasury, rhe.trains, rhe.percent(IPO), rhe.director) == (0, (), 100, None)
    assert after.board.contents("C13").stations == ()
    assert [s.asleep for s in after.board.contents("H2").stations] == [True]
    assert after.board.contents("H4").icons == ("K10",)
    assert set(after.depot.gone) >= {"3", "4"}
    assert (do_state(after).loads, cubes(after)) == ({}, cubes(state))
    assert total(after) == total(state)
    # refounded: the home and three others, the next one costs 60 again
    assert rhe.stations == (60, 80, 100)


@pytest.mark.rule("DO-BANKR-04")
def test_privileges_of_a_refounded_railway():
    used = replace(
        position(4), extra=replace(do_state(position(4)), free_token=("KWE",), bankrupt={"KWE": 2, "CME": 2})
    )
    state = turn(corporation(used, "KWE", operated=False), "KWE", "first")
    assert refused(FOUR, state, 0, PlaceFreeToken("E19")).code == "used"
    again = turn(corporation(used, "CME", operated=False, treasury=300), "CME", "first")
    assert act(FOUR, again, 0, BuyTrain("display", "2", 80))
    none = rules(4, refounded_privileges="none")
    assert refused(none, again, 0, BuyTrain("display", "2", 80)).rule == "DO-FLOAT-05"


@pytest.mark.rule("DO-BANKR-05")
def test_brewery_comes_back_with_eight_shares():
    state = corporation(position(4, phase="3"), "DUB", 10, 0, sizes={"Ada": (10,), "Bert": (10, 10)})
    state = with_order(state, "DUB", "B2")
    state = stock(equipment(state, "DUB", "2"), 0)
    closed = act(FOUR, state, 0, SellCertificates("DUB", (10,))).state
    assert breweries(closed) == ("B2",)
    assert not charter(closed, "DUB").becs
    dub = closed.companies["DUB"]
    assert [c.percent for c in dub.certificates if c.holder != REMOVED] == [30, 10, 10, 10, 20]
    assert dub.held(REMOVED) == (4, 5)  # those deepest in the stack
    again = corporation(closed, "DUB", 10, 0, sizes={"Ada": (10,)})
    held = tuple(
        replace(c, holder=REMOVED) if n in (4, 5) else c for n, c in enumerate(again.companies["DUB"].certificates)
    )
    again = with_company(again, "DUB", certificates=held)
    twice = act(FOUR, stock(again, 0), 0, SellCertificates("DUB", (10,))).state
    assert twice.companies["DUB"].held(REMOVED) == (4, 5)  # no more leave, none comes back
    founded = act(FOUR, stock(closed, 1, number=3), 1, FoundCompany("DUB", 70)).state
    assert founded.companies["DUB"].percent(CHARTER) == 50
    assert display(founded).companies["DUB"].percent(REMOVED) == 20
