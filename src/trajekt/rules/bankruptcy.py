"""Bankrupt players and companies in receivership.

A bankrupt director leaves the game; another shareholder takes each of his companies over, or nobody does and the bank runs
it: no track, no station, no dividend; it completes the purchase under way and lends what is missing (RHL-BKR-01 to -04).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_step

from msgspec.structs import replace

from trajekt.engine.actions import DeclareBankruptcy, RunTrains
from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import (
    Bankrupted,
    CertificateMoved,
    DebtSet,
    DirectorChanged,
    PriorityMoved,
    PrivateClosed,
    StatusSet,
)
from trajekt.engine.routing.runs import RunResult
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, POOL, Company, Seat
from trajekt.rules.directorship import DirectorsPolicy, directors_certificate, offers
from trajekt.rules.forced_purchase import ForcedPurchase, complete, nothing_to_sell, on_rung, short_of_price
from trajekt.rules.operating_round import TurnStep, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.trains import TRAINS, needs_train, of_the_bank, price_of, take_train


@dataclass(frozen=True, slots=True)
class BankruptcyPolicy:
    """The consequences of a bankruptcy in an edition.

    A successor needs `least` per cent; the bank adds `surcharge` Mark to what it lends a company. `carries`: his successor
    completes the purchase under way, and what the bankrupt paid counts for him too; else he buys as he likes, under the same
    duty. `first` makes the sales that he owes before he leaves.
    """

    least: int = 20
    surcharge: int = 100
    carries: bool = True
    first: Callable[[Draft], None] | None = None


# A player ------------------------------------------------------------------------------------------------------------


def declare(draft: Draft, _action: DeclareBankruptcy) -> None:
    """Give his cash to the bank, his certificates to the pool at no change of price, close his privates (RHL-BKR-01)."""
    policy = draft.ruleset.policy(BankruptcyPolicy)
    if policy.first is not None:
        policy.first(draft)
    seat = draft.seat
    frame = draft.state.agenda[-1]
    assert isinstance(frame, ForcedPurchase)
    directed = [
        c for c in (*draft.state.operating_order, *draft.state.companies) if c in draft.state.directed_companies(seat)
    ]
    cash = draft.state.players[seat].cash
    draft.pay(seat, BANK, cash, "bankrupt")
    for company in draft.state.companies.values():
        for number in company.held(seat):
            draft.emit(CertificateMoved(company.id, number, seat, POOL, "bankrupt"))
    for private in draft.state.privates.values():
        if private.owner == seat and private.open:
            draft.emit(PrivateClosed(private.number, "bankrupt"))
    draft.emit(Bankrupted(seat))
    if draft.state.priority == seat:
        draft.emit(PriorityMoved(draft.state.clockwise(seat)[0]))
    for company_id in dict.fromkeys(directed):
        succeed(draft, company_id, seat, policy)
    taken_over = draft.state.companies[frame.company].director is not None
    if policy.carries or not taken_over:
        draft.replace_top(replace(frame, credit=frame.credit + cash))
    else:
        draft.pop()
    if len(draft.state.clockwise(seat)) == 1:  # RHL-BKR-04
        draft.end("bankrupt")


def succeed(draft: Draft, company_id: CompanyId, seat: Seat, policy: BankruptcyPolicy) -> None:
    """Make the largest shareholder with enough director, the first clockwise among equals; else the bank (RHL-BKR-02).

    What has not floated has nothing to be run: it waits without a director.
    """
    company = draft.state.companies[company_id]
    heir, most = None, policy.least - 1
    for other in draft.state.clockwise(seat):
        if company.percent(other) > most:
            heir, most = other, company.percent(other)
    if heir is None:
        draft.emit(DirectorChanged(company_id, None, "receivership"))
        if company.floated:
            draft.emit(StatusSet(company_id, "receivership"))
        return
    exchange_with_pool(draft, company, heir)
    draft.emit(DirectorChanged(company_id, heir, "bankrupt"))


def exchange_with_pool(draft: Draft, company: Company, seat: Seat) -> None:
    """The director's certificate for ordinary ones of the same percentage, which go to the pool."""
    director = directors_certificate(company)
    for number in offers(draft.ruleset.policy(DirectorsPolicy), company, seat)[0]:
        draft.emit(CertificateMoved(company.id, number, seat, POOL, "exchange"))
    draft.emit(CertificateMoved(company.id, director, POOL, seat, "exchange"))


DECLARE_BANKRUPTCY = Rule(
    DeclareBankruptcy,
    lambda _view: (DeclareBankruptcy(),),
    declare,
    needs=(on_rung("own"),),
    checks=(nothing_to_sell,),
)


# A company that the bank runs ----------------------------------------------------------------------------------------


def lend(draft: Draft, company: CompanyId, amount: int) -> None:
    """Pay `amount` Mark from the bank to the treasury; that and the surcharge become debt (RHL-BKR-03)."""
    draft.pay(BANK, company, amount, "receivership")
    debt = draft.state.companies[company].debt + amount + draft.ruleset.policy(BankruptcyPolicy).surcharge
    draft.emit(DebtSet(company, debt))


def bank_completes(draft: Draft, frame: ForcedPurchase) -> None:
    """Pay from the bank what is still missing for the train of a purchase under way."""
    lend(draft, frame.company, short_of_price(draft.state, frame))
    complete(draft, frame)


@check("RHL-BKR-03")
def best_for_bank(view: View, action: RunTrains) -> Refusal | None:
    """Refuse a run in receivership that earns less than the table's proposal."""
    company = view.state.companies[turn_of(view.state).company]
    if company.director is not None:
        return None
    policy = view.ruleset.policy(RunningPolicy)
    sent = policy.judge(view.state, company.id, action.runs)
    best = policy.judge(view.state, company.id, policy.best(view.state, company.id))
    if not isinstance(sent, RunResult) or not isinstance(best, RunResult) or sent.revenue >= best.revenue:
        return None
    return refuse(Code.MUST_RUN, revenue=best.revenue)


def repay(draft: Draft) -> None:
    """After the income as much debt as possible is repaid, in receivership or after it (RHL-BKR-03)."""
    company = draft.state.companies[turn_of(draft.state).company]
    amount = min(company.debt, company.treasury)
    if amount > 0:
        draft.pay(company.id, BANK, amount, "debt")
        draft.emit(DebtSet(company.id, company.debt - amount))


def buy_for_bank(draft: Draft) -> None:
    """A company that nobody directs and that must own a train takes the cheapest of display and pool.

    Of two at one price that of the pool, which changes no phase (X).
    """
    company = draft.state.companies[turn_of(draft.state).company]
    if company.director is not None or not needs_train(draft.ruleset, draft.state, company.id):
        return
    source, kind = min(of_the_bank(draft.state), key=lambda lot: (price_of(draft.state, lot[1]), lot[0] != POOL))
    lacking = max(0, price_of(draft.state, kind) - company.treasury)
    if lacking:
        lend(draft, company.id, lacking)
    draft.pay(company.id, BANK, price_of(draft.state, kind), "train")
    take_train(draft, company.id, source, kind, "train")


DEBT = TurnStep("debt", enter=repay)
TRAINS_OR_BANK = replace_step(TRAINS, enter=buy_for_bank)
"""The train step where the bank may have to act for a company."""


def find_director(draft: Draft, event: CertificateMoved) -> None:
    """Make director who holds enough of what nobody directs: he exchanges for the certificate in the pool (RHL-BKR-03)."""
    company = draft.state.companies[event.company]
    number = directors_certificate(company)
    if company.director is not None or company.certificates[number].holder != POOL or not isinstance(event.target, int):
        return
    if company.percent(event.target) < draft.ruleset.policy(BankruptcyPolicy).least:
        return
    exchange_with_pool(draft, company, event.target)
    if company.receivership:
        draft.emit(StatusSet(company.id, "receivership", value=False))
    draft.emit(DirectorChanged(company.id, event.target, "exchange"))


def begin_receivership(draft: Draft, event: StatusSet) -> None:
    """Put a company that floats undirected under the bank (RHL-BKR-02)."""
    company = draft.state.companies[event.company]
    number = directors_certificate(company)
    if event.status == "floated" and company.director is None and company.certificates[number].holder == POOL:
        draft.emit(StatusSet(company.id, "receivership"))


DIRECTOR_FOUND = Reaction(CertificateMoved, ("RHL-BKR-03",), find_director)
"""To be listed before the reaction that floats a corporation."""
RECEIVERSHIP_BEGINS = Reaction(StatusSet, ("RHL-BKR-02",), begin_receivership)
