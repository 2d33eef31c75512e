"""Seats that are played by bots: the moves they make on the server, one after another.

A bot's move is a submission like any other. It is found in a thread beside the event loop; between two moves lies a
pause, so that people can follow.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from anyio import to_thread

from trajekt.bots.bot import Bot, make_bot, next_move
from trajekt.bots.time_limit import MOVE_SECONDS, Interruptible
from trajekt.engine.state import Seat
from trajekt.game import Entry, Game, Refused
from trajekt.server.services.table_service import BOTS, BotAssignments, TableService, bots_of
from trajekt.server.storage.cached_game import CachedGame, PerGame
from trajekt.server.storage.entry_makers import STAND_IN, Maker, MakerKind
from trajekt.server.storage.game_cache import StaleSubmissionError
from trajekt.server.storage.pubsub import CHANGED, Subscriptions
from trajekt.server.storage.seats import ASSIGNMENTS, assignments_of

LOG = logging.getLogger("trajekt.server")
BOT_OBJECTS = PerGame[dict[tuple[Seat, str], Bot]]()
FAILURES = PerGame[dict[Seat, "Failure"]]()
"""The bots of a table that were set aside."""
AT_ONCE = 4  # moves that are thought of at the same time, whatever number of tables bots play at
STOP_SECONDS = 2.0  # for bots that think when the server stops
TRIES = 2  # failures at one position after which a bot is set aside


class BotFailure(Exception):
    """A bot raised, ended its thread, gave no move or one that the rules refuse, or took too long."""

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


@dataclass(frozen=True, slots=True)
class Failure:
    """A bot that was set aside at entry `number`, until the table moves or another bot takes the seat."""

    number: int
    kind: str
    reason: str


def set_aside(cached: CachedGame) -> dict[Seat, str]:
    """The seats whose bots were set aside at the present position, each with the reason."""
    failures = FAILURES.get(cached, dict)
    return {seat: each.reason for seat, each in list(failures.items()) if each.number == cached.game.number}


class Waiting:
    """A stand-in for a person among the bots: it never moves."""

    def choose(self, view: object) -> None:  # noqa: ARG002  people choose elsewhere
        return None


@dataclass(eq=False)
class BotRunner:
    """The bots of one server process. Everything but `wake`, `idle` and `run` is called in a thread.

    A bot may be a stranger's. It thinks in a thread of its own, which is told to end and left behind where it takes too long;
    whatever it raises ends its move and nothing else.
    """

    table: TableService
    subscriptions: Subscriptions
    running: set[str] = field(default_factory=set)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    thinking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    seconds: float = MOVE_SECONDS
    thoughts: set[threading.Thread] = field(default_factory=set)

    def seated(self, id_: str) -> tuple[CachedGame, BotAssignments]:
        """A table with the bots that play at it, folded where there are some: what follows runs on the event loop."""
        cached = self.table.cache.get(id_)
        assigned = bots_of(self.table.store, cached)
        if assigned.playing:
            _ = cached.game
        return cached, assigned

    def to_move(self, cached: CachedGame, assigned: BotAssignments) -> list[Seat]:
        """The seats whose bots are to act; none where the host of the server has ended the table."""
        return [] if assignments_of(self.table.store, cached).ended else ready(cached, assigned.playing)

    def idle(self, id_: str) -> bool:
        """Tell whether what is in memory says that no bot is to act; the database is not asked."""
        cached = self.table.cache.in_memory(id_)
        if cached is None or not (BOTS.known(cached) and ASSIGNMENTS.known(cached)):
            return False
        return not self.to_move(cached, bots_of(self.table.store, cached))

    def move(self, id_: str, thinking: Interruptible | None = None) -> Entry | None:
        """The next move of a bot, stored; None where a person is to act or the game is over. Raises `BotFailure`.

        `thinking` may tell the bot to end while it thinks.
        """
        cached, assigned = self.seated(id_)
        kinds, game = assigned.playing, cached.snapshot()
        seats = self.to_move(cached, assigned)
        if not seats:
            return None
        try:
            bots = bot_objects(game, {seat: kinds[seat] for seat in seats}, cached)
            with thinking or Interruptible():
                found = next_move(game.ruleset, game.state, bots, random.Random(game.number))  # noqa: S311  no secret
        except BaseException as fault:
            raise BotFailure(seats[0], f"{type(fault).__name__}: {fault}"[:200]) from fault
        if found is None:
            raise BotFailure(seats[0], "it gives no move")
        seat, made = found
        by = STAND_IN if seat in assigned.stand_ins else Maker(MakerKind.BOT, kinds[seat])
        try:
            return self.table.cache.act(id_, game.number, seat, made.action, by, made.reason)
        except (Refused, ValueError, TypeError) as fault:
            raise BotFailure(seat, f"its move is refused: {fault}"[:200]) from fault

    def wake(self, id_: str) -> None:
        """Let the bots of a table play until a person is to act. Called on the event loop."""
        if id_ in self.running or self.idle(id_):
            return
        self.running.add(id_)
        task = asyncio.get_running_loop().create_task(self.run(id_))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def stop(self) -> None:
        """Let no bot begin another move, and wait a moment for those that think."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        until = time.monotonic() + STOP_SECONDS
        for thread in list(self.thoughts):
            await to_thread.run_sync(thread.join, max(until - time.monotonic(), 0.0))

    async def run(self, id_: str) -> None:
        """One move after another; a position that somebody else has moved meanwhile is looked at again."""
        failed = 0
        try:
            while True:
                cached, assigned = await to_thread.run_sync(self.seated, id_)
                if not self.to_move(cached, assigned):
                    return
                await asyncio.sleep(assigned.pause)
                number = cached.game.number
                try:
                    async with self.thinking:
                        entry = await self.think(id_)
                except StaleSubmissionError:
                    continue
                except BotFailure as fault:
                    failed += 1
                    if failed >= TRIES:
                        self.put_aside(cached, assigned, number, fault)
                        failed = 0
                    continue
                failed = 0
                if entry is None:
                    return
                self.subscriptions.publish(id_, entry.number)
        except Exception:
            LOG.exception("table %s: the bots cannot go on", id_)
        finally:
            self.running.discard(id_)

    async def think(self, id_: str) -> Entry | None:
        """Let a bot move in a thread of its own. Raises as `move`, and `BotFailure` where it takes too long."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Entry | None] = loop.create_future()
        thinking = Interruptible()

        def finish(entry: Entry | None, fault: Exception | None) -> None:
            if done.cancelled() or done.done():
                return
            if fault is None:
                done.set_result(entry)
            else:
                done.set_exception(fault)

        def work() -> None:
            entry, fault = None, None
            try:
                entry = self.move(id_, thinking)
            except Exception as raised:  # noqa: BLE001  handed on
                fault = raised
            self.thoughts.discard(threading.current_thread())
            if not loop.is_closed():
                loop.call_soon_threadsafe(finish, entry, fault)

        thread = threading.Thread(target=work, name=f"bot {id_}", daemon=True)
        self.thoughts.add(thread)
        thread.start()
        try:
            async with asyncio.timeout(self.seconds):
                return await done
        except TimeoutError as late:
            thinking.end()
            cached, assigned = await to_thread.run_sync(self.seated, id_)
            seats = self.to_move(cached, assigned)
            raise BotFailure(seats[0] if seats else 0, f"it thinks for more than {self.seconds:g} seconds") from late

    def put_aside(self, cached: CachedGame, assigned: BotAssignments, number: int, fault: BotFailure) -> None:
        """Set a bot aside at a position, say so in the log and to the pages. Called on the event loop."""
        kind = assigned.playing.get(fault.seat, "")
        FAILURES.get(cached, dict)[fault.seat] = Failure(number, kind, str(fault))
        LOG.warning("table %s: bot %r of seat %d is set aside: %s", cached.id, kind, fault.seat, fault, exc_info=fault)
        self.subscriptions.publish(cached.id, 0, CHANGED)


def ready(cached: CachedGame, kinds: Mapping[Seat, str]) -> list[Seat]:
    """The seats of bots that are to act and were not set aside."""
    aside = set_aside(cached)
    failures = FAILURES.get(cached, dict)
    return [
        seat
        for seat in cached.game.to_act
        if seat in kinds and not (seat in aside and failures[seat].kind == kinds[seat])
    ]


def bot_objects(game: Game, kinds: Mapping[Seat, str], cached: CachedGame) -> list[Bot]:
    """The bots by seat, the same from move to move; people are no bots."""
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
