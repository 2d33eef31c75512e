"""A forecast of breweries' incomes: the beer market played on in numbers to the end of the game, for estimates only.

Each brewery round every brewery delivers in its order, keeps what its owners do not get, and buys the next equipment on
display as soon as its own money pays for it; then the market is cleared. Links, export and phases to come are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from trajekt.engine.components.schema import Sheet
from trajekt.engine.memo import MemoTable
from trajekt.engine.state import State
from trajekt.games.do.brewery_equipment import START, for_brewery, limit
from trajekt.games.do.components import NEW, REGULAR, SEGMENTS, card_of, do_components, introduction, is_railway
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.games.do.state import breweries, charter, do_state, is_minor, treasury_of
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.trains import on_display, price_of

MOST_FORECASTS = 4_000  # forecasts that are remembered for a sheet
FLOATS_WITH = 5  # shares of 10 % that are paid for when a corporation floats


class Brewer(NamedTuple):
    """A brewery as the forecast sees it: equipment by type, money, room for equipment, and what it may buy next."""

    name: str
    minor: bool
    equipment: tuple[str, ...]
    money: int
    room: int
    buys: str
    price: int
    late: bool = False


class BeerMarket(NamedTuple):
    """The market when a brewery round begins, or in the midst of one: `supply` by segment, `open` segments."""

    demand: tuple[tuple[int, int], ...]
    supply: tuple[int, ...]
    open: tuple[bool, ...]
    stock: int


def rounds_left(state: State) -> int | None:
    """The operating rounds still to come, with the present one; None where the bank decides when the game ends.

    None are to come once the game has ended.
    """
    if state.outcome:
        return 0
    rounds = state.agenda[0] if state.agenda else None
    if not isinstance(rounds, Rounds):
        return None
    if "introduction" in state.sheet.own:
        return introduction(state.sheet).rounds - rounds.number + (len(state.agenda) > 1)
    if "railway_game" in state.sheet.variants:
        return None
    sets = do_components(state.sheet).sets
    each = state.current_phase.operating_rounds
    now = (rounds.planned or each) - rounds.done + (1 if len(state.agenda) > 1 and rounds.planned else 0)
    return now + each * max(0, sets - max(1, rounds.number))


_INCOMES: MemoTable[Sheet, object, Mapping[str, float]] = MemoTable("do incomes")


def incomes(state: State) -> Mapping[str, float]:
    """The income of each brewery to the end of the game, in Mark, before anything of it is paid or kept."""
    table = _INCOMES.of(state.sheet)
    rounds = rounds_left(state) or 0
    market, brewers = market_now(state), tuple(brewers_of(state))
    key = (market, brewers, rounds)
    if key not in table:
        if len(table) >= MOST_FORECASTS:
            table.clear()
        table[key] = played_on(state.sheet, market, brewers, rounds)
    return table[key]


def market_now(state: State) -> BeerMarket:
    """The market as it lies; loaded trains and the price box are left out."""
    segments = [do_state(state).segments[n] for n in SEGMENTS]
    return BeerMarket(
        tuple(segment.demand for segment in segments),
        tuple(sum(segment.supply) for segment in segments),
        tuple(not segment.closed for segment in segments),
        do_state(state).stock,
    )


def brewers_of(state: State) -> Iterator[Brewer]:
    """The breweries in their order, then corporations that are still to float; those that have delivered come `late`."""
    done = acted(state)
    known = breweries(state)
    founded = (c.id for c in state.companies.values() if c.founded and not is_railway(state.sheet, c.id))
    waiting = tuple(name for name in founded if name not in known)
    for name in (*known, *waiting):
        kinds = [kind for kind in on_display(state) if for_brewery(state, name, kind)]
        buys = min(kinds, key=lambda kind: price_of(state, kind), default="")
        money = treasury_of(state, name)
        if name in waiting:
            money = max(money, FLOATS_WITH * state.companies[name].par)
        yield Brewer(
            name,
            is_minor(state, name),
            tuple(bec.kind for bec in charter(state, name).becs),
            money,
            limit(state, name),
            buys,
            price_of(state, buys) if buys else 0,
            name in done,
        )


def acted(state: State) -> tuple[str, ...]:
    """The breweries that have delivered in the brewery round under way."""
    now = next((frame for frame in state.agenda if isinstance(frame, BreweryRound)), None)
    turn = next((frame for frame in state.agenda if isinstance(frame, BreweryTurn)), None)
    if now is None:
        return ()
    waits = turn.brewery if turn is not None and turn.step in ("", START) else ""
    return tuple(name for name in now.acted if name != waits)


# In numbers -------------------------------------------------------------------------------------------------------------


def played_on(sheet: Sheet, market: BeerMarket, brewers: tuple[Brewer, ...], rounds: int) -> dict[str, float]:
    """The income of each brewery over so many brewery rounds, in Mark; in the first those that come `late` are done."""
    known = do_components(sheet)
    size = {kind: card_of(sheet, kind).capacity for kind in (*known.cards, *known.green)}
    beer = _Beer(market, known.printed)
    held = {brewer.name: sorted(brewer.equipment, reverse=True) for brewer in brewers}
    money = {brewer.name: brewer.money for brewer in brewers}
    earned = dict.fromkeys(held, 0.0)
    for number in range(rounds):
        for brewer in brewers:
            if brewer.late and not number:
                continue
            name, own = brewer.name, held[brewer.name]
            if number:  # what finds no demand leaves the game when a round begins
                own[:] = [kind for kind in own if beer.is_wanted(int(kind))]
            income = sum(beer.deliver(int(kind), size[kind], known.income) for kind in own)
            earned[name] += income
            money[name] += income // 2 if brewer.minor else 0
            if brewer.buys and len(own) < brewer.room and money[name] >= brewer.price:
                money[name] -= brewer.price
                held[name] = sorted([*own, brewer.buys], reverse=True)
        brewers = tuple(sorted(brewers, key=lambda brewer: held[brewer.name][:2], reverse=True))
        beer.clear()
    return earned


class _Beer:
    """Counts of cubes while a market is played on: `demand` of regular and new customers and `supply`, from segment 1 up."""

    def __init__(self, market: BeerMarket, printed: Mapping[int, int]) -> None:
        self.demand = [list(pair) for pair in market.demand]
        self.supply, self.opened, self.stock = list(market.supply), list(market.open), market.stock
        self.printed = printed

    def is_wanted(self, segment: int) -> bool:
        """Tell whether equipment of a segment has a market there; above the highest it is in time."""
        return segment > len(self.demand) or bool(any(self.demand[segment - 1]) or self.supply[segment - 1])

    def deliver(self, highest: int, squares: int, price: Mapping[int, Sequence[int]]) -> int:
        """Deliver from the highest segment of a piece downwards until its squares are used; answers the income in Mark."""
        income = 0
        for segment in range(min(highest, len(self.demand)), 0, -1):
            field = self.demand[segment - 1]
            for customers in (REGULAR, NEW):
                count = min(squares, field[customers])
                field[customers] -= count
                self.supply[segment - 1] += count
                squares -= count
                income += count * price[segment][customers]
            if not squares:
                break
        return income

    def clear(self) -> None:
        """Clear the market after a brewery round: who was delivered to is a regular customer in the next."""
        self.stock += sum(sum(pair) for pair in self.demand)
        self.demand = [[count, 0] for count in self.supply]
        lowest = next((n for n, count in enumerate(self.supply) if count), 0)
        self.opened = [is_open and n >= lowest for n, is_open in enumerate(self.opened)]
        self.supply = [0] * len(self.demand)
        self.stock = _new_customers(self.demand, self.opened, self.printed, self.stock)


def _new_customers(demand: list[list[int]], opened: list[bool], printed: Mapping[int, int], stock: int) -> int:
    """Fill the fields of new customers, the highest first, from Stock and then from below; answers what Stock has left."""
    for at in range(len(demand) - 1, -1, -1):
        wanted = printed[at + 1] if opened[at] else 0
        count = min(wanted, stock)
        stock -= count
        wanted -= count
        demand[at][1] += count
        for below in range(at):
            count = min(wanted, demand[below][REGULAR])
            demand[below][REGULAR] -= count
            demand[at][1] += count
            wanted -= count
    return stock
