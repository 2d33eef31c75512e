"""Routes of a plus train, as a 4+4: cities by its number, and towns for every city that it falls short of (RUHR-ROUTE-02).

A route has its root at a station and one or two arms of legs, as those of other trains (`routes`); a town may end an arm and
takes nothing of the reach, but no route has more stops in all than `Plan.stops`. Bounds and masks are those of `legs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trajekt.engine.finders import WHOLE, Chain, Effort, Enough, Found, in_order
from trajekt.engine.legs import Leg, Legs
from trajekt.engine.runs import Run
from trajekt.engine.sheet import TrainKind
from trajekt.engine.tolls import FREE, Tolls

ONE_ARM = -2


class PlusFinder:
    """Lists the routes of one kind of train; answers as the finder of other trains does. `tick` is called at each step."""

    def __init__(self, legs: Legs, tick: Callable[[], None]) -> None:
        self.plan = legs.plan
        self.legs = self.free = legs
        self.tolls = FREE
        self.tick = tick
        self.routes: dict[int, Found] = {}
        self.states: dict[Any, list[tuple[int, int]]] = {}
        self.used = self.barred = self.root = 0
        self.bar: float = 0
        self.growths = -1
        self.slips = WHOLE.slips
        self.cut = self.raise_bar = self.any = False

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

    def first(self) -> Found | None:
        """Some legal route, soon found."""
        self.any = True
        self._run(0, -1, WHOLE, raise_bar=False)
        self.any = False
        return next(iter(self.routes.values()), None)

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        return self.legs.run(kind, found)

    def _run(self, used: int, bar: float, effort: Effort, *, raise_bar: bool) -> None:
        self.used, self.bar, self.raise_bar, self.routes, self.barred = used, bar, raise_bar, {}, 0
        self.growths, self.cut = effort.growths, False
        legs = self.legs
        if not self.any:
            legs.survey()
        try:
            for root in legs.roots:
                self.root, self.states, self.slips = root, {}, effort.slips
                second = ONE_ARM if legs.ends_only(root) else -1
                marks, left = legs.marks[root], self.plan.reach - 1
                worth = legs.value[root] + legs.share(marks)
                self._grow(~root, second, left, legs.value[root], marks, worth, used, legs.bit[root], None)
                self.barred |= 1 << root
        except Enough:
            self.cut = True

    def _count(self) -> None:
        self.tick()
        if self.growths >= 0:
            self.growths -= 1
            if self.growths < 0:
                raise Enough

    def _keep(self, total: int, mask: int, chain: Chain) -> None:
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

    def _known(self, key: Any, mask: int, value: int) -> bool:
        """Whether a state that visits the same with no more track and no less value has been grown already."""
        entries = self.states.setdefault(key, [])
        if any(not other & ~mask and worth >= value for other, worth in entries):
            return True
        entries.append((mask, value))
        return False

    def _hopeless(self, at: int, second: int, left: int, worth: float, seen: int) -> bool:
        """Whether no legs that could still come lift the route over the bar."""
        if self.any:
            return False
        legs = self.legs
        if worth + legs.most(left, seen) <= self.bar:
            return True
        if at < 0 and second == -1:  # both arms are still to come
            return False
        one_arm = second == ONE_ARM or at < 0
        far = legs.ahead(at, left, seen) if one_arm else legs.split(at, self.root, left, seen)
        return worth + far <= self.bar

    def _grow(
        self, at: int, second: int, left: int, value: int, marks: int, worth: float, mask: int, seen: int, chain: Chain
    ) -> None:
        """Add one leg in every way at the stop `at` (`~root`: at the root).

        `second`: -1 before the first leg, then the stop that the first arm went to first, -2 once there may be no (other)
        second arm. The second arm goes to a stop of higher number, so that no pair of arms comes twice.
        """
        self._count()
        if self._hopeless(at, second, left, worth, seen):
            return
        begins, slips = at < 0 and second >= 0, self.slips
        for leg in self.legs.onward(at) if at >= 0 else self.legs.leaving(self.root):
            if begins and leg.to <= second:
                continue
            if slips < 0:
                self.cut = True
                break
            slips -= self._add(leg, at, second, left, value, marks, worth, mask, seen, chain, slips)

    def _add(
        self,
        leg: Leg,
        at: int,
        second: int,
        left: int,
        value: int,
        marks: int,
        worth: float,
        mask: int,
        seen: int,
        chain: Chain,
        slips: int,
    ) -> bool:
        """Add a leg if it is legal, keep the route, and grow it on; answers whether it was added."""
        left -= self.legs.cost[leg.to]
        been = seen | leg.seen
        if left < 0 or been.bit_count() > self.plan.stops:
            return False
        if leg.mask & mask or leg.seen & seen or leg.touches & self.barred:
            return False
        begins = at < 0 and second >= 0
        arm = ONE_ARM if begins else leg.to if second == -1 else second
        now, signs, track = value + leg.value, marks | leg.marks, mask | leg.mask
        tip = leg.to if leg.goes_on else -1
        if not self.any and self._known((tip, been, signs, arm, left), track, now):
            return False
        link: Chain = (chain, leg, begins)
        total = now + self.plan.bonus(signs, 0)
        if total > self.bar:
            self._keep(total, track, link)
        gain = worth + leg.gain
        if leg.goes_on:
            self.slips = slips
            self._grow(leg.to, arm, left, now, signs, gain, track, been, link)
        if arm >= 0:
            self.slips = slips
            self._grow(~self.root, arm, left, now, signs, gain, track, been, link)
        return True
