"""Routes of a train that counts cities and towns apart, as a 2+4: a few stops on from where it must begin.

Such routes are short, so every path is tried. The masks are those of `legs`, so that they can be set against the routes of
other trains.
"""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.board.track_graph import Move, NodeId, PieceId
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.enumeration import WHOLE, Beside, Found, in_order
from trajekt.engine.routing.runs import Run
from trajekt.engine.routing.segments import Legs
from trajekt.engine.routing.tolls import FREE, Tolls


class TownFinder:
    """Lists the routes of one kind of train; answers as the finder of other trains does. `tick` is called at each step."""

    def __init__(self, legs: Legs, tick: Callable[[], None]) -> None:
        self.plan = legs.plan
        self.legs = legs
        self.tick = tick
        self.routes: dict[int, Found] = {}
        self.listed = self.cut = self.crowded = False
        self.tolls = FREE
        self.wanted = 0  # track of which routes must use some, if it is any

    def charge(self, tolls: Tolls) -> None:
        """From now on each route pays tolls."""
        self.tolls = tolls

    def best(self, used: int = 0, bar: float = -1, effort: int = WHOLE) -> Found | None:
        """The best route that earns more than `bar` on track outside `used`; all are looked at in any case."""
        return next((found for found in self.above(bar, effort) if not found[1] & used), None)

    def above(self, bar: float, effort: int = WHOLE, used: int = 0, beside: Beside | None = None) -> list[Found]:  # noqa: ARG002  all finders are asked alike
        """The routes that earn more than the bar on track outside `used`, the best for each mask, most valuable first.

        Only such as leave room to one `beside` them, if that is asked.
        """
        found = (each for each in self._all() if each[0] - self.tolls.of(each[1]) > bar and not each[1] & used)
        if self.wanted:
            found = (each for each in found if each[1] & self.wanted)
        return in_order((each for each in found if beside is None or beside.room(each[1])), self.tolls)

    def using(self, track: int) -> TownFinder:
        """What lists, under the same tolls, only routes that use some of this track."""
        other = TownFinder(self.legs, self.tick)
        other.tolls, other.wanted = self.tolls, track
        return other

    def of_roots(self, effort: int) -> list[Found]:
        """The best route."""
        return self.above(-1, effort)[:1]

    def better(self, bar: float, effort: int) -> list[Found]:
        """The same."""
        return self.above(bar, effort)

    def first(self) -> Found | None:
        """Some legal route."""
        return next(iter(self._all()), None)

    def ceiling(self, bar: float, rounds: int = 1) -> float:  # noqa: ARG002  all finders are asked alike
        """The most that a route earns less the tolls, if that is more than `bar`."""
        return max([bar, *(found[0] - self.tolls.of(found[1]) for found in self._all())])

    def run(self, kind: TrainKind, found: Found) -> Run:
        """A route as an action carries it."""
        tracks = self.legs.network.tracks
        return Run(kind, tuple(tracks[piece].ref for piece in found[3]))

    def _all(self) -> list[Found]:
        if not self.listed:
            self.routes = {}
            for start in self.legs.starts:
                self._leave(
                    start, start, 0, self.legs.bit[start], (1, 0), self.legs.value[start], self.legs.marks[start], ()
                )
            self.listed = True
        return list(self.routes.values())

    def _leave(
        self,
        start: NodeId,
        node: NodeId,
        mask: int,
        seen: int,
        counts: tuple[int, int],
        value: int,
        marks: int,
        path: tuple[PieceId, ...],
    ) -> None:
        """Run on from a stop over each of its other pieces."""
        for move in self.legs.network.away[node]:
            if move >> 1 not in path[-1:] and move >> 1 not in self.legs.network.crossings:
                self._along(start, move, mask, seen, counts, value, marks, path)

    def _along(
        self,
        start: NodeId,
        move: Move,
        mask: int,
        seen: int,
        counts: tuple[int, int],
        value: int,
        marks: int,
        path: tuple[PieceId, ...],
    ) -> None:
        """Run over one piece to its other end, and from there on."""
        self.tick()
        legs, network = self.legs, self.legs.network
        target, piece = network.goals[move], move >> 1
        mask |= legs.stop_bits[piece]
        value += legs.side_ferries.get(piece, 0)
        path = (*path, piece)
        if not network.is_stop(target):
            if mask & 1 << target:
                return
            mask |= 1 << target
            for onward in network.onward[move]:
                self._along(start, onward, mask, seen, counts, value, marks, path)
            return
        cities, towns = counts[0] + (not legs.town[target]), counts[1] + legs.town[target]
        limit = self.plan.town_limit
        assert limit is not None
        if legs.shut[target] or legs.bit[target] & seen or cities > self.plan.reach or towns > limit:
            return
        value, marks = value + legs.value[target], marks | legs.marks[target]
        total = value + self.plan.bonus(marks, 0)
        known = self.routes.get(mask)
        if known is None or known[0] < total:
            self.routes[mask] = (total, mask, start, path)
        ref = network.stops[target].ref
        if not legs.ends_only(target) and ref not in legs.passage.blocked:
            self._leave(start, target, mask, seen | legs.bit[target], (cities, towns), value, marks, path)
