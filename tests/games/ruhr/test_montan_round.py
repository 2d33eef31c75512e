"""Section 18: the Montan Round (RUHR-MR)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import with_company
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
    DORA,
    EMIL,
    act,
    after,
    at_table,
    engines,
    holding,
    in_phase,
    kinds,
    located,
    montan,
    offered,
    owning,
    purse,
    refuses,
    rules,
    with_cash,
)
from trajekt.engine.actions import Pass
from trajekt.engine.agenda import run
from trajekt.engine.events import FramePushed
from trajekt.engine.ruleset import Code, Draft, View
from trajekt.engine.state import POOL, State
from trajekt.games.ruhr.actions import FoundMontan, KeepEngines, MergeMine
from trajekt.games.ruhr.components import row_of
from trajekt.games.ruhr.events import MarkersMoved
from trajekt.games.ruhr.montan_charters import supply
from trajekt.games.ruhr.montan_round import Foundation, Merging, TooManyEngines
from trajekt.games.ruhr.montan_round_cards import deal_again
from trajekt.games.ruhr.state import FOUNDED, MERGED, PASSIVE, SUPPLY, MontanAssets, location, ruhr_state
from trajekt.rules.history_invariants import faults
from trajekt.rules.round_sequence import Rounds


def cards(state: State, *seats: int) -> State:
    return replace(state, extra=replace(ruhr_state(state), cards=seats or tuple(range(len(state.players)))))


def with_markers(state: State, **markers: str) -> State:
    """Other markers on pMCs, as `pmc7="AAABB"`."""
    works = dict(ruhr_state(state).works)
    for name, text in markers.items():
        mine = name.removeprefix("pmc")
        works[mine] = MontanAssets(row_of(text) or (0,) * 6, works.get(mine, MontanAssets()).engines)
    return replace(state, extra=replace(ruhr_state(state), works=works))


def founding(phase: str = "4", players: int = 3, **mines: int) -> State:
    """The foundation phase with pMCs owned, all linked, five markers and more."""
    state = in_phase(at_table(players), phase)
    state = owning(state, markers="AAABB", money=40, **mines)
    state = located(state, **dict.fromkeys(mines, 10))
    return replace(with_cash(cards(state), Ada=500, Bert=500, Cleo=500), agenda=(Foundation(),))


def merging(state: State, at: int | None = None, passes: int = 0) -> State:
    seats = len(ruhr_state(state).cards)
    return replace(state, agenda=(Merging(seats - 1 if at is None else at, passes),))


@pytest.mark.rule("RUHR-MR-01")
def test_montan_rounds_come_when_due():
    for ending, planned, expected in (("", 2, True), ("eight", 2, True), ("eight", 3, False), ("bank", 2, False)):
        state = replace(founding("4", pmc7=ADA), ending=ending, agenda=(Rounds(4, planned, planned),))
        draft = Draft(rules(), state)
        run(draft)
        assert any(isinstance(e, FramePushed) and isinstance(e.frame, Foundation) for e in draft.events) is expected
        assert bool(draft.state.outcome) is not expected
    first = replace(founding("3", pmc7=ADA), agenda=(Rounds(2, 2, 1),))
    draft = Draft(rules(), replace(first, agenda=(Rounds(2, 2, 2),)))
    run(draft)
    assert not any(isinstance(e, FramePushed) and isinstance(e.frame, Foundation) for e in draft.events)


@pytest.mark.rule("RUHR-MR-01")
def test_foundation_precedes_merging():
    state = founding(pmc7=ADA, pmc5=BERT, pmc10=BERT)
    state = replace(state, agenda=(Rounds(4, 2, 3), Foundation()), priority=CLEO)
    state = act(rules(), state, ADA, FoundMontan("RB", 7, 60)).state
    state = act(rules(), state, BERT, Pass()).state
    assert isinstance(state.top, Merging)
    state = after(rules(), state, (BERT, Pass()))
    assert state.priority == CLEO


@pytest.mark.rule("RUHR-MR-02")
def test_founding_once_by_card():
    state = founding(pmc7=ADA, pmc5=BERT, pmc9=CLEO)
    refuses(rules(), state, BERT, FoundMontan("RB", 5, 60), Code.NOT_YOUR_TURN, "RUHR-MR-02")
    passed = after(rules(), state, (ADA, Pass()), (BERT, Pass()))
    assert passed.top == Foundation(2)
    refuses(rules(), passed, BERT, FoundMontan("RB", 5, 60), Code.NOT_YOUR_TURN, "RUHR-MR-02")
    done = act(rules(), passed, CLEO, FoundMontan("US", 9, 60)).state
    assert isinstance(done.top, Merging) or done.top is None


@pytest.mark.rule("RUHR-MR-03")
def test_industry_link_and_director_certificate():
    state = founding(pmc7=ADA, pmc5=ADA)
    refuses(rules(), state, ADA, FoundMontan("W", 7, 60), "wrong_industry", "RUHR-MR-03")
    refuses(rules(), located(state, pmc7=0), ADA, FoundMontan("RB", 7, 60), "not_linked", "RUHR-MR-03")
    taken = montan(state, "RB", BERT, 80, 15, markers="AAAB")
    refuses(rules(), taken, ADA, FoundMontan("RB", 7, 60), "already_founded", "RUHR-MR-03")
    refuses(rules(), taken, ADA, FoundMontan("SK", 15, 60), "out_of_play", "RUHR-MR-03")
    refuses(rules(), state, ADA, FoundMontan("RB", 19, 60), "no_such_mine", "RUHR-MR-03")
    for name in ("CME", "5", "Z99"):  # a pMC has a charter under its number and is no corporation
        refuses(rules(), state, ADA, FoundMontan(name, 7, 60), "no_montan", "RUHR-MR-03")
    refuses(rules(), founding(pmc7=BERT), ADA, FoundMontan("RB", 7, 60), "owned_by_other", "RUHR-MR-04")


@pytest.mark.rule("RUHR-MR-04")
def test_founding_needs_five_markers():
    state = founding(pmc7=ADA)
    act(rules(), with_markers(state, pmc7="AABB"), ADA, FoundMontan("RB", 7, 50))
    few = with_markers(state, pmc7="AAB")
    few = replace(
        few, extra=replace(ruhr_state(few), works={"7": replace(ruhr_state(few).works["7"], engines=("W2",))})
    )
    refuses(rules(), few, ADA, FoundMontan("RB", 7, 40), "too_few_markers", "RUHR-MR-04")


@pytest.mark.rule("RUHR-MR-05")
def test_founding_from_active_pmc_worked_example():
    state = founding(pmc5=ADA, pmc3=ADA)
    state = replace(
        state,
        extra=replace(
            ruhr_state(state), works={**ruhr_state(state).works, "5": MontanAssets((3, 2, 0, 0, 0, 0), ("W2",))}
        ),
    )
    refuses(rules(), state, ADA, FoundMontan("RB", 5, 60, "merge", 3), "wrong_industry", "RUHR-MR-07")
    refuses(rules(), state, ADA, FoundMontan("RB", 5, 70), "value_range", "RUHR-MR-05")
    done = act(rules(), state, ADA, FoundMontan("RB", 5, 60, "buy")).state
    rb = done.companies["RB"]
    assert (rb.percent(ADA), rb.director, rb.floated, done.price("RB")) == (40, ADA, True, 60)
    assert (rb.treasury, done.players[ADA].cash) == (60 + 40, 440)
    assert (holding(done, "RB"), engines(done, "RB"), location(done, 5)) == ("AAABB", ("W2",), 20)
    assert (ruhr_state(done).mines[5], ruhr_state(done).montan["RB"].mines, done.privates[5].open) == (
        FOUNDED,
        (5,),
        False,
    )
    assert purse(done, 5) == 0


@pytest.mark.rule("RUHR-MR-05")
@pytest.mark.parametrize(
    ("markers", "value", "kept"), [("AAAABBBCC", 100, "AAAABBBCC"), ("AAAAABBBBB", 100, "AAAAABBBB")]
)
def test_founding_value_is_100_at_most(markers, value, kept):
    state = with_markers(founding(pmc7=ADA), pmc7=markers)
    done = act(rules(), state, ADA, FoundMontan("RB", 7, value)).state
    assert holding(done, "RB") == kept
    refuses(rules(), state, ADA, FoundMontan("RB", 7, 90), "value_range", "RUHR-MR-05")


@pytest.mark.rule("RUHR-MR-06")
def test_founding_from_passive_example():
    state = located(founding(pmc4=BERT), pmc8=10, pmc4=0)
    state = replace(state, agenda=(Foundation(1),))
    refuses(rules(), state, BERT, FoundMontan("W", 4, 60), "not_linked", "RUHR-MR-03")
    done = act(rules(), state, BERT, FoundMontan("W", 8, 70, "merge", 4)).state
    company = done.companies["W"]
    assert (company.percent(BERT), company.treasury, done.players[BERT].cash, done.price("W")) == (40, 70 + 40, 430, 70)
    assert ruhr_state(done).montan["W"].mines == (8, 4)
    assert (ruhr_state(done).mines[4], ruhr_state(done).mines[8], location(done, 4), location(done, 8)) == (
        MERGED,
        FOUNDED,
        0,
        20,
    )


@pytest.mark.rule("RUHR-MR-06")
@pytest.mark.parametrize(
    ("phase", "values", "start"),
    [
        ("4", {50, 60, 70}, "AAAB"),
        ("5", {70, 80}, "AAAABB"),
        ("6", {70, 80}, "AAAABB"),
        ("8", {80, 90, 100}, "AAAABBC"),
    ],
)
def test_values_and_start_markers_by_colour(phase, values, start):
    state = located(founding(phase), pmc8=10)
    found = {a.value for a in offered(rules(), state, ADA) if isinstance(a, FoundMontan) and a.company == "US"}
    assert found == values
    done = act(rules(), state, ADA, FoundMontan("US", 8, max(values))).state
    assert holding(done, "US") == start
    if phase == "5":
        for third, value in ((90, 90), (100, 100)):
            more = rules(brown_third_value=third)
            assert act(more, state, ADA, FoundMontan("US", 8, value)).state.price("US") == value
            refuses(more, state, ADA, FoundMontan("US", 8, 190 - value), "value_range", "RUHR-MR-06")
            refuses(rules(), state, ADA, FoundMontan("US", 8, value), "value_range", "RUHR-MR-06")


@pytest.mark.rule("RUHR-MR-06", "RUHR-MR-07")
def test_founder_pays_for_passive_and_purchase():
    state = with_cash(located(founding("4", pmc7=ADA), pmc8=10), Ada=69)
    assert act(rules(), state, ADA, FoundMontan("US", 8, 60)).state.players[ADA].cash == 9
    refuses(rules(), state, ADA, FoundMontan("US", 8, 70), Code.UNAFFORDABLE, "RUHR-MR-06")
    refuses(rules(), state, ADA, FoundMontan("US", 8, 60, "buy"), Code.UNAFFORDABLE, "RUHR-MR-06")
    assert (
        act(rules(), state, ADA, FoundMontan("RB", 7, 60, "buy")).state.players[ADA].cash == 9
    )  # its pMC pays the first


@pytest.mark.rule("RUHR-MR-06")
def test_start_markers_limited_by_supply():
    state = located(founding("5"), pmc8=10)
    state = replace(state, extra=replace(ruhr_state(state), removed={"steel": (10, 9, 0, 0, 0, 0)}))
    done = act(rules(), state, ADA, FoundMontan("US", 8, 70)).state
    assert holding(done, "US") == "AAAB"
    scarce = replace(state, extra=replace(ruhr_state(state), removed={"steel": (12, 5, 0, 0, 0, 0)}))
    assert holding(act(rules(), scarce, ADA, FoundMontan("US", 8, 70)).state, "US") == "AB"


@pytest.mark.rule("RUHR-MR-06", "RUHR-MR-07", "RUHR-SR-19")
def test_the_certificate_limit_at_a_founding():
    state = located(founding("4", players=6, pmc7=ADA, pmc5=ADA), pmc8=10)
    more = {
        n: replace(p, owner=ADA, open=True)
        for n, p in state.privates.items()
        if n in (1, 2, 3, 4, 6, 9, 10, 11, 12, 13)
    }
    full = with_cash(replace(state, privates={**state.privates, **more}), Ada=900)
    assert full.certificate_count(ADA) == 12
    refuses(rules(), full, ADA, FoundMontan("US", 8, 50), Code.CERTIFICATE_LIMIT, "RUHR-SR-19")
    refuses(rules(), full, ADA, FoundMontan("RB", 7, 60, "buy"), Code.CERTIFICATE_LIMIT, "RUHR-SR-19")
    for action in (FoundMontan("RB", 7, 60), FoundMontan("RB", 7, 60, "merge", 5)):
        decision = act(rules(), full, ADA, action)
        assert decision.state.certificate_count(ADA) == 12
        assert list(faults(rules(), full, decision.events)) == []  # paper for paper: the books see an exchange


@pytest.mark.rule("RUHR-MR-07")
def test_one_more_certificate():
    state = founding(pmc7=ADA, pmc5=ADA)
    refuses(rules(), state, ADA, FoundMontan("RB", 7, 60, "buy", 5), "extra_one", "RUHR-MR-07")
    refuses(rules(), state, ADA, FoundMontan("RB", 7, 60, "merge", 7), "owned_by_other", "RUHR-MR-07")
    poor = with_cash(state, Ada=59)
    refuses(rules(), poor, ADA, FoundMontan("RB", 7, 60, "buy"), Code.UNAFFORDABLE, "RUHR-MR-06")
    done = act(rules(), poor, ADA, FoundMontan("RB", 7, 60, "merge", 5)).state
    assert not any(isinstance(frame, TooManyEngines) for frame in done.agenda)
    assert (done.companies["RB"].percent(ADA), done.players[ADA].cash, holding(done, "RB")) == (40, 59, "AAAAABBBB")


@pytest.mark.rule("RUHR-MR-08")
def test_merging_ends_when_all_pass():
    state = founding(pmc7=CLEO, pmc5=CLEO, pmc10=ADA, pmc15=BERT)
    state = montan(with_markers(state, pmc7="AA", pmc5="AA", pmc10="AA", pmc15="AA"), "RB", ADA, 80, 16, markers="AAAB")
    state = montan(state, "SK", BERT, 80, 17, markers="AAAB")
    state = merging(state)
    state = act(rules(), state, CLEO, MergeMine(7, "RB")).state
    assert state.top == Merging(1, 0)
    state = after(rules(), state, (BERT, Pass()), (ADA, Pass()), (CLEO, MergeMine(5, "RB")))
    assert state.top == Merging(1, 0)
    state = after(rules(), state, (BERT, Pass()), (ADA, Pass()))
    assert not any(isinstance(frame, Merging) for frame in state.agenda)  # Cleo has nothing left to merge


@pytest.mark.rule("RUHR-MR-08")
def test_what_a_merger_needs():
    state = merging(montan(founding(pmc7=CLEO, pmc9=CLEO), "TB", ADA, 80, 16, 17, markers="AAAB"))
    refuses(rules(), state, CLEO, MergeMine(7, "TB"), "no_circle", "RUHR-MR-08")
    for name in ("5", "CME", "Z99"):
        refuses(rules(), state, CLEO, MergeMine(7, name), "no_montan", "RUHR-MR-08")
    refuses(rules(), state, CLEO, MergeMine(9, "TB"), "wrong_industry", "RUHR-MR-08")
    refuses(rules(), state, CLEO, MergeMine(8, "US"), "no_montan", "RUHR-MR-08")
    sold = merging(montan(founding(pmc7=CLEO), "RB", ADA, 80, 16, markers="AAAB", Ada=60, Bert=40))
    refuses(rules(), sold, CLEO, MergeMine(7, "RB"), "ipo_empty", "RUHR-MR-08")
    free = merging(montan(located(founding(pmc7=CLEO), pmc7=0), "RB", ADA, 80, 16, markers="AAAB"))
    act(rules(), with_markers(free, pmc7="A"), CLEO, MergeMine(7, "RB"))
    refuses(rules(), free, CLEO, MergeMine(14, "RB"), "owned_by_other", "RUHR-MR-08")


@pytest.mark.rule("RUHR-MR-09")
def test_merger_moves_all_and_rest_returns():
    state = montan(with_markers(founding(pmc7=CLEO), pmc7="AAAA"), "RB", ADA, 80, 16, markers="AAAA")
    done = act(rules(), merging(state), CLEO, MergeMine(7, "RB")).state
    assert holding(done, "RB") == "AAAAA"
    assert (done.companies["RB"].percent(CLEO), done.companies["RB"].treasury, location(done, 7)) == (20, 40, 10)
    assert (ruhr_state(done).mines[7], done.certificate_count(CLEO)) == (MERGED, 1)


@pytest.mark.rule("RUHR-MR-09", "RUHR-DIR-01")
def test_merger_may_change_director_at_once():
    state = montan(founding(pmc7=CLEO), "RB", ADA, 80, 16, markers="AAAB", Cleo=20)
    assert act(rules(), merging(state), CLEO, MergeMine(7, "RB")).state.companies["RB"].director == CLEO


@pytest.mark.rule("RUHR-MR-09")
def test_of_too_many_engines_director_chooses():
    state = montan(founding(pmc7=CLEO), "RB", ADA, 80, 16, 17, markers="AAAB", engines=("W2", "W3"))
    state = replace(
        state,
        extra=replace(
            ruhr_state(state), works={**ruhr_state(state).works, "7": MontanAssets((3, 2, 0, 0, 0, 0), ("W2",))}
        ),
    )
    asked = act(rules(), merging(state), CLEO, MergeMine(7, "RB")).state
    assert asked.top == TooManyEngines("RB")
    refuses(rules(), asked, CLEO, KeepEngines(("W2", "W3")), Code.NOT_DIRECTOR, "RUHR-DIR-07")
    refuses(rules(), asked, ADA, KeepEngines(("W3", "W3")), "no_engine_room", "RUHR-MR-09")
    done = act(rules(), asked, ADA, KeepEngines(("W2", "W2"))).state
    assert engines(done, "RB") == ("W2", "W2")
    assert not any(isinstance(frame, TooManyEngines) for frame in done.agenda)
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in asked.companies["RB"].certificates)
    draft = Draft(rules(), with_company(asked, "RB", certificates=papers, director=None, receivership=True))
    run(draft)  # the bank keeps the best
    assert engines(draft.state, "RB") == ("W2", "W3")


def with_engine(state: State, mine: int, engine: str) -> State:
    held = replace(ruhr_state(state).works[str(mine)], engines=(engine,))
    return replace(state, extra=replace(ruhr_state(state), works={**ruhr_state(state).works, str(mine): held}))


@pytest.mark.rule("RUHR-MR-09", "RUHR-DIR-01")
def test_engines_before_merged_certificate():
    # 12.2: the engines are looked at in step d, the certificate that makes another player director comes in step e
    state = with_engine(founding(pmc7=CLEO), 7, "W2")
    state = montan(state, "TB", ADA, 80, 16, markers="AAAB", engines=("W3",), Cleo=20)
    asked = act(rules(), merging(state), CLEO, MergeMine(7, "TB")).state
    assert (asked.top, asked.companies["TB"].director) == (TooManyEngines("TB"), ADA)
    assert asked.companies["TB"].percent(CLEO) == 20
    refuses(rules(), asked, CLEO, KeepEngines(("W3",)), Code.NOT_DIRECTOR, "RUHR-DIR-07")
    done = act(rules(), asked, ADA, KeepEngines(("W2",))).state
    assert (engines(done, "TB"), done.companies["TB"].director) == (("W2",), CLEO)
    assert done.companies["TB"].percent(CLEO) == 40


@pytest.mark.rule("RUHR-MR-09", "RUHR-BANKR-07", "RUHR-BANKR-08")
def test_bank_keeps_engines_before_successor():
    state = with_engine(founding(pmc7=CLEO), 7, "W2")
    state = montan(state, "TB", ADA, 80, 16, markers="AAAB", engines=("W3",))
    papers = tuple(replace(c, holder=POOL) if c.holder == ADA else c for c in state.companies["TB"].certificates)
    state = with_company(state, "TB", certificates=papers, director=None, receivership=True)
    done = act(rules(), merging(state), CLEO, MergeMine(7, "TB")).state
    assert (engines(done, "TB"), done.companies["TB"].director) == (("W3",), CLEO)
    assert not done.companies["TB"].receivership


@pytest.mark.rule("RUHR-MR-10", "RUHR-PMC-06")
def test_last_chance_after_first_type_6():
    state = located(founding("6", pmc7=CLEO, pmc9=ADA), pmc9=10)
    state = merging(montan(state, "RB", ADA, 80, 16, markers="AAAABBC"), passes=2, at=2)
    refuses(rules(), state, ADA, Pass(), Code.NOT_YOUR_TURN, "RUHR-MR-08")
    bank = state.bank
    done = act(rules(), state, CLEO, Pass()).state
    assert {ruhr_state(done).mines[mine] for mine in (7, 9)} == {PASSIVE}
    assert (done.bank, location(done, 9)) == (bank + 80, 10)
    later = in_phase(done, "8")
    later = replace(with_cash(later, Ada=500), agenda=(Foundation(),))
    assert "FoundMontan" in kinds(rules(), later, ruhr_state(later).cards[0])  # usable like any passive one (Q50)


@pytest.mark.rule("RUHR-MR-11")
def test_cards_anew_the_worked_example():
    state = owning(at_table(5), pmc6=ADA, pmc10=ADA, pmc5=BERT)
    state = replace(state, extra=replace(ruhr_state(state), cards=(ADA, BERT, CLEO, DORA, EMIL), lost=(CLEO, DORA)))
    draft = Draft(rules(), state)
    deal_again(draft)
    assert ruhr_state(draft.state).cards == (BERT, ADA, EMIL, CLEO, DORA)


@pytest.mark.rule("RUHR-MR-11")
def test_who_loses_his_last_pmc_noted():
    state = act(rules(), founding(pmc7=ADA, pmc5=BERT, pmc10=BERT), ADA, FoundMontan("RB", 7, 60)).state
    assert ruhr_state(state).lost == (ADA,)
    state = act(rules(), state, BERT, FoundMontan("SK", 5, 60)).state
    assert ruhr_state(state).lost == (ADA,)  # Bert still has one
    state = act(rules(), state, BERT, MergeMine(10, "SK")).state
    assert ruhr_state(state).lost == (ADA, BERT)


@pytest.mark.rule("RUHR-MR-11")
def test_no_cards_without_next_round():
    state = merging(founding(pmc7=CLEO), passes=2)
    state = replace(cards(state, ADA, BERT, CLEO), ending="eight", agenda=(Merging(2, 2),))
    draft = Draft(rules(), state)
    run(draft)
    assert ruhr_state(draft.state).cards == (ADA, BERT, CLEO)
    running = Draft(rules(), replace(state, ending=""))
    run(running)
    assert ruhr_state(running.state).cards == (CLEO, ADA, BERT)
    other = replace(cards(state, ADA, BERT, CLEO), ending="", agenda=(Merging(2, 2),))
    anew = Draft(rules(), other)
    run(anew)
    assert ruhr_state(anew.state).cards == (CLEO, ADA, BERT)


@pytest.mark.rule("RUHR-MR-09")
def test_excess_markers_return_to_supply():
    state = montan(with_markers(founding(pmc7=CLEO), pmc7="AAAABB"), "RB", ADA, 80, 16, markers="AAAAB")
    before = supply(state, "coal")
    answer = act(rules(), merging(state), CLEO, MergeMine(7, "RB"))
    assert MarkersMoved("7", SUPPLY, "AAA", "limit") in answer.events
    done = answer.state
    assert (holding(done, "RB"), "7" in ruhr_state(done).works and any(ruhr_state(done).works["7"].markers)) == (
        "AAAAABBB",
        False,
    )
    assert (before[0], supply(done, "coal")[0]) == (13 - 8, 13 - 5)


@pytest.mark.rule("RUHR-MR-06")
def test_passive_example_markers():
    state = with_markers(located(founding(pmc4=BERT), pmc8=10, pmc4=0), pmc4="AABB")
    done = act(rules(), replace(state, agenda=(Foundation(1),)), BERT, FoundMontan("W", 8, 70, "merge", 4)).state
    assert holding(done, "W") == "AAAAABBB"  # START gives 3 A 1 B, the merged pMC 2 A 2 B
    unlinked = with_markers(located(founding(pmc12=BERT), pmc12=0), pmc12="AAABC")
    unlinked = replace(unlinked, agenda=(Foundation(1),))
    refuses(rules(), unlinked, BERT, FoundMontan("W", 12, 50), "not_linked", "RUHR-MR-03")


def test_pmc_offered_to_corporations_of_industry():
    state = montan(founding(pmc7=CLEO, pmc9=CLEO), "RB", ADA, 80, 16, markers="AAAB")
    state = merging(montan(state, "US", BERT, 80, 3, markers="AAAB"))
    rule = next(r for r in rules().duties[Merging].menu if r.action is MergeMine)
    assert set(rule.options(View(rules(), state, CLEO, state.top))) == {MergeMine(7, "RB"), MergeMine(9, "US")}


@pytest.mark.rule("RUHR-MR-03", "RUHR-MR-07")
def test_merge_at_founding_takes_own_pmc():
    state = founding(pmc7=ADA, pmc5=ADA, pmc9=ADA, pmc10=BERT)
    rule = next(r for r in rules().duties[Foundation].menu if r.action is FoundMontan)
    found = set(rule.options(View(rules(), state, ADA, state.top)))
    assert {(a.mine, a.merged) for a in found if a.extra == "merge"} == {(7, 5), (5, 7), (10, 5), (10, 7)}
    assert {a.mine for a in found if a.company == "US"} == {9}
