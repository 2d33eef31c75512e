"""Brewery rounds and the turns of breweries in them (DO-BREW-01): disposal, loading, deliveries, income, purchases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Action, Pass
from trajekt.engine.decisions import can
from trajekt.engine.events import StatusSet
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import Frame, Seat, State
from trajekt.games.do.actions import (
    AlignBottlingLine,
    BuyBec,
    BuyMarker,
    Deliver,
    DisposeBec,
    ForcePurchase,
    LoadTrain,
    OwnCertificate,
    TakeEvent,
    UseEvent,
)
from trajekt.games.do.beer_deliveries import deliver_all, drop_advertised, used_of
from trajekt.games.do.beer_loading import LOAD_TRAIN
from trajekt.games.do.beer_market_clearing import clear
from trajekt.games.do.brewery_equipment import (
    AFTER,
    BUY,
    BUY_BEC,
    DISPOSE,
    INCOME,
    START,
    must_buy,
    remove,
    remove_without_demand,
    turn_in,
    turn_on_top,
)
from trajekt.games.do.brewery_income import PAY_OUT, WITHHOLD, keep
from trajekt.games.do.brewery_order import make_order
from trajekt.games.do.capital_expenditure_markers import ALIGN, BUY_MARKER, pay_pubs
from trajekt.games.do.events import BecTurned
from trajekt.games.do.forced_purchase import FORCE_PURCHASE
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.special_event_markers import (
    TAKE_EVENT,
    USE_EVENT,
    ask_for_advertising,
    ask_for_marketing,
)
from trajekt.games.do.special_events_in_use import events_back
from trajekt.games.do.state import breweries, charter, do_state, is_minor, owner
from trajekt.games.do.treasury_shares import OWN_CERTIFICATE
from trajekt.rules.game_specific_turns import OwnTurns

# Rounds --------------------------------------------------------------------------------------------------------------

OPENED, TURNS, ORDERED = "opened", "turns", "ordered"


def run_round(draft: Draft, current: BreweryRound) -> None:
    """Start, each brewery's turn in the order, the new order, the clearing (DO-BREW-01)."""
    if not current.stage:
        draft.replace_top(replace(current, stage=OPENED))
        remove_without_demand(draft)
        pay_pubs(draft)
        ask_for_advertising(draft)
    elif current.stage in (OPENED, TURNS):
        brewery = next((name for name in breweries(draft.state) if name not in current.acted), None)
        if brewery is not None:
            draft.replace_top(replace(current, stage=TURNS, acted=(*current.acted, brewery)))
            draft.push(BreweryTurn(brewery))
            return
        draft.replace_top(replace(current, stage=ORDERED))
        make_order(draft)
        ask_for_marketing(draft)
    else:
        if do_state(draft.state).advertised is not None:
            drop_advertised(draft)
        events_back(draft)
        clear(draft)
        draft.pop()


BREWERY_ROUND = Duty(BreweryRound, rule="DO-BREW-01", run=run_round)


# Turns ---------------------------------------------------------------------------------------------------------------

BEFORE: tuple[type[Action], ...] = (DisposeBec, LoadTrain, AlignBottlingLine, OwnCertificate, UseEvent)
"""The actions that may be wished before the deliveries, and before the value falls where nothing is delivered (DO-BREW-02)."""

WISHES: tuple[type[Action], ...] = (
    BuyBec,
    ForcePurchase,
    OwnCertificate,
    BuyMarker,
    TakeEvent,
    UseEvent,
)


def decides(state: State, turn: BreweryTurn) -> Sequence[Seat]:
    """The owner of the minor or the director of the corporation."""
    seat = owner(state, turn.brewery)
    return () if seat is None else (seat,)


def run_turn(draft: Draft, turn: BreweryTurn) -> None:
    """Go on to what is to be decided; without a choice the turn goes on by itself."""
    state = draft.state
    seat = owner(state, turn.brewery)
    if seat is None:  # bankrupt in its own turn
        draft.pop()
    elif not turn.step:
        becs = tuple(bec.number for bec in charter(state, turn.brewery).becs)
        draft.replace_top(replace(turn, step=START, becs=becs))
    elif turn.step == START:
        if not can(draft.ruleset, state, seat, BEFORE):  # the deliveries hold no choice
            deliver(draft)
    elif turn.step == INCOME:
        if not turn.income and not can(draft.ruleset, state, seat, (UseEvent,)):
            keep(draft)
    elif not must_buy(state, turn) and not can(draft.ruleset, state, seat, WISHES):
        end_turn(draft)


def deliver(draft: Draft) -> None:
    """Step 2 is over: the deliveries to Dortmund hold no choice (DO-BREW-10)."""
    turn = turn_in(draft)
    becs = tuple(bec.number for bec in charter(draft.state, turn.brewery).becs)
    turn = deliver_all(draft, replace(turn, step=INCOME, becs=becs))
    draft.replace_top(turn)


def turn_idle(draft: Draft, turn: BreweryTurn) -> None:
    """Turn equipment that delivered nothing, remove what did nothing for the second time, set upright what delivered.

    Only equipment that was there at step 2 (DO-BEC-04, DO-BEC-05); loading a train counts as delivering (`export_is_use`).
    """
    leaving = []
    for bec in charter(draft.state, turn.brewery).becs:
        if bec.number not in turn.becs:
            continue
        used = used_of(turn, bec.number)
        idle = not (used.dortmund or used.export)
        if idle and bec.idle:
            leaving.append(bec.number)
        elif idle != bec.idle:
            draft.emit(BecTurned(turn.brewery, bec.number, idle))
    remove(draft, turn.brewery, leaving, "idle")


def end_turn(draft: Draft) -> None:
    """End the turn; idle equipment goes last of all (DO-BEC-05)."""
    turn = turn_in(draft)
    turn_idle(draft, turn)
    events_back(draft, turn.brewery)
    if not is_minor(draft.state, turn.brewery) and not draft.state.companies[turn.brewery].operated:
        draft.emit(StatusSet(turn.brewery, "operated"))
    draft.pop()


@check("DO-BREW-01", "DO-BREW-10")
def deliveries_due(view: View, _action: Deliver) -> Refusal | None:
    """Refuse to deliver outside step 2, or twice."""
    turn = turn_on_top(view)
    return None if turn.step == START else refuse(Code.WRONG_STEP, step=START)


DELIVER = Rule(Deliver, lambda _view: (Deliver(),), lambda draft, _action: deliver(draft), needs=(deliveries_due,))


@check("DO-BREW-01")
def income_used(view: View, _action: Pass) -> Refusal | None:
    """Refuse to end the turn before the deliveries, or while income is neither paid nor withheld."""
    turn = turn_on_top(view)
    if turn.step in (BUY, AFTER) or (turn.step == INCOME and not turn.income):
        return None
    return refuse(Code.WRONG_STEP, step=BUY)


@check("DO-BEC-12", "DO-BEC-13")
def equipment_owned(view: View, _action: Pass) -> Refusal | None:
    """Refuse to end the turn against the duty to own equipment."""
    turn = turn_on_top(view)
    if turn.step != INCOME and must_buy(view.state, turn):
        rule = "DO-BEC-13" if is_minor(view.state, turn.brewery) else "DO-BEC-12"
        return because(WhyNot.MUST_GET_EQUIPMENT, rule)
    return None


def pass_options(_view: View) -> Iterable[Pass]:
    """To end the turn."""
    yield Pass()


def go_on(draft: Draft, _action: Pass) -> None:
    """Without income on to the purchases, else the end."""
    if turn_in(draft).step == INCOME:
        keep(draft)
    else:
        end_turn(draft)


PASS = Rule(Pass, pass_options, go_on, needs=(income_used,), checks=(equipment_owned,))

BREWERY_TURN = Duty(
    BreweryTurn,
    rule="DO-BREW-01",
    who=decides,
    menu=(
        DISPOSE, LOAD_TRAIN, ALIGN, DELIVER, PAY_OUT, WITHHOLD, BUY_BEC, BUY_MARKER, FORCE_PURCHASE, OWN_CERTIFICATE,
        USE_EVENT, TAKE_EVENT, PASS,
    ),
    run=run_turn,
    not_your_turn=(Code.NOT_DIRECTOR, "DO-BREW-01"),
)  # fmt: skip

BREWERY_TURNS = OwnTurns(
    BreweryTurn,
    works=breweries,
    whose=lambda turn: turn.brewery,
    step=lambda turn: turn.step,
    decides=owner,
    passable=(BUY, AFTER),
)


def brewery_turn(state: State) -> BreweryTurn | None:
    """The brewery turn on the agenda, perhaps below an interruption; None outside of one."""
    found: list[Frame] = [frame for frame in state.agenda if isinstance(frame, BreweryTurn)]
    frame = found[-1] if found else None
    return frame if isinstance(frame, BreweryTurn) else None
