"""Component sets: the differences between an owner's printed copy and our sheet of one edition, under a name and a version.

A set is a TOML file of the form that every owner's file has, with a table `[set]` in front that names the game, the edition,
the set and its version. An entry without a difference says that it was looked at and is so (`src = "O"`). `[set.over]` holds
a fingerprint of what our sheet had at each entry when it was stated, so that a change of ours is seen (`overtaken`).
`component_set_writing` writes sets, `editions` lays them over the sheet.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from trajekt.engine.components.editions import NAMED, NOTHING, TomlTable, joined, laid
from trajekt.engine.components.parsing import toml_tables
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import Sheet
from trajekt.engine.memo import memo, memo_function

HEADER = "set"
"""The table of a file that names the set and says nothing about the game."""
OVER = "over"
"""The part of that table which says over what each entry was stated."""
SILENT = frozenset({"src", "note"})
"""Keys of an entry that say nothing about the game, so that they do not count for a digest."""
LARGEST_SET = 64 * 1024
"""The bytes of a set at most; one that states every entry of a game has some forty thousand."""
DEEPEST = 12
"""Tables and lists in one another at most."""
MOST_ENTRIES = 400
"""The entries of a table or list at most: a map of more hexes would be drawn for minutes."""
SHORT = 60
"""The letters of a set's name and version at most."""

EntryPath: TypeAlias = tuple[str, ...]
"""The way to an entry: `("hexes", "G6")`, `("market",)`, `("own", "pmcs", "3")`."""


class ComponentSet(msgspec.Struct, frozen=True, dict=True):
    r"""A set as it stands in its file: `text` is the whole of it. Edition 0 stands for all editions of the game.

    `over` are fingerprints of our entries when they were stated, by address (`hexes/G6`).
    A `draft` is looked at while it is being written: a sheet made with it is not kept for the next who asks.

    >>> mine = component_set('[set]\ngame = "18rhl"\nname = "Ada"\n[trains.2]\nprice = 90\n', "ada.toml")
    >>> mine.name, mine.changes
    ('Ada', {'trains': {'2': {'price': 90}}})
    """

    game: str
    edition: int
    name: str
    version: str
    text: str
    over: Mapping[str, str] = {}
    draft: bool = False

    @memo
    def changes(self) -> TomlTable:
        """The tables that are laid over the sheet. The value is shared: nobody may change it."""
        return {key: value for key, value in toml_tables(self.name, self.text).items() if key != HEADER}

    @memo
    def digest(self) -> str:
        """SHA-256 over the game, the edition and the differences; not over name, version, sources and notes."""
        whole = {"game": self.game, "edition": self.edition, "changes": silenced(self.changes)}
        return hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()


def silenced(value: Any) -> Any:
    """A value without what says nothing about the game."""
    if isinstance(value, dict):
        return {key: silenced(item) for key, item in value.items() if key not in SILENT}
    return [silenced(item) for item in value] if isinstance(value, list) else value


def component_set(text: str, file: str, game: str = "") -> ComponentSet:
    """The set of a file. Raises `SheetError` where it is no TOML, too large or too deep, or its head is at fault.

    A file without a head is the set of `game` (`18rhl`) under the file's name.
    """
    if len(text.encode(errors="replace")) > LARGEST_SET:
        raise SheetError([SheetFault(file, "", f"is larger than {LARGEST_SET // 1024} kB")])
    table = toml_tables(file, text.removeprefix("\ufeff"))
    depth, longest = _size(table)
    if depth > DEEPEST:
        raise SheetError([SheetFault(file, "", "is nested too deeply")])
    if longest > MOST_ENTRIES:
        raise SheetError([SheetFault(file, "", f"has a table or list of more than {MOST_ENTRIES} entries")])
    if "game" in table and HEADER not in table:
        raise SheetError([SheetFault(file, "game", "is a whole sheet, not a set of differences")])
    return _headed(table, text.removeprefix("\ufeff"), file, game)


@memo_function
def set_of(sheet: Sheet) -> ComponentSet | None:
    """The component set with which a sheet was made; None where it is ours alone."""
    return component_set(sheet.component_set, "", sheet.game.lower()) if sheet.component_set else None


def _headed(table: TomlTable, text: str, file: str, game: str) -> ComponentSet:
    head = table.get(HEADER, {"game": game})
    faults = []
    if not isinstance(head, dict):
        raise SheetError([SheetFault(file, HEADER, "should be a table")])
    fields: dict[str, tuple[type, Any]] = {
        "game": (str, game), "edition": (int, 0), "name": (str, _stem(file)), "version": (str, "1"),
    }  # fmt: skip
    values: dict[str, Any] = {}
    for key, (kind, default) in fields.items():
        values[key] = head.get(key, default)
        if type(values[key]) is not kind:
            faults.append(SheetFault(file, f"{HEADER}.{key}", f"should be {'text' if kind is str else 'a number'}"))
        elif kind is str and not (values[key].strip() and values[key].isprintable() and len(values[key]) <= SHORT):
            faults.append(SheetFault(file, f"{HEADER}.{key}", f"should be a text of 1 to {SHORT} letters"))
    over = head.get(OVER, {})
    if not isinstance(over, dict) or not all(isinstance(each, str) for each in over.values()):
        faults.append(SheetFault(file, f"{HEADER}.{OVER}", "should be a table of texts"))
    known = {*fields, OVER, *SILENT}
    faults += [SheetFault(file, f"{HEADER}.{key}", "is no key that belongs here") for key in head.keys() - known]
    if faults:
        raise SheetError(faults)
    return ComponentSet(**values, text=text, over=over)


def _stem(file: str) -> str:
    """A file's name without folder and ending, as the name of a set that states none."""
    return re.split(r"[/\\]", file)[-1].removesuffix(".toml")[:SHORT]


def _size(table: TomlTable) -> tuple[int, int]:
    """Count how many tables and lists lie in one another, and how many entries one has, at most.

    A file may nest them deeper than Python calls.
    """
    level: list[Any] = [table]
    depth = longest = 0
    while level and depth <= DEEPEST:
        depth += 1
        inner: list[Any] = []
        for value in level:
            longest = max(longest, len(value))
            values = value.values() if isinstance(value, dict) else value
            inner += [each for each in values if isinstance(each, dict | list)]
        level = inner
    return depth, longest


def difference(before: TomlTable, after: TomlTable) -> TomlTable:
    """The smallest change that, laid over one table, gives the other.

    >>> difference({"name": "A", "cost": 30, "stops": []}, {"name": "A", "cost": 60})
    {'cost': 60, 'drop': ['stops']}
    """
    change: TomlTable = {}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := difference(old, value):
                change[key] = inner
        elif key not in before or not same(old, value):
            change[key] = value
    gone = [key for key in before if key not in after]
    change |= {key: False for key in gone if isinstance(before[key], dict)}
    if lost := [key for key in gone if not isinstance(before[key], dict)]:
        change["drop"] = lost
    return change


def same(one: Any, other: Any) -> bool:
    """Tell whether two values of a table are the same; a truth is no number."""
    return type(one) is type(other) and bool(one == other)


def whole_entries(printed: TomlTable) -> Iterator[EntryPath]:
    """The entries of a sheet's tables in their order; a section of a game's own is one entry unless it consists of tables."""
    for section, content in printed.items():
        if not isinstance(content, dict) or section in {"editions", "variants", HEADER}:
            continue
        if section == "own":
            for name, part in content.items():
                if isinstance(part, dict):
                    yield from _parts(("own", name), part)
        elif section in NAMED:
            yield from ((section, key) for key, item in content.items() if key not in SILENT and item is not False)
        else:
            yield (section,)


def _parts(path: EntryPath, part: TomlTable) -> Iterator[EntryPath]:
    """The tables of a section of a game's own, or the section itself where a plain value stands in it."""
    items = {key: value for key, value in part.items() if key not in SILENT}
    if items and all(isinstance(value, dict) for value in items.values()):
        yield from ((*path, key) for key in items)
    else:
        yield path


def entry_at(table: TomlTable, path: EntryPath) -> Any:
    """The value at a path of a table, `NOTHING` where there is none."""
    value: Any = table
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return NOTHING
        value = value[key]
    return value


def entry_source(table: TomlTable, path: EntryPath) -> str:
    """The source of an entry, that of the nearest table around it which states one; empty where none does."""
    for length in range(len(path), 0, -1):
        found = entry_at(table, path[:length])
        if isinstance(found, dict) and "src" in found:
            return joined(found["src"])
    return ""


def fingerprint(printed: TomlTable, path: EntryPath) -> str:
    """Eight letters that change with what our sheet says at an entry; not with its sources and notes."""
    entry = entry_at(printed, path)
    entry = None if entry is NOTHING or entry is False else silenced(entry)
    return hashlib.sha256(msgspec.json.encode(entry, order="deterministic")).hexdigest()[:8]


def overtaken(chosen: ComponentSet, printed: TomlTable) -> list[EntryPath]:
    """The entries that a set states and our sheet has changed since; none of those whose fingerprint it does not have."""
    paths = [tuple(address.split("/")) for address in chosen.over]
    return [
        path
        for path in paths
        if entry_at(chosen.changes, path) is not NOTHING and chosen.over["/".join(path)] != fingerprint(printed, path)
    ]


def with_entry(changes: TomlTable, printed: TomlTable, path: EntryPath, entry: TomlTable | None) -> TomlTable:
    """Changes with the entry at a path as it is on the owner's copy, None where his copy has none.

    An entry equal to ours is kept as looked at. The tables given are not changed.
    """
    ours = entry_at(printed, path)
    change: Any = False
    if entry is not None:
        wanted = {key: value for key, value in entry.items() if key != "src"}
        old = {key: value for key, value in ours.items() if key != "src"} if isinstance(ours, dict) else {}
        change = difference(old, wanted)
        if isinstance(ours, dict) and not change:
            change = {"src": "O"}
    elif not isinstance(ours, dict):
        change = NOTHING
    return _put(changes, path, change)


def without_entry(changes: TomlTable, path: EntryPath) -> TomlTable:
    """Changes that no longer say anything about an entry."""
    return _put(changes, path, NOTHING)


def _put(table: TomlTable, path: EntryPath, value: Any) -> TomlTable:
    """A copy of a table with a value at a path; tables that become empty go."""
    key, *rest = path
    result = dict(table)
    if rest:
        inner = result.get(key)
        value = _put(inner if isinstance(inner, dict) else {}, tuple(rest), value)
        value = value or NOTHING
    if value is NOTHING:
        result.pop(key, None)
    else:
        result[key] = value
    return result


class Comparison(msgspec.Struct, frozen=True):
    """A value of an entry that two sets state differently; `None` where one of them has none."""

    entry: EntryPath
    key: str
    before: Any
    after: Any


def compared(before: TomlTable, after: TomlTable) -> Iterator[Comparison]:
    """Differences of two whole tables, entry by entry, in the order of the first; sources and notes do not count."""
    paths = dict.fromkeys([*whole_entries(before), *whole_entries(after)])
    for path in paths:
        one, other = entry_at(before, path), entry_at(after, path)
        one = None if one is NOTHING or one is False else silenced(one)
        other = None if other is NOTHING or other is False else silenced(other)
        yield from _differing(path, "", one, other)


def _differing(path: EntryPath, key: str, one: Any, other: Any) -> Iterator[Comparison]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys([*one, *other]):
            yield from _differing(path, f"{key}.{name}".lstrip("."), one.get(name), other.get(name))
    elif not same(one, other):
        yield Comparison(path, key, one, other)


def overlaid(printed: TomlTable, chosen: ComponentSet | None) -> TomlTable:
    """The tables of a sheet as a set has them, as a new value."""
    return printed if chosen is None else laid(printed, chosen.changes)
