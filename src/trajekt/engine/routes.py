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

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from trajekt.engine.finders import TIME, WHOLE, Clock, Effort, Finder, Found, Late, RouteFinder, in_order
from trajekt.engine.legs import Legs
from trajekt.engine.plus_routes import PlusFinder
from trajekt.engine.runs import Run, Setting
from trajekt.engine.sheet import TrainKind
from trajekt.engine.tolls import FREE, Tolls, settled
from trajekt.engine.town_routes import TownFinder

FIRST = Effort(400)  # for each train of a first answer, which on most boards is all there is
FIRST_LOOK = Effort(1_500)  # for each search that may settle all
NARROW = Effort(400, 3)  # for another one, where it is not
WIDER = (Effort(400, 3), Effort(800, 4), Effort(800))
WIDEST = (Effort(1_500, 4), Effort(3_000, 6), Effort(3_000))  # the same once the best of each kind is known
SECOND = Effort(2_000)  # for a better one
LISTED = 3_000  # growths of a listing before tolls are set
POOLED = 300  # routes of a listing that set tolls
PICKS = 3_000  # picks of a choice that is not the last
WIDENED = 6  # short searches that add to what sets tolls
SLOWLY = 5  # Mark by which tolls must lower the bound, or the listing is made whole
FAR = 100  # Mark between what known and all routes come to with tolls, for which better tolls are worth a round
SHORT = 64  # routes up to which a list is looked through rather than indexed


class BestRuns(msgspec.Struct, frozen=True):
    """The best runs found. `proved`: nothing legal earns more. `seconds` is the time it took."""

    runs: tuple[Run, ...]
    revenue: int
    proved: bool
    seconds: float


def best_runs(
    setting: Setting,
    limit: float | None = None,
    growths: int | None = None,
    now: Callable[[], float] = TIME,
) -> BestRuns:
    """The most valuable legal runs of the company's trains.

    The best so far, not proved, when `limit` seconds have passed by the clock `now`, or after so many `growths`: steps of
    the search, some 10 to 100 microseconds each, whose number makes the answer the same on every machine.
    """
    clock = Clock(limit, growths, now)
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


def good_runs(setting: Setting, growths: int = FIRST.growths) -> int:
    """What a first answer earns, in Mark, after so many growths for each train: quick, and the same on every machine."""
    search = _Search(setting, Clock(None))
    search.greedy(Effort(growths))
    return search.revenue


def finder_of(setting: Setting, kind: TrainKind, clock: Clock) -> Finder:
    """What lists the routes of a kind of train. Legs are kept on the board: one question about a company is seldom the last."""
    memo: dict[object, Legs] = setting.board.__dict__.setdefault("legs", {})
    asked = (setting.company, setting.colour, setting.industry, setting.facts, setting.variants, setting.rules)
    legs = memo.get((kind, asked))
    if legs is None:
        plan = setting.rules.plan(setting, kind)
        other = memo.get(asked)  # most kinds differ by their reach alone
        if other is not None and msgspec.structs.replace(other.plan, reach=plan.reach) == plan:
            legs = other.of_reach(plan)
        else:
            legs = memo[asked] = Legs(setting, plan)
        memo[kind, asked] = legs
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
    if setting.rules.stationless.isdisjoint(asked.trains) and not leads_away(setting):
        return False
    return bool(any_run(asked))


def leads_away(setting: Setting) -> bool:
    """Whether track leads from a station of the company to another stop, blocked or not: without that no train can run."""
    network = setting.network
    stops, goals, onward = len(network.stops), network.goals, network.onward
    for ref in setting.own_stops:
        start = network.stop.get(ref)
        todo = [] if start is None else list(network.away[start])
        done = set(todo)
        while todo:
            move = todo.pop()
            if goals[move] < stops:
                if goals[move] != start:
                    return True
                continue
            fresh = [after for after in onward[move] if after not in done]
            done.update(fresh)
            todo += fresh
    return False


class _Search:
    """The choice of one route for each train, all on track of their own."""

    def __init__(self, setting: Setting, clock: Clock) -> None:
        self.clock = clock
        self.kinds = sorted(setting.trains, reverse=True)
        self.finders = {kind: finder_of(setting, kind, clock) for kind in set(self.kinds)}
        self.answer: list[tuple[TrainKind, Found]] = []
        self.revenue = 0
        self.alone: dict[TrainKind, Found] = {}  # the best route seen of each kind by itself
        self.sure: set[TrainKind] = set()  # kinds of which that is proved
        self.pools: dict[TrainKind, dict[int, Found]] = {kind: {} for kind in self.finders}  # good routes, by mask

    def run(self, kind: TrainKind, found: Found) -> Run:
        return self.finders[kind].run(kind, found)

    def better(self, answer: list[tuple[TrainKind, Found]]) -> None:
        total = sum(found[0] for _, found in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def solve(self) -> None:
        """First answers, then the best of each kind alone, then what trains can earn together."""
        whole = self.greedy(FIRST)
        if len(self.kinds) > 1:
            self._exchange(FIRST)
            if not whole and self._easily():
                return
            if not whole:
                self.greedy(NARROW)
                self._exchange(FIRST)
                self._widen(WIDER)
                self._exchange(SECOND)
        for kind in self.finders:
            # among several trains the best of one alone is of no use where the track is contested
            if len(self.kinds) == 1 or whole or kind not in self.alone:
                self._alone(kind, WHOLE)
        most = self._running()
        if len(self.kinds) == 1:
            self._alone(self.kinds[0], WHOLE)
        elif self.kinds and not (whole and self._list(most, FREE, LISTED)):
            self._together(most)

    def _easily(self) -> bool:
        """Whether the best of each kind alone, and of all together, is soon found."""
        return all(self._alone(kind, FIRST_LOOK) for kind in self.finders) and (
            self._list(self._running(), FREE, FIRST_LOOK.growths)
        )

    def _running(self) -> dict[TrainKind, float]:
        """The most that a train of each kind earns by itself; trains that cannot run at all are taken out."""
        self.kinds = sorted((k for k in self.kinds if k in self.alone), key=lambda kind: (-self.alone[kind][0], kind))
        return {kind: self.alone[kind][0] for kind in dict.fromkeys(self.kinds)}

    def _alone(self, kind: TrainKind, effort: Effort) -> bool:
        """Look for the best route of a kind by itself; whether it is proved to be that."""
        known, finder = self.alone.get(kind), self.finders[kind]
        if kind not in self.sure:
            try:
                found = finder.best(bar=known[0] if known else -1, effort=effort)
            except Late:
                self.better([(kind, each) for each in finder.routes.values()][-1:])
                raise
            if found is not None:
                self.alone[kind] = found
                self.better([(kind, found)])
            self.pools[kind].update(finder.routes)
            if not finder.cut:
                self.sure.add(kind)
        return kind in self.sure

    def _together(self, most: Mapping[TrainKind, float]) -> None:
        """The best set of routes: all that can be part of a better one are listed, and the best choice of them is made.

        The listing is too long as it is; tolls bring down the sum of the best, and so raise the bar of the listing.
        """
        bound, budget = math.inf, LISTED
        while True:
            self._see()
            self._widen(WIDEST)
            count = self.clock.count
            tolls = self._settled()
            hoped = self._bound({kind: self._most_known(kind, tolls) for kind in most}, tolls)
            charged = {kind: self._charged(kind, tolls) for kind in most}
            before, bound = bound, self._bound(charged, tolls)
            if before - bound > SLOWLY and bound - hoped > FAR:
                continue  # what was just found sets better tolls
            budget = max(2 * budget, 2 * (self.clock.count - count))
            if self._list(charged, tolls, budget if before - bound > SLOWLY else -1):
                return

    def _bound(self, most: Mapping[TrainKind, float], tolls: Tolls) -> float:
        """What no set of routes earns more than, each train earning at most so much less the tolls."""
        return tolls.total + sum(self.kinds.count(kind) * max(0, each) for kind, each in most.items())

    def _list(self, most: Mapping[TrainKind, float], tolls: Tolls, budget: int) -> bool:
        """List the routes that can be part of a better set, and make the best choice. Answers whether that settles it."""
        bound = self._bound(most, tolls)
        if bound < self.revenue + 1:
            return True
        lists = {
            kind: self.finders[kind].above(self.revenue - (bound - max(0, each)), Effort(budget))
            for kind, each in most.items()
        }
        if any(self.finders[kind].cut for kind in most):
            self._choose({kind: listed[:POOLED] for kind, listed in lists.items()}, tolls, PICKS)
            return False
        self._choose(lists, tolls)
        return True

    def _see(self) -> None:
        """Keep the best of the routes that were listed last."""
        for kind, finder in self.finders.items():
            self.pools[kind].update((each[1], each) for each in in_order(finder.routes.values(), finder.tolls)[:POOLED])

    def _settled(self) -> Tolls:
        """Tolls on the track that the best routes known contend for."""
        return settled(
            [(self.kinds.count(kind), tuple(pool.values())) for kind, pool in self.pools.items()], self.revenue
        )

    def _widen(self, efforts: Sequence[Effort]) -> None:
        """Find routes that are better than those known once these have settled the tolls, with ever more effort.

        Each time the best choice of what is known is an answer.
        """
        ever = iter(efforts)
        effort = next(ever)
        for _ in range(WIDENED):
            tolls = self._settled()
            for kind, finder in self.finders.items():
                finder.charge(tolls)
                finder.above(self._most_known(kind, tolls), effort)
            self._see()
            known = {kind: in_order(pool.values(), tolls)[:POOLED] for kind, pool in self.pools.items()}
            self._choose(known, tolls, PICKS)
            if not any(finder.routes for finder in self.finders.values()):
                more = next(ever, None)
                if more is None:
                    break
                effort = more
        for finder in self.finders.values():
            finder.charge(FREE)

    def _most_known(self, kind: TrainKind, tolls: Tolls) -> float:
        """The most that a known route of this kind earns less the tolls."""
        return max((found[0] - tolls.of(found[1]) for found in self.pools[kind].values()), default=0.0)

    def _charged(self, kind: TrainKind, tolls: Tolls) -> float:
        """The most that a train of this kind earns by itself less the tolls."""
        finder, pool = self.finders[kind], self.pools[kind]
        finder.charge(tolls)
        most = self._most_known(kind, tolls)
        found = finder.best(bar=most)
        pool.update((each[1], each) for each in finder.routes.values())
        return most if found is None else found[0] - tolls.of(found[1])

    def greedy(self, effort: Effort) -> bool:
        """Answers: the trains one after another, in some orders of kinds, each at its best on what is left.

        Answers whether no search was cut short.
        """
        whole = True
        for order in dict.fromkeys((tuple(self.kinds), tuple(reversed(self.kinds)))):
            used = 0
            answer: list[tuple[TrainKind, Found]] = []
            for kind in order:
                finder = self.finders[kind]
                try:
                    found = finder.best(used, effort=effort)
                except Late:
                    free = [found for found in finder.routes.values() if not found[1] & used]
                    best = max(free, key=lambda found: found[0], default=None)
                    self.better(answer if best is None else [*answer, (kind, best)])
                    raise
                self.pools[kind].update(finder.routes)
                whole = whole and not finder.cut
                if not used and not finder.cut:
                    self.sure.add(kind)
                if found is None:
                    continue
                if not used and (kind not in self.alone or self.alone[kind][0] < found[0]):
                    self.alone[kind] = found
                used |= found[1]
                answer.append((kind, found))
            self.better(answer)
        return whole

    def _exchange(self, effort: Effort) -> None:
        """The best answer so far with one train after another on the best route that the others leave it."""
        answer = list(self.answer)
        idle = list(self.kinds)
        for kind, _ in answer:
            idle.remove(kind)
        for place, (kind, found) in enumerate(answer):
            used = 0
            for other, (_, route) in enumerate(answer):
                used |= route[1] if other != place else 0
            better = self.finders[kind].best(used, bar=found[0], effort=effort)
            self.pools[kind].update(self.finders[kind].routes)
            if better is not None:
                answer[place] = (kind, better)
                self.better(list(answer))
        for kind in idle:
            used = 0
            for _, route in answer:
                used |= route[1]
            more = self.finders[kind].best(used, effort=effort)
            if more is not None:
                answer.append((kind, more))
                self.better(list(answer))

    def _choose(self, routes: Mapping[TrainKind, list[Found]], tolls: Tolls, picks: int = -1) -> None:
        """The best choice of one route, or none, for each train, on separate track; lists are in order of worth less tolls.

        With a number of `picks` the best so far after so many.

        Which routes are still free is a bit mask over each list, so that one step takes out all that conflict with a choice,
        and the lowest bit is the best that is left.
        """
        listed = {kind: Listed(found, tolls) for kind, found in routes.items()}
        lists = [listed[kind] for kind in self.kinds]
        last = self.clock.count + picks if picks >= 0 else 1 << 60
        self._pick(lists, last, 0, tuple((1 << len(each.routes)) - 1 for each in lists), 0, tolls.total, [])

    def _pick(
        self,
        lists: list[Listed],
        last: int,
        n: int,
        free: tuple[int, ...],
        total: int,
        worth: float,
        chosen: list[tuple[TrainKind, Found]],
    ) -> None:
        """Routes for the trains from number `n` on, until the clock has counted to `last`."""
        if total > self.revenue:
            self.answer, self.revenue = chosen, total
        if n == len(lists) or worth + most(lists, free, n) <= self.revenue:
            return
        kinds = self.kinds
        left, later = free[n], most(lists, free, n + 1)
        while left and self.clock.count < last:
            self.clock.tick()
            lowest = left & -left
            left ^= lowest
            place = lowest.bit_length() - 1
            found, more = lists[n].routes[place], worth + lists[n].worths[place]
            if more + later <= self.revenue:
                break
            after = list(free)
            for m in range(n + 1, len(lists)):
                if kinds[m] == kinds[n]:
                    after[m] &= left  # equal trains in order of their routes
                if m > n + 1 and lists[m] is lists[m - 1]:
                    after[m] = after[m - 1]
                else:
                    after[m] &= ~lists[m].taken(found[1])
            self._pick(lists, last, n + 1, tuple(after), total + found[0], more, [*chosen, (kinds[n], found)])
        rest = tuple(0 if kinds[m] == kinds[n] else each for m, each in enumerate(free))
        self._pick(lists, last, n + 1, rest, total, worth, chosen)


def most(lists: Sequence[Listed], free: Sequence[int], first: int) -> float:
    """The most that the trains from number `first` on can earn less tolls, each with the best route that is free to it."""
    return sum(max(0, lists[m].worths[first_bit(free[m])]) for m in range(first, len(lists)) if free[m])


def first_bit(mask: int) -> int:
    """The place of the lowest bit."""
    return (mask & -mask).bit_length() - 1


class Listed:
    """Routes of one kind of train in order, what each earns less tolls, and which of them use some track, as bits by place."""

    def __init__(self, routes: list[Found], tolls: Tolls) -> None:
        self.routes = routes
        self.worths = [found[0] - tolls.of(found[1]) for found in routes]
        self._users: dict[int, int] = {}
        self._taken: dict[int, int] = {}

    def taken(self, mask: int) -> int:
        """The routes that use any of this track."""
        known = self._taken.get(mask)
        if known is None:
            known = self._taken[mask] = self._short(mask) if len(self.routes) <= SHORT else self._long(mask)
        return known

    def _short(self, mask: int) -> int:
        return sum(1 << place for place, found in enumerate(self.routes) if found[1] & mask)

    def _long(self, mask: int) -> int:
        users = self._users
        if not users:
            users.update(users_of(self.routes))
        result = 0
        while mask:
            low = mask & -mask
            mask ^= low
            result |= users.get(low, 0)
        return result


def users_of(listed: Sequence[Found]) -> dict[int, int]:
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
