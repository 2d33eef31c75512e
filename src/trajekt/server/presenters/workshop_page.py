"""The page of the workshop: the entries of a component set with their sources and states, their forms, faults and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from trajekt.engine.components import parsing
from trajekt.engine.components.component_set_writing import toml_value
from trajekt.engine.components.component_sets import (
    EntryPath,
    compared,
    entry_at,
    entry_source,
    overlaid,
    whole_entries,
)
from trajekt.engine.components.editions import NAMED, NOTHING, TomlTable
from trajekt.engine.components.provenance import SheetFault, weakest
from trajekt.engine.components.schema import FIRST_STOP, Face, Sheet, Tile
from trajekt.engine.state import blank_state
from trajekt.engine.title import Title
from trajekt.i18n.filled_sentences import sheet_faults
from trajekt.i18n.sentences import Catalogue
from trajekt.rendering.component_sheets import tiles_in_order
from trajekt.rendering.drawing_handles import draw_handles
from trajekt.rendering.map import draw_map
from trajekt.rendering.stock_market import draw_market
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.rendering.token_symbols import page_symbols
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.entry_form import Field, form_of
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.workshop import OwnSet, drawable

GUESSED = frozenset("DX")
"""Sources that say no more than what we think."""
PICTURE = 230
USUAL = frozenset({"kind", "name", "terrain", "cost", "track", "price", "count"})
"""Fields that are shown also where nothing is printed."""
OF_THE_GAME = frozenset({"colour", "terrain"})
"""Fields of hexes and tiles that can only have values which the game has."""
STOP_KINDS = ("town", "city", "offboard", "halt")
OF_STOPS = frozenset({"kind", "revenue", "slots"})
"""Fields of a stop that are shown where the stop is there."""


@dataclass(frozen=True, slots=True)
class SetLine:
    """A set in the list: its id, name, version, edition and how many entries it states."""

    id: str
    name: str
    version: str
    edition: int
    stated: int


@dataclass(frozen=True, slots=True)
class WorkshopPage(PageModel):
    """A person's sets of a game, and the ways to begin one."""

    template: ClassVar[str] = "workshop.html"
    game: Title
    sets: Sequence[SetLine]
    editions: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry in the list: its address, what it is called, its state (`ours`, `seen`, `differs`, `gone`, `new`) and faults.

    `overtaken`: ours has changed since it was stated.
    """

    address: str
    name: str
    source: str
    state: str
    faults: int
    overtaken: bool = False

    @property
    def open(self) -> bool:
        """Tell whether nobody has said yet that it is so, of ours as it is now."""
        return self.overtaken or (self.state == "ours" and self.source in GUESSED)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the components with its entries; `adds` says whether one may be added."""

    key: str
    name: str
    entries: Sequence[EntryLine]
    adds: bool

    @property
    def left(self) -> int:
        return sum(entry.open for entry in self.entries)


@dataclass(frozen=True, slots=True)
class SetList(PageModel):
    """The part of the page that changes with every entry: sections, counts, faults that no entry has."""

    template: ClassVar[str] = "workshop_list.html"
    own: OwnSet
    sections: Sequence[Section]
    faults: Sequence[tuple[str, str]]
    differing: int
    seen: int
    left: int
    overtaken: Sequence[EntryLine]

    def context(self) -> Mapping[str, object]:
        """The list under the name that it has on the whole page."""
        return {"list": self}


@dataclass(frozen=True, slots=True)
class SetPage(PageModel):
    """A set with all its entries, the map and the tiles to click on."""

    template: ClassVar[str] = "workshop_set.html"
    own: OwnSet
    list: SetList
    map: str
    tiles: Sequence[tuple[str, str]]
    market: str
    symbols: str


@dataclass(frozen=True, slots=True)
class FormRow:
    """A field with its label and faults; `options` are its values with their names, where it has only some."""

    field: Field
    label: str
    faults: Sequence[str]
    options: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class EntryForm(PageModel):
    """The form of an entry: `rows` that have a value or a fault, `more` that might have one."""

    template: ClassVar[str] = "workshop_entry.html"
    own: OwnSet
    address: str
    name: str
    source: str
    state: str
    rows: Sequence[FormRow]
    more: Sequence[FormRow]
    picture: str
    stops: Sequence[str]
    faults: Sequence[str]
    printed: bool
    overtaken: bool


@dataclass(frozen=True, slots=True)
class ComparePage(PageModel):
    """Differences of a set to ours, or to another set of the same person."""

    template: ClassVar[str] = "workshop_compare.html"
    own: OwnSet
    others: Sequence[SetLine]
    other: str
    lines: Sequence[tuple[str, str, str, str, str]]


def workshop_page(title: Title, sets: Sequence[OwnSet], viewer: Viewer) -> WorkshopPage:
    """The sets of a person and the editions of the game."""
    say = viewer.catalogue(title)
    keys = [(n, f"page.edition.{n}") for n in sorted(title.editions, reverse=True)]
    names = [(n, say.text(key) if key in say else title.name) for n, key in keys]
    return WorkshopPage(title, [set_line(own) for own in sets], names)


def set_line(own: OwnSet) -> SetLine:
    """A set in a list."""
    stated = sum(state_of(own, path) != "ours" for path in paths_of(own))
    return SetLine(own.stored.id, own.read.name, own.read.version, own.edition, stated)


def paths_of(own: OwnSet) -> list[EntryPath]:
    """The entries of our sheet and of the set, section by section."""
    paths = dict.fromkeys([*whole_entries(own.printed), *whole_entries(own.tables)])
    order = {section: n for n, section in enumerate(dict.fromkeys(path[0] for path in paths))}
    return sorted(paths, key=lambda path: order[path[0]])


def state_of(own: OwnSet, path: EntryPath) -> str:
    """The state of an entry in a set."""
    stated, ours = entry_at(own.read.changes, path), entry_at(own.printed, path)
    if stated is NOTHING:
        return "ours"
    if stated is False:
        return "gone"
    if not isinstance(ours, dict):
        return "new"
    return "seen" if isinstance(stated, dict) and not stated.keys() - {"src", "note"} else "differs"


def source_of(own: OwnSet, path: EntryPath) -> str:
    """The letter of the source of an entry: O where the owner has stated it."""
    return "O" if state_of(own, path) != "ours" else weakest(entry_source(own.printed, path))


def _of_entry(path: EntryPath, faults: Sequence[SheetFault]) -> list[tuple[str, SheetFault]]:
    """The faults of an entry, each with the rest of its key."""
    place = ".".join(path)
    return [
        (fault.key.removeprefix(place).lstrip("."), fault)
        for fault in faults
        if fault.key == place or fault.key.startswith((f"{place}.", f"{place}["))
    ]


def called(own: OwnSet, path: EntryPath, say: Catalogue) -> str:
    """The name of an entry in the list: its key, and what it is called on the board."""
    entry = entry_at(own.tables, path)
    entry = entry if isinstance(entry, dict) else entry_at(own.printed, path)
    name = entry.get("name", entry.get("location", "")) if isinstance(entry, dict) else ""
    if isinstance(name, list):
        name = ", ".join(map(str, name))
    if len(path) == 1 or (path[0] == "own" and len(path) == 2):
        return section_name(".".join(path), say)
    return f"{path[-1]} {name}".strip() if isinstance(name, str) else path[-1]


def section_name(key: str, say: Catalogue) -> str:
    """The name of a section in the reader's language."""
    for wanted in (f"page.box.{key.removeprefix('own.')}", f"page.set.section.{key}"):
        if wanted in say:
            return say.text(wanted)
    return key.removeprefix("own.").replace("_", " ")


def set_list(own: OwnSet, faults: Sequence[SheetFault], viewer: Viewer) -> SetList:
    """The entries of a set by section, with states and counts of faults."""
    say = viewer.catalogue(own.title)
    sections: dict[str, list[EntryLine]] = {}
    known: set[str] = set()
    overtaken = frozenset(own.overtaken)
    in_language = told_in(viewer)
    for path in paths_of(own):
        mine = _of_entry(path, faults)
        known |= {fault.key for _, fault in mine}
        line = EntryLine(
            "/".join(path),
            called(own, path, say),
            source_of(own, path),
            state_of(own, path),
            len(mine),
            path in overtaken,
        )
        sections.setdefault(f"own.{path[1]}" if path[0] == "own" else path[0], []).append(line)
    made = [
        Section(key, section_name(key, say), lines, key in NAMED and key not in {"own", "bonuses"})
        for key, lines in sections.items()
    ]
    lines = [line for section in made for line in section.entries]
    return SetList(
        own=own,
        sections=made,
        faults=[(fault.key, in_language(fault.what)) for fault in faults if fault.key not in known],
        differing=sum(line.state in {"differs", "gone", "new"} for line in lines),
        seen=sum(line.state == "seen" for line in lines),
        left=sum(line.open for line in lines),
        overtaken=[line for line in lines if line.overtaken],
    )


def told_in(viewer: Viewer) -> Callable[[str], str]:
    """The function that tells what is wrong with an entry in the reader's language."""
    return sheet_faults().german if viewer.language == "de" else str


def set_page(own: OwnSet, faults: Sequence[SheetFault], viewer: Viewer) -> SetPage:
    """The whole page of a set."""
    sheet, look = drawable(own, faults), look_of(own.title)
    tiles = [(f"tiles/{tile}", draw_tile(sheet, look, tile, size=52)) for tile in tiles_in_order(sheet)]
    listed = set_list(own, faults, viewer)
    return SetPage(
        own, listed, map_of(own, sheet, viewer), tiles, market_of(own, sheet, viewer), page_symbols(sheet, look)
    )


def market_of(own: OwnSet, sheet: Sheet, viewer: Viewer) -> str:
    """The stock market as a set has it, with its spaces to be clicked on."""
    say, look = viewer.catalogue(own.title), look_of(own.title).market
    rows = [say.text(f"market.row.{kind}") for kind in look.rows] if look is not None else ()
    return "".join(draw_market(sheet, {}, look=look, label=say.text("page.box.market"), rows=rows))


def map_of(own: OwnSet, sheet: Sheet, viewer: Viewer) -> str:
    """The map as a set has it, with its hexes to be clicked on."""
    board = blank_state(sheet, ("?",) * sheet.players[0]).board
    label = viewer.catalogue().text("page.map_label", game=own.title.name)
    return draw_map(board, look_of(own.title), label=label)


def entry_form(
    own: OwnSet,
    path: EntryPath,
    faults: Sequence[SheetFault],
    viewer: Viewer,
    texts: Mapping[str, str] | None = None,
    wrong: tuple[str, str] | None = None,
) -> EntryForm:
    """The form of an entry with the faults of each field; `texts` are typed, `wrong` is a field and what its text is not."""
    say = viewer.catalogue(own.title)
    entry, ours = entry_at(own.tables, path), entry_at(own.printed, path)
    told: dict[str, list[str]] = {}
    general: list[str] = []
    fields = form_of(path, entry, ours, own.printed)
    in_language = told_in(viewer)
    for key, fault in _of_entry(path, faults):
        place = key.replace("[", ".").replace("]", "")
        name = max((f.name for f in fields if f"{place}.".startswith(f"{f.name}.")), key=len, default="")
        name = name or next((f.name for f in fields if f.name.startswith(f"{place}.")), "")  # of a stop as a whole
        what = in_language(fault.what)
        (told.setdefault(name, []) if name else general).append(what if name else f"{key} {what}".strip())
    if wrong is not None:
        told.setdefault(wrong[0], []).append(say.text(f"page.set.no_{wrong[1]}"))
    rows = [
        FormRow(typed(each, texts), label_of(each, say), told.get(each.name, ()), options_of(each, own.printed, say))
        for each in fields
    ]
    there = {row.field.row for row in rows if row.field.key == "kind" and row.field.text}
    usual = USUAL if isinstance(ours, dict) else USUAL | stated_by_most(own.printed.get(path[0]))
    shown = [row for row in rows if row.field.text or row.field.ours or row.faults or _usual(row.field, there, usual)]
    stops = sorted(there)
    return EntryForm(
        own=own,
        address="/".join(path),
        name=called(own, path, say),
        source=source_of(own, path),
        state=state_of(own, path),
        rows=shown,
        more=[row for row in rows if row not in shown],
        picture=picture_of(own, path, entry),
        stops=stops,
        faults=general,
        printed=isinstance(ours, dict),
        overtaken=path in own.overtaken,
    )


def _usual(field: Field, stops: Collection[str], usual: Collection[str]) -> bool:
    """Tell whether a field is shown also where it has no value; of a stop that is not there only its kind is."""
    if field.row:
        return field.key == "kind" or (field.row in stops and field.key in OF_STOPS)
    return field.key in usual


def stated_by_most(section: Any) -> frozenset[str]:
    """The keys that half of the entries of a section have, which a new one will need."""
    entries = [each for each in section.values() if isinstance(each, dict)] if isinstance(section, dict) else []
    counted = Counter(key for each in entries for key in each)
    return frozenset(key for key, count in counted.items() if 2 * count >= len(entries))


def options_of(field: Field, printed: TomlTable, say: Catalogue) -> list[tuple[str, str]]:
    """The values that a field may have, with their names; nothing where anything may be typed. What is typed stays one."""
    if field.row and field.key == "kind":
        known = {kind: say.text(f"page.set.stop.{kind}") for kind in STOP_KINDS}
    elif field.name in OF_THE_GAME:
        known = {each: say.text(f"said.{field.name}.{each}") for each in _printed_values(printed, field.name)}
    else:
        return []
    return list({"": "–", **known, **({} if field.text in known else {field.text: field.text or "–"})}.items())


def _printed_values(printed: TomlTable, key: str) -> Iterator[str]:
    """The values of a key that our hexes and tiles have."""
    for section in ("hexes", "tiles"):
        for entry in printed[section].values():
            if isinstance(entry, dict) and isinstance(entry.get(key), str):
                yield entry[key]


def typed(field: Field, texts: Mapping[str, str] | None) -> Field:
    """A field with the text that was typed."""
    if texts is None or field.name not in texts:
        return field
    return Field(field.name, field.kind, texts[field.name], field.ours, field.grid)


def label_of(field: Field, say: Catalogue) -> str:
    """The label of a field; what has no name in the catalogues is called as in the file."""
    parts = [field.key] if field.row else field.name.removeprefix("own.").split(".")
    named = [say.text(key) if (key := f"page.set.field.{part}") in say else part for part in parts]
    return f"{say.text('page.set.stop', stop=field.row)} {named[0]}" if field.row else ": ".join(named)


def picture_of(own: OwnSet, path: EntryPath, entry: Any) -> str:
    """A tile or a hex by itself, with handles to draw on it; empty for other entries."""
    if path[0] not in {"hexes", "tiles"} or not isinstance(entry, dict):
        return ""
    face, drawn = _drawn(own, path, entry)
    layout = str(own.printed.get("layout", "flat"))
    return drawn + draw_handles(layout, face, PICTURE)


def _drawn(own: OwnSet, path: EntryPath, entry: Any) -> tuple[Face | None, str]:
    """The face of an entry and its picture; None and nothing where it cannot be drawn."""
    reader = parsing.SheetReader("")
    values = reader.fields(entry, "x", parsing.HEX if path[0] == "hexes" else parsing.TILE)
    if values is None:
        return None, ""
    face = parsing.read_face(values, "x", reader)
    ends = [end for piece in face.track for end in (piece.a, piece.b)]
    if reader.faults or any(end >= FIRST_STOP + len(face.stops) for end in ends):
        return None, ""
    ours = own.title.sheet(own.title.options({"edition": own.edition}), None)
    if face.colour and face.colour not in {*ours.colours, *(hex_.face.colour for hex_ in ours.hexes.values())}:
        return None, ""
    sheet = msgspec.structs.replace(ours, tiles={path[-1]: Tile(face=face, count=1)})
    try:
        return face, draw_tile(sheet, look_of(own.title), path[-1], size=PICTURE)
    except (ValueError, KeyError, IndexError, TypeError):
        return None, ""


def compare_page(own: OwnSet, sets: Sequence[OwnSet], other: OwnSet | None, viewer: Viewer) -> ComparePage:
    """Differences of two sets, or of a set to ours."""
    say = viewer.catalogue(own.title)
    before = own.printed if other is None else overlaid(own.printed, other.read)

    def text(value: Any) -> str:
        return say.text("page.set.nothing") if value is None else toml_value(value)

    def key_of(key: str) -> str:
        return label_of(Field(key, "", "", ""), say) if key else ""

    lines = [
        ("/".join(each.entry), called(own, each.entry, say), key_of(each.key), text(each.before), text(each.after))
        for each in compared(before, own.tables)
    ]
    others = [set_line(each) for each in sets if each.stored.id != own.stored.id and each.edition == own.edition]
    return ComparePage(own, others, "" if other is None else other.stored.id, lines)
