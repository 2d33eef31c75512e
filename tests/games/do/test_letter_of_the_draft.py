"""Where the letter of the draft decides: pool and deal in forced purchases, order of discards, tool production."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import number, top
from tests.builders.do_breweries import turn as brewing
from tests.builders.do_expert import hold, table
from tests.builders.do_positions import beer, choices, corporation, display, equipment, minor, position, rules, turn
from tests.builders.random_positions import act, refused
from trajekt.engine.actions import BuyTrain, Pass, Withhold
from trajekt.engine.agenda import awaited, run
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Draft
from trajekt.games.do.actions import BuyBec, Deliver, DiscardBec, ForcePurchase, OwnCertificate, UseEvent
from trajekt.games.do.frames import BreweryRound, BreweryTurn, TooManyBecs
from trajekt.games.do.state import Slot, do_state
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.turn_notes import Once

FOUR = rules(4)
EXPERT = rules(4, game="expert")


def went_on(ruleset, state):
    """The position as it goes on by itself to the next question."""
    draft = Draft(ruleset, state)
    run(draft)
    return draft.state


# Forced purchases


def without_train(treasury):
    """The CME in phase 5 without a train, a type 4 of the BME in the pool; the type 5 costs 450."""
    state = corporation(position(4, "5", 2000), "CME", 60, 0, sizes={"Ada": (10, 10, 10)}, treasury=treasury)
    state = corporation(state, "BME", 60, 1, sizes={"Bert": (10, 10, 10)}, trains=("5",))
    state = display(state, t2=0, t3=0, t4=0)
    state = replace(
        state, depot=replace(state.depot, pool=("4",)), extra=replace(do_state(state), pooled=(("4", "BME"),))
    )
    return turn(state, "CME", "trains", used=(Once.DEAL,))


@pytest.mark.rule("DO-FORCED-05")
def test_nobody_need_buy_from_the_pool():
    state = without_train(320)
    assert BuyTrain("pool", "4", 300) in choices(FOUR, state, 0, BuyTrain)
    assert choices(FOUR, state, 0, ForcePurchase) == [ForcePurchase("display", "5")]
    after = act(FOUR, state, 0, ForcePurchase("display", "5")).state
    assert "4" in after.depot.pool
    no = refused(FOUR, state, 0, ForcePurchase("pool", "4"))
    assert (no.code, no.args["cost"], no.args["money"]) == ("can_still_pay", 300, 320)
    assert refused(FOUR, state, 0, Pass()).rule == "DO-TRAIN-12"


@pytest.mark.rule("DO-FORCED-05")
def test_pool_may_be_taken_in_need():
    assert ForcePurchase("pool", "4") in choices(FOUR, without_train(100), 0, ForcePurchase)
    assert choices(FOUR, without_train(450), 0, ForcePurchase) == []


@pytest.mark.rule("DO-FORCED-07", "DO-TRAIN-13")
def test_a_brewery_need_not_deal_first():
    state = corporation(position(4, "5"), "DUB", 80, 0, sizes={"Ada": (10, 10)}, treasury=400)
    state = display(minor(state, 1, "B4", 0, ("5",)), t2=0, t3=0, t4=0)
    state = replace(
        state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2, ("DUB",), "turns"), BreweryTurn("DUB", "buy"))
    )
    assert act(FOUR, state, 0, ForcePurchase("display", "5"))
    cme = corporation(position(4, "5"), "CME", 80, 0, sizes={"Ada": (10,) * 3}, treasury=100)
    railway = turn(display(cme, t2=0, t3=0, t4=0), "CME", "trains")
    no = refused(FOUR, railway, 0, ForcePurchase("display", "5"))
    assert (no.code, no.rule) == ("deal_first", "DO-TRAIN-13")


# Deals of a brewery before its value falls


@pytest.mark.rule("DO-BREW-02", "DO-ORDER-05")
def test_bare_brewery_asked_before_value_falls():
    state = corporation(position(4, "3"), "DUB", 80, 0, sizes={"Ada": (10, 10)}, operated=False)
    state = minor(equipment(state, "DUB"), 1, "B4", 0, ("2",))
    turns = (Rounds(2, 2, 1), BreweryRound(2, 1, 2, ("DUB",), "turns"), BreweryTurn("DUB"))
    asked = went_on(FOUR, replace(state, agenda=turns))
    assert (top(asked).step, asked.price("DUB")) == ("start", 80)
    dealt = act(FOUR, asked, 0, OwnCertificate("sell", 10)).state
    assert dealt.companies["DUB"].treasury == 80


@pytest.mark.rule("DO-BREW-10")
def test_deliveries_are_no_question():
    """A minor that has nothing to dispose of, load or align is not asked; one with equipment is."""
    bare = brewing(minor(minor(position(4), 0, "B7", 0, ()), 1, "B4", 0, ("2",)), "B7", "")
    assert top(went_on(FOUR, bare)) != BreweryTurn("B7", "start")
    held = brewing(minor(minor(position(4), 0, "B7", 0, ("2",)), 1, "B4", 0, ("2",)), "B7", "")
    asked = went_on(FOUR, held)
    assert top(asked).step == "start"
    assert Deliver() in [choice.action for choice in legal(FOUR, asked, (0,))]


# Above a limit


@pytest.mark.rule("DO-PHASE-02", "DO-ORDER-03")
@pytest.mark.parametrize(
    ("buyer", "seat", "asked"),
    [
        ("CME", 0, ("CME", "BME", "RhE", "KWE")),
        ("KWE", 1, ("KWE", "CME", "BME", "RhE")),
        ("RhE", 3, ("RhE", "KWE", "CME", "BME")),
    ],
)
def test_trains_go_in_order_of_round(buyer, seat, asked):
    """The order of the round stands, whatever the values are by now."""
    state = position(4, "4")
    for name, value, director in (("KWE", 50, 1), ("CME", 80, 0), ("BME", 60, 2), ("RhE", 100, 3)):
        trains = ("3", "4") if name == buyer else ("3", "4", "4")
        sizes = {state.names[director]: (10, 10, 10)}
        state = corporation(state, name, value, director, sizes=sizes, trains=trains, treasury=2000)
    state = display(state, t2=0, t3=0, t4=0)
    order = ("KWE", "CME", "BME", "RhE")
    current = OperatingRound(3, 1, 2, order[: order.index(buyer) + 1], opened=True, order=order)
    state = replace(state, agenda=(Rounds(3, 2, 1), current, CompanyTurn(buyer, "trains")))
    assert act(FOUR, state, seat, BuyTrain("display", "5", 450)).state.top.companies == asked


@pytest.mark.rule("DO-BEC-02", "DO-X-23")
def test_the_owner_chooses_beside_advertised_cube():
    state = minor(position(4, "4", game="expert"), 1, "B4", 1000, ("4",))
    state = equipment(corporation(state, "DUB", 80, 0, sizes={"Ada": (10, 10)}), "DUB", "4", "4", "4")
    extra = do_state(state)
    charters = {**extra.charters, "DUB": replace(extra.charters["DUB"], event="H")}
    events = tuple(letter for letter in extra.events if letter != "H")
    state = replace(state, extra=replace(extra, charters=charters, events=events, order=(Slot("B4"), Slot("DUB"))))
    state = beer(display(state, t2=0, t3=0, t4=0), c1=True, s2=(2, 2), c3=False, s3=(2, 2), c4=False, s4=(4, 3))
    state = went_on(EXPERT, replace(state, agenda=(Rounds(4, 2, 1), BreweryRound(4, 1, 2))))
    first = number(state, "DUB")
    for seat, action in ((0, UseEvent("H", bec=first)), (1, Deliver()), (1, Withhold())):
        state = act(EXPERT, state, seat, action).state
    state = act(EXPERT, state, 1, BuyBec("5")).state
    state = act(EXPERT, state, 1, DiscardBec("B4", number(state, "B4"))).state
    assert isinstance(state.top, TooManyBecs)
    assert awaited(EXPERT, state) == (0,)
    kept = act(EXPERT, state, 0, DiscardBec("DUB", number(state, "DUB", 1))).state
    assert first in [bec.number for bec in do_state(kept).charters["DUB"].becs]


# Tool production


def idle(*held):
    """A brewery in step 3 with these unused pieces, event N and no demand."""
    state = minor(minor(table("4"), 0, "B7", 0, held), 1, "B4", 100, ("5",))
    state = beer(hold(state, "B7", event="N"), c1=True, s2=(0, 0), c3=False, s3=(0, 0), c4=False, s4=(0, 0))
    return brewing(state, "B7", "income")


@pytest.mark.rule("DO-X-29")
def test_tool_production_of_two_pieces():
    state = idle("4", "3")
    four, three = number(state, "B7"), number(state, "B7", 1)
    incomes = {
        (action.bec, action.count, action.other): top(act(EXPERT, state, 0, action).state).income
        for action in choices(EXPERT, state, 0, UseEvent)
    }
    assert incomes == {
        (four, 1, 0): 22,
        (four, 2, 0): 44,
        (three, 1, 0): 15,
        (three, 2, 0): 30,
        (four, 2, three): 37,
    }
    for wrong in ({"other": four}, {"count": 1, "other": three}, {"bec": three, "other": four}):
        action = replace(UseEvent("N", bec=four, count=2), **wrong)
        assert refused(EXPERT, state, 0, action).rule == "DO-X-29"
