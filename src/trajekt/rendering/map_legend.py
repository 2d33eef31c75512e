"""The key to the map: each sign that a game's map bears, drawn as it stands there, with its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from trajekt.engine.board.board import HexContents, Reservation, Station
from trajekt.engine.components.schema import Face, Hex, HexId, Piece, Sheet, Stop
from trajekt.i18n.sentences import Catalogue
from trajekt.rendering.hex_cache import draw_cell
from trajekt.rendering.hex_drawing import Printed, draw_mark
from trajekt.rendering.hex_geometry import outline
from trajekt.rendering.map import closing_colour, draw_closed
from trajekt.rendering.station_overlay import draw_stations, draw_values
from trajekt.rendering.theme import Look
from trajekt.rendering.track_curves import RADIUS, number

SIZE = 64  # px


@dataclass(frozen=True, slots=True)
class Sample:
    """A hex made up to show one sign; `key` is its text in the catalogue."""

    key: str
    hex: Hex
    contents: HexContents = field(default_factory=HexContents)
    lit: bool = False


def samples(sheet: Sheet) -> Iterator[Sample]:
    """List those of the common signs that this game's map has."""
    printed = sheet.hexes.values()
    stops = [stop for face in _faces(sheet) for stop in face.stops]
    kinds, company = {stop.kind for stop in stops}, next(iter(sheet.companies))
    city = Face("yellow", (Stop("city", {"": 20}, 2),), (Piece(1, 6), Piece(4, 6)))
    yield Sample("key.city", Hex(city))
    yield Sample("key.station", Hex(city), HexContents(stations=(Station(company, 0),)))
    yield Sample("key.asleep", Hex(city), HexContents(stations=(Station(company, 0, asleep=True),)))
    yield Sample("key.kept", Hex(city), HexContents(reservations=(Reservation(company, 0),)))
    for kind, value in (("town", 10), ("halt", 0)):
        if kind in kinds:
            yield Sample(f"key.{kind}", Hex(Face("yellow", (Stop(kind, {"": value}),), (Piece(1, 6), Piece(4, 6)))))
    costs: dict[str, int] = {}
    for each in printed:
        if each.terrain and each.cost:
            costs.setdefault(each.terrain, each.cost)
    for terrain, cost in costs.items():
        yield Sample(f"key.terrain.{terrain}", Hex(terrain=terrain, cost=cost))
    if worth := next((stop.revenue for stop in stops if len(stop.revenue) > 1), None):
        yield Sample("key.values", Hex(Face("red", (Stop("offboard", worth),), (Piece(1, 6),))))
    if possible := next((each.possible_icons for each in printed if each.possible_icons), ()):
        yield Sample("key.possible", Hex(possible_icons=possible[:1]))
    yield Sample("key.lit", Hex(), lit=True)


def _faces(sheet: Sheet) -> Iterator[Face]:
    yield from (each.face for each in sheet.hexes.values())
    yield from (tile.face for tile in sheet.tiles.values())


def legend(sheet: Sheet, look: Look, say: Catalogue, colour: str) -> list[tuple[str, str]]:
    """Pictures with their words; `colour` is the colour whose values are in force."""
    rows = [(draw_sample(sheet, look, sample, colour), say.text(sample.key)) for sample in samples(sheet)]
    closing = dict.fromkeys(found for name in sheet.hexes if (found := closing_colour(sheet, name)))
    rows += [(picture(draw_closed(each), 46), say.text("key.closed")) for each in closing]
    rows += letters(sheet, look, say)
    if rate := next((each for each in sheet.hexes.values() if "pays_for_links" in each.own), None):
        cell = draw_cell(sheet, look, Printed("", rate.face, msgspec.structs.replace(rate, names=())), [])
        rows.append((picture(cell.marks, 60), say.text("key.area")))
    for icon, mark in look.marks.items():
        if f"icon.{icon}" in say:
            rows.append((picture(draw_mark(mark, 0, 0, 30), 46), say.text(f"icon.{icon}")))
    return rows


def letters(sheet: Sheet, look: Look, say: Catalogue) -> Iterator[tuple[str, str]]:
    """The letters of the map, each with its border where it has one and the hexes that bear it."""
    bearers: dict[str, list[HexId]] = {}
    for name, printed in sheet.hexes.items():
        for label in printed.face.labels:
            bearers.setdefault(label, []).append(name)
    for label, names in bearers.items():
        first = sheet.hexes[names[0]]
        shown = Hex(Face(first.face.colour, labels=(label,)), own=first.own)
        cell = draw_cell(sheet, look, Printed("", shown.face, shown), [])
        land = f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout)}"/>'
        places = ", ".join("/".join(sheet.hexes[name].names) or name for name in names)
        yield picture(land + cell.track + cell.marks, RADIUS + 4), say.text("key.letter", letter=label, places=places)


def draw_sample(sheet: Sheet, look: Look, sample: Sample, colour: str) -> str:
    """A made-up hex as it would stand on the map."""
    cell = draw_cell(sheet, look, Printed("", sample.hex.face, sample.hex), [])
    land = f'<polygon class="hx t-{cell.tint}" points="{outline(sheet.layout)}"/>'
    values = "".join(draw_values(sheet, at, revenue, colour) for at, _, revenue in cell.values)
    hit = f'<g class="lit-edges"><polygon points="{outline(sheet.layout, size=97)}"/></g>' if sample.lit else ""
    drawn = cell.relief + cell.track + cell.stops + draw_stations(cell, sample.contents, sheet) + values + cell.marks
    return picture(land + drawn + hit, RADIUS + 4)


def picture(drawn: str, reach: float) -> str:
    """A small picture around the origin; its words stand beside it."""
    box = f"{number(-reach)} {number(-reach)} {number(2 * reach)} {number(2 * reach)}"
    return f'<svg class="map" width="{SIZE}" height="{SIZE}" viewBox="{box}" aria-hidden="true">{drawn}</svg>'
