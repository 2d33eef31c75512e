"""Selling certificates: blocks of chosen sizes, 20 % by halves, and the director who gives up his office (DO-SR-14 to -22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, POOL, Company, Seat, State
from trajekt.games.do import stock_market
from trajekt.games.do.actions import SellCertificates
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.rules.directorship import Numbers, directors_certificate, exact_sets, hand_over, ordinary, rival
from trajekt.rules.stock_round import stock_round

TEN, TWENTY = 10, 20


@dataclass(frozen=True, slots=True)
class Block:
    """A sale planned: `successor` first gives `given` for the director's certificate, then `sold` go to the pool."""

    sold: Numbers
    successor: Seat | None = None
    given: Numbers = ()


def falls(state: State, seat: Seat, company: CompanyId, percent: int) -> int:
    """The spaces by which a sale lowers the value: only the director's does (DO-SR-17)."""
    return percent // TEN if state.companies[company].director == seat else 0


def percent_of(action: SellCertificates) -> int:
    """The part sold, in per cent, after what is taken back (DO-SR-18)."""
    return sum(action.sizes) - TEN * action.back


def pick(company: Company, numbers: Iterable[int], sizes: tuple[int, ...]) -> Numbers | None:
    """Certificates of these sizes among the given ones, None where they are not there."""
    left = list(numbers)
    chosen = []
    for size in sizes:
        number = next((n for n in left if company.certificates[n].percent == size), None)
        if number is None:
            return None
        left.remove(number)
        chosen.append(number)
    return tuple(chosen)


def plan(state: State, seat: Seat, company: Company, action: SellCertificates) -> Block | Refusal:
    """Plan the sale of a block, or say why it cannot be; pool and round are not looked at.

    Who would hold less than another gives the director's certificate away first, to a player with at least its percentage;
    the successor gives as few certificates as make the announced sale possible (DO-SR-20, DO-SR-21).
    """
    own, held = ordinary(company, seat), company.percent(seat)
    after = held - percent_of(action)
    leader = rival(state, company) if company.director == seat else None
    if leader is not None and company.percent(leader) > after:
        size = company.certificates[directors_certificate(company)].percent
        if company.percent(leader) < size:
            return refuse(Code.NO_SUCCESSOR, "DO-SR-21", company=company.id, percent=size)
        for given in exact_sets(company, ordinary(company, leader), size):
            sold = pick(company, sorted((*own, *given)), action.sizes)
            if sold is not None:
                return Block(sold, leader, given)
        return refuse(Code.NOT_EXCHANGEABLE, "DO-SR-20", company=company.id, percent=sum(action.sizes))
    sold = pick(company, own, action.sizes)
    if sold is not None:
        return Block(sold)
    # without a successor the director's certificate itself stays (DO-SR-15)
    if company.director != seat:
        return refuse(Code.NOT_HELD, "DO-SR-15", company=company.id, held=held)
    size = company.certificates[directors_certificate(company)].percent
    return refuse(Code.NO_SUCCESSOR, "DO-SR-15", company=company.id, percent=size)


# Checks --------------------------------------------------------------------------------------------------------------


@check("DO-SR-24", "DO-SR-17")
def a_block(view: View, action: SellCertificates) -> Refusal | None:
    """Refuse sizes that do not fall, more 10 % taken back than 20 % given, and what is no corporation of the game."""
    company = view.state.companies.get(action.company)
    if company is None:
        return refuse(Code.NOT_IN_RULESET, company=action.company)
    if not action.sizes or list(action.sizes) != sorted(action.sizes, reverse=True):
        return because(WhyNot.LARGEST_FIRST)
    twenties = action.sizes.count(TWENTY)
    return None if 0 <= action.back <= twenties else because(WhyNot.BACK_FOR_TWENTY, "DO-SR-18", count=twenties)


@check("DO-SR-15", "DO-SR-21")
def can_part(view: View, action: SellCertificates) -> Refusal | None:
    """Refuse certificates that the seller does not hold, if need be after an exchange."""
    planned = plan(view.state, view.seat, view.company(action.company), action)
    return planned if isinstance(planned, Refusal) else None


@check("DO-SR-01")
def not_first_round(view: View, _action: SellCertificates) -> Refusal | None:
    """Refuse every sale in the first stock round."""
    return refuse(Code.FIRST_ROUND) if stock_round(view.frame).number == 1 else None


@check("DO-SR-14")
def has_acted(view: View, action: SellCertificates) -> Refusal | None:
    """Refuse to sell a corporation that has not had a turn since it was founded."""
    return None if view.company(action.company).operated else refuse(Code.NOT_OPERATED, company=action.company)


@check("DO-SR-18")
def taken_back(view: View, action: SellCertificates) -> Refusal | None:
    """Refuse an exchange for 10 % certificates that do not lie in the pool."""
    company = view.company(action.company)
    tens = sum(company.certificates[n].percent == TEN for n in company.held(POOL))
    if action.back <= tens:
        return None
    return because(WhyNot.TENS_IN_POOL, company=company.id, count=tens)


@check("DO-SR-16")
def pool_limit(view: View, action: SellCertificates) -> Refusal | None:
    """Refuse a sale after which more than half of a corporation lies in the pool."""
    most = view.sheet.limits.pool_percent
    after = view.company(action.company).percent(POOL) + percent_of(action)
    return None if after <= most else refuse(Code.POOL_LIMIT, limit=most, after=after)


def options(view: View) -> Iterator[SellCertificates]:
    """Every block of his own certificates, and of what a successor could give him for the director's."""
    for company in view.state.companies.values():
        if not company.percent(view.seat):
            continue
        have = Counter(company.certificates[n].percent for n in ordinary(company, view.seat))
        if company.director == view.seat:
            # what he may get for the director's certificate: any split of it
            director = company.certificates[directors_certificate(company)].percent
            have = have + Counter({TEN: director // TEN, TWENTY: director // TWENTY})
        sizes = sorted(have, reverse=True)
        for counts in product(*(range(have[size] + 1) for size in sizes)):
            chosen = tuple(s for size, n in zip(sizes, counts, strict=True) for s in (size,) * n)
            if chosen and sum(chosen) <= company.percent(view.seat):
                for back in range(chosen.count(TWENTY) + 1):
                    yield SellCertificates(company.id, chosen, back)


# Effect --------------------------------------------------------------------------------------------------------------


def sell(draft: Draft, action: SellCertificates) -> None:
    """Pay the value before it moves; only the director's sale moves it, one left for each 10 % (DO-SR-17, DO-SR-22)."""
    seat = draft.seat
    current = stock_round(draft.state.agenda[-1])
    company = draft.state.companies[action.company]
    block = plan(draft.state, seat, company, action)
    assert isinstance(block, Block), block
    percent = percent_of(action)
    proceeds = draft.state.price(company.id) * percent // TEN
    sold = tuple(dict.fromkeys((*current.sold, (seat, company.id))))
    draft.replace_top(replace(current, passes=0, sold=sold, blocks=(*current.blocks, company.id), actor=seat))
    spaces = falls(draft.state, seat, company.id, percent)
    if block.successor is not None:
        hand_over(draft, company.id, block.successor, block.given)
        spaces *= draft.ruleset.policy(DoOptions).outgoing_director_moves_value
    draft.pay(BANK, seat, proceeds, "sale")
    tens = [n for n in company.held(POOL) if company.certificates[n].percent == TEN][: action.back]
    for number in block.sold:
        draft.emit(CertificateMoved(company.id, number, seat, POOL, "sale"))
    for number in tens:
        draft.emit(CertificateMoved(company.id, number, POOL, seat, "exchange"))
    for _ in range(spaces):
        stock_market.left(draft, company.id, "sale")


SELL_CERTIFICATES = Rule(
    SellCertificates,
    options,
    sell,
    needs=(a_block, can_part),
    checks=(not_first_round, has_acted, taken_back, pool_limit),
)
