"""Entries of 18LRA's sheet that say the same thing twice: fields of two hexes, harbours, certificates, bonuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trajekt.engine.components.agreement import Statement, disagreements, listed, stated, with_icon
from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet


def repeated_entries(sheet: Sheet) -> Iterator[SheetFault]:
    """Faults of entries that say the same thing and do not agree."""
    own: Mapping[str, Any] = sheet.own
    yield from _fields(sheet)
    harbours = stated(sheet, "harbours", "hex")
    names = {name: Statement(f"own.harbours.{name}", name) for name in harbours}
    yield from disagreements(harbours, names)
    yield from disagreements(
        {str(each.value): Statement(each.key, True) for each in harbours.values()},
        with_icon(sheet, "harbour"),
        ("own.harbours", "hexes"),
    )
    tiles = {str(each.value): Statement(each.key, name) for name, each in stated(sheet, "harbours", "tile").items()}
    yield from disagreements(tiles, _tile_hexes(sheet))
    for name, private in stated(sheet, "harbours", "private").items():
        card = sheet.privates.get(private.value) if isinstance(private.value, int) else None
        if card is None:
            yield fault(private.key, f"there is no number {private.value}")
            continue
        here = {"hex": Statement(f"own.harbours.{name}.hex", harbours[name].value if name in harbours else name)}
        yield from disagreements(here, {"hex": Statement(f"privates.{private.value}.hexes", "".join(card.hexes[:1]))})
        here = {"tile": Statement(f"own.harbours.{name}.tile", own["harbours"][name].get("tile"))}
        yield from disagreements(here, {"tile": Statement(f"privates.{private.value}.tile", card.tile)})
    for company, found in sheet.companies.items():
        special = found.own.get("harbour_cost_at", {})
        if isinstance(special, Mapping) and special and special.get("hex") not in own.get("harbours", {}):
            yield fault(f"companies.{company}.own.harbour_cost_at.hex", f"{special.get('hex')} has no harbour")
    gkb = own.get("gkb", {}).get("private")
    if isinstance(gkb, int) and gkb not in sheet.privates:
        yield fault("own.gkb.private", f"there is no number {gkb}")
    yield from _camp(sheet)
    yield from _iron_rhine(sheet)


def _fields(sheet: Sheet) -> Iterator[SheetFault]:
    """Hexes that are printed as one field and are not joined on the map, and the other way round."""
    listed_fields: dict[str, Statement] = {}
    for name, hexes in stated(sheet, "fields", "hexes").items():
        together = sorted(hexes.value) if isinstance(hexes.value, list | tuple) else []
        listed_fields |= {at: Statement(f"own.fields.{name}.hexes", together) for at in together}
    joined = {
        at: Statement(f"hexes.{at}.joined", sorted([at, *each.joined]))
        for at, each in sheet.hexes.items()
        if each.joined
    }
    yield from disagreements(listed_fields, joined, ("own.fields", "hexes"))


def _tile_hexes(sheet: Sheet) -> dict[str, Statement]:
    """The only hex on which a tile may lie, where there is one."""
    return {
        number: Statement(f"tiles.{number}.hexes", tile.hexes[0])
        for number, tile in sheet.tiles.items()
        if len(tile.hexes) == 1
    }


def _camp(sheet: Sheet) -> Iterator[SheetFault]:
    """The hex of the emigrant camp, on its certificate and in its bonus."""
    bonus, card = sheet.bonuses.get("dalheim", {}), sheet.privates.get(1)
    if card is not None and "hexes" in bonus:
        yield from disagreements(
            listed("bonuses.dalheim.hexes", bonus["hexes"]),
            listed("privates.1.hexes", card.hexes),
            ("bonuses.dalheim.hexes", "privates.1.hexes"),
        )


def _iron_rhine(sheet: Sheet) -> Iterator[SheetFault]:
    """Fields with the icon of the Iron Rhine beside the ends of its bonus; of a field one hex is enough."""
    ends = listed("bonuses.iron_rhine.hexes", sheet.bonuses.get("iron_rhine", {}).get("hexes"))
    beside = {at for end in ends if end in sheet.hexes for at in sheet.hexes[end].joined}
    printed = {at: each for at, each in with_icon(sheet, "ERh").items() if at in ends or at not in beside}
    yield from disagreements(ends, printed, ("bonuses.iron_rhine.hexes", "hexes"))
