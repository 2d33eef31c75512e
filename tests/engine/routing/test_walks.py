"""Walks: their table, which works out only what may come over a bar, says what a plain search of all walks says."""

from __future__ import annotations

import random

import pytest
from tools.crowded_boards import BLOCKED, settings_of

from trajekt.engine.routing.enumeration import WHOLE, Clock
from trajekt.engine.routing.listed import Listed
from trajekt.engine.routing.skipping_walks import SkippingWalks
from trajekt.engine.routing.solver import finder_of
from trajekt.engine.routing.tolls import Tolls
from trajekt.engine.routing.walks import RoughWalks, Walks
from trajekt.engine.routing.ways import Ways

CROWDS = [crowd for crowd in BLOCKED if crowd.game in ("18lra", "18ruhr") and crowd.colours == 2]
NONE_TOO_MANY = 10_000


def most(ways: Ways, at: int, second: bool, counted: int, stops: int, used: int, marks: int, known: dict) -> float:
    """The most of a walk, tried leg by leg; `stops`: how many of any kind it may still come to."""
    key = (at, second, counted, stops, used, marks)
    if key not in known:
        legs, back = ways.legs, ~ways.root
        sums = [ways.ends(marks)]
        if second and at >= 0:
            sums.append(most(ways, back, False, counted, stops, used & ways.minds.get(back, 0), marks, known))
        for leg in legs.onward(at) if at >= 0 else legs.leaving(~at):
            uses = leg.seen | leg.mask << legs.places
            rest, room = counted - legs.cost[leg.to], stops - leg.seen.bit_count()
            if rest < 0 or room < 0 or leg.touches & ways.barred or uses & used & ways.minds.get(at, 0):
                continue
            gain, signs = leg.value - legs.tolls.of(leg.mask), marks | leg.marks
            if leg.goes_on:
                minded = (used | uses) & ways.minds.get(leg.to, 0)
                sums.append(gain + most(ways, leg.to, second, rest, room, minded, signs, known))
            elif second:
                minded = (used | uses) & ways.minds.get(back, 0)
                sums.append(gain + most(ways, back, False, rest, room, minded, signs, known))
            else:
                sums.append(gain + ways.ends(signs))
        known[key] = max(sums)
    return known[key]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_a_table_says_what_the_best_walk_earns(crowd, seed):
    lots = random.Random(seed)
    (setting,) = settings_of(crowd, (seed,), companies=1)
    legs = finder_of(setting, max(setting.trains), Clock(None)).legs
    root = legs.roots[0]
    track = sorted({bit for leg in legs.leaving(root) for bit in single_bits(leg.mask)})
    legs = legs.charged(Tolls({bit: lots.randrange(160) / 8 for bit in lots.sample(track, 4)}))
    table = Walks(Ways(legs, root, barred=0, weight=0, minds={}), lambda: None)
    rough = RoughWalks(table.ways, lambda: None)
    minds: dict[int, int] = {}
    for _ in range(4):
        ways = table.ways
        stops = legs.plan.stops or NONE_TOO_MANY
        known: dict = {}
        best = legs.value[root] + most(ways, ~root, True, legs.plan.reach - 1, stops - 1, ways.begun, ways.marks, known)
        for bar in (-NONE_TOO_MANY, best - 10, best - 0.125):
            assert table.minding(minds).top(bar) == best
        for bar in (best, best + 10, best + 100):
            assert best <= table.minding(minds).top(bar) <= bar
        assert table.top(best + 20) <= best + 20
        assert table.top(best - 20) == best  # it was asked before with less to tell
        for number in range(min(stops, 12)):
            seen = (1 << number) - 1
            args = ~root, True, legs.plan.reach - 1, stops - number, ways.used_at(~root, seen), ways.marks, known
            asked = ~root, True, legs.plan.reach - 1, seen, seen, ways.marks, -NONE_TOO_MANY
            exact = most(ways, *args)
            assert table.most(*asked) == exact
            assert rough.most(*asked) >= exact
            if not minds and (ways.alike or not ways.stops):
                assert rough.most(*asked) == exact
        for at, bits in table.twice(best - 20, 12).items():
            minds[at] = minds.get(at, 0) | bits
        table = table.minding(dict(minds))


@pytest.mark.rule("RHL-RTE-20")
def test_a_table_is_never_too_low_where_stops_are_left_out():
    lots = random.Random(1)
    (crowd,) = (each for each in BLOCKED if each.name == "18rhl edition 1 8, 8")
    (setting,) = settings_of(crowd, (1,), companies=1)
    legs = finder_of(setting, "8", Clock(None)).legs
    begun = legs.starts[0]
    track = sorted({bit for leg in legs.leaving(begun) for bit in single_bits(leg.mask)})
    legs = legs.charged(Tolls({bit: lots.randrange(160) / 8 for bit in lots.sample(track, 4)}))
    table = SkippingWalks(Ways(legs, begun, barred=0, weight=0, minds={}), lambda: None)
    todo, left_out = [(~begun, table.ways.marks)], 0
    for at, marks in todo:  # which grows meanwhile
        row = table.row(at, 0, marks)
        for way in (each for each in table.ways.on(at) if each.to >= 0):
            after = way.to, marks | way.marks
            if after not in todo:
                todo.append(after)
            further = table.row(way.to, 0, after[1])
            assert all(row[n] >= way.gain + further[n - 1] for n in range(1, len(row)))
            for more in (each for each in table.ways.on(way.to) if each.to >= 0):
                last = table.row(more.to, 0, after[1] | more.marks)
                assert all(row[n] >= way.skipped + more.gain + last[n - 1] for n in range(1, len(row)))
                left_out += 1
    assert left_out > 100


@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_the_best_route_of_each_root_goes_by_none_before_it(crowd):
    (setting,) = settings_of(crowd, (1,), companies=1)
    finder = finder_of(setting, min(setting.trains), Clock(None))
    listed = finder.above(-1)
    best = {root: max(revenue for revenue, _, begun, _ in listed if begun == root) for _, _, root, _ in listed}
    assert len(best) > 1
    assert {root: revenue for revenue, _, root, _ in finder.of_roots(WHOLE)} == best


@pytest.mark.parametrize(
    "crowd", [*CROWDS, *(c for c in BLOCKED if c.name == "18rhl edition 2 5, 6")], ids=lambda c: c.name
)
@pytest.mark.rule("COMMON-RTE-11")
def test_routes_over_certain_track_and_beside_others_are_those_of_all_that_are(crowd):
    lots = random.Random(2)
    (setting,) = settings_of(crowd, (2,), companies=1)
    for kind in sorted(set(setting.trains)):
        finder = finder_of(setting, kind, Clock(None))
        track = sorted({bit for each in finder.above(-1) for bit in single_bits(each[1])})
        tolls = Tolls({bit: lots.randrange(160) / 8 for bit in lots.sample(track, 4)})
        finder.charge(tolls)
        listed = finder.above(20)
        assert listed
        for piece in lots.sample(track, 3):
            over = finder.using(piece)
            assert over.ceiling(20, 3) >= max(
                [each[0] - tolls.of(each[1]) for each in listed if each[1] & piece], default=20
            )
            first = over.above(20)
            assert worths(first) >= worths(each for each in listed if each[1] & piece)
            assert all(each[1] & piece and each[0] - tolls.of(each[1]) > 20 for each in first)
            beside = Listed(first, tolls)
            rest = finder.above(20, used=piece, beside=beside)
            assert worths(rest) >= worths(
                each for each in listed if not each[1] & piece and any(not each[1] & other[1] for other in first)
            )
            assert all(not each[1] & piece and any(not each[1] & other[1] for other in first) for each in rest)


def worths(found):
    """The track of each and what it earns."""
    return {(mask, revenue) for revenue, mask, _, _ in found}


def single_bits(mask: int) -> list[int]:
    """The single bits of a mask."""
    return [1 << n for n in range(mask.bit_length()) if mask >> n & 1]
