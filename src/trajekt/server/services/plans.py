"""Boards to plan on: things put there without the rules, what differs from the live table, a copy to show, instructions.

A plan is a try-out board: a copy of a table that goes its own way. What it shares with the table are the entries with which
both begin; all behind these is the plan.
"""

from __future__ import annotations

import msgspec

from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat
from trajekt.game import ARRANGED, DONE, Entry, Game, Proposal, Refused
from trajekt.round_label import round_of
from trajekt.rules.placement_by_hand import AnyPlacement, arrange
from trajekt.server.refusals import DeniedError
from trajekt.server.services.standing_order_context import turn_at
from trajekt.server.services.table_service import OpenedTable, TableService, read
from trajekt.server.storage import comments
from trajekt.server.storage.cached_game import TRIAL, CachedGame
from trajekt.server.storage.seats import assignments_of
from trajekt.server.storage.secret_tokens import new_token
from trajekt.server.storage.standing_order_tasks import AT_ONCE, InTurn, Like, Task
from trajekt.server.storage.standing_orders import TaskList


class PlacementBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something put on a board to plan on, made for position `number`."""

    number: int
    place: AnyPlacement


class PlanBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a board to plan on."""

    plan: str


def is_plan(table: TableService, cached: CachedGame) -> bool:
    """Tell whether a table is a board to plan on that may be changed without the rules."""
    return cached.on_trial and not assignments_of(table.store, cached).friends


def needed_plan(table: TableService, cached: CachedGame) -> CachedGame:
    """Raises `DeniedError` 403 `no_plan` for a table on which the rules hold."""
    if not is_plan(table, cached):
        raise DeniedError(403, "no_plan")
    return cached


def place(table: TableService, id_: str, data: bytes) -> Entry:
    """Put something on a board to plan on; it is stored when this returns. Raises `Refused` where there is no such thing."""
    cached = needed_plan(table, table.cache.get(id_))
    sent = read(data, PlacementBody)

    def proposed(game: Game) -> Proposal:
        found = arrange(game.ruleset, game.state, sent.place)
        if isinstance(found, Refusal):
            raise Refused(found)
        return game.propose_arranged(found)

    return table.cache.arrange(cached.id, sent.number, proposed)


def show(table: TableService, cached: CachedGame) -> OpenedTable:
    """Copy a plan as it stands, with its comments, to a table that has no seats, and answer its link to watch."""
    game, watch = needed_plan(table, cached).snapshot(), new_token()
    id_ = table.keep(game, TRIAL, watch=watch)
    comments.take_over(table.store, id_, comments.of_game(table.store, cached.id))
    return OpenedTable(id_, {}, watch)


def plan_of(table: TableService, live: CachedGame, name: str) -> Game:
    """The plan of a live table by its name. Raises `DeniedError` 404 `unknown` where it is none of this game."""
    if not name.startswith(TRIAL):
        raise DeniedError(404, "unknown")
    try:
        cached = needed_plan(table, table.cache.get(name))
    except KeyError as fault:
        raise DeniedError(404, "unknown") from fault
    game, base = cached.snapshot(), live.snapshot()
    same = (game.title.id, game.options, game.names, game.seed) == (base.title.id, base.options, base.names, base.seed)
    if not same or game.opening.events != base.opening.events:
        raise DeniedError(404, "unknown")
    return game


def forked_at(live: Game, plan: Game) -> int:
    """The number of entries with which a table and its plan begin alike."""
    number = 0
    for here, there in zip(live.entries, plan.entries, strict=False):
        if here != there:
            break
        number += 1
    return number


def planned(live: Game, plan: Game) -> list[Entry]:
    """All that stands on a plan and was not done at the table, oldest first."""
    begin = forked_at(live, plan)
    return [entry for entry in plan.line() if entry.number > begin and entry.kind in DONE]


def changed_hexes(live: Game, plan: Game) -> list[HexId]:
    """The hexes on which the plan has changed something that lies otherwise at the table."""
    before = plan.state_at(forked_at(live, plan)).board
    now, there = plan.state.board, live.state.board
    return [
        at
        for at in now.sheet.hexes
        if now.contents(at) != before.contents(at) and now.contents(at) != there.contents(at)
    ]


def tasks_of(live: Game, plan: Game, seat: Seat) -> TaskList:
    """The actions of a seat on a plan as an instruction, each in the turn and step in which it was tried.

    Raises `DeniedError` 422 where there is none, or more than one instruction can hold.
    """
    tasks = []
    for entry in planned(live, plan):
        if entry.seat != seat or entry.kind == ARRANGED or entry.action is None:
            continue
        before = plan.state_at(entry.parent)
        company, step = turn_at(plan, before.agenda[-1:])
        when = (InTurn(CompanyId(company), step),) if company and round_of(before).kind != "package" else ()
        tasks.append(Task(Like(msgspec.json.decode(msgspec.json.encode(entry.action))), when))
    if not tasks:
        raise DeniedError(422, "plan_empty")
    if len(tasks) > AT_ONCE:
        raise DeniedError(422, "order_long")
    return TaskList(tuple(tasks))
