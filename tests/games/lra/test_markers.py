"""What owners decide out of turn in 18LRA: the emigrants' marker, the 2+4 train; and what the train changes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import (
    ADA,
    BERT,
    CLEO,
    firm,
    folded,
    in_stock_round,
    in_turn,
    money,
    opened,
    ruleset,
    sound,
    with_tiles,
)
from tests.builders.random_positions import act, refused, with_company, with_market
from trajekt.engine.actions import (
    BuyShare,
    BuyTrain,
    DiscardTrain,
    FoundCompany,
    LayTile,
    Pass,
    PayOut,
    RunTrains,
    Withhold,
)
from trajekt.engine.board.board import Station
from trajekt.engine.decisions import awaited, can, legal
from trajekt.engine.events import FlagSet
from trajekt.engine.routing.runs import Run
from trajekt.engine.state import IPO
from trajekt.games.lra.emigrant_camp import AssignDec, AssignGkb, MarkerChoice, camp_linked
from trajekt.games.lra.kreisbahn import PayOutKeepGkb, income
from trajekt.rules.trains import TooManyTrains, on_display

RULES = ruleset()

TO_DUESSELDORF = {
    "I7": "L07 r5", "J8": "58 r2", "J10": "6 r1", "I11": "8 r4", "I13": "58 r1", "H14": "L27", "G15": "L15",
}  # fmt: skip
"""Dalheim over Rheydt, Grevenbroich and Neuss to Düsseldorf, but for I5."""


def almost(phase: str = "green", **directors: int):
    """Only the tile on I5 is missing for the link; BME lays it."""
    state = firm(with_tiles(opened(phase=phase), **TO_DUESSELDORF), "BME", BERT)
    for company, seat in directors.items():
        state = firm(state, company, seat)
    return in_turn(state, "BME")


# Dalheim -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-PRV-18")
def test_no_1_owner_chooses_at_once():
    state = almost(CME=ADA, ADR=ADA)
    assert not camp_linked(state.board)
    decision = act(RULES, state, BERT, LayTile("I5", "9", 1))
    after = decision.state
    assert camp_linked(after.board)
    assert after.top == MarkerChoice("dec")
    assert awaited(RULES, after) == (ADA,)
    assert refused(RULES, after, BERT, AssignDec("BME")).rule == "LRA-PRV-18"
    assert {choice.action for choice in legal(RULES, after, (ADA,)) if isinstance(choice.action, AssignDec)} == {
        AssignDec("CME"), AssignDec("ADR"),
    }  # fmt: skip
    assert refused(RULES, after, ADA, AssignDec("BME")).code == "not_director"
    assert refused(RULES, after, ADA, AssignGkb("CME")).code == "wrong_step"
    done = act(RULES, after, ADA, AssignDec("CME")).state
    assert done.marks["dec"] == "CME"
    assert folded(RULES, state, decision)
    assert done.top.company == "BME"


@pytest.mark.rule("LRA-PRV-18")
def test_an_only_corporation_is_taken():
    after = act(RULES, almost(CME=ADA), BERT, LayTile("I5", "9", 1)).state
    assert after.marks["dec"] == "CME"


@pytest.mark.rule("LRA-PRV-18")
def test_undirected_owner_keeps_marker():
    state = act(RULES, almost(), BERT, LayTile("I5", "9", 1)).state
    assert (state.marks["dec_open"], "dec" in state.marks) == ("1", False)
    assert awaited(RULES, state) == (BERT,)  # play goes on
    state = act(RULES, in_stock_round(state, ADA), ADA, FoundCompany("RhE", 70)).state
    assert "dec" not in state.marks  # no charter yet
    for seat in (BERT, BERT, CLEO):
        state = act(RULES, in_stock_round(state, seat), seat, BuyShare("RhE", IPO, 10)).state
    assert state.companies["RhE"].floated
    assert state.marks["dec"] == "RhE"


@pytest.mark.rule("LRA-PRV-18", "COMMON-PHS-04")
def test_marker_stays_after_first_5_train():
    state = firm(firm(opened(phase="green4"), "BME", BERT, treasury=600), "CME", ADA)
    state = replace(state, depot=replace(state.depot, display={**state.depot.display, "4": 0}))
    after = act(RULES, in_turn(state, "BME", "trains"), BERT, BuyTrain("display", "5", 500)).state
    assert (after.marks["dec_open"], after.marks["dec"]) == ("1", "CME")
    assert not any(private.open for private in after.privates.values())
    later = with_company(after, "CME", director=CLEO)
    assert later.marks["dec"] == "CME"


# The 2+4 -------------------------------------------------------------------------------------------------------------


def first_5(**directors: int):
    """BME of Cleo buys the first 5-train; Bert owns no. 6."""
    state = firm(opened(phase="green4"), "BME", CLEO, treasury=600)
    for company, seat in directors.items():
        state = firm(state, company, seat)
    return state


@pytest.mark.rule("LRA-PRV-21", "COMMON-PHS-04")
def test_owner_of_no_6_chooses_first():
    state = first_5(KEG=BERT, MKB=BERT)
    decision = act(RULES, in_turn(state, "BME", "trains"), CLEO, BuyTrain("display", "5", 500))
    after = decision.state
    assert after.top == MarkerChoice("gkb")
    assert awaited(RULES, after) == (BERT,)
    assert refused(RULES, after, CLEO, Pass()).code in ("wrong_step", "not_owner")
    assert after.board.contents("A1").stations == (Station("GKB", 0),)
    assert after.board.contents("A1").reservations == ()
    assert refused(RULES, after, BERT, AssignGkb("BME")).rule == "LRA-PRV-21"
    done = act(RULES, after, BERT, AssignGkb("KEG")).state
    assert done.companies["KEG"].trains == ("2+4",)
    assert done.marks["gkb"] == "KEG"
    assert sound(RULES, done) == []
    assert folded(RULES, in_turn(state, "BME", "trains"), decision)


@pytest.mark.rule("LRA-PRV-22", "COMMON-TRN-09", "COMMON-PHS-07")
def test_kreisbahn_train_counts_for_limit():
    state = with_company(first_5(KEG=BERT, MKB=BERT), "KEG", trains=("3", "4"))
    after = act(RULES, in_turn(state, "BME", "trains"), CLEO, BuyTrain("display", "5", 500)).state
    # the limit lies below the choices
    assert [type(frame) for frame in after.agenda[-3:]] == [TooManyTrains, MarkerChoice, MarkerChoice]
    after = act(RULES, after, BERT, AssignGkb("KEG")).state
    assert after.companies["KEG"].trains == ("2+4", "3", "4")
    refusal = refused(RULES, after, BERT, DiscardTrain("KEG", "2+4"))
    assert (refusal.code, refusal.rule) == ("never_sold", "LRA-PRV-22")
    done = act(RULES, after, BERT, DiscardTrain("KEG", "3")).state
    assert (done.companies["KEG"].trains, done.depot.pool) == (("2+4", "4"), ("3",))
    assert {c.action.train for c in legal(RULES, after) if isinstance(c.action, DiscardTrain)} == {"3", "4"}


@pytest.mark.rule("LRA-PRV-22", "COMMON-TRN-09")
def test_late_kreisbahn_train_asks_too():
    """Its owner directs somebody only after the brown phase has begun, and that charter is full."""
    state = firm(firm(firm(opened(phase="brown"), "BME", CLEO), "KEG", BERT), "MKB", BERT)
    state = in_turn(with_company(state, "KEG", trains=("4", "5")), "BME", "trains")
    state = replace(state, marks={**state.marks, "gkb_open": "1"}, agenda=(*state.agenda, MarkerChoice("gkb")))
    after = act(RULES, state, BERT, AssignGkb("KEG")).state
    assert isinstance(after.top, TooManyTrains)
    assert {c.action.train for c in legal(RULES, after) if isinstance(c.action, DiscardTrain)} == {"4", "5"}


@pytest.mark.rule("LRA-PRV-22")
def test_alike_trains_go_without_question():
    state = with_company(first_5(KEG=BERT), "KEG", trains=("3", "3"))
    after = act(RULES, in_turn(state, "BME", "trains"), CLEO, BuyTrain("display", "5", 500)).state
    assert after.companies["KEG"].trains == ("2+4", "3")


def with_gkb(state, company: str, *trains: str):
    display = {**state.depot.display, "2+4": 0}
    state = replace(state, depot=replace(state.depot, display=display))
    return with_company(state, company, trains=tuple(sorted(("2+4", *trains))))


@pytest.mark.rule("LRA-PRV-22", "COMMON-TRN-11")
def test_kreisbahn_train_leaves_duty_to_buy():
    state = with_gkb(firm(opened(phase="brown"), "KEG", ADA, treasury=600), "KEG")
    state = in_turn(with_tiles(state, F10="L17 r0", E11="8 r4", E13="L43"), "KEG", "trains")
    refusal = refused(RULES, state, ADA, Pass())
    assert (refusal.code, refusal.rule) == ("must_buy_train", "COMMON-TRN-11")
    alone = in_turn(with_gkb(firm(opened(phase="brown"), "KEG", ADA), "KEG"), "KEG", "trains")
    assert can(RULES, alone, ADA, (Pass,))  # no route, no duty


@pytest.mark.rule("LRA-PRV-22", "COMMON-TRN-05")
def test_it_is_never_sold():
    state = with_gkb(firm(firm(opened(phase="brown"), "BME", ADA), "KEG", ADA), "KEG")
    refusal = refused(RULES, in_turn(state, "BME", "trains"), ADA, BuyTrain("KEG", "2+4", 1))
    assert (refusal.code, refusal.rule) == ("never_sold", "LRA-PRV-22")
    assert "2+4" not in on_display(state)
    new = refused(RULES, in_turn(state, "BME", "trains"), ADA, BuyTrain("display", "2+4", 0))
    assert new.code == "never_sold"


@pytest.mark.rule("LRA-PRV-22", "COMMON-TRN-08")
def test_it_never_becomes_obsolete():
    state = with_gkb(firm(firm(opened(phase="brown"), "BME", CLEO, treasury=700), "KEG", ADA), "KEG", "3")
    state = replace(state, depot=replace(state.depot, sold=(*state.depot.sold,)))
    after = act(RULES, in_turn(state, "BME", "trains"), CLEO, BuyTrain("display", "6", 600)).state
    assert after.phase == "brown6"
    assert after.companies["KEG"].trains == ("2+4",)


# Its income ----------------------------------------------------------------------------------------------------------


def paying(revenue: int, income: int, space=(1, 4)):
    """KEG has run: its trains earned `revenue` in all, the 2+4 `income` of it; its price is that of the space."""
    state = with_gkb(firm(opened(phase="brown"), "KEG", ADA), "KEG", "5")
    state = replace(
        with_market(state, KEG=space), marks={**state.marks, "gkb_income": str(income)} if income else state.marks
    )
    return in_turn(state, "KEG", "pay", revenue=revenue)


@pytest.mark.rule("LRA-DIV-04", "COMMON-DIV-02")
def test_income_may_kept_while_rest_paid():
    state = paying(180, 60)
    assert state.price("KEG") == 100
    after = act(RULES, state, ADA, PayOutKeepGkb()).state
    assert after.players[ADA].cash == 400 + 36  # 30 %
    assert after.companies["KEG"].treasury == 500 + 60 + 84  # kept, and 70 % on the charter
    assert after.price("KEG") == 110
    assert money(after) == money(state)


@pytest.mark.rule("LRA-DIV-04")
def test_price_looks_at_what_is_paid():
    assert act(RULES, paying(150, 60), ADA, PayOutKeepGkb()).state.price("KEG") == 100
    assert act(RULES, paying(150, 60), ADA, PayOut()).state.price("KEG") == 110
    nothing = act(RULES, paying(60, 60), ADA, PayOutKeepGkb()).state
    assert (nothing.price("KEG"), nothing.companies["KEG"].treasury) == (90, 560)
    assert act(RULES, paying(180, 60), ADA, Withhold()).state.companies["KEG"].treasury == 680


@pytest.mark.rule("LRA-DIV-04")
def test_no_third_choice_without_its_income():
    refusal = refused(RULES, paying(120, 0), ADA, PayOutKeepGkb())
    assert (refusal.code, refusal.rule) == ("not_earned", "LRA-DIV-04")
    other = in_turn(firm(opened(phase="brown"), "BME", CLEO, trains=("5",)), "BME", "pay", revenue=100)
    other = replace(other, marks={**other.marks, "gkb_income": "60"})
    assert refused(RULES, other, CLEO, PayOutKeepGkb()).rule == "LRA-DIV-04"


@pytest.mark.rule("LRA-DIV-04", "LRA-RTE-23")
def test_running_notes_income_of_kreisbahn():
    state = with_gkb(firm(opened(phase="brown"), "KEG", ADA), "KEG")
    state = in_turn(with_tiles(state, B2="4 r2"), "KEG", "run")
    decision = act(RULES, state, ADA, RunTrains((Run("2+4", ("A1:5a", "B2:2a")),)))
    assert (decision.state.top.revenue, decision.state.marks["gkb_income"]) == (30, "30")
    kinds = {type(choice.action) for choice in legal(RULES, decision.state, (ADA,))}
    assert {PayOut, Withhold, PayOutKeepGkb} <= kinds
    again = in_turn(replace(decision.state, agenda=state.agenda[:1]), "BME")
    assert again.marks["gkb_income"] == "30"
    assert FlagSet("gkb_income", "30") in decision.events


@pytest.mark.rule("LRA-DIV-04")
def test_income_of_earlier_run_lapses():
    state = with_gkb(firm(opened(phase="brown"), "KEG", ADA), "KEG", "2")
    state = with_tiles(state, F10="L17 r0", E11="8 r4", E13="L43")
    state = in_turn(replace(state, marks={**state.marks, "gkb_income": "60"}), "KEG", "run")
    (run,) = [choice.action for choice in legal(RULES, state, (ADA,)) if isinstance(choice.action, RunTrains)]
    after = act(RULES, state, ADA, run).state
    assert after.top.revenue > 0
    assert (refused(RULES, after, ADA, PayOutKeepGkb()).code, income(after)) == ("not_earned", 0)
