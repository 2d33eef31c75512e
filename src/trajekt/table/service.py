"""What a table can do: create, import, act, undo, redo, export. Synchronous; the web calls it in threads.

Everything that goes wrong is one of a few exceptions; `faults.py` gives each its status and its sentence.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import msgspec

from trajekt.bots.player import names as players
from trajekt.engine.model import Seat
from trajekt.game import Entry, Game, new_game
from trajekt.imports import is_export, read_export
from trajekt.records import RecordError, from_json, to_json
from trajekt.table.live import Hot, Live
from trajekt.table.store import ProgramsRow, Store

NAMES = "abcdefghijkmnpqrstuvwxyz23456789"
NAME_LENGTH = 40
SEEDS = 2**31
TRIAL = "try-"
"""How the names of boards begin that somebody plans on."""
LONGEST_PAUSE = 30.0  # seconds
PAUSES = (0.0, 0.6, 2.0)
"""Seconds between two moves of programs that a reader can choose: at once, quick, slow."""


class UnreadableError(ValueError):
    """A request that cannot be read. `path` says where, as `$.players[2]`; `code` names a sentence of the catalogue."""

    def __init__(self, message: str, path: str = "$", code: str = "unreadable") -> None:
        super().__init__(message)
        self.path = path
        self.code = code


class NothingToUndoError(Exception):
    """There is nothing to take back, or nothing to do again. `code` names the sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as a page or a program sends it: made for position `number`, by `seat` (left out: whoever may)."""

    number: int
    action: msgspec.Raw
    seat: int | None = None


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An undo or redo made for position `number`; an undo may go back to the position after entry `to`."""

    number: int
    to: int | None = None


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is asked for."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    seed: int | None = None
    programs: dict[str, str] = {}
    """The kind of program by the name of the player that it is."""
    pause: float = 0.6


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long programs are to wait between two moves, in seconds."""

    pause: float


@dataclass(frozen=True, slots=True)
class Seating:
    """The programs of a table by seat, the seconds between two of their moves, and whether the table guides a newcomer."""

    seats: dict[Seat, str] = field(default_factory=dict)
    pause: float = 0.0
    guided: bool = False


def programs_of(store: Store, hot: Hot) -> Seating:
    """The programs of a table, asked for once."""
    kept = hot.kept.get("programs")
    if isinstance(kept, Seating):
        return kept
    row = store.programs(hot.id)
    found = Seating()
    if row is not None:
        seats = msgspec.json.decode(row.seats, type=dict[str, str])
        found = Seating({int(seat): kind for seat, kind in seats.items()}, row.pause, row.guided)
    hot.kept["programs"] = found
    return found


@dataclass(frozen=True, slots=True)
class Table:
    """The use cases on one store."""

    live: Live

    @property
    def store(self) -> Store:
        return self.live.store

    def create(self, wanted: Wanted) -> str:
        """Set up a game and store it; answers the name of the table."""
        names = tuple(" ".join(name.split()) for name in wanted.players)
        for n, name in enumerate(names):
            if not name or len(name) > NAME_LENGTH or not name.isprintable():
                raise UnreadableError(f"a name has 1 to {NAME_LENGTH} characters", f"$.players[{n}]", "name")
            if name.casefold() in {other.casefold() for other in names[:n]}:
                raise UnreadableError("every player needs a name of their own", f"$.players[{n}]", "same_name")
        if wanted.seed is not None and not 0 <= wanted.seed < SEEDS:
            raise UnreadableError(f"a seed is a number from 0 to {SEEDS - 1}", "$.seed", "seed")
        try:
            game = new_game(wanted.game, names, wanted.options, wanted.seed, self.live.components)
        except (ValueError, msgspec.ValidationError) as fault:
            raise UnreadableError(str(fault), "$", "set_up") from fault
        try:
            seats = {game.state.names.index(" ".join(name.split())): kind for name, kind in wanted.programs.items()}
        except ValueError as fault:
            raise UnreadableError("a program has the name of a player", "$.programs", "set_up") from fault
        if unknown := set(seats.values()) - set(players()):
            raise UnreadableError(f"no player {min(unknown)!r}", "$.programs", "set_up")
        id_ = self.keep(game)
        if seats:
            self.seat(id_, Seating(seats, min(max(wanted.pause, 0.0), LONGEST_PAUSE)))
        return id_

    def seat(self, id_: str, seating: Seating) -> None:
        """Let programs play seats of a table."""
        row = ProgramsRow(
            seats=msgspec.json.encode({str(seat): kind for seat, kind in seating.seats.items()}).decode(),
            pause=seating.pause,
            guided=seating.guided,
        )
        self.store.seat_programs(id_, row)
        self.live.table(id_).kept.pop("programs", None)

    def pace(self, id_: str, data: bytes) -> Seating:
        """Change how long the programs of a table wait between two moves."""
        hot = self.live.table(id_)
        sent = read(data, Pace)
        now = programs_of(self.store, hot)
        changed = Seating(now.seats, min(max(sent.pause, 0.0), LONGEST_PAUSE), now.guided)
        if now.seats:
            self.seat(id_, changed)
        return changed

    def bring(self, data: bytes) -> str:
        """A table from the record of a game, or from an export of 18xx.games."""
        try:
            over = self.live.components
            game = read_export(data, components=over) if is_export(data) else from_json(data, over)
        except RecordError as fault:
            raise UnreadableError(
                str(fault), "$" if fault.entry is None else f"$.entries[{fault.entry - 1}]", "record"
            ) from fault
        return self.keep(game)

    def try_out(self, game: Game) -> str:
        """A board to plan on: a copy of a game as a table of its own, which the start page does not list."""
        return self.keep(game, TRIAL)

    def keep(self, game: Game, prefix: str = "") -> str:
        """Store a game as a new table; answers its name."""
        id_ = prefix + "".join(secrets.choice(NAMES) for _ in range(10))
        self.live.create(id_, game)
        return id_

    def act(self, id_: str, data: bytes) -> Entry:
        """Carry out a submission; it is stored when this returns."""
        hot = self.live.table(id_)
        sent = read(data, Submission)
        action = self.action(hot, sent)
        return self.live.act(id_, sent.number, sent.seat, action)

    def action(self, hot: Hot, sent: Submission) -> Any:
        """The action of a submission, or `UnreadableError` with the place of the fault."""
        state = hot.game.state
        if sent.seat is not None and not 0 <= sent.seat < len(state.players):
            raise UnreadableError(f"there is no seat {sent.seat}", "$.seat")
        try:
            return hot.game.codec.action(bytes(sent.action))
        except msgspec.ValidationError as fault:
            message, path = _placed(fault)
            raise UnreadableError(message, "$.action" + path[1:]) from fault

    def undo(self, id_: str, data: bytes) -> Entry:
        self.live.table(id_)
        sent = read(data, Step)
        to = sent.to if sent.to is not None else self.behind_programs(self.live.table(id_))
        try:
            return self.live.undo(id_, sent.number, to)
        except ValueError as fault:
            raise NothingToUndoError("nothing_to_undo") from fault

    def behind_programs(self, hot: Hot) -> int | None:
        """Where an undo leads that takes back a person's newest deed and what programs did upon it; None: one step."""
        programs = programs_of(self.store, hot).seats
        with hot.lock:
            line = hot.game.line()
        if not programs or not line or line[-1].seat not in programs:
            return None
        return next((entry.parent for entry in reversed(line) if entry.seat not in programs), None)

    def redo(self, id_: str, data: bytes) -> Entry:
        self.live.table(id_)
        sent = read(data, Step)
        try:
            return self.live.redo(id_, sent.number)
        except ValueError as fault:
            raise NothingToUndoError("nothing_to_redo") from fault

    def record(self, id_: str) -> bytes:
        """The record of a table as JSON, with everything that was undone."""
        hot = self.live.table(id_)
        with hot.lock:
            return to_json(hot.game)

    def seats(self, hot: Hot) -> tuple[Seat, ...]:
        """The seats that this reader may act for: all people's, while everybody sits at one screen."""
        programs = programs_of(self.store, hot).seats
        return tuple(seat for seat in range(len(hot.game.state.players)) if seat not in programs)


def read(data: bytes, kind: type[Any]) -> Any:
    """A request body, or `UnreadableError` with the place of the fault."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as fault:
        message, path = _placed(fault)
        raise UnreadableError(message, path) from fault
    except (UnicodeDecodeError, RecursionError) as fault:
        raise UnreadableError("this is no JSON") from fault


def _placed(fault: msgspec.DecodeError) -> tuple[str, str]:
    message, found, path = str(fault).rpartition(" - at `")
    return (message, path.rstrip("`")) if found else (str(fault), "$")
