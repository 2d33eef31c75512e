"""18LRA's trains in numbers, for the search of best runs.

Says in a second way, as numbers by stop, what `route_rules` says as rules; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any

from msgspec.structs import replace

from trajekt.engine.board.track_graph import PieceRef, StopRef
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.runs import Plan, Setting
from trajekt.games.lra.components import HARBOUR, dalheim, kreisbahn, kreisbahn_stops, right_bank

DEC_HELD = "dec"
"""The fact that the company has the marker "20" of the emigrants (LRA-REV-12)."""

WEST, EAST, CAMP, RIGHT, DOCK, FIRST_LOCATION = 1, 2, 4, 8, 16, 5


def plan(setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of one kind of train."""
    sheet = setting.board.sheet
    train = sheet.trains[kind]
    value = {stop.ref: sheet.value(stop.stop, setting.colour) for stop in setting.network.stops}
    ferry = _ferries(setting, value)
    marks, coal, steel = _marks(setting)
    stated: dict[str, Any] = {name: bonus["amount"] for name, bonus in sheet.bonuses.items()}
    amounts = setting.industry, stated["iron_rhine"], stated["harbour"], stated["dalheim"]
    found = Plan(
        unit=gcd(*value.values(), *(change for change, _ in ferry.values()), *amounts),
        reach=train.reach,
        value=value,
        bonus=_none,
        ferry=ferry,
    )
    if kind == kreisbahn(sheet).train:
        return replace(found, towns="plus", start_among=kreisbahn_stops(sheet), town_limit=train.towns)
    docks = any(mark & DOCK for mark in marks.values())
    return replace(
        found,
        bonus=_bonus(coal, steel, setting.industry, stated),
        towns="ends",
        marks=marks,
        shares=(
            (EAST | WEST, stated["iron_rhine"] // 2),
            (CAMP | RIGHT, stated["dalheim"] // 2),
            (coal | steel, setting.industry // 2),
            *(((coal | steel, stated["harbour"]),) if docks else ()),
        ),
    )


def _marks(setting: Setting) -> tuple[dict[StopRef, int], int, int]:
    """The marks of the stops that have any, and those that mean a mine or a mill."""
    board, sheet = setting.board, setting.board.sheet
    marks: dict[StopRef, int] = {}
    special = _special(setting)
    industry = {"K": 0, "S": 0}
    bit = 1 << FIRST_LOCATION
    for at, stops in setting.network.stops_in_hex.items():
        here = special.get(at, 0)
        for icon in {*sheet.hexes[at].face.icons, *board.face(at).icons} & industry.keys():
            industry[icon] |= bit
            here |= bit
            bit <<= 1
        if any(s.kind == HARBOUR and s.company == setting.company for s in board.contents(at).stations):
            here |= DOCK
        if here:
            marks.update((stop.ref, here) for stop in stops)
    return marks, industry["K"], industry["S"]


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
    for track in network.tracks.values():
        if track.kind == "ferry":
            city = next(end for end in track.ends if network.is_stop(end))
            lower = setting.board.face(track.hex).ferry_revenue or 0
            found[track.ref] = (lower - value[network.refs[city]], 0)
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
