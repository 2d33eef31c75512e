"""The evaluation of a position for a seat, in Mark at the end of the game: cash, shares as they will be, incomes, threats.

Estimates, made of what every game of the family has: prices and their market, revenue, trains and what makes them obsolete,
the bank. What a game says of itself (`Title.bot_hints`) goes before these guesses. Nothing here decides what is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from trajekt.bots.outlook import funds, outlook
from trajekt.engine.bot_hints import NO_HINTS, BotHints
from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.state import Company, Seat, State
from trajekt.registry import UnknownGameError, title
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_market import above, left_of, right_of
from trajekt.rules.trains import never_traded, of_the_bank, price_of

T = TypeVar("T")

FAR = 99.0
LASTING = 2.0  # operating rounds for which a train must still run to count as safe
MOST_ROUNDS = 16
TRAINS_BOUGHT = 0.35  # of the price of all trains still on display: what comes to the bank, less new capital
GROWTH = 1.12  # of all revenue from one operating round to the next
LAST = 3  # operating rounds before an end that the game tells
PACE, LAST_PACE = 0.6, 0.25
"""Trains that a company buys in an operating round; in the last rounds it buys none that will not pay for itself."""


_EVALUATION: MemoTable[State, object, Any] = MemoTable("evaluation")


def memoized(state: State, key: object, answer: Callable[[], T]) -> T:
    """An answer that depends on the position alone, worked out once."""
    found: T = _EVALUATION.get(state, key, answer)
    return found


@cache
def hints_of(game: str) -> BotHints:
    """The hints of a game, by the name on its components; none where no such game is installed."""
    try:
        return title(game).bot_hints
    except UnknownGameError:
        return NO_HINTS


def rounds_left(state: State) -> int:
    """The operating rounds still to come, as the game says, else by how fast money leaves the bank."""
    return memoized(state, "rounds", lambda: _rounds_left(state))


def with_ends_of(state: State, before: State) -> State:
    """Give a position the rounds to come and the lives of trains of that before it, so that a trade is compared at equal ends.

    Both guesses leap: by the capital of one company all seats would lose a round of their dividends, and by one company more
    that may buy trains the revenue of all whose trains then count as dying.
    """
    memoized(state, "rounds", lambda: rounds_left(before))
    for kind in state.sheet.trains:
        memoized(state, ("life", kind), partial(life, before, kind))
    return state


def _rounds_left(state: State) -> int:
    told = hints_of(state.sheet.game).rounds(state)
    if told is not None:
        return told
    rounds = next((f for f in state.agenda if isinstance(f, Rounds)), None)
    if state.ending and rounds is not None:
        planned = rounds.planned or state.current_phase.operating_rounds
        return max(0, planned - rounds.done) + (1 if len(state.agenda) > 1 and rounds.planned else 0)
    flow = float(sum(c.revenue or 0 for c in state.companies.values() if c.floated))
    flow += sum(state.sheet.privates[n].revenue for n, p in state.privates.items() if p.open and p.owner is not None)
    # what companies pay for trains goes back to the bank before it is paid out again
    trains = sum(state.sheet.trains[kind].price * count for kind, count in state.depot.display.items())
    back = TRAINS_BOUGHT * trains if hints_of(state.sheet.game).by_trains else 0.0
    count = _rounds_to_break(state.bank + back, max(flow, 150.0))
    if rounds is None or not hints_of(state.sheet.game).by_trains:
        return count
    # the set in which the bank breaks is played to its end; half of one that it reaches by a round may not come
    a_set = max(1, state.current_phase.operating_rounds)
    left = rounds.planned - rounds.done + 1 if rounds.planned else a_set
    sets, beyond = divmod(max(0, count - left), a_set)
    return left + sets * a_set + (0 if not beyond else (a_set + 1) // 2 if beyond == 1 else a_set)


def _rounds_to_break(bank: float, flow: float) -> int:
    """Return the rounds in which a growing flow of money empties the bank, in Mark."""
    count = 0
    while bank > 0 and count < MOST_ROUNDS:
        bank -= flow
        flow = min(flow * GROWTH + 20, 2_000.0)
        count += 1
    return count


# Trains -----------------------------------------------------------------------------------------------------------------


def life(state: State, kind: TrainKind) -> float:
    """For how many operating rounds a train will still run, by the trains that stand before the kind that ends it."""
    return memoized(state, ("life", kind), lambda: _life(state, kind))


def _life(state: State, kind: TrainKind) -> float:
    ends = state.sheet.trains[kind].obsolete_on
    if not ends or ends not in state.sheet.trains:
        return FAR
    if ends in state.depot.sold:
        return 0.0
    before = 0
    for other, train in state.sheet.trains.items():
        if other == ends:
            break
        if not train.not_for_sale:
            before += state.depot.display[other]
    companies = sum(1 for c in state.companies.values() if c.floated and c.director is not None)
    told = hints_of(state.sheet.game).rounds(state)
    pace = LAST_PACE if told is not None and told <= LAST else PACE
    return before / max(1.0, pace * companies)


def cheapest(state: State) -> int:
    """The price of the cheapest train of the bank, in Mark; 0 where none is on sale."""
    return memoized(
        state, "cheapest", lambda: min((price_of(state, kind) for _, kind in of_the_bank(state)), default=0)
    )


def safe(state: State, company: Company) -> bool:
    """Tell whether a company owns a train that will run for some time, and that no duty asks it to replace."""
    left = min(LASTING, rounds_left(state))
    return any(life(state, kind) >= left for kind in company.trains if not never_traded(state, kind))


def next_price(state: State, company: Company) -> int:
    """The price of the train that a company without a safe one will have to buy, in Mark; 0 where it needs none."""
    told = hints_of(state.sheet.game).duty(state, company)
    if told is not None:
        return told
    if safe(state, company) or not company.floated:
        return 0
    if not company.trains:
        return cheapest(state)
    # the train that its own die by is the one that it will find on display
    ends = [state.sheet.trains[kind].obsolete_on for kind in company.trains]
    prices = [price_of(state, kind) for kind in ends if kind in state.sheet.trains]
    return max(prices, default=cheapest(state))


def threat(state: State, company: Company) -> float:
    """The payment that a company's next train will probably ask out of its director's own pocket, in Mark."""
    price = next_price(state, company)
    if not price or rounds_left(state) < 1:
        return 0.0
    earned = 0.0
    if company.trains:
        turns = min(max(life(state, kind) for kind in company.trains), 3.0)
        earned = turns * (company.revenue or 0)
    lacking = max(0.0, price - funds(state, company) - earned)
    return lacking * (0.9 if not company.trains else 0.6)


# Shares -----------------------------------------------------------------------------------------------------------------


def guess(state: State, reach: int) -> float:
    """The guessed earnings of a train of so many stops on track that is not there yet, in Mark a round."""
    return 15.0 * reach + 5.0 * len(state.current_phase.tiles)


def expected(state: State, company: Company) -> float:
    """The expected earnings of a company in an operating round to come, in Mark."""
    if not company.floated and not company.founded:
        return 0.0
    told = hints_of(state.sheet.game).earnings(state, company)
    if told is not None:
        return told
    return _with_trains(state, company) if company.trains else _before_trains(state, company)


def _with_trains(state: State, company: Company) -> float:
    """The earnings to expect with the trains that are there, less where they will not last and there is no money."""
    best = max(state.sheet.trains[kind].reach for kind in company.trains)
    revenue = float(company.revenue or 0) or 0.7 * guess(state, best)
    if safe(state, company):
        return revenue * (1.1 if rounds_left(state) > 4 else 1.0)
    return revenue * (0.9 if funds(state, company) >= next_price(state, company) else 0.6)


def _before_trains(state: State, company: Company) -> float:
    """The earnings to expect with the longest train on sale that the company can pay."""
    money = funds(state, company)
    sale = [(price_of(state, kind), state.sheet.trains[kind].reach) for _, kind in of_the_bank(state)]
    if not sale:
        return 0.0
    affordable = max((reach for price, reach in sale if price <= money), default=0)
    if affordable:
        return 0.8 * max(guess(state, affordable), 0.8 * (company.revenue or 0))
    return 0.3 * guess(state, min(reach for _, reach in sale))


def plays_on(state: State, company: Company) -> bool:
    """Tell whether a company's rounds to come are played through: it lives by its trains, and its game tells no earnings."""
    told = hints_of(state.sheet.game)
    return told.by_trains and told.earnings(state, company) is None and belongs(state, company) is None


def share_worth(state: State, company: Company) -> float:
    """The worth of one share at the end of the game: its price then, and what it will have been paid, in Mark."""
    return memoized(state, ("share", company.id), lambda: _share_worth(state, company))


def lasting(state: State, company: Company, *, waits: bool = False, stop: float | None = None) -> float:
    """The worth of a share of a company that runs trains, as it will be at the end, in Mark; the rest as in `outlook`."""
    price, found = state.price(company.id), outlook(state, company, rounds_left(state), waits=waits, stop=stop)
    rise = found.price - price
    unit = state.sheet.companies[company.id].share
    return price + (0.75 if rise > 0 else 1.0) * rise + 0.9 * found.paid * unit / 100


def _share_worth(state: State, company: Company) -> float:
    space = state.markers.spaces.get(company.id)
    if space is None:
        return 0.0
    market, price, rounds = state.sheet.market, state.price(company.id), rounds_left(state)
    unit = state.sheet.companies[company.id].share
    if not company.floated:
        return _before_floating(state, company, price, unit, rounds)
    if plays_on(state, company):
        return lasting(state, company)
    earns = expected(state, company)
    if all(isinstance(c.holder, int) for c in company.certificates):
        space = above(market, space)
    steps = rounds if earns >= price else int(rounds * 0.4 * earns / max(1, price))
    for _ in range(min(steps, 10)):
        space = right_of(market, space)
    if earns < 1:
        for _ in range(min(rounds, 2)):
            space = left_of(market, space)
    rise = market.price(space) - price
    return price + (0.75 if rise > 0 else 1.0) * rise + 0.9 * earns * rounds * unit / 100


def _before_floating(state: State, company: Company, price: int, unit: int, rounds: int) -> float:
    """A share of what has not floated: worth its price as long as somebody can float the company, and then its dividends."""
    director = company.director
    cash = state.players[director].cash if director is not None else 0
    # the same cash floats only one company: all that the director has founded wait for it
    waiting = (c for c in state.companies.values() if c.director == director and c.founded and not c.floated)
    needed = sum(lacking(state, c) for c in waiting)
    own = lacking(state, company)
    others = sum(p.cash for p in state.players) - cash
    if plays_on(state, company):
        chance = 1.0 if needed <= cash else 0.6 if own <= cash else 0.4 if own <= cash + others / 2 else 0.1
        return (1 - chance) * 0.6 * price + chance * lasting(state, company)
    chance = 1.0 if needed <= cash else 0.75 if own <= cash else 0.5 if own <= cash + others / 2 else 0.15
    earns = chance * expected(state, company)
    return price * (0.6 + 0.4 * chance) + 0.85 * earns * max(0, rounds - 1) * unit / 100


def lacking(state: State, company: Company) -> float:
    """The cost of the shares that must still be bought to float a company, in Mark."""
    printed = state.sheet.companies[company.id]
    percent = printed.float_percent - sum(company.shareholders.values())
    return max(0, percent) / printed.share * state.price(company.id)


def private_worth(state: State, number: int) -> float:
    """The worth of a private company to its owner, in Mark: incomes until it is likely to close.

    One with money of its own is a business: it counts its price at the end, and is priced at what it earns in ten rounds.
    """
    told = hints_of(state.sheet.game).holding(state, number)
    if told is not None:
        return told
    if str(number) in state.aside:
        return state.sheet.privates[number].price * (1.0 + 0.1 * rounds_left(state))
    return state.sheet.privates[number].revenue * float(min(rounds_left(state), open_rounds(state)))


def open_rounds(state: State) -> int:
    """For how many operating rounds private companies will stay open."""
    ahead = 0
    found = False
    for phase in state.sheet.phases:
        found = found or phase.name == state.phase
        if phase.privates_close and found:
            break
        if found:
            ahead += 1
    return 3 * ahead


# Seats ------------------------------------------------------------------------------------------------------------------


def prospects(state: State, seat: Seat) -> float:
    """The worth of a seat at the end, in Mark, as things stand."""
    return memoized(state, ("seat", seat), lambda: _prospects(state, seat))


def _prospects(state: State, seat: Seat) -> float:
    player = state.players[seat]
    if player.bankrupt:
        return -1_000.0
    total = player.cash - 2.0 * player.loans
    danger = 0.0
    for company in state.companies.values():
        percent = company.percent(seat)
        if percent:
            total += share_worth(state, company) * percent / state.sheet.companies[company.id].share
        if belongs(state, company) == seat:
            total += company.treasury + 0.9 * expected(state, company) * rounds_left(state)
        if company.director == seat:
            danger += threat(state, company)
    for number, private in state.privates.items():
        if private.owner == seat and private.open:
            total += private_worth(state, number)
    # what cash does not cover costs twice: shares sold in need, or a loan
    return total - danger - max(0.0, danger - player.cash)


def standing(state: State, seat: Seat) -> float:
    """The lead of a seat over the best of the others, in Mark."""
    others = [prospects(state, other) for other in range(len(state.players)) if other != seat]
    return prospects(state, seat) - max(others, default=0.0)


def part(state: State, company: CompanyId, seat: Seat) -> float:
    """The part of a company's dividends that a seat gets, 0 to 1."""
    found = state.companies[company]
    return 1.0 if belongs(state, found) == seat else found.percent(seat) / 100


def belongs(state: State, company: Company) -> Seat | None:
    """To whom all that a company owns belongs at the end, where a game has no shares; None in all others."""
    return hints_of(state.sheet.game).belongs(state, company)
