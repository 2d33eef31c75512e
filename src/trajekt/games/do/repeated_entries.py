"""Entries of 18DO's sheet that say the same thing twice: places, minors, sums of cubes, start values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trajekt.engine.components.agreement import Statement, disagreements, listed, with_icon
from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet

PLACES = {"coal_mines": "K", "steel_mills": "S"}
"""The icon of a kind of special places on the map."""
LABELS = {"city": "DO", "harbour": "H"}
"""The label of the tiles that lie on a special place."""


def repeated_entries(sheet: Sheet) -> Iterator[SheetFault]:
    """Faults of entries that say the same thing and do not agree."""
    own: Mapping[str, Any] = sheet.own
    places = own.get("places", {})
    for kind, icon in PLACES.items():
        key = f"own.places.{kind}.hexes"
        yield from disagreements(listed(key, _part(places, kind, "hexes")), with_icon(sheet, icon), (key, "hexes"))
    for kind, label in LABELS.items():
        key = f"own.places.{kind}.hexes"
        for number, tile in sheet.tiles.items():
            if label in tile.face.labels and tile.hexes:
                lies = listed(f"tiles.{number}.hexes", tile.hexes)
                yield from disagreements(
                    listed(key, _part(places, kind, "hexes")), lies, (key, f"tiles.{number}.hexes")
                )
    if "minors" in own:
        minors = {
            str(code): Statement(f"own.minors.{code}", True)
            for code, each in own["minors"].items()
            if isinstance(each, Mapping)
        }
        cards = {each.code: Statement(f"privates.{number}.code", True) for number, each in sheet.privates.items()}
        yield from disagreements(minors, cards, ("own.minors", "privates"))
    yield from _cubes(own.get("cubes", {}))
    if "minors" in own:
        yield from _start_values(sheet, own.get("start_values", {}))  # the Railway Game has a market of its own


def _part(table: Any, name: str, key: str) -> Any:
    found = table.get(name)
    return found.get(key) if isinstance(found, Mapping) else None


def _cubes(cubes: Mapping[str, Any]) -> Iterator[SheetFault]:
    """Cubes at the start that do not come to their total."""
    for players, found in cubes.items():
        if not isinstance(found, Mapping):
            continue
        parts = [value for key, value in found.items() if key != "total"]
        numbers = [number for part in parts for number in (part if isinstance(part, list | tuple) else [part])]
        if all(type(number) is int for number in numbers) and sum(numbers) != found.get("total"):
            yield fault(f"own.cubes.{players}.total", f"{found.get('total')} are printed, the sheet has {sum(numbers)}")


def _start_values(sheet: Sheet, values: Mapping[str, Any]) -> Iterator[SheetFault]:
    """Start values that are no par space of the market."""
    for kind, by_colour in values.items():
        for colour, prices in by_colour.items() if isinstance(by_colour, Mapping) else ():
            for price in prices if isinstance(prices, list | tuple) else ():
                if price not in sheet.market.pars:
                    yield fault(f"own.start_values.{kind}.{colour}", f"{price} is no par value")
