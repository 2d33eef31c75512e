"""Section 8: switch engines (RUHR-SWITCH)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    act,
    at_table,
    engines,
    in_phase,
    located,
    montan,
    offered,
    owning,
    purse,
    railway_turn,
    refuses,
    rules,
    started,
    works_turn,
)
from trajekt.engine.actions import Accept, Decline
from trajekt.engine.agenda import settle
from trajekt.engine.events import PhaseBegan
from trajekt.engine.ruleset import Code, Draft, View
from trajekt.games.ruhr.actions import BuyEngine, BuyEngineFrom, ScrapEngine
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.montan_charters import engines_left, income
from trajekt.games.ruhr.state import MontanAssets, ruhr_state
from trajekt.games.ruhr.switch_engines import EngineOffer, price_range
from trajekt.rules.turn_notes import Once


def pmc(*held: str, link: bool = True, phase: str = "2", money: int = 500):
    state = at_table() if phase == "2" else in_phase(at_table(), phase)
    state = owning(state, markers="AAB", money=money, engines=held, pmc7=ADA)
    return works_turn(located(state, pmc7=10 if link else 0), "7")


def seller(state, director: int = BERT, *trains: str):
    return started(state, "CME", director, 80, trains=trains or ("2",))


@pytest.mark.rule("RUHR-SWITCH-01")
def test_engine_with_card_at_grey_price():
    done = act(rules(), pmc(), ADA, BuyEngine("display", "2")).state
    assert (purse(done, 7), engines(done, "7"), done.depot.gone) == (460, ("W1",), ("2",))
    refuses(rules(), pmc(link=False), ADA, BuyEngine("display", "2"), "not_linked", "RUHR-SWITCH-01")
    refuses(rules(), pmc(money=39), ADA, BuyEngine("display", "2"), Code.UNAFFORDABLE, "RUHR-SWITCH-01")


@pytest.mark.rule("RUHR-SWITCH-01")
@pytest.mark.parametrize("price", [9, 61])
def test_second_hand_price_range(price):
    state = seller(pmc())
    refuses(rules(), state, ADA, BuyEngineFrom("CME", "2", price), "price_range", "RUHR-SWITCH-01")
    for fair in (10, 60):
        asked = act(rules(), state, ADA, BuyEngineFrom("CME", "2", fair)).state
        assert isinstance(asked.top, EngineOffer)


@pytest.mark.rule("RUHR-SWITCH-01", "RUHR-SWITCH-02", "RUHR-SWITCH-03", "RUHR-OR-10")
def test_second_hand_is_bound_like_card():
    buys = BuyEngineFrom("CME", "2", 50)
    refuses(rules(), seller(pmc(link=False)), ADA, buys, "not_linked", "RUHR-SWITCH-01")
    refuses(rules(), seller(pmc("W1")), ADA, buys, "no_engine_room", "RUHR-SWITCH-03")
    refuses(rules(), seller(pmc(money=49)), ADA, buys, Code.UNAFFORDABLE, "RUHR-SWITCH-01")
    refuses(rules(), seller(pmc(), BERT, "3"), ADA, buys, "train_not_there", "RUHR-SWITCH-01")
    refuses(rules(), seller(pmc()), ADA, BuyEngineFrom("nobody", "2", 50), "train_not_there", "RUHR-SWITCH-01")
    spent = replace(ruhr_state(pmc()), works={**ruhr_state(pmc()).works, "9": MontanAssets(engines=("W1",) * 4)})
    refuses(rules(), seller(replace(pmc(), extra=spent)), ADA, buys, "no_engine", "RUHR-SWITCH-02")
    used = works_turn(replace(seller(pmc()), agenda=()), "7", used=(Once.CARD,))
    refuses(rules(), used, ADA, buys, "one_card", "RUHR-OR-10")
    busy = works_turn(replace(seller(pmc()), agenda=()), "7", used=(Once.ACTIVITY,))
    refuses(rules(), busy, ADA, buys, "one_activity", "RUHR-OR-07")
    needy = seller(montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, markers="AAABB", treasury=900), BERT, "4")
    refuses(rules(), works_turn(needy, "RB"), ADA, BuyEngineFrom("CME", "4", 50), "must_develop", "RUHR-DEV-19")


@pytest.mark.rule("RUHR-SWITCH-02")
def test_the_engine_must_be_in_supply():
    state = pmc(phase="3")
    state = replace(
        state,
        extra=replace(ruhr_state(state), works={**ruhr_state(state).works, "9": MontanAssets(engines=("W2",) * 4)}),
    )
    assert engines_left(state, "W2") == 0
    refuses(rules(), state, ADA, BuyEngine("display", "3"), "no_engine", "RUHR-SWITCH-02")
    own = pmc("W1")
    own = replace(
        own, extra=replace(ruhr_state(own), works={**ruhr_state(own).works, "9": MontanAssets(engines=("W1",) * 3)})
    )
    act(rules(), own, ADA, BuyEngine("display", "2", "W1"))  # the one given up is in the supply again


@pytest.mark.rule("RUHR-SWITCH-03")
def test_room_for_engines():
    refuses(rules(), pmc("W1"), ADA, BuyEngine("display", "2"), "no_engine_room", "RUHR-SWITCH-03")
    base = in_phase(at_table(), "4")
    for company, mines, fits in (("RB", (5,), False), ("RB", (5, 7), True), ("TB", (5, 7), False)):
        state = montan(base, company, ADA, 80, *mines, markers="AAABB", engines=("W3",), treasury=500)
        state = works_turn(state, company)
        assert (BuyEngine("display", "4") in offered(rules(), state, ADA)) is fits


@pytest.mark.rule("RUHR-SWITCH-04")
def test_each_engine_doubles_next_highest_marker():
    base = in_phase(at_table(), "4")
    state = montan(base, "RB", ADA, 80, 5, 7, markers="AAABBBCCD", engines=("W3", "W3"))
    assert income(state, "RB") == 60 + 60 + 40 + (40 + 30)
    later = montan(in_phase(at_table(), "8"), "RB", ADA, 80, 5, 7, markers="AAABBBCCD", engines=("W3", "W3"))
    assert income(later, "RB") == 40 + 40
    example = {"markers": "AAAABBBCCD", "engines": ("W3", "W4")}  # the worked example: D, C, C active, then D alone
    assert income(montan(in_phase(at_table(), "6"), "RB", ADA, 80, 5, 7, **example), "RB") == 40 + 60 + (40 + 30)
    assert income(montan(in_phase(at_table(), "8"), "RB", ADA, 80, 5, 7, **example), "RB") == 40 + 40
    one = montan(base, "RB", ADA, 80, 5, markers="AAAB", engines=("W3", "W3"))
    assert income(one, "RB") == 20 + 20


@pytest.mark.rule("RUHR-SWITCH-05")
def test_engine_is_scrapped_at_will():
    state = pmc("W1", phase="3")
    done = act(rules(), state, ADA, BuyEngine("display", "3", "W1")).state
    assert engines(done, "7") == ("W2",)
    assert engines_left(done, "W1") == 4
    assert engines(act(rules(), state, ADA, ScrapEngine("W1")).state, "7") == ()
    refuses(rules(), pmc(), ADA, ScrapEngine("W1"), "no_engine", "RUHR-SWITCH-05")
    refuses(rules(), pmc(phase="3"), ADA, BuyEngine("display", "3", "W1"), "no_engine", "RUHR-SWITCH-05")
    refuses(rules(), state, BERT, ScrapEngine("W1"), Code.NOT_DIRECTOR, "RUHR-DIR-07")


@pytest.mark.rule("RUHR-SWITCH-03", "RUHR-SWITCH-05")
def test_nothing_scrapped_while_box_is_free():
    state = in_phase(at_table(), "4")
    state = montan(state, "RB", ADA, 80, 5, 7, markers="AAAB", engines=("W1",), treasury=500, Ada=40)
    state = located(works_turn(state, "RB"), pmc7=10)
    refuses(rules(), state, ADA, BuyEngine("display", "4", "W1"), "need_not_scrap", "RUHR-SWITCH-05")
    assert engines(act(rules(), state, ADA, BuyEngine("display", "4")).state, "RB") == ("W1", "W3")


@pytest.mark.rule("RUHR-SWITCH-06")
@pytest.mark.parametrize(("engine", "phase"), [("W1", "6"), ("W2", "8")])
def test_old_engines_are_scrapped_by_phase(engine, phase):
    draft = Draft(rules(), replace(pmc(engine), agenda=()))
    draft.emit(PhaseBegan(phase))
    settle(draft, 0)
    assert engines(draft.state, "7") == ()
    assert purse(draft.state, 7) == 500


@pytest.mark.rule("RUHR-SWITCH-07")
def test_railways_never_get_engines():
    state = railway_turn(started(at_table(), "CME", ADA, 80, treasury=500), "CME", "trains")
    refuses(rules(), state, ADA, BuyEngine("display", "2"), Code.WRONG_STEP, "RUHR-OR-06")


@pytest.mark.rule("RUHR-SWITCH-08")
def test_second_hand_needs_consent():
    own = act(rules(), seller(pmc(), ADA), ADA, BuyEngineFrom("CME", "2", 50)).state
    assert (own.companies["CME"].treasury, engines(own, "7"), purse(own, 7)) == (50, ("W1",), 450)
    asked = act(rules(), seller(pmc()), ADA, BuyEngineFrom("CME", "2", 50)).state
    refuses(rules(), asked, ADA, Accept(), Code.NOT_DIRECTOR, "RUHR-SWITCH-08")
    yes = act(rules(), asked, BERT, Accept()).state
    assert (yes.companies["CME"].treasury, yes.companies["CME"].trains, engines(yes, "7")) == (50, (), ("W1",))
    assert yes.depot.gone == ("2",)
    no = act(rules(), asked, BERT, Decline()).state
    assert (no.companies["CME"].trains, engines(no, "7"), purse(no, 7)) == (("2",), (), 500)


@pytest.mark.rule("RUHR-SWITCH-02", "RUHR-PMC-06")
def test_scrapped_engine_never_returns():
    state = pmc(phase="3")
    gone = replace(
        ruhr_state(state), works={**ruhr_state(state).works, "9": MontanAssets(engines=("W2",) * 3)}, scrapped=("W2",)
    )
    refuses(rules(), replace(state, extra=gone), ADA, BuyEngine("display", "3"), "no_engine", "RUHR-SWITCH-02")


@pytest.mark.rule("RUHR-SWITCH-01")
def test_half_mark_of_highest_price_dropped():
    state = pmc()
    odd = replace(ruhr_components(state.sheet).cards["2"], engine_price=45)
    assert price_range(View(rules(), state, ADA, state.top), odd) == (10, 67)  # Q23


@pytest.mark.rule("RUHR-SWITCH-06")
def test_montan_scraps_its_old_engines_too():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 80, 5, 7, markers="AAABBC", engines=("W1", "W3"))
    draft = Draft(rules(), state)
    draft.emit(PhaseBegan("6"))
    settle(draft, 0)
    assert (engines(draft.state, "RB"), engines_left(draft.state, "W1")) == (("W3",), 4)
