"""Tolls: their bound is never too low, and searches that lean on them find what others find."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.crowded_boards import BLOCKED, settings_of

from tests.engine.test_routes import settings_of_small_boards
from trajekt.engine import routes
from trajekt.engine.finders import Clock, Effort, RouteFinder
from trajekt.engine.legs import Legs
from trajekt.engine.routes import best_runs, finder_of
from trajekt.engine.runs import Plan
from trajekt.engine.tolls import FREE, Tolls, settled

ROUTE = st.tuples(st.integers(0, 30).map(lambda n: 10 * n), st.integers(1, 255), st.just(0), st.none())


def bound(pools, tolls) -> float:
    """What no choice of routes earns more than."""
    least = [max([0, *(route[0] - tolls.of(route[1]) for route in pool)]) for _, pool in pools]
    return tolls.total + sum(count * most for (count, _), most in zip(pools, least, strict=True))


def best_choice(pools) -> int:
    """The most that one route or none for each train can earn, no two on the same track."""
    trains = [[*pool, (0, 0, 0, None)] for count, pool in pools for _ in range(count)]
    best = 0
    for chosen in product(*trains):
        used = 0
        for route in chosen:
            if used & route[1]:
                break
            used |= route[1]
        else:
            best = max(best, sum(route[0] for route in chosen))
    return best


@given(st.lists(st.tuples(st.integers(1, 2), st.lists(ROUTE, min_size=1, max_size=6)), min_size=1, max_size=2))
@pytest.mark.rule("COMMON-RTE-11")
def test_the_bound_is_never_too_low(pools):
    best = best_choice(pools)
    tolls = settled(pools, best)
    assert best <= bound(pools, tolls) <= bound(pools, FREE)


def test_track_that_all_good_routes_share_gets_a_toll():
    """Two trains, one way out for 500, another for 300: no set earns more than both, and the tolls say so."""
    pools = [(2, [(500, 0b0011, 0, None), (500, 0b0101, 0, None), (300, 0b1000, 0, None)])]
    assert bound(pools, FREE) == 1000
    assert bound(pools, settled(pools, 800)) < 801


def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """First answers see next to nothing, so that every board with two trains is settled by tolls."""
    for name in ("FIRST", "FIRST_LOOK", "NARROW", "SECOND"):
        monkeypatch.setattr(routes, name, Effort(2))
    monkeypatch.setattr(routes, "WIDER", (Effort(4, 1), Effort(8)))
    monkeypatch.setattr(routes, "WIDEST", (Effort(4, 1), Effort(8)))
    for name, value in (("LISTED", 2), ("POOLED", 4), ("PICKS", 3), ("SHORT", 2)):
        monkeypatch.setattr(routes, name, value)


@given(settings_of_small_boards())
@pytest.mark.rule("COMMON-RTE-11")
def test_small_boards_settled_by_tolls(where):
    """The search as it is stands against the oracle in `test_routes`; here it stands against itself in haste."""
    found = best_runs(where)
    with pytest.MonkeyPatch.context() as patch:
        hasty(patch)
        other = best_runs(where)
    assert found.proved
    assert other.proved
    assert other.revenue == found.revenue


@given(
    settings_of_small_boards(),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60)), max_size=4),
    st.integers(-1, 40),
)
@pytest.mark.rule("COMMON-RTE-11")
def test_tolls_hide_no_route_that_a_set_may_need(where, drawn, bar):
    """A route is left out of a listing only for one on no more track that earns no less as it is."""
    for kind in sorted(set(where.trains)):
        finder = finder_of(where, kind, Clock(None))
        free = finder.above(-1)
        used = sorted({bit for found in free for bit in bits(found[1])})
        prices = {used[n % len(used)]: price for n, price in drawn} if used else {}
        tolls = Tolls(prices)
        finder.charge(tolls)
        listed = finder.above(bar)
        finder.charge(FREE)
        for found in free:
            if found[0] - tolls.of(found[1]) > bar:
                assert any(each[0] >= found[0] and not each[1] & ~found[1] for each in listed), (kind, prices, bar)


@pytest.mark.rule("COMMON-RTE-11")
def test_a_stop_ahead_that_tolls_eat_up_may_still_earn_more_in_a_set():
    """An express of two stops, 10 and 10 behind it and 20 ahead on track that costs 15: more as it is, not less the tolls."""
    plan = Plan(reach=2, value={}, bonus=lambda _marks, _doubled: 0, skips=True, keeps_ends=False)
    legs = Legs(settings_of(BLOCKED[0], (1,), companies=1)[0], plan)
    finder = RouteFinder(legs, Clock(None))
    legs.paid, legs.visits, finder.tolls, finder.bar = [((20, 20), 1)], [((5, 5), 1)], Tolls({1: 15}), 10
    behind = ((10, 0), (10, 0))
    assert not finder._unpaid(behind, reached=1, weight=0, spare=0, floor=20, toll=0)
    assert finder._unpaid(behind, reached=1, weight=0, spare=0, floor=30, toll=0)
    legs.visits = [((-40, -40), 1)]  # nobody need go there
    assert not finder._unpaid(behind, reached=1, weight=0, spare=0, floor=-1, toll=0)


def bits(mask: int) -> list[int]:
    """The single bits of a mask."""
    return [1 << n for n in range(mask.bit_length()) if mask >> n & 1]


@pytest.mark.parametrize("crowd", [c for c in BLOCKED if c.colours == 2 or c.game == "18rhl"], ids=lambda c: c.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_crowded_boards_settled_by_tolls(crowd, monkeypatch):
    (where,) = settings_of(crowd, (3,), companies=1)
    found = best_runs(where)
    hasty(monkeypatch)
    other = best_runs(where)
    assert (other.revenue, other.proved, found.proved) == (found.revenue, True, True)
