"""Entries of 18Rhl's sheet that say the same thing twice: mountains, ends of the Iron Rhine, metropolises."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.components.agreement import Statement, disagreements, listed, with_icon
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet

SEILZUG, TRAJEKT = 3, 4
"""The private companies whose certificates name the mountains and the metropolises."""


def repeated_entries(sheet: Sheet) -> Iterator[SheetFault]:
    """Faults of entries that say the same thing and do not agree."""
    yield from disagreements(
        _on_certificate(sheet, SEILZUG),
        {
            at: Statement(f"hexes.{at}.terrain", True)
            for at, found in sheet.hexes.items()
            if found.terrain == "mountain"
        },
        (f"privates.{SEILZUG}.hexes", "hexes"),
    )
    yield from disagreements(
        _in_bonus(sheet, "iron_rhine"), with_icon(sheet, "ERh"), ("bonuses.iron_rhine.hexes", "hexes")
    )
    metropolises = _in_bonus(sheet, "ferry")
    yield from disagreements(
        metropolises, _in_bonus(sheet, "rheingold"), ("bonuses.ferry.hexes", "bonuses.rheingold.hexes")
    )
    yield from disagreements(
        metropolises, _on_certificate(sheet, TRAJEKT), ("bonuses.ferry.hexes", f"privates.{TRAJEKT}.hexes")
    )


def _in_bonus(sheet: Sheet, name: str) -> dict[str, Statement]:
    return listed(f"bonuses.{name}.hexes", sheet.bonuses.get(name, {}).get("hexes"))


def _on_certificate(sheet: Sheet, number: int) -> dict[str, Statement]:
    private = sheet.privates.get(number)
    return {} if private is None else listed(f"privates.{number}.hexes", private.hexes)
