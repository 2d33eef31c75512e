"""Two players and the Investor: a reconstruction, since the rulebook names the part and prints no rules (section 18.2).

The Investor is a third holder of certificates who sits behind the two players. In stock rounds it buys by rule; where it is
director, the player with the Investor card decides. House rules, off unless chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace as derived
from typing import Any

from msgspec.structs import replace

from trajekt.engine.actions import DeclineOffer, RunTrains, Withhold
from trajekt.engine.events import CertificateMoved, Event, FlagSet
from trajekt.engine.routing.runs import RunResult
from trajekt.engine.ruleset import Code, Draft, DrawNumber, Duty, Refusal, View, check, refuse
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, Player, Seat, State
from trajekt.games.lra.forced_purchase import FORCED
from trajekt.games.lra.kreisbahn import PayOutKeepGkb
from trajekt.games.lra.options import LraOptions
from trajekt.games.lra.setup import _SetUp, choose_scenario, lay_markers
from trajekt.rules import auction, forced_purchase, running_and_dividends, stock_round
from trajekt.rules.auction import Auction, Offer
from trajekt.rules.floating import shares as shares_of
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn, TurnStep, operating, turn_of
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.setup import lay_homes, lay_package, pay_capital
from trajekt.rules.stock_round import SharesPolicy, StockRound
from trajekt.rules.trains import never_traded, of_the_bank, price_of, take_train

INVESTOR: Seat = 2
NAME = "Investor"
MANAGER = "manager"
"""The mark of the position that names the seat with the Investor card."""

HALF = 50
"""Per cent of a corporation from which on the Investor buys no more of it."""


class InvestorSeated(Event, frozen=True, tag="investor"):
    """The Investor sits down behind the players: a holder of cash and certificates that never acts."""

    name: str


def sit_down(state: State, event: InvestorSeated) -> State:
    """The position with one holder more, who has no limit and is not ranked (LRA-TWO-01, LRA-TWO-06)."""
    return replace(state, names=(*state.names, event.name), players=(*state.players, Player(outside=True)))


def manager(state: State) -> Seat:
    """The seat with the Investor card."""
    return int(state.marks[MANAGER])


def set_up(options: LraOptions) -> _SetUp:
    """As for three players with a scenario (LRA-TWO-01); the player without the priority deal has the card (LRA-TWO-03)."""

    def begin(draft: Draft, draw: DrawNumber) -> None:
        if len(draft.state.players) != INVESTOR:
            message = "the Investor is for two players"
            raise ValueError(message)
        pay_capital(draft)
        draft.emit(InvestorSeated(NAME))
        draft.pay(BANK, INVESTOR, draft.sheet.limits.capital[INVESTOR], "set_up")
        lay_package(draft)
        lay_homes(draft)
        lay_markers(draft)
        choose_scenario(draft, options.scenario, draw)
        draft.emit(FlagSet(MANAGER, str(1 - draft.state.priority)))
        draft.push(Rounds())

    return begin


# Who decides ---------------------------------------------------------------------------------------------------------


def managed(duty: Duty) -> Duty:
    """The duty with the manager in the Investor's place (LRA-TWO-05)."""

    def who(state: State, frame: Any) -> Sequence[Seat]:
        return tuple(manager(state) if seat == INVESTOR else seat for seat in duty.who(state, frame))

    return derived(duty, who=who)


def open_round(draft: Draft, number: int) -> None:
    """Hand the card to the other player as a stock round begins, so that a set has one manager (LRA-TWO-03)."""
    if number > 1:
        draft.emit(FlagSet(MANAGER, str(1 - manager(draft.state))))
    auction.open_with_package(draft, number)


def players_only(state: State, _current: StockRound) -> Seat:
    """Return who gets the priority deal, which the Investor never holds (LRA-TWO-06)."""
    seats = [seat for seat in state.clockwise(state.priority) if seat != INVESTOR]
    return max(seats, key=lambda seat: state.players[seat].cash)


# Stock rounds --------------------------------------------------------------------------------------------------------


def purchase(state: State) -> tuple[str, str, int] | None:
    """The purchase of the Investor: company, source and the certificate's number (LRA-TWO-04).

    Of the dearest corporation that it can afford and holds to less than a half; from charter, offering, pool; the smallest.
    """
    cash = state.players[INVESTOR].cash
    for name in state.operating_order:
        company = state.companies[name]
        if not company.founded or company.percent(INVESTOR) >= HALF:
            continue
        for source in (CHARTER, IPO, POOL):
            sizes = sorted({company.certificates[n].percent for n in company.held(source)})
            for percent in sizes:
                number = stock_round.offered(company, source, percent)
                if number is not None and shares_of(percent) * state.price(name) <= cash:
                    return name, source, number
    return None


def invest(draft: Draft, current: StockRound) -> None:
    """The Investor's turn: one purchase, or a pass."""
    found = purchase(draft.state)
    if found is None:
        stock_round.next_turn(draft, current, passed=True)
        return
    name, source, number = found
    percent = draft.state.companies[name].certificates[number].percent
    payee = draft.ruleset.policy(SharesPolicy).payee(draft.state, name, source)
    draft.pay(INVESTOR, payee, shares_of(percent) * draft.state.price(name), "share")
    draft.emit(CertificateMoved(name, number, source, INVESTOR, "share"))
    stock_round.next_turn(draft, replace(current, buyer=INVESTOR, actor=INVESTOR), passed=False)


def run_stock_round(draft: Draft, current: StockRound) -> None:
    """As ever, but that the Investor acts by rule in its turn."""
    done = current.closed or current.passes >= len(draft.state.clockwise(current.seat))
    if current.seat == INVESTOR and not done:
        invest(draft, current)
    else:
        stock_round.run_round(draft, current)


# The package is sold among the players (LRA-TWO-02) ------------------------------------------------------------------


def run_auction(draft: Draft, current: Auction) -> None:
    """Pass over the Investor's seat."""
    everyone = len(draft.state.clockwise(current.seat))
    if current.seat == INVESTOR and auction.unsold(draft.state) and current.passes < everyone:
        auction.next_turn(draft, passed=True)
    else:
        auction.run_auction(draft, current)


def run_offer(draft: Draft, offer: Offer) -> None:
    """Pass the offer on from the Investor."""
    if offer.seat == INVESTOR:
        auction.decline_offer(draft, DeclineOffer())
    else:
        auction.run_offer(draft, offer)


def finish_package(draft: Draft, current: Auction) -> None:
    """The next player left of the last buyer takes the priority deal (COMMON-AUC-15)."""
    assert current.buyer is not None
    seat = 1 - current.buyer
    stock_round.give_priority(draft, seat)
    auction.begin_shares(draft, current, seat)


# Where the Investor directs ------------------------------------------------------------------------------------------


def directs(view: View) -> bool:
    """Tell whether the Investor is director of the operating corporation."""
    return operating(view).director == INVESTOR


@check("LRA-TWO-05")
def best_for_investor(view: View, action: RunTrains) -> Refusal | None:
    """Refuse its manager runs that earn less than the best ones that the table proposes."""
    if not directs(view):
        return None
    company, policy = turn_of(view.state).company, view.ruleset.policy(RunningPolicy)
    sent = policy.judge(view.state, company, action.runs)
    best = policy.judge(view.state, company, policy.best(view.state, company))
    if not isinstance(sent, RunResult) or not isinstance(best, RunResult) or sent.revenue >= best.revenue:
        return None
    return refuse(Code.MUST_RUN, revenue=best.revenue)


def owes_dividend(view: View) -> bool:
    """Tell whether the Investor's corporation has a train and can pay for the cheapest on offer (LRA-TWO-05)."""
    company = operating(view)
    trains = [kind for kind in company.trains if not never_traded(view.state, kind)]
    prices = [price_of(view.state, kind) for _, kind in of_the_bank(view.state)]
    return directs(view) and bool(trains) and (not prices or company.treasury >= min(prices))


@check("LRA-TWO-05")
def must_pay_out(view: View, _action: Withhold | PayOutKeepGkb) -> Refusal | None:
    """Refuse its manager to withhold, unless there is no train or the treasury is below the cheapest train on offer."""
    return refuse(Code.MUST_PAY_OUT, company=operating(view).id) if owes_dividend(view) else None


def pay_waits(view: View) -> bool:
    """Tell whether there is revenue whose use is not settled by rule: a dividend owed is no question."""
    return running_and_dividends.pay_waits(view) and not owes_dividend(view)


def enter_pay(draft: Draft) -> None:
    """The dividend that the Investor owes is paid without a question (LRA-TWO-05)."""
    revenue = turn_of(draft.state).revenue
    if revenue and owes_dividend(draft.view):
        running_and_dividends.distribute(draft, revenue)
    else:
        running_and_dividends.enter_pay(draft)


PAY = TurnStep("pay", pay_waits, enter_pay)


FORCED_TWO = derived(FORCED, spared=lambda state, company: state.companies[company].director == INVESTOR)


def run_forced(draft: Draft, frame: ForcedPurchase) -> None:
    """After treasury and charter shares the bank pays what is missing, and nothing is owed (LRA-TWO-05)."""
    state = draft.state
    if state.companies[frame.company].director != INVESTOR:
        forced_purchase.run_forced(draft, frame)
        return
    if forced_purchase.charter_block(state, frame):
        if frame.rung != "charter":
            draft.replace_top(replace(frame, rung="charter"))
        return
    lacking = forced_purchase.short_of_price(state, frame)
    draft.pop()
    draft.pay(BANK, frame.company, lacking, "forced")
    draft.pay(frame.company, BANK, price_of(state, frame.train), "train")
    turn = draft.state.agenda[-1]
    assert isinstance(turn, CompanyTurn)
    draft.replace_top(replace(turn, forced=True))
    take_train(draft, frame.company, frame.source, frame.train, "forced")


OWN: dict[type[Event], Callable[[State, Any], State]] = {InvestorSeated: sit_down}
