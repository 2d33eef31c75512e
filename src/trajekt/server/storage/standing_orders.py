"""Instructions in the store, each secret to its owner; what has ended stays to be read until the owner puts it away."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import job_queue
from trajekt.server.storage.pubsub import SIDEBAR_CHANGED
from trajekt.server.storage.schema import ORDERS
from trajekt.server.storage.standing_order_tasks import AT_ONCE, AnyCondition, Task
from trajekt.server.storage.store import Store

MOST = 20  # instructions of a seat that hold at a time
SHOWN = 4  # of those that have ended
UNMET_PASS = "unmet"  # why a pass ends with the purchase before it
LONGEST = 20_000  # characters of an instruction as it is stored


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=True):
    """The common base that gives every instruction its tag."""


class PassUntil(Order, frozen=True, tag="pass_until"):
    """Pass in a stock round or auction: until something `mine` is touched, until `any` other action, or to its `end`."""

    until: Literal["mine", "any", "end"] = "mine"


class Buy(Order, frozen=True, tag="buy"):
    """Buy one certificate while it costs at most `most` Mark: `once`, or at each turn until the company has `floated`."""

    company: CompanyId
    source: str
    percent: int
    most: int
    until: Literal["once", "floated"] = "once"


class PassSteps(Order, frozen=True, tag="pass_steps"):
    """Pass these steps in the present or next turn of a company."""

    company: CompanyId
    steps: tuple[str, ...]


class DiscardFirst(Order, frozen=True, tag="discard_first"):
    """Give up, where a company has too many trains, the first of these that it has."""

    company: CompanyId
    trains: tuple[TrainKind, ...]


class TaskList(Order, frozen=True, tag="tasks"):
    """Do tasks one after the other, `again` from the first on after the last; ends when one of `until` holds."""

    tasks: Annotated[tuple[Task, ...], msgspec.Meta(min_length=1, max_length=AT_ONCE)]
    again: bool = False
    until: Annotated[tuple[AnyCondition, ...], msgspec.Meta(max_length=AT_ONCE)] = ()


AnyOrder: TypeAlias = PassUntil | Buy | PassSteps | DiscardFirst | TaskList


@dataclass(frozen=True, slots=True)
class Given:
    """An instruction as it was given: by whom, after which entry, for which round and kind of decision (where it has one)."""

    seat: Seat
    order: AnyOrder
    number: int
    round: str = ""
    frame: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """End of an instruction. `reason` names a sentence, `entry` the action that ended it, 0 where none did.

    `refusal` is what the rules say against the action that was wanted.
    """

    reason: str
    entry: int = 0
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class StoredOrder:
    """A stored instruction; `ended` is empty while it holds."""

    id: int
    given: Given
    ended: str
    entry: int
    refusal: Refusal | None = None


def _stored_order(row: sa.RowMapping) -> StoredOrder:
    order: AnyOrder = msgspec.json.decode(row["value"], type=AnyOrder)
    given = Given(row["seat"], order, row["number"], row["round"], row["frame"])
    refusal = msgspec.json.decode(row["refusal"], type=Refusal) if row["refusal"] else None
    return StoredOrder(row["id"], given, row["ended"], row["entry"], refusal)


def holding(store: Store, game: str) -> list[StoredOrder]:
    """All instructions of a table that hold, in the order in which they were given."""
    query = sa.select(ORDERS).where(ORDERS.c.game == game, ORDERS.c.ended == "").order_by(ORDERS.c.id)
    with store.engine.connect() as connection:
        return [_stored_order(row) for row in connection.execute(query).mappings()]


def ended_lately(store: Store, game: str) -> list[StoredOrder]:
    """The newest instructions of a table that have ended, but those that another one ended."""
    over = sa.select(ORDERS).where(ORDERS.c.game == game, ORDERS.c.ended.not_in(("", UNMET_PASS)))
    with store.engine.connect() as connection:
        rows = connection.execute(over.order_by(ORDERS.c.id.desc()).limit(MOST)).mappings()
        return [_stored_order(row) for row in rows]


def of_seat(store: Store, game: str, seat: Seat) -> list[StoredOrder]:
    """Return what a player sees of his own: all that hold, then the newest that have ended."""
    mine = sa.select(ORDERS).where(ORDERS.c.game == game, ORDERS.c.seat == seat)
    open_ = mine.where(ORDERS.c.ended == "").order_by(ORDERS.c.id)
    ended = mine.where(ORDERS.c.ended != "").order_by(ORDERS.c.id.desc()).limit(SHOWN)
    with store.engine.connect() as connection:
        return [_stored_order(row) for query in (open_, ended) for row in connection.execute(query).mappings()]


def about(order: AnyOrder) -> str:
    """Return what an instruction is about; a new one takes the place of an older one about the same."""
    match order:
        case Buy() | PassSteps() | DiscardFirst():
            return f"{type(order).__name__} {order.company}"
        case TaskList():
            return msgspec.json.encode(order).decode()
    return type(order).__name__


def keep(store: Store, game: str, given: Given) -> None:
    """Store an instruction and let it be looked at, in case its owner is awaited already."""
    now = time.time()
    mine = ORDERS.c.game == game, ORDERS.c.seat == given.seat
    with store.begin() as connection:
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
        rows = connection.execute(sa.select(ORDERS).where(*mine, ORDERS.c.ended == "")).mappings().all()
        same = [row["id"] for row in rows if about(_stored_order(row).given.order) == about(given.order)]
        if len(rows) - len(same) >= MOST:
            raise DeniedError(422, "order_many")
        connection.execute(ORDERS.delete().where(ORDERS.c.id.in_(same)))
        value = msgspec.json.encode(given.order).decode()
        if len(value) > LONGEST:
            raise DeniedError(422, "order_long")
        connection.execute(
            ORDERS.insert().values(
                game=game,
                seat=given.seat,
                value=value,
                number=given.number,
                round=given.round,
                frame=given.frame,
                ended="",
                entry=0,
                refusal="",
            )
        )
        job_queue.ask(connection, game, job_queue.TURN, {"number": 0}, now)


def end(store: Store, game: str, kept: StoredOrder, ended: Ended) -> None:
    """End an instruction."""
    with store.begin() as connection:
        refusal = msgspec.json.encode(ended.refusal).decode() if ended.refusal is not None else ""
        values = {"ended": ended.reason, "entry": ended.entry, "refusal": refusal}
        connection.execute(ORDERS.update().where(ORDERS.c.id == kept.id).values(**values))
        store.bump_revision(connection, game, SIDEBAR_CHANGED)


def revive(store: Store, game: str, kept: StoredOrder) -> None:
    """Let an instruction hold again whose end was undone."""
    with store.begin() as connection:
        values = {"ended": "", "entry": 0, "refusal": ""}
        connection.execute(ORDERS.update().where(ORDERS.c.id == kept.id).values(**values))
        store.bump_revision(connection, game, SIDEBAR_CHANGED)


def put_away(store: Store, game: str, seat: Seat, id_: int) -> None:
    """Withdraw an instruction, or take one that has ended out of sight."""
    with store.begin() as connection:
        gone = ORDERS.delete().where(ORDERS.c.id == id_, ORDERS.c.game == game, ORDERS.c.seat == seat)
        if connection.execute(gone).rowcount != 1:
            raise DeniedError(404, "unknown")
        store.bump_revision(connection, game, SIDEBAR_CHANGED)
