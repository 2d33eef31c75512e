"""The board: what lies on the map. Immutable; facts that follow from it alone are cached on it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trajekt.engine.board.track_graph import (
    Network,
    Numbering,
    PlacedFace,
    StopRef,
    joined,
    numbering,
    placed_face,
    stop_ref,
)
from trajekt.engine.components.schema import CompanyId, Face, HexId, Sheet, TileId
from trajekt.engine.frozen import put
from trajekt.engine.memo import MemoTable, memo, memo_function


class Station(msgspec.Struct, frozen=True, gc=False):
    """A station token on a stop of a hex. `kind` is `""`, or a kind of token with rules of its own.

    `asleep` marks a token that takes its place and does not block: the face-down home of a corporation that has not
    floated (COMMON-SET-10), a blank (LRA-SET-09).
    """

    company: CompanyId
    stop: int
    kind: str = ""
    asleep: bool = False


class Reservation(msgspec.Struct, frozen=True, gc=False):
    """A place reserved on a stop for a home that is not on the map yet (RHL-TOK-06). It never blocks a route."""

    company: CompanyId
    stop: int


class HexContents(msgspec.Struct, frozen=True):
    """The contents of one hex: the tile and its rotation (none: as printed), stations, reservations, location tokens."""

    tile: TileId = ""
    rotation: int = msgspec.field(default=0, name="turn")
    stations: tuple[Station, ...] = ()
    reservations: tuple[Reservation, ...] = msgspec.field(default=(), name="kept")
    icons: tuple[str, ...] = ()


class Stationed(msgspec.Struct, frozen=True, dict=True):
    """The hexes with stations. The same object while nothing changes there, so that what follows from it is kept on it."""

    contents_by_hex: Mapping[HexId, HexContents]

    @memo
    def stops_by_company(self) -> Mapping[CompanyId, frozenset[StopRef]]:
        """The stops with stations of each company, homes that lie face down aside."""
        found: dict[CompanyId, set[StopRef]] = {}
        for at, contents in self.contents_by_hex.items():
            for station in contents.stations:
                if not station.asleep:
                    found.setdefault(station.company, set()).add(stop_ref(at, station.stop))
        return {company: frozenset(stops) for company, stops in found.items()}


@memo_function
def numbers_of(sheet: Sheet) -> Numbering:
    """The numbers of all that may lie on a map."""
    faces = [*[printed.face for printed in sheet.hexes.values()], *sheet.rotated.values()]
    return numbering(sheet.hexes, faces, sheet.layout)


_PLACED: MemoTable[Sheet, tuple[HexId, TileId, int], PlacedFace] = MemoTable("placed faces")


class Board(msgspec.Struct, frozen=True, dict=True):
    """The map with all that lies on it. Hexes without anything on them are left out of `contents_by_hex`."""

    sheet: Sheet
    contents_by_hex: Mapping[HexId, HexContents]

    def __repr__(self) -> str:
        return f"<Board {self.sheet.game}, {len(self.contents_by_hex)} hexes with something on them>"

    def contents(self, at: HexId) -> HexContents:
        return self.contents_by_hex.get(at, EMPTY_HEX)

    def face(self, at: HexId) -> Face:
        """The face in force on a hex: its tile as it lies, or the printed hex."""
        contents = self.contents_by_hex.get(at, EMPTY_HEX)
        return self.sheet.rotated[contents.tile, contents.rotation] if contents.tile else self.sheet.hexes[at].face

    def _laid(self, at: HexId) -> PlacedFace:
        contents = self.contents_by_hex.get(at, EMPTY_HEX)
        table = _PLACED.of(self.sheet)
        key = (at, contents.tile, contents.rotation)
        found = table.get(key)
        if found is None:
            found = table[key] = placed_face(numbers_of(self.sheet), at, self.face(at))
        return found

    @memo
    def network(self) -> Network:
        """All track that lies on the map; built when first asked for, and taken on when another tile is laid."""
        return joined(numbers_of(self.sheet), map(self._laid, self.sheet.hexes))

    @memo
    def stationed(self) -> Stationed:
        """The hexes with stations, asleep ones included."""
        return Stationed({at: contents for at, contents in self.contents_by_hex.items() if contents.stations})

    def with_contents(self, at: HexId, contents: HexContents) -> Board:
        """The board with other things on one hex. Facts on which that has no bearing stay the same objects."""
        before, known = self.contents(at), self.__dict__
        board = Board(self.sheet, put(self.contents_by_hex, at, contents))
        if "network" in known:
            same = (before.tile, before.rotation) == (contents.tile, contents.rotation)
            board.__dict__["network"] = self.network if same else self.network.with_face(board._laid(at))
        if not before.stations and not contents.stations and "stationed" in known:
            board.__dict__["stationed"] = self.stationed
        return board

    def forget(self) -> None:
        """Let go of cached facts: a position of the past keeps none."""
        self.__dict__.clear()


EMPTY_HEX = HexContents()
