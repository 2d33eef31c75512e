"""Reach: the track and stops on the available routes of a company.

A path starts at one of the company's stations, uses no track twice and does not pass where the company may not (`Passage`).
It uses up the sides of hexes that it crosses, since pieces that leave by one side share its last bit of track, and pieces
between two stops. A flood over the network is not enough: it would run a loop and come back over the track it came by. So a
shortest path without repetition answers most questions, the flood answers "no" to what it does not touch, and what lies
between is searched when somebody asks, within a number of steps: answers must be equal on all machines. Past it: yes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage, passage_of
from trajekt.engine.board.track_graph import Move, Network, NodeId, PieceId, StopRef, StopsOnMap, TrackPoint, ends_of
from trajekt.engine.board.upgrades import Upgrade
from trajekt.engine.components.schema import FIRST_STOP, CompanyId, HexId
from trajekt.engine.memo import MemoTable, memo

STEPS = 20_000  # steps of one search; a question that is still open then is answered "yes"


class TrackWalks(msgspec.Struct, frozen=True, dict=True):
    """The moves of a network under one passage: which may follow which."""

    network: Network
    passage: Passage

    @memo
    def held(self) -> Mapping[Move, tuple[Move, ...]]:
        """The moves after which the passage forbids what the network allows (`onward`), with those that may follow."""
        network, passage = self.network, self.passage
        ended = _ended(network, passage.terminal)
        if not (passage.shut or passage.blocked or passage.blocked_ferries):
            return ended
        table = {**ended, **_ends(network, passage.shut)}
        crossings = network.crossings
        for ref in passage.blocked:
            leaving = _leaving(network, ref)
            # by ferry one may leave a bank on which one could not stay
            ferries = tuple([move for move in leaving if move >> 1 in crossings])
            for move in leaving:
                if move >> 1 not in crossings:
                    table.setdefault(move ^ 1, ferries)
        for piece in crossings.intersection(map(network.piece_of, passage.blocked_ferries)):
            table[2 * piece] = table[2 * piece + 1] = ()  # a blocked ferry is the last piece of a path
        return table

    def after(self, move: Move) -> tuple[Move, ...]:
        """The moves that may follow upon one."""
        held = self.held
        return held[move] if move in held else self.network.onward[move]

    def goal(self, move: Move) -> NodeId:
        """The node to which a move leads."""
        return self.network.goals[move]

    def away(self, node: NodeId) -> Sequence[Move]:
        """The moves that begin in a node."""
        return self.network.away[node]


_ENDED: MemoTable[StopsOnMap, frozenset[StopRef], Mapping[Move, tuple[Move, ...]]] = MemoTable("ended")


def _ended(network: Network, terminal: frozenset[StopRef]) -> Mapping[Move, tuple[Move, ...]]:
    """The moves that arrive at these stops, each with nothing to follow; kept with the stops."""
    return _ENDED.get(network.on_map, terminal, lambda: _ends(network, terminal))


def _ends(network: Network, stops: Iterable[StopRef]) -> dict[Move, tuple[Move, ...]]:
    """Let no move follow one that arrives at these stops."""
    return {move ^ 1: () for ref in stops for move in _leaving(network, ref)}


def _leaving(network: Network, ref: StopRef) -> Sequence[Move]:
    """The moves that begin in a stop, none where the network has no such stop."""
    return network.away[network.stop[ref]] if ref in network.stop else ()


def shortest(
    walks: TrackWalks, starts: Iterable[Move], used: int = 0, refused: set[Move] | None = None
) -> dict[Move, int]:
    """Moves reached without using track twice, with what one such path uses as bits; not necessarily all such moves.

    Into `refused` come the moves that lie beyond and would use track again, though some were reached another way since.
    """
    found: dict[Move, int] = {}
    refused = set() if refused is None else refused
    reached: list[Move] = []
    held, onward, spent = walks.held, walks.network.onward, walks.network.spent
    for move in starts:
        bit = spent[move]
        if not used & bit and move not in found:
            found[move] = used | bit
            reached.append(move)
    for move in reached:  # it grows meanwhile
        mask = found[move]
        for following in held[move] if move in held else onward[move]:
            if following in found:
                continue
            bit = spent[following]
            if mask & bit:
                refused.add(following)
            else:
                found[following] = mask | bit
                reached.append(following)
    return found


def flood(
    walks: TrackWalks, starts: Iterable[Move], barred: frozenset[Move] = frozenset(), known: Iterable[Move] = ()
) -> set[Move]:
    """Every move that can be got to when track may be used again, except over barred moves.

    From `known` moves nobody need go on: all that follows upon them is among the starts, or known.
    """
    found = {move for move in starts if move not in barred}
    todo = list(found)
    found.update(known)
    held, onward = walks.held, walks.network.onward
    while todo:
        move = todo.pop()
        for following in held[move] if move in held else onward[move]:
            if following not in found and following not in barred:
                found.add(following)
                todo.append(following)
    return found


def leading(walks: TrackWalks, among: Iterable[Move], targets: Iterable[Move]) -> set[Move]:
    """Of the moves that a flood finds, those from which one gets to a target when track may be used again."""
    back: dict[Move, list[Move]] = {}
    for move in among:
        for onward in walks.after(move):
            back.setdefault(onward, []).append(move)
    found = set(targets)
    todo = list(found)
    while todo:
        for earlier in back.get(todo.pop(), ()):
            if earlier not in found:
                found.add(earlier)
                todo.append(earlier)
    return found


def _spoiling(network: Network, target: Move) -> frozenset[Move]:
    """The moves after which a path can no more end with a move, since they use what it needs, and the move itself."""
    goal, source = network.goals[target], network.goals[target ^ 1]
    spoiling = {target, target ^ 1}
    if not network.is_stop(goal):
        spoiling.update(move ^ 1 for move in network.away[goal])
    if not network.is_stop(source):  # it comes over this side from the hex beyond, so nothing has left by it
        here = network.pieces[target >> 1].hex
        spoiling.update(move ^ 1 for move in network.away[source] if network.pieces[move >> 1].hex == here)
    return frozenset(spoiling)


def search(walks: TrackWalks, starts: Iterable[Move], target: Move) -> bool:
    """Tell whether some path without repetition ends with a move: exact within `STEPS`, past them yes."""
    starts = list(starts)
    if target in starts:
        return True
    ahead = flood(walks, starts, _spoiling(walks.network, target))
    useful = {move for move in ahead if target in walks.after(move)}
    if not useful:
        return False
    useful = leading(walks, ahead, useful)
    steps, spent = 0, walks.network.spent
    open_paths = [(move, spent[move]) for move in starts if move in useful]
    while open_paths:
        move, mask = open_paths.pop()
        steps += 1
        if steps > STEPS:
            return True
        for onward in walks.after(move):
            if onward == target:
                return True
            bit = spent[onward]
            if onward in useful and not mask & bit:
                open_paths.append((onward, mask | bit))
    return False


class Reach(msgspec.Struct, frozen=True, dict=True):
    """The reach of a company on one board. `own` are the nodes of its stations."""

    walks: TrackWalks
    own: frozenset[NodeId]

    @memo
    def _starts(self) -> list[Move]:
        return [move for node in sorted(self.own) for move in self.walks.away(node)]

    @memo
    def _spread(self) -> tuple[dict[Move, int], set[Move]]:
        """The moves that shortest paths reach, and those at which they would use track again."""
        refused: set[Move] = set()
        return shortest(self.walks, self._starts, refused=refused), refused

    @property
    def _sure(self) -> dict[Move, int]:
        return self._spread[0]

    @memo
    def _doubtful(self) -> Mapping[Move, None]:
        """Moves that the flood touches and no shortest path settles, in order."""
        sure, refused = self._spread
        beyond = refused - sure.keys()
        return dict.fromkeys(sorted(flood(self.walks, beyond, known=sure) - sure.keys()) if beyond else ())

    @memo
    def _settled(self) -> dict[Move, bool]:
        return {}

    def _searched(self, moves: Iterable[Move]) -> bool:
        for move in moves:
            if move not in self._settled:
                self._settled[move] = search(self.walks, self._starts, move)
            if self._settled[move]:
                return True
        return False

    @memo
    def _points(self) -> frozenset[TrackPoint]:
        """The places of its stations, and those that shortest paths come to."""
        network = self.walks.network
        begun = [(network.stop_at[node].hex, -1 - network.stop_at[node].index) for node in self.own]
        return frozenset([*begun, *map(network.points.__getitem__, self._sure)])

    @memo
    def _doubtful_points(self) -> Mapping[TrackPoint, list[Move]]:
        found: dict[TrackPoint, list[Move]] = {}
        for move in self._doubtful:
            found.setdefault(self.walks.network.points[move], []).append(move)
        return found

    def _at(self, point: TrackPoint) -> bool:
        if point in self._points:
            return True
        return point in self._doubtful_points and self._searched(self._doubtful_points[point])

    def enters(self, at: HexId, edge: int) -> bool:
        """Tell whether a path comes to a hex over an edge, from the hex beyond."""
        return self._at((at, edge))

    def stop(self, at: HexId, index: int) -> bool:
        """Tell whether a path comes to a stop, or begins there (COMMON-TOK-02)."""
        return self._at((at, -1 - index))

    def goes_out(self, at: HexId, edge: int) -> bool:
        """Tell whether a path leaves a hex over an edge, by track that lies there."""
        return any(
            move in self._sure or (move in self._doubtful and self._searched([move])) for move in self._out(at, edge)
        )

    def _out(self, at: HexId, edge: int) -> Iterable[Move]:
        network = self.walks.network
        for piece in network.in_hex.get(at, ()):
            ends = ends_of(network.pieces[piece].ref)
            yield from (2 * piece + way for way in (0, 1) if ends[1 - way] == edge)

    def leaves(self, at: HexId, index: int) -> bool:
        """Tell whether a path that comes to a stop may go on from it."""
        stop = self.walks.network.stops_in_hex[at][index]
        return stop.node in self.own or self.walks.passage.may_pass(stop.ref)

    @memo
    def _sure_pieces(self) -> frozenset[PieceId]:
        return frozenset([move >> 1 for move in self._sure])

    def piece(self, piece: PieceId) -> bool:
        """Tell whether a piece of track lies on a path."""
        if piece in self._sure_pieces:
            return True
        return self._searched(move for move in (2 * piece, 2 * piece + 1) if move in self._doubtful)

    def hex(self, at: HexId) -> bool:
        """Tell whether any track or station of the company's paths is on a hex."""
        if at in self._sure_hexes:
            return True
        return bool(self._doubtful) and any(self.piece(piece) for piece in self.walks.network.in_hex.get(at, ()))

    @memo
    def _sure_hexes(self) -> frozenset[HexId]:
        network = self.walks.network
        homes = {network.stop_at[node].hex for node in self.own}
        return frozenset(homes | {network.pieces[piece].hex for piece in self._sure_pieces})

    @memo
    def near(self) -> tuple[HexId, ...]:
        """The hexes where a lay can be connected, those with the company's paths first, from its stations outwards."""
        stops, points = self.walks.network.stop_at, self.walks.network.points
        hexes = [stops[node].hex for node in sorted(self.own)]
        hexes += [points[move][0] for move in (*self._sure, *self._doubtful)]
        return tuple(dict.fromkeys(hexes))

    @memo
    def close(self) -> frozenset[HexId]:
        """The hexes of `near` as a set: beyond them nothing can be joined."""
        return frozenset(self.near)


def reach(network: Network, own: Iterable[NodeId], passage: Passage) -> Reach:
    """The reach of paths that begin at these stops."""
    return Reach(TrackWalks(network, passage), frozenset(own))


_REACH: MemoTable[Board, tuple[CompanyId, object], Reach] = MemoTable("reach")


def reach_of(board: Board, company: CompanyId, passage: Callable[[Board, CompanyId], Passage]) -> Reach:
    """The reach of a company on a board; stored with the board, which never changes."""
    table = _REACH.of(board)
    found = table.get((company, passage))
    if found is None:
        network = board.network
        own = [network.stop[ref] for ref in board.stationed.stops_by_company.get(company, ())]
        found = table[company, passage] = reach(network, own, passage_of(board, company, passage))
    return found


def new_track_reached(here: Reach, at: HexId, fit: Upgrade) -> bool | None:
    """Tell whether, after a lay, fresh track lies on a path: a walk inside the hex, since the way to it is old track.

    None where that hangs on passing a stop which is blocked now, or on a side by which paths leave the hex already: then
    only the board after the lay can tell.
    """
    unsure = False
    for piece in fit.new_track:
        for end, other in ((piece.a, piece.b), (piece.b, piece.a)):
            begins = _begins(here, at, fit, end)
            if begins and (other >= FIRST_STOP or not here.goes_out(at, other)):
                return True
            unsure = unsure or begins is not False
    return None if unsure else False


def _begins(here: Reach, at: HexId, fit: Upgrade, end: int) -> bool | None:
    """Tell whether a path comes to an end of fresh track and may go on over it; None where it comes to a blocked stop."""
    if end < FIRST_STOP:
        return here.enters(at, end)
    comes = [i for i, target in enumerate(fit.stops) if target == end - FIRST_STOP and here.stop(at, i)]
    if not comes:
        return False
    return True if any(here.leaves(at, index) for index in comes) else None


# A link of three places ----------------------------------------------------------------------------------------------------


def linked(walks: TrackWalks, first: Iterable[NodeId], middle: Iterable[NodeId], last: Iterable[NodeId]) -> bool:
    """Tell whether one path without repetition runs from a first place by a middle one to a last one, of any length."""
    goals = frozenset(first), frozenset(last)
    centre = [move for node in middle for move in walks.away(node)]
    touched = {walks.goal(move) for move in flood(walks, centre)}
    if any(not goal & touched for goal in goals):
        return False
    for one, other in (goals, goals[::-1]):
        legs = [mask for move, mask in shortest(walks, centre).items() if walks.goal(move) in one]
        for mask in legs:
            if any(walks.goal(move) in other for move in shortest(walks, centre, mask)):
                return True
    return _may_part(walks, centre, *goals) and _both_legs(walks, centre, *goals)


def _may_part(walks: TrackWalks, centre: Iterable[Move], one: frozenset[NodeId], other: frozenset[NodeId]) -> bool:
    """Tell whether two different moves lead from the middle, the one to a first and the other to a last place."""
    found = [{walks.goal(move) for move in flood(walks, [first])} for first in centre]
    firsts = {n for n, touched in enumerate(found) if one & touched}
    lasts = {n for n, touched in enumerate(found) if other & touched}
    return bool(firsts) and bool(lasts) and len(firsts | lasts) > 1


def _both_legs(walks: TrackWalks, centre: Sequence[Move], one: frozenset[NodeId], other: frozenset[NodeId]) -> bool:
    """Every first leg, and for each a second one without it, within `STEPS`; past them yes."""
    goals = walks.network.goals
    ahead = flood(walks, centre)
    useful = leading(walks, ahead, (move for move in ahead if goals[move] in one))
    spent = walks.network.spent
    open_paths = [(move, spent[move]) for move in centre if move in useful]
    for _ in range(STEPS):
        if not open_paths:
            return False
        move, mask = open_paths.pop()
        if goals[move] in one and any(goals[m] in other for m in shortest(walks, centre, mask)):
            return True
        open_paths += [(m, mask | spent[m]) for m in walks.after(move) if m in useful and not mask & spent[m]]
    return True
