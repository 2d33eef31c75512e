"""The turn of a Montan company: income, pay or keep, marker (sections 5 and 6 of the rule sheet); its activities are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from trajekt.engine.actions import Pass, PayOut, Withhold
from trajekt.engine.events import StatusSet
from trajekt.engine.frame_notes import Note
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, DISPLAY, Frame, Seat, State
from trajekt.games.ruhr.actions import BuyEngine, Develop
from trajekt.games.ruhr.components import NO_MARKERS, StageCounts, row_of, ruhr_components
from trajekt.games.ruhr.events import Earned
from trajekt.games.ruhr.forced_purchase_funds import eight_too_early
from trajekt.games.ruhr.montan_charters import cards_for, income, keeps_active, loses_last, must_develop, owner_of
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import account, treasury_of
from trajekt.rules import stock_market
from trajekt.rules.game_specific_turns import OwnTurns
from trajekt.rules.running_and_dividends import PayPolicy, dividends
from trajekt.rules.trains import on_display
from trajekt.rules.turn_notes import Once

INCOME, DEAL, ACTIVITY = "income", "deal", "activity"
CLOSING = "closing"
"""The step of a corporation that leaves the game as its turn ends."""


class MontanTurn(Frame, frozen=True, tag="montan_turn"):
    """The turn of a Montan company. `used` is what may be done once; `revenue` in Mark."""

    works: str
    step: str = ""
    revenue: int = 0
    used: tuple[Note, ...] = ()

    def acting(self) -> str:
        return self.works


def montan_turn(frame: Frame) -> MontanTurn:
    """The frame on top, which must be such a turn."""
    assert isinstance(frame, MontanTurn)
    return frame


def decides(state: State, turn: MontanTurn) -> Sequence[Seat]:
    """The owner of the pMC or the director of the corporation, nobody where the bank runs it (RUHR-DIR-07)."""
    seat = owner_of(state, turn.works)
    return () if seat is None else (seat,)


def use(draft: Draft, *notes: Note) -> None:
    """Remember what has been done in the turn on top."""
    turn = montan_turn(draft.state.agenda[-1])
    draft.replace_top(replace(turn, used=(*turn.used, *notes)))


def earn(draft: Draft, turn: MontanTurn) -> None:
    """The income of the turn (RUHR-PMC-02); a corporation without any may deal before its marker falls (RUHR-OR-11)."""
    revenue = income(draft.state, turn.works)
    draft.emit(Earned(turn.works, revenue))
    without = DEAL if turn.works in draft.state.companies else ACTIVITY
    draft.replace_top(replace(turn, step=INCOME if revenue else without, revenue=revenue))


def fall(draft: Draft) -> None:
    """Without a dividend the marker of a corporation falls (RUHR-OR-09)."""
    turn = montan_turn(draft.state.agenda[-1])
    draft.replace_top(replace(turn, step=ACTIVITY))
    stock_market.left(draft, turn.works, "no_revenue")


def end_turn(draft: Draft) -> None:
    """End the turn; a corporation has performed an OR."""
    works = montan_turn(draft.state.agenda[-1]).works
    if works in draft.state.companies and not draft.state.companies[works].operated:
        draft.emit(StatusSet(works, "operated"))
    draft.pop()


# Income --------------------------------------------------------------------------------------------------------------


@check("RUHR-OR-07")
def income_due(view: View, _action: PayOut | Withhold) -> Refusal | None:
    """Refuse income a second time in a turn, and after the activity."""
    turn = montan_turn(view.frame)
    return None if turn.step == INCOME else refuse(Code.WRONG_STEP, step=INCOME)


@check("RUHR-BANKR-07")
def no_loan_left(view: View, _action: PayOut) -> Refusal | None:
    """Refuse to pay out while a loan stands."""
    found = view.state.companies.get(montan_turn(view.frame).works)
    return because(Why.LOAN_FIRST, debt=found.debt) if found is not None and found.debt else None


def pay_out(draft: Draft, _action: PayOut) -> None:
    """A pMC half and half, the odd Mark kept (RUHR-PMC-03); a corporation to its certificates (RUHR-OR-08, -09)."""
    turn = montan_turn(draft.state.agenda[-1])
    draft.replace_top(replace(turn, step=ACTIVITY))
    if turn.works not in draft.state.companies:
        half = turn.revenue // 2
        draft.pay(BANK, draft.seat, half, "income")
        draft.pay(BANK, account(turn.works), turn.revenue - half, "income")
        return
    policy = draft.ruleset.policy(PayPolicy)
    for target, amount in dividends(draft.state, turn.works, turn.revenue, policy):
        draft.pay(BANK, target, amount, "dividend")
    if turn.revenue >= draft.state.price(turn.works):
        stock_market.right(draft, turn.works, "dividend")


def keep(draft: Draft) -> None:
    """All into the treasury; the marker of a corporation falls."""
    turn = montan_turn(draft.state.agenda[-1])
    draft.replace_top(replace(turn, step=ACTIVITY))
    if turn.works not in draft.state.companies:
        draft.pay(BANK, account(turn.works), turn.revenue, "income")
        return
    draft.pay(BANK, turn.works, turn.revenue, "withhold")
    stock_market.left(draft, turn.works, "withhold")


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(income_due,), checks=(no_loan_left,))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), lambda draft, _action: keep(draft), needs=(income_due,))


# What holds for every activity ---------------------------------------------------------------------------------------


@check("RUHR-OR-07")
def one_activity(view: View, _action: Any) -> Refusal | None:
    """Refuse a second activity in a turn, and any before the income."""
    turn = montan_turn(view.frame)
    if turn.step != ACTIVITY:
        return refuse(Code.WRONG_STEP, step=ACTIVITY)
    return because(Why.ONE_ACTIVITY) if Once.ACTIVITY in turn.used else None


@check("RUHR-OR-10")
def one_card(view: View, _action: Any) -> Refusal | None:
    """Refuse a second card in an OR."""
    return because(Why.ONE_CARD) if Once.CARD in montan_turn(view.frame).used else None


def duty_holds(options: RuhrOptions, state: State, turn: MontanTurn, *, spent: int = 0) -> bool:
    """Tell whether the company must develop now (RUHR-DEV-19): no active marker, no card bought yet (Q21), one that helps.

    A type 8 that only the treasury may pay, since a type 6 is there, is no duty for one that cannot (RUHR-FORCED-06).
    `spent` asks what would be if the treasury held so many Mark less.
    """
    if Once.CARD in turn.used or not must_develop(state, turn.works):
        return False
    prices, treasury = ruhr_components(state.sheet).cards, treasury_of(state, turn.works) - spent
    return any(
        prices[kind].price <= treasury or not eight_too_early(state, "display", kind)
        for kind in cards_for(state, turn.works, x_after_e=options.x_after_e)
    )


def beyond_help(options: RuhrOptions, state: State, turn: MontanTurn) -> bool:
    """No active marker and none to be had with any card on offer (RUHR-DEV-20); without a card on offer no duty (Q59).

    Who had one when the turn began, and so an income, and lost it by the card bought, has until the next turn (Q21).
    """
    if not must_develop(state, turn.works) or not on_display(state) or (Once.CARD in turn.used and turn.revenue):
        return False
    return not cards_for(state, turn.works, x_after_e=options.x_after_e)


@check("RUHR-DEV-19")
def nothing_owed(view: View, _action: Any) -> Refusal | None:
    """Refuse any activity but to develop without an active marker."""
    turn = montan_turn(view.frame)
    if turn.step != DEAL and duty_holds(view.ruleset.policy(RuhrOptions), view.state, turn):
        return because(Why.MUST_DEVELOP, company=turn.works)
    return None


@check("RUHR-DEV-19")
def last_marker_kept(view: View, action: Develop | BuyEngine) -> Refusal | None:
    """Refuse a new card that turns the last active marker while an affordable development leaves it one (Q21)."""
    state, works = view.state, montan_turn(view.frame).works
    if isinstance(action, BuyEngine):
        if action.source != DISPLAY:
            return None
        counts: StageCounts | None = NO_MARKERS
    else:
        counts = row_of(action.stages)
    if counts is None or not loses_last(state, works, action.card, counts):
        return None
    x_after_e = view.ruleset.policy(RuhrOptions).x_after_e
    kept = keeps_active(state, works, treasury_of(state, works), x_after_e=x_after_e)
    return because(Why.NEEDS_ACTIVE, company=works) if kept else None


# Leaving -------------------------------------------------------------------------------------------------------------


@check("RUHR-OR-07")
def income_disposed(view: View, _action: Pass) -> Refusal | None:
    """Refuse to go on before the income is paid or withheld."""
    turn = montan_turn(view.frame)
    return None if turn.step in (DEAL, ACTIVITY) else refuse(Code.WRONG_STEP, step=ACTIVITY)


def pass_step(draft: Draft, _action: Pass) -> None:
    """Make no deal before the marker falls, or end the turn."""
    turn = montan_turn(draft.state.agenda[-1])
    if turn.step == DEAL:
        fall(draft)
    elif beyond_help(draft.ruleset.policy(RuhrOptions), draft.state, turn):
        draft.replace_top(replace(turn, step=CLOSING))
    else:
        end_turn(draft)


PASS = Rule(Pass, lambda _view: (Pass(),), pass_step, needs=(income_disposed, nothing_owed))

MONTAN_TURNS = OwnTurns(
    MontanTurn,
    works=lambda state: ruhr_components(state.sheet).charters,
    whose=lambda turn: turn.works,
    step=lambda turn: turn.step,
    decides=owner_of,
    passable=(DEAL, ACTIVITY),
)
