"""Reading a component sheet: TOML in, one typed `Sheet` or every fault at once out.

The form of the file is told at the head of each game's `sheet.toml`; `editions` says how editions, variants and
an owner's file are laid over one another, `parsing` how each entry is read, `validation` what must hold in the
whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from trajekt.engine.components.component_sets import HEADER, SILENT, ComponentSet, silenced
from trajekt.engine.components.editions import NAMED, TomlTable, joined, laid, owned, resolved, stray
from trajekt.engine.components.parsing import SheetReader, read_sheet, toml_tables
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import Sheet
from trajekt.engine.components.validation import check

TOP = {"game", "title", "designers", "players", "currency", "layout", "colours", "editions", "totals", "areas", "draws"}
TOP |= {"hexes", "tiles", "market", "trains", "phases", "companies", "privates", "limits", "bonuses", "own", "variants"}
VARIANT = {"src", "rule", "editions", "changes", "note"}


def load(
    path: Path | Traversable,
    edition: str,
    variants: Sequence[str] = (),
    overlay: Path | Traversable | ComponentSet | None = None,
) -> Sheet:
    """The sheet of one edition with variants, with an owner's file or a component set laid over it.

    A sheet made with a set carries it. The order of the variants has no meaning. Equal arguments give the same sheet while
    the files do not change.
    Raises `SheetError` with all faults: an unreadable file, unknown keys, wrong values, and whatever `check` finds.
    """
    text = _text(path)
    chosen = str(edition), tuple(sorted(set(variants)))
    if isinstance(overlay, ComponentSet):
        if overlay.edition and str(overlay.edition) != chosen[0]:
            raise SheetError(
                [SheetFault(overlay.name, f"{HEADER}.edition", f"is of edition {overlay.edition}, not {edition}")]
            )
        if overlay.draft:
            file = str(path)
            return build(_parsed(file, text), *chosen, overlay.changes, file=file, overlay_file=overlay.name)
        return _load(str(path), text, *chosen, overlay.name, overlay.text, carried=True)
    over = ("", "") if overlay is None else (str(overlay), _text(overlay))
    return _load(str(path), text, *chosen, *over)


def printed_tables(path: Path | Traversable, edition: int) -> TomlTable:
    """The tables of one edition without variants. The value is shared: nobody may change it."""
    return _printed(str(path), _text(path), str(edition))


@lru_cache(maxsize=16)
def _printed(file: str, text: str, edition: str) -> TomlTable:
    base = _parsed(file, text)
    table: TomlTable = resolved(base, f"v{edition}", _edition_keys(base))
    return table


def editions(path: Path | Traversable) -> dict[str, str]:
    """The editions of a sheet and what each of them is."""
    return {str(key): str(value) for key, value in _table(_parsed(str(path), _text(path)), "editions").items()}


def variants(path: Path | Traversable, edition: str) -> dict[str, str]:
    """The variants that an edition allows, and each one's rule in a few words."""
    base = _parsed(str(path), _text(path))
    keys = _edition_keys(base)
    offered = _table(resolved(base, f"v{edition}", keys), "variants")
    return {
        name: str(variant.get("rule", ""))
        for name, variant in offered.items()
        if isinstance(variant, dict) and edition in variant.get("editions", [edition])
    }


@lru_cache(maxsize=64)
def _load(
    file: str, text: str, edition: str, chosen: tuple[str, ...], over: str, over_text: str, *, carried: bool = False
) -> Sheet:
    """A sheet from texts; one that is `carried` keeps the text that is laid over it."""
    change = _parsed(over, over_text) if over else None
    sheet = build(_parsed(file, text), edition, chosen, change, file=file, overlay_file=over)
    return msgspec.structs.replace(sheet, component_set=over_text) if carried else sheet


def build(
    base: TomlTable,
    edition: str,
    chosen: Sequence[str] = (),
    change: TomlTable | None = None,
    *,
    file: str = "sheet.toml",
    overlay_file: str = "overlay",
) -> Sheet:
    """The sheet of tables that have been parsed already; `file` and `overlay_file` name them in faults."""
    keys = _edition_keys(base)
    reader = SheetReader(file)
    if keys and f"v{edition}" not in keys:
        known = ", ".join(sorted(key[1:] for key in keys))
        reader.fault("editions", f"there is no edition {edition!r}, only {known}")
        raise SheetError(reader.faults)
    table: TomlTable = resolved(base, f"v{edition}", keys)
    touched: set[str] = set()
    if change is not None:
        mine = owned(resolved({key: item for key, item in change.items() if key != HEADER}, f"v{edition}", keys))
        touched = _entries(mine)
        reader.places = dict.fromkeys(touched, overlay_file)
        for key, complaint in stray(table, mine):
            reader.faults.append(SheetFault(overlay_file, key, complaint))
        table = laid(table, mine)
    table = _with_variants(table, edition, chosen, reader)
    for key in table.keys() - TOP:
        reader.fault(key, "is no section of a sheet")
    sheet = read_sheet(table, edition, tuple(chosen), reader)
    if sheet is None:
        raise SheetError(reader.faults)
    sheet = msgspec.structs.replace(sheet, sources=_sources(table), digest=_digest(table, edition, chosen))
    for found in check(sheet):
        reader.fault(found.key, found.what)
    if reader.faults:
        raise SheetError(reader.faults)
    return sheet


def _with_variants(table: TomlTable, edition: str, chosen: Sequence[str], reader: SheetReader) -> TomlTable:
    """The table with the chosen variants laid over it, in the order of the file."""
    offered = _table(table, "variants")
    for name in chosen:
        if name == "src" or not isinstance(offered.get(name), dict):
            reader.fault("variants", f"there is no variant {name!r}")
    for name, variant in offered.items():
        where = f"variants.{name}"
        if name in SILENT:
            continue
        if not isinstance(variant, dict):
            reader.fault(where, "should be a table")
            continue
        for key in variant.keys() - VARIANT:
            reader.fault(f"{where}.{key}", "is no key of a variant")
        allowed, changes = variant.get("editions", [edition]), variant.get("changes", {})
        if not isinstance(allowed, list):
            reader.fault(f"{where}.editions", "should be a list of editions")
        elif not isinstance(changes, dict):
            reader.fault(f"{where}.changes", "should be a table")
        elif name in chosen and edition not in allowed:
            reader.fault(where, f"is not a variant of edition {edition}")
        elif name in chosen:
            for key, complaint in stray(table, changes):
                reader.fault(f"{where}.changes.{key}", complaint)
            table = laid(table, changes)
    return table


def _text(path: Path | Traversable) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # a byte order mark in front is skipped
    except OSError as error:
        raise SheetError([SheetFault(str(path), "", f"cannot be read: {error.strerror or error}")]) from error
    except UnicodeDecodeError as error:
        raise SheetError([SheetFault(str(path), f"byte {error.start}", "is not text in UTF-8")]) from error


@lru_cache(maxsize=16)
def _parsed(file: str, text: str) -> TomlTable:
    """The tables of a file. The result is shared: nobody may change it."""
    return toml_tables(file, text)


def _edition_keys(base: TomlTable) -> frozenset[str]:
    return frozenset(f"v{name}" for name in _table(base, "editions"))


def _table(table: TomlTable, key: str) -> TomlTable:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _entries(change: TomlTable) -> set[str]:
    """The sections and entries that a file states, as they are named in faults."""
    places = set()
    for section, content in change.items():
        if section in NAMED and isinstance(content, dict):
            places |= {f"{section}.{key}" for key in content}
        else:
            places.add(section)
    return places


def _sources(table: TomlTable) -> dict[str, str]:
    sources: dict[str, str] = {}
    for section, content in table.items():
        if not isinstance(content, dict) or section in {"variants", "editions"}:
            continue
        parts = {f"own.{key}": value for key, value in content.items()} if section == "own" else {section: content}
        for part, entries in parts.items():
            if not isinstance(entries, dict):
                continue
            if "src" in entries:
                sources[part] = joined(entries["src"])
            if section in NAMED:
                for key, entry in entries.items():
                    if isinstance(entry, dict) and "src" in entry:
                        sources[f"{part}.{key}"] = joined(entry["src"])
    return sources


def _digest(table: TomlTable, edition: str, chosen: Sequence[str]) -> str:
    """SHA-256 over everything that the sheet says about the game, its edition and its variants; not over sources."""
    facts = {key: value for key, value in table.items() if key not in {"variants", "editions"}}
    whole = {"edition": edition, "variants": sorted(chosen), "sheet": silenced(facts)}
    return hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()
