"""The starting package: certificates bought one by one, bids on the others, auctions, and what follows when all pass.

`Auction` is the round of turns; `Contest` the auction of one certificate among those who bid for it; `Offer` a
certificate that goes round at a falling price. Turns wait while a contest or an offer lies above them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from trajekt.engine.actions import AcceptOffer, BuyPrivate, DeclineOffer, Pass, PlaceBid
from trajekt.engine.decisions import can
from trajekt.engine.events import BidPlaced, BidsEnded, CertificateMoved, PrivateMoved
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Refusal, Rule, Ruleset, Span, View, check, refuse
from trajekt.engine.state import BANK, PACKAGE, Bid, Frame, Seat, State
from trajekt.rules.first_stock_round import NOT_YET
from trajekt.rules.private_income import pay_privates
from trajekt.rules.stock_round import StockRound, free_cash, give_priority, open_stock_round, stock_round

RAISE = 5
"""A bid exceeds the printed price and every other bid by at least so many Mark (COMMON-AUC-05)."""

FALL = 5
"""The steps, in Mark, in which a price falls (RHL-AUC-09, COMMON-AUC-11)."""


class Auction(Frame, frozen=True, tag="auction"):
    """The turns of the auction: `seat` is to act, `passes` were made in succession.

    `discount` is off the printed price of the first certificate (RHL-AUC-09). `buyer` bought last, `actor` last did
    something else than pass. `falling`: a certificate was sold at a falling price, and the next ones are offered so too.
    """

    seat: Seat
    passes: int = 0
    discount: int = 0
    buyer: Seat | None = None
    actor: Seat | None = None
    falling: bool = False


class Contest(Frame, frozen=True, tag="contest"):
    """The auction of one certificate: `seats` are still in it, clockwise from the
    first lowest bidder; `seat` must raise or leave (COMMON-AUC-07).
    """

    private: int
    seats: tuple[Seat, ...]
    seat: Seat


class Offer(Frame, frozen=True, tag="offer"):
    """A certificate offered at `price` Mark; `declined` players have refused it at this price (COMMON-AUC-11)."""

    private: int
    price: int
    seat: Seat
    declined: int = 0


@dataclass(frozen=True, slots=True)
class AuctionPolicy:
    """The choices of an edition in selling its package.

    `on_sale` are the certificates that may be bought now, `price` what one costs; bids are for the others, in steps of
    `step` Mark. `bought` pays for a certificate and hands over what it brings. `raises_next` names the bidder who must
    raise or leave after the seat that just did. `all_passed` follows when all have passed in succession, `finish` when
    everything is sold. Certificates with a `minimum` are first bid on at their printed price and never offered below it.
    `offer_goes_on`: after a sale at a falling price the next certificate is offered so at once.
    """

    step: int
    bought: Callable[[Draft, Seat, int, int], None]
    raises_next: Callable[[State, Contest, Seat], Seat]
    all_passed: Callable[[Draft, Auction], None]
    finish: Callable[[Draft, Auction], None]
    on_sale: Callable[[State], tuple[int, ...]]
    price: Callable[[State, Auction, int], int]
    minimum: tuple[int, ...] = ()
    offer_goes_on: bool = False


# What is for sale ----------------------------------------------------------------------------------------------------


def unsold(state: State) -> tuple[int, ...]:
    """The certificates of the package that nobody has bought, in order."""
    return tuple(sorted(number for number, p in state.privates.items() if p.owner is None and p.open))


def lowest(state: State) -> tuple[int, ...]:
    """Return the certificate for sale, the lowest-numbered unsold one (COMMON-AUC-02)."""
    return unsold(state)[:1]


def printed_less_discount(state: State, auction: Auction, number: int) -> int:
    """The printed price, less what it has fallen."""
    return state.sheet.privates[number].price - auction.discount


def bids_on(state: State, number: int) -> tuple[Bid, ...]:
    """The standing bids on a certificate, in the order in which they were made."""
    return tuple(bid for bid in state.bids if bid.private == number)


def lowest_bid(ruleset: Ruleset, state: State, number: int) -> int:
    """The least that a new bid on a certificate must be, in Mark (COMMON-AUC-05; RHL-AUC-17 for a minimum bid)."""
    standing = [bid.amount for bid in bids_on(state, number)]
    price = state.sheet.privates[number].price
    if not standing and number in ruleset.policy(AuctionPolicy).minimum:
        return price
    return max(price, *standing, 0) + RAISE


def spendable(state: State, seat: Seat, number: int) -> int:
    """The most that a player can bid: free cash and his own bid there, which the new one replaces (COMMON-AUC-08)."""
    own = sum(bid.amount for bid in bids_on(state, number) if bid.seat == seat)
    return free_cash(state, seat) + own


# Selling a certificate -----------------------------------------------------------------------------------------------


def sell_private(draft: Draft, seat: Seat, number: int, price: int) -> None:
    """Hand a certificate to its buyer and release the bids on it. The auction lies on top."""
    auction = auction_on_top(draft)
    draft.replace_top(replace(auction, buyer=seat, discount=0))
    draft.emit(PrivateMoved(number, seat))
    if bids_on(draft.state, number):
        draft.emit(BidsEnded(number))
    draft.ruleset.policy(AuctionPolicy).bought(draft, seat, number, price)


def buy_of_bank(draft: Draft, seat: Seat, number: int, price: int) -> None:
    """Pay the bank; what came with the certificate is the buyer's, unpaid (COMMON-AUC-12)."""
    draft.pay(seat, BANK, price, "private")
    take_brought(draft, seat, number)


def take_brought(draft: Draft, seat: Seat, number: int) -> None:
    """Hand over the certificate of a corporation that lay with one of the package."""
    brings = draft.sheet.privates[number].brings
    if brings:
        for certificate in draft.state.companies[brings].held(PACKAGE):
            draft.emit(CertificateMoved(brings, certificate, PACKAGE, seat, "brought"))


def auction_on_top(draft: Draft) -> Auction:
    """The frame on top, which must be the auction."""
    auction = draft.state.agenda[-1]
    assert isinstance(auction, Auction)
    return auction


def next_turn(draft: Draft, *, passed: bool, skipped: tuple[str, ...] = ()) -> None:
    """Pass the turn on clockwise; a pass counts, anything else begins the count anew."""
    auction = auction_on_top(draft)
    seat = draft.state.clockwise(auction.seat)[0]
    if passed:
        draft.replace_top(replace(auction, seat=seat, passes=auction.passes + 1), skipped)
    else:
        draft.replace_top(replace(auction, seat=seat, passes=0, actor=auction.seat))


def run_auction(draft: Draft, auction: Auction) -> None:
    """Sell what has one bid, open a contest where several bid, until a certificate without bids is for sale (COMMON-AUC-06).

    A price of 0 leaves no choice: the player in turn takes the certificate (RHL-AUC-09). Who can neither buy nor bid is
    passed over.
    """
    state = draft.state
    policy = draft.ruleset.policy(AuctionPolicy)
    if not unsold(state):
        draft.pop()
        policy.finish(draft, auction)
        return
    if auction.passes >= len(state.clockwise(auction.seat)):
        draft.replace_top(replace(auction, passes=0))
        policy.all_passed(draft, auction)
        return
    for number in policy.on_sale(state):
        bids = bids_on(state, number)
        if len(bids) == 1:
            sell_private(draft, bids[0].seat, number, bids[0].amount)
            return
        if bids:
            first = min(bids, key=lambda bid: bid.amount).seat
            others = (seat for seat in state.clockwise(first) if seat != first and seat in {bid.seat for bid in bids})
            draft.push(Contest(number, (first, *others), first))
            return
        if policy.price(state, auction, number) <= 0:
            next_turn(draft, passed=False)
            sell_private(draft, auction.seat, number, 0)
            return
    if auction.falling and auction.buyer is not None and unsold(state)[0] not in policy.minimum:
        push_offer(draft, state.clockwise(auction.buyer)[0])
    elif not can(draft.ruleset, state, auction.seat, (BuyPrivate, PlaceBid)):
        next_turn(draft, passed=True, skipped=("auction_turn",))


# Turns ---------------------------------------------------------------------------------------------------------------


@check("COMMON-AUC-02")
def in_package(view: View, action: BuyPrivate | PlaceBid) -> Refusal | None:
    """Refuse a certificate that is not of the package, or sold."""
    if action.private in unsold(view.state):
        return None
    known = action.private in view.sheet.privates
    return refuse(Code.SOLD_OUT if known else Code.NOT_IN_RULESET, private=action.private)


@check("COMMON-AUC-02")
def for_sale_now(view: View, action: BuyPrivate) -> Refusal | None:
    """Refuse to buy a certificate that is not for sale now; on others one bids."""
    on_sale = view.ruleset.policy(AuctionPolicy).on_sale(view.state)
    return None if action.private in on_sale else refuse(Code.IN_ORDER, private=on_sale[0])


def price_now(view: View, number: int) -> int:
    """The current price in Mark."""
    auction = view.frame
    assert isinstance(auction, Auction)
    return view.ruleset.policy(AuctionPolicy).price(view.state, auction, number)


@check("COMMON-AUC-05")
def private_affordable(view: View, action: BuyPrivate) -> Refusal | None:
    """Refuse to spend money that is committed to bids."""
    cost, cash = price_now(view, action.private), free_cash(view.state, view.seat)
    return None if cost <= cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=cash)


def buy_private_options(view: View) -> Iterable[BuyPrivate]:
    """List the certificate for sale now."""
    for number in view.ruleset.policy(AuctionPolicy).on_sale(view.state):
        yield BuyPrivate(number)


def buy_private(draft: Draft, action: BuyPrivate) -> None:
    """Buy at the current price; the turn goes on clockwise."""
    price = price_now(draft.view, action.private)
    next_turn(draft, passed=False)
    sell_private(draft, draft.seat, action.private, price)


BUY_PRIVATE = Rule(
    BuyPrivate, buy_private_options, buy_private, needs=(in_package, for_sale_now), checks=(private_affordable,)
)


@check("COMMON-AUC-02")
def not_for_sale(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid on what is for sale: it is bought."""
    if action.private in view.ruleset.policy(AuctionPolicy).on_sale(view.state):
        return refuse(Code.FOR_SALE, private=action.private)
    return None


@check("COMMON-AUC-05")
def high_enough(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid of less than 5 Mark above the printed price and every standing bid."""
    least = lowest_bid(view.ruleset, view.state, action.private)
    return None if action.amount >= least else refuse(Code.BID_TOO_LOW, least=least)


@check("COMMON-AUC-05")
def in_steps(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid that is no multiple of 5, where the edition asks for one."""
    step = view.ruleset.policy(AuctionPolicy).step
    above = action.amount - lowest_bid(view.ruleset, view.state, action.private)
    return refuse(Code.BID_STEP, amount=step) if above > 0 and above % step else None


@check("COMMON-AUC-05", "COMMON-AUC-08")
def bid_affordable(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid above the cash that is not committed elsewhere."""
    most = spendable(view.state, view.seat, action.private)
    return None if action.amount <= most else refuse(Code.UNAFFORDABLE, cost=action.amount, most=most)


def bid_on(view: View, number: int) -> Iterable[Option[PlaceBid]]:
    """The lowest bid on a certificate, open up to what the player can pay."""
    step = view.ruleset.policy(AuctionPolicy).step
    low = lowest_bid(view.ruleset, view.state, number)
    high = spendable(view.state, view.seat, number)
    if high >= low:
        yield Option(PlaceBid(number, low), spans={"amount": Span(low, high - (high - low) % step, step)})


def bid_options(view: View) -> Iterable[Option[PlaceBid]]:
    """Every unsold certificate that is not for sale."""
    on_sale = view.ruleset.policy(AuctionPolicy).on_sale(view.state)
    for number in unsold(view.state):
        if number not in on_sale:
            yield from bid_on(view, number)


def place_bid(draft: Draft, action: PlaceBid) -> None:
    """Commit the money; a former bid on the same certificate is replaced (COMMON-AUC-05)."""
    draft.emit(BidPlaced(action.private, draft.seat, action.amount))
    next_turn(draft, passed=False)


PLACE_BID = Rule(
    PlaceBid,
    bid_options,
    place_bid,
    needs=(in_package, not_for_sale),
    checks=(high_enough, in_steps, bid_affordable),
)


def pass_options(_view: View) -> Iterable[Pass]:
    """Passing is always open."""
    yield Pass()


def pass_turn(draft: Draft, _action: Pass) -> None:
    """Do nothing in this turn."""
    next_turn(draft, passed=True)


PASS_AUCTION = Rule(Pass, pass_options, pass_turn)


# The auction of one certificate --------------------------------------------------------------------------------------


def contest_of(frame: Frame) -> Contest:
    """The frame on top, which must be a contest."""
    assert isinstance(frame, Contest)
    return frame


def run_contest(draft: Draft, contest: Contest) -> None:
    """The last who is in pays his last bid (COMMON-AUC-07). Who cannot raise has left."""
    if len(contest.seats) == 1:
        amount = next(b.amount for b in bids_on(draft.state, contest.private) if b.seat == contest.seats[0])
        draft.pop()
        sell_private(draft, contest.seats[0], contest.private, amount)
    elif not can(draft.ruleset, draft.state, contest.seat, (PlaceBid,)):
        _leave(draft, contest, skipped=("contest_turn",))


def standing(state: State, contest: Contest) -> dict[Seat, int]:
    """The bids of those who are in, by seat."""
    return {bid.seat: bid.amount for bid in bids_on(state, contest.private) if bid.seat in contest.seats}


def clockwise_bidder(state: State, contest: Contest, last: Seat) -> Seat:
    """The next clockwise who is in and not the highest, since nobody raises against himself (COMMON-AUC-07)."""
    bids = standing(state, contest)
    highest = max(bids, key=lambda seat: bids[seat])
    others = [seat for seat in state.clockwise(last) if seat in bids and seat != highest]
    return others[0] if others else highest


def lowest_bidder(state: State, contest: Contest, _last: Seat) -> Seat:
    """Always who bids least now (CMP-12)."""
    bids = standing(state, contest)
    return min(bids, key=lambda seat: bids[seat])


@check("COMMON-AUC-07")
def contested(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid on any certificate but the one under auction."""
    if action.private == contest_of(view.frame).private:
        return None
    return refuse(Code.CONTEST_FIRST, private=contest_of(view.frame).private)


def raise_options(view: View) -> Iterable[Option[PlaceBid]]:
    """The certificate under auction."""
    yield from bid_on(view, contest_of(view.frame).private)


def raise_bid(draft: Draft, action: PlaceBid) -> None:
    """Raise; then the next must raise or leave."""
    contest = contest_of(draft.state.agenda[-1])
    draft.emit(BidPlaced(action.private, draft.seat, action.amount))
    seat = draft.ruleset.policy(AuctionPolicy).raises_next(draft.state, contest, contest.seat)
    draft.replace_top(replace(contest, seat=seat))


def leave(draft: Draft, _action: Pass) -> None:
    """Leave the auction of this certificate for good."""
    _leave(draft, contest_of(draft.state.agenda[-1]))


def _leave(draft: Draft, contest: Contest, skipped: tuple[str, ...] = ()) -> None:
    left = replace(contest, seats=tuple(seat for seat in contest.seats if seat != contest.seat))
    seat = draft.ruleset.policy(AuctionPolicy).raises_next(draft.state, left, contest.seat)
    draft.replace_top(replace(left, seat=seat), skipped)


RAISE_BID = Rule(PlaceBid, raise_options, raise_bid, needs=(contested,), checks=(high_enough, in_steps, bid_affordable))
LEAVE_CONTEST = Rule(Pass, pass_options, leave)


# The falling offer ---------------------------------------------------------------------------------------------------


def offer_of(frame: Frame) -> Offer:
    """The frame on top, which must be an offer."""
    assert isinstance(frame, Offer)
    return frame


@check("COMMON-AUC-11")
def offer_affordable(view: View, _action: AcceptOffer) -> Refusal | None:
    """Refuse an offer above the cash that is not committed."""
    cost, cash = offer_of(view.frame).price, free_cash(view.state, view.seat)
    return None if cost <= cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=cash)


@check("COMMON-AUC-11")
def costs_something(view: View, _action: DeclineOffer) -> Refusal | None:
    """Refuse to decline what is offered for nothing: it must be taken."""
    return None if offer_of(view.frame).price > 0 else refuse(Code.MUST_TAKE)


def accept_offer(draft: Draft, _action: AcceptOffer) -> None:
    """Buy; the next certificate is offered so too, or normal turns go on, left of the buyer (COMMON-AUC-11)."""
    offer = offer_of(draft.state.agenda[-1])
    draft.pop()
    falling = draft.ruleset.policy(AuctionPolicy).offer_goes_on
    draft.replace_top(replace(auction_on_top(draft), seat=draft.seat, falling=falling))
    next_turn(draft, passed=False)
    sell_private(draft, draft.seat, offer.private, offer.price)


def decline_offer(draft: Draft, _action: DeclineOffer) -> None:
    """Offer it to the next player; when all have declined, lower the price."""
    _next_offer(draft, offer_of(draft.state.agenda[-1]))


def _next_offer(draft: Draft, offer: Offer, skipped: tuple[str, ...] = ()) -> None:
    seat = draft.state.clockwise(offer.seat)[0]
    declined = offer.declined + 1
    if declined >= len(draft.state.clockwise(offer.seat)):
        price = max(offer.price - FALL, 0)
        draft.replace_top(replace(offer, seat=seat, declined=0, price=price), skipped)
    else:
        draft.replace_top(replace(offer, seat=seat, declined=declined), skipped)


def run_offer(draft: Draft, offer: Offer) -> None:
    """Decline for a player who cannot pay."""
    if offer.price > 0 and not can(draft.ruleset, draft.state, offer.seat, (AcceptOffer,)):
        _next_offer(draft, offer, ("offer_turn",))


ACCEPT_OFFER = Rule(AcceptOffer, lambda _view: (AcceptOffer(),), accept_offer, checks=(offer_affordable,))
DECLINE_OFFER = Rule(DeclineOffer, lambda _view: (DeclineOffer(),), decline_offer, checks=(costs_something,))


def open_with_package(draft: Draft, number: int) -> None:
    """Open a stock round; the first begins with the starting package (COMMON-AUC-01)."""
    open_stock_round(draft, number)
    if number == 1:
        draft.push(Auction(stock_round(draft.state.agenda[-1]).seat))


def incomes_then_offer(draft: Draft, auction: Auction) -> None:
    """Pay incomes once all have passed, then offer the lowest certificate 5 Mark below its price (COMMON-AUC-11).

    Never one with a minimum bid (RHL-AUC-17).
    """
    pay_privates(draft)
    if unsold(draft.state)[0] not in draft.ruleset.policy(AuctionPolicy).minimum:
        push_offer(draft, auction.seat)


def push_offer(draft: Draft, seat: Seat) -> None:
    """Offer the lowest certificate 5 Mark below its price, first to this player."""
    number = unsold(draft.state)[0]
    draft.push(Offer(number, draft.sheet.privates[number].price - FALL, seat))


# How the round goes on -----------------------------------------------------------------------------------------------


def finish_left_of_buyer(draft: Draft, auction: Auction) -> None:
    """The player left of the last buyer takes the priority deal and buys shares first (COMMON-AUC-15)."""
    assert auction.buyer is not None
    seat = draft.state.clockwise(auction.buyer)[0]
    give_priority(draft, seat)
    begin_shares(draft, auction, seat)


def finish_clockwise(draft: Draft, auction: Auction) -> None:
    """Share buying goes on clockwise, the priority deal stays (RHL-AUC-16)."""
    begin_shares(draft, auction, auction.seat)


def begin_shares(draft: Draft, auction: Auction, seat: Seat) -> None:
    """Make a player the first to buy shares in the stock round below."""
    current: StockRound = stock_round(draft.state.agenda[-1])
    draft.replace_top(replace(current, seat=seat, passes=0, buyer=auction.buyer, actor=auction.actor))


AUCTION = Duty(
    Auction,
    rule="COMMON-AUC-02",
    who=lambda _state, auction: (auction.seat,),
    menu=(BUY_PRIVATE, PLACE_BID, PASS_AUCTION, *NOT_YET),
    run=run_auction,
)
CONTEST = Duty(
    Contest,
    rule="COMMON-AUC-07",
    who=lambda _state, contest: (contest.seat,),
    menu=(RAISE_BID, LEAVE_CONTEST, *NOT_YET),
    run=run_contest,
)
OFFER = Duty(
    Offer,
    rule="COMMON-AUC-11",
    who=lambda _state, offer: (offer.seat,),
    menu=(ACCEPT_OFFER, DECLINE_OFFER, *NOT_YET),
    run=run_offer,
)
