"""Sections 14, 15 and 17: trains, forced purchases, phases (RUHR-TRAIN, RUHR-FORCED, RUHR-PHASE)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import dealt
from tests.builders.ruhr_lines import bme_to_hagen
from tests.builders.ruhr_positions import (  # fmt: skip
    ADA,
    BERT,
    CLEO,
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
    railway_turn,
    refused,
    refuses,
    rules,
    started,
    stations,
    with_cash,
    with_company,
    works_turn,
)
from trajekt.engine.actions import Accept, BuyTrain, DeclareBankruptcy, Decline, DiscardTrain, Pass, SellShares
from trajekt.engine.agenda import settle
from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import DISPLAY, GONE, POOL, State
from trajekt.games.ruhr.actions import Develop, ForceTrain, ShareDeal
from trajekt.games.ruhr.forced_purchase import TrainAsk
from trajekt.games.ruhr.forced_purchase_funds import Shortage
from trajekt.games.ruhr.montan_charters import inactive
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules.trains import TooManyTrains, TrainOffer, on_display
from trajekt.rules.turn_notes import Declined, Once


def buying(phase: str = "2", *, treasury: int = 900, **values) -> State:
    """The BME of Bert, with a route, buys trains."""
    state = at_table() if phase == "2" else in_phase(at_table(), phase)
    return railway_turn(bme_to_hagen(state, treasury=treasury, **values), "BME", "trains")


def left(state: State, **counts: int) -> State:
    """So many cards of these types on display, as `t5=1`; the others as they are."""
    display = {**state.depot.display, **{name[1:]: n for name, n in counts.items()}}
    return replace(state, depot=replace(state.depot, display=display))


def phase_begins(state: State, phase: str) -> State:
    draft = Draft(rules(), replace(state, agenda=()))
    draft.emit(PhaseBegan(phase))
    settle(draft, 0)
    return draft.state


@pytest.mark.rule("RUHR-TRAIN-01")
def test_trade_price_from_one_mark():
    state = started(buying(), "CME", CLEO, 80, trains=("2",))
    assert act(rules(), state, BERT, BuyTrain(DISPLAY, "2", 100)).state.companies["BME"].treasury == 800
    refuses(rules(), state, BERT, BuyTrain(DISPLAY, "2", 90), Code.PRICE_IS, "RUHR-TRAIN-01")
    refuses(rules(), state, BERT, BuyTrain("CME", "2", 0), Code.PRICE_AT_LEAST, "RUHR-TRAIN-01")
    asked = act(rules(), state, BERT, BuyTrain("CME", "2", 1)).state
    assert isinstance(asked.top, TrainOffer)
    done = act(rules(), asked, CLEO, Accept()).state
    assert (done.companies["BME"].trains, done.companies["CME"].treasury) == (("2",), 1)
    refuses(rules(), asked, BERT, Accept(), Code.NOT_DIRECTOR, "RUHR-TRAIN-01")
    assert act(rules(), asked, CLEO, Decline()).state.companies["BME"].trains == ()
    pooled = replace(state, depot=replace(state.depot, pool=("2",)))
    assert act(rules(), pooled, BERT, BuyTrain(POOL, "2", 100)).state.depot.pool == ()


@pytest.mark.rule("RUHR-TRAIN-02", "RUHR-PHASE-04")
def test_type_eight_is_sold_beside_six():
    five = left(buying("5"), t5=1)
    refuses(rules(), five, BERT, BuyTrain(DISPLAY, "6", 600), Code.EARLIER_TRAINS, "RUHR-TRAIN-02")
    six = buying("6")
    assert on_display(six) == ("6", "8")
    act(rules(), six, BERT, BuyTrain(DISPLAY, "8", 800))
    assert on_display(left(at_table(), t2=0)) == ("3",)
    assert sum(at_table().depot.display[kind] for kind in "2") == 14


@pytest.mark.rule("RUHR-TRAIN-03")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("8", 2)])
def test_train_limit_follows_the_phase(phase, limit):
    kind = max(phase, "5") if phase in "568" else phase
    state = buying(phase, trains=(kind,) * limit)
    assert state.current_phase.train_limit == limit
    offer = on_display(state)[0]
    refuses(
        rules(),
        state,
        BERT,
        BuyTrain(DISPLAY, offer, state.sheet.trains[offer].price),
        Code.TRAIN_LIMIT,
        "RUHR-TRAIN-03",
    )


@pytest.mark.rule("RUHR-TRAIN-03")
def test_no_purchase_at_limit():
    state = left(buying("3", trains=("2",) * 4), t3=0)
    refuses(rules(), state, BERT, BuyTrain(DISPLAY, "4", 300), Code.TRAIN_LIMIT, "RUHR-TRAIN-03")


@pytest.mark.rule("RUHR-TRAIN-04")
def test_above_limit_goes_to_pool():
    state = started(in_phase(at_table(), "4"), "CME", CLEO, 80, trains=("3", "3", "4"))
    state = left(railway_turn(bme_to_hagen(state, treasury=900), "BME", "trains"), t4=0)
    asked = act(rules(), state, BERT, BuyTrain(DISPLAY, "5", 500)).state
    assert asked.top == TooManyTrains(("CME",))
    refuses(rules(), asked, BERT, DiscardTrain("CME", "3"), Code.NOT_DIRECTOR, "RUHR-TRAIN-04")
    done = act(rules(), asked, CLEO, DiscardTrain("CME", "3")).state
    assert (done.companies["CME"].trains, done.depot.pool, done.companies["CME"].treasury) == (("3", "4"), ("3",), 0)
    assert BuyTrain(POOL, "3", 200) in offered(rules(), done, BERT)


@pytest.mark.rule("RUHR-TRAIN-05", "RUHR-PHASE-02")
@pytest.mark.parametrize(("kind", "phase"), [("2", "4"), ("3", "6"), ("4", "8")])
def test_obsolete_trains_go_also_from_pool(kind, phase):
    state = started(at_table(), "CME", CLEO, 80, trains=(kind, kind))
    state = replace(state, depot=replace(state.depot, pool=(kind,)))
    done = phase_begins(state, phase)
    assert (done.companies["CME"].trains, done.depot.pool, done.depot.gone) == ((), (), (kind,) * 3)


@pytest.mark.rule("RUHR-TRAIN-06")
def test_trains_not_given_up_at_will():
    state = buying("3", trains=("2", "2", "3"))
    answer = refused(rules(), state, BERT, DiscardTrain("BME", "2"))
    assert (answer.code, answer.rule) == ("wrong_step", "RUHR-OR-06")


@pytest.mark.rule("RUHR-TRAIN-07")
def test_with_route_railway_must_own_train():
    refuses(rules(), buying(), BERT, Pass(), Code.MUST_BUY_TRAIN, "RUHR-TRAIN-07")
    pwb = stations(started(at_table(), "PWB", BERT, 70, treasury=100), "PWB", "K8")
    act(rules(), railway_turn(pwb, "PWB", "trains"), BERT, Pass())
    first = railway_turn(stations(started(at_table(), "BME", BERT, 70, treasury=100), "BME", "R9"), "BME", "trains")
    refuses(rules(), first, BERT, Pass(), Code.MUST_BUY_TRAIN, "RUHR-TRAIN-07")
    act(rules(), buying(trains=("2",)), BERT, Pass())


@pytest.mark.rule("RUHR-TRAIN-08")
def test_with_train_only_the_treasury_pays():
    state = buying(treasury=90, trains=("2",))
    refuses(rules(), state, BERT, BuyTrain(DISPLAY, "2", 100), Code.UNAFFORDABLE, "RUHR-TRAIN-01")
    refuses(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100), "no_need", "RUHR-FORCED-01")


@pytest.mark.rule("RUHR-TRAIN-09")
def test_several_cards_in_a_turn():
    state = after(
        rules(), buying(treasury=210), (BERT, BuyTrain(DISPLAY, "2", 100)), (BERT, BuyTrain(DISPLAY, "2", 100))
    )
    assert (state.companies["BME"].trains, state.companies["BME"].treasury) == (("2", "2"), 10)
    third = railway_turn(replace(state, agenda=()), "BME", "trains")
    refuses(rules(), third, BERT, BuyTrain(DISPLAY, "2", 100), Code.UNAFFORDABLE, "RUHR-TRAIN-01")


@pytest.mark.rule("RUHR-TRAIN-10")
def test_empty_bank_ends_duty():
    state = left(buying(treasury=10), t2=0, t3=0, t4=0, t5=0, t6=0, t8=0)
    act(rules(), state, BERT, Pass())
    other = started(state, "CME", CLEO, 80, trains=("2",))
    act(rules(), other, BERT, Pass())
    asked = act(rules(), with_cash(other, Bert=90), BERT, ForceTrain("CME", "2", 100)).state
    assert isinstance(asked.top, TrainAsk)


# Forced --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RUHR-FORCED-01")
def test_the_director_picks_any_train():
    state = started(buying("3", treasury=10), "CME", BERT, 80, trains=("3",))
    state = with_cash(replace(state, depot=replace(state.depot, pool=("2",))), Bert=500)
    found = {(a.source, a.train) for a in offered(rules(), state, BERT) if isinstance(a, ForceTrain)}
    assert found == {(DISPLAY, "3"), (POOL, "2"), ("CME", "3")}
    own = act(rules(), state, BERT, ForceTrain("CME", "3", 100)).state
    assert own.companies["BME"].trains == ("3",)
    assert own.companies["CME"].treasury == 100


@pytest.mark.rule("RUHR-FORCED-01")
def test_another_railway_s_director_asked_first():
    state = with_cash(started(buying("3", treasury=10), "CME", CLEO, 80, trains=("3",)), Bert=500)
    asked = act(rules(), state, BERT, ForceTrain("CME", "3", 150)).state
    assert asked.top == TrainAsk("BME", "CME", "3", 150)
    assert act(rules(), asked, CLEO, Decline()).state.top == replace(state.top, used=(Declined("CME", "3", 150),))
    done = act(rules(), asked, CLEO, Accept()).state
    assert (done.companies["BME"].trains, done.companies["CME"].treasury) == (("3",), 150)


@pytest.mark.rule("RUHR-FORCED-02")
def test_first_one_certificate_of_ipo_sold():
    state = with_cash(buying(treasury=40), Bert=300)
    done = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    assert (done.companies["BME"].treasury, done.players[BERT].cash, done.price("BME")) == (10, 300, 65)
    assert done.companies["BME"].trains == ("2",)


@pytest.mark.rule("RUHR-FORCED-02")
@pytest.mark.parametrize("why", ["deal made", "pool full", "ipo empty"])
def test_director_pays_without_deal(why):
    state = with_cash(buying(treasury=40), Bert=300)
    if why == "deal made":
        state = with_cash(railway_turn(bme_to_hagen(treasury=40), "BME", "trains", used=(Once.DEAL,)), Bert=300)
    elif why == "pool full":
        state = with_cash(buying(treasury=40, pool=50), Bert=300)
    else:
        state = with_cash(buying(treasury=40, Bert=50, Ada=20, pool=30), Bert=300)
    done = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    assert (done.players[BERT].cash, done.companies["BME"].treasury) == (240, 0)


@pytest.mark.rule("RUHR-FORCED-02")
def test_of_the_dgee_director_picks_paper():
    state = with_cash(started(at_table(), "DGEE", BERT, 70, treasury=10), Bert=500)
    state = railway_turn(stations(state, "DGEE", "D13"), "DGEE", "trains")
    frame = Shortage("DGEE", DISPLAY, "2", 100)
    state = replace(state, agenda=(*state.agenda, frame))
    assert {a.percent for a in offered(rules(), state, BERT) if isinstance(a, ShareDeal)} == {10, 20}
    assert kinds(rules(), state, BERT) == {"ShareDeal"}
    done = act(rules(), state, BERT, ShareDeal("sell", 20)).state
    assert done.companies["DGEE"].treasury == 50
    refuses(rules(), state, BERT, DeclareBankruptcy(), "deal_first", "RUHR-FORCED-02")
    dear = replace(state, agenda=(*state.agenda[:-1], replace(frame, price=300)))
    paid = act(rules(), dear, BERT, ShareDeal("sell", 20)).state
    assert (paid.players[BERT].cash, paid.companies["DGEE"].trains) == (500 - (300 - 150), ("2",))


@pytest.mark.rule("RUHR-FORCED-03")
def test_the_director_pays_exactly_the_difference():
    state = with_cash(buying(treasury=40, pool=50), Bert=300)
    done = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    assert (done.players[BERT].cash, done.companies["BME"].treasury) == (240, 0)
    rich = buying(treasury=100)
    refuses(rules(), rich, BERT, ForceTrain(DISPLAY, "2", 100), "treasury_pays", "RUHR-FORCED-02")


@pytest.mark.rule("RUHR-FORCED-04")
def test_forced_price_is_printed_at_most():
    state = with_cash(started(buying("3", treasury=10), "CME", CLEO, 80, trains=("3",)), Bert=500)
    refuses(rules(), state, BERT, ForceTrain("CME", "3", 201), "price_range", "RUHR-FORCED-04")
    refuses(rules(), state, BERT, ForceTrain(DISPLAY, "3", 199), "price_is", "RUHR-FORCED-04")
    six = with_cash(buying("6", treasury=700), Bert=500)
    refuses(rules(), six, BERT, ForceTrain(DISPLAY, "8", 800), "six_first", "RUHR-FORCED-04")
    act(rules(), buying("6", treasury=800), BERT, BuyTrain(DISPLAY, "8", 800))


def short_of_money(**holdings: int) -> State:
    """Bert owes 50 for a train and has certificates of the CME."""
    state = with_cash(buying(treasury=0, pool=50, Bert=20), Bert=50)
    state = started(state, "CME", CLEO, 70, **(holdings or {"Cleo": 50, "Bert": 20}))
    return act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state


@pytest.mark.rule("RUHR-FORCED-05")
def test_only_as_many_certificates_as_needed():
    state = short_of_money()
    assert state.top == Shortage("BME", DISPLAY, "2", 100, deal=True, selling=True)
    refuses(rules(), state, BERT, SellShares("CME", 20), Code.MORE_THAN_NEEDED, "RUHR-FORCED-05")
    refuses(rules(), state, BERT, DeclareBankruptcy(), "still_sells", "RUHR-BANKR-01")
    done = act(rules(), state, BERT, SellShares("CME", 10)).state
    assert (done.companies["BME"].trains, done.players[BERT].cash, done.price("CME")) == (("2",), 20, 70)
    young = with_company(state, "CME", operated=False)
    refuses(rules(), young, BERT, SellShares("CME", 10), Code.NOT_OPERATED, "RUHR-FORCED-05")


@pytest.mark.rule("RUHR-FORCED-05")
def test_acting_director_stays():
    state = with_cash(buying(treasury=0, pool=20, Bert=30, Ada=20, Cleo=30), Bert=60)
    state = railway_turn(replace(state, agenda=()), "BME", "trains", used=(Once.DEAL,))
    state = started(state, "CME", BERT, 50, Bert=30, Cleo=20)
    asked = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    allowed = {(a.company, a.percent) for a in offered(rules(), asked, BERT)}
    assert ("BME", 10) not in allowed  # Cleo holds 30
    state = with_company(state, "BME", certificates=tuple(
        replace(c, holder="io") if c.holder == CLEO else c for c in state.companies["BME"].certificates
    ))  # fmt: skip
    asked = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    allowed = {(a.company, a.percent) for a in offered(rules(), asked, BERT)}
    assert ("BME", 10) in allowed  # 20 against 20
    refuses(rules(), asked, BERT, SellShares("BME", 20), Code.CHANGES_DIRECTOR, "RUHR-FORCED-05")
    done = act(rules(), asked, BERT, SellShares("CME", 10)).state
    assert done.companies["BME"].trains == ("2",)


@pytest.mark.rule("RUHR-FORCED-05", "RUHR-SR-10")
def test_smallest_dgee_paper_goes():
    state = started(bme_to_hagen(in_phase(at_table(), "4"), treasury=50, Bert=50, pool=50), "DGEE", CLEO, 80)
    papers = state.companies["DGEE"].certificates
    twenty = next(n for n, c in enumerate(papers) if c.percent == 20 and not c.director)
    tens = [n for n, c in enumerate(papers) if c.percent == 10]
    mixed = with_cash(railway_turn(dealt(state, "DGEE", Bert=(twenty, tens[0])), "BME", "trains"), Bert=200)
    mixed = act(rules(), mixed, BERT, ForceTrain(DISPLAY, "4", 300)).state  # 50 are missing
    act(rules(), mixed, BERT, SellShares("DGEE", 10))
    refuses(rules(), mixed, BERT, SellShares("DGEE", 20), Code.MORE_THAN_NEEDED, "RUHR-FORCED-05")
    only = with_cash(railway_turn(dealt(state, "DGEE", Bert=(twenty,)), "BME", "trains"), Bert=200)
    only = act(rules(), only, BERT, ForceTrain(DISPLAY, "4", 300)).state
    act(rules(), only, BERT, SellShares("DGEE", 20))


@pytest.mark.rule("RUHR-FORCED-05", "RUHR-SR-21")
def test_own_certificates_sold_in_first_turn():
    state = bme_to_hagen(in_phase(at_table(), "4"), treasury=200, Bert=50, pool=10, operated=False)
    state = with_cash(railway_turn(state, "BME", "trains", used=(Once.DEAL,)), Bert=40)
    state = act(rules(), state, BERT, ForceTrain(DISPLAY, "4", 300)).state
    assert SellShares("BME", 10) in offered(rules(), state, BERT)


@pytest.mark.rule("RUHR-FORCED-05", "RUHR-DIR-05", "RUHR-BANKR-01")
def test_private_bme_keeps_director():
    state = stations(started(at_table(4), "BME", ADA, 70, treasury=0, Ada=30, Bert=40), "BME", "R9")
    state = replace(state, privates={**state.privates, 19: replace(state.privates[19], owner=ADA, open=True)})
    state = railway_turn(with_cash(state, Ada=40), "BME", "trains", used=(Once.DEAL,))
    state = after(rules(), state, (ADA, ForceTrain("display", "2", 100)))
    assert offered(rules(), state, ADA) == [SellShares("BME", 10)]
    refuses(rules(), state, ADA, DeclareBankruptcy(), "still_sells", "RUHR-BANKR-01")
    done = act(rules(), state, ADA, SellShares("BME", 10)).state
    assert (done.companies["BME"].director, done.companies["BME"].trains) == (ADA, ("2",))


@pytest.mark.rule("RUHR-FORCED-05")
def test_forced_sale_may_change_director():
    state = started(with_cash(buying(treasury=0, pool=50, Bert=20), Bert=50), "CME", BERT, 50, Bert=20, Cleo=20)
    asked = act(rules(), state, BERT, ForceTrain(DISPLAY, "2", 100)).state
    done = act(rules(), asked, BERT, SellShares("CME", 10)).state
    assert (done.companies["CME"].director, done.companies["BME"].trains) == (CLEO, ("2",))


@pytest.mark.rule("RUHR-FORCED-01", "RUHR-BANKR-01")
def test_dear_train_if_certificates_reach():
    state = with_cash(buying("3", treasury=0, pool=50, Bert=20), Bert=140)
    state = started(state, "CME", CLEO, 80, Cleo=50, Bert=10)
    state = replace(state, depot=replace(state.depot, pool=("2",)))
    act(rules(), state, BERT, ForceTrain(DISPLAY, "3", 200))
    poorer = with_cash(state, Bert=110)
    refuses(rules(), poorer, BERT, ForceTrain(DISPLAY, "3", 200), "cannot_raise", "RUHR-BANKR-01")
    early = railway_turn(replace(state, agenda=()), "BME", "link")
    refuses(rules(), early, BERT, ForceTrain(POOL, "2", 100), Code.WRONG_STEP, "RUHR-OR-06")
    refuses(rules(), state, BERT, ForceTrain("nobody", "2", 100), "train_not_there", "RUHR-FORCED-01")
    dealt = with_cash(buying("3", treasury=0, pool=40, Bert=20), Bert=130)  # with the deal, worth 70, 200 are there
    dealt = replace(dealt, depot=replace(dealt.depot, pool=("2",)))
    act(rules(), dealt, BERT, ForceTrain(DISPLAY, "3", 200))
    dealt = replace(dealt, agenda=(*dealt.agenda[:-1], replace(dealt.agenda[-1], used=(Once.DEAL,))))
    refuses(rules(), dealt, BERT, ForceTrain(DISPLAY, "3", 200), "cannot_raise", "RUHR-BANKR-01")
    lent = with_cash(with_company(state, "CME", trains=("3",)), Bert=10)  # the cheapest of the bank, not of a railway
    refuses(rules(), lent, BERT, ForceTrain("CME", "3", 100), "cannot_raise", "RUHR-BANKR-01")
    act(rules(), poorer, BERT, ForceTrain(POOL, "2", 100))


@pytest.mark.rule("RUHR-FORCED-05", "RUHR-BANKR-01")
def test_bad_sales_leave_cheapest_train():
    state = with_cash(buying("3", treasury=0, pool=50, Bert=20), Bert=0)
    state = started(state, "CME", BERT, 70, Bert=50, Cleo=10)
    state = replace(state, depot=replace(state.depot, pool=("2",)))
    state = act(rules(), state, BERT, ForceTrain(DISPLAY, "3", 200)).state  # 30 per cent at once bring 210
    for _ in range(3):
        state = act(rules(), state, BERT, SellShares("CME", 10)).state
    assert (state.players[BERT].cash, state.companies["BME"].trains) == (70 + 65 + 60 - 100, ("2",))


@pytest.mark.rule("RUHR-FORCED-06")
def test_the_same_for_montan_in_need():
    state = montan(in_phase(at_table(), "5"), "RB", ADA, 60, 5, markers="AAABB", treasury=100)
    state = with_cash(works_turn(state, "RB"), Ada=500)
    done = act(rules(), state, ADA, Develop("5", "ABC")).state
    assert (done.players[ADA].cash, done.companies["RB"].treasury, done.companies["RB"].percent(POOL)) == (440, 0, 20)
    eight = with_cash(
        works_turn(montan(in_phase(at_table(), "6"), "RB", ADA, 60, 5, markers="AAABB", treasury=100), "RB"), Ada=900
    )
    refuses(rules(), eight, ADA, Develop("8", "CCDD"), "six_first", "RUHR-FORCED-06")


@pytest.mark.rule("RUHR-FORCED-06", "RUHR-DEV-19")
def test_type_8_waits_for_type_6():
    ruleset = rules(x_after_e=False)
    poor = works_turn(montan(in_phase(at_table(), "6"), "RB", ADA, 60, 5, treasury=100), "RB")
    nothing_but_x = {"coal": (13, 10, 9, 8, 5, 0)}
    poor = replace(poor, extra=replace(ruhr_state(poor), removed=nothing_but_x))
    assert not [a for a in offered(ruleset, poor, ADA) if isinstance(a, Develop)]
    act(ruleset, poor, ADA, Pass())
    rich = with_company(poor, "RB", treasury=400)
    refuses(ruleset, rich, ADA, Pass(), "must_develop", "RUHR-DEV-19")
    done = act(ruleset, rich, ADA, Develop("8", "XX")).state
    assert (holding(done, "RB"), done.companies["RB"].treasury) == ("XX", 0)


# Phases --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RUHR-PHASE-01")
def test_first_card_starts_phase():
    state = left(located(owning(at_table(), money=500, markers="AAABB", pmc7=ADA), pmc7=10), t2=0)
    done = act(rules(), works_turn(state, "7"), ADA, Develop("3", "C")).state
    assert (done.phase, "green" in done.current_phase.tiles) == ("3", True)
    pool = Draft(rules(), replace(at_table(), depot=replace(at_table().depot, pool=("3",))))
    pool.emit(TrainMoved("3", POOL, GONE, "engine"))
    settle(pool, 0)
    assert pool.state.phase == "2"


@pytest.mark.rule("RUHR-PHASE-02")
def test_the_table_of_phases():
    sheet = at_table().sheet
    table = {
        p.name: (p.colour, p.train_limit, p.values, tuple(p.obsolete), tuple(p.own["stages"])) for p in sheet.phases
    }
    assert table == {
        "2": ("yellow", 4, "yellow", (), ("A", "B")),
        "3": ("green", 4, "yellow", (), ("A", "B", "C")),
        "4": ("green", 3, "yellow", ("2",), ("A", "B", "C", "D")),
        "5": ("brown", 2, "brown", (), ("A", "B", "C", "D")),
        "6": ("brown", 2, "brown", ("3",), ("A", "B", "C", "D", "E")),
        "8": ("grey", 2, "brown", ("4",), ("A", "B", "C", "D", "E", "X")),
    }
    privates = {**at_table().privates, 21: replace(at_table().privates[21], owner=ADA)}
    assert not phase_begins(replace(at_table(), privates=privates), "5").privates[21].open
    assert inactive(in_phase(at_table(), "8")) == {0, 1, 2}


@pytest.mark.rule("RUHR-PHASE-03")
@pytest.mark.parametrize(
    ("trains", "phase", "kept"), [(("4", "5"), "8", ("5",)), (("2", "2", "3", "3"), "4", ("3", "3"))]
)
def test_obsolete_trains_leave_before_limit(trains, phase, kept):
    done = phase_begins(started(at_table(), "CME", CLEO, 80, trains=trains), phase)
    assert done.companies["CME"].trains == kept
    assert not any(isinstance(frame, TooManyTrains) for frame in done.agenda)


@pytest.mark.rule("RUHR-PHASE-03", "RUHR-SWITCH-06")
def test_effects_of_phase_in_their_order():
    names = [reaction.run.__name__ for reaction in rules().reactions if reaction.event is PhaseBegan]
    assert names == ["retire", "scrap_by_phase", "close_privates", "announce_end", "limit_falls"]
    state = located(owning(at_table(), engines=("W1",), pmc7=ADA), pmc7=10)
    assert engines(phase_begins(state, "6"), "7") == ()


@pytest.mark.rule("RUHR-FORCED-02", "RUHR-OR-11")
def test_forced_deal_is_turn_s_deal():
    state = act(rules(), with_cash(buying(treasury=99), Bert=300), BERT, ForceTrain(DISPLAY, "2", 100)).state
    assert (state.companies["BME"].treasury, state.price("BME"), state.companies["BME"].percent(POOL)) == (69, 65, 10)
    assert ShareDeal("buy", 10) not in offered(rules(), state, BERT)
    need = montan(in_phase(at_table(), "6"), "RB", ADA, 60, 5, markers="AAAABB", treasury=319, Ada=20)
    need = act(rules(), with_cash(works_turn(need, "RB"), Ada=500), ADA, Develop("6", "CCDD")).state
    assert (need.companies["RB"].treasury, need.price("RB"), need.players[ADA].cash) == (59, 55, 500)
    assert ShareDeal("buy", 20) not in offered(rules(), need, ADA)


@pytest.mark.rule("RUHR-FORCED-04")
def test_type_8_forced_without_6():
    state = with_cash(buying("8", treasury=700), Bert=500)
    state = replace(state, depot=replace(state.depot, display={**state.depot.display, "6": 0}))
    state = act(rules(), state, BERT, ForceTrain(DISPLAY, "8", 800)).state
    assert state.companies["BME"].trains == ("8",)


@pytest.mark.rule("RUHR-DEV-19")
def test_card_money_buys_no_certificate():
    ruleset = rules(x_after_e=False)
    state = montan(in_phase(at_table(), "6"), "RB", ADA, 60, 5, treasury=440, Ada=20, pool=20)
    state = works_turn(state, "RB")
    state = replace(state, extra=replace(ruhr_state(state), removed={"coal": (13, 10, 9, 8, 5, 0)}))
    refuses(ruleset, state, ADA, ShareDeal("buy", 20), "must_develop", "RUHR-DEV-19")  # 380 would not pay 400
    act(ruleset, with_company(state, "RB", treasury=460), ADA, ShareDeal("buy", 20))
    act(ruleset, state, ADA, ShareDeal("sell", 20))
    helped = works_turn(replace(in_need_of_c(), agenda=()), "RB")
    act(rules(), helped, ADA, ShareDeal("buy", 20))  # here the director helps, and the duty stays


def in_need_of_c() -> State:
    """A corporation whose markers are all inactive while a type 6 helps."""
    return montan(in_phase(at_table(), "6"), "RB", ADA, 60, 5, markers="AAAABB", treasury=330, Ada=20, pool=20)
