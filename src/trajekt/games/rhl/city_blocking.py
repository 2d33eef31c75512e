"""The Rhine metropolises, blocked cities and closed red hexes of 18Rhl: where a company's trains may pass.

While a metropolis is yellow its banks are two cities without a link, and the places of one bank are one city with ends of
their own (RHL-RTE-13). Green, its two banks are one city of three places, joined by a ferry (RHL-RTE-14); brown and grey it
is a city like others (RHL-RTE-19). Which edition blocks what is data: a `RhinePassage`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from trajekt.engine.board.board import Board, HexContents, Stationed
from trajekt.engine.board.city_blocking import Destination, Passage
from trajekt.engine.board.track_graph import PieceRef, StopRef, StopsOnMap, piece_ref, stop_ref
from trajekt.engine.components.schema import FIRST_STOP, CompanyId, Face, HexId, Piece, Sheet
from trajekt.engine.memo import MemoTable


class RhinePassage(msgspec.Struct, frozen=True):
    """The choices of an edition about passing metropolises and the Rhine.

    `places`: a train needs a usable place on its bank of a green metropolis (RHL-RTE-16; R1, the public site and all that is
    built only look at the whole city). `yellow_banks`: the places of a yellow bank are one city (not at the site: CMP-26).
    `areas`: the off-board areas that count as one stop for every train (RHL-RTE-09, CMP-27). `closing`: the red hexes on which
    a station closes a hex to the trains of others, and the hex that it closes (RHL-TOK-07, CMP-28). `one_stop`: a route uses
    one stop of a hex, the banks of a yellow metropolis aside (OQ-22).
    """

    places: bool
    yellow_banks: bool = True
    areas: tuple[str, ...] = ("eastern_ruhr", "hamburg_berlin")
    closing: tuple[tuple[HexId, HexId], ...] = (("A14", "A14"), ("B15", "B15"), ("C2", "C2"))
    one_stop: bool = False


Blocking: TypeAlias = tuple[dict[StopRef, str], dict[PieceRef, str], dict[StopRef, str]]


_BLOCKING: MemoTable[Stationed, tuple[CompanyId, RhinePassage], Blocking] = MemoTable("rhl blocking")
_TAKEN: MemoTable[Stationed, RhinePassage, Taken] = MemoTable("rhl taken")
_SHARED: MemoTable[StopsOnMap, RhinePassage, Mapping[StopRef, Destination]] = MemoTable("rhl shared stops")


def passage(board: Board, company: CompanyId, rhine: RhinePassage) -> Passage:
    """Passage of the company (COMMON-TOK-05, COMMON-RTE-04, RHL-RTE-13 to -19, RHL-TOK-07)."""
    table = _BLOCKING.of(board.stationed)
    found = table.get((company, rhine))
    if found is None:
        found = table[company, rhine] = _blocking(board, company, rhine)
    blocked, ferries, shut = found
    return Passage(blocked, ferries, board.network.offboards, shut, _shared(board, rhine))


class Taken(msgspec.Struct, frozen=True):
    """Places where stations may keep trains out, with their owners: cities without a free place, closing red hexes, ferries."""

    full: Mapping[StopRef, frozenset[CompanyId]]
    closing: Mapping[StopRef, frozenset[CompanyId]]
    crossings: tuple[tuple[HexId, Face, Piece, HexContents], ...]


def _taken(board: Board, rhine: RhinePassage) -> Taken:
    """The stations that matter to all companies; stored with the stations."""
    table = _TAKEN.of(board.stationed)
    found = table.get(rhine)
    if found is None:
        full: dict[str, frozenset[str]] = {}
        closing: dict[str, frozenset[str]] = {}
        crossings, closes = [], dict(rhine.closing)
        for at, contents in board.stationed.contents_by_hex.items():
            face = board.face(at)
            crossing = ferry(face)
            if crossing is not None:
                crossings.append((at, face, crossing, contents))
            for index, stop in enumerate(face.stops):
                awake = [s.company for s in contents.stations if s.stop == index and not s.asleep]
                if stop.kind == "offboard":
                    if at in closes and awake:
                        closing[stop_ref(closes[at], index)] = frozenset(awake)
                elif crossing is None and stop.slots and len(awake) >= stop.slots:
                    full[stop_ref(at, index)] = frozenset(awake)
        found = table[rhine] = Taken(full, closing, tuple(crossings))
    return found


def _blocking(board: Board, company: CompanyId, rhine: RhinePassage) -> Blocking:
    """The stops and ferries that stations block or close, and stops that are on no route at all."""
    taken = _taken(board, rhine)
    blocked = {ref: "COMMON-RTE-04" for ref, owners in taken.full.items() if company not in owners}
    shut = {ref: "RHL-TOK-07" for ref, owners in taken.closing.items() if company not in owners}
    ferries: dict[str, str] = {}
    for at, face, crossing, contents in taken.crossings:
        _block_metropolis(at, face, crossing, contents, company, rhine, blocked, ferries)
    return blocked, ferries, shut


def _shared(board: Board, rhine: RhinePassage) -> Mapping[StopRef, Destination]:
    """The stops that are one destination, which the tiles alone say; kept with the stops."""
    table = _SHARED.of(board.network.on_map)
    found = table.get(rhine)
    if found is None:
        shared: dict[StopRef, Destination] = {}
        for here in board.network.stops:
            printed = here.stop
            if printed.group in rhine.areas:
                shared[here.ref] = Destination(printed.group, "same_area", "RHL-RTE-09")
            elif printed.bank:
                if ferry(board.face(here.hex)):
                    shared[here.ref] = Destination(here.hex, "same_stop_twice", "COMMON-RTE-03")
                elif rhine.yellow_banks:
                    shared[here.ref] = Destination(f"{here.hex}:{printed.bank}", "same_stop_twice", "RHL-RTE-13")
            elif rhine.one_stop and len(board.network.stops_in_hex[here.hex]) > 1:
                shared[here.ref] = Destination(here.hex, "same_stop_twice", "COMMON-RTE-03")
        found = table[rhine] = shared
    return found


def _block_metropolis(
    at: HexId,
    face: Face,
    crossing: Piece,
    contents: HexContents,
    company: CompanyId,
    rhine: RhinePassage,
    blocked: dict[str, str],
    ferries: dict[str, str],
) -> None:
    usable: dict[int, bool] = {}
    mine = False
    for index in (crossing.a - FIRST_STOP, crossing.b - FIRST_STOP):
        own, others = _stations(contents, index, company)
        usable[index] = own or others < face.stops[index].slots
        mine = mine or own
    if not any(usable.values()):  # all three places are others' (RHL-RTE-14)
        ferries[piece_ref(at, crossing)] = "RHL-RTE-14"
        blocked.update({stop_ref(at, index): "RHL-RTE-14" for index in usable})
    elif rhine.places:
        rule = "RHL-RTE-17" if mine else "RHL-RTE-16"
        blocked.update({stop_ref(at, index): rule for index, here in usable.items() if not here})


def _stations(contents: HexContents, index: int, company: CompanyId) -> tuple[bool, int]:
    """Tell whether the company has a station on a stop, and count the others. A home not floated blocks nothing."""
    awake = [station.company for station in contents.stations if station.stop == index and not station.asleep]
    return company in awake, sum(owner != company for owner in awake)


def ferry(face: Face) -> Piece | None:
    """The ferry of a green metropolis."""
    return next((piece for piece in face.track if piece.kind == "ferry"), None)


def links(board: Board, area: str = "eastern_ruhr") -> int:
    """The number of entrances of the Eastern Ruhr that a tile's track meets, whoever laid it (RHL-REV-02)."""
    return sum(
        entrance.from_edge in board.face(entrance.from_hex).edges for entrance in board.sheet.areas[area].entrances
    )


def icons_under(sheet: Sheet, face: Face) -> set[str]:
    """The marks of the brown tile that a grey one has replaced: the mine of Moers is there from brown on (RHL-REV-05)."""
    if face.colour != "grey" or not face.labels:
        return set()
    brown = (tile.face for tile in sheet.tiles.values() if tile.face.colour == "brown")
    return {icon for below in brown if set(below.labels) & set(face.labels) for icon in below.icons}


def metropolises(sheet_bonuses: Mapping[str, Mapping[str, object]]) -> tuple[HexId, ...]:
    """The hexes of the Rhine metropolises, as the sheet's bonuses name them."""
    hexes = sheet_bonuses["rheingold"]["hexes"]
    assert isinstance(hexes, list | tuple)
    return tuple(hexes)
