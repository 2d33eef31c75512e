"""Trains, forced purchases, phases, end and score."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import (
    beer,
    choices,
    corporation,
    display,
    equipment,
    kwe_net,
    minor,
    opening,
    position,
    rules,
    tiles,
    total,
    turn,
)
from tests.builders.random_positions import act, refused, with_cash, with_company
from trajekt.engine.actions import Accept, BuyTrain, DiscardTrain, LayTile, Pass, RunTrains, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.events import FramePushed, TopReplaced
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import CHARTER, POOL
from trajekt.games.do.actions import (
    BuildRailwayLink,
    BuyBec,
    DiscardBec,
    ForcedSale,
    ForcePurchase,
    OwnCertificate,
    PlaceFreeToken,
)
from trajekt.games.do.events import CardTaken
from trajekt.games.do.frames import BreweryRound, BreweryTurn, Forced, NewTrain, TooManyBecs
from trajekt.games.do.scoring import standings
from trajekt.games.do.state import Bec, Slot, charter, do_state
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.trains import TooManyTrains, TrainOffer, on_display
from trajekt.rules.turn_notes import Once

FOUR = rules(4)
PRICE = {"2": 80, "3": 180, "4": 300, "5": 450, "6": 630, "8": 800}


def new(kind):
    return BuyTrain("display", kind, PRICE[kind])


def buying(company="CME", phase="2", treasury=1000, trains=(), others=(), **more):
    state = position(4, phase=phase)
    for n, (name, owned) in enumerate(others, 1):
        state = corporation(state, name, director=n, trains=owned)
    return turn(corporation(state, company, treasury=treasury, trains=trains, **more), company, "trains")


def in_phase(state, phase):
    """Stacks as they lie in a phase: those before it are sold out, one of its own gone."""
    gone = {f"t{kind}": 0 for kind in PRICE if int(kind) < int(phase)}
    return display(state, **gone, **{f"t{phase}": state.depot.display[phase] - 1})


def pooled(state, *trains):
    extra = replace(do_state(state), pooled=tuple(sorted(trains)))
    pool = tuple(sorted(kind for kind, _ in trains))
    return replace(state, extra=extra, depot=replace(state.depot, pool=pool))


# Purchases


@pytest.mark.rule("DO-FLOAT-05", "DO-TRAIN-11")
def test_the_first_train_of_some_railways():
    state = turn(corporation(position(4), "CME", treasury=325, operated=False), "CME", "first")
    state = act(FOUR, state, 0, new("2")).state
    assert (state.companies["CME"].trains, state.companies["CME"].treasury) == (("2",), 245)
    state = act(FOUR, state, 0, Pass()).state if state.agenda[-1].step == "first" else state
    state = act(FOUR, state, 0, LayTile("B6", "58K", 1)).state
    while state.agenda[-1].step != "run":
        state = act(FOUR, state, 0, Pass()).state
    runs = FOUR.policy(RunningPolicy).best(state, "CME")
    state = act(FOUR, state, 0, RunTrains(runs)).state
    assert state.agenda[-1].revenue == 50
    state = act(FOUR, state, 0, Withhold()).state
    state = act(FOUR, state, 0, new("2")).state
    assert refused(FOUR, state, 0, new("2")).rule == "DO-TRAIN-02"
    kwe = turn(corporation(position(4), "KWE", treasury=325, operated=False), "KWE", "first")
    assert refused(FOUR, kwe, 0, new("2")).rule == "DO-FLOAT-05"
    assert choices(FOUR, kwe, 0, PlaceFreeToken)


@pytest.mark.rule("DO-TRAIN-01")
def test_the_lowest_type_first():
    assert refused(FOUR, buying(), 0, new("3")).code == "earlier_trains"
    after = act(FOUR, buying(), 0, new("2")).state
    assert (after.companies["CME"].treasury, after.companies["CME"].trains) == (920, ("2",))


@pytest.mark.case("B67")
@pytest.mark.rule("DO-TRAIN-02", "DO-PHASE-03", "DO-PHASE-04", "DO-LINK-07")
def test_two_of_type_2_else_one():
    state = act(FOUR, act(FOUR, buying(), 0, new("2")).state, 0, new("2")).state
    assert refused(FOUR, state, 0, new("2")).rule == "DO-TRAIN-02"
    last = act(FOUR, display(buying(), t2=1), 0, new("2")).state
    assert refused(FOUR, last, 0, new("3")).rule == "DO-TRAIN-02"
    third = act(FOUR, in_phase(buying(phase="3"), "3"), 0, new("3")).state
    assert refused(FOUR, third, 0, new("3")).rule == "DO-TRAIN-02"
    linked = replace(buying(), agenda=(*buying().agenda[:-1], replace(buying().agenda[-1], used=(Once.LINK,))))
    assert act(FOUR, act(FOUR, linked, 0, new("2")).state, 0, new("2"))


@pytest.mark.case("B67")
@pytest.mark.rule("DO-TRAIN-03", "DO-TRAIN-04")
def test_type_8_after_the_second_6():
    count = FOUR.sheet.trains["6"].count
    one = display(buying(phase="6"), t2=0, t3=0, t4=0, t5=0, t6=count - 1)
    assert on_display(one) == ("6",)
    assert refused(FOUR, one, 0, new("8")).code == "not_opened"
    two = display(one, t6=count - 2)
    assert on_display(two) == ("6", "8")
    assert act(FOUR, two, 0, new("8"))
    assert act(FOUR, two, 0, new("6"))
    linked = turn(tiles(one, B6="58K 1"), "CME", "link")
    assert on_display(act(FOUR, linked, 0, BuildRailwayLink("B6")).state) == ("6", "8")


@pytest.mark.rule("DO-TRAIN-04")
def test_at_the_limit_nothing_is_bought():
    state = display(buying(phase="3", trains=("2",) * 4), t2=0, t3=0)
    assert refused(FOUR, state, 0, new("4")).code == "train_limit"
    limits = [phase.train_limit for phase in FOUR.sheet.phases]
    assert limits == [4, 4, 3, 2, 2, 2]


@pytest.mark.rule("DO-TRAIN-05")
def test_the_surplus_goes_to_the_pool():
    state = display(buying(phase="4", trains=("3", "4"), others=(("BME", ("3", "4", "4")),)), t2=0, t3=0, t4=0)
    after = act(FOUR, state, 0, new("5")).state
    assert isinstance(after.agenda[-1], TooManyTrains)
    assert {a.train for a in choices(FOUR, after, 0, DiscardTrain)} == {"3", "4", "5"}
    after = act(FOUR, after, 0, DiscardTrain("CME", "5")).state
    after = act(FOUR, after, 1, DiscardTrain("BME", "4")).state
    assert after.depot.pool == ("4", "5")
    assert do_state(after).pooled == (("4", "BME"), ("5", "CME"))


@pytest.mark.rule("DO-TRAIN-06")
def test_trains_of_the_pool():
    state = pooled(in_phase(buying(phase="5"), "5"), ("4", "BME"))
    after = act(FOUR, state, 0, BuyTrain("pool", "4", 300)).state
    assert (after.bank - state.bank, after.depot.pool, do_state(after).pooled) == (300, (), ())
    assert act(FOUR, after, 0, new("5"))
    own = pooled(in_phase(buying(phase="5"), "5"), ("4", "CME"))
    assert refused(FOUR, own, 0, BuyTrain("pool", "4", 300)).rule == "DO-TRAIN-06"
    assert act(rules(4, pool_train_own="allowed"), own, 0, BuyTrain("pool", "4", 300))
    counted = rules(4, pool_counts_as_purchase=True)
    assert refused(counted, act(counted, state, 0, BuyTrain("pool", "4", 300)).state, 0, new("5")).rule == "DO-TRAIN-02"


@pytest.mark.rule("DO-TRAIN-07")
def test_trains_of_other_railways():
    state = buying(treasury=50, trains=("2",), others=(("BME", ("2",)),))
    assert refused(FOUR, state, 0, BuyTrain("BME", "2", 0)).code == "price_at_least"
    assert refused(FOUR, state, 0, BuyTrain("BME", "2", 60)).code == "unaffordable"
    asked = act(FOUR, state, 0, BuyTrain("BME", "2", 40)).state
    assert isinstance(asked.agenda[-1], TrainOffer)
    after = act(FOUR, asked, 1, Accept()).state
    assert (after.companies["CME"].trains, after.companies["BME"].treasury) == (("2", "2"), 40)
    same = with_company(state, "BME", director=0)
    assert not isinstance(act(FOUR, same, 0, BuyTrain("BME", "2", 40)).state.agenda[-1], TrainOffer)


@pytest.mark.rule("DO-TRAIN-08")
def test_no_train_given_up_by_choice():
    assert refused(FOUR, buying(trains=("2",)), 0, DiscardTrain("CME", "2")).code == "wrong_step"


@pytest.mark.rule("DO-TRAIN-09", "DO-PHASE-05")
def test_what_is_scrapped():
    state = display(buying(phase="3", trains=("2", "3"), others=(("BME", ("2", "2")),)), t2=0, t3=0)
    state = pooled(state, ("2", "BME"))
    after = act(FOUR, state, 0, new("4")).state
    assert (after.companies["CME"].trains, after.companies["BME"].trains, after.depot.pool) == (("3", "4"), (), ())
    six = display(buying(phase="5", trains=("5",), others=(("BME", ("3", "5")),)), t2=0, t3=0, t4=0, t5=0)
    assert act(FOUR, six, 0, new("6")).state.companies["BME"].trains == ("5",)


def first_eight(trains=("5",), others=(("BME", ("4",)),)):
    count = FOUR.sheet.trains["6"].count
    return display(buying(phase="6", trains=trains, others=others), t2=0, t3=0, t4=0, t5=0, t6=count - 2)


@pytest.mark.case("B63")
@pytest.mark.rule("DO-TRAIN-10", "DO-PHASE-08")
def test_the_last_run_of_type_4():
    state = pooled(first_eight(trains=("4",)), ("4", "KWE"))
    after = act(FOUR, state, 0, new("8")).state
    assert (after.companies["CME"].trains, after.companies["BME"].trains, after.depot.pool) == (("4", "8"), ("4",), ())
    assert refused(FOUR, with_company(after, "CME", trains=("8",)), 0, BuyTrain("BME", "4", 10)).rule == "DO-TRAIN-10"
    ran = turn(kwe_net(corporation(after, "KWE", trains=("4", "5"), treasury=1000)), "KWE", "run")
    ran = act(FOUR, ran, 0, RunTrains(FOUR.policy(RunningPolicy).best(ran, "KWE"))).state
    assert ran.companies["KWE"].trains == ("5",)
    ran = act(FOUR, ran, 0, Withhold()).state
    assert act(FOUR, ran, 0, new("6"))
    turned = with_company(after, "CME", trains=("4", "8"))
    assert refused(FOUR, turned, 0, new("6")).code == "new_trains_bought"
    link = tiles(first_eight(trains=("4", "5")), B6="58K 1")
    link = display(turn(link, "CME", "link"), t6=0)
    link = act(FOUR, link, 0, BuildRailwayLink("B6")).state
    assert link.phase == "8"
    runs = FOUR.policy(RunningPolicy).best(link, "CME")
    assert act(FOUR, link, 0, RunTrains(runs)).state.companies["CME"].trains == ("4", "5")  # it runs once more
    early = rules(4, final_run="first_step_4")
    early_link = act(
        early,
        display(turn(tiles(first_eight(trains=("4", "5")), B6="58K 1"), "CME", "link"), t6=0),
        0,
        BuildRailwayLink("B6"),
    )
    assert act(early, early_link.state, 0, RunTrains(runs)).state.companies["CME"].trains == ("5",)
    following = turn(act(FOUR, link, 0, RunTrains(runs)).state, "CME", "run")
    assert act(FOUR, following, 0, RunTrains(runs)).state.companies["CME"].trains == ("5",)


@pytest.mark.rule("DO-TRAIN-12")
def test_every_railway_must_own_a_train():
    state = in_phase(buying(phase="4", treasury=500), "4")
    assert refused(FOUR, state, 0, Pass()).rule == "DO-TRAIN-12"
    none = display(buying(phase="8", treasury=500), t2=0, t3=0, t4=0, t5=0, t6=0, t8=0)
    assert act(FOUR, none, 0, Pass())
    own_pool = pooled(none, ("5", "CME"))
    assert act(FOUR, own_pool, 0, Pass())


# Forced purchases


def short(treasury, value=50, stock=3, cash=1000, pool=0, **more):
    """The CME without a train in phase 4; a type 4 costs 300."""
    sizes = {"Ada": (10,) * more.pop("own", 0), "Bert": (10,) * more.pop("bert", 0)}
    rest = 8 - stock - pool - sum(len(s) for s in sizes.values())
    for name in ("Cleo", "Dora", "Bert"):  # nobody holds more than the director
        part = min(2, rest) if not sizes.get(name) else 0
        sizes[name] = sizes.get(name, ()) + (10,) * part
        rest -= part
    assert not rest
    sizes["pool"] = (10,) * pool
    state = corporation(position(4, phase="4"), "CME", value, sizes=sizes, treasury=treasury)
    return in_phase(with_cash(turn(state, "CME", "trains"), Ada=cash), "4")


@pytest.mark.rule("DO-TRAIN-13")
def test_one_own_certificate_first():
    state = short(250, value=60)
    assert refused(FOUR, state, 0, ForcePurchase("display", "4")).rule == "DO-TRAIN-13"
    state = act(FOUR, state, 0, OwnCertificate("sell", 10)).state
    assert (state.companies["CME"].treasury, state.price("CME")) == (310, 55)
    assert act(FOUR, state, 0, new("4")).state.companies["CME"].treasury == 10
    full = short(250, value=60, stock=1, pool=5)
    after = act(FOUR, full, 0, ForcePurchase("display", "4")).state
    cme = after.companies["CME"]
    assert (cme.trains, cme.treasury, cme.percent(POOL)) == (("4",), 10, 60)


@pytest.mark.rule("DO-FORCED-01")
def test_the_order_of_means():
    state = act(FOUR, short(120), 0, OwnCertificate("sell", 10)).state
    assert (state.companies["CME"].treasury, state.price("CME")) == (170, 40)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    cme = after.companies["CME"]
    assert (cme.trains, cme.treasury, after.price("CME"), cme.percent(CHARTER)) == (("4",), 0, 10, 0)
    assert after.players[0].cash == 940
    five = act(FOUR, short(200, stock=5), 0, OwnCertificate("sell", 10)).state
    five = act(FOUR, five, 0, ForcePurchase("display", "4")).state
    assert (five.companies["CME"].treasury, five.companies["CME"].percent(CHARTER)) == (20, 20)
    assert five.players[0].cash == 1000


@pytest.mark.rule("DO-FORCED-01", "DO-FORCED-02")
def test_certificates_where_cash_does_not_suffice():
    state = short(200, value=60, stock=0, cash=100, own=2, bert=2)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    assert (after.players[0].cash, after.companies["CME"].percent(0), after.price("CME")) == (0, 40, 60)
    # one certificate of 60 is enough for the 10 that are missing: what is left stays with the director
    state = short(290, value=60, stock=0, cash=0, own=2, bert=2)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    assert (after.players[0].cash, after.companies["CME"].treasury, after.players[0].loans) == (50, 0, 0)
    assert (after.companies["CME"].percent(0), after.price("CME")) == (30, 55)


@pytest.mark.rule("DO-FORCED-05", "DO-TRAIN-02")
def test_forced_purchase_is_purchase_of_turn():
    state = short(200, stock=0, own=2, bert=2)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    bought = next(frame for frame in (*after.agenda, state.agenda[-1]) if isinstance(frame, CompanyTurn))
    spent = Draft(FOUR, state)
    spent.emit(FramePushed(Forced("CME", "train", "display", "4")))
    run(spent)
    turns = [e.frame for e in spent.events if isinstance(e, TopReplaced) and isinstance(e.frame, CompanyTurn)]
    assert any(NewTrain("4") in frame.used for frame in turns)
    assert bought.company == "CME"


@pytest.mark.rule("DO-FORCED-07", "DO-BEC-12")
def test_brewery_forced_in_its_purchases_only():
    state = corporation(
        position(4, phase="5"), "DUB", 80, sizes={"Bert": (10, 10), "Cleo": (10, 10, 10, 20)}, treasury=100
    )
    state = in_phase(brewery_turn(state, "DUB"), "5")
    for step in ("start", "income"):
        early = replace(state, agenda=(*state.agenda[:-1], replace(state.agenda[-1], step=step, income=10)))
        assert refused(FOUR, early, 0, ForcePurchase("display", "5")).code == "no_duty_to_buy"


@pytest.mark.rule("DO-FORCED-02")
def test_no_more_than_necessary():
    state = corporation(position(4, phase="4"), "DHB", 60, sizes={"Ada": (10,) * 5, "pool": ()}, treasury=290)
    state = in_phase(turn(state, "DHB", "trains", used=(Once.DEAL,)), "4")
    state = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    assert {a.percent for a in choices(FOUR, state, 0, ForcedSale)} == {10, 20}
    after = act(FOUR, state, 0, ForcedSale(10)).state
    assert after.companies["DHB"].percent(CHARTER) == 20
    assert after.companies["DHB"].trains == ("4",)
    after = act(FOUR, state, 0, ForcedSale(20)).state
    assert after.companies["DHB"].percent(CHARTER) == 10


@pytest.mark.rule("DO-FORCED-03")
def test_the_directors_own_certificates():
    state = short(0, value=100, stock=0, cash=0, own=2, bert=3)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    cme = after.companies["CME"]
    assert (cme.percent(0), cme.director, after.price("CME")) == (30, 0, 90)
    assert after.players[0].loans == 200
    assert cme.trains == ("4",)


@pytest.mark.rule("DO-FORCED-04", "DO-FORCED-06")
def test_credit_covers_a_forced_purchase():
    state = short(200, stock=0, cash=30, bert=3, own=1)
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    assert (after.players[0].loans, after.players[0].cash, after.companies["CME"].trains) == (70, 0, ("4",))
    assert total(after) == total(state)
    assert next(row for row in standings(after) if row.seat == 0).deducted == 140
    again = replace(after, players=(replace(after.players[0], loans=100), *after.players[1:]))
    assert next(row for row in standings(again) if row.seat == 0).deducted == 200


@pytest.mark.rule("DO-FORCED-05")
def test_the_cheapest_or_one_of_pool():
    count = FOUR.sheet.trains["6"].count
    state = turn(
        corporation(position(4, phase="6"), "CME", sizes={"Bert": (10,) * 2, "Cleo": (10,) * 6}), "CME", "trains"
    )
    state = pooled(display(state, t2=0, t3=0, t4=0, t5=0, t6=count - 2), ("5", "BME"))
    offered = {(a.source, a.card) for a in choices(FOUR, state, 0, ForcePurchase)}
    assert offered == {("display", "6"), ("pool", "5")}
    assert refused(FOUR, state, 0, ForcePurchase("display", "8")).rule == "DO-FORCED-05"
    after = act(FOUR, state, 0, ForcePurchase("pool", "5")).state
    assert (after.companies["CME"].trains, after.players[0].cash) == (("5",), 550)
    rich = with_company(state, "CME", treasury=900)
    assert refused(FOUR, rich, 0, ForcePurchase("display", "6")).code == "can_still_pay"
    assert act(FOUR, rich, 0, new("8"))


@pytest.mark.rule("DO-FORCED-06")
def test_forced_sale_may_close_the_corporation():
    state = short(0, value=10, stock=2, pool=4, bert=2)
    state = replace(state, agenda=(*state.agenda[:-1], replace(state.agenda[-1], used=(Once.DEAL,))))
    after = act(FOUR, state, 0, ForcePurchase("display", "4")).state
    assert not after.companies["CME"].founded
    assert after.players[0].cash == 1000
    assert after.depot.display["4"] == state.depot.display["4"]
    assert not any(isinstance(f, Forced) for f in after.agenda)


def brewery_turn(state, name):
    return replace(
        state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2, acted=(name,), stage="turns"), BreweryTurn(name, "buy"))
    )


@pytest.mark.rule("DO-FORCED-07", "DO-BEC-12")
def test_a_brewery_corporation_must_get_equipment():
    sizes = {"Bert": (10, 10), "Cleo": (10, 10, 10, 20)}
    state = corporation(position(4, phase="5"), "DUB", 80, sizes=sizes, treasury=100)
    state = with_cash(in_phase(brewery_turn(state, "DUB"), "5"), Ada=400)
    done = act(FOUR, state, 0, ForcePurchase("display", "5"))
    after = done.state
    assert CardTaken("DUB", "5") in done.events
    assert (after.players[0].cash, after.companies["DUB"].treasury) == (50, 0)
    owns = equipment(state, "DUB", "4")
    assert refused(FOUR, owns, 0, ForcePurchase("display", "5")).code == "no_duty_to_buy"
    count = FOUR.sheet.trains["6"].count
    dear = display(with_company(state, "DUB", treasury=820), t5=0, t6=count - 2)
    assert refused(FOUR, dear, 0, ForcePurchase("display", "6")).code == "can_still_pay"
    assert act(FOUR, dear, 0, BuyBec("8"))


# Phases


@pytest.mark.rule("DO-PHASE-01")
def test_first_card_of_type_begins_phase():
    state = display(buying(), t2=0, t3=1)
    state = replace(state, phase="3", depot=replace(state.depot, sold=("2", "3")))
    after = act(FOUR, state, 0, new("3")).state
    assert after.phase == "3"
    dub = corporation(position(4, phase="3"), "DUB", 80, treasury=500)
    dub = equipment(dub, "DUB", "3")
    dub = display(brewery_turn(dub, "DUB"), t2=0, t3=0)
    assert act(FOUR, dub, 0, BuyBec("4")).state.phase == "4"


@pytest.mark.rule("DO-PHASE-02", "DO-PHASE-05")
def test_order_of_the_effects():
    state = display(buying(phase="3", trains=("2", "3")), t2=0, t3=0)
    after = act(FOUR, state, 0, new("4")).state
    assert (after.companies["CME"].trains, isinstance(after.agenda[-1], TooManyTrains)) == (("3", "4"), False)
    both = display(buying(phase="3", trains=("3", "3", "3"), others=()), t2=0, t3=0)
    both = equipment(minor(both, 1, "B6"), "B6", "2", "2", "1")
    both = beer(both, s1=(2, 1), stock=0)
    after = act(FOUR, both, 0, new("4")).state
    assert do_state(after).segments[1].closed
    assert do_state(after).stock == 3
    assert isinstance(after.agenda[-1], TooManyTrains)  # trains before equipment
    after = act(FOUR, after, 0, DiscardTrain("CME", "3")).state
    assert isinstance(after.agenda[-1], TooManyBecs)
    assert after.agenda[-1].breweries == ("B6",)
    bec = charter(after, "B6").becs[0]
    after = act(FOUR, after, 1, DiscardBec("B6", bec.number)).state
    assert [b.kind for b in charter(after, "B6").becs] == ["2", "1"]


@pytest.mark.rule("DO-PHASE-04", "DO-MARKET-11")
def test_phase_3_opens_its_segment():
    state = display(buying(), t2=0)
    after = act(FOUR, state, 0, new("3")).state
    segment = do_state(after).segments[3]
    assert (after.phase, segment.closed, segment.demand) == ("3", False, (0, 0))
    assert after.current_phase.tiles == ("yellow", "green")


@pytest.mark.rule("DO-PHASE-06", "DO-PHASE-07", "DO-PHASE-08", "DO-MARKET-12", "DO-MARKET-13")
def test_segments_and_price_box():
    five = display(buying(phase="4"), t2=0, t3=0, t4=0)
    five = beer(five, s2=(2, 1), stock=0, c4=False)
    after = act(FOUR, five, 0, new("5")).state
    assert (do_state(after).segments[2].closed, do_state(after).segments[5].closed, do_state(after).stock) == (
        True,
        False,
        3,
    )
    six = display(buying(phase="5"), t2=0, t3=0, t4=0, t5=0)
    after = act(FOUR, six, 0, new("6")).state
    assert (do_state(after).segments[6].closed, do_state(after).price_box) == (False, 6)
    eight = beer(first_eight(others=()), s3=(2, 3), stock=1, price_box=6)
    after = act(FOUR, eight, 0, new("8")).state
    assert (do_state(after).stock, do_state(after).price_box, do_state(after).segments[3].closed) == (12, 0, True)
    early = rules(4, export_box_release=6)
    assert do_state(act(early, six, 0, new("6")).state).price_box == 0


# End


@pytest.mark.rule("DO-END-02", "DO-END-04")
def test_score_sums_up_all_holdings():
    state = corporation(position(4, cash=900), "CME", 160, 0, sizes={"Ada": (10, 10)}, treasury=500)
    state = corporation(state, "DUB", 115, 0)
    state = minor(state, 0, "B4", 99, ("2",))
    state = replace(state, players=(replace(state.players[0], loans=70), *state.players[1:]))
    row = next(row for row in standings(state) if row.seat == 0)
    assert row.total == 900 + 640 + 345 + 120 - 140 == 1865


@pytest.mark.rule("DO-END-03")
def test_equal_scores_share_the_victory():
    rows = standings(position(4, cash=500))
    assert [row.rank for row in rows] == [1, 1, 1, 1]
    rows = standings(with_cash(position(4, cash=500), Bert=501))
    assert [(row.seat, row.rank) for row in rows][:2] == [(1, 1), (0, 2)]


def test_the_order_keeps_its_places():
    state = opening(4)
    assert do_state(state).order == ()
    assert Slot("B4") != Slot("B4", "DUB")
    assert Bec(1, "2") != Bec(1, "2", True)
