"""What lists the routes of one kind of train: roots, arms of legs, and bounds that cut what cannot matter.

The method as a whole stands in `routes`. Growing stops where even the best stops not yet visited could not lift a route over
its bar; the tables that say more exactly what may still come (`walks`) are made only after some growths of a search, since
most boards never need them: at once where first answers did not see everything.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from itertools import accumulate
from operator import add
from typing import Any, Protocol, TypeAlias

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.runs import Plan, Run
from trajekt.engine.routing.segments import Leg, Legs
from trajekt.engine.routing.skipping_walks import SkippingWalks
from trajekt.engine.routing.tolls import FREE, Tolls
from trajekt.engine.routing.walks import RoughWalks, Walks
from trajekt.engine.routing.ways import Ways

Chain: TypeAlias = tuple[Any, Leg, bool] | None  # the legs of a route, last first; true where the second arm begins
Found: TypeAlias = tuple[int, int, int, Any]  # revenue, mask, number of the root, legs (see `Chain`) or pieces
Table: TypeAlias = Walks | SkippingWalks

TIME = time.perf_counter
MANY = 12  # clashes of the best walks that are minded at a time, where no better route is found soon
QUIET = 500  # growths of a search before tables are worth their making
HASTY = 80  # the same for trains whose growths are slow without tables
ROUGH = 8_000  # figures of a table from which on it minds no more
STALE = 12_000  # figures from which on it forgets what was minded under other tolls
BOTH_ARMS, ONE_ARM = -1, -2  # what `_grow` knows of the second arm
EACH = 256  # growths between two looks at the clock
WHOLE = -1  # effort: so many growths, or as many as it takes


class Beside(Protocol):
    """Listed routes, of which one is to be run beside another."""

    def room(self, mask: int) -> bool: ...


class Finder(Protocol):
    """What lists the routes of one kind of train, and what the choice of routes asks of it.

    A bar is held against what a route earns less the tolls. A search with less than the whole effort may be `cut` short; on a
    `crowded` board tables are worth their making to such a search, too.
    """

    plan: Plan
    routes: dict[int, Any]
    cut: bool
    crowded: bool
    tolls: Tolls

    def charge(self, tolls: Tolls) -> None: ...

    def best(self, used: int = 0, bar: float = -1, effort: int = WHOLE) -> Found | None: ...

    def above(self, bar: float, effort: int = WHOLE, used: int = 0, beside: Beside | None = None) -> list[Found]: ...

    def using(self, track: int) -> Finder: ...

    def first(self) -> Found | None: ...

    def of_roots(self, effort: int) -> list[Found]: ...

    def better(self, bar: float, effort: int) -> list[Found]: ...

    def ceiling(self, bar: float, rounds: int = 1) -> float: ...

    def run(self, kind: TrainKind, found: Any) -> Run: ...


class Late(Exception):
    """The time limit has come."""


class Enough(Exception):
    """Any route was asked for, and one is there."""


class Clock:
    """Counts growths and raises `Late` when `limit` seconds have passed by `now`, or after so many `growths`."""

    def __init__(self, limit: float | None, growths: int | None = None, now: Callable[[], float] = TIME) -> None:
        self.now = now
        self.start = now()
        self.end = None if limit is None else self.start + limit
        self.growths = growths
        self.count = 0

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return self.now() - self.start

    def tick(self) -> None:
        """One growth more."""
        self.count += 1
        if self.count % EACH:
            return
        if self.end is not None and self.now() > self.end:
            raise Late
        if self.growths is not None and self.count > self.growths:
            raise Late


def in_order(found: Iterable[Found], tolls: Tolls) -> list[Found]:
    """Routes by what they earn less the tolls, most first; then those on less track."""
    return sorted(found, key=lambda each: (tolls.of(each[1]) - each[0], each[1].bit_count(), each[1]))


class RouteFinder:
    """Lists the routes of one kind of train. `bar`: only routes that earn more, less the tolls, are of interest."""

    def __init__(self, legs: Legs, clock: Clock) -> None:
        self.plan = legs.plan
        self.legs = self.free = legs
        self.tolls = FREE
        self.clock = clock
        self.bar: float = 0
        self.used = 0
        self.barred = 0
        self.root = 0
        self.growths = WHOLE  # how many it may take, how many without tables, and how many it took
        self.quiet = QUIET
        self.spent = 0
        self.cut = False
        self.crowded = False  # whether also a search that may be cut short is worth tables, at once
        self.routes: dict[int, Found] = {}
        self.states: dict[Any, list[tuple[int, int, int]]] = {}
        self.walks: tuple[Table, ...] = ()
        self.minds: dict[tuple[NodeId, int], dict[NodeId, int]] = {}  # by root and weight, at each place
        self.tables: dict[NodeId, tuple[Table, ...]] = {}  # by root
        self.rough: dict[NodeId, tuple[Table, ...]] = {}  # those which mind nothing
        self.turn = 0  # the place of the root that had better routes last
        self.least: float = 0  # the bar as it was at first, and how far above it a better route takes it
        self.raised: float = 0
        self.any = False
        self.beside: Beside | None = None

    def charge(self, tolls: Tolls) -> None:
        """From now on each route pays tolls."""
        self.tolls = tolls
        self.legs = self.free.charged(tolls) if tolls else self.free
        self.tables, self.rough = {}, {}

    def best(self, used: int = 0, bar: float = -1, effort: int = WHOLE) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; with less effort the best so far."""
        self._run(used, bar, effort, raised=1)
        tolls = self.tolls
        return max(self.routes.values(), key=lambda found: found[0] - tolls.of(found[1]), default=None)

    def above(self, bar: float, effort: int = WHOLE, used: int = 0, beside: Beside | None = None) -> list[Found]:
        """The routes that earn more than the bar on track outside `used`, the best for each mask, most valuable first.

        Only such as leave room to one `beside` them, if that is asked.
        """
        self.beside = beside
        self._run(used, bar, effort, raised=0)
        self.beside = None
        return in_order(self.routes.values(), self.tolls)

    def using(self, track: int) -> RouteFinder:
        """What lists, under the same tolls, only routes that use some of this track."""
        other = RouteFinder(self.free, self.clock)
        other.tolls, other.legs = self.tolls, self.legs.using(track)
        other.plan = other.legs.plan
        other.minds = {key: dict(minds) for key, minds in self.minds.items()}
        return other

    def first(self, used: int = 0) -> Found | None:
        """Some legal route on track outside `used`, soon found."""
        self.any = True
        self._run(used, -1, WHOLE, raised=0)
        self.any = False
        return next(iter(self.routes.values()), None)

    def of_roots(self, effort: int) -> list[Found]:
        """The best route of each root, and by none that was a root before; with so much effort for each."""
        found = []
        for root in self._all_roots():
            self._run(0, -1, effort, raised=1, only=root)
            found += in_order(self.routes.values(), self.tolls)[:1]
        return found

    def ceiling(self, bar: float, rounds: int = 1) -> float:
        """What no route earns more than less the tolls, soon found; if that is more than `bar`.

        What the best walk uses twice is minded from then on, in so many `rounds`.
        """
        self.used = self.barred = 0
        most = bar
        for root in self._all_roots():
            for place, walks in enumerate(self._tables(root)):
                most = max(most, self._minded(root, place, walks, bar, rounds))
            self.barred |= 1 << root
        return most

    def _minded(self, root: NodeId, place: int, walks: Table, bar: float, rounds: int) -> float:
        """What the walks from a root earn at most, once they mind what the best of them use twice."""
        minds = self.minds.setdefault((root, walks.weight), {})
        if rounds > 1 and walks.size > STALE and walks.top(bar) > bar:
            minds.clear()
            walks = walks.minding({})
        for _ in range(rounds):
            if self._noted(root, walks, bar, MANY) <= bar or minds == walks.ways.minds:
                break
            walks = walks.minding(dict(minds))
        tables = list(self.tables[root])
        tables[place] = walks
        self.tables[root] = tuple(tables)
        return walks.top(bar)

    def _noted(self, root: NodeId, walks: Table, bar: float, clashes: int = 1) -> float:
        """What the walks from a root earn at most; the next table minds what the best of them use twice, so many times."""
        top = walks.top(bar)
        if top > bar and walks.size <= ROUGH:
            minds = self.minds.setdefault((root, walks.weight), {})
            for at, bits in walks.twice(bar, clashes).items():
                minds[at] = minds.get(at, 0) | bits
        return top

    def better(self, bar: float, effort: int) -> list[Found]:
        """Some routes that earn more than the bar, of the first root that has any, looked for with so much effort each.

        The search begins with the root that had some last, and by tables that mind nothing: these are soon made.
        """
        return self._better(bar, effort, self._rough) or self._better(
            bar, effort, lambda root: self._noted_tables(root, bar)
        )

    def _better(self, bar: float, effort: int, tables: Callable[[NodeId], tuple[Table, ...]]) -> list[Found]:
        roots = self._all_roots()
        cut = False
        for root in (*roots[self.turn :], *roots[: self.turn]):
            place = roots.index(root)
            self.used, self.barred = 0, sum(1 << each for each in roots[:place])
            walks = tables(root)
            if max([each.top(bar) for each in walks]) <= bar:
                continue
            self._run(0, bar, effort, raised=1 / 2, only=root, tables=walks)
            cut = cut or self.cut
            if self.routes:
                self.turn = place
                return in_order(self.routes.values(), self.tolls)
        self.cut = cut
        return []

    def _noted_tables(self, root: NodeId, bar: float) -> tuple[Table, ...]:
        """The tables of a root, once the next ones mind what the best walks use twice."""
        walks = self._tables(root)
        for each in walks:
            self._noted(root, each, bar)
        return walks

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        return self.legs.run(kind, found)

    def _all_roots(self) -> list[NodeId]:
        return self.legs.starts if self.plan.start_among else self.legs.roots

    def _tables(self, root: NodeId) -> tuple[Table, ...]:
        """What walks from this root may earn, with and without doubled values; kept as long as the tolls are.

        Track in use makes none better, and is not looked at.
        """
        found = self.tables.get(root, ())
        if not found:
            found = self.tables[root] = tuple(
                walks.minding(dict(self.minds.get((root, walks.weight), {}))) for walks in self._rough(root)
            )
        return found

    def _rough(self, root: NodeId) -> tuple[Table, ...]:
        """The same of walks that mind nothing."""
        found = self.rough.get(root, ())
        if not found:
            table = SkippingWalks if self.plan.skips else RoughWalks
            weights = (1, 0) if self.legs.doubles else (0,)
            found = self.rough[root] = tuple(
                table(Ways(self.legs, root, self.barred, weight, {}), self.clock.tick) for weight in weights
            )
        return found

    def _run(
        self, used: int, bar: float, effort: int, *, raised: float, only: int = -1, tables: tuple[Table, ...] = ()
    ) -> None:
        self.used, self.bar, self.least, self.raised, self.routes = used, bar, bar, raised, {}
        self.growths, self.cut, self.barred, self.spent = effort, False, 0, 0
        self.quiet = 0 if self.crowded and effort != WHOLE else HASTY if self.plan.start_among else QUIET
        if not self.any:
            self.legs.survey()
        try:
            for root in self._all_roots():
                if only in (-1, root):
                    self._from(root, tables or self.tables.get(root, ()))
                self.barred |= 1 << root
        except Enough:
            self.cut = True

    def _from(self, root: NodeId, tables: tuple[Table, ...]) -> None:
        """All routes that have their root here and none where one was before."""
        legs, used, left = self.legs, self.used, self.plan.reach - 1
        self.root, self.states = root, {}
        self.walks = tuple(walks for walks in tables if walks.top(self.bar) > self.bar)
        if tables and not self.walks:
            return  # no route from here comes over the bar
        bits, marks, value, double = legs.bit[root], legs.marks[root] | legs.begun, legs.value[root], legs.double[root]
        if self.plan.start_among:
            self._stretch(~root, left, ((value, double),), marks, used, bits, root in legs.own, None)
            return
        second = ONE_ARM if legs.ends_only(root) else BOTH_ARMS
        self._grow(~root, second, left, value, double, marks, used, bits, None)

    def _tick(self) -> None:
        self.clock.tick()
        self.spent += 1
        if 0 <= self.growths < self.spent:
            raise Enough
        if not self.walks and self.spent > self.quiet and not self.any:
            self.walks = self._tables(self.root) if self.growths == WHOLE else self._rough(self.root)

    def _keep(self, total: int, mask: int, marks: int, chain: Chain) -> None:
        for one, others in self.plan.needs:
            if marks & one and not marks & others:
                return
        mask ^= self.used
        worth = total - self.tolls.of(mask)
        if worth <= self.bar:
            return
        known = self.routes.get(mask)
        if known is None or known[0] < total:
            self.routes[mask] = (total, mask, self.root, chain)
            if self.any:
                raise Enough
            if self.raised:
                self.bar = max(self.bar, self.least + self.raised * (worth - self.least))

    def _known(self, key: Any, mask: int, value: int, double: int) -> bool:
        """Whether a state that visits the same with no more track and no less value has been grown already.

        Whatever this state could still become, that one became or becomes on less track for no less.
        """
        entries = self.states.get(key)
        if entries is None:
            self.states[key] = [(mask, value, double)]
            return False
        for other, worth, twice in entries:
            if not other & ~mask and worth >= value and twice >= double:
                return True
        entries.append((mask, value, double))
        return False

    def _grow(
        self, at: int, second: int, left: int, value: int, double: int, marks: int, mask: int, seen: int, chain: Chain
    ) -> None:
        """Add one leg in every way at the stop `at` (`~root`: at the root) to a route that has its root at a station.

        `second`: before the first leg `BOTH_ARMS`, then the stop that the first arm went to first, `ONE_ARM` once there may be
        no (other) second arm. The second arm goes to a stop of higher number, so that no pair of arms comes twice.
        """
        self._tick()
        legs, plan = self.legs, self.plan
        bonus, stops, plus, busy = plan.bonus, plan.stops, legs.plus, seen | mask << legs.places
        begins, beside = at < 0 and second >= 0, self.beside
        grown = []
        for leg in legs.onward(at, self.barred) if at >= 0 else legs.leaving(self.root, self.barred):
            if leg.uses & busy or (begins and leg.to <= second):
                continue
            now, twice, signs = value + leg.value, double + leg.double, marks | leg.marks
            track, been, rest = mask | leg.mask, seen | leg.seen, left - legs.cost[leg.to]
            if rest < 0 or (stops and been.bit_count() > stops):
                continue
            arm = ONE_ARM if begins else leg.to if second == BOTH_ARMS else second
            tip = leg.to if leg.goes_on else -1
            if not self.any and self._known((tip, been, signs, arm, rest), track, now, twice):
                continue
            if beside and not beside.room(track ^ self.used):
                continue
            link: Chain = (chain, leg, begins)
            total = now + bonus(signs, twice)
            if total > self.bar:
                self._keep(total, track, signs, link)
            if not (rest or plus) or (tip < 0 and arm < 0):
                continue
            far = self._far(tip, arm >= 0, rest, now, twice, signs, track, been)
            if far > self.bar:
                grown.append((far, tip, arm, (rest, now, twice, signs, track, been, link)))
        if self.walks:
            grown.sort(key=lambda each: -each[0])
        for far, tip, arm, state in grown:
            if far > self.bar:
                if tip >= 0:
                    self._grow(tip, arm, *state)
                if arm >= 0:
                    self._grow(~self.root, arm, *state)

    def _far(
        self, tip: int, second: bool, left: int, value: int, double: int, marks: int, mask: int, seen: int
    ) -> float:
        """What nothing that such a route becomes earns more than, less the tolls."""
        if self.any:
            return math.inf
        toll = self.tolls.of(mask ^ self.used)
        if not self.walks:
            return value + double + self.legs.share(marks) + self.legs.most(left, seen) - toll
        at, arm = (tip, second) if tip >= 0 else (~self.root, False)
        most, uses = -math.inf, seen | mask << self.legs.places
        for walks in self.walks:
            assert isinstance(walks, Walks)
            sure = value + walks.weight * double
            most = max(most, sure + walks.most(at, arm, left, uses, seen, marks, self.bar + toll - sure))
        return most - toll

    def _stretch(
        self,
        at: int,
        left: int,
        visits: tuple[tuple[int, int], ...],
        marks: int,
        mask: int,
        seen: int,
        own: bool,
        chain: Chain,
        floor: int = -1,
    ) -> None:
        """Add one leg in every way to a route that begins at an end which the train must have; it has one arm.

        `floor` is what the route earns as it is: what goes on from it on more track and earns no more is of no use.
        """
        self._tick()
        legs, plan = self.legs, self.plan
        busy, beside = seen | mask << legs.places, self.beside
        grown = []
        for leg in legs.onward(at, self.barred) if at >= 0 else legs.leaving(~at, self.barred):
            if leg.uses & busy:
                continue
            before = visits
            if leg.ferry != (0, 0):
                value, double = visits[-1]
                before = (*visits[:-1], (value + leg.ferry[0], double + leg.ferry[1]))
            after = (*before, (leg.visit[0] + leg.end_ferry[0], leg.visit[1] + leg.end_ferry[1]))
            signs, mine = marks | leg.marks, own or leg.own
            track, been = mask | leg.mask, seen | leg.seen
            tip = leg.to if leg.goes_on else -1
            key = (tip, been, signs, mine, track & legs.ferry_bits)
            if not self.any and self._known(key, track, 0, 0):
                continue
            if beside and not beside.room(track ^ self.used):
                continue
            link: Chain = (chain, leg, False)
            far, earned = -math.inf, floor
            if leg.goes_on and (left > 1 or plan.skips):
                far = self._farther(tip, left - 1, after, signs, track, been, mine)
                if far <= self.bar:
                    continue  # nor does the route as it is come over the bar
            if mine:
                total = self._worth(after, signs)
                if total > max(self.bar, floor):
                    self._keep(total, track, signs, link)
                if not plan.needs:
                    earned = max(floor, total)
            if far > self.bar and (self.tolls or far > earned):
                grown.append((far, (tip, left - 1, after, signs, track, been, mine, link, earned)))
        if self.walks:
            grown.sort(key=lambda each: -each[0])
        for far, state in grown:
            if far > self.bar:
                self._stretch(*state)

    def _worth(self, visits: tuple[tuple[int, int], ...], marks: int) -> int:
        plan = self.plan
        if len(visits) <= plan.reach:
            return sum([a for a, _ in visits]) + plan.bonus(marks, sum([b for _, b in visits]))
        spare = plan.bonus(marks, 0)
        paid = [a + b for a, b in visits] if plan.bonus(marks, 10) > spare else [a for a, _ in visits]
        if not plan.keeps_ends:
            return spare + sum(sorted(paid)[-plan.reach :])
        return spare + paid[0] + paid[-1] + sum(sorted(paid[1:-1])[len(paid) - plan.reach :])

    def _farther(
        self, tip: int, left: int, visits: tuple[tuple[int, int], ...], marks: int, mask: int, seen: int, own: bool
    ) -> float:
        """What nothing that a route of one arm becomes earns more than, less the tolls."""
        if self.any:
            return math.inf
        if not self.walks:
            return self._roughly(tip, left, visits, marks, mask, seen, own)
        first = 1 if self.plan.keeps_ends else 0
        best, uses = -math.inf, seen | mask << self.legs.places
        toll = self.tolls.of(mask ^ self.used)
        for walks in self.walks:
            signs = marks | walks.own if own else marks
            paid = [a + b for a, b in visits] if walks.weight else [a for a, _ in visits]
            if isinstance(walks, Walks):
                sure = sum(paid)
                far = sure + walks.most(tip, False, left, uses, seen, signs, self.bar + toll - sure)
            else:
                # of those visited so many are paid, of those to come as many as are left
                sums = accumulate(sorted(paid[first:], reverse=True), initial=paid[0] if first else 0)
                far = max(map(add, sums, reversed(walks.row(tip, uses, signs))))
            best = max(best, far)
        return best - toll

    def _roughly(
        self, tip: int, left: int, visits: tuple[tuple[int, int], ...], marks: int, mask: int, seen: int, own: bool
    ) -> float:
        """The same without tables: the best of the stops visited and of those that free legs lead to at all."""
        legs, plan = self.legs, self.plan
        reached, signs, mine = legs.flood(legs.onward(tip), mask, seen)
        if not (own or mine):
            return -math.inf
        signs |= marks
        bonus, best = plan.bonus(signs, 0), -math.inf
        for weight in (1, 0) if plan.bonus(signs, 10) > bonus else (0,):
            paid = [a + weight * b for a, b in visits]
            # a stop that tolls make worth less than nothing need not be gone to
            ahead = [gain for gain, bit in legs.visits[weight] if bit & reached]
            if plan.skips:
                kept = plan.keeps_ends
                some = sorted(paid[kept:] + ahead[: plan.reach], reverse=True)
                total = sum(paid[:kept]) + sum(some[: plan.reach - kept])
            else:
                total = sum(paid) + sum(ahead[:left])
            best = max(best, total + bonus)
        return best - self.tolls.of(mask ^ self.used)
