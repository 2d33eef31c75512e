"""Best runs: an exact search for the most valuable legal set of routes of all trains of a company together.

How it works. The board is cut into *legs*: track from one counted stop to the next, with the towns between, as a bit mask of
the sides it crosses. A route is a root (a stop with an own station, or an end that the train must have) with one or two arms of
legs; a search grows arms leg by leg and gives up where nothing that may still come could lift the route over a bar. A greedy
set gives a first answer. Then track that several trains want gets a toll, by which the sum of the best of each train comes down
nearly to what they can earn together, and only routes that could still be part of a better set are listed; a branch and bound
search picks those with disjoint masks. Two routes conflict exactly if they use the same side of a hex (a junction's common stem
has one) or the same piece between two stops. `docs/best-runs.md` tells all of it.

The search shares no code with the judge (`rules/route_validation.py`): it knows values only as the numbers of a `Plan`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.enumeration import TIME, WHOLE, Clock, Finder, Found, Late, RouteFinder, in_order
from trajekt.engine.routing.listed import Listed, most
from trajekt.engine.routing.runs import Run, Setting
from trajekt.engine.routing.segments import Legs
from trajekt.engine.routing.tolls import FREE, Market, Tolls
from trajekt.engine.routing.town_routes import TownFinder

FIRST = 250  # growths for each train of a first answer, which on most boards is all there is
NEAR = (1.05, 1.3)  # the sum of the best to the answer, up to which it may do without tolls; the latter if all was seen
LOOK = 1_500  # growths of a search that may settle all without tolls
PRICED = 350  # growths for routes that are better under new tolls
POOLED = 30  # of these routes that set the next
CHOSEN = 300  # routes of each kind out of which an answer is chosen meanwhile
PICKS = 3_000  # picks of a choice that is not the last
DIVED, DEEP = 600, 5_000  # growths for routes that are completed to an answer meanwhile, and before all is listed
LOOKED = 16  # of how many
COMPLETED = 350  # growths for each other train
EXCHANGED = 600  # growths for each train of an answer that is better than any before
MINDED = 6  # times that a table minds more before all is looked through
PARTED = 5_000  # growths of a last listing before it is made in parts
LISTED = 3_000  # growths of a listing while tolls may still get better, or a third of all so far
LEAST = 1 / 8  # Mark: the least by which two sums with tolls differ


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
    the search, some 5 to 50 microseconds each, whose number makes the answer the same on every machine.
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
    return BestRuns(search.runs(), search.revenue, proved, clock.seconds)


def good_runs(setting: Setting, growths: int = FIRST) -> int:
    """What a first answer earns, in Mark, after so many growths for each train: quick, and the same on every machine."""
    return _first(setting, growths).revenue


def first_runs(setting: Setting, growths: int) -> tuple[Run, ...]:
    """The runs of a first answer; some legal ones where none earns anything."""
    return _first(setting, growths).runs() or any_run(setting)


def _first(setting: Setting, growths: int) -> _Search:
    search = _Search(setting, Clock(None))
    search.greedy(growths)
    return search


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
        self.finders = {kind: finder_of(setting, kind, clock) for kind in set(self.kinds)}  # which tolls are charged
        self.plain = {kind: finder_of(setting, kind, clock) for kind in self.finders}  # without tolls
        self.answer: list[tuple[TrainKind, Found]] = []
        self.revenue = self.polished = 0
        self.unit = math.gcd(*(finder.plan.unit for finder in self.finders.values())) or 1
        self.pools: dict[TrainKind, dict[int, Found]] = {kind: {} for kind in self.finders}  # good routes, by mask
        self.market = Market([self.kinds.count(kind) for kind in self.pools])
        self.told: set[tuple[TrainKind, int]] = set()  # what the market knows of them
        self.led: set[tuple[TrainKind, int]] = set()  # which led an answer

    def runs(self) -> tuple[Run, ...]:
        """The answer as runs."""
        return tuple(self.finders[kind].run(kind, found) for kind, found in self.answer)

    def better(self, answer: list[tuple[TrainKind, Found]]) -> None:
        total = sum(found[0] for _, found in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def solve(self) -> None:
        """First answers; where these did not see everything, what trains can earn together on track with tolls."""
        whole = self.greedy(FIRST)
        if len(self.kinds) == 1:
            self._alone(self.kinds[0])
        elif self.kinds:
            if whole:
                self._exchange(FIRST)
            else:
                for finder in self.plain.values():
                    finder.crowded = True
                self._by_roots()
            if not self._plainly(NEAR[whole]):
                self._together()

    def _by_roots(self) -> None:
        """Answers: for each root the best route, with the best for the other trains on what it leaves.

        Trains that begin at stations of their own part more often than those that are looked for one after another.
        """
        for kind, finder in self.plain.items():
            for first in finder.of_roots(FIRST):
                self.pools[kind][first[1]] = first
                self._lead(kind, first, FIRST)
        self._polish()

    def _alone(self, kind: TrainKind) -> None:
        """Look for the best route of a kind by itself."""
        finder = self.finders[kind]
        try:
            found = finder.best(bar=self.revenue or -1)
        except Late:
            self.better([(kind, each) for each in in_order(finder.routes.values(), FREE)[:1]])
            raise
        if found is not None:
            self.better([(kind, found)])

    def _plainly(self, near: float) -> bool:
        """Whether without tolls the best of each kind, and all that can be part of a better set, is soon found."""
        most = {kind: self._most_known(kind, FREE) for kind in self.finders}
        if self._bound(most, FREE) > near * self.revenue:
            return False
        for kind, finder in self.finders.items():
            known = most[kind]
            found = finder.best(bar=known, effort=LOOK)
            if finder.cut:
                return False
            self.pools[kind].update(finder.routes)
            most[kind] = float(found[0]) if found else known
        return self._list(most, FREE, LOOK)

    def _together(self) -> None:
        """The best set of routes, by tolls that part the trains.

        In rounds tolls are set among the routes known, and routes are looked for that are better under them. When there
        are none, the bound is as low as tolls can make it, and what can still be part of a better set is listed.
        """
        tried, spent = math.inf, 0
        while True:
            tolls = self._settled()
            most: dict[TrainKind, float] = {}
            new = False
            for kind in self.finders:
                most[kind], better = self._priced(kind, tolls)
                new = new or better
            bound = self._bound(most, tolls)
            best = {kind: Listed(found, tolls) for kind, found in self._known_best(tolls).items()}
            self._choose([(kind, best[kind]) for kind in self.kinds], tolls, PICKS)
            self._dive(tolls, DIVED if new else DEEP)
            self._polish()
            if bound < self.revenue + self.unit:
                return
            budget = max(LISTED, self.clock.count // 3)
            lower = bound <= tried - self.unit / 2
            longer = bound <= tried + self.unit / 4 and budget >= 3 * spent
            if new and (bound == math.inf or not (lower or longer)):
                continue  # a listing that was too long would be so again
            tried, spent = min(bound, tried), budget
            if self._list(most, tolls, budget if new else LISTED):
                return
            if not new:
                self._list(*self._middle(most, tolls), WHOLE)
                return

    def _middle(self, most: dict[TrainKind, float], tolls: Tolls) -> tuple[dict[TrainKind, float], Tolls]:
        """The most of each kind and tolls, if there are any as good as these that leave less in doubt."""
        bound, middle = self._bound(most, tolls), self.market.middle()
        above: dict[TrainKind, float] = {}
        for kind, finder in self.finders.items():
            finder.charge(middle)
            known = self._most_known(kind, middle)
            above[kind] = finder.ceiling(known, MINDED)
            if above[kind] > known:
                found = finder.best(bar=known)
                above[kind] = known if found is None else found[0] - middle.of(found[1])
        if self._bound(above, middle) // self.unit <= bound // self.unit:
            return above, middle
        for finder in self.finders.values():
            finder.charge(tolls)
        return most, tolls

    def _settled(self) -> Tolls:
        """The best tolls for the routes known."""
        for number, (kind, pool) in enumerate(self.pools.items()):
            for mask, found in pool.items():
                if (kind, mask) not in self.told:
                    self.told.add((kind, mask))
                    self.market.add(number, found)
        return self.market.settle()

    def _known_best(self, tolls: Tolls) -> dict[TrainKind, list[Found]]:
        """The best routes known under these tolls."""
        return {kind: in_order(pool.values(), tolls)[:CHOSEN] for kind, pool in self.pools.items()}

    def _priced(self, kind: TrainKind, tolls: Tolls) -> tuple[float, bool]:
        """What no route of a kind earns more than under new tolls, and whether better routes came to light."""
        finder, pool, known = self.finders[kind], self.pools[kind], self._most_known(kind, tolls)
        finder.charge(tolls)
        found = finder.better(known, PRICED)[:POOLED]
        pool.update((each[1], each) for each in found)
        if found:
            return math.inf, True
        most = finder.ceiling(known, MINDED)
        if most <= known or not finder.cut:
            return known, False
        best = finder.best(bar=known)
        if best is None:
            return known, False
        worth = best[0] - tolls.of(best[1])
        pool.update(finder.routes)
        pool.update((found[1], found) for found in finder.above((known + worth) / 2, PRICED)[:POOLED])
        return worth, True

    def _dive(self, tolls: Tolls, effort: int) -> None:
        """Answers: the best routes under these tolls, each with the best for the other trains on what it leaves.

        The others pay no tolls: they are prices of what the best routes want, and these are set now. For each kind as many
        as take so much effort.
        """
        most = {kind: self._most_known(kind, FREE) for kind in self.finders}
        for kind, listed in self._known_best(tolls).items():
            rest = sum(most[other] for other in self.kinds) - most[kind]
            end = self.clock.count + effort
            for first in listed[:LOOKED]:
                if self.clock.count >= end:
                    break
                if first[0] + rest > self.revenue:
                    self._lead(kind, first, COMPLETED)

    def _lead(self, kind: TrainKind, first: Found, effort: int) -> None:
        """An answer with this route first, unless it led one before."""
        if (kind, first[1]) not in self.led:
            self.led.add((kind, first[1]))
            others = list(self.kinds)
            others.remove(kind)
            self._complete([(kind, first)], others, effort)

    def _polish(self) -> None:
        """Exchange as long as the answer gets better, if it has got better since."""
        if self.revenue > self.polished:
            self._exchange(EXCHANGED)
            self.polished = self.revenue

    def _bound(self, most: Mapping[TrainKind, float], tolls: Tolls) -> float:
        """What no set of routes earns more than, each train earning at most so much less the tolls."""
        return tolls.total + sum(self.kinds.count(kind) * max(0, each) for kind, each in most.items())

    def _list(self, most: Mapping[TrainKind, float], tolls: Tolls, effort: int) -> bool:
        """List the routes that can be part of a better set, and make the best choice. Answers whether that settles it.

        An aim is what is to be earned: with tolls first as much as the bound allows, since so few routes can be part of that,
        then less, as long as no set is found that earns the aim.
        """
        bound, step = self._bound(most, tolls), self.unit
        if bound < self.revenue + self.unit:
            return True
        aim = bound // self.unit * self.unit if tolls else self.revenue + self.unit
        while True:
            if not self._seek(most, tolls, aim, effort):
                return False
            # nothing earns as much as the aim but what may have been found now
            least = self.revenue + self.unit
            if aim <= least:
                return True
            aim, step = max(aim - step, least), 2 * step

    def _seek(self, most: Mapping[TrainKind, float], tolls: Tolls, aim: float, effort: int) -> bool:
        """Look for a set that earns the aim among the routes that can be part of one, and say whether all were seen.

        Without limit they are looked through part by part if they are many.
        """
        room = self._bound(most, tolls) - aim + LEAST
        lists = {}
        for kind, each in most.items():
            bar = max(0, each) - room
            if effort == WHOLE:
                self.finders[kind].ceiling(bar, MINDED)
            lists[kind] = Listed(self.finders[kind].above(bar, PARTED if effort == WHOLE and tolls else effort), tolls)
            if self.finders[kind].cut:
                if effort != WHOLE:
                    return False
                self._in_parts(most, tolls, room)
                return True
        self._choose([(kind, lists[kind]) for kind in self.kinds], tolls)
        return True

    def _in_parts(self, most: Mapping[TrainKind, float], tolls: Tolls, room: float) -> None:
        """The same part by part: some train runs over the dearest track, or none does and one over the next, and so on.

        Each train may earn so much less the tolls as leaves no more than `room` to the bound. What nobody runs over pays no
        toll, and the room gets less by it.
        """
        unused = 0
        for track, price in sorted(tolls.prices.items(), key=lambda each: (-each[1], each[0])):
            for kind in most:
                self._part(kind, track, unused, most, tolls, room)
            unused, room = unused | track, room - price
            if room <= 0:
                return
        lists = {
            kind: Listed(self.finders[kind].above(max(0, each) - room, used=unused), tolls)
            for kind, each in most.items()
        }
        self._choose([(kind, lists[kind]) for kind in self.kinds], tolls)

    def _part(
        self, kind: TrainKind, track: int, unused: int, most: Mapping[TrainKind, float], tolls: Tolls, room: float
    ) -> None:
        """The sets in which a train of this kind runs over certain track; all others must leave room to its route."""
        first = self.finders[kind].using(track)
        bar = max(0, most[kind]) - room
        if first.ceiling(bar, MINDED) <= bar:
            return
        over = Listed(first.above(bar, used=unused), tolls)
        if not over.routes:
            return
        room -= max(0, most[kind]) - over.worths[0]
        others = list(self.kinds)
        others.remove(kind)
        lists = {}
        for other in dict.fromkeys(others):
            found = self.finders[other].above(max(0, most[other]) - room, used=unused | track, beside=over)
            lists[other] = Listed(found, tolls)
        self._choose([(kind, over), *((other, lists[other]) for other in others)], tolls)

    def _most_known(self, kind: TrainKind, tolls: Tolls) -> float:
        """The most that a known route of this kind earns less the tolls, or that idling does."""
        return max([0.0, *(found[0] - tolls.of(found[1]) for found in self.pools[kind].values())])

    def greedy(self, effort: int) -> bool:
        """Answers: the trains one after another, in some orders of kinds, each at its best on what is left.

        Answers whether no search was cut short.
        """
        whole = True
        for order in dict.fromkeys((tuple(self.kinds), tuple(reversed(self.kinds)))):
            whole = self._complete([], order, effort) and whole
        return whole

    def _complete(self, answer: list[tuple[TrainKind, Found]], kinds: Iterable[TrainKind], effort: int) -> bool:
        """An answer of these routes and the best for other trains, one after another, each on what the others leave.

        Answers whether no search was cut short.
        """
        used, whole = track_of(answer), True
        for kind in kinds:
            finder = self.plain[kind]
            try:
                found = finder.best(used, effort=effort)
            except Late:
                best = max(finder.routes.values(), key=lambda found: found[0], default=None)
                self.better(answer if best is None else [*answer, (kind, best)])
                raise
            self.pools[kind].update(finder.routes)
            whole = whole and not finder.cut
            if found is not None:
                used |= found[1]
                answer.append((kind, found))
        self.better(answer)
        return whole

    def _exchange(self, effort: int) -> None:
        """The best answer so far with one train after another on the best route that the others leave it, round and round.

        It ends when the others are as they were when each was looked at.
        """
        answer = list(self.answer)
        idle = list(self.kinds)
        for kind, _ in answer:
            idle.remove(kind)
        same = 0
        while same < len(answer):
            kind, found = answer.pop(0)
            finder = self.plain[kind]
            better = finder.best(track_of(answer), bar=found[0], effort=effort)
            self.pools[kind].update(finder.routes)
            answer.append((kind, better or found))
            same = same + 1 if better is None else 1
            self.better(list(answer))
        self._complete(answer, idle, effort)

    def _choose(self, trains: Sequence[tuple[TrainKind, Listed]], tolls: Tolls, picks: int = -1) -> None:
        """The best choice of one route, or none, for each train, on separate track.

        With a number of `picks` the best so far after so many.

        Which routes are still free is a bit mask over each list, so that one step takes out all that conflict with a choice,
        and the lowest bit is the best that is left.
        """
        kinds, lists = [kind for kind, _ in trains], [listed for _, listed in trains]
        last = self.clock.count + picks if picks >= 0 else 1 << 60
        self._pick(kinds, lists, last, 0, tuple((1 << len(each.routes)) - 1 for each in lists), 0, tolls.total, [])

    def _pick(
        self,
        kinds: list[TrainKind],
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
        if n == len(lists) or worth + most(lists, free, n) < self.revenue + self.unit:
            return
        left, later = free[n], most(lists, free, n + 1)
        while left and self.clock.count < last:
            self.clock.tick()
            lowest = left & -left
            left ^= lowest
            place = lowest.bit_length() - 1
            found, more = lists[n].routes[place], worth + lists[n].worths[place]
            if more + later < self.revenue + self.unit:
                break
            after = list(free)
            for m in range(n + 1, len(lists)):
                if lists[m] is lists[n]:
                    after[m] &= left  # equal trains in order of their routes
                if m > n + 1 and lists[m] is lists[m - 1]:
                    after[m] = after[m - 1]
                else:
                    after[m] &= ~lists[m].taken(found[1])
            self._pick(kinds, lists, last, n + 1, tuple(after), total + found[0], more, [*chosen, (kinds[n], found)])
        rest = tuple(0 if lists[m] is lists[n] else each for m, each in enumerate(free))
        self._pick(kinds, lists, last, n + 1, rest, total, worth, chosen)


def track_of(answer: Iterable[tuple[TrainKind, Found]]) -> int:
    """The track that these routes use."""
    used = 0
    for _, found in answer:
        used |= found[1]
    return used
