"""The changing layer of a hex: stations, homes asleep, reserved places, and the values in force."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from trajekt.engine.board.board import HexContents, Reservation, Station
from trajekt.engine.components.schema import Sheet
from trajekt.rendering.hex_drawing import Cell, draw_circled
from trajekt.rendering.tile_layout import PLACE
from trajekt.rendering.token_symbols import letters_of
from trajekt.rendering.track_curves import Point, number

TOKEN = 47.0
VALUE_WIDTH, VALUE_HEIGHT, STEP_WIDTH = 33.0, 24.0, 29.0


def draw_stations(cell: Cell, contents: HexContents, sheet: Sheet) -> str:
    """Tokens in the order in which they came, reservations in the last places of their stop, marks in circles before them."""
    svg = ""
    for n, points in enumerate(cell.stations):
        built = seated(cell, n, [station for station in contents.stations if station.stop == n])
        kept = [place for place in contents.reservations if place.stop == n]
        marks = cell.circled if n == 0 else ()
        for k, station in built.items():
            svg += draw_station(station, place(cell, points, n, k), sheet)
        for k, keeper in enumerate(kept):
            at = place(cell, points, n, max(len(built), len(points) - len(kept)) + k)
            svg += draw_reservation(keeper, at, sheet)
        for k, mark in enumerate(marks):
            free = max(len(built), len(points) - len(kept) - len(marks))
            svg += draw_circled(mark, *place(cell, points, n, free + k), cell.number)
    return svg


def seated(cell: Cell, n: int, built: list[Station]) -> dict[int, Station]:
    """The stations of a stop by place: tokens of a kind for places of their own last, the others as they came."""
    stop = cell.printed.face.stops[n]
    apart = [station for station in built if station.kind and stop.harbour_slots]
    plain = [station for station in built if station not in apart]
    return dict(enumerate(plain)) | {max(len(plain), stop.slots) + k: station for k, station in enumerate(apart)}


def place(cell: Cell, points: list[Point], n: int, k: int) -> Point:
    """The k-th place of a stop; a token more than it has places lies across its foot."""
    if k < len(points):
        return points[k]
    x, y = points[-1] if points else cell.plan.spots[n].point
    return (x, y + PLACE * (k - len(points) + 1)) if points else (x, y)


def draw_station(station: Station, at: Point, sheet: Sheet) -> str:
    """A token on its place; a home asleep is a dashed ring, one covered by a blank token a ring without letters."""
    x, y = at
    if station.asleep:
        return dashed("asleep", "" if station.kind else station.company, at, sheet)
    corner = f'x="{number(x - TOKEN / 2)}" y="{number(y - TOKEN / 2)}" width="{TOKEN:g}" height="{TOKEN:g}"'
    ring = f'<circle class="kind" cx="{number(x)}" cy="{number(y)}" r="26"/>' if station.kind else ""
    return f'<use class="station" href="#token-{escape(station.company)}" {corner}/>{ring}'


def draw_reservation(kept: Reservation, at: Point, sheet: Sheet) -> str:
    """A place reserved for a home."""
    return dashed("kept", kept.company, at, sheet)


def dashed(kind: str, company: str, at: Point, sheet: Sheet) -> str:
    """A dashed ring with the company's letters: a home asleep is filled, a reserved place hollow."""
    x, y = number(at[0]), number(at[1])
    letters = escape(letters_of(sheet, company))
    return (
        f'<circle class="home {kind}" cx="{x}" cy="{y}" r="18.5"/>'
        f'<text class="home-t" x="{x}" y="{number(at[1] + 4.6)}">{letters}</text>'
    )


def in_force(sheet: Sheet, revenue: Mapping[str, int], colour: str) -> str:
    """The colour whose value counts: the last one reached."""
    best = ""
    for step in sheet.colours[: sheet.rank(colour) + 1]:
        if step in revenue:
            best = step
    return best


def value_frame(sheet: Sheet, at: Point, revenue: Mapping[str, int], colour: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of the value in force, where all values stand around a point."""
    x, y = at
    left = x - VALUE_WIDTH * len(revenue) / 2
    now = in_force(sheet, revenue, colour)
    n = list(revenue).index(now) if now in revenue else 0
    return left + n * VALUE_WIDTH, y - VALUE_HEIGHT / 2, VALUE_WIDTH, VALUE_HEIGHT


def draw_values(sheet: Sheet, at: Point, revenue: Mapping[str, int], colour: str) -> str:
    """All values of a stop side by side on their colours, the one in force heavy and framed."""
    x, y = at
    left = x - VALUE_WIDTH * len(revenue) / 2
    now = in_force(sheet, revenue, colour)
    svg = ""
    for n, (step, amount) in enumerate(revenue.items()):
        force = "now" if step == now or not step else "off"
        box = f'x="{number(left + n * VALUE_WIDTH)}" y="{number(y - VALUE_HEIGHT / 2)}" width="33" height="24" rx="4"'
        middle = number(left + (n + 0.5) * VALUE_WIDTH)
        svg += f'<rect class="val v-{step or "plain"} {force}" {box}/>'
        svg += f'<text class="val-t {force}" x="{middle}" y="{number(y)}" dy=".36em">{amount}</text>'
    if now:
        u, v, width, height = value_frame(sheet, at, revenue, colour)
        svg += f'<rect class="val-frame" x="{number(u)}" y="{number(v)}" width="{width:g}" height="{height:g}" rx="4"/>'
    return svg


def draw_links(table: Mapping[int, int], at: Point, links: int) -> str:
    """The values of an area by links, with a pip under each that is filled once the link is made."""
    x, y = at
    left = x - STEP_WIDTH * (len(table) - 1) / 2
    svg = ""
    for n, (count, amount) in enumerate(sorted(table.items())):
        middle = number(left + n * STEP_WIDTH)
        force = "now" if count == links else "off"
        svg += f'<text class="val-t {force}" x="{middle}" y="{number(y)}">{amount}</text>'
        svg += f'<circle class="pip{" on" if count <= links else ""}" cx="{middle}" cy="{number(y + 10)}" r="3.6"/>'
    return f'<g class="links">{svg}</g>'
