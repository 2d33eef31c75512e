"""Tile upgrades: which tile may follow on a hex, in which rotation, and where its stops go.

For a hex with a face in force everything that may follow is worked out once per sheet (`legal_upgrades`), so that judging a lay
is a look-up. What also depends on the position (phase, supply, stations, reach, money) is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TypeAlias

import msgspec

from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.components.schema import FIRST_STOP, Face, HexId, Piece, Sheet, Stop, Tile, TileId
from trajekt.engine.memo import MemoTable, memo_function
from trajekt.engine.ruleset import Code

PlacedTile: TypeAlias = tuple[TileId, int]  # a tile and its rotation; `("", 0)` is the printed hex


class Upgrade(msgspec.Struct, frozen=True, dict=True):
    """A tile that may be laid. `stops` says for each stop of the old face its number on the new one.

    `new_track`: the pieces that the old face did not have, another way or a way to a stop that several have become.
    """

    tile: TileId
    rotation: int
    face: Face
    stops: tuple[int, ...]
    new_track: tuple[Piece, ...]


class UpgradeFault(msgspec.Struct, frozen=True):
    """Reason against a lay: the code, and a word for what is wrong (`river`, `rim`, `lost`, ...)."""

    code: Code
    why: str
    edge: int | None = None


_UPGRADES: MemoTable[Sheet, tuple[HexId, TileId, int], Mapping[PlacedTile, Upgrade]] = MemoTable("upgrades")
_PAIRS: MemoTable[Sheet, tuple[HexId, TileId, int, TileId, int], Upgrade | UpgradeFault] = MemoTable("upgrade pairs")
_ROTATIONS: MemoTable[Sheet, tuple[HexId, TileId, int], bool] = MemoTable("rotations")


def legal_upgrades(sheet: Sheet, at: HexId, tile: TileId = "", rotation: int = 0) -> Mapping[PlacedTile, Upgrade]:
    """Every tile and rotation that may follow on a hex upon the tile that lies there (none: the printed hex)."""
    table = _UPGRADES.of(sheet)
    found = table.get((at, tile, rotation))
    if found is None:
        found = {(upgrade.tile, upgrade.rotation): upgrade for upgrade in _all(sheet, at, tile, rotation)}
        table[at, tile, rotation] = found
    return found


def _all(sheet: Sheet, at: HexId, tile: TileId, rotation: int) -> Iterator[Upgrade]:
    old = sheet.tiles[tile].face if tile else sheet.hexes[at].face
    for number in _coloured(sheet).get(sheet.rank(old.colour) + 1, ()):
        if check_succession(sheet, at, tile, number) is not None:
            continue
        for new_rotation in range(6):
            if _lies(sheet, at, number, new_rotation):
                answer = _fit(sheet, at, tile, rotation, number, new_rotation)
                if isinstance(answer, Upgrade):
                    yield answer


@memo_function
def _coloured(sheet: Sheet) -> Mapping[int, list[TileId]]:
    """The tiles by the rank of their colour."""
    found: dict[int, list[TileId]] = {}
    for number, each in sheet.tiles.items():
        found.setdefault(sheet.rank(each.face.colour), []).append(number)
    return found


def check_upgrade(
    sheet: Sheet, at: HexId, tile: TileId, rotation: int, new_tile: TileId, new_rotation: int
) -> Upgrade | UpgradeFault:
    """Judge a tile laid upon another: the upgrade, or the first thing that speaks against it."""
    wrong = check_succession(sheet, at, tile, new_tile) or check_rotation(sheet, at, new_tile, new_rotation)
    return wrong or _fit(sheet, at, tile, rotation, new_tile, new_rotation)


def _fit(
    sheet: Sheet, at: HexId, tile: TileId, rotation: int, new_tile: TileId, new_rotation: int
) -> Upgrade | UpgradeFault:
    """The upgrade by a tile that may follow and lie so; worked out once for two tiles, whichever hex they lie on."""
    table = _PAIRS.of(sheet)
    key = ("" if tile else at, tile, rotation, new_tile, new_rotation)
    found = table.get(key)
    if found is None:
        old = sheet.rotated[tile, rotation] if tile else sheet.hexes[at].face
        new = sheet.rotated[new_tile, new_rotation]
        stops = stop_mapping(old, new)
        if stops is None:
            found = UpgradeFault(Code.TRACK_LOST, "lost")
        else:
            found = Upgrade(new_tile, new_rotation, new, stops, new_track(old, new, stops))
        table[key] = found
    return found


def check_overlay(sheet: Sheet, at: HexId, tile: TileId, rotation: int) -> Upgrade | UpgradeFault:
    """A tile of its own rules upon whatever lies on the hex: only its hex, rotation and edges are asked."""
    wrong = _own_place(sheet.tiles[tile], at) or check_rotation(sheet, at, tile, rotation)
    face = sheet.rotated[tile, rotation]
    return wrong or Upgrade(tile, rotation, face, (), face.track)


# Which tile may follow which ---------------------------------------------------------------------------------------------


def finished(sheet: Sheet, at: HexId) -> bool:
    """Tell whether the printed hex is track that is there already: grey, red, or marked so (COMMON-TRK-04)."""
    printed = sheet.hexes[at]
    return printed.fixed or sheet.rank(printed.face.colour) >= len(sheet.colours) - 1


def check_succession(sheet: Sheet, at: HexId, tile: TileId, new_tile: TileId) -> UpgradeFault | None:
    """Judge a tile as the successor of another on a hex, whatever the rotations: colour, kind, letters, the tiles' lists."""
    printed, new = sheet.hexes[at].face, sheet.tiles[new_tile]
    old = sheet.tiles[tile].face if tile else printed
    if finished(sheet, at):
        return UpgradeFault(Code.FINISHED_HEX, "finished")
    if tile and sheet.tiles[tile].final:
        return UpgradeFault(Code.FINISHED_HEX, "final")
    if sheet.rank(new.face.colour) != sheet.rank(old.colour) + 1 or new.face.colour not in sheet.colours:
        last = bool(tile) and sheet.next_colour(old.colour) == ""
        return UpgradeFault(Code.FINISHED_HEX if last else Code.WRONG_COLOUR, "colour")
    if not _letters(printed.labels, new.face.labels):
        return UpgradeFault(Code.WRONG_KIND, "letters")
    return _own_place(new, at) or _check_lists(sheet, tile, new_tile) or _check_stops(sheet, at, tile, new_tile)


def _check_lists(sheet: Sheet, tile: TileId, new_tile: TileId) -> UpgradeFault | None:
    """Judge a tile by the list of the one that lies there, which decides alone, else by its own list."""
    listed, fitting = sheet.tiles[tile].upgrades_to if tile else None, sheet.tiles[new_tile].upgrades_from
    allowed = new_tile in listed if listed is not None else fitting is None or tile in fitting
    return None if allowed else UpgradeFault(Code.WRONG_KIND, "successor")


def _check_stops(sheet: Sheet, at: HexId, tile: TileId, new_tile: TileId) -> UpgradeFault | None:
    """Judge the stops of a tile: they are of the same kinds, but where a lettered hex lets cities merge or be added."""
    printed, old = sheet.hexes[at].face, sheet.tiles[tile] if tile else None
    if (old is not None and old.upgrades_to is not None) or (printed.labels and (old or printed.colour)):
        return None
    same = _kinds(old.face if old else printed) == _kinds(sheet.tiles[new_tile].face)
    return None if same else UpgradeFault(Code.WRONG_KIND, "kind")


def _own_place(tile: Tile, at: HexId) -> UpgradeFault | None:
    return UpgradeFault(Code.WRONG_KIND, "hexes") if tile.hexes and at not in tile.hexes else None


def _letters(printed: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    if not printed or not labels:
        return not printed and not labels
    return any(label in printed for label in labels)


def _kinds(face: Face) -> list[str]:
    return sorted(stop.kind for stop in face.stops)


# How it may lie ----------------------------------------------------------------------------------------------------------


def _lies(sheet: Sheet, at: HexId, tile: TileId, rotation: int) -> bool:
    """Tell whether nothing speaks against it; worked out once, since it hangs on nothing that lies there."""
    table = _ROTATIONS.of(sheet)
    key = (at, tile, rotation)
    known = table.get(key)
    if known is None:
        known = table[key] = check_rotation(sheet, at, tile, rotation) is None
    return known


def check_rotation(sheet: Sheet, at: HexId, tile: TileId, rotation: int) -> UpgradeFault | None:
    """Judge a tile on a hex in a rotation, whatever lay there before: the river, edges, stubs."""
    printed, face = sheet.hexes[at], sheet.rotated[tile, rotation]
    own = sheet.tiles[tile].rotation
    if own is not None and rotation != own:
        return UpgradeFault(Code.ORIENTATION, "turn")
    if printed.face.banks:
        # a piece without a printed river is one that looks alike in every rotation; it lies as it is drawn
        if face.banks != printed.face.banks if face.banks else own is None and rotation != 0:
            return UpgradeFault(Code.ORIENTATION, "banks")
    elif face.river_edges and set(face.river_edges) != set(printed.face.river_edges):
        return UpgradeFault(Code.ORIENTATION, "banks")
    for edge in sorted(face.edges - printed.face.edges):
        why = _closed(sheet, at, edge)
        if why:
            return UpgradeFault(Code.CLOSED_SIDE, why, edge)
    for edge in printed.stubs:
        if edge not in face.edges:
            return UpgradeFault(Code.STUB_NOT_JOINED, "stub", edge)
    return None


def _closed(sheet: Sheet, at: HexId, edge: int) -> str:
    """Reason against track to an edge: a closed side, the map's rim, a blank side of finished track (COMMON-TRK-05)."""
    printed = sheet.hexes[at]
    if edge in printed.closed_edges:
        return "river"
    if edge in printed.blind_edges:
        return ""
    other = beyond(at, edge, sheet.layout)
    if other not in sheet.hexes:
        return "rim"
    if finished(sheet, other) and opposite(edge) not in sheet.hexes[other].face.edges:
        return "blank"
    return ""


# What becomes of the old track -------------------------------------------------------------------------------------------


def stop_mapping(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each old stop the new stop that keeps its track, or None where a connection would be lost (COMMON-TRK-10, -15).

    Stops merge only where the new face has fewer of them, and never part. Where the track leaves a choice, they keep their
    printed order.
    """
    apart = min(len(old.stops), len(new.stops))
    for choice in product(range(len(new.stops)), repeat=len(old.stops)):
        if len(set(choice)) == apart and _keeps(old, new, choice):
            return choice
    return None


def _keeps(old: Face, new: Face, stops: tuple[int, ...]) -> bool:
    """Tell whether all track of the old face is in the new one, with its stops where they are said to be."""
    return all(map(_stays, old.stops, (new.stops[target] for target in stops))) and _keeps_track(old, new, stops)


def _stays(before: Stop, after: Stop) -> bool:
    """Tell whether one stop may become another: on its bank, and a city for good."""
    if before.bank and after.bank and before.bank != after.bank:
        return False
    return before.kind != "city" or after.kind == "city"


def _keeps_track(old: Face, new: Face, stops: tuple[int, ...]) -> bool:
    """Tell whether every connection of the old face is there, where its stops have become these of the new one."""
    kept = set(stops)
    added = [FIRST_STOP + n for n in range(len(new.stops)) if n not in kept]
    for piece in old.track:
        a, b = _end(piece.a, stops), _end(piece.b, stops)
        if a == b or _has(new, a, b, piece.kind) or _has(new, a, b, ""):  # a ferry may become a bridge
            continue
        # a new stop may lie on the way to an old one: the way is still there
        if b < FIRST_STOP or not any(_has(new, a, via, "") and _has(new, b, via, "") for via in added):
            return False
    return True


def _end(end: int, stops: tuple[int, ...]) -> int:
    return end if end < FIRST_STOP else FIRST_STOP + stops[end - FIRST_STOP]


def _has(face: Face, a: int, b: int, kind: str) -> bool:
    return Piece(min(a, b), max(a, b), kind) in face.pieces


def new_track(old: Face, new: Face, stops: tuple[int, ...]) -> tuple[Piece, ...]:
    """The pieces that the old face did not have.

    A stop that several stops have become is new, and so is all track to it: it leads where neither led before.
    """
    moved = [(_end(p.a, stops), _end(p.b, stops), p.kind) for p in old.track]
    had = {Piece(min(a, b), max(a, b), kind) for a, b, kind in moved}
    merged = {FIRST_STOP + stop for stop in stops if stops.count(stop) > 1}
    return tuple(p for p in new.track if p not in had or p.a in merged or p.b in merged)
