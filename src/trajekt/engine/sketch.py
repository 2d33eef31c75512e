"""Sketch: the most that a walk which minds nothing may still earn, by which walks that mind something are taken in order.

It is small and made once for given tolls, while what is minded changes from table to table (`walks`). No walk that minds
something earns more than its sketch says, so what the sketch rules out is never looked at.

Where stops of any kind are limited besides the counted ones, the sketch does not count them: each is paid for, and whoever asks
adds the price of all that are left. That is never too low, and nearly as good as a sketch several times as large.
"""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.network import NodeId
from trajekt.engine.ways import COUNTED, ROOM, Kind, Ways

# stop (`~root`: leaves the root), whether a second arm is to come, counted stops left, marks
Spot = tuple[NodeId, bool, int, int]
Choice = tuple[float, Kind, int]  # the most that a walk earns by ways of a kind, and the marks after them


class Sketch:
    """What leads on from each spot. `ways` mind nothing, so that there is one of each kind."""

    def __init__(self, ways: Ways, tick: Callable[[], None]) -> None:
        self.ways, self.tick = ways, tick
        self._known: dict[Spot, float] = {}
        self._choices: dict[Spot, list[Choice]] = {}
        self._kinds: dict[NodeId, list[tuple[Kind, NodeId, int, int, float]]] = {}

    def choices(self, spot: Spot) -> list[Choice]:
        """The kinds of ways on from here, those first by which a walk may earn most."""
        found = self._choices.get(spot)
        if found is None:
            self._fill(spot)
            found = self._choices[spot]
        return found

    def _fill(self, spot: Spot) -> float:
        self.tick()
        at, second, left, marks = spot
        fill, ends, known = self._fill, self.ways.ends, self._known
        plus, back = self.ways.legs.plus, ~self.ways.root
        found: list[Choice] = []
        for kind, to, cost, signs, gain in self._kinds_at(at):
            rest = left - cost
            if rest < 0:
                continue
            after = (to, second, rest, marks | signs) if to >= 0 else (back, False, rest, marks | signs)
            if not (rest or plus) or (to < 0 and not second):
                more: float | None = ends(after[3])
            else:
                more = known.get(after)
            found.append((gain + (fill(after) if more is None else more), kind, after[3]))
        found.sort(reverse=True)
        self._choices[spot] = found
        best = self._known[spot] = max(ends(marks), found[0][0]) if found else ends(marks)
        return best

    def _kinds_at(self, at: NodeId) -> list[tuple[Kind, NodeId, int, int, float]]:
        found = self._kinds.get(at)
        if found is None:
            found = self._kinds[at] = [
                ((to, cost, marks), to, cost & COUNTED, marks, gain - self.ways.price * (cost >> ROOM))
                for to, _, _, _, cost, marks, gain, _, _ in self.ways.on(at)
            ]
        return found
