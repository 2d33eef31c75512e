"""What lists the routes of one kind of train: roots, arms of legs, and bounds that cut what cannot matter.

The method as a whole stands in `routes`. Growing stops where even the best stops not yet visited could not lift a route over
its bar; the finer bounds are made only after `QUIET` growths, since most boards never need them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from trajekt.engine.legs import NEVER, Leg, Legs
from trajekt.engine.runs import Run
from trajekt.engine.sheet import TrainKind
from trajekt.engine.tolls import FREE, Tolls

Chain: TypeAlias = tuple[Any, Leg, bool] | None  # the legs of a route, last first; true where the second arm begins
Found: TypeAlias = tuple[int, int, int, Any]  # revenue, mask, number of the root, legs (see `Chain`) or pieces

TIME = time.perf_counter
QUIET = 300  # growths before the finer bounds are worth their making
EACH = 256  # growths between two looks at the clock


class Effort(NamedTuple):
    """How much is spent on a search: growths (-1: as many as it takes), and slips.

    A slip is to pass over the best leg of a stop for the next; with few of them a short search looks at the best of everything
    instead of at everything that begins with the best.
    """

    growths: int = -1
    slips: int = 1 << 30


WHOLE = Effort()


class Finder(Protocol):
    """What lists the routes of one kind of train, and what the choice of routes asks of it.

    A bar is held against what a route earns less the tolls. A search with less than the whole effort may be `cut` short.
    """

    routes: dict[int, Any]
    cut: bool
    tolls: Tolls

    def charge(self, tolls: Tolls) -> None: ...

    def best(self, used: int = 0, bar: float = -1, effort: Effort = WHOLE) -> Found | None: ...

    def above(self, bar: float, effort: Effort = WHOLE) -> list[Found]: ...

    def first(self) -> Found | None: ...

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
        self.growths = -1
        self.slips = WHOLE.slips
        self.cut = False
        self.goals: frozenset[int] | None = None
        self.goal_bits = 0
        self.routes: dict[int, Found] = {}
        self.states: dict[Any, list[tuple[int, int, int]]] = {}
        self.raise_bar = False
        self.any = False

    def charge(self, tolls: Tolls) -> None:
        """From now on each route pays tolls."""
        self.tolls = tolls
        self.legs = self.free.charged(tolls) if tolls else self.free

    def best(self, used: int = 0, bar: float = -1, effort: Effort = WHOLE) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; with less effort the best so far."""
        self._run(used, bar, effort, raise_bar=True)
        tolls = self.tolls
        return max(self.routes.values(), key=lambda found: found[0] - tolls.of(found[1]), default=None)

    def above(self, bar: float, effort: Effort = WHOLE) -> list[Found]:
        """The routes that earn more than the bar, the best for each mask, most valuable first."""
        self._run(0, bar, effort, raise_bar=False)
        return in_order(self.routes.values(), self.tolls)

    def first(self, used: int = 0) -> Found | None:
        """Some legal route on track outside `used`, soon found."""
        self.any = True
        self._run(used, -1, WHOLE, raise_bar=False)
        self.any = False
        return next(iter(self.routes.values()), None)

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        return self.legs.run(kind, found)

    def _run(self, used: int, bar: float, effort: Effort, *, raise_bar: bool) -> None:
        self.used, self.bar, self.raise_bar, self.routes = used, bar, raise_bar, {}
        self.growths, self.cut, self.barred = effort.growths, False, 0
        if not self.any:
            self.legs.survey()
        try:
            for root in self.legs.starts if self.plan.start_among else self.legs.roots:
                self.slips = effort.slips
                self._from(root)
                self.barred |= 1 << root
        except Enough:
            self.cut = True

    def _from(self, root: int) -> None:
        """All routes that have their root here and none where one was before."""
        legs, used, left = self.legs, self.used, self.plan.reach - 1
        self.root, self.states = root, {}
        bits, marks, value, double = legs.bit[root], legs.marks[root], legs.value[root], legs.double[root]
        if self.plan.start_among:
            self.goals = legs.goals(root)
            self.goal_bits = 0
            for node in self.goals or ():
                self.goal_bits |= legs.bit[node]
            self._stretch(~root, left, ((value, double),), marks, used, bits, root in legs.own, None)
            return
        second = -2 if legs.ends_only(root) else -1
        self._grow(~root, second, left, value, double, marks, value + double + legs.share(marks), used, bits, None)

    def _tick(self) -> None:
        self.clock.tick()
        if self.growths >= 0:
            self.growths -= 1
            if self.growths < 0:
                raise Enough

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
            if self.raise_bar:
                self.bar = worth

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
        self,
        at: int,
        second: int,
        left: int,
        value: int,
        double: int,
        marks: int,
        worth: float,
        mask: int,
        seen: int,
        chain: Chain,
    ) -> None:
        """Add one leg in every way at the stop `at` (`~root`: at the root) to a route that has its root at a station.

        `second`: -1 before the first leg, then the stop that the first arm went to first, -2 once there may be no (other)
        second arm. The second arm goes to a stop of higher number, so that no pair of arms comes twice.
        """
        self._tick()
        legs = self.legs
        if worth + legs.most(left, seen) <= self.bar:
            return
        if self.clock.count > QUIET:
            far = legs.ahead(at, left, seen) if second == -2 or at < 0 else legs.split(at, self.root, left, seen)
            if worth + far <= self.bar and (at >= 0 or second == -2):
                return
        bonus, barred, used_up, slips = self.plan.bonus, self.barred, left <= 1, self.slips
        for leg in legs.onward(at) if at >= 0 else legs.leaving(self.root):
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now, twice, signs = value + leg.value, double + leg.double, marks | leg.marks
            track, been = mask | leg.mask, seen | leg.seen
            arm = leg.to if second == -1 else second
            tip = leg.to if leg.goes_on else -1
            if not self.any and self._known((tip, been, signs, arm, left), track, now, twice):
                continue
            if slips < 0:
                self.cut = True
                break
            link: Chain = (chain, leg, False)
            total = now + bonus(signs, twice)
            if total > self.bar:
                self._keep(total, track, signs, link)
            if used_up:
                slips -= 1
                continue
            gain = worth + leg.gain
            if leg.goes_on:
                self.slips = slips
                self._grow(leg.to, arm, left - 1, now, twice, signs, gain, track, been, link)
            if arm >= 0:
                self.slips = slips
                self._second(arm, left - 1, now, twice, signs, gain, track, been, link)
            slips -= 1

    def _second(
        self,
        first: int,
        left: int,
        value: int,
        double: int,
        marks: int,
        worth: float,
        mask: int,
        seen: int,
        chain: Chain,
    ) -> None:
        """Begin the second arm at the root, the first having gone to the stop `first`."""
        self._tick()
        legs = self.legs
        if worth + legs.most(left, seen) <= self.bar:
            return
        if self.clock.count > QUIET and worth + legs.ahead(~self.root, left, seen) <= self.bar:
            return
        bonus, barred, slips = self.plan.bonus, self.barred, self.slips
        for leg in legs.leaving(self.root):
            if leg.to <= first or leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now, twice, signs = value + leg.value, double + leg.double, marks | leg.marks
            track, been = mask | leg.mask, seen | leg.seen
            tip = leg.to if leg.goes_on else -1
            if not self.any and self._known((tip, been, signs, -2, left), track, now, twice):
                continue
            if slips < 0:
                self.cut = True
                break
            link: Chain = (chain, leg, True)
            total = now + bonus(signs, twice)
            if total > self.bar:
                self._keep(total, track, signs, link)
            if left > 1 and leg.goes_on:
                self.slips = slips
                self._grow(leg.to, -2, left - 1, now, twice, signs, worth + leg.gain, track, been, link)
            slips -= 1

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
        plan, barred, slips = self.plan, self.barred, self.slips
        if not self.any and self._hopeless(at, left, visits, marks, mask, seen, own, floor):
            return
        for leg in self.legs.onward(at) if at >= 0 else self.legs.leaving(~at):
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            before = visits
            if leg.ferry != (0, 0):
                value, double = visits[-1]
                before = (*visits[:-1], (value + leg.ferry[0], double + leg.ferry[1]))
            after = (*before, (leg.visit[0] + leg.end_ferry[0], leg.visit[1] + leg.end_ferry[1]))
            signs, mine = marks | leg.marks, own or leg.own
            track, been = mask | leg.mask, seen | leg.seen
            tip = leg.to if leg.goes_on else -1
            key = (tip, been, signs, mine, track & self.legs.ferry_bits)
            if not self.any and self._known(key, track, 0, 0):
                continue
            if slips < 0:
                self.cut = True
                break
            link: Chain = (chain, leg, False)
            total = -1
            if mine:
                total = self._worth(after, signs)
                if total > self.bar:
                    self._keep(total, track, signs, link)
            if leg.goes_on and (left > 1 or plan.skips):
                floor = -1 if plan.needs else total
                self.slips = slips
                self._stretch(leg.to, left - 1, after, signs, track, been, mine, link, floor)
            slips -= 1

    def _worth(self, visits: tuple[tuple[int, int], ...], marks: int) -> int:
        plan = self.plan
        if len(visits) <= plan.reach:
            return sum([a for a, _ in visits]) + plan.bonus(marks, sum([b for _, b in visits]))
        spare = plan.bonus(marks, 0)
        paid = [a + b for a, b in visits] if plan.bonus(marks, 10) > spare else [a for a, _ in visits]
        if not plan.keeps_ends:
            return spare + sum(sorted(paid)[-plan.reach :])
        return spare + paid[0] + paid[-1] + sum(sorted(paid[1:-1])[len(paid) - plan.reach :])

    def _hopeless(
        self,
        at: int,
        left: int,
        visits: tuple[tuple[int, int], ...],
        marks: int,
        mask: int,
        seen: int,
        own: bool,
        floor: int,
    ) -> bool:
        """Whether nothing that goes on from here can be over the bar or the floor, or come by a station of the company."""
        legs, plan = self.legs, self.plan
        toll = self.tolls.of(mask ^ self.used)
        if not plan.skips:
            # what track ahead adds is told less its tolls, which says nothing of a floor
            bar = max(self.bar, floor) if not self.tolls else self.bar
            here = sum(a for a, _ in visits) - toll
            spare = legs.most_bonus
            doubled = bool(legs.doubles)
            if here + spare + legs.ahead(at, left, seen, 0) <= bar:
                twice = here + sum(b for _, b in visits) + spare
                if not doubled:
                    return True
                goals = self.goals
                far = legs.ahead(at, left, seen) if goals is None else legs.towards(at, left, seen, goals)
                if twice + min(far, legs.most(left, seen)) <= bar:
                    return True
            if own:
                return False
        reached, signs, mine = legs.flood(legs.onward(at) if at >= 0 else legs.leaving(~at), mask, seen)
        if not (own or mine):
            return True
        if not plan.skips:
            return False
        # Doubling and bonuses only by marks that are still to be had.
        spare = plan.bonus(marks | signs, 0)
        if not self._unpaid(visits, reached, 0, spare, floor, toll):
            return False
        if plan.bonus(marks | signs, 10) == spare:
            return True
        wanted = self.goals is not None and plan.keeps_ends and plan.bonus(marks, 10) == plan.bonus(marks, 0)
        return self._unpaid(visits, reached, 1, spare, floor, toll, goal=wanted)

    def _unpaid(
        self,
        visits: tuple[tuple[int, int], ...],
        reached: int,
        weight: int,
        spare: int,
        floor: int,
        toll: float,
        *,
        goal: bool = False,
    ) -> bool:
        """Whether the best stops of those visited and those in reach pay too little; `weight` 1: doubled values count.

        `goal`: the route is still to end at a goal.
        """
        most = self._most(self.legs.visits, visits, reached, weight, goal=goal) + spare
        if most - toll <= self.bar:
            return True
        if self.tolls and floor >= 0:  # the floor is what a route earns, whatever tolls lie on its track
            most = self._most(self.legs.paid, visits, reached, weight, goal=goal) + spare
        return most <= floor

    def _most(
        self,
        ahead: Sequence[tuple[tuple[float, float], int]],
        visits: tuple[tuple[int, int], ...],
        reached: int,
        weight: int,
        *,
        goal: bool,
    ) -> float:
        """What the best stops of those visited and those in reach add up to at most; `NEVER` if no goal is in reach."""
        plan = self.plan
        weights: list[float] = [a + weight * b for a, b in visits[plan.keeps_ends :]]
        most: float = visits[0][0] + weight * visits[0][1] if plan.keeps_ends else 0
        count = plan.reach - plan.keeps_ends
        if goal:
            goals = [gains[weight] for gains, bit in ahead if bit & reached and bit & self.goal_bits]
            if not goals:
                return NEVER
            most, count, reached = most + max(goals), count - 1, reached & ~self.goal_bits
        # a stop that tolls make worth less than nothing need not be gone to
        weights += [gains[weight] for gains, bit in ahead if bit & reached and gains[weight] > 0]
        weights.sort(reverse=True)
        return most + sum(weights[:count])
