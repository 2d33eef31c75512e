"""Walks: the most that a route may still become, by a table over walks that are held to less than routes are (`ways`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from trajekt.engine.network import NodeId
from trajekt.engine.ways import COUNTED, Kind, NEVER, ROOM, SPENT, Step, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, what is left (`Ways.left`), what of that minded is used, marks
State = tuple[NodeId, bool, int, int, int]
CLASHES = 12
FOLLOWED = 2000
KEEP = (1 << 20) - 1


class Sketch:
    """Walks that mind nothing: a bound of all others, by which to take the ways in order."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self._most: dict[tuple[NodeId, bool, int, int], float] = {}
        self._kinds: dict[tuple[NodeId, bool, int, int], list[tuple[float, Kind, int]]] = {}
        self._ways: dict[NodeId, list[tuple[Kind, NodeId, int, int, float]]] = {}

    def kinds(self, at: NodeId, second: bool, left: int, marks: int) -> list[tuple[float, Kind, int]]:
        """The kinds of ways on from a stop, those first by which a walk may earn most."""
        key = (at, second, left, marks)
        found = self._kinds.get(key)
        if found is None:
            self._fill(key)
            found = self._kinds[key]
        return found

    def _fill(self, key: tuple[NodeId, bool, int, int]) -> float:
        self.tick()
        at, second, left, marks = key
        ends, known = self.ways.ends, self._most
        plus, back = self.ways.legs.plus, ~self.ways.root
        here = self._ways.get(at)
        if here is None:
            here = self._ways[at] = [((w.to, w.cost, w.marks), w.to, w.cost, w.marks, w.gain) for w in self.ways.on(at)]
        found: list[tuple[float, Kind, int]] = []
        for kind, to, cost, adds, gain in here:
            rest = left - cost
            if rest & SPENT:
                continue
            signs = marks | adds
            if to < 0:
                if not second or not (rest or plus):
                    found.append((gain + ends(signs), kind, signs))
                    continue
                after = (back, False, rest, signs)
            elif rest or plus:
                after = (to, second, rest, signs)
            else:
                found.append((gain + ends(signs), kind, signs))
                continue
            more = known.get(after)
            found.append((gain + (self._fill(after) if more is None else more), kind, signs))
        found.sort(reverse=True)
        self._kinds[key] = found
        best = ends(marks)
        if found and found[0][0] > best:
            best = found[0][0]
        known[key] = best
        return best


def first(kind: tuple[float, Kind, int]) -> float:
    """What it comes to."""
    return kind[0]


class Walks:
    """The table of one root, for trains that leave no stop out; a state is worked out when first asked for."""

    def __init__(self, ways: Ways, tick: Callable[[], None], sketch: Sketch | None = None) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self.sketch = sketch or Sketch(ways.minding({}), tick)
        self.size = 0  # how many states it has worked out
        self._known: dict[State, float] = {}
        self._capped: dict[State, float] = {}
        self._needs: dict[State, int] = {}  # how many stops of any kind the best walk takes, where they are limited

    def minding(self, minds: Mapping[NodeId, int]) -> Walks:
        """The table of the same walks that mind other things."""
        return Walks(self.ways.minding(minds), self.tick, self.sketch)

    def top(self, bar: float) -> float:
        """The most that a route with this root may earn less the tolls, if more than the bar."""
        legs, root = self.ways.legs, self.ways.root
        value = legs.value[root] + self.weight * legs.double[root]
        return value + self._most(self._begin(), bar - value)

    def most(self, at: NodeId, second: bool, left: int, mask: int, seen: int, marks: int, bar: float) -> float:
        """The most that may still be added, bonuses of all marks included, to a route at `at` with so many counted stops left.

        `second`: a second arm may begin at the root. A train that must run by a station has a mark for it: `own`.
        """
        ways = self.ways
        return self._most((at, second, ways.left(left, seen), ways.used_at(at, mask, seen), marks), bar)

    def _begin(self) -> State:
        ways = self.ways
        return ~ways.root, ways.arms == 2, ways.left(ways.plan.reach - 1, ways.legs.bit[ways.root]), ways.begun, ways.marks

    def _most(self, state: State, bar: float) -> float:
        found = self._known.get(state)
        if found is not None:
            return found
        found = self._capped.get(state)
        if found is not None and found <= bar:
            return found
        self.tick()
        at, second, left, used, marks = state
        most, ends, known, needs = self._most, self.ways.ends, self._known, self._needs
        plus, back = self.ways.legs.plus, ~self.ways.root
        alike = self.ways.alike(at)
        best, need = ends(marks), 0
        enough, cap = max(best, bar), best
        for bound, kind, signs in self.sketch.kinds(at, second, left, marks):
            if bound <= enough:
                cap = max(cap, bound)
                break
            to, cost, _ = kind
            rest = left - cost
            if rest & SPENT:
                continue
            if to < 0:
                to, again = back, False
                last = not second or not (rest or plus)
            else:
                again, last = second, not (rest or plus)
            for bits, keeps, adds, gain in alike[kind]:
                if bits & used:
                    continue
                if last:
                    total = gain + ends(signs)
                    if total > enough:
                        best, need = total, cost >> ROOM
                        enough = best
                    elif total > cap:
                        cap = total
                    break
                after = (to, again, rest, used & keeps | adds, signs)
                more = known.get(after)
                total = gain + (most(after, enough - gain) if more is None else more)
                if total > enough:
                    best, need = total, (cost >> ROOM) + needs.get(after, 0)
                    enough = best
                elif total > cap:
                    cap = total
        self.size += 1
        if enough > best:
            self._capped[state] = cap
            return cap
        known[state] = best
        for room in range(need, left >> ROOM):
            fewer = (at, second, left & COUNTED | room << ROOM, used, marks)
            known[fewer] = best
            needs[fewer] = need
        if need:
            needs[state] = need
        return best

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
            (-self.top(bar), 0, value, legs.bit[ways.root], (), begin)
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
                onward.append((way.gain + self._most(after, bar - earned - way.gain), step, after))
            for more, step, after in onward:
                if earned + more > bar:
                    number -= 1
                    gained = more - (self._most(after, bar - earned - more) if after else 0)
                    heappush(heap, (-(earned + more), number, earned + gained, used, (*path, step) if step else path, after))
        return found
