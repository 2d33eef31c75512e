"""Route rules and revenue of 18Rhl, as the judge sees them.

Sections 10 and 11 of the rule sheet. An edition is a `Choices` value; nothing here asks which edition is played.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from msgspec.structs import replace

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.track_graph import StopRef, hex_of
from trajekt.engine.components.schema import CompanyId, Stop
from trajekt.engine.routing.runs import Bonus, PaidStop, RouteFault, RouteRules, Setting, Step, Walk
from trajekt.games.rhl.city_blocking import RhinePassage, icons_under, links, metropolises, passage
from trajekt.games.rhl.route_editions import EASTERN_RUHR, NORTH, SOUTH, VENLO, Choices
from trajekt.games.rhl.route_search import plan

# Checks


def stop_at(setting: Setting, ref: StopRef) -> Stop:
    """The stop as printed."""
    network = setting.network
    return network.stop_at[network.stop[ref]].stop


def is_town(setting: Setting, step: Step) -> bool:
    """Tell whether a visit is one of a town."""
    return stop_at(setting, step.stops[0]).kind == "town"


def is_express(choices: Choices, route: Walk) -> bool:
    """Tell whether the Rheingold-Express runs it."""
    return route.train == choices.express.train


def counted(choices: Choices, setting: Setting, route: Walk) -> list[Step]:
    """The visits that count for length: cities and off-board areas, and a town at an end (COMMON-RTE-06)."""
    last = len(route.steps) - 1
    town_ends = choices.town_ends and not is_express(choices, route)
    return [
        step
        for place, step in enumerate(route.steps)
        if not is_town(setting, step) or (town_ends and place in (0, last))
    ]


def ends(choices: Choices, setting: Setting, route: Walk) -> list[RouteFault]:
    """Refuse an end at a town: in the first edition (RHL-RTE-05), and for the express (RHL-RTE-20, RHL-RTE-21)."""
    if is_express(choices, route):
        rule = choices.express.rule
    elif choices.town_ends:
        return []
    else:
        rule = "RHL-RTE-05"
    towns = [step for step in (route.steps[0], route.steps[-1]) if is_town(setting, step)]
    return [RouteFault("ends_at_town", rule, args={"stop": step.stops[0]}) for step in towns[:1]]


def length(choices: Choices, setting: Setting, route: Walk) -> list[RouteFault]:
    """At most as many counted stops as the train's number, none left out but by R1's express (COMMON-RTE-06, -07)."""
    reach = setting.board.sheet.trains[route.train].reach
    visits = counted(choices, setting, route)
    args: dict[str, str | int] = {"train": route.train, "reach": reach, "counted": len(visits)}
    if is_express(choices, route) and choices.express.skips:
        return _paying(choices, route, visits, reach, args)
    if route.pays:
        return [RouteFault("leaves_out", "COMMON-RTE-07", args=args)]
    if len(visits) > reach:
        rule = choices.express.rule if is_express(choices, route) else "COMMON-RTE-07"
        return [RouteFault("too_long", rule, args=args)]
    return []


def _paying(
    choices: Choices, route: Walk, visits: list[Step], reach: int, args: dict[str, str | int]
) -> list[RouteFault]:
    """The stops named as paying: of this route, at most eight, the first and last among them (RHL-RTE-20)."""
    rule = choices.express.rule
    if not route.pays:
        return [RouteFault("too_long", rule, args=args)] if len(visits) > reach else []
    named = [step for step in visits if any(stop in route.pays for stop in step.stops)]
    if len(named) != len(route.pays):
        return [RouteFault("pays_elsewhere", rule, args=args)]
    if len(named) > reach:
        return [RouteFault("too_long", rule, args={**args, "counted": len(named)})]
    if choices.express.keeps_ends and not (visits[0] in named and visits[-1] in named):
        return [RouteFault("ends_must_pay", rule, args=args)]
    return []


def express(choices: Choices, setting: Setting, route: Walk) -> list[RouteFault]:
    """Places where the Rheingold-Express may run (RHL-RTE-20 in the first edition, RHL-RTE-21 in the second)."""
    if not is_express(choices, route):
        return []
    said = choices.express
    faults = []
    hexes = [hex_of(step.stops[0]) for step in route.steps]
    if hexes[0] not in said.starts and hexes[-1] not in said.starts:
        faults.append(RouteFault("express_start", said.rule, args={"hexes": ", ".join(said.starts)}))
    for place, at in enumerate(hexes):
        inside = 0 < place < len(hexes) - 1
        if at == VENLO and (inside or not said.venlo_ends):
            faults.append(RouteFault("not_by_express", said.rule, args={"hex": at}))
        if said.closes(at, setting.board.face(at).colour):
            faults.append(RouteFault("other_red_hex", said.rule, args={"hex": at}))
    if said.onward and any({hexes[0], hexes[-1]} <= set(border) for border in (NORTH, SOUTH)):
        faults.append(RouteFault("other_red_hex", said.rule, args={"hex": hexes[-1]}))
    return faults


def antwerp(choices: Choices, setting: Setting, route: Walk) -> list[RouteFault]:
    """Antwerpen is on a route only with the Iron Rhine bonus (RHL-REV-09)."""
    if (
        choices.west_only
        and any(hex_of(stop) == choices.west for stop in route.stops)
        and not iron(choices, setting, route)
    ):
        return [RouteFault("antwerp_only_iron_rhine", "RHL-REV-09", args={"hex": choices.west})]
    return []


def apart(choices: Choices, setting: Setting, route: Walk) -> list[RouteFault]:
    """Areas that only some trains must take for one stop (CMP-27)."""
    if is_express(choices, route):
        return []
    groups = [stop_at(setting, stop).group for stop in route.stops]
    return [
        RouteFault("same_area", "RHL-RTE-09", args={"stop": route.stops[-1]})
        for group in choices.apart
        if groups.count(group) > 1
    ]


# Stops as paid


def pay(choices: Choices, setting: Setting, route: Walk) -> tuple[PaidStop, ...]:
    """The values of the stops: by phase, Eastern Ruhr by links, a ferry its lower figure; towns nothing to the express."""
    paid = []
    for step in route.steps:
        if is_express(choices, route) and is_town(setting, step):
            continue
        out = bool(route.pays) and not any(stop in route.pays for stop in step.stops)
        amount = 0 if out else value(setting, step)
        paid.append(PaidStop(step.stops[0], amount, bool(step.ferry), out))
    return tuple(paid)


def value(setting: Setting, step: Step) -> int:
    """The value of one visit in Mark (COMMON-REV-01, RHL-REV-02, RHL-RTE-15)."""
    board = setting.board
    stop = stop_at(setting, step.stops[0])
    if stop.group == EASTERN_RUHR:
        return board.sheet.areas[EASTERN_RUHR].value_by_links.get(links(board), 0)
    if step.ferry:
        lower = board.face(hex_of(step.ferry)).ferry_revenue
        assert lower is not None, step
        return lower
    return board.sheet.value(stop, setting.colour)


# Bonuses


def locations(choices: Choices, setting: Setting, route: Walk) -> tuple[int, int]:
    """Coal mines and steel mills on a route (RHL-REV-05): each hex's once, and that of the link used."""
    board, found = setting.board, {"K": 0, "S": 0}
    for at in dict.fromkeys(hex_of(stop) for stop in route.stops):
        icons = {*board.sheet.hexes[at].face.icons, *board.face(at).icons}
        icons |= icons_under(board.sheet, board.face(at)) if choices.mines_stay else set()
        for icon in (*icons, *board.contents(at).icons):
            if icon in found:
                found[icon] += 1
    for stop in route.stops:
        for icon in stop_at(setting, stop).icons:
            if icon in found:
                found[icon] += 1
    return found["K"], found["S"]


def industry(choices: Choices, setting: Setting, route: Walk) -> list[Bonus]:
    """Coal and steel, doubled for two of each (COMMON-REV-04), never for the express (RHL-REV-06)."""
    if is_express(choices, route):
        return []
    pairs = min(*locations(choices, setting, route), 2)
    return [Bonus("COMMON-REV-04", "industry", pairs * setting.industry)] if pairs else []


def iron(choices: Choices, setting: Setting, route: Walk) -> bool:
    """Tell whether a route earns the Iron Rhine bonus (COMMON-REV-08, RHL-TOK-08)."""
    east = any(stop_at(setting, stop).group == EASTERN_RUHR for stop in route.stops)
    west = any(hex_of(stop) == choices.west for stop in route.stops)
    stations = setting.board.contents(choices.west).stations
    taken = any(station.company != setting.company and not station.asleep for station in stations)
    return east and west and not (choices.west_reserved and taken)


def iron_rhine(choices: Choices, setting: Setting, route: Walk) -> list[Bonus]:
    """The bonus of the Iron Rhine (COMMON-REV-08)."""
    return [Bonus("COMMON-REV-08", "iron_rhine", 80)] if iron(choices, setting, route) else []


def rheingold(choices: Choices, setting: Setting, route: Walk) -> list[Bonus]:
    """From Nijmegen or Arnhem to Basel or Frankfurt every metropolis counts twice (RHL-REV-10)."""
    both = {hex_of(route.steps[0].stops[0]), hex_of(route.steps[-1].stops[0])}
    if not (is_express(choices, route) and both & {*NORTH} and both & {*SOUTH}):
        return []
    rhine = metropolises(setting.board.sheet.bonuses)
    again = sum(stop.amount for stop in pay(choices, setting, route) if hex_of(stop.stop) in rhine)
    return [Bonus("RHL-REV-10", "rheingold", again)] if again else []


def limestone(choices: Choices, setting: Setting, route: Walk) -> list[Bonus]:
    """Limestone for the mills: a route with the limestone hex and a steel mill (RHL-RAT-03)."""
    hexes = setting.board.sheet.hexes
    there = any("limestone" in hexes[hex_of(stop)].face.icons for stop in route.stops)
    if is_express(choices, route) or not there or not locations(choices, setting, route)[1]:
        return []
    return [Bonus("RHL-RAT-03", "limestone", choices.limestone)]


# The rules put together


@cache
def route_rules(choices: Choices) -> RouteRules:
    """The rules on routes of an edition of 18Rhl; the same object for the same choices, since answers are kept by it."""
    return RouteRules(
        passage=_passage(choices.rhine),
        building=_passage(replace(choices.rhine, places=False)) if choices.rhine.places else None,
        checks=tuple(partial(rule, choices) for rule in (ends, length, express, antwerp, apart)),
        pay=partial(pay, choices),
        bonuses=tuple(partial(rule, choices) for rule in (industry, iron_rhine, rheingold, limestone)),
        plan=partial(plan, choices),
        must_run=choices.must_run,
    )


def _passage(rhine: RhinePassage) -> Callable[[Board, CompanyId], Passage]:
    return lambda board, company: passage(board, company, rhine)
