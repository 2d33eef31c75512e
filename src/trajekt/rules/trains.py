"""Trains: what is on sale, buying, offers between corporations, the limit and what lies above it, the duty to own one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trajekt.engine.actions import Accept, BuyTrain, Decline, DiscardTrain, Pass
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import TrainMoved
from trajekt.engine.memo import MemoTable
from trajekt.engine.ruleset import Code, Draft, Duty, Option, Refusal, Rule, Ruleset, View, check, refuse, spans_between
from trajekt.engine.state import BANK, DISPLAY, POOL, Company, Depot, Frame, Seat, State
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step, set_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.turn_notes import Declined, declined_prices


class TrainOffer(Frame, frozen=True, tag="train_offer"):
    """The buyer's director offers `price` Mark for a train; the seller's director consents or not (COMMON-TRN-05)."""

    buyer: CompanyId
    seller: CompanyId
    train: TrainKind
    price: int


class TooManyTrains(Frame, frozen=True, tag="too_many_trains"):
    """Companies that may be above the limit, in the order in which their directors choose (COMMON-TRN-09)."""

    companies: tuple[CompanyId, ...]


def always(_state: State) -> bool:
    """At any time (COMMON-TRN-04)."""
    return True


def after_first(kind: TrainKind) -> Callable[[State], bool]:
    """From the first sale of a kind on."""
    return lambda state: kind in state.depot.sold


def phase_limit(state: State, _company: CompanyId) -> int:
    """The train limit of the phase (COMMON-TRN-06)."""
    return state.current_phase.train_limit


def in_order(state: State) -> tuple[CompanyId, ...]:
    """All companies in the order in which they give trains up: the operating one first, then in operating order."""
    operating = [f.company for f in state.agenda if isinstance(f, CompanyTurn)]
    rest = (c for c in (*state.operating_order, *state.companies) if c not in operating)
    return tuple(dict.fromkeys((*operating, *rest)))


@dataclass(frozen=True, slots=True)
class TrainPolicy:
    """`between`: whether corporations may buy from each other now, by which rule, and from which kind sold on; `limit` of
    trains by company.

    `duty`: a company that can run must own a train; `choosing`: the order in which companies give up what is above the limit.
    `bank_discards`: for a company without a director the bank gives up
    trains without a question.
    """

    between: Callable[[State], bool] = always
    between_rule: str = "COMMON-TRN-04"
    between_from: TrainKind = ""
    limit: Callable[[State, CompanyId], int] = phase_limit
    duty: bool = True
    choosing: Callable[[State], tuple[CompanyId, ...]] = in_order
    bank_discards: bool = True


# What is on sale -----------------------------------------------------------------------------------------------------


_ON_DISPLAY: MemoTable[Depot, None, tuple[TrainKind, ...]] = MemoTable("on display")


def on_display(state: State) -> tuple[TrainKind, ...]:
    """The kinds that the bank sells new, in the order of the roster (COMMON-TRN-02); kept on the depot."""
    return _ON_DISPLAY.get(state.depot, None, lambda: _displayed(state))


def _displayed(state: State) -> tuple[TrainKind, ...]:
    depot = state.depot
    out = []
    before_sold_out = True
    for kind, train in state.sheet.trains.items():
        if train.not_for_sale:
            continue
        opened = opened_by_sale(state, kind) if train.available_on not in ("", "start") else before_sold_out
        if opened and depot.display[kind]:
            out.append(kind)
        before_sold_out = not depot.display[kind]
    return tuple(out)


def opened_by_sale(state: State, kind: TrainKind) -> bool:
    """Tell whether enough trains have left the display of the kind that opens this one."""
    train, depot = state.sheet.trains[kind], state.depot
    if train.available_after == 1:
        return train.available_on in depot.sold
    return state.sheet.trains[train.available_on].count - depot.display[train.available_on] >= train.available_after


def in_pool(state: State) -> tuple[TrainKind, ...]:
    """The kinds that lie in the pool."""
    return tuple(dict.fromkeys(state.depot.pool))


def of_the_bank(state: State) -> tuple[tuple[str, TrainKind], ...]:
    """Every train of display and pool on sale, as (source, kind)."""
    return (*((DISPLAY, kind) for kind in on_display(state)), *((POOL, kind) for kind in in_pool(state)))


def never_traded(state: State, kind: TrainKind) -> bool:
    """Tell whether a kind is never sold, bought or given up, and does not meet the duty to own a train (LRA-PRV-22)."""
    return state.sheet.trains[kind].not_for_sale


def price_of(state: State, kind: TrainKind) -> int:
    """The printed price in Mark."""
    return state.sheet.trains[kind].price


def needs_train(ruleset: Ruleset, state: State, company: CompanyId) -> bool:
    """The duty to own a train: none owned, one on sale, and a legal route for some train (COMMON-TRN-11)."""
    if not ruleset.policy(TrainPolicy).duty:
        return False
    if any(not never_traded(state, kind) for kind in state.companies[company].trains) or not of_the_bank(state):
        return False
    return ruleset.policy(RunningPolicy).could_run(state, company)


def can_pay_bank(state: State, company: CompanyId) -> bool:
    """Tell whether the treasury pays some train of display or pool (COMMON-TRN-12)."""
    treasury = state.companies[company].treasury
    return any(price_of(state, kind) <= treasury for _, kind in of_the_bank(state))


# Buying --------------------------------------------------------------------------------------------------------------


@check("COMMON-FOR-08", general=True)
def not_after_forced(view: View, _action: BuyTrain) -> Refusal | None:
    """Refuse a purchase after a forced one, which is the last of the turn."""
    turn = view.frame
    assert isinstance(turn, CompanyTurn)
    return refuse(Code.LAST_TRAIN) if turn.forced else None


@check("COMMON-TRN-02", "COMMON-TRN-01")
def on_sale(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse a train that is not there: not of an available kind, in the pool, or on another charter."""
    state = view.state
    if action.source == DISPLAY:
        return None if action.train in on_display(state) else not_displayed(state, action.train)
    if action.source == POOL:
        there = action.train in state.depot.pool
        return None if there else refuse(Code.NOT_IN_POOL, "COMMON-TRN-01", train=action.train)
    seller = state.companies.get(action.source)
    if seller is None:
        return refuse(Code.NOT_IN_RULESET, "COMMON-TRN-01", company=action.source)
    if seller.id == turn_of(state).company:
        return refuse(Code.OWN_COMPANY, "COMMON-TRN-01", company=seller.id)
    if action.train not in seller.trains:
        return refuse(Code.NOT_ITS_TRAIN, "COMMON-TRN-01", company=seller.id, train=action.train)
    if never_traded(state, action.train):
        return refuse(Code.NEVER_SOLD, "LRA-PRV-22", train=action.train)
    policy = view.ruleset.policy(TrainPolicy)
    if not policy.between(state):
        return refuse(Code.AFTER_FIRST_TRAIN, policy.between_rule, train=policy.between_from)
    # a company in receivership sells nothing; nobody could consent
    return refuse(Code.NOBODY_SELLS, "RHL-BKR-03", company=seller.id) if seller.director is None else None


def not_displayed(state: State, kind: TrainKind) -> Refusal:
    """Reason against a new train: unknown, never sold, sold out, or something else is sold first."""
    train = state.sheet.trains.get(kind)
    if train is None:
        return refuse(Code.NOT_IN_RULESET, "COMMON-TRN-02", train=kind)
    if train.not_for_sale:
        return refuse(Code.NEVER_SOLD, "COMMON-TRN-02", train=kind)
    if not state.depot.display[kind]:
        return refuse(Code.SOLD_OUT, "COMMON-TRN-02", train=kind)
    if train.available_on not in ("", "start"):
        return refuse(Code.NOT_OPENED, "COMMON-TRN-02", train=kind, earlier=train.available_on)
    earlier = tuple(state.sheet.trains)[: tuple(state.sheet.trains).index(kind)]
    left = [each for each in earlier if state.depot.display[each] and not state.sheet.trains[each].not_for_sale]
    return refuse(Code.EARLIER_TRAINS, "COMMON-TRN-02", train=kind, earlier=left[-1])


@check("COMMON-TRN-01")
def price_right(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse a price other than the printed one to the bank, or below 1 Mark to another corporation."""
    if action.source not in (DISPLAY, POOL):
        return refuse(Code.PRICE_AT_LEAST, least=1) if action.price < 1 else None
    printed = price_of(view.state, action.train)
    return None if action.price == printed else refuse(Code.PRICE_IS, train=action.train, price=printed)


@check("COMMON-TRN-01", "COMMON-TRN-05")
def treasury_pays(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse what the buyer's treasury alone cannot pay."""
    treasury = view.state.companies[turn_of(view.state).company].treasury
    return refuse(Code.UNAFFORDABLE, cost=action.price, treasury=treasury) if action.price > treasury else None


@check("COMMON-TRN-06", "COMMON-TRN-07")
def room_for_train(view: View, _action: BuyTrain) -> Refusal | None:
    """Refuse a purchase at the limit, even if it would make own trains obsolete."""
    company = view.state.companies[turn_of(view.state).company]
    limit = view.ruleset.policy(TrainPolicy).limit(view.state, company.id)
    return refuse(Code.TRAIN_LIMIT, limit=limit) if len(company.trains) >= limit else None


@check("COMMON-TRN-05")
def not_declined(view: View, action: BuyTrain) -> Refusal | None:
    """Refuse an offer that was declined in this turn at this price."""
    if action.price not in declined_prices(turn_of(view.state).used, action.source, action.train):
        return None
    return refuse(Code.DECLINED, company=action.source, train=action.train, price=action.price)


def buy_options(view: View) -> Iterable[BuyTrain | Option[BuyTrain]]:
    """Every train in sight; between corporations any price from 1 Mark on. The gates of a rule say when it may be bought."""
    state, turn = view.state, turn_of(view.state)
    buyer = state.companies[turn.company]
    for source, kind in of_the_bank(state):
        yield BuyTrain(source, kind, price_of(state, kind))
    for seller in state.companies.values():
        if seller.id != buyer.id:
            for kind in dict.fromkeys(seller.trains):
                for span in spans_between(1, max(1, buyer.treasury), declined_prices(turn.used, seller.id, kind)):
                    yield Option(BuyTrain(seller.id, kind, span.low), {"price": span})


def take_train(draft: Draft, company: CompanyId, source: str, train: TrainKind, cause: str) -> None:
    """Move a train to the company whose turn lies on top."""
    turn = turn_of(draft.state)
    set_turn(draft, bought=turn.bought + 1)
    draft.emit(TrainMoved(train, source, company, cause))


def buy_train(draft: Draft, action: BuyTrain) -> None:
    """Buy at once, or ask who decides for the other corporation, if that is somebody else (COMMON-TRN-05)."""
    buyer = draft.state.companies[turn_of(draft.state).company]
    payee = BANK if action.source in (DISPLAY, POOL) else action.source
    offer = TrainOffer(buyer.id, action.source, action.train, action.price)
    if payee == BANK or draft.seat in draft.ruleset.duties[TrainOffer].who(draft.state, offer):
        draft.pay(buyer.id, payee, action.price, "train")
        take_train(draft, buyer.id, action.source, action.train, "train")
    else:
        draft.push(offer)


BUY_TRAIN = Rule(
    BuyTrain,
    buy_options,
    buy_train,
    needs=(in_step("trains"), not_after_forced, on_sale, price_right),
    checks=(treasury_pays, room_for_train, not_declined),
)


# Offers between corporations -----------------------------------------------------------------------------------------


def seller_director(state: State, offer: TrainOffer) -> Sequence[Seat]:
    """The director of the seller, who is asked."""
    director = state.companies[offer.seller].director
    return () if director is None else (director,)


@check("COMMON-TRN-05")
def still_allowed(view: View, _action: Accept) -> Refusal | None:
    """Refuse consent to a purchase that the rule of the buyer's turn refuses."""
    offer = view.frame
    assert isinstance(offer, TrainOffer)
    turn = turn_of(view.state)
    rule = buying(view.ruleset)
    asked = BuyTrain(offer.seller, offer.train, offer.price)
    director = view.state.companies[offer.buyer].director
    return rule.first_refusal(View(view.ruleset, view.state, -1 if director is None else director, turn), asked)


def accept_offer(draft: Draft, _action: Accept) -> None:
    """Pay the seller's treasury and move the train to the other charter."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, TrainOffer)
    draft.pop()
    draft.pay(offer.buyer, offer.seller, offer.price, "train")
    take_train(draft, offer.buyer, offer.seller, offer.train, "train")


def decline_offer(draft: Draft, _action: Decline) -> None:
    """Move nothing; the offer is not made again in the turn."""
    offer = draft.state.agenda[-1]
    assert isinstance(offer, TrainOffer)
    draft.pop()
    turn = turn_of(draft.state)
    set_turn(draft, used=(*turn.used, Declined(offer.seller, offer.train, offer.price)))


ACCEPT_TRAIN = Rule(Accept, lambda _view: (Accept(),), accept_offer, checks=(still_allowed,))
DECLINE_TRAIN = Rule(Decline, lambda _view: (Decline(),), decline_offer)
TRAIN_OFFER = Duty(
    TrainOffer,
    rule="COMMON-TRN-05",
    who=seller_director,
    menu=(ACCEPT_TRAIN, DECLINE_TRAIN),
    not_your_turn=(Code.NOT_DIRECTOR, "COMMON-TRN-05"),
)


# The step ------------------------------------------------------------------------------------------------------------


def buying(ruleset: Ruleset) -> Rule[BuyTrain]:
    """The rule by which this ruleset's corporations buy trains in their turn."""
    return next(rule for rule in ruleset.duties[CompanyTurn].menu if rule.action is BuyTrain)


def trains_wait(view: View) -> bool:
    """Something can be bought, or a train must be (COMMON-TRN-11). A forced purchase is the last of a turn."""
    rule = buying(view.ruleset)
    for option in rule.plausible_options(view):
        action = option.action if isinstance(option, Option) else option
        if rule.first_refusal(view, action) is None:
            return True
    return needs_train(view.ruleset, view.state, turn_of(view.state).company)


@check("COMMON-TRN-11")
def owns_train(view: View, _action: Pass) -> Refusal | None:
    """Refuse to leave the train step while the duty to own a train holds."""
    turn = turn_of(view.state)
    if needs_train(view.ruleset, view.state, turn.company):
        return refuse(Code.MUST_BUY_TRAIN, company=turn.company)
    return None


TRAINS = TurnStep("trains", trains_wait, passable=True, leave=owns_train)


# Above the limit -----------------------------------------------------------------------------------------------------


def excess(ruleset: Ruleset, state: State, company: CompanyId) -> int:
    """The number of trains that a company must give up."""
    limit = ruleset.policy(TrainPolicy).limit(state, company)
    return max(0, len(state.companies[company].trains) - limit)


def ask_for_discards(draft: Draft) -> None:
    """Ask all companies above the limit (COMMON-TRN-09)."""
    choosing = draft.ruleset.policy(TrainPolicy).choosing
    above = tuple(c for c in choosing(draft.state) if excess(draft.ruleset, draft.state, c))
    if above:
        draft.push(TooManyTrains(above))


def run_discards(draft: Draft, frame: TooManyTrains) -> None:
    """Drop who is within the limit; give up without a question where all trains are alike or nobody directs."""
    if not frame.companies:
        draft.pop()
        return
    company = draft.state.companies[frame.companies[0]]
    spare = [kind for kind in company.trains if not never_traded(draft.state, kind)]
    if not excess(draft.ruleset, draft.state, company.id):
        draft.replace_top(TooManyTrains(frame.companies[1:]))
    elif len(set(spare)) == 1 or (company.director is None and draft.ruleset.policy(TrainPolicy).bank_discards):
        give_up(draft, company, spare[0])  # in receivership the oldest kind goes (X)


def give_up(draft: Draft, company: Company, train: TrainKind) -> None:
    """Put a train into the pool, from where it is sold at the printed price."""
    draft.emit(TrainMoved(train, company.id, POOL, "limit"))


def discarding(state: State, frame: TooManyTrains) -> Sequence[Seat]:
    """The director of the company whose turn it is to choose; anybody still in the game where there is none."""
    if not frame.companies:
        return ()
    director = state.companies[frame.companies[0]].director
    if director is not None:
        return (director,)
    return tuple(seat for seat, player in enumerate(state.players) if not player.bankrupt)


@check("COMMON-TRN-09", "COMMON-TRN-10")
def above_limit(view: View, action: DiscardTrain) -> Refusal | None:
    """Refuse any company but the one asked, and any train that it does not own; nobody gives up a train by choice."""
    frame = view.frame
    assert isinstance(frame, TooManyTrains)
    if action.company != frame.companies[0]:
        return refuse(Code.OTHER_COMPANY_FIRST, company=frame.companies[0])
    if action.train not in view.state.companies[action.company].trains:
        return refuse(Code.NOT_ITS_TRAIN, company=action.company, train=action.train)
    return refuse(Code.NEVER_SOLD, "LRA-PRV-22", train=action.train) if never_traded(view.state, action.train) else None


def discard_options(view: View) -> Iterable[DiscardTrain]:
    """One of each kind owned."""
    frame = view.frame
    assert isinstance(frame, TooManyTrains)
    company = view.state.companies[frame.companies[0]]
    for train in dict.fromkeys(company.trains):
        yield DiscardTrain(company.id, train)


def discard(draft: Draft, action: DiscardTrain) -> None:
    """Give up the train chosen."""
    give_up(draft, draft.state.companies[action.company], action.train)


DISCARD = Rule(DiscardTrain, discard_options, discard, needs=(above_limit,))
TOO_MANY_TRAINS = Duty(
    TooManyTrains,
    rule="COMMON-TRN-09",
    who=discarding,
    menu=(DISCARD,),
    run=run_discards,
    not_your_turn=(Code.NOT_DIRECTOR, "COMMON-TRN-09"),
)
