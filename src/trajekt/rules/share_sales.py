"""Selling shares in a stock round: one block of a corporation to the pool, then the price falls (COMMON-SR-10 to -16)."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from msgspec.structs import replace

from trajekt.engine.actions import SellShares
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, POOL, Company, Seat, State
from trajekt.rules.directorship import (
    DirectorsPolicy,
    Sale,
    hand_over,
    offers,
    plan_sale,
    rival,
    sales,
    sizes_of,
)
from trajekt.rules.floating import shares
from trajekt.rules.stock_round import SharesPolicy, known_company, limit, stock_round


def planned(view: View, action: SellShares) -> Sale | Refusal:
    """The sale as it would be carried out, or why it cannot be."""
    company = view.company(action.company)
    return plan_sale(view.state, view.ruleset.policy(DirectorsPolicy), view.seat, company, action.percent, action.sizes)


@check("COMMON-DIR-05", "COMMON-SR-13")
def can_part(view: View, action: SellShares) -> Refusal | None:
    """Refuse a seller without these shares, or without certificates that come to the sum, if need be after an exchange.

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
    """Refuse every sale in the first stock round."""
    return refuse(Code.FIRST_ROUND) if stock_round(view.frame).number == 1 else None


@check("COMMON-SR-11")
def floated(view: View, action: SellShares) -> Refusal | None:
    """Refuse to sell a corporation that has not floated."""
    return None if view.company(action.company).floated else refuse(Code.NOT_FLOATED, company=action.company)


@check("RHL-SR-12")
def operated(view: View, action: SellShares) -> Refusal | None:
    """Refuse to sell a corporation that has not operated."""
    return None if view.company(action.company).operated else refuse(Code.NOT_OPERATED, company=action.company)


@check("COMMON-SR-14")
def one_block(view: View, action: SellShares) -> Refusal | None:
    """Refuse a second sale of one corporation in a turn."""
    if action.company in stock_round(view.frame).blocks:
        return refuse(Code.ONE_BLOCK, company=action.company)
    return None


@check("COMMON-SR-10")
def pool_limit(view: View, action: SellShares) -> Refusal | None:
    """Refuse a sale after which the pool holds more than half of the corporation."""
    most = view.sheet.limits.pool_percent
    after = view.company(action.company).percent(POOL) + action.percent
    return None if after <= most else refuse(Code.POOL_LIMIT, company=action.company, limit=most, after=after)


@check("COMMON-SR-16")
def sells_down(view: View, action: SellShares) -> Refusal | None:
    """Refuse a sale above the limit that does not bring the seller down to it in this turn, or as near as can be."""
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
    given = plan.given if plan.successor is not None else _given_after(view, action)
    return len(plan.sold) - len(plan.change) - max(0, len(given) - 1)


def _given_after(view: View, action: SellShares) -> tuple[int, ...]:
    """The papers that a new director gives the seller for his certificate, because he holds more after the sale."""
    company = view.company(action.company)
    if company.director != view.seat:
        return ()
    successor = rival(view.state, company)
    if successor is None or company.percent(successor) <= company.percent(view.seat) - action.percent:
        return ()
    return next(iter(offers(view.ruleset.policy(DirectorsPolicy), company, successor)), ())


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
    """List sales after the first stock round, as far as the pool has room."""
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
    for number in plan.change:
        draft.emit(CertificateMoved(company_id, number, POOL, seat, "change"))
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
