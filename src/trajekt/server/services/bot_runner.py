"""Seats that are played by programs: which they are, and the moves they make on the server, one after another.

A program's move is a submission like any other. It is found in a thread beside the event loop; between two moves lies a
pause, so that people can follow.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from anyio import to_thread

from trajekt.bots.bot import Bot, make_bot, next_move
from trajekt.engine.state import Seat
from trajekt.game import Entry, Game
from trajekt.server.services.table_service import BOTS, BotAssignments, TableService, bots_of
from trajekt.server.services.undo_policy import STAND_IN
from trajekt.server.storage.cached_game import CachedGame, PerGame
from trajekt.server.storage.game_cache import StaleSubmissionError
from trajekt.server.storage.pubsub import Subscriptions

LOG = logging.getLogger("trajekt.server")
BOT_OBJECTS = PerGame[dict[tuple[Seat, str], Bot]]()
AT_ONCE = 4  # moves that are thought of at the same time, whatever number of tables programs play at


class Waiting:
    """Stands in for a person among the players: it never moves."""

    def choose(self, view: object) -> None:  # noqa: ARG002  people choose elsewhere
        return None


@dataclass(eq=False)
class BotRunner:
    """The programs of one server process. Everything but `wake`, `idle` and `run` is called in a thread."""

    table: TableService
    subscriptions: Subscriptions
    running: set[str] = field(default_factory=set)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    thinking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def seated(self, id_: str) -> tuple[CachedGame, BotAssignments]:
        """A table with what programs play at it."""
        cached = self.table.cache.get(id_)
        return cached, bots_of(self.table.store, cached)

    def idle(self, id_: str) -> bool:
        """Whether what is in memory says that no program is to act; the database is not asked."""
        cached = self.table.cache.in_memory(id_)
        if cached is None or not BOTS.known(cached):
            return False
        seats = bots_of(self.table.store, cached).playing
        return not any(seat in seats for seat in cached.game.to_act)

    def move(self, id_: str) -> Entry | None:
        """The next move of a program at a table, stored; None where a person is to act or the game is over."""
        cached = self.table.cache.get(id_)
        seating = bots_of(self.table.store, cached)
        kinds = seating.playing
        with cached.lock:
            game = cached.game.at(cached.game.number)
        if not any(seat in kinds for seat in game.to_act):
            return None
        found = next_move(game.ruleset, game.state, bot_objects(game, kinds, cached), random.Random(game.number))  # noqa: S311  no secret
        if found is None:
            return None
        seat, made = found
        by = STAND_IN if seat in seating.stand_ins else f"program:{kinds[seat]}"
        return self.table.cache.act(id_, game.number, seat, made.action, by, made.reason)

    def wake(self, id_: str) -> None:
        """Let the programs of a table play until a person is to act. Called on the event loop."""
        if id_ in self.running or self.idle(id_):
            return
        self.running.add(id_)
        task = asyncio.get_running_loop().create_task(self.run(id_))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def run(self, id_: str) -> None:
        """One move after another; a position that somebody else has moved meanwhile is looked at again."""
        try:
            while True:
                cached, seats = await to_thread.run_sync(self.seated, id_)
                if not any(seat in seats.playing for seat in cached.game.to_act):
                    return
                await asyncio.sleep(seats.pause)
                try:
                    async with self.thinking:
                        entry = await to_thread.run_sync(self.move, id_)
                except StaleSubmissionError:
                    continue
                if entry is None:
                    return
                self.subscriptions.publish(id_, entry.number)
        except Exception:  # a player may be a stranger's and fail in any way: the table goes on without it
            LOG.exception("table %s: a program has failed", id_)
        finally:
            self.running.discard(id_)


def bot_objects(game: Game, kinds: Mapping[Seat, str], cached: CachedGame) -> list[Bot]:
    """The programs by seat, the same from move to move; people are no programs."""
    found: list[Bot] = []
    known = BOT_OBJECTS.get(cached, dict)
    for seat in range(len(game.state.players)):
        kind = kinds.get(seat)
        if kind is None:
            found.append(Waiting())
            continue
        if (seat, kind) not in known:
            rng = random.Random(msgspec.json.encode([game.seed, cached.id, seat]).decode())  # noqa: S311  chance, no secret
            known[seat, kind] = make_bot(kind, rng)
        found.append(known[seat, kind])
    return found
