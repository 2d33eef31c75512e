"""The ability of a train to carry beer now: a route of Dortmund City and a red destination for it (DO-BREW-21)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import Plan, RouteRules, Setting
from trajekt.engine.routing.solver import has_route
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.do.components import do_components
from trajekt.rules.running_and_dividends import setting_of

_CARRIES: MemoTable[Board, tuple[CompanyId, TrainKind, str], bool] = MemoTable("do carries beer")


def could_carry(ruleset: Ruleset, state: State, company: CompanyId, kind: TrainKind) -> bool:
    """Tell whether a train of this type has such a route by itself, whatever the others do (`joint_route_check`).

    Each loaded train is looked at alone, as if it were empty; the answer is kept on the board, on which it depends.
    """
    rules = ruleset.policy(RouteRules)
    table, key = _CARRIES.of(state.board), (company, kind, state.phase)
    if key not in table:
        setting = setting_of(state, company, rules, (kind,))
        bound = replace(rules, plan=partial(through_city, rules))
        table[key] = has_route(replace(setting, rules=bound, facts=()))
    return table[key]


def through_city(rules: RouteRules, setting: Setting, kind: TrainKind) -> Plan:
    """The numbers of an empty train, bound to begin in a red hex and to visit the City."""
    plan = rules.plan(setting, kind)
    city = do_components(setting.board.sheet).city
    stops = setting.network.stops
    any_stop, in_city = 1 << 60, 1 << 61
    marks = {stop.ref: plan.marks.get(stop.ref, 0) | any_stop for stop in stops}
    for stop in stops:
        if stop.hex == city:
            marks[stop.ref] |= in_city
    red = frozenset(stop.ref for stop in stops if stop.stop.kind == "offboard")
    return replace(plan, marks=marks, needs=(*plan.needs, (any_stop, in_city)), start_among=red)
