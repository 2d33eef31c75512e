"""Positions as a small JSON for other programs, of any game: who has what, what lies where, who is to act.

A game goes on from its record, which proves how it came there; `hand_positions` reads a position that was set up by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.engine.state import Company, Seat, State, drawn_mark
from trajekt.game import Game
from trajekt.rules.placement_by_hand import numbers_drawn, own_position

POSITION_FORMAT = 1


class PlayerHoldings(msgspec.Struct, frozen=True):
    """A player: cash, loans and worth in Mark, per cent by company, the numbers of his open private companies."""

    name: str
    cash: int
    worth: int
    shares: dict[str, int]
    privates: tuple[int, ...]
    bankrupt: bool
    loans: int


class CompanyHoldings(msgspec.Struct, frozen=True):
    """A founded company: money in Mark, `price` and `space` (row, column) null off the market; `director` is a seat.

    `shares` are per cent by place, a seat's number or the place's id; `stations` are the stops on the map,
    with the kind of a token that is not a usual one; `tokens` are the costs of those that are left.
    `certificates` says of which the shares at a place consist, in companies that have several sizes.
    """

    id: str
    par: int
    price: int | None
    space: tuple[int, int] | None
    treasury: int
    debt: int
    director: Seat | None
    trains: tuple[str, ...]
    shares: dict[str, int]
    certificates: dict[str, tuple[int, ...]]
    stations: tuple[str, ...]
    tokens: tuple[int, ...]
    floated: bool
    operated: bool
    receivership: bool


class LaidTile(msgspec.Struct, frozen=True):
    """A tile on the map: its number, turned by `rotation` sixths of a circle."""

    hex: str
    tile: str
    rotation: int


class PositionFile(msgspec.Struct, frozen=True):
    """A position after `number` entries.

    `to_act` are seats; `frames` name the rounds and decisions under way, outermost first. Companies stand in the order in which
    their markers came to lie where they lie. `marks` are facts that only one game knows, `neutral` stations of those that are
    no corporations. `used` are private companies whose power is gone, `drawn` the numbers drawn at set-up by table,
    `own` is what the game alone has.
    """

    position: int
    game: str
    ruleset: str
    options: dict[str, Any]
    number: int
    frames: tuple[str, ...]
    to_act: tuple[Seat, ...]
    finished: bool
    phase: str
    bank: int
    aside: dict[str, int]
    marks: dict[str, str]
    neutral: tuple[str, ...]
    used: tuple[int, ...]
    drawn: dict[str, int]
    own: dict[str, Any]
    priority: Seat
    players: tuple[PlayerHoldings, ...]
    companies: tuple[CompanyHoldings, ...]
    display: dict[str, int]
    pool: tuple[str, ...]
    tiles: tuple[LaidTile, ...]


def position_of(game: Game) -> PositionFile:
    """Return the newest position of a game; `game.at(number)` has those before it."""
    state = game.state
    worth = {row.seat: row.total for row in game.standings()}
    contents, own = state.board.contents_by_hex, own_position(game.ruleset)
    return PositionFile(
        position=POSITION_FORMAT,
        game=game.title.id,
        ruleset=game.ruleset.name,
        options=dict(game.title.plain(game.options)),
        number=game.number,
        frames=tuple(str(type(frame).__struct_config__.tag) for frame in state.agenda),
        to_act=tuple(game.to_act),
        finished=game.finished,
        phase=str(state.phase),
        bank=state.bank,
        aside={name: amount for name, amount in state.aside.items() if amount},
        marks={name: value for name, value in state.marks.items() if _is_fact(name)},
        neutral=_neutral(state),
        used=tuple(each.number for each in state.privates.values() if each.used),
        drawn=numbers_drawn(game.opening.events),
        own=dict(own.of(state)) if own is not None else {},
        priority=state.priority,
        players=tuple(_player(state, seat, worth.get(seat, 0)) for seat in range(len(state.players))),
        companies=tuple(_company(state, each) for each in _by_arrival(state) if each.founded),
        display={kind: count for kind, count in state.depot.display.items() if count},
        pool=tuple(sorted(state.depot.pool)),
        tiles=tuple(LaidTile(at, found.tile, found.rotation) for at, found in sorted(contents.items()) if found.tile),
    )


def _is_fact(name: str) -> bool:
    return not name.startswith(drawn_mark("")) and name != "by_hand"


def _by_arrival(state: State) -> list[Company]:
    arrival = {company: n for n, company in enumerate(state.markers.arrivals)}
    return sorted(state.companies.values(), key=lambda each: arrival.get(each.id, len(arrival)))


def _player(state: State, seat: Seat, worth: int) -> PlayerHoldings:
    player = state.players[seat]
    shares = {each.id: each.percent(seat) for each in state.companies.values() if each.percent(seat)}
    privates = tuple(each.number for each in state.privates.values() if each.open and each.owner == seat)
    return PlayerHoldings(state.names[seat], player.cash, worth, shares, privates, player.bankrupt, player.loans)


def _company(state: State, company: Company) -> CompanyHoldings:
    return CompanyHoldings(
        id=company.id,
        par=company.par,
        price=state.price(company.id) if company.id in state.markers.spaces else None,
        space=state.markers.spaces.get(company.id),
        treasury=company.treasury,
        debt=company.debt,
        director=company.director,
        trains=tuple(company.trains),
        shares=_percents(company),
        certificates=_certificates(company),
        stations=_stations(state, company),
        tokens=company.stations,
        floated=company.floated,
        operated=company.operated,
        receivership=company.receivership,
    )


def _percents(company: Company) -> dict[str, int]:
    return {str(place): company.percent(place) for place in company.by_holder}


def _certificates(company: Company) -> dict[str, tuple[int, ...]]:
    if len({each.percent for each in company.certificates if not each.director}) < 2:
        return {}
    places = company.by_holder.items()
    return {str(place): tuple(company.certificates[n].percent for n in numbers) for place, numbers in places}


def _neutral(state: State) -> tuple[str, ...]:
    found = [(at, each) for at, there in sorted(state.board.contents_by_hex.items()) for each in there.stations]
    return tuple(f"{each.company} {at}:{each.stop}" for at, each in found if each.company not in state.companies)


def _stations(state: State, company: Company) -> tuple[str, ...]:
    found = state.board.contents_by_hex
    own = [(at, each) for at, there in sorted(found.items()) for each in there.stations if each.company == company.id]
    return tuple(f"{at}:{each.stop} {each.kind}".strip() for at, each in own)


def position_json(game: Game) -> bytes:
    """Return the newest position of a game as JSON."""
    return msgspec.json.format(msgspec.json.encode(position_of(game)), indent=1)


def position_schema() -> Mapping[str, object]:
    """Return the JSON Schema of a position.

    >>> position_schema()["title"]
    'PositionFile'
    """
    _, defs = msgspec.json.schema_components([PositionFile], ref_template="#/$defs/{name}")
    own = defs.pop("PositionFile")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **own, "$defs": defs}
