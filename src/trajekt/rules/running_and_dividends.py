"""Running trains, pay-out and price: steps 3 to 5 of a company's turn.

How routes are judged and found is a policy (`RunningPolicy`); who is paid for which shares is another (`PayPolicy`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from trajekt.engine.actions import PayOut, RunTrains, Withhold
from trajekt.engine.board.board import Board
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import PriceMoved, TrainsRan
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import RouteFault, RouteRules, Run, RunResult, Setting
from trajekt.engine.routing.solver import BestRuns, best_runs, first_runs, has_route
from trajekt.engine.ruleset import Draft, Option, Refusal, Rule, View, check
from trajekt.engine.state import BANK, CHARTER, IPO, Account, Holder, State
from trajekt.rules import stock_market
from trajekt.rules.operating_round import TurnStep, advance, in_step, operating, set_turn, turn_of
from trajekt.rules.route_validation import judge as judge_routes

OFFERED = 60_000
"""Steps of the search for the runs that are offered: about a second at the worst, and the same answer on every machine."""
SOON = 100
"""The expansions for each train, where runs need only be legal."""


@dataclass(frozen=True, slots=True)
class RunningPolicy:
    """The judging and finding of a company's runs in a game.

    `judge` answers faults or the revenue in terms; `can_run` whether one of its trains has a legal route (COMMON-RTE-12);
    `could_run` whether any train of the game would have one (COMMON-TRN-11); `best` its most valuable runs, as far as
    `OFFERED` steps find them, and `proved` whether they are proved to be that; `search` the same within a limit in seconds,
    around runs that are fixed, or why these may not be run;
    `soon` legal runs that are found at once, mostly good ones.
    """

    judge: Callable[[State, CompanyId, tuple[Run, ...]], Sequence[RouteFault] | RunResult]
    can_run: Callable[[State, CompanyId], bool]
    could_run: Callable[[State, CompanyId], bool]
    best: Callable[[State, CompanyId], tuple[Run, ...]]
    search: Callable[[State, CompanyId, float | None, tuple[Run, ...]], BestRuns | Refusal]
    proved: Callable[[State, CompanyId], bool]
    soon: Callable[[State, CompanyId], tuple[Run, ...]]


@dataclass(frozen=True, slots=True)
class PayPolicy:
    """The accounts paid beside the players: shares at the places of `treasury` pay the company itself (COMMON-DIV-01).

    `goes_under`: a marker that stays, because the dividend was lower than the price, goes under the others there.
    """

    treasury: tuple[Holder, ...] = (IPO, CHARTER)
    goes_under: bool = False


def setting_of(
    state: State, company: CompanyId, rules: RouteRules, trains: Iterable[TrainKind] | None = None
) -> Setting:
    """The setting of a company's routes now; `trains` other than its own for the question what it could run."""
    phase = state.current_phase
    kinds = state.companies[company].trains if trains is None else tuple(trains)
    facts = rules.facts(state, company)
    return Setting(state.board, company, kinds, phase.values, phase.industry_bonus, rules, state.sheet.variants, facts)


_ANSWERS: MemoTable[Board, object, Any] = MemoTable("route answers")


def best_around(setting: Setting, limit: float | None, fixed: tuple[Run, ...]) -> BestRuns | Refusal:
    """The best runs among which are those that are fixed, or the first fault of these, under its own rule id."""
    if not fixed:
        return best_runs(setting, limit)
    answer = judge_routes(setting, fixed)
    if not isinstance(answer, RunResult):
        return refused(answer[0])
    found = best_runs(setting, limit, fixed=fixed)
    return replace(found, runs=(*fixed, *found.runs), revenue=answer.revenue + found.revenue)


def refused(fault: RouteFault) -> Refusal:
    """A fault of a route as the refusal of an action."""
    args = dict(fault.args)
    if fault.run is not None:
        args["run"] = fault.run + 1
    return Refusal(fault.code, fault.rule, args)


def by_routes(rules: RouteRules) -> RunningPolicy:
    """The policy of a game with these route rules. Answers are kept on the board, which they depend on."""

    def known(state: State, setting: Setting, question: object, answer: Callable[[Setting], Any]) -> Any:
        key = (question, setting.company, setting.trains, setting.colour, setting.industry, setting.facts, rules)
        return _ANSWERS.get(state.board, key, lambda: answer(setting))

    def any_runs(state: State, company: CompanyId, kinds: Iterable[TrainKind]) -> bool:
        each = (setting_of(state, company, rules, (kind,)) for kind in sorted(set(kinds)))
        return any(known(state, setting, "can", has_route) for setting in each)

    def can_run(state: State, company: CompanyId) -> bool:
        return any_runs(state, company, state.companies[company].trains)

    def could_run(state: State, company: CompanyId) -> bool:
        roster = (kind for kind, train in state.sheet.trains.items() if not train.not_for_sale)
        return any_runs(state, company, roster)

    def offered(state: State, company: CompanyId) -> BestRuns:
        found = known(state, setting_of(state, company, rules), "best", lambda s: best_runs(s, expansions=OFFERED))
        assert isinstance(found, BestRuns)
        return found

    def best(state: State, company: CompanyId) -> tuple[Run, ...]:
        return offered(state, company).runs

    def proved(state: State, company: CompanyId) -> bool:
        return offered(state, company).proved

    def judge(state: State, company: CompanyId, runs: tuple[Run, ...]) -> Sequence[RouteFault] | RunResult:
        setting = setting_of(state, company, rules)
        answer: Sequence[RouteFault] | RunResult = known(state, setting, runs, lambda s: judge_routes(s, runs))
        return answer

    def search(
        state: State, company: CompanyId, limit: float | None, fixed: tuple[Run, ...] = ()
    ) -> BestRuns | Refusal:
        return best_around(setting_of(state, company, rules), limit, fixed)

    def soon(state: State, company: CompanyId) -> tuple[Run, ...]:
        setting = setting_of(state, company, rules)
        found: tuple[Run, ...] = known(state, setting, "soon", lambda s: first_runs(s, SOON))
        return found

    return RunningPolicy(judge, can_run, could_run, best, search, proved, soon)


# Running -------------------------------------------------------------------------------------------------------------


def run_waits(view: View) -> bool:
    """Tell whether the company has a train that can run (COMMON-RTE-12)."""
    company = operating(view)
    return bool(company.trains) and view.ruleset.policy(RunningPolicy).can_run(view.state, company.id)


def enter_run(draft: Draft) -> None:
    """Nothing to run: revenue 0 (COMMON-OR-07)."""
    turn = turn_of(draft.state)
    if not run_waits(draft.view):
        draft.emit(TrainsRan(turn.company, 0))


@check("COMMON-RTE-01")
def legal_runs(view: View, action: RunTrains) -> Refusal | None:
    """Refuse runs with the first fault that the judge finds, under its own rule id."""
    answer = view.ruleset.policy(RunningPolicy).judge(view.state, turn_of(view.state).company, action.runs)
    if isinstance(answer, RunResult):
        return None
    return refused(answer[0])


def run_options(view: View) -> Iterable[Option[RunTrains]]:
    """The best runs; any other legal runs may be sent in their place. Nothing is searched for before the step."""
    turn = turn_of(view.state)
    if turn.step == "run":
        best = view.ruleset.policy(RunningPolicy).best(view.state, turn.company)
        yield Option(RunTrains(best), free=("runs",))


def ran_with(company: CompanyId, runs: Sequence[Run], result: RunResult) -> TrainsRan:
    """The event of runs with their terms."""
    # as JSON has it, lists and all, so that an event read from a record equals the event that was written
    terms = tuple(
        {**msgspec.json.decode(msgspec.json.encode(route)), "track": list(run.track)}
        for run, route in zip(runs, result.routes, strict=True)
    )
    return TrainsRan(company, result.revenue, terms)


def run_trains(draft: Draft, action: RunTrains) -> None:
    """Record the revenue with its terms and go on to the pay-out."""
    company = turn_of(draft.state).company
    result = draft.ruleset.policy(RunningPolicy).judge(draft.state, company, action.runs)
    assert isinstance(result, RunResult), result
    draft.emit(ran_with(company, action.runs, result))
    set_turn(draft, revenue=result.revenue)
    advance(draft)


RUN_TRAINS = Rule(RunTrains, run_options, run_trains, needs=(in_step("run"),), checks=(legal_runs,))


# Pay-out and price ---------------------------------------------------------------------------------------------------


def pay_waits(view: View) -> bool:
    """Tell whether there is revenue to dispose of."""
    return turn_of(view.state).revenue > 0


def enter_pay(draft: Draft) -> None:
    """No revenue: one space left (COMMON-DIV-02). Nobody to decide: the revenue is withheld (RHL-BKR-03)."""
    turn = turn_of(draft.state)
    if not turn.revenue:
        stock_market.left(draft, turn.company, "no_revenue")
    elif draft.state.companies[turn.company].director is None:
        keep(draft)


def dividends(state: State, company: CompanyId, revenue: int, policy: PayPolicy) -> list[tuple[Account, int]]:
    """The payments of a revenue paid out, by account, in Mark: a tenth for each 10 % (COMMON-DIV-01, COMMON-DIV-05).

    Players by seat, then the treasury for the shares that lie on the charter (first edition: in the initial offering).
    """
    held = state.companies[company]
    paid: list[tuple[Account, int]] = [
        (seat, revenue * percent // 100) for seat, percent in sorted(held.shareholders.items())
    ]
    own = sum(held.percent(place) for place in policy.treasury)
    if own:
        paid.append((company, revenue * own // 100))
    return paid


def distribute(draft: Draft, paid: int) -> None:
    """Pay the shares, then move the marker by the price before the move (COMMON-DIV-02, COMMON-DIV-03)."""
    turn = turn_of(draft.state)
    policy = draft.ruleset.policy(PayPolicy)
    for account, amount in dividends(draft.state, turn.company, paid, policy):
        draft.pay(BANK, account, amount, "dividend")
    if paid >= draft.state.price(turn.company):
        stock_market.right(draft, turn.company, "dividend")
    elif policy.goes_under:  # COMMON-MKT-04
        draft.emit(PriceMoved(turn.company, draft.state.markers.spaces[turn.company], "below_price"))


def pay_out(draft: Draft, _action: PayOut) -> None:
    """Pay the whole revenue to the shares."""
    distribute(draft, turn_of(draft.state).revenue)
    advance(draft)


def keep(draft: Draft) -> None:
    """Pay the whole revenue to the treasury and move the marker one space left (COMMON-DIV-01, COMMON-DIV-02)."""
    turn = turn_of(draft.state)
    draft.pay(BANK, turn.company, turn.revenue, "withhold")
    stock_market.left(draft, turn.company, "withhold")


def withhold(draft: Draft, _action: Withhold) -> None:
    """Keep the revenue by choice."""
    keep(draft)
    advance(draft)


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(in_step("pay"),))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), withhold, needs=(in_step("pay"),))

RUN = TurnStep("run", run_waits, enter_run, unattended=True)
PAY = TurnStep("pay", pay_waits, enter_pay)
