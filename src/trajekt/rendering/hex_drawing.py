"""One hex drawn: everything on it that does not change while the same tile and the same marks lie there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape

from trajekt.engine.components.schema import FIRST_STOP, Face, Hex, Sheet, Tile
from trajekt.rendering.hex_geometry import direction, outline, towards
from trajekt.rendering.label_placement import (
    GROWN,
    LEADING,
    Box,
    Room,
    covers_track,
    largest_size,
    name_shapes,
    price,
    put,
    seat,
    text_box,
)
from trajekt.rendering.theme import Look, Mark
from trajekt.rendering.tile_layout import PLACE, LayoutPlan, bank_side, is_city, joined, leg, places, station_points
from trajekt.rendering.track_curves import RADIUS, TRACK_WIDTH, Line, Point, heading, number, path

TINTS = frozenset({"yellow", "green", "brown", "grey", "red", "orange"})
RIDGE = "M-30 12Q-19-14-9-2Q-2-20 10-14Q20-8 28 12"
HATCHING = "M4-9Q8 2 6 11M11-7Q17 2 16 11M18 0Q22 6 23 11M-12 3Q-10 8-11 11M-19 3Q-16 8-17 11"
BOAT = '<g class="boat"><path d="M-15-2H15L9.5 8.5H-9.5Z"/><path d="M-7-9.5H7V-3.5H-7Z"/></g>'
ANCHOR = "M0-7V11M-5-3H5M-10 3Q-8 11 0 11Q8 11 10 3M0-7a3 3 0 1 1 .01 0"
WAVE = "M-14 0q3.5-5 7 0t7 0t7 0t7 0"
HOUSES = "M-15 5V-4L-8-11L-1-4V5ZM3 5V-6L9-12L15-6V5Z"
HILLS = frozenset({"mountain", "hill"})
BORDER = 8.0  # width of a printed border
SMALL = 14  # points of the lettering in a small disc


@dataclass(frozen=True, slots=True)
class Printed:
    """The contents of a hex and their origin; the key of a drawing."""

    name: str
    face: Face
    hex: Hex
    tile: str = ""
    icons: tuple[str, ...] = ()


@dataclass(slots=True)
class Cell:
    """The drawing of a hex in its layers, and the places where changing things go, seen from the middle of the hex.

    `stations` are the places of each stop, `values` where a stop shows its values by colour, `areas` where an area shows
    its values by links; `boxes` is all that must not overlap. `circled` are marks that lie in circles of the first stop,
    `number` is what they bear before their text.
    """

    printed: Printed
    plan: LayoutPlan
    room: Room
    tint: str
    relief: str = ""
    track: str = ""
    stops: str = ""
    marks: str = ""
    stations: list[list[Point]] = field(default_factory=list)
    values: list[tuple[Point, int, Mapping[str, int]]] = field(default_factory=list)
    areas: list[tuple[Point, str]] = field(default_factory=list)
    placed: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    circled: tuple[Mark, ...] = ()
    number: str = ""

    @property
    def boxes(self) -> list[Box]:
        return self.room.firm


def tint(face: Face, printed: Hex, tile: str) -> str:
    """The ground of a hex: a colour of tiles, `upland` for open hills, else `white`."""
    if face.colour in TINTS:
        return face.colour
    return "upland" if printed.terrain == "mountain" and not tile else "white"


def is_blank(face: Face) -> bool:
    """A grey hex with nothing on it: the rim of the map."""
    return face.colour == "grey" and not face.stops and not face.track


def is_area(face: Face) -> bool:
    """An off-board hex: drawn by `areas`, with arrows in place of track."""
    return bool(face.stops) and all(stop.kind == "offboard" for stop in face.stops)


# ---------------------------------------------------------------------------------------------------- track and stops


def draw_track(cell: Cell, border: str = "") -> None:
    """A printed border; track in groups that join, each with a casing so that it passes over the one before; ferries; stubs."""
    face, layout = cell.printed.face, cell.plan.layout
    if border:
        cell.room.margin = 3 + BORDER
        cell.track += f'<polygon class="border b-{border}" points="{outline(layout, size=RADIUS - BORDER / 2)}"/>'
    for group in joined(face):
        legs = [leg(cell.plan, piece.a, piece.b) for piece in group]
        d = "".join(path(part.curve, part.begin, part.end) for part in legs)
        cell.track += f'<path class="case on-{cell.tint}" d="{d}"/><path class="trk on-{cell.tint}" d="{d}"/>'
    for piece in face.track:
        part = leg(cell.plan, piece.a, piece.b)
        if piece.kind:
            d = path(part.curve, part.begin, part.end)
            cell.track += f'<path class="ferry-case" d="{d}"/><path class="ferry" d="{d}"/>'
            x, y = (0.0, 0.0) if piece.a >= FIRST_STOP else part.points()[len(part.points()) // 2]
            moved = f' transform="translate({number(x)} {number(y)})">' if piece.a < FIRST_STOP else ">"
            cell.stops += BOAT.replace(">", moved, 1)
            put(cell.room, Box(x, y, 8, 3, 7, "boat"))
        cell.room.soft += [Box(x, y, round=TRACK_WIDTH / 2 + 2, what="track") for x, y in part.points()]
    if not cell.printed.tile:
        for edge in cell.printed.hex.stubs:
            d = path(Line(towards(layout, edge), towards(layout, edge, 0.66)))
            cell.track += f'<path class="trk stub" d="{d}"/>'
            cell.room.soft += [
                Box(*towards(layout, edge, share), round=8, what="track") for share in (1, 0.9, 0.8, 0.7)
            ]


def draw_stops(cell: Cell, look: Look) -> None:
    """Cities with their places, towns, and places of loading."""
    for n, stop in enumerate(cell.printed.face.stops):
        spot = cell.plan.spots[n]
        x, y = spot.point
        points = station_points(cell.plan, n) if places(stop) else []
        cell.stations.append(points)
        if is_city(stop):
            cell.stops += stop_shape(cell.plan, n, "city-line") + stop_shape(cell.plan, n, "city-fill")
            for k, (u, v) in enumerate(points):
                cell.stops += f'<circle class="slot" cx="{number(u)}" cy="{number(v)}" r="{PLACE - 2.5:g}"/>'
                if k >= max(stop.slots, 1):  # a place for harbour tokens alone
                    cell.stops += draw_anchor(u, v)
                put(cell.room, Box(u, v, round=PLACE + 2.5, what="city"))
        elif stop.kind == "town" and spot.curve is not None:
            cell.stops += stop_shape(cell.plan, n, f"town-case on-{cell.tint}") + stop_shape(cell.plan, n, "town")
            put(cell.room, Box(x, y, round=13, what="town"))
        elif stop.kind == "town":
            size = 12 if spot.exits else 9
            kind = "dot" if spot.exits else "dot open"
            cell.stops += f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{size}"/>'
            put(cell.room, Box(x, y, round=size + 2, what="town"))
        else:
            icon = next((i for i in (*stop.icons, *cell.printed.hex.possible_icons) if i in look.marks), "")
            if icon:
                cell.stops += draw_mark(look.marks[icon], x, y, 20)
            else:
                cell.stops += (
                    f'<rect class="dot" x="{number(x - 9)}" y="{number(y - 9)}" width="18" height="18" rx="3"/>'
                )
            put(cell.room, Box(x, y, round=13, what="stop"))


def stop_shape(drawn: LayoutPlan, n: int, kind: str) -> str:
    """The line that a stop is: a bar of places, a bar across its track, or a dot; drawn again wider it is a ring."""
    stop, spot = drawn.face.stops[n], drawn.spots[n]
    x, y = spot.point
    if is_city(stop):
        points = station_points(drawn, n)
        (x0, y0), (x1, y1) = points[0], points[-1]
        if len(points) == 4:
            return (
                f'<path class="{kind} c four" d="M{number(x0)} {number(y0)}H{number(x1)}V{number(y1)}H{number(x0)}Z"/>'
            )
        return f'<path class="{kind} c" d="M{number(x0)} {number(y0)}L{x1 + 0.01:.2f} {number(y1)}"/>'
    if spot.curve is None:
        return f'<path class="{kind} d" d="M{number(x)} {number(y)}h.01"/>'
    across = heading(spot.curve, spot.share) + math.pi / 2
    u, v = math.cos(across) * 13, math.sin(across) * 13
    return f'<path class="{kind} b" d="M{number(x - u)} {number(y - v)}L{number(x + u)} {number(y + v)}"/>'


# ---------------------------------------------------------------------------------------------------------- lettering


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be seated: its kind, the boxes it may take (best first), and where it wishes to be."""

    kind: str
    key: str
    shapes: tuple[Box, ...]
    wish: Point
    weight: float = 0.15
    text: str = ""
    side: Point | None = None


SIZES = (26.0, 23.0, 20.0, 18.0, 15.5, 13.5, 12.0)
USUAL = 22.0  # points of a name where there is room for more; long ones take 20


def letter(cell: Cell, sheet: Sheet, look: Look) -> None:
    """Seat everything that has no place set by hand, in the order that crowds least."""
    found = items(cell, sheet, look)
    fixed = [item for item in found if item.key in cell.placed]
    for item in fixed:
        seat_by_hand(cell, item)
    best: tuple[Room, list[tuple[Item, Box]]] | None = None
    for order in _orders([item for item in found if item.key not in cell.placed]):
        room = cell.room.copy()
        seated = []
        for item in order:
            cost, box = best_seat(room, item)
            seated.append((item, put(room, box, cost)))
        if best is None or room.cost < best[0].cost - 0.01:
            best = room, seated
        if room.cost < 7 * len(order):
            break
    assert best is not None
    cell.room = best[0]
    for item, box in best[1]:
        if item.kind == "name" and cell.printed.tile and covers_track(cell.room, box):
            cell.room.firm.remove(box)  # the hex says it in words
            continue
        draw_item(cell, look, item, box)
    for item in fixed:
        draw_item(cell, look, item, next(box for box in cell.room.firm if box.what == item.key))


def _orders(loose: Sequence[Item]) -> Iterator[list[Item]]:
    """Orders in which to seat items: names first or last, either way round."""
    names = [item for item in loose if item.kind == "name"]
    others = [item for item in loose if item.kind != "name"]
    yield names + others
    yield others + names
    yield names[::-1] + others
    yield others[::-1] + names[::-1]
    yield others[::-1] + names


def best_seat(room: Room, item: Item) -> tuple[float, Box]:
    """The best place among all shapes of an item; a later shape costs more, and none is tried after one that fits well."""
    best = math.inf, item.shapes[0]
    for step, shape in enumerate(item.shapes):
        extra = step * 4
        if best[0] < extra:
            break
        cost, box = seat(room, shape, item.wish, item.weight, item.side, best[0] - extra)
        best = min(best, (cost + extra, box), key=lambda found: found[0])
        if cost < 10:
            break
    return best


def seat_by_hand(cell: Cell, item: Item) -> None:
    """Put an item where the game's look wants it; a name of the size and in as many lines as are given there."""
    x, y, *given = cell.placed[item.key]
    shape = item.shapes[0]
    if given:
        size, lines = given[0], round(given[1]) if len(given) > 1 else 1
        shape = next(each for each in name_shapes(item.text, (size,)) if len(each.lines) == lines)
    put(cell.room, replace(shape, x=x, y=y))


def items(cell: Cell, sheet: Sheet, look: Look) -> list[Item]:
    """List what has to be placed on a tile or a printed hex, most important first."""
    face, names = cell.printed.face, cell.printed.hex.names
    tile = sheet.tiles.get(cell.printed.tile)
    found = []
    for n, stop in enumerate(face.stops):
        if len(stop.revenue) > 1:
            box = Box(0, 0, 16.5 * len(stop.revenue), 12, 1, "value")
            found.append(Item("value", "value", (box,), (0, 44), text=str(n)))
    for n, name in enumerate(names):
        shapes = tuple(name_shapes(name, SIZES))
        found.append(Item("name", name, shapes, name_wish(cell, n), 0.12, name, name_side(cell, n)))
    found += [*_revenues(cell), *_signs(cell, look)]
    if face.ferry_revenue is not None:
        found.append(
            Item("ferry", "ferry", (Box(0, 0, round=13, what="ferry"),), (0, 26), text=str(face.ferry_revenue))
        )
    found += _costs(cell, tile)
    if tile is not None and tile.name and not names:
        shapes = tuple(name_shapes(tile.name, SIZES[1:]))
        found.append(Item("name", tile.name, shapes, (0, -52), 0.12, tile.name))
    return found


def _revenues(cell: Cell) -> Iterator[Item]:
    """The amounts that stops pay in every phase, once for the stops of one city."""
    face = cell.printed.face
    paid = [n for n, stop in enumerate(face.stops) if stop.revenue.get("", 0)]
    for n in paid:
        if any(same_city(face, n, m) for m in paid if m < n):
            continue
        x, y = cell.plan.spots[n].point
        wish = (x * 1.35, y * 1.35 - (38 if abs(x) < 20 and y <= 5 else 0)) if (x, y) != (0, 0) else value_wish(cell, n)
        disc = Box(0, 0, round=16, what=f"revenue{n}")
        yield Item("revenue", f"revenue{n}", (disc,), wish, text=str(n), side=stop_side(cell, n))


def _signs(cell: Cell, look: Look) -> Iterator[Item]:
    """The marks that lie or are printed here, the label, and what may come to lie here."""
    printed, face = cell.printed, cell.printed.face
    for icon in (*face.icons, *printed.icons):
        mark = look.marks.get(icon, Mark("pill", icon))
        if mark in cell.circled:
            continue
        pill = mark.shape == "pill"  # else a disc or a hexagon
        box = Box(0, 0, 12, 0, 11, icon) if pill else Box(0, 0, round=15, what=icon)
        yield Item("mark", icon, (box,), (52, -36), text=icon)
    label = tile_label(face, printed.hex)
    if label and label not in printed.hex.names:
        yield Item("label", "label", (text_box(label, 22, what="label"),), (-58, 34), text=label)
    disc = (Box(0, 0, round=13, what="possible"),)
    for icon in printed.hex.possible_icons:
        if possible(cell, icon):
            yield Item("possible", f"possible-{icon}", disc, (52, -36), 0.15, icon)


def _costs(cell: Cell, tile: Tile | None) -> Iterator[Item]:
    """The cost of a lay in Mark, on hills where the hex has them."""
    printed = cell.printed.hex
    cost = tile.upgrade_cost if tile is not None else printed.cost
    if cost and printed.terrain in HILLS:
        hills = (Box(0, 0, 28, 20, 2, "hill"), Box(0, 0, 22, 17, 2, "hill"))
        yield Item("hill", "hill", hills, (0, 48) if cell.printed.face.stops else (0, 0), 0.06, str(cost))
    elif cost:
        yield Item("cost", "cost", (Box(0, 0, 13, 14, 1, "cost"),), (44, 34), text=str(cost))


def possible(cell: Cell, icon: str) -> bool:
    """Tell whether a hex shows that a mine or mill may come here: as printed, until one lies here or a stop shows it."""
    printed = cell.printed
    stops = [stop for stop in printed.face.stops if not is_city(stop) and stop.kind != "town"]
    return not printed.tile and icon not in (*printed.icons, *printed.face.icons) and not stops


def same_city(face: Face, n: int, m: int) -> bool:
    """One city drawn in several places, its value printed once: of one name on one bank, or joined by a ferry."""
    one, two = face.stops[n], face.stops[m]
    if any(piece.kind and {piece.a, piece.b} == {FIRST_STOP + n, FIRST_STOP + m} for piece in face.track):
        return one.revenue == two.revenue
    return bool(one.name) and one.name == two.name and one.revenue == two.revenue and one.bank == two.bank


def tile_label(face: Face, printed: Hex) -> str:
    """The letters a tile or hex bears; of several only those of the hex it lies on."""
    if len(face.labels) == 1:
        return face.labels[0]
    if printed.face.labels in ((), face.labels):
        return "/".join(face.labels)
    return next((label for label in printed.face.labels if label in face.labels), "")


def value_wish(cell: Cell, n: int) -> Point:
    """Beside the middle, between two tracks: the widest free angle."""
    exits = sorted(direction(cell.plan.layout, edge) % (2 * math.pi) for edge in cell.plan.spots[n].exits)
    far = 46 if len(cell.stations[n]) < 3 else 52
    if not exits:
        return 38, -38
    gaps = [
        ((after - before) % (2 * math.pi) or 2 * math.pi, before)
        for before, after in zip(exits, exits[1:] + exits[:1], strict=True)
    ]
    size, before = max(gaps, key=lambda found: (round(found[0], 3), -abs(math.sin(found[1] + found[0] / 2) + 1)))
    angle = before + min(size / 2, math.pi / 2)
    return math.cos(angle) * far, math.sin(angle) * far


def name_wish(cell: Cell, n: int) -> Point:
    """Near the city that bears the name: the one called so, on its bank, or with its track."""
    face, was = cell.printed.face, cell.printed.hex.face
    names = cell.printed.hex.names
    cities = [k for k, stop in enumerate(face.stops) if stop.kind != "town"]
    if not cities:
        return (0, 40) if face.stops else (0, 0)
    home = bearer(was, names, n)
    side = name_side(cell, n)
    if side is not None:
        return side[0] * 46 + abs(side[1]) * 42, side[1] * 46 - abs(side[0]) * 42
    here = successor(face, was, home, cities) if home is not None else None
    if here is None:
        here = cities[min(n, len(cities) - 1)]
    x, y = cell.plan.spots[here].point
    if len(cities) == 1 and len(names) > 1:
        return x * 0.4, y + (-44 if n == 0 else 44)
    return x * 0.6, y + (44 if y >= -4 else -44)


def bearer(was: Face, names: tuple[str, ...], n: int) -> int | None:
    """The printed stop that bears a name of its hex."""
    return next((k for k, stop in enumerate(was.stops) if stop.name == names[n]), n if n < len(was.stops) else None)


def name_side(cell: Cell, n: int) -> Point | None:
    """The bank on which a name belongs, as a direction; a name alone belongs to both."""
    was, names = cell.printed.hex.face, cell.printed.hex.names
    home = bearer(was, names, n)
    if len(was.banks) != 2 or home is None or len(names) < 2:
        return None
    return bank_side(cell.plan.layout, was, was.banks[0 if was.stops[home].bank == "left" else 1][0])


def stop_side(cell: Cell, n: int) -> Point | None:
    """The bank on which a stop lies, as a direction."""
    face = cell.printed.face
    if len(face.banks) != 2 or not face.stops[n].bank:
        return None
    return bank_side(cell.plan.layout, face, face.banks[0 if face.stops[n].bank == "left" else 1][0])


def successor(face: Face, was: Face, home: int, cities: list[int]) -> int | None:
    """The stop of the new face that a printed stop has become, where more than one is left."""
    if len(cities) < 2:
        return None
    exits = {piece.a for piece in was.track if piece.b == FIRST_STOP + home}
    for k in cities:
        if exits and exits <= {piece.a for piece in face.track if piece.b == FIRST_STOP + k}:
            return k
    return None


def draw_item(cell: Cell, look: Look, item: Item, box: Box) -> None:
    """Draw a seated item into the layer where it belongs."""
    x, y = box.x, box.y
    if item.kind == "value":
        cell.values.append(((x, y), int(item.text), cell.printed.face.stops[int(item.text)].revenue))
    elif item.kind == "name":
        cell.marks += draw_name(cell, box)
    elif item.kind == "revenue":
        amount = cell.printed.face.stops[int(item.text)].revenue[""]
        cell.marks += draw_revenue((x, y), amount)
    elif item.kind == "mark":
        mark = look.marks.get(item.text, Mark("pill", item.text))
        cell.marks += draw_mark(numbered(mark, cell.number), x, y)
    elif item.kind == "label":
        cell.marks += draw_text(cell, (x, y), item.text, "letter", 22)
    elif item.kind == "hill":
        scale = box.half_width / 28
        cell.relief += (
            f'<g class="hill" transform="translate({number(x)} {number(y - 8 * scale)}) scale({scale:.3g})">'
            f'<path d="{RIDGE}"/><path class="shade" d="{HATCHING}"/></g>'
        )
        cell.marks += draw_text(cell, (x, y + 14 * scale), item.text, "cost", 17)
    elif item.kind == "cost":
        housing = cell.printed.hex.terrain == "housing"
        kind, drawn, ink = ("houses", HOUSES, "cost") if housing else ("wave", WAVE, "cost wet")
        cell.relief += (
            f'<path class="{kind} on-{cell.tint}" transform="translate({number(x)} {number(y - 9)})" d="{drawn}"/>'
        )
        cell.marks += draw_text(cell, (x, y + 6), item.text, ink, 17)
    elif item.kind == "possible":
        drawn = draw_mark(look.marks.get(item.text, Mark("pill", item.text)), x, y, 12)
        cell.marks += f'<g class="possible">{drawn}</g>'
    elif item.kind == "ferry":
        cell.marks += draw_revenue((x, y), int(item.text), 12, SMALL)


def draw_text(cell: Cell, at: Point, text: str, kind: str, size: float) -> str:
    """A line of lettering around a middle, haloed in the ground of the hex."""
    return (
        f'<text class="{kind} on-{cell.tint}" x="{number(at[0])}" y="{number(at[1] + size * 0.36)}" '
        f'font-size="{size:g}">{escape(text)}</text>'
    )


def draw_name(cell: Cell, box: Box) -> str:
    """The lines of a name. On a small map they grow up to the size for which there is room, or are left out."""
    usual = USUAL - 2 * (len("".join(box.lines)) >= 10)
    size, most = min(box.size, usual), math.floor(largest_size(cell.room, box, GROWN))
    kind = f"name on-{cell.tint} g{max(most, math.floor(size))}"
    drawn = ""
    for n, line in enumerate(box.lines):
        down = (n - (len(box.lines) - 1) / 2) * LEADING + 0.36
        drawn += f'<text class="{kind}" x="{number(box.x)}" y="{number(box.y)}" dy="{down:.2f}em">{escape(line)}</text>'
    return f'<g font-size="{size:g}">{drawn}</g>'


def draw_revenue(at: Point, amount: int, radius: float = 16, size: float = 19) -> str:
    """Draw what a stop pays in Mark in a white disc; a smaller one is what it pays by ferry."""
    x, y = at
    kind = "rev-t" if size == 19 else "rev-t small"
    return (
        f'<circle class="rev" cx="{number(x)}" cy="{number(y)}" r="{radius:g}"/>'
        f'<text class="{kind}" x="{number(x)}" y="{number(y)}" dy=".36em">{amount}</text>'
    )


def numbered(mark: Mark, number_: str) -> Mark:
    """A lozenge with the number of what it belongs to before its text; one without a text stays empty."""
    return replace(mark, text=f"{number_}·{mark.text}") if number_ and mark.text and mark.shape == "pill" else mark


def draw_mark(mark: Mark, x: float, y: float, size: float = 14) -> str:
    """A mine or mill as a hexagon, an anchor in a disc, another mark as a lozenge with its letters."""
    if mark.shape == "anchor":
        disc = f'<circle class="anchor-disc" cx="{number(x)}" cy="{number(y)}" r="{size:g}"/>'
        return disc + draw_anchor(x, y, "anchor on-disc", size / 17)
    if mark.shape in ("mine", "mill"):
        corner = f'x="{number(x - size)}" y="{number(y - size)}" width="{2 * size:g}" height="{2 * size:g}"'
        return f'<use href="#mark-{mark.shape}" {corner}/>'
    return (
        f'<g class="pill pill-{mark.colour_name}" transform="translate({number(x)} {number(y)})">'
        f'<rect x="-23" y="-11" width="46" height="22" rx="11"/><text y="5.4">{escape(mark.text)}</text></g>'
    )


def draw_circled(mark: Mark, x: float, y: float, number_: str = "") -> str:
    """A lozenge that lies in a circle of a city, round like a station; above its text the number of what it belongs to."""
    above = f'<text class="of" y="-5.5">{escape(number_)}</text>' if number_ else ""
    return (
        f'<g class="pill pill-{mark.colour_name} circled" transform="translate({number(x)} {number(y)})">'
        f'<rect x="-20" y="-20" width="40" height="40" rx="20"/>{above}'
        f'<text y="{9 if above else 5.4:g}">{escape(mark.text)}</text></g>'
    )


def draw_anchor(x: float, y: float, kind: str = "anchor", size: float = 1.0) -> str:
    """An anchor, the sign of a harbour."""
    scale = "" if size == 1 else f" scale({size:.2f})"
    return f'<path class="{kind}" transform="translate({number(x)} {number(y)}){scale}" d="{ANCHOR}"/>'


def draw_small(cell: Cell) -> None:
    """Coordinate and tile number, faint, where there is room; the rim says the coordinates too."""
    wishes = [(cell.printed.name, (0.0, -80.0), "coord")] if cell.printed.name else []
    if cell.printed.tile:
        wishes.append((cell.printed.tile, (0.0, 80.0), "coord num"))
    for text, wish, kind in wishes:
        cost, box = seat(cell.room, text_box(text, 14, what=kind), wish, 0.02)
        if cost - 0.02 * math.dist((box.x, box.y), wish) < 16 and price(cell.room, box) < 16:
            put(cell.room, box)
            cell.marks += draw_text(cell, (box.x, box.y), text, kind, 14)
