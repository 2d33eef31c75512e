"""Walks: the most that a route may still become, by a table over walks that are held to less than routes are (`ways`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import heappop, heappush

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.sketch import Sketch
from trajekt.engine.routing.ways import COUNTED, ROOM, SPENT, Step, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, what is left (`Ways.left`), what is used of that
# minded, marks
State = tuple[NodeId, bool, int, int, int]
# a walk as far as it is known: less what it earns at most; a number, so that of equals the latest is first; what it has
# earned; what it had used before its last step, and what that uses; its steps, and where it is (none: at its end)
Walk = tuple[float, int, float, int, int, tuple[Step, ...], State | None]

FOLLOWED = 2_000  # walks at most that are followed to find them


class Walks:
    """The table of one root, for trains that leave no stop out; a state is worked out when first asked for.

    Whoever asks states a bar. What does not come over it is worked out only as far as to tell that, and the answer is then a
    figure that is not too low.
    """

    def __init__(self, ways: Ways, tick: Callable[[], None], sketch: Sketch | None = None) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self.sketch = sketch or Sketch(ways.minding({}), tick)
        self.size = 0  # how many states it has worked out
        self._known: dict[State, float] = {}
        self._capped: dict[State, float] = {}  # what they come to at most
        self._needs: dict[State, int] = {}  # how many stops of any kind the best walk takes, where they are limited

    def minding(self, minds: Mapping[NodeId, int]) -> Walks:
        """The table of the same walks where they mind something else."""
        return Walks(self.ways.minding(minds), self.tick, self.sketch)

    def top(self, bar: float) -> float:
        """The most that a route with this root may earn less the tolls."""
        return self._begun + self._most(self._begin(), bar - self._begun)

    def most(self, at: NodeId, second: bool, left: int, uses: int, seen: int, marks: int, bar: float) -> float:
        """The most that may still be added, bonuses of all marks included, to a route at `at` with so many counted stops left.

        `second`: a second arm may begin at the root. A train that must run by a station has a mark for it: `own`.
        """
        ways = self.ways
        return self._most((at, second, ways.left(left, seen), ways.used_at(at, uses), marks), bar)

    @property
    def _begun(self) -> float:
        legs, root = self.ways.legs, self.ways.root
        return legs.value[root] + self.weight * legs.double[root]

    def _begin(self) -> State:
        ways = self.ways
        left = ways.left(ways.plan.reach - 1, ways.legs.bit[ways.root])
        return ~ways.root, ways.arms > 1, left, ways.begun, ways.marks

    def _most(self, state: State, bar: float) -> float:
        known = self._known
        found = known.get(state)
        if found is None:
            found = self._capped.get(state)
            if found is None or found > bar:
                return self._work_out(state, bar)
        return found

    def _work_out(self, state: State, bar: float) -> float:
        self.tick()
        self.size += 1
        at, second, left, used, marks = state
        most, ends, known, needs = self._most, self.ways.ends, self._known, self._needs
        plus, back, ways = self.ways.legs.plus, ~self.ways.root, self.ways.kinds(at)
        best = cap = ends(marks)
        over, need = max(best, bar), 0  # only what comes over that is of interest
        priced = self.ways.price * (left >> ROOM)
        for bound, kind, signs in self.sketch.choices((at, second, left & COUNTED, marks)):
            if bound + priced <= over:
                cap = max(cap, bound + priced)
                break
            to, cost, _ = kind
            rest = left - cost
            if rest & SPENT:
                continue
            last = not (rest or plus) or (to < 0 and not second)
            for bits, keeps, adds, gain in ways[kind]:
                if bits & used:
                    continue
                if last:
                    total, takes = gain + ends(signs), 0
                else:
                    minded = used & keeps | adds
                    after = (to, second, rest, minded, signs) if to >= 0 else (back, False, rest, minded, signs)
                    more = known.get(after)
                    total = gain + (most(after, over - gain) if more is None else more)
                    takes = needs.get(after, 0)
                if total > over:
                    best = over = total
                    need = takes + (cost >> ROOM)
                elif total > cap:
                    cap = total
        if over > best:
            self._capped[state] = cap
            return cap
        known[state], needs[state] = best, need
        for room in range(need, left >> ROOM):  # the same walk would do
            fewer = (at, second, left & COUNTED | room << ROOM, used, marks)
            known[fewer], needs[fewer] = best, need
        return best

    def twice(self, bar: float, most: int) -> dict[NodeId, int]:
        """What the best walks should have minded, and where; nothing if the best is a route or none comes over the bar.

        They are followed from the best down, each as far as where it first uses something twice, until one is a route or
        so many are found.
        """
        ways, legs = self.ways, self.ways.legs
        minds: dict[NodeId, int] = {}
        clashes = number = 0
        walks: list[Walk] = [(-self.top(bar), 0, self._begun, 0, legs.bit[ways.root], (), self._begin())]
        while walks and clashes < most and number < FOLLOWED:
            _, _, earned, used, uses, path, state = heappop(walks)
            if uses & used:
                fresh = 0
                for at, bits in ways.twice(path).items():
                    fresh |= bits & ~minds.get(at, 0)
                    minds[at] = minds.get(at, 0) | bits
                clashes += bool(fresh)
                continue
            if state is None:
                break
            used |= uses
            for gain, more, step, after in self._onward(state, bar - earned):
                number += 1
                uses = step.leg.uses if step and step.leg else 0
                steps = (*path, step) if step else path
                heappush(walks, (-earned - gain - more, -number, earned + gain, used, uses, steps, after))
        return minds

    def _onward(self, state: State, bar: float) -> Iterator[tuple[float, float, Step | None, State | None]]:
        """How a walk may go on and come over the bar: what it earns now and later, the step, and where it is then."""
        at, second, left, used, marks = state
        ends, plus, back = self.ways.ends, self.ways.legs.plus, ~self.ways.root
        if ends(marks) > bar:
            yield 0, ends(marks), None, None
        for way in self.ways.on(at):
            rest, signs = left - way.cost, marks | way.marks
            if rest & SPENT or way.bits & used:
                continue
            after = None
            if not (rest or plus) or (way.to < 0 and not second):
                more = ends(signs)
            else:
                minded = used & way.keeps | way.adds
                after = (way.to, second, rest, minded, signs) if way.to >= 0 else (back, False, rest, minded, signs)
                more = self._most(after, bar - way.gain)
            if way.gain + more > bar:
                yield way.gain, more, Step(at, way.leg, counts=True), after


class RoughWalks(Walks):
    """The table of walks that mind nothing, which answers out of the sketch: at once, and where stops of any kind are limited
    besides the counted ones a little too high.
    """

    def _most(self, state: State, bar: float) -> float:  # noqa: ARG002  all tables are asked alike
        at, second, left, _, marks = state
        return self.sketch.most((at, second, left & COUNTED, marks)) + self.ways.price * (left >> ROOM)
