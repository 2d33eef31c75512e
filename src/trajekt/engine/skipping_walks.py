"""Walks of a train that may leave stops out (RHL-RTE-20): the most that a route may still become, whatever it leaves out.

A place with what is used and marked there has one figure for each number of stops left. Stops that are left out take none of
them, so that of places in one circle each waits for the others: their figures are found from the best down.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from trajekt.engine.network import NodeId
from trajekt.engine.ways import NEVER, Step, Way, Ways

Place = tuple[NodeId, int, int]  # stop (`~root`: leaves the root), what is used of that minded, marks


class Row:
    """What a walk earns from a place on, by number of stops left.

    `on`: if it goes on; a route may not end at a stop that it leaves out, if its ends must pay. `most`: if it may end as well.
    `steps` are the way of the first, whether its stop counts, and the row after it.
    """

    __slots__ = ("most", "on", "place", "steps")

    def __init__(self, place: Place, lefts: int) -> None:
        self.place = place
        self.on = [NEVER] * lefts
        self.most = [NEVER] * lefts
        self.steps: list[tuple[Way, bool, Row | None] | None] = [None] * lefts


class SkippingWalks:
    """The table of one root; a row is worked out when first asked for, with all that lead on from it."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self.lefts = ways.plan.reach + 1 - ways.plan.keeps_ends
        self._rows: dict[Place, Row] = {}

    @property
    def size(self) -> int:
        """How many figures it has."""
        return len(self._rows) * self.lefts

    def top(self) -> float:
        """The most that a route with this root may earn less the tolls."""
        ways, reach = self.ways, self.ways.plan.reach
        legs, row = ways.legs, self._row(self._begin())
        most = legs.value[ways.root] + self.weight * legs.double[ways.root] + row.most[reach - 1]
        return most if ways.plan.keeps_ends else max(most, row.most[reach])

    def row(self, at: NodeId, mask: int, seen: int, marks: int) -> list[float]:
        """The most that may still be added, bonuses of all marks included, to a route that is at `at`, by stops left."""
        place = (at, self.ways.used_at(at, mask, seen), marks)
        known = self._rows.get(place)
        return (known or self._row(place)).most

    def _begin(self) -> Place:
        return ~self.ways.root, self.ways.begun, self.ways.marks

    def _row(self, place: Place) -> Row:
        if place not in self._rows:
            self._fill(place)
        return self._rows[place]

    def _fill(self, start: Place) -> None:
        """Work out a row and all that are met on the way on from it."""
        ways, rows, ends = self.ways, self._rows, self.ways.ends
        fresh: list[Row] = []
        edges: list[list[tuple[Way, Row | None, float]]] = []
        before: dict[Place, list[tuple[Row, Way]]] = {}  # whose figures hang on those of a fresh place
        todo = [start]
        rows[start] = Row(start, self.lefts)
        while todo:
            place = todo.pop()
            row = rows[place]
            self.tick()
            fresh.append(row)
            before.setdefault(place, [])
            at, used, marks = place
            out: list[tuple[Way, Row | None, float]] = []
            for way in ways.on(at):
                if way.bits & used:
                    continue
                signs = marks | way.marks
                if way.to < 0:
                    out.append((way, None, ends(signs)))
                    continue
                after = (way.to, used & way.keeps | way.adds, signs)
                to = rows.get(after)
                if to is None:
                    to = rows[after] = Row(after, self.lefts)
                    todo.append(after)
                    before[after] = []
                if after in before:
                    before[after].append((row, way))
                out.append((way, to, ends(signs)))
            edges.append(out)
        for left in range(self.lefts):
            self._layer(left, fresh, edges, before)

    def _layer(
        self,
        left: int,
        fresh: list[Row],
        edges: list[list[tuple[Way, Row | None, float]]],
        before: dict[Place, list[tuple[Row, Way]]],
    ) -> None:
        """The figures of fresh rows with so many stops left, those with fewer being known."""
        ends, ending = self.ways.ends, not self.ways.plan.keeps_ends
        heap: list[tuple[float, int]] = []
        for number, (row, out) in enumerate(zip(fresh, edges, strict=True)):
            best, step = NEVER, None
            for way, to, alone in out:
                gain, skipped = way.gain, way.skipped
                if left:
                    total = gain + (to.most[left - 1] if to else alone)
                    if total > best:
                        best, step = total, (way, True, to)
                if to and skipped + to.on[left] > best:  # of a fresh row little is known yet
                    best, step = skipped + to.on[left], (way, False, to)
                if ending and skipped + alone > best:
                    best, step = skipped + alone, (way, False, None)
            row.on[left], row.steps[left] = best, step
            if best > NEVER:
                heap.append((-best, number))
        # Dijkstra's method backwards, the best way out first
        heapq.heapify(heap)
        numbers = {id(row): number for number, row in enumerate(fresh)}
        while heap:
            worth, number = heapq.heappop(heap)
            row = fresh[number]
            if -worth < row.on[left]:
                continue
            for earlier, way in before[row.place]:
                total = way.skipped - worth
                if total > earlier.on[left]:
                    earlier.on[left], earlier.steps[left] = total, (way, False, row)
                    heapq.heappush(heap, (-total, numbers[id(earlier)]))
        for row in fresh:
            row.most[left] = max(ends(row.place[2]), row.on[left])

    def twice(self) -> dict[NodeId, int]:
        """What the best walk should have minded, and where; nothing if it is a route."""
        row: Row | None = self._row(self._begin())
        reach = self.ways.plan.reach
        left = reach - 1
        if not self.ways.plan.keeps_ends and row and self.top() == row.most[reach]:
            left = reach
        path: list[Step] = []
        counted = True
        while row is not None:
            at, _, marks = row.place
            step = row.steps[left]
            if step is None or (counted and self.ways.ends(marks) >= row.on[left]):
                break
            way, counted, row = step
            path.append(Step(at, way.leg, counted))
            left -= counted
        return self.ways.twice(path)
