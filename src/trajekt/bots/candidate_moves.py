"""Ideas: what a seat could do, each with its gain in Mark for that seat at the end of the game, and the reason in a sentence.

One judgement for each kind of action. A kind that nobody has written a judgement for is judged by the position after it, so
that a game with actions of its own is played from the first day, if plainly. To pass gains nothing and loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import ceil
from typing import Any, TypeAlias

import msgspec

from trajekt.bots import track_valuation
from trajekt.bots.bot import MoveReason, asks_another, legal_of, numbered, open_to
from trajekt.bots.evaluation import (
    belongs,
    cheapest,
    hints_of,
    lasting,
    life,
    part,
    plays_on,
    private_worth,
    prospects,
    rounds_left,
    share_worth,
    threat,
    with_ends_of,
)
from trajekt.bots.founding import founding, stake, to_float
from trajekt.bots.outlook import own_stop, promised
from trajekt.bots.pass_reasons import declined, why_pass
from trajekt.bots.share_sales import of_sale
from trajekt.bots.train_valuation import (
    danger_of,
    ends_unpaid,
    lost_without,
    more_with,
    opened,
    opportunity,
    rusted,
    stranded,
)
from trajekt.engine.actions import (
    Accept,
    AcceptOffer,
    Action,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    Decline,
    DeclineOffer,
    DiscardTrain,
    EndTurn,
    FoundCompany,
    LayTile,
    Pass,
    PayOut,
    PlaceBid,
    PlaceStation,
    RunTrains,
    SellShares,
    TakeLoan,
    UsePrivate,
    Withhold,
)
from trajekt.engine.bot_hints import Appraisal
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal, Rule, View
from trajekt.engine.state import Company, State
from trajekt.rules.forced_purchase import ForcedPurchase, missing
from trajekt.rules.operating_round import current_turn
from trajekt.rules.trains import TrainOffer, price_of

DOUBT = 0.5
"""The part of a dividend by which saving must seem better than paying it: what is saved for may be sold to another."""

PROMISE = 0.4
"""The part of what a lay promises that it brings on average in a round."""

SOON = 4.0  # operating rounds within which the end of a train is worth saying
CANDIDATES = 7  # lays that are looked at on the board as it would be
NEVER = -1_000_000.0
SALES = frozenset({"bot.sell", "bot.sell_cash"})
OFFER = -100_000.0  # worse than all that a seat can do alone, even under duty: it may be declined for ever


class Idea(msgspec.Struct, frozen=True):
    """A legal action, what it gains in Mark, and why it is or is not done."""

    gain: float
    action: Action
    reason: MoveReason


Judge: TypeAlias = Callable[[View, list[Any]], Iterable[Idea]]


def ideas(view: View) -> list[Idea]:
    """The ideas of a seat now, the best first; equal gains in the order of the menu."""
    found: list[Idea] = []
    for rule in open_to(view):
        found += judged(view, rule)
    if not found:  # nothing that is judged by itself speaks for anything here: the position after it decides
        for rule in open_to(view):
            found += _by_position(view, list(legal_of(rule, view)))
    found.sort(key=lambda idea: -idea.gain)
    if found and isinstance(found[0].action, Pass) and found[0].reason.key == "bot.pass":
        rival = found[1].reason if len(found) > 1 else None
        found[0] = msgspec.structs.replace(found[0], reason=why_pass(view, rival))
    return found


def judged(view: View, rule: Rule[Any], judge: Judge | None = None) -> Iterable[Idea]:
    """The ideas of one kind of action, as the game itself appraises it, else by the judgement for the whole family.

    `judge` stands in for the latter.
    """
    options = list(legal_of(rule, view))
    if not options:
        return ()
    if isinstance(view.frame, ForcedPurchase) and rule.action in (SellShares, TakeLoan):
        return _in_need(view, options)
    own = hints_of(view.sheet.game).appraise.get(rule.action)
    shared = judge or JUDGES.get(rule.action, _by_position)
    return shared(view, options) if own is None else _appraised(view, options, own, shared)


def _appraised(
    view: View, options: list[Any], own: Callable[[View, Any], Appraisal | None], shared: Judge
) -> Iterator[Idea]:
    """By the game's own appraisal; where it says nothing of an option, by the shared judge."""
    for option in options:
        told = own(view, least(option))
        if told is None:
            yield from shared(view, [option])
        elif told.gain is not None:
            yield Idea(told.gain, least(option), MoveReason(told.key, told.values))
        else:
            for idea in _by_position(view, [option]):
                yield Idea(idea.gain, idea.action, MoveReason(told.key, {**told.values, "amount": round(idea.gain)}))


def after(view: View, action: Action) -> State | None:
    """The position after a legal action; None where an open number was taken that is not legal."""
    answer = decide(view.ruleset, view.state, view.seat, action)
    return None if isinstance(answer, Refusal) else answer.state


def least(option: Any) -> Action:
    """The action of an option with every open number at its least."""
    return numbered(option, lambda span: span.low)


def _by_position(view: View, options: list[Any]) -> Iterator[Idea]:
    before = prospects(view.state, view.seat)
    for option in options[:80]:
        action = least(option)
        state = after(view, action)
        if state is not None:
            gain = prospects(state, view.seat) - before
            if asks_another(view, state):
                gain = min(gain, OFFER)  # offers are left to people, who can be asked why
            elif type(action) not in JUDGES and last_to_pass(view):
                gain = max(gain, 1.0)  # a round of passes changes nothing: somebody has to begin
            reason = _dealt(view, state, gain) or _told(gain)
            if reason.key in SALES:
                gain = of_sale(view, state, reason.values["company"], gain)
            yield Idea(gain, action, reason)


def _told(gain: float) -> MoveReason:
    """The worth of the position after an action, in a sentence."""
    amount = round(gain)
    if not amount:
        return MoveReason("bot.position_even")
    return MoveReason("bot.position" if amount > 0 else "bot.position_less", {"amount": abs(amount)})


def _sale(values: dict[str, Any]) -> MoveReason:
    """Reason for a sale of a share: it will bring less than its price, or the cash is needed more."""
    return MoveReason("bot.sell" if values["worth"] <= values["price"] else "bot.sell_cash", values)


def _dealt(view: View, state: State, gain: float) -> MoveReason | None:
    """The reason for what is bought or sold by an action that only one game has; None for any other."""
    paid = _spent(view, state)
    bought = next((n for n, p in state.privates.items() if p.owner == view.seat != view.state.privates[n].owner), None)
    if bought is not None and paid > 0:
        return MoveReason("bot.private", {"private": bought, "worth": round(gain) + paid, "price": paid})
    for company in state.companies.values():
        more = company.percent(view.seat) - view.state.companies[company.id].percent(view.seat)
        price = view.state.price(company.id)
        if more and paid and price and (more > 0) == (paid > 0):
            values = {"company": company.id, "worth": round(share_worth(state, company)), "amount": round(gain)}
            values["price"] = price
            return MoveReason("bot.buy_share", values) if more > 0 else _sale(values)
    return None


def _nothing(reason: str) -> Judge:
    def judge(_view: View, options: list[Any]) -> Iterator[Idea]:
        yield Idea(0.0, least(options[0]), MoveReason(reason))

    return judge


# The package ------------------------------------------------------------------------------------------------------------


def certificate_worth(state: State, number: int) -> float:
    """The worth of a certificate of the package to its owner, in Mark: incomes, what comes with it, its power."""
    printed = state.sheet.privates[number]
    worth = 0.6 * private_worth(state, number)
    if printed.brings:
        company = state.sheet.companies[printed.brings]
        worth += printed.brings_percent / company.share * 95.0
    else:
        worth += 0.35 * printed.price
    return worth


def bid_worth(state: State, number: int) -> float:
    """The most that a certificate of the package is worth bidding for, in Mark: its worth less a margin."""
    margin = 0.65 if hints_of(state.sheet.game).by_trains else 0.92
    return margin * certificate_worth(state, number)


def _spent(view: View, state: State) -> int:
    return view.player.cash - state.players[view.seat].cash


def last_to_pass(view: View) -> bool:
    """Tell whether all others have passed before this seat, in whatever round counts passes."""
    passes = msgspec.structs.asdict(view.frame).get("passes", 0)
    return isinstance(passes, int) and passes + 1 >= len(view.state.players)


def _buy_private(view: View, options: list[Any]) -> Iterator[Idea]:
    for option in options:
        number = option.private
        state = after(view, option)
        if state is not None:
            price = min(view.sheet.privates[number].price, view.player.cash)
            paid = max(_spent(view, state), 0) or price
            worth = certificate_worth(view.state, number)
            values = {"private": number, "worth": round(worth), "price": paid}
            # the last of a row of passes: without a purchase the package is never sold
            stalled = last_to_pass(view)
            yield Idea(max(worth - paid, 1.0) if stalled else worth - paid, option, MoveReason("bot.private", values))


def _bid(view: View, options: list[Any]) -> Iterator[Idea]:
    """The least bid, while it is below the worth and leaves enough to found a corporation with."""
    for option in options:
        action = least(option)
        assert isinstance(action, PlaceBid)
        worth = bid_worth(view.state, action.private)
        own = sum(b.amount for b in view.state.bids if b.seat == view.seat and b.private == action.private)
        standing = [b.amount for b in view.state.bids if b.private == action.private]
        left = view.player.cash - view.state.committed_to_bids(view.seat) + own - action.amount
        gain = worth - action.amount - 8.0
        if left < max(0.35 * view.player.cash, stake(view)) or (own and own == max(standing)):
            gain = min(gain, -1.0)
        values = {"private": action.private, "worth": round(worth), "price": action.amount}
        yield Idea(gain, action, MoveReason("bot.bid", values))


def _accept_offer(view: View, options: list[Any]) -> Iterator[Idea]:
    state = after(view, options[0])
    if state is not None:
        bought = [n for n, p in view.state.privates.items() if p.owner != state.privates[n].owner]
        worth = sum(certificate_worth(view.state, n) for n in bought)
        price = max(0, _spent(view, state))
        values = {"private": bought[0] if bought else 0, "worth": round(worth), "price": price}
        yield Idea(worth - price, options[0], MoveReason("bot.private", values))


def _decline_offer(view: View, options: list[Any]) -> Iterator[Idea]:
    """To leave what is offered: the reason is what it would be worth, and what is asked."""
    taking = next((rule for rule in open_to(view) if rule.action is AcceptOffer), None)
    taken = next(iter(judged(view, taking)), None) if taking is not None else None
    priced = taken is not None and taken.reason.key == "bot.private"
    yield Idea(0.0, least(options[0]), declined(taken.reason) if taken and priced else MoveReason("bot.decline"))


# Shares -----------------------------------------------------------------------------------------------------------------


def _trade(view: View, options: list[Any]) -> Iterator[Idea]:
    before = prospects(view.state, view.seat)
    for action in options:
        state = after(view, action)
        if state is not None:
            gain = prospects(with_ends_of(state, view.state), view.seat) - before
            worth = round(share_worth(state, state.companies[action.company]))
            values = {"company": action.company, "worth": worth, "amount": round(gain)}
            if isinstance(action, FoundCompany):
                gain = founding(view, state, action, gain)
                reason = MoveReason("bot.found", {**values, "par": action.par})
            elif isinstance(action, SellShares):
                gain = of_sale(view, state, action.company, gain)
                reason = _sale({**values, "price": view.state.price(action.company)})
            else:
                reason = MoveReason("bot.buy_share", {**values, "price": view.state.price(action.company)})
                reason = _floats(view, action, reason)
                if reason.key == "bot.float":
                    gain += to_float(state, state.companies[action.company])
            yield Idea(gain, action, reason)


def _floats(view: View, action: BuyShare, reason: MoveReason) -> MoveReason:
    company = view.state.companies[action.company]
    if company.floated or company.director != view.seat:
        return reason
    return MoveReason("bot.float", reason.values)


def _in_need(view: View, options: list[Any]) -> Iterator[Idea]:
    """In a forced purchase: what is given up for each Mark raised. A loan costs twice its amount at the end."""
    frame = view.frame
    assert isinstance(frame, ForcedPurchase)
    lacking = missing(view.state, frame)
    for action in options:
        if isinstance(action, TakeLoan):
            yield Idea(-2.0, action, MoveReason("bot.loan", {"amount": lacking}))
            continue
        state = after(view, action)
        if state is None:
            continue
        company = view.state.companies[action.company]
        number = action.percent / view.sheet.companies[company.id].share
        raised = number * view.state.price(company.id)
        lost = number * share_worth(view.state, company)
        rest = company.percent(view.seat) / view.sheet.companies[company.id].share - number
        lost += 0.5 * rest * max(0, view.state.price(company.id) - state.price(company.id))
        values = {"company": company.id, "price": view.state.price(company.id)}
        yield Idea(-lost / max(1.0, min(raised, 1.0 * lacking)), action, MoveReason("bot.sell_forced", values))


# Track and stations -----------------------------------------------------------------------------------------------------


def _company(view: View) -> Company | None:
    turn = current_turn(view.state)
    return view.state.companies[turn.company] if turn is not None else None


def _spare(state: State, company: Company, paid: int) -> float:
    """The worth of a Mark of the treasury to its director: much while the next train is not paid for, little after.

    Where it is his own it is worth a Mark.
    """
    if belongs(state, company) is not None:
        return 1.0
    price = cheapest(state)
    if not price or rounds_left(state) < 1:
        return 0.1
    short = company.treasury - paid < price
    if not company.trains:
        return 1.6 if short else 0.4
    return 0.7 if short and threat(state, company) > 0 else 0.3


def lays(candidates: int) -> Judge:
    """A judge of lays that looks at so many on the board as it would be."""

    def judge(view: View, options: list[Any]) -> Iterator[Idea]:
        return _lays(view, options, candidates)

    return judge


def _lays(view: View, options: list[Any], candidates: int) -> Iterator[Idea]:
    company = _company(view)
    if company is None:
        yield from _by_position(view, options)
        return
    ruleset, state = view.ruleset, view.state
    trains = track_valuation.future_trains(state, company.id)
    before = track_valuation.earns(ruleset, state, company.id, trains)
    rounds = rounds_left(state) if company.trains else max(0, rounds_left(state) - 1)
    share = part(state, company.id, view.seat)
    wealth = prospects(state, view.seat)
    for promise, action in track_valuation.shortlist(ruleset, state, company.id, options, candidates):
        laid = after(view, action)
        if laid is None:
            continue
        more = track_valuation.earns(ruleset, state, company.id, trains, laid.board) - before
        paid = company.treasury - laid.companies[company.id].treasury
        ahead = PROMISE if plays_on(state, company) else 0.15
        gain = share * rounds * (0.9 * more + ahead * max(promise, 0.0)) - _spare(state, company, paid) * paid
        if isinstance(action, UsePrivate):
            gain += min(0.0, prospects(laid, view.seat) - wealth) - 5.0
        values = {"company": company.id, "hex": action.hex, "amount": more}
        yield Idea(gain, action, MoveReason("bot.lay_now" if more > 0 else "bot.lay_towards", values))


def _station(view: View, options: list[Any]) -> Iterator[Idea]:
    company = _company(view)
    if company is None:
        yield from _by_position(view, options)
        return
    ruleset, state = view.ruleset, view.state
    trains = track_valuation.future_trains(state, company.id)
    before = track_valuation.earns(ruleset, state, company.id, trains)
    rounds, share = rounds_left(state), part(state, company.id, view.seat)
    for action in options[:12]:
        built = after(view, action)
        if built is None:
            continue
        more = track_valuation.earns(ruleset, state, company.id, trains, built.board) - before
        paid = company.treasury - built.companies[company.id].treasury
        held = (
            0.12 * track_valuation.stops_value(state, state.board.face(action.hex))
            if _last_place(state, action)
            else 0.0
        )
        gain = share * rounds * (0.9 * more + held) - _spare(state, company, paid) * paid - 3.0
        values = {"company": company.id, "hex": action.hex, "amount": more}
        yield Idea(gain, action, MoveReason("bot.station_now" if more > 0 else "bot.station_held", values))


def _last_place(state: State, action: PlaceStation) -> bool:
    """Tell whether the hex has one place left, which others could take."""
    places = sum(stop.slots for stop in state.board.face(action.hex).stops)
    return places - len(state.board.contents(action.hex).stations) == 1


# Running and paying -----------------------------------------------------------------------------------------------------


def _run(view: View, options: list[Any]) -> Iterator[Idea]:
    yield Idea(1.0, least(options[0]), MoveReason("bot.run"))


def _dispose(view: View, options: list[Any]) -> Iterator[Idea]:
    """Pay or keep: the position after it, and the train that the money could buy."""
    company = _company(view)
    before = prospects(view.state, view.seat)
    for option in options:
        action = least(option)
        state = after(view, action)
        if state is None:
            continue
        if company is None:  # a business that is no corporation
            gain = prospects(state, view.seat) - before
            yield Idea(gain, action, _told(gain))
            continue
        gain = prospects(state, view.seat) - before
        turn = current_turn(view.state)
        revenue = turn.revenue if turn is not None else 0
        if not plays_on(view.state, company):
            gain += opportunity(view, state, state.companies[company.id])
        elif isinstance(action, Withhold):
            gain -= DOUBT * part(view.state, company.id, view.seat) * revenue
        if isinstance(action, PayOut) and ends_unpaid(view.state, company, revenue):
            gain = NEVER
        values = {"company": company.id, "amount": revenue, **_seen(view.state, company, revenue)}
        yield Idea(gain, action, MoveReason("bot.pay_out" if isinstance(action, PayOut) else "bot.withhold", values))


def _seen(state: State, company: Company, revenue: int) -> dict[str, Any]:
    """Values for the reason to pay or keep: the dividend of a share, the price of the next train, the train that ends soon."""
    values: dict[str, Any] = {
        "worth": revenue * state.sheet.companies[company.id].share // 100,
        "price": cheapest(state),
    }
    left = {kind: life(state, kind) for kind in company.trains}
    first = min(left, key=lambda kind: left[kind], default=None)
    if first is not None and left[first] < min(SOON, rounds_left(state)):
        values |= {"train": first, "rounds": max(2, ceil(left[first]))}
    return values


# Trains -----------------------------------------------------------------------------------------------------------------


def _buy_train(view: View, options: list[Any]) -> Iterator[Idea]:
    company, state = _company(view), view.state
    if company is None:
        yield from _by_position(view, options)
        return
    danger, share = danger_of(state, view.seat), part(state, company.id, view.seat)
    builds = plays_on(state, company)
    # a train bought is compared with none bought in this turn
    stop = own_stop(state, company) if builds else 0.0
    waiting = lasting(state, company, waits=True, stop=stop) if builds else 0.0
    for option in options:
        action = least(option)
        assert isinstance(action, BuyTrain)
        seller = state.companies.get(action.source)
        if seller is not None and seller.director != view.seat:
            continue  # an offer to another director is left to people
        bought = after(view, action)
        if bought is None:
            continue
        rounds = min(max(0.0, rounds_left(bought) - 1.0), life(bought, action.train))
        more = more_with(view, company, action.train)
        if builds:
            gain = 10 * share * (lasting(bought, bought.companies[company.id], waits=True, stop=stop) - waiting)
            gain += 0.4 * share * rounds * (more - promised(state, company, action.train))
            # the outlook may save for better ones: what pays for itself on today's track is bought
            gain = max(gain, share * (0.8 * more * rounds - action.price))
            gain += danger - danger_of(bought, view.seat)
        else:
            gain = 0.8 * share * rounds * more + danger - danger_of(bought, view.seat)
            gain -= (1.0 if belongs(state, company) is not None else 0.15 if company.trains else 0.05) * action.price
        if seller is not None:
            lost = lost_without(view, seller, action.train)
            gain -= 0.8 * part(state, seller.id, view.seat) * rounds * lost + 5.0
            if stranded(bought, seller.id) or more <= (2 * lost if company.trains else 0):
                gain = min(gain, -1.0)
        gain -= rusted(state, bought, view.seat)
        if seller is None:
            gain += share * opened(view, company, action.train, bought)
            if not company.trains and action.price == cheapest(state) and belongs(state, company) is None:
                gain = max(gain, 1.0)  # without a train nothing is earned, and the next is dearer
        values = {"company": company.id, "train": action.train, "amount": more, "price": action.price}
        values["source"] = action.source
        key = ("bot.train" if company.trains else "bot.first_train") + ("" if more else "_to_come")
        yield Idea(gain, action, MoveReason(key, values))


def _forced_train(view: View, options: list[Any]) -> Iterator[Idea]:
    company, state = _company(view), view.state
    if company is None:
        yield from _by_position(view, options)
        return
    share, cash = part(state, company.id, view.seat), view.player.cash
    for action in options:
        price = price_of(state, action.train)
        help_ = max(0, price - company.treasury)
        rounds = min(max(0.0, rounds_left(state) - 1.0), life(state, action.train))
        gain = 0.8 * share * rounds * more_with(view, company, action.train) - help_ - max(0, help_ - cash)
        values = {"company": company.id, "train": action.train, "price": price}
        yield Idea(gain, action, MoveReason("bot.forced_train", values))


def _discard(view: View, options: list[Any]) -> Iterator[Idea]:
    for action in options:
        worth = min(life(view.state, action.train), 10.0) * view.sheet.trains[action.train].reach
        values = {"company": action.company, "train": action.train}
        yield Idea(-worth, action, MoveReason("bot.discard", values))


def _accept(view: View, options: list[Any]) -> Iterator[Idea]:
    """Another's offer for a train: good above the printed price, for a company that has another to run."""
    frame = view.frame
    if not isinstance(frame, TrainOffer):
        yield from _by_position(view, options)
        return
    seller = view.state.companies[frame.seller]
    fair = frame.price >= 1.2 * price_of(view.state, frame.train) and len(seller.trains) > 1
    values = {"company": seller.id, "train": frame.train, "price": frame.price}
    yield Idea(10.0 if fair else -10.0, options[0], MoveReason("bot.accept", values))


def _decline(view: View, options: list[Any]) -> Iterator[Idea]:
    """To refuse an offer: what was offered is told."""
    frame = view.frame
    reason = MoveReason("bot.decline")
    if isinstance(frame, TrainOffer):
        reason = MoveReason("bot.decline_train", {"company": frame.seller, "train": frame.train, "price": frame.price})
    yield Idea(0.0, least(options[0]), reason)


def _bankrupt(_view: View, options: list[Any]) -> Iterator[Idea]:
    yield Idea(NEVER, options[0], MoveReason("bot.bankrupt"))


JUDGES: Mapping[type[Action], Judge] = {
    Pass: _nothing("bot.pass"),
    EndTurn: _nothing("bot.end_turn"),
    DeclineOffer: _decline_offer,
    Decline: _decline,
    BuyPrivate: _buy_private,
    PlaceBid: _bid,
    AcceptOffer: _accept_offer,
    BuyShare: _trade,
    FoundCompany: _trade,
    SellShares: _trade,
    LayTile: lays(CANDIDATES),
    UsePrivate: lays(CANDIDATES),
    PlaceStation: _station,
    RunTrains: _run,
    PayOut: _dispose,
    Withhold: _dispose,
    BuyTrain: _buy_train,
    ChooseForcedTrain: _forced_train,
    DiscardTrain: _discard,
    Accept: _accept,
    DeclareBankruptcy: _bankrupt,
}
"""The judges of the shared kinds of action; every other is judged by the position after it."""
