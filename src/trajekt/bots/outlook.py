"""The outlook of a company: its rounds to come, played through by rule of thumb, with the trains that it will buy.

Revenue grows with the track that everybody lays, so a train is judged by its stops and what a stop pays on this map by then.
Estimates only. What a company has shows in it: money in its treasury becomes trains, trains run until others end them.
"""

from __future__ import annotations

from math import ceil

import msgspec

from trajekt.engine.components.schema import Sheet, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.state import POOL, Company, State
from trajekt.rules.floating import SHARE, late
from trajekt.rules.stock_market import above, left_of, right_of
from trajekt.rules.trains import in_pool, never_traded, price_of

FAR = 99.0
RATE = 0.08
"""Growth of what a stop pays, from one operating round to the next."""

MOST = 24  # operating rounds
POWERS = tuple((1 + RATE) ** n for n in range(MOST + 1))
SUMS = tuple(sum(POWERS[:n]) for n in range(MOST + 2))
FADING = (1.0, 0.9, 0.8, 0.7)
"""The part of its stops that each further train of a company finds."""

RAMP = (0.5, 0.7, 0.85)
"""The part of what a stop pays that a company without a network reaches in its first runs."""

STEP = 0.75
"""The weight of a step of the price on all shares of a company, in prices of one share: a tenth each, less at the end."""

PACE = 0.55
"""Trains that leave the display in an operating round, for each player: one that floats a company hurries none of them."""

PATIENCE = 3  # rounds for which a company saves at most


class Outlook(msgspec.Struct, frozen=True):
    """The outlook of a company: `paid` on all of its shares in the rounds to come, and the price of a share at the end."""

    paid: float
    price: int


class TrainOnSale(msgspec.Struct, frozen=True):
    """A kind of train on sale from one round to come to another, and the round in which others end it."""

    kind: TrainKind
    price: int
    reach: int
    begins: float
    ends: float
    obsolete: float


_STOPS: MemoTable[Sheet, str, float] = MemoTable("stop values")
_SALES: MemoTable[State, None, tuple[TrainOnSale, ...]] = MemoTable("sales to come")
_PER_STOP: MemoTable[State, None, float] = MemoTable("revenue per stop")
_OUTLOOK: MemoTable[Company, object, Outlook] = MemoTable("outlook")


def funds(state: State, company: Company) -> int:
    """The money of a company with the capital that it will get, in Mark: what is due to it, or all of it before it floats."""
    printed = state.sheet.companies[company.id]
    if company.floated and not company.due:
        return company.treasury
    shares = printed.float_percent // printed.share
    if printed.pool_percent:
        shares = printed.certificates[0] // printed.share
    elif late(state):
        shares = 100 // SHARE
    price = company.par or state.price(company.id)
    # shares that are paid for already may have filled the treasury
    return max(shares * price, company.treasury)


def stop_value(sheet: Sheet, colour: str) -> float:
    """The mean value of a city on the tiles of a colour, in Mark."""

    def mean() -> float:
        faces = [tile.face for tile in sheet.tiles.values() if tile.face.colour == colour]
        values = [sheet.value(stop, colour) for face in faces for stop in face.stops if stop.slots]
        return sum(values) / len(values) if values else 20.0

    return _STOPS.get(sheet, colour, mean)


def stops_of(state: State, trains: tuple[TrainKind, ...]) -> float:
    """The stops that trains find, fewer the more there are."""
    reaches = sorted((state.sheet.trains[kind].reach for kind in trains), reverse=True)
    return sum(reach * FADING[min(n, 3)] for n, reach in enumerate(reaches))


def per_stop(state: State) -> float:
    """The revenue for each stop of a train on this map now, in Mark."""

    def mean() -> float:
        running = [c for c in state.companies.values() if c.trains and c.revenue]
        revenue = sum(c.revenue or 0 for c in running)
        stops = sum(stops_of(state, c.trains) for c in running)
        return (revenue + 6 * 0.7 * stop_value(state.sheet, state.current_phase.colour)) / (stops + 6)

    return _PER_STOP.get(state, None, mean)


def promised(state: State, company: Company, kind: TrainKind) -> float:
    """The revenue that one more train of a kind promises a company, in Mark a round."""
    more = stops_of(state, (*company.trains, kind)) - stops_of(state, company.trains)
    return per_stop(state) * more


def sales(state: State) -> tuple[TrainOnSale, ...]:
    """The kinds of train on sale in the rounds to come, as companies buy on."""
    return _SALES.get(state, None, lambda: _sales(state))


def _sales(state: State) -> tuple[TrainOnSale, ...]:
    rate, sold = PACE * len(state.players), 0
    roster = [(kind, train) for kind, train in state.sheet.trains.items() if not train.not_for_sale]
    begins: dict[TrainKind, float] = {}
    ends: dict[TrainKind, float] = {}
    for kind, train in roster:
        begins[kind] = sold / rate
        if train.available_on in begins:
            begins[kind] = min(begins[kind], begins[train.available_on] + 0.5)
        sold += state.depot.display[kind]
        ends[kind] = sold / rate
    ends[roster[-1][0]] = FAR
    found = []
    for kind, train in roster:
        gone = train.obsolete_on
        obsolete = FAR if gone not in begins else 0.0 if gone in state.depot.sold else begins[gone] + 0.5
        found.append(TrainOnSale(kind, train.price, train.reach, begins[kind], ends[kind], obsolete))
    return tuple(found)


def own_stop(state: State, company: Company) -> float:
    """The revenue of a company for each stop of its trains, in Mark, as far as its last run and those of all others tell."""
    common = per_stop(state)
    if not company.revenue:
        return round(common, 1)
    told = (company.revenue + 4 * common) / (stops_of(state, company.trains) + 4)
    return round(max(told, 0.8 * common), 1)


def outlook(state: State, company: Company, rounds: int, *, waits: bool = False, stop: float | None = None) -> Outlook:
    """The outlook of a company in so many rounds. `waits`: it buys no train before its next turn.

    `stop`: what a stop pays it now, in Mark, where that is known better than from its last run.
    """
    space = state.markers.spaces.get(company.id)
    if space is None:
        return Outlook(0.0, 0)
    stop = own_stop(state, company) if stop is None else stop
    key = (
        rounds,
        waits,
        space,
        stop,
        tuple(state.depot.display.values()),
        state.depot.sold,
        state.depot.pool,
        state.phase,
    )
    return _OUTLOOK.get(company, key, lambda: _played(_Course(state, company, rounds, stop), company, waits=waits))


class _Course:
    """The rounds of one company as they are played through."""

    def __init__(self, state: State, company: Company, rounds: int, stop: float) -> None:
        self.state = state
        self.rounds = min(rounds, MOST)
        self.money = float(funds(state, company))
        self.sales = sales(state)
        by_kind = {sale.kind: sale for sale in self.sales}
        self.trains = sorted(
            ((by_kind[k].reach, by_kind[k].obsolete) for k in company.trains if k in by_kind), reverse=True
        )
        self.own = sum(state.sheet.trains[k].reach for k in company.trains if never_traded(state, k))
        self.fresh = not company.revenue
        self.stop = stop
        self.limit = state.current_phase.train_limit
        players = sum(company.shareholders.values())
        pool = company.percent(POOL)
        # unsold shares of a floated company pay its treasury
        self.unsold = 0.0 if late(state) and not company.operated else max(0, 100 - players - pool) / 100
        self.pool = [
            (price_of(state, k), by_kind[k].reach, by_kind[k].obsolete) for k in in_pool(state) if k in by_kind
        ]

    def factor(self, at: int) -> float:
        """The revenue of a stop in a round to come, in Mark."""
        ramp = RAMP[at] if self.fresh and at < len(RAMP) else 1.0
        return self.stop * POWERS[at] * ramp

    def stops(self, trains: list[tuple[int, float]]) -> float:
        """The stops that trains find, the longest first."""
        return sum(reach * FADING[min(n, 3)] for n, (reach, _) in enumerate(trains)) + self.own

    def offers(self, at: float) -> list[tuple[int, int, float]]:
        """Price, reach and end of the trains on sale in a round."""
        now = [(s.price, s.reach, s.obsolete) for s in self.sales if s.begins <= at < s.ends]
        return [*now, *self.pool] if at < 1 else now

    def gain(self, offer: tuple[int, int, float], at: int) -> float:
        """The revenue that a train bought in a round brings in those after it, in Mark."""
        _, reach, obsolete = offer
        kept = [t for t in self.trains if t[1] > at + 1]
        if len(kept) >= self.limit:
            return 0.0
        more = self.stops(sorted([*kept, (reach, obsolete)], reverse=True)) - self.stops(kept)
        until = min(self.rounds, ceil(min(obsolete, MOST)))
        return self.stop * more * max(0.0, SUMS[until] - SUMS[min(at + 1, until)])

    def buy(self, at: int) -> None:
        """Buy what brings most for its money."""
        while True:
            best = max(
                ((self.gain(o, at) - o[0] * 0.2, o) for o in self.offers(max(0.0, at + 0.5)) if o[0] <= self.money),
                default=(0.0, (0, 0, 0.0)),
            )
            if best[0] <= 0:
                break
            price, reach, obsolete = best[1]
            self.money -= price
            self.trains = sorted([*[t for t in self.trains if t[1] > at + 1], (reach, obsolete)], reverse=True)
        if not any(t[1] > at + 1 for t in self.trains) and not self.own:
            offers = self.offers(max(0.0, at + 0.5))
            if offers:  # the director helps
                price, reach, obsolete = min(offers)
                self.money = max(0.0, self.money - price)
                self.trains = [(reach, obsolete)]

    def keeps(self, revenue: float, price: int, at: int) -> bool:
        """Tell whether the revenue of a round is better saved for a train."""
        if revenue <= 0 or at >= self.rounds - 1:
            return False
        # no dividend, and the price falls where it might have risen
        cost = revenue + STEP * price * (2 if revenue >= price else 1)
        for offer in self.offers(at + 1.0):
            wait = ceil((offer[0] - self.money) / revenue)
            if 1 <= wait <= PATIENCE and self.gain(offer, at + wait - 1) > wait * cost:
                return True
        return False


def _played(course: _Course, company: Company, *, waits: bool) -> Outlook:
    """Play the rounds through: run, keep or pay, move the marker, buy."""
    state = course.state
    market = state.sheet.market
    space = state.markers.spaces[company.id]
    if all(isinstance(c.holder, int) for c in company.certificates):
        space = above(market, space)
    paid = 0.0
    if not waits:
        course.buy(-1)
    for at in range(course.rounds):
        running = [t for t in course.trains if t[1] > at]
        revenue = course.factor(at) * course.stops(running)
        if not revenue:
            space = left_of(market, space)
        elif course.keeps(revenue, market.price(space), at):
            course.money += revenue
            space = left_of(market, space)
        else:
            paid += revenue
            course.money += revenue * course.unsold
            if revenue >= market.price(space):
                space = right_of(market, space)
        course.buy(at)
    return Outlook(paid, market.price(space))
