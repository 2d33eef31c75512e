"""Floating: the sale of company stock in the late phases, and the place of a brewery corporation in the order (DO-FLOAT)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, POOL, Seat, State
from trajekt.games.do.actions import ChoosePlace, SellAtFloat
from trajekt.games.do.components import is_railway
from trajekt.games.do.events import OrderSet
from trajekt.games.do.frames import FloatSale, PlaceChoice
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.share_sales import pick
from trajekt.games.do.state import Slot, do_state
from trajekt.games.do.treasury_shares import not_in_stock
from trajekt.rules.floating import FloatPolicy, late, nothing_due

MOST = 20  # per cent of the company stock


def at_once(draft: Draft, company: CompanyId) -> None:
    """Give a brewery corporation its place; in brown and grey its director may sell (DO-FLOAT-03, -04)."""
    if late(draft.state) and draft.state.companies[company].held(CHARTER):
        draft.push(FloatSale(company))
    if not is_railway(draft.sheet, company):
        take_place(draft, company)


def take_place(draft: Draft, company: CompanyId) -> None:
    """Take the place of the minor given for the director's certificate, else the last; other reserved places are on choice."""
    order = do_state(draft.state).order
    sure = Slot(company, company) in order
    places = tuple(s.brewery for s in order if s.reserved_for == company and s.brewery != company)
    if sure:
        slots = (Slot(company) if s == Slot(company, company) else s for s in order)
        draft.emit(OrderSet(tuple(s for s in slots if s.reserved_for != company), "floated"))
        return
    draft.emit(OrderSet((*order, Slot(company)), "floated"))
    if places:
        draft.push(PlaceChoice(company, places))


def director(state: State, frame: FloatSale | PlaceChoice) -> Sequence[Seat]:
    """The director decides; it need not be his turn."""
    seat = state.companies[frame.company].director
    return () if seat is None else (seat,)


def frame_of(view: View) -> FloatSale:
    """The sale on top."""
    assert isinstance(view.frame, FloatSale)
    return view.frame


@check("DO-FLOAT-04")
def stock_to_sell(view: View, action: SellAtFloat) -> Refusal | None:
    """Refuse to sell more than 20 % of the company stock."""
    company = view.company(frame_of(view).company)
    if sum(action.sizes) > MOST:
        return because(WhyNot.FLOAT_SALE_LIMIT, company=company.id, percent=MOST)
    if pick(company, company.held(CHARTER), action.sizes) is None:
        return not_in_stock(company)
    return None


@check("DO-SR-16")
def room_in_pool(view: View, action: SellAtFloat) -> Refusal | None:
    """Refuse a sale after which more than half of it lies in the pool."""
    after = view.company(frame_of(view).company).percent(POOL) + sum(action.sizes)
    most = view.sheet.limits.pool_percent
    return None if after <= most else refuse(Code.POOL_LIMIT, limit=most, after=after)


def sale_options(_view: View) -> Iterable[SellAtFloat]:
    """Nothing, 10 % or 20 %."""
    for sizes in ((), (10,), (10, 10), (20,)):
        yield SellAtFloat(sizes)


def sell(draft: Draft, action: SellAtFloat) -> None:
    """Pay the treasury from the bank; the value does not move (DO-FLOAT-04)."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, FloatSale)
    company = draft.state.companies[frame.company]
    draft.pop()
    draft.pay(BANK, company.id, draft.state.price(company.id) * sum(action.sizes) // 10, "float_sale")
    for number in pick(company, company.held(CHARTER), action.sizes) or ():
        draft.emit(CertificateMoved(company.id, number, CHARTER, POOL, "float_sale"))


SELL_AT_FLOAT = Rule(SellAtFloat, sale_options, sell, needs=(stock_to_sell,), checks=(room_in_pool,))
FLOAT_SALE = Duty(
    FloatSale,
    rule="DO-FLOAT-04",
    who=director,
    menu=(SELL_AT_FLOAT,),
    not_your_turn=(Code.NOT_DIRECTOR, "DO-FLOAT-04"),
)


@check("DO-FLOAT-03")
def place_reserved(view: View, action: ChoosePlace) -> Refusal | None:
    """Refuse a place that is none of those reserved for it, nor the last."""
    assert isinstance(view.frame, PlaceChoice)
    if action.minor in ("", *view.frame.places):
        return None
    return because(WhyNot.PLACES_KEPT, places=", ".join(view.frame.places))


def place_options(view: View) -> Iterable[ChoosePlace]:
    """Each reserved place, or the last."""
    assert isinstance(view.frame, PlaceChoice)
    for minor in ("", *view.frame.places):
        yield ChoosePlace(minor)


def choose_place(draft: Draft, action: ChoosePlace) -> None:
    """Take the place; the others lapse."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, PlaceChoice)
    draft.pop()
    order = do_state(draft.state).order
    if action.minor:
        order = tuple(s for s in order if s != Slot(frame.company))
        order = tuple(Slot(frame.company) if s == Slot(action.minor, frame.company) else s for s in order)
    draft.emit(OrderSet(tuple(s for s in order if s.reserved_for != frame.company), "floated"))


CHOOSE_PLACE = Rule(ChoosePlace, place_options, choose_place, needs=(place_reserved,))
PLACE_CHOICE = Duty(
    PlaceChoice,
    rule="DO-FLOAT-03",
    who=director,
    menu=(CHOOSE_PLACE,),
    not_your_turn=(Code.NOT_DIRECTOR, "DO-FLOAT-03"),
)
FLOATING = FloatPolicy(at_once, nothing_due)
