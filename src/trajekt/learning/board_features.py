"""The board as numbers: a row for each hex, the same rows as planes, and the edges over which track joins.

Rows are worked out once for what lies on a hex and are found again by it; a lay changes one row of the board.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from trajekt.engine.board.board import EMPTY_HEX, Board, HexContents
from trajekt.engine.board.hexgrid import beyond, opposite, split
from trajekt.engine.board.reachability import reach_of
from trajekt.engine.components.schema import FIRST_STOP, Face, Sheet
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.ruleset import Ruleset
from trajekt.learning.observation_layout import Column

EDGES = 6
KINDS = ("city", "town", "offboard", "halt")
LETTERS = "abcdefgh"
OTHER = "other"  # what takes a place and is no company of the sheet, such as a blank token
KNOWN_ROWS = 20_000  # of some 700 bytes each; then they are worked out anew


def _end(number: int) -> str:
    return str(number) if number < FIRST_STOP else LETTERS[number - FIRST_STOP]


def _faces(sheet: Sheet) -> list[Face]:
    return [printed.face for printed in sheet.hexes.values()] + [tile.face for tile in sheet.tiles.values()]


class BoardFeatures:
    """The columns of a hex for one sheet, and the rows of the board that was looked at last."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.sheet = ruleset, ruleset.sheet
        sheet = self.sheet
        self.hexes = tuple(sheet.hexes)
        faces = _faces(sheet)
        self.stops = max(len(face.stops) for face in faces)
        self.colours = (*sheet.colours, *sorted({face.colour for face in faces} - {"", *sheet.colours}))
        self.labels = tuple(sorted({label for face in faces for label in face.labels}))
        printed = {icon for face in faces for icon in face.icons} | {
            icon for face in faces for stop in face.stops for icon in stop.icons
        }
        drawn = {icon for table in sheet.draws for icon in table.icons}
        possible = {icon for each in sheet.hexes.values() for icon in each.possible_icons}
        self.icons = tuple(sorted(printed | drawn | possible))
        self.tiles = {tile: number for number, tile in enumerate(sheet.tiles, 1)}
        self.ends = EDGES + self.stops
        self.pairs = {pair: number for number, pair in enumerate(combinations(range(self.ends), 2))}
        self.columns = self._columns()
        self._place = {column.name: number for number, column in enumerate(self.columns)}
        self._lay_grid()
        self._rows: dict[tuple[int, HexContents, str], Any] = {}
        self._board: Board | None = None
        self._colour = ""
        self._seen: list[HexContents | None] = [None] * len(self.hexes)
        self._nodes = np.zeros((len(self.hexes), len(self.columns)), np.float32)
        self._edges = np.full((len(self.hexes), EDGES), -1, np.int32)
        self._reached: tuple[Board | None, str] = (None, "")

    def _columns(self) -> tuple[Column, ...]:
        found = [
            Column("map", "1: a hex of the map; 0 where a plane has none"),
            Column("tile", "number of the tile in the sheet's order, from 1, divided by their count; 0: as printed"),
            Column("cost", "what the first lay costs, in hundreds of Mark"),
            Column("blocked", "1: nothing may be laid yet, until a later phase"),
            Column("fixed", "1: the printed hex is never built on"),
        ]
        found += [Column(f"colour:{colour}", "1: the colour of the face in force") for colour in self.colours]
        found += [Column(f"rotation:{n}", f"1: the tile lies turned clockwise by {n} edges") for n in range(EDGES)]
        found += [Column(f"closed:{n}", f"1: edge {n} admits no track") for n in range(EDGES)]
        found += [
            Column(
                f"track:{_end(a)}{_end(b)}",
                "1: track runs between these ends (0 to 5 edges, letters stops); 0.5: a ferry",
            )
            for a, b in self.pairs
        ]
        for letter in LETTERS[: self.stops]:
            found += [Column(f"{kind}:{letter}", f"1: stop {letter} is a {kind}") for kind in KINDS]
            found.append(Column(f"value:{letter}", "what the stop pays in this phase, in hundreds of Mark"))
            found.append(Column(f"places:{letter}", "places for stations, taken or not, divided by 4"))
            found.append(Column(f"reached:{letter}", "1: the operating company's paths come to the stop"))
            found += [
                Column(f"station:{letter}:{company}", "1: a station of this company; 0.5: one that does not block")
                for company in (*self.sheet.companies, OTHER)
            ]
        found += [
            Column(f"reserved:{company}", "1: a place is reserved for this company's home")
            for company in (*self.sheet.companies, OTHER)
        ]
        found += [Column(f"label:{label}", "1: the face in force has this label") for label in self.labels]
        found += [Column(f"icon:{icon}", "1: the face or a token shows this") for icon in self.icons]
        found.append(Column("token", "the number on a location token, in hundreds of Mark"))
        found.append(Column("reach", "1: the operating company's paths come to the hex"))
        found.append(Column("near", "1: a tile laid here can be joined to them"))
        return tuple(found)

    def _lay_grid(self) -> None:
        """Give every hex its row and column of the planes, and find its neighbours."""
        sheet = self.sheet
        places = [split(name) for name in self.hexes]
        # rows (of pointed hexes) or columns (of flat ones) are set off by half a hex, so that every second number is free
        pointed = sheet.layout == "pointy"
        grid = [(row, number // 2) if pointed else (row // 2, number) for row, number in places]
        top, left = min(row for row, _ in grid), min(column for _, column in grid)
        self.rows = np.array([row - top for row, _ in grid])
        self.places = np.array([column - left for _, column in grid])
        self.grid = (int(self.rows.max()) + 1, int(self.places.max()) + 1)
        number = {name: n for n, name in enumerate(self.hexes)}
        self.neighbours = np.array(
            [[number.get(beyond(name, edge, sheet.layout), -1) for edge in range(EDGES)] for name in self.hexes],
            np.int32,
        )
        self._opposite = np.array([opposite(edge) for edge in range(EDGES)])

    # Rows -----------------------------------------------------------------------------------------------------------

    def _row(self, number: int, contents: HexContents, colour: str, phase: str) -> Any:
        key = (number, contents, phase)
        found = self._rows.get(key)
        if found is None:
            if len(self._rows) >= KNOWN_ROWS:
                self._rows.clear()
            found = self._rows[key] = self._worked_out(number, contents, colour, phase)
        return found

    def _worked_out(self, number: int, contents: HexContents, colour: str, phase: str) -> Any:
        sheet, place = self.sheet, self._place
        printed = sheet.hexes[self.hexes[number]]
        face = sheet.rotated[contents.tile, contents.rotation] if contents.tile else printed.face
        row = np.zeros(len(self.columns), np.float32)
        row[place["map"]] = 1
        row[place["cost"]] = printed.cost / 100
        row[place["fixed"]] = printed.fixed
        row[place["blocked"]] = self._waits(printed.blocked_until, phase)
        if contents.tile:
            row[place["tile"]] = self.tiles[contents.tile] / len(self.tiles)
            row[place[f"rotation:{contents.rotation}"]] = 1
        if face.colour:
            row[place[f"colour:{face.colour}"]] = 1
        for edge in printed.closed_edges:
            row[place[f"closed:{edge}"]] = 1
        for piece in face.track:
            row[place[f"track:{_end(piece.a)}{_end(piece.b)}"]] = 0.5 if piece.kind else 1
        for index, stop in enumerate(face.stops):
            letter = LETTERS[index]
            row[place[f"{stop.kind}:{letter}"]] = 1
            row[place[f"value:{letter}"]] = sheet.value(stop, colour) / 100
            row[place[f"places:{letter}"]] = (stop.slots + stop.harbour_slots) / 4
        self._put_things(row, contents, face)
        return row

    def _put_things(self, row: Any, contents: HexContents, face: Face) -> None:
        """Write stations, reservations, labels and icons into a row."""
        place = self._place
        for station in contents.stations:
            whose = station.company if station.company in self.sheet.companies else OTHER
            row[place[f"station:{LETTERS[station.stop]}:{whose}"]] = 0.5 if station.asleep else 1
        for kept in contents.reservations:
            row[place[f"reserved:{kept.company if kept.company in self.sheet.companies else OTHER}"]] = 1
        for label in face.labels:
            row[place[f"label:{label}"]] = 1
        for icon in (*face.icons, *contents.icons, *(icon for stop in face.stops for icon in stop.icons)):
            name, digits = icon.rstrip("0123456789"), icon.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            for known in {icon, name} & set(self.icons):
                row[place[f"icon:{known}"]] = 1
            if digits.isdecimal():
                row[place["token"]] = int(digits) / 100

    def _waits(self, until: str, phase: str) -> bool:
        """Tell whether a phase, or a colour of tiles, is still to come."""
        if not until:
            return False
        sheet = self.sheet
        names = [each.name for each in sheet.phases]
        if until in names:
            return names.index(phase) < names.index(until)
        return until not in sheet.phase_by_name[phase].tiles

    # The board ------------------------------------------------------------------------------------------------------

    def look(self, board: Board, phase: str, company: str) -> None:
        """Take a board over: rows that changed since the last one, and the reach of a company (empty: of nobody)."""
        if board is not self._board or phase != self._colour:
            self._take(board, phase)
        if (board, company) != self._reached:
            self._reach(board, company)

    def _take(self, board: Board, phase: str) -> None:
        anew, colour = phase != self._colour, self.sheet.phase_by_name[phase].values
        contents_by_hex, seen, nodes = board.contents_by_hex, self._seen, self._nodes
        for number, name in enumerate(self.hexes):
            contents = contents_by_hex.get(name, EMPTY_HEX)
            if anew or contents is not seen[number]:
                seen[number] = contents
                nodes[number] = self._row(number, contents, colour, phase)
        self._board, self._colour, self._reached = board, phase, (None, "")
        beyond_it = self.neighbours
        open_edges = np.zeros((len(self.hexes) + 1, EDGES), bool)  # the last row stands for what is off the map
        for name, number in self._place.items():
            if name.startswith("track:"):
                for end in name[6:]:
                    if end.isdecimal():
                        open_edges[:-1, int(end)] |= nodes[:, number] > 0
        joined = open_edges[:-1] & open_edges[beyond_it, self._opposite]
        self._edges = np.where(joined, beyond_it, -1).astype(np.int32)

    def _reach(self, board: Board, company: str) -> None:
        nodes, place = self._nodes, self._place
        changing = [place["reach"], place["near"], *[place[f"reached:{letter}"] for letter in LETTERS[: self.stops]]]
        nodes[:, changing] = 0
        self._reached = board, company
        rules = self.ruleset.by_type.get(RouteRules)
        if not company or not isinstance(rules, RouteRules):
            return
        here = reach_of(board, company, rules.available)
        near = here.close
        for number, name in enumerate(self.hexes):
            if name in near:
                nodes[number, place["near"]] = 1
                nodes[number, place["reach"]] = here.hex(name)
                for index, _ in enumerate(board.face(name).stops):
                    nodes[number, place[f"reached:{LETTERS[index]}"]] = here.stop(name, index)

    def nodes(self) -> Any:
        """Return the rows of all hexes, in the sheet's order."""
        return self._nodes.copy()

    def planes(self) -> Any:
        """Return the same numbers as planes: a column, then a row and a place of the map."""
        planes = np.zeros((len(self.columns), *self.grid), np.float32)
        planes[:, self.rows, self.places] = self._nodes.T
        return planes

    def edges(self) -> Any:
        """Return for every hex and edge the hex beyond, by number, where track meets over the edge; else -1."""
        return self._edges.copy()
