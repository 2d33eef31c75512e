"""The Expert Game at its edges: what a marker takes the place of, what goes back, how each event is refused (DO-X)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import number, top, turn
from tests.builders.do_expert import codes, earning, export, game, hold, large, shown, small, table
from tests.builders.do_positions import beer, corporation, do_state, equipment, minor, stock, with_advertised
from tests.builders.do_positions import turn as rail
from tests.builders.random_positions import act, refused, with_cash
from trajekt.engine.actions import BuyTrain, Pass, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import CHARTER, POOL
from trajekt.games.do import capital_expenditure_markers
from trajekt.games.do.actions import (
    AlignBottlingLine,
    BuyBec,
    BuyMarker,
    Deliver,
    DiscardMarker,
    DisposeBec,
    LoadTrain,
    OwnCertificate,
    SellCertificates,
    TakeEvent,
    TradeIn,
    UseEvent,
)
from trajekt.games.do.frames import Advertise, BreweryRound, Delivered, FirstMarkers, Marketing, TooManyMarkers, Used
from trajekt.games.do.observation import own_facts
from trajekt.games.do.state import Advertised, EventInUse, Marker, Slot, breweries, cubes
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.turn_notes import Once

GAME = game()


def went_on(state):
    draft = Draft(GAME, state)
    run(draft)
    return draft.state


def changed(state, **values):
    """The turn on top with other values."""
    return replace(state, agenda=(*state.agenda[:-1], replace(top(state), **values)))


def event_of(state, brewery):
    return do_state(state).charters[brewery].event


# Markers as purchases


@pytest.mark.rule("DO-X-03")
def test_a_marker_counts_among_the_purchases():
    state = small("2", treasury=500, step="buy")
    marked = act(GAME, state, 0, BuyMarker("A1", "display", 30)).state
    assert top(marked).markers == 1
    assert refused(GAME, marked, 0, BuyMarker("A1", "display", 30, "A1")).rule == "DO-X-03"
    both = act(GAME, marked, 0, BuyBec("2")).state
    third = turn(hold(both, "B7"), "B7", "buy", bought=1, markers=1)
    assert refused(GAME, third, 0, BuyBec("2")).rule == "DO-BEC-10"
    late = turn(small("2", phase="3", treasury=500, step="buy"), "B7", "buy", markers=1)
    assert refused(GAME, shown(late, "3"), 0, BuyBec("3")).rule == "DO-BEC-10"


@pytest.mark.rule("DO-BEC-12", "DO-X-03")
def test_needed_equipment_comes_before_marker():
    state = shown(large(phase="3", treasury=500), "3")
    assert refused(GAME, state, 0, BuyMarker("A1", "display", 30)).rule == "DO-BEC-12"
    assert act(GAME, shown(large("3", phase="3", treasury=500), "3"), 0, BuyMarker("A1", "display", 30))
    assert refused(GAME, state, 0, TakeEvent("G")).code == "must_get_equipment"
    assert refused(GAME, small("2", treasury=500), 0, BuyMarker("A1", "display", 30)).code == "wrong_step"


@pytest.mark.rule("DO-X-01", "DO-X-02")
def test_the_display_may_be_empty():
    state = small("2", treasury=100, step="buy")
    extra = do_state(state)
    state = replace(state, extra=replace(extra, markers={**extra.markers, "A1": 0}))
    assert refused(GAME, state, 0, BuyMarker("A1", "display", 30)).rule == "DO-X-01"
    assert refused(GAME, state, 0, BuyMarker("Z9", "display", 30)).code == "no_such_marker"


@pytest.mark.rule("DO-X-04")
def test_only_who_full_gives_marker_back():
    room = large("3", markers=("A1",))
    assert refused(GAME, room, 0, BuyMarker("A1", "display", 30, "A1")).rule == "DO-X-04"
    full = small("2", phase="3", treasury=100, step="buy", markers=("A1",))
    assert refused(GAME, full, 0, BuyMarker("A2", "display", 60, "B2")).rule == "DO-X-04"
    three = large("3", markers=("A1", "A1"))
    assert refused(GAME, three, 0, BuyMarker("A2", "display", 60)).rule == "DO-X-04"


@pytest.mark.rule("DO-X-11")
def test_beer_wagon_takes_place_of_train():
    state = rail(corporation(table("5"), "CME", 60, trains=("5",), treasury=900), "CME", "trains")
    state = shown(state, "5")
    bought = act(GAME, state, 0, BuyMarker("C", "display", 100)).state
    assert "wagon" in top(bought).used
    pool = replace(bought, depot=replace(bought.depot, pool=("5",)))
    pool = replace(pool, extra=replace(do_state(pool), pooled=(("5", "BME"),)))
    pool = corporation(pool, "BME", 60, 0, trains=("5", "5"))
    for train in (BuyTrain("display", "5", 450), BuyTrain("pool", "5", 450), BuyTrain("BME", "5", 1)):
        assert refused(GAME, pool, 0, train).rule == "DO-X-11"
    assert refused(GAME, bought, 0, BuyMarker("C", "display", 100, "C")).rule == "DO-X-11"
    trained = changed(state, bought=1)
    assert refused(GAME, trained, 0, BuyMarker("C", "display", 100)).rule == "DO-X-11"
    early = rail(state, "CME", "link")
    assert refused(GAME, early, 0, BuyMarker("C", "display", 100)).code == "wrong_step"


@pytest.mark.rule("DO-X-13")
def test_one_marker_each_by_minor_order():
    state = minor(minor(table(), 0, "B7"), 1, "B4")
    state = hold(with_cash(state, Ada=30, Bert=100), "B7", "A2")
    state = replace(state, agenda=(Rounds(1), FirstMarkers(("B4", "B7"))))
    assert refused(GAME, state, 1, BuyMarker("A2", "B7", 60)).code == "from_display_only"
    state = hold(state, "B7")
    after = act(GAME, state, 1, BuyMarker("A1", "display", 30)).state
    assert top(after) == FirstMarkers(("B7",))
    passed = act(GAME, state, 1, Pass()).state
    assert top(passed) == FirstMarkers(("B7",))
    poor = with_cash(replace(state, agenda=(Rounds(1), FirstMarkers(("B7",)))), Ada=29)
    assert not any(isinstance(frame, FirstMarkers) for frame in went_on(poor).agenda)


# Bottling lines, and what is too much


@pytest.mark.rule("DO-X-09")
def test_lines_are_aligned_at_beginning_only():
    state = small("2", "2", "2", markers=("B2",), phase="3")
    align = AlignBottlingLine("B2", 0, number(state, "B7", 2))
    gone = act(GAME, state, 0, DisposeBec(number(state, "B7"))).state
    assert refused(GAME, gone, 0, align).code == "wrong_step"
    pub = small("2", markers=("A1",), phase="3")
    assert refused(GAME, pub, 0, AlignBottlingLine("A1", 0, number(pub, "B7"))).code == "no_bottling_line"
    assert refused(GAME, state, 0, replace(align, source=9)).code == "no_bottling_line"
    assert refused(GAME, state, 0, replace(align, target=999)).code == "no_equipment"


@pytest.mark.rule("DO-X-09", "DO-X-30")
def test_line_pays_for_own_piece_only():
    state = small("2", "2", markers=("B2",), phase="3", s2=(4, 0), s1=(0, 0))
    aligned = act(GAME, state, 0, AlignBottlingLine("B2", 0, number(state, "B7"))).state
    assert top(act(GAME, aligned, 0, Deliver()).state).income == 4 * 20 + 2 * 5
    shift = earning("3", letter="O", c3=False, stock=4)
    extra = do_state(shift)
    lined = replace(extra.charters["B7"], markers=(Marker("B2", number(shift, "B7")),))
    shift = replace(shift, extra=replace(extra, charters={**extra.charters, "B7": lined}))
    assert top(act(GAME, shift, 0, UseEvent("O", bec=number(shift, "B7"))).state).income == 30 + 15 + 5


@pytest.mark.rule("DO-X-07")
def test_markers_above_the_places_go_back():
    state = hold(hold(large("3"), "DUB", "A1", "A2"), "B4", "B2")
    draft = Draft(GAME, state)
    capital_expenditure_markers.hand_over(draft, "B4", "DUB")
    assert codes(draft.state, "DUB") == ["A1", "A2", "B2"]
    assert top(draft.state) == TooManyMarkers("DUB")
    assert refused(GAME, draft.state, 0, DiscardMarker("DUB", "A3")).code == "these_go_back"
    after = act(GAME, draft.state, 0, DiscardMarker("DUB", "B2")).state
    assert codes(after, "DUB") == ["A1", "A2"]
    alike = Draft(GAME, hold(hold(large("3"), "DUB", "A1", "A1"), "B4", "A1"))
    capital_expenditure_markers.hand_over(alike, "B4", "DUB")
    run(alike)
    assert codes(alike.state, "DUB") == ["A1", "A1"]
    assert not isinstance(top(alike.state), TooManyMarkers)


@pytest.mark.rule("DO-X-21")
def test_one_of_two_events_goes_back():
    state = hold(hold(large("3"), "DUB", "A1", event="G"), "B4", event="K")
    draft = Draft(GAME, state)
    capital_expenditure_markers.hand_over(draft, "B4", "DUB")
    assert refused(GAME, draft.state, 0, DiscardMarker("DUB", "A1")).code == "these_go_back"
    after = act(GAME, draft.state, 0, DiscardMarker("DUB", "K")).state
    assert event_of(after, "DUB") == "G"
    assert "K" in do_state(after).events


# Events


@pytest.mark.rule("DO-X-20", "DO-X-21")
def test_one_event_in_a_turn():
    state = small("2", step="buy", treasury=0)
    taken = act(GAME, state, 0, TakeEvent("G")).state
    assert event_of(taken, "B7") == "G"
    assert (top(taken).brewery, top(taken).step) in (("B7", "after"), ("B4", "start"))
    again = hold(turn(taken, "B7", "after"), "B7", event="G")
    assert refused(GAME, again, 0, TakeEvent("K")).code == "wrong_step"
    assert refused(GAME, again, 0, BuyBec("2")).code == "wrong_step"


@pytest.mark.rule("DO-X-21")
def test_used_event_is_away_until_end():
    state = small("2", step="buy", event="G")
    used = act(GAME, state, 0, UseEvent("G")).state
    assert "G" not in do_state(used).events
    assert [name for name, value in own_facts(used) if value and name.endswith("used in this turn")] == [
        "event G used in this turn"
    ]
    over = act(GAME, used, 0, Pass()).state if top(used).brewery == "B7" else used
    assert "G" in do_state(over).events
    assert do_state(over).used == ()
    left = replace(state, extra=replace(do_state(used), used=(EventInUse("DUB", "G"),)))
    left = went_on(replace(left, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2, ("B7", "B4"), "ordered"))))
    assert "G" in do_state(left).events  # also where its brewery is bankrupt


@pytest.mark.rule("DO-X-22", "DO-X-21")
def test_nothing_else_is_said_with_event():
    state = small("2", event="G")
    assert refused(GAME, state, 0, UseEvent("G", bec=number(state, "B7"))).code == "event_fields"
    assert refused(GAME, state, 0, UseEvent("K", segment=2)).code == "event_not_held"
    assert refused(GAME, small("2", event="H"), 0, UseEvent("H", bec=1)).code == "event_at_other_time"


@pytest.mark.rule("DO-X-08", "DO-X-23", "DO-X-32")
def test_round_begins_with_pubs_and_advertising():
    state = beer(hold(small("2"), "B7", "A1", event="H"), s2=(2, 0))
    state = replace(state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2)))
    begun = went_on(state)
    assert begun.aside["B7"] == 5
    assert top(begun) == Advertise("B7")
    assert top(act(GAME, begun, 0, Pass()).state).brewery == "B7"
    dry = went_on(beer(state, s1=(0, 0), s2=(0, 0)))
    assert not isinstance(top(dry), Advertise)
    unfloated = hold(corporation(table("5"), "KRO", 80, floated=False), "KRO", "A1")
    draft = Draft(GAME, unfloated)
    capital_expenditure_markers.pay_pubs(draft)
    assert draft.state.companies["KRO"].treasury == 0


@pytest.mark.rule("DO-X-23")
def test_advertised_cube_takes_a_square():
    state = small("1", "1", s1=(3, 1), s2=(0, 0))
    kept = with_advertised(state, Advertised("B7", number(state, "B7"), 1, 1))
    after = act(GAME, kept, 0, Deliver()).state
    # the new customer's 10, and one regular of the other piece
    assert (top(after).income, do_state(after).segments[1].supply) == (25, (1, 1))
    assert cubes(after) == cubes(kept)
    shut = with_advertised(beer(state, c1=True, s2=(1, 0)), Advertised("B7", number(state, "B7"), 1, 0))
    stock = do_state(shut).stock
    after = act(GAME, shut, 0, Deliver()).state
    assert do_state(after).stock == stock + 1
    assert do_state(after).advertised is None
    assert top(after).income == 0


@pytest.mark.rule("DO-X-24")
def test_one_unused_piece_is_turned_aside():
    state = small("2", "2", event="I", s2=(4, 0), s1=(0, 0))
    first = act(GAME, state, 0, UseEvent("I", bec=number(state, "B7"))).state
    assert refused(GAME, first, 0, UseEvent("I", bec=number(state, "B7", 1))).code == "one_aside"
    assert top(act(GAME, first, 0, Deliver()).state).income == 40
    loading = export("5", "5", event="I")
    after = act(GAME, loading, 0, LoadTrain("KWE", "6", 0, number(loading, "B7"), 1)).state
    assert refused(GAME, after, 0, UseEvent("I", bec=number(loading, "B7"))).code == "unused_piece"
    aside = act(GAME, loading, 0, UseEvent("I", bec=number(loading, "B7"))).state
    assert refused(GAME, aside, 0, LoadTrain("KWE", "6", 0, number(loading, "B7"), 1)).code == "no_equipment"


@pytest.mark.rule("DO-X-24", "DO-X-25")
def test_the_event_is_spent_with_piece():
    state = shown(large("4", "3", phase="5", event="I"), "5")
    after = act(GAME, state, 0, BuyBec("5", deal_in=number(state, "DUB", 1))).state
    assert event_of(after, "DUB") == ""
    assert refused(GAME, state, 0, BuyBec("5", upgrade=number(state, "DUB", 1))).code == "event_not_held"
    assert refused(GAME, state, 0, BuyBec("5")).code == "equipment_limit"
    assert refused(GAME, state, 0, BuyBec("5", deal_in=999)).code == "no_equipment"


@pytest.mark.rule("DO-X-26")
def test_premium_beer_by_customers_and_segments():
    state = earning("3", letter="K", delivered=(Delivered(3, 1),), c4=False, s4=(0, 0), c5=False, s5=(0, 2))
    emptied = act(GAME, state, 0, UseEvent("K", segment=3, customers=1)).state
    assert top(emptied).income == 30 + 30 - 20  # segment 4 is open, though nothing lies there
    assert refused(GAME, state, 0, UseEvent("K", segment=3)).code == "cube_of_this_turn"
    shut = beer(state, c4=True, c5=True)
    assert refused(GAME, shut, 0, UseEvent("K", segment=3, customers=1)).code == "no_higher_segment"
    assert refused(GAME, turn(state, "B7", "buy"), 0, UseEvent("K", segment=3, customers=1)).code == "wrong_step"


@pytest.mark.rule("DO-X-27")
def test_marketing_follows_order_and_goes_back():
    state = hold(minor(minor(table(), 0, "B7", 0, ("1",)), 1, "B4", 0, ("2",)), "B7", event="L")
    state = replace(state, extra=replace(do_state(state), order=(Slot("B7"), Slot("B4"))))
    state = replace(state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2, ("B7", "B4"), "turns")))
    asked = went_on(state)
    assert top(asked) == Marketing("B7")
    after = act(GAME, asked, 0, UseEvent("L")).state
    assert breweries(after) == ("B7", "B4")
    assert "L" in do_state(after).events
    first = went_on(hold(hold(state, "B7"), "B4", event="L"))
    assert not isinstance(top(first), Marketing)


@pytest.mark.rule("DO-X-28")
def test_the_investor_replaces_the_deal():
    state = large("3", treasury=0, event="M")
    after = act(GAME, state, 0, UseEvent("M", sizes=(10,))).state
    assert refused(GAME, turn(after, "DUB", "buy", done=(Once.DEAL,)), 0, OwnCertificate("sell", 10)).code == "one_deal"
    assert "deal" in top(after).done
    dealt = changed(state, done=(Once.DEAL,))
    assert refused(GAME, dealt, 0, UseEvent("M", sizes=(10,))).code == "one_deal"
    assert refused(GAME, state, 0, UseEvent("M", sizes=(10, 10, 10))).code == "certificates_sold"
    assert refused(GAME, state, 0, UseEvent("M")).code == "certificates_sold"
    pool = corporation(state, "DUB", 80, sizes={"pool": (10,) * 5})
    assert pool.companies["DUB"].percent(POOL) == 50
    assert refused(GAME, pool, 0, UseEvent("M", sizes=(20,))).code == "pool_limit"
    assert refused(GAME, small("2", event="M"), 0, UseEvent("M", sizes=(10,))).code == "no_own_certificates"


@pytest.mark.rule("DO-X-29")
def test_tool_production_by_squares_and_segments():
    state = earning("3", letter="N", c3=False)
    bec = number(state, "B7")
    assert refused(GAME, state, 0, UseEvent("N", bec=bec, count=3)).code == "squares_named"
    assert refused(GAME, state, 0, UseEvent("N", bec=bec, count=0)).code == "squares_named"
    two = earning("2", letter="N", c2=False)
    full = changed(two, used=(Used(number(two, "B7"), 1),))
    assert refused(GAME, full, 0, UseEvent("N", bec=number(two, "B7"), count=2)).code == "no_capacity"
    shut = beer(state, c3=True)
    assert top(act(GAME, shut, 0, UseEvent("N", bec=bec, count=2)).state).income == 30


@pytest.mark.rule("DO-X-30")
def test_second_shift_counts_as_a_delivery():
    state = earning("4", letter="O", c4=False, stock=2)
    bec = number(state, "B7")
    after = act(GAME, state, 0, UseEvent("O", bec=bec)).state
    assert top(after).income == 30 + 22
    assert [(used.bec, used.dortmund) for used in top(after).used] == [(bec, 1)]
    empty = earning("4", letter="O", c4=False, stock=0, s1=(0, 0), s2=(0, 0))
    assert refused(GAME, empty, 0, UseEvent("O", bec=number(empty, "B7"))).code == "no_cubes"
    assert refused(GAME, turn(state, "B7", "buy"), 0, UseEvent("O", bec=bec)).code == "wrong_step"


@pytest.mark.rule("DO-X-31")
def test_contract_for_one_railway_and_spent():
    state = corporation(export("5", "5", event="P", director=1), "BME", 60, 2, trains=("6",))
    load = LoadTrain("KWE", "6", 0, number(state, "B7"), 1, contract=True)
    after = act(GAME, state, 0, load).state
    assert event_of(after, "B7") == ""
    more = replace(load, bec=number(state, "B7", 1), cubes=1)
    assert act(GAME, after, 0, more)
    assert refused(GAME, after, 0, replace(more, company="BME", cubes=0)).rule == "DO-X-31"


@pytest.mark.rule("DO-X-10")
def test_one_square_for_each_wagon():
    state = export("4", "4", "5", markers=("C",))
    load = LoadTrain("KWE", "6", 0, number(state, "B7"), 1, wagon=True)
    after = act(GAME, state, 0, load).state
    other = replace(load, bec=number(state, "B7", 1), cubes=1)
    assert refused(GAME, after, 0, other).rule == "DO-X-10"


@pytest.mark.rule("DO-X-10", "DO-X-23")
def test_advertised_square_is_not_for_export():
    state = export("1", markers=("C",))
    load = LoadTrain("KWE", "6", 0, number(state, "B7"), 1, wagon=True)
    assert act(GAME, state, 0, load)
    kept = with_advertised(state, Advertised("B7", number(state, "B7"), 4, 0))
    assert refused(GAME, kept, 0, load).rule == "DO-X-10"


@pytest.mark.rule("DO-X-07", "DO-X-21")
def test_markers_go_along_or_to_display():
    state = corporation(table("3"), "DUB", 80, director=1, sizes={"pool": (10,)})
    state = hold(minor(state, 0, "B7", 45, ("2",)), "B7", "A1", event="G")
    traded = act(GAME, stock(state, 0), 0, TradeIn("DUB", CHARTER, 10)).state
    assert (codes(traded, "DUB"), event_of(traded, "DUB")) == (["A1"], "G")
    before = do_state(state)
    pooled = act(GAME, stock(state, 0), 0, TradeIn("DUB", POOL, 10)).state
    assert do_state(pooled).markers["A1"] == before.markers["A1"] + 1
    assert "G" in do_state(pooled).events
    assert "B7" not in do_state(pooled).charters


@pytest.mark.rule("DO-X-07", "DO-X-21", "DO-BANKR-02")
def test_a_bankrupt_brewery_gives_all_back():
    state = corporation(table("3"), "DUB", 10, sizes={"Ada": (10,)})
    state = hold(equipment(state, "DUB", "3"), "DUB", "A1", event="G")
    before = do_state(state).markers["A1"]
    after = act(GAME, stock(state, 0), 0, SellCertificates("DUB", (10,))).state
    assert not after.companies["DUB"].founded
    assert (do_state(after).markers["A1"], "G" in do_state(after).events) == (before + 1, True)
    assert "DUB" not in do_state(after).charters


@pytest.mark.rule("DO-X-21", "DO-BANKR-02")
def test_used_event_back_after_bankruptcy():
    # 8.2: a used event lies away until its brewery has finished its turn, and a bankrupt one has
    state = corporation(table("3"), "DUB", 10, treasury=50, sizes={"Ada": (10, 10)})
    state = minor(equipment(state, "DUB", "3"), 1, "B4", 100, ("2",))
    state = beer(hold(state, "DUB", event="G"), s3=(3, 3))
    for action in (UseEvent("G"), Deliver(), Withhold()):
        state = act(GAME, turn(state, "DUB") if action == UseEvent("G") else state, 0, action).state
    assert (state.companies["DUB"].founded, top(state).brewery) == (False, "B4")
    assert ("G" in do_state(state).events, do_state(state).used) == (True, ())


@pytest.mark.rule("DO-X-23", "DO-BANKR-02")
def test_advertised_cube_leaves_bankrupt_brewery():
    state = corporation(table("3"), "DUB", 10, treasury=50, sizes={"Ada": (10, 10)})
    state = minor(equipment(state, "DUB", "3"), 1, "B4", 100, ("2",))
    state = beer(hold(state, "DUB"), s3=(3, 3), stock=5)
    state = with_advertised(state, Advertised("DUB", number(state, "DUB"), 3, 0))
    extra = do_state(state)
    extra = replace(extra, used=(EventInUse("DUB", "H"),), events=tuple(e for e in extra.events if e != "H"))
    after = act(GAME, turn(replace(state, extra=extra), "DUB"), 0, OwnCertificate("sell", 10)).state
    assert (after.companies["DUB"].founded, top(after).brewery) == (False, "B4")
    assert (do_state(after).advertised, do_state(after).stock, "H" in do_state(after).events) == (None, 5, True)
