"""Sources of the facts of a sheet, and the faults found in one.

A source is a letter, perhaps followed by a section: R printed in the rulebook, O stated by an owner of the printed game
in a file of his own, C the common set of tiles, P public record, D deduced, X reconstructed. Where an entry names
several, the weakest of them counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from trajekt.engine.components.schema import Sheet

STRENGTH = "ROCPDX"  # from the strongest to the weakest
SOURCE = re.compile(rf"[{STRENGTH}]\b")
BETWEEN = "; "


class SheetFault(msgspec.Struct, frozen=True, order=True):
    """Something wrong in a sheet: the file, the entry (`hexes.G6.track[1]`, or the line) and what is wrong."""

    file: str
    key: str
    what: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.key, self.what) if part)


class SheetError(Exception):
    """A sheet that cannot be used; `faults` lists everything that is wrong with it, in the order of the file."""

    def __init__(self, faults: Iterable[SheetFault]) -> None:
        self.faults = list(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def letters(source: str) -> str:
    """The letters of a source as joined by the loader, `"R v1 5.1; P"` gives `"RP"`; empty where one is none."""
    parts = source.split(BETWEEN)
    return "".join(part[0] for part in parts) if all(SOURCE.match(part) for part in parts) else ""


def weakest(source: str) -> str:
    """The letter that counts for a source; `""` where none is stated."""
    return max(letters(source), key=STRENGTH.index, default="")


def sections(sheet: Sheet) -> Iterator[tuple[str, Sequence[str]]]:
    """The sections of a sheet that state a source, each with the names of its entries (none: it is one entry)."""
    yield "hexes", tuple(sheet.hexes)
    yield "areas", tuple(sheet.areas)
    yield "tiles", tuple(sheet.tiles)
    yield "market", ()
    yield "trains", tuple(sheet.trains)
    yield "phases", tuple(sheet.phase_by_name)
    yield "companies", tuple(sheet.companies)
    yield "privates", tuple(str(number) for number in sheet.privates)
    yield "limits", ()
    if sheet.draws:
        yield "draws", ()
    yield "bonuses", tuple(sheet.bonuses)
    for name, entries in sheet.own.items():
        yield f"own.{name}", tuple(key for key in entries if isinstance(entries[key], Mapping))


def sheet_summary(sheet: Sheet) -> Mapping[str, Mapping[str, int]]:
    """Count the entries of each section by source: `{"tiles": {"C": 51, "P": 24}, ...}`, the strongest first.

    `""` counts entries without a source. Sections without entries are left out.
    """
    summary: dict[str, Mapping[str, int]] = {}
    for section, entries in sections(sheet):
        whole = sheet.sources.get(section, "")
        count = Counter(weakest(sheet.sources.get(f"{section}.{entry}", whole)) for entry in entries)
        if not entries and section in {"market", "limits", "draws"}:
            count[weakest(whole)] = 1
        if count:
            summary[section] = {letter: count[letter] for letter in ("", *STRENGTH) if count[letter]}
    return summary
