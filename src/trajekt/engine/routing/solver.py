"""Best runs: an exact search for the most valuable legal set of routes of all trains of a company together.

A first answer is greedy: one train after another at its best on the track that is left; then trains are exchanged for better
ones while there are any. Then the best route of each kind of train by itself is found. The sum of these is the most that a
set can earn, and by as much as a better set stays below it may one of its routes stay below the best of its kind: all routes
so good are listed, and a branch and bound search picks those on separate track. `docs/best-runs.md` tells all of it.

The search shares no code with the judge (`rules/route_validation.py`): it knows values only as the numbers of a `Plan`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.enumeration import TIME, Companion, Enumerator, Late, Listed, Route, SearchClock, in_order
from trajekt.engine.routing.runs import Run, Setting
from trajekt.engine.routing.segments import Segments

FIRST = 250  # expansions for each train of a first answer, which on most boards is all there is
EXCHANGED = 600  # expansions for each train of an answer that is exchanged
SHARES = (1 / 4, 1)  # how far down from the sum of the most to the answer a better set is looked for
QUICK = 5_000  # expansions up to which neither is worth while: all is soon listed
LED = 16  # how many of the routes listed first lead an answer of their own
LEAST = 1 / 2  # Mark: less than any two sets of routes differ by

Chosen = tuple[TrainKind, Route]


class BestRuns(msgspec.Struct, frozen=True):
    """The best runs found. `proved`: nothing legal earns more. `seconds` is the time it took."""

    runs: tuple[Run, ...]
    revenue: int
    proved: bool
    seconds: float


def best_runs(
    setting: Setting,
    limit: float | None = None,
    expansions: int | None = None,
    now: Callable[[], float] = TIME,
    fixed: Sequence[Run] = (),
) -> BestRuns:
    """The most valuable legal runs of the company's trains; of those that are left where some are `fixed`, on free track.

    The best so far, not proved, when `limit` seconds have passed by the clock `now`, or after so many `expansions`: steps
    of the search, some 5 to 50 microseconds each, whose number makes the answer the same on every machine.
    """
    clock = SearchClock(limit, expansions, now)
    search = _Search(setting, clock, fixed)
    proved = True
    try:
        search.solve()
    except Late:
        proved = False
    if not search.answer and not fixed:  # also a run that earns nothing is a run
        return BestRuns(any_run(setting) if proved or expansions else (), 0, proved, clock.seconds)
    return BestRuns(search.runs(), search.revenue, proved, clock.seconds)


def good_runs(setting: Setting, expansions: int = FIRST) -> int:
    """Return the revenue in Mark of a first answer of so many expansions for each train: quick, and equal on every machine."""
    search = _Search(setting, SearchClock(None))
    search.greedy(expansions)
    return search.revenue


def first_runs(setting: Setting, expansions: int) -> tuple[Run, ...]:
    """The runs of a first answer; some legal ones where none earns anything."""
    search = _Search(setting, SearchClock(None))
    search.greedy(expansions)
    return search.runs() or any_run(setting)


def enumerator_of(setting: Setting, kind: TrainKind, clock: SearchClock) -> Enumerator:
    """Return the enumerator for a kind of train. Segments are kept on the board, since one question is seldom the last."""
    memo: dict[object, Segments] = setting.board.__dict__.setdefault("segments", {})
    asked = (setting.company, setting.colour, setting.industry, setting.facts, setting.variants, setting.rules)
    segments = memo.get((kind, asked))
    if segments is None:
        plan = setting.rules.plan(setting, kind)
        other = memo.get(asked)  # most kinds differ by their reach alone
        if other is not None and msgspec.structs.replace(other.plan, reach=plan.reach) == plan:
            segments = other.of_reach(plan)
        else:
            segments = memo[asked] = Segments(setting, plan)
        memo[kind, asked] = segments
    return Enumerator(segments, clock)


def any_run(setting: Setting) -> tuple[Run, ...]:
    """Some legal set of runs, quickly found: one train's route; none where no train can run (COMMON-RTE-12)."""
    clock = SearchClock(None)
    for kind in sorted(set(setting.trains)):
        enumerator = enumerator_of(setting, kind, clock)
        found = enumerator.first()
        if found is not None:
            return (enumerator.run(kind, found),)
    return ()


def run_beside(setting: Setting, runs: Sequence[Run]) -> TrainKind:
    """A kind of train left idle that has a legal route on track which these runs leave free; empty where there is none."""
    used, clock = track_of(setting, runs), SearchClock(None)
    return next((kind for kind in left_over(setting, runs) if enumerator_of(setting, kind, clock).first(used)), "")


def left_over(setting: Setting, runs: Iterable[Run]) -> list[TrainKind]:
    """The trains that do not run, in order of their kinds."""
    left = Counter(setting.trains)
    left.subtract(run.train for run in runs)
    return sorted(left.elements())


def track_of(setting: Setting, runs: Iterable[Run]) -> int:
    """The track that runs use, as the masks of routes say it."""
    network, used = setting.network, 0
    for piece in (network.piece[ref] for run in runs for ref in run.track):
        used |= network.uses[piece]
        for end in network.tracks[piece].ends:
            used |= 0 if network.is_stop(end) else 1 << end
    return used


def has_route(setting: Setting, trains: Iterable[TrainKind] | None = None) -> bool:
    """Tell if some train, of those owned or of the kinds given, has a legal route (COMMON-RTE-12, COMMON-TRN-11)."""
    asked = setting if trains is None else msgspec.structs.replace(setting, trains=tuple(trains))
    if setting.rules.stationless.isdisjoint(asked.trains) and not leads_away(setting):
        return False
    return bool(any_run(asked))


def leads_away(setting: Setting) -> bool:
    """Tell if track leads from a station of the company to another stop, blocked or not: else no train can run."""
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
    """The choice of one route for each train, all on track of their own and none on that of runs which are fixed."""

    def __init__(self, setting: Setting, clock: SearchClock, fixed: Sequence[Run] = ()) -> None:
        self.clock = clock
        self.used = track_of(setting, fixed)
        self.kinds = left_over(setting, fixed)[::-1]
        self.enumerators = {kind: enumerator_of(setting, kind, clock) for kind in dict.fromkeys(self.kinds)}
        self.answer: list[Chosen] = []
        self.revenue = 0
        self.unit = math.gcd(*(each.plan.unit for each in self.enumerators.values())) or 1
        self.spent: dict[TrainKind, int] = {}  # expansions for the best route of a kind
        self.led: set[tuple[TrainKind, int]] = set()  # routes that led an answer

    def runs(self) -> tuple[Run, ...]:
        """The answer as runs."""
        return tuple(self.enumerators[kind].run(kind, route) for kind, route in self.answer)

    def solve(self) -> None:
        """First answers; where these did not see everything, or trains are in each other's way, all that may be better."""
        whole = self.greedy(FIRST)
        if len(self.kinds) == 1:
            self._alone(self.kinds[0])
        elif self.kinds:
            if not whole:
                for enumerator in self.enumerators.values():
                    enumerator.quiet = 0
                self._by_roots()
            self._exchange()
            self._prove({kind: self._most(kind) for kind in self.enumerators})

    # Answers

    def _better(self, answer: list[Chosen]) -> None:
        total = sum(route.revenue for _, route in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def greedy(self, effort: int) -> bool:
        """Answers: the trains one after another, in two orders, each at its best on what is left.

        Answers whether no search was cut short.
        """
        whole = True
        for order in dict.fromkeys((tuple(self.kinds), tuple(reversed(self.kinds)))):
            whole = self._complete([], order, effort) and whole
        return whole

    def _complete(self, answer: list[Chosen], kinds: Iterable[TrainKind], effort: int) -> bool:
        """An answer of these routes and the best for other trains, one after another, each on what the others leave.

        Answers whether no search was cut short.
        """
        used, whole = self.used | masks_of(answer), True
        for kind in kinds:
            enumerator = self.enumerators[kind]
            try:
                found = enumerator.best(used, effort=effort)
            except Late:
                best = max(enumerator.routes.values(), key=lambda route: route.revenue, default=None)
                self._better(answer if best is None else [*answer, (kind, best)])
                raise
            whole = whole and not enumerator.cut
            if found is not None:
                used |= found.mask
                answer.append((kind, found))
        self._better(answer)
        return whole

    def _by_roots(self) -> None:
        """Answers: for each root the best route, with the best for the other trains on what it leaves.

        Trains that begin at stations of their own part more often than those that are looked for one after another.
        """
        for kind, enumerator in self.enumerators.items():
            for first in enumerator.of_roots(self.used, FIRST):
                self._lead(kind, first)

    def _lead(self, kind: TrainKind, first: Route) -> None:
        """An answer with this route first, unless it led one before."""
        if (kind, first.mask) not in self.led:
            self.led.add((kind, first.mask))
            self._complete([(kind, first)], without(self.kinds, kind), FIRST)

    def _exchange(self) -> None:
        """The best answer so far with one train after another on the best route that the others leave it, round and round.

        It ends when the others are as they were when each was looked at.
        """
        answer, idle = list(self.answer), self.kinds
        for kind, _ in answer:
            idle = without(idle, kind)
        same = 0
        while same < len(answer):
            kind, route = answer.pop(0)
            used = self.used | masks_of(answer)
            better = self.enumerators[kind].best(used, cutoff=route.revenue, effort=EXCHANGED)
            answer.append((kind, better or route))
            same = same + 1 if better is None else 1
            self._better(list(answer))
        self._complete(answer, idle, EXCHANGED)

    # Proof

    def _alone(self, kind: TrainKind) -> None:
        """The best route of a kind by itself."""
        enumerator = self.enumerators[kind]
        try:
            enumerator.best(self.used, cutoff=self.revenue or -1)
        finally:
            for route in enumerator.routes.values():
                self._better([(kind, route)])

    def _most(self, kind: TrainKind) -> int:
        """The most that any route of a kind earns, or idling; each that was the best for a while leads an answer."""
        known = max((route.revenue for each, route in self.answer if each == kind), default=0)
        enumerator = self.enumerators[kind]
        found = enumerator.best(self.used, cutoff=known)
        self.spent[kind] = enumerator.spent
        for route in in_order(enumerator.routes.values())[:LED]:
            self._lead(kind, route)
        return known if found is None else found.revenue

    def _prove(self, most: Mapping[TrainKind, int]) -> None:
        """Look for better sets, first for those that earn nearly the sum of the most: of these there are the fewest.

        The better the set that is wanted, the fewer routes can be part of one.
        """
        total, aim = sum(most[kind] for kind in self.kinds), math.inf
        for share in SHARES if self.clock.count > QUICK else SHARES[-1:]:
            units = (total - self.revenue) // self.unit - 1  # from the sum down to the least that is better
            wanted = total - math.floor(units * share) * self.unit
            if units >= 0 and wanted < aim:
                aim = wanted
                self._seek(most, wanted)
            if self.revenue >= aim:
                return  # all sets that earn as much were seen

    def _seek(self, most: Mapping[TrainKind, int], aim: int) -> None:
        """List the routes that can be part of a set that earns the aim, and make the best choice.

        In such a set no train earns less than so much below its most as the aim is below the sum of all.
        """
        room = sum(most[kind] for kind in self.kinds) - aim
        leader = self._leader(most, room)
        first = Listed([])
        if leader:
            share = room / self.kinds.count(leader)
            first = Listed(self.enumerators[leader].above(most[leader] - share - LEAST, self.used))
            for route in first.routes[: LED if self.clock.count > QUICK else 0]:
                self._lead(leader, route)
        lists = {}
        for kind, each in most.items():
            if kind == leader and self.kinds.count(kind) == 1:
                lists[kind] = first
                continue
            companion = Companion(first, most[leader] + each - room - LEAST) if leader else None
            routes = self.enumerators[kind].above(each - room - LEAST, self.used, companion)
            if kind == leader:
                routes = in_order({*routes, *first.routes})
            lists[kind] = Listed(routes)
        self._pick([lists[kind] for kind in self.kinds], 0, tuple(lists[kind].all for kind in self.kinds), 0, [])

    def _leader(self, most: Mapping[TrainKind, int], room: int) -> TrainKind:
        """The kind whose routes are listed first; none where a better set may do without each.

        It is the one soonest listed; a train that may leave stops out has the most routes. In a better set the best of its
        trains earns at least its share of what is wanted beyond the most of the others, and whatever runs beside must leave
        room to one of these routes and earn enough with it.
        """
        fit = [kind for kind in most if most[kind] * self.kinds.count(kind) > room]
        return min(fit, key=lambda kind: (self.enumerators[kind].plan.skips, self.spent[kind], kind), default="")

    def _pick(self, lists: Sequence[Listed], n: int, free: tuple[int, ...], total: int, chosen: list[Chosen]) -> None:
        """The best choice of one route, or none, for each train from number `n` on.

        `free` are bit masks over the lists: one step takes out all that conflict with a choice, the lowest bit is the best.
        """
        if total > self.revenue:
            self.answer, self.revenue = chosen, total
        later = sum(each.most(left) for each, left in zip(lists[n + 1 :], free[n + 1 :], strict=True))
        left = free[n] if n < len(lists) else 0
        while left:
            route = lists[n].routes[(left & -left).bit_length() - 1]
            if total + route.revenue + later < self.revenue + self.unit:
                return
            self.clock.tick()
            left &= left - 1
            after = list(free)
            for m in range(n + 1, len(lists)):
                if lists[m] is lists[n]:
                    after[m] &= left  # equal trains in order of their routes
                after[m] &= ~lists[m].taken(route.mask)
            self._pick(lists, n + 1, tuple(after), total + route.revenue, [*chosen, (self.kinds[n], route)])
        if n < len(lists):
            rest = tuple(0 if each is lists[n] else bits for each, bits in zip(lists, free, strict=True))
            self._pick(lists, n + 1, rest, total, chosen)


def masks_of(answer: Iterable[Chosen]) -> int:
    """The track that these routes use."""
    used = 0
    for _, route in answer:
        used |= route.mask
    return used


def without(kinds: Sequence[TrainKind], kind: TrainKind) -> list[TrainKind]:
    """The trains but for one of a kind."""
    found = list(kinds)
    found.remove(kind)
    return found
