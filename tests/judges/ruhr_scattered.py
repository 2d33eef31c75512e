"""18Ruhr: lawful positions by chance, dealt anew out of those of whole games.

Certificates, cash, values, treasuries and trains are scattered so that limits, directors, forced purchases and bankruptcies
meet in ways that whole games seldom reach.
"""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from trajekt.engine.frozen import FrozenDict
from trajekt.engine.state import IPO, POOL, Company, Markers, State
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.state import location, ruhr_state
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.stock_round import StockRound

SCATTERED = (StockRound, CompanyTurn, MontanTurn)


def scattered(state: State, rng: random.Random) -> State:
    """The position with everything that belongs to somebody dealt anew; map, phase, cards and Montan companies stay."""
    turn = state.agenda[-1]
    seats = [seat for seat, player in enumerate(state.players) if not player.bankrupt]
    some = rng.sample(seats, 1) if rng.random() < 0.25 else seats  # one may hold nearly all
    companies = {name: _company(state, company, some, rng) for name, company in state.companies.items()}
    acting = getattr(turn, "company", "") or getattr(turn, "works", "")
    pool = state.depot.pool
    if acting in companies:
        own = companies[acting]
        treasury = rng.choice((0, own.treasury // 3, own.treasury, own.treasury + 60, own.treasury + 700))
        trains = own.trains
        if own.director is not None and rng.random() < 0.75:
            pool, trains = (*pool, *trains), ()
        companies[acting] = replace(own, trains=trains, treasury=treasury)
    aside = dict(state.aside)
    if acting in aside:
        aside[acting] = rng.choice((0, 15, 30, 60, 250))
        state = _linked(state, int(acting), rng)
    cash = [0 if p.bankrupt else rng.choice((0, 30, 90, 150, 300, 700)) + rng.randrange(60) for p in state.players]
    players = tuple(replace(p, cash=money) for p, money in zip(state.players, cash, strict=True))
    held = sum(cash) + sum(c.treasury for c in companies.values()) + sum(aside.values())
    spaces = {name: (1, rng.randint(1, 12)) for name in state.markers.spaces}
    arrivals = tuple(rng.sample(list(spaces), len(spaces)))
    return replace(
        state,
        companies=FrozenDict(companies),
        players=players,
        aside=FrozenDict(aside),
        bank=state.sheet.limits.bank[len(players)] - held,
        markers=Markers(FrozenDict(spaces), arrivals),
        depot=replace(state.depot, pool=pool),
        agenda=(*state.agenda[:-1], _frame(state, rng)),
    )


def _linked(state: State, mine: int, rng: random.Random) -> State:
    """The position with a link of a pMC and perhaps an engine on its charter, one time in two."""
    at, extra = ruhr_components(state.sheet).hexes[mine], ruhr_state(state)
    if rng.random() < 0.5 or location(state, mine):
        return state
    contents = state.board.contents(at)
    icons = tuple("L10" if icon == "L0" else icon for icon in contents.icons)
    board = state.board.with_contents(at, replace(contents, icons=icons))
    engines = ("W1",) if state.phase in ("2", "3", "4") and rng.random() < 0.3 else ()
    works = {**extra.works, str(mine): replace(extra.works[str(mine)], engines=engines)}
    return replace(state, board=board, extra=replace(extra, works=FrozenDict(works)))


def _frame(state: State, rng: random.Random) -> Any:
    """The frame on top; in a stock round with some things sold in it already, in a turn perhaps with a deal made."""
    top = state.agenda[-1]
    if isinstance(top, CompanyTurn):
        return replace(top, step="trains") if rng.random() < 0.7 else top
    if not isinstance(top, StockRound):
        return top
    names = [name for name, company in state.companies.items() if company.operated]
    blocks = tuple(rng.sample(names, min(len(names), rng.choice((0, 0, 1, 2)))))
    others = [(seat, name) for seat in range(len(state.players)) for name in names if rng.random() < 0.1]
    sold = tuple(dict.fromkeys([*((top.seat, name) for name in blocks), *others]))
    number = rng.choice((top.number, *(max(2, top.number),) * 8))
    return replace(top, blocks=blocks, sold=sold, number=number, prices=(50,) * len(blocks))


def _company(state: State, company: Company, players: list[int], rng: random.Random) -> Company:
    """A founded and directed corporation with its papers dealt anew among some players, the IPO and the pool."""
    if not company.founded or company.director is None:
        return company
    crowd = rng.sample(players, rng.randint(1, len(players)))
    most, least = rng.choice((0, 10, 40, 50)), rng.choice((0, 0, 20, 50))
    dealt, pooled, kept = [], 0, 0
    for paper in company.certificates:
        holder: int | str = rng.choice(crowd)
        if not paper.director and pooled + paper.percent <= most and rng.random() < 0.7:
            holder, pooled = POOL, pooled + paper.percent
        elif not paper.director and kept + paper.percent <= least:
            holder, kept = IPO, kept + paper.percent
        dealt.append(replace(paper, holder=holder))
    chief = dealt[0].percent
    held = {seat: sum(p.percent for p in dealt[1:] if p.holder == seat) for seat in players}
    able = [seat for seat in players if held[seat] + chief >= max((n for s, n in held.items() if s != seat), default=0)]
    director = rng.choice(able)
    private = state.privates[19]
    if company.id == "BME" and private.open:
        if private.owner is None:
            return company
        director = private.owner
    dealt[0] = replace(dealt[0], holder=director)
    operated = company.operated and rng.random() < 0.9
    return replace(company, certificates=tuple(dealt), director=director, operated=operated)
