"""The running positions of the recorded game, read straight from its tile and station entries (no replay of the rest)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.builders.random_positions import sheet
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.components.schema import FIRST_STOP, Face
from trajekt.engine.routing.runs import Setting
from trajekt.games.rhl.route_editions import COMPAT
from trajekt.games.rhl.route_rules import route_rules

DRAW = {"C12": ("K",), "E6": ("S",)}  # draw 5 (CMP-04)


def standing(actions: list[dict]) -> list[dict]:
    """The entries that stand after undo (CMP-01); the record has no redo."""
    out: list[dict] = []
    for action in actions:
        if action["type"] == "undo":
            if "action_id" in action:
                out = [each for each in out if each["id"] <= action["action_id"]]
            else:
                out.pop()
        else:
            out.append(action)
    return out


def moved(board: Board, at: str, old: Face, new: Face, stop: int) -> int:
    """Where the station of a stop stands after an upgrade."""

    def edges(face: Face, index: int) -> set[int]:
        return {e for p in face.track for e in (p.a, p.b) if FIRST_STOP + index in (p.a, p.b) and e < FIRST_STOP}

    if len(new.stops) == 1:
        return 0
    bank = old.stops[stop].bank
    if bank:
        return next(i for i, s in enumerate(new.stops) if s.bank == bank)
    return next((i for i in range(len(new.stops)) if edges(old, stop) and edges(old, stop) <= edges(new, i)), stop)


def tracks_of(board: Board, route: dict) -> Iterator[tuple[str, ...]]:
    """Every track that follows the recorded hexes, where the sections can be chained."""
    network = board.network
    sections = [list(each) for each in route["connections"]]
    chains = [[sections[0]], [sections[0][::-1]]]
    for section in sections[1:]:
        chains = [[*c, way] for c in chains for way in (section, section[::-1]) if c[-1][-1] == way[0]]
    for chain in chains:
        hexes = [chain[0][0]]
        marks = [0]
        for part in chain:
            hexes += part[1:]
            marks.append(len(hexes) - 1)
        yield from _follow(network, hexes, 0, None, None, (), set())


def _follow(network, hexes, place, node, last, track, used):
    if node is None:
        for stop in network.stops_in_hex.get(hexes[place], ()):
            yield from _follow(network, hexes, place, stop.node, None, (), set())
        return
    if place == len(hexes) - 1 and network.is_stop(node):
        yield track
    for piece in network.at[node]:
        at = network.tracks[piece].hex
        if piece in used or (last is not None and not network.is_stop(node) and network.tracks[last].hex == at):
            continue
        if at == hexes[place]:
            step = place
        elif place + 1 < len(hexes) and at == hexes[place + 1] and not network.is_stop(node):
            step = place + 1
        else:
            continue
        yield from _follow(
            network,
            hexes,
            step,
            network.other_end(piece, node),
            piece,
            (*track, network.tracks[piece].ref),
            used | {piece},
        )


@cache
def positions(record: Path) -> list[tuple[int, Setting, list[dict]]]:
    """Of every run: its entry number, the setting, the routes as recorded."""
    data = json.loads(record.read_text())
    printed = sheet(1)
    board = Board(printed, {at: HexContents(icons=icons) for at, icons in DRAW.items()})
    rules = route_rules(COMPAT)
    newest = "2"
    homed: set[str] = set()
    out = []
    for action in standing(data["actions"]):
        owner = {"KEG": "KKK"}.get(action["entity"], action["entity"])
        kind = action["type"]
        if action.get("entity_type") == "corporation" and owner not in homed:
            homed.add(owner)
            company = printed.companies[owner if owner in printed.companies else "MKB"]
            for home in company.homes:
                contents = board.contents(home.hex)
                face = board.face(home.hex)
                stop = moved(board, home.hex, printed.hexes[home.hex].face, face, home.stop)
                stations = (*contents.stations, Station(owner, stop))
                board = board.with_contents(
                    home.hex, HexContents(contents.tile, contents.rotation, stations, (), contents.icons)
                )
        if kind == "lay_tile":
            at = action["hex"]
            tile = action["tile"].rsplit("-", 1)[0].removeprefix("X")
            contents, old = board.contents(at), board.face(at)
            new = printed.rotated[tile, action["rotation"]]
            stations = tuple(Station(s.company, moved(board, at, old, new, s.stop)) for s in contents.stations)
            board = board.with_contents(at, HexContents(tile, action["rotation"], stations, (), contents.icons))
        elif kind == "place_token":
            name, _, city = action["city"].rsplit("-", 2)
            name = name.removeprefix("X")
            owner = {"KEG": "KKK"}.get(action.get("tokener", owner), action.get("tokener", owner))
            at = name
            if name not in printed.hexes:
                at = place_of(board, action)
            contents = board.contents(at)
            cities = [i for i, s in enumerate(board.face(at).stops) if s.kind != "town"]
            stations = (*contents.stations, Station(owner, cities[int(city)]))
            board = board.with_contents(at, HexContents(contents.tile, contents.rotation, stations, (), contents.icons))
        elif kind == "buy_train":
            newest = max(newest, action["train"].split("-")[0])
        elif kind == "run_routes":
            phase = [p for p in printed.phases if p.started_by in ("start", newest)][-1]
            owned = tuple(route["train"].split("-")[0] for route in action["routes"])
            setting = Setting(board, owner, owned, phase.values, phase.industry_bonus, rules)
            out.append((action["id"], setting, action["routes"]))
    return out


def place_of(board: Board, action: dict) -> str:
    """The hex of a station entry that names a tile: the tile that lies there, counted in order of laying."""
    name, copy, _ = action["city"].rsplit("-", 2)
    name = name.removeprefix("X")
    found = [at for at, contents in board.contents_by_hex.items() if contents.tile == name]
    return found[min(int(copy), len(found) - 1)]
