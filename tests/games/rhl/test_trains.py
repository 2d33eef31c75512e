"""Buying trains, offers, limits, obsolescence, discards, the duty to own one (sections 13.1 and 13.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, position, refused, with_cash, with_company
from tests.builders.rhl_turns import company, in_turn, ruleset, unsold, with_depot
from trajekt.engine.actions import Accept, BuyTrain, ChooseForcedTrain, Decline, DiscardTrain, OfferEnd, Pass
from trajekt.engine.decisions import awaited, legal
from trajekt.engine.events import Paid, TrainMoved
from trajekt.engine.ruleset import Code, Span
from trajekt.engine.state import BANK, Depot
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.trains import TooManyTrains, TrainOffer, on_display
from trajekt.rules.turn_notes import Declined

EDITIONS = pytest.mark.parametrize("edition", [1, 2])
FULL = {"2": 6, "3": 5, "4": 3, "5": 3, "6": 6, "8": 4}


def buying(edition=2, treasury=0, trains=(), phase="green", depot=None, **others):
    """ADR in its train step; other corporations as `NAME=(director, trains)`."""
    state = replace(unsold(edition, cash=100), phase=phase)
    if depot is not None:
        state = with_depot(state, **depot)
    state = company(state, "ADR", director=0, trains=trains, treasury=treasury)
    for n, (name, (director, owned)) in enumerate(others.items()):
        state = company(state, name, (1, 4 + n), director=director, trains=owned)
    return in_turn(state, "ADR", "trains")


def yellow(edition=2, treasury=0, trains=(), left=6, **others):
    depot = {"display": FULL | {"2": left}, "sold": ("2",)}
    return buying(edition, treasury, trains, "yellow", depot, **others)


def choices(rules, state, seat=0):
    return [c.action for c in legal(rules, state, (seat,)) if not isinstance(c.action, OfferEnd)]


@EDITIONS
@pytest.mark.rule("COMMON-TRN-01")
def test_trains_cost_printed_price(edition):
    rules = ruleset(edition)
    state = with_cash(yellow(edition, 260, ("2",)), Ada=1000)
    decision = act(rules, state, 0, BuyTrain("display", "2", 100))
    assert [e for e in decision.events if isinstance(e, Paid)] == [Paid("ADR", BANK, 100, "train")]
    state = act(rules, decision.state, 0, BuyTrain("display", "2", 100)).state
    assert state.companies["ADR"].trains == ("2", "2", "2")
    assert (state.companies["ADR"].treasury, state.players[0].cash) == (60, 1000)
    if isinstance(state.top, CompanyTurn) and state.top.company == "ADR":
        raise AssertionError("nothing can be bought, so the step is over")


@EDITIONS
@pytest.mark.rule("COMMON-TRN-01")
def test_sixty_mark_buy_no_third_train(edition):
    state = yellow(edition, 60, ("2", "2"), BME=(1, ("2",)))
    found = refused(ruleset(edition), state, 0, BuyTrain("display", "2", 100))
    assert (found.code, found.rule) == (Code.UNAFFORDABLE, "COMMON-TRN-01")


@EDITIONS
@pytest.mark.rule("COMMON-TRN-01")
def test_pool_train_changes_no_phase(edition):
    depot = {"display": {"4": 3, "5": 3, "6": 6, "8": 4}, "pool": ("3",), "sold": ("2", "3")}
    state = buying(edition, 450, ("3",), depot=depot)
    rules = ruleset(edition)
    assert refused(rules, state, 0, BuyTrain("pool", "3", 150)).args["price"] == 200
    state = act(rules, state, 0, BuyTrain("pool", "3", 200)).state
    assert (state.companies["ADR"].treasury, state.depot.pool, state.companies["ADR"].trains) == (250, (), ("3", "3"))
    assert state.phase == "green"


@EDITIONS
@pytest.mark.rule("COMMON-TRN-01")
@pytest.mark.case("B68")
def test_between_corporations_at_least_one_mark(edition):
    state = buying(edition, 300, ("3",), BME=(0, ("3",)))
    found = refused(ruleset(edition), state, 0, BuyTrain("BME", "3", 0))
    assert (found.rule, found.args["least"]) == ("COMMON-TRN-01", 1)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-01")
def test_what_is_not_there_not_sold(edition):
    state = buying(edition, 900, ("3",), BME=(0, ("3",)))
    rules = ruleset(edition)
    for wrong, code in (
        (BuyTrain("BME", "4", 100), Code.NOT_ITS_TRAIN),
        (BuyTrain("ADR", "3", 1), Code.OWN_COMPANY),
        (BuyTrain("pool", "3", 200), Code.NOT_IN_POOL),
        (BuyTrain("moon", "3", 1), Code.NOT_IN_RULESET),
    ):
        assert refused(rules, state, 0, wrong).code == code


@EDITIONS
@pytest.mark.rule("COMMON-TRN-02")
def test_kind_follows_sold_out_kind(edition):
    rules = ruleset(edition)
    state = yellow(edition, 900, left=1)
    found = refused(rules, state, 0, BuyTrain("display", "3", 200))
    assert (found.code, found.rule) == (Code.EARLIER_TRAINS, "COMMON-TRN-02")
    assert found.args["earlier"] == "2"
    assert refused(rules, state, 0, BuyTrain("display", "4", 300)).args["earlier"] == "3"  # not the first that is left
    state = act(rules, state, 0, BuyTrain("display", "2", 100)).state
    assert on_display(state) == ("3",)
    assert act(rules, state, 0, BuyTrain("display", "3", 200)).state.phase == "green"


@pytest.mark.rule("COMMON-TRN-02")
@pytest.mark.case("B31")
@pytest.mark.parametrize(
    ("left", "sold", "offered"),
    [
        ({}, (), ("2",)),
        ({"2": 0}, ("2",), ("3",)),
        ({"2": 0, "3": 0, "4": 1}, ("2", "3", "4"), ("4",)),
        ({"2": 0, "3": 0, "4": 0}, ("2", "3", "4"), ("5",)),
        ({"2": 0, "3": 0, "4": 0, "5": 2}, ("2", "3", "4", "5"), ("5", "6")),
        ({"2": 0, "3": 0, "4": 0, "5": 2, "6": 5}, ("2", "3", "4", "5", "6"), ("5", "6", "8")),
        ({"2": 0, "3": 0, "4": 0, "5": 0, "6": 0}, ("2", "3", "4", "5", "6"), ("8",)),
        ({"2": 0, "3": 0, "4": 0, "5": 0, "6": 0, "8": 0}, ("2", "3", "4", "5", "6", "8"), ()),
    ],
)
def test_which_trains_are_on_sale(left, sold, offered):
    state = replace(position(2), depot=Depot(FULL | left, sold=sold))
    assert on_display(state) == offered


@pytest.mark.rule("RHL-TRN-03")
@pytest.mark.case("B68")
def test_r1_trade_after_first_3_train():
    rules = ruleset(1)
    found = refused(rules, yellow(1, 300, BME=(1, ("2",))), 0, BuyTrain("BME", "2", 50))
    assert (found.code, found.rule) == (Code.AFTER_FIRST_TRAIN, "RHL-TRN-03")
    after = act(rules, buying(1, 300, BME=(1, ("2",))), 0, BuyTrain("BME", "2", 50)).state
    assert after.top == TrainOffer("ADR", "BME", "2", 50)


@pytest.mark.rule("COMMON-TRN-04")
def test_r2_trade_in_every_phase():
    state = yellow(2, 300, BME=(0, ("2",)))
    state = act(ruleset(2), state, 0, BuyTrain("BME", "2", 1)).state
    assert (state.companies["ADR"].trains, state.companies["BME"].trains) == (("2",), ())
    assert (state.companies["ADR"].treasury, state.companies["BME"].treasury) == (299, 1)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-05")
def test_one_director_fixes_any_price(edition):
    rules = ruleset(edition)
    state = buying(edition, 300, ("3",), BME=(0, ("4",)))
    found = refused(rules, state, 0, BuyTrain("BME", "4", 301))
    assert (found.code, found.args) == (Code.UNAFFORDABLE, {"cost": 301, "treasury": 300})
    decision = act(rules, state, 0, BuyTrain("BME", "4", 300))
    assert Paid("ADR", "BME", 300, "train") in decision.events
    assert decision.state.companies["BME"].treasury == 300
    assert decision.state.companies["BME"].trains == ()  # it must buy in its own turn
    spans = {c.action.source: c.spans for c in legal(rules, state, (0,)) if isinstance(c.action, BuyTrain)}
    assert spans["BME"] == {"price": Span(1, 300)}


@EDITIONS
@pytest.mark.rule("COMMON-TRN-05", "COMMON-OR-04")
@pytest.mark.case("B68")
def test_other_director_asked_and_may_decline(edition):
    rules = ruleset(edition)
    state = buying(edition, 300, ("3",), BME=(1, ("3",)), CME=(2, ("3",)))
    asked = act(rules, state, 0, BuyTrain("BME", "3", 70)).state
    assert asked.top == TrainOffer("ADR", "BME", "3", 70)
    assert tuple(awaited(rules, asked)) == (1,)
    assert (asked.companies, asked.bank) == (state.companies, state.bank)
    assert refused(rules, asked, 0, Accept()).code == Code.NOT_DIRECTOR
    assert refused(rules, asked, 0, Pass()).rule == "COMMON-TRN-05"
    assert choices(rules, asked, 1) == [Accept(), Decline()]
    declined = act(rules, asked, 1, Decline()).state
    assert (declined.companies, declined.top.used) == (state.companies, (Declined("BME", "3", 70),))
    assert BuyTrain("BME", "3", 71) in choices(rules, declined)
    agreed = act(rules, asked, 1, Accept()).state
    assert agreed.companies["ADR"].trains == ("3", "3")
    assert (agreed.companies["ADR"].treasury, agreed.companies["BME"].treasury) == (230, 70)
    assert isinstance(agreed.top, CompanyTurn)
    assert (agreed.top.company, agreed.top.bought) == ("ADR", 1)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-05")
def test_consent_is_judged_again(edition):
    rules = ruleset(edition)
    asked = act(rules, buying(edition, 300, ("3",), BME=(1, ("3",))), 0, BuyTrain("BME", "3", 70)).state
    poorer = with_company(asked, "ADR", treasury=60)
    assert refused(rules, poorer, 1, Accept()).code == Code.UNAFFORDABLE
    assert choices(rules, poorer, 1) == [Decline()]


@EDITIONS
@pytest.mark.rule("COMMON-TRN-06")
@pytest.mark.parametrize(
    ("phase", "limit"), [("yellow", 4), ("green", 4), ("green4", 3), ("brown", 2), ("brown6", 2), ("grey", 2)]
)
def test_the_limit_of_each_phase(edition, phase, limit):
    rules = ruleset(edition)
    depot = {"display": {"5": 3, "6": 6, "8": 4}, "sold": ("2", "3", "4", "5")}
    for owned in (limit, limit - 1):
        state = buying(edition, 2000, ("5",) * owned, phase, depot, BME=(0, ("5",)))
        if owned == limit:
            found = refused(rules, state, 0, BuyTrain("BME", "5", 1))
            assert (found.code, found.rule, found.args["limit"]) == (Code.TRAIN_LIMIT, "COMMON-TRN-06", limit)
        else:
            assert len(act(rules, state, 0, BuyTrain("BME", "5", 1)).state.companies["ADR"].trains) == limit


@EDITIONS
@pytest.mark.rule("COMMON-TRN-07")
@pytest.mark.case("B62")
def test_full_means_full(edition):
    rules = ruleset(edition)
    full = buying(edition, 300, ("2", "2", "2", "3"))
    assert refused(rules, full, 0, BuyTrain("display", "4", 300)).code == Code.TRAIN_LIMIT
    room = act(rules, buying(edition, 300, ("2", "2", "3")), 0, BuyTrain("display", "4", 300)).state
    assert room.companies["ADR"].trains == ("3", "4")


@EDITIONS
@pytest.mark.rule("COMMON-TRN-08", "COMMON-PHS-03")
def test_first_4_train_removes_2_trains(edition):
    depot = {"display": {"4": 3, "5": 3, "6": 6, "8": 4}, "pool": ("2", "3"), "sold": ("2", "3")}
    state = buying(edition, 300, ("2", "2", "3"), depot=depot, BME=(1, ("2",)), CME=(2, ("2", "2", "3")))
    decision = act(ruleset(edition), state, 0, BuyTrain("display", "4", 300))
    after = decision.state
    assert [c.trains for c in after.companies.values() if c.trains] == [("3", "4"), ("3",)]
    assert (after.depot.pool, after.depot.gone) == (("3",), ("2",) * 6)
    assert {e.cause for e in decision.events if isinstance(e, TrainMoved) and e.target == "gone"} == {"obsolete"}
    assert [e.amount for e in decision.events if isinstance(e, Paid)] == [300]  # no compensation


@EDITIONS
@pytest.mark.rule("COMMON-TRN-08", "COMMON-PHS-05", "RHL-PHS-06")
@pytest.mark.parametrize(
    ("phase", "kind", "price", "sold", "gone", "stays"),
    [
        ("brown", "6", 600, ("2", "3", "4", "5"), "3", ("4", "5")),
        ("brown6", "8", 800, ("2", "3", "4", "5", "6"), "4", ("5", "6")),
    ],
)
def test_later_obsolescence_reaches_the_pool_too(edition, phase, kind, price, sold, gone, stays):
    depot = {"display": {"5": 1, "6": 6, "8": 4}, "pool": (gone, *stays), "sold": sold}
    state = buying(edition, 800, (gone,), phase, depot, BME=(1, (gone, stays[0])))
    after = act(ruleset(edition), state, 0, BuyTrain("display", kind, price)).state
    assert after.companies["ADR"].trains == (kind,)
    assert after.companies["BME"].trains == (stays[0],)
    assert after.depot.pool == stays


def first_five(edition, trains, **others):
    depot = {"display": {"5": 3, "6": 6, "8": 4}, "sold": ("2", "3", "4")}
    return buying(edition, 600, trains, "green4", depot, **others)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-09")
@pytest.mark.parametrize("given", ["3", "4", "5"])
def test_buyer_gives_up_its_choice(edition, given):
    rules = ruleset(edition)
    state = act(rules, first_five(edition, ("3", "4")), 0, BuyTrain("display", "5", 500)).state
    assert state.top == TooManyTrains(("ADR",))
    assert choices(rules, state) == [DiscardTrain("ADR", kind) for kind in ("3", "4", "5")]
    after = act(rules, state, 0, DiscardTrain("ADR", given)).state
    assert after.depot.pool == (given,)
    assert given not in after.companies["ADR"].trains
    assert after.companies["ADR"].treasury == 100
    assert not any(isinstance(f, TooManyTrains) for f in after.agenda)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-09", "COMMON-PHS-07")
@pytest.mark.case("B60")
def test_operating_company_discards_first(edition):
    rules = ruleset(edition)
    state = first_five(edition, ("3", "4"), BME=(1, ("3", "3", "4")), CME=(2, ("3", "4", "4")))
    state = act(rules, state, 0, BuyTrain("display", "5", 500)).state
    assert state.top == TooManyTrains(("ADR", "CME", "BME"))  # CME stands at 110, BME at 100
    assert tuple(awaited(rules, state)) == (0,)
    assert refused(rules, state, 2, DiscardTrain("CME", "3")).code == Code.NOT_DIRECTOR
    assert refused(rules, state, 0, DiscardTrain("CME", "3")).code == Code.OTHER_COMPANY_FIRST
    assert refused(rules, state, 0, Pass()).code == Code.WRONG_STEP
    assert refused(rules, state, 0, DiscardTrain("ADR", "6")).code == Code.NOT_ITS_TRAIN
    state = act(rules, state, 0, DiscardTrain("ADR", "3")).state
    assert tuple(awaited(rules, state)) == (2,)
    state = act(rules, state, 2, DiscardTrain("CME", "4")).state
    assert tuple(awaited(rules, state)) == (1,)
    state = act(rules, state, 1, DiscardTrain("BME", "3")).state
    assert state.depot.pool == ("3", "3", "4")
    assert isinstance(state.top, CompanyTurn)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-09")
def test_alike_trains_go_without_question(edition):
    state = first_five(edition, ("4",), BME=(1, ("4", "4", "4")))
    after = act(ruleset(edition), state, 0, BuyTrain("display", "5", 500)).state
    assert after.companies["BME"].trains == ("4", "4")
    assert after.depot.pool == ("4",)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-09")
@pytest.mark.case("B60")
def test_obsolescence_leaves_limit_of_three(edition):
    state = buying(edition, 300, ("3",), BME=(1, ("2", "2", "3")))
    after = act(ruleset(edition), state, 0, BuyTrain("display", "4", 300)).state
    assert after.companies["BME"].trains == ("3",)
    assert isinstance(after.top, CompanyTurn)


@EDITIONS
@pytest.mark.rule("COMMON-TRN-09", "COMMON-TRN-10")
def test_nobody_gives_up_train_by_choice(edition):
    rules = ruleset(edition)
    state = buying(edition, 300, ("3",), BME=(1, ("3",)))
    assert refused(rules, state, 0, DiscardTrain("ADR", "3")).code == Code.WRONG_STEP
    assert not [a for a in choices(rules, state) if isinstance(a, DiscardTrain)]


@EDITIONS
@pytest.mark.rule("COMMON-TRN-11")
@pytest.mark.case("B64")
def test_no_route_no_duty(edition):
    rules = ruleset(edition, could=False)
    state = buying(edition, 320)
    assert act(rules, state, 0, Pass()).state.companies["ADR"].trains == ()
    found = refused(rules, state, 0, ChooseForcedTrain("display", "4"))
    assert (found.code, found.rule) == (Code.HAS_NO_DUTY, "COMMON-TRN-11")


@EDITIONS
@pytest.mark.rule("COMMON-TRN-11")
@pytest.mark.case("B48")
def test_route_forces_train_before_leaving(edition):
    rules = ruleset(edition)
    depot = {"display": {"4": 3}, "pool": ("3",), "sold": ("2", "3")}
    state = buying(edition, 320, depot=depot)
    found = refused(rules, state, 0, Pass())
    assert (found.code, found.rule) == (Code.MUST_BUY_TRAIN, "COMMON-TRN-11")
    state = act(rules, state, 0, BuyTrain("pool", "3", 200)).state
    assert "3" in state.companies["ADR"].trains


@EDITIONS
@pytest.mark.rule("COMMON-TRN-11")
def test_nothing_on_sale_no_duty(edition):
    state = buying(edition, 50, depot={"display": {}, "sold": ("2", "3", "4", "5", "6", "8")}, BME=(1, ("5",)))
    after = act(ruleset(edition), state, 0, Pass()).state
    assert after.companies["ADR"].trains == ()


@EDITIONS
@pytest.mark.rule("COMMON-TRN-12")
def test_train_of_another_corporation_meets_duty(edition):
    rules = ruleset(edition)
    state = buying(edition, 150, BME=(1, ("3", "3")))
    assert refused(rules, state, 0, Pass()).code == Code.MUST_BUY_TRAIN
    state = act(rules, state, 0, BuyTrain("BME", "3", 150)).state
    state = act(rules, state, 1, Accept()).state
    assert state.companies["ADR"].trains == ("3",)
    assert state.companies["BME"].treasury == 150


@EDITIONS
@pytest.mark.rule("COMMON-TRN-12")
@pytest.mark.case("B66")
def test_no_help_while_treasury_pays(edition):
    rules = ruleset(edition)
    depot = {"display": {"4": 3}, "pool": ("3",), "sold": ("2", "3")}
    state = with_cash(buying(edition, 250, depot=depot), Ada=500)
    found = refused(rules, state, 0, ChooseForcedTrain("display", "4"))
    assert (found.code, found.rule) == (Code.CAN_STILL_PAY, "COMMON-TRN-12")
    assert [found.args[name] for name in ("train", "cost", "money")] == ["3", 200, 250]
    assert choices(rules, state) == [BuyTrain("pool", "3", 200)]
    poor = with_cash(buying(edition, 150, depot=depot), Ada=500)
    assert choices(rules, poor) == [ChooseForcedTrain("display", "4"), ChooseForcedTrain("pool", "3")]
