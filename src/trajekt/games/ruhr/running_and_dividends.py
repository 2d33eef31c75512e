"""Running, dividend and marker of a railway of 18Ruhr (sections 11 and 13)."""

from __future__ import annotations

from trajekt.engine.actions import PayOut, RunTrains, Withhold
from trajekt.engine.routing.runs import RunResult
from trajekt.engine.ruleset import Draft, Refusal, Rule, View, check
from trajekt.engine.state import BANK
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.rules import stock_market
from trajekt.rules.operating_round import (
    TurnStep,
    advance,
    in_step,
    operating,
    set_turn,
    turn_of,
)
from trajekt.rules.running_and_dividends import (
    PayPolicy,
    RunningPolicy,
    dividends,
    enter_run,
    legal_runs,
    run_options,
    run_trains,
    run_waits,
)


def run_attended(view: View) -> bool:
    """Ask the director for the runs; the bank's are made when the step begins."""
    return operating(view).director is not None and run_waits(view)


def enter_running(draft: Draft) -> None:
    """Nothing to run: no income. The bank runs the best (RUHR-BANKR-04, Q42)."""
    enter_run(draft)
    company = operating(draft.view)
    if company.director is None and run_waits(draft.view):
        run_trains(draft, RunTrains(draft.ruleset.policy(RunningPolicy).best(draft.state, company.id)))


@check("RUHR-ROUTE-11")
def best_set(view: View, action: RunTrains) -> Refusal | None:
    """Refuse a set with less than the highest income, where the table asks for it (Q34)."""
    if view.ruleset.policy(RuhrOptions).best_route != "required":
        return None
    policy, company = view.ruleset.policy(RunningPolicy), turn_of(view.state).company
    sent = policy.judge(view.state, company, action.runs)
    best = policy.judge(view.state, company, policy.best(view.state, company))
    if isinstance(sent, RunResult) and isinstance(best, RunResult) and sent.revenue < best.revenue:
        return because(Why.NOT_BEST, revenue=best.revenue)
    return None


RUN_TRAINS = Rule(RunTrains, run_options, run_trains, needs=(in_step("run"), legal_runs), checks=(best_set,))


def pay_waits(view: View) -> bool:
    """Tell whether there is income to dispose of."""
    return turn_of(view.state).revenue > 0


def enter_pay(draft: Draft) -> None:
    """No income: one box down (RUHR-REV-06). Run by the bank: kept (RUHR-BANKR-04)."""
    turn = turn_of(draft.state)
    if not turn.revenue:
        stock_market.left(draft, turn.company, "no_revenue")
    elif draft.state.companies[turn.company].director is None:
        keep(draft)
        set_turn(draft, revenue=0)


@check("RUHR-BANKR-07")
def no_loan_left(view: View, _action: PayOut) -> Refusal | None:
    """Refuse to pay out while a loan stands."""
    debt = operating(view).debt
    return because(Why.LOAN_FIRST, debt=debt) if debt else None


def pay_out(draft: Draft, _action: PayOut) -> None:
    """Each certificate its percentage; the marker by what was paid against the value before (RUHR-REV-05, -06)."""
    turn = turn_of(draft.state)
    price = draft.state.price(turn.company)
    for account, amount in dividends(draft.state, turn.company, turn.revenue, draft.ruleset.policy(PayPolicy)):
        draft.pay(BANK, account, amount, "dividend")
    for _ in range(min(2, turn.revenue // price)):
        stock_market.right(draft, turn.company, "dividend")
    advance(draft)


def keep(draft: Draft) -> None:
    """All into the treasury; one box down."""
    turn = turn_of(draft.state)
    draft.pay(BANK, turn.company, turn.revenue, "withhold")
    stock_market.left(draft, turn.company, "withhold")


def withhold(draft: Draft, _action: Withhold) -> None:
    """Keep the income by choice."""
    keep(draft)
    advance(draft)


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(in_step("pay"),), checks=(no_loan_left,))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), withhold, needs=(in_step("pay"),))
PAY = PayPolicy(treasury=("io",))


RUN = TurnStep("run", run_attended, enter_running)
DIVIDEND = TurnStep("pay", pay_waits, enter_pay)
