"""Games from files of strangers: records and exports, bounded before they are decoded and decided again by the rules.

The digest of a record has no key, so its events prove nothing: set-up and every entry are made anew from names, options, seed
and actions, and compared with what the file says. What a file is, is told without making values of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from trajekt.engine.digest import digest
from trajekt.game import ACTION, REDO, UNDO, Game, Proposal, Refused, new_game
from trajekt.import_18xx import ImportRefusedError, Note, import_export
from trajekt.records import FORMAT, MARK, UNREADABLE, RecordError
from trajekt.server.storage.game_cache import MAX_ENTRIES
from trajekt.server.text import TextError, checked_name

MAX_BYTES = 4 * 2**20
"""Bytes of a file: a record of 500 entries has 0.8 MB."""
MAX_SECONDS = 20.0
"""Seconds for which the rules may decide the entries of a file; a game of 500 entries takes half a second."""
MAX_OPTIONS = 4_000
"""Bytes of the options of a record."""

EntryCount = Annotated[int, msgspec.Meta(ge=0, le=MAX_ENTRIES)]
Seed = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
SeatNumber = Annotated[int, msgspec.Meta(ge=-1, le=99)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]


ABSENT = msgspec.Raw(b"null")


class FileKind(msgspec.Struct, frozen=True):
    """The fields by which a file is known; all others are skipped without making values of them."""

    trajekt: msgspec.Raw = ABSENT
    actions: msgspec.Raw = ABSENT


class UntrustedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a record that is to be decided again; action and events stay text until they are needed."""

    number: EntryCount
    parent: EntryCount
    seat: SeatNumber
    kind: ShortText = ACTION
    action: msgspec.Raw = ABSENT
    events: msgspec.Raw = msgspec.Raw(b"[]")
    version: EntryCount = 1
    time: ShortText = ""


class UntrustedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record that is to be decided again."""

    trajekt: EntryCount
    game: ShortText
    ruleset: ShortText
    version: EntryCount
    options: msgspec.Raw
    players: Annotated[tuple[ShortText, ...], msgspec.Meta(max_length=20)]
    seed: Seed
    components: ShortText
    set_up: msgspec.Raw
    entries: Annotated[tuple[UntrustedEntry, ...], msgspec.Meta(max_length=MAX_ENTRIES)]
    digest: ShortText


@dataclass(frozen=True, slots=True)
class BroughtGame:
    """A game that a file holds, with the differences from 18xx.games that are known by name.

    `fault` is where file and rules part; then the game goes up to that entry.
    """

    game: Game
    notes: tuple[Note, ...] = ()
    fault: ImportRefusedError | None = None

    def whole(self) -> Game:
        """Return the game if all of the file came over; raises its fault else."""
        if self.fault is not None:
            raise self.fault
        return self.game


def game_of_file(data: bytes, components: str | None = None) -> BroughtGame:
    """Return the game of a record or an export, as far as the rules decide it so. Raises `RecordError` where there is none."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; up to {MAX_BYTES:,} are read"
        raise RecordError(message)
    plain = data.removeprefix(MARK)
    try:
        kind = msgspec.json.decode(plain, type=FileKind)
    except UNREADABLE as fault:
        message = f"the file is no JSON that can be read: {fault}"
        raise RecordError(message) from fault
    if kind.trajekt is ABSENT and kind.actions is not ABSENT:
        brought = _exported(plain, components)
        _within_bounds(brought.game)
        return brought
    return _decided_again(plain, components)


def _exported(data: bytes, components: str | None) -> BroughtGame:
    try:
        game, notes = import_export(data, components=components)
        return BroughtGame(game, notes)
    except ImportRefusedError as parted:
        if parted.game is None or not parted.game.number:
            raise
        return BroughtGame(parted.game, fault=parted)
    except RecordError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as fault:
        message = f"the export cannot be read: {type(fault).__name__}"
        raise RecordError(message) from fault


def _within_bounds(game: Game) -> Game:
    """A game whose numbers and names can be stored and shown. Raises `RecordError`."""
    for name in game.names:
        try:
            fit = checked_name(name)
        except TextError as fault:
            message = f"a player's name cannot be taken ({fault})"
            raise RecordError(message) from fault
        if fit != name:
            message = "a player's name has spaces or characters that are not shown"
            raise RecordError(message)
    if not 0 <= game.seed < 2**31:
        message = "the seed is no number from 0 to 2147483647"
        raise RecordError(message)
    if game.number > MAX_ENTRIES:
        message = f"the game has {game.number:,} entries; a table takes up to {MAX_ENTRIES:,}"
        raise RecordError(message)
    return game


def _decided_again(data: bytes, components: str | None) -> BroughtGame:
    """Return the game of a record, every entry of it decided by the rules of today."""
    try:
        record = msgspec.json.decode(data, type=UntrustedRecord)
        options = None
        if len(bytes(record.options)) <= MAX_OPTIONS:
            options = msgspec.json.decode(record.options, type=dict[str, Any])
    except UNREADABLE as fault:
        message = f"this is no trajekt record: {fault}"
        raise RecordError(message) from fault
    if record.trajekt > FORMAT:
        message = f"the record has format {record.trajekt}; this version of trajekt reads up to {FORMAT}"
        raise RecordError(message)
    if options is None:
        message = f"the options have more than {MAX_OPTIONS:,} bytes"
        raise RecordError(message)
    try:
        game = _within_bounds(new_game(record.game, record.players, options, record.seed, components))
    except (ValueError, msgspec.ValidationError, TypeError) as fault:
        raise fault if isinstance(fault, RecordError) else RecordError(str(fault)) from fault
    if not _same(record.set_up, game.opening.events):
        message = "the set-up is not the one that players, options and seed give"
        raise RecordError(message)
    began = time.monotonic()
    for entry in record.entries:
        if time.monotonic() - began > MAX_SECONDS:
            message = f"the rules take longer than {MAX_SECONDS:.0f} seconds over the entries up to here"
            raise RecordError(message, entry.number)
        try:
            _decide(game, entry)
        except RecordError as fault:
            if not game.number:
                raise
            message = str(fault).removeprefix(f"entry {entry.number}: ")
            return BroughtGame(game, fault=ImportRefusedError(message, entry.number, game=game))
    if record.digest != digest(game.state):
        message = "the last position is not the one that the record states; the file was changed or torn"
        raise RecordError(message)
    return BroughtGame(game)


def _decide(game: Game, entry: UntrustedEntry) -> None:
    """Append an entry as the rules decide it. Raises `RecordError` where the record says otherwise."""
    try:
        proposal = _proposal(game, entry)
    except Refused as refused:
        message = f"the rules refuse it: {refused.refusal.code} ({refused.refusal.rule})"
        raise RecordError(message, entry.number) from refused
    except (*UNREADABLE, ValueError, TypeError, KeyError, IndexError) as fault:
        message = f"cannot be read: {fault}"
        raise RecordError(message, entry.number) from fault
    made = proposal.entry
    if (made.number, made.parent, made.seat) != (entry.number, entry.parent, entry.seat):
        message = "number, parent or seat are not those that follow from the entries before"
        raise RecordError(message, entry.number)
    if not _same(entry.events, made.events):
        message = "the rules decide it otherwise than the record says"
        raise RecordError(message, entry.number)
    game.accept(proposal)


def _proposal(game: Game, entry: UntrustedEntry) -> Proposal:
    """Return what the rules make of an entry."""
    if entry.kind == UNDO:
        return game.propose_undo(entry.seat, entry.parent)
    if entry.kind == REDO:
        return game.propose_redo(entry.seat)
    if entry.kind != ACTION or bytes(entry.action) == b"null":
        message = "an entry is an action, an undo or a redo"
        raise ValueError(message)
    return game.propose(game.codec.action(bytes(entry.action)), entry.seat)


def _same(stated: msgspec.Raw, decided: object) -> bool:
    """Tell whether the text of a file says what was decided; a text far longer than that is not even decoded."""
    expected = msgspec.json.encode(decided)
    text = bytes(stated)
    if text == expected:
        return True
    if len(text) > 20 * len(expected) + 1_000:  # a record may be indented
        return False
    try:
        return bool(msgspec.json.decode(text) == msgspec.json.decode(expected))
    except UNREADABLE:
        return False
