"""Routes and revenue of 18Ruhr (sections 12 and 13 of the rule sheet), for judge and search."""

from __future__ import annotations

from functools import partial
from math import gcd
from typing import Any

from trajekt.engine.board.track_graph import StopAt, hex_of
from trajekt.engine.components.schema import HexId, TrainKind
from trajekt.engine.routing.runs import Bonus, PaidStop, Plan, RouteFault, RouteRules, Setting, Walk
from trajekt.games.ruhr.city_blocking import passage
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.state import value_at

LINKED = 10


# Length --------------------------------------------------------------------------------------------------------------


def length(setting: Setting, route: Walk) -> list[RouteFault]:
    """At most n cities and off-boards, and n towns plus what it falls short of (RUHR-ROUTE-02, RUHR-ROUTE-07)."""
    if route.pays:
        return [RouteFault("leaves_out", "RUHR-ROUTE-03")]
    train = setting.board.sheet.trains[route.train]
    kinds = [at_stop(setting, step.stops[0]).stop.kind for step in route.steps]
    cities = sum(kind != "town" for kind in kinds)
    args: dict[str, str | int] = {"train": route.train, "reach": train.reach, "counted": cities}
    if cities > train.reach or len(kinds) > train.reach + train.towns:
        return [RouteFault("too_long", "RUHR-ROUTE-02", args=args)]
    return []


def at_stop(setting: Setting, ref: str) -> StopAt:
    """A stop by its reference."""
    return setting.network.stop_at[setting.network.stop[ref]]


# Revenue -------------------------------------------------------------------------------------------------------------


def location_value(setting: Setting, at: HexId) -> int:
    """The value that the location marker on a hex adds to a route, in Mark (RUHR-REV-01)."""
    return max(0, value_at(setting.board.contents(at).icons))


def times(setting: Setting, kind: TrainKind) -> int:
    """The number of times that a train counts off-boards (RUHR-REV-04)."""
    return 2 if setting.board.sheet.trains[kind].own.get("offboards_double") else 1


def pays_for_links(setting: Setting, at: HexId) -> tuple[int, str]:
    """Mark for each linked company on the route, and the industry that counts; 0 elsewhere (RUHR-REV-03)."""
    found: Any = setting.board.sheet.hexes[at].own.get("pays_for_links", {})
    return found.get("amount", 0), found.get("industry", "")


def linked_on(setting: Setting, hexes: list[HexId], industry: str) -> int:
    """The linked Montan companies of an industry (empty: any) on these hexes."""
    known = ruhr_components(setting.board.sheet)
    return sum(
        location_value(setting, at) >= LINKED
        and (not industry or known.charters[str(known.mine_at[at])].industry == industry)
        for at in hexes
        if at in known.mine_at
    )


def pay(setting: Setting, route: Walk) -> tuple[PaidStop, ...]:
    """The values of the stops: off-boards by phase, Wesel and Der Eiserne Rhein by links, twice for a type 8 (RUHR-REV-02)."""
    hexes = [hex_of(step.stops[0]) for step in route.steps]
    paid = []
    for step in route.steps:
        ref = step.stops[0]
        stop = at_stop(setting, ref)
        amount = setting.board.sheet.value(stop.stop, setting.colour)
        each, industry = pays_for_links(setting, stop.hex)
        if each:
            amount = each * linked_on(setting, hexes, industry)
        paid.append(PaidStop(ref, amount * (times(setting, route.train) if stop.stop.kind == "offboard" else 1)))
    return tuple(paid)


def locations(setting: Setting, route: Walk) -> list[Bonus]:
    """The location markers of the Montan companies on the route (RUHR-REV-01)."""
    amount = sum(location_value(setting, hex_of(step.stops[0])) for step in route.steps)
    return [Bonus("RUHR-REV-01", "locations", amount)] if amount else []


# The same in numbers, for the search -----------------------------------------------------------------------------------


def plan(setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of one kind of train: a bit for each linked company, one for each off-board that counts them."""
    sheet, known = setting.board.sheet, ruhr_components(setting.board.sheet)
    train, factor = sheet.trains[kind], times(setting, kind)
    value: dict[str, int] = {}
    marks: dict[str, int] = {}
    counting: list[tuple[int, int, str]] = []
    industries: dict[str, int] = {}
    bit = 1
    for stop in setting.network.stops:
        printed = sheet.value(stop.stop, setting.colour)
        if stop.stop.kind == "offboard":
            value[stop.ref] = printed * factor
            each, industry = pays_for_links(setting, stop.hex)
            if each:
                counting.append((bit, each * factor, industry))
                marks[stop.ref] = bit
                bit <<= 1
            continue
        worth = location_value(setting, stop.hex)
        value[stop.ref] = printed + worth
        if worth >= LINKED:
            industry = known.charters[str(known.mine_at[stop.hex])].industry
            industries[industry] = industries.get(industry, 0) | bit
            marks[stop.ref] = bit
            bit <<= 1
    every = sum(industries.values())
    shares = [(industries.get(industry, 0) if industry else every, each) for _, each, industry in counting]

    sums: dict[int, int] = {}

    def bonus(signs: int, _doubled: int) -> int:
        total = sums.get(signs)
        if total is None:
            total = sums[signs] = sum(
                each * (signs & bits).bit_count()
                for (place, _, _), (bits, each) in zip(counting, shares, strict=True)
                if signs & place
            )
        return total

    return Plan(
        unit=gcd(*value.values(), *(each for _, each, _ in counting)),
        reach=train.reach,
        value=value,
        bonus=bonus,
        towns="plus",
        stops=train.reach + train.towns,
        marks=marks,
        shares=tuple(shares),
    )


def route_rules(*, on_716: bool) -> RouteRules:
    """The rules on routes; `on_716`: the location marker lies in the circle of tile 716 (Q31)."""
    return RouteRules(
        passage=partial(passage, on_716),
        checks=(length,),
        pay=pay,
        bonuses=(locations,),
        plan=plan,
    )
