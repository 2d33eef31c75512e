"""Enumeration of the routes of one kind of train, and lists of routes found.

A route is a root (a stop with a station of the company, or an end that the train must have) with one or two arms of segments.
Routes are expanded segment by segment, depth first, as long as what may still come can lift them over a cutoff (`bounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.bounds import SkippingBound, WalkBound
from trajekt.engine.routing.runs import Run
from trajekt.engine.routing.segments import Chain, Segment, Segments, Visit, visited

EACH = 256  # expansions between two looks at the clock
WHOLE = -1  # effort: so many expansions, or as many as it takes
MOST_FIRST = itemgetter(0)
BOTH_ARMS, ONE_ARM = -1, -2  # what `_expand` knows of the second arm


class Route(NamedTuple):
    """A route found: what it earns in Mark, the track it uses as a bit mask, the number of its root, its segments."""

    revenue: int
    mask: int
    root: NodeId
    chain: Chain


class Late(Exception):
    """The limit of time or of expansions has come."""


class Enough(Exception):
    """As many expansions as allowed; or any route was asked for, and one is there."""


class SearchClock:
    """Counts expansions and raises `Late` when `limit` seconds have passed by `now`, or after so many `expansions`."""

    def __init__(
        self, limit: float | None, expansions: int | None = None, now: Callable[[], float] | None = None
    ) -> None:
        self.now = now or perf_counter
        self.start = self.now()
        self.end = None if limit is None else self.start + limit
        self.expansions = expansions
        self.count = 0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self.now() - self.start

    def tick(self) -> None:
        """Count an expansion more."""
        self.count += 1
        if self.count % EACH:
            return
        if (self.end is not None and self.now() > self.end) or (
            self.expansions is not None and self.count > self.expansions
        ):
            raise Late


def in_order(routes: Iterable[Route]) -> list[Route]:
    """Routes by what they earn, most first; then those on less track."""
    return sorted(routes, key=lambda each: (-each.revenue, each.mask.bit_count(), each.mask))


class Listed:
    """Routes of one kind of train in order, and which of them use some track, as a bit mask over the list."""

    def __init__(self, routes: list[Route]) -> None:
        self.routes = routes
        self.revenues = [route.revenue for route in routes]
        self.all = (1 << len(routes)) - 1
        self._users: dict[int, int] = {}
        self._taken: dict[int, int] = {}

    def taken(self, mask: int) -> int:
        """The routes that use any of this track."""
        known = self._taken.get(mask)
        if known is None:
            if not self._users:
                self._users = users_of(self.routes)
            known, rest = 0, mask
            while rest:
                low = rest & -rest
                rest ^= low
                known |= self._users.get(low, 0)
            self._taken[mask] = known
        return known

    def most(self, free: int) -> int:
        """The most that one of these routes earns."""
        return self.revenues[(free & -free).bit_length() - 1] if free else 0


def users_of(routes: Iterable[Route]) -> dict[int, int]:
    """For each bit of track the routes that use it, as a bit mask over the list."""
    places: dict[int, list[int]] = {}
    number = 0
    for number, route in enumerate(routes):
        mask = route.mask
        while mask:
            low = mask & -mask
            mask ^= low
            places.setdefault(low, []).append(number)
    found = {}
    for low, numbers in places.items():
        row = bytearray(number // 8 + 1)
        for each in numbers:
            row[each >> 3] |= 1 << (each & 7)
        found[low] = int.from_bytes(row, "little")
    return found


class Companion(NamedTuple):
    """Routes of which one is to be run beside those looked for: the two together must earn more than `cutoff`."""

    listed: Listed
    cutoff: float

    def over(self, chain: Chain) -> float:
        """Return the figure that a route with these segments must exceed, infinite where none of the others has room."""
        taken = 0
        while chain is not None:
            taken |= self.listed.taken(chain[1].mask)
            chain = chain[0]
        free = self.listed.all & ~taken
        return self.cutoff - self.listed.most(free) if free else float("inf")


class Enumerator:
    """Lists the routes of one kind of train. `cutoff`: only routes that earn more are of interest."""

    def __init__(self, segments: Segments, clock: SearchClock) -> None:
        self.segments, self.clock, self.plan = segments, clock, segments.plan
        self.room = self.plan.stops  # for stops of any kind; of a train that counts towns apart, with no city to go
        self.apart = self.plan.town_limit is not None
        if self.plan.town_limit is not None:
            self.room = self.plan.reach + self.plan.town_limit
        self.plus = self.plan.towns == "plus"
        self.routes: dict[int, Route] = {}  # by mask
        self.cutoff: float = 0
        self.used, self.barred, self.root = 0, 0, 0
        self.effort, self.spent, self.cut = WHOLE, 0, False
        self.best_only, self.any = False, False
        self.companion: Companion | None = None
        # bounds are kept no longer than a search: it must answer alike whatever was asked before
        self.bounds: dict[NodeId, WalkBound] = {}
        if self.plan.skips and segments.skipping is None:
            segments.skipping = SkippingBound(segments)
        self.skipping: SkippingBound | None = segments.skipping

    def best(self, used: int = 0, cutoff: float = -1, effort: int = WHOLE) -> Route | None:
        """The best route that earns more than `cutoff` on track outside `used`; the best so far where it is `cut`."""
        self._search(used, cutoff, effort, best_only=True)
        return max(self.routes.values(), key=lambda route: route.revenue, default=None)

    def above(self, cutoff: float, used: int = 0, companion: Companion | None = None) -> list[Route]:
        """The routes that earn more than the cutoff on track outside `used`, the best for each mask, most valuable first.

        Only such as leave room to one of a companion's, if there is one, and earn enough with it.
        """
        self.companion = companion
        self._search(used, cutoff, WHOLE)
        self.companion = None
        return in_order(self.routes.values())

    def first(self, used: int = 0) -> Route | None:
        """Some legal route on track outside `used`, soon found."""
        self.any = True
        self._search(used, -1, WHOLE)
        self.any = False
        return next(iter(self.routes.values()), None)

    def run(self, kind: TrainKind, route: Route) -> Run:
        """A route as an action carries it."""
        return self.segments.run(kind, route.root, route.chain)

    def _search(self, used: int, cutoff: float, effort: int, *, best_only: bool = False) -> None:
        self.used, self.cutoff, self.effort, self.best_only = used, self._below_next(cutoff), effort, best_only
        self.routes, self.cut, self.barred, self.spent = {}, False, 0, 0
        try:
            for root in self.segments.roots:
                self._from(root)
                if not self.segments.one_arm or self.segments.ends_only(root):
                    self.barred |= 1 << root  # a route with two roots is listed once
        except Enough:
            self.cut = True

    def _below_next(self, revenue: float) -> float:
        """Return the cutoff under the next revenue that a route can have, since all are multiples of the unit."""
        return (revenue // self.plan.unit + 1) * self.plan.unit - 1

    def _from(self, root: NodeId) -> None:
        """All routes that have their root here and none where one was before."""
        segments = self.segments
        self.root = root
        left, bits, marks = self.plan.reach - segments.cost(root), segments.bit[root], segments.marks[root]
        value, double = segments.value(root), segments.double[root]
        marks |= segments.begun
        if self.plan.skips:
            self._expand_skipping(~root, [(value, double)], marks, self.used, bits, None, -1)
            return
        bound = self.bounds.get(root)
        if bound is None:
            bound = self.bounds[root] = WalkBound(segments, root, self.barred)
        self.bound = bound
        arm = BOTH_ARMS if bound.two_arms else ONE_ARM
        self._expand(~root, arm, left, value, double, marks, self.used, bits, None)

    def _tick(self) -> None:
        """Count an expansion more."""
        self.clock.tick()
        self.spent += 1
        if 0 <= self.effort < self.spent:
            raise Enough

    def _over(self, most: float, chain: Chain) -> float:
        """Return the figure that routes which begin with these segments must exceed, if they can earn so much."""
        if self.companion is None or most <= self.cutoff:
            return self.cutoff
        return max(self.cutoff, self.companion.over(chain))

    def _keep(self, total: int, track: int, marks: int, chain: Chain) -> bool:
        """Keep a route, if it is one."""
        if any(marks & one and not marks & others for one, others in self.segments.needs):
            return False
        mask = track ^ self.used
        known = self.routes.get(mask)
        if known is None or known.revenue < total:
            self.routes[mask] = Route(total, mask, self.root, chain)
            if self.any:
                raise Enough
            if self.best_only:
                self.cutoff = self._below_next(total)
        return True

    def _expand(
        self, at: int, second: int, left: int, value: int, double: int, marks: int, track: int, seen: int, chain: Chain
    ) -> None:
        """Add one segment in every way at the stop `at` (`~root`: at the root), the most promising first.

        `second`: before the first segment `BOTH_ARMS`, then the stop that the first arm went to first, `ONE_ARM` once there
        may be no (other) second arm. The second arm goes to a stop of higher number, so that no pair of arms comes twice.
        """
        self._tick()
        bonus, more, plus, beyond = self.plan.bonus, self.bound.more, self.plus, second if at < 0 else -1
        before, grown, begins = self.segments.bit[at if at >= 0 else ~at], [], beyond >= 0
        for each, been, rest in self._following(at, beyond, left, track, seen):
            now, twice, signs, used = value + each.value, double + each.double, marks | each.marks, track | each.mask
            arm = ONE_ARM if begins else each.to if second == BOTH_ARMS else second
            tip = each.to if each.goes_on else -1
            link: Chain = (chain, each, begins)
            total, goes_on = now + bonus(signs, twice), (rest or plus) and max(tip, arm) >= 0
            if self.any:
                self._keep(total, used, signs, link)  # if it is a route the search ends, and no bound was worked out
            far = now + twice + more(tip, before, arm, rest, been, signs) if goes_on else total
            over = self._over(max(far, total), link)
            if total > over:
                self._keep(total, used, signs, link)
            if goes_on and far > over:
                grown.append((far, tip, arm, (rest, now, twice, signs, used, been, link)))
        if grown:
            self._expand_further(grown)

    def _expand_further(self, grown: list[tuple[float, int, int, Any]]) -> None:
        """Expand routes that have become longer by a segment, at their tip and at their root, the most promising first."""
        grown.sort(key=MOST_FIRST, reverse=True)
        for far, tip, arm, state in grown:
            if far > self.cutoff and tip >= 0:
                self._expand(tip, arm, *state)
            if far > self.cutoff and arm >= 0:
                self._expand(~self.root, arm, *state)

    def _following(self, at: int, beyond: int, left: int, track: int, seen: int) -> list[tuple[Segment, int, int]]:
        """The segments that may follow, to stops of higher number than `beyond`, with what is seen then and the stops left."""
        busy, room, apart = seen | track << self.segments.places, self.room, self.apart
        following = [
            (each, seen | each.seen, left - each.cost)
            for each in self.segments.out(at, self.barred)
            if not each.uses & busy and each.to > beyond and each.cost <= left
        ]
        return [f for f in following if f[1].bit_count() + (f[2] if apart else 0) <= room] if room else following

    def _expand_skipping(
        self, at: int, visits: list[Visit], marks: int, track: int, seen: int, chain: Chain, earned: int
    ) -> None:
        """Add one segment in every way to a route of one arm of which stops may be left out.

        `earned` is what the route earns as it is: what goes on from it on more track and earns no more is of no use.
        """
        self._tick()
        assert self.skipping is not None
        segments, skipping, grown = self.segments, self.skipping, []
        busy = seen | track << segments.places
        for each in segments.out(at, self.barred):
            if each.uses & busy:
                continue
            after, signs = visited(visits, each), marks | each.marks
            used, been, tip = track | each.mask, seen | each.seen, each.to if each.goes_on else -1
            link: Chain = (chain, each, False)
            far = skipping.most(tip, after, signs, used, been) if tip >= 0 else self._worth(after, signs)
            over = self._over(far, link)
            if far <= over:
                continue
            total, least = self._worth(after, signs), earned
            if total > max(over, earned) and self._keep(total, used, signs, link):
                least = total
            if tip >= 0 and far > least:
                grown.append((far, (tip, after, signs, used, been, link, least)))
        grown.sort(key=MOST_FIRST, reverse=True)
        for far, state in grown:
            if far > self.cutoff:
                self._expand_skipping(*state)

    def _worth(self, visits: list[Visit], marks: int) -> int:
        """Return the revenue of a route whose best stops pay, the ends always if they must."""
        plan = self.plan
        if len(visits) <= plan.reach:
            return sum([a for a, _ in visits]) + plan.bonus(marks, sum([b for _, b in visits]))
        spare = plan.bonus(marks, 0)
        paid = [a + b for a, b in visits] if plan.bonus(marks, 10) > spare else [a for a, _ in visits]
        if not plan.keeps_ends:
            return spare + sum(sorted(paid)[-plan.reach :])
        return spare + paid[0] + paid[-1] + sum(sorted(paid[1:-1])[len(paid) - plan.reach :])
