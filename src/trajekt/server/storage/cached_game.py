"""A game in memory with what is remembered about it, each value under a named and typed slot.

A slot is a constant of the module that fills it, such as `CHOICES = PerPosition[list[Choice]]()`. Three kinds of slots say how
long a value holds: as long as the game is in memory, until its next entry, or until something else changes at the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from trajekt.bots.bot import MoveReason
from trajekt.game import Game
from trajekt.server.storage.entry_makers import Maker

T = TypeVar("T")
TRIAL = "try-"
"""Beginning of the identifier of a board to try things out on, which is deleted after a time."""
BASE_BYTES, BYTES_PER_ENTRY, BARE_BYTES = 800_000, 1_500, 20_000
"""Memory of a game with its drawings, of each entry with its position, and of a game whose entries are not folded yet: measured
with `tools/load_test.py`, rounded up.
"""


@dataclass(eq=False)
class CachedGame:
    """A game in memory. `lock` is held by whoever moves it; readers take `game.number` once and look at that position.

    `source` is the game, or what folds its entries when it is asked for first: after a restart all open pages come back, and
    most of them need not know more than the number at which their table stands.
    """

    id: str
    source: Game | Callable[[CachedGame], Game]
    revision: int = 0
    """Raised when something changes at the table besides its entries."""
    stored: int = 0
    """The number of the newest entry in the store, as far as known, while the entries are not folded."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    timestamps: list[float] = field(default_factory=list)
    makers: dict[int, Maker] = field(default_factory=dict)
    motives: dict[int, MoveReason] = field(default_factory=dict)
    """Backing of `entry_times`, `made_by` and `reasons`, filled while the entries are folded."""
    values: dict[object, Any] = field(default_factory=dict)
    """The values of the slots below; nobody else reads or writes them."""

    @property
    def game(self) -> Game:
        """The game, folded now where it was not asked for before; of threads that ask at once one folds and the others wait."""
        if isinstance(self.source, Game):
            return self.source
        with self.lock:
            if not isinstance(self.source, Game):
                self.source = self.source(self)
            return self.source

    @property
    def on_trial(self) -> bool:
        """Tell whether it is a board to try things out on."""
        return self.id.startswith(TRIAL)

    @property
    def folded(self) -> bool:
        """Tell whether the entries are folded."""
        return isinstance(self.source, Game)

    @property
    def number(self) -> int:
        """The number of the newest entry; nothing is folded to find it."""
        return self.source.number if isinstance(self.source, Game) else self.stored

    @property
    def entry_times(self) -> list[float]:
        """Times at which the entries were made, in seconds since 1970; the list of a game that no store holds is empty."""
        _ = self.game
        return self.timestamps

    @property
    def made_by(self) -> dict[int, Maker]:
        """The maker of an entry, by its number, where it was not the person."""
        _ = self.game
        return self.makers

    @property
    def reasons(self) -> dict[int, MoveReason]:
        """The reason that a bot gave, by the number of the entry."""
        _ = self.game
        return self.motives

    @property
    def size(self) -> int:
        """An estimate of the memory taken, in bytes."""
        return BASE_BYTES + BYTES_PER_ENTRY * self.number if self.folded else BARE_BYTES

    def as_of(self, number: int) -> CachedGame:
        """The game as it was in memory while entry `number` was the newest; what is remembered about it is shared."""
        with self.lock:
            return replace(self, source=self.game.at(number))

    def snapshot(self) -> Game:
        """A look at the newest position that does not move while it is looked at; one for all who look."""
        with self.lock:
            return SNAPSHOT.get(self, lambda: self.game.at(self.game.number))


class PerGame(Generic[T]):
    """A slot for a value that is made once for a game in memory."""

    def get(self, cached: CachedGame, make: Callable[[], T]) -> T:
        """The value, made where there is none yet; of two threads that make it at once both get the first one's."""
        if self not in cached.values:
            cached.values.setdefault(self, make())
        return cast("T", cached.values[self])

    def take(self, cached: CachedGame) -> T | None:
        """Empty the slot; answers what was in it."""
        return cast("T | None", cached.values.pop(self, None))

    def put(self, cached: CachedGame, value: T) -> None:
        """Fill the slot anew."""
        cached.values[self] = value


class PerPosition(Generic[T]):
    """A slot for a value of the newest position, found once for each."""

    def get(self, cached: CachedGame, find: Callable[[], T], number: int | None = None) -> T:
        """The value at entry `number`, which is the newest where it is left out."""
        at = cached.game.number if number is None else number
        known = cached.values.get(self)
        if known is None or known[0] != at:
            known = cached.values[self] = (at, find())
        return cast("T", known[1])


class PerRevision(Generic[T]):
    """A slot for what is read from the store about a table besides its entries, once for each revision."""

    def get(self, cached: CachedGame, read: Callable[[], T]) -> T:
        """The value, read where the table has changed since."""
        revision = cached.revision
        known = cached.values.get(self)
        if known is None or known[0] != revision:
            known = cached.values[self] = (revision, read())
        return cast("T", known[1])

    def known(self, cached: CachedGame) -> bool:
        """Tell whether `get` would not ask the store."""
        known = cached.values.get(self)
        return known is not None and known[0] == cached.revision


SNAPSHOT = PerPosition[Game]()
