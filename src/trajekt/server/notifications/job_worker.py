"""Work at a table that nobody asks for: instructions act, the absent are told. Jobs come from `job_queue.py`.

One task of the server takes them. A job may be done twice if a server dies over it, and is made so that this does no harm: an
instruction's action is an entry for a numbered position, and how often it has acted is read off the log; a notice may come
twice.
"""

from __future__ import annotations

import asyncio
import logging
import smtplib
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
from anyio import CapacityLimiter, to_thread

from trajekt.engine.state import Seat
from trajekt.game import UNDO, Entry, Game, Refused
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.notifications import messages, notification_settings, webhook
from trajekt.server.notifications.delivery import Delivery, NotificationConfig
from trajekt.server.notifications.quiet_hours import quiet_until
from trajekt.server.services.standing_order_context import Fire, Sight
from trajekt.server.services.standing_orders import judge, lives_again
from trajekt.server.services.table_service import TableService, bots_of
from trajekt.server.storage import (
    consent_requests,
    contacts,
    deletion,
    job_queue,
    open_tables,
    push_subscriptions,
    results,
)
from trajekt.server.storage import standing_orders as standing_order_store
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.consent_requests import ConsentRequest
from trajekt.server.storage.contacts import NoticeJob
from trajekt.server.storage.entry_makers import INSTRUCTION
from trajekt.server.storage.game_cache import StaleSubmissionError
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED, Subscriptions
from trajekt.server.storage.result_rows import results_of
from trajekt.server.storage.seats import HERE
from trajekt.server.storage.standing_orders import Ended, PassUntil

LOG = logging.getLogger("trajekt.server")
UNDONE_LATELY = 20  # entries among which an undo is looked for
UNMET = frozenset({"gone", "dear", "impossible", "refused"})
"""Reasons for which something wanted was not done: whoever wanted it decides himself what else to do (case B96)."""
POLL, POLL_SHARED = 60.0, 2.0  # seconds until a look at what is due, if nothing wakes; where other processes write too
TOGETHER = 0.05  # seconds in which all that wakes the worker brings one look: on a full server every move does
TELL_HOST = 3600.0  # seconds between two lines of the log about the same failure
EXPIRE = 3600.0  # seconds between two looks for what has lapsed
STOP_SECONDS = 15.0  # for what is under way when the server stops
SENDERS, PUSHERS = (
    6,
    4,
)  # letters and webhooks, and messages by Web Push, that are sent at a time, in threads of their own
CALLED = {"mail": "mail", "hook": "a webhook", "push": "a message to a device"}
"""Ways of notices as the log calls them."""
FILLED_AT_ONCE = 20
"""Games of earlier versions whose results are stored at a time."""
OPEN_DAYS = 14
"""Days after which open tables end where nobody has sat down."""
FORGOTTEN = 30 * 24 * 3600.0  # seconds after which bots do not go on by themselves at a table
QUIET = 60.0  # seconds without a move after which the bots of a table may belong to a process that is no more
SETTLING = 10.0  # seconds in which another process that plays at a table shows it by a move


class Turn(msgspec.Struct, frozen=True):
    """A job: the table stands at entry `number`; 0 where only instructions are to be looked at.

    So has the job to let bots go on, which is nobody's once the table has moved.
    """

    number: int


def automatic(cached: CachedGame) -> frozenset[int]:
    """The entries that instructions have made."""
    return frozenset(number for number, by in cached.made_by.items() if by == INSTRUCTION)


@dataclass(frozen=True, slots=True)
class JobResult:
    """Result of a job: the action of an instruction, how many instructions have ended, whether a bot is to move."""

    entry: Entry | None = None
    ended: int = 0
    bots: bool = False


@dataclass(eq=False)
class JobRunner:
    """The work of one server process. Everything but `wake` and `run` is called in a thread."""

    table: TableService
    accounts: Accounts
    sending: NotificationConfig = field(default_factory=NotificationConfig)
    clock: Callable[[], float] = time.time
    keep_days: int = 0
    """Days after which unused tables at one screen are deleted; 0 never."""
    open_days: int = OPEN_DAYS
    """Days after which open tables of the lobby end where nobody sat down; 0 never."""
    told_host: dict[str, float] = field(default_factory=dict)
    """Times at which a failure of mail or webhooks was last logged."""
    delivery: Delivery = field(init=False)

    def __post_init__(self) -> None:
        self.delivery = Delivery(self.table.store, self.accounts, self.sending)

    @property
    def sendings(self) -> Counter[tuple[str, str]]:
        """Notices of this process, by way and outcome."""
        return self.delivery.counted

    # Instructions --------------------------------------------------------------------------------------------------

    def act(self, cached: CachedGame) -> JobResult:
        """Let the next instruction act that may. Those that have ended are marked."""
        ended = 0
        store, game = self.table.store, cached.snapshot()
        sight = Sight(game, automatic(cached))
        self._revive(cached.id, sight)
        unmet: set[Seat] = set()
        kept = sorted(
            standing_order_store.holding(store, cached.id), key=lambda k: (isinstance(k.given.order, PassUntil), k.id)
        )
        for each in kept:
            given = each.given
            passing = isinstance(given.order, PassUntil)
            verdict = Ended(standing_order_store.UNMET_PASS) if passing and given.seat in unmet else judge(sight, given)
            if isinstance(verdict, Ended):
                standing_order_store.end(store, cached.id, each, verdict)
                ended += 1
                if not passing and verdict.reason in UNMET:
                    unmet.add(given.seat)
            elif isinstance(verdict, Fire):
                try:
                    entry = self.table.cache.act(cached.id, game.number, given.seat, verdict.action, INSTRUCTION)
                    return JobResult(entry, ended)
                except StaleSubmissionError:
                    return JobResult(None, ended)  # what came between has its own job
                except Refused:
                    standing_order_store.end(store, cached.id, each, Ended("impossible"))
                    ended += 1
        return JobResult(None, ended)

    def _revive(self, id_: str, sight: Sight) -> None:
        """Let instructions hold again whose end an undo took back; what came behind it may be there before this looks."""
        if any(entry.kind == UNDO for entry in sight.game.entries[-UNDONE_LATELY:]):
            for each in standing_order_store.ended_lately(self.table.store, id_):
                if lives_again(sight, each.given):
                    standing_order_store.revive(self.table.store, id_, each)

    # Notices ---------------------------------------------------------------------------------------------------------

    def call(self, cached: CachedGame, number: int) -> None:
        """Note down whom entry `number` concerns; each is told once."""
        game = cached.snapshot()
        if game.number < number:
            return
        if game.finished and number == game.number:
            self.tell(cached.id, tuple(range(len(game.state.players))), number, contacts.OVER)
        else:
            self.tell(cached.id, messages.newly_awaited(game, number, automatic(cached)), number, contacts.TURN)

    def tell(self, id_: str, seats: tuple[Seat, ...], number: int, kind: str) -> None:
        """Note down a notice for each way by which a seat wants to be told, unless it was told of this entry."""
        at = self.clock() + (self.sending.grace if kind == contacts.TURN else 0.0)
        for seat in seats:
            contacts.queue_notice(self.table.store, id_, seat, number, kind, at)

    def begun(self, id_: str) -> None:
        """Note down that those must be told who waited for a game that has begun."""
        seats = tuple(range(len(self.table.cache.get(id_).snapshot().state.players)))
        contacts.queue_notices(self.table.store, id_, seats, 0, contacts.BEGUN, self.clock() + self.sending.grace)

    def consult(self, consent_request: ConsentRequest) -> None:
        """Note down that those must be told who are asked to agree to something."""
        at = self.clock() + self.sending.grace
        asked = consent_request.missing, consent_request.number
        contacts.queue_notices(self.table.store, consent_request.game, *asked, contacts.CONSENT, at)

    def deliver(self, job: job_queue.Job) -> float:
        """Send a notice, unless its player is looking, has acted, or wants none.

        Answers when to do so where these are quiet hours, in seconds since 1970, else 0. Raises `OSError` where it cannot be
        sent.
        """
        notice = msgspec.json.decode(job.payload, type=NoticeJob)
        info = contacts.contact_info(self.table.store, job.game, notice.seat)
        if notice.kind == contacts.CONFIRM:
            self.ask_first(job.game, notice, info)
            return 0.0
        if info is None or info.contact.muted or self.clock() - info.looking < HERE:
            return 0.0
        game = self.table.cache.get(job.game).snapshot()
        if self.lapsed(job.game, game, notice):
            return 0.0
        hours = push_subscriptions.quiet_hours_at(self.table.store, job.game, notice.seat, notice.device)
        ends = [quiet_until(each, self.clock()) for each in hours]
        if ends and all(ends):
            return min(ends)
        self.delivery.deliver(job.game, game, notice, info)
        return 0.0

    def lapsed(self, id_: str, game: Game, notice: NoticeJob) -> bool:
        """Tell whether what a notice tells of is done by now."""
        if notice.kind == contacts.TURN:
            return not still_awaited(game, notice, automatic(self.table.cache.get(id_)))
        return notice.kind == contacts.CONSENT and not self.still_asked(id_, game.number, notice)

    def ask_first(self, id_: str, notice: NoticeJob, info: contacts.ContactInfo | None) -> None:
        """Send the letter that asks whether letters may come, unless the seat has another address by now."""
        if info is None or info.confirmed or not info.contact.mail:
            return
        to = info.contact.mail
        if contacts.asked_mailbox(self.table.store, notice.number) not in (contacts.mailbox_of(to), to.casefold()):
            return
        token = notification_settings.mail_token(self.accounts, id_, notice.seat, to)
        address = f"{self.delivery.base}/mail/{id_}/{token}"
        self.delivery.confirm(
            to, messages.confirmation(self.table.cache.get(id_).game.title, info.contact.language, address)
        )

    def still_asked(self, id_: str, stands: int, notice: NoticeJob) -> bool:
        """Tell whether a request still waits for a seat."""
        open_ = (consent_requests.now(each, stands) for each in consent_requests.stored(self.table.store, id_))
        return any(
            p.number == notice.number and p.outcome == consent_requests.OPEN and notice.seat in p.missing for p in open_
        )

    # Bots --------------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Let bots go on where they were stopped as a process begins, unless another process moves them."""
        store, now = self.table.store, self.clock()
        if not store.shared:
            job_queue.forget(
                store.engine, job_queue.PLAY
            )  # noted down by a process that is no more, for an earlier position
        job_queue.stalled(store.engine, now, now - FORGOTTEN, now, SETTLING if store.shared else 0.0)

    def look_after(self) -> None:
        """Go on with the bots of a process that may have died. Each table is looked at when it has fallen quiet."""
        now = self.clock()
        job_queue.stalled(self.table.store.engine, now, now - 3 * QUIET, now - QUIET, 0.0)

    def stands_still(self, cached: CachedGame, number: int) -> bool:
        """Tell whether a bot is to move at a table that stands where it was noted down."""
        playing, game = bots_of(self.table.store, cached).playing, cached.snapshot()
        return game.number == number and any(seat in playing for seat in game.to_act)

    def tell_host(self, job: job_queue.Job, way: str, fault: Exception) -> None:
        """Log that notices cannot be sent: the first failure of a way, then one an hour."""
        now = self.clock()
        if now - self.told_host.get(way, 0.0) > TELL_HOST:
            self.told_host[way] = now
            LOG.warning("table %s: %s could not be sent (try %d): %s", job.game, CALLED[way], job.tries, fault)

    def expire(self) -> list[str]:
        """Delete what has lapsed, and end idle tables of the lobby; answers the tables that went."""
        open_tables.expire(self.table.store, self.clock(), self.open_days)
        self.fill_in_results()
        gone = deletion.expire(self.table.store, self.clock(), self.keep_days)
        for game in gone:
            self.table.cache.forget(game)
        if gone:
            LOG.info("%d tables have lapsed and are deleted", len(gone))
        return gone

    def fill_in_results(self) -> None:
        """Store the results of some games that finished under an earlier version, so that they are found."""
        for id_ in results.missing(self.table.store, FILLED_AT_ONCE):
            try:
                game = self.table.cache.get(id_).game
                results.fill_in(self.table.store, id_, results_of(game.title.id, game.standings()))
            except Exception as fault:  # noqa: BLE001  a game that cannot be read, or not any more, is no fault of the others
                LOG.warning("table %s has no result that can be read: %s", id_, fault)

    # Jobs --------------------------------------------------------------------------------------------------------------

    def do(self, job: job_queue.Job) -> JobResult:
        """Do a job; what cannot be sent is tried again later."""
        engine = self.table.store.engine
        try:
            result = JobResult()
            if job.kind == job_queue.TURN:
                cached = self.table.cache.get(job.game)
                number = msgspec.json.decode(job.payload, type=Turn).number
                result = self.act(cached)
                if result.entry is None and number:
                    self.call(cached, number)
            elif job.kind == job_queue.PLAY:
                number = msgspec.json.decode(job.payload, type=Turn).number
                result = JobResult(bots=self.stands_still(self.table.cache.get(job.game), number))
            elif job.kind == job_queue.NOTICE:
                later = self.deliver(job)
                if later:
                    job_queue.postpone(engine, job, later)
                    return result
        except (OSError, smtplib.SMTPException) as fault:
            way = way_of(job)
            self.tell_host(job, way, fault)
            self.sendings[way, "failed"] += 1
            again = not (isinstance(fault, webhook.HookFailure) and not fault.again)
            if not again:
                job_queue.done(engine, job)
            elif not job_queue.failed(engine, job, self.clock()):
                LOG.warning("table %s: a notice could not be sent and is given up: %s", job.game, fault)
        except webhook.HookError:
            job_queue.done(engine, job)
            LOG.warning("table %s: a webhook leads into a private network and is not asked", job.game)
        else:
            job_queue.done(engine, job)
            return result
        return JobResult()


def way_of(job: job_queue.Job) -> str:
    """The way of a notice: `mail`, `hook` or `push`."""
    return msgspec.json.decode(job.payload, type=NoticeJob).way


def still_awaited(game: Game, notice: NoticeJob, made: frozenset[int]) -> bool:
    """Tell whether a seat is to act and has not been there since the entry of which it is told."""
    since = game.entries[notice.number :]
    return notice.seat in game.to_act and not any(e.seat == notice.seat and e.number not in made for e in since)


@dataclass(eq=False)
class JobWorker:
    """The task that takes jobs until it is cancelled, and tells the pages of this process what result of them."""

    work: JobRunner
    subscriptions: Subscriptions
    moved: Callable[[str], None]
    """Called on the event loop with a table where an instruction has acted, or a bot is to go on."""
    awake: asyncio.Event = field(default_factory=asyncio.Event)
    sendings: set[asyncio.Task[None]] = field(default_factory=set)
    senders: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(SENDERS))
    """Threads of their own: what waits for a slow host holds nobody's request."""
    pushers: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(PUSHERS))
    """Threads for messages to devices, so that no slow service holds letters."""

    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def stop(self, working: asyncio.Task[None]) -> None:
        """End the task and what it has under way: a thread that still asks the store must not outlive it."""
        self.stopping.set()
        self.awake.set()
        _, late = await asyncio.wait([working, *self.sendings], timeout=STOP_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def wake(self) -> None:
        """Look for work that what was just stored may have set off. Called on the event loop."""
        self.awake.set()

    async def run(self) -> None:
        store = self.work.table.store
        poll = POLL_SHARED if store.shared else POLL
        look, looked, expired = self.work.resume, 0.0, 0.0
        while not self.stopping.is_set():
            self.awake.clear()
            try:
                if not looked or (store.shared and self.work.clock() - looked >= QUIET):
                    await to_thread.run_sync(look)
                    look, looked = self.work.look_after, self.work.clock()
                if self.stopping.is_set():
                    return
                if not expired or self.work.clock() - expired >= EXPIRE:
                    expired = self.work.clock()
                    await to_thread.run_sync(self.work.expire)
                following = await to_thread.run_sync(
                    job_queue.next_at, store.engine
                )  # looked at far more often than taken
                if following is not None and following <= self.work.clock():
                    await self.take()
                    continue
                wait = poll if following is None else min(max(following - self.work.clock(), 0.05), poll)
            except Exception:  # the database may be away for a while
                LOG.exception("what is due cannot be read; trying again")
                wait = poll
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):  # `wait_for` of Python 3.11 may swallow the end of the server
                    await self.awake.wait()
                    await asyncio.sleep(TOGETHER)

    async def take(self) -> None:
        """Take jobs whose time has come, and do them."""
        for job in await to_thread.run_sync(job_queue.take, self.work.table.store.engine, self.work.clock()):
            if job.kind == job_queue.NOTICE:  # may take its time
                task = asyncio.create_task(self.one(job))
                self.sendings.add(task)
                task.add_done_callback(self.sendings.discard)
            else:
                await self.one(job)

    def limiter_of(self, job: job_queue.Job) -> CapacityLimiter | None:
        """The threads in which a job is done; None for those of all."""
        if job.kind != job_queue.NOTICE:
            return None
        return self.pushers if way_of(job) == "push" else self.senders

    async def one(self, job: job_queue.Job) -> None:
        """Do a job in a thread; a fault of one table is no fault of the others."""
        try:
            limiter = self.limiter_of(job)
            result = await to_thread.run_sync(self.work.do, job, limiter=limiter)
        except Exception:
            LOG.exception("table %s: work that is due has failed", job.game)
            await to_thread.run_sync(job_queue.failed, self.work.table.store.engine, job, self.work.clock())
            return
        if result.entry is not None:
            self.subscriptions.publish(job.game, result.entry.number)
        if result.entry is not None or result.bots:
            self.moved(job.game)
        if result.ended:
            self.subscriptions.publish(job.game, 0, SIDEBAR_CHANGED)
