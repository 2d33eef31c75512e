"""Routes of a plus train, as a 4+4: cities by its number, and towns for every city that it falls short of (RUHR-ROUTE-02).

A route has its root at a station and one or two arms of legs, as those of other trains (`routes`); a town may end an arm and
takes nothing of the reach, but no route has more stops in all than `Plan.stops`. Bounds and masks are those of `legs`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from trajekt.engine.legs import Leg, Legs
from trajekt.engine.network import NodeId
from trajekt.engine.runs import Run
from trajekt.engine.sheet import TrainKind

Chain: TypeAlias = tuple[Any, Leg, bool] | None
Found: TypeAlias = tuple[int, int, int, Chain]  # revenue, mask, number of the root, legs, last first

TOWN_ENDS = 2  # legs that may come on top of those to cities: one to a town at either end
ONE_ARM = -2


class _EnoughError(Exception):
    """Any route was asked for and is there, or the growths are spent."""


class PlusFinder:
    """Lists the routes of one kind of train; answers as the finder of other trains does. `tick` is called at each step."""

    def __init__(self, legs: Legs, tick: Callable[[], None]) -> None:
        self.plan = legs.plan
        self.legs = legs
        self.tick = tick
        self.routes: dict[int, Found] = {}
        self.states: dict[Any, list[tuple[int, int]]] = {}
        self.bar = self.used = self.barred = self.root = 0
        self.budget = -1
        self.raise_bar = self.any = False

    @property
    def lanes(self) -> list[int]:
        """Routes are not parted by their roots."""
        return [-1]

    def best(self, used: int = 0, bar: int = -1, budget: int = -1, lane: int = -1) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; with a budget of growths the best so far."""
        del lane  # all roots are one lane
        self.budget = budget
        with contextlib.suppress(_EnoughError):
            self._run(used, bar, raise_bar=True)
        self.budget = -1
        return max(self.routes.values(), key=lambda found: found[0], default=None)

    def above(self, bars: Mapping[int, int]) -> list[Found]:
        """The routes that earn more than the bar, the best for each mask, most valuable first."""
        self._run(0, bars.get(-1, -1), raise_bar=False)
        return sorted(self.routes.values(), key=lambda found: (-found[0], found[1].bit_count(), found[1]))

    def first(self) -> Found | None:
        """Some legal route, soon found."""
        self.any = True
        with contextlib.suppress(_EnoughError):
            self._run(0, -1, raise_bar=False)
        self.any = False
        return next(iter(self.routes.values()), None)

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        return self.legs.run(kind, found)

    def _run(self, used: int, bar: int, *, raise_bar: bool) -> None:
        self.used, self.bar, self.raise_bar, self.routes, self.barred = used, bar, raise_bar, {}, 0
        legs = self.legs
        if not self.any:
            legs.survey()
        for root in legs.roots:
            self.root, self.states = root, {}
            second = ONE_ARM if legs.ends_only(root) else -1
            marks = legs.marks[root]
            worth = legs.value[root] + legs.share(marks)
            self._grow(~root, second, self.plan.reach - 1, legs.value[root], marks, worth, used, legs.bit[root], None)
            self.barred |= 1 << root

    def _count(self) -> None:
        self.tick()
        if self.budget >= 0:
            self.budget -= 1
            if self.budget < 0:
                raise _EnoughError

    def _keep(self, total: int, mask: int, chain: Chain) -> None:
        mask ^= self.used
        known = self.routes.get(mask)
        if known is None or known[0] < total:
            self.routes[mask] = (total, mask, self.root, chain)
            if self.any:
                raise _EnoughError
            if self.raise_bar:
                self.bar = total

    def _known(self, key: Any, mask: int, value: int) -> bool:
        """Whether a state that visits the same with no more track and no less value has been grown already."""
        entries = self.states.setdefault(key, [])
        if any(not other & ~mask and worth >= value for other, worth in entries):
            return True
        entries.append((mask, value))
        return False

    def _hopeless(self, at: int, second: int, left: int, worth: int, seen: int) -> bool:
        """Whether no legs that could still come lift the route over the bar; every leg is taken for one that counts."""
        if self.any:
            return False
        legs, more = self.legs, left + TOWN_ENDS
        if worth + legs.most(more, seen) <= self.bar:
            return True
        if at < 0 and second == -1:  # both arms are still to come
            return False
        one_arm = second == ONE_ARM or at < 0
        far = legs.ahead(at, more, seen) if one_arm else legs.split(at, self.root, more, seen)
        return worth + far <= self.bar

    def _grow(
        self, at: int, second: int, left: int, value: int, marks: int, worth: int, mask: int, seen: int, chain: Chain
    ) -> None:
        """Add one leg in every way at the stop `at` (`~root`: at the root).

        `second`: -1 before the first leg, then the stop that the first arm went to first, -2 once there may be no (other)
        second arm. The second arm goes to a stop of higher number, so that no pair of arms comes twice.
        """
        self._count()
        if self._hopeless(at, second, left, worth, seen):
            return
        begins = at < 0 and second >= 0
        for leg in self.legs.onward(at) if at >= 0 else self.legs.leaving(self.root):
            if begins and leg.to <= second:
                continue
            self._add(leg, at, second, left, value, marks, worth, mask, seen, chain)

    def _add(
        self,
        leg: Leg,
        at: int,
        second: int,
        left: int,
        value: int,
        marks: int,
        worth: int,
        mask: int,
        seen: int,
        chain: Chain,
    ) -> None:
        """Add a leg if it is legal, keep the route, and grow it on."""
        left -= self._counts(leg.to)
        been = seen | leg.seen
        if left < 0 or been.bit_count() > self.plan.stops:
            return
        if leg.mask & mask or leg.seen & seen or leg.touches & self.barred:
            return
        begins = at < 0 and second >= 0
        arm = ONE_ARM if begins else leg.to if second == -1 else second
        now, signs, track = value + leg.value, marks | leg.marks, mask | leg.mask
        tip = leg.to if leg.goes_on else -1
        if not self.any and self._known((tip, been, signs, arm, left), track, now):
            return
        link: Chain = (chain, leg, begins)
        total = now + self.plan.bonus(signs, 0)
        if total > self.bar:
            self._keep(total, track, link)
        gain = worth + leg.gain
        if leg.goes_on:
            self._grow(leg.to, arm, left, now, signs, gain, track, been, link)
        if arm >= 0:
            self._grow(~self.root, arm, left, now, signs, gain, track, been, link)

    def _counts(self, node: NodeId) -> int:
        """What a leg takes of the reach: nothing where it ends at a town."""
        return 0 if self.legs.town[node] else 1
