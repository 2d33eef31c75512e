"""Route rules and revenue of 18LRA, as the judge sees them (sections 10 and 11 of the rule sheet)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trajekt.engine.board.board import Board
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.track_graph import StopRef, hex_of
from trajekt.engine.components.schema import CompanyId, HexId, Stop
from trajekt.engine.routing.runs import Bonus, PaidStop, RouteFault, RouteRules, Setting, Step, Walk
from trajekt.engine.state import State
from trajekt.games.lra.city_blocking import passage, strict_passage
from trajekt.games.lra.components import HARBOUR, dalheim, kreisbahn, kreisbahn_stops, right_bank
from trajekt.games.lra.route_search import DEC_HELD, plan

DEC = "dec"
"""The mark of the position that names the corporation with the marker "20" (LRA-REV-12)."""


def stop_at(setting: Setting, ref: StopRef) -> Stop:
    """The stop as printed."""
    network = setting.network
    return network.stop_at[network.stop[ref]].stop


def is_town(setting: Setting, step: Step) -> bool:
    """Tell whether a visit is of a town."""
    return stop_at(setting, step.stops[0]).kind == "town"


def is_kreisbahn(setting: Setting, route: Walk) -> bool:
    """Tell whether the train is the 2+4 of the Geldernsche Kreisbahn."""
    return route.train == kreisbahn(setting.board.sheet).train


# Checks --------------------------------------------------------------------------------------------------------------


def length(setting: Setting, route: Walk) -> list[RouteFault]:
    """Cities and areas always count, a town only as an end; no stop is left out (COMMON-RTE-06, COMMON-RTE-07)."""
    reach = setting.board.sheet.trains[route.train].reach
    last = len(route.steps) - 1
    counted = sum(not is_town(setting, step) or place in (0, last) for place, step in enumerate(route.steps))
    args: dict[str, str | int] = {"train": route.train, "reach": reach, "counted": counted}
    if route.pays:
        return [RouteFault("leaves_out", "COMMON-RTE-07", args=args)]
    if is_kreisbahn(setting, route) or counted <= reach:
        return []
    return [RouteFault("too_long", "COMMON-RTE-07", args=args)]


def of_the_kreisbahn(setting: Setting, route: Walk) -> list[RouteFault]:
    """The 2+4 visits its station, at most one more city or area and at most four towns (LRA-RTE-23)."""
    if not is_kreisbahn(setting, route):
        return []
    sheet = setting.board.sheet
    train = sheet.trains[route.train]
    towns = sum(is_town(setting, step) for step in route.steps)
    faults = []
    if not kreisbahn_stops(sheet) & set(route.stops):
        faults.append(RouteFault("no_own_station", "LRA-RTE-23", args={"company": route.train}))
    for counted, reach in ((len(route.steps) - towns, train.reach), (towns, train.towns)):
        if counted > reach:
            args: dict[str, str | int] = {"train": route.train, "reach": reach, "counted": counted}
            faults.append(RouteFault("too_long", "LRA-RTE-23", args=args))
    return faults


# Stops as paid -------------------------------------------------------------------------------------------------------


def pay(setting: Setting, route: Walk) -> tuple[PaidStop, ...]:
    """The values of the stops by phase; the lower value of a Rhine tile whose ferry is used (LRA-RTE-22)."""
    board, network = setting.board, setting.network
    tracks = (network.tracks[network.piece[ref]] for ref in route.track)
    crossed = {track.hex for track in tracks if track.kind == "ferry"}
    paid = []
    for step in route.steps:
        at = hex_of(step.stops[0])
        lower = board.face(at).ferry_revenue if at in crossed else None
        amount = board.sheet.value(stop_at(setting, step.stops[0]), setting.colour) if lower is None else lower
        paid.append(PaidStop(step.stops[0], amount, lower is not None))
    return tuple(paid)


# Bonuses -------------------------------------------------------------------------------------------------------------


def hexes_of(route: Walk) -> tuple[HexId, ...]:
    """The hexes of the stops of a route."""
    return tuple(dict.fromkeys(hex_of(stop) for stop in route.stops))


def locations(setting: Setting, route: Walk) -> tuple[int, int]:
    """Coal mines and steel mills on a route: printed on hex or tile, each hex's once (LRA-REV-07)."""
    board, found = setting.board, {"K": 0, "S": 0}
    for at in hexes_of(route):
        for icon in {*board.sheet.hexes[at].face.icons, *board.face(at).icons}:
            if icon in found:
                found[icon] += 1
    return found["K"], found["S"]


def amount_of(setting: Setting, bonus: str) -> int:
    """The amount of a bonus as printed, in Mark."""
    stated: Any = setting.board.sheet.bonuses[bonus]["amount"]
    assert isinstance(stated, int)
    return stated


def industry(setting: Setting, route: Walk) -> list[Bonus]:
    """Coal and steel, doubled for two of each (COMMON-REV-04)."""
    pairs = min(*locations(setting, route), 2)
    return [Bonus("COMMON-REV-04", "industry", pairs * setting.industry)] if pairs else []


def iron_rhine(setting: Setting, route: Walk) -> list[Bonus]:
    """Antwerpen with Oberhausen or Essen in one route (COMMON-REV-08)."""
    hexes: Any = setting.board.sheet.bonuses["iron_rhine"]["hexes"]
    west, *east = hexes
    here = hexes_of(route)
    if west in here and any(at in here for at in east):
        return [Bonus("COMMON-REV-08", "iron_rhine", amount_of(setting, "iron_rhine"))]
    return []


def harbour(setting: Setting, route: Walk) -> list[Bonus]:
    """By the corporation's own harbour station each mine and mill of the route pays once more (LRA-REV-11)."""
    own = any(
        station.kind == HARBOUR and station.company == setting.company
        for at in hexes_of(route)
        for station in setting.board.contents(at).stations
    )
    count = sum(locations(setting, route))
    return [Bonus("LRA-REV-11", "harbour", count * amount_of(setting, "harbour"))] if own and count else []


def emigrants(setting: Setting, route: Walk) -> list[Bonus]:
    """Dalheim and a stop on the right bank, for the corporation with the marker (LRA-REV-12)."""
    here = hexes_of(route)
    if DEC_HELD not in setting.facts or dalheim(setting.board.sheet) not in here:
        return []
    if not any(at in here for at in right_bank(setting.board)):
        return []
    return [Bonus("LRA-REV-12", "dalheim", amount_of(setting, "dalheim"))]


def bonuses(setting: Setting, route: Walk) -> list[Bonus]:
    """All bonuses of a route; the 2+4 earns none (LRA-REV-13)."""
    if is_kreisbahn(setting, route):
        return []
    terms = (industry, iron_rhine, harbour, emigrants)
    return [bonus for term in terms for bonus in term(setting, route)]


# The rules put together ----------------------------------------------------------------------------------------------


def facts(state: State, company: CompanyId) -> tuple[str, ...]:
    """The facts that routes depend on besides the board: who has the marker of the emigrants."""
    return (DEC_HELD,) if state.marks.get(DEC) == company else ()


def route_rules(passing: Callable[[Board, CompanyId], Passage] = passage, kreisbahn_train: str = "2+4") -> RouteRules:
    """The rules on routes of 18LRA."""
    return RouteRules(
        passage=passing,
        checks=(length, of_the_kreisbahn),
        pay=pay,
        bonuses=(bonuses,),
        plan=plan,
        stationless=frozenset((kreisbahn_train,)),
        facts=facts,
    )


ROUTES = route_rules()
ONE_STOP_A_HEX = route_rules(strict_passage)
"""As the strict letter of EN 6.2.3 has it (OQ-22)."""
