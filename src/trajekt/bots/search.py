"""The search player: plays on from each of its best ideas for a while, on copies of the position, and takes what ends best.

Copies are free, since a position never changes. In the game that it imagines all seats play briskly: they run, pay or keep,
buy trains and shares by the same judgement, and lay nothing, so that the map and all that is known of it stay as they are.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from trajekt.bots.bot import BotMove, MoveReason, open_to
from trajekt.bots.candidate_moves import Idea, after, ideas, judged
from trajekt.bots.evaluation import hints_of, prospects, share_worth, standing
from trajekt.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    FoundCompany,
    LayTile,
    Pass,
    PayOut,
    PlaceStation,
    SellShares,
    UsePrivate,
    Withhold,
)
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Option, Refusal, Rule, Ruleset, View
from trajekt.engine.state import Seat, State
from trajekt.rules.round_sequence import Rounds

LIMIT = 10.0  # seconds of processor time for one move
STEPS = 250  # actions that are imagined at most to the end of an operating round
WORTH_BUYING = 1.15  # what a share must bring for each Mark of its price to be bought in an imagined game

WEIGHED: tuple[type[Action], ...] = (BuyShare, FoundCompany, SellShares, BuyTrain, PayOut, Withhold)
"""Kinds of action at which looking ahead pays: what other seats answer to."""

TRADES = frozenset({"bot.buy_share", "bot.sell", "bot.sell_cash"})
"""The actions that only one game has and others answer to, by the reason that is given for them."""

ON_THE_MAP: tuple[type[Action], ...] = (LayTile, UsePrivate, PlaceStation)


class SearchBot:
    """Looks ahead to the end of the operating round to come, or of as many as the game says, or of `rounds` of them.

    What is imagined is bounded by `STEPS` and by how many ideas the game says are worth it, so that equal seeds play equal
    games on every machine; `seconds` of the processor's time, by `clock`, end a move that takes longer still. It draws no
    rng: what it judges best it does.
    """

    def __init__(
        self,
        _rng: random.Random,
        rounds: float | None = None,
        seconds: float | None = LIMIT,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.rounds = rounds
        self.seconds = seconds
        self.clock = clock

    def choose(self, view: View) -> BotMove | None:
        found = ideas(view)
        if not found:
            return None
        best, told = found[0], hints_of(view.sheet.game)
        listed = [idea for idea in varied(found)[: told.wide] if idea.gain > best.gain - told.sure]
        rounds = told.ahead if self.rounds is None else int(self.rounds)
        if rounds and len(listed) > 1 and any(weighed(view, idea) for idea in listed):
            return self._ahead(view, listed, rounds)
        return BotMove(best.action, best.reason)

    def _ahead(self, view: View, listed: list[Idea], rounds: int) -> BotMove:
        moments = [moment(view.state, count + 1) for count in range(rounds)]
        began, told = self.clock(), hints_of(view.sheet.game)
        chosen, most = listed[0], float("-inf")
        for number, idea in enumerate(listed):
            if number and self.seconds is not None and self.clock() - began > self.seconds:
                break
            state = after(view, idea.action)
            if state is None:
                continue
            worth = ahead(view.ruleset, state, view.seat, moments)
            worth += told.judged * idea.gain - (told.rough if number else 0.0)
            if worth > most:
                chosen, most = idea, worth
        return BotMove(chosen.action, chosen.reason) if chosen is listed[0] else looked_ahead(chosen, most)


def weighed(view: View, idea: Idea) -> bool:
    """Tell whether looking ahead pays: at what is bought, sold, paid or kept, as others answer to it."""
    kinds = (*WEIGHED, *hints_of(view.sheet.game).weighed)
    return isinstance(idea.action, kinds) or idea.reason.key in TRADES


def varied(found: list[Idea], beside: Callable[[Action], object] = type) -> list[Idea]:
    """The best idea of each kind for each company and train: others of the same differ too little to look at.

    `beside` says what else of an action tells two ideas apart.
    """
    seen: dict[object, Idea] = {}
    for idea in found:
        told, action = idea.reason.values, idea.action
        seen.setdefault((type(action), told.get("company"), told.get("train"), beside(action)), idea)
    return list(seen.values())


AHEAD: Mapping[str, str] = {
    "bot.sell": "bot.ahead_sell",
    "bot.sell_cash": "bot.ahead_sell",
    "bot.buy_share": "bot.ahead_share",
    "bot.float": "bot.ahead_share",
    "bot.found": "bot.ahead_found",
    "bot.train": "bot.ahead_train",
    "bot.first_train": "bot.ahead_train",
    "bot.train_to_come": "bot.ahead_train",
    "bot.first_train_to_come": "bot.ahead_train",
    "bot.pay_out": "bot.ahead_pay_out",
    "bot.withhold": "bot.ahead_withhold",
}
"""The reason for an idea that plain judgement put behind another, as the reason of who looked ahead."""


def looked_ahead(idea: Idea, worth: float) -> BotMove:
    """The move of an idea that looking ahead found better than what was judged best; `worth` in Mark is told as its reason."""
    about = {
        name: idea.reason.values[name] for name in ("company", "price", "par", "train") if name in idea.reason.values
    }
    key = "bot.ahead_pass" if isinstance(idea.action, Pass) else AHEAD.get(idea.reason.key, "bot.ahead")
    return BotMove(idea.action, MoveReason(key, {"amount": round(worth), **about}))


def value(state: State, seat: Seat) -> float:
    """The value of a seat's position: half what it owns, half its lead over the best of the others."""
    return 0.5 * prospects(state, seat) + 0.5 * standing(state, seat)


Moment: TypeAlias = tuple[int, int]
"""The number of stock rounds begun, and of operating rounds since: two positions are compared at equal moments."""


def moment(state: State, rounds: int = 0) -> Moment:
    """The moment of a position, or that at which so many operating rounds to come will be over."""
    frame = next((f for f in state.agenda if isinstance(f, Rounds)), None)
    if frame is None:
        return (0, 0)
    planned = frame.planned or state.current_phase.operating_rounds
    number, done = frame.number, frame.done
    if rounds:
        done += rounds if frame.done else rounds + 1
        if done > planned:
            return (number + 1, 0)
    return (number, done)


Opinion: TypeAlias = Callable[[Seat, str], float]
"""The factor by which a seat takes what promises something, such as the shares of a company, for more than it is."""


def no_opinion(_seat: Seat, _about: str) -> float:
    """Take everything as it is judged."""
    return 1.0


def played_on(
    ruleset: Ruleset,
    state: State,
    until: Moment,
    steps: int = STEPS,
    player: Callable[[View], Action | None] | None = None,
) -> State:
    """The position when a moment comes, played briskly or by a `player` in all seats; that after `steps` actions."""
    for _ in range(steps):
        seats = awaited(ruleset, state)
        if not seats or moment(state) >= until:
            break
        view = View(ruleset, state, seats[0], state.agenda[-1])
        action = (player or brisk)(view)
        answer = None if action is None else decide(ruleset, state, view.seat, action)
        if answer is None or isinstance(answer, Refusal):
            break
        state = answer.state
    return state


def ahead(ruleset: Ruleset, state: State, seat: Seat, moments: Sequence[Moment]) -> float:
    """The value of a seat at each of the moments to come, in the mean, as all play briskly: one alone may mislead."""
    worth = 0.0
    for until in moments:
        state = played_on(ruleset, state, until)
        worth += value(state, seat)
    return worth / len(moments)


def brisk(view: View, opinion: Opinion = no_opinion) -> Action | None:
    """A quick move: nothing on the map, the share with the best return, all else as judged, as far as one's opinion goes."""
    rules = open_to(view)
    passing = next((rule for rule in rules if rule.action is Pass), None)
    may_pass = passing is not None and passing.first_refusal(view, Pass()) is None
    if may_pass:
        rules = [rule for rule in rules if rule.action not in ON_THE_MAP]
        shares = next((rule for rule in rules if rule.action.buys_share), None)
        if shares is not None:
            return _best_share(view, shares, opinion) or Pass()

    def liked(idea: Idea) -> float:
        if opinion is no_opinion:
            return idea.gain
        return idea.gain * opinion(view.seat, f"{type(idea.action).__name__} {idea.reason.values.get('company', '')}")

    best = max((idea for rule in rules for idea in judged(view, rule)), key=liked, default=None)
    return None if best is None else best.action


def _best_share(view: View, rule: Rule[Any], opinion: Opinion) -> Action | None:
    """The legal purchase with the best return that is worth buying."""
    candidates: Iterator[Action] = (o.action if isinstance(o, Option) else o for o in rule.options(view))
    returns = [(_return(view, o) * opinion(view.seat, getattr(o, "company", "")), o) for o in candidates]
    offers = sorted((each for each in returns if each[0] > WORTH_BUYING), key=lambda each: -each[0])
    return next((offer for _, offer in offers if rule.first_refusal(view, offer) is None), None)


def _return(view: View, offer: Any) -> float:
    company = view.state.companies[offer.company]
    price = view.state.price(offer.company)
    return share_worth(view.state, company) / price if price and company.founded else 0.0
