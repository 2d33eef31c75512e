"""18LRA's trains in numbers, for the search of best runs.

Says in a second way, as numbers by stop, what `route_rules` says as rules; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any

from trajekt.engine.board.track_graph import PieceRef, StopRef
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.runs import Plan, Setting
from trajekt.games.lra.components import HARBOUR, dalheim, kreisbahn, kreisbahn_stops, right_bank

DEC_HELD = "dec"
"""The fact that the company has the marker "20" of the emigrants (LRA-REV-12)."""

WEST, EAST, CAMP, RIGHT, DOCK, FIRST_LOCATION = 1, 2, 4, 8, 16, 5


def plan(setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of one kind of train."""
    board, sheet = setting.board, setting.board.sheet
    train, gkb = sheet.trains[kind], kind == kreisbahn(sheet).train
    value: dict[StopRef, int] = {}
    marks: dict[StopRef, int] = {}
    special = _special(setting)
    coal = steel = 0
    bit = 1 << FIRST_LOCATION
    for at, stops in setting.network.stops_in_hex.items():
        here = special.get(at, 0)
        for icon in {*sheet.hexes[at].face.icons, *board.face(at).icons}:
            if icon in ("K", "S"):
                coal, steel = (coal | bit, steel) if icon == "K" else (coal, steel | bit)
                here |= bit
                bit <<= 1
        if any(s.kind == HARBOUR and s.company == setting.company for s in board.contents(at).stations):
            here |= DOCK
        for stop in stops:
            value[stop.ref] = sheet.value(stop.stop, setting.colour)
            if here:
                marks[stop.ref] = here
    stated: dict[str, Any] = {name: bonus["amount"] for name, bonus in sheet.bonuses.items()}
    docks = any(mark & DOCK for mark in marks.values())
    ferry = _ferries(setting, value)
    return Plan(
        unit=gcd(
            *value.values(),
            *(change for change, _ in ferry.values()),
            *(setting.industry, stated["iron_rhine"], stated["harbour"], stated["dalheim"]),
        ),
        reach=train.reach,
        value=value,
        bonus=_none if gkb else _bonus(coal, steel, setting.industry, stated),
        towns="plus" if gkb else "ends",
        start_among=kreisbahn_stops(sheet) if gkb else frozenset(),
        marks={} if gkb else marks,
        ferry=ferry,
        shares=()
        if gkb
        else (
            (EAST | WEST, stated["iron_rhine"] // 2),
            (CAMP | RIGHT, stated["dalheim"] // 2),
            (coal | steel, setting.industry // 2),
            *(((coal | steel, stated["harbour"]),) if docks else ()),
        ),
        town_limit=train.towns if gkb else None,
    )


def _special(setting: Setting) -> dict[str, int]:
    board, sheet = setting.board, setting.board.sheet
    hexes: Any = sheet.bonuses["iron_rhine"]["hexes"]
    found = {hexes[0]: WEST} | dict.fromkeys(hexes[1:], EAST)
    if DEC_HELD in setting.facts:
        for at in right_bank(board):
            found[at] = found.get(at, 0) | RIGHT
        found[dalheim(sheet)] = found.get(dalheim(sheet), 0) | CAMP
    return found


def _ferries(setting: Setting, value: dict[StopRef, int]) -> dict[PieceRef, tuple[int, int]]:
    """The changes of a city's value by where the ferry to it is used (LRA-RTE-22)."""
    network = setting.network
    found = {}
    for track in network.tracks:
        if track.kind == "ferry":
            city = next(end for end in track.ends if network.is_stop(end))
            lower = setting.board.face(track.hex).ferry_revenue or 0
            found[track.ref] = (lower - value[network.stops[city].ref], 0)
    return found


def _none(_marks: int, _doubled: int) -> int:
    """The 2+4 earns no bonus (LRA-REV-13)."""
    return 0


def _bonus(coal: int, steel: int, industry: int, stated: dict[str, Any]) -> Callable[[int, int], int]:
    """Industry, Iron Rhine, harbour and emigrants by the marks of a route, each sum worked out once."""
    known: dict[int, int] = {0: 0}

    def bonus(marks: int, _doubled: int) -> int:
        total = known.get(marks)
        if total is None:
            mines, mills = (marks & coal).bit_count(), (marks & steel).bit_count()
            total = industry * min(mines, mills, 2)
            total += stated["iron_rhine"] if marks & WEST and marks & EAST else 0
            total += stated["harbour"] * (mines + mills) if marks & DOCK else 0
            total += stated["dalheim"] if marks & CAMP and marks & RIGHT else 0
            known[marks] = total
        return total

    return bonus
