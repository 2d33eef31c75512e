"""Forced purchases of a train, or of equipment by a brewery corporation (DO-TRAIN-13, DO-FORCED)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.components.schema import TrainKind
from trajekt.engine.events import CertificateMoved, LoanTaken
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, DISPLAY, POOL, Company, Seat, State
from trajekt.games.do import stock_market
from trajekt.games.do.actions import ForcedSale, ForcePurchase
from trajekt.games.do.brewery_equipment import BUY, must_buy, take_equipment
from trajekt.games.do.frames import BreweryTurn, Forced, NewTrain
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import is_minor
from trajekt.games.do.train_rules import must_own, pool_lots
from trajekt.games.do.treasury_shares import can_sell, dealt
from trajekt.rules.directorship import ordinary
from trajekt.rules.operating_round import CompanyTurn, turn_of
from trajekt.rules.trains import on_display, price_of, take_train

TRAIN, BEC = "train", "bec"


def in_need(view: View) -> str:
    """The corporation that must buy now; empty where none must."""
    frame = view.frame
    if isinstance(frame, CompanyTurn):
        return frame.company if frame.step == "trains" and must_own(view) else ""
    if isinstance(frame, BreweryTurn) and not is_minor(view.state, frame.brewery):
        return frame.brewery if frame.step == BUY and must_buy(view.state, frame) else ""
    return ""


def cards_for_sale(view: View) -> tuple[tuple[str, TrainKind], ...]:
    """The cheapest card on display; for a railway any train of the pool too (DO-FORCED-05, DO-FORCED-07)."""
    new = sorted(on_display(view.state), key=lambda kind: price_of(view.state, kind))[:1]
    found = [(DISPLAY, kind) for kind in new]
    if isinstance(view.frame, CompanyTurn):
        own = pool_lots(view.state, view.frame.company, view.ruleset.policy(DoOptions))
        found += [(POOL, kind) for kind in own]
    return tuple(found)


@check("DO-TRAIN-12", "DO-BEC-12")
def duty(view: View, _action: ForcePurchase) -> Refusal | None:
    """Refuse help to a company that owns a card, or need not own any."""
    return None if in_need(view) else because(WhyNot.NO_DUTY_TO_BUY)


@check("DO-FORCED-05", "DO-FORCED-07")
def treasury_short(view: View, action: ForcePurchase) -> Refusal | None:
    """Refuse help while the treasury pays for the cheapest new card, or the one chosen; nobody need buy out of the pool."""
    company = view.company(in_need(view))
    new = (kind for source, kind in cards_for_sale(view) if source == DISPLAY)
    for kind in (*new, action.card):
        if (cost := price_of(view.state, kind)) <= company.treasury:
            return refuse(Code.CAN_STILL_PAY, company=company.id, train=kind, cost=cost, money=company.treasury)
    return None


@check("DO-TRAIN-13")
def deal_first(view: View, _action: ForcePurchase) -> Refusal | None:
    """Refuse help before a railway's deal in own certificates, if it can still be made; a brewery's is free (D 5.6.2.3)."""
    if not isinstance(view.frame, CompanyTurn):
        return None
    company = view.company(in_need(view))
    if dealt(view.frame) or not can_sell(view.state, company):
        return None
    return because(WhyNot.DEAL_FIRST, company=company.id)


@check("DO-FORCED-05", "DO-FORCED-07")
def a_lot(view: View, action: ForcePurchase) -> Refusal | None:
    """Refuse all but the cheapest new card, or a train of the pool."""
    if (action.source, action.card) in cards_for_sale(view):
        return None
    return because(WhyNot.ONLY_THESE_CARDS, kinds=", ".join(dict.fromkeys(kind for _, kind in cards_for_sale(view))))


def options(view: View) -> Iterable[ForcePurchase]:
    """List the purchases that the rule leaves to choose."""
    for source, kind in cards_for_sale(view) if in_need(view) else ():
        yield ForcePurchase(source, kind)


def begin(draft: Draft, action: ForcePurchase) -> None:
    """Begin with what the treasury lacks."""
    goal = TRAIN if isinstance(draft.state.agenda[-1], CompanyTurn) else BEC
    draft.push(Forced(in_need(draft.view), goal, action.source, action.card))


FORCE_PURCHASE = Rule(ForcePurchase, options, begin, needs=(duty, a_lot, treasury_short, deal_first))


# The ladder ----------------------------------------------------------------------------------------------------------


def short(state: State, frame: Forced) -> int:
    """The part of the price that the treasury lacks, in Mark."""
    return max(0, price_of(state, frame.kind) - state.companies[frame.company].treasury)


def own_sales(state: State, company: Company) -> tuple[int, ...]:
    """Sizes of certificates that the director may sell without anybody holding more than he does (DO-FORCED-03)."""
    seat = company.director
    assert seat is not None
    rest = max((p for other, p in company.shareholders.items() if other != seat), default=0)
    left = company.percent(seat) - rest
    sizes = {company.certificates[n].percent for n in ordinary(company, seat)}
    return tuple(sorted(size for size in sizes if size <= left))


def sales(state: State, frame: Forced) -> tuple[str, tuple[int, ...]]:
    """From where a certificate must be sold now, and of which sizes; nothing where the money suffices (DO-FORCED-01, -02)."""
    company = state.companies[frame.company]
    lacking = short(state, frame)
    if not lacking or company.director is None:
        return "", ()
    stock = tuple(sorted({company.certificates[n].percent for n in company.held(CHARTER)}))
    if stock:
        return CHARTER, stock
    if state.players[company.director].cash >= lacking:
        return "", ()
    return "own", own_sales(state, company)


def run(draft: Draft, frame: Forced) -> None:
    """Sell where there is one way only; with no more to sell, the director's cash and the bank's credit complete it."""
    place, sizes = sales(draft.state, frame)
    if len(sizes) == 1:
        sell_one(draft, frame, place, sizes[0])
    elif not sizes:
        complete(draft, frame)


def sell_one(draft: Draft, frame: Forced, place: str, percent: int) -> None:
    """At the current value, whatever the pool holds; one space left for each 10 % (DO-FORCED-01, DO-FORCED-03)."""
    company = draft.state.companies[frame.company]
    seat = company.director
    assert seat is not None
    source = CHARTER if place == CHARTER else seat
    numbers = company.held(CHARTER) if place == CHARTER else ordinary(company, seat)
    number = next(n for n in numbers if company.certificates[n].percent == percent)
    draft.pay(BANK, company.id if place == CHARTER else seat, draft.state.price(company.id) * percent // 10, "forced")
    draft.emit(CertificateMoved(company.id, number, source, POOL, "forced"))
    for _ in range(percent // 10):
        stock_market.left(draft, company.id, "forced")


def complete(draft: Draft, frame: Forced) -> None:
    """Take from the director what the treasury lacks; what he has not is written down and counts twice (DO-FORCED-04)."""
    state = draft.state
    seat = state.companies[frame.company].director
    assert seat is not None
    lacking = short(state, frame)
    paid = min(lacking, state.players[seat].cash)
    draft.pop()
    if frame.goal == TRAIN and frame.source == DISPLAY:
        turn = turn_of(draft.state)
        draft.replace_top(replace(turn, used=(*turn.used, NewTrain(frame.kind))))
    draft.pay(seat, frame.company, paid, "forced")
    if lacking > paid:
        draft.emit(LoanTaken(seat, lacking - paid))
    # the bank pays the credit to itself: credits are no money
    draft.pay(
        frame.company,
        BANK,
        price_of(state, frame.kind) - (lacking - paid),
        frame.goal if frame.goal == TRAIN else "equipment",
    )
    if frame.goal == TRAIN:
        take_train(draft, frame.company, frame.source, frame.kind, "forced")
    else:
        take_equipment(draft, frame.company, frame.kind)


def payer(state: State, frame: Forced) -> Sequence[Seat]:
    """The director."""
    seat = state.companies[frame.company].director
    return () if seat is None else (seat,)


@check("DO-FORCED-01", "DO-FORCED-02", "DO-FORCED-03")
def sale_due(view: View, action: ForcedSale) -> Refusal | None:
    """Refuse a size of which no certificate lies in the place that is due."""
    assert isinstance(view.frame, Forced)
    _, sizes = sales(view.state, view.frame)
    if action.percent in sizes:
        return None
    return because(WhyNot.THESE_SIZES_DUE, due=", ".join(f"{size} %" for size in sorted(set(sizes))))


def sale_options(view: View) -> Iterable[ForcedSale]:
    """The sizes that lie there."""
    assert isinstance(view.frame, Forced)
    for percent in sales(view.state, view.frame)[1]:
        yield ForcedSale(percent)


def sell(draft: Draft, action: ForcedSale) -> None:
    """Sell the certificate chosen."""
    frame = draft.state.agenda[-1]
    assert isinstance(frame, Forced)
    sell_one(draft, frame, sales(draft.state, frame)[0], action.percent)


FORCED_SALE = Rule(ForcedSale, sale_options, sell, needs=(sale_due,))
FORCED = Duty(
    Forced,
    rule="DO-FORCED-01",
    who=payer,
    menu=(FORCED_SALE,),
    run=run,
    not_your_turn=(Code.NOT_DIRECTOR, "DO-FORCED-01"),
)
