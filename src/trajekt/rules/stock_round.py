"""Stock rounds: buying, founding and selling in turns, until all have passed one after another.

A turn is any number of sales, each corporation as one block, then at most one purchase. It ends by itself with the purchase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import gcd
from typing import Any

from msgspec.structs import replace

from trajekt.engine.actions import Action, BuyShare, EndTurn, FoundCompany, Pass, SellShares
from trajekt.engine.agenda import Draft
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved, PriorityMoved
from trajekt.engine.ruleset import Check, Code, Duty, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Account, Company, Frame, Seat, State
from trajekt.rules import stock_market
from trajekt.rules.directorship import (
    DirectorsPolicy,
    Sale,
    directors_certificate,
    hand_over,
    plan_sale,
    sales,
    sizes_of,
)
from trajekt.rules.floating import found, shares

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
    """How a game trades.

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
    """What so many per cent of a corporation cost now, in Mark."""
    return shares(percent, state.sheet.companies[company].share) * state.price(company)


def treasury_once_floated(state: State, company: CompanyId, source: str) -> Account:
    """A floated corporation is paid for what it or its offering sells, the bank for all else (COMMON-SR-06)."""
    return company if source != POOL and state.companies[company].floated else BANK


def one_space(_state: State, _seat: Seat, _company: CompanyId, _percent: int) -> int:
    """A sale lowers the marker by one space, however many were sold (COMMON-SR-13)."""
    return 1


# Rounds and turns ----------------------------------------------------------------------------------------------------


def open_stock_round(draft: Draft, number: int) -> None:
    """Begin with the holder of the priority deal, or the next to his left if he has left the game (COMMON-SR-01)."""
    state = draft.state
    holder = state.priority
    seat = state.clockwise(holder)[0] if state.players[holder].bankrupt else holder
    draft.push(StockRound(number, seat))


def to_act(state: State, current: StockRound) -> tuple[Seat, ...]:
    """Whose turn it is."""
    return () if current.closed else (current.seat,)


def stock_round(frame: Frame) -> StockRound:
    """The frame on top, which must be a stock round."""
    assert isinstance(frame, StockRound)
    return frame


def next_seat(state: State, current: StockRound) -> Seat:
    """Who acts after the present player."""
    if current.order:
        return current.order[(current.order.index(current.seat) + 1) % len(current.order)]
    return state.clockwise(current.seat)[0]


def next_turn(draft: Draft, current: StockRound, *, passed: bool, skipped: tuple[str, ...] = ()) -> None:
    """The turn goes on clockwise; a pass counts, anything else begins the count anew (COMMON-SR-01)."""
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


# What speaks against a purchase --------------------------------------------------------------------------------------


def free_cash(state: State, seat: Seat) -> int:
    """What a player owns beyond his bids, in Mark (COMMON-AUC-05)."""
    return state.players[seat].cash - state.committed_to_bids(seat)


def limit(state: State) -> int:
    """How many certificates one player may hold (COMMON-SR-15)."""
    return state.sheet.limits.certificates[len(state.players)]


@check("COMMON-SR-18")
def known_company(view: View, action: BuyShare | FoundCompany | SellShares) -> Refusal | None:
    """Shares are those of a corporation of the game."""
    return None if action.company in view.state.companies else refuse(Code.NOT_AVAILABLE, company=action.company)


@check("COMMON-SR-16")
def within_limit_first(view: View, _action: Action) -> Refusal | None:
    """Who holds too many certificates sells before anything else, as far as he can."""
    held = view.state.certificate_count(view.seat)
    if held <= limit(view.state) or not can(view.ruleset, view.state, view.seat, (SellShares,)):
        return None
    return refuse(Code.MUST_SELL, held=held, limit=limit(view.state))


@check("COMMON-SR-15")
def certificate_limit(view: View, _action: BuyShare | FoundCompany) -> Refusal | None:
    """One more certificate must be within the limit."""
    if view.state.certificate_count(view.seat) < limit(view.state):
        return None
    return refuse(Code.CERTIFICATE_LIMIT, limit=limit(view.state))


@check("COMMON-SR-09")
def not_sold_before(view: View, action: BuyShare | FoundCompany) -> Refusal | None:
    """Who has sold a corporation's certificates acquires none of it in the same round."""
    if (view.seat, action.company) in stock_round(view.frame).sold:
        return refuse(Code.SOLD_THIS_ROUND, company=action.company)
    return None


# Buying --------------------------------------------------------------------------------------------------------------


def offered(company: Company, source: str, percent: int) -> int | None:
    """The number of the certificate that a buyer gets: the top one of the offering, any ordinary one elsewhere."""
    lying = company.held(source)
    if source == IPO:
        lying = lying[:1]
    certificates = company.certificates
    return next((n for n in lying if certificates[n].percent == percent and not certificates[n].director), None)


def on_offer(rule: str) -> Check[BuyShare]:
    """The certificate lies there to be bought; the director's certificate is sold first, by founding."""

    @check(rule, "COMMON-SR-18")
    def on_offer(view: View, action: BuyShare) -> Refusal | None:
        company = view.company(action.company)
        known = action.source in SOURCES and company.founded
        if known and offered(company, action.source, action.percent) is not None:
            return None
        return refuse(Code.NOT_AVAILABLE, company=action.company)

    return on_offer


def buy_options(view: View) -> Iterable[BuyShare]:
    """Every size that lies in the offering, on a charter or in the pool."""
    for company in view.state.companies.values():
        for source in SOURCES:
            lying = company.held(source)
            for percent in sorted({company.certificates[n].percent for n in lying}) if lying else ():
                yield BuyShare(company.id, source, percent)


@check("COMMON-SR-06")
def share_affordable(view: View, action: BuyShare) -> Refusal | None:
    """A certificate costs its shares times the current price."""
    cost = worth(view.state, action.company, action.percent)
    return None if cost <= free_cash(view.state, view.seat) else refuse(Code.UNAFFORDABLE, cost=cost)


def likely_purchases(view: View) -> Iterable[BuyShare]:
    """The same for who may take one more: of founded corporations, as far as the money goes."""
    state = view.state
    if state.certificate_count(view.seat) >= limit(state):
        return
    money = free_cash(state, view.seat)
    for action in buy_options(view):
        if state.companies[action.company].founded and worth(state, action.company, action.percent) <= money:
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


# Founding ------------------------------------------------------------------------------------------------------------


@check("COMMON-SR-08")
def not_founded(view: View, action: FoundCompany) -> Refusal | None:
    """The director's certificate is still in the initial offering."""
    company = view.company(action.company)
    if company.certificates[directors_certificate(company)].holder == IPO and not company.founded:
        return None
    return refuse(Code.NOT_AVAILABLE, company=action.company)


@check("COMMON-SR-08")
def par_on_market(view: View, action: FoundCompany) -> Refusal | None:
    """The par is a par space of the market, chosen freely."""
    return (
        None
        if stock_market.par_space(view.sheet.market, action.par) is not None
        else refuse(Code.NOT_PAR, par=action.par)
    )


def founding_cost(company: Company, par: int) -> int:
    """The shares of the director's certificate at par, in Mark."""
    return shares(company.certificates[directors_certificate(company)].percent) * par


@check("COMMON-SR-08")
def founding_affordable(view: View, action: FoundCompany) -> Refusal | None:
    """The founder pays the shares of the director's certificate at once."""
    cost = founding_cost(view.company(action.company), action.par)
    return None if cost <= free_cash(view.state, view.seat) else refuse(Code.UNAFFORDABLE, cost=cost)


def found_options(view: View) -> Iterable[FoundCompany]:
    """Every corporation at every par."""
    for company in view.state.companies:
        for par in view.sheet.market.pars:
            yield FoundCompany(company, par)


def likely_founds(view: View) -> Iterable[FoundCompany]:
    """The same for who may take one more: corporations not founded yet, as far as the money goes."""
    state = view.state
    if state.certificate_count(view.seat) >= limit(state):
        return
    money = free_cash(state, view.seat)
    for company in state.companies.values():
        if not company.founded:
            for par in view.sheet.market.pars:
                if founding_cost(company, par) <= money:
                    yield FoundCompany(company.id, par)


def found_company(draft: Draft, action: FoundCompany) -> None:
    """Pay the director's certificate at the par chosen, to the bank; the turn is over."""
    current = stock_round(draft.state.agenda[-1])
    company = draft.state.companies[action.company]
    payee = draft.ruleset.policy(SharesPolicy).payee(draft.state, company.id, IPO)
    draft.pay(draft.seat, payee, founding_cost(company, action.par), "par")
    found(draft, draft.seat, company.id, action.par)
    next_turn(draft, replace(current, buyer=draft.seat, actor=draft.seat), passed=False)


FOUND = Rule(
    FoundCompany,
    found_options,
    found_company,
    needs=(known_company, not_founded, par_on_market),
    checks=(within_limit_first, not_sold_before, founding_affordable, certificate_limit),
    likely=likely_founds,
)


# Selling -------------------------------------------------------------------------------------------------------------


def planned(view: View, action: SellShares) -> Sale | Refusal:
    """The sale as it would be carried out, or why it cannot be."""
    company = view.company(action.company)
    return plan_sale(view.state, view.ruleset.policy(DirectorsPolicy), view.seat, company, action.percent, action.sizes)


@check("COMMON-DIR-05", "COMMON-SR-13")
def can_part(view: View, action: SellShares) -> Refusal | None:
    """The seller holds these shares, and certificates that come to the sum, if need be after an exchange.

    He names their sizes where they come to it in several ways, and nowhere else.
    """
    plan = planned(view, action)
    if isinstance(plan, Refusal):
        return plan
    ways = named_sizes(view.ruleset, view.state, view.seat, view.company(action.company), action.percent)
    if bool(ways) == bool(action.sizes):
        return None
    said = "; ".join(" + ".join(f"{size} %" for size in sizes) for sizes in ways)
    return refuse(Code.NAME_PAPERS if ways else Code.ONE_WAY_TO_SELL, "COMMON-SR-13", company=action.company, ways=said)


def named_sizes(ruleset: Ruleset, state: State, seat: Seat, company: Company, percent: int) -> list[tuple[int, ...]]:
    """The sizes of papers among which a seller of so many per cent chooses; empty where there is nothing to choose."""
    policy = ruleset.policy(DirectorsPolicy)
    if not policy.names_papers or len({certificate.percent for certificate in company.certificates[1:]}) < 2:
        return []
    found = sales(state, policy, seat, company, percent)
    ways = [] if isinstance(found, Refusal) else [sizes_of(company, sale.sold) for sale in found]
    return ways if len(ways) > 1 else []


@check("COMMON-SR-03")
def not_first_round(view: View, _action: SellShares) -> Refusal | None:
    """Nothing is sold in the first stock round."""
    return refuse(Code.FIRST_ROUND) if stock_round(view.frame).number == 1 else None


@check("COMMON-SR-11")
def floated(view: View, action: SellShares) -> Refusal | None:
    """What has not floated is not sold."""
    return None if view.company(action.company).floated else refuse(Code.NOT_FLOATED, company=action.company)


@check("RHL-SR-12")
def operated(view: View, action: SellShares) -> Refusal | None:
    """What has not operated is not sold."""
    return None if view.company(action.company).operated else refuse(Code.NOT_OPERATED, company=action.company)


@check("COMMON-SR-14")
def one_block(view: View, action: SellShares) -> Refusal | None:
    """Each corporation is sold at most once in a turn."""
    if action.company in stock_round(view.frame).blocks:
        return refuse(Code.ALREADY_DONE, company=action.company)
    return None


@check("COMMON-SR-10")
def pool_limit(view: View, action: SellShares) -> Refusal | None:
    """After the sale the pool holds at most half of the corporation."""
    most = view.sheet.limits.pool_percent
    after = view.company(action.company).percent(POOL) + action.percent
    return None if after <= most else refuse(Code.POOL_LIMIT, limit=most, after=after)


@check("COMMON-SR-16")
def sells_down(view: View, action: SellShares) -> Refusal | None:
    """Who holds too many certificates sells blocks that bring him down to the limit in this turn, or as near as can be."""
    held, most = view.state.certificate_count(view.seat), limit(view.state)
    if held <= most:
        return None
    rule = next(rule for rule in view.ruleset.duties[type(view.frame)].menu if rule.action is SellShares)
    judges = [judge for judge in rule.all_checks if judge.name != "sells_down"]
    leaves: dict[CompanyId, int] = {}
    for block in sell_options(view):
        if all(judge.test(view, block) is None for judge in judges):
            leaves[block.company] = max(leaves.get(block.company, 0), _papers_less(view, block))
    others = sum(papers for company, papers in leaves.items() if company != action.company)
    after, best = held - _papers_less(view, action) - others, held - leaves.get(action.company, 0) - others
    return refuse(Code.MUST_SELL, held=held, limit=most) if after > max(most, best) else None


def _papers_less(view: View, action: SellShares) -> int:
    """By how many certificates a sale lessens what the seller holds."""
    plan = planned(view, action)
    if isinstance(plan, Refusal):
        return 0
    return len(plan.sold) - (len(plan.given) - 1 if plan.successor is not None else 0)


def sell_options(view: View) -> Iterable[SellShares]:
    """Every block from the smallest certificate to all that he holds."""
    for company in view.state.companies.values():
        yield from _blocks(view, company)


def _blocks(view: View, company: Company) -> Iterable[SellShares]:
    """The blocks of one corporation, smallest first."""
    held = company.percent(view.seat)
    if held:
        step = gcd(*[c.percent for c in company.certificates])
        for percent in range(step, held + 1, step):
            yield from block_options(view, company, percent)


def block_options(view: View, company: Company, percent: int) -> Iterable[SellShares]:
    """The ways to spell the sale of one block: one, or one for each choice of papers."""
    ways = named_sizes(view.ruleset, view.state, view.seat, company, percent)
    for sizes in ways or [()]:
        yield SellShares(company.id, percent, sizes)


def likely_sales(view: View) -> Iterable[SellShares]:
    """The same after the first stock round, as far as the pool has room."""
    if stock_round(view.frame).number == 1:
        return
    most = view.sheet.limits.pool_percent
    for company in view.state.companies.values():
        for action in _blocks(view, company):
            if action.percent > most - company.percent(POOL):
                break
            yield action


def sell(draft: Draft, seat: Seat, company_id: CompanyId, percent: int, sizes: tuple[int, ...] = ()) -> None:
    """Sell a block to the pool at the price before it; then the marker falls (COMMON-SR-13, COMMON-DIR-05).

    Also for forced sales. The block must be known to be legal.
    """
    company = draft.state.companies[company_id]
    plan = plan_sale(draft.state, draft.ruleset.policy(DirectorsPolicy), seat, company, percent, sizes)
    assert isinstance(plan, Sale), plan
    policy = draft.ruleset.policy(SharesPolicy)
    falls, price = policy.falls(draft.state, seat, company_id, percent), policy.sold_at(draft.state, company_id)
    if plan.successor is not None:
        hand_over(draft, company_id, plan.successor, plan.given)
    draft.pay(BANK, seat, shares(percent, draft.sheet.companies[company_id].share) * price, "sale")
    for number in plan.sold:
        draft.emit(CertificateMoved(company_id, number, seat, POOL, "sale"))
    for _ in range(falls):
        policy.drop(draft, company_id, "sale")


def sell_shares(draft: Draft, action: SellShares) -> None:
    """Sell a block; the turn goes on."""
    current = stock_round(draft.state.agenda[-1])
    price = draft.ruleset.policy(SharesPolicy).sold_at(draft.state, action.company)
    sell(draft, draft.seat, action.company, action.percent, action.sizes)
    sold = tuple(dict.fromkeys((*current.sold, (draft.seat, action.company))))
    blocks, prices = (*current.blocks, action.company), (*current.prices, price)
    draft.replace_top(replace(current, passes=0, sold=sold, blocks=blocks, prices=prices, actor=draft.seat))


SELL_SHARES = Rule(
    SellShares,
    sell_options,
    sell_shares,
    needs=(known_company, can_part),
    checks=(not_first_round, floated, one_block, pool_limit, sells_down),
    likely=likely_sales,
)


# Leaving a turn ------------------------------------------------------------------------------------------------------


@check("COMMON-SR-02", general=True)
def nothing_sold(view: View, _action: Pass) -> Refusal | None:
    """Who has sold ends the turn; that is no pass."""
    return refuse(Code.WRONG_STEP, step="end_turn") if stock_round(view.frame).blocks else None


@check("COMMON-SR-02", general=True)
def something_sold(view: View, _action: EndTurn) -> Refusal | None:
    """Who has sold nothing and buys nothing passes."""
    return None if stock_round(view.frame).blocks else refuse(Code.WRONG_STEP, step="pass")


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


# Before the package is sold ------------------------------------------------------------------------------------------


@check("COMMON-AUC-01")
def package_sold(_view: View, _action: BuyShare | FoundCompany) -> Refusal | None:
    """No share of any corporation is bought before the starting package is sold."""
    return refuse(Code.PACKAGE_UNSOLD)


@check("COMMON-SR-03")
def never_in_package(_view: View, _action: SellShares) -> Refusal | None:
    """The package belongs to the first stock round, in which nothing is sold."""
    return refuse(Code.FIRST_ROUND)


def _never(_draft: Draft, action: Action) -> None:
    raise AssertionError(action)


NOT_YET = (
    Rule(BuyShare, lambda _view: (), _never, needs=(package_sold,)),
    Rule(FoundCompany, lambda _view: (), _never, needs=(package_sold,)),
    Rule(SellShares, lambda _view: (), _never, needs=(never_in_package,)),
)
"""Trading during the auction of the package: always refused, with the reason (COMMON-AUC-01)."""
