"""Best runs: an exact search for the most valuable legal set of routes of all trains of a company together.

How it works. The board is cut into *legs*: track from one counted stop to the next, with the towns between, as a bit mask of
the sides it crosses. A route is a root (a stop with an own station, or an end that the train must have) with one or two arms of
legs; listing grows arms leg by leg and gives up where even the best stops not yet visited could not lift the route over a
bar. First each kind of train gets its best route alone. A greedy set then gives a first answer, and with it the bar: a route
matters only if it and the best of all other trains together beat that answer. Routes over the bar are listed, the best for each
mask is kept, and a branch and bound search picks routes with disjoint masks. Two routes conflict exactly if they use the same
side of a hex (a junction's common stem has one) or the same piece between two stops.

The search shares no code with the judge (`rules/running_routes.py`): it knows values only as the numbers of a `Plan`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from trajekt.engine.legs import Leg, Legs
from trajekt.engine.runs import Plan, Run, Setting
from trajekt.engine.sheet import TrainKind

Chain: TypeAlias = tuple[Any, Leg, bool] | None  # the legs of a route, last first; true where the second arm begins
Found: TypeAlias = tuple[int, int, int, Chain]  # revenue, mask, number of the root, legs

EACH = 256  # growths between two looks at the clock


class BestRuns(msgspec.Struct, frozen=True):
    """The best runs found. `proved`: nothing legal earns more. `seconds` is the time it took."""

    runs: tuple[Run, ...]
    revenue: int
    proved: bool
    seconds: float


class _Late(Exception):
    """The time limit has come."""


class _Enough(Exception):
    """Any route was asked for, and one is there."""


class _Clock:
    def __init__(self, limit: float | None) -> None:
        self.start = time.perf_counter()
        self.end = None if limit is None else self.start + limit
        self.count = 0

    def tick(self) -> None:
        self.count += 1
        if self.count % EACH == 0 and self.end is not None and time.perf_counter() > self.end:
            raise _Late


class _Finder:
    """Lists the routes of one kind of train. `bar`: only routes that earn more are of interest."""

    def __init__(self, setting: Setting, plan: Plan, clock: _Clock) -> None:
        self.plan = plan
        self.legs = Legs(setting, plan)
        self.clock = clock
        self.bar = 0
        self.used = 0
        self.routes: dict[int, Found] = {}
        self.raise_bar = False
        self.any = False

    def best(self, used: int = 0, bar: int = 0) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; what there is when time runs out."""
        self._run(used, bar, raise_bar=True)
        return max(self.routes.values(), key=lambda found: found[0], default=None)

    def above(self, bar: int) -> list[Found]:
        """The routes that earn more than `bar`, the best for each mask, most valuable first."""
        self._run(0, bar, raise_bar=False)
        return sorted(self.routes.values(), key=lambda found: -found[0])

    def first(self, used: int = 0) -> Found | None:
        """Some legal route, soon found."""
        self.any = True
        try:
            self._run(used, -1, raise_bar=False)
        except _Enough:
            pass
        self.any = False
        return next(iter(self.routes.values()), None)

    def _run(self, used: int, bar: int, *, raise_bar: bool) -> None:
        self.used, self.bar, self.raise_bar, self.routes = used, bar, raise_bar, {}
        if not self.any:
            self.legs.survey()
        if self.plan.start_among:
            self._from_ends()
        else:
            self._from_stations()

    def _keep(self, total: int, mask: int, marks: int, root: int, chain: Chain) -> None:
        for one, others in self.plan.needs:
            if marks & one and not marks & others:
                return
        known = self.routes.get(mask)
        if known is None or known[0] < total:
            self.routes[mask] = (total, mask, root, chain)
            if self.any:
                raise _Enough
            if self.raise_bar:
                self.bar = total

    # Routes from a station, one or two arms

    def _from_stations(self) -> None:
        legs, plan = self.legs, self.plan
        barred = 0
        for root in legs.roots:
            out = legs.leaving(root)
            self._grow(
                root, root if legs.ends_only(root) else -1, out, -1, plan.reach - 1, legs.value[root], legs.double[root],
                legs.marks[root], self.used, legs.bit[root], None, barred,
            )
            barred |= 1 << root

    def _grow(
        self, root: int, single: int, out: Sequence[Leg], second: int, left: int, value: int, double: int, marks: int,
        mask: int, seen: int, chain: Chain, barred: int,
    ) -> None:
        """Add one leg to the route in every way. `second` is the place of the first arm's first leg, -2 in the second arm."""
        self.clock.tick()
        legs, bonus = self.legs, self.plan.bonus
        if value + double + legs.most_bonus + legs.most(left, seen) <= self.bar:
            return
        for place, leg in enumerate(out):
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now = value + leg.value
            twice = double + leg.double
            signs = marks | leg.marks
            track = mask | leg.mask
            extra = bonus(signs, twice)
            link: Chain = (chain, leg, False)
            if now + extra > self.bar:
                self._keep(now + extra, track ^ self.used, signs, root, link)
            if left > 1:
                first = place if chain is None else second
                if leg.onward:
                    self._grow(
                        root, single, leg.onward(), first, left - 1, now, twice, signs, track, seen | leg.seen, link, barred
                    )
                if first >= 0 and single < 0:
                    self._second(root, first, left - 1, now, twice, signs, track, seen | leg.seen, link, barred)

    def _second(
        self, root: int, first: int, left: int, value: int, double: int, marks: int, mask: int, seen: int, chain: Chain,
        barred: int,
    ) -> None:
        """Begin the second arm, by a leg later in the list than the first arm's, so that no pair comes twice."""
        self.clock.tick()
        legs, bonus = self.legs, self.plan.bonus
        if value + double + legs.most_bonus + legs.most(left, seen) <= self.bar:
            return
        for leg in legs.leaving(root)[first + 1 :]:
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now = value + leg.value
            twice = double + leg.double
            signs = marks | leg.marks
            track = mask | leg.mask
            extra = bonus(signs, twice)
            link: Chain = (chain, leg, True)
            if now + extra > self.bar:
                self._keep(now + extra, track ^ self.used, signs, root, link)
            if left > 1 and leg.onward:
                self._grow(root, -1, leg.onward(), -2, left - 1, now, twice, signs, track, seen | leg.seen, link, barred)

    # Routes from an end that the train must have, one arm

    def _from_ends(self) -> None:
        legs, plan = self.legs, self.plan
        barred = 0
        for root in legs.starts:
            self._stretch(
                root, legs.leaving(root), plan.reach - 1, ((legs.value[root], legs.double[root]),), legs.marks[root],
                self.used, legs.bit[root], root in legs.own, None, barred,
            )
            barred |= 1 << root

    def _stretch(
        self, root: int, out: Sequence[Leg], left: int, visits: tuple[tuple[int, int], ...], marks: int, mask: int, seen: int,
        own: bool, chain: Chain, barred: int,
    ) -> None:
        self.clock.tick()
        plan = self.plan
        if self._hopeless(out, left, visits, mask, seen, own):
            return
        for leg in out:
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            before = visits
            if leg.ferry != (0, 0):
                value, double = visits[-1]
                before = (*visits[:-1], (value + leg.ferry[0], double + leg.ferry[1]))
            after = (*before, leg.visit)
            if leg.end_ferry != (0, 0):
                after = (*before, (leg.visit[0] + leg.end_ferry[0], leg.visit[1] + leg.end_ferry[1]))
            signs = marks | leg.marks
            mine = own or leg.own
            link: Chain = (chain, leg, False)
            if mine:
                total = self._worth(after, signs)
                if total > self.bar:
                    self._keep(total, (mask | leg.mask) ^ self.used, signs, root, link)
            if leg.onward and (left > 1 or plan.skips):
                self._stretch(
                    root, leg.onward(), left - 1, after, signs, mask | leg.mask, seen | leg.seen, mine, link, barred
                )

    def _worth(self, visits: tuple[tuple[int, int], ...], marks: int) -> int:
        best = 0
        for weight in (1, 0):
            chosen = paying(self.plan, visits, weight)
            paid = sum(visits[n][0] for n in chosen) + self.plan.bonus(marks, sum(visits[n][1] for n in chosen))
            best = max(best, paid)
        return best

    def _hopeless(
        self, out: Sequence[Leg], left: int, visits: tuple[tuple[int, int], ...], mask: int, seen: int, own: bool
    ) -> bool:
        legs, plan = self.legs, self.plan
        if self.any:
            return False
        if not plan.skips:
            here = sum(a + b for a, b in visits)
            return here + legs.most_bonus + legs.most(left, seen) <= self.bar
        # What can still be visited at all: a flood over legs that are free.
        reached, mine = legs.flood(out, mask, seen)
        if not (own or mine):
            return True
        weights = [a + b for a, b in visits[plan.keeps_ends :]]
        weights += [gain for gain, bit in legs.gains if bit & reached]
        weights.sort(reverse=True)
        sure = sum(visits[0]) if plan.keeps_ends else 0
        return sure + sum(weights[: plan.reach - plan.keeps_ends]) + legs.most_bonus <= self.bar


def paying(plan: Plan, visits: Sequence[tuple[int, int]], weight: int) -> list[int]:
    """The places of the visits that pay: all within reach, else the ends and the best between (`weight` 1: doubled)."""
    places = range(len(visits))
    if len(visits) <= plan.reach:
        return list(places)
    ends = [0, len(visits) - 1] if plan.keeps_ends else []
    free = sorted((n for n in places if n not in ends), key=lambda n: (-visits[n][0] - weight * visits[n][1], n))
    return sorted(ends + free[: plan.reach - len(ends)])


def best_runs(setting: Setting, limit: float | None = None) -> BestRuns:
    """The most valuable legal runs of the company's trains; the best so far, not proved, when `limit` seconds have passed."""
    clock = _Clock(limit)
    search = _Search(setting, clock)
    proved = True
    try:
        search.solve()
    except _Late:
        proved = False
    if not search.answer:  # also a run that earns nothing is a run
        return BestRuns(any_run(setting) if proved else (), 0, proved, time.perf_counter() - clock.start)
    runs = tuple(search.run(kind, found) for kind, found in search.answer)
    return BestRuns(runs, search.revenue, proved, time.perf_counter() - clock.start)


def any_run(setting: Setting) -> tuple[Run, ...]:
    """Some legal set of runs, quickly found: one train's route; none where no train can run (COMMON-RTE-12)."""
    clock = _Clock(None)
    for kind in sorted(set(setting.trains)):
        finder = _Finder(setting, setting.rules.plan(setting, kind), clock)
        found = finder.first()
        if found is not None:
            return (finder.legs.run(kind, found),)
    return ()


def has_route(setting: Setting, trains: Iterable[TrainKind] | None = None) -> bool:
    """Whether some train, of those owned or of the kinds given, has a legal route (COMMON-RTE-12, COMMON-TRN-11)."""
    asked = setting if trains is None else msgspec.structs.replace(setting, trains=tuple(trains))
    return bool(any_run(asked))


class _Search:
    """The choice of one route for each train, all on track of their own."""

    def __init__(self, setting: Setting, clock: _Clock) -> None:
        self.clock = clock
        self.kinds = sorted(setting.trains, reverse=True)
        self.finders = {kind: _Finder(setting, setting.rules.plan(setting, kind), clock) for kind in set(self.kinds)}
        self.answer: list[tuple[TrainKind, Found]] = []
        self.revenue = 0

    def run(self, kind: TrainKind, found: Found) -> Run:
        return self.finders[kind].legs.run(kind, found)

    def better(self, answer: list[tuple[TrainKind, Found]]) -> None:
        total = sum(found[0] for _, found in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def solve(self) -> None:
        alone: dict[TrainKind, Found | None] = {}
        for kind, finder in self.finders.items():
            try:
                alone[kind] = finder.best()
            except _Late:
                self.better([(kind, found) for found in finder.routes.values()][-1:])
                raise
            if alone[kind] is not None:
                self.better([(kind, alone[kind])])  # type: ignore[list-item]
        self.kinds = [kind for kind in self.kinds if alone[kind] is not None]
        most = {kind: found[0] for kind, found in alone.items() if found is not None}
        self.kinds.sort(key=lambda kind: (-most[kind], kind))
        if len(self.kinds) < 2:
            return
        self._greedy()
        bound = sum(most[kind] for kind in self.kinds)
        if self.revenue == bound:
            return
        lists = {}
        for kind in most:
            lists[kind] = self.finders[kind].above(self.revenue - bound + most[kind])
        self._choose([lists[kind] for kind in self.kinds])

    def _greedy(self) -> None:
        """First answers: the trains one after another, in every order of kinds, each at its best on what is left."""
        for order in itertools.islice(dict.fromkeys(itertools.permutations(self.kinds)), 6):
            used, answer = 0, []
            for kind in order:
                try:
                    found = self.finders[kind].best(used)
                except _Late:
                    self.better(answer)
                    raise
                if found is not None:
                    used |= found[1]
                    answer.append((kind, found))
            self.better(answer)

    def _choose(self, lists: list[list[Found]]) -> None:
        rest = [0] * (len(lists) + 1)
        for n in range(len(lists) - 1, -1, -1):
            rest[n] = rest[n + 1] + (lists[n][0][0] if lists[n] else 0)

        def pick(n: int, used: int, total: int, start: int, chosen: list[tuple[TrainKind, Found]]) -> None:
            if total > self.revenue:
                self.answer, self.revenue = chosen, total
            if n == len(lists) or total + rest[n] <= self.revenue:
                return
            self.clock.tick()
            same = n + 1 < len(lists) and self.kinds[n + 1] == self.kinds[n]
            listed = lists[n]
            for place in range(start, len(listed)):
                found = listed[place]
                if total + found[0] + rest[n + 1] <= self.revenue:
                    break
                if not found[1] & used:
                    pick(
                        n + 1, used | found[1], total + found[0], place + 1 if same else 0, [*chosen, (self.kinds[n], found)]
                    )
            pick(n + 1, used, total, len(listed) if same else 0, chosen)

        pick(0, 0, 0, 0, [])
