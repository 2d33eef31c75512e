"""A small ruleset of company turns from the run on, and positions for it: what sections 7, 12, 13, 14 and 16 need.

Routes are judged by a fake: a run's first piece of track is its revenue in Mark, `"bad"` is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tests.builders.random_positions import on_top, position, sheet, with_company, with_market
from trajekt.engine.components.schema import Space
from trajekt.engine.routing.runs import PaidStop, RouteFault, RouteResult, Run, RunResult
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Depot, State
from trajekt.games.rhl import (
    compat_bankruptcy,
    compat_forced_purchase,
    compat_trains,
    train_rules,
)
from trajekt.games.rhl.bankruptcy import BANKRUPTCY_1
from trajekt.games.rhl.forced_purchase import FORCED_1, FORCED_2
from trajekt.games.rhl.running_and_dividends import PAY_1, PAY_2, RUN_TRAINS_1
from trajekt.rules import bankruptcy, forced_purchase, phases, running_and_dividends, share_sales, stock_round, trains
from trajekt.rules.directorship import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.ending_by_agreement import DECLINE_END, OFFER_END, WORD_LAPSES
from trajekt.rules.game_end import BANK_BREAKS
from trajekt.rules.operating_round import (
    OPERATING_ROUND,
    PASS_STEP,
    CompanyTurn,
    OperatingRound,
    TurnPolicy,
    company_turn,
    open_round,
)
from trajekt.rules.round_sequence import ROUNDS, Rounds, RoundsPolicy

REACTIONS = (
    phases.PHASE_BEGINS,
    phases.OBSOLETE,
    phases.PRIVATES_CLOSE,
    phases.LIMIT_FALLS,
    bankruptcy.DIRECTOR_FOUND,
    DIRECTOR_FOLLOWS,
    bankruptcy.RECEIVERSHIP_BEGINS,
    WORD_LAPSES,
    BANK_BREAKS,
)


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
    first = edition == 1
    run_rule = RUN_TRAINS_1 if first else running_and_dividends.RUN_TRAINS
    steps = (
        (running_and_dividends.RUN, running_and_dividends.PAY, bankruptcy.DEBT, bankruptcy.TRAINS_OR_BANK)
        if first
        else (running_and_dividends.RUN, running_and_dividends.PAY, trains.TRAINS)
    )
    if recorded:
        ladder = (forced_purchase.FORCED_SALE_OPERATED, compat_bankruptcy.DECLARE_COMPAT)
    elif first:
        ladder = (forced_purchase.FORCED_SALE_OPERATED, bankruptcy.DECLARE_BANKRUPTCY)
    elif optional_end:
        ladder = (forced_purchase.SELL_CHARTER_SHARES, forced_purchase.FORCED_SALE, forced_purchase.END_BANKRUPT)
    else:
        ladder = (forced_purchase.SELL_CHARTER_SHARES, forced_purchase.FORCED_SALE, forced_purchase.TAKE_LOAN)
    duties = (
        ROUNDS,
        OPERATING_ROUND,
        company_turn(
            run_rule,
            running_and_dividends.PAY_OUT,
            running_and_dividends.WITHHOLD,
            trains.BUY_TRAIN,
            forced_purchase.CHOOSE_FORCED_TRAIN,
            PASS_STEP,
        ),
        trains.TRAIN_OFFER,
        trains.TOO_MANY_TRAINS,
        forced_purchase.forced_purchase(*ladder),
        stock_round.stock_round_duty(
            stock_round.BUY_SHARE, share_sales.SELL_SHARES, stock_round.PASS, stock_round.END_TURN
        ),
    )
    policies: tuple[object, ...] = (
        TurnPolicy(steps),
        RoundsPolicy(stock=stock_round.open_stock_round, operating=open_round),
        fake(can=can, could=could, best=best),
        PAY_1 if first else PAY_2,
        compat_trains.TRAINS_COMPAT if recorded else train_rules.TRAINS_1 if first else train_rules.TRAINS_2,
        compat_forced_purchase.FORCED_COMPAT if recorded else FORCED_1 if first else FORCED_2,
        compat_bankruptcy.BANKRUPTCY_COMPAT if recorded else BANKRUPTCY_1,
        DirectorsPolicy(fewest_first),
        stock_round.SharesPolicy(
            stock_round.treasury_once_floated,
            stock_round.one_space,
            stock_round.richest_after_holder,
            (stock_round.move_priority,),
        ),
    )
    return Ruleset(
        name="small",
        version=1,
        sheet=sheet(edition),
        options={},
        set_up=lambda _draft, _draw: None,
        duties={duty.frame: duty for duty in duties},
        reactions=REACTIONS,
        anytime=(OFFER_END, DECLINE_END),
        policies=policies,
    )


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
