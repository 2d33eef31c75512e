"""Corrections beside the printed sheet: nothing that a game's code reads by name may go or become another kind of value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet

SECTIONS = ("companies", "privates", "trains", "areas", "hexes", "tiles")
"""Sections whose entries may have pieces that only one game prints."""
NAMED = ("companies", "privates", "trains", "areas")
"""Those of them whose entries the code of a game names."""
CHOICES = ("kind", "industry")
"""Keys whose texts are a choice among those in print."""
WORDS = {bool: "yes or no", int: "a number", str: "a text", Mapping: "a table", Sequence: "a list"}


def check_corrections(printed: Sheet, corrected: Sheet) -> Iterator[SheetFault]:
    """List what is missing beside the printed sheet, of another kind than there, empty or of the wrong sign."""
    for section in NAMED:
        for entry in getattr(printed, section):
            if entry not in getattr(corrected, section):
                yield fault(f"{section}.{entry}", "is missing")
    yield from _words(printed, corrected)
    yield from _values("own", printed.own, corrected.own)
    yield from _unknown_keys("own", printed.own, corrected.own, _vocabularies(printed, corrected))
    yield from _unknown_keys("bonuses", printed.bonuses, corrected.bonuses, _vocabularies(printed, corrected))
    yield from _values("bonuses", printed.bonuses, corrected.bonuses)
    for name in sorted(corrected.bonuses.keys() - printed.bonuses.keys()):
        yield fault(f"bonuses.{name}", "is nothing that this game knows")
    for section in SECTIONS:
        after = getattr(corrected, section)
        yield from _own(section, corrected.hexes.keys(), _owns(getattr(printed, section)), _owns(after))
    yield from _own("phases", corrected.hexes.keys(), _owns(printed.phase_by_name), _owns(corrected.phase_by_name))


def _owns(entries: Mapping[Any, Any]) -> dict[Any, Mapping[str, Any]]:
    """Pieces of a game's own by entry; privates and areas have none."""
    return {entry: getattr(value, "own", {}) for entry, value in entries.items()}


def _own(
    section: str,
    hexes: AbstractSet[str],
    printed: Mapping[Any, Mapping[str, Any]],
    corrected: Mapping[Any, Mapping[str, Any]],
) -> Iterator[SheetFault]:
    """Pieces of a game's own on the entries of a section: each printed one, and no key that no entry has in print."""
    known: dict[str, set[str]] = {}
    lists: dict[str, set[str]] = {}
    for own in printed.values():
        for key, value in own.items():
            known.setdefault(key, set()).add(value if isinstance(value, str) else "")
            if isinstance(value, list | tuple):
                lists.setdefault(key, set()).update(map(str, value))
    for entry, own in corrected.items():
        where = f"{section}.{entry}.own"
        for key, value in own.items():
            if key not in known:
                yield fault(f"{where}.{key}", "is nothing that this game knows")
            elif key in CHOICES and value not in known[key]:
                yield fault(f"{where}.{key}", f"should be one of {', '.join(sorted(known[key]))}")
            elif isinstance(value, list | tuple) and lists.get(key, set()) and lists[key] <= hexes:
                for at in value:
                    if at not in hexes:
                        yield fault(f"{where}.{key}", f"there is no hex {at}")
        yield from _values(where, printed.get(entry, {}), own)


def _vocabularies(printed: Sheet, corrected: Sheet) -> list[AbstractSet[str]]:
    """Names that may stand as keys in a game's own tables: of hexes, companies, trains, privates, and of its own entries."""
    entries = [set(table) for table in printed.own.values() if _lists_entries(table)]
    sections = ("hexes", "companies", "trains", "privates", "tiles", "phase_by_name")
    return [*({str(name) for name in getattr(corrected, section)} for section in sections), *entries]


def _lists_entries(table: Mapping[str, Any]) -> bool:
    """Tell whether a table is a list of entries by name (`pmcs.4`), all of one form, and not one entry with its keys.

    >>> _lists_entries({"1": {"hex": "H5"}, "2": {"hex": "J7"}}), _lists_entries({"active": [1], "more": {"hex": "J7"}})
    (True, False)
    """
    forms = [set(entry) for entry in table.values() if isinstance(entry, Mapping)]
    return len(forms) == len(table) > 1 and bool(set.intersection(*forms))


def _unknown_keys(
    where: str, printed: Mapping[str, Any], corrected: Any, vocabularies: Sequence[AbstractSet[str]]
) -> Iterator[SheetFault]:
    """Keys that neither the printed entry has nor another entry of its list, as where a key is mistyped."""
    if not isinstance(corrected, Mapping):
        return  # told as a value of another kind
    listed = _lists_entries(printed)
    for key, value in corrected.items():
        before = printed.get(key, {})
        if listed:
            before = _joined([entry for entry in printed.values() if isinstance(entry, Mapping)])
        elif key not in printed and not any(key in names and printed.keys() <= names for names in vocabularies):
            yield fault(f"{where}.{key}", "is nothing that this game knows")
        if isinstance(before, Mapping):
            yield from _unknown_keys(f"{where}.{key}", before, value if before or listed else {}, vocabularies)


def _joined(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One entry with all keys that entries of a list have."""
    keys: dict[str, list[Any]] = {}
    for entry in entries:
        for key, value in entry.items():
            keys.setdefault(key, []).append(value)
    return {
        key: _joined(values) if all(isinstance(value, Mapping) for value in values) else values[0]
        for key, values in keys.items()
    }


def _words(printed: Sheet, corrected: Sheet) -> Iterator[SheetFault]:
    """Words on hexes that must be among those in print, since only these have a drawing and a sentence, and whole banks."""
    terrains = {each.terrain for each in printed.hexes.values()}
    counts = {each.counts_for for each in printed.hexes.values()}
    icons = {icon for each in printed.hexes.values() for icon in (*each.face.icons, *each.possible_icons)}
    icons |= {icon for each in printed.hexes.values() for stop in each.face.stops for icon in stop.icons}
    for name, each in corrected.hexes.items():
        if each.terrain not in terrains:
            yield fault(f"hexes.{name}.terrain", f"{each.terrain} is no terrain of this game")
        if each.counts_for not in counts:
            yield fault(f"hexes.{name}.counts_for", f"{each.counts_for} is nothing that this game knows")
        for icon in each.face.icons:
            if icon not in icons:
                yield fault(f"hexes.{name}.icons", f"{icon} is no icon of this game")
        edges = sorted(edge for bank in each.face.banks for edge in bank)
        if edges and edges != list(range(6)):
            yield fault(f"hexes.{name}.banks", "part the six edges")


def _kind(value: object) -> Any:
    """The kind of a value of a sheet; a truth is no number and a text no list."""
    return next(kind for kind in WORDS if isinstance(value, kind))


def _values(where: str, before: Any, after: Any) -> Iterator[SheetFault]:
    """One value beside the printed one, with all that lies in it."""
    kind = _kind(before)
    if _kind(after) is not kind:
        yield fault(where, f"should be {WORDS[kind]}")
    elif kind is Mapping:
        for key, value in before.items():
            if key not in after:
                yield fault(f"{where}.{key}", "is missing")
            else:
                yield from _values(f"{where}.{key}", value, after[key])
    elif kind in (str, Sequence) and before and not after:
        yield fault(where, "should not be empty")
    elif kind is Sequence:
        if len({_kind(value) for value in before}) == 1 and _kind(before[0]) in (int, str):
            for index, value in enumerate(after):
                yield from _values(f"{where}[{index}]", before[min(index, len(before) - 1)], value)
    elif kind is int and (after < 0 <= before or after > 0 > before):
        yield fault(where, "should be at least 0" if before >= 0 else "is taken off: 0 or less")
