"""Walks: the most that a route may still become, by a table over walks that are held to less than routes are (`ways`)."""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.network import NodeId
from trajekt.engine.ways import SPENT, Step, Way, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, what is left (`Ways.left`), what is used of that minded, marks
State = tuple[NodeId, bool, int, int, int]


class Walks:
    """The table of one root, for trains that leave no stop out; a state is worked out when first asked for."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self._known: dict[State, float] = {}

    @property
    def size(self) -> int:
        """How many states it has."""
        return len(self._known)

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
        most, ends, known = self._most, self.ways.ends, self._known
        plus, back = self.ways.legs.plus, ~self.ways.root
        best = ends(marks)
        for to, bits, keeps, adds, cost, signs, gain, _, _ in self.ways.on(at):
            rest = left - cost
            if rest & SPENT or bits & used:
                continue
            if not (rest or plus) or (to < 0 and not second):
                total = gain + ends(marks | signs)
            else:
                after = (to, second, rest, used & keeps | adds, marks | signs)
                if to < 0:
                    after = (back, False, *after[2:])
                more = known.get(after)
                total = gain + (most(after) if more is None else more)
            best = max(best, total)
        if second and at >= 0:
            best = max(best, most(self._turned(state)))
        self._known[state] = best
        return best

    def _turned(self, state: State) -> State:
        """Back at the root, for the second arm."""
        _, _, left, used, marks = state
        back = ~self.ways.root
        return back, False, left, used & self.ways.minds.get(back, 0), marks

    def twice(self) -> dict[NodeId, int]:
        """What the best walk should have minded, and where; nothing if it is a route."""
        path: list[Step] = []
        state: State | None = self._begin()
        while state is not None:
            at = state[0]
            way, state = self._follow(state)
            if way is not None or state is not None:
                path.append(Step(at, way.leg if way else None, counts=True))
        return self.ways.twice(path)

    def _follow(self, state: State) -> tuple[Way | None, State | None]:
        """The leg of the best walk on from a state, if any, and the state after it."""
        at, second, left, used, marks = state
        most, ends = self._most(state), self.ways.ends
        if ends(marks) == most:
            return None, None
        for way in self.ways.on(at):
            rest, signs = left - way.cost, marks | way.marks
            if rest & SPENT or way.bits & used:
                continue
            if not (rest or self.ways.legs.plus) or (way.to < 0 and not second):
                if way.gain + ends(signs) == most:
                    return way, None
                continue
            after = (way.to, second, rest, used & way.keeps | way.adds, signs)
            if way.to < 0:
                after = (~self.ways.root, False, *after[2:])
            if way.gain + self._most(after) == most:
                return way, after
        return None, self._turned(state) if second and at >= 0 else None
