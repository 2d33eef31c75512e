"""Taking one sheet out of a file that states several: editions, variants and an owner's file, laid over one another.

In what is laid over something, `drop` lists keys to take away, `replace = true` puts a table in place of the old one,
and `false` takes away a whole table. Everywhere, `v<edition>` is laid over the table in which it stands, and a table of
nothing but such keys is a value that depends on the edition.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from trajekt.engine.components.provenance import BETWEEN

TomlTable: TypeAlias = dict[str, Any]

NAMED = ("hexes", "areas", "tiles", "trains", "phases", "companies", "privates", "bonuses", "own")
"""The sections that consist of named entries."""

NOTHING = object()  # what an edition does not have


def resolved(value: Any, edition: str, editions: frozenset[str]) -> Any:
    """The value as it is in one edition, as a new value; `editions` are all keys of the form `v<edition>`."""
    if isinstance(value, list):
        items = (resolved(item, edition, editions) for item in value)
        return [item for item in items if item is not NOTHING]
    if not isinstance(value, dict):
        return value
    if value and value.keys() <= editions:
        mine = value.get(edition, NOTHING)
        return resolved(mine, edition, editions) if mine is not False else NOTHING
    table: TomlTable = {}
    for key, item in value.items():
        if key not in editions:
            kept = resolved(item, edition, editions)
            if kept is not NOTHING:
                table[key] = kept
    mine = value.get(edition)
    if mine is False:
        return NOTHING
    return laid(table, resolved(mine, edition, editions)) if isinstance(mine, dict) else table


def laid(table: TomlTable, change: TomlTable) -> TomlTable:
    """The table with a change laid over it, as a new table."""
    result: TomlTable = {} if change.get("replace") is True else dict(table)
    for key, item in change.items():
        old = result.get(key)
        if key in {"drop", "replace"}:
            continue
        if item is False and isinstance(old, dict):
            del result[key]
        elif isinstance(item, dict):
            result[key] = laid(old if isinstance(old, dict) else {}, item)
        else:
            result[key] = item
    gone = change.get("drop")
    for key in gone if isinstance(gone, list) else ():
        if isinstance(key, str):
            result.pop(key, None)
    return result


def stray(table: TomlTable, change: TomlTable, path: str = "") -> list[tuple[str, str]]:
    """Find what a change takes away although it is not there, or says in a form that has no meaning: key and complaint."""
    complaints: list[tuple[str, str]] = []
    if not isinstance(change.get("replace", True), bool):
        complaints.append((f"{path}replace", "should be true or false"))
    gone = change.get("drop", [])
    if not isinstance(gone, list):
        complaints.append((f"{path}drop", "should be a list of keys"))
        gone = []
    complaints += [
        (f"{path}drop", f"names {key!r}, which is not there")
        for key in gone
        if not isinstance(key, str) or key not in table
    ]
    for key, item in change.items():
        if isinstance(item, dict):
            old = table.get(key)
            complaints += stray(old if isinstance(old, dict) else {}, item, f"{path}{key}.")
    return complaints


def joined(source: Any) -> str:
    """A source, or a list of them, in one string."""
    return BETWEEN.join(str(part) for part in source) if isinstance(source, list) else str(source)


def owned(change: TomlTable) -> TomlTable:
    """An owner's file with a source on each entry that it touches: its own, its section's, or O."""
    result: TomlTable = {}
    for section, content in change.items():
        if not isinstance(content, dict) or section in {"variants", "editions"}:
            result[section] = content
            continue
        source = content.get("src", "O")
        if section == "own":
            result[section] = {key: _marked(item, source) for key, item in content.items() if key != "src"}
        elif section in NAMED:
            result[section] = {
                key: _marked(item, source) if key not in {"drop", "replace"} else item
                for key, item in content.items()
                if key != "src"
            }
        else:
            result[section] = _marked(content, source)
    return result


def _marked(item: Any, source: Any) -> Any:
    return {"src": source, **item} if isinstance(item, dict) else item
