"""The judge of routes: whether submitted runs are legal, and what they earn, term by term.

Plain and complete. It reads the board and knows nothing of the search (`engine/routing`), which tests hold against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from trajekt.engine.board.track_graph import Network, NodeId, Track
from trajekt.engine.routing.runs import RouteFault, RouteResult, Run, RunResult, Setting, Step, Walk
from trajekt.engine.routing.solver import has_route


def judge(setting: Setting, runs: Sequence[Run]) -> list[RouteFault] | RunResult:
    """Every fault of the runs, or their revenue (COMMON-RTE-01 to -12, COMMON-REV-01)."""
    faults: list[RouteFault] = []
    walks: list[Walk] = []
    left = Counter(setting.trains)
    for number, run in enumerate(runs):
        if not left[run.train]:
            faults.append(RouteFault("train_not_owned", "COMMON-RTE-01", number, {"train": run.train}))
            continue
        left[run.train] -= 1
        read = walk(setting.network, run)
        found = [read] if isinstance(read, RouteFault) else check(setting, read)
        faults += [msgspec.structs.replace(fault, run=number) for fault in found]
        if isinstance(read, Walk):
            walks.append(read)
    faults += shared_track(setting.network, runs)
    if not runs and setting.rules.must_run and has_route(setting):
        faults.append(RouteFault("must_run", "COMMON-RTE-12"))
    if faults:
        return faults
    routes = tuple(earn(setting, each) for each in walks)
    return RunResult(routes, sum(route.revenue for route in routes))


def earn(setting: Setting, route: Walk) -> RouteResult:
    """A legal route's revenue: the stops that pay, then the bonuses (COMMON-REV-01)."""
    stops = setting.rules.pay(setting, route)
    bonuses = tuple(bonus for rule in setting.rules.bonuses for bonus in rule(setting, route))
    revenue = sum(stop.amount for stop in stops) + sum(bonus.amount for bonus in bonuses)
    return RouteResult(route.train, stops, bonuses, revenue)


def walk(network: Network, run: Run) -> Walk | RouteFault:
    """The run read on the board: the stops it visits in order (COMMON-RTE-02)."""
    tracks: list[Track] = []
    for ref in run.track:
        piece = network.piece_of(ref)
        if piece is None:
            return RouteFault("no_such_track", "COMMON-RTE-02", args={"track": ref})
        tracks.append(network.track(piece))
    if not tracks:
        return RouteFault("too_short", "COMMON-RTE-01")
    nodes = _nodes(network, tracks)
    if isinstance(nodes, RouteFault):
        return nodes
    for end, track in ((nodes[0], tracks[0]), (nodes[-1], tracks[-1])):
        if not network.is_stop(end):
            return RouteFault("ends_between_stops", "COMMON-RTE-01", args={"track": track.ref})
    steps = [Step((network.refs[nodes[0]],))]
    for track, node in zip(tracks, nodes[1:], strict=True):
        if not network.is_stop(node):
            continue
        ref = network.refs[node]
        if track.id in network.crossings and not steps[-1].ferry:
            steps[-1] = Step((steps[-1].stops[0], ref), track.ref)
        else:
            steps.append(Step((ref,)))
    return Walk(run.train, tuple(steps), run.track, run.pays)


def _nodes(network: Network, tracks: Sequence[Track]) -> list[int] | RouteFault:
    """The nodes that the track passes in order: one more than pieces."""
    first = tracks[0]
    if len(tracks) == 1:
        return list(first.ends)
    start = first.ends[0] if first.ends[1] in tracks[1].ends else first.ends[1]
    nodes = [start]
    before = None
    for track in tracks:
        node = nodes[-1]
        if node not in track.ends:
            code = "crossing" if before is not None and before.hex == track.hex else "not_joined"
            return RouteFault(code, "COMMON-RTE-02", args={"track": track.ref})
        if before is not None and not network.is_stop(node) and before.hex == track.hex:
            return RouteFault("reversing", "COMMON-RTE-02", args={"track": track.ref})
        nodes.append(track.ends[1] if track.ends[0] == node else track.ends[0])
        before = track
    return nodes


def check(setting: Setting, route: Walk) -> list[RouteFault]:
    """All faults of one route by itself."""
    faults = _twice_track(setting.network, route)
    faults += _visits(setting, route)
    faults += _passing(setting, route)
    for rule in setting.rules.checks:
        faults += rule(setting, route)
    return faults


def _spent(network: Network, pieces: Sequence[str]) -> list[NodeId | str]:
    """The track that pieces use up, one entry a use: sides of hexes, and by name pieces between two stops."""
    used: list[NodeId | str] = []
    for ref in pieces:
        used += _sides(network, ref) or [ref]
    return used


def _sides(network: Network, piece: str) -> list[NodeId]:
    """The sides of hexes that a piece meets."""
    number, first = network.numbers.by_ref[piece], network.first_side
    return [end for end in network.goals[2 * number : 2 * number + 2] if end >= first]


def _twice_track(network: Network, route: Walk) -> list[RouteFault]:
    # Two pieces in a row meet at one side: each side is named twice by a route that crosses it once.
    uses = Counter(_spent(network, route.track))
    pieces = Counter(route.track)
    if max(uses.values()) <= 2 and len(pieces) == len(route.track):
        return []
    for ref in route.track:
        if pieces[ref] > 1 or any(uses[side] > 2 for side in _sides(network, ref)):
            return [RouteFault("same_track_twice", "COMMON-RTE-02", args={"track": ref})]
    return []


def _visits(setting: Setting, route: Walk) -> list[RouteFault]:
    """Two different stops, an own station among them, no destination twice (COMMON-RTE-01, COMMON-RTE-03)."""
    faults = []
    if len(route.steps) < 2:
        rule = "RHL-RTE-19" if route.steps[0].ferry else "COMMON-RTE-01"
        faults.append(RouteFault("too_short", rule))
    if route.train not in setting.rules.stationless and not any(stop in setting.own_stops for stop in route.stops):
        faults.append(RouteFault("no_own_station", "COMMON-RTE-01", args={"company": setting.company}))
    seen: set[str] = set()
    for step in route.steps:
        name = setting.passage.destination(step.stops[0])
        if name in seen:
            shared = setting.passage.shared.get(step.stops[0])
            code, rule = (shared.code, shared.rule) if shared else ("same_stop_twice", "COMMON-RTE-03")
            faults.append(RouteFault(code, rule, args={"stop": step.stops[0]}))
        seen.add(name)
    return faults


def _passing(setting: Setting, route: Walk) -> list[RouteFault]:
    """Closed stops, stops that only end a route, blocked cities (COMMON-RTE-04, COMMON-RTE-08, RHL-RTE-16)."""
    passage = setting.passage
    faults: list[RouteFault] = []
    faults += [
        RouteFault("closed", passage.shut[stop], args={"stop": stop}) for stop in route.stops if stop in passage.shut
    ]
    for step in route.steps[1:-1]:
        stop = step.stops[0]
        if any(each in passage.terminal for each in step.stops):
            faults.append(RouteFault("ends_only", "COMMON-RTE-08", args={"stop": stop}))
        elif step.ferry:
            if step.ferry in passage.blocked_ferries:
                faults.append(RouteFault("blocked", passage.blocked_ferries[step.ferry], args={"stop": stop}))
        elif stop in passage.blocked:
            code = "must_cross_rhine" if _may_cross(setting, stop) else "blocked"
            faults.append(RouteFault(code, passage.blocked[stop], args={"stop": stop}))
    return faults


def _may_cross(setting: Setting, stop: str) -> bool:
    network = setting.network
    return any(
        piece in network.crossings and network.pieces[piece].ref not in setting.passage.blocked_ferries
        for piece in network.at[network.stop[stop]]
    )


def shared_track(network: Network, runs: Sequence[Run]) -> list[RouteFault]:
    """Track that two runs use, a junction's common stem included (COMMON-RTE-11)."""
    if len(runs) < 2:
        return []
    faults = []
    owner: dict[NodeId | str, int] = {}
    for number, run in enumerate(runs):
        known = [ref for ref in run.track if network.piece_of(ref) is not None]
        for use in dict.fromkeys(_spent(network, known)):
            other = owner.setdefault(use, number)
            if other != number:
                name = use if isinstance(use, str) else network.side_name(use)
                args: dict[str, str | int] = {"other": other + 1, "track": name}
                faults.append(RouteFault("same_track_twice", "COMMON-RTE-11", number, args))
                break
    return faults
