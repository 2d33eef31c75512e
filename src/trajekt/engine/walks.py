"""Walks: the most that a route may still become, by a table over walks that are held to less than routes are (`ways`)."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from trajekt.engine.network import NodeId
from trajekt.engine.ways import COUNTED, NEVER, ROOM, SPENT, Step, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, what is left (`Ways.left`), what is used of that minded, marks
State = tuple[NodeId, bool, int, int, int]

CLASHES = 12
FOLLOWED = 2000


class Walks:
    """The table of one root, for trains that leave no stop out; a state is worked out when first asked for."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self.size = 0  # how many states it has worked out
        self._known: dict[State, float] = {}
        self._needs: dict[State, int] = {}  # how many stops of any kind the best walk takes, where they are limited

    def top(self) -> float:
        """The most that a route with this root may earn less the tolls."""
        legs, root = self.ways.legs, self.ways.root
        return legs.value[root] + self.weight * legs.double[root] + self._most(self._begin())

    def most(self, at: NodeId, second: bool, left: int, mask: int, seen: int, marks: int) -> float:
        """The most that may still be added, bonuses of all marks included, to a route that is at `at` with so many counted stops left.

        `second`: a second arm may begin at the root. A train that must run by a station has a mark for it: `own`.
        """
        ways = self.ways
        return self._most((at, second, ways.left(left, seen), ways.used_at(at, mask, seen), marks))

    def _begin(self) -> State:
        ways = self.ways
        second = not ways.plan.start_among and not ways.legs.ends_only(ways.root)
        return ~ways.root, second, ways.left(ways.plan.reach - 1, ways.legs.bit[ways.root]), ways.begun, ways.marks

    def _most(self, state: State) -> float:
        found = self._known.get(state)
        if found is not None:
            return found
        self.tick()
        at, second, left, used, marks = state
        most, ends, known, needs = self._most, self.ways.ends, self._known, self._needs
        plus, back = self.ways.legs.plus, ~self.ways.root
        best, need = ends(marks), 0
        for to, bits, keeps, adds, cost, signs, gain, _, _ in self.ways.on(at):
            rest = left - cost
            if rest & SPENT or bits & used:
                continue
            if not (rest or plus) or (to < 0 and not second):
                total = gain + ends(marks | signs)
                if total > best:
                    best, need = total, cost >> ROOM
                continue
            if to < 0:
                after = (back, False, rest, used & keeps | adds, marks | signs)
            else:
                after = (to, second, rest, used & keeps | adds, marks | signs)
            more = known.get(after)
            total = gain + (most(after) if more is None else more)
            if total > best:
                best, need = total, (cost >> ROOM) + needs.get(after, 0)
        if second and at >= 0:
            after = self._turned(state)
            total = most(after)
            if total > best:
                best, need = total, needs.get(after, 0)
        known[state] = best
        self.size += 1
        for room in range(need, left >> ROOM):
            fewer = (at, second, left & COUNTED | room << ROOM, used, marks)
            known[fewer] = best
            needs[fewer] = need
        if need:
            needs[state] = need
        return best

    def _turned(self, state: State) -> State:
        """Back at the root, for the second arm."""
        _, _, left, used, marks = state
        back = ~self.ways.root
        return back, False, left, used & self.ways.minds.get(back, 0), marks

    def twice(self, bar: float) -> dict[NodeId, int]:
        """What the best walks should have minded, and where; nothing if the best is a route.

        Walks are followed from the best down to the bar, each as far as where it first uses something twice.
        """
        ways, ends = self.ways, self.ways.ends
        legs, plus, back = ways.legs, ways.legs.plus, ~ways.root
        found: dict[NodeId, int] = {}
        begin = self._begin()
        value = legs.value[ways.root] + self.weight * legs.double[ways.root]
        number = clashes = 0
        # what the walk earns at most, in order of the deepest; what it has earned; what it has used; its steps; where it is
        heap: list[tuple[float, int, float, int, tuple[Step, ...], State | None]] = [
            (-self.top(), 0, value, legs.bit[ways.root], (), begin)
        ]
        while heap and clashes < CLASHES and number > -FOLLOWED:
            _, _, earned, used, path, state = heappop(heap)
            if path and path[-1].leg:
                leg = path[-1].leg
                uses = leg.seen | leg.mask << legs.places
                if uses & used:
                    fresh = False
                    for at, bits in ways.twice(path).items():
                        fresh = fresh or bool(bits & ~found.get(at, 0))
                        found[at] = found.get(at, 0) | bits
                    clashes += fresh
                    continue
                used |= uses
            if state is None:
                break  # a route
            at, second, left, minded, marks = state
            after: State | None
            onward: list[tuple[float, Step, State | None]] = []
            if ends(marks) > NEVER:
                onward.append((ends(marks), None, None))
            for way in ways.on(at):
                rest, signs = left - way.cost, marks | way.marks
                if rest & SPENT or way.bits & minded:
                    continue
                step = Step(at, way.leg, counts=True)
                if not (rest or plus) or (way.to < 0 and not second):
                    onward.append((way.gain + ends(signs), step, None))
                    continue
                after = (way.to, second, rest, minded & way.keeps | way.adds, signs)
                if way.to < 0:
                    after = (back, False, *after[2:])
                onward.append((way.gain + self._most(after), step, after))
            if second and at >= 0:
                after = self._turned(state)
                onward.append((self._most(after), Step(at, None, counts=True), after))
            for more, step, after in onward:
                if earned + more > bar:
                    number -= 1
                    gained = more - (self._most(after) if after else ends(marks) if False else 0)
                    heappush(heap, (-(earned + more), number, earned + gained, used, (*path, step) if step else path, after))
        return found

