"""Record files: a whole game as JSON that verifies itself and can be decided again.

The events are the truth about the position, so a later mend of a rule breaks no record: reading folds them and compares the
digest; `replay` decides every action again under the present rules and names the first difference.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from trajekt.engine.citations import cited
from trajekt.engine.codec import to_plain
from trajekt.engine.components.component_sets import component_set
from trajekt.engine.components.provenance import SheetError, SheetFault
from trajekt.engine.decisions import decide, start
from trajekt.engine.digest import digest
from trajekt.engine.options import Overlay, TableOptions
from trajekt.engine.ruleset import Refusal
from trajekt.engine.title import Title
from trajekt.game import ACTION, DONE, REDO, UNDO, Entry, Game, restored
from trajekt.i18n.filled_sentences import fault_line
from trajekt.i18n.sentences import catalogue
from trajekt.registry import UnknownGameError, title
from trajekt.rules.placement_by_hand import set_up_by_hand

FORMAT = 1


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Errors of bytes that are not the JSON asked for: not JSON or of another shape, no UTF-8, nested without end."""
MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which some editors and shells put in front."""


LONGEST = 400
"""The letters of a sentence at most: what a hostile file says is quoted no further."""


def shortened(message: str) -> str:
    """Return a sentence, cut where it is too long to be read.

    >>> shortened("nobody sits at this table")
    'nobody sits at this table'
    """
    return message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"


class RecordError(ValueError):
    """A file from which no game comes: torn, foreign, or not as the rules have it.

    `code` names the sentence `file.<code>` of the catalogues, `values` fill its gaps; `entry` is the number of the entry at
    fault, None for the file itself. As text it is the English sentence.

    >>> fault = RecordError("twice_name", 3, name="Ada")
    >>> str(fault)
    'entry 3: two players have the same name: Ada'
    >>> fault.sentence("de")
    'Eintrag 3: Zwei Spieler haben denselben Namen: Ada'
    """

    def __init__(self, code: str, entry: int | None = None, **values: Any) -> None:
        super().__init__(code, entry)
        self.code = code
        self.entry = entry
        self.values: Mapping[str, Any] = values

    def __str__(self) -> str:
        return self.sentence("en")

    def sentence(self, language: str) -> str:
        """Return what is wrong in a language, the entry at fault in front."""
        text = shortened(self.text(language))
        return text if self.entry is None else catalogue(language).text("file.entry", entry=self.entry, text=text)

    def text(self, language: str) -> str:
        """Return what is wrong in a language."""
        say = catalogue(language)
        told = {
            name: say.number(v)
            if isinstance(v, int)
            else fault_line(v, language)
            if isinstance(v, SheetFault)
            else str(v)
            for name, v in self.values.items()
        }
        return say.text(f"file.{self.code}", **told)


class EntryFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An entry as it stands in a file; `time` is ISO 8601 where the table knew it."""

    number: int
    parent: int
    seat: int
    kind: str = ACTION
    action: Any = None
    events: Any = ()
    version: int = 1
    time: str = ""


class TalkFile(msgspec.Struct, forbid_unknown_fields=True):
    """Something said at the table: by whom, after which entry, when, as ISO 8601. Whoever reads a game leaves it out."""

    seat: int
    number: int
    time: str
    text: str


class CommentFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A comment on the position after an entry; `seat` is that of its writer, -1 for nobody's in particular."""

    number: int
    text: str
    seat: int = -1


class RecordFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A record as it stands in a file; `docs/reference/records.md` describes it with its schema."""

    trajekt: int
    game: str
    ruleset: str
    version: int
    options: dict[str, Any]
    players: tuple[str, ...]
    seed: int
    components: str
    set_up: Any
    entries: list[EntryFile]
    digest: str
    talk: tuple[TalkFile, ...] = ()
    comments: tuple[CommentFile, ...] = ()
    component_set: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that the present rules decide otherwise: a refusal, or other events than the record has.

    `rule` is the id of what decides: of the refusal, or of the first event that is not the record's; empty for the set-up.
    """

    entry: int
    refusal: Refusal | None
    rule: str = ""


def entry_file(entry: Entry) -> EntryFile:
    """An entry as plain values."""
    action, events = to_plain(entry.action), to_plain(entry.events)
    return EntryFile(entry.number, entry.parent, entry.seat, entry.kind, action, events, entry.version)


def to_file(game: Game) -> RecordFile:
    """The record of a game as plain values."""
    return RecordFile(
        trajekt=FORMAT,
        game=game.title.id,
        ruleset=game.ruleset.name,
        version=game.ruleset.version,
        options=game.title.plain(game.options),
        players=game.names,
        seed=game.seed,
        components=game.played_with,
        set_up=to_plain(game.opening.events),
        entries=[entry_file(entry) for entry in game.entries],
        digest=digest(game.state),
        component_set=game.ruleset.sheet.component_set,
    )


def to_json(game: Game, talk: Sequence[TalkFile] = (), comments: Sequence[CommentFile] = ()) -> bytes:
    """The record of a game as JSON, with the talk at its table where that is to be kept, and comments on its moments."""
    record = msgspec.structs.replace(to_file(game), talk=tuple(talk), comments=tuple(comments))
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


def save(game: Game, path: str | Path) -> None:
    """Write the record of a game; the old file stays whole until the new one is. Raises OSError, which names the file."""
    replace_file(Path(path), to_json(game))


def replace_file(target: Path, data: bytes) -> None:
    """Write a file; the old one stays whole until the new one is. An OSError names the target, and nothing is left behind.

    A device or a pipe is written to, and a link followed: neither is replaced.
    """
    fresh = target.with_name(target.name + ".part")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        target = target.resolve()
        fresh = target.with_name(target.name + ".part")
        fresh.write_bytes(data)
        fresh.replace(target)
    except OSError as fault:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise OSError(fault.errno, fault.strerror, str(target)) from fault


def values_of(data: bytes) -> Any:
    r"""The JSON of a file as plain values; a byte order mark in front is skipped.

    Raises `RecordError` with the line and the column at which a file is torn or broken.

    >>> values_of(b"\xef\xbb\xbf[1]")
    [1]
    >>> values_of(b'[1,\n {"a": ')
    Traceback (most recent call last):
    trajekt.records.RecordError: the file is torn: it ends in the middle, at line 2, column 8
    """
    plain = data.removeprefix(MARK)
    try:
        return msgspec.json.decode(plain)
    except UNREADABLE as fault:
        raise broken_json(plain, fault) from fault


def broken_json(plain: bytes, fault: Exception) -> RecordError:
    """Return the error of a text that is no JSON, with the line and the column at which it is torn or broken."""
    if isinstance(fault, RecursionError):
        return RecordError("nested")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(plain)  # a letter that is torn at the end is no fault of its own
    except UnicodeDecodeError:
        return RecordError("no_utf8")
    broken = re.search(r"(.*?):? ?\(byte (\d+)\)$", str(fault))
    before = plain[: int(broken[2])] if broken else plain
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    if broken:
        return RecordError("no_json", line=line, column=column, detail=broken[1])
    return RecordError("torn", line=line, column=column)


def carried_overlay(text: str, game: str, components: Overlay = None) -> Overlay:
    """The component set that a record carries, else what is laid over our components here. Raises `RecordError`."""
    if not text:
        return components
    try:
        return component_set(text, "component_set", game)
    except SheetError as fault:
        raise RecordError("bad_components", detail=fault.faults[0]) from fault


def from_json(data: bytes, components: str | None = None) -> Game:
    """The game of a record: events folded, the final position compared with its digest. Raises `RecordError`.

    A component set that the record carries is laid over our components; only without one are `components`.
    """
    plain = values_of(data)
    if not isinstance(plain, Mapping) or "trajekt" not in plain:
        raise RecordError("no_record_but_export" if isinstance(plain, Mapping) and "actions" in plain else "no_record")
    if isinstance(plain["trajekt"], int) and plain["trajekt"] > FORMAT:
        raise RecordError("newer_format", format=plain["trajekt"], known=FORMAT)
    try:
        record = msgspec.convert(plain, RecordFile)
    except msgspec.ValidationError as fault:
        raise RecordError("no_record", detail=fault) from fault
    try:
        found = title(record.game)
        options = found.options(record.options)
    except (UnknownGameError, ValueError) as fault:
        raise RecordError("no_game", detail=fault) from fault
    game = _opened(found, options, record, carried_overlay(record.component_set, record.game, components))
    _compare(game, record)
    game.played_with = record.components
    for entry in record.entries:
        take(game, entry)
    if digest(game.state) != record.digest:
        raise RecordError("other_digest")
    return game


def _compare(game: Game, record: RecordFile) -> None:
    """Raises `RecordError` where the record is of another ruleset than its options say, or of a later version."""
    rules = game.ruleset
    if record.ruleset != rules.name:
        raise RecordError("other_ruleset", ruleset=record.ruleset, fitting=rules.name)
    newest = max((record.version, *(entry.version for entry in record.entries)))
    if newest > rules.version:
        raise RecordError("newer_rules", version=newest, ruleset=rules.name, known=rules.version)


def _opened(found: Title, options: TableOptions, record: RecordFile, components: Overlay) -> Game:
    try:
        low, high = found.sheet(options, components).players
        if not low <= len(record.players) <= high:
            raise RecordError(
                "number_of_players", ruleset=record.ruleset, low=low, high=high, number=len(record.players)
            )
        fresh = restored(found, options, record.players, record.seed, (), components)
        events = fresh.codec.events_of(record.set_up)
        return restored(found, options, record.players, record.seed, events, components)
    except (msgspec.ValidationError, AssertionError, KeyError, IndexError) as fault:
        detail = fault if isinstance(fault, msgspec.ValidationError) else repr(fault)
        raise RecordError("unreadable_set_up", detail=detail) from fault
    except SheetError as fault:
        if not record.component_set:
            raise
        raise RecordError("bad_components", detail=fault.faults[0]) from fault


def take(game: Game, entry: EntryFile) -> None:
    """Append an entry of a file that is known to be true. Raises `RecordError` where it cannot be read."""
    if entry.kind not in (*DONE, UNDO, REDO):
        raise RecordError("unknown_kind", entry.number, kind=repr(entry.kind))
    try:
        action = None if entry.action is None else game.codec.action_of(entry.action)
        events = game.codec.events_of(entry.events)
        game.append(Entry(entry.number, entry.parent, entry.seat, entry.kind, action, events, entry.version))
    except (msgspec.ValidationError, ValueError, AssertionError, KeyError, IndexError, TypeError) as fault:
        detail = fault if isinstance(fault, ValueError) else repr(fault)
        raise RecordError("unreadable_entry", entry.number, detail=detail) from fault


def load(path: str | Path, components: str | None = None) -> Game:
    """The game of a record file. Raises `RecordError` for a torn or foreign file, OSError where it cannot be opened."""
    return from_json(Path(path).read_bytes(), components)


def replay(game: Game) -> Iterator[Difference]:
    """Decide every entry again under the present rules, from the seed on; yields each difference, the set-up being entry 0."""
    names, fixed = game.names, game.title.fixed_seats(game.options)
    began = game.opening.events
    if start(game.ruleset, names, game.seed, shuffle=not fixed).events != began and not set_up_by_hand(
        game.ruleset, names, game.seed, began
    ):
        yield Difference(0, None)
    for entry in game.entries:
        if entry.action is None:
            continue
        answer = decide(game.ruleset, game.state_at(entry.parent), entry.seat, entry.action)
        if isinstance(answer, Refusal):
            yield Difference(entry.number, answer, answer.rule)
        elif answer.events != entry.events:
            rules = cited(game.ruleset, game.state_at(entry.parent), entry.seat, entry.action)
            same = takewhile(lambda pair: pair[0] == pair[1], zip(answer.events, entry.events, strict=False))
            yield Difference(entry.number, None, rules[sum(1 for _ in same)])
