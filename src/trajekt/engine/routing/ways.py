"""Ways: what a leg is to a walk, which minds only some of the destinations and pieces of track that it uses.

A walk is a route held to less than the rules: it may come again to what it does not mind. So what it may still earn depends
on little, and is worked out once (`walks`, `skipping_walks`); since every route is such a walk, it is never too low. What is
minded differs from place to place: a thing that the best walk used twice is minded at the stops between the one time and the
other, and forgotten elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.segments import Leg, Legs
from trajekt.engine.routing.tolls import EIGHTHS

Kind: TypeAlias = tuple[NodeId, int, int]  # of ways: to one stop, at one cost, with the same marks

NEVER = -1e9
BACK = -2
# What a walk has left is one number: its low bits are counted stops, those above are stops of any kind if these are limited.
ROOM = 8
COUNTED = (1 << ROOM) - 1
SPENT = 1 << ROOM - 1 | 1 << 2 * ROOM  # bits that are set once either is less than nothing


class Way(NamedTuple):
    """The best of the legs that are alike to a walk. `to` -1: nothing follows, `BACK`: it turns back to the root, without a
    leg, for the second arm. `skipped`: what it earns uncounted.

    It may not be gone if any of `bits` is used; after it `keeps` of what was used is minded still, and `adds` besides. `cost`
    is taken off what is left (`Ways.left`), which has `SPENT` bits then if that was not enough.
    """

    to: NodeId
    bits: int
    keeps: int
    adds: int
    cost: int
    marks: int
    gain: float
    skipped: float
    leg: Leg | None


class Step(NamedTuple):
    """A step of a walk: from where, over which leg (none: back to the root), and whether the stop it comes to counts."""

    at: NodeId
    leg: Leg | None
    counts: bool


class Ways:
    """The ways of the walks from one root; `~root` is the place at which they begin.

    `weight` 1: stops pay doubled values, which the walk must earn. `minds`: what it minds, by place.
    """

    def __init__(self, legs: Legs, root: NodeId, barred: int, weight: int, minds: Mapping[NodeId, int]) -> None:
        self.legs, self.plan, self.root, self.weight = legs, legs.plan, root, weight
        self.barred, self.minds = barred, minds
        self.stops, self.alike = legs.plan.stops, legs.alike
        self.price = price_of_towns(legs) if self.stops and not self.alike else 0  # of a stop of any kind, to a sketch
        self.own = 1 << legs.marked if legs.plan.start_among else 0  # the mark of who came by a station
        self.arms = 1 if legs.plan.start_among or legs.ends_only(root) else 2
        self.begun = legs.bit[root] & minds.get(~root, 0)
        self.marks = legs.marks[root] | legs.begun | (self.own if root in legs.own else 0)
        self._ways: dict[NodeId, list[Way]] = {}
        self._kinds: dict[NodeId, dict[Kind, list[tuple[int, int, int, float]]]] = {}
        self._ends: dict[int, float] = {}

    def minding(self, minds: Mapping[NodeId, int]) -> Ways:
        """The ways of walks that mind other things."""
        return Ways(self.legs, self.root, self.barred, self.weight, minds)

    def left(self, counted: int, seen: int) -> int:
        """What is left to a route with so many counted stops to go that has seen these destinations and towns."""
        stops = self.stops
        if not stops:
            return counted
        room = stops - seen.bit_count()
        return room if self.alike else counted | room << ROOM

    def used_at(self, at: NodeId, uses: int) -> int:
        """What a route that uses so much (`Leg.uses`) minds of it here."""
        return uses & self.minds.get(at, 0)

    def ends(self, marks: int) -> float:
        """What the bonuses of a route with these marks are; `NEVER` if it is none."""
        found = self._ends.get(marks)
        if found is None:
            found = self._ends[marks] = self._bonus(marks)
        return found

    def _bonus(self, marks: int) -> float:
        plan = self.plan
        if self.own and not marks & self.own:
            return NEVER
        marks &= ~self.own
        if any(marks & one and not marks & others for one, others in plan.needs):
            return NEVER
        bonus = plan.bonus(marks, 0)
        return NEVER if self.weight and plan.bonus(marks, 10) == bonus else bonus

    def on(self, at: NodeId) -> list[Way]:
        """The legs on from a stop, only what they are to a walk, those of most gain first."""
        found = self._ways.get(at)
        if found is None:
            found = self._ways[at] = self._on(at)
        return found

    def _on(self, at: NodeId) -> list[Way]:
        legs, weight, own = self.legs, self.weight, self.own
        here, keeps_at, back = self.minds.get(at, 0), self.minds.get, ~self.root
        toll, costs, skips = legs.tolls.of, legs.cost, self.plan.skips
        stops, alike = self.stops, self.alike
        best: dict[tuple[NodeId, int, int, int, int], tuple[float, float, Leg]] = {}
        for leg in legs.onward(at, self.barred) if at >= 0 else legs.leaving(~at, self.barred):
            to, uses, cost = leg.to if leg.goes_on else -1, leg.uses, costs[leg.to]
            if stops:
                cost = leg.seen.bit_count() if alike else cost | leg.seen.bit_count() << ROOM
            marks = leg.marks | own if own and leg.own else leg.marks
            key = to, uses & here, uses & keeps_at(to if to >= 0 else back, 0), marks, cost
            skipped = -toll(leg.mask)
            if skips:
                value, double = legs.visit(leg)
                gain = value + weight * double + skipped
            else:
                gain = leg.value + weight * leg.double + skipped
            known = best.get(key)
            if known is None or gain > known[0] or (gain == known[0] and skipped > known[1]):
                best[key] = gain, skipped, leg
        found = [
            Way(to, bits, keeps_at(to if to >= 0 else back, 0), adds, cost, marks, *each)
            for (to, bits, adds, marks, cost), each in best.items()
        ]
        if at >= 0 and self.arms == 2:
            found.append(Way(BACK, 0, keeps_at(back, 0), 0, 0, 0, 0, 0, None))
        found.sort(key=lambda way: -way.gain)
        return found

    def kinds(self, at: NodeId) -> dict[Kind, list[tuple[int, int, int, float]]]:
        """The ways on from a stop by kind: of each its bits, what it keeps and adds, and its gain."""
        found = self._kinds.get(at)
        if found is None:
            found = self._kinds[at] = {}
            for way in self.on(at):
                kind = way.to, way.cost, way.marks
                found.setdefault(kind, []).append((way.bits, way.keeps, way.adds, way.gain))
        return found

    def twice(self, path: Sequence[Step], most: int = 1) -> dict[NodeId, int]:
        """What a walk should have minded, and where: what it uses twice, from the one time to the next.

        Where stops may be left out that is `most` of the dearest for which it is paid twice, if there is any.
        """
        legs = self.legs
        if self.plan.skips:
            paid = self._paid_twice(path, most)
            if paid:
                # where stops may be left out, the way back to a good one may be as long as one likes
                return dict.fromkeys(self._ways, paid)
        uses = [legs.bit[self.root], *(step.leg.uses if step.leg else 0 for step in path)]
        found: dict[NodeId, int] = {}
        for late in range(1, len(uses)):
            for early in range(late - 1, -1, -1):
                clash = uses[early] & uses[late]
                if clash:
                    for step in path[early:late]:
                        found[step.at] = found.get(step.at, 0) | (clash & -clash)
                    break
        return found

    def _paid_twice(self, path: Sequence[Step], most: int) -> int:
        """The destinations for which a walk is paid more than once, so many of the dearest."""
        legs = self.legs
        paid = legs.bit[self.root]
        again: dict[int, int] = {}
        for step in path:
            if step.leg and step.counts:
                bit, earned = legs.bit[step.leg.to], step.leg.visit[0] + self.weight * step.leg.visit[1]
                if earned > 0 and bit & paid:
                    again[bit] = max(earned, again.get(bit, 0))
                paid |= bit
        return sum(sorted(again, key=lambda bit: (-again[bit], bit))[:most])


def price_of_towns(legs: Legs) -> float:
    """What a town pays on the average, in eighths of a Mark: what it costs about to do without one."""
    pays = [value for value, town in zip(legs.value, legs.town, strict=True) if town]
    return round(EIGHTHS * sum(pays) / len(pays)) / EIGHTHS if pays else 0
