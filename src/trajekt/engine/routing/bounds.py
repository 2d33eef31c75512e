"""Completion bounds: what a route that is not yet complete may still earn, never too low.

The bound of most trains is the best *walk* on from where the route is, which is held to less than the rules: it may come again
to any stop but the one before, and over any track. So what it earns depends on little, and is worked out once for each stop
and number of stops left. Whatever else the rules forbid has a price (a Lagrange multiplier): a destination to which the best
walk comes twice takes it for each visit and gives it back once; of a train whose stops are limited in all each stop takes one,
and the limit gives them back; and so do marks of which only some can earn a bonus. Under any prices that are not negative no
route earns more than the best walk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.segments import Segments, Visit

PRICE = 12  # Mark: the first price of a stop where stops are limited in all, about what a town pays
STEPS = 15  # of the search for prices
STEP = 20.0  # Mark: how much a price changes at first for each visit too many
MARKS = 2.0  # times slower change the prices of marks, of which a walk has several
SHORTER = 0.85  # of the next step, where the last made the bound no lower
NEVER = -1e9

Way: TypeAlias = tuple[float, int, NodeId]  # gain, destination, and the stop; `~stop` where the route ends with it


NOWHERE: Way = (0.0, 0, -1)


class PricedSegment(NamedTuple):
    """The best segment to a stop, prices taken off. `to` is `~stop` where the route ends with it."""

    gain: float
    to: NodeId
    cost: int
    bit: int
    stops: int
    marks: int


class WalkBound:
    """The most that the walks from one root may earn, with stops barred that were roots before."""

    def __init__(self, segments: Segments, root: NodeId, barred: int) -> None:
        self.segments, self.root, self.barred = segments, root, barred
        self.arms = 1 if segments.one_arm or segments.ends_only(root) else 2
        self.limit = segments.plan.stops  # of stops of any kind; 0: none
        self.tightened = False
        self._set({}, PRICE if self.limit else 0, [0.0] * len(segments.plan.shares))

    def _set(self, prices: dict[int, float], stop_price: float, mark_prices: list[float]) -> None:
        self.prices, self.stop_price, self.mark_prices = prices, stop_price, mark_prices
        self.marks_back = sum(p * most for p, (_, _, most) in zip(mark_prices, self.segments.plan.shares, strict=True))
        self._bonus: dict[int, float] = {}
        self._arcs: dict[NodeId, list[PricedSegment]] = {}
        self._best: dict[tuple[NodeId, int], tuple[Way, Way]] = {}
        self._after: dict[tuple[NodeId, int, NodeId, int], float] = {}
        self._back: dict[int, float] = {}

    def more(self, tip: NodeId, before: int, arm: NodeId, left: int, seen: int, marks: int) -> float:
        """The most that may come after a stop (`tip` < 0: only a second arm) with so many counted stops left, and bonuses.

        `before` is the destination before it; `arm` the first stop of the first arm where a second may come, else < 0.
        """
        key = (tip, before, arm, left)
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._most(tip, before, arm, left)
        back = self._back.get(seen)
        if back is None:
            back = self._back[seen] = self._given_back(seen)
        return found + back + self.bonus(marks)

    def bonus(self, marks: int) -> float:
        """The most that marks add to a bonus, less their prices."""
        found = self._bonus.get(marks)
        if found is None:
            pairs = zip(self.segments.plan.shares, self.mark_prices, strict=True)
            found = sum((amount - price) * (marks & bits).bit_count() for (bits, amount, _), price in pairs)
            self._bonus[marks] = found
        return found

    def _given_back(self, seen: int) -> float:
        """The prices of what a route has not visited yet that has seen so much."""
        back = self.marks_back + self.stop_price * (self.limit - seen.bit_count() if self.limit else 0)
        return back + sum(price for bit, price in self.prices.items() if bit & ~seen)

    def _most(self, tip: NodeId, before: int, arm: NodeId, left: int) -> float:
        bit = self.segments.bit
        if tip < 0:
            return self._on(~self.root, left, bit[arm])[0]
        if arm < 0:
            return self._on(tip, left, before)[0]
        return max(self._on(tip, n, before)[0] + self._on(~self.root, left - n, bit[arm])[0] for n in range(left + 1))

    def _on(self, at: NodeId, left: int, but: int) -> Way:
        """The best way on from a stop (`~root`: leaving the root) to any destination but one."""
        first, second = self._best_of(at, left)
        return second if first[1] == but else first

    def _best_of(self, at: NodeId, left: int) -> tuple[Way, Way]:
        found = self._best.get((at, left))
        if found is None:
            here = self.segments.bit[at if at >= 0 else ~at]
            first, second = NOWHERE, NOWHERE
            for arc in self._arcs_from(at):
                rest = left - arc.cost
                if rest < 0:
                    continue
                worth = arc.gain + (self._on(arc.to, rest, here)[0] if arc.to >= 0 else 0)
                if worth > first[0]:
                    if arc.bit != first[1]:
                        second = first
                    first = (worth, arc.bit, arc.to)
                elif worth > second[0] and arc.bit != first[1]:
                    second = (worth, arc.bit, arc.to)
            found = self._best[at, left] = (first, second)
        return found

    def _arcs_from(self, at: NodeId) -> list[PricedSegment]:
        found = self._arcs.get(at)
        if found is None:
            segments, best = self.segments, dict[NodeId, PricedSegment]()
            out = segments.onward(at, self.barred) if at >= 0 else segments.leaving(~at, self.barred)
            for each in out:
                stops, bit = each.seen.bit_count(), segments.bit[each.to]
                gain = each.value + each.double - self.stop_price * stops - self.prices.get(bit, 0)
                gain += self.bonus(each.marks) if each.marks else 0
                to = each.to if each.goes_on else ~each.to
                if to not in best or gain > best[to].gain:
                    best[to] = PricedSegment(gain, to, segments.cost[each.to], bit, stops, each.marks)
            found = self._arcs[at] = list(best.values())
        return found

    # Prices

    def tighten(self) -> None:
        """Find prices under which the best walk is worth least: those for what it does too often rise, others fall."""
        if self.tightened:
            return
        self.tightened = True
        left = self.segments.plan.reach - self.segments.cost[self.root]
        start = self.segments.bit[self.root]
        marks = self.segments.marks[self.root]
        step, lowest, kept = STEP, float("inf"), (self.prices, self.stop_price, self.mark_prices)
        for _ in range(STEPS):
            worth, walk = self._walk(left)
            bound = worth + self._given_back(start) + self.bonus(marks)
            if bound < lowest:
                lowest, kept = bound, (self.prices, self.stop_price, self.mark_prices)
            else:
                step *= SHORTER
            self._set(*self._changed(walk, step))
        self._set(*kept)

    def _changed(self, walk: list[PricedSegment], step: float) -> tuple[dict[int, float], float, list[float]]:
        """Prices a step further: higher for what this walk does too often, lower for what it could do more often."""
        visits = Counter(arc.bit for arc in walk)
        start = self.segments.bit[self.root]
        prices = {start: -NEVER}  # no walk gains by coming there again
        for bit in {*self.prices, *visits} - {start}:
            price = self.prices.get(bit, 0) + step * (visits[bit] - 1)
            if price > 0:
                prices[bit] = price
        over = (1 + sum(arc.stops for arc in walk) - self.limit) / self.limit if self.limit else 0
        marks = [self.segments.marks[self.root], *(arc.marks for arc in walk)]
        mark_prices = []
        for (bits, amount, most), price in zip(self.segments.plan.shares, self.mark_prices, strict=True):
            many = sum((each & bits).bit_count() for each in marks) - most
            mark_prices.append(min(amount, max(0.0, price + step / MARKS * many)) if most else 0.0)
        return prices, max(0.0, self.stop_price + step * over), mark_prices

    def _walk(self, left: int) -> tuple[float, list[PricedSegment]]:
        """Return the worth of the best walk from the root, and its arcs."""
        root = ~self.root
        worth, ways = self._on(root, left, 0)[0], [(left, 0)]
        for n in range(left + 1) if self.arms == 2 else ():
            first, second = self._best_of(root, n)
            for way, other in ((first, second), (second, first)):
                there = self._on(root, left - n, way[1])
                if way[0] + there[0] > worth:
                    worth, ways = way[0] + there[0], [(n, other[1] if way is second else 0), (left - n, way[1])]
        return worth, [arc for room, but in ways for arc in self._arm(room, but)]

    def _arm(self, left: int, but: int) -> list[PricedSegment]:
        """The arcs of the best arm from the root that goes to another destination first."""
        found: list[PricedSegment] = []
        at = ~self.root
        while True:
            gain, _, to = self._on(at, left, but)
            if gain <= 0:
                return found
            arc = next(each for each in self._arcs_from(at) if each.to == to)
            found.append(arc)
            if to < 0:
                return found
            but, at, left = self.segments.bit[at if at >= 0 else ~at], to, left - arc.cost


class SkippingBound:
    """The most that a route of a train may earn which may leave stops out: the best of the stops within reach at all."""

    def __init__(self, segments: Segments) -> None:
        self.segments = segments
        visits: dict[int, list[int]] = {}
        begun = set(segments.roots)
        todo = [each for node in begun for each in segments.leaving(node)]
        while todo:
            each = todo.pop()
            # a ferry changes what the stop before pays, if that counts
            value, double = (max(0, a) + max(0, b) for a, b in zip(each.ferry, each.end_ferry, strict=True))
            best = visits.setdefault(segments.bit[each.to], [0, 0])
            best[0] = max(best[0], each.visit[0] + value)
            best[1] = max(best[1], each.visit[0] + value + each.visit[1] + double)
            if each.goes_on and each.to not in begun:
                begun.add(each.to)
                todo += segments.onward(each.to)
        self.gains = [
            sorted(((best[weight], bit) for bit, best in visits.items()), reverse=True) for weight in (0, 1)
        ]  # by destination, without and with doubled values

    def most(self, tip: NodeId, visits: Sequence[Visit], marks: int, mask: int, seen: int) -> float:
        """The most that a route with these visits earns if it goes on; `NEVER` where it cannot become a route."""
        segments, plan = self.segments, self.segments.plan
        reached, ahead = segments.reached(tip, seen | mask << segments.places)
        signs = marks | ahead
        if any(marks & one and not signs & others for one, others in segments.needs):
            return NEVER
        bonus, kept, room = plan.bonus(signs, 0), int(plan.keeps_ends), plan.reach
        if plan.bonus(signs, 10) > bonus:
            gains, paid = self.gains[1], [a + b if b > 0 else a for a, b in visits]
        else:
            gains, paid = self.gains[0], [a for a, _ in visits]
        coming = [gain for gain, bit in gains if bit & reached][:room]
        some = sorted(paid[kept:] + coming, reverse=True)
        return bonus + sum(paid[:kept]) + sum(some[: room - kept])
