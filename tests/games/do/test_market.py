"""The clearing of the beer market and the order of breweries (DO-MARKET, DO-ORDER-10 to -13)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import beer, equipment, minor, position, rules
from trajekt.engine.ruleset import Draft
from trajekt.games.do.beer_market_clearing import clear
from trajekt.games.do.brewery_order import make_order, sorted_order
from trajekt.games.do.state import Bec, BreweryCharter, breweries, cubes, do_state


def cleared(state, players=4):
    draft = Draft(rules(players), state)
    clear(draft)
    assert cubes(draft.state) == cubes(state)
    return draft.state


def shown(state):
    return {n: s.demand for n, s in do_state(state).segments.items() if sum(s.demand)}


def closed(state):
    return [n for n, s in do_state(state).segments.items() if s.closed]


def market(players=4, **values):
    state = position(players)
    return beer(state, **({"c1": True, "s2": (0, 0), "c3": False, "c4": False, "c5": True, "c6": True} | values))


@pytest.mark.rule("DO-MARKET-01", "DO-MARKET-02", "DO-MARKET-14")
def test_first_example_of_the_rulebook():
    state = market(s2=(2, 3), d3=(4, 2), d4=(1, 3), stock=7, price_box=6)
    after = cleared(state)
    assert shown(after) == {3: (6, 3), 4: (4, 3)}
    assert (do_state(after).stock, do_state(after).price_box, closed(after)) == (6, 6, [1, 2, 5, 6])
    assert cubes(after) == 28
    assert all(s.supply == (0, 0) for s in do_state(after).segments.values())


@pytest.mark.rule("DO-MARKET-01", "DO-MARKET-03")
def test_second_example_of_the_rulebook():
    state = market(c2=True, d3=(6, 0), d4=(5, 0), c5=False, d5=(6, 0), stock=5, price_box=6)
    after = cleared(state)
    assert shown(after) == {3: (4, 0), 4: (5, 3), 5: (6, 4)}
    assert (do_state(after).stock, do_state(after).price_box, closed(after)) == (0, 6, [1, 2, 6])
    assert (cubes(state), cubes(after)) == (28, 28)
    assert all(s.supply == (0, 0) for s in do_state(after).segments.values())


@pytest.mark.rule("DO-MARKET-04")
def test_the_lowest_segment_runs_dry():
    state = market(c2=True, d3=(1, 0), d4=(9, 0), c5=False, d5=(8, 0), stock=4, price_box=6)
    after = cleared(state)
    assert shown(after) == {4: (9, 1), 5: (8, 4)}
    assert closed(after) == [1, 2, 6]


@pytest.mark.rule("DO-MARKET-05", "DO-MARKET-08")
def test_late_game_robs_regular_field_below():
    state = market(c2=True, c3=True, d4=(6, 0), c5=False, d5=(7, 0), c6=False, d6=(8, 0), stock=1, price_box=6)
    after = cleared(state)
    assert shown(after) == {5: (7, 3), 6: (8, 4)}


@pytest.mark.rule("DO-MARKET-06")
def test_market_clears_without_deliveries():
    after = cleared(position(3), 3)
    assert shown(after) == {1: (0, 3), 2: (0, 3)}
    assert (do_state(after).stock, closed(after)) == (14, [3, 4, 5, 6])


@pytest.mark.rule("DO-MARKET-07")
def test_gap_above_lowest_segment_stays_open():
    state = market(s2=(4, 0), s4=(0, 2), stock=5, price_box=6)
    state = beer(state, d2=(5, 3), d3=(0, 3))
    after = cleared(state)
    assert shown(after) == {2: (8, 3), 3: (3, 3), 4: (0, 3)}
    assert (do_state(after).stock, closed(after)) == (2, [1, 5, 6])


def order_of(**held):
    state = position(5)
    for name, kinds in held.items():
        state = equipment(state, name, *kinds)
    return state


@pytest.mark.rule("DO-ORDER-10", "DO-ORDER-11")
def test_the_new_order():
    state = order_of(V=(), X=("4", "3"), Y=("4", "4"), Z=("5",), W=("4", "3", "3"), U=("5", "2"))
    assert sorted_order(state) == ("U", "Z", "Y", "X", "W", "V")
    draft = Draft(rules(5), state)
    make_order(draft)
    assert breweries(draft.state) == ("U", "Z", "Y", "X", "W", "V")


@pytest.mark.rule("DO-ORDER-12", "DO-ORDER-13")
def test_turned_equipment_counts_for_order():
    state = order_of(A=("3",), B=("4",))
    extra = do_state(state)
    turned = BreweryCharter((Bec(99, "4", idle=True),))
    state = replace(state, extra=replace(extra, charters={**extra.charters, "B": turned}))
    assert sorted_order(state) == ("B", "A")
    assert breweries(state) == ("A", "B")
    without = minor(state, 0, "B7")
    assert breweries(without)[:2] == ("A", "B")
