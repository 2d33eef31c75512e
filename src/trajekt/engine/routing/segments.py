"""Segments: the board as the route search sees it, cut at the counted stops.

A segment runs from one counted stop to the next, or to a town where a town may end a route. Segments are made when first
asked for and belong to one company, one kind of train and one board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, TypeAlias

from trajekt.engine.board.track_graph import Move, Network, NodeId, PieceId, StopRef, StopsOnMap
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import Plan, Run, Setting

# the segments of a route, last first; true where the second arm begins
Chain: TypeAlias = tuple[Any, "Segment", bool] | None
Visit: TypeAlias = tuple[int, int]  # what a stop pays, and pays again where values are doubled
Walked: TypeAlias = tuple[int, int, int, int, int, tuple[PieceId, ...]]  # `Segment`: mask, seen, touches ... pieces


class Segment:
    """Track to the next counted stop, or to the town that ends the route.

    `mask`: bits of the sides and stop-to-stop pieces used; `seen`: bits of the destinations and towns visited; `touches`: bits
    of the very stops visited. `value` includes towns and what a ferry changes; `visit` is the arrival's own value and doubled
    value; `ferry` and `end_ferry` what a ferry at the start or end changes. `goes_on`: whether segments may follow.
    `cost`: the counted stops that it leads to, 0 or 1. `uses`: what is `seen`, and the `mask` above that, as one number.
    """

    __slots__ = (
        "cost", "double", "end_ferry", "ferry", "goes_on", "marks", "mask", "pieces", "seen", "to", "touches", "uses", "value",
        "visit",
    )  # fmt: skip

    def __init__(self, to: NodeId, walked: Walked, visit: Visit, cost: int, *, goes_on: bool) -> None:
        self.to, self.visit, self.double, self.cost, self.goes_on = to, visit, visit[1], cost, goes_on
        self.mask, self.seen, self.touches, self.value, self.marks, self.pieces = walked
        self.ferry = self.end_ferry = (0, 0)
        self.uses = 0

    def crossed(self, bit: int, change: Visit, other: NodeId, marks: int) -> Segment:
        """This segment with a ferry at one end: the bit of the ferry, what it changes, the stop beyond and its marks."""
        found = copy(self)
        found.mask |= bit
        found.value += change[0]
        found.double += change[1]
        found.touches |= 1 << other
        found.marks |= marks
        return found

    def replaces(self, other: Segment) -> bool:
        """Tell if no route needs the other where it has this one: no more track, no more towns, no less value and marks."""
        return (
            not self.mask & ~other.mask
            and not self.seen & ~other.seen
            and self.value >= other.value
            and self.double >= other.double
            and not other.marks & ~self.marks
            and (self.goes_on or not other.goes_on)
        )


class Segments:
    """The segments of one kind of train of one company on one board, with the numbers of its plan by node.

    `roots` are the stops from which routes are looked for: those with a station, or the ends that the train must have
    (`one_arm`). `needs` are those of the plan, and the station of the company that a route of one arm must come by.
    """

    def __init__(self, setting: Setting, plan: Plan) -> None:
        network, passage = setting.network, setting.passage
        self.plan, self.network, self.passage = plan, network, passage
        shared = {ref: each.name for ref, each in passage.shared.items()}
        self.bit = destination_bits(network, shared | dict(plan.shared))
        self.places = max(self.bit.values(), default=1).bit_length()
        self.town, self.town_cost = network.towns, 0 if plan.towns == "plus" else 1
        self.double, self.marks = self._said(plan.doubled), self._said(plan.marks)
        self.shut = set(self._nodes((*passage.shut, *plan.shut)))
        own = [node for node in self._nodes(setting.own_stops) if node not in self.shut]
        self.one_arm = bool(plan.start_among)
        self.roots, self.needs, self.begun = own, plan.needs, 0  # `begun`: the mark of every root
        if self.one_arm:
            self.roots = [node for node in self._nodes(plan.start_among) if node not in self.shut]
            if plan.town_limit is None:
                self._need_station(own)
        lying = {network.piece_of(ref): change[0] for ref, change in plan.ferry.items()}
        self.side_ferries = {n: change for n, change in lying.items() if n is not None and n not in network.crossings}
        self.skipping: Any = None  # the bound of a train that may leave stops out, which follows from these alone
        self._plain: dict[NodeId, list[Segment]] = {}
        self._out: dict[int, dict[NodeId, list[Segment]]] = {0: {}}

    def _said(self, by_ref: Mapping[StopRef, int]) -> defaultdict[NodeId, int]:
        """By stop what a plan says of some, 0 of all others."""
        stop = self.network.stop
        return defaultdict(int, {stop[ref]: said for ref, said in by_ref.items() if ref in stop})

    def value(self, node: NodeId) -> int:
        """The value of a stop in Mark."""
        paid = self.plan.towns != "ignored" or not self.town[node]
        return self.plan.value.get(self.network.refs[node], 0) if paid else 0

    def cost(self, node: NodeId) -> int:
        """The counted stops that a stop is: towns that end a route of a plus train count for nothing."""
        return self.town_cost if self.town[node] else 1

    def _need_station(self, own: Iterable[NodeId]) -> None:
        """Give stations a mark, and every root one that asks for it: a route of one arm must come by a station."""
        station = 1 << max(self.marks.values(), default=0).bit_length()
        self.begun = station << 1
        self.needs = (*self.plan.needs, (self.begun, station))
        for node in own:
            self.marks[node] |= station

    def _nodes(self, refs: Iterable[StopRef]) -> list[NodeId]:
        """The nodes of those of the stops that are on the network, in order."""
        return sorted(self.network.stop[ref] for ref in refs if ref in self.network.stop)

    def of_reach(self, plan: Plan) -> Segments:
        """Share the segments with a kind of train that differs by its reach alone."""
        other = copy(self)
        other.plan, other.skipping = plan, None
        return other

    def ends_only(self, node: NodeId) -> bool:
        """Tell if a route may have only one arm here."""
        ref = self.network.refs[node]
        return ref in self.passage.terminal or ref in self.plan.unpassed

    def out(self, at: NodeId, barred: int = 0) -> list[Segment]:
        """The segments that may follow on arrival at a stop (`~root`: that leave a root); none touches a barred stop."""
        known = self._out.setdefault(barred, {})
        found = known.get(at)
        if found is None:
            found = [each for each in self.out(at) if not each.touches & barred] if barred else self._made(at)
            known[at] = found
        return found

    def _made(self, at: NodeId) -> list[Segment]:
        """The segments within a stop and over its ferries."""
        network, passage, passing, node = self.network, self.passage, at >= 0, at if at >= 0 else ~at
        found: list[Segment] = []
        if passing and self.ends_only(node):
            return found
        if not (passing and network.refs[node] in passage.blocked):
            found += self.plain(node)
        for ferry, other in network.ferries.get(node, ()):
            name = network.pieces[ferry].ref
            if other in self.shut or (passing and name in passage.blocked_ferries):
                continue
            change = self.plan.ferry.get(name, (0, 0))
            for each in self.plain(other):
                crossed = each.crossed(network.spent[2 * ferry], change, other, self.marks[other])
                crossed.pieces = (ferry, *each.pieces)
                crossed.ferry = change
                found.append(crossed)
        for each in found:
            each.uses = each.seen | each.mask << self.places
        return found

    def plain(self, node: NodeId) -> list[Segment]:
        """The segments over the stop's own track, but for those that others replace."""
        found = self._plain.get(node)
        if found is None:
            found = self._plain[node] = []
            walked = self._walked(node)
            for segment in sorted(walked, key=lambda each: (each.mask.bit_count(), each.seen.bit_count(), -each.value)):
                if not any(other.to == segment.to and other.replaces(segment) for other in found):
                    found.append(segment)
        return found

    def _walked(self, start: NodeId) -> list[Segment]:
        """All segments over the stop's own track, walked piece by piece."""
        network = self.network
        goals, spent, crossings, first_side = network.goals, network.spent, network.crossings, network.first_side
        found: list[Segment] = []
        # no function that calls itself: what one knows, here the whole board, lives on until somebody looks for garbage
        begun: Walked = (0, self.bit[start], 0, 0, 0, ())
        todo: list[tuple[Move, Walked]] = [(move, begun) for move in reversed(network.away[start])]
        while todo:
            move, (mask, seen, touches, value, marks, pieces) = todo.pop()
            node, piece = goals[move], move >> 1
            if piece in crossings or mask & spent[move]:
                continue
            mask |= spent[move]
            value += self.side_ferries.get(piece, 0)
            pieces = (*pieces, piece)
            if node >= first_side:
                walked: Walked = mask, seen, touches, value, marks, pieces
            elif node in self.shut or self.bit[node] & seen:
                continue
            else:
                been, met = seen | self.bit[node], touches | 1 << node
                walked = mask, been, met, value + self.value(node), marks | self.marks[node], pieces
                if not self._arrive(found, node, walked):
                    continue
            todo += [(following, walked) for following in reversed(network.onward[move])]
        for segment in found:
            segment.seen &= ~self.bit[start]
        return found

    def _arrive(self, found: list[Segment], node: NodeId, walked: Walked) -> bool:
        """Note the segments that end at a stop, and say whether the track may go on through it."""
        network, plan, passage = self.network, self.plan, self.passage
        if self.town[node]:
            if plan.towns in ("ends", "plus"):
                found.append(Segment(node, walked, (0, 0), self.town_cost, goes_on=False))
            return not self.ends_only(node) and network.refs[node] not in passage.blocked
        segment = Segment(node, walked, (self.value(node), self.double[node]), 1, goes_on=True)
        found.append(segment)
        for ferry, other in network.ferries.get(node, ()):
            # To cross and end there is worth it only for what stands on the other bank (RHL-RTE-15, RHL-RTE-18).
            if other not in self.shut and self.marks[other] & ~segment.marks:
                change = plan.ferry.get(network.pieces[ferry].ref, (0, 0))
                crossed = segment.crossed(network.spent[2 * ferry], change, other, self.marks[other])
                crossed.pieces = (*segment.pieces, ferry)
                crossed.end_ferry, crossed.goes_on = change, False
                found.append(crossed)
        return False

    def reached(self, tip: NodeId, uses: int) -> tuple[int, int]:
        """Destinations and marks that segments lead to from a stop at all which use nothing used, generously."""
        reached, marks, done, bit, out = 0, 0, 0, self.bit, self._out[0]
        todo = [tip]
        while todo:
            node = todo.pop()
            for each in out.get(node) or self.out(node):
                if each.uses & uses:
                    continue
                to = each.to
                reached |= bit[to]
                marks |= each.marks
                if each.goes_on and not done >> to & 1:
                    done |= 1 << to
                    todo.append(to)
        return reached, marks

    # Back to references

    def run(self, kind: str, root: NodeId, chain: Chain) -> Run:
        """A route as an action carries it: the first arm backwards, then the second."""
        arms: tuple[list[Segment], list[Segment]] = ([], [])
        links = []
        while chain is not None:
            links.append(chain)
            chain = chain[0]
        number = 0
        for _, segment, begins in reversed(links):
            number = 1 if begins else number
            arms[number].append(segment)
        first, second = ([piece for each in arm for piece in each.pieces] for arm in arms)
        order = [*reversed(first), *second] if second else first
        track = tuple(self.network.pieces[piece].ref for piece in order)
        return Run(kind, track, self._pays(root, arms[0]) if self.plan.skips else ())

    def _pays(self, root: NodeId, route: list[Segment]) -> tuple[StopRef, ...]:
        """The stops that pay on a route of one arm, if not all do."""
        nodes, visits, marks = [root], [(self.value(root), self.double[root])], self.marks[root]
        for each in route:
            visits = visited(visits, each)
            nodes.append(each.to)
            marks |= each.marks
        if len(visits) <= self.plan.reach:
            return ()
        choices = [paying(self.plan, visits, weight) for weight in (1, 0)]

        def worth(chosen: list[int]) -> int:
            return sum(visits[n][0] for n in chosen) + self.plan.bonus(marks, sum(visits[n][1] for n in chosen))

        return tuple(self.network.refs[nodes[n]] for n in max(choices, key=worth))


def visited(visits: Sequence[Visit], segment: Segment) -> list[Visit]:
    """The visits of a route with a segment more: a ferry at its start changes what the stop before pays."""
    found = list(visits)
    if segment.ferry != (0, 0):
        found[-1] = (found[-1][0] + segment.ferry[0], found[-1][1] + segment.ferry[1])
    found.append((segment.visit[0] + segment.end_ferry[0], segment.visit[1] + segment.end_ferry[1]))
    return found


def paying(plan: Plan, visits: Sequence[Visit], weight: int) -> list[int]:
    """The places of the visits that pay: all within reach, else the ends and the best between (`weight` 1: doubled)."""
    places = range(len(visits))
    if len(visits) <= plan.reach:
        return list(places)
    ends = [0, len(visits) - 1] if plan.keeps_ends else []
    free = sorted((n for n in places if n not in ends), key=lambda n: (-visits[n][0] - weight * visits[n][1], n))
    return sorted(ends + free[: plan.reach - len(ends)])


_DESTINATIONS: MemoTable[StopsOnMap, frozenset[tuple[StopRef, str]], Mapping[NodeId, int]] = MemoTable("destinations")


def destination_bits(network: Network, shared: Mapping[StopRef, str]) -> Mapping[NodeId, int]:
    """For each stop the bit of its destination, which `shared` names where it is not the stop's own; kept with the stops."""

    def work() -> Mapping[NodeId, int]:
        numbers: dict[str, int] = {}
        return {node: 1 << numbers.setdefault(shared.get(ref, ref), len(numbers)) for ref, node in network.stop.items()}

    return _DESTINATIONS.get(network.on_map, frozenset(shared.items()), work)
