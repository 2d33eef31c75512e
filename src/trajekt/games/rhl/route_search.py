"""18Rhl's trains in numbers, for the search of best runs.

Says in a second way, as numbers by stop, what `route_rules` says as rules; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import gcd
from typing import NamedTuple

from msgspec.structs import replace

from trajekt.engine.board.board import Board, HexContents
from trajekt.engine.board.track_graph import PieceRef, StopRef, StopsOnMap, stop_ref
from trajekt.engine.components.schema import HexId, Sheet, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import Plan, Setting
from trajekt.games.rhl.city_blocking import icons_under, links, metropolises
from trajekt.games.rhl.route_editions import EASTERN_RUHR, NORTH, SOUTH, VENLO, Choices

EAST, WEST, NORTHERN, SOUTHERN, STONE, FIRST_LOCATION = 1, 2, 4, 8, 16, 5

EXPRESSLY = EAST | WEST | NORTHERN | SOUTHERN  # what the express is paid for


class MapValues(NamedTuple):
    """The numbers of the map for every train of every company: value and marks by stop, and which marks are mines and mills."""

    value: Mapping[StopRef, int]
    marks: Mapping[StopRef, int]
    coal: int
    steel: int


_MAP_VALUES: MemoTable[StopsOnMap, object, MapValues] = MemoTable("rhl map values")
_PARTS: MemoTable[Sheet, object, Part] = MemoTable("rhl parts")
_PLANS: MemoTable[StopsOnMap, object, Plan] = MemoTable("rhl plans")


def _beside_stops(board: Board) -> tuple[object, ...]:
    """All on a board that the numbers of its stops hang on but the stops: links to the Eastern Ruhr, location tokens."""
    icons = [(at, contents.icons) for at, contents in board.contents_by_hex.items() if contents.icons]
    return links(board), *icons


def _map_values(setting: Setting, *, mines_stay: bool) -> MapValues:
    """The numbers of the map, kept with its stops; the western end of the Iron Rhine has no mark yet."""
    key = (setting.colour, mines_stay, _beside_stops(setting.board))
    return _MAP_VALUES.get(setting.network.on_map, key, lambda: _read(setting, mines_stay=mines_stay))


def _read(setting: Setting, *, mines_stay: bool) -> MapValues:
    board, sheet, colour = setting.board, setting.board.sheet, setting.colour
    east = sheet.areas[EASTERN_RUHR].value_by_links.get(links(board), 0)
    value: dict[StopRef, int] = {}
    marks: dict[StopRef, int] = {}
    masks = {"K": 0, "S": 0}
    bit = 1 << FIRST_LOCATION
    known = _PARTS.of(sheet)
    for at in setting.network.stops_in_hex:
        contents = board.contents(at)
        key = (colour, mines_stay, at, contents.tile, contents.rotation, contents.icons)
        part = known.get(key)
        if part is None:
            part = known[key] = _part(sheet, at, contents, colour, mines_stay=mines_stay)
        value.update(part.value)
        if part.plain:
            continue
        here = part.marks
        for icon in part.icons:
            masks[icon] |= bit
            here |= bit
            bit <<= 1
        for ref, icons in part.stops:
            own = here
            for icon in icons:
                masks[icon] |= bit
                own |= bit
                bit <<= 1
            if ref in part.east:
                own |= EAST
                value[ref] = east
            if own:
                marks[ref] = own
    return MapValues(value, marks, masks["K"], masks["S"])


class Part(NamedTuple):
    """The numbers of one hex: values, marks but for those of locations, mines and mills of the hex and of each stop.

    `east` are its stops in the Eastern Ruhr; `plain`: nothing but values.
    """

    value: Mapping[StopRef, int]
    marks: int
    icons: tuple[str, ...]
    stops: tuple[tuple[StopRef, tuple[str, ...]], ...]
    east: frozenset[StopRef]
    plain: bool


def _part(sheet: Sheet, at: HexId, contents: HexContents, colour: str, *, mines_stay: bool) -> Part:
    """The numbers of a hex for all boards on which this lies there, so that the components store it."""
    printed, face = sheet.hexes[at].face, sheet.rotated[contents.tile, contents.rotation] if contents.tile else None
    lies = face or printed
    here = NORTHERN if at in NORTH else SOUTHERN if at in SOUTH else 0
    here |= STONE if "limestone" in printed.icons else 0
    below = icons_under(sheet, lies) if mines_stay else set()
    icons = _industry((*{*printed.icons, *lies.icons, *below}, *contents.icons))
    stops = tuple((stop_ref(at, index), _industry(stop.icons)) for index, stop in enumerate(lies.stops))
    value = {stop_ref(at, index): sheet.value(stop, colour) for index, stop in enumerate(lies.stops)}
    east = frozenset(stop_ref(at, n) for n, stop in enumerate(lies.stops) if stop.group == EASTERN_RUHR)
    plain = not (here or icons or east or any(own for _, own in stops))
    return Part(value, here, icons, stops, east, plain)


def _industry(icons: Iterable[str]) -> tuple[str, ...]:
    """The mines and mills among icons."""
    return tuple(icon for icon in icons if icon in ("K", "S"))


def plan(choices: Choices, setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of one kind of train (section 10 and 11 of the rule sheet).

    Kept with the stops: all kinds but the express differ only in their reach, and companies by who has the western end.
    """
    express, west_taken = kind == choices.express.train, _west_taken(choices, setting)
    table = _PLANS.of(setting.network.on_map)
    key = (express, west_taken, setting.colour, setting.industry, setting.rules, _beside_stops(setting.board))
    found = table.get(key)
    if found is None:
        found = table[key] = _plan(choices, setting, kind, express=express, west_taken=west_taken)
    reach = setting.board.sheet.trains[kind].reach
    return found if found.reach == reach else replace(found, reach=reach)


def _plan(choices: Choices, setting: Setting, kind: TrainKind, *, express: bool, west_taken: bool) -> Plan:
    network = setting.network
    value, marks, coal, steel = _map_values(setting, mines_stay=choices.mines_stay)
    if not west_taken:
        west = {stop.ref: marks.get(stop.ref, 0) | WEST for stop in network.stops_in_hex.get(choices.west, ())}
        marks = {**marks, **west}
    ferry = _ferries(setting, value, express=express)
    plan = Plan(
        unit=gcd(*value.values(), *(change for change, _ in ferry.values()), setting.industry, choices.limestone, 80),
        reach=setting.board.sheet.trains[kind].reach,
        value=value,
        bonus=_bonus(coal, steel, setting.industry, choices.limestone),
        towns="ends" if choices.town_ends else "free",
        keeps_ends=choices.express.keeps_ends,
        marks=marks,
        ferry=ferry,
        needs=((WEST, EAST),) if choices.west_only else (),
        shared={stop.ref: stop.stop.group for stop in network.stops if stop.stop.group in choices.apart},
        shares=((EAST | WEST, 40), (coal | steel, setting.industry // 2), (STONE, choices.limestone)),
    )
    return _express_plan(choices, setting, plan) if express else plan


def _express_plan(choices: Choices, setting: Setting, plan: Plan) -> Plan:
    """The plan of an express beside that of other trains: towns count nothing, and both banks of the Rhine pay twice."""
    board, in_hex, rules = setting.board, setting.network.stops_in_hex, choices.express
    venlo = frozenset(stop.ref for stop in in_hex.get(VENLO, ()))
    shut = frozenset(stop.ref for stop in setting.network.stops if rules.closes(stop.hex, board.face(stop.hex).colour))
    rhine = metropolises(board.sheet.bonuses)
    borders = (NORTH, SOUTH) if rules.onward else ()
    return replace(
        plan,
        bonus=_express_bonus,
        towns="ignored",
        skips=rules.skips,
        shut=shut if rules.venlo_ends else shut | venlo,
        unpassed=venlo,
        start_among=frozenset(stop.ref for at in rules.starts for stop in in_hex.get(at, ())),
        doubled={stop.ref: plan.value[stop.ref] for at in rhine for stop in in_hex.get(at, ())},
        marks={ref: mark & EXPRESSLY for ref, mark in plan.marks.items()},
        shared={stop.ref: border[0] for border in borders for at in border for stop in in_hex.get(at, ())},
        shares=((EAST | WEST, 40),),
    )


def _west_taken(choices: Choices, setting: Setting) -> bool:
    """Tell whether the western end is reserved for one who has a station there, and that is another."""
    return choices.west_reserved and any(
        station.company != setting.company and not station.asleep
        for station in setting.board.contents(choices.west).stations
    )


def _ferries(setting: Setting, value: Mapping[StopRef, int], *, express: bool) -> dict[PieceRef, tuple[int, int]]:
    """The changes of a metropolis's value by where the ferry is used, and its doubled value with it."""
    found = {}
    network = setting.network
    for number in network.crossings:  # every ferry of this map runs between two banks
        piece = network.pieces[number]
        lower = setting.board.face(piece.hex).ferry_revenue or 0
        change = lower - value[network.refs[network.goals[2 * number + 1]]]
        found[piece.ref] = (change, change if express else 0)
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
