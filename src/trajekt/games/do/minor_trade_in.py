"""Trading a minor in: for a director's certificate, company stock or a certificate of the pool (DO-TRADEIN)."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, PrivateClosed
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, POOL, State
from trajekt.games.do.actions import FoundByTrade, TradeIn
from trajekt.games.do.brewery_equipment import ask_for_discards
from trajekt.games.do.capital_expenditure_markers import all_back, hand_over
from trajekt.games.do.components import do_components, is_railway
from trajekt.games.do.events import BecsMoved, OrderSet
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import REMOVED, Slot, account, charter, do_state, minor_of, treasury_of
from trajekt.games.do.stock_round import (
    SOURCES,
    TEN,
    finish,
    not_sold_before,
    offered,
    on_offer,
    surplus_first,
    within_share_limit,
)
from trajekt.rules.stock_round import stock_round


def before_green(state: State, rule: str) -> Refusal | None:
    """Refuse what begins with the second phase, as long as the first lasts; the refusal names the second."""
    first, second, *_ = state.sheet.phases
    return refuse(Code.NOT_IN_PHASE, rule, phase=second.name) if state.phase == first.name else None


@check("DO-SR-01", "DO-TRADEIN-06")
def not_first_round(view: View, _action: FoundByTrade | TradeIn) -> Refusal | None:
    """Refuse a trade-in before phase 3, so never in the first stock round."""
    if stock_round(view.frame).number == 1:
        return refuse(Code.FIRST_ROUND, "DO-SR-01")
    return before_green(view.state, "DO-TRADEIN-06")


@check("DO-TRADEIN-06")
def no_minor(view: View, _action: FoundByTrade | TradeIn) -> Refusal | None:
    """Refuse a minor that the player no longer owns."""
    return None if minor_of(view.state, view.seat) else refuse(Code.NOT_OWNER)


@check("DO-TRADEIN-02")
def a_brewery(view: View, action: TradeIn) -> Refusal | None:
    """Refuse a corporation that is no brewery: minors become part of breweries only."""
    return because(WhyNot.NO_BREWERY, company=action.company) if is_railway(view.sheet, action.company) else None


def price(state: State, action: TradeIn) -> int:
    """For more than 10 % the rest is paid, in Mark (DO-TRADEIN-03, -05)."""
    return state.price(action.company) * (action.percent - TEN) // TEN


@check("DO-TRADEIN-03", "DO-TRADEIN-05")
def pays_rest(view: View, action: TradeIn) -> Refusal | None:
    """Refuse what the owner cannot pay from his cash."""
    if action.source == POOL and action.percent > TEN and view.ruleset.policy(DoOptions).pool_20_trade_in == "refused":
        return because(WhyNot.TEN_OF_POOL, "DO-TRADEIN-05")
    cost = price(view.state, action)
    return None if cost <= view.player.cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=view.player.cash)


def options(view: View) -> Iterable[TradeIn]:
    """Every size on either side."""
    if minor_of(view.state, view.seat):
        for company in view.state.companies.values():
            for source in SOURCES:
                for percent in sorted({company.certificates[n].percent for n in company.held(source)}):
                    yield TradeIn(company.id, source, percent)


def gives_up(draft: Draft, minor: str, company: CompanyId) -> None:
    """Treasury, equipment and markers of a minor go to a corporation, the charter leaves the game (DO-TRADEIN-01, -02)."""
    draft.pay(account(draft.state, minor), company, treasury_of(draft.state, minor), "trade_in")
    becs = tuple(bec.number for bec in charter(draft.state, minor).becs)
    if becs:
        draft.emit(BecsMoved(minor, company, becs, "trade_in"))
    hand_over(draft, minor, company)
    draft.emit(PrivateClosed(do_components(draft.sheet).minors[minor].number, "trade_in"))


def to_the_bank(draft: Draft, minor: str) -> None:
    """Treasury to the bank, equipment out of the game, markers back to the display (DO-TRADEIN-05)."""
    draft.pay(account(draft.state, minor), BANK, treasury_of(draft.state, minor), "trade_in")
    becs = tuple(bec.number for bec in charter(draft.state, minor).becs)
    if becs:
        draft.emit(BecsMoved(minor, REMOVED, becs, "trade_in"))
    all_back(draft, minor)
    draft.emit(PrivateClosed(do_components(draft.sheet).minors[minor].number, "trade_in"))


def trade_in(draft: Draft, action: TradeIn) -> None:
    """The acquisition of this turn; it counts for floating (DO-TRADEIN-06, -09)."""
    name, seat = action.company, draft.seat
    minor, company = minor_of(draft.state, seat), draft.state.companies[action.company]
    number = offered(company, action.source, action.percent, stacked=draft.ruleset.policy(DoOptions).stack_order)
    assert number is not None
    finish(draft)
    draft.pay(seat, name if action.source == CHARTER else BANK, price(draft.state, action), "trade_in")
    # its place in the brewery order is kept open for a corporation that has not floated (DO-FLOAT-03, DO-TRADEIN-08)
    kept = action.source == CHARTER and not company.floated
    slots = (Slot(minor, name) if s.brewery == minor else s for s in do_state(draft.state).order)
    draft.emit(OrderSet(tuple(s for s in slots if kept or s.brewery != minor), "trade_in"))
    if action.source == CHARTER:
        gives_up(draft, minor, name)
    else:
        to_the_bank(draft, minor)
    draft.emit(CertificateMoved(name, number, action.source, seat, "trade_in"))
    if action.source == CHARTER:
        ask_for_discards(draft, name)


TRADE_IN = Rule(
    TradeIn,
    options,
    trade_in,
    needs=(not_first_round, no_minor, on_offer, a_brewery),
    checks=(surplus_first, not_sold_before, within_share_limit, pays_rest),
)
