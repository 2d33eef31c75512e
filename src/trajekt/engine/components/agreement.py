"""Entries of a sheet that say the same thing twice and must agree: a mine's number on its hex, its hex on the charter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trajekt.engine.components.map_validation import fault
from trajekt.engine.components.provenance import SheetFault
from trajekt.engine.components.schema import Sheet


class Statement(NamedTuple):
    """A value and the key of the sheet under which it stands."""

    key: str
    value: object


def disagreements(
    one: Mapping[str, Statement], other: Mapping[str, Statement], missing: tuple[str, str] = ("", "")
) -> Iterator[SheetFault]:
    """Faults at both places of a subject of which two parts of a sheet say different things.

    `missing` names the keys where the part that says nothing of a subject should, `one` first; empty where it need not.
    """
    for subject in dict.fromkeys([*one, *other]):
        mine, theirs = one.get(subject), other.get(subject)
        if mine is not None and theirs is not None:
            if mine.value != theirs.value:
                yield fault(mine.key, f"{mine.value} is said here, {theirs.value} under {theirs.key}")
                yield fault(theirs.key, f"{theirs.value} is said here, {mine.value} under {mine.key}")
        elif mine is not None and missing[1]:
            yield fault(mine.key, f"{subject} is said here, and not under {missing[1]}")
        elif theirs is not None and missing[0]:
            yield fault(theirs.key, f"{subject} is said here, and not under {missing[0]}")


def listed(key: str, names: Any) -> dict[str, Statement]:
    """The names of a list, each as its own subject; none where it is no list."""
    return {str(name): Statement(key, True) for name in names} if isinstance(names, list | tuple) else {}


def stated(sheet: Sheet, section: str, part: str) -> dict[str, Statement]:
    """Statements of the tables in a section of a game's own under one key, by the table's name."""
    content = sheet.own.get(section, {})
    tables = {name: table for name, table in content.items() if isinstance(table, Mapping) and part in table}
    return {name: Statement(f"own.{section}.{name}.{part}", table[part]) for name, table in tables.items()}


def with_icon(sheet: Sheet, icon: str) -> dict[str, Statement]:
    """The hexes on which an icon is printed."""
    return {at: Statement(f"hexes.{at}.icons", True) for at, found in sheet.hexes.items() if icon in found.face.icons}
