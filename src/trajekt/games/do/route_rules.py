"""Routes of 18DO and what they earn (DO-ROUTE, DO-REV, DO-BEERTRANSPORT).

A train that carries beer is a kind of its own here: `5+2` is a type 5 with two cubes, `5+2!` one whose only routes have been
cut since it was loaded, so that blocked hexes on its way count for length and earn nothing (DO-BEERTRANSPORT-04).
"""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.board.track_graph import StopAt, StopRef, hex_of
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.routing.runs import Bonus, PaidStop, Plan, RouteFault, RouteRules, Setting, Walk
from trajekt.games.do.city_blocking import blocked_stops, open_passage, passage
from trajekt.games.do.components import do_components
from trajekt.games.do.setup import home_hexes
from trajekt.games.do.state import value_of

RED, CITY, OTHER = 1, 2, 4
CARRIES = 100_000
"""The worth of carrying beer to the search, so that as many loaded trains run as can (DO-BEERTRANSPORT-06)."""


def kind_of(word: TrainKind) -> TrainKind:
    """The type of a train as it runs."""
    return word.partition("+")[0]


def cubes_of(word: TrainKind) -> int:
    """The cubes on a train as it runs."""
    return int(word.partition("+")[2].rstrip("!") or 0)


def forced_through(word: TrainKind) -> bool:
    """Tell whether a train runs through blocked hexes."""
    return word.endswith("!")


# Checks --------------------------------------------------------------------------------------------------------------


def length(setting: Setting, route: Walk) -> list[RouteFault]:
    """As many stops as the number of the train, none skipped (DO-ROUTE-03, DO-ROUTE-04)."""
    reach = setting.board.sheet.trains[kind_of(route.train)].reach
    if route.pays:
        return [
            RouteFault(
                "leaves_out", "DO-ROUTE-04", args={"train": route.train, "reach": reach, "counted": len(route.steps)}
            )
        ]
    if len(route.steps) > reach:
        args: dict[str, str | int] = {"train": route.train, "reach": reach, "counted": len(route.steps)}
        return [RouteFault("too_long", "DO-ROUTE-03", args=args)]
    return []


def is_red(setting: Setting, stop: StopRef) -> bool:
    """Tell whether a stop is a red destination."""
    network = setting.network
    return network.stop_at[network.stop[stop]].stop.kind == "offboard"


def not_only_red(setting: Setting, route: Walk) -> list[RouteFault]:
    """Refuse a route of two red destinations alone (DO-ROUTE-05)."""
    if all(is_red(setting, stop) for stop in route.stops):
        return [RouteFault("same_area", "DO-ROUTE-05", args={"stop": route.stops[-1]})]
    return []


def beer_to_red(setting: Setting, route: Walk) -> list[RouteFault]:
    """Refuse a route of a loaded train that leaves out the City or red destinations (DO-ROUTE-12, DO-BEERTRANSPORT-02)."""
    if not cubes_of(route.train):
        return []
    city = do_components(setting.board.sheet).city
    if any(hex_of(stop) == city for stop in route.stops) and any(is_red(setting, stop) for stop in route.stops):
        return []
    return [RouteFault("beer_needs_city_and_red", "DO-BEERTRANSPORT-02", args={"train": route.train})]


def blocked(setting: Setting, route: Walk) -> list[RouteFault]:
    """Trains that are blocked even where passage blocks nothing (DO-ROUTE-06)."""
    if forced_through(route.train):
        return []
    closed = blocked_stops(setting.board, setting.company)
    return [
        RouteFault("blocked", "DO-TOK-06", args={"stop": step.stops[0]})
        for step in route.steps[1:-1]
        if step.stops[0] in closed
    ]


# Income --------------------------------------------------------------------------------------------------------------


def value(setting: Setting, stop: StopAt) -> int:
    """The printed value of the phase; a freight yard more for its stations where the company has one (DO-REV-02, -03)."""
    board = setting.board
    known = do_components(board.sheet)
    amount = board.sheet.value(stop.stop, setting.colour)
    if stop.hex in known.yards:
        stations = [s for s in board.contents(stop.hex).stations if not s.asleep]
        if any(s.company == setting.company for s in stations):
            amount += known.yard_bonus * len(stations)
    return amount


def counts(setting: Setting, word: TrainKind, stop: StopRef) -> bool:
    """Tell whether a stop earns anything: for a train forced through blocked hexes these do not (`blocked_token`)."""
    return not (forced_through(word) and stop in blocked_stops(setting.board, setting.company))


def pay(setting: Setting, route: Walk) -> tuple[PaidStop, ...]:
    """The values of the stops that pay (DO-REV-01)."""
    network = setting.network
    return tuple(
        PaidStop(stop, value(setting, network.stop_at[network.stop[stop]]) if counts(setting, route.train, stop) else 0)
        for stop in route.stops
    )


def tokens(setting: Setting, route: Walk) -> list[Bonus]:
    """Location tokens on the way, whoever built the link (DO-LINK-10)."""
    total = sum(
        value_of(setting.board.contents(hex_of(stop)).icons)
        for stop in route.stops
        if counts(setting, route.train, stop)
    )
    return [Bonus("DO-LINK-10", "location", total)] if total else []


def per_cube(setting: Setting, home: bool) -> int:
    """The value of a cube, in Mark: more to the own home, also if the other end is red too (DO-BEERTRANSPORT-03)."""
    known = do_components(setting.board.sheet)
    return known.to_own_home if home else known.per_cube


def beer(setting: Setting, route: Walk) -> list[Bonus]:
    """The cubes on the train (DO-BEERTRANSPORT-03)."""
    cubes = cubes_of(route.train)
    if not cubes:
        return []
    homes = home_hexes(setting.board.sheet, setting.company)
    each = per_cube(setting, any(hex_of(stop) in homes for stop in route.stops if is_red(setting, stop)))
    return [Bonus("DO-BEERTRANSPORT-03", "beer", cubes * each)]


# For the search ------------------------------------------------------------------------------------------------------

HOME = 8


def plan(setting: Setting, word: TrainKind) -> Plan:
    """The numbers of a train; a loaded one must see the City and a red destination, which two trains may share."""
    board = setting.board
    known = do_components(board.sheet)
    closed = blocked_stops(board, setting.company)
    homes = home_hexes(board.sheet, setting.company)
    values: dict[StopRef, int] = {}
    marks: dict[StopRef, int] = {}
    for stop in setting.network.stops:
        ref = stop.ref
        earns = not (forced_through(word) and ref in closed)
        values[ref] = value(setting, stop) + value_of(board.contents(stop.hex).icons) if earns else 0
        if stop.stop.kind == "offboard":
            marks[ref] = RED | (HOME if stop.hex in homes else 0)
        else:
            marks[ref] = OTHER | (CITY if stop.hex == known.city else 0)
    cubes = cubes_of(word)
    needs = ((RED, OTHER), (RED, CITY), (OTHER, RED)) if cubes else ((RED, OTHER),)

    def bonus(signs: int, _doubled: int) -> int:
        if not cubes or not signs & RED:
            return 0
        return CARRIES + cubes * per_cube(setting, bool(signs & HOME))

    return Plan(
        reach=board.sheet.trains[kind_of(word)].reach,
        value=values,
        bonus=bonus,
        marks=marks,
        needs=needs,
        unpassed=frozenset(closed) if not forced_through(word) else frozenset(),
        shares=((RED, CARRIES + cubes * known.to_own_home),) if cubes else (),
    )


ROUTES = RouteRules(
    passage=passage, checks=(length, not_only_red, beer_to_red), pay=pay, bonuses=(tokens, beer), plan=plan
)
"""The rules on routes, with the passage that also decides what a railway reaches."""


def through(known: RouteRules) -> RouteRules:
    """The route rules where a train is forced through blocked hexes; the other trains are as blocked as ever."""
    return replace(known, passage=open_passage, checks=(*known.checks, blocked))
