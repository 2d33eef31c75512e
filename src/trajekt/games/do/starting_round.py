"""The Starting Round: bid tokens on boxes of minors, until all lie on different minors (DO-START)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trajekt.engine.actions import PlaceBid
from trajekt.engine.events import BidsEnded, PrivateClosed, PrivateMoved
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, Bid, Seat, State, set_aside_account
from trajekt.games.do.components import Minor, do_components
from trajekt.games.do.events import BecsMoved, OrderSet, TokenMoved
from trajekt.games.do.frames import FirstMarkers, StartingRound
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import REMOVED, Slot, charter
from trajekt.rules.stock_round import StockRound

OVER = -1
"""The seat of a Starting Round that is over: the first stock round is still to be opened."""


def open_starting_round(draft: Draft) -> None:
    """Player 1 begins (DO-START-01); beginners are dealt their minors instead (DO-START-10)."""
    if draft.ruleset.policy(DoOptions).beginners:
        deal_out(draft)
        draft.push(StartingRound(OVER))
        begin_markers(draft)
    else:
        draft.push(StartingRound(0))


def in_play(state: State) -> tuple[Minor, ...]:
    """The minors laid out, by number."""
    return tuple(m for m in do_components(state.sheet).minors.values() if state.privates[m.number].open)


def highest(state: State, private: int) -> int:
    """The highest box with a token of a minor, -1 where there is none."""
    return max((bid.amount for bid in state.bids if bid.private == private), default=-1)


def bid_of(state: State, seat: Seat) -> Bid | None:
    """Place of a player's token."""
    return next((bid for bid in state.bids if bid.seat == seat), None)


def must_move(state: State, seat: Seat) -> bool:
    """Tell whether a player has no token yet, or is outbid (DO-START-03)."""
    bid = bid_of(state, seat)
    return bid is None or bid.amount < highest(state, bid.private)


def to_act(_state: State, frame: StartingRound) -> Sequence[Seat]:
    """The seat whose turn it is."""
    return () if frame.seat == OVER else (frame.seat,)


def run(draft: Draft, frame: StartingRound) -> None:
    """Pass over who need not move; over once all tokens lie on different minors (DO-START-04)."""
    state = draft.state
    count = len(state.players)
    if frame.seat == OVER:
        draft.pop()
        order = by_cash(state, draft.ruleset.policy(DoOptions))
        draft.push(StockRound(1, order[0], order=order))
    elif len({bid.private for bid in state.bids}) == count:
        sell(draft)
        draft.replace_top(StartingRound(OVER))
        begin_markers(draft)
    elif not must_move(state, frame.seat):
        draft.replace_top(StartingRound((frame.seat + 1) % count))


def by_cash(state: State, options: DoOptions) -> tuple[Seat, ...]:
    """The order of the first stock round: most cash first, then by the cards (DO-START-09)."""
    tie = 1 if options.cash_tie == "order_card" else -1
    return tuple(sorted(range(len(state.players)), key=lambda seat: (-state.players[seat].cash, tie * seat)))


def sell(draft: Draft) -> None:
    """Let each pay printed price and bid; the minor left over leaves the game (DO-START-06, -07)."""
    for seat in range(len(draft.state.players)):
        bid = bid_of(draft.state, seat)
        assert bid is not None
        minor = next(m for m in in_play(draft.state) if m.number == bid.private)
        take(draft, seat, minor, minor.price + bid.amount)
    for private in dict.fromkeys(bid.private for bid in draft.state.bids):
        draft.emit(BidsEnded(private))
    for minor in in_play(draft.state):
        if draft.state.privates[minor.number].owner is None:
            becs = tuple(bec.number for bec in charter(draft.state, minor.id).becs)
            draft.emit(BecsMoved(minor.id, REMOVED, becs, "package"))
            draft.emit(PrivateClosed(minor.number, "package"))
    lay_order(draft)


def take(draft: Draft, seat: Seat, minor: Minor, price: int) -> None:
    """Give a player a minor, and the minor its printed treasury."""
    draft.pay(seat, BANK, price, "package")
    draft.emit(PrivateMoved(minor.number, seat))
    draft.pay(BANK, set_aside_account(minor.id), minor.treasury, "start")


def lay_order(draft: Draft) -> None:
    """The order tokens by number, the highest first (DO-START-08)."""
    ordered = sorted(in_play(draft.state), key=lambda minor: -minor.number)
    draft.emit(OrderSet(tuple(Slot(minor.id) for minor in ordered), "set_up"))


def deal_out(draft: Draft) -> None:
    """Give each player the minor drawn for him; he pays its printed price (DO-START-10)."""
    dealt = sorted(charter_numbers(draft.state), key=lambda minor: charter(draft.state, minor.id).becs[0].number)
    for seat, minor in enumerate(dealt):
        take(draft, seat, minor, minor.price)
    lay_order(draft)


def charter_numbers(state: State) -> tuple[Minor, ...]:
    """The minors in play; their equipment was handed out in the order in which they were drawn."""
    return in_play(state)


def begin_markers(draft: Draft) -> None:
    """Expert Game: each owner may buy a marker first, in the order of the minors' numbers (DO-X-13)."""
    if draft.ruleset.policy(DoOptions).expert:
        draft.push(FirstMarkers(tuple(minor.id for minor in in_play(draft.state))))


# Bids ----------------------------------------------------------------------------------------------------------------


@check("DO-START-01")
def minor_laid_out(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a minor that is none of those laid out."""
    if any(minor.number == action.private for minor in in_play(view.state)):
        return None
    return because(WhyNot.THESE_MINORS, minors=", ".join(minor.id for minor in in_play(view.state)))


@check("DO-START-02", "DO-START-05")
def a_box(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a box that is not printed."""
    boxes = do_components(view.sheet).boxes
    return None if action.amount in boxes else because(WhyNot.NO_SUCH_BOX, boxes=", ".join(map(str, boxes)))


@check("DO-START-02", "DO-START-03")
def above_all_tokens(view: View, action: PlaceBid) -> Refusal | None:
    """Refuse a bid not above every token on this minor; a token on the last box cannot be outbid (DO-START-05)."""
    most = highest(view.state, action.private)
    return None if action.amount > most else refuse(Code.BID_TOO_LOW, least=most + 5)


def options(view: View) -> Iterable[PlaceBid]:
    """Every box of every minor."""
    for minor in in_play(view.state):
        for box in do_components(view.sheet).boxes:
            yield PlaceBid(minor.number, box)


def bid(draft: Draft, action: PlaceBid) -> None:
    """Place or move the token; the turn goes on in the order of the cards."""
    seat = draft.seat
    draft.replace_top(StartingRound((seat + 1) % len(draft.state.players)))
    draft.emit(TokenMoved(seat, action.private, action.amount))


PLACE_BID = Rule(PlaceBid, options, bid, needs=(minor_laid_out, a_box), checks=(above_all_tokens,))
STARTING_ROUND = Duty(StartingRound, rule="DO-START-01", who=to_act, menu=(PLACE_BID,), run=run)
