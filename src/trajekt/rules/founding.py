"""Founding a corporation in a stock round: its director's certificate at a par that the founder chooses (COMMON-SR-08)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from trajekt.engine.actions import FoundCompany
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import IPO, Company
from trajekt.rules import stock_market
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.floating import found, no_par, shares
from trajekt.rules.stock_round import (
    SharesPolicy,
    certificate_limit,
    free_cash,
    known_company,
    limit,
    next_turn,
    not_sold_before,
    stock_round,
    within_limit_first,
)


@check("COMMON-SR-08")
def not_founded(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse a corporation whose director's certificate has left the initial offering."""
    company = view.company(action.company)
    if company.founded or company.certificates[directors_certificate(company)].holder != IPO:
        return refuse(Code.ALREADY_FOUNDED, company=company.id)
    return None


@check("COMMON-SR-08")
def par_on_market(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse a par that is no par space of the market."""
    market = view.sheet.market
    return None if stock_market.par_space(market, action.par) is not None else no_par(action.par, market.pars)


def founding_cost(company: Company, par: int) -> int:
    """The shares of the director's certificate at par, in Mark."""
    return shares(company.certificates[directors_certificate(company)].percent) * par


@check("COMMON-SR-08")
def founding_affordable(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse a founder who cannot pay the shares of the director's certificate at once."""
    cost, cash = founding_cost(view.company(action.company), action.par), free_cash(view.state, view.seat)
    return None if cost <= cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=cash)


def found_options(view: View) -> Iterable[FoundCompany]:
    """Every corporation at every par."""
    for company in view.state.companies:
        for par in view.sheet.market.pars:
            yield FoundCompany(company, par)


def likely_founds(view: View) -> Iterable[FoundCompany]:
    """List founds for a player who may take one more: corporations not founded yet, as far as the money goes."""
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
