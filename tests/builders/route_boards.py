"""Boards for tests of routes, written as the rule sheet writes them, and tracks written as the hexes they follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.builders.random_positions import sheet
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.track_graph import Network, hex_of
from trajekt.engine.routing.runs import RouteFault, Run, RunResult, Setting
from trajekt.games.rhl.route_editions import COMPAT, FIRST, SECOND
from trajekt.games.rhl.route_rules import route_rules
from trajekt.rules.route_validation import judge

RULES = {"R1": route_rules(FIRST), "R2": route_rules(SECOND), "compat": route_rules(COMPAT)}
EDITION = {"R1": 1, "R2": 2, "compat": 1}

POS_R = (
    "C4 #58 r0; D3 #9 r0; D11 #937 r5; E12 #55 r1; F3 #8 r2; F5 #1 r1; F9 #922; F11 #9 r1; F13 #934 r5; G6 #938 r0; "
    "G8 #8 r1; G10 #2 r2; H5 #9 r0; H11 #8 r0; I10 #923; J3 #69 r0; J9 #9 r0; K4 #4 r1; K8 #8 r1"
)
POS_R_STATIONS = "GVE G6:b; GVE E2:a; DEE F9:b; DEE F13:a; RhE I10:a; RhE K6:a"
POS_R_ICONS = {"C12": "K", "E6": "S"}
POS_M1 = "F9 #922; E8 #1 r2; G10 #2 r2; H11 #8 r0"
POS_M2 = "F9 #921; E8 #1 r2; G10 #2 r2; H11 #8 r0; E10 #8 r0"
POS_M_STATIONS = "CME I10:c; DEE F9:b"


def board(
    rules: str, tiles: str, stations: str = "", icons: Mapping[str, str] | None = None, variants: tuple[str, ...] = ()
) -> Board:
    """Tiles as `"K4 #4 r1; F9 #922"`, stations as `"RhE K6:a; DEE F9:b asleep"`, icons as `{"C12": "K"}`."""
    contents_by_hex: dict[str, HexContents] = {
        at: HexContents(icons=tuple(letters)) for at, letters in (icons or {}).items()
    }
    for entry in filter(None, (part.strip() for part in tiles.split(";"))):
        at, tile, *turn = entry.replace("#", "").split()
        before = contents_by_hex.get(at, HexContents())
        contents_by_hex[at] = HexContents(tile, int(turn[0][1:]) if turn else 0, (), (), before.icons)
    for entry in filter(None, (part.strip() for part in stations.split(";"))):
        company, ref, *asleep = entry.split()
        at, stop = ref.split(":")
        before = contents_by_hex.get(at, HexContents())
        station = Station(company, ord(stop) - ord("a"), asleep=bool(asleep))
        contents_by_hex[at] = HexContents(before.tile, before.rotation, (*before.stations, station), (), before.icons)
    return Board(sheet(EDITION[rules], variants), contents_by_hex)


def setting(rules: str, on: Board, company: str, *trains: str, brown: bool = False) -> Setting:
    colour, industry = ("brown", 40) if brown else ("yellow", 20)
    return Setting(on, company, trains, colour, industry, RULES[rules])


def track(on: Board, text: str) -> tuple[str, ...]:
    """The one track along these hexes. A name with stops, `"F9:ba"`, visits just them in this order; the ends name stops."""
    tokens = text.split()
    hexes = [hex_of(token) for token in tokens]
    stops = [token.partition(":")[2] for token in tokens]
    network = on.network
    start = network.stop[f"{hexes[0]}:{stops[0][0]}"]
    found = list(_follow(network, hexes, stops, 0, start, None, stops[0][0], ()))
    assert len(found) == 1, (text, found)
    return found[0]


def _follow(
    network: Network,
    hexes: list[str],
    stops: list[str],
    place: int,
    node: int,
    last: int | None,
    been: str,
    done: tuple[int, ...],
) -> Iterator[tuple[str, ...]]:
    if place == len(hexes) - 1 and network.is_stop(node) and been == stops[place]:
        yield tuple(network.tracks[piece].ref for piece in done)
        return
    for piece in network.at[node]:
        at = network.tracks[piece].hex
        if piece in done or (last is not None and not network.is_stop(node) and network.tracks[last].hex == at):
            continue
        now, here = place, been
        if at != hexes[place]:
            if network.is_stop(node) or place + 1 == len(hexes) or at != hexes[place + 1]:
                continue
            if stops[place] and been != stops[place]:
                continue
            now, here = place + 1, ""
        to = network.other_end(piece, node)
        if network.is_stop(to):
            here += network.refs[to][-1]
            if stops[now] and not stops[now].startswith(here):
                continue
        yield from _follow(network, hexes, stops, now, to, piece, here, (*done, piece))


def run(on: Board, train: str, text: str, pays: str = "") -> Run:
    return Run(train, track(on, text), tuple(pays.split()))


def revenue(where: Setting, *runs: Run) -> int:
    """The revenue of runs that must be legal."""
    answer = judge(where, runs)
    assert isinstance(answer, RunResult), answer
    assert answer.revenue == sum(route.revenue for route in answer.routes)
    return answer.revenue


def faults(where: Setting, *runs: Run) -> list[tuple[str, str]]:
    """Code and rule id of every fault of runs that must be refused."""
    answer = judge(where, runs)
    assert not isinstance(answer, RunResult), answer
    return [(fault.code, fault.rule) for fault in answer]


def codes(where: Setting, *runs: Run) -> set[str]:
    return {code for code, _ in faults(where, *runs)}


def only(found: Iterable[RouteFault]) -> RouteFault:
    (one,) = found
    return one
