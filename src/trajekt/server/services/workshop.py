"""The workshop: an owner's component sets of a game are begun, brought, changed entry by entry, judged and drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from trajekt.engine.components.component_set_writing import set_text
from trajekt.engine.components.component_sets import (
    LARGEST_SET,
    OVER,
    SHORT,
    ComponentSet,
    EntryPath,
    component_set,
    entry_at,
    fingerprint,
    overlaid,
    overtaken,
    with_entry,
    without_entry,
)
from trajekt.engine.components.editions import NAMED, TomlTable
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.components.schema import Sheet
from trajekt.engine.title import Title, sheet_faults
from trajekt.server.refusals import DeniedError
from trajekt.server.services.table_service import UnreadableError, not_a_set
from trajekt.server.storage import component_sets
from trajekt.server.storage.component_sets import StoredSet
from trajekt.server.storage.store import Store

NEW_NAME = re.compile(r"[\w+.-]{1,20}")
"""The name of an entry that our sheet does not have."""
TRIES = 3


@dataclass(frozen=True, slots=True)
class OwnSet:
    """A set of a person as it is stored and as it is read, with our tables of its edition and those with it laid over."""

    stored: StoredSet
    title: Title
    read: ComponentSet
    printed: TomlTable
    tables: TomlTable

    @property
    def edition(self) -> int:
        return self.read.edition or max(self.title.editions)

    @property
    def overtaken(self) -> list[EntryPath]:
        """The entries whose counterpart in our sheet has changed since they were stated."""
        return overtaken(self.read, self.printed)

    def head(self, **changed: object) -> TomlTable:
        """The head of the set's file, with what is to be changed in it."""
        read = self.read
        kept = {"game": self.title.id, "edition": self.edition, "name": read.name, "version": read.version}
        return {**kept, OVER: dict(read.over), **changed}


def opened(stored: StoredSet, title: Title) -> OwnSet:
    """Read a stored set."""
    read = msgspec.structs.replace(component_set(stored.text, title.id, title.id), draft=True)
    printed = title.printed(read.edition or max(title.editions))
    return OwnSet(stored, title, read, printed, overlaid(printed, read))


@dataclass(frozen=True, slots=True)
class Workshop:
    """The sets of a person."""

    store: Store
    person: str

    def find(self, title: Title, id_: str) -> OwnSet:
        """A set. Raises `DeniedError` 404 `no_set` where there is none of this id, or it is another's."""
        stored = component_sets.find(self.store, self.person, id_) if self.person else None
        if stored is None or stored.title != title.id:
            raise DeniedError(404, "no_set")
        return opened(stored, title)

    def sets(self, title: Title) -> list[OwnSet]:
        """All sets of a game, the one that was changed last first."""
        found = component_sets.of_person(self.store, self.person, title.id) if self.person else []
        return [opened(each, title) for each in found]

    def rename(self, title: Title, id_: str, name: str, version: str) -> OwnSet:
        """Give a set another name and version."""
        return self._changed(
            title, id_, lambda own: (own.head(name=name.strip(), version=version.strip()), own.read.changes)
        )

    def keep(self, title: Title, id_: str, path: EntryPath, entry: TomlTable | None) -> OwnSet:
        """State an entry as it is on the owner's copy, None where his copy has none; one equal to ours was looked at."""
        return self._changed(title, id_, lambda own: _stating(own, path, entry))

    def forget(self, title: Title, id_: str, path: EntryPath) -> OwnSet:
        """State nothing about an entry any more."""
        address = "/".join(path)

        def forgetting(own: OwnSet) -> tuple[TomlTable, TomlTable]:
            left = {key: value for key, value in own.read.over.items() if key != address}
            return own.head(over=left), without_entry(own.read.changes, path)

        return self._changed(title, id_, forgetting)

    def _changed(self, title: Title, id_: str, work: Callable[[OwnSet], tuple[TomlTable, TomlTable]]) -> OwnSet:
        """Change a set; where somebody else has changed it meanwhile, the change is made to what stands there then."""
        for attempt in range(TRIES):
            own = self.find(title, id_)
            head, changes = work(own)
            text = checked(set_text(head, changes, own.printed)).text
            try:
                component_sets.change(self.store, self.person, id_, own.stored.text, text)
            except DeniedError:
                if attempt == TRIES - 1:
                    raise
            else:
                return self.find(title, id_)
        raise AssertionError

    def delete(self, title: Title, id_: str) -> None:
        """Delete a set; tables keep their copy."""
        self.find(title, id_)
        component_sets.delete(self.store, self.person, id_)


def _stating(own: OwnSet, path: EntryPath, entry: TomlTable | None) -> tuple[TomlTable, TomlTable]:
    """Head and differences of a set that states an entry over our sheet as it is now."""
    over = {**own.read.over, "/".join(path): fingerprint(own.printed, path)}
    return own.head(over=over), with_entry(own.read.changes, own.printed, path, entry)


def checked(text: str, game: str = "") -> ComponentSet:
    """The set of a file. `UnreadableError` tells what stands against reading it as one."""
    if len(text.encode(errors="replace")) > LARGEST_SET:
        raise DeniedError(413, "set_too_large", {"most": str(LARGEST_SET // 1024)})
    try:
        return component_set(text, "set.toml", game)
    except SheetError as fault:
        code = "set_name" if fault.faults[0].key in {"set.name", "set.version"} else "set_faults"
        raise not_a_set(fault, "$.text", code) from fault


def no_edition(title: Title, edition: int, path: str) -> UnreadableError:
    """Return what is said of an edition that a game does not have."""
    known = ", ".join(map(str, title.editions))
    message = f"there is no edition {edition}, only {known}"
    return UnreadableError(message, path, "no_edition", edition=str(edition), editions=known)


def begun(title: Title, edition: int, name: str) -> str:
    """The file of a set without a difference. `UnreadableError` where it cannot be called so, or there is no such edition."""
    if edition not in title.editions:
        raise no_edition(title, edition, "$.edition")
    return checked(set_text({"game": title.id, "edition": edition, "name": name.strip(), "version": "1"}, {}, {})).text


def brought(title: Title, text: str) -> str:
    """A file as it is, faults in its entries included; `UnreadableError` where it cannot be read as a set of the game."""
    found = checked(text, title.id)
    if found.game != title.id:
        message = f"is a set for {found.game}, not for {title.id}"
        raise UnreadableError(message, "$.text", "set_of_other_game", game=found.game, wanted=title.id)
    if found.edition and found.edition not in title.editions:
        raise no_edition(title, found.edition, "$.text")
    return found.text


def path_of(own: OwnSet, text: str) -> EntryPath:
    """The way to an entry from an address, `hexes/G6`. Raises `DeniedError` 404 `no_entry` where none can be there."""
    path = tuple(text.split("/"))
    known = isinstance(entry_at(own.tables, path), dict) or isinstance(entry_at(own.printed, path), dict)
    if known and path[0] not in {"set", "editions", "variants"} and (len(path) > 1 or path[0] not in NAMED):
        return path
    if len(path) == 2 and path[0] in NAMED and path[0] != "own" and NEW_NAME.fullmatch(path[1]):
        return path
    raise DeniedError(404, "no_entry")


def faults_of(own: OwnSet) -> list[SheetFault]:
    """All faults of a set, as `trajekt components check` finds them."""
    return sheet_faults(own.title, own.read, own.edition)


def tried(own: OwnSet, path: EntryPath, entry: TomlTable | None) -> OwnSet:
    """A set as it would be with an entry; nothing is stored."""
    head, changes = _stating(own, path, entry)
    stored = msgspec.structs.replace(own.stored, text=set_text(head, changes, own.printed))
    return opened(stored, own.title)


def drawable(own: OwnSet, faults: Sequence[SheetFault]) -> Sheet:
    """The sheet with all entries of a set that have no fault; ours alone where even that does not hold together."""
    options = own.title.options({"edition": own.edition})
    changes = own.read.changes
    for fault in faults:
        parts = tuple(fault.key.split("."))
        changes = without_entry(changes, parts[: 3 if parts[0] == "own" else 2])
    head = own.head(name=own.read.name[:SHORT], version="1", over={})
    for tried_changes in (own.read.changes,) if not faults else (changes,):
        try:
            over = component_set(set_text(head, tried_changes, own.printed), own.title.id)
            return own.title.sheet(options, msgspec.structs.replace(over, draft=True))
        except SheetError:
            continue
    return own.title.sheet(options, None)
