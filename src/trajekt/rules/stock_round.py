"""Stock rounds: buying, founding and selling in turns, until all have passed one after another.

A turn is any number of sales, each corporation as one block, then at most one purchase. It ends by itself with the purchase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from trajekt.engine.actions import Action, BuyShare, EndTurn, FoundCompany, Pass, SellShares
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved, PriorityMoved
from trajekt.engine.memo import memo_function
from trajekt.engine.ruleset import Check, Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Account, Company, Frame, Seat, State
from trajekt.rules import stock_market
from trajekt.rules.floating import shares

SOURCES = (IPO, CHARTER, POOL)


class StockRound(Frame, frozen=True, tag="stock_round"):
    """Stock round `number`: `seat` is to act, `passes` were made in succession.

    `sold` holds who has sold what in this round, `blocks` what was sold in this turn. `buyer` bought the last certificate,
    `actor` bought or sold last. `closed` tells that all is done but to leave.
    `order` is the order of turns where it is not clockwise. `prices` are those at which `blocks` were sold, in Mark.
    """

    number: int
    seat: Seat
    passes: int = 0
    sold: tuple[tuple[Seat, CompanyId], ...] = ()
    blocks: tuple[CompanyId, ...] = ()
    buyer: Seat | None = None
    actor: Seat | None = None
    closed: bool = False
    order: tuple[Seat, ...] = ()
    prices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SharesPolicy:
    """The choices of an edition in trading shares.

    `payee` receives the price of a certificate from a source; `falls` is by how many spaces a sale lowers the marker, `drop`
    the way it falls; `priority` says who gets the priority deal after a round; `closing` are the steps that end one, in order.
    `acts` are what a turn is for: who can do none of them is passed over. `sold_at` is what one share brings its seller.
    """

    payee: Callable[[State, CompanyId, str], Account]
    falls: Callable[[State, Seat, CompanyId, int], int]
    priority: Callable[[State, StockRound], Seat]
    closing: tuple[Callable[[Draft], None], ...]
    drop: Callable[[Draft, CompanyId, str], None] = stock_market.down
    acts: tuple[type[Action], ...] = (BuyShare, FoundCompany, SellShares)
    sold_at: Callable[[State, CompanyId], int] = State.price


def worth(state: State, company: CompanyId, percent: int) -> int:
    """The price of so many per cent of a corporation now, in Mark."""
    return shares(percent, state.sheet.companies[company].share) * state.price(company)


def treasury_once_floated(state: State, company: CompanyId, source: str) -> Account:
    """Return who is paid: a floated corporation for what it or its offering sells, the bank for all else (COMMON-SR-06)."""
    return company if source != POOL and state.companies[company].floated else BANK


def one_space(_state: State, _seat: Seat, _company: CompanyId, _percent: int) -> int:
    """A sale lowers the marker by one space, however many were sold (COMMON-SR-13)."""
    return 1


def open_stock_round(draft: Draft, number: int) -> None:
    """Begin with the holder of the priority deal, or the next to his left if he has left the game (COMMON-SR-01)."""
    state = draft.state
    holder = state.priority
    seat = state.clockwise(holder)[0] if state.players[holder].bankrupt else holder
    draft.push(StockRound(number, seat))


def to_act(state: State, current: StockRound) -> tuple[Seat, ...]:
    """The seat whose turn it is."""
    return () if current.closed else (current.seat,)


def stock_round(frame: Frame) -> StockRound:
    """The frame on top, which must be a stock round."""
    assert isinstance(frame, StockRound)
    return frame


def next_seat(state: State, current: StockRound) -> Seat:
    """The seat that acts after the present player."""
    if current.order:
        return current.order[(current.order.index(current.seat) + 1) % len(current.order)]
    return state.clockwise(current.seat)[0]


def next_turn(draft: Draft, current: StockRound, *, passed: bool, skipped: tuple[str, ...] = ()) -> None:
    """Pass the turn on clockwise; a pass counts, anything else begins the count anew (COMMON-SR-01)."""
    seat = next_seat(draft.state, current)
    passes = current.passes + 1 if passed else 0
    draft.replace_top(replace(current, seat=seat, passes=passes, blocks=(), prices=()), skipped)


def run_round(draft: Draft, current: StockRound) -> None:
    """Skip turns in which nothing can be done any more; when all have passed in succession, close the round and leave it."""
    if current.closed:
        draft.pop()
    elif current.passes >= len(draft.state.clockwise(current.seat)):
        draft.replace_top(replace(current, closed=True))
        for step in draft.ruleset.policy(SharesPolicy).closing:
            step(draft)
    elif not can(draft.ruleset, draft.state, current.seat, draft.ruleset.policy(SharesPolicy).acts):
        next_turn(draft, current, passed=not current.blocks, skipped=("stock_turn",))


def richest(state: State, after: Seat) -> Seat:
    """The player with most cash, on a tie the first of them clockwise from the left of `after`, who comes last himself."""
    return max(state.clockwise(after), key=lambda seat: state.players[seat].cash)


def richest_after_holder(state: State, _current: StockRound) -> Seat:
    """Ties go by the distance from the previous holder of the priority deal (COMMON-SR-19)."""
    return richest(state, state.priority)


def richest_after_buyer(state: State, current: StockRound) -> Seat:
    """Ties go by the distance from who last bought a certificate, if anybody did (RHL-SR-20)."""
    return richest(state, state.priority if current.buyer is None else current.buyer)


def give_priority(draft: Draft, seat: Seat) -> None:
    """Hand the priority deal over; nothing is emitted where it stays."""
    if draft.state.priority != seat:
        draft.emit(PriorityMoved(seat))


def move_priority(draft: Draft) -> None:
    """Hand the priority deal to whom the edition says."""
    current = stock_round(draft.state.agenda[-1])
    give_priority(draft, draft.ruleset.policy(SharesPolicy).priority(draft.state, current))


def free_cash(state: State, seat: Seat) -> int:
    """The cash of a player beyond his bids, in Mark (COMMON-AUC-05)."""
    return state.players[seat].cash - state.committed_to_bids(seat)


def limit(state: State) -> int:
    """The number of certificates that one player may hold (COMMON-SR-15)."""
    return state.sheet.limits.certificates[len(state.players)]


@check("COMMON-SR-18")
def known_company(view: View, action: BuyShare | FoundCompany | SellShares) -> Refusal | None:
    """Refuse shares of what is no corporation of the game."""
    return None if action.company in view.state.companies else refuse(Code.NOT_IN_RULESET, company=action.company)


@check("COMMON-SR-16")
def within_limit_first(view: View, _action: Action) -> Refusal | None:
    """Refuse anything but a sale to a player above the certificate limit, as far as he can sell."""
    held = view.state.certificate_count(view.seat)
    if held <= limit(view.state) or not can(view.ruleset, view.state, view.seat, (SellShares,)):
        return None
    return refuse(Code.MUST_SELL, held=held, limit=limit(view.state))


@check("COMMON-SR-15")
def certificate_limit(view: View, _action: BuyShare | FoundCompany) -> Refusal | None:
    """Refuse a certificate above the limit."""
    held = view.state.certificate_count(view.seat)
    return None if held < limit(view.state) else refuse(Code.CERTIFICATE_LIMIT, held=held, limit=limit(view.state))


@check("COMMON-SR-09")
def not_sold_before(view: View, action: BuyShare | FoundCompany) -> Refusal | None:
    """Refuse to buy a corporation of which the player has sold certificates in the same round."""
    if (view.seat, action.company) in stock_round(view.frame).sold:
        return refuse(Code.SOLD_THIS_ROUND, company=action.company)
    return None


def offered(company: Company, source: str, percent: int) -> int | None:
    """The number of the certificate that a buyer gets: the top one of the offering, any ordinary one elsewhere."""
    lying = company.held(source)
    if source == IPO:
        lying = lying[:1]
    certificates = company.certificates
    return next((n for n in lying if certificates[n].percent == percent and not certificates[n].director), None)


def on_offer(rule: str) -> Check[BuyShare]:
    """Refuse a certificate that does not lie there to be bought; the director's is sold first, by founding."""

    @check(rule, "COMMON-SR-18")
    def on_offer(view: View, action: BuyShare) -> Refusal | None:
        company = view.company(action.company)
        if not company.founded:
            return refuse(Code.NOT_FOUNDED_YET, company=company.id)
        if action.source in SOURCES and offered(company, action.source, action.percent) is not None:
            return None
        lying = company.held(action.source)
        if action.source == IPO and lying:
            return refuse(Code.NEXT_CERTIFICATE, company=company.id, percent=company.certificates[lying[0]].percent)
        return refuse(Code.NONE_LIES_THERE, company=company.id, percent=action.percent, source=action.source)

    return on_offer


@memo_function
def purchases(company: Company) -> tuple[BuyShare, ...]:
    """The purchase of every size that lies in the offering, on the charter or in the pool; kept on the company."""
    sizes = {source: {company.certificates[n].percent for n in company.held(source)} for source in SOURCES}
    return tuple(BuyShare(company.id, source, percent) for source in SOURCES for percent in sorted(sizes[source]))


def buy_options(view: View) -> Iterable[BuyShare]:
    """Every size that lies in the offering, on a charter or in the pool."""
    for company in view.state.companies.values():
        yield from purchases(company)


@check("COMMON-SR-06")
def share_affordable(view: View, action: BuyShare) -> Refusal | None:
    """Refuse a buyer without the cash for its shares at the current price."""
    cost, cash = worth(view.state, action.company, action.percent), free_cash(view.state, view.seat)
    return None if cost <= cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=cash)


def likely_purchases(view: View) -> Iterable[BuyShare]:
    """List purchases for a player who may take one more: of founded corporations, as far as the money goes."""
    state = view.state
    if state.certificate_count(view.seat) >= limit(state):
        return
    money = free_cash(state, view.seat)
    for company in state.companies.values():
        for action in purchases(company) if company.founded else ():
            if worth(state, company.id, action.percent) <= money:
                yield action


def buy_share(draft: Draft, action: BuyShare) -> None:
    """Pay the bank or the treasury and take the certificate; the turn is over (COMMON-SR-02, COMMON-SR-06).

    No limit on one player's part of a corporation (COMMON-SR-17); the pool is open in every round (COMMON-SR-07).
    """
    current = stock_round(draft.state.agenda[-1])
    company = draft.state.companies[action.company]
    number = offered(company, action.source, action.percent)
    assert number is not None
    payee = draft.ruleset.policy(SharesPolicy).payee(draft.state, company.id, action.source)
    draft.pay(draft.seat, payee, worth(draft.state, company.id, action.percent), "share")
    draft.emit(CertificateMoved(company.id, number, action.source, draft.seat, "share"))
    next_turn(draft, replace(current, buyer=draft.seat, actor=draft.seat), passed=False)


BUY_SHARE = Rule(
    BuyShare,
    buy_options,
    buy_share,
    needs=(known_company, on_offer("COMMON-SR-04")),
    checks=(within_limit_first, not_sold_before, share_affordable, certificate_limit),
    likely=likely_purchases,
)


@check("COMMON-SR-02", general=True)
def nothing_sold(view: View, _action: Pass) -> Refusal | None:
    """Refuse a pass after a sale: the turn is ended instead."""
    return refuse(Code.END_TURN_INSTEAD) if stock_round(view.frame).blocks else None


@check("COMMON-SR-02", general=True)
def something_sold(view: View, _action: EndTurn) -> Refusal | None:
    """Refuse to end a turn without a sale: it is passed instead."""
    return None if stock_round(view.frame).blocks else refuse(Code.PASS_INSTEAD)


def pass_turn(draft: Draft, _action: Pass) -> None:
    """Pass: nothing bought, nothing sold."""
    next_turn(draft, stock_round(draft.state.agenda[-1]), passed=True)


def end_turn(draft: Draft, _action: EndTurn) -> None:
    """Leave a turn in which something was sold."""
    next_turn(draft, stock_round(draft.state.agenda[-1]), passed=False)


PASS = Rule(Pass, lambda _view: (Pass(),), pass_turn, needs=(nothing_sold,), checks=(within_limit_first,))
END_TURN = Rule(EndTurn, lambda _view: (EndTurn(),), end_turn, needs=(something_sold,), checks=(within_limit_first,))


def stock_round_duty(*menu: Rule[Any]) -> Duty:
    """The duty of a stock round with the rules of its edition."""
    return Duty(StockRound, rule="COMMON-SR-01", who=to_act, menu=menu, run=run_round)
