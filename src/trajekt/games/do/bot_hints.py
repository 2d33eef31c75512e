"""Bot hints of 18DO: rounds to come, breweries' earnings, and the worth of the game's own actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trajekt.engine.actions import Accept, Action, Pass, PayOut, Withhold
from trajekt.engine.bot_hints import Appraisal, BotHints
from trajekt.engine.ruleset import View
from trajekt.engine.state import Company, Seat, State
from trajekt.games.do.actions import BuyBec, Deliver, DisposeBec, FoundByTrade, LoadTrain, TradeIn
from trajekt.games.do.beer_deliveries import forecast, with_use
from trajekt.games.do.beer_forecast import incomes, rounds_left
from trajekt.games.do.brewery_equipment import BUY, for_brewery, limit, may_buy_card, turn_on_top
from trajekt.games.do.components import do_components, is_railway
from trajekt.games.do.frames import BreweryTurn, LoadOffer
from trajekt.games.do.state import charter, is_minor, treasury_of
from trajekt.rules.trains import on_display, price_of

HALF = 0.5  # of a minor's income is its owner's
SPARE = 0.1  # what a Mark of a minor's treasury is worth beside what it buys


def earnings(state: State, company: Company) -> float | None:
    """The earnings of a brewery corporation in a round; a railway earns by its trains."""
    if is_railway(state.sheet, company.id) or not company.founded:
        return None
    return incomes(state).get(company.id, 0.0) / max(1, rounds_left(state) or 1)


def duty(state: State, company: Company) -> int | None:
    """The price of the equipment that a brewery corporation must own, in Mark; a railway must own a train (DO-BEC-12)."""
    if is_railway(state.sheet, company.id):
        return None
    if not company.floated or charter(state, company.id).becs:
        return 0
    return min((price_of(state, kind) for kind in on_display(state)), default=0)


def holding(state: State, number: int) -> float | None:
    """The worth of a minor: half of its income, and its printed price while it is in play (DO-BREW-31, DO-END-02)."""
    found = next((minor for minor in do_components(state.sheet).minors.values() if minor.number == number), None)
    if found is None:
        return None
    income = incomes(state).get(found.id, 0.0)
    return state.sheet.privates[number].price + HALF * income + SPARE * treasury_of(state, found.id)


def belongs(state: State, company: Company) -> Seat | None:
    """A railway of the Introduction Game is all that its player has (DO-INTRO-04)."""
    return company.director if "introduction" in state.sheet.own else None


# Actions ----------------------------------------------------------------------------------------------------------------


def part(view: View, brewery: str) -> float:
    """The part of a brewery's income that comes to the seat."""
    return HALF if is_minor(view.state, brewery) else view.state.companies[brewery].percent(view.seat) / 100


def deliver(view: View, _action: Deliver) -> Appraisal:
    """The value of going on with the turn: beer is sold for what the market gives."""
    turn = turn_on_top(view)
    return Appraisal(1.0, "why.deliver", {"works": turn.brewery, "amount": forecast(view.state, turn)})


def load(view: View, action: LoadTrain) -> Appraisal:
    """The gain of beer abroad over beer in Dortmund, by the squares that it takes."""
    turn = turn_on_top(view)
    here = forecast(view.state, turn) - forecast(view.state, with_use(turn, action.bec, export=action.count))
    more = action.count * do_components(view.sheet).export - here
    values = {"works": turn.brewery, "company": action.company, "amount": more}
    return Appraisal(1.0 + part(view, turn.brewery) * more, "why.load", values)


def carry(view: View, _action: Accept) -> Appraisal | None:
    """Beer on a train earns for the railway too; nothing to say of other offers."""
    offer = view.frame
    if not isinstance(offer, LoadOffer):
        return None
    earned = offer.count * do_components(view.sheet).per_cube
    share = view.company(offer.company).percent(view.seat) / 100
    return Appraisal(share * earned, "why.carry", {"company": offer.company, "amount": earned})


def buy(view: View, action: BuyBec) -> Appraisal:
    """By the position after it, which knows the beer to come."""
    return Appraisal(None, "why.equipment", {"works": turn_on_top(view).brewery, "kind": action.card})


def dispose(view: View, _action: DisposeBec) -> Appraisal:
    """By the position after it: seldom good, but room for better equipment."""
    return Appraisal(None, "why.dispose", {"works": turn_on_top(view).brewery})


def income(view: View, action: PayOut | Withhold) -> Appraisal | None:
    """A brewery's payment or saving, by the position after it; nothing to say of railways."""
    if not isinstance(view.frame, BreweryTurn):
        return None
    key = "why.pays" if isinstance(action, PayOut) else "why.keeps"
    return Appraisal(None, key, {"works": view.frame.brewery, "income": view.frame.income})


def leave(view: View, _action: Pass) -> Appraisal | None:
    """Reason of a brewery to buy no more; nothing to say of other turns, and none where it could."""
    turn, state = view.frame, view.state
    if not isinstance(turn, BreweryTurn) or turn.step != BUY:
        return None
    cards = [kind for kind in on_display(state) if for_brewery(state, turn.brewery, kind)]
    cost, treasury = min((price_of(state, kind) for kind in cards), default=0), treasury_of(state, turn.brewery)
    most = limit(state, turn.brewery)
    if len(charter(state, turn.brewery).becs) >= most:
        return Appraisal(0.0, "why.full", {"works": turn.brewery, "limit": most})
    if not any(may_buy_card(state, turn, kind) for kind in cards):
        return Appraisal(0.0, "why.bought", {"works": turn.brewery})
    if treasury < cost:
        return Appraisal(0.0, "why.dear", {"works": turn.brewery, "treasury": treasury, "cost": cost})
    return None


APPRAISE: dict[type[Action], Callable[[View, Any], Appraisal | None]] = {
    Deliver: deliver,
    LoadTrain: load,
    Accept: carry,
    BuyBec: buy,
    DisposeBec: dispose,
    PayOut: income,
    Withhold: income,
    Pass: leave,
}

HINTS = BotHints(
    rounds=rounds_left,
    earnings=earnings,
    duty=duty,
    holding=holding,
    belongs=belongs,
    appraise=APPRAISE,
    weighed=frozenset({FoundByTrade, TradeIn, BuyBec}),
    rough=20.0,
    by_trains=False,
    judged=0.0,
    ahead=2,
)
