"""Use cases of a table: create, import, act, undo, redo, export. Synchronous; the web calls it in threads.

Everything that goes wrong is one of a few exceptions; `http/errors.py` gives each its status and its sentence.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import msgspec

from trajekt.bots.bot import make_bot
from trajekt.bots.bot import names as players
from trajekt.engine.actions import Action
from trajekt.engine.components.component_sets import component_set
from trajekt.engine.components.provenance import SheetError
from trajekt.engine.options import Overlay
from trajekt.engine.player_names import likeness
from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.export_18xx import ExportError, write_export
from trajekt.game import DONE, UNDO, Entry, Game, Proposal, new_game
from trajekt.i18n.filled_sentences import fault_line
from trajekt.records import UNREADABLE, CommentFile, RecordError, TalkFile, shortened, to_json
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.refusals import DeniedError
from trajekt.server.services import clock
from trajekt.server.services.game_import import BroughtGame, game_of_file
from trajekt.server.services.undo_policy import Undo, undo_to
from trajekt.server.storage import chat, comments, component_sets
from trajekt.server.storage.cached_game import TRIAL, CachedGame, PerRevision
from trajekt.server.storage.entry_makers import Maker
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.seats import assignments_of, open_seats, stand_in
from trajekt.server.storage.secret_tokens import digest, new_token
from trajekt.server.storage.store import BotsRow, Store
from trajekt.server.user_text import TextError, checked_name, cleaned

NAMES = "abcdefghijkmnpqrstuvwxyz23456789"
SEEDS = 2**31
STRANGER = Viewer()
"""Somebody who holds no seat, but may act for everybody at one screen."""
LONGEST_PAUSE = 30.0  # seconds
STAND_IN_PAUSE = 2.0  # seconds, so that a player who has just come back is quicker than the bot
PRONOUNS = frozenset({"you", "du"})
"""Names that no player may have: sentences address the reader so."""
PAUSES = (0.0, 0.6, 2.0)
"""Seconds between two moves of bots that a viewer can choose: at once, quick, slow."""

T = TypeVar("T")


class UnreadableError(ValueError):
    """A request that cannot be read. `path` says where, as `$.players[2]`; `code` names a sentence of the catalogue.

    Its gaps are filled by `values`, and by the message as `detail`, which `told` tells in other languages.
    """

    def __init__(
        self,
        message: str,
        path: str = "$",
        code: str = "unreadable",
        told: Callable[[str], str] | None = None,
        **values: str,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.code = code
        self.told = told
        self.values: Mapping[str, str] = values


class NothingToUndoError(Exception):
    """Error of an undo with nothing to take back, or nothing to do again. `code` names the sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as a page or a client sends it: made for position `number`, by `seat` (left out: whoever may)."""

    number: int
    action: msgspec.Raw
    seat: int | None = None


class UndoOrRedo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An undo or redo made for position `number`; an undo may go back to the position after entry `to`."""

    number: int
    to: int | None = None


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is asked for."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    seed: int | None = None
    bots: dict[str, str] = {}
    """The kind of bot by the name of the player that it is."""
    pause: float = 0.6
    friends: bool = False
    """True where each person plays at a screen of their own, with a link for each seat."""
    you: str = ""
    """At such a table, the player that the host is."""
    component_set: str = ""
    """The file of a component set with which the table is played, or the id of a set that whoever asks has stored."""


class EmptyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an action that needs no words: `{}`."""


class BotPause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pause between two moves of bots, in seconds."""

    pause: float


class BotChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of bot that is to play a bot's seat."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class BotAssignments:
    """The bots of a table by seat, the seconds between two of their moves, and whether the table guides a newcomer."""

    seats: dict[Seat, str] = field(default_factory=dict)
    pause: float = 0.0
    guided: bool = False
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    """Bots that play for people who are absent."""

    @property
    def playing(self) -> dict[Seat, str]:
        """All seats that bots play now."""
        return self.seats | self.stand_ins


BOTS = PerRevision[BotAssignments]()


def people(store: Store, cached: CachedGame) -> frozenset[Seat]:
    """The seats that are not bots', whose consent a pause of the clock needs."""
    bots = bots_of(store, cached).seats
    return frozenset(seat for seat in range(len(cached.game.state.players)) if seat not in bots)


def bots_of(store: Store, cached: CachedGame) -> BotAssignments:
    """The bots of a table, asked for once a revision."""

    def found() -> BotAssignments:
        stand_ins = assignments_of(store, cached).stand_ins
        row = store.bots(cached.id)
        if row is None:
            return BotAssignments(pause=STAND_IN_PAUSE, stand_ins=stand_ins)
        seats = msgspec.json.decode(row.seats, type=dict[str, str])
        return BotAssignments({int(seat): kind for seat, kind in seats.items()}, row.pause, row.guided, stand_ins)

    return BOTS.get(cached, found)


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A new table. Among friends: the name and the token of each person's seat, the token to watch, the host's seat."""

    id: str
    seats: dict[Seat, tuple[str, str]] = field(default_factory=dict)
    watch: str = ""
    yours: Seat | None = None


@dataclass(frozen=True, slots=True)
class TableService:
    """The use cases on one store."""

    cache: GameCache

    def __post_init__(self) -> None:
        self.cache.result = self.result_at_end

    def result_at_end(self, cached: CachedGame, proposal: Proposal) -> Sequence[Standing]:
        """The result that is stored with the entry that ends a game: with the penalties of its clock."""
        return clock.result_at_end(self.store, cached, proposal, people(self.store, cached))

    @property
    def store(self) -> Store:
        return self.cache.store

    def create(self, wanted: NewTable, person: str = "") -> str:
        """Set up a game at one screen and store it; answers the name of the table."""
        return self.open(wanted, person=person).id

    def overlay(self, wanted: NewTable, person: str) -> Overlay:
        """Find what is laid over our components at a new table of a person. `UnreadableError` where there is no such set."""
        text = wanted.component_set
        if text and "\n" not in text:
            found = component_sets.find(self.store, person, text)
            if found is None:
                raise UnreadableError("there is no such component set", "$.component_set", "no_set")
            text = found.text
        try:
            return component_set(text, "component_set", wanted.game) if text else self.cache.components
        except SheetError as fault:
            raise not_a_set(fault, "$.component_set") from fault

    def checked(self, wanted: NewTable, person: str = "") -> tuple[Game, dict[Seat, str]]:
        """The game that is asked for, set up, and the kind of bot by seat; nothing is stored yet. `UnreadableError`."""
        names = checked_players(wanted.players)
        if wanted.seed is not None and not 0 <= wanted.seed < SEEDS:
            raise UnreadableError(f"a seed is a number from 0 to {SEEDS - 1}", "$.seed", "seed")
        try:
            game = new_game(wanted.game, names, wanted.options, wanted.seed, self.overlay(wanted, person))
        except SheetError as fault:
            raise not_a_set(fault, "$.component_set") from fault
        except UnreadableError:
            raise
        except (ValueError, msgspec.ValidationError) as fault:
            raise UnreadableError(str(fault), "$", "set_up") from fault
        there, seats = game.state.names, {}
        for name, kind in wanted.bots.items():
            if cleaned(name) not in there:
                known = ", ".join(game.names)
                called = shortened(name)
                message = f"bots are named by player, one of {known}; {called!r} is none"
                raise UnreadableError(
                    message, "$.bots", "bot_of_nobody", name=called, player=game.names[0], players=known
                )
            seats[there.index(cleaned(name))] = kind
        for kind in seats.values():
            check_bot(kind, "$.bots")
        return game, seats

    def open(self, wanted: NewTable, host: Callable[[], str] | None = None, person: str = "") -> OpenedTable:
        """Set up a game and store it. At a table of friends there is a link for each person's seat and one to watch.

        Who the `host` is, is asked once the game can be set up; `person` is whose component sets may be chosen.
        """
        game, seats = self.checked(wanted, person)
        people = tuple(seat for seat in range(len(game.state.players)) if seat not in seats)
        names_now = game.state.names
        yours = next((seat for seat in people if names_now[seat] == cleaned(wanted.you)), None)
        if wanted.friends:
            made = self.open_to_friends(game, people, yours, host)
        else:
            made = OpenedTable(self.keep(game, host=host() if host is not None else None))
        if seats:
            self.seat(made.id, BotAssignments(seats, min(max(wanted.pause, 0.0), LONGEST_PAUSE)))
        return made

    def open_to_friends(
        self, game: Game, people: tuple[Seat, ...], yours: Seat | None, host: Callable[[], str] | None
    ) -> OpenedTable:
        """Store a game with links for the seats of `people` and one to watch."""
        watch = new_token()
        id_ = self.keep(game, watch=watch, host=host() if host is not None else None, host_seat=yours)
        tokens = open_seats(self.store, id_, people)
        self.cache.invalidate(id_)
        return OpenedTable(id_, {seat: (game.state.names[seat], token) for seat, token in tokens.items()}, watch, yours)

    def seat(self, id_: str, seating: BotAssignments) -> None:
        """Let bots play seats of a table."""
        row = BotsRow(
            seats=msgspec.json.encode({str(seat): kind for seat, kind in seating.seats.items()}).decode(),
            pause=seating.pause,
            guided=seating.guided,
        )
        self.store.assign_bots(id_, row)
        self.cache.invalidate(id_)

    def pace(self, id_: str, data: bytes, viewer: Viewer = STRANGER) -> BotAssignments:
        """Change how long the bots of a table wait between two moves."""
        cached = self.cache.get(id_)
        if not self.seats(cached, viewer):
            raise DeniedError(403, "only_players")
        sent = read(data, BotPause)
        now = bots_of(self.store, cached)
        changed = BotAssignments(now.seats, min(max(sent.pause, 0.0), LONGEST_PAUSE), now.guided, now.stand_ins)
        if now.seats:
            self.seat(id_, changed)
        return changed

    def look_at(self, data: bytes) -> BroughtGame:
        """Read a record, or an export of 18xx.games; nothing is stored. `UnreadableError` where there is no game in it."""
        try:
            return game_of_file(data, self.cache.components)
        except RecordError as fault:
            raise not_a_record(fault) from fault

    def brought(self, data: bytes, *, so_far: bool = False) -> BroughtGame:
        """Read a file; `so_far`: as far as file and rules agree. `UnreadableError` where they part, else."""
        try:
            brought = self.look_at(data)
            if not so_far:
                brought.whole()
        except RecordError as fault:
            raise not_a_record(fault) from fault
        return brought

    def import_record(self, data: bytes, *, so_far: bool = False) -> str:
        """Store the game of a file as a table for one screen; return its name."""
        brought = self.brought(data, so_far=so_far)
        id_ = self.keep(brought.game)
        comments.take_over(self.store, id_, brought.comments)
        return id_

    def bring_for_friends(
        self, data: bytes, you: Seat | None, host: Callable[[], str], *, so_far: bool = False
    ) -> OpenedTable:
        """Store the game of a file as a table of friends: a link for each seat and one to watch; `you` is the host's."""
        brought = self.brought(data, so_far=so_far)
        opened = self.open_to_friends(brought.game, tuple(range(len(brought.game.state.players))), you, host)
        comments.take_over(self.store, opened.id, brought.comments)
        return opened

    def try_out(self, game: Game, source: CachedGame) -> str:
        """A board to plan on: a copy of a game at a table, with its comments, which the start page does not list."""
        id_ = self.keep(game, TRIAL)
        comments.take_over(self.store, id_, comments.of_game(self.store, source.id, game.number))
        return id_

    def keep(
        self, game: Game, prefix: str = "", watch: str = "", host: str | None = None, host_seat: Seat | None = None
    ) -> str:
        """Store a game as a new table, with seats to hold if there is a watching token; answers its name.

        Raises `DeniedError` 503 `disk_low` where only games under way have room.
        """
        if not self.store.has_room():
            raise DeniedError(503, "disk_low", retry_after=600)
        id_ = prefix + "".join(secrets.choice(NAMES) for _ in range(10))
        self.cache.create(id_, game, digest(watch) if watch else None, host, host_seat)
        return id_

    def act(self, id_: str, data: bytes, viewer: Viewer = STRANGER, by: Maker | None = None) -> Entry:
        """Carry out a submission; it is stored when this returns. A player who acts has his seat back from a stand-in."""
        cached = self.cache.get(id_)
        sent = read(data, Submission)
        action = self.action(cached, sent)
        seat = self.actor(cached, viewer, sent, action)
        if seat in bots_of(self.store, cached).stand_ins:
            self.stand_in(cached, seat, None)
        return self.cache.act(id_, sent.number, seat, action, by)

    def actor(self, cached: CachedGame, viewer: Viewer, sent: Submission, action: Action) -> Seat:
        """The seat for which a submission is made. Raises `DeniedError` 403 `not_your_seat` where it is another's."""
        mine = self.seats(cached, viewer)
        waiting = [seat for seat in cached.game.to_act if seat in mine]
        seat = sent.seat
        if seat is None:
            seat = waiting[0] if len(waiting) == 1 else cached.game.seat_for(action, None)
        if seat not in mine:
            raise DeniedError(403, "not_your_seat", {"player": cached.game.state.names[seat]}, seat=seat)
        return seat

    def action(self, cached: CachedGame, sent: Submission) -> Action:
        """The action of a submission, or `UnreadableError` with the place of the fault."""
        state = cached.game.state
        if sent.seat is not None and not 0 <= sent.seat < len(state.players):
            raise UnreadableError(f"there is no seat {sent.seat}", "$.seat")
        try:
            return cached.game.codec.action(bytes(sent.action))
        except UNREADABLE as fault:
            message, path = _placed(fault)
            raise UnreadableError(message, "$.action" + path[1:]) from fault

    def undo(self, id_: str, data: bytes, viewer: Viewer = STRANGER) -> Entry:
        """Take back: one's own last actions, until another has acted on them, or all behind an entry.

        Raises `DeniedError` 403 `needs_consent` with the `seats` that must be asked, and the entry `to`.
        """
        self.cache.get(id_)
        sent = read(data, UndoOrRedo)
        cached = self.cache.current(id_, sent.number)
        wanted = self.undo_to(cached, viewer, sent.to)
        if wanted is None:
            raise NothingToUndoError("nothing_to_undo")
        if wanted.asks:
            names = ", ".join(cached.game.state.names[seat] for seat in wanted.asks)
            raise DeniedError(403, "needs_consent", {"players": names}, seats=list(wanted.asks), to=wanted.to)
        try:
            return self.cache.undo(id_, sent.number, wanted.to, self.undoer(cached, viewer))
        except ValueError as fault:
            raise NothingToUndoError("nothing_to_undo") from fault

    def undo_to(self, cached: CachedGame, viewer: Viewer, to: int | None = None) -> Undo | None:
        """Return what an undo of this viewer takes back; at one screen it is free."""
        bots = tuple(bots_of(self.store, cached).seats)
        apart = assignments_of(self.store, cached).friends
        return undo_to(cached, self.seats(cached, viewer), bots, to, apart=apart)

    def undoer(self, cached: CachedGame, viewer: Viewer) -> Seat | None:
        """Return who undoes, for the log; None, whose action it is, where everybody sits at one screen."""
        return next(iter(viewer.seats), None) if assignments_of(self.store, cached).friends else None

    def redo(self, id_: str, data: bytes, viewer: Viewer = STRANGER) -> Entry:
        """Do again what was taken back; among friends only who took it back."""
        self.cache.get(id_)
        sent = read(data, UndoOrRedo)
        cached = self.cache.current(id_, sent.number)
        if not self.may_redo(cached, viewer):
            raise NothingToUndoError("nothing_to_redo")
        try:
            return self.cache.redo(id_, sent.number, self.undoer(cached, viewer))
        except ValueError as fault:
            raise NothingToUndoError("nothing_to_redo") from fault

    def may_redo(self, cached: CachedGame, viewer: Viewer) -> bool:
        """Tell whether there is an undo to take back, and this viewer may."""
        game = cached.snapshot()
        if not game.entries or game.entries[-1].kind in DONE:
            return False
        try:
            undone = game.propose_redo().entry
        except ValueError:
            return False
        if not assignments_of(self.store, cached).friends:
            return True
        last = next(entry for entry in reversed(game.entries[: undone.number - 1]) if entry.kind == UNDO)
        return last.seat in viewer.seats

    def record(self, id_: str, at: int | None = None) -> bytes:
        """The record of a table as JSON, with everything that was undone; `at`: as it stood after that entry."""
        cached = self.cache.get(id_)
        talk = [
            TalkFile(
                line.seat,
                line.number or 0,
                datetime.fromtimestamp(line.time, UTC).isoformat(timespec="seconds"),
                line.text,
            )
            for line in chat.kept_in_record(self.store, id_)
            if at is None or (line.number or 0) <= at
        ]
        said = [CommentFile(c.number, c.text, c.seat) for c in comments.of_game(self.store, id_, at)]
        with cached.lock:
            return to_json(cached.game if at is None else cached.game.at(at), talk, said)

    def export_18xx(self, id_: str) -> bytes:
        """Return a table in the form of 18xx.games; `DeniedError` 404 `not_18xx` where the site has no such games."""
        cached = self.cache.get(id_)
        with cached.lock:
            try:
                return write_export(cached.game)
            except ExportError as fault:
                raise DeniedError(404, "not_18xx") from fault

    def seats(self, cached: CachedGame, viewer: Viewer) -> tuple[Seat, ...]:
        """The seats that this viewer may act for: those held, or all people's where everybody sits at one screen."""
        if assignments_of(self.store, cached).friends:
            return viewer.seats
        bots = bots_of(self.store, cached).seats
        return tuple(seat for seat in range(len(cached.game.state.players)) if seat not in bots)

    def stand_in(self, cached: CachedGame, seat: Seat, kind: str | None) -> None:
        """Let a bot play for an absent player; None gives the seat back."""
        if kind is not None:
            check_bot(kind)
        stand_in(self.store, cached.id, seat, kind)
        self.cache.invalidate(cached.id)

    def replace_bot(self, id_: str, data: bytes, viewer: Viewer = STRANGER) -> BotAssignments:
        """Let another bot play a seat of a bot. Raises `DeniedError` for somebody without a seat."""
        cached = self.cache.get(id_)
        if not self.seats(cached, viewer):
            raise DeniedError(403, "only_players")
        sent = read(data, BotChoice)
        now = bots_of(self.store, cached)
        if sent.seat not in now.seats:
            raise DeniedError(404, "no_seat")
        check_bot(sent.kind, "$.kind")
        changed = BotAssignments(now.seats | {sent.seat: sent.kind}, now.pause, now.guided, now.stand_ins)
        self.seat(id_, changed)
        return changed


def check_bot(kind: str, path: str = "$.kind") -> None:
    """Raises `UnreadableError` where no bot of this kind can be loaded; `path` is where it was named."""
    if kind not in players():
        known = ", ".join(players())
        called = shortened(kind)
        raise UnreadableError(f"no bot {called!r}; there are {known}", path, "no_bot", bot=called, bots=known)
    try:
        make_bot(kind, random.Random(0))  # noqa: S311  no secret
    except BaseException as fault:
        what = type(fault.__cause__ or fault).__name__  # what its maker raised, not that it did
        message = f"the bot {kind!r} cannot be loaded ({what})"
        raise UnreadableError(message, path, "bot_not_loaded", bot=kind, fault=what) from fault


def not_a_record(fault: RecordError) -> UnreadableError:
    """Return what is said of a file from which no game is taken, with the entry at fault."""
    place = "$" if fault.entry is None else f"$.entries[{fault.entry - 1}]"
    return UnreadableError(str(fault), place, "record", fault.sentence)


def not_a_set(fault: SheetError, path: str, code: str = "set_faults") -> UnreadableError:
    """Return what is said of a component set that cannot be played with: its first fault."""
    first = fault.faults[0]
    return UnreadableError(str(first), path, code, partial(fault_line, first))


def checked_players(players: Sequence[str]) -> tuple[str, ...]:
    """The names of players as they are stored, wherever a game comes from. Raises `UnreadableError` with the place."""
    names: list[str] = []
    for n, name in enumerate(players):
        try:
            fit = checked_name(name)
        except TextError as fault:
            raise UnreadableError(str(fault), f"$.players[{n}]", fault.code) from fault
        if fit.casefold() in PRONOUNS:
            raise UnreadableError(f"{fit!r} is no name", f"$.players[{n}]", "name_pronoun")
        if likeness(fit) in map(likeness, names):
            raise UnreadableError("every player needs a name of their own", f"$.players[{n}]", "same_name")
        names.append(fit)
    return tuple(names)


def read(data: bytes, kind: type[T]) -> T:
    """A request body, or `UnreadableError` with the place of the fault."""
    try:
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as fault:
        message, path = _placed(fault)
        raise UnreadableError(message, path) from fault


def _placed(fault: Exception) -> tuple[str, str]:
    """Return what `msgspec` says of a fault, and the place that it names."""
    if not isinstance(fault, msgspec.DecodeError):
        return "this is no JSON", "$"
    message, found, path = str(fault).rpartition(" - at `")
    return (message, path.rstrip("`")) if found else (str(fault), "$")
