"""Developing: a card bought for markers (section 7 of the rule sheet)."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.events import TrainMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, DISPLAY, GONE
from trajekt.games.ruhr.actions import Develop
from trajekt.games.ruhr.components import STAGES, StageCounts, added, names_of, row_of, ruhr_components, stages_of
from trajekt.games.ruhr.events import LocationSet, MarkersMoved
from trajekt.games.ruhr.forced_purchase_funds import Shortage, eight_too_early
from trajekt.games.ruhr.montan_charters import any_active, charter, in_order, legal_takes, supply, turned_by, waiting
from trajekt.games.ruhr.montan_turn import duty_holds, last_marker_kept, montan_turn, one_activity, one_card, use
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import SUPPLY, account, assets_of, location, ruhr_state, treasury_of
from trajekt.rules.trains import on_display
from trajekt.rules.turn_notes import Once

MONTAN, WITH_LATE = 20, 30  # values of a MONTAN location, the second with an E or X


@check("RUHR-SETUP-09", "RUHR-DEV-15", "RUHR-DEV-21")
def card_on_offer(view: View, action: Develop) -> Refusal | None:
    """Refuse a card that is not new, or of no available type; a card in the pool is a train."""
    if action.card in on_display(view.state):
        return None
    if action.card in view.state.depot.pool:
        return because(Why.POOL_IS_TRAIN, "RUHR-DEV-15")
    return because(
        Why.CARD_GONE, "RUHR-SETUP-09", train=action.card, offered=names_of(view.sheet, on_display(view.state))
    )


@check("RUHR-DEV-01", "RUHR-DEV-02", "RUHR-DEV-03", "RUHR-DEV-04", "RUHR-DEV-05", "RUHR-PMC-04")
def markers_on_card(view: View, action: Develop) -> Refusal | None:
    """Refuse stages not on the card or not left in the own supply, more than it has squares, and a wrong order afterwards."""
    state, works = view.state, montan_turn(view.frame).works
    card, printed, counts = ruhr_components(view.sheet).cards[action.card], charter(state, works), row_of(action.stages)
    if counts is None or not any(counts):
        return because(Why.NO_SUCH_MARKERS, "RUHR-DEV-09")
    if printed.mine is not None and any(counts[3:]):
        return because(Why.NOT_ON_CARD, "RUHR-PMC-04", stage=action.stages[-1])
    strange = [stage for stage in action.stages if stage not in card.stages]
    if strange:
        return because(Why.NOT_ON_CARD, "RUHR-DEV-02", stage=strange[0])
    if sum(counts) > card.squares:
        return because(Why.TOO_MANY_MARKERS, "RUHR-DEV-01", squares=card.squares)
    left = supply(state, printed.industry)
    for n, stage in enumerate(STAGES):
        if counts[n] > left[n]:
            return because(Why.NO_MARKER_LEFT, "RUHR-DEV-03", stage=stage)
    after = added(assets_of(state, works).markers, counts)
    most = ruhr_components(view.sheet).most_of_first
    if after[0] > most:
        return because(Why.TOO_MANY_OF_FIRST, "RUHR-DEV-04", most_of_first=most)
    if not in_order(after, most, x_after_e=view.ruleset.policy(RuhrOptions).x_after_e):
        return because(Why.WRONG_ORDER, "RUHR-DEV-05")
    return None


@check("RUHR-DEV-16", "RUHR-DEV-10", "RUHR-DEV-14", "RUHR-DEV-17", "RUHR-DEV-19")
def markers_have_place(view: View, action: Develop) -> Refusal | None:
    """Refuse a pMC with a marker waiting, and markers without a box, fewer than a corporation can, or none active in need."""
    state, works = view.state, montan_turn(view.frame).works
    printed, counts = charter(state, works), row_of(action.stages)
    assert counts is not None
    if printed.mine is not None:
        return because(Why.MARKER_WAITS, "RUHR-DEV-10") if any(waiting(state, works)) else None
    after = added(assets_of(state, works).markers, counts)
    for n, stage in enumerate(STAGES):
        if counts[n] and after[n] > printed.boxes[n]:
            return because(Why.NO_BOX, "RUHR-DEV-17" if stage == "X" else "RUHR-DEV-16", stage=stage)
    legal = legal_takes(state, works, action.card, x_after_e=view.ruleset.policy(RuhrOptions).x_after_e)
    if counts in legal:
        return None
    if not any_active(after, turned_by(state, action.card)):
        return because(Why.NEEDS_ACTIVE, "RUHR-DEV-19", company=works)
    return because(Why.FULL_NUMBER, "RUHR-DEV-16", squares=max((sum(row) for row in legal), default=0))


@check("RUHR-DEV-01")
def card_affordable(view: View, action: Develop) -> Refusal | None:
    """Refuse a card whose blue box cannot be paid, whatever number is taken; in need the director helps (RUHR-FORCED-06).

    But a type 8 beside a type 6 there is one type on offer at a time, so a dear card is never picked instead of a cheap one.
    """
    turn = montan_turn(view.frame)
    price, treasury = ruhr_components(view.sheet).cards[action.card].price, treasury_of(view.state, turn.works)
    if price <= treasury:
        return None
    if not duty_holds(view.ruleset.policy(RuhrOptions), view.state, turn):
        return refuse(Code.UNAFFORDABLE, cost=price, cash=treasury)
    if eight_too_early(view.state, DISPLAY, action.card):
        return because(Why.SIX_FIRST, "RUHR-FORCED-06", cost=price, cash=treasury)
    return None


def develop_options(view: View) -> Iterable[Develop]:
    """Every legal row of markers with every card on offer."""
    works, options = montan_turn(view.frame).works, view.ruleset.policy(RuhrOptions)
    for kind in on_display(view.state):
        for counts in legal_takes(view.state, works, kind, x_after_e=options.x_after_e):
            yield Develop(kind, stages_of(counts))


def develop(draft: Draft, action: Develop) -> None:
    """Pay and take the markers; what the treasury of a corporation in need lacks is raised first."""
    turn = montan_turn(draft.state.agenda[-1])
    price = ruhr_components(draft.sheet).cards[action.card].price
    if price > treasury_of(draft.state, turn.works):
        draft.push(Shortage(turn.works, DISPLAY, action.card, price, action.stages, deal=Once.DEAL in turn.used))
    else:
        take_markers(draft, action.card, action.stages)


def take_markers(draft: Draft, card: TrainKind, stages: str) -> None:
    """Take the card out of the game and bring the markers to the charter of the company whose turn it is."""
    works, counts = montan_turn(draft.state.agenda[-1]).works, row_of(stages)
    assert counts is not None
    use(draft, Once.CARD, Once.ACTIVITY)
    draft.pay(account(works), BANK, ruhr_components(draft.sheet).cards[card].price, "development")
    draft.emit(MarkersMoved(SUPPLY, works, stages, "development"))
    raise_location(draft, works, counts)
    draft.emit(TrainMoved(card, DISPLAY, GONE, "development"))


def raise_location(draft: Draft, works: str, counts: StageCounts) -> None:
    """With an E or X on its charter a corporation's location counts 30 for good (RUHR-DEV-18)."""
    found = ruhr_state(draft.state).montan.get(works)
    if found is not None and any(counts[4:]) and location(draft.state, found.mines[0]) == MONTAN:
        draft.emit(LocationSet(found.mines[0], WITH_LATE, "development"))


DEVELOP = Rule(
    Develop,
    develop_options,
    develop,
    needs=(one_activity, one_card, card_on_offer, markers_on_card, markers_have_place),
    checks=(last_marker_kept, card_affordable),
)
