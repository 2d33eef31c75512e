"""The entries of the component sheet that the code of 18Rhl reads by name: an owner's corrections may not take it away."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet
from trajekt.games.rhl.rhe_founding import DIRECTORS_CERTIFICATE, RHE

POWERS = {2: "935"}
"""The tile that a private company lays of its own."""


def missing_parts(sheet: Sheet) -> Iterator[SheetFault]:
    """Faults of a sheet that is well formed and lacks what this game needs."""
    if not sheet.draws:
        yield fault("draws.rows", "there are none: mine and mill have no places")
    for number in range(1, DIRECTORS_CERTIFICATE + 1):
        if number not in sheet.privates:
            yield fault(f"privates.{number}", "is missing: the game has six certificates to begin with")
    for number, tile in POWERS.items():
        private = sheet.privates.get(number)
        if private is not None and private.tile != tile:
            yield fault(f"privates.{number}.tile", f"should be {tile}")
    package = sheet.privates.get(DIRECTORS_CERTIFICATE)
    if RHE not in sheet.companies:
        yield fault(f"companies.{RHE}", "is missing")
    elif package is not None:
        share = sheet.companies[RHE].certificates[0]
        if (package.brings, package.brings_percent) != (RHE, share):
            yield fault(f"privates.{DIRECTORS_CERTIFICATE}.brings_percent", f"should be {share} per cent of the {RHE}")
    for name in ("industry", "iron_rhine", "rheingold", "ferry"):
        if name not in sheet.bonuses:
            yield fault(f"bonuses.{name}", "is missing")
    ferry = sheet.bonuses.get("ferry", {}).get("amount", 0)
    if isinstance(ferry, int) and ferry > 0:
        yield fault("bonuses.ferry.amount", "is taken off: 0 or less")
