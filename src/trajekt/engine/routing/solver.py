"""Best runs: an exact search for the most valuable legal set of routes of all trains of a company together.

A first answer is greedy: one train after another at its best on the track that is left; then trains are exchanged for better
ones while there are any. Then the best route of each kind of train by itself is found. The sum of these is the most that a
set can earn, and by as much as a better set stays below it may one of its routes stay below the best of its kind: all routes
so good are listed, and a branch and bound search picks those on separate track. `docs/reference/best-runs.md` tells all of it.

The search shares no code with the judge (`rules/route_validation.py`): it knows values only as the numbers of a `Plan`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.board.track_graph import leads_away
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.enumeration import WHOLE, Companion, Enumerator, Late, Listed, Route, SearchClock, in_order
from trajekt.engine.routing.runs import Run, Setting
from trajekt.engine.routing.segments import Segments

FIRST = 250  # expansions for each train of a first answer, which on most boards is all there is
EXCHANGED = 600  # expansions for each train of an answer that is exchanged
QUICK = 5_000  # expansions of a search up to which it is not worth while to lead answers: all is soon listed
LED = 16  # how many of the routes listed first lead an answer of their own
NARROW = 1 / 4  # of the room: so near to the most lie the routes that are listed before all others
SOON = 1_000  # expansions up to which a list of routes is short, and the best runs are quick to find
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
    now: Callable[[], float] | None = None,
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


def good_runs(setting: Setting, expansions: int = SOON) -> int:
    """Return the revenue in Mark of the best runs found in so many expansions: quick, and equal on every machine.

    Most boards are proved in fewer. A first answer alone falls short where equal trains want the same track.
    """
    return best_runs(setting, expansions=expansions).revenue


def first_runs(setting: Setting, expansions: int) -> tuple[Run, ...]:
    """The runs of a first answer; some legal ones where none earns anything."""
    search = _Search(setting, SearchClock(None))
    search.greedy(expansions)
    return search.runs() or any_run(setting)


_SEGMENTS: MemoTable[Board, object, Segments] = MemoTable("segments")


def enumerator_of(setting: Setting, kind: TrainKind, clock: SearchClock) -> Enumerator:
    """Return the enumerator for a kind of train. Segments are kept on the board, since one question is seldom the last."""
    memo = _SEGMENTS.of(setting.board)
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
    clock, away = SearchClock(None), leads_away(setting.network, setting.own_stops)
    for kind in sorted(set(setting.trains) if away else setting.rules.stationless.intersection(setting.trains)):
        enumerator = enumerator_of(setting, kind, clock)
        if (found := enumerator.first()) is not None:
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
        used |= network.spent[2 * piece] | network.spent[2 * piece + 1]
    return used


def has_route(setting: Setting) -> bool:
    """Tell if some train has a legal route (COMMON-RTE-12, COMMON-TRN-11)."""
    return bool(any_run(setting))


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
        self.most: dict[TrainKind, int] = {}  # that any route of a kind earns, where that is known
        self.spent: dict[TrainKind, int] = {}  # expansions to find that out
        self.led: set[tuple[TrainKind, int]] = set()  # routes that led an answer

    def runs(self) -> tuple[Run, ...]:
        """The answer as runs."""
        return tuple(self.enumerators[kind].run(kind, route) for kind, route in self.answer)

    def solve(self) -> None:
        """First answers; where these are not the most that all trains could earn, all that may be better."""
        self.greedy(FIRST)
        if self._may_be_better():
            self._exchange()
            for kind in self.enumerators:
                self._find_most(kind)
            if self._may_be_better():
                self._seek()

    def _may_be_better(self) -> bool:
        """Tell if the sum of the most that each train can earn by itself is not reached, or not known."""
        return any(kind not in self.most for kind in self.kinds) or self._ceiling() >= self.revenue + self.unit

    def _ceiling(self) -> int:
        return sum(self.most[kind] for kind in self.kinds)

    # Answers

    def _better(self, answer: list[Chosen]) -> None:
        total = sum(route.revenue for _, route in answer)
        if total > self.revenue:
            self.answer, self.revenue = answer, total

    def greedy(self, effort: int) -> None:
        """Answers: the trains one after another, in two orders, each at its best on what is left."""
        for order in dict.fromkeys((tuple(self.kinds), tuple(reversed(self.kinds)))):
            self._complete([], order, effort)

    def _complete(self, answer: list[Chosen], kinds: Iterable[TrainKind], effort: int) -> None:
        """An answer of these routes and the best for other trains, one after another, each on what the others leave."""
        for kind in kinds:
            found = self._best(answer, kind, effort)
            if found is not None:
                answer.append((kind, found))
        self._better(answer)

    def _best(self, answer: list[Chosen], kind: TrainKind, effort: int, cutoff: int = -1) -> Route | None:
        """The best route beside others that earns more than the cutoff; what was found before it was late is an answer too."""
        enumerator = self.enumerators[kind]
        try:
            found = enumerator.best(self.used | masks_of(answer), cutoff, effort)
        except Late:
            best = in_order(enumerator.routes.values())[:1]
            self._better([*answer, *((kind, route) for route in best)])
            raise
        if not answer and not enumerator.cut:
            self.most[kind] = max(cutoff, 0) if found is None else found.revenue
            self.spent[kind] = enumerator.spent
        return found

    def _lead(self, kind: TrainKind, first: Route) -> None:
        """An answer with this route first, unless it led one before."""
        if (kind, first.mask) not in self.led:
            self.led.add((kind, first.mask))
            self._complete([(kind, first)], without(self.kinds, kind), FIRST)

    def _exchange(self) -> None:
        """The best answer so far with one train after another on the best route that the others leave it, round and round.

        It ends when the others are as they were when each was looked at.
        """
        answer, same = list(self.answer), 0
        idle = list((Counter(self.kinds) - Counter(kind for kind, _ in answer)).elements())
        while same < len(answer):
            kind, route = answer.pop(0)
            better = self._best(answer, kind, EXCHANGED, route.revenue)
            answer.append((kind, better or route))
            same = same + 1 if better is None else 1
            self._better(list(answer))
        self._complete(answer, idle, EXCHANGED)

    # Proof

    def _find_most(self, kind: TrainKind) -> None:
        """Find the best route of a kind without limit; each that was the best for a while leads an answer."""
        if kind not in self.most:
            self._best([], kind, WHOLE, max((route.revenue for each, route in self.answer if each == kind), default=0))
            for route in in_order(self.enumerators[kind].routes.values())[:LED]:
                self._lead(kind, route)

    def _seek(self) -> None:
        """List the routes that can be part of a better set, and make the best choice.

        In such a set no train earns less than so much below its most as the answer is below the sum of all.
        """
        room = self._ceiling() - self.revenue - self.unit
        leader = self._leader(room)
        first = Listed([])
        for part in (NARROW, 1) if leader else ():  # what the best of the routes lead to makes the whole list shorter
            before, share = self.clock.count, part * room / self.kinds.count(leader)
            first = Listed(self.enumerators[leader].above(self.most[leader] - share - LEAST, self.used))
            for route in first.routes[: LED if self.clock.count > min(before + SOON, QUICK) else 0]:
                self._lead(leader, route)
            room = self._ceiling() - self.revenue - self.unit
        lists = {}
        for kind, enumerator in self.enumerators.items():
            if kind == leader and self.kinds.count(kind) == 1:
                lists[kind] = first
                continue
            companion = Companion(first, self.most[leader] + self.most[kind] - room - LEAST) if leader else None
            routes = enumerator.above(self.most[kind] - room - LEAST, self.used, companion)
            if kind == leader:
                routes = in_order({*routes, *first.routes})
            lists[kind] = Listed(routes)
        self._pick([lists[kind] for kind in self.kinds], 0, tuple(lists[kind].all for kind in self.kinds), 0, [])

    def _leader(self, room: int) -> TrainKind:
        """The kind whose routes are listed first; none where a better set may do without each.

        It is the one soonest listed; a train that may leave stops out has the most routes. In a better set the best of its
        trains earns at least its share of what is wanted beyond the most of the others, and whatever runs beside must leave
        room to one of these routes and earn enough with it.
        """
        fit = [kind for kind, most in self.most.items() if most * self.kinds.count(kind) > room]
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
