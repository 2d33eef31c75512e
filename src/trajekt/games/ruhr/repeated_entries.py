"""Entries of 18Ruhr's sheet that say the same thing twice: mines on hex, charter and certificate; named numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trajekt.engine.components.agreement import Statement, disagreements, stated
from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet

SIGNS = {"coal": "K", "steel": "S"}
"""The icon of an industry on the map."""


def repeated_entries(sheet: Sheet) -> Iterator[SheetFault]:
    """Faults of entries that say the same thing and do not agree."""
    hexes = {at: found for at, found in sheet.hexes.items() if "pmc" in found.own}
    places = stated(sheet, "pmcs", "hex")
    on_map = {at: Statement(f"hexes.{at}.own.pmc", str(found.own["pmc"])) for at, found in hexes.items()}
    on_charters = {str(each.value): Statement(each.key, mine) for mine, each in places.items()}
    yield from disagreements(on_charters, on_map, ("own.pmcs", "hexes"))
    on_cards = {
        str(number): Statement(f"privates.{number}.hexes", private.hexes[0])
        for number, private in sheet.privates.items()
        if private.hexes
    }
    yield from disagreements(places, on_cards, ("own.pmcs", "privates"))
    industries = stated(sheet, "pmcs", "industry")
    yield from disagreements(
        industries,
        {
            str(found.own["pmc"]): Statement(f"hexes.{at}.own.industry", found.own.get("industry"))
            for at, found in hexes.items()
        },
    )
    yield from disagreements(
        {mine: Statement(each.key, SIGNS.get(str(each.value))) for mine, each in industries.items()},
        {
            str(found.own["pmc"]): Statement(f"hexes.{at}.icons", icon)
            for at, found in hexes.items()
            for icon in found.face.icons
        },
    )
    yield from _numbers(sheet)


def _numbers(sheet: Sheet) -> Iterator[SheetFault]:
    """Numbers of mines and certificates that are named and do not exist."""
    own: Mapping[str, Any] = sheet.own
    for name, scenario in own.get("scenarios", {}).items():
        if isinstance(scenario, Mapping):
            yield from _there(f"own.scenarios.{name}.active", scenario.get("active", ()), own.get("pmcs", {}))
    for players, numbers in own.get("package", {}).get("privates", {}).items():
        yield from _there(f"own.package.privates.{players}", numbers, sheet.privates)
    for phase in sheet.phases:
        yield from _there(f"phases.{phase.name}.own.closes", phase.own.get("closes", ()), sheet.privates)


def _there(key: str, numbers: object, known: Iterable[object]) -> Iterator[SheetFault]:
    names = set(map(str, known))
    for number in numbers if isinstance(numbers, list | tuple) else ():
        if str(number) not in names:
            yield fault(key, f"there is no number {number}")
