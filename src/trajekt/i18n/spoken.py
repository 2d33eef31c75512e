"""The map and the market in words, for who listens to them: what a hex bears, what stands on a space of the market."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trajekt.engine.board.board import Board
from trajekt.engine.board.track_graph import StopRef, ends_of, hex_of
from trajekt.engine.components.schema import FIRST_STOP, CompanyId, Face, HexId, Sheet, Stop
from trajekt.i18n.sentences import Catalogue
from trajekt.rendering.hex_drawing import bearer, successor
from trajekt.rendering.station_overlay import in_force
from trajekt.rendering.token_symbols import letters_of


def stop_name(board: Board, reference: StopRef) -> str:
    """The name that stands beside a stop on the map: of its bank, or of the city it came from; else the coordinate."""
    at, ends = hex_of(reference), ends_of(reference)
    printed = board.sheet.hexes.get(at)
    if printed is None or not printed.names:
        return at
    names, was, face = printed.names, printed.face, board.face(at)
    index = ends[-1] - FIRST_STOP if ends else 0
    if len(names) == 1 or not 0 <= index < len(face.stops):
        return names[0]
    if len(face.stops) == 1:
        return "/".join(names)
    stop = face.stops[index]
    homes = [bearer(was, names, n) for n in range(len(names))]
    for name, home in zip(names, homes, strict=True):
        if stop.bank and home is not None and was.stops[home].bank == stop.bank:
            return name
    return _name_by_origin(names, homes, was, face)[index]


def _name_by_origin(names: Sequence[str], homes: Sequence[int | None], was: Face, face: Face) -> list[str]:
    """The name of each stop: of the printed stop that it came from; the others take the names that are left in order."""
    cities = [k for k, each in enumerate(face.stops) if each.kind != "town"]
    claims = {n: successor(face, was, home, cities) for n, home in enumerate(homes) if home is not None}
    found = {k: names[n] for n, k in reversed(claims.items()) if k is not None}
    free = [name for n, name in enumerate(names) if claims.get(n) is None]
    waiting = [k for k in range(len(face.stops)) if k not in found]
    if free:
        found |= {k: free[min(n, len(free) - 1)] for n, k in enumerate(waiting)}
    return [found.get(k, names[min(k, len(names) - 1)]) for k in range(len(face.stops))]


def spoken_hex(say: Catalogue, board: Board, at: HexId, colour: str) -> str:
    """A hex in a sentence: where it is, what lies there, its stops with values and stations, where its track leads.

    `colour` is the colour whose values are in force.
    """
    sheet, contents, face = board.sheet, board.contents(at), board.face(at)
    printed = sheet.hexes[at]
    parts = [" ".join([at, *printed.names])]
    if contents.tile:
        parts.append(say.text("said.tile", colour=say.text(f"said.colour.{face.colour}"), tile=contents.tile))
    elif face.colour and face.colour != "red":
        parts.append(say.text(f"said.colour.{face.colour}"))
    if printed.terrain and not contents.tile:
        parts.append(say.text(f"said.terrain.{printed.terrain}", cost=printed.cost or ""))
    if printed.blocked_until:
        parts.append(say.text("said.blocked"))
    several = len(face.stops) > 1 and len(printed.names) > 1
    for n, stop in enumerate(face.stops):
        named = stop_name(board, f"{at}:{chr(97 + n)}") if several else ""
        parts.append(spoken_stop(say, board, at, n, stop, named=named, colour=colour))
    parts += [_icon(say, icon) for icon in dict.fromkeys((*face.icons, *contents.icons))]
    if face.edges:
        ways = [say.text(f"said.{sheet.layout}.{edge}") for edge in sorted(face.edges, key=_from_north)]
        parts.append(say.text("said.track", ways=", ".join(ways)))
    return "; ".join(part for part in parts if part)


def spoken_stop(say: Catalogue, board: Board, at: HexId, n: int, stop: Stop, *, named: str, colour: str) -> str:
    """A stop with its value, the stations on it and the places that are free."""
    sheet, contents = board.sheet, board.contents(at)
    here = [station for station in contents.stations if station.stop == n]
    on = [letters_of(sheet, station.company) for station in here if not station.asleep]
    away = [f"({letters_of(sheet, station.company)})" for station in here if station.asleep]
    kept = [f"({letters_of(sheet, keeper.company)})" for keeper in contents.reservations if keeper.stop == n]
    free = stop.slots - len(here)
    worth = stop.revenue.get(in_force(sheet, stop.revenue, colour), stop.revenue.get("", 0))
    return say.text(
        "said.stop",
        kind=say.text(f"said.kind.{stop.kind}"),
        name=named,
        value=worth or "",
        stations=", ".join(on + away + kept),
        free=say.text("said.free", number=free) if free > 0 and stop.slots else "",
        icons=", ".join(_icon(say, icon) for icon in stop.icons),
    )


def spoken_space(
    say: Catalogue,
    sheet: Sheet,
    price: int,
    stack: Sequence[CompanyId],
    ghosts: Sequence[str],
    operated: Collection[CompanyId] = (),
) -> str:
    """A space of the market: its price, who stands there in operating order and who of them has operated, who would."""

    def told(company: CompanyId) -> str:
        letters = letters_of(sheet, company)
        return say.text("said.operated", company=letters) if company in operated else letters

    return say.text(
        "said.space",
        price=say.money(price),
        companies=", ".join(map(told, stack)),
        ghosts=", ".join(ghosts),
    )


def _icon(say: Catalogue, icon: str) -> str:
    return say.text(f"icon.{icon}") if f"icon.{icon}" in say else icon


def _from_north(edge: int) -> int:
    """Clockwise from the north, in both layouts."""
    return (edge - 3) % 6
