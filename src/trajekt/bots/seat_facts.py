"""Facts of a seat: some forty numbers that say how it stands, and what they are worth, as learned from games.

All are read off the position, or are parts of what `evaluation` makes of it. Money in Mark, certificates and trains as counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import msgspec

from trajekt.bots import track_valuation
from trajekt.bots.evaluation import (
    cheapest,
    lacking,
    life,
    memoized,
    next_price,
    private_worth,
    prospects,
    rounds_left,
    safe,
    share_worth,
    threat,
)
from trajekt.bots.outlook import FAR, funds, outlook
from trajekt.engine.components.schema import TrainKind
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import IPO, POOL, Company, Seat, State
from trajekt.registry import UnknownGameError, title
from trajekt.rules.trains import never_traded

EARLY, LATE = 2.0, 6.0
"""Operating rounds: a train that runs for less ends soon, one that runs for more lasts."""


def facts(ruleset: Ruleset, state: State, seat: Seat) -> dict[str, float]:
    """The facts of a seat by name."""
    player, left = state.players[seat], rounds_left(state)
    found: dict[str, float] = {
        "one": 1.0,
        "prospects": prospects(state, seat),
        "cash": player.cash,
        "loans": player.loans,
        "certificates": state.certificate_count(seat),
        "turns_to_priority": (seat - state.priority) % len(state.players),
    }
    held = [p for p in state.privates.values() if p.owner == seat and p.open]
    found["privates"] = sum(private_worth(state, p.number) for p in held)
    found["private_income"] = sum(state.sheet.privates[p.number].revenue for p in held)
    for name in _SHARES + _DIRECTED:
        found[name] = 0.0
    for company in state.companies.values():
        if company.percent(seat):
            _add(found, _of_shares(ruleset, state, company, seat, left))
        if company.director == seat:
            _add(found, _of_direction(ruleset, state, company, left))
    cash, danger = player.cash, found["threat"]
    found["uncovered"] = max(0.0, danger - cash)
    found["income_to_come"] = left * found["income"]
    return found


Weights: TypeAlias = Mapping[str, tuple[float, float]]
"""By fact, what a unit of it is worth in Mark, and how much more for each ten rounds to come."""


class SeatValue(msgspec.Struct, frozen=True):
    """The value learned for a game: `level` weighs the mean of the table, `lead` what a seat has above that mean."""

    level: Weights
    lead: Weights


FILE = "seat_value.json"
"""The file of what was learned for a game, in its folder, as `tools/learn_value.py` writes it."""


@cache
def value_of(game: str) -> SeatValue | None:
    """Return what was learned for a game, by the name on its components; None where nothing was."""
    try:
        file = files(title(game).package) / FILE
    except UnknownGameError:
        return None
    return msgspec.json.decode(file.read_bytes(), type=SeatValue) if file.is_file() else None


def lead(ruleset: Ruleset, state: State, seat: Seat) -> float:
    """The lead of a seat over the mean of the table at the end, in Mark, as learned; 0 where nothing was."""
    return _learned(ruleset, state)[1][seat]


def total(ruleset: Ruleset, state: State, seat: Seat) -> float:
    """The total of a seat at the end, in Mark, as learned; 0 where nothing was."""
    level, leads = _learned(ruleset, state)
    return level + leads[seat]


def _learned(ruleset: Ruleset, state: State) -> tuple[float, tuple[float, ...]]:
    """The mean of the table at the end, and the leads over it by seat; those of a game that has ended are known."""

    def answer() -> tuple[float, tuple[float, ...]]:
        if state.outcome:
            ended = {each.seat: each.total for each in title(state.sheet.game).standings(state)}
            middle = sum(ended.values()) / len(ended)
            return middle, tuple(ended.get(seat, 0) - middle for seat in range(len(state.players)))
        learned, part = value_of(state.sheet.game), rounds_left(state) / 10
        if learned is None:
            return 0.0, (0.0,) * len(state.players)

        def weighed(weights: Weights, known: Mapping[str, float]) -> float:
            return sum(known[name] * (now + part * later) for name, (now, later) in weights.items())

        seats = [facts(ruleset, state, seat) for seat in range(len(state.players))]
        mean = {name: sum(known[name] for known in seats) / len(seats) for name in seats[0]}
        middle = weighed(learned.lead, mean)
        return weighed(learned.level, mean), tuple(weighed(learned.lead, known) - middle for known in seats)

    found: tuple[float, tuple[float, ...]] = memoized(state, "learned", answer)
    return found


_SHARES = (
    "at_price",
    "at_worth",
    "income",
    "paid",
    "rise",
    "others_shares",
    "sold_out",
    "network_part",
    "lasting_part",
    "top_price",
    "unfloated_shares",
)
_DIRECTED = (
    "companies",
    "floated",
    "treasury",
    "funds",
    "revenue",
    "network",
    "threat",
    "next_price",
    "unsafe",
    "trainless",
    "trains",
    "reach",
    "dying_reach",
    "lasting_reach",
    "permanent_reach",
    "stations",
    "lacking",
    "unsold",
    "in_pool",
    "own_percent",
    "able",
    "short",
)


def _add(found: dict[str, float], more: Mapping[str, float]) -> None:
    for name, amount in more.items():
        found[name] += amount


def _of_shares(ruleset: Ruleset, state: State, company: Company, seat: Seat, left: int) -> dict[str, float]:
    """Facts that a seat's shares of a company add to."""
    part, price = company.percent(seat) / 100, state.price(company.id)
    count = company.percent(seat) / state.sheet.companies[company.id].share
    to_come = outlook(state, company, left)
    sold_out = all(isinstance(c.holder, int) for c in company.certificates)
    best = max((life(state, kind) for kind in company.trains), default=0.0)
    return {
        "at_price": count * price,
        "at_worth": count * share_worth(state, company),
        "income": part * (company.revenue or 0),
        "paid": part * to_come.paid,
        "rise": count * (to_come.price - price),
        "others_shares": count * price if company.director != seat else 0.0,
        "sold_out": count * price if sold_out else 0.0,
        "network_part": part * network(ruleset, state, company),
        "lasting_part": part * (company.revenue or 0) if best > min(LATE, left) else 0.0,
        "top_price": count if price >= 200 else 0.0,
        "unfloated_shares": 0.0 if company.floated else count * price,
    }


def _of_direction(ruleset: Ruleset, state: State, company: Company, left: int) -> dict[str, float]:
    """Facts that the direction of a company adds to."""
    trains = state.sheet.trains

    def reach(low: float, high: float) -> float:
        return sum(trains[kind].reach for kind in company.trains if low <= life(state, kind) < high)

    price, money = cheapest(state), funds(state, company)
    return {
        "companies": 1.0,
        "floated": 1.0 if company.floated else 0.0,
        "treasury": company.treasury,
        "funds": money,
        "revenue": company.revenue or 0,
        "network": network(ruleset, state, company),
        "threat": threat(state, company),
        "next_price": next_price(state, company),
        "unsafe": 0.0 if safe(state, company) else 1.0,
        "trainless": 0.0 if company.trains else 1.0,
        "trains": len(company.trains),
        "reach": reach(0.0, FAR + 1),
        "dying_reach": reach(0.0, EARLY),
        "lasting_reach": reach(min(LATE, left), FAR),
        "permanent_reach": reach(FAR, FAR + 1),
        "stations": len(company.stations),
        "lacking": lacking(state, company),
        "unsold": company.percent(IPO),
        "in_pool": company.percent(POOL),
        "own_percent": company.percent(company.director if company.director is not None else 0),
        "able": 1.0 if money >= price > 0 else 0.0,
        "short": max(0.0, price - money),
    }


def network(ruleset: Ruleset, state: State, company: Company) -> float:
    """The earnings of a company's network with the next train besides its best, in Mark a round."""
    if not company.floated:
        return 0.0
    kinds: tuple[TrainKind, ...] = track_valuation.future_trains(state, company.id)
    kinds = tuple(kind for kind in kinds if not never_traded(state, kind))
    return float(track_valuation.earns(ruleset, state, company.id, kinds))
