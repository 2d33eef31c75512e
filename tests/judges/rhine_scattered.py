"""18Rhl and 18LRA: lawful positions by chance, dealt anew out of those of whole games.

Certificates, cash, markers and treasuries are scattered so that limits, directors and forced purchases meet in ways that whole
games seldom reach: players above the limit, pools nearly full, directors with few papers, corporations without a train.
"""

from __future__ import annotations

import random
from itertools import accumulate

from msgspec.structs import replace

from trajekt.engine.frozen import FrozenDict
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import CHARTER, IPO, POOL, Bid, Certificate, Company, Markers, State
from trajekt.rules.auction import Auction
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound


def scattered(book: str, state: State, rng: random.Random) -> State:
    """The position with everything that belongs to somebody dealt anew; map, phase, trains sold and frames stay."""
    turn = state.agenda[-1]
    if isinstance(turn, Auction):
        return _auction(book, state, turn, rng)
    seats = [seat for seat, player in enumerate(state.players) if not player.bankrupt]
    some = rng.sample(seats, 1) if rng.random() < 0.25 else seats  # one may hold nearly all
    companies = {name: _company(book, state, company, some, rng) for name, company in state.companies.items()}
    pool, display = state.depot.pool, state.depot.display
    if isinstance(turn, CompanyTurn):
        own = companies[turn.company]
        obsolete = set(state.depot.gone)
        spare = [
            k for k in state.depot.sold for _ in range(state.depot.display.get(k, 0)) if k not in {"2+4", *obsolete}
        ]
        room = max(0, state.current_phase.train_limit - len(own.trains))
        if len(spare) >= room and rng.random() < 0.2:  # as many trains as it may own, and money
            more = tuple(spare[:room])
            companies[turn.company] = replace(own, trains=(*own.trains, *more), treasury=own.treasury + 1000)
            display = FrozenDict({kind: count - more.count(kind) for kind, count in display.items()})
        elif own.director is not None and rng.random() < 0.75:
            pool = (*pool, *(kind for kind in own.trains if kind != "2+4"))
            kept = tuple(kind for kind in own.trains if kind == "2+4")
            treasury = rng.choice((0, own.treasury // 3, own.treasury, own.treasury + 1000))
            companies[turn.company] = replace(own, trains=kept, treasury=treasury)
    cash = [0 if p.bankrupt else rng.choice((0, 40, 90, 150, 300, 700)) + rng.randrange(60) for p in state.players]
    players = tuple(replace(p, cash=money) for p, money in zip(state.players, cash, strict=True))
    held = sum(cash) + sum(c.treasury for c in companies.values()) + sum(state.aside.values())
    spaces = {name: _space(state, rng) for name in state.markers.spaces}
    arrivals = tuple(rng.sample(list(spaces), len(spaces)))
    return replace(
        state,
        companies=FrozenDict(companies),
        players=players,
        bank=state.sheet.limits.bank[len(players)] - held,
        markers=Markers(FrozenDict(spaces), arrivals),
        depot=replace(state.depot, pool=pool, display=display),
        agenda=(*state.agenda[:-1], _frame(state, rng)),
    )


def _auction(book: str, state: State, top: Auction, rng: random.Random) -> State:
    """Cash and bids by chance, and no. 1 of the first book at a price that has fallen."""
    cash = [rng.choice((0, 20, 60, 150, 300, 600)) + rng.randrange(30) for _ in state.players]
    free, bids, step = list(cash), [], 1 if book == "first" else 5
    unsold = sorted(number for number, private in state.privates.items() if private.owner is None and private.open)
    for number in unsold[1:]:
        least = state.sheet.privates[number].price + 5
        for seat in rng.sample(range(len(cash)), rng.choice((0, 0, 1, 2, len(cash)))):
            amount = least + step * rng.choice((0, 0, 1, 4))
            if amount <= free[seat]:
                bids.append(Bid(number, seat, amount))
                free[seat], least = free[seat] - amount, amount + 5
    discount = rng.choice((0, 5, 10, 15)) if book == "first" and unsold[0] == 1 else 0
    players = tuple(replace(p, cash=money) for p, money in zip(state.players, cash, strict=True))
    bank = state.bank + sum(p.cash for p in state.players) - sum(cash)
    frame = replace(top, discount=discount, passes=rng.randrange(len(cash)))
    return replace(state, players=players, bids=tuple(bids), bank=bank, agenda=(*state.agenda[:-1], frame))


def lawful(ruleset: Ruleset, state: State) -> bool:
    """Whether a position keeps all invariants of its rules."""
    return state.bank >= 0 and not any(list(invariant(state)) for invariant in ruleset.invariants)


def _space(state: State, rng: random.Random) -> tuple[int, int]:
    """A space of the market, the lower half more often."""
    rows = state.sheet.market.rows
    spaces = [(r + 1, c + 1) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell]
    return rng.choice(spaces)


def _frame(state: State, rng: random.Random) -> object:
    """The frame on top; in a stock round with some things sold in it already."""
    top = state.agenda[-1]
    if not isinstance(top, StockRound):
        return top
    names = [name for name, company in state.companies.items() if company.floated]
    blocks = tuple(rng.sample(names, min(len(names), rng.choice((0, 0, 1, 2)))))
    others = [(seat, name) for seat in range(len(state.players)) for name in names if rng.random() < 0.1]
    sold = tuple(dict.fromkeys([*((top.seat, name) for name in blocks), *others]))
    number = rng.choice((1, top.number, *(max(2, top.number),) * 8))
    return replace(top, blocks=blocks, sold=sold, number=number, prices=(50,) * len(blocks))


def _company(book: str, state: State, company: Company, players: list[int], rng: random.Random) -> Company:
    """A founded and directed corporation with its papers dealt anew among some players."""
    if not company.founded or company.director is None:
        return company
    needed = state.sheet.companies[company.id].float_percent
    papers = company.certificates
    left = IPO if book == "first" or not company.floated else CHARTER
    bought = _bought(papers, needed, floated=company.floated, rng=rng)
    crowd = rng.sample(players, rng.randint(1, len(players)))
    pool = rng.choice((0, 10, 40, 50)) if company.floated else 0
    dealt, in_pool = [], 0
    for number, paper in enumerate(papers):
        holder: int | str = left
        if number < bought:
            holder = rng.choice(crowd)
            if not paper.director and in_pool + paper.percent <= pool and rng.random() < 0.7:
                holder, in_pool = POOL, in_pool + paper.percent
        dealt.append(replace(paper, holder=holder))
    director = _director(dealt, players, rng)
    dealt[0] = replace(dealt[0], holder=director)
    operated = company.operated and rng.random() < 0.9
    return replace(company, certificates=tuple(dealt), director=director, operated=operated)


def _bought(papers: tuple[Certificate, ...], needed: int, *, floated: bool, rng: random.Random) -> int:
    """How many certificates of the stack have left it: too few to float, or enough."""
    sums = list(accumulate(paper.percent for paper in papers))
    counts = [n + 1 for n, total in enumerate(sums) if (total >= needed) == floated]
    return rng.choice(counts)


def _director(dealt: list[Certificate], players: list[int], rng: random.Random) -> int:
    """A player who holds no less than any other with the director's certificate."""
    held = {seat: sum(p.percent for p in dealt[1:] if p.holder == seat) for seat in players}
    chief = dealt[0].percent
    able = [
        seat
        for seat in players
        if held[seat] + chief >= max((part for other, part in held.items() if other != seat), default=0)
    ]
    return rng.choice(able)
