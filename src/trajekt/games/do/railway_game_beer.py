"""Beer in the Railway Game: trains with blue squares carry it whenever they run between the City and a red destination.

As many cubes as the train has squares; there is no market and no end of cubes (DO-TRG-06). A private brewery may lay cubes on
a train (`5+2` is a type 5 with two of them, as in the full game), or pays for every route with beer (DO-TRG-07).
"""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.board.track_graph import hex_of
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.routing.runs import Bonus, Plan, RouteRules, Setting, Walk
from trajekt.engine.state import State
from trajekt.games.do import route_rules
from trajekt.games.do.components import do_components
from trajekt.games.do.route_rules import CARRIES, CITY, HOME, RED, cubes_of, is_red, kind_of, per_cube, tokens
from trajekt.games.do.setup import home_hexes

PAYS_ROUTES = 4
"""The private brewery that pays for each route with beer of one railway, and how much, in Mark."""
FOR_A_ROUTE = 10


def mark_of(private: int) -> str:
    """The name of the mark that tells for whom, or when, a private brewery last worked."""
    return f"PB{private}"


def facts(state: State, company: CompanyId) -> tuple[str, ...]:
    """Tell whether a private brewery pays for the routes of a railway."""
    mark = mark_of(PAYS_ROUTES)
    return (mark,) if state.privates[PAYS_ROUTES].open and state.marks.get(mark) == company else ()


def cubes_on(setting: Setting, word: TrainKind) -> int:
    """The cubes that a train carries: those laid on it, else as many as it has squares."""
    return cubes_of(word) or do_components(setting.board.sheet).cards[kind_of(word)].wagons


def for_a_route(setting: Setting) -> int:
    """The bonus of a private brewery for a route with beer, in Mark."""
    return FOR_A_ROUTE if mark_of(PAYS_ROUTES) in setting.facts else 0


def beer(setting: Setting, route: Walk) -> list[Bonus]:
    """The cubes on the train: more to the own home (DO-TRG-06); what a private brewery adds (DO-TRG-07)."""
    sheet = setting.board.sheet
    red = [stop for stop in route.stops if is_red(setting, stop)]
    if not red or all(hex_of(stop) != do_components(sheet).city for stop in route.stops):
        return []
    homes = home_hexes(sheet, setting.company)
    each = per_cube(setting, any(hex_of(stop) in homes for stop in red))
    found = (
        Bonus("DO-TRG-06", "beer", cubes_on(setting, route.train) * each),
        Bonus("DO-TRG-07", "private_brewery", for_a_route(setting)),
    )
    return [bonus for bonus in found if bonus.amount]


def plan(setting: Setting, word: TrainKind) -> Plan:
    """The numbers of a train; one with cubes of a private brewery must run with them, as in the full game."""
    known = do_components(setting.board.sheet)
    cubes, more = cubes_on(setting, word), for_a_route(setting)
    must = CARRIES if cubes_of(word) else 0
    most = must + cubes * known.to_own_home + more

    def bonus(signs: int, _doubled: int) -> int:
        if not (signs & RED and signs & CITY):
            return 0
        return must + more + cubes * per_cube(setting, bool(signs & HOME))

    return replace(route_rules.plan(setting, word), bonus=bonus, shares=((RED, most),) if most else ())


ROUTES: RouteRules = replace(route_rules.ROUTES, bonuses=(tokens, beer), plan=plan, facts=facts)
"""The rules on routes of the Railway Game."""
