"""Positions as a small JSON for other programs, of any game: who has what, what lies where, who is to act.

A game goes on from its record, which proves how it came there; `hand_positions` reads a position that was set up by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.engine.state import Company, Seat, State
from trajekt.game import Game

POSITION_FORMAT = 1


class PlayerHoldings(msgspec.Struct, frozen=True):
    """A player: cash and worth in Mark, per cent by company, the numbers of his open private companies."""

    name: str
    cash: int
    worth: int
    shares: dict[str, int]
    privates: tuple[int, ...]
    bankrupt: bool


class CompanyHoldings(msgspec.Struct, frozen=True):
    """A founded company: money in Mark, `price` and `space` (row, column) null off the market; `director` is a seat.

    `shares` are per cent by place, a seat's number or the place's id; `stations` are the stops on the map.
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
    stations: tuple[str, ...]
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

    `to_act` are seats; `frames` name the rounds and decisions under way, outermost first.
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
    contents = state.board.contents_by_hex
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
        aside=dict(state.aside),
        priority=state.priority,
        players=tuple(_player(state, seat, worth.get(seat, 0)) for seat in range(len(state.players))),
        companies=tuple(_company(state, each) for each in state.companies.values() if each.founded),
        display={kind: count for kind, count in state.depot.display.items() if count},
        pool=tuple(sorted(state.depot.pool)),
        tiles=tuple(LaidTile(at, found.tile, found.rotation) for at, found in sorted(contents.items()) if found.tile),
    )


def _player(state: State, seat: Seat, worth: int) -> PlayerHoldings:
    player = state.players[seat]
    shares = {each.id: each.percent(seat) for each in state.companies.values() if each.percent(seat)}
    privates = tuple(each.number for each in state.privates.values() if each.open and each.owner == seat)
    return PlayerHoldings(state.names[seat], player.cash, worth, shares, privates, player.bankrupt)


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
        stations=_stations(state, company),
        floated=company.floated,
        operated=company.operated,
        receivership=company.receivership,
    )


def _percents(company: Company) -> dict[str, int]:
    return {str(place): company.percent(place) for place in company.by_holder}


def _stations(state: State, company: Company) -> tuple[str, ...]:
    found = state.board.contents_by_hex
    own = [(at, each) for at, there in sorted(found.items()) for each in there.stations if each.company == company.id]
    return tuple(f"{at}:{each.stop}" for at, each in own)


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
