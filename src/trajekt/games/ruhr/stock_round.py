"""Stock rounds of 18Ruhr: starting railways, buying, selling, Private BME at will, and floating at the end."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from trajekt.engine.actions import BuyShare, FoundCompany, SellShares
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved, PrivateClosed, StatusSet
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, IPO, POOL, Account, Company, Seat, State
from trajekt.games.ruhr.actions import RemovePrivate
from trajekt.games.ruhr.components import BME_PRIVATE, is_montan, railways
from trajekt.games.ruhr.directorship import private_bme_open
from trajekt.games.ruhr.events import MontanSettled
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.starting_package import starting_value
from trajekt.games.ruhr.state import ruhr_state
from trajekt.rules import stock_market
from trajekt.rules.floating import late
from trajekt.rules.founding import found_company, founding_affordable, not_founded
from trajekt.rules.share_sales import can_part, pool_limit, sell_options, sell_shares
from trajekt.rules.stock_round import (
    END_TURN,
    PASS,
    SharesPolicy,
    StockRound,
    certificate_limit,
    give_priority,
    known_company,
    next_turn,
    not_sold_before,
    richest,
    share_affordable,
    stock_round,
    to_act,
    within_limit_first,
    worth,
)

KEEPS = 2  # certificates that stay in the IPO of a MONTAN corporation founded in phase 4 (RUHR-FLOAT-05)


# Starting a railway --------------------------------------------------------------------------------------------------


@check("RUHR-SR-15")
def a_railway(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse a MONTAN director certificate, which is never bought."""
    return because(Why.NOT_BOUGHT, company=action.company) if is_montan(view.sheet, action.company) else None


@check("RUHR-SR-17")
def after_other(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse the DGEE director certificate until the KWE has performed an OR."""
    other = view.sheet.companies[action.company].own.get("after")
    if other is None or view.state.companies[str(other)].operated:
        return None
    return because(Why.AFTER_OTHER, company=action.company, other=str(other))


@check("RUHR-SR-14")
def value_by_colour(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse a box that the colour of the phase does not allow."""
    return starting_value(view.sheet, "railway", action.par, view.state.current_phase.colour)


def found_options(view: View) -> Iterable[FoundCompany]:
    """Every railway at every box."""
    cells = view.sheet.market
    for company in railways(view.sheet):
        for par in sorted({cells.price(space) for space in cells.par_spaces}):
            yield FoundCompany(company, par)


FOUND = Rule(
    FoundCompany,
    found_options,
    found_company,
    needs=(known_company, a_railway, not_founded, value_by_colour),
    checks=(after_other, within_limit_first, not_sold_before, founding_affordable, certificate_limit),
)


# Buying --------------------------------------------------------------------------------------------------------------


def on_sale(company: Company, source: str, percent: int) -> int | None:
    """The number of the certificate that a buyer gets; the order of those in the IPO is free (RUHR-SR-16)."""
    lying = company.held(source)
    certificates = company.certificates
    return next((n for n in lying if certificates[n].percent == percent and not certificates[n].director), None)


@check("RUHR-SR-12", "RUHR-SR-06", "RUHR-SR-15")
def certificate_there(view: View, action: BuyShare) -> Refusal | None:
    """Refuse all but a normal certificate of a started corporation in IPO or pool; never a director certificate."""
    company = view.company(action.company)
    if action.source in (IPO, POOL) and company.founded and on_sale(company, action.source, action.percent) is not None:
        return None
    if not company.founded:
        return because(Why.NOT_STARTED, company=action.company)
    return because(Why.NO_CERTIFICATE, company=action.company, percent=action.percent, source=action.source)


def buy_options(view: View) -> Iterable[BuyShare]:
    """Every size in IPO and pool."""
    for company in view.state.companies.values():
        for source in (IPO, POOL):
            for percent in sorted({company.certificates[n].percent for n in company.held(source)}):
                yield BuyShare(company.id, source, percent)


def payee(state: State, company_id: CompanyId, source: str) -> Account:
    """The treasury if the charter lies with a player, else the bank (RUHR-SR-13)."""
    company = state.companies[company_id]
    return company_id if source == IPO and company.floated and not company.receivership else BANK


def buy_share(draft: Draft, action: BuyShare) -> None:
    """Pay and take the certificate; the turn is over (RUHR-SR-10, -12, -13)."""
    current = stock_round(draft.state.agenda[-1])
    number = on_sale(draft.state.companies[action.company], action.source, action.percent)
    assert number is not None
    draft.replace_top(replace(current, buyer=draft.seat, actor=draft.seat))
    draft.pay(
        draft.seat,
        payee(draft.state, action.company, action.source),
        worth(draft.state, action.company, action.percent),
        "share",
    )
    draft.emit(CertificateMoved(action.company, number, action.source, draft.seat, "share"))
    next_turn(draft, stock_round(draft.state.agenda[-1]), passed=False)


BUY_SHARE = Rule(
    BuyShare,
    buy_options,
    buy_share,
    needs=(known_company, certificate_there),
    checks=(within_limit_first, not_sold_before, share_affordable, certificate_limit),
)


# Selling -------------------------------------------------------------------------------------------------------------


@check("RUHR-SR-21", "RUHR-SR-06")
def not_in_first_round(view: View, _action: SellShares) -> Refusal | None:
    """Refuse every sale in the First Stock Round."""
    return refuse(Code.FIRST_ROUND, "RUHR-SR-06") if stock_round(view.frame).number == 1 else None


@check("RUHR-SR-21")
def has_operated(view: View, action: SellShares) -> Refusal | None:
    """Refuse a corporation that has not performed an OR, so one founded in the Montan Round just before too."""
    return None if view.company(action.company).operated else refuse(Code.NOT_OPERATED, company=action.company)


def sold_before(state: State, company: CompanyId) -> int | None:
    """The value at which the player at turn has sold certificates of a corporation in this turn, None if he has not."""
    top = state.agenda[-1]
    if not isinstance(top, StockRound) or company not in top.blocks:
        return None
    return top.prices[top.blocks.index(company)]


def falls(state: State, seat: Seat, company: CompanyId, _percent: int) -> int:
    """One box if the seller holds the director certificate, else none; one for all sales of a turn (RUHR-SR-22)."""
    if sold_before(state, company) is not None:
        return 0
    return 1 if state.companies[company].director == seat else 0


def sold_at(state: State, company: CompanyId) -> int:
    """The value as it stood before the first sale of the turn (RUHR-SR-22)."""
    before = sold_before(state, company)
    return state.price(company) if before is None else before


SELL_SHARES = Rule(
    SellShares,
    sell_options,
    sell_shares,
    needs=(known_company, not_in_first_round, can_part),
    checks=(has_operated, pool_limit),
)


# Private BME ---------------------------------------------------------------------------------------------------------


@check("RUHR-SR-24", "RUHR-SR-23")
def private_at_will(view: View, action: RemovePrivate) -> Refusal | None:
    """Refuse to give up any but Private BME, and that to all but the owner who still holds it."""
    if action.private != BME_PRIVATE:
        return because(Why.ONLY_BME, private=action.private)
    if not private_bme_open(view.state):
        return because(Why.PRIVATE_GONE, "RUHR-SR-23", private=action.private)
    if view.state.privates[BME_PRIVATE].owner != view.seat:
        return because(Why.PRIVATE_OF_OTHER, "RUHR-SR-23", private=action.private)
    return None


def remove_private(draft: Draft, action: RemovePrivate) -> None:
    """Besides the normal turn; it is neither buying nor selling (RUHR-SR-23, Q07)."""
    draft.emit(PrivateClosed(action.private, "will"))


REMOVE_PRIVATE = Rule(
    RemovePrivate, lambda _view: (RemovePrivate(BME_PRIVATE),), remove_private, needs=(private_at_will,)
)


# The round -----------------------------------------------------------------------------------------------------------


def run_round(draft: Draft, current: StockRound) -> None:
    """Skip turns without a choice; when all have passed in succession, close the round and leave it (RUHR-SR-09)."""
    if current.closed:
        draft.pop()
    elif current.passes >= len(draft.state.clockwise(current.seat)):
        for step in draft.ruleset.policy(SharesPolicy).closing:
            step(draft)
        draft.replace_top(replace(current, closed=True))
    elif not can(draft.ruleset, draft.state, current.seat, (BuyShare, FoundCompany, SellShares, RemovePrivate)):
        next_turn(draft, current, passed=not current.blocks, skipped=("stock_turn",))


def first_priority(draft: Draft) -> None:
    """After the First Stock Round to the player with most cash, Q05 on a tie (RUHR-SR-07); later RUHR-SR-11."""
    current = stock_round(draft.state.agenda[-1])
    if current.number == 1:
        after = draft.state.priority if current.buyer is None else current.buyer
        give_priority(draft, richest(draft.state, after))
    elif current.actor is not None:
        give_priority(draft, draft.state.clockwise(current.actor)[0])


# Floating ------------------------------------------------------------------------------------------------------------


def sold_by_bank(state: State, company: Company) -> int:
    """The certificates sold out of the IPO, in per cent; not the three of the BME that went to the pool (RUHR-FLOAT-04)."""
    own = state.sheet.companies[company.id].pool_percent
    pooled = own if own and state.privates[BME_PRIVATE].owner is not None else 0
    return 100 - company.percent(IPO) - pooled


def float_railways(draft: Draft) -> None:
    """At the end of a round those with half or less in the IPO; the BME has no more there from the start.

    RUHR-FLOAT-01, RUHR-FLOAT-02, RUHR-FLOAT-03, RUHR-FLOAT-04.
    """
    for company_id in draft.state.operating_order:
        company = draft.state.companies[company_id]
        if not company.floated and company.percent(IPO) <= 50:
            draft.emit(StatusSet(company_id, "floated"))
            full = late(draft.state)
            percent = 100 if full else sold_by_bank(draft.state, company)
            draft.pay(BANK, company_id, percent // draft.sheet.companies[company_id].share * company.par, "capital")
            if full:
                for number in company.held(IPO):
                    draft.emit(CertificateMoved(company_id, number, IPO, POOL, "floated"))


def settle_montans(draft: Draft) -> None:
    """Excess certificates of new MONTAN corporations, in operating order (RUHR-FLOAT-05, RUHR-FLOAT-06, RUHR-FLOAT-07)."""
    for company_id in draft.state.operating_order:
        found = ruhr_state(draft.state).montan.get(company_id)
        if found is not None and not found.settled and not found.closed:
            settle_montan(draft, company_id, keeps=KEEPS if found.phase == "4" else 0)
            draft.emit(MontanSettled(company_id))


def settle_montan(draft: Draft, company_id: CompanyId, keeps: int) -> None:
    """Those beyond two bring the value before, from brown on the others that after all falls; one box for each."""
    lying = draft.state.companies[company_id].held(IPO)
    going = lying[keeps:]
    before = max(0, len(lying) - KEEPS)
    draft.pay(BANK, company_id, before * draft.state.price(company_id), "capital")
    for number in going:
        draft.emit(CertificateMoved(company_id, number, IPO, POOL, "floated"))
        stock_market.left(draft, company_id, "floated")
    draft.pay(BANK, company_id, (len(going) - before) * draft.state.price(company_id), "capital")


SHARES = SharesPolicy(
    payee=payee,
    falls=falls,
    priority=lambda state, _current: state.priority,
    closing=(float_railways, settle_montans, first_priority),
    drop=stock_market.left,
    sold_at=sold_at,
)

STOCK_ROUND = Duty(
    StockRound,
    rule="RUHR-SR-09",
    who=to_act,
    menu=(BUY_SHARE, FOUND, SELL_SHARES, REMOVE_PRIVATE, PASS, END_TURN),
    run=run_round,
)
