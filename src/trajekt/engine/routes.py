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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from trajekt.engine.finders import Clock, Finder, Found, Late, RouteFinder
from trajekt.engine.legs import Legs
from trajekt.engine.plus_routes import PlusFinder
from trajekt.engine.runs import Run, Setting
from trajekt.engine.sheet import TrainKind
from trajekt.engine.town_routes import TownFinder

FIRST_BUDGET = 400  # growths for each train of a first answer
SECOND_BUDGET = 2_000  # the same for a second one, where the first did not see everything
QUICK = 20_000  # growths for a better one


class BestRuns(msgspec.Struct, frozen=True):
    """The best runs found. `proved`: nothing legal earns more. `seconds` is the time it took."""

    runs: tuple[Run, ...]
    revenue: int
    proved: bool
    seconds: float


def best_runs(setting: Setting, limit: float | None = None, growths: int | None = None) -> BestRuns:
    """The most valuable legal runs of the company's trains.

    The best so far, not proved, when `limit` seconds have passed, or after so many `growths`: steps of the search, some 10 to
    100 microseconds each, whose number makes the answer the same on every machine.
    """
    clock = Clock(limit, growths)
    search = _Search(setting, clock)
    proved = True
    try:
        search.solve()
    except Late:
        proved = False
    if not search.answer:  # also a run that earns nothing is a run
        return BestRuns(any_run(setting) if proved or growths else (), 0, proved, clock.seconds)
    runs = tuple(search.run(kind, found) for kind, found in search.answer)
    return BestRuns(runs, search.revenue, proved, clock.seconds)


def good_runs(setting: Setting, growths: int = FIRST_BUDGET) -> int:
    """What a first answer earns, in Mark, after so many growths for each train: quick, and the same on every machine."""
    search = _Search(setting, Clock(None))
    search._greedy(growths)  # noqa: SLF001
    return search.revenue


def finder_of(setting: Setting, kind: TrainKind, clock: Clock) -> Finder:
    """What lists the routes of a kind of train. Legs are kept on the board: one question about a company is seldom the last."""
    memo: dict[object, Legs] = setting.board.__dict__.setdefault("legs", {})
    key = (setting.company, kind, setting.colour, setting.industry, setting.facts, setting.variants, setting.rules)
    legs = memo.get(key)
    if legs is None:
        legs = memo[key] = Legs(setting, setting.rules.plan(setting, kind))
    if legs.plan.stops:
        return PlusFinder(legs, clock.tick)
    if legs.plan.town_limit is not None:
        return TownFinder(legs, clock.tick)
    return RouteFinder(legs, clock)


def any_run(setting: Setting) -> tuple[Run, ...]:
    """Some legal set of runs, quickly found: one train's route; none where no train can run (COMMON-RTE-12)."""
    clock = Clock(None)
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
    clock = Clock(None)
    for kind in sorted(kind for kind, number in left.items() if number > 0):
        finder = finder_of(setting, kind, clock)
        assert isinstance(finder, RouteFinder), kind
        used = 0
        for piece in pieces:
            used |= network.uses[piece]
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

    def __init__(self, setting: Setting, clock: Clock) -> None:
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
        if len(self.kinds) > 1 and self.clock.count > FIRST_BUDGET:
            self._exchange(FIRST_BUDGET)
            self._greedy(SECOND_BUDGET)
            self._exchange(SECOND_BUDGET)
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
            self._exchange(SECOND_BUDGET)
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
        except Late:
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
                except Late:
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

    def _exchange(self, budget: int) -> None:
        """The best answer so far with one train after another on the best route that the others leave it."""
        answer = list(self.answer)
        idle = list(self.kinds)
        for kind, _ in answer:
            idle.remove(kind)
        for place, (kind, found) in enumerate(answer):
            used = 0
            for other, (_, route) in enumerate(answer):
                used |= route[1] if other != place else 0
            better = self.finders[kind].best(used, bar=found[0], budget=budget)
            if better is not None:
                answer[place] = (kind, better)
                self.better(list(answer))
        for kind in idle:
            used = 0
            for _, route in answer:
                used |= route[1]
            more = self.finders[kind].best(used, budget=budget)
            if more is not None:
                answer.append((kind, more))
                self.better(list(answer))

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
