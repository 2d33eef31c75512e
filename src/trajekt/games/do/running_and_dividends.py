"""Running trains, use of income, value: steps 4 to 6 of a railway's turn (DO-ROUTE-01, DO-REV-04 to -07)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from trajekt.engine.actions import PayOut, Withhold
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import TrainMoved, TrainsRan
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import RouteFault, RouteRules, Run, RunResult, Setting
from trajekt.engine.routing.solver import BestRuns, best_runs, has_route, run_beside
from trajekt.engine.ruleset import Draft, Refusal, Rule
from trajekt.engine.state import BANK, CHARTER, GONE, State
from trajekt.games.do import stock_market
from trajekt.games.do.beer_cubes import unload
from trajekt.games.do.components import limits_of
from trajekt.games.do.options import DoOptions
from trajekt.games.do.route_rules import CARRIES, cubes_of, forced_through, through
from trajekt.games.do.state import do_state
from trajekt.rules.operating_round import TurnStep, advance, in_step, turn_of
from trajekt.rules.route_validation import judge as judge_routes
from trajekt.rules.running_and_dividends import (
    OFFERED,
    PayPolicy,
    RunningPolicy,
    best_around,
    dividends,
    pay_waits,
    run_waits,
    setting_of,
)
from trajekt.rules.turn_notes import Once

PAYS = PayPolicy(treasury=(CHARTER,), goes_under=True)


def roster(state: State, company: CompanyId, rules: RouteRules) -> tuple[TrainKind, ...]:
    """The trains as they run: loaded ones by their cubes, forced through only where there is no other way.

    A loaded train with no way at all does not run (DO-BEERTRANSPORT-04, -06).
    """
    trains = list(state.companies[company].trains)
    words: list[TrainKind] = []
    for load in do_state(state).loads.get(company, ()):
        trains.remove(load.train)
        word = f"{load.train}+{load.cubes}"
        if has_route(setting_of(state, company, rules, (word,))):
            words.append(word)
        elif has_route(setting_of(state, company, through(rules), (f"{word}!",))):
            words.append(f"{word}!")
    return tuple(sorted((*trains, *words)))


_SETTINGS: MemoTable[Board, object, Setting] = MemoTable("do settings")
_BEST: MemoTable[Board, object, BestRuns] = MemoTable("do best runs")


def setting(state: State, company: CompanyId, rules: RouteRules) -> Setting:
    """The setting of a company's routes now. Stored with the board, which everything but phase and loads hangs on."""
    loads, facts = do_state(state).loads.get(company, ()), rules.facts(state, company)
    key = (company, state.companies[company].trains, loads, state.phase, facts, id(rules))
    table = _SETTINGS.of(state.board)
    if key not in table:
        words = roster(state, company, rules)
        used = through(rules) if any(forced_through(word) for word in words) else rules
        table[key] = setting_of(state, company, used, words)
    return table[key]


def carried(found: Sequence[Run]) -> int:
    """The number of loaded trains that run."""
    return sum(bool(cubes_of(run.train)) for run in found)


def policy(rules: RouteRules, options: DoOptions) -> RunningPolicy:
    """The running policy of 18DO."""

    def offered(here: Setting) -> BestRuns:
        key = (here.company, here.trains, here.colour, here.facts)
        return _BEST.get(here.board, key, lambda: best_runs(here, expansions=OFFERED))

    def best_of(here: Setting) -> tuple[Run, ...]:
        return offered(here).runs

    def judge(state: State, company: CompanyId, runs: tuple[Run, ...]) -> Sequence[RouteFault] | RunResult:
        here = setting(state, company, rules)
        found = judge_routes(here, runs)
        if not isinstance(found, RunResult):
            return found
        if any(cubes_of(word) for word in here.trains) and carried(runs) < carried(best_of(here)):
            return [RouteFault("must_run", "DO-BEERTRANSPORT-06")]
        idle = run_beside(here, runs)
        if idle:
            return [RouteFault("must_run", "DO-ROUTE-01", args={"train": idle})]
        if options.best_route == "required":
            best = judge_routes(here, best_of(here))
            if isinstance(best, RunResult) and best.revenue > found.revenue:
                return [RouteFault("must_run", "DO-ROUTE-01", args={"revenue": best.revenue})]
        return found

    def can_run(state: State, company: CompanyId) -> bool:
        return bool(best_of(setting(state, company, rules)))

    def could_run(_state: State, _company: CompanyId) -> bool:
        return True  # every floated railway must own a train, route or not (DO-TRAIN-12)

    def best(state: State, company: CompanyId) -> tuple[Run, ...]:
        return best_of(setting(state, company, rules))

    def search(
        state: State, company: CompanyId, limit: float | None, fixed: tuple[Run, ...] = ()
    ) -> BestRuns | Refusal:
        found = best_around(setting(state, company, rules), limit, fixed)
        if isinstance(found, Refusal):
            return found
        return replace(found, revenue=found.revenue - CARRIES * (carried(found.runs) - carried(fixed)))

    def proved(state: State, company: CompanyId) -> bool:
        return offered(setting(state, company, rules)).proved

    return RunningPolicy(judge, can_run, could_run, best, search, proved, soon=best)


# Steps ---------------------------------------------------------------------------------------------------------------


def enter_run(draft: Draft) -> None:
    """Nothing to run: income 0 (DO-ORDER-04)."""
    if not run_waits(draft.view):
        draft.emit(TrainsRan(turn_of(draft.state).company, 0))


def enter_pay(draft: Draft) -> None:
    """End the runs: beer to Stock, trains on their last run leave; without income the value falls.

    DO-BEERTRANSPORT-05, DO-TRAIN-10, DO-REV-05.
    """
    turn = turn_of(draft.state)
    unload(draft, turn.company)
    last_runs_over(draft, turn.company)
    if not turn.revenue:
        stock_market.after_income(draft, turn.company, 0, paid_out=False)


def last_runs_over(draft: Draft, company: CompanyId) -> None:
    """Turned trains leave the game after their last run, that of the owner's next turn (DO-TRAIN-10, `final_run`)."""
    if Once.TURNED_TRAINS in turn_of(draft.state).used and draft.ruleset.policy(DoOptions).final_run == "next_turn":
        return
    last = limits_of(draft.sheet, draft.state.phase).last_runs
    for train in draft.state.companies[company].trains:
        if train == last:
            draft.emit(TrainMoved(train, company, GONE, "obsolete"))


def pay_out(draft: Draft, _action: PayOut) -> None:
    """All of it: to players, for company stock into the treasury, for the pool nothing (DO-REV-04)."""
    turn = turn_of(draft.state)
    for account, amount in dividends(draft.state, turn.company, turn.revenue, PAYS):
        draft.pay(BANK, account, amount, "dividend")
    advance(draft)  # step 5 is over before the value moves, which may end the turn
    stock_market.after_income(draft, turn.company, turn.revenue, paid_out=True)


def withhold(draft: Draft, _action: Withhold) -> None:
    """All into the treasury (DO-REV-04)."""
    turn = turn_of(draft.state)
    draft.pay(BANK, turn.company, turn.revenue, "withhold")
    advance(draft)
    stock_market.after_income(draft, turn.company, turn.revenue, paid_out=False)


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(in_step("pay"),))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), withhold, needs=(in_step("pay"),))
RUN = TurnStep("run", run_waits, enter_run)
PAY = TurnStep("pay", pay_waits, enter_pay)
