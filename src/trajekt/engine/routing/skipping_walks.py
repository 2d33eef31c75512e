"""Walks of a train that may leave stops out (RHL-RTE-20): the most that a route may still become, whatever it leaves out.

A place with what is used and marked there has one figure for each number of stops left. Stops that are left out take none of
them, so that of places in one circle each waits for the others: their figures are found from the best down.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from typing import NamedTuple

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.ways import NEVER, Step, Way, Ways

Place = tuple[NodeId, int, int]  # stop (`~root`: leaves the root), what is used of that minded, marks


class Row:
    """What a walk earns from a place on, by number of stops left.

    `on`: if it goes on; a route may not end at a stop that it leaves out, if its ends must pay. `most`: if it may end as well.
    `over`: where it is best to leave the next stop out, the way there and the row after it (none: the walk ends).
    """

    __slots__ = ("most", "on", "over", "place")

    def __init__(self, place: Place, lefts: int) -> None:
        self.place = place
        self.on = [NEVER] * lefts
        self.most = [NEVER] * lefts
        self.over: list[tuple[Way, Row | None] | None] = [None] * lefts


class Onward(NamedTuple):
    """What leads on from a row.

    `counted`: the gain and the figures after it where the next stop counts, `last` the most if the walk ends there. `known`:
    rows that were known before, for a walk that leaves the next stop out; `lame` is the best way to end at such a stop.
    """

    counted: list[tuple[float, list[float]]]
    last: float
    known: list[tuple[Way, Row]]
    lame: Way | None


class SkippingWalks:
    """The table of one root; a row is worked out when first asked for, with all that lead on from it."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self.weight, self.own = ways.weight, ways.own
        self.lefts = ways.plan.reach + 1 - ways.plan.keeps_ends
        self._rows: dict[Place, Row] = {}

    def minding(self, minds: Mapping[NodeId, int]) -> SkippingWalks:
        """The table of the same walks that mind other things."""
        return SkippingWalks(self.ways.minding(minds), self.tick)

    @property
    def size(self) -> int:
        """How many figures it has."""
        return len(self._rows) * self.lefts

    def top(self, bar: float) -> float:  # noqa: ARG002  all tables are asked alike
        """The most that a route with this root may earn less the tolls."""
        ways, reach = self.ways, self.ways.plan.reach
        legs, row = ways.legs, self._row(self._begin())
        most = legs.value[ways.root] + self.weight * legs.double[ways.root] + row.most[reach - 1]
        return most if ways.plan.keeps_ends else max(most, row.most[reach])

    def row(self, at: NodeId, uses: int, marks: int) -> list[float]:
        """The most that may still be added, bonuses of all marks included, to a route that is at `at`, by stops left."""
        place = (at, self.ways.used_at(at, uses), marks)
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
        ending = not ways.plan.keeps_ends
        fresh = [Row(start, self.lefts)]
        numbers = {start: 0}
        edges: list[Onward] = []
        before: list[list[tuple[int, float, Way]]] = [[]]  # whose figures hang on those of a fresh row
        for number, row in enumerate(fresh):  # which grows meanwhile
            self.tick()
            at, used, marks = row.place
            last, lame, least = NEVER, None, NEVER
            counted: list[tuple[float, list[float]]] = []
            known: list[tuple[Way, Row]] = []
            for way in ways.on(at):
                if way.bits & used:
                    continue
                if way.to < 0 or ending:
                    alone = ends(marks | way.marks)
                    if way.to < 0:
                        last = max(last, way.gain + alone)
                    if ending and way.skipped + alone > least:
                        lame, least = way, way.skipped + alone
                if way.to < 0:
                    continue
                after = (way.to, used & way.keeps | way.adds, marks | way.marks)
                to = rows.get(after)
                if to is None:
                    place = numbers.setdefault(after, len(fresh))
                    if place == len(fresh):
                        fresh.append(Row(after, self.lefts))
                        before.append([])
                    before[place].append((number, way.skipped, way))
                    to = fresh[place]
                else:
                    known.append((way, to))
                counted.append((way.gain, to.most))
            edges.append(Onward(counted, last, known, lame))
        for left in range(self.lefts):
            self._layer(left, fresh, edges, before)
        rows.update((row.place, row) for row in fresh)

    def _layer(
        self, left: int, fresh: list[Row], edges: list[Onward], before: list[list[tuple[int, float, Way]]]
    ) -> None:
        """The figures of fresh rows with so many stops left, those with fewer being known."""
        ends = self.ways.ends
        figures: list[float] = []
        for row, (counted, last, known, lame) in zip(fresh, edges, strict=True):
            best = NEVER
            if left:
                best = max([last, *[gain + most[left - 1] for gain, most in counted]])
            for way, to in known:
                if way.skipped + to.on[left] > best:
                    best, row.over[left] = way.skipped + to.on[left], (way, to)
            if lame is not None:
                total = lame.skipped + ends(row.place[2] | lame.marks)
                if total > best:
                    best, row.over[left] = total, (lame, None)
            figures.append(best)
        # Dijkstra's method backwards, the best way out first
        heap = [(-best, number) for number, best in enumerate(figures) if best > NEVER]
        heapq.heapify(heap)
        while heap:
            worth, number = heapq.heappop(heap)
            if -worth < figures[number]:
                continue
            for earlier, skipped, way in before[number]:
                total = skipped - worth
                if total > figures[earlier]:
                    figures[earlier], fresh[earlier].over[left] = total, (way, fresh[number])
                    heapq.heappush(heap, (-total, earlier))
        for row, best in zip(fresh, figures, strict=True):
            row.on[left] = best
            row.most[left] = max(ends(row.place[2]), best)

    def twice(self, bar: float, most: int) -> dict[NodeId, int]:
        """What the best walk should have minded, and where: `most` destinations at once; nothing if it is a route."""
        row: Row | None = self._row(self._begin())
        reach = self.ways.plan.reach
        left = reach - 1
        if not self.ways.plan.keeps_ends and row and self.top(bar) == row.most[reach]:
            left = reach
        path: list[Step] = []
        counted = True
        while row is not None:
            at, _, marks = row.place
            if counted and self.ways.ends(marks) >= row.on[left]:
                break
            over = row.over[left]
            way, after = over or self._counted(row, left)
            counted = over is None
            path.append(Step(at, way.leg, counted))
            left -= counted
            row = after
        return self.ways.twice(path, most)

    def _counted(self, row: Row, left: int) -> tuple[Way, Row | None]:
        """The best way on from a row to a stop that counts, and the row after it."""
        at, used, marks = row.place
        for way in self.ways.on(at):
            if way.bits & used:
                continue
            signs = marks | way.marks
            after = self._rows[way.to, used & way.keeps | way.adds, signs] if way.to >= 0 else None
            if way.gain + (after.most[left - 1] if after else self.ways.ends(signs)) == row.on[left]:
                return way, after
        raise AssertionError(row.place)
