"""Equipment and loads at their edges: what is used and what is not, limits, purchases, the whole brewery round."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import ended, export, kinds, number, small, top, turn
from tests.builders.do_positions import (
    beer,
    corporation,
    display,
    do_state,
    equipment,
    loaded,
    minor,
    position,
    rules,
    station,
    tiles,
)
from tests.builders.random_positions import act, refused, with_cash
from trajekt.engine.actions import Pass, PayOut, Withhold
from trajekt.engine.agenda import run, settle
from trajekt.engine.events import PhaseBegan, TrainMoved
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import DISPLAY, GONE
from trajekt.games.do.actions import BuyBec, Deliver, DisposeBec, LoadTrain
from trajekt.games.do.beer_cubes import close_segment
from trajekt.games.do.brewery_equipment import must_buy, remove_without_demand
from trajekt.games.do.events import CardTaken
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.games.do.state import Load, cubes
from trajekt.rules.round_sequence import Rounds

FOUR = rules()


def went_on(state, ruleset=FOUR):
    draft = Draft(ruleset, state)
    run(draft)
    return draft.state


def idle_marks(state, brewery="B7"):
    return [bec.idle for bec in do_state(state).charters[brewery].becs]


# Cubes of the market


@pytest.mark.rule("DO-MARKET-12")
def test_late_delivery_goes_to_stock():
    state = beer(position(4, phase="4"), s1=(2, 1), stock=3)
    state = beer(state, d1=(2, 1))
    draft = Draft(FOUR, state)
    close_segment(draft, 1, "phase")
    market = do_state(draft.state)
    assert (market.segments[1].demand, market.segments[1].supply, market.stock) == ((0, 0), (0, 0), 9)


@pytest.mark.rule("DO-BANKR-02", "DO-BEERTRANSPORT-05")
def test_of_equal_loaded_trains_emptiest_leaves():
    state = loaded(corporation(position(4, phase="6"), "CME", trains=("6", "6")), "CME", ("6", 1), ("6", 2))
    stock = do_state(state).stock
    draft = Draft(FOUR, state)
    draft.emit(TrainMoved("6", "CME", GONE, "limit"))
    settle(draft, 0)
    assert do_state(draft.state).loads == {"CME": (Load("6", 2),)}
    assert do_state(draft.state).stock == stock + 1


# Deliveries


@pytest.mark.rule("DO-BREW-11", "DO-BEC-04")
def test_among_equals_one_held_longest_delivers():
    state = small("2", "2", s2=(2, 0), s1=(0, 0))
    after = act(FOUR, state, 0, Deliver()).state
    after = ended(act(FOUR, after, 0, Withhold()).state)
    assert idle_marks(after) == [False, True]


@pytest.mark.rule("DO-BREW-20", "DO-BEC-04")
def test_an_exported_square_is_used():
    state = beer(export(), stock=5, s5=(9, 0), s4=(0, 0), s3=(0, 0))
    after = act(FOUR, state, 0, LoadTrain("KWE", "5", 0, number(state, "B7"), 1)).state
    assert do_state(after).segments[5].supply == (2, 0)  # of three squares, delivered without a question
    alone = beer(export(), stock=5, s5=(0, 0), s4=(0, 0), s3=(0, 0))
    after = act(FOUR, alone, 0, LoadTrain("KWE", "5", 0, number(alone, "B7"), 1)).state
    assert (top(after).step, top(after).income) == ("income", 100)
    assert idle_marks(act(FOUR, after, 0, Withhold()).state) == [False]


@pytest.mark.rule("DO-BREW-34")
@pytest.mark.parametrize(("income", "value"), [(64, 65), (68, 65), (69, 65), (70, 70)])
def test_the_value_moves_by_rounded_sum(income, value):
    state = equipment(corporation(position(4, "3"), "DUB", 65, sizes={"Ada": (10,)}), "DUB", "3")
    state = turn(minor(state, 1, "B4", 0, ("5",)), "DUB", "income", income=income)
    assert act(FOUR, state, 0, PayOut()).state.price("DUB") == value


@pytest.mark.rule("DO-BREW-01", "DO-BREW-31")
def test_income_used_once_and_must_be():
    state = small("2", "2", s2=(2, 0))
    after = act(FOUR, state, 0, Deliver()).state
    assert refused(FOUR, after, 0, Pass()).code == "wrong_step"
    paid = act(FOUR, turn(after, "B7", "income", income=40), 0, PayOut()).state
    bought = turn(paid, "B7", "buy", income=40)
    assert refused(FOUR, bought, 0, PayOut()).code == "wrong_step"
    assert refused(FOUR, bought, 0, Withhold()).code == "wrong_step"
    assert refused(FOUR, turn(paid, "B7", "income"), 0, PayOut()).code == "no_income"


# Idle equipment


@pytest.mark.rule("DO-BEC-05")
def test_new_purchase_is_not_idle():
    state = display(small("2", s2=(2, 0), treasury=300), t2=3)
    after = act(FOUR, state, 0, Deliver()).state
    after = act(FOUR, after, 0, Withhold()).state
    after = act(FOUR, after, 0, BuyBec("2")).state
    assert idle_marks(ended(after)) == [False, False]


@pytest.mark.rule("DO-BEC-03")
def test_charters_outside_order_are_struck_too():
    state = corporation(position(4, "4"), "DUB", 70, floated=False)
    state = beer(equipment(state, "DUB", "3", "1"), c1=True, c3=False, s3=(1, 0))
    state = replace(state, extra=replace(do_state(state), order=()))
    draft = Draft(FOUR, state)
    remove_without_demand(draft)
    assert kinds(draft.state, "DUB") == ["3"]


# The round


def whole_round(state, *acted, stage=""):
    return replace(state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2, acted, stage)))


@pytest.mark.rule("DO-BEC-03", "DO-BREW-01")
def test_round_begins_with_undemanded_equipment():
    state = beer(minor(position(4, "4"), 0, "B7", 0, ("3", "1")), c1=True, c3=False, s3=(1, 0))
    after = went_on(whole_round(state))
    assert kinds(after, "B7") == ["3"]
    assert (top(after).brewery, top(after).step) == ("B7", "start")


@pytest.mark.rule("DO-BREW-01", "DO-ORDER-10", "DO-MARKET-01")
def test_order_and_clearing_follow_last_turn():
    state = minor(minor(position(4), 0, "B7", 0, ("1",)), 1, "B4", 0, ("2",))
    state = beer(state, s1=(2, 0), s2=(2, 0), stock=0)
    after = went_on(whole_round(beer(state, d2=(2, 0)), "B7", "B4", stage="turns"))
    assert [slot.brewery for slot in do_state(after).order] == ["B4", "B7"]
    # 4 cubes of demand to Stock, 2 regular; 3 new ones for segment 2, the rest for segment 1, which is closed below it
    found = do_state(after)
    assert (found.segments[2].demand, found.segments[1].closed, found.stock) == ((2, 3), True, 1)


@pytest.mark.rule("DO-BREW-01", "DO-SR-14")
def test_corporation_has_acted_after_first_turn():
    state = equipment(corporation(position(4, "3"), "DUB", 65, operated=False), "DUB", "3")
    state = turn(minor(state, 1, "B4", 0, ("5",)), "DUB", "buy")
    after = act(FOUR, state, 0, Pass()).state if top(went_on(state)) == top(state) else went_on(state)
    assert after.companies["DUB"].operated


# Disposal, purchase


@pytest.mark.rule("DO-BEC-01")
def test_no_disposal_once_something_is_loaded():
    state = export(held=("5", "5"))
    loading = act(FOUR, state, 0, LoadTrain("KWE", "5", 0, number(state, "B7"), 1)).state
    assert refused(FOUR, loading, 0, DisposeBec(number(state, "B7", 1))).code == "wrong_step"
    assert act(FOUR, state, 0, DisposeBec(number(state, "B7", 1)))


@pytest.mark.rule("DO-BEC-10")
def test_type_2_then_3_is_refused():
    state = turn(display(small("2", treasury=900), t2=0), "B7", "buy", bought=1)
    refusal = refused(FOUR, state, 0, BuyBec("3"))
    assert (refusal.code, refusal.rule) == ("purchases_done", "DO-BEC-10")
    assert act(FOUR, turn(state, "B7", "buy"), 0, BuyBec("3"))


@pytest.mark.rule("DO-BEC-11", "DO-BEC-14")
def test_help_for_minors_and_from_cash():
    state = display(small("4", phase="5", treasury=300), t2=0, t3=0, t4=0)
    state = turn(state, "B7", "buy")
    state = replace(state, extra=replace(do_state(state), charters={}))
    assert act(FOUR, with_cash(state, Ada=150), 0, BuyBec("5", True)).state.players[0].cash == 0
    assert refused(FOUR, with_cash(state, Ada=149), 0, BuyBec("5", True)).code == "unaffordable"
    large = equipment(corporation(position(4, "5"), "DUB", 80, treasury=400), "DUB", "4")
    large = turn(display(minor(large, 1, "B4", 0, ("5",)), t2=0, t3=0, t4=0), "DUB", "buy")
    refusal = refused(FOUR, large, 0, BuyBec("5", True))
    assert (refusal.code, refusal.rule) == ("help_for_minors", "DO-BEC-14")


@pytest.mark.rule("DO-BEC-13")
def test_later_money_makes_no_duty():
    state = small("2", treasury=900)
    state = replace(state, extra=replace(do_state(state), charters={}))
    assert must_buy(state, BreweryTurn("B7", "buy"))
    assert not must_buy(state, BreweryTurn("B7", "after"))


# Loading


@pytest.mark.rule("DO-BREW-20")
def test_after_the_deliveries_step_is_over():
    state = export()
    delivered = act(FOUR, state, 0, Deliver()).state
    load = LoadTrain("KWE", "5", 0, number(state, "B7"), 1)
    assert refused(FOUR, delivered, 0, load).code == "wrong_step"


@pytest.mark.rule("DO-BREW-23", "DO-BEERTRANSPORT-01")
def test_a_full_train_takes_no_more():
    state = export(held=("5", "5"), trains=("5", "5"))
    first = act(FOUR, state, 0, LoadTrain("KWE", "5", 0, number(state, "B7"), 1)).state
    more = LoadTrain("KWE", "5", 1, number(state, "B7", 1), 1)
    assert refused(FOUR, first, 0, more).code == "no_loading_space"
    assert act(FOUR, first, 0, replace(more, cubes=0))
    assert refused(FOUR, first, 0, replace(more, cubes=2)).code == "no_such_train"


def away(company, trains, phase="5", **laid):
    """A brewery with a type 5 and a railway of its owner."""
    state = corporation(position(4, phase=phase), company, 60, 0, trains=trains)
    state = minor(tiles(state, **laid), 0, "B7", 0, ("5",))
    return turn(beer(state, stock=5, c1=True, c2=True, c5=False, s5=(2, 0)), "B7")


@pytest.mark.rule("DO-BREW-21")
def test_way_needs_city_and_red_destination():
    short = away("KWE", ("5",), E19="4K 1", E17="8 2")  # to the mill of D16 only
    assert refused(FOUR, short, 0, LoadTrain("KWE", "5", 0, number(short, "B7"), 1)).code == "no_beer_route"
    inner = station(away("CME", ("5",), D14="8 4"), D16="CME")  # the City, and no red destination
    assert refused(FOUR, inner, 0, LoadTrain("CME", "5", 0, number(inner, "B7"), 1)).code == "no_beer_route"
    whole = away("KWE", ("5",), E19="4K 1", E17="8 2", D14="8 4")
    after = act(FOUR, whole, 0, LoadTrain("KWE", "5", 0, number(whole, "B7"), 1)).state
    assert cubes(after) == cubes(whole)
    four = turn(corporation(whole, "KWE", 60, 0, trains=("4",)), "B7")
    assert refused(FOUR, four, 0, LoadTrain("KWE", "4", 0, number(four, "B7"), 1)).code == "no_loading_space"


@pytest.mark.rule("DO-PHASE-01", "DO-PHASE-02")
def test_phase_begins_with_card_of_display():
    draft = Draft(FOUR, display(position(4, phase="3"), t2=0, t3=0))
    draft.emit(TrainMoved("4", DISPLAY, GONE, "link"))
    settle(draft, 0)
    assert draft.state.phase == "4"
    assert [e.phase for e in draft.events if isinstance(e, PhaseBegan)] == ["4"]
    again = Draft(FOUR, draft.state)
    again.emit(CardTaken("B7", "4"))
    settle(again, 0)
    assert not [e for e in again.events if isinstance(e, PhaseBegan)]
