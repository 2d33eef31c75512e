"""The rulesets of 18Rhl with routes by a fake, and positions of company turns: what sections 7, 12, 13, 14 and 16 need.

Routes are judged by a fake: a run's first piece of track is its revenue in Mark, `"bad"` is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replace_ruleset

from msgspec.structs import replace

from tests.builders.random_positions import on_top, position, sheet, with_company, with_market
from trajekt.engine.components.schema import Space
from trajekt.engine.routing.runs import PaidStop, RouteFault, RouteResult, Run, RunResult
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Depot, State
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.ruleset import build
from trajekt.rules import running_and_dividends
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds


def runs(*revenues: int, train: str = "2") -> tuple[Run, ...]:
    return tuple(Run(train, (str(revenue),)) for revenue in revenues)


def fake(*, can: bool = True, could: bool = True, best: int = 100) -> running_and_dividends.RunningPolicy:
    def judge(_state: State, _company: str, sent: tuple[Run, ...]) -> list[RouteFault] | RunResult:
        if not sent:
            return [RouteFault("must_run", "COMMON-RTE-12")]
        for number, run in enumerate(sent):
            if run.track == ("bad",):
                return [RouteFault("too_long", "COMMON-RTE-06", number, {"reach": 2})]
        routes = tuple(
            RouteResult(run.train, (PaidStop("A1.a", int(run.track[0])),), (), int(run.track[0])) for run in sent
        )
        return RunResult(routes, sum(route.revenue for route in routes))

    return running_and_dividends.RunningPolicy(
        judge=judge,
        can_run=lambda *_: can,
        could_run=lambda *_: could,
        best=lambda *_: runs(best),
        search=lambda *_: BestRuns(runs(best), best, proved=True, seconds=0.0),
        proved=lambda *_: True,
        soon=lambda *_: runs(best),
    )


def ruleset(
    edition: int = 2,
    *,
    can: bool = True,
    could: bool = True,
    best: int = 100,
    optional_end: bool = False,
    recorded: bool = False,
) -> Ruleset:
    """The ruleset of the game itself, with the fake of routes in place of its own; `recorded`: that of recorded games."""
    chosen = RhlOptions(edition=edition, compat=recorded, optional_end=optional_end)
    real = build(sheet(edition), chosen)
    kept = [policy for policy in real.policies if not isinstance(policy, running_and_dividends.RunningPolicy)]
    return replace_ruleset(real, policies=(*kept, fake(can=can, could=could, best=best)))


def with_depot(
    state: State,
    display: Mapping[str, int],
    pool: tuple[str, ...] = (),
    sold: tuple[str, ...] = (),
) -> State:
    """Trains on display by kind (none of the kinds left out), those in the pool, kinds of which one was sold."""
    shown = {kind: display.get(kind, 0) for kind in state.depot.display}
    return replace(state, depot=Depot(shown, pool, (), sold))


def company(state: State, name: str, at: Space = (3, 2), **values: object) -> State:
    """A floated corporation that has operated, its marker on a space; other values as given.

    A `director` holds his certificate; the others stay in the initial offering, for whoever has money in a stock round.
    """
    ready: dict[str, object] = {"founded": True, "floated": True, "operated": True}
    state = with_market(with_company(state, name, **(ready | values)), **{name: at})
    held = state.companies[name].certificates
    if isinstance(seat := values.get("director", 0), int):
        state = with_company(state, name, certificates=(replace(held[0], holder=seat), *held[1:]))
    return state


def in_turn(state: State, name: str, step: str = "run", **values: object) -> State:
    """The turn of a corporation on top of an operating round."""
    return on_top(
        state, Rounds(2, 1, 1), OperatingRound(2, 1, 1, (name,), opened=True), CompanyTurn(name, step, **values)
    )


def unsold(edition: int = 2, **values: int) -> State:
    """Three players, nothing sold: the green phase before the first 4-train, all 2s and 3s sold."""
    state = position(edition, phase="green", **values)
    return with_depot(state, {"4": 3, "5": 3, "6": 6, "8": 4}, sold=("2", "3"))
