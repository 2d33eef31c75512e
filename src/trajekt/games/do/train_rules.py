"""Trains: what may be bought in a turn, from whom, and the first train of some railways (DO-TRAIN, DO-FLOAT-05)."""

from __future__ import annotations

from msgspec.structs import replace

from trajekt.engine.actions import BuyTrain, Pass
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.decisions import can
from trajekt.engine.events import TrainMoved
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import DISPLAY, POOL, State
from trajekt.games.do.actions import BuyMarker, ForcePurchase, OwnCertificate
from trajekt.games.do.components import do_components, limits_of
from trajekt.games.do.events import PoolTrain
from trajekt.games.do.frames import NewTrain
from trajekt.games.do.options import DoOptions
from trajekt.games.do.railway_links import has_free_token, let_go
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import do_state
from trajekt.games.do.treasury_shares import with_sale
from trajekt.rules import trains
from trajekt.rules.operating_round import (
    CompanyTurn,
    OperatingRound,
    TurnStep,
    advance,
    current_turn,
    passable,
    turn_of,
)
from trajekt.rules.trains import TrainPolicy, on_display
from trajekt.rules.turn_notes import Once

FIRST, TRAINS_STEP = "first", "trains"


def bought_new(turn: CompanyTurn) -> tuple[TrainKind, ...]:
    """The types of the display bought in a turn."""
    return tuple(note.kind for note in turn.used if isinstance(note, NewTrain))


def last_runs(state: State) -> TrainKind:
    """The type that is turned for its last run; empty before the first type 8."""
    return limits_of(state.sheet, state.phase).last_runs


def limit(options: DoOptions) -> TrainPolicy:
    """The limit of the phase; turned trains count until they leave (`turned_counts_for_limit`)."""

    def of(state: State, company: CompanyId) -> int:
        most = state.current_phase.train_limit
        if options.turned_counts_for_limit or not last_runs(state):
            return most
        return most + state.companies[company].trains.count(last_runs(state))

    return TrainPolicy(limit=of, choosing=from_the_one_in_turn)


def from_the_one_in_turn(state: State) -> tuple[CompanyId, ...]:
    """The railways in the order of the Railway Round, from the one in turn on; in a Brewery Round by value (DO-PHASE-02)."""
    current = next((frame for frame in state.agenda if isinstance(frame, OperatingRound)), None)
    order = state.operating_order if current is None or current.order is None else current.order
    turn = current_turn(state)
    at = order.index(turn.company) if turn is not None else 0
    return tuple(dict.fromkeys((*order[at:], *order[:at], *state.companies)))


def pool_lots(state: State, company: CompanyId, options: DoOptions) -> tuple[TrainKind, ...]:
    """The trains of the pool that a railway may buy: those of others (DO-TRAIN-06)."""
    own = options.pool_train_own == "allowed"
    return tuple(dict.fromkeys(kind for kind, of in do_state(state).pooled if own or of != company))


def trains_for_sale(view: View) -> tuple[tuple[str, TrainKind], ...]:
    """The trains that the bank sells to the railway in turn, new or out of the pool, as (source, type)."""
    state, company = view.state, turn_of(view.state).company
    used = pool_lots(state, company, view.ruleset.policy(DoOptions))
    return (*((DISPLAY, kind) for kind in on_display(state)), *((POOL, kind) for kind in used))


def must_own(view: View) -> bool:
    """The duty to own a train: none owned, one in the display or the pool for it (DO-TRAIN-12)."""
    if view.company(turn_of(view.state).company).trains:
        return False
    return bool(trains_for_sale(view))


# Checks --------------------------------------------------------------------------------------------------------------


def may_buy_first(view: View) -> bool:
    """CME, BME and RhE may buy before step 1 of their first turn (DO-FLOAT-05); refounded ones too."""
    options = view.ruleset.policy(DoOptions)
    company = view.state.companies[turn_of(view.state).company]
    if (
        options.first_train == "never"
        or company.operated
        or not view.sheet.companies[company.id].own.get("first_turn_train")
    ):
        return False
    return options.refounded_privileges == "as_new" or company.id not in do_state(view.state).bankrupt


@check("DO-TRAIN-01", "DO-FLOAT-05", general=True)
def buying_step(view: View, _action: BuyTrain) -> Refusal | None:
    """Refuse a purchase outside step 7; some railways buy before step 1 of their first turn."""
    turn = turn_of(view.state)
    if turn.step == TRAINS_STEP or (turn.step == FIRST and may_buy_first(view)):
        return None
    return refuse(Code.WRONG_STEP, "DO-FLOAT-05" if turn.step == FIRST else "DO-TRAIN-01", step=TRAINS_STEP)


@check("DO-FLOAT-05")
def first_from_display(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse a purchase before step 1 that does not come from the display."""
    if turn_of(view.state).step == TRAINS_STEP or action.source == DISPLAY:
        return None
    return refuse(Code.WRONG_STEP, step=TRAINS_STEP)


@check("DO-TRAIN-02")
def purchases_left(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse more than two of the first type in its phase, else one new train in a turn; a beer wagon is all (DO-X-11)."""
    turn = turn_of(view.state)
    if Once.RAILWAY_WAGON in turn.used:
        return because(WhyNot.WAGON_BOUGHT, "DO-X-11", company=turn.company)
    counted = action.source == DISPLAY
    if action.source == POOL:
        counted = view.ruleset.policy(DoOptions).pool_counts_as_purchase
    had = bought_new(turn)
    if not counted or not had:
        return None
    first = view.sheet.phases[0].name
    most = limits_of(view.sheet, view.state.phase).purchases
    if action.train == first and len(had) < most:
        return None
    return because(
        WhyNot.NEW_TRAINS_BOUGHT,
        company=turn.company,
        train=first,
        limit=do_components(view.sheet).phases[first].purchases,
    )


@check("DO-TRAIN-06", "DO-BEERTRANSPORT-07", "DO-TRAIN-10")
def for_sale(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse an own train of the pool, and of another railway a loaded train or one on its last run."""
    turn, state = turn_of(view.state), view.state
    if action.source == POOL:
        if action.train in pool_lots(state, turn.company, view.ruleset.policy(DoOptions)):
            return None
        if action.train in state.depot.pool:
            return because(WhyNot.ITS_OWN_TRAIN, company=turn.company, train=action.train)
        return refuse(Code.NOT_IN_POOL, train=action.train)
    if action.source == DISPLAY:
        return None
    if action.train == last_runs(state):
        return because(WhyNot.ON_LAST_RUN, "DO-TRAIN-10", train=action.train)
    loaded = sum(load.train == action.train for load in do_state(state).loads.get(action.source, ()))
    if state.companies[action.source].trains.count(action.train) > loaded:
        return None
    return because(WhyNot.TRAIN_LOADED, "DO-BEERTRANSPORT-07", company=action.source, train=action.train)


def buy(draft: Draft, action: BuyTrain) -> None:
    """As in every game; a new train is counted for the turn."""
    counted = action.source == DISPLAY or (
        action.source == POOL and draft.ruleset.policy(DoOptions).pool_counts_as_purchase
    )
    if counted:
        turn = turn_of(draft.state)
        draft.replace_top(replace(turn, used=(*turn.used, NewTrain(action.train))))
    trains.buy_train(draft, action)


BUY_TRAIN = Rule(
    BuyTrain,
    trains.buy_options,
    buy,
    needs=(buying_step, first_from_display, trains.on_sale, trains.price_right, for_sale),
    checks=(purchases_left, trains.treasury_pays, trains.room_for_train, trains.not_declined),
)


def note_pool(draft: Draft, event: TrainMoved) -> None:
    """Remember which railway put a train into the pool; who buys takes one of another (DO-TRAIN-06)."""
    pooled = do_state(draft.state).pooled
    if event.target == POOL:
        draft.emit(PoolTrain(event.train, event.source, True))
    elif event.source == POOL:
        owners = [of for kind, of in pooled if kind == event.train]
        draft.emit(PoolTrain(event.train, next((of for of in owners if of != event.target), owners[0]), False))


POOL_NOTED = Reaction(TrainMoved, ("DO-TRAIN-06",), note_pool)


# Steps ---------------------------------------------------------------------------------------------------------------


def first_waits(view: View) -> bool:
    """In its first turn a railway may have a right before step 1."""
    company = turn_of(view.state).company
    if has_free_token(view, company):
        return True
    return may_buy_first(view) and with_sale(train_to_be_had)(view)


def train_to_be_had(view: View) -> bool:
    """Tell whether a train can be bought now."""
    return can(view.ruleset, view.state, view.seat, (BuyTrain,))


@check("DO-TRAIN-12")
def owns_train(view: View, _action: Pass) -> Refusal | None:
    """Refuse to end the turn without a train while one is to be had."""
    return refuse(Code.MUST_BUY_TRAIN, company=turn_of(view.state).company) if must_own(view) else None


def trains_wait(view: View) -> bool:
    """Something can be bought or must be, or the deal in own certificates is open."""
    wishes = (BuyTrain, ForcePurchase, OwnCertificate, BuyMarker)
    return must_own(view) or can(view.ruleset, view.state, view.seat, wishes)


def pass_step(draft: Draft, _action: Pass) -> None:
    """Leave the step; with the first step a free token is let go."""
    if turn_of(draft.state).step == FIRST:
        let_go(draft)
    advance(draft)


PASS_STEP = Rule(Pass, lambda _view: (Pass(),), pass_step, needs=(passable,))
FIRST_STEP = TurnStep(FIRST, waits=first_waits, passable=True)
TRAINS = TurnStep(TRAINS_STEP, waits=trains_wait, passable=True, leave=owns_train)
