"""A corporation's beginnings: founding, floating, capital, and the marker's rise when all its shares are with players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, DirectorChanged, ParSet, PriceMoved, StatusSet
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Ruleset, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Company, Seat, State
from trajekt.rules import stock_market
from trajekt.rules.directorship import directors_certificate

SHARE = 10
"""Per cent of one share."""

FULL_CAPITAL_FROM = "brown"
"""The colour phase from which a floating corporation gets ten times its price (COMMON-FLT-04)."""


@dataclass(frozen=True, slots=True)
class FloatPolicy:
    """The money of floating: `at_once`, and `at_end` of the stock round for the corporations whose capital is `due`."""

    at_once: Callable[[Draft, CompanyId], None]
    at_end: Callable[[Draft, CompanyId], None]


@dataclass(frozen=True, slots=True)
class UsedCompanies:
    """A policy: the companies that are in the game as it was set up; without it all of the sheet are."""

    used: Callable[[State], Collection[CompanyId]]


def in_game(ruleset: Ruleset, state: State) -> tuple[CompanyId, ...]:
    """The companies that are there or may still be founded, in the order of the sheet."""
    policy = ruleset.by_type.get(UsedCompanies)
    used = policy.used(state) if isinstance(policy, UsedCompanies) else state.companies
    return tuple(company for company in state.companies if company in used)


def founded(state: State) -> tuple[CompanyId, ...]:
    """The companies of a game in which all are founded when it is set up."""
    return tuple(company.id for company in state.companies.values() if company.founded)


def shares(percent: int, size: int = SHARE) -> int:
    """The number of shares of a percentage; `size` is how many per cent one share is (`sheet.Company.share`)."""
    return percent // size


def acquired(company: Company) -> int:
    """Count what has been bought or came with a private company, in per cent, whoever holds it now (COMMON-FLT-01).

    Before floating that is what players hold, and what lies in the pool after the bankruptcy of one.
    """
    bought = (c for c in company.certificates if isinstance(c.holder, int) or c.holder == POOL)
    return sum(certificate.percent for certificate in bought)


def late(state: State) -> bool:
    """Tell whether the phase is brown or grey."""
    return state.sheet.rank(state.current_phase.colour) >= state.sheet.rank(FULL_CAPITAL_FROM)


def found(draft: Draft, seat: Seat, company_id: CompanyId, par: int, cause: str = "par") -> None:
    """Give a player the director's certificate and set the par; the marker goes under those there (COMMON-SR-08).

    `cause`: why the certificate comes to him, `exchange` where he gives another paper for it.
    """
    number = directors_certificate(draft.state.companies[company_id])
    draft.emit(StatusSet(company_id, "founded"))
    draft.emit(DirectorChanged(company_id, seat, "par"))
    draft.emit(CertificateMoved(company_id, number, IPO, seat, cause))
    set_par(draft, company_id, par)


def no_par(par: int, pars: Iterable[int]) -> Refusal:
    """A par that is none of those that may be chosen, with these, in Mark."""
    return refuse(Code.NOT_PAR, par=par, pars=", ".join(str(each) for each in sorted(pars)))


def set_par(draft: Draft, company_id: CompanyId, par: int, cause: str = "par") -> None:
    """Fix the par of a corporation and put its marker on that par space."""
    space = stock_market.par_space(draft.sheet.market, par)
    assert space is not None, par
    draft.emit(ParSet(company_id, par))
    draft.emit(PriceMoved(company_id, space, cause))


def float_when_sold(draft: Draft, event: CertificateMoved) -> None:
    """Float a founded corporation once enough of it has been acquired (COMMON-FLT-01)."""
    company = draft.state.companies[event.company]
    if company.founded and not company.floated and acquired(company) >= draft.sheet.companies[company.id].float_percent:
        draft.emit(StatusSet(company.id, "floated"))
        draft.ruleset.policy(FloatPolicy).at_once(draft, company.id)


FLOATS = Reaction(CertificateMoved, ("COMMON-FLT-01",), float_when_sold)


def unsold_to(draft: Draft, company_id: CompanyId, target: str) -> None:
    """Move what is left in the initial offering to the charter or the pool."""
    for number in draft.state.companies[company_id].held(IPO):
        draft.emit(CertificateMoved(company_id, number, IPO, target, "floated"))


def capitalise_at_once(draft: Draft, company_id: CompanyId) -> None:
    """The price for every share acquired so far, the rest to the charter, then one space up (COMMON-FLT-02).

    In the brown or grey phase ten times the price, the rest to the pool (COMMON-FLT-04).
    """
    company = draft.state.companies[company_id]
    full = late(draft.state)
    count = 100 // SHARE if full else shares(acquired(company))
    unsold_to(draft, company_id, POOL if full else CHARTER)
    draft.pay(BANK, company_id, count * draft.state.price(company_id), "capital")
    stock_market.up(draft, company_id, "floated")


def nothing_due(_draft: Draft, _company_id: CompanyId) -> None:
    """Leave nothing for the end of the round, where floating brings all at once."""


AT_ONCE = FloatPolicy(capitalise_at_once, nothing_due)


def settle_due(draft: Draft) -> None:
    """Pay what is due to corporations that floated in this stock round, in operating order (RHL-FLT-03)."""
    policy = draft.ruleset.policy(FloatPolicy)
    for company_id in draft.state.operating_order:
        if draft.state.companies[company_id].due:
            policy.at_end(draft, company_id)
            draft.emit(StatusSet(company_id, "due", value=False))


def lift_sold_out(draft: Draft) -> None:
    """Markers of corporations whose certificates are all with players rise, in operating order (COMMON-SR-21)."""
    for company_id in draft.state.operating_order:
        if all(isinstance(c.holder, int) for c in draft.state.companies[company_id].certificates):
            stock_market.up(draft, company_id, "sold_out")
