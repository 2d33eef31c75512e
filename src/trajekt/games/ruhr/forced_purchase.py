"""Forced purchase: a train, or a card for an active marker, that the treasury cannot pay (section 15 of the rule sheet)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from trajekt.engine.actions import Accept, DeclareBankruptcy, Decline, SellShares
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Refusal, Rule, View, check, refuse, spans_between
from trajekt.engine.state import BANK, DISPLAY, POOL, Frame, Seat, State
from trajekt.games.ruhr.actions import ForceTrain
from trajekt.games.ruhr.bankruptcy import leave_game
from trajekt.games.ruhr.components import is_montan
from trajekt.games.ruhr.development import take_markers
from trajekt.games.ruhr.forced_purchase_funds import (
    Shortage,
    blocks,
    cheapest_train,
    deal_sizes,
    eight_too_early,
    lacking,
    loses_office,
    means,
    missing,
    sale_of,
)
from trajekt.games.ruhr.loans import lend
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.treasury_shares import SHARE_DEAL, sell_one
from trajekt.rules.directorship import DirectorsPolicy
from trajekt.rules.operating_round import CompanyTurn, in_step, set_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.share_sales import block_options, can_part, pool_limit, sell
from trajekt.rules.stock_round import known_company, worth
from trajekt.rules.trains import of_the_bank, price_of, take_train
from trajekt.rules.turn_notes import Declined, Once, declined_prices


class TrainAsk(Frame, frozen=True, tag="train_ask"):
    """Request of a railway in need to another one for a train; the price is raised once its director consents."""

    company: CompanyId
    seller: CompanyId
    train: TrainKind
    price: int


def shortage(view: View) -> Shortage:
    """The forced purchase on top."""
    frame = view.frame
    assert isinstance(frame, Shortage)
    return frame


# Choosing a train ------------------------------------------------------------------------------------------------------


@check("RUHR-FORCED-01", "RUHR-TRAIN-07", "RUHR-TRAIN-08")
def train_needed(view: View, _action: ForceTrain) -> Refusal | None:
    """Refuse help to a railway with a train, which buys from its treasury, or without a route.

    With no train in the bank there is no duty, but another railway's train may be taken (RUHR-TRAIN-10).
    """
    company = view.company(turn_of(view.state).company)
    if not company.trains and view.ruleset.policy(RunningPolicy).could_run(view.state, company.id):
        return None
    return because(Why.NO_NEED, company=company.id)


@check("RUHR-FORCED-01", "RUHR-FORCED-04")
def train_there(view: View, action: ForceTrain) -> Refusal | None:
    """Refuse a train that is not there, at other than the bank's price, of a railway above it, and type 8 beside type 6."""
    state = view.state
    if action.train not in view.sheet.trains:
        return refuse(Code.NO_SUCH_TRAIN, train=action.train)
    printed = price_of(state, action.train)
    if action.source in (DISPLAY, POOL):
        if (action.source, action.train) not in of_the_bank(state):
            return because(Why.TRAIN_NOT_THERE, train=action.train, source=action.source)
        if eight_too_early(state, action.source, action.train):
            treasury = view.company(turn_of(state).company).treasury
            return because(Why.SIX_FIRST, "RUHR-FORCED-04", cost=printed, cash=treasury)
        wrong = action.price != printed
        return because(Why.PRICE_IS, "RUHR-FORCED-04", train=action.train, price=printed) if wrong else None
    seller = state.companies.get(action.source)
    if seller is None or seller.id == turn_of(state).company or action.train not in seller.trains:
        return because(Why.TRAIN_NOT_THERE, train=action.train, source=action.source)
    if seller.director is None:
        return because(Why.BANK_RUN, "RUHR-BANKR-08", company=seller.id)
    if not 1 <= action.price <= printed:
        return because(Why.PRICE_RANGE, "RUHR-FORCED-04", low=1, high=printed)
    return None


@check("RUHR-FORCED-02")
def treasury_short(view: View, action: ForceTrain) -> Refusal | None:
    """Refuse what the treasury can pay: that is an ordinary purchase."""
    company = view.state.companies[turn_of(view.state).company]
    if action.price > company.treasury:
        return None
    return because(Why.TREASURY_PAYS, company=company.id, treasury=company.treasury)


@check("RUHR-BANKR-01")
def within_means(view: View, action: ForceTrain) -> Refusal | None:
    """Refuse a dear train that all that can be raised does not pay; the bank's cheapest may always be tried (Q40)."""
    turn = turn_of(view.state)
    if action.source in (DISPLAY, POOL) and action.price == cheapest_train(view.state):
        return None
    most = means(view.ruleset, view.state, turn.company, deal=Once.DEAL not in turn.used)
    return None if action.price <= most else because(Why.CANNOT_RAISE, price=action.price, most=most)


@check("RUHR-FORCED-01")
def ask_not_declined(view: View, action: ForceTrain) -> Refusal | None:
    """Refuse to ask again in the turn for what another railway's director has declined at the same price."""
    if action.price not in declined_prices(turn_of(view.state).used, action.source, action.train):
        return None
    return refuse(Code.DECLINED, company=action.source, train=action.train, price=action.price)


def train_options(view: View) -> Iterable[ForceTrain | Option[ForceTrain]]:
    """Every train of the bank, and of the other railways."""
    state, turn = view.state, turn_of(view.state)
    for source, kind in of_the_bank(state):
        yield ForceTrain(source, kind, price_of(state, kind))
    if state.companies[turn.company].trains:
        return
    treasury = state.companies[turn.company].treasury
    most = means(view.ruleset, state, turn.company, deal=Once.DEAL not in turn.used)
    for seller in state.companies.values():
        for kind in dict.fromkeys(seller.trains):
            low, high = treasury + 1, min(price_of(state, kind), most)
            if seller.id != turn.company:
                for span in spans_between(low, high, declined_prices(turn.used, seller.id, kind)):
                    yield Option(ForceTrain(seller.id, kind, span.low), {"price": span})


def force_train(draft: Draft, action: ForceTrain) -> None:
    """Begin to raise the money; the director of another railway is asked first."""
    turn = turn_of(draft.state)
    if action.source not in (DISPLAY, POOL) and draft.state.companies[action.source].director != draft.seat:
        draft.push(TrainAsk(turn.company, action.source, action.train, action.price))
    else:
        raise_money(draft, action.source, action.train, action.price)


def raise_money(draft: Draft, source: str, train: TrainKind, price: int) -> None:
    """Choose the purchase, which the treasury of the company whose turn it is does not pay."""
    turn = turn_of(draft.state)
    draft.push(Shortage(turn.company, source, train, price, deal=Once.DEAL in turn.used))


def asked(state: State, ask: TrainAsk) -> Sequence[Seat]:
    """The director of the seller."""
    director = state.companies[ask.seller].director
    return () if director is None else (director,)


def accept(draft: Draft, _action: Accept) -> None:
    """The seller consents."""
    ask = draft.state.agenda[-1]
    assert isinstance(ask, TrainAsk)
    draft.pop()
    raise_money(draft, ask.seller, ask.train, ask.price)


def decline(draft: Draft, _action: Decline) -> None:
    """Move nothing; the request is not made again in the turn."""
    ask = draft.state.agenda[-1]
    assert isinstance(ask, TrainAsk)
    draft.pop()
    set_turn(draft, used=(*turn_of(draft.state).used, Declined(ask.seller, ask.train, ask.price)))


TRAIN_ASK = Duty(
    TrainAsk,
    rule="RUHR-FORCED-01",
    who=asked,
    menu=(
        Rule(Accept, lambda _view: (Accept(),), accept),
        Rule(Decline, lambda _view: (Decline(),), decline),
    ),
    not_your_turn=(Code.NOT_DIRECTOR, "RUHR-FORCED-01"),
)

FORCE_TRAIN = Rule(
    ForceTrain,
    train_options,
    force_train,
    needs=(in_step("trains"), train_needed, train_there),
    checks=(treasury_short, within_means, ask_not_declined),
)


# Raising the money -----------------------------------------------------------------------------------------------------


def payer(state: State, frame: Shortage) -> Sequence[Seat]:
    """The director of the corporation, who must pay (RUHR-FORCED-03)."""
    director = state.companies[frame.company].director
    return () if director is None else (director,)


def run_shortage(draft: Draft, frame: Shortage) -> None:
    """Raise money: the own deal, the director's cash, then his certificates; what leaves no choice happens by itself."""
    state, options = draft.state, draft.ruleset.policy(RuhrOptions)
    if not lacking(state, frame):
        complete(draft, frame)
        return
    if not frame.deal:
        sizes = deal_sizes(options, state, frame.company)
        if len(sizes) > 1:
            return
        draft.replace_top(replace(frame, deal=True))
        if sizes:
            sell_one(draft, frame.company, sizes[-1])
    elif state.companies[frame.company].director is None:
        lend(draft, frame.company, lacking(state, frame))
    elif not missing(state, frame):
        complete(draft, frame)
    elif not frame.selling:
        draft.replace_top(replace(frame, selling=True))
    elif not any(blocks(state, draft.ruleset.policy(DirectorsPolicy), payer(state, frame)[0], frame.company)):
        if not of_the_bank(state):
            draft.pop()  # no duty without a train in the bank (RUHR-TRAIN-10)
        elif not is_montan(draft.sheet, frame.company) and of_bank(state, frame).price < frame.price:
            draft.replace_top(of_bank(state, frame))  # another train was picked than the one that decides (Q40)


def of_bank(state: State, frame: Shortage) -> Shortage:
    """The purchase of the cheapest train of the bank instead; of two at one price that of the pool (Q62)."""
    source, kind = min(of_the_bank(state), key=lambda lot: (price_of(state, lot[1]), lot[0] != POOL))
    return replace(frame, source=source, card=kind, price=price_of(state, kind))


def complete(draft: Draft, frame: Shortage) -> None:
    """Take exactly the difference from the director (RUHR-FORCED-03); then make the purchase."""
    short = lacking(draft.state, frame)
    director = draft.state.companies[frame.company].director
    draft.pop()
    if director is not None:
        draft.pay(director, frame.company, short, "forced")
    turn = draft.state.agenda[-1]
    assert isinstance(turn, CompanyTurn | MontanTurn)
    if frame.deal and Once.DEAL not in turn.used:
        draft.replace_top(replace(turn, used=(*turn.used, Once.DEAL)))
    if isinstance(turn, MontanTurn):
        take_markers(draft, frame.card, frame.stages)
        return
    payee = BANK if frame.source in (DISPLAY, POOL) else frame.source
    draft.pay(frame.company, payee, frame.price, "train")
    take_train(draft, frame.company, frame.source, frame.card, "forced")


# The director's certificates -------------------------------------------------------------------------------------------


@check("RUHR-FORCED-02", "RUHR-FORCED-05")
def selling_time(view: View, _action: SellShares | DeclareBankruptcy) -> Refusal | None:
    """Refuse certificates before the deal is made; where the cash suffices nobody is asked."""
    return None if shortage(view).deal else because(Why.DEAL_FIRST)


@check("RUHR-FORCED-05")
def has_operated(view: View, action: SellShares) -> Refusal | None:
    """Refuse to sell a corporation that has not performed an OR; the one whose purchase it is performs one."""
    if view.company(action.company).operated or action.company == shortage(view).company:
        return None
    return refuse(Code.NOT_OPERATED, company=action.company)


@check("RUHR-FORCED-05")
def keeps_office(view: View, action: SellShares) -> Refusal | None:
    """Refuse a sale that changes the director of the acting corporation; others may change theirs (Q38)."""
    if action.company != shortage(view).company:
        return None
    lost = loses_office(view.state, action.company, view.seat, action.percent)
    return refuse(Code.CHANGES_DIRECTOR, company=action.company) if lost else None


@check("RUHR-FORCED-05")
def no_surplus(view: View, action: SellShares) -> Refusal | None:
    """Refuse a block if a smaller one of the corporation would bring what is missing (Q39)."""
    frame, policy = shortage(view), view.ruleset.policy(DirectorsPolicy)
    lacking, step = missing(view.state, frame), view.sheet.companies[action.company].share
    for percent in range(step, action.percent, step):
        if worth(view.state, action.company, percent) < lacking:
            continue
        if sale_of(view.state, policy, view.seat, action.company, percent, frame.company) is not None:
            return refuse(Code.MORE_THAN_NEEDED, percent=percent)
    return None


def sale_options(view: View) -> Iterable[SellShares]:
    """Every block that may be sold."""
    policy = view.ruleset.policy(DirectorsPolicy)
    for company, percent in blocks(view.state, policy, view.seat, shortage(view).company):
        yield from block_options(view, view.company(company), percent)


def sell_own(draft: Draft, action: SellShares) -> None:
    """As in a stock round: the value before, then the marker where he is director."""
    sell(draft, draft.seat, action.company, action.percent, action.sizes)


FORCED_SALE = Rule(
    SellShares,
    sale_options,
    sell_own,
    needs=(selling_time, known_company, can_part),
    checks=(has_operated, pool_limit, keeps_office, no_surplus),
)


@check("RUHR-BANKR-01")
def nothing_to_sell(view: View, _action: DeclareBankruptcy) -> Refusal | None:
    """Refuse to be bankrupt while something may still be sold."""
    policy = view.ruleset.policy(DirectorsPolicy)
    if any(True for _ in blocks(view.state, policy, view.seat, shortage(view).company)):
        return because(Why.STILL_SELLS, missing=missing(view.state, shortage(view)))
    return None


def declare(draft: Draft, _action: DeclareBankruptcy) -> None:
    """Take him out of the game; his money goes to the purchase first (RUHR-BANKR-02).

    His successor takes no train of another railway (RUHR-BANKR-03).
    """
    frame = replace(shortage(draft.view), selling=False)
    if frame.source not in (DISPLAY, POOL):
        frame = of_bank(draft.state, frame)
    draft.replace_top(frame)
    leave_game(draft, draft.seat, frame.company, lacking(draft.state, frame))


DECLARE = Rule(
    DeclareBankruptcy,
    lambda _view: (DeclareBankruptcy(),),
    declare,
    needs=(selling_time,),
    checks=(nothing_to_sell,),
)

SHORTAGE = Duty(
    Shortage,
    rule="RUHR-FORCED-03",
    who=payer,
    menu=(SHARE_DEAL, FORCED_SALE, DECLARE),
    run=run_shortage,
    not_your_turn=(Code.NOT_DIRECTOR, "RUHR-DIR-07"),
)
