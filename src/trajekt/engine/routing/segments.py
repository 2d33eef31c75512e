"""Legs: the board as the route search sees it, cut at the counted stops.

A leg runs from one counted stop to the next, or to a town where a town may end a route. Legs are made when first asked
for and belong to one company, one kind of train and one board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, TypeAlias

from msgspec.structs import replace

from trajekt.engine.board.track_graph import Move, Network, NodeId, PieceId, StopRef
from trajekt.engine.routing.runs import Plan, Run, Setting
from trajekt.engine.routing.tolls import FREE, Tolls

Chain: TypeAlias = tuple[Any, "Leg", bool] | None

NEVER = -1_000_000
ENDS = 2  # of a route


class Leg:
    """Track to the next counted stop, or to the town that ends the route.

    `mask`: bits of the sides and stop-to-stop pieces used; `seen`: bits of the destinations and towns visited; `touches`: bits
    of the very stops visited. `value` includes towns and what a ferry changes; `visit` is the arrival's own value and doubled
    value; `ferry` and `end_ferry` what a ferry at the start or end changes. `goes_on`: whether legs may follow.
    `gain` is the most it may add, with its share of bonuses; `uses` what is `seen`, and the `mask` above that, as one number.
    """

    __slots__ = (
        "double",
        "end_ferry",
        "ferry",
        "gain",
        "goes_on",
        "marks",
        "mask",
        "own",
        "pieces",
        "seen",
        "to",
        "touches",
        "uses",
        "value",
        "visit",
    )  # fmt: skip

    def __init__(
        self, to: NodeId, mask: int, seen: int, touches: int, value: int, marks: int, pieces: tuple[PieceId, ...]
    ) -> None:
        self.to, self.mask, self.seen, self.touches = to, mask, seen, touches
        self.value, self.marks, self.pieces = value, marks, pieces
        self.double = 0
        self.visit = (0, 0)
        self.ferry = self.end_ferry = (0, 0)
        self.own = False
        self.gain = self.uses = 0
        self.goes_on = False

    def copy(self) -> Leg:
        other = Leg(self.to, self.mask, self.seen, self.touches, self.value, self.marks, self.pieces)
        other.double, other.visit, other.own, other.goes_on = self.double, self.visit, self.own, self.goes_on
        other.ferry, other.end_ferry = self.ferry, self.end_ferry
        return other


class Legs:
    """The legs of one kind of train of one company on one board, with the numbers of its plan by node."""

    def __init__(self, setting: Setting, plan: Plan) -> None:
        network, passage = setting.network, setting.passage
        self.setting, self.plan, self.network, self.passage = setting, plan, network, passage
        refs = network.refs
        self.bit = destination_bits(
            network, {ref: each.name for ref, each in passage.shared.items()} | dict(plan.shared)
        )
        self.places = max(self.bit, default=1).bit_length()
        self.town = network.towns
        value, double, marks = plan.value, plan.doubled, plan.marks
        if plan.towns == "ignored":
            self.value = [0 if town else value.get(ref, 0) for ref, town in zip(refs, self.town, strict=True)]
        else:
            self.value = [value.get(ref, 0) for ref in refs]
        self.double, self.marks, self.shut = [0] * len(refs), [0] * len(refs), [False] * len(refs)
        for column, said in ((self.double, double), (self.marks, marks)):  # of few stops anything is said
            for ref, each in said.items():
                if ref in network.stop:
                    column[network.stop[ref]] = each
        self.marked = max(self.marks, default=0).bit_length()  # the first bit that is no mark
        for ref in (*passage.shut, *plan.shut):
            if ref in network.stop:
                self.shut[network.stop[ref]] = True
        self.own = {network.stop[ref] for ref in setting.own_stops if ref in network.stop}
        self.own = {node for node in self.own if not self.shut[node]}
        self.roots = sorted(self.own)
        self.starts = [network.stop[ref] for ref in sorted(plan.start_among) if ref in network.stop]
        self.starts = [node for node in self.starts if not self.shut[node]]
        self.ferries, self.stop_bits = network.ferries, network.uses
        self.side_ferries = {
            network.piece[ref]: change[0]
            for ref, change in plan.ferry.items()
            if ref in network.piece and network.piece[ref] not in network.crossings
        }
        self.ferry_bits = sum(network.uses[ferry] for ferry in network.crossings)
        self.wanted = self.begun = 0  # track that every route must use some of, and the mark by which it does (`using`)
        self._plain: dict[NodeId, list[Leg]] = {}
        self.uncharged: dict[tuple[NodeId, bool], list[Leg]] = {}  # without tolls; whether on arrival
        self.outlines: dict[object, Any] = {}  # of walks, by root and what they may come to (`sketch`)
        self.doubles = bool(plan.doubled)
        self.plus = plan.towns == "plus"
        self.cost = [0 if self.plus and town else 1 for town in self.town]
        self.begin(FREE)

    def begin(self, tolls: Tolls) -> None:
        """Nothing is known yet of legs less these tolls."""
        self.tolls = tolls
        self._onward: dict[tuple[NodeId, int], list[Leg]] = {}
        self._leaving: dict[tuple[NodeId, int], list[Leg]] = {}
        self.gains: list[tuple[float, int]] = []
        self.town_gains: list[tuple[float, int]] = []
        # what stops add, less the tolls on the way there; without and with doubled values
        self.visits: list[list[tuple[float, int]]] = [[], []]
        self.surveyed = False

    def charged(self, tolls: Tolls) -> Legs:
        """The same legs, with tolls taken off their gains."""
        other = copy(self)
        other.begin(tolls)
        return other

    def of_reach(self, plan: Plan) -> Legs:
        """The same legs for a kind of train that differs by its reach alone: what one finds out about them, both know."""
        other = copy(self)
        other.plan = plan
        return other

    def using(self, track: int) -> Legs:
        """The same legs for routes that must use some of this track: legs over it have a mark that every route needs."""
        other = copy(self)
        other.wanted, other.begun = track, 2 << self.marked  # the bit before tells of a station: see `Ways.own`
        other.plan = replace(self.plan, needs=(*self.plan.needs, (other.begun, 4 << self.marked)))
        other.uncharged, other.outlines = {}, {}
        other.begin(self.tolls)
        return other

    @property
    def alike(self) -> bool:
        """Whether cities and towns count alike."""
        return self.plan.stops == self.plan.reach

    # Legs

    def ends_only(self, node: NodeId) -> bool:
        """Whether a route may have only one arm here."""
        ref = self.network.stops[node].ref
        return ref in self.passage.terminal or ref in self.plan.unpassed

    def leaving(self, node: NodeId, barred: int = 0) -> list[Leg]:
        """The legs of a route that begins here, or has its root here; none that touches a barred stop."""
        found = self._leaving.get((node, barred))
        if found is None:
            found = self._ordered(node, passing=False) if not barred else unbarred(self.leaving(node), barred)
            self._leaving[node, barred] = found
        return found

    def onward(self, node: NodeId, barred: int = 0) -> list[Leg]:
        """The legs that may follow on arrival here, within this stop or over its ferry; none that touches a barred stop."""
        found = self._onward.get((node, barred))
        if found is None:
            found = self._ordered(node, passing=True) if not barred else unbarred(self.onward(node), barred)
            self._onward[node, barred] = found
        return found

    def _ordered(self, node: NodeId, *, passing: bool) -> list[Leg]:
        """The legs from a stop, those first that may add most."""
        legs = self.uncharged.get((node, passing))
        if legs is None:
            legs = self.uncharged[node, passing] = self._out(node, passing=passing)
        if not self.tolls:
            return legs
        toll = self.tolls.of
        return sorted(legs, key=lambda leg: toll(leg.mask) - leg.gain)

    def _out(self, node: NodeId, *, passing: bool) -> list[Leg]:
        network, passage = self.network, self.passage
        ref = network.stops[node].ref
        legs: list[Leg] = []
        if passing and (ref in passage.terminal or ref in self.plan.unpassed):
            return legs
        if not (passing and ref in passage.blocked):
            legs += self.plain(node)
        for ferry, other in self.ferries.get(node, ()):
            name = network.pieces[ferry].ref
            if self.shut[other] or (passing and name in passage.blocked_ferries):
                continue
            value, double = self.plan.ferry.get(name, (0, 0))
            for leg in self.plain(other):
                crossed = leg.copy()
                crossed.mask |= self.stop_bits[ferry]
                crossed.pieces = (ferry, *leg.pieces)
                crossed.ferry = (value, double)
                crossed.value += value
                crossed.double += double
                crossed.marks |= self.marks[other]
                crossed.touches |= 1 << other
                crossed.own = leg.own or other in self.own
                legs.append(crossed)
        for leg in legs:
            leg.gain = leg.value + leg.double + (self.share(leg.marks) if leg.marks else 0)
            leg.uses = leg.seen | leg.mask << self.places
        if self.wanted:
            legs = [self._marked(leg) if leg.mask & self.wanted else leg for leg in legs]
        legs.sort(key=lambda leg: -leg.gain)
        return legs

    def _marked(self, leg: Leg) -> Leg:
        """A leg over track that every route must use, with the mark for it."""
        other = leg.copy()
        other.gain, other.uses, other.marks = leg.gain, leg.uses, leg.marks | 4 << self.marked
        return other

    def plain(self, node: NodeId) -> list[Leg]:
        """The legs over the stop's own track."""
        found = self._plain.get(node)
        if found is None:
            found = self._plain[node] = undominated(self._walk(node))
        return found

    def _walk(self, start: NodeId) -> list[Leg]:
        network = self.network
        onward, goals, uses = network.onward, network.goals, self.stop_bits
        crossings, side_ferries = network.crossings, self.side_ferries
        stops = len(network.stops)
        town_ends = self.plan.towns in ("ends", "plus")
        found: list[Leg] = []

        # no function that calls itself: what one knows, here the whole board, lives on until somebody looks for garbage
        todo: list[tuple[Move, int, int, int, int, int, tuple[PieceId, ...]]] = [
            (move, 0, self.bit[start], 0, 0, 0, ())
            for move in reversed(network.away[start])
            if move >> 1 not in crossings
        ]
        while todo:
            move, mask, seen, touches, value, marks, path = todo.pop()
            node, piece = goals[move], move >> 1
            mask |= uses[piece]
            if piece in side_ferries:
                value += side_ferries[piece]
            path = (*path, piece)
            if node >= stops:
                bit = 1 << node
                if mask & bit:
                    continue
                mask |= bit
            else:
                if self.shut[node] or self.bit[node] & seen:
                    continue
                seen |= self.bit[node]
                touches |= 1 << node
                value += self.value[node]
                marks |= self.marks[node]
                if not self.town[node]:
                    self._emit(found, node, mask, seen, touches, value, marks, path)
                    continue
                if town_ends:
                    found.append(Leg(node, mask, seen, touches, value, marks, path))
                ref = network.stops[node].ref
                if ref in self.passage.terminal or ref in self.passage.blocked or ref in self.plan.unpassed:
                    continue
            todo += [
                (following, mask, seen, touches, value, marks, path)
                for following in reversed(onward[move])
                if following >> 1 not in crossings
            ]
        for leg in found:
            leg.seen &= ~self.bit[start]
        return found

    def _emit(
        self,
        found: list[Leg],
        node: NodeId,
        mask: int,
        seen: int,
        touches: int,
        value: int,
        marks: int,
        path: tuple[PieceId, ...],
    ) -> None:
        leg = Leg(node, mask, seen, touches, value, marks, path)
        leg.double = self.double[node]
        leg.visit = (self.value[node], leg.double)
        leg.own = node in self.own
        leg.goes_on = True
        found.append(leg)
        for ferry, other in self.ferries.get(node, ()):
            # To cross and end there is worth it only for what stands on the other bank (RHL-RTE-15, RHL-RTE-18).
            if self.shut[other] or not ((other in self.own and not leg.own) or self.marks[other] & ~leg.marks):
                continue
            change = self.plan.ferry.get(self.network.pieces[ferry].ref, (0, 0))
            crossed = leg.copy()
            crossed.mask |= self.stop_bits[ferry]
            crossed.pieces = (*path, ferry)
            crossed.value += change[0]
            crossed.double += change[1]
            crossed.end_ferry = change
            crossed.touches |= 1 << other
            crossed.marks |= self.marks[other]
            crossed.own = leg.own or other in self.own
            crossed.goes_on = False
            found.append(crossed)

    # Bounds

    def survey(self) -> None:
        """See how much every destination that can be reached at all may add."""
        if self.surveyed:
            return
        self.surveyed = True
        gains: dict[int, float] = {}
        towns: dict[int, float] = {}
        begun = set(self.starts if self.plan.start_among else self.roots)
        pending = [leg for node in begun for leg in self.leaving(node)]
        met: list[Leg] = []
        while pending:
            leg = pending.pop()
            met.append(leg)
            bit = self.bit[leg.to]
            column, gain = gains if self.cost[leg.to] else towns, leg.gain - self.tolls.of(leg.mask)
            if gain > column.setdefault(bit, 0):
                column[bit] = gain
            if leg.goes_on and leg.to not in begun:
                begun.add(leg.to)
                pending += self.onward(leg.to)
        self.gains = sorted(((gain, bit) for bit, gain in gains.items()), reverse=True)
        self.town_gains = sorted(((gain, bit) for bit, gain in towns.items()), reverse=True)
        if self.plan.start_among:
            self._survey_visits(met)

    def visit(self, leg: Leg) -> tuple[int, int]:
        """The most that a leg adds, and that it adds where values are doubled.

        To a train that may leave stops out a ferry changes what the stop before pays, if that counts.
        """
        if not self.plan.skips:
            return leg.value, leg.double
        value, double = (max(0, a) + max(0, b) for a, b in zip(leg.ferry, leg.end_ferry, strict=True))
        return leg.visit[0] + value, leg.visit[1] + double

    def _survey_visits(self, met: list[Leg]) -> None:
        """The same of the stops alone, for a train of which every stop is looked at by itself."""
        visits: dict[int, tuple[float, float]] = {}
        for leg in met:
            # each stop to come is come to by a leg of its own
            toll, bit = self.tolls.of(leg.mask), self.bit[leg.to]
            value, twice = self.visit(leg)
            plain, double = visits.get(bit, (NEVER, NEVER))
            visits[bit] = (max(plain, value - toll), max(double, value + twice - toll))
        self.visits = [
            sorted(((gains[weight], bit) for bit, gains in visits.items() if gains[weight] > 0), reverse=True)
            for weight in (0, 1)
        ]

    def share(self, marks: int) -> int:
        """The most that marks can add to a bonus, each counted for itself."""
        total = 0
        for bits, amount in self.plan.shares:
            if marks & bits:
                total += amount * (marks & bits).bit_count()
        return total

    def most(self, left: int, seen: int) -> float:
        """The most that `left` more stops can add, each destination once; a plus train's route may end at towns besides."""
        total: float = 0
        for gain, bit in self.gains:
            if left <= 0:
                break
            if not bit & seen:
                total += gain
                left -= 1
        ends, more = ENDS, 0.0
        for gain, bit in self.town_gains:
            if not ends:
                break
            if not bit & seen:
                more += gain
                ends -= 1
        return total + more

    def flood(self, out: Sequence[Leg], mask: int, seen: int) -> tuple[int, int, bool]:
        """What free legs lead to, generously: destinations, marks, and whether a station of the company is there."""
        reached, marks, own, done, bit = 0, 0, False, 0, self.bit
        pending = [out]
        while pending:
            for leg in pending.pop():
                if leg.mask & mask or leg.seen & seen:
                    continue
                reached |= bit[leg.to]
                marks |= leg.marks
                own = own or leg.own
                if leg.goes_on and not done >> leg.to & 1:
                    done |= 1 << leg.to
                    pending.append(self.onward(leg.to))
        return reached, marks, own

    # Back to references

    def run(self, kind: str, found: tuple[int, int, int, Chain]) -> Run:
        _, _, root, chain = found
        first: list[Leg] = []
        second: list[Leg] = []
        arms = second
        links = []
        while chain is not None:
            links.append(chain)
            chain = chain[0]
        arms = first
        for _, leg, begins in reversed(links):
            if begins:
                arms = second
            arms.append(leg)
        before = [piece for leg in first for piece in leg.pieces]
        after = [piece for leg in second for piece in leg.pieces]
        order = [*reversed(before), *after] if second else before
        track = tuple(self.network.pieces[piece].ref for piece in order)
        return Run(kind, track, self._pays(root, first) if self.plan.skips else ())

    def _pays(self, root: NodeId, legs: list[Leg]) -> tuple[str, ...]:
        nodes = [root]
        visits = [(self.value[root], self.double[root])]
        marks = self.marks[root]
        for leg in legs:
            value, double = visits[-1]
            visits[-1] = (value + leg.ferry[0], double + leg.ferry[1])
            visits.append((leg.visit[0] + leg.end_ferry[0], leg.visit[1] + leg.end_ferry[1]))
            nodes.append(leg.to)
            marks |= leg.marks
        if len(visits) <= self.plan.reach:
            return ()
        choices = [paying(self.plan, visits, weight) for weight in (1, 0)]

        def worth(chosen: list[int]) -> int:
            return sum(visits[n][0] for n in chosen) + self.plan.bonus(marks, sum(visits[n][1] for n in chosen))

        return tuple(self.network.stops[nodes[n]].ref for n in max(choices, key=worth))


def unbarred(legs: Sequence[Leg], barred: int) -> list[Leg]:
    """Those legs that touch no barred stop."""
    return [leg for leg in legs if not leg.touches & barred]


def destination_bits(network: Network, shared: Mapping[StopRef, str]) -> Sequence[int]:
    """For each stop the bit of its destination, which `shared` names where it is not the stop's own; kept on the network."""
    memo: dict[object, Sequence[int]] = network.__dict__.setdefault("destinations", {})
    key = frozenset(shared.items())
    found = memo.get(key)
    if found is None:
        numbers: dict[str, int] = {}
        found = memo[key] = [1 << numbers.setdefault(shared.get(ref, ref), len(numbers)) for ref in network.refs]
    return found


def paying(plan: Plan, visits: Sequence[tuple[int, int]], weight: int) -> list[int]:
    """The places of the visits that pay: all within reach, else the ends and the best between (`weight` 1: doubled)."""
    places = range(len(visits))
    if len(visits) <= plan.reach:
        return list(places)
    ends = [0, len(visits) - 1] if plan.keeps_ends else []
    free = sorted((n for n in places if n not in ends), key=lambda n: (-visits[n][0] - weight * visits[n][1], n))
    return sorted(ends + free[: plan.reach - len(ends)])


def undominated(legs: list[Leg]) -> list[Leg]:
    """Without legs that another to the same stop replaces: no more track, no more towns, no less value and marks."""
    groups: dict[NodeId, list[Leg]] = {}
    for leg in legs:
        groups.setdefault(leg.to, []).append(leg)
    kept: list[Leg] = []
    for group in groups.values():
        good: list[Leg] = []
        for leg in sorted(group, key=lambda each: (each.mask.bit_count(), each.seen.bit_count(), -each.value)):
            for other in good:
                if (
                    not other.mask & ~leg.mask
                    and not other.seen & ~leg.seen
                    and other.value >= leg.value
                    and other.double >= leg.double
                    and not leg.marks & ~other.marks
                    and (other.own or not leg.own)
                    and (other.goes_on or not leg.goes_on)
                ):
                    break
            else:
                good.append(leg)
        kept += good
    return kept
