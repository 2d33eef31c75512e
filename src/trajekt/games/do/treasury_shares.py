"""A corporation's deal in its own certificates, once in its turn (DO-ORDER-05, DO-BREW-02)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, POOL, Company, Frame, State
from trajekt.games.do import stock_market
from trajekt.games.do.actions import OwnCertificate
from trajekt.games.do.components import is_railway
from trajekt.games.do.frames import BreweryTurn
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import is_minor
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.turn_notes import Once

SELL, BUY = "sell", "buy"


def dealer(state: State, frame: Frame) -> str:
    """The corporation whose turn it is; empty in the turn of a minor."""
    if isinstance(frame, CompanyTurn):
        return frame.company
    assert isinstance(frame, BreweryTurn)
    return "" if is_minor(state, frame.brewery) else frame.brewery


def dealt(frame: Frame) -> bool:
    """Tell whether the deal of a turn is made."""
    if isinstance(frame, CompanyTurn):
        return Once.DEAL in frame.used
    return isinstance(frame, BreweryTurn) and Once.DEAL in frame.done


def price(state: State, company: str, percent: int) -> int:
    """The price of a certificate now, in Mark."""
    return state.price(company) * percent // 10


@check("DO-ORDER-05")
def once(view: View, _action: OwnCertificate) -> Refusal | None:
    """Refuse a second deal in a turn, and any to a minor, which has no certificates (DO-BREW-02)."""
    if not dealer(view.state, view.frame):
        return because(WhyNot.NO_OWN_CERTIFICATES, "DO-BREW-02")
    return because(WhyNot.ONE_DEAL) if dealt(view.frame) else None


@check("DO-ORDER-05")
def certificate_there(view: View, action: OwnCertificate) -> Refusal | None:
    """Refuse a size of which no certificate lies where it comes from."""
    company = view.company(dealer(view.state, view.frame))
    if action.deal not in (SELL, BUY):
        return because(WhyNot.SALE_OR_PURCHASE)
    sizes = [company.certificates[n].percent for n in company.held(CHARTER if action.deal == SELL else POOL)]
    if sizes and action.deal == SELL and view.ruleset.policy(DoOptions).own_sale == "top":
        if action.percent == sizes[0]:
            return None
        return because(WhyNot.NEXT_CERTIFICATE, company=company.id, percent=sizes[0])
    if action.percent in sizes:
        return None
    if action.deal == SELL:
        return not_in_stock(company)
    return because(WhyNot.NOT_IN_THE_POOL, company=company.id, percent=action.percent)


def not_in_stock(company: Company, rule: str = "") -> Refusal:
    """Refusal of certificates that are not in the company stock; it lists those that are."""
    listed = ", ".join(f"{company.certificates[n].percent} %" for n in company.held(CHARTER))
    return because(WhyNot.NOT_IN_STOCK, rule, company=company.id, listed=listed)


@check("DO-ORDER-05")
def pool_has_room(view: View, action: OwnCertificate) -> Refusal | None:
    """Refuse a sale after which more than half of a corporation lies in the pool."""
    company = view.company(dealer(view.state, view.frame))
    most = view.sheet.limits.pool_percent
    after = company.percent(POOL) + action.percent
    return refuse(Code.POOL_LIMIT, limit=most, after=after) if action.deal == SELL and after > most else None


@check("DO-ORDER-05")
def treasury_buys(view: View, action: OwnCertificate) -> Refusal | None:
    """Refuse a certificate of the pool that the treasury cannot pay."""
    company = view.company(dealer(view.state, view.frame))
    cost = price(view.state, company.id, action.percent)
    return (
        refuse(Code.UNAFFORDABLE, cost=cost, treasury=company.treasury)
        if action.deal == BUY and cost > company.treasury
        else None
    )


def options(view: View) -> Iterable[OwnCertificate]:
    """Every size on either side."""
    name = dealer(view.state, view.frame)
    if name:
        company = view.company(name)
        for deal, place in ((SELL, CHARTER), (BUY, POOL)):
            for percent in sorted({company.certificates[n].percent for n in company.held(place)}):
                yield OwnCertificate(deal, percent)


def can_sell(state: State, company: Company) -> bool:
    """Tell whether the company stock has a certificate for which the pool has room."""
    room = state.sheet.limits.pool_percent - company.percent(POOL)
    return any(company.certificates[n].percent <= room for n in company.held(CHARTER))


def move_certificate(draft: Draft, company: str, percent: int, source: str, target: str, cause: str) -> None:
    """One ordinary certificate of a size, the topmost, from one place to another."""
    held = draft.state.companies[company]
    number = next(
        n for n in held.held(source) if held.certificates[n].percent == percent and not held.certificates[n].director
    )
    draft.emit(CertificateMoved(company, number, source, target, cause))


def deal(draft: Draft, action: OwnCertificate) -> None:
    """Treasury against bank at the current value; a sale moves the value left (`own_sale_fall`)."""
    frame = draft.state.agenda[-1]
    name = dealer(draft.state, frame)
    cost = price(draft.state, name, action.percent)
    if isinstance(frame, CompanyTurn):
        draft.replace_top(replace(frame, used=(*frame.used, Once.DEAL)))
    else:
        assert isinstance(frame, BreweryTurn)
        draft.replace_top(replace(frame, done=(*frame.done, Once.DEAL)))
    if action.deal == BUY:
        draft.pay(name, BANK, cost, "own_deal")
        move_certificate(draft, name, action.percent, POOL, CHARTER, "own_deal")
        return
    draft.pay(BANK, name, cost, "own_deal")
    move_certificate(draft, name, action.percent, CHARTER, POOL, "own_deal")
    for _ in range(fall(draft, name, action.percent)):
        stock_market.left(draft, name, "own_deal")


def fall(draft: Draft, company: str, percent: int) -> int:
    """The number of spaces left that a sale moves the value: a railway one for each 10 %, a brewery one (`own_sale_fall`)."""
    by_ten = draft.ruleset.policy(DoOptions).own_sale_fall == "ten_percent" or is_railway(draft.sheet, company)
    return percent // 10 if by_ten else 1


OWN_CERTIFICATE = Rule(
    OwnCertificate, options, deal, needs=(once, certificate_there), checks=(pool_has_room, treasury_buys)
)


def can_deal(view: View) -> bool:
    """Tell whether the corporation in turn can deal in its certificates now."""
    return any(OWN_CERTIFICATE.first_refusal(view, action) is None for action in options(view))


def after_sale(view: View) -> View | None:
    """The position as the dearest sale of own certificates would leave it, for a look ahead; None where none can be made."""
    if not dealer(view.state, view.frame):
        return None
    sales = (action for action in options(view) if action.deal == SELL)
    dearest = max((a for a in sales if OWN_CERTIFICATE.first_refusal(view, a) is None), key=_percent, default=None)
    if dearest is None:
        return None
    draft = Draft(view.ruleset, view.state, view.seat)
    deal(draft, dearest)
    return View(view.ruleset, draft.state, view.seat, draft.state.agenda[-1])


def _percent(action: OwnCertificate) -> int:
    return action.percent


def with_sale(possible: Callable[[View], bool]) -> Callable[[View], bool]:
    """Tell whether something is possible now, or would be with the money of a sale of own certificates."""

    def waits(view: View) -> bool:
        if possible(view):
            return True
        richer = after_sale(view)
        return richer is not None and possible(richer)

    return waits
