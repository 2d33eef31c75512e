"""Section 4: directors and the exchange of certificates (COMMON-DIR)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, refused
from tests.builders.rhl_trading import (
    ADA,
    BERT,
    CLEO,
    DORA,
    EDITIONS,
    current,
    firm,
    percents,
    refuses,
    ruleset,
    trading,
)
from trajekt.engine.actions import BuyShare, SellShares
from trajekt.engine.decisions import legal
from trajekt.engine.events import CertificateMoved, DirectorChanged, Paid
from trajekt.engine.ruleset import Code
from trajekt.engine.state import CHARTER, POOL, State
from trajekt.rules.stock_round import StockRound


def sold(edition: str, state: State, seat: int, company: str, percent: int) -> State:
    state = replace(state, agenda=(replace(current(state), seat=seat),))
    return act(ruleset(edition), state, seat, SellShares(company, percent)).state


def mkb(state: State, director: int = ADA, **numbers) -> State:
    """The corporation of Moers at 80; certificates by number: 0 the director's, 1 and 2 of 20 %, 3 to 6 of 10 %."""
    return dealt(firm(state, "MKB", (2, 3), director=director), "MKB", **numbers)


@pytest.mark.rule("COMMON-DIR-02", "COMMON-DIR-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_holds_more_director_at_once(edition):
    source = POOL
    state = firm(trading(edition, seat=BERT), "GVE", (2, 3), director=ADA, Ada=20, Bert=10, pool=20)
    state = act(ruleset(edition), state, BERT, BuyShare("GVE", source, 10)).state
    assert state.companies["GVE"].director == ADA, "equal holdings change nothing"
    state = replace(state, agenda=(StockRound(2, BERT),))
    decision = act(ruleset(edition), state, BERT, BuyShare("GVE", source, 10))
    gve = decision.state.companies["GVE"]
    assert gve.director == BERT
    assert (percents(decision.state, "GVE")[ADA], percents(decision.state, "GVE")[BERT]) == (20, 30)
    assert gve.certificates[0].holder == BERT
    assert [gve.certificates[n].percent for n in gve.held(ADA)] == [10, 10]
    assert DirectorChanged("GVE", BERT, "exchange") in decision.events


@pytest.mark.rule("COMMON-DIR-04")
@pytest.mark.case("B36")
def test_equals_go_left_of_old_director():
    state = firm(trading("2"), "ADR", (3, 2), director=ADA, Ada=20, Bert=20, Cleo=20)
    after = sold("2", state, ADA, "ADR", 20)
    assert after.companies["ADR"].director == BERT
    assert percents(after, "ADR") == {BERT: 20, CLEO: 20, POOL: 20, CHARTER: 40}
    four = firm(trading("2", 4), "ADR", (3, 2), director=ADA, Ada=20, Bert=10, Cleo=20, Dora=20)
    assert sold("2", four, ADA, "ADR", 20).companies["ADR"].director == CLEO
    dora = firm(trading("2", 4), "ADR", (3, 2), director=DORA, Dora=20, Ada=20, Cleo=20)
    assert sold("2", dora, DORA, "ADR", 20).companies["ADR"].director == ADA


@pytest.mark.rule("COMMON-DIR-04")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_to_take_over(edition):
    state = firm(trading(edition), "ADR", (3, 2), director=ADA, Ada=20, Bert=10, Cleo=10)
    for percent in (10, 20):
        refuses(edition, state, ADA, SellShares("ADR", percent), Code.NO_SUCCESSOR, "COMMON-DIR-04")
    assert not [c for c in legal(ruleset(edition), state, (ADA,)) if isinstance(c.action, SellShares)]
    alone = firm(trading(edition), "ADR", (3, 2), director=ADA, Ada=50)
    refuses(edition, alone, ADA, SellShares("ADR", 40), Code.NO_SUCCESSOR, "COMMON-DIR-04")
    assert sold(edition, alone, ADA, "ADR", 30).companies["ADR"].director == ADA


@pytest.mark.rule("COMMON-DIR-04")
def test_equal_after_a_sale_he_stays():
    state = firm(trading("2"), "ADR", (3, 2), director=ADA, Ada=30, Bert=20)
    after = sold("2", state, ADA, "ADR", 10)
    assert after.companies["ADR"].director == ADA
    assert percents(after, "ADR")[ADA] == 20


@pytest.mark.rule("COMMON-DIR-02", "COMMON-DIR-04")
def test_director_falls_behind_with_shares():
    state = firm(trading("2"), "ADR", (3, 2), director=ADA, Ada=40, Bert=30)
    after = sold("2", state, ADA, "ADR", 20)
    assert after.companies["ADR"].director == BERT
    assert after.companies["ADR"].certificates[0].holder == BERT
    assert percents(after, "ADR") == {ADA: 20, BERT: 30, POOL: 20, CHARTER: 30}


@pytest.mark.rule("COMMON-DIR-05")
@pytest.mark.case("B38")
def test_directors_certificate_is_sold_in_part():
    """The rulebook's example."""
    state = firm(trading("2"), "RhE", (2, 3), director=ADA, Ada=20, Bert=20, Cleo=10, pool=40)
    refuses("2", state, ADA, SellShares("RhE", 20), Code.POOL_LIMIT, "COMMON-SR-10")
    decision = act(ruleset("2"), state, ADA, SellShares("RhE", 10))
    after = decision.state
    assert after.companies["RhE"].director == BERT
    assert percents(after, "RhE") == {ADA: 10, BERT: 20, CLEO: 10, POOL: 50, CHARTER: 10}
    assert after.companies["RhE"].held(BERT) == (0,)
    assert after.players[ADA].cash == 580
    kinds = [type(e) for e in decision.events]
    assert kinds.index(DirectorChanged) < kinds.index(Paid), "the exchange comes first"
    sale = [e for e in decision.events if isinstance(e, CertificateMoved) and e.target == POOL]
    assert len(sale) == 1
    assert sale[0].number != 0
    assert not any(c.director and c.holder == POOL for c in after.companies["RhE"].certificates)


@pytest.mark.rule("COMMON-DIR-05")
def test_the_directors_certificate_never_enters_pool():
    state = firm(trading("2"), "RhE", (2, 3), director=ADA, Ada=20, Bert=20)
    after = sold("2", state, ADA, "RhE", 20)
    assert percents(after, "RhE") == {BERT: 20, POOL: 20, CHARTER: 60}
    assert after.companies["RhE"].certificates[0].holder == BERT


@pytest.mark.rule("COMMON-DIR-06")
@pytest.mark.parametrize("edition", EDITIONS)
def test_without_exact_exchange_sale_is_refused(edition):
    state = mkb(trading(edition), Ada=(0,), Bert=(1,))
    if edition != "compat":  # there the pool gives change (CMP-46)
        refuses(edition, state, ADA, SellShares("MKB", 10), Code.NOT_EXCHANGEABLE, "COMMON-DIR-06")
    after = sold(edition, state, ADA, "MKB", 20)
    assert after.companies["MKB"].held(POOL) == (1,)
    assert after.companies["MKB"].held(BERT) == (0,)
    assert after.companies["MKB"].director == BERT


@pytest.mark.rule("COMMON-DIR-06")
@pytest.mark.parametrize("edition", EDITIONS)
def test_two_of_10_serve_one_sale(edition):
    state = mkb(trading(edition), Ada=(0,), Bert=(3, 4))
    after = sold(edition, state, ADA, "MKB", 10)
    assert after.companies["MKB"].held(BERT) == (0,)
    assert len(after.companies["MKB"].held(ADA)) == len(after.companies["MKB"].held(POOL)) == 1


@pytest.mark.rule("COMMON-DIR-06", "COMMON-DIR-03")
@pytest.mark.case("B40")
def test_the_exchange_uses_what_sale_needs():
    state = mkb(trading("2"), Ada=(0,), Bert=(1, 3, 4))
    twenty = sold("2", state, ADA, "MKB", 20)
    assert twenty.companies["MKB"].held(POOL) == (1,), "a 20 % certificate if he has one"
    assert twenty.companies["MKB"].held(BERT) == (0, 3, 4)
    # COMMON-DIR-04: Bert holds more than Ada keeps
    ten = sold("2", state, ADA, "MKB", 10)
    assert ten.companies["MKB"].held(BERT) == (0, 1), "10 % certificates where the sale needs a single one"
    assert len(ten.companies["MKB"].held(ADA)) == 1
    for after in (twenty, ten):
        assert sum(percents(after, "MKB").values()) == 100
        assert percents(after, "MKB")[BERT] == 40


@pytest.mark.rule("COMMON-DIR-06")
@pytest.mark.case("B40")
def test_purchase_changes_director_with_double_certificate():
    state = mkb(trading("2", seat=BERT), Ada=(0,), Bert=(1,), pool=(3, 4))
    after = act(ruleset("2"), state, BERT, BuyShare("MKB", POOL, 10)).state
    assert after.companies["MKB"].director == BERT
    assert after.companies["MKB"].held(BERT) == (0, 3)
    assert after.companies["MKB"].held(ADA) == (1,)


@pytest.mark.rule("COMMON-DIR-06")
def test_compat_gives_small_certificates():
    """CMP-39: the 20 % certificate only of a new director without more papers than needed."""
    state = mkb(trading("compat"), Ada=(0,), Bert=(1, 3, 4))
    assert sold("compat", state, ADA, "MKB", 20).companies["MKB"].held(BERT) == (0, 1)
    state = mkb(trading("compat"), Ada=(0,), Bert=(1, 3))
    assert sold("compat", state, ADA, "MKB", 20).companies["MKB"].held(BERT) == (0, 3)


@pytest.mark.rule("COMMON-DIR-05", "COMMON-DIR-06")
def test_directors_certificate_sold_in_part():
    """Ada 40 % (20 + 20), Bert 30 %: selling 10 % leaves her 30 %, so she stays and cannot part with half of a paper."""
    state = mkb(trading("2"), Ada=(0, 1), Bert=(3, 4, 5))
    refuses("2", state, ADA, SellShares("MKB", 10), Code.NOT_EXCHANGEABLE, "COMMON-DIR-06")
    state = mkb(trading("2"), Ada=(0, 1), Bert=(2, 3, 4))
    after = sold("2", state, ADA, "MKB", 10)
    assert after.companies["MKB"].director == BERT
    assert percents(after, "MKB")[ADA] == 30
    assert after.companies["MKB"].held(BERT) == (0, 2)


@pytest.mark.rule("COMMON-SR-13")
@pytest.mark.case("B40")
def test_seller_needs_exact_papers():
    state = mkb(trading("2"), director=BERT, Bert=(0, 1), Ada=(2,))
    refuses("2", state, ADA, SellShares("MKB", 10), Code.NOT_HELD, "COMMON-SR-13")
    assert sold("2", state, ADA, "MKB", 20).companies["MKB"].held(POOL) == (2,)


@pytest.mark.rule("COMMON-SR-13")
@pytest.mark.parametrize("edition", ("1", "2"))
def test_the_seller_names_his_papers(edition):
    """The player sells certificates of his choice (v1 16.1, EN 5.2.1)."""
    state = mkb(trading(edition), director=BERT, Bert=(0, 1), Ada=(2, 3, 4))
    offers = [c.action for c in legal(ruleset(edition), state, (ADA,)) if isinstance(c.action, SellShares)]
    assert offers == [
        SellShares("MKB", 10),
        SellShares("MKB", 20, (20,)),
        SellShares("MKB", 20, (10, 10)),
        SellShares("MKB", 30),
        SellShares("MKB", 40),
    ]
    for sizes, kept in (((20,), (3, 4)), ((10, 10), (2,))):
        assert act(ruleset(edition), state, ADA, SellShares("MKB", 20, sizes)).state.companies["MKB"].held(ADA) == kept
    unnamed = refused(ruleset(edition), state, ADA, SellShares("MKB", 20))
    assert (unnamed.code, unnamed.rule) == (Code.NAME_PAPERS, "COMMON-SR-13")
    assert unnamed.args == {"company": "MKB", "ways": "20 %; 10 % + 10 %"}
    refuses(edition, state, ADA, SellShares("MKB", 30, (20, 10)), Code.ONE_WAY_TO_SELL, "COMMON-SR-13")
    refuses(edition, state, ADA, SellShares("MKB", 20, (10, 20)), Code.NOT_HELD, "COMMON-SR-13")


@pytest.mark.rule("COMMON-SR-13")
def test_recorded_games_sell_the_small_papers():
    state = mkb(trading("compat"), director=BERT, Bert=(0, 1), Ada=(2, 3, 4))
    assert sold("compat", state, ADA, "MKB", 20).companies["MKB"].held(ADA) == (2,)


@pytest.mark.rule("COMMON-DIR-06")
@pytest.mark.parametrize(
    ("papers", "percent", "after"),
    [
        ({"Ada": (0, 1), "Bert": (2,)}, 30, {ADA: 20, BERT: 20, POOL: 20}),
        ({"Ada": (0, 1), "Bert": (2,), "pool": (3,)}, 30, {ADA: 10, BERT: 20, POOL: 40}),
        ({"Ada": (0,), "Bert": (2,)}, 10, {ADA: 20, BERT: 20}),
        ({"Ada": (0,), "Bert": (2,), "pool": (3, 4)}, 10, {ADA: 10, BERT: 20, POOL: 30}),
    ],
)
def test_compat_pool_gives_change(papers, percent, after):
    """CMP-46: one certificate comes back out of the pool, of 10 % if it has one; paid is the percentage sold."""
    state = mkb(trading("compat"), **papers)
    cash, price = state.players[ADA].cash, state.price("MKB")
    done = sold("compat", state, ADA, "MKB", percent)
    held = percents(done, "MKB")
    assert {place: held.get(place, 0) for place in (ADA, BERT, POOL)} == {ADA: 0, BERT: 0, POOL: 0} | after
    assert done.players[ADA].cash == cash + price * percent // 10
    assert done.companies["MKB"].director == BERT
    for edition in ("1", "2"):
        before = mkb(trading(edition), **papers)
        refuses(edition, before, ADA, SellShares("MKB", percent), Code.NOT_EXCHANGEABLE, "COMMON-DIR-06")
