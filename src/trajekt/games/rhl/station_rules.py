"""Stations and homes in 18Rhl, both editions, and the link from Köln to Aachen (RHL-FLT-07)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trajekt.engine.actions import PlaceStation
from trajekt.engine.agenda import Draft
from trajekt.engine.board import Board
from trajekt.engine.events import TileLaid
from trajekt.engine.model import Account, State, aside
from trajekt.engine.reach import Walks, linked
from trajekt.engine.rule import Reaction, Rule, View
from trajekt.rules import stations
from trajekt.rules.laying import stations_aside
from trajekt.rules.operating import Step, in_step
from trajekt.rules.stations import StationPolicy

STATIONS_R1 = StationPolicy(kept="RHL-TOK-06")
STATIONS_R2 = StationPolicy(kept="COMMON-TOK-05")

PLACE_STATION = Rule(
    PlaceStation,
    stations.station_options,
    stations.place_station,
    needs=(in_step("station"), stations.one_a_turn, stations.token_left, stations.a_city),
    checks=(
        stations.one_a_hex,
        stations.a_free_place,
        stations.granted_place_only,
        stations.station_connected,
        stations.station_cost,
    ),
)


def station_waits(view: View) -> bool:
    """Whether the company can build a station."""
    return stations.can_place(view)


HOME = Step("home", enter=stations.place_homes)
"""R1: the home comes to the map before track (RHL-OR-05)."""
STATION = Step("station", waits=station_waits, passable=True)


# The link ---------------------------------------------------------------------------------------------------------------


def set_aside(state: State) -> tuple[Account, int]:
    """Where the money for the link lies, and how much."""
    return aside("RhE"), state.aside.get("RhE", 0)


@dataclass(frozen=True, slots=True)
class LinkPolicy:
    """The company that waits for its link, and where its money lies: the account and the amount in Mark, 0 once paid."""

    company: str = "RhE"
    money: Callable[[State], tuple[Account, int]] = set_aside


def link_exists(board: Board, company: str = "RhE") -> bool:
    """Whether track links the three hexes that a company's money waits for; stations play no part (RHL-FLT-07)."""
    first, middle, last = board.sheet.companies[company].waits_for
    network = board.network
    nodes = ([stop.node for stop in network.stops_in_hex.get(at, ())] for at in (first, middle, last))
    return linked(Walks(network, stations_aside(board, company)), *nodes)


def pay_for_link(draft: Draft, _event: TileLaid) -> None:
    """The money beside Aachen goes to the RhE as soon as the link exists, whoever completed it; once only."""
    policy = draft.ruleset.policy(LinkPolicy)
    account, amount = policy.money(draft.state)
    if amount and link_exists(draft.state.board, policy.company):
        draft.pay(account, policy.company, amount, "link")


PAY_FOR_LINK = Reaction(TileLaid, ("RHL-FLT-07",), pay_for_link)
