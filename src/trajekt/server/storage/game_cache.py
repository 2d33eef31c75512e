"""Hot games: folded from the store once, kept while they are used. A cold game is folded again when somebody asks.

The order is check, store, push: an action is judged on the hot position, stored only if the game still stands there, and
only then does the hot position move. If another process was quicker, the entries it stored are folded first.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from trajekt.bots.bot import MoveReason
from trajekt.engine.actions import Action
from trajekt.engine.decisions import decide
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat
from trajekt.game import ACTION, Entry, Game, Refused, restored
from trajekt.registry import title as find_title
from trajekt.server.storage.round_label import moment_of
from trajekt.server.storage.store import EntryRow, GameRow, StaleError, Store

HOT = 200  # games kept in memory
T = TypeVar("T")


class UnknownTableError(KeyError):
    """No table has this name."""


class StaleSubmissionError(Exception):
    """The submission was made for an earlier position. `entries` are what has happened since, oldest first."""

    def __init__(self, number: int, entries: Sequence[Entry]) -> None:
        super().__init__(f"the table stands at {number}")
        self.number = number
        self.entries = tuple(entries)


@dataclass(eq=False)
class Hot:
    """A game in memory. `lock` is held by whoever moves it; readers take `game.number` once and look at that position."""

    id: str
    game: Game
    lock: threading.RLock = field(default_factory=threading.RLock)
    times: list[float] = field(default_factory=list)
    kept: dict[object, object] = field(default_factory=dict)
    """Drawings and lines that never change once made, by key."""
    by: dict[int, str] = field(default_factory=dict)
    """What did a deed for its seat, by entry, where it was not the person."""
    why: dict[int, MoveReason] = field(default_factory=dict)
    """Why, where a program gave a reason."""
    revision: int = 0
    """Raised when something changes at the table besides its entries."""
    about: dict[str, tuple[int, object]] = field(default_factory=dict)
    """What was read of the table besides its entries, each with the revision at which it was read."""

    def read(self, key: str, reading: Callable[[], T]) -> T:
        """Something about the table besides its entries, read from the store once a revision."""
        revision = self.revision
        kept = self.about.get(key)
        if kept is None or kept[0] != revision:
            kept = self.about[key] = (revision, reading())
        return kept[1]  # type: ignore[return-value]  # what `reading` made at this revision

    def known(self, key: str) -> bool:
        """Whether `read` would ask the store no more."""
        kept = self.about.get(key)
        return kept is not None and kept[0] == self.revision


class Live:
    """The games of one server process."""

    def __init__(self, store: Store, *, hot: int = HOT, components: str | None = None) -> None:
        self.store = store
        self.components = components
        self.limit = hot
        self._hot: OrderedDict[str, Hot] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def warm(self) -> int:
        """How many games are in memory."""
        return len(self._hot)

    def at_hand(self, id_: str) -> Hot | None:
        """A game that is in memory and that no other process can have moved; None where the store must be asked."""
        return None if self.store.shared else self._hot.get(id_)

    def table(self, id_: str) -> Hot:
        """A game at its newest stored position. Raises `UnknownTableError`."""
        with self._lock:
            hot = self._hot.get(id_)
            if hot is not None:
                self._hot.move_to_end(id_)
        if hot is not None:
            if self.store.shared:
                number, hot.revision = self.store.stands(id_)
                if number > hot.game.number:
                    self._catch_up(hot)  # another process was quicker
            return hot
        row = self.store.game(id_)
        if row is None:
            raise UnknownTableError(id_)
        fresh = Hot(id_, opened(row, self.components), revision=row.revision)
        self._catch_up(fresh)
        with self._lock:
            hot = self._hot.setdefault(id_, fresh)
            while len(self._hot) > self.limit:
                self._hot.popitem(last=False)
        return hot

    def current(self, id_: str, number: int) -> Hot:
        """A game that stands at a number. Raises `StaleSubmissionError` where it has moved on."""
        hot = self.table(id_)
        if number != hot.game.number:
            raise StaleSubmissionError(hot.game.number, hot.game.entries[max(number, 0) :])
        return hot

    def changed(self, id_: str) -> None:
        """Something was stored about a table besides its entries: it is read anew."""
        with self._lock:
            hot = self._hot.get(id_)
        if hot is not None:
            hot.revision = self.store.stands(id_)[1]

    def act(
        self,
        id_: str,
        number: int,
        seat: Seat | None,
        action: Action,
        by: str | None = None,
        why: MoveReason | None = None,
    ) -> Entry:
        """Carry out an action made for position `number`: stored when this returns. `by` is what did it for the seat.

        `why` is the reason that a program gives.

        Raises `StaleSubmissionError` where the game has moved on and `Refused` where the rules refuse it.
        """

        def made(game: Game) -> Entry:
            actor = game.seat_for(action, seat)
            answer = decide(game.ruleset, game.state, actor, action)
            if isinstance(answer, Refusal):
                raise Refused(answer)
            return Entry(game.number + 1, game.head, actor, ACTION, action, answer.events, game.ruleset.version)

        return self._move(id_, number, made, by, why)

    def undo(
        self, id_: str, number: int, to: int | None = None, seat: Seat | None = None, by: str | None = None
    ) -> Entry:
        """Step back; ValueError where there is nothing to take back. What is stored and raised: as in `act`."""
        return self._move(id_, number, lambda game: game.at(game.number).undo(seat, to), by)

    def redo(self, id_: str, number: int, seat: Seat | None = None) -> Entry:
        """Take the newest undo back; ValueError where there is none."""
        return self._move(id_, number, lambda game: game.at(game.number).redo(seat))

    def _move(
        self, id_: str, number: int, made: Callable[[Game], Entry], by: str | None = None, why: MoveReason | None = None
    ) -> Entry:
        hot = self.table(id_)
        with hot.lock:
            game = hot.game
            if number != game.number:
                self._catch_up(hot)
                raise StaleSubmissionError(game.number, game.entries[max(number, 0) :])
            entry = made(game)
            after = game.at(game.number)
            after.append(entry)
            try:
                row = row_of(entry, by, why)
                self.store.append(id_, row, moment=moment_of(after.state), finished=after.finished)
            except StaleError as fault:
                self._catch_up(hot)
                raise StaleSubmissionError(game.number, game.entries[number:]) from fault
            game.append(entry)
            if by is not None:
                hot.by[entry.number] = by
            if why is not None:
                hot.why[entry.number] = why
            return entry

    def _catch_up(self, hot: Hot) -> None:
        """Fold what the store has and memory lacks."""
        with hot.lock:
            for row in self.store.entries(hot.id, hot.game.number):
                hot.game.append(entry_of(hot.game, row))
                if row.by is not None:
                    hot.by[row.number] = row.by
                if row.why is not None:
                    hot.why[row.number] = msgspec.json.decode(row.why, type=MoveReason)

    def create(self, id_: str, game: Game, watch_hash: str | None = None, host: str | None = None) -> None:
        """Store a game as a new table, with all its entries if it has some; one with a watching link has seats to hold."""
        row = msgspec.structs.replace(game_row(id_, game), watch_hash=watch_hash, host=host)
        self.store.create(row, tuple(row_of(entry) for entry in game.entries))


def opened(row: GameRow, components: str | None = None) -> Game:
    """The game of a row as set up, before its first entry; an owner's components are laid over ours."""
    title = find_title(row.title)
    options = title.options(msgspec.json.decode(row.options))
    names = tuple(msgspec.json.decode(row.names, type=list[str]))
    bare = restored(title, options, names, row.seed, (), components)
    return restored(title, options, names, row.seed, bare.codec.event_list(row.set_up), components)


def game_row(id_: str, game: Game) -> GameRow:
    """A game as a row, without its entries."""

    def text(value: object) -> str:
        return msgspec.json.encode(value).decode()

    return GameRow(
        id=id_,
        title=game.title.id,
        options=text(game.title.plain(game.options)),
        names=text(game.names),
        seed=game.seed,
        ruleset=game.ruleset.name,
        components=game.ruleset.sheet.digest,
        set_up=text(game.opening.events),
        moment=moment_of(game.state),
        finished=game.finished,
    )


def row_of(entry: Entry, by: str | None = None, why: MoveReason | None = None) -> EntryRow:
    """An entry as a row."""
    return EntryRow(
        number=entry.number,
        parent=entry.parent,
        seat=entry.seat,
        kind=entry.kind,
        action="" if entry.action is None else msgspec.json.encode(entry.action).decode(),
        events=msgspec.json.encode(entry.events).decode(),
        version=entry.version,
        by=by,
        why=None if why is None else msgspec.json.encode(why).decode(),
    )


def entry_of(game: Game, row: EntryRow) -> Entry:
    """The entry of a row."""
    action = game.codec.action(row.action) if row.action else None
    kind = sys.intern(row.kind)  # a record leaves the usual kind out, which msgspec knows by identity
    return Entry(row.number, row.parent, row.seat, kind, action, game.codec.event_list(row.events), row.version)
