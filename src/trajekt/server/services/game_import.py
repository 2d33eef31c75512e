"""Games from files of strangers: records and exports, bounded before they are decoded and decided again by the rules.

The digest of a record has no key, so its events prove nothing: set-up and every entry are made anew from names, options, seed
and actions, and compared with what the file says. What a file is, is told without making values of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from trajekt.engine.codec import encode
from trajekt.engine.components.component_sets import LARGEST_SET
from trajekt.engine.components.provenance import SheetError
from trajekt.engine.decisions import Decision, blank_of, fold
from trajekt.engine.digest import digest
from trajekt.engine.events import Event
from trajekt.engine.import_protocol import KnownDifference
from trajekt.game import ACTION, REDO, UNDO, Game, Proposal, Refused, new_game
from trajekt.hand_positions import set_up_position
from trajekt.import_18xx import ImportRefusedError, import_export
from trajekt.records import FORMAT, MARK, UNREADABLE, RecordError, broken_json, carried_overlay
from trajekt.rules.placement_by_hand import set_up_by_hand
from trajekt.server.storage.comments import LONGEST, MOST, NOBODY, Comment
from trajekt.server.storage.game_cache import MAX_ENTRIES
from trajekt.server.user_text import TextError, checked_name, visible

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
    position: msgspec.Raw = ABSENT
    actions: msgspec.Raw = ABSENT


class ActionKind(msgspec.Struct, frozen=True):
    """The field by which an action is known."""

    action: str = ""


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


class UntrustedComment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comment of a record."""

    number: EntryCount
    text: Annotated[str, msgspec.Meta(max_length=LONGEST)]
    seat: SeatNumber = NOBODY


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
    talk: msgspec.Raw = msgspec.Raw(b"[]")
    """Talk at the other table, which is not taken along."""
    comments: Annotated[tuple[UntrustedComment, ...], msgspec.Meta(max_length=MOST)] = ()
    component_set: Annotated[str, msgspec.Meta(max_length=LARGEST_SET)] = ""


@dataclass(frozen=True, slots=True)
class BroughtGame:
    """A game that a file holds, with the differences from 18xx.games that are known by name and the comments on its moments.

    `fault` is where file and rules part; then the game goes up to that entry.
    """

    game: Game
    notes: tuple[KnownDifference, ...] = ()
    fault: ImportRefusedError | None = None
    comments: tuple[Comment, ...] = ()

    def whole(self) -> Game:
        """Return the game if all of the file came over; raises its fault else."""
        if self.fault is not None:
            raise self.fault
        return self.game


def game_of_file(data: bytes, components: str | None = None) -> BroughtGame:
    """Return the game of a record or an export, as far as the rules decide it so. Raises `RecordError` where there is none."""
    if len(data) > MAX_BYTES:
        raise RecordError("too_large", bytes=len(data), most=MAX_BYTES)
    plain = data.removeprefix(MARK)
    try:
        kind = msgspec.json.decode(plain, type=FileKind)
    except UNREADABLE as fault:
        raise broken_json(plain, fault) from fault
    if kind.trajekt is ABSENT and kind.position is not ABSENT:
        return BroughtGame(_within_bounds(set_up_position(plain, components)))
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
        if not parted.game.number:
            raise
        return BroughtGame(parted.game, fault=parted)
    except RecordError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as fault:
        raise RecordError("unreadable_export", detail=type(fault).__name__) from fault


def _within_bounds(game: Game) -> Game:
    """A game whose numbers and names can be stored and shown. Raises `RecordError`."""
    for name in game.names:
        try:
            fit = checked_name(name)
        except TextError as fault:
            raise RecordError("name") from fault
        if fit != name:
            raise RecordError("name")
    if not 0 <= game.seed < 2**31:
        raise RecordError("seed")
    if game.number > MAX_ENTRIES:
        raise RecordError("long_game", entries=game.number, most=MAX_ENTRIES)
    return game


def _decided_again(data: bytes, components: str | None) -> BroughtGame:
    """Return the game of a record, every entry of it decided by the rules of today."""
    try:
        record = msgspec.json.decode(data, type=UntrustedRecord)
        options = None
        if len(bytes(record.options)) <= MAX_OPTIONS:
            options = msgspec.json.decode(record.options, type=dict[str, Any])
    except UNREADABLE as fault:
        raise RecordError("no_record", detail=fault) from fault
    if record.trajekt > FORMAT:
        raise RecordError("newer_format", format=record.trajekt, known=FORMAT)
    if options is None:
        raise RecordError("large_options", most=MAX_OPTIONS)
    try:
        overlay = carried_overlay(record.component_set, record.game, components)
        game = _within_bounds(new_game(record.game, record.players, options, record.seed, overlay))
    except SheetError as fault:
        raise RecordError("bad_components", detail=fault.faults[0]) from fault
    except (ValueError, msgspec.ValidationError, TypeError) as fault:
        raise fault if isinstance(fault, RecordError) else RecordError("no_game", detail=fault) from fault
    if not _same(record.set_up, game.opening.events):
        game = _begun_by_hand(game, record.set_up)
    began = time.monotonic()
    for entry in record.entries:
        if time.monotonic() - began > MAX_SECONDS:
            raise RecordError("too_long", entry.number, seconds=int(MAX_SECONDS))
        try:
            _decide(game, entry)
        except RecordError as fault:
            if not game.number:
                raise
            refused = fault.__cause__.refusal if isinstance(fault.__cause__, Refused) else None
            parted = ImportRefusedError(fault.code, entry.number, game, refusal=refused, values=fault.values)
            return BroughtGame(game, fault=parted)
    if record.digest != digest(game.state):
        raise RecordError("other_digest")
    return BroughtGame(game, comments=tuple(_comments(record, game)))


def _comments(record: UntrustedRecord, game: Game) -> Iterator[Comment]:
    """The comments of a record on moments that there are, the last one where two have one place; none bears a name here."""
    last = {each.number: visible(each.text).strip() for each in record.comments}
    for number, text in sorted(last.items()):
        if text and number <= game.number:
            yield Comment(number, NOBODY, text)


def _begun_by_hand(game: Game, set_up: msgspec.Raw) -> Game:
    """Return the game begun from a position set up by hand, whose books are checked. Raises `RecordError` where it is none."""
    try:
        events = game.codec.event_list(bytes(set_up))
    except (*UNREADABLE, ValueError) as fault:
        raise RecordError("other_set_up") from fault
    if not set_up_by_hand(game.ruleset, game.names, game.seed, events):
        raise RecordError("other_set_up")
    state = fold(game.ruleset, blank_of(game.ruleset, game.names), events)
    return Game(game.title, game.ruleset, game.options, game.names, game.seed, Decision(events, state))


def _decide(game: Game, entry: UntrustedEntry) -> None:
    """Append an entry as the rules decide it. Raises `RecordError` where the record says otherwise."""
    try:
        proposal = _proposal(game, entry)
    except Refused as refused:
        reason = f"{refused.refusal.code} ({refused.refusal.rule})"
        raise RecordError("refused", entry.number, kind=kind_of(entry), reason=reason) from refused
    except (*UNREADABLE, ValueError, TypeError, KeyError, IndexError) as fault:
        raise RecordError("unreadable_entry", entry.number, detail=fault) from fault
    made = proposal.entry
    if (made.number, made.parent, made.seat) != (entry.number, entry.parent, entry.seat):
        raise RecordError("other_place", entry.number)
    if not _same(entry.events, made.events):
        raise RecordError("other_events", entry.number)
    game.accept(proposal)


def kind_of(entry: UntrustedEntry) -> str:
    """Return what an entry is: undo, redo, or the tag of its action."""
    if entry.kind != ACTION:
        return entry.kind
    return msgspec.json.decode(entry.action, type=ActionKind).action


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


def _same(stated: msgspec.Raw, decided: Sequence[Event]) -> bool:
    """Tell whether the text of a file says what was decided; a text far longer than that is not even decoded."""
    expected = encode(decided)
    text = bytes(stated)
    if text == expected:
        return True
    if len(text) > 20 * len(expected) + 1_000:  # a record may be indented
        return False
    try:
        return bool(msgspec.json.decode(text) == msgspec.json.decode(expected))
    except UNREADABLE:
        return False
