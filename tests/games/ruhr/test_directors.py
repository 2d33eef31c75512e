"""Section 4: directors (RUHR-DIR)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    DORA,
    act,
    at_table,
    in_phase,
    montan,
    railway_turn,
    refuses,
    rules,
    started,
    stations,
    stock_turn,
    with_cash,
    works_turn,
)
from trajekt.engine.actions import BuyShare, LayTile, Pass, SellShares
from trajekt.engine.agenda import settle
from trajekt.engine.events import PhaseBegan
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import IPO, POOL
from trajekt.games.ruhr.actions import RemovePrivate


def green(players: int = 4):
    return with_cash(in_phase(at_table(players), "3"), Ada=500, Bert=500, Cleo=500)


def with_private(state, owner: int):
    return replace(state, privates={**state.privates, 19: replace(state.privates[19], owner=owner)})


def holds(state, company: str) -> dict[int, int]:
    return dict(state.companies[company].shareholders)


@pytest.mark.rule("RUHR-DIR-01")
def test_larger_holder_directs_at_once():
    state = stock_turn(started(green(), "CME", ADA, 80, Ada=30, Bert=20), BERT)
    equal = act(rules(), state, BERT, BuyShare("CME", IPO, 10)).state
    assert equal.companies["CME"].director == ADA
    more = act(rules(), stock_turn(replace(equal, agenda=()), BERT), BERT, BuyShare("CME", IPO, 10)).state
    assert more.companies["CME"].director == BERT


@pytest.mark.rule("RUHR-DIR-02")
def test_of_equals_the_nearest_to_left():
    state = stock_turn(started(green(), "CME", ADA, 80, Ada=30, Bert=20, Dora=20), ADA)
    assert act(rules(), state, ADA, SellShares("CME", 20)).state.companies["CME"].director == BERT
    other = stock_turn(started(green(), "CME", CLEO, 80, Cleo=30, Bert=20, Dora=20), CLEO)
    assert act(rules(), other, CLEO, SellShares("CME", 20)).state.companies["CME"].director == DORA


@pytest.mark.rule("RUHR-DIR-03")
def test_normal_certificates_for_the_director_certificate():
    state = stock_turn(started(green(), "DGEE", ADA, 80, Ada=20, Bert=20), BERT)
    state = act(rules(), state, BERT, BuyShare("DGEE", IPO, 10)).state
    dgee = state.companies["DGEE"]
    assert dgee.director == BERT
    assert sorted(dgee.certificates[n].percent for n in dgee.held(BERT)) == [10, 20]
    assert dgee.certificates[0].holder == BERT
    assert [dgee.certificates[n].percent for n in dgee.held(ADA)] == [20]
    railway = stock_turn(started(green(), "CME", ADA, 80, Bert=20), BERT)
    cme = act(rules(), railway, BERT, BuyShare("CME", IPO, 10)).state.companies["CME"]
    assert [cme.certificates[n].percent for n in cme.held(ADA)] == [10, 10]


@pytest.mark.rule("RUHR-DIR-04")
def test_director_leaves_by_selling_worked_example():
    state = stock_turn(started(green(), "CME", ADA, 80, Ada=50, Bert=20, Cleo=20, pool=10), ADA)
    refuses(rules(), state, ADA, SellShares("CME", 50), Code.POOL_LIMIT, "RUHR-SR-21")
    done = act(rules(), state, ADA, SellShares("CME", 40)).state
    cme = done.companies["CME"]
    assert holds(done, "CME") == {ADA: 10, BERT: 20, CLEO: 20}
    assert (cme.director, cme.certificates[0].holder, cme.percent(POOL)) == (BERT, BERT, 50)
    assert (done.players[ADA].cash, done.price("CME")) == (500 + 320, 75)
    bare = act(rules(), state, ADA, SellShares("CME", 30)).state
    assert (bare.companies["CME"].director, holds(bare, "CME")[ADA]) == (ADA, 20)


@pytest.mark.rule("RUHR-DIR-04")
def test_a_montan_director_who_cannot_leave():
    state = in_phase(green(), "4")
    state = stock_turn(montan(state, "US", BERT, 60, 3, markers="AAAB", Bert=40, Cleo=20, pool=20), BERT)
    refuses(rules(), state, BERT, SellShares("US", 40), Code.POOL_LIMIT, "RUHR-SR-21")
    act(rules(), state, BERT, SellShares("US", 20))


@pytest.mark.rule("RUHR-DIR-05")
def test_private_bme_keeps_the_director():
    state = stock_turn(with_private(started(green(), "BME", ADA, 60, Ada=20, Bert=40), ADA), BERT)
    state = act(rules(), state, BERT, BuyShare("BME", IPO, 10)).state
    assert (state.companies["BME"].director, holds(state, "BME")[BERT]) == (ADA, 50)


@pytest.mark.rule("RUHR-DIR-06")
def test_first_type_4_ends_private_bme():
    state = with_private(started(green(), "BME", ADA, 60, Ada=20, Bert=40), ADA)
    draft = Draft(rules(), in_phase(state, "4"))
    draft.emit(PhaseBegan("4"))
    settle(draft, 0)
    bme = draft.state.companies["BME"]
    assert not draft.state.privates[19].open
    assert bme.director == BERT
    assert [bme.certificates[n].percent for n in bme.held(ADA)] == [10, 10]


@pytest.mark.rule("RUHR-DIR-06")
def test_owner_sells_down_to_two_shares():
    alone = stock_turn(with_private(started(green(), "BME", ADA, 60, Ada=20, Bert=10, Cleo=10), ADA), ADA)
    refuses(rules(), alone, ADA, SellShares("BME", 10), Code.NO_SUCCESSOR, "RUHR-DIR-04")
    state = stock_turn(with_private(started(green(), "BME", ADA, 60, Ada=20, Bert=20), ADA), ADA)
    state = act(rules(), state, ADA, SellShares("BME", 10)).state
    assert (state.companies["BME"].director, holds(state, "BME")[ADA]) == (BERT, 10)
    assert not state.privates[19].open


@pytest.mark.rule("RUHR-DIR-06")
def test_private_stays_at_two_shares():
    state = stock_turn(with_private(started(green(), "BME", ADA, 60, Ada=50, Bert=40), ADA), ADA)
    state = act(rules(), state, ADA, SellShares("BME", 30)).state
    assert (state.companies["BME"].director, state.privates[19].open) == (ADA, True)
    equal = stock_turn(with_private(started(green(), "BME", ADA, 60, Ada=30, Bert=30), ADA), ADA)
    equal = act(rules(), equal, ADA, RemovePrivate(19)).state
    assert equal.companies["BME"].director == ADA


@pytest.mark.rule("RUHR-DIR-07")
def test_only_the_director_acts():
    state = stations(started(green(), "CME", ADA, 80, Bert=20, treasury=100), "CME", "R3")
    state = railway_turn(state, "CME")
    refuses(rules(), state, BERT, LayTile("P3", "8", 0), Code.NOT_DIRECTOR, "RUHR-DIR-07")
    works = works_turn(montan(in_phase(green(), "4"), "RB", ADA, 80, 5, markers="AAAB"), "RB")
    refuses(rules(), works, BERT, Pass(), Code.NOT_DIRECTOR, "RUHR-DIR-07")
