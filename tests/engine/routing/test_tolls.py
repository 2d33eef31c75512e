"""Tolls: their bound is never too low, and searches that lean on them find what others find."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.crowded_boards import BLOCKED, settings_of

from tests.engine.routing.test_solver import settings_of_small_boards
from trajekt.engine.routing import enumeration, listed, solver
from trajekt.engine.routing.enumeration import Clock
from trajekt.engine.routing.solver import best_runs, finder_of
from trajekt.engine.routing.tolls import FREE, Tolls, settled

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
    tolls = settled(pools)
    assert best <= bound(pools, tolls) <= bound(pools, FREE)


def test_track_that_all_good_routes_share_gets_a_toll():
    """Two trains, one way out for 500, another for 300: no set earns more than both, and the tolls say so."""
    pools = [(2, [(500, 0b0011, 0, None), (500, 0b0101, 0, None), (300, 0b1000, 0, None)])]
    assert bound(pools, FREE) == 1000
    assert bound(pools, settled(pools)) < 801


def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """First answers see next to nothing, so that every board with two trains is settled by tolls."""
    for name in ("QUIET", "HASTY"):
        monkeypatch.setattr(enumeration, name, 0)
    monkeypatch.setattr(enumeration, "ROUGH", 30)
    monkeypatch.setattr(listed, "SHORT", 2)
    for name in (
        "FIRST",
        "LOOK",
        "PRICED",
        "LISTED",
        "POOLED",
        "CHOSEN",
        "PICKS",
        "DIVED",
        "DEEP",
        "MINDED",
        "PARTED",
    ):
        monkeypatch.setattr(solver, name, 2)


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
    st.integers(0, 5),
)
@pytest.mark.rule("COMMON-RTE-11")
def test_tolls_and_tables_hide_no_route_that_a_set_may_need(where, drawn, bar, rounds):
    """A route is left out of a listing only for one on no more track that earns no less as it is."""
    for kind in sorted(set(where.trains)):
        finder = finder_of(where, kind, Clock(None))
        free = finder.above(-1)
        used = sorted({bit for found in free for bit in bits(found[1])})
        prices = {used[n % len(used)]: price for n, price in drawn} if used else {}
        tolls = Tolls(prices)
        finder.charge(tolls)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(enumeration, "QUIET", 0)
            patch.setattr(enumeration, "HASTY", 0)
            most = finder.ceiling(bar, rounds)
            listed = finder.above(bar)
        finder.charge(FREE)
        assert most >= max((found[0] - tolls.of(found[1]) for found in listed), default=bar)
        for found in free:
            if found[0] - tolls.of(found[1]) > bar:
                assert any(each[0] >= found[0] and not each[1] & ~found[1] for each in listed), (kind, prices, bar)


@given(settings_of_small_boards(), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60)), min_size=1, max_size=6))
@pytest.mark.rule("COMMON-RTE-11")
def test_a_listing_in_parts_sees_the_best_set_whatever_the_tolls(where, drawn):
    best = best_runs(where).revenue
    search = solver._Search(where, Clock(None))
    track = sorted({bit for finder in search.finders.values() for found in finder.above(-1) for bit in bits(found[1])})
    if not best or len(where.trains) < 2:
        return
    tolls = Tolls({track[n % len(track)]: 5 * price for n, price in drawn})
    most = {}
    for kind, finder in search.finders.items():
        finder.charge(tolls)
        most[kind] = max([0, *(found[0] - tolls.of(found[1]) for found in finder.above(-10_000))])
    search._in_parts(most, tolls, search._bound(most, tolls) - best + solver.LEAST)
    assert search.revenue == best


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
