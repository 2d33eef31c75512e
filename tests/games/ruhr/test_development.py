"""Section 7: development markers (RUHR-DEV)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    act,
    at_table,
    holding,
    in_phase,
    located,
    montan,
    offered,
    owning,
    purse,
    refuses,
    rules,
    started,
    with_cash,
    with_company,
    works_turn,
)
from trajekt.engine.actions import Pass
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import GONE, POOL
from trajekt.games.ruhr.actions import BuildPmcLink, BuyEngine, BuyEngineFrom, Develop
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.events import LocationSet
from trajekt.games.ruhr.montan_charters import income, legal_takes, must_develop, on_boxes, waiting
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.railway_links import link
from trajekt.games.ruhr.state import MontanAssets, location, ruhr_state
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.turn_notes import Once


def pmc(mine: int, markers: str, phase: str = "2", *, money: int = 900, link: bool = False):
    """The activity of a pMC of Ada's with these markers."""
    state = at_table() if phase == "2" else in_phase(at_table(), phase)
    state = owning(state, markers=markers, money=money, **{f"pmc{mine}": ADA})
    return works_turn(located(state, **{f"pmc{mine}": 10 if link else 0}), str(mine))


def corporation(markers: str, phase: str = "4", company: str = "RB", *mines: int, **values):
    """The activity of a MONTAN corporation of Ada's."""
    state = in_phase(at_table(), phase)
    found = mines or ((5,) if company in ("RB", "SK", "TB") else (3,))
    return works_turn(montan(state, company, ADA, 80, *found, markers=markers, **{"treasury": 900, **values}), company)


def takes(state, card: str) -> set[str]:
    return {a.stages for a in offered(rules(), state, ADA) if isinstance(a, Develop) and a.card == card}


@pytest.mark.rule("RUHR-DEV-01")
def test_squares_and_one_price():
    assert ruhr_components(at_table().sheet).cards["4"].squares == 3
    state = pmc(7, "AAB")
    for stages in ("A", "AB"):
        assert purse(act(rules(), state, ADA, Develop("2", stages)).state, 7) == 840
    refuses(rules(), state, ADA, Develop("2", "AAB"), "too_many_markers", "RUHR-DEV-01")
    refuses(rules(), pmc(7, "AAB", money=59), ADA, Develop("2", "A"), Code.UNAFFORDABLE, "RUHR-DEV-01")


@pytest.mark.rule("RUHR-DEV-02")
def test_only_stages_named_on_the_card():
    refuses(rules(), pmc(7, "AAB"), ADA, Develop("2", "C"), "not_on_card", "RUHR-DEV-02")
    refuses(rules(), corporation("AAABBCC", "3"), ADA, Develop("3", "D"), "not_on_card", "RUHR-DEV-02")


@pytest.mark.rule("RUHR-DEV-03")
def test_only_markers_of_the_own_industry():
    state = pmc(7, "AA")
    extra = replace(ruhr_state(state), removed={"coal": (11, 0, 0, 0, 0, 0)})
    state = replace(state, extra=extra)
    refuses(rules(), state, ADA, Develop("2", "A"), "no_marker_left", "RUHR-DEV-03")
    steel = works_turn(owning(replace(state, agenda=()), markers="AA", money=100, pmc9=ADA), "9")
    act(rules(), steel, ADA, Develop("2", "A"))


@pytest.mark.rule("RUHR-DEV-04")
def test_at_most_five_of_stage_a():
    refuses(rules(), pmc(7, "AAAAA"), ADA, Develop("2", "A"), "too_many_of_first", "RUHR-DEV-04")


@pytest.mark.rule("RUHR-DEV-05")
def test_stages_never_exceed_the_former():
    state = pmc(7, "AABB")
    assert takes(state, "2") == {"AB", "AA", "A"}
    refuses(rules(), state, ADA, Develop("2", "BB"), "wrong_order", "RUHR-DEV-05")
    later = pmc(7, "AAAB", "3", link=True)
    refuses(rules(), later, ADA, Develop("3", "CC"), "wrong_order", "RUHR-DEV-05")
    act(rules(), later, ADA, Develop("3", "BC"))


@pytest.mark.rule("RUHR-DEV-05")
def test_x_needs_e_by_default():
    state = corporation("AAAABBBBCCCCDDD", "8")
    refuses(rules(), state, ADA, Develop("8", "EXXX"), "wrong_order", "RUHR-DEV-05")
    assert "EEXX" in takes(state, "8")
    loose = rules(x_after_e=False)
    found = {a.stages for a in offered(loose, state, ADA) if isinstance(a, Develop) and a.card == "8"}
    assert any(stages.count("X") > stages.count("E") for stages in found)


@pytest.mark.rule("RUHR-DEV-06", "RUHR-DEV-07")
def test_markers_lie_on_their_boxes():
    state = act(rules(), pmc(11, "AABB", "3"), ADA, Develop("3", "AC")).state
    assert on_boxes(state, "11") == (3, 2, 0, 0, 0, 0)
    assert waiting(state, "11") == (0, 0, 1, 0, 0, 0)


@pytest.mark.rule("RUHR-DEV-08")
@pytest.mark.parametrize(("held", "card", "stages", "waits"), [
    ("AAAABBB", "2", "B", (0, 1, 0, 0, 0, 0)),
    ("AAABBBCC", "3", "C", (0, 0, 1, 0, 0, 0)),
])  # fmt: skip
def test_what_exceeds_the_boxes_waits(held, card, stages, waits):
    phase = "2" if card == "2" else "3"
    state = act(rules(), pmc(7, held, phase, link=True), ADA, Develop(card, stages)).state
    assert waiting(state, "7") == waits
    assert income(state, "7") == income(pmc(7, held, phase, link=True), "7")


@pytest.mark.rule("RUHR-DEV-09")
def test_pmc_takes_one_marker_at_least():
    state = pmc(11, "AABB", "3")
    assert takes(state, "3") == {
        "A",
        "C",
        "AA",
        "AB",
        "AC",
        "CC",
    }  # the worked example: AB, AC, CC have to wait in part
    assert waiting(act(rules(), state, ADA, Develop("3", "CC")).state, "11") == (0, 0, 2, 0, 0, 0)
    refuses(rules(), state, ADA, Develop("3", "B"), "wrong_order", "RUHR-DEV-05")
    refuses(rules(), state, ADA, Develop("3", ""), "no_such_markers", "RUHR-DEV-09")
    refuses(rules(), state, ADA, Develop("3", "CA"), "no_such_markers", "RUHR-DEV-09")


@pytest.mark.rule("RUHR-DEV-10")
def test_waiting_marker_bars_next_card():
    state = pmc(7, "AAABBBCCC", "3", link=True)
    refuses(rules(), state, ADA, Develop("3", "A"), "marker_waits", "RUHR-DEV-10")
    assert BuyEngine("display", "3") in offered(rules(), state, ADA)


@pytest.mark.rule("RUHR-DEV-11")
def test_when_link_comes_waiting_markers_move():
    state = replace(pmc(11, "AABBC", "3"), agenda=())
    assert waiting(state, "11") == (0, 0, 1, 0, 0, 0)
    draft = Draft(rules(), state)
    link(draft, 11, "railway")
    assert waiting(draft.state, "11") == (0, 0, 0, 0, 0, 0)
    assert income(draft.state, "11") == income(state, "11") + 30


@pytest.mark.rule("RUHR-DEV-12")
def test_inactive_markers_the_worked_example():
    state = pmc(6, "AABB", "4")
    found = {stages for stages in takes(state, "4") if len(stages) == 3}
    assert {"AAB", "ABC", "ACC"} <= found
    refuses(rules(), state, ADA, Develop("4", "CCC"), "wrong_order", "RUHR-DEV-05")
    refuses(rules(), state, ADA, Develop("4", "BBC"), "wrong_order", "RUHR-DEV-05")
    for stages, held, earned, waits in (
        ("AAB", "AAAABBB", 60, 0),
        ("ABC", "AAABBBC", 60, 1),
        ("ACC", "AAABBCC", 40, 2),
    ):
        done = act(rules(), state, ADA, Develop("4", stages)).state
        assert holding(done, "6") == held
        assert (income(done, "6"), waiting(done, "6")[2]) == (earned, waits)  # the B; the A are turned over, the C wait
    assert income(pmc(6, "AABB", "5"), "6") == 0


@pytest.mark.rule("RUHR-DEV-12")
def test_card_that_starts_phase_follows_rules():
    last_two = pmc(7, "AAABB", "2", link=True)
    display = {**last_two.depot.display, "2": 0}
    gone = last_two.depot.gone + ("2",) * 14
    state = replace(last_two, depot=replace(last_two.depot, display=display, gone=gone, sold=("2",)))
    state = act(rules(), state, ADA, Develop("3", "C")).state
    assert (state.phase, income(state, "7")) == ("3", 30 + 40 + 30)


@pytest.mark.rule("RUHR-DEV-13")
def test_pmc_may_have_inactive_markers_only():
    state = pmc(7, "AAB", "5", money=0)
    draft = Draft(rules(), replace(state, agenda=(OperatingRound(2, 1, 2, opened=True), MontanTurn("7"))))
    run(draft)
    assert not any(isinstance(frame, MontanTurn) for frame in draft.state.agenda)
    assert Pass() in offered(rules(), pmc(7, "AAB", "5"), ADA)


@pytest.mark.rule("RUHR-DEV-14")
def test_no_card_without_a_place():
    full = corporation("AAAAABBBBCCCCDDDEEXX", "8", "RB", 5, 7, engines=("W3", "W3"))
    assert not [a for a in offered(rules(), full, ADA) if isinstance(a, Develop)]
    refuses(rules(), full, ADA, BuyEngine("display", "8"), "no_engine_room", "RUHR-SWITCH-03")
    waits = act(rules(), pmc(11, "AAABB", "3"), ADA, Develop("3", "C")).state
    assert waiting(waits, "11") == (0, 0, 1, 0, 0, 0)


@pytest.mark.rule("RUHR-DEV-15")
def test_pool_card_serves_as_engine():
    state = pmc(7, "AAB", "4", link=True)
    state = replace(state, depot=replace(state.depot, pool=("3",)))
    refuses(rules(), state, ADA, Develop("3", "AB"), "pool_is_train", "RUHR-DEV-15")
    assert purse(act(rules(), state, ADA, BuyEngine("pool", "3")).state, 7) == 840


@pytest.mark.rule("RUHR-DEV-16")
def test_a_montan_takes_the_full_number():
    state = corporation("AAAABBBBCC", "5")
    refuses(rules(), state, ADA, Develop("5", "CC"), "full_number", "RUHR-DEV-16")
    act(rules(), state, ADA, Develop("5", "CCD"))
    us = corporation("AAAAABBBBCCCCDD", "4", "US")
    assert takes(us, "4") == {"D"}
    done = act(rules(), us, ADA, Develop("4", "D")).state
    assert done.companies["US"].treasury == 900 - 170


@pytest.mark.rule("RUHR-DEV-16")
def test_montan_takes_what_the_supply_has():
    state = corporation("AAAAABBBBCCCCDD", "4", "US")
    extra = ruhr_state(state)
    short = replace(extra, removed={"steel": (8, 6, 5, 5, 0, 0)}, works={"US": MontanAssets((5, 4, 4, 1, 0, 0))})
    state = replace(state, extra=short)
    done = act(rules(), state, ADA, Develop("4", "DD")).state
    assert done.companies["US"].treasury == 900 - 170


@pytest.mark.rule("RUHR-DEV-17")
def test_x_markers_on_boxes_marked_x():
    state = corporation("AAAAABBBBCCCCDDDEEXX", "8")
    refuses(rules(), state, ADA, Develop("8", "X"), "wrong_order", "RUHR-DEV-05")
    loose = rules(x_after_e=False)
    refuses(loose, state, ADA, Develop("8", "X"), "no_box", "RUHR-DEV-17")


@pytest.mark.rule("RUHR-DEV-18")
def test_first_e_lifts_location_for_good():
    state = corporation("AAAABBBBCCCCDDD", "6")
    assert location(state, 5) == 20
    done = act(rules(), state, ADA, Develop("6", "AEE")).state
    assert location(done, 5) == 30


@pytest.mark.rule("RUHR-DEV-18")
def test_x_alone_lifts_location_too():
    """Book 10.6.1: E or X, where a table lets X come without an E."""
    state = corporation("AAAABBBBCCCCDDD", "8")
    state = replace(state, extra=replace(ruhr_state(state), removed={"coal": (0, 0, 0, 0, 5, 0)}))  # no E is left
    assert location(state, 5) == 20
    done = act(rules(x_after_e=False), state, ADA, Develop("8", "AXX")).state
    assert location(done, 5) == 30


def in_need(treasury: int = 200, **values):
    """Phase 6, four A and two B all inactive, nothing left in the IPO."""
    return corporation("AAAABB", "6", "RB", treasury=treasury, Ada=40, Bert=20, pool=40, **values)


@pytest.mark.rule("RUHR-DEV-19", "RUHR-FORCED-06")
def test_director_helps_montan_develop():
    state = with_cash(in_need(), Ada=500)
    assert must_develop(state, "RB")
    refuses(rules(), state, ADA, Pass(), "must_develop", "RUHR-DEV-19")
    refuses(rules(), state, ADA, BuyEngine("display", "6"), "must_develop", "RUHR-DEV-19")
    merged = replace(
        located(state, pmc15=0),
        extra=replace(ruhr_state(state), montan={"RB": replace(ruhr_state(state).montan["RB"], mines=(5, 15))}),
    )
    refuses(rules(), merged, ADA, BuildPmcLink(15), "must_develop", "RUHR-DEV-19")
    done = act(rules(), state, ADA, Develop("6", "CCDD")).state
    assert holding(done, "RB") == "AAAABBCCDD"
    assert (done.players[ADA].cash, done.companies["RB"].treasury) == (500 - 120, 0)


@pytest.mark.rule("RUHR-DEV-19")
def test_inactive_markers_may_be_taken():
    state = corporation("AAABBC", "5")
    done = act(rules(), state, ADA, Develop("5", "AAB")).state
    assert holding(done, "RB") == "AAAAABBBC"


@pytest.mark.rule("RUHR-DEV-19")
def test_needed_card_brings_active_marker():
    state = corporation("AAABB", "5")
    refuses(rules(), state, ADA, Develop("5", "AAB"), "needs_active", "RUHR-DEV-19")


@pytest.mark.rule("RUHR-DEV-19")
def test_bought_card_lets_duty_wait():
    state = corporation("AAABB", "5", treasury=0)
    state = replace(state, agenda=(*state.agenda[:-1], replace(state.top, used=(Once.CARD, Once.ACTIVITY))))
    act(rules(), state, ADA, Pass())


@pytest.mark.rule("RUHR-DEV-20")
def test_helpless_montan_closes():
    state = corporation("AAAABB", "5", "SK", 7, treasury=60, Ada=40, Bert=20)
    extra = replace(ruhr_state(state), removed={"coal": (0, 0, 9, 0, 0, 0)})
    done = act(rules(), replace(state, extra=extra), ADA, Pass()).state
    bank = state.bank
    assert {c.holder for c in done.companies["SK"].certificates} == {GONE}
    assert ("SK" in done.markers.spaces, location(done, 7), done.bank) == (False, -1, bank + 60)
    assert ruhr_state(done).removed["coal"] == (4, 2, 9, 0, 0, 0)
    assert ruhr_state(done).montan["SK"].closed
    assert (done.companies["SK"].director, done.companies["SK"].floated) == (None, False)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["SK"].certificates)
    alone = with_company(replace(state, extra=extra), "SK", certificates=papers, director=None, receivership=True)
    draft = Draft(rules(), alone)
    run(draft)
    assert not draft.state.companies["SK"].receivership  # the bank runs nothing that has closed


@pytest.mark.rule("RUHR-DEV-20", "RUHR-OR-07", "RUHR-SWITCH-01")
def test_helpless_montan_acts_before_closing():
    # 9.1.1.3 e asks for the marker at the end of the turn: its activity comes first, as does a Pferdebahn
    state = corporation("AAAABB", "4", "SK", 7, 15, treasury=60, Ada=40, Bert=20)
    state = started(state, "CME", ADA, 80, Ada=50, trains=("4", "5"))
    state = replace(state, phase="5", extra=replace(ruhr_state(state), removed={"coal": (0, 0, 9, 0, 0, 0)}))
    draft = Draft(rules(), replace(state, agenda=(*state.agenda[:-1], MontanTurn("SK"))))
    run(draft)
    asked = act(rules(), draft.state, ADA, Pass()).state  # no deal before the marker falls
    assert (asked.top.step, ruhr_state(asked).montan["SK"].closed) == ("activity", False)
    bought = act(rules(), asked, ADA, BuyEngineFrom("CME", "4", 60)).state
    assert (bought.companies["CME"].treasury, ruhr_state(bought).montan["SK"].closed) == (60, False)
    assert ruhr_state(act(rules(), bought, ADA, Pass()).state).montan["SK"].closed


@pytest.mark.rule("RUHR-PMC-04")
def test_pmc_shown_no_stage_beyond_c():
    state = pmc(7, "AABBCC", "4", link=True)
    rows = legal_takes(state, "7", "4", x_after_e=True)
    assert rows
    assert not any(any(row[3:]) for row in rows)


@pytest.mark.rule("RUHR-DEV-19", "RUHR-DEV-20")
def test_bought_card_prevents_closing():
    state = corporation("AAAABB", "5", "SK", 7, treasury=60, Ada=40, Bert=20)
    state = replace(state, extra=replace(ruhr_state(state), removed={"coal": (0, 0, 9, 0, 0, 0)}))
    # the engine it bought turned its last marker (Q21)
    turn = MontanTurn("SK", "activity", revenue=20, used=(Once.CARD, Once.ACTIVITY))
    draft = Draft(rules(), replace(state, agenda=(*state.agenda[:-1], turn)))
    run(draft)
    assert not ruhr_state(draft.state).montan["SK"].closed


@pytest.mark.rule("RUHR-DEV-20")
def test_no_card_on_offer_no_duty():
    state = corporation("AAABB", "5", treasury=0)
    nothing = dict.fromkeys(state.depot.display, 0)
    state = replace(state, depot=replace(state.depot, display=nothing))
    draft = Draft(rules(), state)
    run(draft)
    assert not ruhr_state(draft.state).montan["RB"].closed


@pytest.mark.rule("RUHR-DEV-21")
def test_no_e_before_first_type_6():
    refuses(rules(), corporation("AAAABBBBCCCCDDD", "5"), ADA, Develop("5", "E"), "not_on_card", "RUHR-DEV-02")
    refuses(rules(), corporation("AAAABBBBCCCCDDD", "5"), ADA, Develop("6", "E"), "card_gone", "RUHR-SETUP-09")
    cards = ruhr_components(at_table().sheet).cards
    first = {stage: min(kind for kind, card in cards.items() if stage in card.stages) for stage in "ABCDEX"}
    assert first == {"A": "2", "B": "2", "C": "3", "D": "4", "E": "6", "X": "8"}


@pytest.mark.rule("RUHR-DEV-19", "RUHR-DEV-12")
def test_phase_card_must_bring_active_marker():
    state = corporation("AAA", "4", treasury=900)
    state = replace(state, depot=replace(state.depot, display={**state.depot.display, "4": 0}))
    refuses(rules(), state, ADA, Develop("5", "BBB"), "needs_active", "RUHR-DEV-19")
    done = act(rules(), state, ADA, Develop("5", "BBC")).state
    assert (done.phase, income(done, "RB")) == ("5", 30)


def only_from(state, kind: str):
    """No card below this type on display."""
    kinds = list(state.depot.display)
    left = {k: n if kinds.index(k) >= kinds.index(kind) else 0 for k, n in state.depot.display.items()}
    return replace(state, depot=replace(state.depot, display=left))


@pytest.mark.rule("RUHR-DEV-19", "RUHR-DEV-12")
@pytest.mark.parametrize(
    ("phase", "card", "held", "bad", "good"),
    [("4", "5", "AAABB", "AAB", "AAC"), ("6", "8", "AAAABBBC", "BCCC", "BCCD")],
)
def test_no_card_turns_last_active_marker(phase, card, held, bad, good):
    state = only_from(corporation(held, phase, treasury=900), card if card == "5" else "6")
    assert income(state, "RB")
    refuses(rules(), state, ADA, Develop(card, bad), "needs_active", "RUHR-DEV-19")
    refuses(rules(), state, ADA, BuyEngine("display", card), "needs_active", "RUHR-DEV-19")
    done = act(rules(), state, ADA, Develop(card, good)).state
    assert (done.phase, bool(income(done, "RB"))) == (card, True)


@pytest.mark.rule("RUHR-DEV-19")
def test_engine_may_turn_last_marker():
    state = only_from(corporation("AAABB", "4", treasury=110), "5")  # an engine costs 100, markers 220
    done = act(rules(), state, ADA, BuyEngine("display", "5")).state
    assert (done.phase, income(done, "RB")) == ("5", 0)


@pytest.mark.rule("RUHR-DEV-18")
def test_location_at_30_not_lifted_again():
    state = corporation("AAAABBBBCCCCDDDE", "6")
    assert location(state, 5) == 30
    answer = act(rules(), state, ADA, Develop("6", "AE"))
    assert not [event for event in answer.events if isinstance(event, LocationSet)]
