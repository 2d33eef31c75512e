"""Sections 5 and 6: operating rounds, income of Montan companies, deals in own certificates (RUHR-OR, RUHR-PMC)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import with_market, with_tiles
from tests.builders.ruhr_lines import bme_to_hagen
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    act,
    at_table,
    box,
    in_phase,
    kinds,
    located,
    montan,
    offered,
    owning,
    purse,
    railway_turn,
    refuses,
    rules,
    started,
    stations,
    stock_turn,
    with_cash,
    with_company,
    works_turn,
)
from trajekt.engine.actions import BuyTrain, Pass, PayOut, PlaceStation, SellShares, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.events import StatusSet
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import POOL
from trajekt.games.ruhr.actions import BuildPmcLink, BuyEngine, Develop, ShareDeal
from trajekt.games.ruhr.montan_charters import income
from trajekt.games.ruhr.montan_closing import all_turn_passive
from trajekt.games.ruhr.montan_round import Foundation
from trajekt.games.ruhr.montan_turn import INCOME, MontanTurn
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.round_sequence import to_operate
from trajekt.games.ruhr.state import PASSIVE, location, ruhr_state
from trajekt.rules.operating_round import CompanyTurn, OperatingRound, current_turn
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.turn_notes import Once


def opened_round(state, number: int = 1, **options) -> Draft:
    """An operating round that runs until somebody is awaited."""
    draft = Draft(rules(**options), replace(state, agenda=(Rounds(2, 2, number), OperatingRound(2, number, 2))))
    run(draft)
    return draft


@pytest.mark.rule("RUHR-OR-01")
def test_two_operating_rounds_three_later():
    sets = {}
    for phase in ("5", "8"):
        state = replace(in_phase(at_table(), phase), ending="eight" if phase == "8" else "")
        draft = Draft(rules(), replace(state, agenda=(Rounds(3),)))
        run(draft)
        sets[phase] = max(e.frame.of for e in draft.events if isinstance(getattr(e, "frame", None), OperatingRound))
    assert sets == {"5": 2, "8": 3}


@pytest.mark.rule("RUHR-OR-02")
def test_first_the_privates_are_paid():
    state = owning(at_table(), pmc7=BERT)
    privates = {
        **state.privates,
        19: replace(state.privates[19], owner=ADA),
        20: replace(state.privates[20], owner=BERT),
    }
    state = replace(state, privates=privates)
    draft = opened_round(state)
    assert draft.state.players[ADA].cash == state.players[ADA].cash + 10
    assert draft.state.players[BERT].cash == state.players[BERT].cash + 20
    assert isinstance(draft.state.top, MontanTurn)


@pytest.mark.rule("RUHR-OR-03")
def test_active_pmcs_by_number():
    state = owning(at_table(), markers="AA", pmc3=ADA, pmc10=ADA, pmc5=ADA)
    draft = opened_round(state)
    order = []
    state = draft.state
    while any(isinstance(frame, MontanTurn) for frame in state.agenda):
        turn = state.top
        if turn.works not in order:
            order.append(turn.works)
        state = act(rules(), state, ADA, Withhold() if turn.step == INCOME else Pass()).state
    assert order == ["3", "5", "10"]


@pytest.mark.rule("RUHR-OR-04")
def test_corporations_operate_by_value():
    state = in_phase(at_table(), "4")
    state = started(started(state, "CME", ADA, 80), "BME", BERT, 90)
    state = montan(state, "RB", ADA, 80, 5, markers="AAAB")
    assert to_operate(state, OperatingRound(2, 1, 2), RuhrOptions()) == ["BME", "CME", "RB"]
    risen = with_market(state, RB=box(state, 100))
    assert to_operate(risen, OperatingRound(2, 1, 2, ("BME",)), RuhrOptions()) == ["RB", "CME"]


@pytest.mark.rule("RUHR-OR-04")
def test_fixed_order_is_made_at_start():
    state = started(started(in_phase(at_table(), "4"), "CME", ADA, 80), "BME", BERT, 90)
    draft = opened_round(state, or_order="fixed")
    assert draft.state.top.company == "BME"
    risen = with_market(started(draft.state, "KWE", CLEO, 60), CME=box(state, 50))
    assert to_operate(risen, draft.state.agenda[-2], RuhrOptions(or_order="fixed")) == ["CME"]
    assert to_operate(risen, opened_round(state).state.agenda[-2], RuhrOptions()) == ["KWE", "CME"]


@pytest.mark.rule("RUHR-OR-04", "RUHR-TRAIN-04")
@pytest.mark.parametrize("order", ["moving", "fixed"])
def test_who_has_begun_turn_has_acted(order):
    state = in_phase(at_table(), "4")
    state = replace(state, depot=replace(state.depot, display={**state.depot.display, "4": 0}))
    for company, seat, value in (("CME", ADA, 80), ("KWE", BERT, 70), ("RhE", CLEO, 60)):
        trains = ("3", "4") if company == "CME" else ("3", "4", "4")
        state = started(state, company, seat, value, treasury=2000, trains=trains)
    state = opened_round(state, or_order=order).state
    assert state.agenda[-2].operated == ("CME",)
    state = replace(state, agenda=(*state.agenda[:-1], replace(state.top, step="trains")))
    price = state.sheet.trains["5"].price
    asked = act(rules(or_order=order), state, ADA, BuyTrain("display", "5", price)).state.top
    assert asked.companies == ("CME", "KWE", "RhE")


@pytest.mark.rule("RUHR-OR-04")
@pytest.mark.parametrize("order", ["moving", "fixed"])
def test_montan_turn_is_no_railway_turn(order):
    state = montan(in_phase(at_table(), "4"), "RB", BERT, 80, 5, markers="AAABB", Bert=40)
    state = opened_round(started(state, "CME", ADA, 70, treasury=500), or_order=order).state
    assert isinstance(state.top, MontanTurn)
    assert current_turn(state) is None


@pytest.mark.rule("RUHR-OR-05")
def test_marker_that_moves_in_goes_underneath():
    state = started(started(at_table(), "CME", ADA, 90, stock=90), "BME", BERT, 80)
    state = railway_turn(with_company(state, "BME", revenue=80), "BME", "pay", revenue=80)
    done = act(rules(), state, BERT, PayOut()).state
    assert done.markers.stack(box(done, 90)) == ("CME", "BME")


@pytest.mark.rule("RUHR-OR-06")
def test_the_steps_of_railway_in_order():
    state = stations(started(at_table(), "BME", ADA, 70, treasury=300, trains=("2",)), "BME", "R9")
    late = railway_turn(state, "BME", "trains")
    refuses(rules(), late, ADA, PlaceStation("R9", "a"), Code.WRONG_STEP, "RUHR-OR-06")
    refuses(rules(), late, ADA, BuildPmcLink(8), Code.WRONG_STEP, "RUHR-OR-06")
    for step in ("track", "station", "link"):
        answer = BuildPmcLink(8)
        early = railway_turn(state, "BME", step)
        refuses(rules(), early, ADA, answer, "mine_not_joined", "RUHR-LINK-05")
    deals = [
        step
        for step in ("track", "run", "trains")
        if ShareDeal("sell", 10) in offered(rules(), railway_turn(state, "BME", step), ADA)
    ]
    assert deals == ["track", "run", "trains"]


@pytest.mark.rule("RUHR-OR-07")
def test_income_then_one_activity():
    state = owning(at_table(), money=200, pmc7=ADA)
    turn = works_turn(state, "7", step=INCOME, revenue=30)
    refuses(rules(), turn, ADA, Pass(), Code.WRONG_STEP, "RUHR-OR-07")
    refuses(rules(), turn, ADA, Develop("2", "AB"), Code.WRONG_STEP, "RUHR-OR-07")
    acted = works_turn(state, "7", used=(Once.ACTIVITY, Once.CARD))
    refuses(rules(), acted, ADA, BuildPmcLink(7), "one_activity", "RUHR-OR-07")
    refuses(rules(), acted, ADA, Develop("2", "AB"), "one_activity", "RUHR-OR-07")
    refuses(rules(), works_turn(state, "7"), ADA, Withhold(), Code.WRONG_STEP, "RUHR-OR-07")


@pytest.mark.rule("RUHR-OR-08")
def test_a_montan_pays_its_certificates():
    state = montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAAB", Ada=40, Bert=20, pool=20)
    state = with_cash(works_turn(state, "RB", step=INCOME, revenue=150), Ada=0, Bert=0)
    done = act(rules(), state, ADA, PayOut()).state
    assert [done.players[seat].cash for seat in (ADA, BERT)] == [60, 30]
    assert done.companies["RB"].treasury == 30
    assert done.bank == state.bank - 120


@pytest.mark.rule("RUHR-OR-07")
@pytest.mark.parametrize("action", [PayOut(), Withhold()])
def test_montan_disposes_of_its_income_once(action):
    state = works_turn(montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAAB"), "RB", revenue=150)
    refuses(rules(), state, ADA, action, Code.WRONG_STEP, "RUHR-OR-07")


@pytest.mark.rule("RUHR-OR-09")
@pytest.mark.parametrize(("revenue", "price"), [(80, 90), (240, 90), (70, 80)])
def test_the_marker_of_a_montan(revenue, price):
    state = montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAAB")
    state = works_turn(state, "RB", step=INCOME, revenue=revenue)
    assert act(rules(), state, ADA, PayOut()).state.price("RB") == price
    assert act(rules(), state, ADA, Withhold()).state.price("RB") == 75


@pytest.mark.rule("RUHR-OR-09")
def test_without_income_the_marker_falls():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, markers="AAAB", treasury=500)
    state = opened_round(state).state
    assert (state.price("RB"), kinds(rules(), state, ADA)) == (80, {"ShareDeal", "Pass"})
    assert act(rules(), state, ADA, Pass()).state.price("RB") == 75
    full = with_company(
        state, "RB", certificates=tuple(replace(c, holder=ADA) for c in state.companies["RB"].certificates)
    )
    assert opened_round(replace(full, agenda=())).state.price("RB") == 75  # no deal, no question


@pytest.mark.rule("RUHR-OR-06", "RUHR-OR-11")
@pytest.mark.parametrize("treasury", [20, 85])
def test_step_that_deal_could_pay_waits(treasury):
    state = started(at_table(), "BME", ADA, 65, Ada=50, treasury=treasury, trains=("2",))
    state = opened_round(stations(state, "BME", "R9")).state
    assert (state.top.step, kinds(rules(), state, ADA) >= {"ShareDeal", "Pass"}) == ("track", True)
    dealt = act(rules(), state, ADA, ShareDeal("sell", 10)).state
    assert (dealt.top.step, "LayTile" in kinds(rules(), dealt, ADA)) == ("track", True)
    spent = with_company(
        state, "BME", certificates=tuple(replace(c, holder=ADA) for c in state.companies["BME"].certificates)
    )
    assert opened_round(with_company(spent, "BME", treasury=20)).state.top.step == "run"


@pytest.mark.rule("RUHR-OR-11", "RUHR-REV-06")
def test_deal_before_marker_falls():
    state = started(at_table(), "BME", ADA, 65, Ada=50, treasury=0, operated=False)
    state = railway_turn(stations(state, "BME", "R9"), "BME", "station")
    state = act(rules(), state, ADA, Pass()).state
    while state.top.step in ("station", "link"):
        state = act(rules(), state, ADA, Pass()).state
    assert (state.top.step, state.price("BME")) == ("deal", 65)
    done = act(rules(), state, ADA, ShareDeal("sell", 10)).state
    assert (done.companies["BME"].treasury, done.price("BME")) == (65, 55)


@pytest.mark.rule("RUHR-OR-07", "RUHR-OR-10")
@pytest.mark.parametrize("first", [Develop("4", "BBC"), BuyEngine("display", "4"), BuildPmcLink(8)])
def test_after_one_activity_no_other(first):
    state = montan(bme_to_hagen(in_phase(at_table(), "4")), "US", ADA, 80, 3, 8, markers="AAAB", treasury=900)
    state = act(rules(), works_turn(state, "US"), ADA, first).state
    assert isinstance(state.top, MontanTurn)  # its own deal may still follow
    for second in (Develop("4", "BBC"), BuyEngine("display", "4"), BuildPmcLink(8)):
        refuses(rules(), state, ADA, second, "one_activity", "RUHR-OR-07")
    assert ("card" in state.top.used) is (not isinstance(first, BuildPmcLink))


@pytest.mark.rule("RUHR-OR-10")
def test_one_card_in_a_round():
    state = works_turn(located(owning(at_table(), money=500, pmc7=ADA), pmc7=10), "7")
    done = act(rules(), state, ADA, Develop("2", "AB")).state
    assert done.depot.gone == ("2",)
    assert not any(isinstance(frame, MontanTurn) for frame in done.agenda)
    used = works_turn(located(owning(at_table(), money=500, pmc7=ADA), pmc7=10), "7", used=(Once.CARD,))
    refuses(rules(), used, ADA, BuyEngine("display", "2"), "one_card", "RUHR-OR-10")
    refuses(rules(), used, ADA, Develop("2", "AB"), "one_card", "RUHR-OR-10")


@pytest.mark.rule("RUHR-OR-11")
def test_corporation_deals_once_in_own_certificates():
    state = railway_turn(started(at_table(), "CME", ADA, 80, treasury=10, pool=10), "CME", "trains")
    sold = act(rules(), state, ADA, ShareDeal("sell", 10)).state
    assert (sold.companies["CME"].treasury, sold.price("CME")) == (90, 75)
    assert sold.companies["CME"].percent(POOL) == 20
    refuses(
        rules(),
        railway_turn(state, "CME", "trains", used=(Once.DEAL,)),
        ADA,
        ShareDeal("sell", 10),
        "one_deal",
        "RUHR-OR-11",
    )
    early = railway_turn(stations(replace(state, agenda=()), "CME", "R3"), "CME", "track")
    early = act(rules(), early, ADA, ShareDeal("sell", 10)).state
    refuses(rules(), early, ADA, ShareDeal("sell", 10), "one_deal", "RUHR-OR-11")
    works = works_turn(montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAAB", treasury=500), "RB")
    works = act(rules(), works, ADA, ShareDeal("sell", 20)).state
    refuses(rules(), works, ADA, ShareDeal("sell", 20), "one_deal", "RUHR-OR-11")
    rich = with_company(state, "CME", treasury=100)
    bought = act(rules(), rich, ADA, ShareDeal("buy", 10)).state
    assert (bought.companies["CME"].treasury, bought.price("CME"), bought.bank) == (20, 80, rich.bank + 80)
    refuses(rules(), state, ADA, ShareDeal("buy", 10), Code.UNAFFORDABLE, "RUHR-OR-11")


@pytest.mark.rule("RUHR-OR-11")
def test_deal_keeps_pool_limit():
    full = railway_turn(started(at_table(), "CME", ADA, 80, pool=50), "CME", "trains")
    refuses(rules(), full, ADA, ShareDeal("sell", 10), Code.POOL_LIMIT, "RUHR-OR-11")
    free = rules(deal_pool_limit=False)
    assert act(free, full, ADA, ShareDeal("sell", 10)).state.companies["CME"].percent(POOL) == 60
    dgee = railway_turn(started(at_table(), "DGEE", ADA, 80, pool=20), "DGEE", "trains")
    done = act(rules(), dgee, ADA, ShareDeal("sell", 20)).state
    assert (done.companies["DGEE"].treasury, done.price("DGEE")) == (160, 75)
    mixed = tuple(replace(c, holder=POOL) if n == 4 else c for n, c in enumerate(dgee.companies["DGEE"].certificates))
    mixed = with_company(dgee, "DGEE", certificates=mixed, treasury=200)  # 20 and 10 in the pool
    for percent, price in ((10, 80), (20, 160)):
        back = act(rules(), mixed, ADA, ShareDeal("buy", percent)).state.companies["DGEE"]
        assert (back.treasury, back.percent(POOL)) == (200 - price, 30 - percent)
    papers = dgee.companies["DGEE"].certificates  # 20 of the director, 20 in the pool, then 20 and four of 10
    papers = tuple(replace(c, holder=POOL) if n in (3, 4) else c for n, c in enumerate(papers))
    more = with_company(dgee, "DGEE", certificates=papers)
    refuses(rules(), more, ADA, ShareDeal("sell", 20), Code.POOL_LIMIT, "RUHR-OR-11")


@pytest.mark.rule("RUHR-OR-11")
def test_pmc_has_no_deal():
    state = works_turn(owning(at_table(), pmc7=ADA), "7")
    refuses(rules(), state, ADA, ShareDeal("sell", 10), "no_own_papers", "RUHR-OR-11")


@pytest.mark.rule("RUHR-SR-21")
def test_montan_operates_once():
    for operated, told in ((False, 1), (True, 0)):
        state = montan(in_phase(at_table(), "4"), "RB", ADA, 80, 5, markers="AAAB", treasury=500, operated=operated)
        answer = act(rules(), works_turn(state, "RB"), ADA, Pass())
        assert answer.events.count(StatusSet("RB", "operated")) == told
        assert answer.state.companies["RB"].operated


@pytest.mark.rule("RUHR-OR-12")
@pytest.mark.parametrize(("phase", "montan_round"), [("3", False), ("4", True)])
def test_montan_round_once_type_4_bought(phase, montan_round):
    state = located(owning(in_phase(at_table(3), phase), markers="AAABB", pmc7=ADA, pmc3=BERT), pmc7=10)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT, CLEO)))
    draft = Draft(rules(), replace(state, agenda=(Rounds(2, 2, 2),)))
    run(draft)
    assert isinstance(draft.state.top, Foundation) is montan_round


@pytest.mark.rule("RUHR-OR-13")
def test_eh_waits_for_first_type_5():
    state = started(in_phase(at_table(), "4"), "EH", ADA, 80)
    assert to_operate(state, OperatingRound(2, 1, 2), RuhrOptions()) == []
    assert to_operate(in_phase(state, "5"), OperatingRound(2, 1, 2), RuhrOptions()) == ["EH"]
    begun = opened_round(started(state, "CME", BERT, 70)).state.agenda[-2]
    assert begun.operated == ("CME",)
    assert to_operate(in_phase(state, "5"), begun, RuhrOptions()) == []
    later = opened_round(in_phase(state, "5")).state.top
    assert isinstance(later, CompanyTurn)
    assert later.company == "EH"


@pytest.mark.rule("RUHR-OR-04", "RUHR-OR-13")
@pytest.mark.parametrize("eh_start", ["next_or", "same_or"])
@pytest.mark.parametrize("fallen", [75, 60])
def test_falling_marker_passes_not_eh(eh_start, fallen):
    state = in_phase(at_table(), "5")
    for company, value in (("CME", 75), ("EH", 70), ("KWE", 65)):
        state = started(state, company, ADA, value, treasury=500)
    state = opened_round(state, eh_start=eh_start).state
    fallen = with_market(state, CME=box(state, fallen))
    assert to_operate(fallen, state.agenda[-2], RuhrOptions(eh_start=eh_start)) == ["EH", "KWE"]


@pytest.mark.rule("RUHR-OR-13")
@pytest.mark.parametrize("fallen", [75, 60])
def test_starting_values_decide_late_eh(fallen):
    state = in_phase(at_table(), "4")
    for company, value in (("CME", 75), ("EH", 70), ("KWE", 65)):
        state = started(state, company, ADA, value, treasury=500)
    state = opened_round(state, eh_start="same_or").state
    later = with_market(in_phase(state, "5"), CME=box(state, fallen))
    assert to_operate(later, state.agenda[-2], RuhrOptions(eh_start="same_or")) == ["EH", "KWE"]
    higher = with_market(later, EH=box(state, 80))
    assert to_operate(higher, state.agenda[-2], RuhrOptions(eh_start="same_or")) == ["KWE", "EH"]


@pytest.mark.rule("RUHR-OR-13")
def test_first_type_5_places_eh():
    state = started(started(in_phase(at_table(), "5"), "EH", ADA, 80), "CME", BERT, 70)
    bought = OperatingRound(2, 1, 2, ("7",), opened=True, barred=("EH",))
    assert to_operate(state, bought, RuhrOptions(eh_start="same_or")) == ["EH", "CME"]
    assert to_operate(state, bought, RuhrOptions()) == ["CME"]


def after_the_cme_s_type_5(value: int, **options) -> list[str]:
    """Who still acts in the round in which the CME, at 80, buys the first type 5; the EH is at `value`, RhE 90, KWE 60."""
    state, ruleset = in_phase(at_table(), "4"), rules(**options)
    for company, price in (("EH", value), ("RhE", 90), ("CME", 80), ("KWE", 60)):
        state = started(state, company, ADA, price, treasury=900, trains=("4",))
    depot = state.depot
    depot = replace(depot, display={**depot.display, "4": 0}, gone=depot.gone + ("4",) * depot.display["4"])
    state, turns = opened_round(replace(state, depot=depot), **options).state, list[str]()
    while isinstance(state.top, CompanyTurn) and state.agenda[1].number == 1:
        turn = state.top
        if turn.company not in turns:
            turns.append(turn.company)
        buys = turn.company == "CME" and turn.step == "trains" and not turn.bought
        done = act(ruleset, state, ADA, BuyTrain("display", "5", state.sheet.trains["5"].price) if buys else Pass())
        state = done.state
    assert "5" in state.depot.sold
    return turns[turns.index("CME") + 1 :]


@pytest.mark.rule("RUHR-OR-13")
@pytest.mark.parametrize(
    ("eh_start", "value", "turns"),
    [
        ("next_or", 70, ["KWE"]),
        ("same_or", 70, ["EH", "KWE"]),
        ("same_or", 100, ["KWE", "EH"]),
        ("same_or", 50, ["KWE", "EH"]),
    ],
)
def test_eh_acts_in_type_5_round(eh_start, value, turns):
    assert after_the_cme_s_type_5(value, eh_start=eh_start) == turns


# pMCs ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RUHR-PMC-01")
def test_pmc_is_one_unsaleable_certificate():
    state = stock_turn(owning(at_table(), pmc7=ADA), ADA)
    assert state.certificate_count(ADA) == 1
    refuses(rules(), state, ADA, SellShares("7", 10), Code.NOT_IN_RULESET, "RUHR-SR-12")


@pytest.mark.rule("RUHR-PMC-02")
def test_engine_repeats_highest_marker():
    state = owning(at_table(), markers="AAB", pmc7=ADA)
    assert income(state, "7") == 40
    linked = located(owning(at_table(), markers="AAB", engines=("W1",), pmc7=ADA), pmc7=10)
    assert income(linked, "7") == 60
    waiting = located(owning(at_table(), markers="AABC", engines=("W1",), pmc7=ADA), pmc7=0)
    assert income(waiting, "7") == 60
    turned = located(owning(in_phase(at_table(), "5"), markers="AAB", engines=("W1",), pmc7=ADA), pmc7=10)
    assert income(turned, "7") == 0


@pytest.mark.rule("RUHR-PMC-03")
@pytest.mark.parametrize(("revenue", "owner", "kept"), [(50, 25, 25), (35, 17, 18)])
def test_income_half_or_all(revenue, owner, kept):
    state = with_cash(works_turn(owning(at_table(), money=0, pmc7=ADA), "7", step=INCOME, revenue=revenue), Ada=0)
    split = act(rules(), state, ADA, PayOut()).state
    assert (split.players[ADA].cash, purse(split, 7)) == (owner, kept)
    whole = act(rules(), state, ADA, Withhold()).state
    assert (whole.players[ADA].cash, purse(whole, 7)) == (0, revenue)
    assert kinds(rules(), state, ADA) == {"PayOut", "Withhold"}


@pytest.mark.rule("RUHR-PMC-04")
def test_no_late_stages_for_a_pmc():
    state = works_turn(owning(in_phase(at_table(), "4"), markers="ABC", money=500, pmc7=ADA), "7")
    refuses(rules(), state, ADA, Develop("4", "D"), "not_on_card", "RUHR-PMC-04")
    assert not [a for a in offered(rules(), state, ADA) if isinstance(a, Develop) and "D" in a.stages]


@pytest.mark.rule("RUHR-PMC-05")
def test_passive_pmc_can_be_linked():
    state = opened_round(at_table()).state
    assert not any(isinstance(frame, MontanTurn) for frame in state.agenda)
    state = stations(started(at_table(), "BME", ADA, 70, treasury=40), "BME", "R9", "P13")
    assert ruhr_state(state).mines[8] == PASSIVE
    state = railway_turn(with_tiles(state, P11="4 r1", Q12="58 r2", P13="718 r1"), "BME")
    done = act(rules(), state, ADA, BuildPmcLink(8)).state
    assert (done.companies["BME"].treasury, location(done, 8), done.bank) == (10, 10, state.bank + 30)


@pytest.mark.rule("RUHR-PMC-06", "RUHR-MR-10")
def test_active_pmcs_turn_passive_for_nothing():
    state = located(owning(in_phase(at_table(), "6"), markers="AAB", engines=("W3",), money=70, pmc9=ADA), pmc9=10)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT, CLEO)))
    draft = Draft(rules(), state)
    all_turn_passive(draft)
    done = draft.state
    assert done.bank == state.bank + 70
    assert done.players[ADA].cash == state.players[ADA].cash
    assert (location(done, 9), ruhr_state(done).mines[9], done.certificate_count(ADA)) == (10, PASSIVE, 0)
    assert ruhr_state(done).removed["steel"] == (2, 1, 0, 0, 0, 0)
    assert ruhr_state(done).scrapped == ("W3",)
