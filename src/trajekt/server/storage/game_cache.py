"""Live games: read from the store and folded once, when they are first needed; in memory while they are used.

The order of a move is decide, store, append: an action is decided at the newest position, stored only if the game still stands
there, and only then appended with the position that was decided. If another process was quicker, its entries are folded first.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

import msgspec

from trajekt.bots.bot import MoveReason
from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.codec import encode
from trajekt.engine.state import Seat
from trajekt.engine.title import Standing
from trajekt.game import Entry, Game, Proposal, restored
from trajekt.records import carried_overlay
from trajekt.registry import title as find_title
from trajekt.round_label import round_key
from trajekt.server.refusals import DeniedError
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.entry_makers import Maker
from trajekt.server.storage.result_rows import results_of
from trajekt.server.storage.store import EntryRow, GameRow, StaleError, Store, seat_list

CAPACITY = 300 * 2**20
"""Bytes of games in memory (an estimate, see `CachedGame.size`); those unused for longest go first."""
PINNED_FACTOR = 2
"""Games with an open page stay until that many times the capacity is reached."""
MAX_ENTRIES = 20_000
"""Entries of a table, undone ones among them: whole games have some 600."""


class UnknownTableError(KeyError):
    """Name of no table."""


class StaleSubmissionError(Exception):
    """Submission made for an earlier position. `entries` are what has happened since, oldest first."""

    def __init__(self, number: int, entries: Sequence[Entry]) -> None:
        super().__init__(f"the table stands at {number}")
        self.number = number
        self.entries = tuple(entries)


def _never(_id: str) -> bool:
    return False


def _by_the_rules(cached: CachedGame, proposal: Proposal) -> Sequence[Standing]:
    """The result of a game that an entry ends, as the rules have it."""
    return cached.game.title.standings(proposal.state)


class GameCache:
    """The games of one server process that are in memory.

    `pinned` tells of a table whether somebody has it open. While `listening`, other processes tell of all that they store, and
    the store is not asked where a table stands.
    """

    def __init__(self, store: Store, *, capacity: int = CAPACITY, components: str | None = None) -> None:
        self.store = store
        self.components = components
        self.capacity = capacity
        self.pinned: Callable[[str], bool] = _never
        self.result: Callable[[CachedGame, Proposal], Sequence[Standing]] = _by_the_rules
        """Result that is stored with the entry that ends a game."""
        self.listening = False
        self._recent: OrderedDict[str, CachedGame] = OrderedDict()
        self._alive: WeakValueDictionary[str, CachedGame] = WeakValueDictionary()
        """All objects that anybody holds: of one table there are never two."""
        self._behind: dict[str, int] = {}
        """The number at which another process says that a table stands; 0 where only something beside the entries changed."""
        self._lock = threading.Lock()
        self._folding = threading.Lock()

    @property
    def count(self) -> int:
        """The number of games in memory."""
        return len(self._recent)

    @property
    def size(self) -> int:
        """An estimate of their memory, in bytes."""
        with self._lock:
            return sum(cached.size for cached in self._recent.values())

    def in_memory(self, id_: str) -> CachedGame | None:
        """A game that is in memory and up to date; None where the store must be asked."""
        if (self.store.shared and not self.listening) or id_ in self._behind:
            return None
        return self._recent.get(id_)

    def begin_listening(self) -> None:
        """Believe from now on what other processes tell; what came before is asked for once."""
        self._behind.update(dict.fromkeys(list(self._alive), 0))
        self.listening = True

    def heard(self, id_: str, number: int) -> None:
        """Take note that another process has stored entry `number`, or for 0 something besides the entries."""
        if id_ in self._alive:
            self._behind[id_] = max(number, self._behind.get(id_, 0))

    def get(self, id_: str) -> CachedGame:
        """A game at its newest stored position. Raises `UnknownTableError`."""
        with self._lock:
            cached = self._alive.get(id_)
            if cached is not None:
                self._recent[id_] = cached
                self._recent.move_to_end(id_)
        if cached is None:
            cached = self._read(id_)
        elif self.store.shared:
            self._refresh(cached)
        return cached

    def _read(self, id_: str) -> CachedGame:
        """Read a game into memory, its entries not yet; of two threads that read at once both get the same object."""
        row = self.store.game(id_)
        if row is None:
            raise UnknownTableError(id_)
        fresh = CachedGame(id_, lambda cached: self._folded(cached, row), revision=row.revision, stored=row.number)
        with self._lock:
            cached = self._alive.setdefault(id_, fresh)
            self._recent[id_] = cached
            self._evict()
        return cached

    def _folded(self, cached: CachedGame, row: GameRow) -> Game:
        """The game of a row with all its entries. One is folded at a time: many threads that compute keep those waiting who
        answer requests.
        """
        with self._folding:
            game = game_of_row(row, self.components)
            cached.timestamps.clear()
            self._take_in(cached, game)
            cached.source = game  # not before: others look at it without the lock
        with self._lock:
            self._evict()
        return game

    def _evict(self) -> None:
        """Forget the games unused for longest until the rest fits; those with an open page only where it must be."""
        size = sum(cached.size for cached in self._recent.values())
        for limit, spare in ((self.capacity, self.pinned), (PINNED_FACTOR * self.capacity, _never)):
            for id_ in list(self._recent)[:-1]:
                if size <= limit:
                    break
                if not spare(id_):
                    size -= self._recent.pop(id_).size

    def _refresh(self, cached: CachedGame) -> None:
        """Read what other processes have stored."""
        if self.listening and self._behind.pop(cached.id, None) is None:
            return
        with cached.lock:
            number, cached.revision = self.store.number_and_revision(cached.id)
            if not cached.folded:
                cached.stored = number
            elif number > cached.game.number:
                self._catch_up(cached)

    def forget(self, id_: str) -> None:
        """Drop a table that is no more."""
        with self._lock:
            self._recent.pop(id_, None)
            self._alive.pop(id_, None)
            self._behind.pop(id_, None)

    def current(self, id_: str, number: int) -> CachedGame:
        """A game that stands at a number. Raises `StaleSubmissionError` where it has moved on."""
        cached = self.get(id_)
        if number != cached.game.number:
            raise StaleSubmissionError(cached.game.number, cached.game.entries[max(number, 0) :])
        return cached

    def invalidate(self, id_: str) -> None:
        """Read anew what was stored about a table besides its entries."""
        cached = self._alive.get(id_)
        if cached is not None:
            cached.revision = self.store.number_and_revision(id_)[1]

    def act(
        self,
        id_: str,
        number: int,
        seat: Seat | None,
        action: Action,
        by: Maker | None = None,
        why: MoveReason | None = None,
    ) -> Entry:
        """Carry out an action made for position `number`: stored when this returns. `by` is what did it for the seat.

        `why` is the reason that a bot gives.

        Raises `StaleSubmissionError` where the game has moved on and `Refused` where the rules refuse it.
        """
        return self._move(id_, number, lambda game: game.propose(action, seat), by, why)

    def undo(
        self, id_: str, number: int, to: int | None = None, seat: Seat | None = None, by: Maker | None = None
    ) -> Entry:
        """Step back; ValueError where there is nothing to take back. What is stored and raised: as in `act`."""
        return self._move(id_, number, lambda game: game.propose_undo(seat, to), by)

    def redo(self, id_: str, number: int, seat: Seat | None = None) -> Entry:
        """Take the newest undo back; ValueError where there is none."""
        return self._move(id_, number, lambda game: game.propose_redo(seat))

    def arrange(self, id_: str, number: int, propose: Callable[[Game], Proposal]) -> Entry:
        """Store what was put on a board to plan on without the rules; raised: as in `act`."""
        return self._move(id_, number, propose)

    def _move(
        self,
        id_: str,
        number: int,
        propose: Callable[[Game], Proposal],
        by: Maker | None = None,
        why: MoveReason | None = None,
    ) -> Entry:
        cached = self.get(id_)
        with cached.lock:
            game = cached.game
            if number != game.number:
                self._catch_up(cached)
                raise StaleSubmissionError(game.number, game.entries[max(number, 0) :])
            if game.number >= MAX_ENTRIES:
                raise DeniedError(422, "table_full", {"most": str(MAX_ENTRIES)})
            proposal = propose(game)
            entry, state = proposal
            results = results_of(game.title.id, self.result(cached, proposal)) if state.outcome else ()
            try:
                made = self.store.append(
                    id_,
                    row_of(entry, by, why),
                    moment=round_key(state),
                    finished=bool(state.outcome),
                    awaited=seat_list(awaited(game.ruleset, state)),
                    results=results if results or game.finished else None,
                )
            except DeniedError:  # ended beside this process
                self.invalidate(id_)
                raise
            except StaleError as fault:
                self._catch_up(cached)
                raise StaleSubmissionError(game.number, game.entries[number:]) from fault
            cached.timestamps.append(made)  # before the entry, which others see without the lock
            game.accept(proposal)
            if by is not None:
                cached.made_by[entry.number] = by
            if why is not None:
                cached.reasons[entry.number] = why
            return entry

    def _catch_up(self, cached: CachedGame) -> None:
        """Fold what the store has and memory lacks."""
        with cached.lock:
            self._take_in(cached, cached.game)

    def _take_in(self, cached: CachedGame, game: Game) -> None:
        """Append to a game what the store has behind its newest entry."""
        for row in self.store.entries(cached.id, game.number):
            game.append(entry_of(game, row))
            cached.timestamps.append(row.time)
            if (by := Maker.read(row.by)) is not None:
                cached.makers[row.number] = by
            if row.why is not None:
                cached.motives[row.number] = msgspec.json.decode(row.why, type=MoveReason)

    def create(
        self,
        id_: str,
        game: Game,
        watch_hash: str | None = None,
        host: str | None = None,
        host_seat: Seat | None = None,
    ) -> None:
        """Store a game as a new table, with all its entries if it has some; one with a watching link has seats to hold."""
        row = msgspec.structs.replace(game_row(id_, game), watch_hash=watch_hash, host=host, host_seat=host_seat)
        results = results_of(game.title.id, game.standings()) if game.finished else ()
        self.store.create(row, tuple(row_of(entry) for entry in game.entries), results)


def game_of_row(row: GameRow, components: str | None = None) -> Game:
    """The game of a row as set up, before its first entry.

    The component set of the row is laid over our components; where it has none, an owner's `components` are.
    """
    title = find_title(row.title)
    overlay = carried_overlay(row.component_set or "", row.title, components)
    options = title.options(msgspec.json.decode(row.options))
    names = tuple(msgspec.json.decode(row.names, type=list[str]))
    bare = restored(title, options, names, row.seed, (), overlay)
    return restored(title, options, names, row.seed, bare.codec.event_list(row.set_up), overlay)


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
        set_up=encode(game.opening.events).decode(),
        moment=round_key(game.state),
        finished=game.finished,
        awaited=seat_list(game.to_act),
        component_set=game.ruleset.sheet.component_set or None,
    )


def row_of(entry: Entry, by: Maker | None = None, why: MoveReason | None = None) -> EntryRow:
    """An entry as a row."""
    return EntryRow(
        number=entry.number,
        parent=entry.parent,
        seat=entry.seat,
        kind=entry.kind,
        action="" if entry.action is None else encode(entry.action).decode(),
        events=encode(entry.events).decode(),
        version=entry.version,
        by=None if by is None else str(by),
        why=None if why is None else msgspec.json.encode(why).decode(),
    )


def entry_of(game: Game, row: EntryRow) -> Entry:
    """The entry of a row."""
    action = game.codec.action(row.action) if row.action else None
    kind = sys.intern(row.kind)  # a record leaves the usual kind out, which msgspec knows by identity
    return Entry(row.number, row.parent, row.seat, kind, action, game.codec.event_list(row.events), row.version)
