"""Sketch: the most that a walk which minds nothing may still earn, by which walks that mind something are taken in order.

It is small and made once for given tolls, while what is minded changes from table to table (`walks`). No walk that minds
something earns more than its sketch says, so what the sketch rules out is never looked at. Which spots follow upon which is the
same whatever is charged: this *outline* is kept with the legs, and a sketch only works out its figures, one after another.

Where stops of any kind are limited besides the counted ones, the sketch does not count them: each is paid for, and whoever asks
adds the price of all that are left. That is never too low, and nearly as good as a sketch several times as large.
"""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.board.track_graph import NodeId
from trajekt.engine.routing.ways import COUNTED, NEVER, ROOM, Kind, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, counted stops left, marks
Spot = tuple[NodeId, bool, int, int]
Choice = tuple[float, Kind, int]  # the most that a walk earns by ways of a kind, and the marks after them


class Outline:
    """The spots of the walks from one root, each after all that follow upon it. `ways` bar nothing and mind nothing.

    `onward`: by spot the numbers of the ways on and of the spots after them; a way, the first, ends the walk and earns
    nothing, and leads to a spot of its marks with no ways on. `ways`: the stop at which each begins, and its kind.
    """

    def __init__(self, ways: Ways) -> None:
        self.onward: list[list[tuple[int, int]]] = []
        self.marks: list[int] = []
        self.ways: list[tuple[NodeId, Kind]] = [(~ways.root, (-1, 0, 0))]
        self._walks = ways
        self._number: dict[Spot, int] = {}
        self._ends: dict[int, int] = {}
        self._by_stop: dict[NodeId, list[tuple[int, NodeId, int, int]]] = {}

    def number(self, spot: Spot) -> int:
        """The number of a spot; it is looked at now if it never was."""
        found = self._number.get(spot)
        if found is None:
            at, second, left, marks = spot
            number, add = self._number, self.number
            back, last = ~self._walks.root, -1 if self._walks.legs.plus else 0
            onward = [(0, self._end(marks))]
            for way, to, cost, added in self._ways_on(at):
                rest, signs = left - cost, marks | added
                if rest < 0:
                    continue
                if rest <= last or (to < 0 and not second):
                    onward.append((way, self._end(signs)))
                    continue
                after = (to, second, rest, signs) if to >= 0 else (back, False, rest, signs)
                known = number.get(after)
                onward.append((way, add(after) if known is None else known))
            found = self._number[spot] = self._added(onward, marks)
        return found

    def _end(self, marks: int) -> int:
        found = self._ends.get(marks)
        if found is None:
            found = self._ends[marks] = self._added([], marks)
        return found

    def _added(self, onward: list[tuple[int, int]], marks: int) -> int:
        self.onward.append(onward)
        self.marks.append(marks)
        return len(self.onward) - 1

    def _ways_on(self, at: NodeId) -> list[tuple[int, NodeId, int, int]]:
        found = self._by_stop.get(at)
        if found is None:
            found = self._by_stop[at] = []
            for kind in self._walks.kinds(at):
                to, cost, signs = kind
                found.append((len(self.ways), to, cost & COUNTED, signs))
                self.ways.append((at, kind))
        return found


class Sketch:
    """The figures of an outline. `ways` mind nothing."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self.outline = outline_of(ways)
        self._gains: list[float] = [0.0]
        self._most: list[float] = []
        self._choices: dict[Spot, list[Choice]] = {}

    def most(self, spot: Spot) -> float:
        """The most that a walk may still earn from here."""
        return self._most[self._number(spot)]

    def choices(self, spot: Spot) -> list[Choice]:
        """The kinds of ways on from here, those first by which a walk may earn most."""
        found = self._choices.get(spot)
        if found is None:
            self.tick()
            outline, marks, number = self.outline, spot[3], self._number(spot)
            gains, most, ways = self._gains, self._most, outline.ways
            found = self._choices[spot] = [
                (gains[way] + most[after], ways[way][1], marks | ways[way][1][2])
                for way, after in outline.onward[number][1:]
                if gains[way] > NEVER
            ]
            found.sort(reverse=True)
        return found

    def _number(self, spot: Spot) -> int:
        number = self.outline.number(spot)
        if number >= len(self._most):
            self._work_out()
        return number

    def _work_out(self) -> None:
        """The figures of what the outline has grown by."""
        outline, ways = self.outline, self.ways
        gains, most, ends = self._gains, self._most, ways.ends
        for at, kind in outline.ways[len(gains) :]:
            alike = ways.kinds(at).get(kind)
            gains.append(alike[0][3] - ways.price * (kind[1] >> ROOM) if alike else NEVER)
        first = len(most)
        for onward, marks in zip(outline.onward[first:], outline.marks[first:], strict=True):
            most.append(max([gains[way] + most[after] for way, after in onward]) if onward else ends(marks))


def outline_of(ways: Ways) -> Outline:
    """The outline of the walks from this root; kept with the legs."""
    legs = ways.legs
    found = legs.outlines.get((ways.root, ways.alike))
    if found is None:
        found = legs.outlines[ways.root, ways.alike] = Outline(Ways(legs, ways.root, 0, 0, {}))
    return found
