"""Sections 16 and 20: bankruptcy, corporations that the bank runs, the end of the game (RUHR-BANKR, RUHR-END)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_lines import bme_to_hagen
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    DORA,
    act,
    at_table,
    holding,
    in_phase,
    located,
    montan,
    offered,
    opened,
    owning,
    railway_turn,
    refuses,
    rules,
    started,
    stock_turn,
    with_cash,
    with_company,
    works_turn,
)
from trajekt.engine.actions import BuyShare, DeclareBankruptcy, PayOut, SellShares, Withhold
from trajekt.engine.agenda import run, settle
from trajekt.engine.events import FramePushed, Paid, PhaseBegan
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, DISPLAY, IPO, POOL, State
from trajekt.games.ruhr.actions import BuyEngineFrom, BuyItem, Develop, ForceTrain, ShareDeal
from trajekt.games.ruhr.forced_purchase_funds import Shortage
from trajekt.games.ruhr.montan_charters import income
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.receivership import develop_for_bank
from trajekt.games.ruhr.scoring import standings
from trajekt.games.ruhr.starting_package import price_of_item
from trajekt.games.ruhr.state import PASSIVE, location, pmc_account, ruhr_state
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound, limit
from trajekt.rules.turn_notes import Once


def owing(*, cash: int = 100, treasury: int = 50, phase: str = "4", extra: State | None = None, **others: int) -> State:
    """Bert must buy a type 4 (300) for the BME; he has certificates of the CME worth 80."""
    state = in_phase(extra or at_table(), phase)
    others = {"Bert": 50, "pool": 50, **others}
    state = bme_to_hagen(state, treasury=treasury, **others)
    state = started(state, "CME", CLEO, 80, Cleo=50, Bert=10, pool=0)
    return with_cash(railway_turn(state, "BME", "trains"), Bert=cash)


def bankrupt(state: State) -> State:
    """The state after Bert has sold what he can and declared himself bankrupt."""
    state = act(rules(), state, BERT, ForceTrain(DISPLAY, "4", 300)).state
    while any(isinstance(a, SellShares) for a in offered(rules(), state, BERT)):
        state = act(
            rules(), state, BERT, next(a for a in offered(rules(), state, BERT) if isinstance(a, SellShares))
        ).state
    return act(rules(), state, BERT, DeclareBankruptcy()).state


@pytest.mark.rule("RUHR-BANKR-01")
def test_who_cannot_raise_money_is_bankrupt():
    state = bankrupt(owing())
    assert state.players[BERT].bankrupt
    assert state.players[BERT].cash == 0
    rich = act(rules(), owing(cash=170), BERT, ForceTrain(DISPLAY, "4", 300)).state
    refuses(rules(), rich, BERT, DeclareBankruptcy(), "still_sells", "RUHR-BANKR-01")
    sold = act(rules(), rich, BERT, SellShares("CME", 10)).state
    assert sold.companies["BME"].trains == ("4",)


@pytest.mark.rule("RUHR-BANKR-01")
def test_unaffordable_train_gives_way():
    state = owing(cash=270, phase="4")
    state = replace(state, depot=replace(state.depot, pool=("5",)))
    refuses(rules(), state, BERT, ForceTrain(POOL, "5", 500), "cannot_raise", "RUHR-BANKR-01")
    act(rules(), state, BERT, ForceTrain(DISPLAY, "4", 300))


@pytest.mark.rule("RUHR-BANKR-01", "RUHR-FORCED-02")
def test_own_deal_lessens_means():
    # the deal comes first: 50, one certificate at 70, the cash, two more at 65
    state = with_company(owing(cash=245, pool=0, Bert=40, Cleo=20), "CME", operated=False)
    state = replace(state, depot=replace(state.depot, pool=("5",)))
    refuses(rules(), state, BERT, ForceTrain(POOL, "5", 500), "cannot_raise", "RUHR-BANKR-01")
    owed = act(rules(), with_cash(state, Bert=250), BERT, ForceTrain(POOL, "5", 500)).state
    done = act(rules(), owed, BERT, SellShares("BME", 20)).state
    assert (done.companies["BME"].trains, done.players[BERT].cash) == (("5",), 0)


@pytest.mark.rule("RUHR-BANKR-02")
def test_certificates_go_to_pool():
    state = owing(cash=100)
    state = started(state, "KWE", BERT, 50, Bert=40, Ada=0, operated=False)  # 200 that a forced sale cannot touch
    before = state.bank
    done = bankrupt(state)
    assert done.companies["KWE"].percent(POOL) == 40
    assert done.price("KWE") == 45
    assert done.companies["BME"].trains == ("4",)
    assert done.companies["BME"].treasury == 0
    # 50 + 100 + 80 + 200 and the BME's five shares at 70 less what the bank paid for them; 300 went into the train
    assert sum(p.cash for p in done.players) + done.bank == sum(p.cash for p in state.players) + before + 50
    assert done.companies["BME"].percent(POOL) == 100


@pytest.mark.rule("RUHR-BANKR-03")
def test_successor_largest_shareholder_next_after_bankrupt():
    state = owing(Bert=40, Cleo=30, Dora=30, pool=0)
    state = railway_turn(replace(state, agenda=()), "BME", "trains", used=(Once.DEAL,))
    state = with_cash(state, Cleo=10, Dora=10, Bert=0)
    done = bankrupt(state)
    bme = done.companies["BME"]
    assert bme.director == CLEO
    assert (bme.percent(CLEO), bme.certificates[0].holder, bme.percent(DORA)) == (30, CLEO, 30)


@pytest.mark.rule("RUHR-BANKR-03", "RUHR-BANKR-04")
def test_single_share_makes_no_director():
    """Two shares are the director's certificate of a railway: who holds one cannot exchange it."""
    state = owing(Bert=40, Cleo=10, Dora=10, pool=40)
    state = railway_turn(replace(state, agenda=()), "BME", "trains", used=(Once.DEAL,))
    bme = bankrupt(with_cash(state, Cleo=500, Dora=500, Bert=0)).companies["BME"]
    assert (bme.director, bme.receivership, bme.certificates[0].holder) == (None, True, POOL)


@pytest.mark.rule("RUHR-BANKR-03")
def test_new_director_pays_what_is_missing():
    state = owing(Bert=30, Cleo=30, pool=40, cash=0, treasury=0)
    state = railway_turn(replace(state, agenda=()), "BME", "trains", used=(Once.DEAL,))
    done = bankrupt(with_cash(state, Cleo=500))
    assert done.companies["BME"].trains == ("4",)
    assert done.players[CLEO].cash < 500


@pytest.mark.rule("RUHR-BANKR-03")
def test_successor_takes_bank_train():
    state = owing(Bert=30, Cleo=30, pool=40, cash=0, treasury=0)
    state = with_cash(with_company(state, "CME", trains=("3",)), Cleo=900)
    state = replace(state, agenda=(*state.agenda, Shortage("BME", "CME", "3", 200, deal=True, selling=True)))
    certificates = tuple(replace(c, holder=IPO) if c.holder == BERT else c for c in state.companies["CME"].certificates)
    done = act(rules(), with_company(state, "CME", certificates=certificates), BERT, DeclareBankruptcy()).state
    assert (done.companies["BME"].trains, done.companies["CME"].trains) == (("4",), ("3",))


@pytest.mark.rule("RUHR-BANKR-04")
def test_bank_runs_without_successor():
    state = owing(cash=0, treasury=200, phase="6", Bert=50, pool=50)
    certificates = tuple(replace(c, holder=IPO) if c.holder == POOL else c for c in state.companies["BME"].certificates)
    state = with_company(state, "BME", certificates=certificates, receivership=True, director=None)
    draft = Draft(rules(), railway_turn(replace(state, agenda=()), "BME", "pay"))
    run(draft)
    bme = draft.state.companies["BME"]
    assert (bme.debt, bme.treasury, bme.trains) == (400, 0, ("6",))
    running = Draft(rules(), railway_turn(replace(draft.state, agenda=()), "BME", "link"))
    run(running)
    after = running.state.companies["BME"]
    assert after.debt == 400 - (after.revenue or 0)
    assert after.revenue
    assert after.stations == bme.stations
    assert not any(isinstance(frame, CompanyTurn) for frame in running.state.agenda)


@pytest.mark.rule("RUHR-BANKR-05")
def test_bankrupt_s_pmcs_turn_passive():
    state = owning(owing(), markers="AAB", money=30, pmc7=BERT)
    state = located(state, pmc7=10)
    state = replace(state, privates={**state.privates, 20: replace(state.privates[20], owner=BERT)})
    done = bankrupt(state)
    assert (ruhr_state(done).mines[7], location(done, 7), done.aside[pmc_account(7).removeprefix("aside:")]) == (
        PASSIVE,
        10,
        0,
    )
    assert not done.privates[7].open
    assert not done.privates[20].open


@pytest.mark.rule("RUHR-BANKR-06")
def test_play_goes_on_with_limits():
    state = replace(owing(), priority=BERT)
    state = replace(state, extra=replace(ruhr_state(state), cards=(DORA, BERT, ADA, CLEO)))
    done = bankrupt(state)
    assert (done.priority, limit(done), ruhr_state(done).cards) == (CLEO, 18, (DORA, ADA, CLEO))
    assert done.clockwise(ADA) == (CLEO, DORA, ADA)
    assert not done.outcome


@pytest.mark.rule("RUHR-BANKR-06")
def test_with_one_player_left_game_ends():
    state = owing()
    gone = tuple(replace(p, bankrupt=seat in (ADA, DORA, CLEO)) for seat, p in enumerate(state.players))
    certificates = tuple(
        replace(c, holder=POOL) if c.holder == CLEO else c for c in state.companies["CME"].certificates
    )
    state = with_company(
        replace(state, players=gone), "CME", certificates=certificates, director=None, receivership=True
    )
    asked = replace(state, agenda=(*state.agenda, Shortage("BME", DISPLAY, "4", 300, deal=True, selling=True)))
    two = replace(
        asked, players=tuple(replace(p, bankrupt=seat in (DORA, CLEO)) for seat, p in enumerate(asked.players))
    )
    sale = next((a for a in offered(rules(), two, BERT) if isinstance(a, SellShares)), None)
    if sale is not None:
        two = act(rules(), two, BERT, sale).state
    assert act(rules(), two, BERT, DeclareBankruptcy()).state.outcome == "bankrupt"


@pytest.mark.rule("RUHR-BANKR-07")
def test_new_director_inherits_loan():
    state = started(at_table(), "CME", ADA, 80, Bert=10)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["CME"].certificates)
    papers = tuple(replace(c, holder=POOL) if n == 8 else c for n, c in enumerate(papers))
    state = with_company(state, "CME", certificates=papers, director=None, receivership=True, debt=250)
    state = stock_turn(with_cash(state, Bert=500), BERT)
    assert BuyShare("CME", POOL, 20) not in offered(rules(), state, BERT)
    bank = act(rules(), state, BERT, BuyShare("CME", IPO, 10)).state
    assert bank.companies["CME"].treasury == 0
    done = act(rules(), state, BERT, BuyShare("CME", POOL, 10)).state
    cme = done.companies["CME"]
    assert (cme.director, cme.receivership, cme.percent(BERT), cme.certificates[0].holder, cme.debt) == (
        BERT,
        False,
        20,
        BERT,
        250,
    )
    turn = railway_turn(replace(done, agenda=()), "CME", "pay", revenue=100)
    refuses(rules(), turn, BERT, PayOut(), "loan_first", "RUHR-BANKR-07")
    assert act(rules(), turn, BERT, Withhold()).state.companies["CME"].debt == 150


@pytest.mark.rule("RUHR-BANKR-08")
def test_the_bank_s_choice_of_markers():
    state = montan(in_phase(at_table(), "6"), "RB", ADA, 80, 5, markers="AAAABB", treasury=400)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["RB"].certificates)
    state = with_company(state, "RB", certificates=papers, director=None, receivership=True)
    turn = MontanTurn("RB", "activity")
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 1, 2), turn)))
    develop_for_bank(draft, turn)
    assert holding(draft.state, "RB") == "AAAABBCCDE"
    assert (draft.state.companies["RB"].treasury, location(draft.state, 5)) == (80, 30)


@pytest.mark.rule("RUHR-BANKR-08")
def test_bank_takes_earning_markers():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, markers="AAAAB", treasury=400, engines=("W3",))
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["RB"].certificates)
    state = with_company(state, "RB", certificates=papers, director=None, receivership=True)
    turn = MontanTurn("RB", "activity")
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 1, 2), turn)))
    develop_for_bank(draft, turn)
    assert (holding(draft.state, "RB"), income(draft.state, "RB")) == ("AAAAABCD", 30 + 40 + 40)


@pytest.mark.rule("RUHR-BANKR-04", "RUHR-BANKR-08")
def test_bank_lends_montan_what_card_costs():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, markers="AAABB", treasury=100)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["RB"].certificates)
    state = with_company(state, "RB", certificates=papers, director=None, receivership=True)
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 2, 2, ("RB",), opened=True), MontanTurn("RB"))))
    run(draft)
    company = draft.state.companies["RB"]
    assert (company.debt, company.treasury, len(holding(draft.state, "RB"))) == (220 - 100, 0, 8)


@pytest.mark.rule("RUHR-BANKR-04")
def test_montan_keeps_income_for_loan():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, markers="AAABBC", treasury=10)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["RB"].certificates)
    state = with_company(state, "RB", certificates=papers, director=None, receivership=True, debt=100)
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 2, 2, ("RB",), opened=True), MontanTurn("RB"))))
    run(draft)
    company = draft.state.companies["RB"]
    assert (company.debt, company.treasury, draft.state.price("RB")) == (100 - 30 - 10, 0, 75)


@pytest.mark.rule("RUHR-BANKR-01", "RUHR-BANKR-03", "RUHR-FORCED-06")
def test_successor_buys_for_bankrupt_director():
    state = montan(in_phase(at_table(), "5"), "RB", BERT, 60, 5, markers="AAABB", treasury=100, Bert=20, Cleo=20)
    state = act(rules(), with_cash(works_turn(state, "RB"), Bert=10, Cleo=500), BERT, Develop("5", "ABC")).state
    assert [type(a).__name__ for a in offered(rules(), state, BERT)] == ["DeclareBankruptcy"]
    done = act(rules(), state, BERT, DeclareBankruptcy()).state
    assert (done.players[BERT].bankrupt, done.companies["RB"].director, holding(done, "RB")) == (True, CLEO, "AAAABBBC")
    assert done.players[CLEO].cash == 500


@pytest.mark.rule("RUHR-BANKR-08")
def test_the_bank_declines_when_asked():
    state = located(owning(at_table(), markers="AAB", money=500, pmc7=ADA), pmc7=10)
    state = with_company(started(state, "CME", BERT, 80, trains=("2",)), "CME", director=None, receivership=True)
    state = replace(state, agenda=(OperatingRound(2, 1, 2), MontanTurn("7", "activity")))
    refuses(rules(), state, ADA, BuyEngineFrom("CME", "2", 50), "bank_run", "RUHR-BANKR-08")


# The end -------------------------------------------------------------------------------------------------------------------


def paying(state: State, amount: int, **options) -> State:
    """The bank pays a player."""
    draft = Draft(rules(**options), state)
    draft.emit(Paid(BANK, ADA, amount, "dividend"))
    settle(draft, 0)
    return draft.state


def operating(bank: int, phase: str = "5") -> State:
    state = in_phase(at_table(), phase)
    return replace(state, bank=bank, agenda=(Rounds(4, 2, 1), OperatingRound(4, 1, 2)))


@pytest.mark.rule("RUHR-END-01", "RUHR-END-06")
@pytest.mark.parametrize(("bank", "amount", "ends"), [(100, 150, True), (100, 100, True), (100, 99, False)])
def test_empty_bank_in_brown_ends_game(bank, amount, ends):
    state = paying(operating(bank), amount)
    assert (state.ending == "bank") is ends
    assert state.bank == bank - amount
    later = paying(replace(state, bank=5000), 10)
    assert (later.ending == "bank") is ends


@pytest.mark.rule("RUHR-END-06")
@pytest.mark.parametrize("phase", ["4", "5"])
def test_payment_shows_empty_bank(phase):
    draft = Draft(rules(), operating(0, phase))
    draft.emit(Paid(ADA, BERT, 10, "dividend"))
    settle(draft, 0)
    assert (draft.state.ending, ruhr_state(draft.state).refilled) == ("", 0)


@pytest.mark.rule("RUHR-END-04", "RUHR-END-06")
@pytest.mark.parametrize(
    ("phase", "bank", "refilled"),
    [("4", 100, 600), ("8", 100, 600), ("4", -1000, 1200), ("4", 150, 600), ("4", 151, 0), ("4", -450, 1200)],
)
def test_in_other_colours_empty_bank_refilled(phase, bank, refilled):
    done = paying(operating(bank, phase), 150, bank_refill="counted")
    assert (done.ending, ruhr_state(done).refilled) == ("", refilled)


@pytest.mark.rule("RUHR-END-01")
def test_set_is_completed_at_end():
    state = replace(in_phase(at_table(), "5"), ending="bank", agenda=(Rounds(4, 2, 1),))
    draft = Draft(rules(), state)
    run(draft)
    assert draft.state.outcome == "bank"
    pushed = [e.frame for e in draft.events if isinstance(e, FramePushed)]
    assert [f.number for f in pushed if isinstance(f, OperatingRound)] == [2]
    assert not any(isinstance(f, StockRound) for f in pushed)


@pytest.mark.rule("RUHR-END-02")
def test_first_type_8_announces_end():
    draft = Draft(rules(), replace(at_table(), agenda=()))
    draft.emit(PhaseBegan("8"))
    settle(draft, 0)
    assert draft.state.ending == "eight"
    state = with_cash(in_phase(at_table(), "8"), Ada=2, Bert=2, Cleo=2, Dora=2)
    state = replace(state, ending="eight", agenda=(Rounds(4, 2, 2),))
    draft = Draft(rules(), state)
    run(draft)
    frames = [type(e.frame).__name__ for e in draft.events if isinstance(e, FramePushed)]
    assert frames == ["Foundation", "Merging", "StockRound", "OperatingRound", "OperatingRound", "OperatingRound"]
    assert draft.state.outcome == "eight"


@pytest.mark.rule("RUHR-END-03")
def test_whichever_happens_first_counts():
    broken = replace(operating(0), ending="bank", agenda=())
    draft = Draft(rules(), broken)
    draft.emit(PhaseBegan("8"))
    settle(draft, 0)
    assert draft.state.ending == "bank"
    eight = paying(replace(operating(50), ending="eight"), 100)
    assert eight.ending == "eight"


@pytest.mark.rule("RUHR-END-04", "RUHR-END-06")
def test_refill_is_counted_by_choice():
    state = replace(operating(50), agenda=(Rounds(4), StockRound(4, ADA)))
    cash = state.players[BERT].cash
    done = paying(state, 200, bank_refill="counted")
    assert (done.bank, ruhr_state(done).refilled, done.ending, done.players[BERT].cash) == (-150, 600, "", cash)
    brown = replace(done, agenda=(OperatingRound(4, 1, 2),))
    assert paying(brown, 500).ending == "bank"
    assert paying(brown, 400).ending == ""


@pytest.mark.rule("RUHR-END-04")
def test_with_levy_all_pay_their_part():
    state = with_cash(
        replace(operating(50), agenda=(Rounds(4), StockRound(4, ADA))), Ada=500, Bert=500, Cleo=500, Dora=100
    )
    state = replace(state, bank=50)
    done = paying(state, 200)
    assert [p.cash for p in done.players] == [550, 350, 350, 0]
    assert (done.bank, ruhr_state(done).refilled, dict(ruhr_state(done).owed)) == (400, 50, {DORA: 50})
    dora = next(row for row in standings(done) if row.seat == DORA)
    assert (dora.deducted, dora.total) == (50, dora.cash + dora.shares - 50)


@pytest.mark.rule("RUHR-END-04", "RUHR-BANKR-06")
def test_levy_is_shared_by_remaining_players():
    state = with_cash(replace(operating(50), agenda=(Rounds(4), StockRound(4, BERT))), Bert=500, Cleo=500, Dora=500)
    gone = tuple(
        replace(p, bankrupt=seat == ADA, cash=0 if seat == ADA else p.cash) for seat, p in enumerate(state.players)
    )
    draft = Draft(rules(), replace(state, players=gone, bank=50))
    draft.emit(Paid(BANK, BERT, 100, "dividend"))
    settle(draft, 0)
    assert [p.cash for p in draft.state.players] == [0, 400, 300, 300]
    assert (draft.state.bank, dict(ruhr_state(draft.state).owed)) == (550, {})


@pytest.mark.rule("RUHR-END-05")
def test_score_sums_up_all_holdings():
    state = in_phase(at_table(), "4")
    state = started(state, "CME", ADA, 80, stock=120, treasury=900)
    state = montan(state, "RB", BERT, 90, 5, markers="AAAB", Ada=20)
    state = with_cash(state, Ada=400)
    ranks = {row.seat: row for row in standings(state)}
    assert ranks[ADA].total == 400 + 240 + 90
    gone = replace(state, players=tuple(replace(p, bankrupt=seat == ADA) for seat, p in enumerate(state.players)))
    last = standings(gone)[-1]
    assert (last.seat, last.total, last.rank) == (ADA, 0, 4)
    owing_more = replace(gone, extra=replace(ruhr_state(gone), owed={DORA: 5000}))
    assert [row.seat for row in standings(owing_more)][-2:] == [
        DORA,
        ADA,
    ]  # who is in debt still comes before a bankrupt
    equal = with_cash(at_table(), Ada=100, Bert=100, Cleo=50, Dora=10)
    assert [row.rank for row in standings(equal)] == [1, 1, 3, 4]


@pytest.mark.rule("RUHR-END-05")
@pytest.mark.parametrize(("option", "counts"), [("printed", 120), ("paid", 125)])
def test_pmc_still_owned_counts_its_price(option, counts):
    ruleset = rules(pmc_final_value=option)
    state = opened(3, pmc_final_value=option)
    assert price_of_item(state, 7) == 125
    done = act(ruleset, state, ADA, BuyItem(7)).state
    assert next(row for row in standings(done) if row.seat == ADA).shares == counts


@pytest.mark.rule("RUHR-BANKR-02")
def test_undirected_marker_stays():
    state = started(owing(cash=0), "KWE", ADA, 60, Ada=50, Bert=10, operated=False)
    done = bankrupt(state)
    assert (done.price("KWE"), done.price("CME"), done.companies["KWE"].percent(POOL)) == (60, 80, 10)


@pytest.mark.rule("RUHR-BANKR-07")
def test_montan_repays_from_kept_income():
    state = montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAABBB", treasury=10)
    state = with_company(state, "RB", debt=250)
    turn = replace(state, agenda=(OperatingRound(2, 1, 2), MontanTurn("RB", "income", 60)))
    refuses(rules(), turn, ADA, PayOut(), "loan_first", "RUHR-BANKR-07")
    kept = act(rules(), turn, ADA, Withhold()).state.companies["RB"]
    assert (kept.debt, kept.treasury) == (180, 0)


@pytest.mark.rule("RUHR-BANKR-04", "RUHR-BANKR-07")
def test_any_income_repays_loan():
    state = with_company(started(at_table(), "CME", BERT, 80, Bert=30), "CME", debt=100)
    sold = act(rules(), stock_turn(with_cash(state, Ada=500), ADA, 3), ADA, BuyShare("CME", IPO, 10)).state
    assert (sold.companies["CME"].debt, sold.companies["CME"].treasury) == (20, 0)
    dealt = act(rules(), railway_turn(sold, "CME", "trains"), BERT, ShareDeal("sell", 10)).state
    assert (dealt.companies["CME"].debt, dealt.companies["CME"].treasury) == (0, 60)
    act(rules(), railway_turn(dealt, "CME", "pay", revenue=100), BERT, PayOut())


@pytest.mark.rule("RUHR-BANKR-04", "RUHR-FORCED-03")
def test_raised_money_buys_train_first():
    state = with_company(bme_to_hagen(treasury=0, Bert=50), "BME", debt=300)
    state = with_cash(railway_turn(state, "BME", "trains"), Bert=200)
    done = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state.companies["BME"]
    assert (done.trains, done.debt, done.treasury) == (("2",), 300, 0)


@pytest.mark.rule("RUHR-END-01", "RUHR-END-06")
def test_circular_loan_breaks_no_bank():
    state = bme_to_hagen(in_phase(at_table(), "5"), treasury=0, Bert=20, pool=50)
    papers = tuple(replace(c, holder=POOL) if c.holder == BERT else c for c in state.companies["BME"].certificates)
    state = with_company(state, "BME", director=None, receivership=True, certificates=papers)
    state = replace(railway_turn(state, "BME", "pay"), bank=300)
    draft = Draft(rules(), state)
    run(draft)
    assert (draft.state.companies["BME"].trains, draft.state.bank, draft.state.ending) == (("5",), 300, "")


@pytest.mark.rule("RUHR-END-01", "RUHR-END-04", "RUHR-END-06", "RUHR-FORCED-05")
@pytest.mark.parametrize("phase", ["5", "4"])
def test_sale_for_train_breaks_no_bank(phase):
    """The bank pays 140 for two shares with 60 in hand, and is paid the price of the train in the same action."""
    state = bme_to_hagen(in_phase(at_table(), phase), Bert=50, pool=20, Cleo=30)
    price = state.sheet.trains[phase].price
    state = with_company(state, "BME", treasury=price - 200)
    state = replace(with_cash(railway_turn(state, "BME", "trains"), Bert=100), bank=60)
    state = act(rules(), state, BERT, ForceTrain(DISPLAY, phase, price)).state
    done = act(rules(), state, BERT, SellShares("BME", 20)).state
    assert (done.companies["BME"].trains, done.bank, done.ending) == ((phase,), 60 - 140 + price, "")
    assert ruhr_state(done).refilled == 0


@pytest.mark.rule("RUHR-END-04", "RUHR-END-06")
@pytest.mark.parametrize("phase", ["5", "8"])
def test_one_balance_decides_end_and_refill(phase):
    state = with_company(started(in_phase(at_table(4), phase), "CME", BERT, 80, Bert=30), "CME", debt=150)
    state = replace(railway_turn(state, "CME", "pay", revenue=150), bank=100)
    kept = act(rules(), state, BERT, Withhold()).state
    assert (kept.bank, kept.ending, ruhr_state(kept).refilled) == (100, "", 0)
