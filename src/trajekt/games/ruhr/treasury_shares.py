"""A corporation's deal in its own certificates, once in its turn (RUHR-OR-11)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, IPO, POOL, Frame
from trajekt.games.ruhr.actions import ShareDeal
from trajekt.games.ruhr.forced_purchase_funds import Shortage, deal_sizes
from trajekt.games.ruhr.montan_turn import MontanTurn, duty_holds
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.rules import stock_market
from trajekt.rules.construction_costs import affordable
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import worth
from trajekt.rules.turn_notes import Once

SELL, BUY = "sell", "buy"


def dealer(frame: Frame) -> CompanyId:
    """The corporation whose turn, or forced purchase, lies on top; empty in the turn of a pMC.

    A deal in a forced purchase is the deal of the turn below, which learns of it when the purchase is complete.
    """
    if isinstance(frame, CompanyTurn | Shortage):
        return frame.company
    assert isinstance(frame, MontanTurn)
    return "" if frame.works.isdecimal() else frame.works


@check("RUHR-OR-11")
def once(view: View, _action: ShareDeal) -> Refusal | None:
    """Refuse a second deal in a turn, and any to what is no corporation."""
    if not dealer(view.frame):
        return because(Why.NO_OWN_PAPERS)
    frame = view.frame
    if isinstance(frame, Shortage):
        return because(Why.ONE_DEAL) if frame.deal else None
    assert isinstance(frame, CompanyTurn | MontanTurn)
    return because(Why.ONE_DEAL) if Once.DEAL in frame.used else None


@check("RUHR-OR-11", "RUHR-FORCED-02")
def deal_possible(view: View, action: ShareDeal) -> Refusal | None:
    """Refuse a size not lying there, and a sale without room in the pool. In a forced purchase only to sell."""
    company = view.company(dealer(view.frame))
    place = {SELL: IPO, BUY: POOL}.get(action.deal, "")
    there = any(company.certificates[n].percent == action.percent for n in company.held(place))
    if not there or (place == POOL and isinstance(view.frame, Shortage)):
        where = place or action.deal
        return because(Why.NO_CERTIFICATE, company=company.id, percent=action.percent, source=where)
    if place == POOL:
        return affordable(company, worth(view.state, company.id, action.percent))
    if action.percent in deal_sizes(view.ruleset.policy(RuhrOptions), view.state, company.id):
        return None
    after = company.percent(POOL) + action.percent
    return refuse(Code.POOL_LIMIT, company=company.id, limit=view.sheet.limits.pool_percent, after=after)


@check("RUHR-DEV-19")
def duty_stays(view: View, action: ShareDeal) -> Refusal | None:
    """Refuse an own certificate for money that a corporation without an active marker needs for its card.

    The director helps with any card but a type 8 beside a type 6: there the purchase would make the duty go away.
    """
    frame, options = view.frame, view.ruleset.policy(RuhrOptions)
    if action.deal != BUY or not isinstance(frame, MontanTurn) or not duty_holds(options, view.state, frame):
        return None
    spent = worth(view.state, frame.works, action.percent)
    return (
        None if duty_holds(options, view.state, frame, spent=spent) else because(Why.MUST_DEVELOP, company=frame.works)
    )


def deal_options(view: View) -> Iterable[ShareDeal]:
    """Every size in IPO and pool."""
    name = dealer(view.frame)
    if not name:
        return
    company = view.company(name)
    for deal, place in ((SELL, IPO), (BUY, POOL)):
        for percent in sorted({company.certificates[n].percent for n in company.held(place)}):
            yield ShareDeal(deal, percent)


def share_deal(draft: Draft, action: ShareDeal) -> None:
    """Sell: the value before, then one box down. Buy: the value to the bank, the marker stays (Q13)."""
    frame = draft.state.agenda[-1]
    company_id = dealer(frame)
    if isinstance(frame, Shortage):
        draft.replace_top(replace(frame, deal=True))
    elif isinstance(frame, CompanyTurn | MontanTurn):
        draft.replace_top(replace(frame, used=(*frame.used, Once.DEAL)))
    if action.deal == SELL:
        sell_one(draft, company_id, action.percent)
    else:
        buy_one(draft, company_id, action.percent)


def sell_one(draft: Draft, company_id: CompanyId, percent: int) -> None:
    """One certificate of the IPO to the pool."""
    company = draft.state.companies[company_id]
    number = next(n for n in company.held(IPO) if company.certificates[n].percent == percent)
    draft.pay(BANK, company_id, worth(draft.state, company_id, percent), "deal")
    draft.emit(CertificateMoved(company_id, number, IPO, POOL, "deal"))
    stock_market.left(draft, company_id, "deal")


def buy_one(draft: Draft, company_id: CompanyId, percent: int) -> None:
    """One certificate of the pool into the IPO."""
    company = draft.state.companies[company_id]
    number = next(n for n in company.held(POOL) if company.certificates[n].percent == percent)
    draft.pay(company_id, BANK, worth(draft.state, company_id, percent), "deal")
    draft.emit(CertificateMoved(company_id, number, POOL, IPO, "deal"))


SHARE_DEAL = Rule(ShareDeal, deal_options, share_deal, needs=(once,), checks=(deal_possible, duty_stays))
