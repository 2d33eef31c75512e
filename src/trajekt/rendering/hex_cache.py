"""Drawings of hexes kept for the next time: a hex is drawn once for each tile, turn and set of marks on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from trajekt.engine.board.board import HexContents
from trajekt.engine.board.hexgrid import by_place
from trajekt.engine.components.schema import HexId, Sheet
from trajekt.rendering.drawing_cache import Kept
from trajekt.rendering.hex_drawing import Cell, Printed, draw_small, draw_stops, draw_track, is_area, letter, tint
from trajekt.rendering.hex_geometry import centre
from trajekt.rendering.label_placement import Box, Room
from trajekt.rendering.offboard_areas import letter_area
from trajekt.rendering.river import Course, course, near_to
from trajekt.rendering.theme import Look, Mark
from trajekt.rendering.tile_layout import plan

KEPT = 5000  # hexes with what lies on them, of all tables of a game


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A sheet and a look, compared by identity: both are made once and never change."""

    sheet: Sheet
    look: Look

    def __hash__(self) -> int:
        return hash((id(self.sheet), id(self.look)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self.sheet is other.sheet and self.look is other.look


@dataclass(frozen=True, slots=True)
class Layers:
    """A hex on the map with what lies there: its part of each layer; `inner` is what its group holds, beginning in its tag."""

    land: str
    relief: str
    track: str
    inner: str


class Plates:
    """The drawings of one sheet in one look. Filled as they are asked for; the same key always gives the same drawing."""

    def __init__(self, source: Source) -> None:
        self.sheet, self.look = source.sheet, source.look
        self.course: Course = course(source.sheet, source.look.river)
        self.order = by_place(source.sheet.hexes)
        self.cells: dict[tuple[HexId, str, int, tuple[str, ...]], Cell] = {}
        self.hexes: Kept[Layers] = Kept(KEPT)
        self.words: Kept[str] = Kept(KEPT)
        """The description of a hex in words, by language and all that it is about."""

    def cell(self, name: HexId, contents: HexContents) -> Cell:
        key = name, contents.tile, contents.rotation, contents.icons
        found = self.cells.get(key)
        if found is None:
            printed = self.sheet.hexes[name]
            face = self.sheet.rotated[contents.tile, contents.rotation] if contents.tile else printed.face
            lasting = (i for i in printed.face.icons if contents.tile and i in self.look.lasting)
            icons = (*lasting, *contents.icons)
            river = near_to(self.course.points, centre(self.sheet.layout, name))
            found = draw_cell(self.sheet, self.look, Printed(name, face, printed, contents.tile, icons), river)
            self.cells[key] = found
        return found


@lru_cache(maxsize=16)
def plates_of(source: Source) -> Plates:
    """One set of drawings for each pair of sheet and look; the sixteen used last are kept."""
    return Plates(source)


def plates(sheet: Sheet, look: Look) -> Plates:
    """The kept drawings of a sheet in a look."""
    return plates_of(Source(sheet, look))


def circled(look: Look, printed: Printed) -> tuple[Mark, ...]:
    """The marks on a tile that take circles of its city."""
    found = (look.marks.get(icon) for icon in printed.icons)
    return tuple(m for m in found if m and m.shape == "pill") if printed.tile in look.circled else ()


def draw_cell(sheet: Sheet, look: Look, printed: Printed, river: list[tuple[float, float]]) -> Cell:
    """Draw a hex. `river` are points of the river near it, seen from its middle."""
    key = f"{printed.name}/{printed.tile}" if printed.tile else printed.name
    drawn = plan(sheet.layout, printed.face)
    cell = Cell(
        printed,
        drawn,
        Room(sheet.layout),
        tint(printed.face, printed.hex, printed.tile),
        placed=look.placed.get(key, {}),
        circled=circled(look, printed),
        number=look.number(printed.hex),
    )
    cell.room.soft += [Box(x, y, round=12, what="river") for x, y in river]
    if is_area(printed.face):
        letter_area(cell, sheet, look)
    else:
        own = sheet.tiles[printed.tile].own if printed.tile else printed.hex.own
        draw_track(cell, str(own.get("border", "")))
        draw_stops(cell, look)
        letter(cell, sheet, look)
    draw_small(cell)
    return cell
