"""Stock rounds: turns, purchases of certificates, limits (DO-SR-01 to -13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from trajekt.engine.actions import Action, EndTurn, FoundCompany, Pass
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved
from trajekt.engine.ruleset import Code, Draft, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, POOL, Company, Seat, State
from trajekt.games.do.actions import BuyCertificate, FoundByTrade, SellCertificates, TradeIn
from trajekt.games.do.components import do_components
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.starting_round import open_starting_round
from trajekt.rules.stock_round import StockRound, limit, next_turn, nothing_sold, something_sold, stock_round

TEN = 10
SOURCES = (CHARTER, POOL)
ACTS: tuple[type[Action], ...] = (BuyCertificate, FoundCompany, FoundByTrade, TradeIn, SellCertificates)


def open_round(draft: Draft, number: int) -> None:
    """Open the first stock round after the Starting Round; later ones begin with the Priority Deal (DO-SR-04)."""
    if number == 1:
        open_starting_round(draft)
    else:
        draft.push(StockRound(number, draft.state.priority))


def priority(options: DoOptions) -> Callable[[State, StockRound], Seat]:
    """Left of the last player who did something else than pass (DO-SR-03, DO-SR-06)."""

    def after(state: State, current: StockRound) -> Seat:
        if current.actor is not None:
            return state.clockwise(current.actor)[0]
        if current.number > 1:
            return state.priority
        first = current.order[0]
        return first if options.no_purchase_priority == "first" else state.clockwise(first)[0]

    return after


def finish(draft: Draft) -> None:
    """End the turn with an acquisition."""
    current = stock_round(draft.state.agenda[-1])
    next_turn(draft, replace(current, buyer=draft.seat, actor=draft.seat), passed=False)


# Limits --------------------------------------------------------------------------------------------------------------


def share_limit(state: State) -> int:
    """The most that one player may hold of a corporation, in per cent (DO-SR-12)."""
    return do_components(state.sheet).share_limit[len(state.players)]


@check("DO-SR-13")
def surplus_first(view: View, _action: Action) -> Refusal | None:
    """Refuse anything but a sale to a player above the limit; who cannot sell may only pass."""
    held = view.state.certificate_count(view.seat)
    return refuse(Code.MUST_SELL, held=held, limit=limit(view.state)) if held > limit(view.state) else None


@check("DO-SR-13")
def surplus_sold(view: View, _action: Pass | EndTurn) -> Refusal | None:
    """Refuse to end the turn while a surplus can be sold."""
    held = view.state.certificate_count(view.seat)
    if held <= limit(view.state) or not can(view.ruleset, view.state, view.seat, (SellCertificates,)):
        return None
    return refuse(Code.MUST_SELL, held=held, limit=limit(view.state))


@check("DO-SR-11")
def certificate_limit(view: View, action: BuyCertificate | FoundCompany) -> Refusal | None:
    """Refuse a certificate above the limit; an exchange of one for one never is."""
    more = not (isinstance(action, BuyCertificate) and action.hand_in)
    held = view.state.certificate_count(view.seat)
    return (
        None if held + more <= limit(view.state) else refuse(Code.CERTIFICATE_LIMIT, held=held, limit=limit(view.state))
    )


@check("DO-SR-12")
def within_share_limit(view: View, action: BuyCertificate | TradeIn) -> Refusal | None:
    """Refuse more than so many per cent of one corporation."""
    most = share_limit(view.state)
    back = TEN if isinstance(action, BuyCertificate) and action.hand_in else 0
    after = view.company(action.company).percent(view.seat) + action.percent - back
    return None if after <= most else because(WhyNot.SHARE_LIMIT, company=action.company, percent=most, after=after)


@check("DO-SR-08")
def not_sold_before(view: View, action: BuyCertificate | FoundCompany | FoundByTrade | TradeIn) -> Refusal | None:
    """Refuse to buy a corporation of which the player has sold certificates in this round."""
    if (view.seat, action.company) in stock_round(view.frame).sold:
        return refuse(Code.SOLD_THIS_ROUND, company=action.company)
    return None


# Buying --------------------------------------------------------------------------------------------------------------


def offered(company: Company, source: str, percent: int, *, stacked: bool = True) -> int | None:
    """The number of the certificate that a buyer gets: the top one of the company stock, any of the pool (DO-SR-10)."""
    lying = [n for n in company.held(source) if not company.certificates[n].director]
    if source == CHARTER and stacked:
        lying = lying[:1]
    return next((n for n in lying if company.certificates[n].percent == percent), None)


@check("DO-SR-10", "DO-SR-01")
def on_offer(view: View, action: BuyCertificate | TradeIn) -> Refusal | None:
    """Refuse a certificate that does not lie there to be bought."""
    company = view.state.companies.get(action.company)
    if company is None:
        return refuse(Code.NOT_IN_RULESET, company=action.company)
    if action.source not in SOURCES:
        return because(WhyNot.FROM_STOCK_OR_POOL)
    if not company.founded:
        return because(WhyNot.NOT_FOUNDED, company=company.id)
    stacked = view.ruleset.policy(DoOptions).stack_order
    if offered(company, action.source, action.percent, stacked=stacked) is not None:
        return None
    lying = [n for n in company.held(action.source) if not company.certificates[n].director]
    if action.source == CHARTER and stacked and lying:
        return because(WhyNot.NEXT_CERTIFICATE, company=company.id, percent=company.certificates[lying[0]].percent)
    return because(WhyNot.NONE_LEFT, company=company.id, percent=action.percent)


@check("DO-SR-09")
def can_hand_in(view: View, action: BuyCertificate) -> Refusal | None:
    """Refuse to hand in anything but a 10 % of the same corporation, for a larger certificate."""
    if not action.hand_in:
        return None
    if action.percent <= TEN:
        return because(WhyNot.HAND_IN_FOR_LARGER)
    company = view.company(action.company)
    if any(company.certificates[n].percent == TEN for n in company.held(view.seat)):
        return None
    return because(WhyNot.NO_TEN_TO_HAND_IN, company=company.id)


def cost_of(state: State, action: BuyCertificate) -> int:
    """The current value for each 10 % that the buyer gets more, in Mark (DO-SR-07)."""
    return state.price(action.company) * (action.percent - TEN * action.hand_in) // TEN


@check("DO-SR-07")
def buyer_pays(view: View, action: BuyCertificate) -> Refusal | None:
    """Refuse a price that the buyer's cash does not pay."""
    cost = cost_of(view.state, action)
    return None if cost <= view.player.cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=view.player.cash)


def buy_options(view: View) -> Iterable[BuyCertificate]:
    """Every size on either side, with and without handing in."""
    for company in view.state.companies.values():
        for source in SOURCES:
            for percent in sorted({company.certificates[n].percent for n in company.held(source)}):
                yield BuyCertificate(company.id, source, percent)
                if percent > TEN:
                    yield BuyCertificate(company.id, source, percent, hand_in=True)


def buy(draft: Draft, action: BuyCertificate) -> None:
    """Return who is paid: the treasury for company stock, the bank for the pool (DO-SR-07)."""
    company = draft.state.companies[action.company]
    stacked = draft.ruleset.policy(DoOptions).stack_order
    number = offered(company, action.source, action.percent, stacked=stacked)
    assert number is not None
    draft.pay(draft.seat, company.id if action.source == CHARTER else BANK, cost_of(draft.state, action), "share")
    finish(draft)
    if action.hand_in:
        ten = next(n for n in company.held(draft.seat) if company.certificates[n].percent == TEN)
        draft.emit(CertificateMoved(company.id, ten, draft.seat, action.source, "exchange"))
    draft.emit(CertificateMoved(company.id, number, action.source, draft.seat, "share"))


BUY_CERTIFICATE = Rule(
    BuyCertificate,
    buy_options,
    buy,
    needs=(on_offer, can_hand_in),
    checks=(surplus_first, not_sold_before, buyer_pays, certificate_limit, within_share_limit),
)


def pass_turn(draft: Draft, _action: Pass) -> None:
    """Nothing bought, nothing sold."""
    next_turn(draft, stock_round(draft.state.agenda[-1]), passed=True)


def end_turn(draft: Draft, _action: EndTurn) -> None:
    """Leave a turn in which something was sold: no pass (DO-SR-05)."""
    next_turn(draft, stock_round(draft.state.agenda[-1]), passed=False)


PASS = Rule(Pass, lambda _view: (Pass(),), pass_turn, needs=(nothing_sold,), checks=(surplus_sold,))
END_TURN = Rule(EndTurn, lambda _view: (EndTurn(),), end_turn, needs=(something_sold,), checks=(surplus_sold,))
