"""Section 3: stock rounds (RUHR-SR-09 to -24)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import dealt
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    DORA,
    act,
    after,
    at_table,
    box,
    in_phase,
    kinds,
    montan,
    offered,
    refuses,
    rules,
    started,
    stock_turn,
    with_cash,
    with_company,
)
from trajekt.engine.actions import BuyShare, EndTurn, FoundCompany, Pass, SellShares
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import GONE, IPO, POOL
from trajekt.games.ruhr.actions import RemovePrivate
from trajekt.games.ruhr.starting_package import BME_PRIVATE
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.stock_round import StockRound


def market(players: int = 4, phase: str = "3", **cash: int):
    """A table in green with money for all and the CME running under Ada."""
    state = in_phase(at_table(players), phase)
    state = with_cash(state, **{"Ada": 1000, "Bert": 1000, "Cleo": 1000, **cash})
    return started(state, "CME", ADA, 80, Ada=30, Bert=20)


def private(state, owner: int):
    """Private BME in play."""
    return replace(state, privates={**state.privates, BME_PRIVATE: replace(state.privates[BME_PRIVATE], owner=owner)})


def current(state) -> StockRound:
    frame = next(f for f in state.agenda if isinstance(f, StockRound))
    assert isinstance(frame, StockRound)
    return frame


@pytest.mark.rule("RUHR-SR-09")
def test_round_ends_after_all_passes():
    state = stock_turn(market(3), ADA)
    state = after(rules(), state, (ADA, BuyShare("CME", IPO, 10)), (BERT, Pass()), (CLEO, Pass()))
    assert isinstance(state.top, StockRound)
    ended = act(rules(), state, ADA, Pass()).state
    assert not any(isinstance(frame, StockRound) for frame in ended.agenda)


@pytest.mark.rule("RUHR-SR-09")
def test_who_only_sold_has_another_turn():
    state = stock_turn(market(3), ADA)
    moves = ((ADA, SellShares("CME", 10)), (ADA, EndTurn()), (BERT, Pass()), (CLEO, Pass()))  # she could still buy
    assert current(after(rules(), state, *moves)).seat == ADA


@pytest.mark.rule("RUHR-SR-10")
def test_selling_comes_before_one_purchase():
    state = started(stock_turn(market(), ADA), "KWE", CLEO, 70, Ada=20)
    sold = after(rules(), state, (ADA, SellShares("CME", 10)), (ADA, SellShares("KWE", 10)))
    assert current(sold).seat == ADA
    bought = act(rules(), sold, ADA, FoundCompany("BME", 60))
    assert current(bought.state).seat == BERT
    refuses(rules(), bought.state, ADA, SellShares("CME", 10), Code.NOT_YOUR_TURN, "RUHR-SR-09")
    refuses(rules(), bought.state, ADA, BuyShare("CME", IPO, 10), Code.NOT_YOUR_TURN, "RUHR-SR-09")


@pytest.mark.rule("RUHR-SR-11")
def test_priority_goes_left_of_actor():
    state = market()
    acted = stock_turn(state, ADA, passes=3, actor=BERT)
    assert act(rules(), acted, ADA, Pass()).state.priority == CLEO
    idle = stock_turn(replace(state, priority=BERT), ADA, passes=3)
    assert act(rules(), idle, ADA, Pass()).state.priority == BERT


@pytest.mark.rule("RUHR-SR-12")
def test_one_value_times_the_shares():
    state = market()
    state = started(state, "DGEE", BERT, 80, Bert=40)
    state = montan(in_phase(state, "4"), "RB", BERT, 80, 5, markers="AAAB", pool=20)
    state = stock_turn(state, ADA)
    for action, cost in (
        (BuyShare("CME", IPO, 10), 80),
        (BuyShare("DGEE", IPO, 10), 80),
        (BuyShare("DGEE", IPO, 20), 160),
        (BuyShare("RB", IPO, 20), 80),
        (BuyShare("RB", POOL, 20), 80),
    ):
        assert act(rules(), state, ADA, action).state.players[ADA].cash == 1000 - cost
    refuses(rules(), state, ADA, BuyShare("CME", POOL, 10), "no_certificate", "RUHR-SR-12")
    refuses(rules(), state, ADA, BuyShare("CME", "charter", 10), "no_certificate", "RUHR-SR-12")


@pytest.mark.rule("RUHR-SR-13")
def test_treasury_paid_from_ipo_once_floated():
    state = stock_turn(started(market(), "KWE", BERT, 70, pool=10, treasury=5), ADA)
    ipo = act(rules(), state, ADA, BuyShare("KWE", IPO, 10)).state
    assert (ipo.companies["KWE"].treasury, ipo.bank) == (75, state.bank)
    pool = act(rules(), state, ADA, BuyShare("KWE", POOL, 10)).state
    assert (pool.companies["KWE"].treasury, pool.bank) == (5, state.bank + 70)
    waiting = with_company(state, "KWE", floated=False)
    bank = act(rules(), waiting, ADA, BuyShare("KWE", IPO, 10)).state
    assert (bank.companies["KWE"].treasury, bank.bank) == (5, state.bank + 70)


@pytest.mark.rule("RUHR-SR-13", "RUHR-BANKR-04")
def test_bank_sells_for_what_it_runs():
    state = started(market(), "KWE", BERT, 70, pool=20, treasury=5)
    papers = tuple(replace(c, holder=POOL) if c.holder == BERT else c for c in state.companies["KWE"].certificates)
    state = with_company(state, "KWE", certificates=papers, director=None, receivership=True)
    sold = act(rules(), stock_turn(state, ADA), ADA, BuyShare("KWE", IPO, 10)).state
    assert (sold.companies["KWE"].treasury, sold.bank) == (5, state.bank + 70)


@pytest.mark.rule("RUHR-SR-14")
@pytest.mark.parametrize(
    ("phase", "value", "allowed"),
    [
        ("2", 70, True),
        ("2", 75, False),
        ("3", 80, True),
        ("3", 90, False),
        ("5", 100, True),
        ("5", 95, False),
        ("6", 90, True),
    ],
)
def test_value_of_new_railway_by_colour(phase, value, allowed):
    state = with_cash(in_phase(at_table(), phase) if phase != "2" else at_table(), Ada=500)
    state = started(state, "KWE", BERT, 80) if value == 80 else state
    state = stock_turn(state, ADA)
    if not allowed:
        refuses(rules(), state, ADA, FoundCompany("CME", value), "value_range", "RUHR-SR-14")
        return
    done = act(rules(), state, ADA, FoundCompany("CME", value)).state
    assert done.players[ADA].cash == 500 - 2 * value
    assert done.companies["CME"].percent(ADA) == 20
    assert done.markers.stack(box(done, value))[-1] == "CME"


@pytest.mark.rule("RUHR-SR-15")
def test_montan_director_certificate_is_never_bought():
    for phase in ("3", "4"):
        state = stock_turn(market(phase=phase), ADA)
        refuses(rules(), state, ADA, FoundCompany("RB", 60), "not_bought", "RUHR-SR-15")
        refuses(rules(), state, ADA, BuyShare("RB", IPO, 20), "not_started", "RUHR-SR-12")
    founded = montan(stock_turn(market(phase="4"), ADA), "RB", BERT, 80, 5, markers="AAAB")
    assert BuyShare("RB", IPO, 20) in offered(rules(), founded, ADA)


@pytest.mark.rule("RUHR-SR-16")
def test_shares_of_the_three_kinds():
    companies = at_table().sheet.companies
    assert companies["CME"].certificates == (20, *[10] * 8)
    assert companies["DGEE"].certificates == (20, 20, 20, 10, 10, 10, 10)
    assert companies["RB"].certificates == (20,) * 5
    assert (companies["CME"].share, companies["DGEE"].share, companies["RB"].share) == (10, 10, 20)


@pytest.mark.rule("RUHR-SR-12", "RUHR-DEV-20")
def test_closed_papers_are_not_sold():
    state = montan(market(phase="4"), "SK", BERT, 80, 7, markers="AAAB")
    gone = tuple(replace(c, holder=GONE) for c in state.companies["SK"].certificates)
    state = stock_turn(with_company(state, "SK", certificates=gone, director=None), ADA)
    refuses(rules(), state, ADA, BuyShare("SK", GONE, 20), "no_certificate", "RUHR-SR-12")


@pytest.mark.rule("RUHR-SR-09")
def test_choiceless_player_has_passed():
    state = started(in_phase(at_table(), "3"), "KWE", BERT, 70, operated=False)
    state = with_cash(stock_turn(state, ADA), Ada=100, Bert=0, Cleo=0, Dora=0)
    done = act(rules(), replace(state, agenda=state.agenda[-1:]), ADA, Pass()).state
    assert done.top is None  # Bert directs and could not sell, the others have neither money nor papers


@pytest.mark.rule("RUHR-SR-17")
def test_the_dgee_waits_for_the_kwe():
    state = stock_turn(started(market(), "KWE", BERT, 70, operated=False), ADA)
    refuses(rules(), state, ADA, FoundCompany("KWE", 60), Code.ALREADY_FOUNDED, "RUHR-SR-14")
    refuses(rules(), state, ADA, FoundCompany("DGEE", 60), "after_other", "RUHR-SR-17")
    act(rules(), with_company(state, "KWE", operated=True), ADA, FoundCompany("DGEE", 60))


@pytest.mark.rule("RUHR-SR-18")
def test_seller_does_not_buy_back():
    state = stock_turn(market(3), ADA)
    state = after(rules(), state, (ADA, SellShares("CME", 10)), (ADA, EndTurn()), (BERT, Pass()), (CLEO, Pass()))
    refuses(rules(), state, ADA, BuyShare("CME", IPO, 10), Code.SOLD_THIS_ROUND, "RUHR-SR-18")
    act(rules(), stock_turn(replace(state, agenda=()), ADA, number=3), ADA, BuyShare("CME", IPO, 10))


@pytest.mark.rule("RUHR-SR-19")
@pytest.mark.parametrize(("players", "limit"), [(3, 25), (4, 18), (5, 15), (6, 12)])
def test_the_certificate_limit(players, limit):
    state = market(players)
    privates = {n: replace(p, owner=ADA if n == 19 else None, open=True) for n, p in state.privates.items()}
    state = started(replace(state, privates=privates), "BME", ADA, 60, pool=30)
    held = state.certificate_count(ADA)
    assert held == 2 + 1 + 1  # Private BME, its director certificate, the CME's two papers
    more = {n: p for n, p in list(privates.items())[: limit - held + 1] if n != 19}
    more = dict(list(more.items())[: limit - held])
    state = replace(state, privates={**privates, **{n: replace(p, owner=ADA) for n, p in more.items()}})
    assert state.certificate_count(ADA) == limit
    state = stock_turn(state, ADA)
    refuses(rules(), state, ADA, BuyShare("CME", IPO, 10), Code.CERTIFICATE_LIMIT, "RUHR-SR-19")
    last = max(more)
    one_less = replace(state, privates={**state.privates, last: replace(state.privates[last], owner=None)})
    act(rules(), one_less, ADA, BuyShare("CME", IPO, 10))


@pytest.mark.rule("RUHR-SR-20")
def test_above_the_limit_one_sells_first():
    state = market(6)
    mines = {n: replace(p, owner=BERT, open=True) for n, p in state.privates.items() if n < 13}
    state = stock_turn(replace(state, privates={**state.privates, **mines}), BERT)
    assert state.certificate_count(BERT) == 14
    refuses(rules(), state, BERT, Pass(), Code.MUST_SELL, "RUHR-SR-20")
    state = act(rules(), state, BERT, SellShares("CME", 20)).state
    assert state.certificate_count(BERT) == 12
    assert current(state).seat == CLEO  # at the limit, with nothing left to sell, the turn is over
    helpless = with_company(stock_turn(replace(state, agenda=()), BERT), "CME", operated=False)
    more = {n: replace(p, owner=BERT, open=True) for n, p in helpless.privates.items() if n in (13, 14)}
    helpless = replace(helpless, privates={**helpless.privates, **more})
    assert helpless.certificate_count(BERT) > 12
    act(rules(), helpless, BERT, Pass())


@pytest.mark.rule("RUHR-SR-21")
def test_what_may_not_be_sold():
    state = stock_turn(started(market(), "KWE", BERT, 70, Ada=20, pool=40), ADA)
    refuses(rules(), state, ADA, SellShares("KWE", 20), Code.POOL_LIMIT, "RUHR-SR-21")
    act(rules(), state, ADA, SellShares("KWE", 10))
    mine = montan(in_phase(state, "4"), "RB", BERT, 80, 5, markers="AAAB", Ada=20, pool=40)
    refuses(rules(), mine, ADA, SellShares("RB", 20), Code.POOL_LIMIT, "RUHR-SR-21")
    for company in ("RB", "KWE"):
        fresh = with_company(mine, company, operated=False)
        refuses(rules(), fresh, ADA, SellShares(company, 20), Code.NOT_OPERATED, "RUHR-SR-21")
    early = started(state, "EH", BERT, 70, Ada=10, operated=False)
    refuses(rules(), early, ADA, SellShares("EH", 10), Code.NOT_OPERATED, "RUHR-SR-21")
    refuses(rules(), started(state, "PWB", ADA, 70), ADA, SellShares("PWB", 20), Code.NO_SUCCESSOR, "RUHR-DIR-04")


@pytest.mark.rule("RUHR-SR-22")
def test_director_s_sale_lowers_one_box():
    state = stock_turn(started(market(), "KWE", ADA, 80, Ada=50, Bert=20), ADA)
    done = act(rules(), state, ADA, SellShares("KWE", 30)).state
    assert done.players[ADA].cash == 1000 + 240
    assert done.price("KWE") == 75
    again = act(rules(), stock_turn(replace(done, agenda=()), BERT), BERT, SellShares("KWE", 20)).state
    assert (again.players[BERT].cash, again.price("KWE")) == (1000 + 150, 75)


@pytest.mark.rule("RUHR-SR-10", "RUHR-SR-22")
def test_successive_sales_are_one():
    state = stock_turn(started(market(), "KWE", ADA, 80, Ada=50, Bert=20), ADA)
    state = after(
        rules(), state, (ADA, SellShares("KWE", 10)), (ADA, SellShares("CME", 10)), (ADA, SellShares("KWE", 20))
    )
    assert state.players[ADA].cash == 1000 + 4 * 80
    assert (state.price("KWE"), state.price("CME")) == (75, 75)


@pytest.mark.rule("RUHR-SR-10", "RUHR-SR-16")
@pytest.mark.parametrize("sizes", [(20,), (10, 10)])
def test_seller_names_dgee_papers(sizes):
    state = started(stock_turn(at_table(4), ADA, 3), "DGEE", CLEO, 80)
    papers = state.companies["DGEE"].certificates
    twenty = next(n for n, c in enumerate(papers) if c.percent == 20 and not c.director)
    tens = [n for n, c in enumerate(papers) if c.percent == 10]
    state = dealt(state, "DGEE", Ada=(twenty, *tens[:2]))
    refuses(rules(), state, ADA, SellShares("DGEE", 20), Code.NAME_PAPERS, "RUHR-SR-22")
    done = act(rules(), state, ADA, SellShares("DGEE", 20, sizes)).state
    assert tuple(c.percent for c in done.companies["DGEE"].certificates if c.holder == POOL) == sizes


@pytest.mark.rule("RUHR-SR-20")
def test_sells_down_to_limit():
    state = started(stock_turn(at_table(6), ADA, 3), "CME", BERT, 80, Ada=40, Bert=50)
    state = started(state, "KWE", CLEO, 80, Ada=50, Cleo=50, operated=False)
    state = started(state, "RhE", DORA, 80, Ada=50, Dora=50, operated=False)
    assert state.certificate_count(ADA) == 14
    state = after(rules(), state, (ADA, SellShares("CME", 10)))
    refuses(rules(), state, ADA, EndTurn(), Code.MUST_SELL, "RUHR-SR-20")
    refuses(rules(), state, ADA, FoundCompany("PWB", 60), Code.MUST_SELL, "RUHR-SR-20")
    state = after(rules(), state, (ADA, SellShares("CME", 10)), (ADA, EndTurn()))
    assert current(state).seat == BERT


@pytest.mark.rule("RUHR-SR-09", "RUHR-SR-10")
def test_finished_turn_ends_itself():
    state = started(with_cash(in_phase(at_table(3), "3"), Ada=0, Bert=500), "CME", BERT, 60, Ada=10, Bert=30, pool=40)
    done = act(rules(), stock_turn(state, ADA), ADA, SellShares("CME", 10)).state
    assert (current(done).seat, current(done).passes) == (BERT, 0)


@pytest.mark.rule("RUHR-SR-22")
def test_two_turns_of_selling_two_boxes():
    state = stock_turn(started(market(3), "KWE", ADA, 80, Ada=50), ADA)
    moves = (SellShares("KWE", 10), EndTurn()), (Pass(),), (Pass(),), (SellShares("KWE", 10),)
    for seat, actions in zip((ADA, BERT, CLEO, ADA), moves, strict=True):
        state = after(rules(), state, *((seat, action) for action in actions))
    assert state.price("KWE") == 70


@pytest.mark.rule("RUHR-SR-23")
def test_private_bme_leaves_in_owner_turn():
    state = stock_turn(started(private(market(), BERT), "BME", BERT, 60, pool=30), BERT)
    gone = act(rules(), state, BERT, RemovePrivate(19)).state
    assert not gone.privates[19].open
    assert current(gone).seat == BERT
    act(rules(), gone, BERT, BuyShare("CME", IPO, 10))
    passed = act(rules(), gone, BERT, Pass()).state
    assert current(passed).passes == 1
    refuses(
        rules(), stock_turn(replace(state, agenda=()), ADA), ADA, RemovePrivate(19), "private_of_other", "RUHR-SR-23"
    )
    refuses(rules(), gone, BERT, RemovePrivate(19), "private_gone", "RUHR-SR-23")


@pytest.mark.rule("RUHR-SR-24")
def test_other_privates_pay_until_closed():
    state = market()
    privates = {
        **state.privates,
        20: replace(state.privates[20], owner=BERT),
        21: replace(state.privates[21], owner=BERT),
    }
    state = replace(state, privates=privates)
    refuses(rules(), stock_turn(state, BERT), BERT, RemovePrivate(20), "only_bme", "RUHR-SR-24")
    assert "RemovePrivate" not in kinds(rules(), stock_turn(state, BERT), BERT)
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 1, 2),)))
    run(draft)
    assert draft.state.players[BERT].cash == 1000 + 20 + 10
    closed = {n: replace(p, open=False) for n, p in privates.items()}
    draft = Draft(rules(), replace(state, privates=closed, agenda=(OperatingRound(2, 2, 2),)))
    run(draft)
    assert draft.state.players[BERT].cash == 1000
