"""The Expert Game: markers and special events (DO-X)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import number, top, turn
from tests.builders.do_expert import codes, earning, export, game, hold, large, shown, small, table
from tests.builders.do_positions import (
    beer,
    corporation,
    display,
    do_state,
    kwe_net,
    loaded,
    minor,
    opening,
)
from tests.builders.do_positions import turn as rail
from tests.builders.random_positions import act, refused
from trajekt.engine.actions import Accept, Decline, Withhold
from trajekt.engine.ruleset import Draft
from trajekt.games.do import capital_expenditure_markers
from trajekt.games.do.actions import (
    AlignBottlingLine,
    BuyBec,
    BuyMarker,
    Deliver,
    DiscardMarker,
    DisposeBec,
    LoadTrain,
    TakeEvent,
    UseEvent,
)
from trajekt.games.do.beer_loading import train_room
from trajekt.games.do.brewery_order import one_forward
from trajekt.games.do.frames import Advertise, BreweryRound, Delivered, FirstMarkers, Marketing, TooManyMarkers, Used
from trajekt.games.do.special_event_markers import market
from trajekt.games.do.state import Marker, Slot, breweries, cubes


@pytest.mark.rule("DO-X-01")
def test_markers_by_number_of_players():
    shown = do_state(opening(5, game="expert")).markers
    assert shown == {"A1": 3, "A2": 3, "A3": 2, "A4": 1, "B2": 3, "B3": 2, "B4": 1, "C": 3}
    assert do_state(opening(5)).markers == {}


@pytest.mark.rule("DO-X-02", "DO-X-04", "DO-X-05")
def test_markers_by_colour_price_and_places():
    state = small("2", treasury=100, step="buy")
    bought = act(game(), state, 0, BuyMarker("A1", "display", 30)).state
    assert (codes(bought, "B7"), bought.aside["B7"]) == (["A1"], 70)
    assert refused(game(), state, 0, BuyMarker("A2", "display", 60)).rule == "DO-X-02"
    assert refused(game(), state, 0, BuyMarker("A1", "display", 29)).rule == "DO-X-02"
    poor = small("2", treasury=20, step="buy")
    assert refused(game(), poor, 0, BuyMarker("A1", "display", 30)).rule == "DO-X-05"
    full = small("2", phase="3", treasury=100, step="buy", markers=("A1",))
    assert refused(game(), full, 0, BuyMarker("A2", "display", 60)).rule == "DO-X-04"
    after = act(game(), full, 0, BuyMarker("A2", "display", 60, "A1")).state
    assert (codes(after, "B7"), do_state(after).markers["A1"]) == (["A2"], 2)
    two = act(game(), large("3", markers=("A1",)), 0, BuyMarker("A1", "display", 30)).state
    assert codes(two, "DUB") == ["A1", "A1"]


@pytest.mark.rule("DO-X-03")
def test_one_purchase_two_in_yellow():
    state = small("2", treasury=500, step="buy")
    one = act(game(), state, 0, BuyBec("2")).state
    both = act(game(), one, 0, BuyMarker("A1", "display", 30)).state
    assert codes(both, "B7") == ["A1"]
    two = replace(one, agenda=(*one.agenda[:-1], replace(top(one), bought=2)))
    assert refused(game(), two, 0, BuyMarker("A1", "display", 30)).rule == "DO-X-03"
    late = small("2", phase="3", treasury=500, step="buy")
    late = replace(late, agenda=(*late.agenda[:-1], replace(top(late), bought=1)))
    assert refused(game(), late, 0, BuyMarker("A1", "display", 30)).rule == "DO-X-03"


@pytest.mark.rule("DO-X-06")
@pytest.mark.parametrize(("price", "legal"), [(29, False), (30, True), (90, True), (91, False)])
def test_breweries_sell_each_other_markers(price, legal):
    state = small("2", phase="3", treasury=200, step="buy")
    state = hold(state, "B4", "A2")
    offer = BuyMarker("A2", "B4", price)
    if not legal:
        assert refused(game(), state, 0, offer).rule == "DO-X-06"
        return
    asked = act(game(), state, 0, offer).state
    sold = act(game(), asked, 1, Accept()).state
    assert (codes(sold, "B7"), sold.aside["B4"]) == (["A2"], 100 + price)
    kept = act(game(), asked, 1, Decline()).state
    assert refused(game(), kept, 0, offer).rule == "DO-X-06"


@pytest.mark.rule("DO-X-07", "DO-X-21")
def test_after_trade_in_the_director_chooses():
    state = hold(hold(large("3"), "DUB", "A1", "A2", event="G"), "B4", "B2", event="K")
    draft = Draft(game(), state)
    capital_expenditure_markers.hand_over(draft, "B4", "DUB")
    assert isinstance(top(draft.state), TooManyMarkers)
    after = act(game(), draft.state, 0, DiscardMarker("DUB", "G")).state
    assert do_state(after).charters["DUB"].event == "K"
    after = act(game(), after, 0, DiscardMarker("DUB", "A2")).state
    assert codes(after, "DUB") == ["A1", "B2"]
    back = Draft(game(), state)
    capital_expenditure_markers.all_back(back, "B4")
    assert (do_state(back.state).markers["B2"], "K" in do_state(back.state).events) == (2, True)


@pytest.mark.rule("DO-X-08")
def test_pubs_pay_at_start_without_dividend():
    state = corporation(table("5"), "KRO", 80, floated=False)
    state = hold(hold(large("5", phase="5", treasury=0), "DUB", "A3", "A1"), "KRO", "A1")
    draft = Draft(game(), state)
    capital_expenditure_markers.pay_pubs(draft)
    assert draft.state.companies["DUB"].treasury == 25
    assert draft.state.companies["KRO"].treasury == 0
    assert draft.state.price("DUB") == 80
    alike = Draft(game(), hold(large("5", phase="5", treasury=0), "DUB", "A1", "A1"))
    capital_expenditure_markers.pay_pubs(alike)
    assert alike.state.companies["DUB"].treasury == 2 * 5


@pytest.mark.rule("DO-X-09")
def test_bottling_line_earns_for_own_piece():
    state = small("2", markers=("B2",), s2=(3, 0), s1=(0, 0), phase="3")
    aligned = act(game(), state, 0, AlignBottlingLine("B2", 0, number(state, "B7"))).state
    assert top(act(game(), aligned, 0, Deliver()).state).income == 50
    assert top(act(game(), state, 0, Deliver()).state).income == 40
    gone = act(game(), aligned, 0, DisposeBec(number(state, "B7"))).state
    assert do_state(gone).charters["B7"].markers == (Marker("B2"),)


@pytest.mark.rule("DO-X-06", "DO-X-09")
def test_aligned_line_goes_without_piece():
    state = minor(large("3"), 0, "B7", 0, ("2",))
    state = hold(state, "B7", "B2")
    piece = number(state, "B7")
    charters = {**do_state(state).charters}
    charters["B7"] = replace(charters["B7"], markers=(Marker("B2", piece),))
    state = replace(state, extra=replace(do_state(state), charters=charters))
    after = act(game(), state, 0, BuyMarker("B2", "B7", 50)).state
    assert do_state(after).charters["B7"].markers == ()
    assert do_state(after).charters["DUB"].markers == (Marker("B2"),)


@pytest.mark.rule("DO-X-10")
def test_beer_wagon_exports_without_arrow():
    state = export("4", "5", markers=("C",))
    load = LoadTrain("KWE", "6", 0, number(state, "B7"), 1, wagon=True)
    after = act(game(), state, 0, load).state
    assert top(after).income == 100
    assert refused(game(), after, 0, replace(load, cubes=1)).rule == "DO-X-10"
    refused(game(), state, 0, replace(load, wagon=False))
    five = export("5", markers=("C",))
    first = act(game(), five, 0, replace(load, bec=number(five, "B7"))).state
    act(game(), first, 0, LoadTrain("KWE", "6", 1, number(five, "B7"), 1))


@pytest.mark.rule("DO-X-11", "DO-X-12")
def test_a_railway_with_a_beer_wagon():
    state = corporation(table("5"), "CME", 60, trains=("5",), treasury=600)
    state = rail(state, "CME", "trains")
    bought = act(game(), state, 0, BuyMarker("C", "display", 100)).state
    assert codes(bought, "CME") == ["C"]
    refused(game(), state, 0, BuyMarker("A1", "display", 30))
    bare = rail(corporation(table("5"), "CME", 60, treasury=600), "CME", "trains")
    assert refused(game(), bare, 0, BuyMarker("C", "display", 100)).rule == "DO-X-11"
    other = hold(corporation(state, "BME", 60), "BME", "C")
    assert refused(game(), other, 0, BuyMarker("C", "BME", 100)).rule == "DO-X-11"
    assert train_room(hold(state, "CME", "C"), "CME", "5", 0) == 2
    assert train_room(state, "CME", "5", 0) == 1
    two = loaded(hold(corporation(state, "CME", 60, trains=("5", "5")), "CME", "C"), "CME", ("5", 2))
    assert train_room(two, "CME", "5", 0) == 1
    assert train_room(hold(state, "CME", "C"), "CME", "4", 0) == 0


@pytest.mark.rule("DO-X-13")
def test_owners_may_buy_before_first_round():
    state = minor(minor(table(), 0, "B7"), 1, "B4")
    state = replace(state, agenda=(state.agenda[0], FirstMarkers(("B4", "B7"))))
    refused(game(), state, 0, BuyMarker("A1", "display", 30))
    assert refused(game(), state, 1, BuyMarker("A2", "display", 60)).rule == "DO-X-02"
    after = act(game(), state, 1, BuyMarker("A1", "display", 30)).state
    assert (after.players[1].cash, codes(after, "B4")) == (970, ["A1"])


@pytest.mark.rule("DO-X-20", "DO-X-21", "DO-X-32")
def test_one_event_in_step_5():
    state = small("2", step="buy", event="G")
    assert refused(game(), state, 0, TakeEvent("L")).rule == "DO-X-20"
    assert refused(game(), small("2"), 0, TakeEvent("K")).rule == "DO-X-20"
    taken = act(game(), state, 0, TakeEvent("K")).state
    assert (do_state(taken).charters["B7"].event, "G" in do_state(taken).events) == ("K", True)
    used = act(game(), state, 0, UseEvent("G")).state
    assert refused(game(), used, 0, TakeEvent("G")).rule == "DO-X-20"


@pytest.mark.rule("DO-X-22")
def test_fair_pays_the_brewery():
    after = act(game(), small("2", treasury=40, event="G"), 0, UseEvent("G")).state
    assert after.aside["B7"] == 50


@pytest.mark.rule("DO-X-23")
def test_advertising_keeps_a_cube():
    state = small("1", event="H", s1=(1, 0), s2=(0, 0))
    state = replace(state, agenda=(state.agenda[0], BreweryRound(2, 1, 2, (), "opened"), Advertise("B7")))
    after = act(game(), state, 0, UseEvent("H", bec=number(state, "B7"))).state
    assert do_state(after).segments[1].demand == (0, 0)
    assert cubes(after) == cubes(state)
    after = act(game(), after, 0, Deliver()).state
    assert (top(after).income, do_state(after).segments[1].supply) == (15, (1, 0))
    gone = act(game(), state, 0, UseEvent("H", bec=number(state, "B7"))).state
    gone = act(game(), gone, 0, DisposeBec(number(state, "B7"))).state
    gone = act(game(), gone, 0, Deliver()).state if top(gone).step == "start" else gone
    assert (do_state(gone).advertised, cubes(gone)) == (None, cubes(state))


@pytest.mark.rule("DO-X-24")
def test_deal_in_lowers_the_price():
    state = shown(large("4", "3", phase="5", event="I"), "5")
    three = number(state, "DUB", 1)
    after = act(game(), state, 0, BuyBec("5", deal_in=three)).state
    assert after.companies["DUB"].treasury == 500 - 390
    used = replace(top(state), used=(Used(three, 1),))
    state = replace(state, agenda=(*state.agenda[:-1], used))
    assert refused(game(), state, 0, BuyBec("5", deal_in=three)).rule == "DO-X-24"


@pytest.mark.rule("DO-X-25")
def test_upgrading_at_the_limit():
    state = shown(large("4", "4", phase="5", event="J"), "5")
    four = number(state, "DUB")
    assert refused(game(), state, 0, BuyBec("5", upgrade=four)).rule == "DO-X-25"
    state = replace(state, agenda=(*state.agenda[:-1], replace(top(state), used=(Used(four, 1),))))
    after = act(game(), state, 0, BuyBec("5", upgrade=four)).state
    assert sorted(b.kind for b in do_state(after).charters["DUB"].becs) == ["4", "5"]


@pytest.mark.rule("DO-X-26")
def test_premium_beer_raises_income():
    state = earning("3", letter="K", delivered=(Delivered(3, 0),), c4=False, s4=(2, 0))
    after = act(game(), state, 0, UseEvent("K", segment=3)).state
    assert top(after).income == 45
    marked = beer(state, c4=True, c5=True)
    assert refused(game(), marked, 0, UseEvent("K", segment=3)).rule == "DO-X-26"
    assert refused(game(), state, 0, UseEvent("K", segment=2)).rule == "DO-X-26"


@pytest.mark.rule("DO-X-27")
def test_marketing_moves_the_brewery_up():
    state = small("2", event="L")
    state = replace(state, extra=replace(do_state(state), order=(Slot("B4"), Slot("B7"))))
    state = replace(state, agenda=(state.agenda[0], Marketing("B7")))
    after = Draft(game(), state)
    market(after, UseEvent("L"))
    assert breweries(after.state) == ("B7", "B4")


@pytest.mark.rule("DO-X-27")
def test_marketing_goes_one_place_only():
    state = minor(small("2"), 2, "B5", 0, ("1",))
    draft = Draft(game(), replace(state, extra=replace(do_state(state), order=(Slot("B4"), Slot("B5"), Slot("B7")))))
    one_forward(draft, "B7")
    assert breweries(draft.state) == ("B4", "B7", "B5")
    one_forward(draft, "B4")
    assert breweries(draft.state) == ("B4", "B7", "B5")


@pytest.mark.rule("DO-X-28")
def test_investor_sells_without_loss():
    state = large("3", treasury=0, event="M")
    after = act(game(), state, 0, UseEvent("M", sizes=(10, 10))).state
    assert (after.companies["DUB"].treasury, after.price("DUB")) == (160, 80)
    assert after.companies["DUB"].percent("pool") == 20


@pytest.mark.rule("DO-X-29")
def test_tool_production_pays_per_tool():
    state = earning("3", letter="N", c3=False)
    after = act(game(), state, 0, UseEvent("N", bec=number(state, "B7"), count=2)).state
    assert top(after).income == 30 + 30
    four = earning("4", letter="N", c4=False)
    after = act(game(), four, 0, UseEvent("N", bec=number(four, "B7"), count=1)).state
    assert top(after).income == 30 + 22


@pytest.mark.rule("DO-X-30")
def test_second_shift_serves_more_demand():
    state = earning("5", letter="O", c5=False, s3=(2, 1), stock=0, c1=True, s2=(0, 0))
    after = act(game(), state, 0, UseEvent("O", bec=number(state, "B7"))).state
    assert (top(after).income, do_state(after).segments[3].demand) == (60, (2, 0))
    assert do_state(after).segments[5].supply == (1, 0)
    shut = earning("2", letter="O", c2=True)
    assert refused(game(), shut, 0, UseEvent("O", bec=number(shut, "B7"))).rule == "DO-X-30"


@pytest.mark.rule("DO-X-31")
def test_transport_contract_needs_no_consent():
    state = export("5", event="P", director=1)
    load = LoadTrain("KWE", "6", 0, number(state, "B7"), 1, contract=True)
    after = act(game(), state, 0, load).state
    assert do_state(after).loads["KWE"][0].cubes == 1
    assert refused(game(), export("5", director=1), 0, load).rule == "DO-X-31"


@pytest.mark.rule("DO-X-12", "DO-X-11")
@pytest.mark.parametrize("count", [1, 2])
def test_wagon_under_a_cube_stays(count):
    """A brewery loads cubes on a type 5 with its wagon, then asks for the wagon: the second cube lies on it."""
    state = kwe_net(
        corporation(large("8", phase="5", treasury=300), "KWE", 60, 0, sizes={"Ada": (10,) * 3}, trains=("5",))
    )
    state = hold(beer(state, stock=8, c1=True, c2=True, c3=False, c4=False, c5=False), "KWE", "C")
    state = turn(display(state, t2=0, t3=0, t4=0), "DUB", "start")
    bec = number(state, "DUB")
    for action in (LoadTrain("KWE", "5", 0, bec, count), Deliver(), Withhold()):
        state = act(game(), state, 0, action).state
    asked = BuyMarker("C", "KWE", 50)
    if count == 2:
        found = refused(game(), state, 0, asked)
        assert (found.code, found.rule) == ("wagon_loaded", "DO-X-12")
    else:
        assert [m.code for m in do_state(act(game(), state, 0, asked).state).charters["DUB"].markers] == ["C"]
