"""Liquidity: the money that a player could have in hand in a stock round, without anybody's help."""

from __future__ import annotations

from trajekt.engine.state import POOL, Company, Seat, State


def liquidity(state: State, seat: Seat) -> int:
    """Cash, less what is promised in bids, and what the shares would bring today for which the pool has room, in Mark."""
    free = state.players[seat].cash - state.committed_to_bids(seat)
    return free + sum(
        state.price(company.id) * saleable(state, company, seat) // 10 for company in state.companies.values()
    )


def saleable(state: State, company: Company, seat: Seat) -> int:
    """Per cent that a player may sell into the pool: a director keeps the certificate that nobody else could take over."""
    own = company.percent(seat)
    if not own or company.id not in state.markers.spaces:
        return 0
    if company.director == seat:
        first = next((each.percent for each in company.certificates if each.director), 0)
        others = (percent for holder, percent in company.shareholders.items() if holder != seat)
        own -= 0 if max(others, default=0) >= first else first
    room = state.sheet.limits.pool_percent - company.percent(POOL)
    return max(0, min(own, room))
