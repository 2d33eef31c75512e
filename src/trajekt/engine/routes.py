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

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from trajekt.engine.legs import Leg, Legs, paying
from trajekt.engine.plus_routes import PlusFinder
from trajekt.engine.runs import Plan, Run, Setting
from trajekt.engine.sheet import TrainKind
from trajekt.engine.town_routes import TownFinder

Chain: TypeAlias = tuple[Any, Leg, bool] | None  # the legs of a route, last first; true where the second arm begins
Found: TypeAlias = tuple[int, int, int, Any]  # revenue, mask, number of the root, legs (see `Chain`) or pieces

QUIET = 300  # growths before the finer bounds are worth their making
EACH = 256  # growths between two looks at the clock
FIRST_BUDGET = 400  # growths for each train of a first answer
QUICK = 20_000  # growths for a better one


class BestRuns(msgspec.Struct, frozen=True):
    """The best runs found. `proved`: nothing legal earns more. `seconds` is the time it took."""

    runs: tuple[Run, ...]
    revenue: int
    proved: bool
    seconds: float


class Finder(Protocol):
    """What lists the routes of one kind of train, and what the choice of routes asks of it."""

    routes: dict[int, Any]

    @property
    def lanes(self) -> list[int]: ...

    def best(self, used: int = 0, bar: int = -1, budget: int = -1, lane: int = -1) -> Found | None: ...

    def above(self, bars: Mapping[int, int]) -> list[Found]: ...

    def first(self) -> Found | None: ...

    def run(self, kind: TrainKind, found: Any) -> Run: ...


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
        self.barred = 0
        self.root = 0
        self.budget = -1
        self.goals: frozenset[int] | None = None
        self.routes: dict[int, Found] = {}
        self.states: dict[Any, list[tuple[int, int, int]]] = {}
        self.raise_bar = False
        self.any = False

    @property
    def lanes(self) -> list[int]:
        """Where routes can have their root, if each has one of its own and two routes never share one."""
        return self.legs.starts if self.plan.start_among else [-1]

    def best(self, used: int = 0, bar: int = -1, budget: int = -1, lane: int = -1) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; with a budget of growths the best so far."""
        self.budget = budget
        with contextlib.suppress(_Enough):
            self._run(used, {-1: bar}, lane, raise_bar=True)
        self.budget = -1
        return max(self.routes.values(), key=lambda found: found[0], default=None)

    def above(self, bars: Mapping[int, int]) -> list[Found]:
        """The routes that earn more than the bar of their lane, the best for each mask, most valuable first."""
        self._run(0, bars, -1, raise_bar=False)
        return sorted(self.routes.values(), key=lambda found: (-found[0], found[1].bit_count(), found[1]))

    def first(self, used: int = 0) -> Found | None:
        """Some legal route on track outside `used`, soon found."""
        self.any = True
        with contextlib.suppress(_Enough):
            self._run(used, {-1: -1}, -1, raise_bar=False)
        self.any = False
        return next(iter(self.routes.values()), None)

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        return self.legs.run(kind, found)

    def _run(self, used: int, bars: Mapping[int, int], lane: int, *, raise_bar: bool) -> None:
        self.used, self.bar, self.raise_bar, self.routes = used, bars.get(-1, -1), raise_bar, {}
        self.barred = 0
        legs = self.legs
        if not self.any:
            legs.survey()
        for root in legs.starts if self.plan.start_among else legs.roots:
            if lane >= 0 and root != lane:
                self.barred |= 1 << root
                continue
            if root in bars:
                self.bar = bars[root]
            self.root, self.states = root, {}
            bits = legs.bit[root]
            if self.plan.start_among:
                visits = ((legs.value[root], legs.double[root]),)
                self.goals = legs.goals(root)
                self._stretch(~root, self.plan.reach - 1, visits, legs.marks[root], used, bits, root in legs.own, None)
            else:
                second = -2 if legs.ends_only(root) else -1
                worth = legs.value[root] + legs.double[root] + legs.share(legs.marks[root])
                left, value, double = self.plan.reach - 1, legs.value[root], legs.double[root]
                self._grow(~root, second, left, value, double, legs.marks[root], worth, used, bits, None)
            self.barred |= 1 << root

    def _tick(self) -> None:
        self.clock.tick()
        if self.budget >= 0:
            self.budget -= 1
            if self.budget < 0:
                raise _Enough

    def _keep(self, total: int, mask: int, marks: int, chain: Chain) -> None:
        for one, others in self.plan.needs:
            if marks & one and not marks & others:
                return
        mask ^= self.used
        known = self.routes.get(mask)
        if known is None or known[0] < total:
            self.routes[mask] = (total, mask, self.root, chain)
            if self.any:
                raise _Enough
            if self.raise_bar:
                self.bar = total

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
        worth: int,
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
        bonus, barred, used_up = self.plan.bonus, self.barred, left <= 1
        for leg in legs.onward(at) if at >= 0 else legs.leaving(self.root):
            if leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now, twice, signs = value + leg.value, double + leg.double, marks | leg.marks
            track, been = mask | leg.mask, seen | leg.seen
            arm = leg.to if second == -1 else second
            tip = leg.to if leg.onward else -1
            if not self.any and self._known((tip, been, signs, arm, left), track, now, twice):
                continue
            link: Chain = (chain, leg, False)
            total = now + bonus(signs, twice)
            if total > self.bar:
                self._keep(total, track, signs, link)
            if used_up:
                continue
            gain = worth + leg.gain
            if leg.onward:
                self._grow(leg.to, arm, left - 1, now, twice, signs, gain, track, been, link)
            if arm >= 0:
                self._second(arm, left - 1, now, twice, signs, gain, track, been, link)

    def _second(
        self, first: int, left: int, value: int, double: int, marks: int, worth: int, mask: int, seen: int, chain: Chain
    ) -> None:
        """Begin the second arm at the root, the first having gone to the stop `first`."""
        self._tick()
        legs = self.legs
        if worth + legs.most(left, seen) <= self.bar:
            return
        if self.clock.count > QUIET and worth + legs.ahead(~self.root, left, seen) <= self.bar:
            return
        bonus, barred = self.plan.bonus, self.barred
        for leg in legs.leaving(self.root):
            if leg.to <= first or leg.mask & mask or leg.seen & seen or leg.touches & barred:
                continue
            now, twice, signs = value + leg.value, double + leg.double, marks | leg.marks
            track, been = mask | leg.mask, seen | leg.seen
            tip = leg.to if leg.onward else -1
            if not self.any and self._known((tip, been, signs, -2, left), track, now, twice):
                continue
            link: Chain = (chain, leg, True)
            total = now + bonus(signs, twice)
            if total > self.bar:
                self._keep(total, track, signs, link)
            if left > 1 and leg.onward:
                self._grow(leg.to, -2, left - 1, now, twice, signs, worth + leg.gain, track, been, link)

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
        plan, barred = self.plan, self.barred
        if not self.any and self._hopeless(at, left, visits, marks, mask, seen, own, max(self.bar, floor)):
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
            tip = leg.to if leg.onward else -1
            key = (tip, been, signs, mine, track & self.legs.ferry_bits)
            if not self.any and self._known(key, track, 0, 0):
                continue
            link: Chain = (chain, leg, False)
            total = -1
            if mine:
                total = self._worth(after, signs)
                if total > self.bar:
                    self._keep(total, track, signs, link)
            if leg.onward and (left > 1 or plan.skips):
                floor = -1 if plan.needs else total
                self._stretch(leg.to, left - 1, after, signs, track, been, mine, link, floor)

    def _worth(self, visits: tuple[tuple[int, int], ...], marks: int) -> int:
        best = 0
        if len(visits) <= self.plan.reach:
            return sum(visit[0] for visit in visits) + self.plan.bonus(marks, sum(visit[1] for visit in visits))
        for weight in (1, 0):
            chosen = paying(self.plan, visits, weight)
            paid = sum(visits[n][0] for n in chosen) + self.plan.bonus(marks, sum(visits[n][1] for n in chosen))
            best = max(best, paid)
        return best

    def _hopeless(
        self,
        at: int,
        left: int,
        visits: tuple[tuple[int, int], ...],
        marks: int,
        mask: int,
        seen: int,
        own: bool,
        bar: int,
    ) -> bool:
        """Whether nothing that goes on from here can be over the bar, or come by a station of the company."""
        legs, plan = self.legs, self.plan
        if not plan.skips:
            here = sum(a for a, _ in visits)
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
        signs |= marks
        spare = plan.bonus(signs, 0)
        weight = 1 if plan.bonus(signs, 10) > spare else 0
        weights = [a + weight * b for a, b in visits[plan.keeps_ends :]]
        weights += [gains[weight] for gains, bit in legs.visits if bit & reached]
        weights.sort(reverse=True)
        sure = visits[0][0] + weight * visits[0][1] if plan.keeps_ends else 0
        return sure + sum(weights[: plan.reach - plan.keeps_ends]) + spare <= bar


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


def good_runs(setting: Setting, growths: int = FIRST_BUDGET) -> int:
    """What a first answer earns, in Mark, after so many growths for each train: quick, and the same on every machine."""
    search = _Search(setting, _Clock(None))
    search._greedy(growths)  # noqa: SLF001
    return search.revenue


def finder_of(setting: Setting, kind: TrainKind, clock: _Clock) -> Finder:
    """What lists the routes of a kind of train."""
    plan = setting.rules.plan(setting, kind)
    if plan.stops:
        return PlusFinder(setting, plan, clock.tick)
    return _Finder(setting, plan, clock) if plan.town_limit is None else TownFinder(setting, plan, clock.tick)


def any_run(setting: Setting) -> tuple[Run, ...]:
    """Some legal set of runs, quickly found: one train's route; none where no train can run (COMMON-RTE-12)."""
    clock = _Clock(None)
    for kind in sorted(set(setting.trains)):
        finder = finder_of(setting, kind, clock)
        found = finder.first()
        if found is not None:
            return (finder.run(kind, found),)
    return ()


def run_beside(setting: Setting, runs: Sequence[Run]) -> TrainKind:
    """A kind of train left idle that has a legal route on track which these runs leave free; empty where there is none.

    For games without trains that count towns apart or have a second limit.
    """
    left = Counter(setting.trains)
    left.subtract(run.train for run in runs)
    network = setting.network
    pieces = [network.piece[ref] for run in runs for ref in run.track]
    clock = _Clock(None)
    for kind in sorted(kind for kind, number in left.items() if number > 0):
        finder = finder_of(setting, kind, clock)
        assert isinstance(finder, _Finder), kind
        used = 0
        for piece in pieces:
            used |= finder.legs.stop_bits.get(piece, 0)
            for end in network.tracks[piece].ends:
                used |= 0 if network.is_stop(end) else 1 << end
        if finder.first(used) is not None:
            return kind
    return ""


def has_route(setting: Setting, trains: Iterable[TrainKind] | None = None) -> bool:
    """Whether some train, of those owned or of the kinds given, has a legal route (COMMON-RTE-12, COMMON-TRN-11)."""
    asked = setting if trains is None else msgspec.structs.replace(setting, trains=tuple(trains))
    return bool(any_run(asked))


class _Search:
    """The choice of one route for each train, all on track of their own."""

    def __init__(self, setting: Setting, clock: _Clock) -> None:
        self.clock = clock
        self.kinds = sorted(setting.trains, reverse=True)
        self.finders = {kind: finder_of(setting, kind, clock) for kind in set(self.kinds)}
        self.answer: list[tuple[TrainKind, Found]] = []
        self.alone: dict[TrainKind, Found] = {}
        self.revenue = 0

    def run(self, kind: TrainKind, found: Found) -> Run:
        return self.finders[kind].run(kind, found)

    def better(self, answer: list[tuple[TrainKind, Found]]) -> None:
        total = sum(found[0] for _, found in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def solve(self) -> None:
        """First answers, then the best of each kind alone, then sets of routes ever further below those."""
        self._greedy(FIRST_BUDGET)
        most: dict[TrainKind, dict[int, int]] = {}
        for kind, finder in self.finders.items():
            lanes = finder.lanes if self.kinds.count(kind) > 1 else [-1]
            most[kind] = {lane: self._alone(kind, finder, lane) for lane in lanes}
        most = {kind: {lane: best for lane, best in lanes.items() if best >= 0} for kind, lanes in most.items()}
        # No more trains of a kind than it has lanes; a train whose lanes lead nowhere does not run.
        running: list[TrainKind] = []
        for kind in self.kinds:
            if most[kind] and (-1 in most[kind] or running.count(kind) < len(most[kind])):
                running.append(kind)
        self.kinds = sorted(running, key=lambda kind: (-max(most[kind].values()), kind))
        if len(self.kinds) < 2:
            return
        bound = sum(self._together(most[kind], self.kinds.count(kind)) for kind in dict.fromkeys(self.kinds))
        slack = 0
        if self.revenue < bound:
            self._greedy(-1 if self.clock.count < QUICK else QUICK)
        while self.revenue < bound - slack:
            missing = bound - self.revenue
            slack = min(max(2 * slack, 20), missing)
            aim = bound - slack if slack == missing else bound - slack - 1
            lists: dict[TrainKind, list[Found]] = {}
            for kind in dict.fromkeys(self.kinds):
                others = bound - self._together(most[kind], self.kinds.count(kind))
                bars = {lane: aim - others - self._besides(most[kind], kind, lane) for lane in most[kind]}
                lists[kind] = self.finders[kind].above(bars)
            self._choose([lists[kind] for kind in self.kinds])

    def _alone(self, kind: TrainKind, finder: Finder, lane: int) -> int:
        """The most that a train of this kind earns by itself in a lane; -1: nothing."""
        known = self.alone.get(kind)
        bar = known[0] if known is not None and lane in (-1, known[2]) else -1
        try:
            found = finder.best(bar=bar, lane=lane)
        except _Late:
            self.better([(kind, each) for each in finder.routes.values()][-1:])
            raise
        if found is None:
            return bar
        if known is None or known[0] < found[0]:
            self.alone[kind] = found
        self.better([(kind, found)])
        return found[0]

    def _together(self, lanes: Mapping[int, int], count: int) -> int:
        """The most that `count` trains of a kind earn by lanes."""
        if -1 in lanes:
            return lanes[-1] * count
        return sum(sorted(lanes.values(), reverse=True)[:count])

    def _besides(self, lanes: Mapping[int, int], kind: TrainKind, lane: int) -> int:
        """The most that the other trains of the kind earn beside one in this lane."""
        left = lanes if lane == -1 else {each: best for each, best in lanes.items() if each != lane}
        return self._together(left, self.kinds.count(kind) - 1)

    def _greedy(self, budget: int) -> None:
        """Answers: the trains one after another, in some orders of kinds, each at its best on what is left."""
        for order in dict.fromkeys((tuple(self.kinds), tuple(reversed(self.kinds)))):
            used = 0
            answer: list[tuple[TrainKind, Found]] = []
            for kind in order:
                try:
                    found = self.finders[kind].best(used, budget=budget)
                except _Late:
                    free = [found for found in self.finders[kind].routes.values() if not found[1] & used]
                    best = max(free, key=lambda found: found[0], default=None)
                    self.better(answer if best is None else [*answer, (kind, best)])
                    raise
                if found is not None:
                    if not used and (kind not in self.alone or self.alone[kind][0] < found[0]):
                        self.alone[kind] = found
                    used |= found[1]
                    answer.append((kind, found))
            self.better(answer)

    def _choose(self, lists: list[list[Found]]) -> None:
        """The best choice of one route from each list, or none, on separate track; equal kinds have the same list.

        Which routes are still free is a bit mask over each list, the most valuable first, so that one step takes out all that
        conflict with a choice, and the lowest bit is the best that is left.
        """
        kinds = self.kinds
        table = {id(listed): users(listed) for listed in lists}
        tables = [table[id(listed)] for listed in lists]

        def most(n: int, free: tuple[int, ...]) -> int:
            return sum(lists[m][first_bit(free[m])][0] for m in range(n, len(lists)) if free[m])

        def pick(n: int, free: tuple[int, ...], total: int, chosen: list[tuple[TrainKind, Found]]) -> None:
            if total > self.revenue:
                self.answer, self.revenue = chosen, total
            if n == len(lists) or total + most(n, free) <= self.revenue:
                return
            left, later = free[n], most(n + 1, free)
            same = n + 1 < len(lists) and kinds[n + 1] == kinds[n]
            while left:
                self.clock.tick()
                lowest = left & -left
                left ^= lowest
                found = lists[n][lowest.bit_length() - 1]
                if total + found[0] + later <= self.revenue:
                    break
                after = list(free)
                for m in range(n + 1, len(lists)):
                    if kinds[m] == kinds[n]:
                        after[m] &= left  # equal trains in order of their routes
                    if m > n + 1 and lists[m] is lists[m - 1]:
                        after[m] = after[m - 1]
                    else:
                        after[m] &= ~taken(tables[m], found[1])
                pick(n + 1, tuple(after), total + found[0], [*chosen, (kinds[n], found)])
            rest = list(free)
            if same:
                rest[n + 1] = 0
                for m in range(n + 1, len(lists)):
                    if kinds[m] == kinds[n]:
                        rest[m] = 0
            pick(n + 1, tuple(rest), total, chosen)

        pick(0, tuple((1 << len(listed)) - 1 for listed in lists), 0, [])


def first_bit(mask: int) -> int:
    """The place of the lowest bit."""
    return (mask & -mask).bit_length() - 1


def users(listed: Sequence[Found]) -> dict[int, int]:
    """For each bit of track the routes that use it, as a bit mask over the list."""
    size = len(listed) // 8 + 1
    found: dict[int, bytearray] = {}
    for place, each in enumerate(listed):
        byte, bit, mask = place >> 3, 1 << (place & 7), each[1]
        while mask:
            low = mask & -mask
            mask ^= low
            row = found.get(low)
            if row is None:
                row = found[low] = bytearray(size)
            row[byte] |= bit
    return {low: int.from_bytes(row, "little") for low, row in found.items()}


def taken(table: Mapping[int, int], mask: int) -> int:
    """The routes of a list that use any of this track."""
    result = 0
    while mask:
        low = mask & -mask
        mask ^= low
        result |= table.get(low, 0)
    return result
