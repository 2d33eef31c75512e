"""18Rhl's trains in numbers, for the search of best runs.

Says in a second way, as numbers by stop, what `route_rules` says as rules; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from trajekt.engine.network import PieceRef, StopRef
from trajekt.engine.runs import Plan, Setting
from trajekt.engine.sheet import TrainKind
from trajekt.games.rhl.rhine import links, metropolises
from trajekt.games.rhl.route_choices import EASTERN_RUHR, NORTH, SOUTH, VENLO, Choices

EAST, WEST, NORTHERN, SOUTHERN, STONE, FIRST_LOCATION = 1, 2, 4, 8, 16, 5


class Ground(NamedTuple):
    """What the map says to every train of every company: value and marks by stop, and which marks are mines and mills."""

    value: Mapping[StopRef, int]
    marks: Mapping[StopRef, int]
    coal: int
    steel: int


def _ground(setting: Setting) -> Ground:
    """The numbers of the map, kept on the board; the western end of the Iron Rhine has no mark yet."""
    memo: dict[object, Ground] = setting.board.__dict__.setdefault("plans", {})
    found = memo.get(setting.colour)
    if found is None:
        found = memo[setting.colour] = _read(setting)
    return found


def _read(setting: Setting) -> Ground:
    board, sheet = setting.board, setting.board.sheet
    east = sheet.areas[EASTERN_RUHR].value_by_links.get(links(board), 0)
    value: dict[StopRef, int] = {}
    marks: dict[StopRef, int] = {}
    coal = steel = 0
    bit = 1 << FIRST_LOCATION
    special = dict.fromkeys(NORTH, NORTHERN) | dict.fromkeys(SOUTH, SOUTHERN)
    for at, stops in setting.network.stops_in_hex.items():
        printed, face, ground = sheet.hexes[at].face, board.face(at), board.ground(at)
        here = special.get(at, 0)
        here |= STONE if "limestone" in printed.icons else 0
        icons = [*{*printed.icons, *face.icons}, *ground.icons]
        for icon in icons:
            if icon in ("K", "S"):
                coal, steel = (coal | bit, steel) if icon == "K" else (coal, steel | bit)
                here |= bit
                bit <<= 1
        for stop in stops:
            own = here
            for icon in stop.stop.icons:
                if icon in ("K", "S"):
                    coal, steel = (coal | bit, steel) if icon == "K" else (coal, steel | bit)
                    own |= bit
                    bit <<= 1
            if stop.stop.group == EASTERN_RUHR:
                own |= EAST
                value[stop.ref] = east
            else:
                value[stop.ref] = sheet.value(stop.stop, setting.colour)
            if own:
                marks[stop.ref] = own
    return Ground(value, marks, coal, steel)


def plan(choices: Choices, setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of one kind of train (section 10 and 11 of the rule sheet)."""
    board, sheet, network = setting.board, setting.board.sheet, setting.network
    express = kind == choices.express.train
    value, marks, coal, steel = _ground(setting)
    west_taken = choices.west_reserved and any(
        station.company != setting.company and not station.asleep for station in board.ground(choices.west).stations
    )
    if not west_taken:
        west = {stop.ref: marks.get(stop.ref, 0) | WEST for stop in network.stops_in_hex.get(choices.west, ())}
        marks = {**marks, **west}
    doubled: dict[StopRef, int] = {}
    shut: set[StopRef] = set()
    shared: dict[StopRef, str] = {}
    if express:
        rhine = metropolises(sheet.bonuses)
        doubled = {stop.ref: value[stop.ref] for at in rhine for stop in network.stops_in_hex.get(at, ())}
        if not choices.express.red:
            shut = {
                stop.ref
                for stop in network.stops
                if board.face(stop.hex).colour == "red" and stop.hex not in (*NORTH, *SOUTH)
            }
    else:
        shared = {stop.ref: stop.stop.group for stop in network.stops if stop.stop.group in choices.apart}
    venlo = {stop.ref for stop in setting.network.stops_in_hex.get(VENLO, ())} if express else set()
    if not choices.express.venlo_ends:
        shut |= venlo
    return Plan(
        reach=sheet.trains[kind].reach,
        value=value,
        bonus=_express_bonus if express else _bonus(coal, steel, setting.industry, choices.limestone),
        towns="ignored" if express else "ends" if choices.town_ends else "free",
        skips=express and choices.express.skips,
        keeps_ends=choices.express.keeps_ends,
        shut=frozenset(shut),
        unpassed=frozenset(venlo),
        start_among=frozenset(
            stop.ref for at in choices.express.starts for stop in setting.network.stops_in_hex.get(at, ())
        )
        if express
        else frozenset(),
        doubled=doubled,
        marks=marks,
        ferry=_ferries(setting, value, express=express),
        needs=((WEST, EAST),) if choices.west_only else (),
        shared=shared,
        shares=((EAST | WEST, 40),)
        if express
        else ((EAST | WEST, 40), (coal | steel, setting.industry // 2), (STONE, choices.limestone)),
    )


def _ferries(setting: Setting, value: Mapping[StopRef, int], *, express: bool) -> dict[PieceRef, tuple[int, int]]:
    """What the value of a metropolis changes by where the ferry is used, and its doubled value with it."""
    found = {}
    for track in setting.network.tracks:
        if track.kind == "ferry":
            lower = setting.board.face(track.hex).ferry_revenue or 0
            change = lower - value[setting.network.stops[track.ends[0]].ref]
            found[track.ref] = (change, change if express else 0)
    return found


def _bonus(coal: int, steel: int, industry: int, limestone: int) -> Callable[[int, int], int]:
    """Industry, Iron Rhine and limestone by the marks of a route, each sum worked out once."""
    known: dict[int, int] = {0: 0}

    def bonus(marks: int, doubled: int) -> int:
        total = known.get(marks)
        if total is None:
            mills = (marks & steel).bit_count()
            total = industry * min((marks & coal).bit_count(), mills, 2)
            total += 80 if marks & EAST and marks & WEST else 0
            total += limestone if marks & STONE and mills else 0
            known[marks] = total
        return total

    return bonus


def _express_bonus(marks: int, doubled: int) -> int:
    total = 80 if marks & EAST and marks & WEST else 0
    return total + (doubled if marks & NORTHERN and marks & SOUTHERN else 0)
