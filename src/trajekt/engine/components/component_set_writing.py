"""Writing a component set as TOML: the differences alone, each beside what our sheet has in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from trajekt.engine.components.component_sets import (
    HEADER,
    OVER,
    EntryPath,
    entry_at,
    entry_source,
    fingerprint,
    whole_entries,
)
from trajekt.engine.components.editions import NAMED, NOTHING, TomlTable
from trajekt.engine.components.provenance import weakest

BARE = re.compile(r"[A-Za-z0-9_-]+")
HEADING = """\
# Components of one printed copy: what differs from the sheet of trajekt. An entry with nothing but src = "O" was looked at
# and is as in that sheet. `trajekt components check FILE` checks this file."""
BEGINNING = """\
# Components of one printed copy. Below stands every entry of the sheet that no rulebook states. Look at each on your copy:
# where it differs, take the # away from its first line and from the lines that differ, and write what your copy says; where it
# is so, write src = "O" under its first line; take away what you have not looked at, or leave it as it is.
# `trajekt components check FILE` tells what is wrong, `trajekt components draw FILE -o FILE.svg` shows it."""
OVER_NOTE = "what our sheet had at each entry when it was stated: leave it as it is"
WIDEST = 80
"""The letters of our value in a comment at most."""
LONG = 100
"""A list of lists that is longer is written with one of them in each line."""


def set_text(head: TomlTable, changes: TomlTable, printed: TomlTable) -> str:
    """The file of a set: its head, then each entry with what it states, our value as a comment beside it."""
    blocks = [
        HEADING,
        _head(head),
    ]
    plain = [(key, value) for key, value in changes.items() if not isinstance(value, dict)]
    blocks[1:1] = ["\n".join(f"{key_text((key,))} = {toml_value(value)}" for key, value in plain)] if plain else []
    for section, content in changes.items():
        if isinstance(content, dict):
            blocks += _section((section,), content, printed)
    return "\n\n".join([*blocks, *_over(head.get(OVER, {}))]) + "\n"


def _head(head: TomlTable) -> str:
    lines = (f"{key} = {toml_value(value)}" for key, value in head.items() if key != OVER)
    return "\n".join([f"[{HEADER}]", *lines])


def _over(fingerprints: TomlTable) -> list[str]:
    """The block of fingerprints, where there are any."""
    lines = [f"{toml_value(address)} = {toml_value(value)}" for address, value in fingerprints.items()]
    return ["\n".join([f"[{HEADER}.{OVER}]  # {OVER_NOTE}", *lines])] if lines else []


def skeleton(head: TomlTable, printed: TomlTable) -> str:
    """A file to begin with: each entry that neither a rulebook nor an owner states, as ours and commented out."""
    blocks = [BEGINNING, _head(head)]
    over = {}
    for path in whole_entries(printed):
        entry = entry_at(printed, path)
        if isinstance(entry, dict) and weakest(entry_source(printed, path)) not in {"R", "O"}:
            lines = "\n".join(
                f"{key_text((key,))} = {toml_value(value)}" for key, value in entry.items() if key != "src"
            )
            block = f"[{key_text(path)}]  # ours: {entry_source(printed, path) or 'no source'}\n{lines}"
            blocks.append("\n".join(f"# {line}" for line in block.splitlines()))
            over["/".join(path)] = fingerprint(printed, path)
    return "\n\n".join([*blocks, *_over(over)]) + "\n"


def _section(path: EntryPath, content: TomlTable, printed: TomlTable) -> Iterator[str]:
    """The blocks of a section: what it says itself, then its entries. Own sections hold sections in turn."""
    ours = entry_at(printed, path)
    nested = path[0] in NAMED and (len(path) == 1 or (path[0] == "own" and _of_tables(content, ours)))
    tables = {key: value for key, value in content.items() if nested and isinstance(value, dict)}
    lines = [_line(key, value, ours) for key, value in content.items() if key not in tables]
    if lines or not content:
        yield "\n".join([f"[{key_text(path)}]{_source(path, printed)}", *lines])
    for key, value in tables.items():
        yield from _section((*path, key), value, printed) if path[0] == "own" else _entry((*path, key), value, printed)


def _of_tables(content: TomlTable, ours: Any) -> bool:
    """Tell whether a section of a game's own consists of named tables, as far as it is printed or stated."""
    known = {**(ours if isinstance(ours, dict) else {}), **content}
    return all(isinstance(value, dict) for key, value in known.items() if key not in {"src", "note", "drop"})


def _entry(path: EntryPath, content: TomlTable, printed: TomlTable) -> Iterator[str]:
    ours = entry_at(printed, path)
    lines = [_line(key, value, ours) for key, value in content.items()]
    yield "\n".join([f"[{key_text(path)}]{_source(path, printed)}", *lines])


def _source(path: EntryPath, printed: TomlTable) -> str:
    """A comment with the source of our entry."""
    if not isinstance(entry_at(printed, path), dict):
        return "  # not in our sheet"
    source = entry_source(printed, path)
    return f"  # ours: {source}" if source else ""


def _line(key: str, value: Any, ours: Any) -> str:
    """A key with its value, and ours in a comment where there is one."""
    line = f"{key_text((key,))} = {toml_value(value)}"
    old = ours.get(key, NOTHING) if isinstance(ours, dict) else NOTHING
    if key == "drop" and isinstance(ours, dict) and isinstance(value, list):
        old = {each: ours[each] for each in value if isinstance(each, str) and each in ours}
    if old is NOTHING or key in {"src", "note"}:
        return line
    told = " ".join(toml_value(old).split())
    return f"{line}  # ours: {told if len(told) <= WIDEST else told[: WIDEST - 1] + '…'}"


def key_text(path: EntryPath) -> str:
    """A dotted key as TOML writes it.

    >>> key_text(("trains", "2+2", "price"))
    'trains."2+2".price'
    """
    return ".".join(part if BARE.fullmatch(part) else toml_value(part) for part in path)


def toml_value(value: Any) -> str:
    """A value as TOML writes it in one line; a long list of lists takes a line for each.

    >>> toml_value({"kind": "city", "slots": [1, True]})
    '{kind = "city", slots = [1, true]}'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text((key,))} = {toml_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [toml_value(item) for item in value]
        if sum(map(len, items)) > LONG and all(isinstance(item, list | tuple) for item in value):
            return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
