"""Checks of the printed map against the tiles: ends of track, seams, labels, and what can become of each hex.

"Keeps" is the general rule of upgrades: all track stays, stops may run together and never part. A pair that shares a
label, or that `upgrades_to` names, may change the kind of its stops.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from trajekt.engine.board.hexgrid import NAME, beyond, opposite, split
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import FIRST_STOP, Face, Hex, Sheet, Tile

STOP_KINDS = frozenset({"city", "town", "offboard", "halt"})
BANKS = frozenset({"", "left", "right"})


def check_map(sheet: Sheet) -> Iterator[SheetFault]:
    """Every fault of hexes and tiles, each by itself; and, where these are sound, against one another."""
    places = list(_coordinates(sheet))
    yield from places
    faces = [*_hex_faces(sheet), *_tile_faces(sheet)]
    yield from faces
    if places or faces:
        return
    yield from _seams(sheet)
    yield from _labels(sheet)
    yield from _upgrades(sheet)
    yield from _places(sheet)


def fault(key: str, what: str) -> SheetFault:
    """A fault whose file is not known here."""
    return SheetFault("", key, what)


def _coordinates(sheet: Sheet) -> Iterator[SheetFault]:
    if not sheet.hexes:
        yield fault("hexes", "there are none")
    sums = [sum(split(name)) % 2 for name in sheet.hexes if NAME.fullmatch(name)]
    usual = int(2 * sum(sums) > len(sums))
    for name in sheet.hexes:
        if not NAME.fullmatch(name):
            yield fault(f"hexes.{name}", "is no coordinate")
        elif sum(split(name)) % 2 != usual:
            yield fault(f"hexes.{name}", "lies between the hexes of this grid")


# ------------------------------------------------------------------------------------------------ each face by itself


def _face(face: Face, where: str, sheet: Sheet, *, printed_bare: bool) -> Iterator[SheetFault]:
    reached: set[int] = set()
    seen: set[tuple[int, int]] = set()
    for index, piece in enumerate(face.track):
        place = f"{where}.track[{index}]"
        if piece.a == piece.b:
            yield fault(place, "runs from an end to itself")
        if (piece.a, piece.b) in seen:
            yield fault(place, "stands twice")
        seen.add((piece.a, piece.b))
        for end in {piece.a, piece.b}:
            if end >= FIRST_STOP + len(face.stops):
                yield fault(place, f"names stop {chr(ord('a') + end - FIRST_STOP)!r}, which is not there")
            reached.add(end)
    for name, edges in (("river_edges", face.river_edges), ("banks", tuple(itertools.chain(*face.banks)))):
        if len(set(edges)) != len(edges):
            yield fault(f"{where}.{name}", "names an edge twice")
    yield from _stops(face, where, sheet, reached, printed_bare=printed_bare)


def _stops(face: Face, where: str, sheet: Sheet, reached: set[int], *, printed_bare: bool) -> Iterator[SheetFault]:
    for index, stop in enumerate(face.stops):
        place = f"{where}.stops[{index}]"
        if stop.kind not in STOP_KINDS:
            yield fault(f"{place}.kind", f"{stop.kind!r} is no kind of stop")
        if stop.bank not in BANKS:
            yield fault(f"{place}.bank", f"{stop.bank!r} is neither left nor right")
        if isinstance(stop.at, str) and stop.at != "centre":
            yield fault(f"{place}.at", f"{stop.at!r} is neither an edge nor the centre")
        on_track = FIRST_STOP + index in reached
        if on_track and stop.bare:
            yield fault(f"{place}.bare", "track leads to this stop")
        if not on_track and not stop.bare and not printed_bare:
            yield fault(place, "no track leads to this stop (say `bare = true` where that is meant)")
        for colour in stop.revenue:
            if colour and colour not in sheet.colours and colour not in sheet.phase_by_name:
                yield fault(f"{place}.revenue.{colour}", "is neither a colour nor a phase")


def _hex_faces(sheet: Sheet) -> Iterator[SheetFault]:
    for name, hex_ in sheet.hexes.items():
        where = f"hexes.{name}"
        yield from _face(hex_.face, where, sheet, printed_bare=not hex_.face.track)
        for other in hex_.joined:
            if other not in sheet.hexes:
                yield fault(f"{where}.joined", f"{other} is not on the map")
            elif name not in sheet.hexes[other].joined:
                yield fault(f"{where}.joined", f"{other} is not joined with {name}")
        if hex_.blocked_until and hex_.blocked_until not in {*sheet.colours, *sheet.phase_by_name}:
            yield fault(f"{where}.blocked_until", f"{hex_.blocked_until!r} is neither a colour nor a phase")
        for company in hex_.reserved_for:
            if company not in sheet.companies:
                yield fault(f"{where}.reserved_for", f"there is no company {company}")


def _tile_faces(sheet: Sheet) -> Iterator[SheetFault]:
    for number, tile in sheet.tiles.items():
        where = f"tiles.{number}"
        yield from _face(tile.face, where, sheet, printed_bare=False)
        if not tile.face.track:
            yield fault(where, "has no track")
        if not tile.face.colour:
            yield fault(f"{where}.colour", "is empty")
        for key, others in (("upgrades_to", tile.upgrades_to), ("upgrades_from", tile.upgrades_from)):
            for other in others or ():
                if other not in sheet.tiles:
                    yield fault(f"{where}.{key}", f"there is no tile {other}")
        for name in tile.hexes:
            if name not in sheet.hexes:
                yield fault(f"{where}.hexes", f"{name} is not on the map")


# ------------------------------------------------------------------------------------------------------------- seams


def _seams(sheet: Sheet) -> Iterator[SheetFault]:
    for name, hex_ in sheet.hexes.items():
        where = f"hexes.{name}"
        for edge in hex_.closed_edges:
            other = beyond(name, edge, sheet.layout)
            if other in sheet.hexes and opposite(edge) not in sheet.hexes[other].closed_edges:
                yield fault(f"{where}.closed_edges", f"edge {edge} is closed here and open in {other}")
        for edge in sorted(hex_.face.edges | set(hex_.stubs)):
            if edge in hex_.blind_edges:
                continue
            other = beyond(name, edge, sheet.layout)
            if edge in hex_.closed_edges:
                yield fault(where, f"track runs to edge {edge}, which is closed")
            elif other not in sheet.hexes:
                yield fault(where, f"track runs off the map at edge {edge}")
            elif sheet.hexes[other].fixed and opposite(edge) not in sheet.hexes[other].face.edges:
                yield fault(where, f"track at edge {edge} meets the blank side of {other}")


def open_edges(sheet: Sheet, name: str) -> frozenset[int]:
    """The edges of a hex over which laid track may run, as far as the printed map says."""
    edges = set()
    for edge in range(6):
        other = sheet.hexes.get(beyond(name, edge, sheet.layout))
        if other is None or edge in sheet.hexes[name].closed_edges or opposite(edge) in other.closed_edges:
            continue
        if not other.fixed or opposite(edge) in other.face.edges:
            edges.add(edge)
    return frozenset(edges)


# ------------------------------------------------------------------------------------------------------------ labels


def _labels(sheet: Sheet) -> Iterator[SheetFault]:
    """Each label of a hex needs a tile; hex and tiles of one label form a chain of colours without a gap."""
    colours: dict[str, set[str]] = {}
    for tile in sheet.tiles.values():
        for label in tile.face.labels:
            colours.setdefault(label, set()).add(tile.face.colour)
    on_map: set[str] = set()
    for name, hex_ in sheet.hexes.items():
        if hex_.fixed or not hex_.face.labels:
            continue
        on_map |= set(hex_.face.labels)
        have = set()
        for label in hex_.face.labels:
            if label not in colours:
                yield fault(f"hexes.{name}.label", f"no tile bears {label}")
            have |= colours.get(label, set())
        ranks = {sheet.rank(colour) for colour in have if colour in sheet.colours}
        for rank in range(sheet.rank(hex_.face.colour) + 1, max(ranks, default=-1)):
            if rank not in ranks:
                yield fault(f"hexes.{name}.label", f"no {sheet.colours[rank]} tile bears {'/'.join(hex_.face.labels)}")
    for number, tile in sheet.tiles.items():
        for label in tile.face.labels:
            if label not in on_map:
                yield fault(f"tiles.{number}.label", f"no hex bears {label}")


# ---------------------------------------------------------------------------------------------------- chains of tiles


def keeps(old: Face, new: Face, *, kinds_may_change: bool = False) -> bool:
    """Tell whether `new`, turned as it would lie, keeps all the track of `old`: stops may run together, never apart."""
    old_plain, old_exits, old_links = _parts(old)
    new_plain, new_exits, new_links = _parts(new)
    if not old_plain <= new_plain or bool(old.stops) > bool(new.stops):
        return False
    reach = {index: set(new_exits.get(index, ())) for index in range(len(new.stops))}
    for one, two in new_links:
        reach[one] |= new_exits.get(two, set())
        reach[two] |= new_exits.get(one, set())
    choices = [
        [
            target
            for target, candidate in enumerate(new.stops)
            if (kinds_may_change or candidate.kind == stop.kind) and old_exits.get(index, set()) <= reach[target]
        ]
        for index, stop in enumerate(old.stops)
    ]
    return any(
        all(where[a] == where[b] or tuple(sorted((where[a], where[b]))) in new_links for a, b in old_links)
        for where in itertools.product(*choices)
    )


def _parts(face: Face) -> tuple[set[tuple[int, int]], dict[int, set[int]], set[tuple[int, int]]]:
    """Track from edge to edge, the edges of each stop, and links between stops."""
    plain: set[tuple[int, int]] = set()
    exits: dict[int, set[int]] = {}
    links: set[tuple[int, int]] = set()
    for piece in face.track:
        if piece.b < FIRST_STOP:
            plain.add((piece.a, piece.b))
        elif piece.a < FIRST_STOP:
            exits.setdefault(piece.b - FIRST_STOP, set()).add(piece.a)
        else:
            links.add((piece.a - FIRST_STOP, piece.b - FIRST_STOP))
    return plain, exits, links


def _kinds(face: Face) -> list[str]:
    return sorted(stop.kind for stop in face.stops)


def successors(sheet: Sheet, number: str) -> dict[str, tuple[int, ...]]:
    """The tiles of the next colour that keep a tile's track, each with its rotations against the tile."""
    tile = sheet.tiles[number]
    rank = sheet.rank(tile.face.colour)
    if tile.final or rank + 1 >= len(sheet.colours):
        return {}
    found = {}
    for other, candidate in sheet.tiles.items():
        if sheet.rank(candidate.face.colour) != rank + 1 or not _may_follow(number, tile, other, candidate):
            continue
        loose = tile.upgrades_to is not None or bool(set(tile.face.labels) & set(candidate.face.labels))
        rotations = tuple(
            rotation
            for rotation in range(6)
            if keeps(tile.face, sheet.rotated[other, rotation], kinds_may_change=loose)
        )
        if rotations:
            found[other] = rotations
    return found


def _may_follow(number: str, tile: Tile, other: str, candidate: Tile) -> bool:
    if candidate.upgrades_from is not None and number not in candidate.upgrades_from:
        return False
    if tile.upgrades_to is not None:
        return other in tile.upgrades_to
    mine, theirs = set(tile.face.labels), set(candidate.face.labels)
    if mine or theirs:
        return bool(mine & theirs)
    return set(_kinds(tile.face)) == set(_kinds(candidate.face)) and len(candidate.face.stops) <= len(tile.face.stops)


def _upgrades(sheet: Sheet) -> Iterator[SheetFault]:
    for number, tile in sheet.tiles.items():
        rank = sheet.rank(tile.face.colour)
        if tile.final or rank + 1 >= len(sheet.colours):
            continue
        found = successors(sheet, number)
        for other in tile.upgrades_to or ():
            if other not in found:
                yield fault(
                    f"tiles.{number}.upgrades_to", f"{other} keeps its track in no rotation, or is no next colour"
                )
        if not found and rank == 0:
            what = f"no {sheet.colours[1]} tile keeps its track (say `final = true` where that is meant)"
            yield fault(f"tiles.{number}", what)


# ------------------------------------------------------------------------------------------------- what each hex can be


def _fits(hex_: Hex, tile: Tile, face: Face, name: str, rotation: int, way_out: frozenset[int]) -> bool:
    """Tell whether a tile may lie so on a hex, whatever lies there now."""
    if tile.hexes and name not in tile.hexes:
        return False
    if tile.rotation is not None and tile.rotation != rotation:
        return False
    if not face.edges <= way_out:
        return False
    if tile.face.river_edges and (hex_.face.river_edges or hex_.closed_edges):
        river = hex_.face.river_edges or hex_.closed_edges
        if set(face.river_edges) != set(river):
            return False
    if not hex_.face.banks or not face.banks:
        return True
    return [set(bank) for bank in hex_.face.banks] == [set(bank) for bank in face.banks]


def _first_lays(sheet: Sheet, name: str, way_out: frozenset[int]) -> Iterator[tuple[str, int]]:
    """The tiles, with their rotations, that may be the first on a hex."""
    hex_ = sheet.hexes[name]
    rank, labels = sheet.rank(hex_.face.colour), set(hex_.face.labels)
    for number, tile in sheet.tiles.items():
        if sheet.rank(tile.face.colour) != rank + 1:
            continue
        theirs = set(tile.face.labels)
        shared = bool(labels & theirs)
        if labels != theirs and not shared:
            continue
        if not shared:
            mine, new = _kinds(hex_.face), _kinds(tile.face)
            if (mine != new) if rank < 0 else (set(mine) != set(new)):
                continue
        for rotation in range(6):
            face = sheet.rotated[number, rotation]
            if not (set(hex_.stubs) <= face.edges and _fits(hex_, tile, face, name, rotation, way_out)):
                continue
            if not hex_.face.track or keeps(hex_.face, face, kinds_may_change=shared):
                yield number, rotation


def _tiles_in_time(sheet: Sheet, name: str, following: Mapping[str, Mapping[str, Iterable[int]]]) -> set[str]:
    """The tiles that may come to lie on a hex in the course of a game, by what may follow what."""
    hex_, way_out = sheet.hexes[name], open_edges(sheet, name)
    labels = set(hex_.face.labels)
    seen = set(_first_lays(sheet, name, way_out))
    todo = list(seen)
    while todo:
        number, rotation = todo.pop()
        for other, rotations in following[number].items():
            tile = sheet.tiles[other]
            if labels and tile.face.labels and not labels & set(tile.face.labels):
                continue
            for more in rotations:
                lay = other, (rotation + more) % 6
                if lay not in seen and _fits(hex_, tile, sheet.rotated[lay], name, lay[1], way_out):
                    seen.add(lay)
                    todo.append(lay)
    return {number for number, _ in seen}


def _colours_of_label(sheet: Sheet, name: str) -> set[str]:
    """The colours after that of a hex in which tiles of its label are, if they may lie there."""
    face = sheet.hexes[name].face
    return {
        tile.face.colour
        for tile in sheet.tiles.values()
        if set(face.labels) & set(tile.face.labels)
        and (not tile.hexes or name in tile.hexes)
        and sheet.rank(face.colour) < sheet.rank(tile.face.colour) < len(sheet.colours)
    }


def _places(sheet: Sheet) -> Iterator[SheetFault]:
    """Find hexes that cannot be built on or never reach a colour of their label, and tiles that fit nowhere."""
    following = {number: successors(sheet, number) for number in sheet.tiles}
    used: set[str] = set()
    for name, hex_ in sheet.hexes.items():
        if hex_.fixed:
            continue
        tiles = _tiles_in_time(sheet, name, following)
        used |= tiles
        if not tiles:
            yield fault(f"hexes.{name}", "no tile can be laid here")
            continue
        reached = {sheet.tiles[number].face.colour for number in tiles}
        for colour in sorted(_colours_of_label(sheet, name) - reached, key=sheet.rank):
            yield fault(f"hexes.{name}", f"never becomes {colour}, though a tile with its label has that colour")
    for number, tile in sheet.tiles.items():
        if sheet.rank(tile.face.colour) < len(sheet.colours):
            if number not in used:
                yield fault(f"tiles.{number}", "can be laid nowhere on this map")
        elif not any(
            _fits(sheet.hexes[name], tile, sheet.rotated[number, rotation], name, rotation, open_edges(sheet, name))
            for name in tile.hexes or sheet.hexes
            for rotation in range(6)
        ):
            yield fault(f"tiles.{number}", "fits in no rotation where it may be laid")
