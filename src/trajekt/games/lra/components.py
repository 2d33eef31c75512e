"""The components of 18LRA alone, read out of the sheet: harbours, the Geldernsche Kreisbahn, scenarios, the right bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trajekt.engine.board.board import Board
from trajekt.engine.board.track_graph import StopRef, stop_ref
from trajekt.engine.components.schema import CompanyId, HexId, Sheet, TrainKind

HARBOUR = "harbour"
"""The kind of a station on a harbour place, and of the token that goes there (LRA-TOK-10)."""

TURNED = "turned"
"""The kind of a harbour token used as a normal station (LRA-TOK-14)."""

BLANK = "blank"
"""The kind of a token that covers the home of a corporation that is not in the scenario (LRA-SET-09)."""

KREISBAHN = "GKB"
"""Whose station stands at Kevelaer: no corporation (LRA-PRV-21)."""


class Harbour(msgspec.Struct, frozen=True):
    """A hex with a harbour place; before brown it is reserved for the owner of `private`, 0 where for nobody."""

    hex: HexId
    private: int


class Kreisbahn(msgspec.Struct, frozen=True):
    """The certificate of the Geldernsche Kreisbahn, where its station stands and which train it becomes (LRA-PRV-21)."""

    private: int
    hex: HexId
    stop: int
    train: TrainKind


class Link(msgspec.Struct, frozen=True):
    """A payment to a corporation, in Mark, when track links one of the hexes `start` with the hex `end` (LRA-FLT-08)."""

    amount: int
    start: tuple[HexId, ...]
    end: HexId


def _own(sheet: Sheet, section: str) -> Mapping[str, Any]:
    return sheet.own[section]


def harbours(sheet: Sheet) -> dict[HexId, Harbour]:
    """The four harbours by hex (LRA-TOK-10, LRA-PRV-19)."""
    return {name: Harbour(entry["hex"], entry.get("private", 0)) for name, entry in _own(sheet, "harbours").items()}


def kreisbahn(sheet: Sheet) -> Kreisbahn:
    """The Geldernsche Kreisbahn."""
    entry = _own(sheet, "gkb")
    return Kreisbahn(entry["private"], entry["hex"], ord(entry["stop"]) - ord("a"), entry["train"])


def kreisbahn_stops(sheet: Sheet) -> frozenset[StopRef]:
    """The stops of the field on which its station stands: one destination (LRA-RTE-10, LRA-RTE-23)."""
    here = kreisbahn(sheet).hex
    hexes = (here, *sheet.hexes[here].joined)
    return frozenset(stop_ref(at, index) for at in hexes for index, _ in enumerate(sheet.hexes[at].face.stops))


def scenarios(sheet: Sheet) -> dict[int, tuple[CompanyId, ...]]:
    """The corporations of each scenario for three players (LRA-SET-09)."""
    return {int(number): tuple(entry["companies"]) for number, entry in _own(sheet, "scenarios").items()}


def dalheim(sheet: Sheet) -> HexId:
    """The hex of the emigrant camp (LRA-PRV-18)."""
    hexes = sheet.bonuses["dalheim"]["hexes"]
    assert isinstance(hexes, list | tuple)
    at = hexes[0]
    assert isinstance(at, str)
    return at


def right_bank(board: Board) -> tuple[HexId, ...]:
    """The hexes whose stops lie on the right bank and count for Dalheim now (LRA-REV-12, OQ-31)."""
    rhine = _own(board.sheet, "rhine")
    late: tuple[HexId, ...] = tuple(rhine["from_green"]["hexes"])
    return tuple(
        at for at in rhine["right_bank"]["hexes"] if at not in late or board.sheet.rank(board.face(at).colour) >= 1
    )


def harbour_tokens(sheet: Sheet, company: CompanyId) -> int:
    """The number of harbour tokens of a corporation (LRA-TOK-10, LRA-COR-23)."""
    return _number(sheet, company, "harbour_tokens")


def reserved_cost(sheet: Sheet, company: CompanyId) -> int:
    """The lower of the two prices under its harbour token, in Mark (LRA-TOK-11)."""
    return _number(sheet, company, "harbour_cost_reserved")


def full_cost(sheet: Sheet, company: CompanyId, at: HexId) -> int:
    """The higher price under its harbour token, in Mark; MKB pays less in Orsoy (LRA-TOK-12, LRA-TOK-13)."""
    special: Any = sheet.companies[company].own.get("harbour_cost_at", {})
    return int(special["amount"]) if special.get("hex") == at else sheet.companies[company].station_costs[-1]


def first_yellow_tiles(sheet: Sheet, company: CompanyId) -> int:
    """The number of yellow tiles that a corporation may lay in its first operating round (LRA-TRK-27, LRA-COR-24)."""
    return _number(sheet, company, "first_yellow_tiles") or 1


def station_without_route(sheet: Sheet, company: CompanyId) -> HexId:
    """The hex where it may build without a route, `""` where there is none (LRA-TOK-16)."""
    entry: Any = sheet.companies[company].own.get("station_without_route", {})
    return str(entry.get("hex", ""))


def link_bonus(sheet: Sheet, company: CompanyId) -> Link | None:
    """The link for which a corporation is paid (LRA-FLT-08)."""
    entry: Any = sheet.companies[company].own.get("link_bonus")
    return Link(entry["amount"], tuple(entry["from"]["hexes"]), entry["hex"]) if entry else None


def _number(sheet: Sheet, company: CompanyId, key: str) -> int:
    value = sheet.companies[company].own.get(key, 0)
    assert isinstance(value, int)
    return value
