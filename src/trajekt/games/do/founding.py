"""Founding a corporation, and which may be founded when (DO-SR-30 to -34)."""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.actions import FoundCompany
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import CertificateMoved, DirectorChanged, StatusSet
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import CHARTER, IPO, State
from trajekt.games.do import stock_market
from trajekt.games.do.actions import FoundByTrade
from trajekt.games.do.components import is_railway, railways
from trajekt.games.do.events import OrderSet
from trajekt.games.do.minor_trade_in import before_green, gives_up, no_minor, not_first_round
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import Slot, do_state, minor_of
from trajekt.games.do.stock_round import certificate_limit, finish, not_sold_before, surplus_first
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.round_sequence import Rounds


def available(state: State, company: CompanyId, options: DoOptions) -> Refusal | None:
    """The DEEG after four railways floated, DHB and HBB after the DEEG, breweries from phase 3 on (DO-SR-32, -33)."""
    own = state.sheet.companies[company].own
    if not is_railway(state.sheet, company):
        return before_green(state, "DO-SR-33")
    wanted = own.get("available", "start")
    past = do_state(state).bankrupt if options.deeg_counts_bankrupt else {}
    if wanted == "four_floated":
        count = sum(state.companies[c].floated or c in past for c in railways(state.sheet))
        return None if count >= 4 else because(WhyNot.FOUR_FLOATED, "DO-SR-32", company=company, count=count)
    if wanted in state.companies:
        before = str(wanted)
        open_now = state.companies[before].founded or before in past
        return None if open_now else because(WhyNot.FOUNDED_AFTER, "DO-SR-32", company=company, before=before)
    return None


@check("DO-SR-30", "DO-SETUP-05")
def in_the_game(view: View, action: FoundCompany | FoundByTrade) -> Refusal | None:
    """Refuse a corporation that is not of this number of players, or founded."""
    known = view.state.companies.get(action.company)
    if known is None:
        return refuse(Code.NOT_IN_RULESET, "DO-SETUP-05", company=action.company)
    return refuse(Code.ALREADY_FOUNDED, company=action.company) if known.founded else None


@check("DO-BANKR-03")
def not_before_next_round(view: View, action: FoundCompany | FoundByTrade) -> Refusal | None:
    """Refuse to found a bankrupt corporation again before the next stock round."""
    rounds = view.state.agenda[0]
    assert isinstance(rounds, Rounds)
    if do_state(view.state).bankrupt.get(action.company, 0) > rounds.number:
        return because(WhyNot.FOUNDED_LATER, company=action.company)
    return None


@check("DO-SR-32", "DO-SR-33", "DO-SR-01")
def available_now(view: View, action: FoundCompany | FoundByTrade) -> Refusal | None:
    """Refuse a corporation that is not available yet."""
    if isinstance(action, FoundByTrade) and is_railway(view.sheet, action.company):
        return because(WhyNot.NO_BREWERY, "DO-TRADEIN-01", company=action.company)
    return available(view.state, action.company, view.ruleset.policy(DoOptions))


def value_named(action: FoundCompany | FoundByTrade) -> int:
    """The start value that an action names."""
    return action.par if isinstance(action, FoundCompany) else action.value


@check("DO-SR-30")
def start_value(view: View, action: FoundCompany | FoundByTrade) -> Refusal | None:
    """Refuse a value that is none of the coloured ones of the present or an earlier phase."""
    value = value_named(action)
    allowed = stock_market.start_values(view.sheet, action.company, view.state.current_phase.colour)
    return None if value in allowed else refuse(Code.NOT_PAR, par=value, pars=", ".join(map(str, allowed)))


def founding_cost(state: State, action: FoundCompany | FoundByTrade) -> int:
    """The director's certificate at the start value; with a minor one share less (DO-TRADEIN-01). In Mark."""
    company = state.companies[action.company]
    shares = company.certificates[directors_certificate(company)].percent // 10
    return (shares - isinstance(action, FoundByTrade)) * value_named(action)


@check("DO-SR-30", "DO-TRADEIN-01")
def founder_pays(view: View, action: FoundCompany | FoundByTrade) -> Refusal | None:
    """Refuse a founder who cannot pay at once."""
    cost = founding_cost(view.state, action)
    return None if cost <= view.player.cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=view.player.cash)


def options(view: View) -> Iterable[FoundCompany]:
    """Every corporation at every value of its row."""
    for company in view.sheet.companies:
        if not view.state.companies[company].founded:
            for value in stock_market.start_values(view.sheet, company, view.state.current_phase.colour):
                yield FoundCompany(company, value)


def trade_options(view: View) -> Iterable[FoundByTrade]:
    """List founds with the own minor."""
    if minor_of(view.state, view.seat):
        for found in options(view):
            if not is_railway(view.sheet, found.company):
                yield FoundByTrade(found.company, found.par)


def found(draft: Draft, action: FoundCompany | FoundByTrade) -> None:
    """The price into the treasury, the certificates to the charter, the token on its value (DO-SR-30, -31)."""
    name = action.company
    draft.pay(draft.seat, name, founding_cost(draft.state, action), "par")
    company = draft.state.companies[name]
    finish(draft)
    draft.emit(StatusSet(name, "founded"))
    draft.emit(DirectorChanged(name, draft.seat, "par"))
    stock_market.begin(draft, name, value_named(action))
    if isinstance(action, FoundByTrade):
        minor = minor_of(draft.state, draft.seat)
        gives_up(draft, minor, name)
        slots = tuple(Slot(name, name) if s.brewery == minor else s for s in do_state(draft.state).order)
        draft.emit(OrderSet(slots, "trade_in"))  # DO-FLOAT-03: this place is kept
    director = directors_certificate(company)
    for number in company.held(IPO):
        if number != director:
            draft.emit(CertificateMoved(name, number, IPO, CHARTER, "par"))
    draft.emit(CertificateMoved(name, director, IPO, draft.seat, "par"))


NEEDS = (in_the_game, not_before_next_round, available_now, start_value)
FOUND = Rule(
    FoundCompany, options, found, needs=NEEDS, checks=(surplus_first, not_sold_before, founder_pays, certificate_limit)
)
FOUND_BY_TRADE = Rule(
    FoundByTrade,
    trade_options,
    found,
    needs=(not_first_round, no_minor, *NEEDS),
    checks=(surplus_first, not_sold_before, founder_pays),
)
