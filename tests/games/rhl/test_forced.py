"""Forced purchase in both editions (section 13.3 of the rule sheet)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, on_top, refused, sheet, with_company
from tests.builders.rhl_forced import after_choice, another, choices, poor
from tests.builders.rhl_turns import company, in_turn, ruleset, unsold, with_depot
from trajekt.engine.actions import (
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    Pass,
    SellCharterShares,
    SellShares,
    TakeLoan,
)
from trajekt.engine.events import CertificateMoved, LoanTaken, Paid, PriceMoved, PriorityMoved
from trajekt.engine.ruleset import Code
from trajekt.engine.state import BANK, POOL
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.ruleset import build
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.scoring import standings

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


@pytest.mark.rule("RHL-FOR-01", "RHL-FOR-02", "RHL-BKR-01")
@pytest.mark.case("B69")
def test_r1_fewest_shares_after_cash():
    """As recorded: treasury 230, train 500, cash 247; one share at 65 is sold, 42 stay."""
    rules = ruleset(1)
    state = after_choice(rules, poor(1, 247, 230, Ada=40, Bert=10))
    assert state.top == ForcedPurchase("ADR", "display", "5", "own")
    found = refused(rules, state, 0, DeclareBankruptcy())
    assert (found.code, found.rule) == (Code.CAN_STILL_SELL, "RHL-BKR-01")
    found = refused(rules, state, 0, SellShares("ADR", 20))
    assert (found.code, found.rule) == (Code.MORE_THAN_NEEDED, "RHL-FOR-01")
    assert choices(rules, state) == [SellShares("ADR", 10)]
    decision = act(rules, state, 0, SellShares("ADR", 10))
    after = decision.state
    assert PriceMoved("ADR", (5, 2), "sale") in decision.events
    assert Paid(0, "ADR", 270, "forced") in decision.events
    assert Paid("ADR", BANK, 500, "train") in decision.events
    assert after.players[0].cash == 42
    assert (after.companies["ADR"].treasury, after.companies["ADR"].trains) == (0, ("5",))
    assert after.companies["ADR"].percent(POOL) == 10
    assert not [e for e in decision.events if isinstance(e, PriorityMoved)]
    assert not isinstance(after.top, CompanyTurn)  # one train only, the turn is over


@pytest.mark.rule("RHL-FOR-01", "RHL-FOR-02")
def test_r1_cash_pays_exact_difference():
    after = after_choice(ruleset(1), poor(1, 400, 230))
    assert after.players[0].cash == 130
    assert after.companies["ADR"].treasury == 0


@pytest.mark.rule("RHL-FOR-01")
def test_r1_cheapest_new_or_pool_train():
    rules = ruleset(1)
    state = poor(1, 900, 200, used=("4", "5"))
    state = another(state, "CME", (1, 4), 1, Bert=50)
    assert [a for a in choices(rules, state) if isinstance(a, ChooseForcedTrain)] == [
        ChooseForcedTrain("display", "5"),
        ChooseForcedTrain("pool", "4"),
        ChooseForcedTrain("pool", "5"),
    ]
    for wrong in (ChooseForcedTrain("display", "6"), ChooseForcedTrain("CME", "5"), ChooseForcedTrain("display", "8")):
        found = refused(rules, state, 0, wrong)
        assert (found.code, found.rule) == (Code.ONLY_THESE_TRAINS, "RHL-FOR-01")
    after = after_choice(rules, state, "4", "pool")
    assert (after.players[0].cash, after.depot.pool) == (800, ("5",))


@pytest.mark.rule("RHL-FOR-01")
def test_r1_operating_director_stays():
    rules = ruleset(1)
    state = poor(1, 200, 230, Ada=30, Bert=30)
    state = another(state, "GVE", (1, 4), 0, Ada=20, Bert=20)
    state = after_choice(rules, state)
    found = refused(rules, state, 0, SellShares("ADR", 10))
    assert (found.code, found.rule) == (Code.CHANGES_DIRECTOR, "RHL-FOR-01")
    after = act(rules, state, 0, SellShares("GVE", 10)).state
    assert after.companies["GVE"].director == 1
    assert after.companies["GVE"].percent(0) == 10
    assert after.companies["ADR"].director == 0


@pytest.mark.rule("RHL-FOR-01", "RHL-SR-12", "COMMON-SR-10")
def test_first_edition_what_any_sale_allows():
    rules = ruleset(1)
    state = poor(1, 200, 230, Ada=50, pool=50)
    state = another(state, "GVE", (1, 4), 1, Bert=50, Ada=10)
    state = after_choice(rules, with_company(state, "GVE", operated=False))
    assert refused(rules, state, 0, SellShares("ADR", 10)).code == Code.POOL_LIMIT
    assert refused(rules, state, 0, SellShares("GVE", 10)).code == Code.NOT_OPERATED
    assert refused(rules, state, 0, SellShares("BME", 10)).code == Code.NOT_HELD


@pytest.mark.rule("COMMON-BKR-05", "RHL-FOR-01")
def test_each_edition_has_own_way_out():
    """No loans in the first, no bankruptcy in the second."""
    first = after_choice(ruleset(1), poor(1, 0, 230, Ada=40))
    assert refused(ruleset(1), first, 0, TakeLoan()).code == Code.NOT_IN_RULESET
    second = after_choice(ruleset(2), poor(2, 0, 230, Ada=40))
    assert refused(ruleset(2), second, 0, DeclareBankruptcy()).code == Code.NOT_IN_RULESET
    assert refused(ruleset(2), second, 0, SellCharterShares(1)).code == Code.NOTHING_ON_CHARTER


@pytest.mark.rule("COMMON-FOR-03", "COMMON-FOR-04", "COMMON-FOR-08")
def test_charter_shares_come_before_directors_cash():
    """Treasury 230, price 65, charter 50 %: five certificates at 65 pay 325; 55 left, the director pays nothing."""
    rules = ruleset(2)
    state = after_choice(rules, poor(2, 1000, 230, Ada=50, charter=50))
    assert state.top == ForcedPurchase("ADR", "display", "5", "charter")
    for early in (TakeLoan(), SellShares("ADR", 10)):
        found = refused(rules, state, 0, early)
        assert (found.code, found.rule) == (Code.CHARTER_FIRST, "COMMON-FOR-03")
    assert choices(rules, state) == [SellCharterShares(5)]
    decision = act(rules, state, 0, SellCharterShares(5))
    after = decision.state
    assert Paid(BANK, "ADR", 325, "sale") in decision.events
    assert after.companies["ADR"].treasury == 55
    assert after.companies["ADR"].percent(POOL) == 50
    assert after.price("ADR") == 60
    assert after.players[0].cash == 1000
    assert after.companies["ADR"].trains == ("5",)


@pytest.mark.rule("COMMON-FOR-03", "COMMON-FOR-05", "COMMON-FOR-07")
def test_all_three_sources_then_what_missing():
    """Charter 10 % at 60, cheapest 600, cash 500: 60, 500, and 40 missing."""
    rules = ruleset(2)
    state = poor(2, 500, 0, at=(4, 1), display={"6": 6, "8": 4}, Ada=50, charter=10)
    state = act(rules, after_choice(rules, state, "6"), 0, SellCharterShares(1)).state
    assert state.top == ForcedPurchase("ADR", "display", "6", "own")
    decision = act(rules, state, 0, TakeLoan())
    assert LoanTaken(0, 40) in decision.events
    assert Paid(0, "ADR", 500, "forced") in decision.events
    after = decision.state
    assert (after.players[0].cash, after.players[0].loans, after.companies["ADR"].treasury) == (0, 40, 0)
    assert after.companies["ADR"].trains == ("6",)


@pytest.mark.rule("COMMON-FOR-04")
@pytest.mark.case("B69")
@pytest.mark.parametrize(
    ("treasury", "at", "charter", "pool", "count", "left"),
    [(400, (4, 2), 30, 0, 2, 30), (450, (4, 1), 30, 0, 1, 10), (430, (4, 1), 30, 0, 2, 50)],
)
def test_the_fewest_charter_certificates_that_cover(treasury, at, charter, pool, count, left):
    rules = ruleset(2)
    state = after_choice(rules, poor(2, 300, treasury, at=at, Ada=30, charter=charter, pool=pool))
    found = refused(rules, state, 0, SellCharterShares(count + 1))
    assert (found.code, found.rule) == (Code.MORE_THAN_NEEDED, "COMMON-FOR-04")
    assert refused(rules, state, 0, SellCharterShares(count - 1)).code == Code.MUST_SELL
    decision = act(rules, state, 0, SellCharterShares(count))
    assert len([e for e in decision.events if isinstance(e, CertificateMoved)]) == count
    assert len([e for e in decision.events if isinstance(e, PriceMoved)]) == 1
    assert decision.state.companies["ADR"].treasury == left
    assert decision.state.players[0].cash == 300


@pytest.mark.rule("COMMON-FOR-04", "COMMON-FOR-05")
@pytest.mark.case("B69")
def test_full_pool_makes_director_pay():
    after = after_choice(ruleset(2), poor(2, 150, 380, Ada=20, charter=30, pool=50))
    assert after.players[0].cash == 30  # pays 120
    assert after.companies["ADR"].percent("charter") == 30
    assert after.companies["ADR"].trains == ("5",)


@pytest.mark.rule("COMMON-FOR-04")
def test_charter_shares_are_sold_out():
    rules = ruleset(2)
    state = after_choice(rules, poor(2, 900, 0, Ada=20, charter=50, pool=20))
    assert choices(rules, state) == [SellCharterShares(3)]  # the pool takes 30 % more
    after = act(rules, state, 0, SellCharterShares(3)).state
    assert after.players[0].cash == 900 - (500 - 195)
    assert after.companies["ADR"].treasury == 0


@pytest.mark.rule("COMMON-FOR-05")
def test_the_director_pays_what_is_missing():
    after = after_choice(ruleset(2), poor(2, 150, 380, Ada=50))
    assert (after.players[0].cash, after.companies["ADR"].treasury) == (30, 0)


@pytest.mark.rule("COMMON-FOR-06")
@pytest.mark.case("B69")
def test_one_own_share_is_enough():
    """40 missing: one share of GVE at 120 is sold, 80 stay; two are refused."""
    rules = ruleset(2)
    state = another(poor(2, 0, 460, Ada=50), "GVE", (1, 6), 1, Bert=50, Ada=30)
    state = after_choice(rules, state)
    found = refused(rules, state, 0, SellShares("GVE", 20))
    assert (found.code, found.rule) == (Code.MORE_THAN_NEEDED, "COMMON-FOR-06")
    assert choices(rules, state) == [SellShares("ADR", 10), SellShares("GVE", 10), TakeLoan()]
    after = act(rules, state, 0, SellShares("GVE", 10)).state
    assert after.players[0].cash == 80
    assert after.price("GVE") == 110
    assert after.companies["ADR"].trains == ("5",)


@pytest.mark.rule("COMMON-FOR-06")
@pytest.mark.case("B69")
def test_no_sale_may_change_any_director():
    rules = ruleset(2)
    state = another(poor(2, 0, 460, Ada=20), "GVE", (1, 6), 0, Ada=30, Bert=30)
    state = after_choice(rules, state)
    found = refused(rules, state, 0, SellShares("GVE", 10))
    assert (found.code, found.rule) == (Code.CHANGES_DIRECTOR, "COMMON-FOR-06")
    assert choices(rules, state) == [TakeLoan()]


@pytest.mark.rule("COMMON-FOR-06", "COMMON-SR-10")
def test_exact_share_needs_no_second():
    rules = ruleset(2)
    state = another(poor(2, 0, 380, Ada=20), "GVE", (1, 6), 1, Bert=40, Ada=20)
    state = another(state, "DEE", (1, 6), 1, Bert=30, Ada=20, pool=50)
    state = after_choice(rules, state)
    assert refused(rules, state, 0, SellShares("GVE", 20)).code == Code.MORE_THAN_NEEDED  # 120 missing at 120
    assert refused(rules, state, 0, SellShares("DEE", 10)).code == Code.POOL_LIMIT
    assert choices(rules, state) == [SellShares("GVE", 10), TakeLoan()]


@pytest.mark.rule("COMMON-FOR-06", "COMMON-SR-11")
def test_only_floated_corporations_are_sold():
    rules = ruleset(2)
    state = another(poor(2, 0, 460, Ada=20), "GVE", (1, 6), 1, Bert=30, Ada=10)
    state = after_choice(rules, with_company(state, "GVE", floated=False))
    assert refused(rules, state, 0, SellShares("GVE", 10)).code == Code.NOT_FLOATED


@pytest.mark.rule("COMMON-FOR-07", "COMMON-END-04")
@pytest.mark.case("B71")
def test_loan_is_exact_and_costs_double():
    rules = ruleset(2)
    state = after_choice(rules, poor(2, 0, 150, Ada=50))
    before = standings(state)[0].total
    after = act(rules, state, 0, TakeLoan()).state
    assert after.players[0].loans == 350
    assert {s.seat: s.total for s in standings(after)}[0] == before - 700
    assert after.companies["ADR"].treasury == 0
    assert after.bank == state.bank + 150  # the loan went out and came back with the price


@pytest.mark.rule("COMMON-FOR-07")
def test_loan_covers_the_rest_after_sale():
    rules = ruleset(2)
    state = after_choice(rules, poor(2, 0, 150, at=(4, 1), Ada=30))
    state = act(rules, state, 0, SellShares("ADR", 10)).state
    assert choices(rules, state) == [TakeLoan()]
    after = act(rules, state, 0, TakeLoan()).state
    assert (after.players[0].loans, after.players[0].cash) == (290, 0)


@pytest.mark.rule("COMMON-FOR-07")
def test_nobody_repays_a_loan():
    """No action has a way to pay the bank back: a loan stands to the end."""
    rules = ruleset(2)
    state = act(rules, after_choice(rules, poor(2, 0, 150, Ada=50)), 0, TakeLoan()).state
    assert state.players[0].loans == 350
    assert not [kind for kind in rules.actions if "repay" in kind.__name__.lower()]


@pytest.mark.rule("COMMON-FOR-03")
@pytest.mark.case("B66")
def test_second_edition_pool_or_cheapest_new():
    rules = ruleset(2)
    state = poor(2, 900, 200, used=("4",))
    found = refused(rules, state, 0, ChooseForcedTrain("display", "6"))
    assert (found.code, found.rule) == (Code.ONLY_THESE_TRAINS, "COMMON-FOR-03")
    assert choices(rules, state)[-2:] == [ChooseForcedTrain("display", "5"), ChooseForcedTrain("pool", "4")]


@pytest.mark.rule("COMMON-FOR-08")
def test_forced_purchase_is_the_last():
    """55 are left, another corporation would sell a train for 55: the turn is over all the same."""
    rules = ruleset(2)
    state = another(poor(2, 1000, 230, Ada=50, charter=50), "CME", (1, 4), 0, Ada=50)
    state = after_choice(rules, state)
    after = act(rules, state, 0, SellCharterShares(5)).state
    assert not (isinstance(after.top, CompanyTurn) and after.top.company == "ADR")
    held = on_top(replace(after, agenda=()), CompanyTurn("ADR", "trains", forced=True))
    found = refused(rules, held, 0, BuyTrain("CME", "5", 55))
    assert (found.code, found.rule) == (Code.LAST_TRAIN, "COMMON-FOR-08")


@EDITIONS
@pytest.mark.rule("COMMON-FOR-03", "COMMON-DIR-01")
def test_only_director_and_nothing_else_meanwhile(edition):
    rules = ruleset(edition)
    state = after_choice(rules, poor(edition, 0, 230, Ada=40))
    assert refused(rules, state, 1, SellShares("ADR", 10)).code == Code.NOT_DIRECTOR
    assert refused(rules, state, 0, Pass()).code == Code.WRONG_STEP


@EDITIONS
@pytest.mark.rule("COMMON-PHS-07", "COMMON-TRN-09")
def test_forced_new_kind_changes_phase(edition):
    """Discards of others lie above the rest of the turn."""
    rules = ruleset(edition)
    state = poor(edition, 1000, 0, Ada=20)
    state = with_depot(replace(state, phase="green4"), {"5": 3, "6": 6, "8": 4}, (), ("2", "3", "4"))
    frames, state = state.agenda, replace(state, agenda=())
    state = company(state, "CME", (1, 4), director=1, trains=("3", "4", "4"))
    state = after_choice(rules, on_top(state, *frames))
    assert state.phase == "brown"
    assert type(state.top).__name__ == "TooManyTrains"
    assert state.depot.sold[-1] == "5"
    assert state.companies["ADR"].trains == ("5",)


@pytest.mark.rule("RHL-FOR-01", "RHL-SR-12")
@pytest.mark.parametrize("operated", (False, True))
@pytest.mark.parametrize("recorded", (False, True))
def test_corporation_in_first_turn_has_acted(operated, recorded):
    """v1 16.5 bars what has not acted in an operating round; at the train step it has laid, run and moved its marker."""
    rules = ruleset(1, recorded=recorded)
    state = with_company(poor(1, 100, 300, Ada=40, Bert=20), "ADR", operated=operated)
    state = after_choice(rules, state)
    assert SellShares("ADR", 20) in choices(rules, state)
    refusal = refused(rules, state, 0, DeclareBankruptcy())
    assert refusal.code == (Code.CAN_STILL_PAY if recorded else Code.CAN_STILL_SELL)


@pytest.mark.rule("RHL-SR-12")
def test_idle_corporation_is_not_sold():
    rules = ruleset(1)
    state = another(poor(1, 100, 300), "CME", (2, 3), 1, Bert=20, Ada=20)
    state = after_choice(rules, with_company(state, "CME", operated=False))
    found = refused(rules, state, 0, SellShares("CME", 20))
    assert (found.code, found.rule) == (Code.NOT_OPERATED, "RHL-SR-12")


@pytest.mark.rule("RHL-FOR-01", "COMMON-FOR-06")
@EDITIONS
def test_small_certificate_goes_before_20(edition):
    rules = ruleset(edition)
    state = with_depot(unsold(edition), {"5": 3, "6": 6, "8": 4}, sold=("2", "3", "4"))
    state = company(company(state, "ADR", (4, 2), director=0, treasury=470), "MKB", (3, 3), director=1)
    state = dealt(state, "ADR", pool=(1, 2, 3, 4, 5))
    mkb = state.companies["MKB"].certificates
    ten, twenty = (next(n for n, c in enumerate(mkb) if n and c.percent == size) for size in (10, 20))
    both = dealt(state, "MKB", Ada=(twenty, ten), Bert=(0,))
    both = after_choice(rules, in_turn(both, "ADR", "trains"))
    assert [a for a in choices(rules, both) if isinstance(a, SellShares)] == [SellShares("MKB", 10)]
    found = refused(rules, both, 0, SellShares("MKB", 20))
    rule = "RHL-FOR-01" if edition == 1 else "COMMON-FOR-06"
    assert (found.code, found.rule, found.args) == (Code.MORE_THAN_NEEDED, rule, {"percent": 10})
    alone = dealt(state, "MKB", Ada=(twenty,), Bert=(0,))
    alone = after_choice(rules, in_turn(alone, "ADR", "trains"))
    assert [a for a in choices(rules, alone) if isinstance(a, SellShares)] == [SellShares("MKB", 20)]


@pytest.mark.rule("RHL-FOR-01", "COMMON-FOR-03")
@pytest.mark.parametrize(
    ("edition", "compat", "rule"), ((1, False, "RHL-FOR-01"), (1, True, "RHL-FOR-01"), (2, False, "COMMON-FOR-03"))
)
def test_refusals_name_edition_s_rule(edition, compat, rule):
    whole = build(sheet(edition), RhlOptions(edition=edition, compat=compat))
    assert whole.duties[ForcedPurchase].rule == rule
