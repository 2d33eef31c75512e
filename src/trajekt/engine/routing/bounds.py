"""Completion bounds: what a route that is not yet complete may still earn, never too low.

The bound of most trains is the best *walk* on from where the route is, which is held to less than the rules: it may come again
to any stop but the one before, and over any track. So what it earns depends on little, and is worked out once for each stop
and number of stops left. A train that may leave stops out has a bound of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.segments import Segments, Visit

PRICE = 12  # Mark: what a walk pays for a stop where stops are limited in all, about what a town earns
NEVER = -1e9  # Mark: of a route that the rules cannot allow any more

Way: TypeAlias = tuple[float, int]  # what a walk on earns, and the bit of the destination that it goes to first
Arc: TypeAlias = tuple[float, NodeId, int, int]  # gain, stop (`~stop`: the route ends there), cost, destination's bit

NOWHERE: Way = (0.0, 0)


class WalkBound:
    """The most that the walks from one root may earn, with stops barred that were roots before.

    Where the plan limits the stops of any kind, a walk would take every town that lies about. So each stop takes a price
    (a Lagrange multiplier), and the limit gives it back for every stop that it leaves room for: no route has more stops, so
    none earns more than the best walk under any price that is not negative.
    """

    def __init__(self, segments: Segments, root: NodeId, barred: int) -> None:
        self.segments, self.root, self.barred = segments, root, barred
        self.two_arms = not (segments.one_arm or segments.ends_only(root))
        self.limit = segments.plan.stops  # of stops of any kind; 0: none
        self.price = PRICE if self.limit else 0
        self.some_free = segments.plan.towns == "plus"  # towns that end a route without being counted
        self._bonus: dict[int, int] = {}
        self._arcs: dict[NodeId, list[Arc]] = {}
        self._best: dict[tuple[NodeId, int], tuple[Way, Way]] = {}
        self._after: dict[tuple[NodeId, int, NodeId, int], float] = {}

    def more(self, tip: NodeId, before: int, arm: NodeId, left: int, seen: int, marks: int) -> float:
        """The most that may come after a stop (`tip` < 0: only a second arm) with so many counted stops left, and bonuses.

        `before` is the destination before it; `arm` the first stop of the first arm where a second may come, else < 0.
        """
        key = (tip, before, arm, left)
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._most(tip, before, arm, left)
        if self.limit:
            found += self.price * (self.limit - seen.bit_count())
        return found + self.bonus(marks)

    def bonus(self, marks: int) -> int:
        """The most that marks add to a bonus."""
        found = self._bonus.get(marks)
        if found is None:
            found = sum(amount * (marks & bits).bit_count() for bits, amount in self.segments.plan.shares)
            self._bonus[marks] = found
        return found

    def _most(self, tip: NodeId, before: int, arm: NodeId, left: int) -> float:
        if arm < 0:
            return self._on(tip, left, before)
        first = self.segments.bit[arm]
        if tip < 0:
            return self._on(~self.root, left, first)
        return max([self._on(tip, n, before) + self._on(~self.root, left - n, first) for n in range(left + 1)])

    def _on(self, at: NodeId, left: int, but: int) -> float:
        """Earnings of the best way on from a stop (`~root`: leaving the root) to any destination but one."""
        if not (left or self.some_free):
            return 0.0  # with no stop left nobody need know what track leads away
        first, second = self._best.get((at, left)) or self._best_of(at, left)
        return second[0] if first[1] == but else first[0]

    def _best_of(self, at: NodeId, left: int) -> tuple[Way, Way]:
        """The best ways on to two different destinations."""
        here = self.segments.bit[at if at >= 0 else ~at]
        first, second = NOWHERE, NOWHERE
        for gain, to, cost, bit in self._arcs_from(at):
            if cost > left:
                continue
            worth = gain + (self._on(to, left - cost, here) if to >= 0 else 0)
            if worth > first[0]:
                first, second = (worth, bit), second if first[1] == bit else first
            elif worth > second[0] and bit != first[1]:
                second = (worth, bit)
        self._best[at, left] = found = (first, second)
        return found

    def _arcs_from(self, at: NodeId) -> list[Arc]:
        """The best segment to each stop, the price of its stops taken off."""
        found = self._arcs.get(at)
        if found is None:
            segments, best = self.segments, dict[NodeId, Arc]()
            for each in segments.out(at, self.barred):
                gain = each.value + each.double + self.bonus(each.marks) - self.price * each.seen.bit_count()
                to = each.to if each.goes_on else ~each.to
                if to not in best or gain > best[to][0]:
                    best[to] = (gain, to, each.cost, segments.bit[each.to])
            found = self._arcs[at] = list(best.values())
        return found


class SkippingBound:
    """The most that a route of a train may earn which may leave stops out: the best of the stops within reach at all."""

    def __init__(self, segments: Segments) -> None:
        self.segments = segments
        visits: dict[int, list[int]] = {}
        begun = set(segments.roots)
        todo = [each for node in begun for each in segments.out(~node)]
        while todo:
            each = todo.pop()
            # a ferry changes what the stop before pays, if that counts
            value, double = (max(0, a) + max(0, b) for a, b in zip(each.ferry, each.end_ferry, strict=True))
            best = visits.setdefault(segments.bit[each.to], [0, 0])
            best[0] = max(best[0], each.visit[0] + value)
            best[1] = max(best[1], each.visit[0] + value + each.visit[1] + double)
            if each.goes_on and each.to not in begun:
                begun.add(each.to)
                todo += segments.out(each.to)
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
