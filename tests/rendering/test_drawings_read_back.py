"""Every drawing read back: hexes and tiles in all rotations show the track, stations, values, costs and signs of their data.

The reader knows the geometry of a hexagon and the classes of the drawing, nothing of how it was made.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from html import unescape

import pytest

from trajekt.engine.board.board import HexContents
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.components.schema import Face, Sheet, rotate_face
from trajekt.registry import title
from trajekt.rendering.hex_cache import plates
from trajekt.rendering.hex_drawing import Cell, is_area, is_blank
from trajekt.rendering.label_placement import gap
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.rendering.tile_layout import leg
from trajekt.server.presenters.map_and_market import look_of

GAMES = (("18rhl", 1), ("18rhl", 2), ("18lra", 1), ("18ruhr", 2), ("18do", 1))
FIRST = {"pointy": 120, "flat": 90}  # edge 0 in degrees: lower left, or below
FINE_OVERLAP = 2.5  # of 100: less is not seen


@cache
def sheet_and_look(game: str, edition: int):
    found = title(game)
    return found.sheet(found.options({"edition": edition}), None), look_of(found)


def edges_reached(svg: str, layout: str, kind: str = "trk|ferry|arrow") -> set[int]:
    """The edges whose middle a path of track begins or ends at; an arrow reaches from one."""
    points = [
        (float(x), float(y))
        for d in re.findall(rf'class="(?:{kind})[^"]*" d="([^"]+)"', svg)
        for x, y in re.findall(r"(-?[\d.]+)[ ,]?(-?[\d.]+)", re.sub(r"A[\d.]+ [\d.]+ 0 [01] [01] ", "L", d))
    ]
    middles = [
        (86.6 * math.cos(a), 86.6 * math.sin(a)) for a in (math.radians(FIRST[layout] + 60 * n) for n in range(6))
    ]
    return {n for n, middle in enumerate(middles) if any(math.dist(point, middle) < 9.5 for point in points)}


def texts(svg: str, kind: str) -> Counter[str]:
    return Counter(re.findall(rf'<text class="{kind}[^"]*"[^>]*>([^<]+)</text>', svg))


def places(face: Face) -> int:
    return sum(
        max(stop.kind == "city", stop.slots + stop.harbour_slots)
        for stop in face.stops
        if stop.kind in ("city", "town")
    )


def amounts(face: Face) -> set[str]:
    values = {str(stop.revenue[""]) for stop in face.stops if stop.revenue.get("")}
    return values if face.ferry_revenue is None else values | {str(face.ferry_revenue)}


def compare(sheet: Sheet, face: Face, svg: str, cost: int, labels: set[str]) -> None:
    assert edges_reached(svg, sheet.layout) == set(face.edges)
    assert svg.count('class="slot"') == places(face)
    assert set(texts(svg, "rev-t")) == amounts(face)
    assert set(texts(svg, "cost")) == ({str(cost)} if cost else set())
    assert set(texts(svg, "letter")) == labels
    ferries = sum(bool(piece.kind) for piece in face.track)
    assert svg.count('class="ferry"') == svg.count('class="boat"') == ferries


@pytest.mark.parametrize("turn", range(6))
@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_tiles_show_what_they_are(game: str, edition: int, turn: int) -> None:
    sheet, look = sheet_and_look(game, edition)
    for number, tile in sheet.tiles.items():
        face = rotate_face(tile.face, turn)
        svg = draw_tile(sheet, look, number, rotation=turn)
        compare(sheet, face, svg, tile.upgrade_cost, {"/".join(face.labels)} - {""})
        assert ("border b-" in svg) == bool(tile.own.get("border")), number


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_printed_hexes_show_what_they_are(game: str, edition: int) -> None:
    sheet, look = sheet_and_look(game, edition)
    for name, printed in sheet.hexes.items():
        cell = plates(sheet, look).cell(name, HexContents())
        svg = cell.track + cell.stops + cell.marks
        if is_blank(printed.face):
            continue
        if is_area(printed.face):
            assert edges_reached(svg, sheet.layout) == set(printed.face.edges)
            rate = printed.own.get("pays_for_links")
            pays = bool(rate) or any(any(stop.revenue.values()) for stop in printed.face.stops) or bool(cell.areas)
            assert bool(cell.areas or cell.values or (rate and f">{rate['amount']} ×</text>" in svg)) == pays, name
            continue
        stubs = edges_reached(svg, sheet.layout, "trk stub")
        assert stubs == set(printed.stubs), name
        assert edges_reached(svg, sheet.layout, "trk on|ferry") == set(printed.face.edges), name
        labels = {"/".join(printed.face.labels)} - {"", *printed.names}
        body = svg.replace('class="trk stub"', 'class="stub"')
        compare(sheet, printed.face, body, printed.cost, labels)
        words = unescape(" ".join(re.findall(r'class="name[^>]*>([^<]+)<', svg)))
        assert all(re.sub("[ -]", "", text) in re.sub("[ -]", "", words) for text in printed.names), (name, words)
        for icon in printed.face.icons:
            shape = look.marks[icon].shape
            assert f"#mark-{shape}" in svg or shape in ("pill", "anchor"), (name, icon)
        assert ("border b-" in svg) == bool(printed.own.get("border")), name


def laid_once(sheet: Sheet) -> list[tuple[str, str, int]]:
    """Every hex as printed, and each tile that may come to lie there in its first rotation."""
    seen: dict[tuple[str, str], int] = {}
    todo = [(name, "", 0) for name in sheet.hexes]
    while todo:
        name, tile, turn = todo.pop()
        if (name, tile) not in seen:
            seen[name, tile] = turn
            todo += [(name, *place) for place in legal_upgrades(sheet, name, tile, turn)]
    return [(name, tile, turn) for (name, tile), turn in seen.items()]


def overlaps(cell: Cell) -> list[tuple[str, str]]:
    """Lettering upon lettering, stations, towns or boats."""
    boxes = cell.boxes
    return [
        (one.what, two.what)
        for n, one in enumerate(boxes)
        for two in boxes[n + 1 :]
        if (one.lines or two.lines) and gap(one, two) < -FINE_OVERLAP
    ]


def leaves(cell: Cell, layout: str) -> list[str]:
    """Lettering that crosses the edge of its hex."""
    sides = [(math.cos(a), math.sin(a)) for a in (math.radians(FIRST[layout] + 60 * n) for n in range(6))]
    return [
        box.what
        for box in cell.boxes
        if box.lines
        and any(box.x * u + box.y * v + box.half_width * abs(u) + box.half_height * abs(v) > 88 for u, v in sides)
    ]


def on_track(cell: Cell) -> list[str]:
    """Names that lie on track, which is as wide as a tenth of the way from the middle to a corner."""
    found = []
    for box in cell.boxes:
        if box.lines and box.what not in ("coord", "coord num", "label"):
            points = [
                point for piece in cell.printed.face.track for point in leg(cell.plan, piece.a, piece.b).points(40)
            ]
            if any(
                abs(x - box.x) < box.half_width + 5 - FINE_OVERLAP
                and abs(y - box.y) < box.half_height + 5 - FINE_OVERLAP
                for x, y in points
            ):
                found.append(box.what)
    return found


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_lettering_covers_nothing_and_stays_inside(game: str, edition: int) -> None:
    sheet, look = sheet_and_look(game, edition)
    kept, found = plates(sheet, look), []
    faces = laid_once(sheet)
    for name, tile, turn in faces:
        cell = kept.cell(name, HexContents(tile, turn))
        found += [(name, tile, turn, *pair) for pair in overlaps(cell)]
        found += [(name, tile, turn, what, "edge") for what in leaves(cell, sheet.layout)]
        if not is_area(cell.printed.face):
            found += [(name, tile, turn, what, "track") for what in on_track(cell)]
    assert len(faces) > 200
    assert found == []


LEFT_OUT = {"18rhl": 0, "18lra": 0, "18ruhr": 1, "18do": 9}


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_few_tiles_lack_room_for_names(game: str, edition: int) -> None:
    sheet, look = sheet_and_look(game, edition)
    kept = plates(sheet, look)
    bare = [
        (name, tile)
        for name, tile, turn in laid_once(sheet)
        if tile and sheet.hexes[name].names and 'class="name' not in kept.cell(name, HexContents(tile, turn)).marks
    ]
    assert len(bare) <= LEFT_OUT[game], bare


def test_reader_notices_track_left_out() -> None:
    sheet, look = sheet_and_look("18rhl", 2)
    svg = draw_tile(sheet, look, "57")
    assert edges_reached(svg, "pointy") == set(sheet.tiles["57"].face.edges)
    assert edges_reached(re.sub(r'class="trk[^>]*>', "", svg), "pointy") == set()
