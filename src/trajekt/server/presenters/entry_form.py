"""The form of an entry of the components: a field for each key, made from the types of the schema or from the printed values.

A field shows a value as a person writes it (`yellow 20, brown 40`), and reads it back; what no such way fits is written as in
the file (TOML). A value whose text is not changed stays exactly as it was.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import inspect

from trajekt.engine.components import parsing
from trajekt.engine.components.component_set_writing import toml_value
from trajekt.engine.components.component_sets import EntryPath, entry_at
from trajekt.engine.components.editions import NOTHING, TomlTable

SCHEMA: Mapping[str, parsing.Fields] = {
    "hexes": parsing.HEX, "tiles": parsing.TILE, "market": parsing.MARKET, "trains": parsing.TRAIN,
    "phases": parsing.PHASE, "companies": parsing.COMPANY, "privates": parsing.PRIVATE, "areas": parsing.AREA,
    "limits": parsing.LIMITS, "totals": parsing.TOTALS,
}  # fmt: skip
"""The keys of an entry by its section; other sections hold pieces that only one game has."""
MOST_STOPS, MOST_CELLS = 6, 40
AMOUNT = re.compile(r"(?:(\S+)\s+)?(-?\d{1,9})")
PAIR = re.compile(r"(\S+)\s+(\S.*)")
STOP_ROW = re.compile(r"stops\.(\d{1,2})\.kind")
TRACK = re.compile(r"([0-5a-z])\s*-\s*([0-5a-z])(?:\s+(\S+))?")


class EntryError(ValueError):
    """A text that is no value of its field; `place` is the name of the field, `kind` what it should be."""

    def __init__(self, place: str, kind: str) -> None:
        super().__init__(f"{place}: {kind}")
        self.place = place
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: `name` is the way to its value (`stops.0.kind`), `kind` the way it is written, `ours` our value."""

    name: str
    kind: str
    text: str
    ours: str
    grid: Sequence[Sequence[str]] = ()

    @property
    def key(self) -> str:
        """The key of the value by which it is called."""
        return next(part for part in reversed(self.name.split(".")) if not part.isdecimal())

    @property
    def row(self) -> str:
        """The stop to which the field belongs, as its letter; empty for a field of the entry itself."""
        parts = self.name.split(".")
        return chr(ord("a") + int(parts[1])) if parts[0] == "stops" and len(parts) > 1 else ""


def form_of(path: EntryPath, entry: Any, ours: Any, printed: TomlTable) -> list[Field]:
    """The fields of an entry: those that it has, then those that it might have. `entry` and `ours` may be `NOTHING`."""
    mine = entry if isinstance(entry, dict) else {}
    old = ours if isinstance(ours, dict) else {}
    return [
        Field(name, kind, _shown(kind, value), "" if before is NOTHING else _shown(kind, before), _grid(kind, value))
        for name, kind, value, before in _fields(path, mine, old, printed)
    ]


def read_form(path: EntryPath, texts: Mapping[str, str], entry: Any, ours: Any, printed: TomlTable) -> TomlTable:
    """The entry that a form's texts say. Raises `EntryError` at the first that is no value of its field."""
    mine = entry if isinstance(entry, dict) else {}
    old = ours if isinstance(ours, dict) else {}
    result: TomlTable = {}
    for name, kind, value, before in _fields(path, mine, old, printed, texts):
        text = texts.get(name, _shown(kind, value)).strip()
        new = _value(name, kind, text, value, before, texts)
        if new is not NOTHING:
            _place(result, name.split("."), new)
    if "stops" in result:
        result["stops"] = [stop for _, stop in sorted(result["stops"].items())]
    return result


def _place(table: TomlTable, parts: Sequence[str], value: Any) -> None:
    for part in parts[:-1]:
        table = table.setdefault(part, {})
    table[parts[-1]] = value


def _fields(
    path: EntryPath, mine: TomlTable, old: TomlTable, printed: TomlTable, texts: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str, Any, Any]]:
    """Name, kind, value and our value of each field; a value that is not there is `NOTHING`."""
    schema = SCHEMA.get(path[0])
    if schema is None:
        examples = _examples(path, printed)
        for key in dict.fromkeys([*mine, *examples]):
            if key != "src":
                yield from _own(key, mine.get(key, NOTHING), old.get(key, NOTHING), examples.get(key, NOTHING))
        return
    order = [key for key in dict.fromkeys([*mine, *old, *schema]) if key not in {"src", "note"}]
    for key in [*order, "note"]:
        value, before = mine.get(key, NOTHING), old.get(key, NOTHING)
        if key == "stops" and _is_stops(value) and _is_stops(before):
            yield from _stops(value, before, texts)
        elif key == "own":
            known = _own_examples(path[0], printed)
            own, ours = value if isinstance(value, dict) else {}, before if isinstance(before, dict) else {}
            for name in dict.fromkeys([*own, *known]):
                yield from _own(
                    f"own.{name}", own.get(name, NOTHING), ours.get(name, NOTHING), known.get(name, NOTHING)
                )
        else:
            yield key, _fitting(_kind(path[0], key), value, before), value, before


def _is_stops(value: Any) -> bool:
    return value is NOTHING or (isinstance(value, list) and all(isinstance(each, dict) for each in value))


def _stops(value: Any, before: Any, texts: Mapping[str, str] | None) -> Iterator[tuple[str, str, Any, Any]]:
    """The fields of each stop, and of one more that is empty until its kind is written; one without a kind goes."""
    stops = [] if value is NOTHING else value
    ours = [] if before is NOTHING else before
    typed = [int(found[1]) + 1 for found in map(STOP_ROW.fullmatch, texts or ()) if found]
    for index in range(min(max(len(stops) + (texts is None), *typed, 0), MOST_STOPS)):
        stop = stops[index] if index < len(stops) else {}
        old = ours[index] if index < len(ours) else {}
        if texts is not None and not texts.get(f"stops.{index}.kind", stop.get("kind", "")).strip():
            continue
        for key in parsing.STOP:
            found, was = stop.get(key, NOTHING), old.get(key, NOTHING)
            yield f"stops.{index}.{key}", _fitting(_kind("stops", key), found, was), found, was


def _own(name: str, value: Any, before: Any, example: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """The fields of a value that only one game has; a table of plain values has a field for each of them."""
    shape = next((each for each in (before, example, value) if each is not NOTHING), "")
    if isinstance(shape, dict) and not all(isinstance(each, int) for each in shape.values()):
        tables = [each for each in (value, before, example) if isinstance(each, dict)]
        plain = all(not isinstance(item, dict) for each in tables for item in each.values())
        if plain and (value is NOTHING or isinstance(value, dict)):
            for key in dict.fromkeys(key for each in tables for key in each):
                found = [
                    each.get(key, NOTHING) if isinstance(each, dict) else NOTHING for each in (value, before, example)
                ]
                yield from _own(f"{name}.{key}", *found)
            return
    yield name, _fitting(_shape(shape), value, before), value, before


def _shape(value: Any) -> str:
    """The kind of a field by a printed value."""
    if isinstance(value, bool):
        return "tick"
    if isinstance(value, int):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list) and value and all(isinstance(each, str) and "," not in each for each in value):
        return "words"
    if isinstance(value, list) and value and all(type(each) is int for each in value):
        return "numbers"
    if isinstance(value, dict) and value and all(type(each) is int for each in value.values()):
        return "pairs"
    return "toml"


def _examples(path: EntryPath, printed: TomlTable) -> TomlTable:
    """A value of each key that the entries beside have, the entry's own first."""
    beside = entry_at(printed, path[:-1]) if len(path) > 2 or path[0] == "bonuses" else {}
    own = entry_at(printed, path)
    entries = [own, *(beside.values() if isinstance(beside, dict) and len(path) > 2 else ())]
    found: TomlTable = {}
    for entry in entries:
        if isinstance(entry, dict):
            found = {**{key: value for key, value in entry.items() if key != "src"}, **found}
    return found


def _own_examples(section: str, printed: TomlTable) -> TomlTable:
    """A value of each key that the entries of a section have of their own."""
    found: TomlTable = {}
    content = printed.get(section, {})
    for entry in content.values():
        own = entry.get("own") if isinstance(entry, dict) else None
        if isinstance(own, dict):
            found = {**own, **found}
    return found


@cache
def _kind(section: str, key: str) -> str:
    """The kind of a field by its type in the schema."""
    fields = parsing.STOP if section == "stops" else SCHEMA[section]
    if key not in fields:
        return "toml"
    if key == "track":
        return "track"
    if key == "rows":
        return "grid"
    return _kind_of(inspect.type_info(fields[key]))


def _kind_of(found: inspect.Type) -> str:
    parts = found.types if isinstance(found, inspect.UnionType) else (found,)
    names = {type(part).__name__ for part in parts}
    if names == {"IntType"}:
        return "number"
    if names == {"BoolType"}:
        return "tick"
    if names == {"StrType"}:
        return "text"
    if names == {"FloatType", "StrType"}:
        return "lean"
    if names == {"StrType", "VarTupleType"}:
        return "some"
    if names == {"IntType", "DictType"}:
        return "amounts"
    if len(parts) == 1 and isinstance(parts[0], inspect.VarTupleType):
        return {"StrType": "words", "IntType": "numbers"}.get(type(parts[0].item_type).__name__, "toml")
    if len(parts) == 1 and isinstance(parts[0], inspect.DictType):
        return "pairs" if type(parts[0].value_type).__name__ == "IntType" else "toml"
    return "toml"


def _fitting(kind: str, *values: Any) -> str:
    """The kind, where it can say these values; else as in the file."""
    return kind if all(value is NOTHING or _says(kind, value) for value in values) else "toml"


def _says(kind: str, value: Any) -> bool:
    return kind == "toml" or _reads(kind, _shown(kind, value)) == value


def _reads(kind: str, text: str) -> Any:
    try:
        return READERS[kind](text)
    except (ValueError, KeyError):
        return NOTHING


def _shown(kind: str, value: Any) -> str:
    """A value as a person writes it."""
    if value is NOTHING:
        return ""
    writer = WRITERS.get(kind)
    try:
        return toml_value(value) if writer is None else writer(value)
    except (TypeError, AttributeError, ValueError):
        return toml_value(value)


def _grid(kind: str, value: Any) -> Sequence[Sequence[str]]:
    """The cells of a market, each row filled up to the longest."""
    if kind != "grid" or not isinstance(value, list):
        return ()
    wide = max(map(len, value), default=0)
    return [[*map(str, row), *[""] * (wide - len(row))] for row in value]


def _value(name: str, kind: str, text: str, value: Any, before: Any, texts: Mapping[str, str]) -> Any:
    """The value of a field's text, `NOTHING` where it is empty. Raises `EntryError`."""
    if kind == "grid":
        return _cells(name, value, texts)
    for known in (value, before):  # what is not changed stays exactly as it was
        if known is not NOTHING and text == _shown(kind, known):
            return known
    if text == "" or (kind == "tick" and text != "yes" and value is NOTHING and before is NOTHING):
        return NOTHING
    try:
        return READERS[kind](text)
    except ValueError as fault:
        raise EntryError(name, kind) from fault


def _cells(name: str, value: Any, texts: Mapping[str, str]) -> Any:
    """The rows of a market from the texts of its cells; empty cells at a row's end and empty rows below go."""
    rows = _grid("grid", value)
    read: list[list[Any]] = []
    for r in range(len(rows)):
        row = [texts.get(f"{name}.{r}.{c}", cell).strip() for c, cell in enumerate(rows[r])]
        while row and not row[-1]:
            row.pop()
        read.append([int(cell) if cell.isdecimal() else cell for cell in row])
    while read and not read[-1]:
        read.pop()
    kept = [list(row) for row in value] if isinstance(value, list) else []
    for row in kept:
        while row and row[-1] == "":
            row.pop()
    return value if [list(map(str, row)) for row in read] == [list(map(str, row)) for row in kept] else read


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise ValueError(text)
    return int(text)


def _lean(text: str) -> float | int | str:
    if re.fullmatch(r"\d(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return text


def _some(text: str) -> str | list[str]:
    parts = _parts(text)
    return parts[0] if len(parts) == 1 else parts


def _amounts(text: str) -> int | dict[str, int]:
    found: dict[str, int] = {}
    for part in _parts(text):
        match = AMOUNT.fullmatch(part)
        if match is None:
            raise ValueError(part)
        found[match[1] or ""] = int(match[2])
    if "" in found and len(found) > 1:
        raise ValueError(text)
    return found.get("", found)


def _pairs(text: str) -> dict[str, int]:
    found = {}
    for part in _parts(text):
        match = PAIR.fullmatch(part)
        if match is None:
            raise ValueError(part)
        found[match[1]] = _number(match[2])
    return found


def _track(text: str) -> list[list[Any]]:
    pieces: list[list[Any]] = []
    for part in _parts(text):
        match = TRACK.fullmatch(part)
        if match is None:
            raise ValueError(part)
        ends: list[Any] = [int(end) if end.isdecimal() else end for end in match.groups()[:2]]
        pieces.append([*ends, match[3]] if match[3] else ends)
    return pieces


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}\n")["x"]
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ValueError(text) from fault


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))


READERS: Mapping[str, Callable[[str], Any]] = {
    "text": str,
    "number": _number,
    "tick": lambda text: text == "yes",
    "words": _parts,
    "numbers": lambda text: [_number(part) for part in _parts(text)],
    "lean": _lean,
    "some": _some,
    "amounts": _amounts,
    "pairs": _pairs,
    "track": _track,
    "toml": _toml,
    "grid": _toml,
}
WRITERS: Mapping[str, Callable[[Any], str]] = {
    "text": str,
    "number": str,
    "lean": str,
    "tick": lambda value: "yes" if value is True else "no",
    "words": _joined,
    "numbers": _joined,
    "some": lambda value: value if isinstance(value, str) else _joined(value),
    "amounts": lambda value: str(value) if isinstance(value, int) else _joined(f"{k} {v}" for k, v in value.items()),
    "pairs": lambda value: _joined(f"{key} {item}" for key, item in value.items()),
    "track": lambda value: _joined(f"{piece[0]}-{piece[1]}" + "".join(f" {k}" for k in piece[2:]) for piece in value),
}
